"""Records that a page declares in JSON-LD."""

from __future__ import annotations

import json

import pytest

from dowse.model import Record, Value
from dowse.records.service import DeclaredThings, find_things
from dowse.records.wrapper import AnswerSample, Wrapper, apply_wrapper, learn_wrapper
from tests.records.trees import URL, tree_of

ITEMS = [
    {
        "@type": "Product",
        "name": f"Thing {n}",
        "url": f"/t/{n}",
        "offers": {"@type": "Offer", "price": 10 * n},
        "brand": {"name": "Acme"},
    }
    for n in range(1, 6)
]
LIST = {
    "@type": "ItemList",
    "itemListElement": [{"@type": "ListItem", "position": n, "item": each} for n, each in enumerate(ITEMS, 1)],
}


def page(said: object, body: str = "<div id=app></div>") -> str:
    return f"<body><script type='application/ld+json'>{json.dumps(said)}</script><h1>Found</h1>{body}</body>"


def test_things_of_a_list_are_found() -> None:
    things = find_things(tree_of(page(LIST)), URL)
    assert [thing.name for thing in things] == [f"Thing {n}" for n in range(1, 6)]
    assert things[1].url == "http://site.test/t/2"
    assert set(things[1].values) == {Value("name", "Thing 2"), Value("offers.price", "20"), Value("brand", "Acme")}


@pytest.mark.parametrize(
    "said", ["not json {", {"@type": "WebSite", "name": "x"}, [], ITEMS[:1], {"@type": 5}], ids=str
)
def test_what_is_no_list_is_none(said: object) -> None:
    assert find_things(tree_of(page(said)), URL) == ()


def test_records_may_be_declared_only() -> None:
    sample = AnswerSample(tree_of(page(LIST)), URL)
    wrapper = learn_wrapper([sample])
    assert isinstance(wrapper, Wrapper)
    records = apply_wrapper(wrapper, sample.tree, sample.url).records
    assert [record.url for record in records] == [f"http://site.test/t/{n}" for n in range(1, 6)]


def test_declared_properties_are_added_to_records() -> None:
    body = (
        "<ul>"
        + "".join(f"<li><a href='/t/{n}'>Thing {n}</a><p>words about {n * 7}</p></li>" for n in range(1, 6))
        + "</ul>"
    )
    sample = AnswerSample(tree_of(page(LIST, body)), URL, ("thing",))
    wrapper = learn_wrapper([sample])
    assert isinstance(wrapper, Wrapper)
    assert Value("offers.price", "30") in apply_wrapper(wrapper, sample.tree, sample.url).records[2].values


def test_a_record_that_nobody_declares_stays_as_it_is() -> None:
    record = Record((Value("title", "Other"),))
    assert DeclaredThings(find_things(tree_of(page(LIST)), URL)).extend(record) == record
