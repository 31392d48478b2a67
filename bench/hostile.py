"""How long one hostile page keeps the event loop from all others, as each command reads it, among good sites on loopback."""

from __future__ import annotations

import asyncio
import multiprocessing
import time
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager, suppress
from multiprocessing.connection import Connection
from typing import Any

import dowse
from bench.hostilepages import REPEATED, make_page
from bench.options import Options
from bench.places import SCRATCH, empty_folder
from bench.report import markdown_table
from dowse.errors import BadInput, Stopped
from dowse.example.follow import begin_follow, run_pattern
from dowse.example.learn import learn_like
from dowse.example.map import MapLimits
from dowse.fetch.build import build_fetch
from dowse.form.doors import open_door
from dowse.model import Failure, Request
from dowse.page.document import read_page
from dowse.page.parser import parse
from dowse.settings import ConnectTo, FetchSettings, FindSettings, HarvestSettings
from dowse.step.probe import probe
from dowse.step.visit import inspect
from dowse.store import open_store

TITLE = "How long a hostile page holds the event loop"
TICK = 0.002  # seconds of rest between two beats
GOOD_SITES = 20
DOMAIN = "hostile.test"
REQUESTS = 4  # of one harvest, or links of one walk
# Pages with records, or as many tags and texts as are read: what only some commands do takes longest on these.
THOROUGH = (
    "definition lists", "nested definition lists", "nested tables with words", "wide rows", "large forms", "links with 200 parameters",
    "microdata", "records",
)  # fmt: skip
_GOOD = (
    b"<title>Books</title><p>A catalogue of books.<a href=/about>About</a><form action=/find><label>Title <input name=title></label>"
    b"<label>Author <input name=author></label><input type=submit value='Search books'></form>"
)
_DOOR = b"<title>Books</title><form action=/answer><label>Title <input name=title></label><input type=submit value=Search></form>"
_ENTRY = b"<title>All</title><p>All there is<ul><li><a href=/item/1>One</a><li><a href=/item/2>Two</a><li><a href=/item/3>Three</a></ul>"

Command = Callable[[str, FetchSettings], Awaitable[object]]


# --- the commands, each with one page


async def _find(host: str, settings: FetchSettings) -> None:
    """Search the hostile site and good ones, with groups of links and doors as the strategies want them."""
    sites = [f"http://{host}/", *(f"http://good{number}.{DOMAIN}/" for number in range(GOOD_SITES))]
    for strategy in ("learned", "navmenu:3"):
        database = str(empty_folder(SCRATCH / "runs" / "hostile") / "dowse.db")
        find = FindSettings(strategy=strategy, site_pages=3, discover=False)
        await dowse.find(sites, db=database, settings=find, fetching=settings)


async def _inspect(host: str, settings: FetchSettings) -> None:
    async with build_fetch(settings) as fetches:
        await inspect(f"http://{host}/", fetches.within_site)


async def _probe(host: str, settings: FetchSettings) -> None:
    async with build_fetch(settings) as fetches:
        response = await fetches.within_site(Request(f"http://{host}/door"))
        assert not isinstance(response, Failure)
        page = read_page(response)
        await probe(open_door(page.forms[0], page), fetches.within_site, page)


async def _harvest(host: str, settings: FetchSettings) -> None:
    database = str(empty_folder(SCRATCH / "runs" / "hostile") / "dowse.db")
    with suppress(Stopped):  # most of these pages hold nothing
        await dowse.harvest(
            f"http://{host}/door", db=database, settings=HarvestSettings(rounds=REQUESTS), fetching=settings
        )


async def _follow(host: str, settings: FetchSettings) -> None:
    """Learn a crawler from the page, and run it where there is one."""
    root = f"http://{host}"
    database = str(empty_folder(SCRATCH / "runs" / "hostile") / "dowse.db")
    with suppress(Stopped, BadInput):
        async with build_fetch(settings) as fetches:
            learned = await learn_like([f"{root}/item/1"], f"{root}/list", fetches, MapLimits(pages=4))
            with open_store(database) as store:
                followed = begin_follow(store, learned.pattern, only_new=False)
                async for _ in run_pattern(store, followed, fetches, limit=REQUESTS):
                    pass


COMMANDS: dict[str, Command] = {
    "find": _find,
    "inspect": _inspect,
    "probe": _probe,
    "harvest": _harvest,
    "follow": _follow,
}
QUICK = ("find", "inspect")  # given all pages; the others only some, unless everything is wanted


# --- the server: one host for each page


@contextmanager
def serve_pages() -> Iterator[int]:
    """Serve all pages in a process of its own, whose time is nobody's here; gives the port."""
    ours, theirs = multiprocessing.get_context("spawn").Pipe()
    server = multiprocessing.get_context("spawn").Process(target=_serve, args=(theirs,), daemon=True)
    server.start()
    try:
        yield int(ours.recv())
    finally:
        server.terminate()
        server.join(10)


def _serve(told: Connection) -> None:
    async def serve() -> None:
        server = await asyncio.start_server(_talk, "127.0.0.1", 0, backlog=512)
        told.send(server.sockets[0].getsockname()[1])
        await server.serve_forever()

    asyncio.run(serve())


async def _talk(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    with suppress(ConnectionError, asyncio.IncompleteReadError):
        head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
        path = head.split(" ", 2)[1]
        host = head.lower().partition("host:")[2].split()[0].partition(".")[0]
        body = _answer(host, path)
        status = "404 Not Found" if body is None else "200 OK"
        body = body or b"<p>nothing"
        lines = (f"HTTP/1.1 {status}", "Content-Type: text/html; charset=utf-8", f"Content-Length: {len(body)}", "", "")
        writer.write("\r\n".join(lines).encode() + body)
        await writer.drain()
        writer.close()


def _answer(host: str, path: str) -> bytes | None:
    """Return a page: of a good site, or for every address of a hostile one the same, but for a door and an entry."""
    if path.startswith("/robots.txt"):
        return None
    if host.startswith("good"):
        return _GOOD if path == "/" else b"<p>Words about " + path.encode()
    if path in ("/door", "/list"):
        return _DOOR if path == "/door" else _ENTRY
    own = path.encode()[:40]  # so that no two pages are the same
    return (make_page(list(REPEATED)[int(host[1:])]) + own)[-2 * 1024 * 1024 :] if host[1:].isdigit() else None


# --- the measure


async def _beat(longest: list[float]) -> None:
    """Note the CPU seconds that this process takes from one beat of the event loop to the next, whichever thread takes them."""
    before = time.process_time()
    while True:
        await asyncio.sleep(TICK)
        now = time.process_time()
        longest[0] = max(longest[0], now - before)
        before = now


def measure(command: Command, host: str, settings: FetchSettings) -> dict[str, float]:
    """Return how long a command with a hostile page holds the event loop, and its CPU seconds in all."""

    async def run() -> float:
        longest = [0.0]
        beating = asyncio.create_task(_beat(longest))
        await asyncio.sleep(2 * TICK)
        await command(host, settings)
        beating.cancel()
        return longest[0]

    begun = time.process_time()
    held = asyncio.run(run())
    return {"held": held, "cpu": time.process_time() - begun}


def _time_parser(body: bytes) -> float:
    begun = time.process_time()
    parse(body.decode())
    return time.process_time() - begun


def run(options: Options) -> dict[str, object]:
    """Give each page to each command."""
    chosen = [name for name in REPEATED if not options.parts or name in options.parts]
    runs: dict[str, dict[str, Any]] = {}
    with serve_pages() as port:
        settings = FetchSettings(delay=0, allow_private=True, connect_to=(ConnectTo(f"*.{DOMAIN}", "127.0.0.1", port),))
        for command in COMMANDS.values():  # what is loaded when it is first used is no page's fault
            measure(command, f"p{list(REPEATED).index('one word')}.{DOMAIN}", settings)
        for name in chosen:
            host = f"p{list(REPEATED).index(name)}.{DOMAIN}"
            wanted = COMMANDS if name in THOROUGH or options.extent == "full" else QUICK
            own = {what: measure(COMMANDS[what], host, settings) for what in wanted}
            runs[name] = own | {"parser": _time_parser(make_page(name))}
            options.say(f"  {name}: " + ", ".join(f"{what} {own[what]['held'] * 1000:.0f} ms" for what in own))
    worst = {what: max(each[what]["held"] for each in runs.values() if what in each) for what in COMMANDS}
    return {"seeds": {}, "runs": runs, "medians": {"held": worst, "parser": max(e["parser"] for e in runs.values())}}


def table(result: dict[str, object]) -> str:
    """Each page, with the longest time that each command held the event loop for."""
    runs: dict[str, dict[str, Any]] = result["runs"]  # type: ignore[assignment]
    rows = []
    for name, own in runs.items():
        measured = [own[what] for what in COMMANDS if what in own]
        held = (f"{own[what]['held'] * 1000:.0f}" if what in own else "" for what in COMMANDS)
        rows.append([name, f"{own['parser'] * 1000:.0f}", *held, f"{max(each['cpu'] for each in measured):.1f}"])
    heads = ["page", "parser ms", *(f"{what} ms" for what in COMMANDS), "most CPU s of a command"]
    return markdown_table(heads, rows, numbers=len(heads) - 1)


def notes(result: dict[str, object]) -> str:
    """What a reader must know beside the table."""
    return (
        "Pages of 2 MiB from `bench/hostilepages.py`, each a site of its own on loopback. A command reads the page as it does any other; "
        f"`find` searches {GOOD_SITES} good sites beside it. Held is the CPU time that the process took, in any thread, between two beats of "
        "the event loop: on a quiet machine the time that all other sites wait. The parser is timed alone; it is a part of what is held, "
        "for it keeps the interpreter to itself. The last column is all that the slowest command took for all its requests."
    )
