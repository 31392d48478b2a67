"""What records tell, by name and place."""

from __future__ import annotations

import json

import pytest

from dowse.errors import BadInput
from dowse.records.attributes import (
    Attribute,
    Own,
    Samples,
    Wrapper,
    begins_like,
    find_own,
    find_plain,
    key_of,
    learn_attributes,
    learn_identity,
    learn_own,
    name_title,
    read_values,
)
from dowse.records.labels import Told
from dowse.records.pieces import Cut

WRAPPER = Wrapper(
    ("html", "body", "ul.hits"),
    Cut("starter", "sign", "dt", ("dd",), 3),
    (Attribute("Year", "label", label="year", several=", "),),
    shape=(("label year", 0.5),),
    frame=("html/body",),
)


def test_what_was_written_down_is_read_again() -> None:
    assert Wrapper.from_dict(json.loads(json.dumps(WRAPPER.to_dict()))) == WRAPPER


@pytest.mark.parametrize(
    "told",
    [
        pytest.param({}, id="nothing"),
        pytest.param({**WRAPPER.to_dict(), "version": 99}, id="another version"),
        pytest.param({"version": 1}, id="parts missing"),
        pytest.param({**WRAPPER.to_dict(), "more": 1}, id="parts too many"),
    ],
)
def test_what_is_no_wrapper_says_so(told: dict[str, object]) -> None:
    with pytest.raises(BadInput):
        Wrapper.from_dict(told)


PAGE = "http://a.test/find?q=x"


def item(*hrefs: str) -> list[Told]:
    return [Told("", "a", number, f"t{href}", href) for number, href in enumerate(hrefs, 1)]


def test_the_link_that_leads_elsewhere_each_time_is_the_own_one() -> None:
    own = learn_own([item("/basket", f"/book/{n}") for n in (3, 8, 5)], [PAGE] * 3)
    assert (own.number, own.begins, own.mould) == (2, "/book/", "/book/0")
    assert find_own(item("/basket", "/book/9"), own, PAGE) == "http://a.test/book/9"


def test_there_may_be_none() -> None:
    assert learn_own([item("/same")] * 3, [PAGE] * 3) == Own()
    assert learn_own([item("#top"), item("javascript:x"), item("")], [PAGE] * 3) == Own()


def test_parameters_of_the_query_and_ranks_name_no_record() -> None:
    own = learn_own([item(f"/show?id={n}&q=x&pos={place}") for place, n in enumerate((30, 81, 52), 1)], [PAGE] * 3)
    assert own.without == ("pos", "q")
    assert key_of("http://a.test/show?id=30&q=x&pos=1", own) == "http://a.test/show?id=30"


def test_a_number_that_counts_along_is_kept_where_nothing_else_tells() -> None:
    """The first records of a source, in their order: what names them counts up as ranks do."""
    own = learn_own([item(f"/show?db=1&rec={n}") for n in range(5)], [PAGE] * 5)
    assert own.without == ()
    assert key_of("http://a.test/show?db=1&rec=3", own) == "http://a.test/show?db=1&rec=3"


def test_an_address_of_another_kind_is_not_like_them() -> None:
    own = learn_own([item(f"/book/{n}") for n in (3, 8, 5)], [PAGE] * 3)
    assert begins_like("http://a.test/book/77", own)
    assert not begins_like("http://a.test/", own)
    assert not begins_like("http://a.test/book/77/reviews", own)


def test_ids_that_count_along_tell_nothing() -> None:
    assert learn_identity(Own(), ["r917", "r220", "r348"]) == "id"
    assert learn_identity(Own(), ["r1", "r2", "r3"]) == ""
    assert learn_identity(Own("a", 1), ["r917", "r220"]) == "address"


BOOKS = [
    [
        Told("", "h3/a", 1, f"Book {n}", f"/b/{n}"),
        Told("Genre", "i", 1, text),
        Told("", "span.price", 1, f"{n}.99"),
        Told("", "em", 1, f"mint – {1990 + n}"),
        Told("", "a", 1, "More", f"/b/{n}"),
    ]
    for n, text in enumerate(["War", "Love, War", "Love", "Sea, War, Love"])
]


def learn() -> Samples:
    return Samples(BOOKS, (), {}, find_plain(BOOKS, ()))


def test_each_attribute_has_a_name_and_says_how_it_was_found() -> None:
    attributes, title = name_title(learn_attributes(learn()), BOOKS, ("h3/a", 1))
    assert [(each.name, each.how) for each in attributes] == [
        ("title", "title"), ("price", "class"), ("column 3", "place"), ("column 4", "place"), ("Genre", "label"),
    ]  # fmt: skip
    assert title == "title"


def test_values_are_parted_and_buttons_are_none() -> None:
    attributes, _ = name_title(learn_attributes(learn()), BOOKS, ("h3/a", 1))
    assert [tuple(value) for value in read_values(BOOKS[3], attributes)] == [
        ("title", "Book 3"), ("Genre", "Sea"), ("Genre", "War"), ("Genre", "Love"), ("price", "3.99"),
        ("column 3", "mint"), ("column 4", "1993"),
    ]  # fmt: skip


def test_a_name_that_was_never_seen_is_an_attribute_of_its_own() -> None:
    assert [tuple(value) for value in read_values([Told("Pages", "i", 1, "300")], ())] == [("Pages", "300")]


def test_a_value_in_two_tags_is_one() -> None:
    told = [Told("Way", "i", 1, "12"), Told("Way", "small", 1, "km")]
    assert [tuple(value) for value in read_values(told, ())] == [("Way", "12 km")]


def test_what_was_asked_for_may_be_the_same_in_all_records() -> None:
    told = [[Told("", "p", 1, "Drama"), Told("", "b", 1, f"Play {n}")] for n in range(5)]
    assert ("p", 1) in find_plain(told, ())
    assert ("p", 1) not in find_plain(told, ("drama",))
