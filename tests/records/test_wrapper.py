"""Wrappers are learned from answers in many designs, and read others of theirs."""

from __future__ import annotations

import json
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dowse.model import Verdict
from dowse.records.wrapper import Sample, Wrapper, apply_wrapper, learn_wrapper
from dowse.tree import Node
from tests.records.trees import DESIGNS, ROWS, URL, Row, answer, tree_of


def learn(*samples: Sample) -> Wrapper:
    wrapper = learn_wrapper(samples)
    assert isinstance(wrapper, Wrapper), wrapper
    return wrapper


def read(wrapper: Wrapper, sample: Sample) -> list[set[str]]:
    return [
        {value.text for value in record.values} for record in apply_wrapper(wrapper, sample.tree, sample.url).records
    ]


def holds(found: list[set[str]], rows: tuple[Row, ...]) -> bool:
    """Say whether the records are these, each with its own values."""
    return len(found) == len(rows) and all(
        any(row[1] in text for text in texts)
        and any(row[2] in text for text in texts)
        and any(row[3] in text for text in texts)
        for texts, row in zip(found, rows, strict=True)
    )


@pytest.mark.parametrize("design", DESIGNS)
@pytest.mark.parametrize("shown", [ROWS, ROWS[3:5], ROWS[:1]], ids=["ten", "two", "one"])
def test_a_wrapper_of_two_answers_reads_answers_of_any_length(design: str, shown: tuple[Row, ...]) -> None:
    wrapper = learn(answer(design, ROWS[:6]), answer(design, ROWS[4:], asked="of"), answer(design, ()))
    extract = apply_wrapper(wrapper, *_page(design, shown))
    assert extract.fits.yes
    assert holds([{value.text for value in record.values} for record in extract.records], shown)


def _page(design: str, rows: tuple[Row, ...]) -> tuple[Node, str]:
    sample = answer(design, rows)
    return sample.tree, sample.url


@pytest.mark.parametrize("design", DESIGNS)
def test_one_answer_is_enough(design: str) -> None:
    sample = answer(design, ROWS)
    assert holds(read(learn(sample), sample), ROWS)


@pytest.mark.parametrize("design", DESIGNS)
def test_records_know_their_own_page(design: str) -> None:
    sample = answer(design, ROWS)
    records = apply_wrapper(learn(sample), sample.tree, sample.url).records
    assert [record.url for record in records] == [f"http://site.test/book/{row[0]}" for row in ROWS]
    assert [record.key for record in records] == [record.url for record in records]


@pytest.mark.parametrize("design", ["table", "cards", "terms", "breaks", "text"])
def test_values_stand_under_the_names_that_the_page_gives_them(design: str) -> None:
    sample = answer(design, ROWS)
    record = apply_wrapper(learn(sample), sample.tree, sample.url).records[2]
    assert ("Author", ROWS[2][2]) in record.values
    assert ("Year", ROWS[2][3]) in record.values


ADVERTS = {
    "table": ("<tr><td><a href='/book/100'>", "<tr><td><a href='http://shop.test/'>Warm socks</a><td colspan=2>Advertisement<tr><td><a href='/book/100'>"),
    "cards": ("<div class='card'><h3><a href='/book/107'", "<div class='card'><h3><a href='/'>Sponsored</a></h3><div><span class=v>Warm socks</span></div></div><div class='card'><h3><a href='/book/107'"),
    "terms": ("<dt><a href='/book/128'", "<dt><a href='/go'>Warm socks</a></dt><dd>Sponsored</dd><dt><a href='/book/128'"),
    "text": ("<li><a href='/book/128'", "<li><a href='/go'>Warm socks for all</a> (Sponsored)</li><li><a href='/book/128'"),
}  # fmt: skip


@pytest.mark.parametrize("design", ADVERTS)
def test_an_advertisement_between_records_is_none(design: str) -> None:
    before, after = ADVERTS[design]
    plain = DESIGNS[design](ROWS)
    assert before in plain
    html = f"<body><ul><li>Menu</ul><h1>Found</h1>{plain.replace(before, after)}</body>"
    sample = Sample(tree_of(html), URL, ("the",))
    assert holds(read(learn(sample), sample), ROWS)


def test_what_may_also_be_liked_is_no_record() -> None:
    liked = "<h2>You may also like</h2><div class='cards'>" + "".join(
        f"<div class='card'><h3><a href='/book/{number}'>Tale {number}</a></h3></div>" for number in (1, 2, 3)
    )
    first, second = answer("cards", ROWS[:5], liked), answer("cards", ROWS[5:7], liked)
    assert holds(read(learn(first), second), ROWS[5:7])


def test_an_empty_answer_fits_and_has_no_records() -> None:
    wrapper = learn(answer("cards", ROWS), answer("cards", ()))
    extract = apply_wrapper(wrapper, *_page("cards", ()))
    assert (extract.records, extract.fits.yes) == ((), True)


@pytest.mark.parametrize("other", ["table", "terms", "headings", "text"])
def test_a_redesigned_page_does_not_fit(other: str) -> None:
    wrapper = learn(answer("cards", ROWS), answer("cards", ()))
    extract = apply_wrapper(wrapper, *_page(other, ROWS))
    assert not extract.fits.yes
    assert extract.fits.reason


def test_another_site_does_not_fit() -> None:
    wrapper = learn(answer("cards", ROWS))
    html = "<main><header><h1>Shop</h1></header><section><article><p>Hat</p></article><article><p>Coat</p></article></section></main>"
    assert not apply_wrapper(wrapper, tree_of(html), URL).fits.yes


def test_lines_outside_the_records_are_told() -> None:
    sample = answer("cards", ROWS)
    lines = apply_wrapper(learn(sample), sample.tree, sample.url).lines
    assert "10 results for the" in lines
    assert not any(ROWS[0][2] in line for line in lines)


def test_a_wrapper_is_plain_data() -> None:
    sample = answer("cards", ROWS)
    wrapper = learn(sample)
    again = Wrapper.from_dict(json.loads(json.dumps(wrapper.to_dict())))
    assert read(again, sample) == read(wrapper, sample)


@pytest.mark.parametrize(
    ("samples", "reason"),
    [
        pytest.param([], "no answer", id="nothing at all"),
        pytest.param([Sample(tree_of("<p>Nothing was found.</p>"), URL)], "repeats", id="nothing repeats"),
    ],
)
def test_what_cannot_be_learned_says_why(samples: list[Sample], reason: str) -> None:
    said = learn_wrapper(samples)
    assert isinstance(said, Verdict)
    assert reason in said.reason


@given(st.permutations(ROWS), st.sampled_from(list(DESIGNS)))
@settings(max_examples=40, deadline=None)
def test_the_order_of_records_changes_nothing(rows: list[Row], design: str) -> None:
    wrapper = learn(answer(design, ROWS))
    sample = answer(design, rows)
    assert holds(read(wrapper, sample), tuple(rows))


NOISE = st.lists(
    st.sampled_from(
        ["<p>Open today</p>", "<div class=box><b>News</b> of May</div>", "<hr>", "<table><tr><td>1<td>2</table>"]
    ),
    max_size=4,
)


@given(NOISE, st.sampled_from(["table", "cards", "terms", "text", "grid"]))
@settings(max_examples=40, deadline=None)
def test_noise_around_the_records_changes_nothing(noise: list[str], design: str) -> None:
    wrapper = learn(answer(design, ROWS), answer(design, ROWS[2:8], asked="of"))
    assert holds(read(wrapper, answer(design, ROWS, "".join(noise))), ROWS)


TAGS = st.sampled_from("div p ul li table tr td a b span dl dt dd h3 br hr img script base".split())
ATTRIBUTES = st.dictionaries(
    st.sampled_from(["class", "href", "id", "itemprop", "itemtype", "colspan", "content", "rel"]),
    st.sampled_from(["a", "b c", "x1", "/p/1", "http://[", "?q=1&p=2", "999999", "-1", "", "javascript:x"]),
    max_size=3,
)
TREES = st.recursive(
    st.builds(Node, TAGS, ATTRIBUTES, st.lists(st.text(max_size=12), max_size=2).map(tuple)),
    lambda inner: st.builds(
        Node, TAGS, ATTRIBUTES, st.lists(st.one_of(inner, st.text(max_size=12)), max_size=6).map(tuple)
    ),
    max_leaves=40,
)


@given(TREES, TREES)
@settings(max_examples=150, deadline=None)
def test_no_tree_is_too_odd(one: Node, two: Node) -> None:
    first, second = Node("html", {}, (one, one)), Node("html", {}, (two, one))
    wrapper = learn_wrapper([Sample(first, "http://a.test/?q=x", ("x",)), Sample(second, "nonsense")])
    if isinstance(wrapper, Wrapper):
        for tree in (first, second, two):
            apply_wrapper(wrapper, tree, "http://a.test/")
        assert Wrapper.from_dict(json.loads(json.dumps(wrapper.to_dict()))).to_dict() == wrapper.to_dict()


@pytest.mark.parametrize(
    "html",
    [
        pytest.param("<ul>" + "<li><a href=/x>word</a> text</li>" * 5_000 + "</ul>", id="one long list"),
        pytest.param(
            "".join(f"<div class=c{n % 7}><p>a{n}</p><p>b{n}</p><p>c{n}</p></div>" for n in range(5_000)),
            id="many tags",
        ),
        pytest.param("<div>" * 3_000 + "deep" + "</div>" * 3_000, id="deep"),
        pytest.param("<div>a<br><b>b</b><br><br>" * 3_000, id="open tags"),
        pytest.param("<table>" + "<tr><td>a<td>b<td colspan=99999>c" * 6_000, id="wide cells"),
    ],
)
def test_time_does_not_grow_with_hostile_pages(html: str) -> None:
    begun = time.process_time()
    tree = tree_of(html)
    parsed = time.process_time() - begun
    wrapper = learn_wrapper([Sample(tree, URL)])
    if isinstance(wrapper, Wrapper):
        apply_wrapper(wrapper, tree, URL)
    assert time.process_time() - begun < 40 * max(parsed, 0.05)
