"""Navigation patterns as files: written, read, refused; and which failures say nothing about them."""

from __future__ import annotations

import json
import pathlib as files
from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from dowse.errors import BadInput
from dowse.example.pattern import (
    MAX_FILE_ADDRESSES,
    MAX_PATTERN_BYTES,
    FormQuery,
    Path,
    Pattern,
    Step,
    Walk,
    build_request,
    is_transient,
    judge_map,
    name_pattern,
)
from dowse.model import Verdict
from dowse.reasons import FailureReason
from dowse.records.details import PageWrapper
from tests.example.shop import ANY, ITEM, address, pattern_of

OLD_FILE = files.Path(__file__).parent / "pattern_version_1.json"  # written before patterns were structs

PATTERN = Pattern(
    entry="http://e.example/",
    paths=(
        Path((Step(r"^http://e\.example/list(?:[?&]page=[0-9]+)?$", repeats=True), Step(r"^http://e\.example/i/\d+$"))),
    ),
    samples=("http://e.example/i/1",),
    threshold=0.8,
    made="2026-11-16",
    figures={"targets": 149, "mapped_pages": 199},
    first=FormQuery("http://e.example/find", "GET", "q", ("jazz", "blues")),
    avoid=("http://e.example/i/0",),
    lists=("http://e.example/i/all",),
)


def told(**changes: object) -> str:
    return json.dumps(json.loads(PATTERN.to_json()) | changes)


def step(**changes: object) -> list[dict[str, Any]]:
    return [{"steps": [{"pattern": r"^http://e\.example/$"} | changes]}]


def reader(name: str) -> dict[str, Any]:
    """Write how two facts of a page are read, the second under a name."""
    facts = [
        {"name": each, "how": "label", "place": place, "share": 1.0} for place, each in (("a", "maker"), ("b", name))
    ]
    return PageWrapper().to_dict() | {"attributes": facts}


def test_written_and_read() -> None:
    assert Pattern.from_json(PATTERN.to_json()) == PATTERN
    assert r'"pattern": "^http://e\\.example/i/\\d+$"' in PATTERN.to_json()


def test_files_of_earlier_versions_are_read_and_written_the_same() -> None:
    text = OLD_FILE.read_text()
    pattern = Pattern.from_json(text)
    assert pattern.figures == {"targets": 191, "mapped_pages": 92, "others": 0}
    assert [step.repeats for step in pattern.paths[0].steps] == [False, True, False]
    assert pattern.to_json() == text


def test_what_is_empty_is_left_out() -> None:
    keys = json.loads(Pattern(entry="http://e.example/").to_json())
    assert list(keys) == [
        "version",
        "entry",
        "paths",
        "samples",
        "threshold",
        "made",
        "figures",
        "scale",
        "reader",
        "shapes",
    ]


def test_only_entry_and_paths_are_needed() -> None:
    read = Pattern.from_json(json.dumps({"entry": "http://e.example/", "paths": step()}))
    assert read == Pattern(entry="http://e.example/", paths=(Path((Step(r"^http://e\.example/$"),)),))


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("{", "f.json is not JSON"),
        ("[" * 100_000, "f.json: the file is not a JSON object"),
        ('{"reader": {"x": ' + "[" * 100_000, "f.json is not JSON"),
        ("[]", "f.json: the file is not a JSON object"),
        ("{}", "f.json: entry is missing"),
        ("null", "f.json: the file is not a JSON object"),
        (told(paths=[]), "f.json: paths is missing or empty"),
        ('{"entry": "http://e.example/"}', "f.json: paths is missing or empty"),
        (" " * (MAX_PATTERN_BYTES + 1), "more than 4,000,000 characters"),
        (told(version=2), "f.json: version is 2; version 1 can be read"),
        (told(entry="ftp://x"), "f.json: entry is not a web address"),
        (told(entri=1), "f.json: entri is not known; there are version, entry, first, paths"),
        (told(avoid=["about us"]), r"f.json: avoid\[0\] is not a web address"),
        (told(threshold=80), "f.json: threshold is not a number <= 1.0"),
        (told(threshold="high"), "f.json: threshold is not a number"),
        (told(figures={"targets": "many"}), r"f.json: figures\[...\] is not a number"),
        (told(figures={"targets": True}), r"f.json: figures\[...\] is not a number"),
        (told(figures={"targets": 10**400}), "f.json: figures has a value that is not a number"),
        (told(threshold=True), "f.json: threshold is not a number"),
        (told(scale=0), "f.json: scale is not a number > 0.0"),
        (told(made=3), "f.json: made is not a text"),
        (told(made=None), "f.json: made is not a text"),
        (told(figures=[]), "f.json: figures is not a JSON object"),
        (told(samples="x"), r"f.json: samples is not a list"),
        (told(samples=["http://e.example/"] * (MAX_FILE_ADDRESSES + 1)), "f.json: samples has more than 1,000 values"),
        (told(samples=["x"]), r"f.json: samples\[0\] is not a web address"),
        (told(paths=[{}]), r"f.json: paths\[0\].steps is missing or empty"),
        (told(paths=step(pattern="x")), r"f.json: paths\[0\].steps\[0\].pattern is not anchored"),
        (told(paths=step(pattern=r"^http://e\.example/(a+)+$")), r"steps\[0\].pattern '\(a\+\)\+' a group may not be repeated"),
        (told(paths=step(repeats="yes")), r"f.json: paths\[0\].steps\[0\].repeats is not true or false"),
        (told(paths=step(repeats=1)), r"f.json: paths\[0\].steps\[0\].repeats is not true or false"),
        (told(paths=step(repeat=True)), r"f.json: paths\[0\].steps\[0\].repeat is not known; there are pattern, repeats"),
        (told(paths=[{"steps": [{}]}]), r"f.json: paths\[0\].steps\[0\].pattern is missing"),
        (told(first={"address": "http://e.example/", "method": "PUT", "field": "q"}), "f.json: first.method is not GET"),
        (told(first={"address": "http://e.example/", "method": "POST", "field": "q"}), "f.json: first.method is not GET"),
        (told(entry="http://e.example/", first={"address": "http://else.example/", "method": "GET", "field": "q"}), "f.json: first.address is on another host"),
        (told(shapes=[{"shape": "!!", "common": 0}]), r"f.json: shapes\[0\].shape is refused: this is not the shape"),
        (told(reader=reader("_url")), r"f.json: reader.attributes\[1\].name '_url' begins with '_'"),
        (told(reader=reader(" ")), r"f.json: reader.attributes\[1\].name is empty"),
        (told(reader=reader("maker")), r"f.json: reader.attributes\[1\].name 'maker' is the name of another"),
        (told(first=[]), "f.json: first is not a JSON object"),
    ],
)  # fmt: skip
def test_refused_in_one_line_that_names_the_key(text: str, why: str) -> None:
    with pytest.raises(BadInput, match=why) as refused:
        Pattern.from_json(text, "f.json")
    assert "\n" not in str(refused.value)
    assert len(str(refused.value)) < 400


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(["entry", "paths", "steps", "pattern", "first", "x"]), inner, max_size=4)
    ),
    max_leaves=8,
)


@given(JSON)
def test_any_file_is_read_or_refused(value: object) -> None:
    with pytest.raises(BadInput):
        Pattern.from_json(json.dumps(value))


@given(st.sampled_from(sorted(json.loads(PATTERN.to_json()))), JSON)
def test_a_key_that_is_wrong_is_named(key: str, value: object) -> None:
    with suppress(BadInput) if _may_be(key, value) else pytest.raises(BadInput, match=key):
        Pattern.from_json(told(**{key: value}))


def _may_be(key: str, value: object) -> bool:
    """Return True if such a value can be right for a key."""
    kinds: dict[str, Any] = {
        "threshold": (int, float), "scale": (int, float), "version": int, "made": str, "samples": list, "shapes": list,
        "without": list, "avoid": list, "lists": list, "figures": dict, "reader": dict, "first": type(None),
    }  # fmt: skip
    return isinstance(value, kinds.get(key, ()))


SENT = [
    ("a parameter more", FormQuery(address("/f?a=1"), "GET", "q", ()), "x y", address("/f?a=1&q=x+y"), b""),
    ("signs", FormQuery(address("/f"), "GET", "q", ()), "a&b=c#d", address("/f?q=a%26b%3Dc%23d"), b""),
    ("post", FormQuery(address("/f"), "POST", "q", ()), "ä", address("/f"), b"q=%C3%A4"),
]


@pytest.mark.parametrize(("ask", "value", "url", "body"), [row[1:] for row in SENT], ids=[row[0] for row in SENT])
def test_send(ask: FormQuery, value: str, url: str, body: bytes) -> None:
    request = build_request(ask, value)
    assert (request.url, request.method, request.body) == (url, ask.method, body)


def test_a_pattern_that_was_learned_again_is_the_same_to_the_store() -> None:
    before = pattern_of()
    after = replace(before, paths=pattern_of((Step(ITEM),)).paths, samples=(*before.samples, address("/item/9")))
    assert name_pattern(before) == name_pattern(after)
    assert name_pattern(before) != name_pattern(replace(before, entry=address("/about")))


REASONS = [
    ("HTTP 500", True),
    ("HTTP 503", True),
    ("HTTP 429", True),
    ("HTTP 403", True),
    (str(FailureReason.TIMEOUT), True),
    (str(FailureReason.ROBOTS_DOWN), True),
    ("HTTP 404", False),
    ("HTTP 410", False),
    (str(FailureReason.NOT_A_PAGE), False),
    (str(FailureReason.ROBOTS), False),
]


@pytest.mark.parametrize(("why", "is_so"), REASONS)
def test_which_failures_pass(why: str, is_so: bool) -> None:
    assert is_transient(why) is is_so


MAPS = [
    ("nothing failed", {}, 0, ""),
    ("pages are gone", {"HTTP 404": 9}, 3, ""),
    ("fewer failed than came", {"HTTP 500": 2, "HTTP 404": 9}, 3, ""),
    ("as many failed as came", {"HTTP 404": 9, "HTTP 500": 1, "timed out": 2}, 3, "timed out (2), HTTP 500 (1)"),
    ("more failed than came", {"connection refused": 78}, 3, "connection refused (78)"),
]


@pytest.mark.parametrize(("failures", "came", "why"), [row[1:] for row in MAPS], ids=[row[0] for row in MAPS])
def test_what_a_server_does_not_give_cannot_be_learned_from(failures: dict[str, int], came: int, why: str) -> None:
    told = f"the site could not be read: {why}; try again later" if why else ""
    assert judge_map(failures, came) == Verdict(not why, told)


def test_pages_that_were_unlike_when_it_was_learned_are_no_redesign() -> None:
    walk = Walk(pattern_of(figures={"targets": 5, "others": 20}), ANY)
    walk.pages, walk.unlike = 5, 22
    assert not walk.seems_changed
    walk.unlike = 30
    assert walk.seems_changed
