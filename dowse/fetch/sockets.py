"""Watches libcurl's sockets for the event loop.

libcurl registers a socket again for every request. An epoll of its own, itself watched by the loop,
takes half the time of uvloop's add_reader for that and a third of asyncio's, and reports many ready
sockets at once; where the system has no epoll, the loop watches each socket.
"""

from __future__ import annotations

import asyncio
import select
from collections.abc import Callable
from contextlib import suppress
from typing import Protocol

import pycurl  # type: ignore[import-untyped]

Ready = Callable[[list[tuple[int, int]]], None]  # sockets, and what each is ready for, as libcurl's CSELECT flags


class Sockets(Protocol):
    """Watches the sockets that libcurl names."""

    def watch(self, what: int, fd: int, multi: object, data: object) -> None:
        """Start, change or stop watching one socket, as libcurl says (CURLMOPT_SOCKETFUNCTION)."""

    def close(self) -> None:
        """Stop watching."""


def build_sockets(loop: asyncio.AbstractEventLoop, ready: Ready) -> Sockets:
    """Return the fastest implementation that this system has."""
    return EpollSockets(loop, ready) if hasattr(select, "epoll") else LoopSockets(loop, ready)


class EpollSockets:
    """All sockets in one epoll, and only that one in the loop."""

    def __init__(self, loop: asyncio.AbstractEventLoop, ready: Ready) -> None:
        self._loop = loop
        self._ready = ready
        self._epoll = select.epoll()
        self._watched: dict[int, int] = {}
        loop.add_reader(self._epoll.fileno(), self._on_ready)

    def watch(self, what: int, fd: int, multi: object, data: object) -> None:
        """Start, change or stop watching one socket."""
        known = self._watched.get(fd)
        if what == pycurl.POLL_REMOVE:
            if known is not None:
                del self._watched[fd]
                with suppress(OSError):  # closed already, which unregisters it as well
                    self._epoll.unregister(fd)
            return
        if known is None:
            self._epoll.register(fd, _EPOLL_MASKS[what])
        elif known != what:
            self._epoll.modify(fd, _EPOLL_MASKS[what])
        self._watched[fd] = what

    def close(self) -> None:
        """Stop watching."""
        self._loop.remove_reader(self._epoll.fileno())
        self._epoll.close()

    def _on_ready(self) -> None:
        self._ready([(fd, _curl_mask(mask)) for fd, mask in self._epoll.poll(0)])


class LoopSockets:
    """Every socket in the loop."""

    def __init__(self, loop: asyncio.AbstractEventLoop, ready: Ready) -> None:
        self._loop = loop
        self._ready = ready
        self._watched: dict[int, int] = {}

    def watch(self, what: int, fd: int, multi: object, data: object) -> None:
        """Start, change or stop watching one socket."""
        if what == pycurl.POLL_REMOVE:
            what = pycurl.POLL_NONE
        changed = what ^ self._watched.pop(fd, pycurl.POLL_NONE)
        if what & pycurl.POLL_IN:
            self._loop.add_reader(fd, self._ready, [(fd, pycurl.CSELECT_IN)])
        elif changed & pycurl.POLL_IN:
            self._loop.remove_reader(fd)
        if what & pycurl.POLL_OUT:
            self._loop.add_writer(fd, self._ready, [(fd, pycurl.CSELECT_OUT)])
        elif changed & pycurl.POLL_OUT:
            self._loop.remove_writer(fd)
        if what:
            self._watched[fd] = what

    def close(self) -> None:
        """Stop watching."""
        for fd in list(self._watched):
            self.watch(pycurl.POLL_REMOVE, fd, None, None)


_IN, _OUT = getattr(select, "EPOLLIN", 0), getattr(select, "EPOLLOUT", 0)
_EPOLL_MASKS = {
    pycurl.POLL_NONE: 0,
    pycurl.POLL_IN: _IN,
    pycurl.POLL_OUT: _OUT,
    pycurl.POLL_INOUT: _IN | _OUT,
}


def _curl_mask(mask: int) -> int:
    """Return epoll's mask as CSELECT flags; an error or a hang-up counts as readable."""
    if mask == _IN:
        return int(pycurl.CSELECT_IN)
    return (pycurl.CSELECT_OUT if mask & _OUT else 0) | (pycurl.CSELECT_IN if mask & ~_OUT else 0)
