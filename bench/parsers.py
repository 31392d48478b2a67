"""Parsers of HTML under tag soups: how many pages end the process, or take too long."""

from __future__ import annotations

import argparse
import json
import multiprocessing
import os
import signal
import time
from collections.abc import Callable
from itertools import islice
from multiprocessing.sharedctypes import Synchronized
from pathlib import Path
from typing import Any

from bench.soup import make_soup

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
    while child.is_alive():
        child.join(0.2)
        if at.value != seen:
            seen, since = at.value, time.monotonic()
        elif child.is_alive() and _cpu_seconds(child.pid, since) > LIMIT_SECONDS:
            child.kill()
            child.join()
            return ("hangs", at.value), at.value
    if child.exitcode:
        return ("crashes", [at.value, signal.Signals(-child.exitcode).name if child.exitcode < 0 else child.exitcode]), at.value  # fmt: skip
    said = mine.recv()
    told["errors"] += said["errors"]
    told["cpu"] += said["cpu"]
    if said["slowest_ms"] > told["slowest_ms"]:
        told["slowest_ms"], told["slowest_seed"] = said["slowest_ms"], said["slowest_seed"]
    return None, stop


def _cpu_seconds(pid: int | None, since: float) -> float:
    """Return for how long a child has been at its page; on a busy machine only half of the wall time counts."""
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
