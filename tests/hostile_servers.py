"""One server that misbehaves in another way for each virtual host, byte by byte as a row says.

`SITES` is what a host does with every page, `ROBOTS` what it does with its robots.txt alone;
a host in neither is a good one. Everything large is made when it is asked for first, so that
a test process stays small.
"""

from __future__ import annotations

import asyncio
import gzip
import itertools
import random
import socket
import struct
import subprocess
import sys
import threading
import zlib
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path
from typing import NamedTuple

import brotli
import zstandard

ROOT = Path(__file__).parent.parent
DOMAIN = "hostile.test"
MB = 1024 * 1024
GOOD_FORM = (
    "<form action=/find><label>Title <input name=title></label><label>Author <input name=author></label>"
    "<select name=year><option>2019<option>2020</select><input type=submit value='Search books'></form>"
)
_GOOD_PAGES = {
    "/": f"<title>Books</title><p>A catalogue of books.<a href=/about>About</a><a href=/more>More</a>{GOOD_FORM}",
    "/about": "<title>About</title><p>Who keeps these books, and where.<a href=/>Home</a>",
    "/more": "<title>More</title><p>Other things that there are.<a href=/>Home</a>",
}


class Asked(NamedTuple):
    """One request: to whom, for what, and how many there were before it."""

    name: str  # the virtual host, without the domain
    path: str  # with the query
    before: int


Writer = asyncio.StreamWriter
Answer = bytes | Callable[[Asked], bytes] | Callable[[Asked, Writer], Awaitable[None]]


def answer(body: bytes | str = b"<p>hello", *headers: str, status: str = "200 OK", type: str = "text/html") -> bytes:
    """Return a well-formed answer."""
    body = body.encode() if isinstance(body, str) else body
    lines = [f"HTTP/1.1 {status}", f"Content-Type: {type}", f"Content-Length: {len(body)}", *headers, "", ""]
    return "\r\n".join(lines).encode("latin-1") + body


def unbounded(body: bytes = b"", *headers: str, type: str = "text/html") -> bytes:
    """Return an answer that lasts until the connection ends."""
    return "\r\n".join(["HTTP/1.1 200 OK", f"Content-Type: {type}", *headers, "", ""]).encode("latin-1") + body


def moved(location: str) -> bytes:
    """Return a redirect."""
    return answer(b"", f"Location: {location}", status="302 Found")


MISSING = answer("<p>not here", status="404 Not Found")


def answer_well(asked: Asked) -> bytes:
    """Be a good site of three pages and one query form."""
    page = _GOOD_PAGES.get(asked.path)
    return MISSING if page is None else answer(page)


# Without end


def endless(first: bytes, more: bytes) -> Callable[[Asked, Writer], Awaitable[None]]:
    """Send something, and then more for as long as somebody listens."""
    many = more * max(1, 65_536 // len(more))

    async def send(asked: Asked, writer: Writer) -> None:
        writer.write(first)
        while True:
            writer.write(many)
            await writer.drain()

    return send


def dripping(text: bytes) -> Callable[[Asked, Writer], Awaitable[None]]:
    """Send what there is slower than anybody waits, and never the end."""

    async def send(asked: Asked, writer: Writer) -> None:
        for place in itertools.count():
            writer.write(text[place : place + 1] or b".")
            await writer.drain()
            await asyncio.sleep(0.1)

    return send


async def say_nothing(asked: Asked, writer: Writer) -> None:
    """Accept, and never answer."""
    await asyncio.sleep(600)


async def hang_up(asked: Asked, writer: Writer) -> None:
    """Close the connection without a word."""


def reset_after(text: bytes) -> Callable[[Asked, Writer], Awaitable[None]]:
    """Send something, then reset the connection."""

    async def send(asked: Asked, writer: Writer) -> None:
        writer.write(text)
        await writer.drain()
        await asyncio.sleep(0.1)
        own: socket.socket = writer.get_extra_info("socket")
        own.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        writer.transport.abort()

    return send


async def smuggle(asked: Asked, writer: Writer) -> None:
    """Send a second answer behind the first and leave the connection open for the next request."""
    writer.write(answer("<p>first<a href=/next>next</a>") + answer("<p>smuggled<a href=/smuggled>x</a>"))
    await writer.drain()
    await asyncio.sleep(1)


# Bombs: each is under 2 MB on the wire and gigabytes unpacked


@cache
def bomb(wbits: int) -> bytes:
    """One stream of 1.5 GB: a block that stands alone, again and again."""
    packer = zlib.compressobj(9, wbits=wbits)
    head = packer.compress(b"<p>bomb" + bytes(1000)) + packer.flush(zlib.Z_FULL_FLUSH)
    block = packer.compress(bytes(10 * MB)) + packer.flush(zlib.Z_FULL_FLUSH)
    return head + block * 150


@cache
def gzip_members() -> bytes:
    """Very many gzip members in a row."""
    return gzip.compress(b"<p>x" + bytes(10_000)) * 20_000


@cache
def gzip_of_gzip() -> bytes:
    """A bomb in a bomb."""
    return gzip.compress(bomb(31))


@cache
def brotli_bomb() -> bytes:
    """64 MB in some hundred bytes."""
    packer = brotli.Compressor(quality=5)
    return b"".join([*(packer.process(bytes(MB)) for _ in range(64)), packer.finish()])


@cache
def zstd_bomb() -> bytes:
    """Frames of 16 MB, two thousand of them."""
    return zstandard.ZstdCompressor().compress(bytes(16 * MB)) * 1000


@cache
def zstd_window() -> bytes:
    """A frame that wants 128 MB of memory before its first byte (RFC 9659 allows 8)."""
    parameters = zstandard.ZstdCompressionParameters(window_log=27, compression_level=1)
    packer = zstandard.ZstdCompressor(compression_params=parameters).compressobj()
    return packer.compress(b"<p>hello" * 1000) + packer.flush()


# Pages


def wide(count: int, part: str) -> Callable[[Asked], bytes]:
    """Answer the root with one part very many times, and everything else with a small page."""

    def write(asked: Asked) -> bytes:
        if asked.path != "/":
            return answer(f"<p>a page about {asked.path}")
        return answer("".join([part.replace("#", str(number)) for number in range(count)]))

    return write


def noise(size: int, seed: int = 1) -> bytes:
    """Return bytes that mean nothing."""
    return random.Random(seed).randbytes(size)


def farm_by_path(asked: Asked) -> bytes:
    """Write fifty links that nobody has seen, and words that are new as well."""
    chance = random.Random(f"{asked.path} {asked.before}")
    links = "".join(f"<li><a href=/v{chance.randbytes(8).hex()}>{chance.randbytes(4).hex()}</a>" for _ in range(50))
    words = " ".join(chance.randbytes(3).hex() for _ in range(100))
    return answer(f"<title>{words[:20]}</title><p>{words}<ul>{links}</ul>")


def farm_by_parameter(asked: Asked) -> bytes:
    """Write the same page with fifty links of another id per visit."""
    links = "".join(f"<li><a href=/view?id={asked.before * 50 + number}>item</a>" for number in range(50))
    return answer(f"<p>Welcome to the shop of everything.<ul>{links}</ul>")


def farm_of_hosts(asked: Asked) -> bytes:
    """Link to fifty other hosts."""
    links = "".join(f"<a href=http://h{asked.before * 50 + number}.{asked.name}.test/>x</a>" for number in range(50))
    return answer(f"<p>Partners{links}")


def refresh_onward(asked: Asked) -> bytes:
    """Refresh to an address that is always new."""
    return answer(f"<meta http-equiv=refresh content='0; url=/?turn={asked.before}'><p>wait")


def redirect_onward(asked: Asked) -> bytes:
    """Redirect to the same path with another number."""
    return moved(f"/?turn={asked.before}")


def redirect_with_session(asked: Asked) -> bytes:
    """Redirect to the same page with a session id that is always new."""
    return moved(f"/?sid={random.Random(asked.before).randbytes(16).hex()}")


def redirect_to_next_host(asked: Asked) -> bytes:
    """Redirect hop3 to hop4, and so on."""
    word, _, number = asked.name.rpartition("-")
    return moved(f"http://{word}-{int(number) + 1}.{DOMAIN}/")


def redirect_in_two(asked: Asked) -> bytes:
    """Redirect there and back."""
    return moved("/" if asked.path == "/there" else "/there")


def frames_in_circles(asked: Asked) -> bytes:
    """Frame a page that frames this one."""
    other = {"/": "/b", "/b": "/c", "/c": "/"}.get(asked.path, "/")
    return answer(f"<frameset><frame src={other}><frame src={asked.path}></frameset><iframe src={other}></iframe>")


def deep_path(asked: Asked) -> bytes:
    """Link to a folder below this one, relatively, for ever."""
    return answer(f"<p>{asked.path}<a href=sub/>down</a><a href={asked.path}../x{asked.before}/>across</a>")


def busy_robots(asked: Asked) -> bytes:
    """Have pages with very long names for the rules of a robots.txt to be matched with."""
    return answer(f"<p>{asked.path}<a href=/{'a' * 200}>one</a><a href=/{'ab' * 100}c>two</a>")


def long_addresses(asked: Asked) -> bytes:
    """Link to a thousand addresses as long as they may be, each of letters that some rule repeats over."""
    if asked.path != "/":
        return answer(f"<p>{len(asked.path)}")
    sorts = ("a", "1", "a-", "a1", "/a", "_", "1.", "%41", "diff", "&a=", ";a", "=", "..", "2020-", "print", "(a")
    links = [f"<a href='/{(part * 2000)[: 1900 - number % 7]}{number}'>x</a>" for number in range(60) for part in sorts]
    return answer("".join(links))


ODD_ADDRESSES = (
    "<a href='/&#xD800;'>surrogate</a><a href='/\ufffd\u202e'>marks</a><a href='/a&#0;b'>nul</a><a href='/\x01\x02\x1b[2J'>control</a>"
    f"<a href='/{'x' * 5000}'>long</a><a href='?{'y' * 1900}'>long query</a><a href='http://['>bracket</a><a href='http://a b/'>space</a>"
    "<a href='//'>slashes</a><a href='http:///x'>three</a><a href='%zz'>percent</a><a href='/%00'>zero</a><a href='\\\\other\\x'>back</a>"
    "<a href='javascript:alert(1)'>script</a><a href='data:text/html,x'>data</a><a href='http://u:p@good.hostile.test/'>user</a>"
    "<a href='http://good.hostile.test:99999/'>port</a><a href='http://good.hostile.test:0/'>port 0</a><a href='mailto:a@b'>mail</a>"
    "<a href='http://xn--/'>idna</a><a href='http://\u200d.test/'>joiner</a><a href='http://0x7f.1/'>number</a><a href='http://1.2.3/'>three</a>"
    f"<a href='http://{'l' * 300}.test/'>label</a><a href='http://{'a.' * 200}test/'>labels</a><a href='file:///etc/passwd'>file</a>"
    "<a href='/\r\nHost: evil'>line</a><a href='/&#13;&#10;X: y'>header</a><a href='/?q=\udcff'>lone</a><a href='gopher://x/'>gopher</a>"
    "<a href='http://good.hostile.test\\@evil.test/'>at</a><a href='/a?b=%ED%A0%80'>escaped</a><a href='   /blank   '>blank</a>"
).encode("utf-8", "surrogatepass")
ESCAPES = "\x1b]0;owned\x07\x1b[2J\x1b[31mred\x9b2J\u202e"
ESCAPED_PAGE = (
    f"<title>{ESCAPES}</title><h1>{ESCAPES}</h1><a href=/x>{ESCAPES}</a>"
    f"<form action='/find?{ESCAPES}' name='{ESCAPES}'><label>{ESCAPES}<input name='q{ESCAPES}' placeholder='{ESCAPES}'></label>"
    f"<select name=s><option>{ESCAPES}<option>b</select><input type=submit value='Search {ESCAPES}'></form>"
)

SITES: dict[str, Answer] = {
    # what is not HTTP
    "garbage": b"\x00\xff\xfe garbage \x80\r\n\r\nmore garbage",
    "ssh": b"SSH-2.0-OpenSSH_9.2\r\n",
    "http09": b"<html><body>no header at all</body></html>",
    "hang-up": hang_up,
    "status-word": b"HTTP/1.1 fine\r\nContent-Length: 0\r\n\r\n",
    "status-000": b"HTTP/1.1 000 Nothing\r\nContent-Type: text/html\r\nContent-Length: 8\r\n\r\n<p>hello",
    "status-999": answer("<p>no", status="999 Denied"),
    "status-304": answer(b"", status="304 Not Modified"),
    "status-204": b"HTTP/1.1 204 No Content\r\n\r\n",
    "switching": b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\n\r\n\x00\x01\x02",
    "header-nul": b"HTTP/1.1 200 OK\r\nX: a\x00b\r\nContent-Length: 0\r\n\r\n",
    "header-cut": b"HTTP/1.1 200 OK\r\nContent-Type: text/ht",
    "header-lines": b"HTTP/1.1 200 OK\nno colon\n folded\nX\xff: \xfe\nContent-Type: text/html\n\n<p>hello",
    # without end
    "silent": say_nothing,
    "drip-body": dripping(unbounded()),
    "drip-head": dripping(b"HTTP/1.1 200 OK\r\nX: "),
    "endless-body": endless(unbounded(b"<p>hello "), b"word "),
    "endless-chunks": endless(unbounded(b"", "Transfer-Encoding: chunked"), b"5\r\nword \r\n"),
    "endless-headers": endless(b"HTTP/1.1 200 OK\r\n", b"X-More: and more\r\n"),
    "endless-header": endless(b"HTTP/1.1 200 OK\r\nX: ", b"and more "),
    "endless-status": endless(b"HTTP/1.1 200 ", b"fine "),
    "endless-interim": endless(b"", b"HTTP/1.1 100 Continue\r\n\r\n"),
    "endless-trailers": endless(
        unbounded(b"8\r\n<p>hello\r\n0\r\n", "Transfer-Encoding: chunked"), b"X-More: and more\r\n"
    ),
    "cookies": answer("<p>hello", *(f"Set-Cookie: c{number}={'v' * 50}" for number in range(300))),
    "cookie-flood": answer("<p>hello", *(f"Set-Cookie: c{number}={'v' * 200}" for number in range(5000))),
    "cookies-first": answer(b"", *["Set-Cookie: c=v"] * 300, "Location: javascript:alert(1)", status="302 Found"),
    "interim": b"HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n" * 100 + answer(),
    # lengths and chunks
    "length-short": unbounded(b"<p>hello", "Content-Length: 500"),
    "length-long": unbounded(b"<p>hello and much more than was said", "Content-Length: 8"),
    "length-negative": unbounded(b"<p>hello", "Content-Length: -1"),
    "length-word": unbounded(b"<p>hello", "Content-Length: many"),
    "length-huge": unbounded(b"<p>hello", "Content-Length: 99999999999999999999999999"),
    "length-two": unbounded(b"<p>hello", "Content-Length: 8", "Content-Length: 3"),
    "smuggled": smuggle,
    "chunk-word": unbounded(b"zz\r\n<p>hello\r\n0\r\n\r\n", "Transfer-Encoding: chunked"),
    "chunk-huge": unbounded(b"fffffffffffffffffffff\r\n<p>hello", "Transfer-Encoding: chunked"),
    "chunk-cut": unbounded(b"8\r\n<p>hello\r\nff\r\nand", "Transfer-Encoding: chunked"),
    "chunk-second": unbounded(b"8\r\n<p>hello\r\nzz\r\n", "Transfer-Encoding: chunked"),
    "transfer-unknown": unbounded(b"<p>hello", "Transfer-Encoding: rot13"),
    "reset-body": reset_after(unbounded(b"<p>hello", "Content-Length: 500")),
    "reset-head": reset_after(b"HTTP/1.1 200 OK\r\nContent-"),
    # encodings
    "encoding-unknown": answer("<p>hello", "Content-Encoding: rot13"),
    "encoding-false": answer("<p>hello", "Content-Encoding: gzip"),
    "encoding-tower": answer("<p>hello", f"Content-Encoding: {', '.join(['gzip'] * 50)}"),
    "gzip-torn": answer(gzip.compress(noise(50_000).hex().encode())[:30_000], "Content-Encoding: gzip"),
    "zstd-window": lambda asked: answer(zstd_window(), "Content-Encoding: zstd"),
    "charset-unknown": answer("<p>hello", type="text/html; charset=klingon"),
    "charset-codec": answer("<p>hello", type="text/html; charset=zlib"),
    "charset-wrong": answer(b"<p>caf\xe9 \xff\xfe\xc3", type="text/html; charset=utf-8"),
    "charset-odd": answer(b"\xff\xfe<\x00p\x00\x00\xd8>", type="text/html; charset=utf-16"),
    "charset-lone": answer(f"<p>{GOOD_FORM}".encode("utf-16le") + b"\x00\xd8a\x00", type="text/html; charset=utf-16le"),
    # what is no page
    "binary": answer(noise(300_000)),
    "picture": answer(b"\xff\xd8\xff\xe0" + noise(50_000)),
    "nuls": answer(bytes(MB)),
    "document": answer(b"%PDF-1.7", type="application/pdf"),
    "typeless": b"HTTP/1.1 200 OK\r\nContent-Length: 8\r\n\r\n<p>hello",
    "type-strange": answer("<p>hello", type="\xff; ;;=/\x01"),
    "empty": answer(b""),
    # redirects
    "redirect-self": moved("/"),
    "redirect-two": redirect_in_two,
    "redirect-onward": redirect_onward,
    "redirect-session": redirect_with_session,
    "redirect-script": moved("javascript:alert(1)"),
    "redirect-bracket": moved("http://["),
    "redirect-nowhere": answer(b"", status="302 Found"),
    "redirect-long": moved("/" + "x" * 10_000),
    "redirect-escape": moved(f"javascript:{chr(27)}[2J"),
    "redirect-endless-body": endless(b"HTTP/1.1 302 Found\r\nLocation: /\r\n\r\n", b"word "),
    # busy
    "busy-long": answer("<p>wait", "Retry-After: 100000", status="429 Too Many Requests"),
    "busy-longest": answer("<p>wait", "Retry-After: 999999999999999", status="429 Too Many Requests"),
    "busy-plain": answer("<p>wait", status="503 Service Unavailable"),
    "busy-garbage": answer("<p>wait", "Retry-After: -1 \xff", status="503 Service Unavailable"),
    "busy-date": answer("<p>wait", "Retry-After: Fri, 31 Dec 9999 23:59:59 GMT", status="429 Too Many Requests"),
    # pages that lead nowhere
    "odd-addresses": lambda asked: answer(ODD_ADDRESSES if asked.path == "/" else "<p>hello"),
    "escapes": answer(ESCAPED_PAGE),
    "type-escape": answer(b"x", type=f"application/pdf{chr(27)}[2J"),
    "refresh-self": answer("<meta http-equiv=refresh content='0; url=/'><p>wait"),
    "refresh-onward": refresh_onward,
    "base-script": answer("<base href='javascript:alert(1)'><a href=x>x</a><form action=y><input name=q></form>"),
    "base-data": answer("<base href='data:text/html,x'><a href=x>x</a>"),
    "form-script": answer(
        "<form action='javascript:alert(1)'><input name=title><input type=submit value=Search></form>"
    ),
    "frames": frames_in_circles,
    "deep-path": deep_path,
}
HEAVY: dict[str, Answer] = {
    "gzip-bomb": lambda asked: answer(bomb(31), "Content-Encoding: gzip"),
    "gzip-members": lambda asked: answer(gzip_members(), "Content-Encoding: gzip"),
    "gzip-twice": lambda asked: answer(gzip_of_gzip(), "Content-Encoding: gzip, gzip"),
    "deflate-bomb": lambda asked: answer(bomb(15), "Content-Encoding: deflate"),
    "brotli-bomb": lambda asked: answer(brotli_bomb(), "Content-Encoding: br"),
    "zstd-bomb": lambda asked: answer(zstd_bomb(), "Content-Encoding: zstd"),
    "deep-tags": lambda asked: answer(b"<div>" * 2_000_000),
    "deep-inline": lambda asked: answer(b"<b><i><a href=x>" * 500_000),
    "links": wide(100_000, "<a href=/page/#>page #</a> "),
    "links-away": wide(100_000, "<a href=http://h#.elsewhere.test/>page #</a> "),
    "forms": wide(300, f"<form action=/find#>{GOOD_FORM[19:]}"),
    "options": wide(1, "<form action=/find><select name=a>" + "<option>choice #" * 5_000 + "</select><input name=q></form>"),
    "fields": wide(20_000, "<form action=/find><input name=field#>"),
    "attributes": lambda asked: answer(b"<p " + b" ".join(b"a%d=1" % number for number in range(200_000)) + b">"),
    "long-addresses": long_addresses,
    "farm-path": farm_by_path,
    "farm-parameter": farm_by_parameter,
    "farm-hosts": farm_of_hosts,
}  # fmt: skip
ROBOTS: dict[str, Answer] = {
    "robots-garbage": b"\x00\xff garbage \r\n\r\n",
    "robots-hang-up": hang_up,
    "robots-silent": say_nothing,
    "robots-500": answer("<p>broken", status="500 Internal Server Error"),
    "robots-busy": answer("<p>wait", "Retry-After: 100000", status="503 Service Unavailable"),
    "robots-loop": moved("/robots.txt"),
    "robots-onward": lambda asked: moved(f"/robots.txt?turn={asked.before}"),
    "robots-endless": endless(unbounded(b"User-agent: *\n", type="text/plain"), b"Disallow: /x\n"),
    "robots-headers": endless(b"HTTP/1.1 200 OK\r\n", b"X-More: and more\r\n"),
    "robots-binary": answer(noise(200_000), type="text/plain"),
    "robots-page": answer("<html><p>Disallow: nothing</html>"),
    "robots-encoding": answer("Disallow: /", "Content-Encoding: gzip"),
    "robots-delay": answer("User-agent: *\nCrawl-delay: 1e12\n", type="text/plain"),
    "robots-delay-nan": answer("User-agent: *\nCrawl-delay: nan\nDisallow: /x", type="text/plain"),
    "robots-delay-minus": answer("User-agent: *\nCrawl-delay: -5\nRequest-rate: 1/0s\n", type="text/plain"),
    "robots-forbids": answer("User-agent: *\nDisallow: /\n", type="text/plain"),
}
HEAVY_ROBOTS: dict[str, Answer] = {
    "robots-bomb": lambda asked: answer(bomb(31), "Content-Encoding: gzip", type="text/plain"),
    "robots-huge": lambda asked: answer("User-agent: *\n" + "Disallow: /x*y$\n" * 300_000, type="text/plain"),
    "robots-distinct": lambda asked: answer(
        "User-agent: *\n" + "".join(f"Disallow: /x{number}*y$\n" for number in range(40_000)), type="text/plain"
    ),
    "robots-stars": answer("User-agent: *\nDisallow: /" + "*a" * 60 + "*b\n", type="text/plain"),
    "robots-agents": lambda asked: answer(
        "".join(f"User-agent: bot{number}\nDisallow: /\n" for number in range(40_000)), type="text/plain"
    ),
}


class HostileServer:
    """Answers each virtual host in its own way, in a thread of its own."""

    def __init__(self) -> None:
        self.port = 0
        self.asked: dict[str, int] = {}  # requests by host
        self._released = asyncio.Event()  # the host "held" answers once it is set
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._serve, daemon=True)
        self._ready = threading.Event()

    def start(self) -> None:
        """Listen."""
        self._thread.start()
        assert self._ready.wait(120)

    def release(self) -> None:
        """Let the host `held` answer, a good site that made everybody wait until now."""
        self._loop.call_soon_threadsafe(self._released.set)

    def stop(self) -> None:
        """Listen no more."""
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(120)

    def _serve(self) -> None:
        asyncio.set_event_loop(self._loop)
        listener = self._loop.run_until_complete(asyncio.start_server(self._talk, "127.0.0.1", 0, backlog=512))
        self.port = listener.sockets[0].getsockname()[1]
        self._ready.set()
        self._loop.run_forever()
        listener.close()
        for task in asyncio.all_tasks(self._loop):
            task.cancel()
        self._loop.run_until_complete(asyncio.sleep(0))

    async def _talk(self, reader: asyncio.StreamReader, writer: Writer) -> None:
        with suppress(ConnectionError, asyncio.IncompleteReadError, asyncio.LimitOverrunError, asyncio.CancelledError):
            first = await reader.readexactly(1)
            if first == b"\x16":  # a TLS greeting, which this server takes for a bad request
                writer.write(answer("<p>what?", status="400 Bad Request"))
            else:
                asked = self._read(first + await reader.readuntil(b"\r\n\r\n"))
                if asked.name == "held":
                    await self._released.wait()
                await _send(_answer_of(asked), asked, writer)
        with suppress(ConnectionError):
            writer.close()

    def _read(self, head: bytes) -> Asked:
        first, *lines = head.decode("latin-1").split("\r\n")
        host = next((line[5:].strip() for line in lines if line.lower().startswith("host:")), "")
        name = host.partition(":")[0].removesuffix(f".{DOMAIN}").rpartition(".")[2]  # many hosts may be of one sort
        before = self.asked.get(name, 0)
        self.asked[name] = before + 1
        return Asked(name, first.split(" ")[1], before)


def _answer_of(asked: Asked) -> Answer:
    robots = ROBOTS | HEAVY_ROBOTS
    if asked.path.startswith("/robots.txt"):
        return robots.get(asked.name, MISSING)
    if asked.name in robots:
        return busy_robots if asked.name == "robots-stars" else answer_well
    if asked.name.startswith("hop-"):
        return redirect_to_next_host if not asked.name.endswith("-4") else answer_well
    if asked.name.startswith("bulk-"):
        return answer(noise(1_500_000))
    if asked.name.startswith("endless-hop-"):
        return redirect_to_next_host
    return SITES.get(asked.name) or HEAVY.get(asked.name) or answer_well


async def _send(what: Answer, asked: Asked, writer: Writer) -> None:
    if asyncio.iscoroutinefunction(what):
        await what(asked, writer)
        return
    made = what(asked) if callable(what) else what
    assert isinstance(made, bytes)
    writer.write(made)
    await writer.drain()


@contextmanager
def serving() -> Iterator[HostileServer]:
    """Serve for as long as the block lasts."""
    server = HostileServer()
    server.start()
    try:
        yield server
    finally:
        server.stop()


@contextmanager
def serving_elsewhere() -> Iterator[int]:
    """Serve from a process of its own, that what is heavy for this one keeps nobody waiting there; gives the port."""
    command = [sys.executable, "-m", "tests.hostile_servers"]
    with subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as server:
        assert server.stdout
        yield int(server.stdout.readline())
        server.communicate()  # it ends with its standard input


if __name__ == "__main__":
    with serving() as served:
        print(served.port, flush=True)
        sys.stdin.read()
