"""Parsers of HTML: how many of a million tag soups end the process, what they take for real pages and at worst.

`python -m bench.parsers NAME PAGES FILE` reads soups by one parser, in child processes: a crash or a hang is counted, with
the seed of its page. What was read is kept in `.bench`, so that a million pages are read once.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import multiprocessing
import os
import resource
import signal
import time
from collections.abc import Callable
from itertools import islice
from multiprocessing.sharedctypes import Synchronized
from pathlib import Path
from typing import Any

from bench.options import Options
from bench.places import SCRATCH
from bench.report import markdown_table
from bench.soup import MAX_SIZE, make_soup
from bench.timing import resident_mb
from dowse.train.forms import find_data

TITLE = "Parsers of HTML"
LIMIT_SECONDS = 10.0  # for one page; longer counts as a hang
FEW_NODES = 300  # of a page on which every node is written out: on larger ones that is quadratic
SOME_NODES = 100  # that are written out on larger ones
TAGS = ("a", "form", "input", "label", "table", "tr", "td", "script", "template", "svg", "frame")


def touch_turbohtml(body: bytes) -> None:
    """Read a page by every access that Dowse makes."""
    import turbohtml

    tree = turbohtml.parse(body, encoding="utf-8")
    root = tree.root
    list(tree.stripped_strings)
    for tag in TAGS:
        list(tree.find_all(tag))
    list(tree.iter_elements(TAGS))
    tree.select("[id]")
    if root is None:
        return
    nodes = list(root.descendants)
    for node in nodes:
        _ = node.parent, node.next_sibling, node.previous_sibling
        if isinstance(node, turbohtml.Text):
            _ = node.text
        elif hasattr(node, "tag"):
            _ = node.tag, dict(node.attrs), node.position, len(node.children)
    for node in nodes if len(nodes) <= FEW_NODES else nodes[:: len(nodes) // SOME_NODES]:
        if hasattr(node, "tag"):
            _ = node.text, node.html, node.xpath_path()
    tree.remove("template, script, style")
    list(tree.stripped_strings)


def touch_selectolax(body: bytes) -> None:
    """Read a page by every access that Dowse could make."""
    from selectolax.lexbor import LexborHTMLParser

    tree = LexborHTMLParser(body.decode("utf-8", "replace"))
    root = tree.root
    for tag in TAGS:
        tree.css(tag)
    tree.css("[id]")
    if root is None:
        return
    nodes = list(root.traverse(include_text=True))
    for node in nodes:
        _ = node.parent, node.next, node.prev, node.first_child, node.last_child, node.mem_id
        if node.is_text_node:
            _ = node.text_content
        elif node.is_element_node:
            _ = node.tag, node.attributes
            list(islice(node.iter(include_text=True), 50))
    for node in nodes if len(nodes) <= FEW_NODES else nodes[:: len(nodes) // SOME_NODES]:
        _ = node.text(deep=True), node.html


def touch_resiliparse(body: bytes) -> None:
    """Read a page by every access that Dowse could make."""
    from resiliparse.parse.html import ELEMENT, TEXT, HTMLTree

    tree = HTMLTree.parse(body.decode("utf-8", "replace"))
    root = tree.document
    for tag in TAGS:
        list(root.get_elements_by_tag_name(tag))
    root.query_selector_all("[id]")
    nodes = list(root)
    for node in nodes:
        _ = node.parent, node.next, node.prev, node.first_child, node.last_child
        if node.type == TEXT:
            _ = node.text
        elif node.type == ELEMENT:
            _ = node.tag, [(name, node.getattr(name)) for name in node.attrs], len(node.child_nodes)
    for node in nodes if len(nodes) <= FEW_NODES else nodes[:: len(nodes) // SOME_NODES]:
        _ = node.text, node.html


PARSERS: dict[str, Callable[[bytes], Any]] = {
    "turbohtml": touch_turbohtml,
    "selectolax": touch_selectolax,
    "resiliparse": touch_resiliparse,
}


def fuzz(name: str, first: int, count: int, kept: Path, most_failures: int = 1_000_000) -> dict[str, Any]:
    """Read the pages of some seeds in child processes; a child that ends or hangs is replaced, and its seed noted."""
    told: dict[str, Any] = {"parser": name, "first": first, "pages": 0, "crashes": [], "hangs": [], "errors": []}
    told |= {"slowest_ms": 0.0, "slowest_seed": 0, "cpu": 0.0}
    seed, stop = first, first + count
    while seed < stop and len(told["crashes"]) < most_failures:
        ended, seed = _run_child(name, seed, min(stop, seed + 20_000), told)
        if ended is not None:
            told[ended[0]].append(ended[1])
            seed += 1
        told["pages"] = seed - first
        kept.write_text(json.dumps(told))
    return told


def _run_child(name: str, first: int, stop: int, told: dict[str, Any]) -> tuple[tuple[str, object] | None, int]:
    """Read a batch in a child; return what ended it early, if anything, and the seed it came to."""
    context = multiprocessing.get_context("fork")
    at = context.Value("q", first, lock=False)
    mine, theirs = context.Pipe(duplex=False)
    child = context.Process(target=_read_batch, args=(name, first, stop, at, theirs))
    child.start()
    theirs.close()
    seen, since = first, time.monotonic()
    said: dict[str, Any] | None = None
    while child.is_alive():
        if mine.poll(0.2):
            said = _receive(mine)
            break
        if at.value != seen:
            seen, since = at.value, time.monotonic()
        elif child.is_alive() and _busy_seconds(since) > LIMIT_SECONDS:
            child.kill()
            child.join()
            return ("hangs", at.value), at.value
    child.join()
    said = said or _receive(mine)
    if said is None:
        code = child.exitcode or 0
        return ("crashes", [at.value, signal.Signals(-code).name if code < 0 else code]), at.value
    told["errors"] += said["errors"]
    told["cpu"] += said["cpu"]
    if said["slowest_ms"] > told["slowest_ms"]:
        told["slowest_ms"], told["slowest_seed"] = said["slowest_ms"], said["slowest_seed"]
    return None, stop


def _receive(pipe: Any) -> dict[str, Any] | None:
    """Return what a child has said, or None if it ended before."""
    try:
        return dict(pipe.recv()) if pipe.poll() else None
    except EOFError:
        return None


def _busy_seconds(since: float) -> float:
    """Return for how long a child has been at its page; on a busy machine only a part of the time was its own."""
    return (time.monotonic() - since) / (1 if os.getloadavg()[0] < 2 else 4)


def _read_batch(name: str, first: int, stop: int, at: Synchronized[int], out: Any) -> None:
    touch = PARSERS[name]
    said: dict[str, Any] = {"errors": [], "slowest_ms": 0.0, "slowest_seed": 0}
    for seed in range(first, stop):
        at.value = seed
        body = make_soup(seed)
        start = time.process_time()
        try:
            touch(body)
        except Exception as error:
            said["errors"].append([seed, f"{type(error).__name__}: {error}"[:200]])
        spent = (time.process_time() - start) * 1000
        if spent > said["slowest_ms"]:
            said["slowest_ms"], said["slowest_seed"] = spent, seed
    said["cpu"] = time.process_time()
    out.send(said)


def measure_speed(name: str, pages: list[bytes]) -> dict[str, float]:
    """Time real pages in a process of their own: to parse, and with every access that Dowse makes."""
    context = multiprocessing.get_context("fork")
    with context.Pool(1) as pool:
        return pool.apply(_time_pages, (name, pages))


def _time_pages(name: str, pages: list[bytes]) -> dict[str, float]:
    parse = PARSES[name]
    before = resident_mb()
    held = [parse(page) for page in pages]
    size = sum(map(len, pages)) / 2**20
    times = {"mb_for_mb": (resident_mb() - before) / size}
    del held
    for what, read in (("parse_ms", parse), ("touch_ms", PARSERS[name])):
        best = float("inf")
        for _ in range(3):
            begun = time.process_time()
            for page in pages:
                read(page)
            best = min(best, time.process_time() - begun)
        times[what] = 1000 * best / len(pages)
    return times


def _parse_turbohtml(body: bytes) -> object:
    import turbohtml

    return turbohtml.parse(body, encoding="utf-8")


def _parse_selectolax(body: bytes) -> object:
    from selectolax.lexbor import LexborHTMLParser

    return LexborHTMLParser(body.decode("utf-8", "replace"))


def _parse_resiliparse(body: bytes) -> object:
    from resiliparse.parse.html import HTMLTree

    return HTMLTree.parse(body.decode("utf-8", "replace"))


def _parse_dowse(body: bytes) -> object:
    from dowse.page.parser import parse

    return parse(body.decode("utf-8", "replace"))


def touch_dowse(body: bytes) -> None:
    """Read a page and its tree as Dowse does."""
    from dowse.model import Response
    from dowse.page.document import Document, read_page

    response = Response("http://page.test/", 200, (("content-type", "text/html; charset=utf-8"),), body)
    read_page(response)
    _ = Document(response).nodes


PARSES: dict[str, Callable[[bytes], object]] = {
    "turbohtml": _parse_turbohtml,
    "selectolax": _parse_selectolax,
    "resiliparse": _parse_resiliparse,
    "dowse": _parse_dowse,
}
PARSERS["dowse"] = touch_dowse
WANTED_PAGES = {"short": 20_000, "full": 1_000_000}


def make_bombs() -> dict[str, bytes]:
    """Return the largest bodies that are read, made to take long."""

    def fill(piece: str) -> bytes:
        return (piece * (MAX_SIZE // len(piece))).encode()

    return {
        "deep divs": fill("<div>"),
        "deep lists": fill("<ul><li>"),
        "links around blocks": fill("<a><div></a>"),
        "tables in tables": fill("<table><tr><td>"),
        "distinct formatting": "".join(f"<font a={number}>" for number in range(130_000)).encode(),
        "formatting over paragraphs": "".join(f"<p><b id={number}></p>" for number in range(100_000)).encode(),
        "200,000 attributes": ("<a " + " ".join(f"a{number}=1" for number in range(200_000)) + ">").encode(),
        "attributes of many bodies": "".join(f"<body a{number}=1>" for number in range(110_000)).encode(),
        "rows": fill("<tr><td>x"),
    }


def time_bombs(name: str) -> dict[str, float | None]:
    """Return the seconds that each bomb takes to parse, or None for more than the limit, or for all memory."""
    return {bomb: _time_bomb(name, body) for bomb, body in make_bombs().items()}


def _time_bomb(name: str, body: bytes) -> float | None:
    mine, theirs = multiprocessing.get_context("fork").Pipe(duplex=False)
    child = os.fork()
    if not child:
        resource.setrlimit(resource.RLIMIT_CPU, (int(LIMIT_SECONDS), int(LIMIT_SECONDS)))
        resource.setrlimit(resource.RLIMIT_AS, (4 << 30, 4 << 30))
        begun = time.process_time()
        try:
            PARSES[name](body)
            theirs.send(time.process_time() - begun)
        except Exception:  # the parsers raise what they like when memory ends
            os._exit(1)
        os._exit(0)
    status = os.waitpid(child, 0)[1]
    return None if status else float(mine.recv())


def run(options: Options) -> dict[str, object]:
    """Read soups, real pages and bombs by every parser that is installed."""
    pages = [path.read_bytes() for path in sorted((find_data() / "html").glob("*.html"))]
    wanted = WANTED_PAGES[options.extent]
    runs: dict[str, dict[str, Any]] = {}
    for name in PARSERS:
        if name != "dowse" and importlib.util.find_spec(name) is None:
            options.say(f"  {name} is not installed")
            continue
        runs[name] = {"soups": _fuzz_once(name, wanted), "bombs": time_bombs(name)} | measure_speed(name, pages)
        options.say(f"  {name}: {len(runs[name]['soups']['crashes'])} crashes")
    medians = {name: {"crashes": len(one["soups"]["crashes"]), "worst": _worst(one)} for name, one in runs.items()}
    return {"seeds": {"soups": 0}, "settings": {"pages": wanted}, "runs": runs, "medians": medians}


def _fuzz_once(name: str, wanted: int) -> dict[str, Any]:
    """Return what a parser did with so many soups, from an earlier run where that read as many."""
    kept = SCRATCH / f"soups-{name}.json"
    if kept.exists() and json.loads(kept.read_text())["pages"] >= wanted:
        return dict(json.loads(kept.read_text()))
    SCRATCH.mkdir(exist_ok=True)
    return fuzz(name, 0, wanted, kept)


def _worst(one: dict[str, Any]) -> float | None:
    times = one["bombs"].values()
    return None if None in times else max(times)


def table(result: dict[str, object]) -> str:
    """One parser per line."""
    runs: dict[str, dict[str, Any]] = result["runs"]  # type: ignore[assignment]
    rows = []
    for name, one in runs.items():
        soups, worst = one["soups"], _worst(one)
        stuck = sum(each is None for each in one["bombs"].values())
        rows.append(
            [
                name,
                f"{soups['pages']:,}",
                f"{len(soups['crashes']):,}",
                f"{len(soups['hangs']):,}",
                f"{one['parse_ms']:.2f}",
                f"{one['touch_ms']:.2f}",
                f"{one['mb_for_mb']:.1f}",
                f"{worst:.2f}" if worst is not None else f"{stuck} of {len(one['bombs'])} never",
            ]
        )
    heads = [
        "parser",
        "soups",
        "crashes",
        "hangs",
        "ms to parse",
        "ms with every access",
        "MB for 1 MB",
        "worst bomb, s",
    ]
    return markdown_table(heads, rows, numbers=7)


def notes(result: dict[str, object]) -> str:
    """What a reader must know beside the table."""
    return (
        "Soups: `bench/soup.py`, seeds from 0, 100 bytes to 2 MiB, read in child processes with every access that Dowse makes or could make; "
        f"a hang is a page that takes longer than {LIMIT_SECONDS:.0f} s. `dowse` is selectolax behind the bounds of `dowse/page/parser.py`, with "
        "`Document.page` and `Document.nodes` as its accesses. Milliseconds are of CPU for a page of the package `formasaurus`. Bombs are bodies of 2 MiB; "
        "never: more than the time limit, or 4 GB."
    )


def main() -> None:
    """Fuzz one parser: `python -m bench.parsers NAME PAGES FILE`."""
    options = argparse.ArgumentParser()
    options.add_argument("name", choices=PARSERS)
    options.add_argument("pages", type=int)
    options.add_argument("file", type=Path)
    options.add_argument("--first", type=int, default=0)
    options.add_argument("--most-failures", type=int, default=1_000_000)
    given = options.parse_args()
    print(json.dumps(fuzz(given.name, given.first, given.pages, given.file, given.most_failures)))


if __name__ == "__main__":
    main()
