"""Links that wait, and those that wait no longer."""

from __future__ import annotations

from dowse.frontier.queue import LinkQueue
from dowse.model import Link, LinkChoice

ROOT = "http://e.com/"


def choice(name: str, kind: str = "", worth: float = 0.0) -> LinkChoice:
    return LinkChoice(Link(f"{ROOT}{name}", depth=1), worth, kind)


def test_a_link_that_is_removed_waits_no_longer_be_it_the_best_or_not() -> None:
    queue = LinkQueue()
    for each in (choice("a", "x", 2.0), choice("b", "x", 1.0), choice("c", "y")):
        queue.push(each)
    queue.remove(f"{ROOT}a")
    queue.remove(f"{ROOT}c")
    queue.remove(f"{ROOT}never")
    assert {kind: head.link.url for kind, head in queue.heads.items()} == {"x": f"{ROOT}b"}
    assert [each.link.url for each in queue.rest()] == [f"{ROOT}b"]
