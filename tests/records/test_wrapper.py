"""Wrappers are learned from answers in many designs, and read others of theirs."""

from __future__ import annotations

import json
import time
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dowse.errors import BadInput
from dowse.model import Page, Record, Response, Value, Verdict
from dowse.page.document import Document
from dowse.records.attributes import Attribute
from dowse.records.labels import LabelledPiece
from dowse.records.pieces import SPONSORED_PLACE, Cut, TextPiece
from dowse.records.wrapper import (
    MAX_LEARNED_NODES,
    AnswerSample,
    Candidate,
    OwnPageLink,
    Wrapper,
    apply_wrapper,
    find_base,
    find_candidates,
    find_outside_lines,
    find_own_link,
    find_own_page_address,
    find_surroundings,
    is_advert,
    is_record,
    is_record_address,
    judge_fit,
    keep_last,
    learn_identity,
    learn_own_link,
    learn_shape,
    learn_wrapper,
    read_own_page,
    record_key,
    surroundings_share,
)
from dowse.tree import Node, find_nodes
from tests.records.trees import DESIGNS, ROWS, URL, Row, answer, tree_of

WRAPPER = Wrapper(("html", "body", "ul"), Cut("element", "tag", "li"))


WRITTEN = Wrapper(
    ("html", "body", "ul.hits"),
    Cut("starter", "sign", "dt", ("dd",), 3),
    (Attribute("Year", "label", label="year", several=", "),),
    shape=(("label year", 0.5),),
    frame=("html/body",),
)


def test_what_was_written_down_is_read_again() -> None:
    assert Wrapper.from_dict(json.loads(json.dumps(WRITTEN.to_dict()))) == WRITTEN


@pytest.mark.parametrize(
    "told",
    [
        pytest.param({}, id="nothing"),
        pytest.param({**WRITTEN.to_dict(), "version": 99}, id="another version"),
        pytest.param({"version": 1}, id="parts missing"),
        pytest.param({**WRITTEN.to_dict(), "more": 1}, id="parts too many"),
    ],
)
def test_what_is_no_wrapper_says_so(told: dict[str, object]) -> None:
    with pytest.raises(BadInput):
        Wrapper.from_dict(told)


# As a database of an earlier version holds it: these keys do not change.
STORED: dict[str, Any] = {
    "where": ["html", "body", "table", "tbody"],
    "cut": {"way": "element", "level": "tag", "sign": "tr", "follows": [], "most": 1},
    "attributes": [
        {
            "name": "Title",
            "how": "header",
            "label": "",
            "place": "td[1]/a",
            "number": 1,
            "separator": "",
            "part": 0,
            "several": "",
        },
        {
            "name": "Author",
            "how": "header",
            "label": "",
            "place": "td[2]",
            "number": 1,
            "separator": "",
            "part": 0,
            "several": "",
        },
        {
            "name": "Year",
            "how": "label",
            "label": "year",
            "place": "",
            "number": 0,
            "separator": "",
            "part": 0,
            "several": "",
        },
        {
            "name": "Pages",
            "how": "label",
            "label": "pages",
            "place": "",
            "number": 0,
            "separator": "",
            "part": 0,
            "several": "",
        },
    ],
    "labels": {
        "names": ["pages", "year"],
        "places": ["td[3]/b:", "td[3]/i:"],
        "inside": ["td[3]/b", "td[3]/i"],
        "values": ["td[3]"],
    },
    "own": {"place": "td[1]/a", "number": 1, "begins": "/book/", "mould": "", "without": []},
    "title": "Title",
    "identity": "address",
    "shape": [
        ["label pages", 1.0],
        ["label year", 1.0],
        ["own page", 1.0],
        ["piece td[1]/a 1", 1.0],
        ["piece td[2] 1", 1.0],
    ],
    "marks": [],
    "frame": ["body/table", "body/ul", "html/body", "table/tbody", "tbody/tr", "tr/th", "ul/li"],
    "strangers": 1,
    "lines": 4,
    "declared": "",
    "learned_from": 6,
    "version": 1,
}


def test_a_wrapper_of_an_earlier_version_is_read_and_written_as_it_was() -> None:
    wrapper = Wrapper.from_dict(STORED)
    written = json.loads(json.dumps(wrapper.to_dict()))
    since = {"seen": [], "shapes": []}  # what attributes have since
    labels = STORED["labels"] | {"repeats": {}}
    attributes = [each | since for each in STORED["attributes"]]
    own = STORED["own"] | {"site": ""}
    assert written == STORED | {"attributes": attributes, "labels": labels, "own": own, "not_under": []}
    rows = "<tr><th>Title<th>Author<th>More</tr><tr><td><a href=/book/1>Emma</a><td>Austen<td><b>Year:</b> 1815</tr>"
    tree = tree_of(f"<ul><li>Home</ul><table>{rows}</table>")
    (record,) = apply_wrapper(wrapper, tree, "http://a.test/find").records
    assert record.values == (Value("Title", "Emma"), Value("Author", "Austen"), Value("Year", "1815"))


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
        pytest.param(TextPiece("b", "Sponsored"), True, id="word"),
        pytest.param(TextPiece("b", "[Anzeige]"), True, id="in brackets"),
        pytest.param(TextPiece("b", "広告"), True, id="in another script"),
        pytest.param(TextPiece(f"a/{SPONSORED_PLACE}", ""), True, id="marked link"),
        pytest.param(TextPiece("b", "Sponsored by the king"), False, id="a text"),
        pytest.param(TextPiece("b", "Novel"), False, id="another word"),
    ],
)
def test_adverts(piece: TextPiece, yes: bool) -> None:
    assert is_advert([piece]) is yes


PAGE = "http://a.test/"
ITEMS = [
    [
        LabelledPiece("", "a", 1, f"Book {n}", f"/b/{n}"),
        LabelledPiece("Year", "i", 1, str(n)),
        LabelledPiece("Shelf", "i", 1, f"s{n}"),
    ]
    for n in range(9, 3, -1)
]
OWN = learn_own_link(ITEMS, [PAGE] * len(ITEMS))
LIKENESS_WRAPPER = Wrapper(
    ("html",), Cut("element", "tag", "li"), own=OWN, shape=learn_shape(ITEMS, [PAGE] * len(ITEMS), OWN)
)


@pytest.mark.parametrize(
    ("told", "text", "yes"),
    [
        pytest.param(ITEMS[0], "", True, id="one of them"),
        pytest.param(ITEMS[0][:2], "", True, id="one without a value"),
        pytest.param(ITEMS[0][:2], "Sponsored", False, id="the same, but it says what it is"),
        pytest.param(ITEMS[0], "Sponsored", True, id="a record that is advertised, with all that records have"),
        pytest.param(
            [*ITEMS[0][:2], ITEMS[0][2]._replace(text="Ad")],
            "Ad",
            False,
            id="the word stands where records have a value",
        ),
        pytest.param(
            [LabelledPiece("", "a", 1, "Socks", "/"), LabelledPiece("Advice", "i", 1, "x")],
            "",
            False,
            id="another thing",
        ),
        pytest.param([LabelledPiece("", "img", 1, "", "/b/1")], "", False, id="without words"),
    ],
)
def test_records(told: list[LabelledPiece], text: str, yes: bool) -> None:
    assert is_record(LIKENESS_WRAPPER, Candidate((), (TextPiece("b", text),), PAGE), told) is yes


FRAME_PAGE = "<body><div class=head><b>Library</b></div><ul>{}</ul><p class=foot>Street</p></body>"


def test_the_frame_is_what_all_pages_have_without_their_records() -> None:
    one, two = tree_of(FRAME_PAGE.format("<li><i>a</i></li>")), tree_of(FRAME_PAGE.format(""))
    frame = find_surroundings([one, two], {id(node) for node in find_nodes(one, "li")})
    assert frame == ("body/div.head", "body/p.foot", "body/ul", "div.head/b", "html/body")
    assert surroundings_share(frame, two) == 1
    assert surroundings_share(frame, tree_of("<main>x</main>")) < 0.5
    assert surroundings_share((), two) == 0


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


def test_lines_are_parted_by_blocks_and_not_by_letters() -> None:
    tree = tree_of("<p><b>12</b> results of <i>40</i></p><ul><li>one</li></ul><div>Next<br>Last</div>")
    records = {id(node) for node in find_nodes(tree, "li")}
    assert find_outside_lines(tree, records) == ("12 results of 40", "Next", "Last")


def learn(*samples: AnswerSample) -> Wrapper:
    wrapper = learn_wrapper(samples)
    assert isinstance(wrapper, Wrapper), wrapper
    return wrapper


def read(wrapper: Wrapper, sample: AnswerSample) -> list[set[str]]:
    return [
        {value.text for value in record.values} for record in apply_wrapper(wrapper, sample.tree, sample.url).records
    ]


def holds(found: list[set[str]], rows: tuple[Row, ...]) -> bool:
    """Return True if the records are these, each with its own values."""
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
    sample = AnswerSample(tree_of(html), URL, ("the",))
    assert holds(read(learn(sample), sample), ROWS)


@pytest.mark.parametrize("adverts", [1, 3])
def test_what_leads_to_another_site_among_titles_is_no_record(adverts: int) -> None:
    """Nothing but the address tells an advertisement from records of one line."""

    def page(word: str) -> AnswerSample:
        lines = [f"<li><a href=/book/{number}>{word}, volume {number}</a></li>" for number in range(1, 15)]
        for place in range(adverts):
            lines.insert(
                4 * place + 2, f"<li><a href=http://ads{place}.test/{word}>Buy new tyres, {word} {place}</a></li>"
            )
        return AnswerSample(tree_of(f"<ol>{''.join(lines)}</ol>"), f"http://a.test/find?q={word}", (word,))

    samples = [page("emma"), page("shirley")]
    wrapper = learn_wrapper(samples)
    assert isinstance(wrapper, Wrapper)
    for sample in samples:
        records = apply_wrapper(wrapper, sample.tree, sample.url).records
        assert [record.url for record in records] == [f"http://a.test/book/{number}" for number in range(1, 15)]


def test_records_that_lead_to_many_sites_are_all_there() -> None:
    lines = "".join(
        f"<li><a href=http://emma{number}.test/>Emma, print {number}</a> of {number * 7} pages</li>"
        for number in range(8)
    )
    sample = AnswerSample(tree_of(f"<ol>{lines}</ol>"), "http://a.test/find?q=emma", ("emma",))
    wrapper = learn_wrapper([sample])
    assert isinstance(wrapper, Wrapper)
    assert len(apply_wrapper(wrapper, sample.tree, sample.url).records) == 8


def test_what_may_also_be_liked_is_no_record() -> None:
    liked = "<h2>You may also like</h2><div class='cards'>" + "".join(
        f"<div class='card'><h3><a href='/book/{number}'>Tale {number}</a></h3></div>" for number in (1, 2, 3)
    )
    first, second = answer("cards", ROWS[:5], liked), answer("cards", ROWS[5:7], liked)
    assert holds(read(learn(first), second), ROWS[5:7])


def test_what_stands_under_a_heading_and_does_not_answer_is_no_record() -> None:
    def page(kind: str, titles: list[str]) -> Node:
        cards = "".join(f"<div class=card><h3>{each}</h3><p>{kind}</p></div>" for each in titles)
        also = "".join(f"<div class=card><h3>Tale {each} of {kind[:2]}</h3></div>" for each in "abc")
        return tree_of(f"<div class=cards>{cards}</div><h2>See also</h2><div class=cards>{also}</div>")

    samples = [
        AnswerSample(page("Drama", ["Emma", "Hard Times", "Dubliners", "Ulysses"]), URL, ("Drama",)),
        AnswerSample(page("Comedy", ["Romola", "Persuasion", "Volpone"]), URL, ("Comedy",)),
    ]
    wrapper = learn_wrapper(samples)
    assert isinstance(wrapper, Wrapper)
    assert wrapper.not_under == ("See also",)
    found = apply_wrapper(wrapper, page("Western", ["Middlemarch"]), URL).records
    assert [[value.text for value in record.values] for record in found] == [["Middlemarch", "Western"]]


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
        pytest.param([AnswerSample(tree_of("<p>Nothing was found.</p>"), URL)], "repeats", id="nothing repeats"),
    ],
)
def test_what_cannot_be_learned_says_why(samples: list[AnswerSample], reason: str) -> None:
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
    wrapper = learn_wrapper([AnswerSample(first, "http://a.test/?q=x", ("x",)), AnswerSample(second, "nonsense")])
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
    wrapper = learn_wrapper([AnswerSample(tree, URL)])
    if isinstance(wrapper, Wrapper):
        apply_wrapper(wrapper, tree, URL)
    assert time.process_time() - begun < 40 * max(parsed, 0.05)


FIND = "http://a.test/find?q=x"
BOOK_WRAPPER = Wrapper(
    ("body",),
    Cut("element", "tag", "tr"),
    (Attribute("Title", "header"), Attribute("Author", "header")),
    own=OwnPageLink("td[1]/a", 1, "/book/", "/book/0", ("back",)),
    title="Title",
)
BOOK = (
    b"<h1>Library</h1><h2>Emma</h2><table><tr><th>author</th><td>Austen</td></tr></table><p>Opening hours: 9 to 5</p>"
)


def read_book(url: str, body: bytes = BOOK, wrapper: Wrapper = BOOK_WRAPPER) -> Record | None:
    tree = Document(Response(url, 200, (("content-type", "text/html"),), body)).nodes
    return read_own_page(wrapper, tree, url, {"Library", "9 to 5"})


def test_a_record_in_the_words_of_answers() -> None:
    wanted = Record(
        (Value("Title", "Emma"), Value("Author", "Austen")), "http://a.test/book/7", "http://a.test/book/7?back=1"
    )
    loose = Wrapper(
        BOOK_WRAPPER.where,
        BOOK_WRAPPER.cut,
        BOOK_WRAPPER.attributes,
        own=OwnPageLink("td[1]/a", 1, "/book/", "", ("back",)),
        title="Title",
    )
    assert read_book("http://a.test/book/7?back=1", wrapper=loose) == wanted


NO_OWN_PAGES = [
    ("another address", "http://a.test/list/7", BOOK, BOOK_WRAPPER),
    ("written differently", "http://a.test/book/new", BOOK, BOOK_WRAPPER),
    ("nothing said of it", "http://a.test/book/7", b"<h1>Library</h1><p>Hello</p>", BOOK_WRAPPER),
    ("records without pages", "http://a.test/book/7", BOOK, Wrapper(BOOK_WRAPPER.where, BOOK_WRAPPER.cut)),
    (
        "any address",
        "http://a.test/x",
        BOOK,
        Wrapper(BOOK_WRAPPER.where, BOOK_WRAPPER.cut, own=OwnPageLink("td[1]/a", 1, "/")),
    ),
]


@pytest.mark.parametrize(
    ("url", "body", "wrapper"), [row[1:] for row in NO_OWN_PAGES], ids=[row[0] for row in NO_OWN_PAGES]
)
def test_what_is_no_own_page(url: str, body: bytes, wrapper: Wrapper) -> None:
    assert read_book(url, body, wrapper) is None


def test_the_address_of_a_record() -> None:
    own = "http://a.test/book/7"
    assert find_own_page_address(Response(own, 200, redirects=(FIND,)), Page(own)) == own
    assert find_own_page_address(Response(FIND, 200), Page(FIND, canonical=own)) == own
    assert find_own_page_address(Response(FIND, 200), Page(FIND, canonical="http://b.test/book/7")) == ""
    assert find_own_page_address(Response(FIND, 200), Page(FIND)) == ""


def test_giant_pages_are_learned_from_two_at_a_time() -> None:
    tree = Node("html", content=tuple(Node("p") for _ in range(MAX_LEARNED_NODES // 2)))
    samples = [AnswerSample(tree, f"{URL}{number}") for number in range(4)]
    assert keep_last(samples) == samples[-2:]
    small = [AnswerSample(Node("html"), URL)] * 4
    assert keep_last(small) == small


QUERY_PAGE = "http://a.test/find?q=x"


def item(*hrefs: str) -> list[LabelledPiece]:
    return [LabelledPiece("", "a", number, f"t{href}", href) for number, href in enumerate(hrefs, 1)]


def test_the_link_that_leads_elsewhere_each_time_is_the_own_one() -> None:
    own = learn_own_link([item("/basket", f"/book/{n}") for n in (3, 8, 5)], [QUERY_PAGE] * 3)
    assert (own.number, own.begins, own.mould) == (2, "/book/", "/book/0")
    assert find_own_link(item("/basket", "/book/9"), own, QUERY_PAGE) == "http://a.test/book/9"


def test_answers_that_show_the_same_records_again_have_their_own_links_too() -> None:
    pages = [f"http://a.test/find?q={word}" for word in "abcd"]
    own = learn_own_link(
        [item(f"/book/{n}", "/help") for _ in pages for n in range(9)], [page for page in pages for _ in range(9)]
    )
    assert (own.number, own.begins) == (1, "/book/")


def test_there_may_be_none() -> None:
    assert learn_own_link([item("/same")] * 3, [QUERY_PAGE] * 3) == OwnPageLink()
    assert learn_own_link([item("#top"), item("javascript:x"), item("")], [QUERY_PAGE] * 3) == OwnPageLink()


def test_parameters_of_the_query_and_ranks_name_no_record() -> None:
    own = learn_own_link(
        [item(f"/show?id={n}&q=x&pos={place}") for place, n in enumerate((30, 81, 52), 1)], [QUERY_PAGE] * 3
    )
    assert own.without == ("pos", "q")
    assert record_key("http://a.test/show?id=30&q=x&pos=1", own) == "http://a.test/show?id=30"


def test_a_number_that_counts_along_is_kept_where_nothing_else_tells() -> None:
    """The first records of a source, in their order: what names them counts up as ranks do."""
    own = learn_own_link([item(f"/show?db=1&rec={n}") for n in range(5)], [QUERY_PAGE] * 5)
    assert own.without == ()
    assert record_key("http://a.test/show?db=1&rec=3", own) == "http://a.test/show?db=1&rec=3"


def test_an_address_of_another_kind_is_not_like_them() -> None:
    own = learn_own_link([item(f"/book/{n}") for n in (3, 8, 5)], [QUERY_PAGE] * 3)
    assert is_record_address("http://a.test/book/77", own)
    assert not is_record_address("http://a.test/", own)
    assert not is_record_address("http://a.test/book/77/reviews", own)


def test_ids_that_count_along_tell_nothing() -> None:
    assert learn_identity(OwnPageLink(), ["r917", "r220", "r348"]) == "id"
    assert learn_identity(OwnPageLink(), ["r1", "r2", "r3"]) == ""
    assert learn_identity(OwnPageLink("a", 1), ["r917", "r220"]) == "address"


def test_a_list_of_facets_at_the_same_kind_of_place_is_told_by_ids() -> None:
    def page(word: str) -> str:
        records = "".join(
            f"<li><a href=/item/{word}{number}>{word} {number}</a><br>by {name} - {year}</li>"
            for number, (name, year) in enumerate([("Ann", 1990), ("Ben", 1991), ("Cid", 1992), ("Dan", 1993)])
        )
        facets = "".join(f"<li><a href=/f?v={place}>{place}</a> ({len(word) + 3})</li>" for place in ("Rome", "Bonn"))
        return f"<body><div id=side><ul>{facets}</ul></div><div id=hits><ul>{records}</ul></div></body>"

    samples = [AnswerSample(tree_of(page(word)), f"http://a.test/?q={word}", (word,)) for word in ("tea", "coffee")]
    wrapper = learn_wrapper(samples)
    assert isinstance(wrapper, Wrapper)
    assert [len(apply_wrapper(wrapper, each.tree, each.url).records) for each in samples] == [4, 4]
