"""Fields of a form that do not change what is found are noticed; attributes that turn out to be lists are split; answers go on where they were left."""

from __future__ import annotations

from collections.abc import Sequence
from urllib.parse import parse_qsl, urlsplit

import pytest
from msgspec import structs

from dowse.harvester.door import map_fields, open_template
from dowse.harvester.reader import MAX_RETRIES, MIN_VALUES_EMPTY, MIN_VALUES_MISSED, IneffectiveFields, Reader, Source
from dowse.model import Answer, Door, Failure, Query, Record, Request, Response, Value
from dowse.reasons import FailureReason
from dowse.records.attributes import Attribute
from dowse.records.pieces import Cut
from dowse.records.wrapper import OwnPageLink, Wrapper

ALL = ("a", "b", "c")


def answer(query: Query, keys: Sequence[str]) -> Answer:
    return Answer(query, 0, tuple(Record((Value("shelf", key),), key) for key in keys), total=len(keys))


def told(
    asked: Sequence[tuple[str, Sequence[str]]], everything: Sequence[str] | None = None, attribute: str = "op"
) -> str:
    """Return what is said of a further query, after these values have brought these records."""
    ineffective = IneffectiveFields(frozenset(text for text, _ in asked))
    if everything is not None:
        ineffective.note(answer(Query(), everything))
    for text, keys in asked:
        ineffective.note(answer(Query((Value(attribute, text),)), keys))
    return ineffective.why_not(Query((Value(attribute, "more"), Value("author", "Kafka"))))


@pytest.mark.parametrize(
    ("asked", "everything", "reason"),
    [
        pytest.param([("=", ALL), ("<", ALL)], ALL, "the same records come", id="two that bring what everything brings"),
        pytest.param([("=", ALL), ("<", ALL), (">", ALL)], None, "the same records come", id="three that bring the same"),
        pytest.param([("=", ALL), ("<", ALL)], None, "", id="two may be chance"),
        pytest.param([("soup", ALL), ("soups", ALL), ("Soup", ALL)], None, "", id="one word, written in three ways"),
        pytest.param([("=", ALL), ("<", ALL[:1]), (">", ALL)], ALL, "", id="one that differs"),
        pytest.param([(key, ()) for key in ALL[:MIN_VALUES_MISSED]], ALL, "nothing comes", id="nothing, though records have it"),
        pytest.param([(f"x{n}", ()) for n in range(MIN_VALUES_EMPTY - 1)], ALL, "", id="nothing, as no record has it"),
        pytest.param([(f"x{n}", ()) for n in range(MIN_VALUES_EMPTY)], ALL, "nothing comes", id="nothing for too long"),
    ],
)  # fmt: skip
def test_what_is_noticed(asked: list[tuple[str, Sequence[str]]], everything: Sequence[str] | None, reason: str) -> None:
    said = told(asked, everything)
    assert reason in said
    assert bool(said) == bool(reason)


def test_a_box_for_any_words_is_never_ineffective() -> None:
    assert not told([("one", ALL), ("two", ALL), ("three", ALL)], ALL, attribute="")


def test_an_attribute_that_once_differed_is_asked_on() -> None:
    assert not told([("=", ALL), ("<", ALL[:2]), *((sign, ALL) for sign in "≤≥~")], ALL)


def test_what_few_records_showed_as_one_value_is_a_list_by_those_that_come_later() -> None:
    wrapper = Wrapper(
        (),
        Cut("element", "tag", "li"),
        (Attribute("name", "title"), Attribute("has", "label")),
        title="name",
        learned_from=2,
    )
    reader = Reader(wrapper)
    texts = [
        "stove",
        "garden, stove",
        "garden",
        "cellar, garden, lift",
        "lift, stove",
        "stove, cellar",
        "lift",
        "stove",
    ]
    records = tuple(Record((Value("name", f"house {n}"), Value("has", text)), str(n)) for n, text in enumerate(texts))
    assert reader.find_lists(Answer(Query(), 0, records[:2])).records == records[:2]
    found = reader.find_lists(Answer(Query(), 1, records))
    assert [value.text for value in found.records[3].values] == ["house 3", "cellar", "garden", "lift"]


async def test_an_answer_that_was_left_goes_on_after_another() -> None:
    asked: list[str] = []

    async def fetch(request: Request) -> Response:
        asked.append(request.url)
        address = urlsplit(request.url)
        given = dict(parse_qsl(address.query))
        word, first = given["q"], int(given.get("start", "0"))
        rows = "".join(
            f"<tr><td><a href='/plant/{word}-{number}'>{word} {number}</a></td><td>{1900 + number}</td></tr>"
            for number in range(first, first + 10)
        )
        following = f"<p><a href='/?q={word}&amp;start={first + 10}'>Next page</a></p>" if first < 20 else ""
        body = f"<html><body><table><tr><th>Name</th><th>Year</th></tr>{rows}</table>{following}</body></html>"
        return Response(request.url, 200, (("content-type", "text/html"),), body.encode())

    door = open_template("http://plants.example/?q={query}")
    assert isinstance(door, Door)
    source = Source(door, map_fields(door), fetch, Reader())
    amber, birch = (Query((Value("", word),)) for word in ("amber", "birch"))
    first = await source.ask(amber, 0)
    await source.ask(birch, 0)
    await source.ask(birch, 1)
    second = await source.ask(amber, 1)
    third = await source.ask(birch, 2)
    assert [each.split("?")[1] for each in asked] == [
        "q=amber", "q=birch", "q=birch&start=10", "q=amber&start=10", "q=birch&start=20",
    ]  # fmt: skip
    assert [len(each.records) for each in (first, second, third)] == [10, 10, 10]
    assert (second.more, third.more) == (True, False)
    assert not (await source.ask(birch, 1)).records, "it was not left before that page"


async def test_a_page_whose_trouble_passes_is_requested_again() -> None:
    """Not for ever: a door that fails each time gets a few requests more, and then one for each query."""
    asked: list[str] = []
    failing = {2, 3, *range(7, 100)}

    async def fetch(request: Request) -> Response | Failure:
        asked.append(request.url)
        if len(asked) == 2:
            return Failure(request.url, FailureReason.BROKEN)
        if len(asked) in failing:
            return Response(request.url, 500, (("content-type", "text/html"),), b"<html><body>oops</body></html>")
        rows = "".join(
            f"<tr><td><a href='/plant/{n}'>plant {n}</a></td><td>{n}</td></tr>"
            for n in range(len(asked), len(asked) + 9)
        )
        body = f"<html><body><table><tr><th>Name</th><th>Year</th></tr>{rows}</table></body></html>"
        return Response(request.url, 200, (("content-type", "text/html"),), body.encode())

    door = open_template("http://plants.example/?q={query}")
    assert isinstance(door, Door)
    source = Source(door, map_fields(door), fetch, Reader())
    queries = [Query((Value("", f"word{number}"),)) for number in range(12)]
    first, second, *more = [await source.ask(query, 0) for query in queries]
    assert (len(first.records), first.requests) == (9, 1)
    assert (len(second.records), second.requests, second.trouble) == (9, 3, ""), "a broken connection, then an error"
    failed = [each for each in more if not each.records]
    assert [each.requests for each in failed] == [MAX_RETRIES + 1] * 3 + [1] * (len(failed) - 3)
    assert sum(each.requests for each in (first, second, *more)) == len(asked)


@pytest.mark.parametrize("status", [403, 404, 429])
async def test_a_refusal_is_not_requested_again(status: int) -> None:
    asked: list[str] = []

    async def fetch(request: Request) -> Response:
        asked.append(request.url)
        return Response(request.url, status, (("content-type", "text/html"),), b"<html><body>no</body></html>")

    door = open_template("http://plants.example/?q={query}")
    assert isinstance(door, Door)
    await Source(door, map_fields(door), fetch, Reader()).ask(Query((Value("", "amber"),)), 0)
    assert len(asked) == 1


def shelf(url: str, first: int, last: int, link: str) -> Response:
    """Return a page that lists some plants, and a link below them."""
    rows = "".join(f"<li><b><a href='/plant/{n}'>plant {n}</a></b> <i>{1900 + n}</i></li>" for n in range(first, last))
    body = f"<html><body><ol>{rows}</ol>{link}</body></html>"
    return Response(url, 200, (("content-type", "text/html; charset=utf-8"),), body.encode())


async def read_all(source: Source, query: Query) -> list[Answer]:
    answers = [await source.ask(query, 0)]
    while answers[-1].more:
        answers.append(await source.ask(query, len(answers)))
    return answers


@pytest.mark.parametrize(
    ("most", "refuses", "wanted", "requests"),
    [
        pytest.param(10_000, False, 95, 2, id="as far as is asked"),
        pytest.param(30, False, 30, 2, id="up to a bound"),
        pytest.param(30, True, 30, 4, id="too large a step brings the first page"),
    ],
)
async def test_a_page_that_grows_is_asked_for_more_than_its_link_asks(
    most: int, *, refuses: bool, wanted: int, requests: int
) -> None:
    asked: list[str] = []

    async def fetch(request: Request) -> Response:
        asked.append(request.url)
        given = dict(parse_qsl(urlsplit(request.url).query))
        size = int(given.get("zeige", "10"))
        shown = min(size, 95) if size <= most else 10 if refuses else most
        following = min(size, most) + 10
        link = f"<p><a href='/?q=x&amp;zeige={following}'>Még</a></p>" if shown < 95 and following <= most else ""
        return shelf(request.url, 0, shown, link)

    door = open_template("http://plants.example/?q={query}")
    assert isinstance(door, Door)
    answers = await read_all(Source(door, map_fields(door), fetch, Reader()), Query((Value("", "x"),)))
    keys = [record.key for each in answers for record in each.records]
    assert (len(keys), len(set(keys))) == (wanted, wanted)
    assert len(asked) == requests


@pytest.mark.parametrize("goes_round", [False, True])
async def test_pages_that_come_again_end_the_list_and_show_nothing(*, goes_round: bool) -> None:
    async def fetch(request: Request) -> Response:
        given = dict(parse_qsl(urlsplit(request.url).query))
        page = int(given.get("page", "1"))
        place = (page - 1) % 4 if goes_round else min(page - 1, 3)
        return shelf(
            request.url, 10 * place, 10 * place + 10, f"<p><a href='/?q=x&amp;page={page + 1}'>Next page</a></p>"
        )

    door = open_template("http://plants.example/?q={query}")
    assert isinstance(door, Door)
    answers = await read_all(Source(door, map_fields(door), fetch, Reader()), Query((Value("", "x"),)))
    assert [len(each.records) for each in answers] == [10, 10, 10, 10, 0]


async def test_a_link_that_led_nowhere_is_not_followed_for_ever() -> None:
    asked: list[str] = []

    async def fetch(request: Request) -> Response:
        asked.append(request.url)
        word = dict(parse_qsl(urlsplit(request.url).query))["q"]
        return shelf(
            request.url, ord(word), ord(word) + 9, f"<p><a href='/?q={word}&amp;ref=a8X1-kQ93_zz'>Nyomtatás</a></p>"
        )

    door = open_template("http://plants.example/?q={query}")
    assert isinstance(door, Door)
    source = Source(door, map_fields(door), fetch, Reader())
    for word in "abcdefgh":
        await read_all(source, Query((Value("", word),)))
    assert len([each for each in asked if "ref=" in each]) == 2


def test_what_was_no_part_of_an_address_stays_none_when_answers_are_read_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    """Words to be marked (`&s[]=jam`) are the same on all of one answer: one page alone cannot tell that."""
    bare = Wrapper((), Cut("element", "tag", "li"), (Attribute("name", "title"),), title="name")
    made = iter(
        [
            structs.replace(bare, own=OwnPageLink("a", 1, without=("s[]",))),
            structs.replace(bare, own=OwnPageLink("b", 1)),
        ]
    )
    monkeypatch.setattr("dowse.harvester.reader.learn_wrapper", lambda samples: next(made))
    reader = Reader()
    assert reader.learn()
    assert reader.learn()
    assert reader.wrapper is not None
    assert reader.wrapper.own == OwnPageLink("b", 1, without=("s[]",))
