"""Forms as the first step: what they are asked, and that each value is asked once."""

from __future__ import annotations

import pytest

from dowse.example.asking import MOST_CHOICES, MOST_WORDS, Questions, find_asks, send
from dowse.example.look import Seen, look_with
from dowse.example.pattern import Ask
from dowse.model import Page, Request

from .shop import Shop, address

BOX = Ask(address("/find"), "GET", "q", ("jazz",), words=True)


async def read(body: str, title: str = "") -> Seen:
    shop = Shop({"/": f"<html><head><title>{title}</title></head><body>{body}</body></html>"})
    seen = await look_with(shop.fetches.within_site)(Request(address("/")))
    assert isinstance(seen, Seen)
    return seen


async def page(body: str, title: str = "") -> Page:
    return (await read(body, title)).page


def choices(count: int) -> str:
    return "".join(f"<option value='v{n}'>Kind {n}</option>" for n in range(count))


async def find(body: str, title: str = "Blue velvet") -> list[Ask]:
    return list(find_asks(await page(body), await page("", title)))


async def test_a_list_of_choices_is_asked_one_by_one() -> None:
    body = f"<form action='/find'><input type=hidden name=a value=1><select name=kind><option value=''>all</option>{choices(3)}</select><button>Search</button></form>"
    (ask, *_) = await find(body)
    assert (ask.field, ask.values, ask.words) == ("kind", ("v0", "v1", "v2"), False)
    assert send(ask, "v1").url == address("/find?a=1&kind=v1")


async def test_a_box_is_asked_with_words_of_the_sample() -> None:
    asks = await find("<form action='/find'>Search <input type=search name=q><button>Search</button></form>")
    assert [(ask.field, ask.values, ask.words) for ask in asks] == [("q", ("blue", "velvet"), True)]


REFUSED = [
    ("a login", "<form><input name=user><input type=password name=p><button>Log in</button></form>"),
    ("too many choices", f"<form action='/f'><select name=k>{choices(MOST_CHOICES + 1)}</select><button>Go</button></form>"),
    ("one choice", f"<form action='/f'><select name=k>{choices(1)}</select><button>Go</button></form>"),
    ("no form", "<p>nothing</p>"),
]  # fmt: skip


@pytest.mark.parametrize("body", [row[1] for row in REFUSED], ids=[row[0] for row in REFUSED])
async def test_what_cannot_be_asked_through_gives_nothing(body: str) -> None:
    assert [ask for ask in await find(body, title="") if not ask.words] == []


def test_without_a_form_the_entry_is_the_start() -> None:
    assert [each.url for each in Questions.of(None).start(address("/"))] == [address("/")]


def test_every_value_of_a_file_is_asked_however_many() -> None:
    values = tuple(f"v{n}" for n in range(MOST_WORDS + 500))
    asked = list(Questions.of(Ask(address("/find"), "GET", "q", values)).start(address("/")))
    assert len(asked) == len(values)


async def test_words_of_pages_that_were_found_are_asked_once() -> None:
    questions = Questions.of(BOX)
    assert [each.url for each in questions.start("")] == [address("/find?q=jazz")]
    seen = await read("", "Jazz and Blues, 1999 - an A B")
    assert [each.url for each in questions.learn(seen)] == [address("/find?q=and"), address("/find?q=blues")]
    assert list(questions.learn(seen)) == []


async def test_words_are_bounded() -> None:
    questions = Questions.of(BOX)
    questions.asked = dict.fromkeys(map(str, range(MOST_WORDS)))
    assert list(questions.learn(await read("", "Something else"))) == []


SENT = [
    ("a parameter more", Ask(address("/f?a=1"), "GET", "q", ()), "x y", address("/f?a=1&q=x+y"), b""),
    ("signs", Ask(address("/f"), "GET", "q", ()), "a&b=c#d", address("/f?q=a%26b%3Dc%23d"), b""),
    ("post", Ask(address("/f"), "POST", "q", ()), "ä", address("/f"), b"q=%C3%A4"),
]


@pytest.mark.parametrize(("ask", "value", "url", "body"), [row[1:] for row in SENT], ids=[row[0] for row in SENT])
def test_send(ask: Ask, value: str, url: str, body: bytes) -> None:
    request = send(ask, value)
    assert (request.url, request.method, request.body) == (url, ask.method, body)
