"""What a search writes down for its next round comes back as it was."""

from __future__ import annotations

import json
import zlib
from dataclasses import replace

from dowse.crawl import resume as memory
from dowse.crawl.resume import SearchMemory, read_memory, write_memory
from dowse.frontier.traps import PageGain, Sameness, Traps
from dowse.model import Link, LinkChoice, Page
from dowse.reasons import StopReason

SITE = "http://e.com"


def filled() -> SearchMemory:
    traps, same = Traps(), Sameness()
    for number in range(20):
        url = f"{SITE}/list?page={number}&sort=a"
        traps.judge(url, set())
        traps.judge(f"{SITE}/wear/red/wool/{number}", {url})
        traps.judge(f"{SITE}/wear/wool/red/{number}", {url})
        traps.note(url, Page(url, text=f"words and more words \ud800 {number}"), PageGain(own=1))
        same.learn(f"{SITE}/x?session={number}", 7)
        same.learn(f"{SITE}/y?a=1&b={number}", number)
    return SearchMemory(["a", "b"], [1, 2], ["s"], 3, 1, 2, 4, True, traps, same)


def test_it_comes_back_as_it_was() -> None:
    before = filled()
    after = read_memory(write_memory(before))
    assert after == before
    assert after.traps.judge_again(f"{SITE}/list?page=99&sort=b")
    assert after.sameness.key(f"{SITE}/x?session=5") == f"{SITE}/x"


def test_what_an_older_version_wrote_is_read() -> None:
    plain = json.loads(zlib.decompress(write_memory(filled())))
    for ledger in plain["traps"]["_ledgers"].values():
        ledger[1] = f"trap: {ledger[1]}" if ledger[1] else ""
    assert read_memory(zlib.compress(json.dumps(plain).encode())) == filled()


def test_what_an_interrupted_search_needs_comes_back() -> None:
    link = Link(f"{SITE}/a", "half a letter \ud800", "near", "nofollow", "html/body/a", 3, 2)
    before = replace(
        filled(), unchosen=[link], drawn=[LinkChoice(link, 0.5, "kind", "why")], guide={"arms": {"in a": [1, 0.5]}},
        audit={"expected": {link.url: 0.1}, "chances": {}, "pages": 1, "forms": 0}, closing=True,
        ended_by=StopReason.LOW_YIELD, why_left="numbers", guided_by="LearnedGuide",
    )  # fmt: skip
    assert read_memory(write_memory(before)) == before


def test_nothing_comes_back_as_nothing() -> None:
    assert read_memory(b"") == SearchMemory()


def test_a_large_one_leaves_out_words(monkeypatch) -> None:  # type: ignore[no-untyped-def]
    before = filled()
    whole = len(write_memory(before))
    monkeypatch.setattr(memory, "MAX_MEMORY_BYTES", 10)
    packed = write_memory(before)
    assert len(packed) < whole
    after = read_memory(packed)
    assert not any(ledger.words for ledger in after.traps.ledgers.values())
    assert after.traps.judge_again(f"{SITE}/list?page=99&sort=b")
