"""The links that wait: by kind, by worth, by age, and chosen again."""

from __future__ import annotations

import random

from dowse.crawl.queue import Queue
from dowse.model import Choice, Link


def choice(name: str, worth: float = 0.0, kind: str = "") -> Choice:
    return Choice(Link(f"http://e.com/{name}"), worth, kind)


def names(choices: object) -> str:
    return "".join(each.link.url[-1] for each in choices)  # type: ignore[attr-defined]


def test_the_best_comes_first_and_the_oldest_of_equals() -> None:
    queue = Queue()
    for each in (choice("a"), choice("b", 2.0), choice("c"), choice("d", 2.0)):
        queue.push(each)
    assert names(queue.rest()) == "abcd"
    assert names(queue.pop("") for _ in range(4)) == "bdac"
    assert not queue.heads


def test_kinds_wait_apart() -> None:
    queue = Queue()
    for each in (choice("a", 1.0, "x"), choice("b", 5.0, "y"), choice("c", 3.0, "x")):
        queue.push(each)
    assert {kind: head.link.url[-1] for kind, head in queue.heads.items()} == {"x": "c", "y": "b"}
    assert queue.pop("x").link.url[-1] == "c"
    assert queue.pop("y").link.url[-1] == "b"
    assert set(queue.heads) == {"x"}


def test_a_link_that_is_chosen_again_waits_once_as_it_was_chosen_last() -> None:
    queue = Queue()
    for each in (choice("a", 1.0, "x"), choice("b", 0.5, "x"), choice("a", 0.1, "y")):
        queue.push(each)
    assert {kind: head.link.url[-1] for kind, head in queue.heads.items()} == {"x": "b", "y": "a"}
    assert names(queue.rest()) == "ba"
    assert queue.pop("y").worth == 0.1
    assert "http://e.com/a" not in queue
    assert queue.pop("x").link.url[-1] == "b"
    assert not queue.heads


def test_what_was_taken_can_be_put_back_before_its_equals() -> None:
    queue = Queue()
    queue.push(choice("a"))
    queue.push(choice("b"))
    queue.put_back(queue.pop(""))
    assert names(queue.rest()) == "ab"


def test_against_a_plain_list() -> None:
    dice = random.Random(7)
    queue, plain = Queue(), {}
    for step in range(2_000):
        if plain and dice.random() < 0.4:
            kind = dice.choice(sorted({each.kind for each, _ in plain.values()}))
            expected = min(
                (pair for pair in plain.values() if pair[0].kind == kind), key=lambda pair: (-pair[0].worth, pair[1])
            )[0]
            assert queue.heads[kind] == expected
            assert queue.pop(kind) == expected
            del plain[expected.link.url]
        else:
            each = choice(str(dice.randrange(60)), dice.randrange(5), dice.choice("xyz"))
            queue.push(each)
            plain[each.link.url] = (each, step)
        assert set(queue.heads) == {each.kind for each, _ in plain.values()}
