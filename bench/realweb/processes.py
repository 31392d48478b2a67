"""Servers started apart from this process and remembered in files, so that exactly those are ended."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import time
from collections.abc import Mapping
from http.client import HTTPConnection, HTTPException
from pathlib import Path

from bench.realweb.place import clean_env

_END_SECONDS = 5.0  # until a server that was asked to end is killed


def start(home: Path, command: tuple[str, ...], env: Mapping[str, str], cwd: Path | None = None) -> None:
    """Start a server in a session of its own; its number and start time go into a file."""
    home.mkdir(parents=True, exist_ok=True)
    with open(home / "log", "ab") as log:
        process = subprocess.Popen(
            command,
            cwd=cwd or home,
            env=clean_env(env),
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
            start_new_session=True,
        )
    (home / "pid").write_text(json.dumps([process.pid, _start_time(process.pid)]))


def running(home: Path) -> int | None:
    """Return the number of the server that was started here, if it still runs."""
    try:
        pid, began = json.loads((home / "pid").read_text())
    except (FileNotFoundError, ValueError):
        return None
    return pid if began and _start_time(pid) == began else None


def stop(home: Path) -> bool:
    """End the server that was started here and its children; return True if there was one."""
    pid = running(home)
    (home / "pid").unlink(missing_ok=True)
    if pid is None:
        return False
    members = _session(pid)
    for sign in (signal.SIGTERM, signal.SIGKILL):
        if any(_start_time(member) for member in members):
            os.killpg(pid, sign)
        until = time.monotonic() + _END_SECONDS
        while any(_start_time(member) for member in members) and time.monotonic() < until:
            time.sleep(0.05)
    return True


def memory(home: Path) -> int:
    """Return how many megabytes the server and its children hold, shared pages divided among those who share them."""
    pid = running(home)
    total = 0
    for member in _session(pid) if pid else []:
        try:
            lines = Path(f"/proc/{member}/smaps_rollup").read_text().splitlines()
        except (FileNotFoundError, ProcessLookupError, PermissionError):
            continue
        total += sum(int(line.split()[1]) for line in lines if line.startswith("Pss:"))
    return total // 1024


def answers(port: int, host: str, path: str) -> bool:
    """Return True if the server answers with less than 500."""
    connection = HTTPConnection("127.0.0.1", port, timeout=10)
    try:
        connection.request("GET", path, headers={"Host": host})
        return connection.getresponse().status < 500
    except (OSError, HTTPException):
        return False
    finally:
        connection.close()


def is_free(port: int) -> bool:
    """Return True if nobody listens on the port."""
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) != 0


def _start_time(pid: int) -> str:
    """Return when the process was started, in ticks since the machine was: a number that was used again differs."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    except (FileNotFoundError, ProcessLookupError):
        return ""
    return "" if fields[0] in "ZX" else fields[19]


def _session(leader: int) -> list[int]:
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                fields = (entry / "stat").read_text().rsplit(")", 1)[1].split()
            except (FileNotFoundError, ProcessLookupError):
                continue
            if int(fields[3]) == leader:
                found.append(int(entry.name))
    return found
