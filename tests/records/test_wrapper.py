"""Wrappers are learned from answers in many designs, and read others of theirs."""

from __future__ import annotations

import json
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dowse.model import Verdict
from dowse.records.attributes import learn_own
from dowse.records.labels import Told
from dowse.records.pieces import SPONSORED, Cut, Piece
from dowse.records.wrapper import (
    MAX_LEARNED_NODES,
    Found,
    Sample,
    Wrapper,
    apply_wrapper,
    find_base,
    find_candidates,
    find_frame,
    find_header,
    find_lines,
    find_marks,
    frame_likeness,
    is_record,
    judge_fit,
    keep_last,
    learn_shape,
    learn_wrapper,
    says_advert,
)
from dowse.tree import Node, find_nodes
from tests.records.trees import DESIGNS, ROWS, URL, Row, answer, tree_of

WRAPPER = Wrapper(("html", "body", "ul"), Cut("element", "tag", "li"))


def test_candidates_come_in_order_and_bounded() -> None:
    tree = tree_of("<ul>" + "".join(f"<li id=r{n}>{n}</li>" for n in range(9)) + "<li></li></ul>")
    assert [each.id for each in find_candidates(WRAPPER, tree, URL)] == [f"r{n}" for n in range(9)]
    assert len(find_candidates(WRAPPER, tree, URL, 4)) == 4


def test_links_are_relative_to_what_the_page_says() -> None:
    assert find_base(tree_of("<base href='/b/'><p>x"), "http://a.test/c/d") == "http://a.test/b/"
    assert find_base(tree_of("<p>x"), "http://a.test/c/d") == "http://a.test/c/d"


@pytest.mark.parametrize(
    ("piece", "yes"),
    [
        pytest.param(Piece("b", "Sponsored"), True, id="word"),
        pytest.param(Piece("b", "[Anzeige]"), True, id="in brackets"),
        pytest.param(Piece("b", "広告"), True, id="in another script"),
        pytest.param(Piece(f"a/{SPONSORED}", ""), True, id="marked link"),
        pytest.param(Piece("b", "Sponsored by the king"), False, id="a text"),
        pytest.param(Piece("b", "Novel"), False, id="another word"),
    ],
)
def test_adverts(piece: Piece, yes: bool) -> None:
    assert says_advert([piece]) is yes


PAGE = "http://a.test/"
ITEMS = [
    [Told("", "a", 1, f"Book {n}", f"/b/{n}"), Told("Year", "i", 1, str(n)), Told("Shelf", "i", 1, f"s{n}")]
    for n in range(9, 3, -1)
]
OWN = learn_own(ITEMS, [PAGE] * len(ITEMS))
LIKENESS_WRAPPER = Wrapper(
    ("html",), Cut("element", "tag", "li"), own=OWN, shape=learn_shape(ITEMS, [PAGE] * len(ITEMS), OWN)
)


@pytest.mark.parametrize(
    ("told", "text", "yes"),
    [
        pytest.param(ITEMS[0], "", True, id="one of them"),
        pytest.param(ITEMS[0][:2], "", True, id="one without a value"),
        pytest.param(ITEMS[0][:2], "Sponsored", False, id="the same, but it says what it is"),
        pytest.param([Told("", "a", 1, "Socks", "/"), Told("Advice", "i", 1, "x")], "", False, id="another thing"),
        pytest.param([Told("", "img", 1, "", "/b/1")], "", False, id="without words"),
    ],
)
def test_records(told: list[Told], text: str, yes: bool) -> None:
    assert is_record(LIKENESS_WRAPPER, Found((), (Piece("b", text),), PAGE), told) is yes


FRAME_PAGE = "<body><div class=head><b>Library</b></div><ul>{}</ul><p class=foot>Street</p></body>"


def test_the_frame_is_what_all_pages_have_without_their_records() -> None:
    one, two = tree_of(FRAME_PAGE.format("<li><i>a</i></li>")), tree_of(FRAME_PAGE.format(""))
    frame = find_frame([one, two], {id(node) for node in find_nodes(one, "li")})
    assert frame == ("body/div.head", "body/p.foot", "body/ul", "div.head/b", "html/body")
    assert frame_likeness(frame, two) == 1
    assert frame_likeness(frame, tree_of("<main>x</main>")) < 0.5
    assert frame_likeness((), two) == 0


TREE = tree_of("<body><div class=head>Library</div></body>")
FITS_WRAPPER = Wrapper(("html",), Cut("element", "tag", "li"), frame=("body/div.head", "html/body"), lines=4)


@pytest.mark.parametrize(
    ("lines", "strangers", "records", "yes", "words"),
    [
        pytest.param(["Library"], 0, 5, True, "5 records", id="records"),
        pytest.param(["Library"], 20, 5, False, "only 5 of 25", id="most are of another kind"),
        pytest.param(["Library"], 0, 0, True, "as before", id="nothing, and nothing is said"),
        pytest.param(["No results found"], 9, 0, True, "says so", id="nothing, and it is said"),
        pytest.param(["1-10 of 57 results"], 0, 0, False, "57", id="it says that there are some"),
        pytest.param(["Library"], 9, 0, False, "9 things", id="others stand there"),
        pytest.param(["line"] * 40, 0, 0, False, "40 lines", id="much more text than usual"),
    ],
)
def test_fits(lines: list[str], strangers: int, records: int, yes: bool, words: str) -> None:
    verdict = judge_fit(FITS_WRAPPER, TREE, lines, strangers, records)
    assert (verdict.yes, words in verdict.reason) == (yes, True), verdict


def test_another_frame_does_not_fit() -> None:
    verdict = judge_fit(FITS_WRAPPER, tree_of("<main>Shop</main>"), ["Shop"], 0, 0)
    assert not verdict.yes
    assert "built differently" in verdict.reason


@pytest.mark.parametrize(
    ("head", "named"),
    [
        pytest.param("<tr><th>Name<th>Year", {"td[1]": "Name", "td[2]": "Year"}, id="th"),
        pytest.param("<thead><tr><th>Name<th>Year</thead>", {"td[1]": "Name", "td[2]": "Year"}, id="thead"),
        pytest.param("<tr><td>Name<td>Year", {"td[1]": "Name", "td[2]": "Year"}, id="td"),
        pytest.param("<tr><th>Name ▼<th>⇅ Year", {"td[1]": "Name", "td[2]": "Year"}, id="signs of sorting"),
        pytest.param("<tr><td>Buy socks<td colspan=2>Sponsored", {}, id="an advertisement"),
        pytest.param("", {}, id="none"),
    ],
)
def test_columns_are_named(head: str, named: dict[str, str]) -> None:
    tree = tree_of(f"<table>{head}<tr class=r><td>Anna<td>1990<tr class=r><td>Boris<td>1991</table>")
    rows = [node for node in find_nodes(tree, "tr") if node.attribute("class") == "r"]
    assert find_header([tree], rows) == named


def test_a_wide_cell_names_all_columns_under_it() -> None:
    tree = tree_of("<table><tr><th>Name<th colspan=2>Price<tr class=r><td>a<td>1<td>2</table>")
    rows = [node for node in find_nodes(tree, "tr") if node.attribute("class") == "r"]
    assert find_header([tree], rows) == {"td[1]": "Name", "td[2]": "Price", "td[3]": "Price"}


@pytest.mark.parametrize(
    ("html", "found"),
    [
        pytest.param("<p>The <b>magic</b> hat</p><p>A <b>Magic</b> box</p>", ("b",), id="in the middle of texts"),
        pytest.param("<p><b>magic</b></p><p><b>magic</b></p>", (), id="values of their own"),
        pytest.param(
            "<p>The <b>magic</b> hat</p><p>A <b>red</b> box</p><p>B <b>new</b> c</p>", (), id="other words too"
        ),
        pytest.param("<p>The <b>magic</b> hat</p>", (), id="only once"),
    ],
)
def test_highlights(html: str, found: tuple[str, ...]) -> None:
    assert find_marks([(tree_of(html), ("magic",))]) == found


def test_lines_are_parted_by_blocks_and_not_by_letters() -> None:
    tree = tree_of("<p><b>12</b> results of <i>40</i></p><ul><li>one</li></ul><div>Next<br>Last</div>")
    records = {id(node) for node in find_nodes(tree, "li")}
    assert find_lines(tree, records) == ("12 results of 40", "Next", "Last")


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


def test_giant_pages_are_learned_from_two_at_a_time() -> None:
    tree = Node("html", content=tuple(Node("p") for _ in range(MAX_LEARNED_NODES // 2)))
    samples = [Sample(tree, f"{URL}{number}") for number in range(4)]
    assert keep_last(samples) == samples[-2:]
    small = [Sample(Node("html"), URL)] * 4
    assert keep_last(small) == small
