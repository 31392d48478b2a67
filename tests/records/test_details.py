from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Callable, Mapping
from contextlib import nullcontext

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dowse.errors import BadInput
from dowse.model import Value
from dowse.records.details import (
    MAX_PAGE_VALUES,
    PAGE_WRAPPER_VERSION,
    BadName,
    PageWrapper,
    learn_page_wrapper,
    read_page_values,
)
from dowse.tree import Node
from tests.records.trees import ROWS, Row, tree_of

Design = Callable[[Row], str]

MENU = "".join(f"<li><a href='/{word}'>{word} of the shop</a></li>" for word in ("Start", "News", "Help"))


def page(inner: str) -> str:
    """Return a page of the shop around what it says of one thing."""
    return (
        f"<html><body><ul class=menu>{MENU}</ul><div id=main>{inner}</div><p class=foot>1 High Street</p></body></html>"
    )


def trees(design: Design, rows: tuple[Row, ...] = ROWS) -> list[Node]:
    return [tree_of(page(design(row))) for row in rows]


def read(wrapper: PageWrapper, tree: Node) -> dict[str, list[str]]:
    """Return the values of a page by attribute."""
    found: dict[str, list[str]] = defaultdict(list)
    for value in read_page_values(wrapper, tree):
        found[value.attribute].append(value.text)
    return dict(found)


def _cells(row: Row) -> str:
    return f"<table><tr><td>Author</td><td>{row[2]}</td></tr><tr><td>Year</td><td>{row[3]}</td></tr></table>"


def _heads(row: Row) -> str:
    return f"<table><tr><th>Author</th><td>{row[2]}</td></tr><tr><th>Year</th><td>{row[3]}</td></tr></table>"


def _terms(row: Row) -> str:
    return f"<dl><dt>Author</dt><dd>{row[2]}</dd><dt>Year</dt><dd>{row[3]}</dd></dl>"


def _lines(row: Row) -> str:
    return f"<ul><li>Author: {row[2]}</li><li>Year: {row[3]}</li></ul>"


def _bold(row: Row) -> str:
    return f"<p><b>Author:</b> {row[2]}<br><b>Year:</b> {row[3]}</p>"


def _declared(row: Row) -> str:
    said = {"@type": "Book", "Author": {"@type": "Person", "name": row[2]}, "Year": int(row[3])}
    return f"<script type='application/ld+json'>{json.dumps(said)}</script>"


def _properties(row: Row) -> str:
    return f"<div itemscope itemtype='Book'><p itemprop=Author>{row[2]}</p><meta itemprop=Year content={row[3]}></div>"


def _classes(row: Row) -> str:
    return f"<p class=Author>{row[2]}</p><p id=item-Year>{row[3]}</p>"


@pytest.mark.parametrize(
    ("design", "how"),
    [
        pytest.param(_cells, "label", id="cells of a row"),
        pytest.param(_heads, "label", id="a head and a cell"),
        pytest.param(_terms, "label", id="terms"),
        pytest.param(_lines, "label", id="in one text"),
        pytest.param(_bold, "label", id="bold before it"),
        pytest.param(_declared, "json-ld", id="declared in a script"),
        pytest.param(_properties, "itemprop", id="microdata"),
        pytest.param(_classes, "class", id="classes and ids"),
    ],
)
def test_an_attribute_is_named_by_what_the_page_calls_it(design: Design, how: str) -> None:
    *learned, (_, _, author, year) = ROWS
    wrapper = learn_page_wrapper(trees(design, tuple(learned)))
    found = {name.casefold(): texts for name, texts in read(wrapper, trees(design)[-1]).items()}
    assert found == {"author": [author], "year": [year]}
    assert {each.how for each in wrapper.attributes} == {how}


def test_a_heading_is_the_title_and_what_has_no_name_is_counted() -> None:
    wrapper = learn_page_wrapper(trees(lambda row: f"<h1>{row[1]}</h1><p>{row[2]}</p>", ROWS[:5]))
    found = read(wrapper, trees(lambda row: f"<h1>{row[1]}</h1><p>{row[2]}</p>")[9])
    assert found == {"title": [ROWS[9][1]], "text 1": [ROWS[9][2]]}


def test_menus_and_footers_are_no_data() -> None:
    wrapper = learn_page_wrapper(trees(_cells))
    texts = [value.text for value in read_page_values(wrapper, trees(_cells)[0])]
    assert texts == [ROWS[0][2], ROWS[0][3]]


def test_a_missing_row_shifts_nothing() -> None:
    def design(row: Row) -> str:
        first = f"<tr><td>Author</td><td>{row[2]}</td></tr>" if int(row[3]) % 2 else ""
        return f"<table>{first}<tr><td>Year</td><td>{row[3]}</td></tr><tr><td>Title</td><td>{row[1]}</td></tr></table>"

    wrapper = learn_page_wrapper(trees(design))
    for row, tree in zip(ROWS, trees(design), strict=True):
        expected = {"Year": [row[3]], "Title": [row[1]]} | ({"Author": [row[2]]} if int(row[3]) % 2 else {})
        assert read(wrapper, tree) == expected


def test_several_values_of_one_name_are_all_read() -> None:
    def design(row: Row) -> str:
        authors = [row[2], "Kit Lark", "Lou Moss"][: 1 + ROWS.index(row) % 3]
        links = ", ".join(f"<a href='/by/{each}'>{each}</a>" for each in authors)
        return f"<h1>{row[1]}</h1><p><span>Author:</span> {links}</p>"

    wrapper = learn_page_wrapper(trees(design))
    told = {row[1]: read(wrapper, tree)["Author"] for row, tree in zip(ROWS, trees(design), strict=True)}
    assert all(row[2] in told[row[1]] and len(told[row[1]]) == 1 + ROWS.index(row) % 3 for row in ROWS)


def test_a_value_that_all_pages_share_is_read_where_a_name_says_what_it_is() -> None:
    def design(row: Row) -> str:
        return f"<table><tr><td>Author</td><td>{row[2]}</td></tr><tr><td>Binding</td><td>Paper</td></tr></table>"

    assert read(learn_page_wrapper(trees(design)), trees(design)[0])["Binding"] == ["Paper"]


def test_a_value_that_most_pages_share_is_no_part_of_the_template() -> None:
    def design(row: Row) -> str:
        return f"<h1>{row[1]}</h1><p class=binding>{'Leather' if row == ROWS[4] else 'Paper'}</p>"

    wrapper = learn_page_wrapper(trees(design))
    assert [read(wrapper, tree)["binding"] for tree in trees(design)[3:6]] == [["Paper"], ["Leather"], ["Paper"]]


def test_a_class_that_tells_a_state_changes_no_place() -> None:
    def design(row: Row) -> str:
        state = ("cheap", "dear", "sold")[ROWS.index(row) % 3]
        return f"<h1>{row[1]}</h1><div class='offer {state}'><span class=price>${row[3]}</span></div>"

    wrapper = learn_page_wrapper(trees(design, ROWS[:6]))
    unseen = tree_of(page("<h1>New</h1><div class='offer gone'><span class=price>$7</span></div>"))
    assert read(wrapper, unseen) == {"title": ["New"], "price": ["$7"]}


@pytest.mark.parametrize(
    "crumbs",
    [
        "<p><a href=/>Home</a> &gt; <a href=/b>Books</a> &gt; <a href=/b/f>The big list of fiction</a> &gt; {}</p>",
        '<p class="breadcrumbs"><a href=/b/f>The big list of fiction</a> &gt; {}</p>',
    ],
    ids=["a trail of links", "by its class"],
)
def test_a_crumb_names_nothing(crumbs: str) -> None:
    learned = learn_page_wrapper(trees(lambda row: crumbs.format(row[1]) + _cells(row)))
    assert not [each.name for each in learned.attributes if "big list" in each.name]


def _related(row: Row) -> str:
    start = ROWS.index(row)
    others = [ROWS[(start + step) % len(ROWS)] for step in range(5)]
    items = (f"<li><a href='/{each[0]}'>{each[1]}</a><i>${each[3]}</i></li>" for each in others)
    return f"<h1>{row[1]}</h1><div class=also><h2>See also</h2><ul class=others>{''.join(items)}</ul></div>"


def test_a_box_of_links_to_other_pages_is_left_out() -> None:
    wrapper = learn_page_wrapper(trees(_related))
    assert [read(wrapper, tree) for tree in trees(_related)] == [{"title": [row[1]]} for row in ROWS]


def test_links_after_names_are_judged_apart() -> None:
    def design(row: Row) -> str:
        names = (("Author", row[2]), ("Place", f"{row[1]} Press"), ("Kept at", f"Shelf {row[0]}"), ("Year", row[3]))
        return "".join(f"<div><h4>{name}:</h4> <a href='/x/{text}'>{text}</a></div>" for name, text in names)

    wrapper = learn_page_wrapper(trees(design))
    title, author = ROWS[6][1:3]
    expected = {
        "Author": [author],
        "Place": [f"{title} Press"],
        "Kept at": [f"Shelf {ROWS[6][0]}"],
        "Year": [ROWS[6][3]],
    }
    assert read(wrapper, trees(design)[6]) == expected


@pytest.mark.parametrize(
    ("before", "heading", "name"),
    [
        pytest.param(
            "<div><a href=/>Home</a> <a href=/c>Contact</a></div>", "<h1 class=name>{}</h1>", "title", id="menu"
        ),
        pytest.param("<p><a href=/>Welcome</a> &gt; <a href=/b>back</a></p>", "<h1>{}</h1>", "title", id="breadcrumb"),
        pytest.param("<p>Name:</p>", "<h1>{}</h1>", "title", id="a name of its own"),
        pytest.param("<h2>Welcome</h2>", "<h2>{}</h2>", "heading", id="a heading before a heading"),
        pytest.param("<p><a href=/>back</a></p>", "<h3 class=river>{}</h3>", "river", id="class of a heading"),
        pytest.param("<p><a href=/>back</a></p>", "<h2 id=river><b>{}</b></h2>", "river", id="id around it"),
        pytest.param("<p><a href=/>back</a></p>", "<p class=river>{}</p>", "river", id="a link in another block"),
        pytest.param("<div><a href=/>back</a></div>", "<div>{}</div>", "text 1", id="a link in a block like it"),
        pytest.param("", "<ul class=river><li><a href=/>b</a></li><li>{}</li></ul>", "river", id="a list of steps"),
        pytest.param(
            "",
            "<table><tr><th>A<th>B</tr><tr><td colspan=2 class=x>{}</tr></table>",
            "text 1",
            id="heads that fit no cell",
        ),
        pytest.param("", "<table><tr><th>River</tr><tr><td>{}</tr></table>", "River", id="one head"),
        pytest.param("", "<h2>River: {}</h2>", "River", id="a name in the heading"),
        pytest.param("", "<h2><span>River:</span> {}</h2>", "River", id="a name in a tag of the heading"),
        pytest.param("", "<p><a href=/help>River</a> {}</p>", "River", id="a link in the same block"),
        pytest.param("", "<dl><dt><a href=/h>River</a></dt><dd>{}</dd></dl>", "River", id="a linked term"),
    ],
)
def test_what_stands_before_a_heading_or_links_elsewhere_names_nothing(before: str, heading: str, name: str) -> None:
    wrapper = learn_page_wrapper(trees(lambda row: before + heading.format(row[1])))
    assert read(wrapper, trees(lambda row: before + heading.format(row[1]))[3]) == {name: [ROWS[3][1]]}


@pytest.mark.parametrize(
    "foot",
    [
        pytest.param("<footer><p>{} Ltd</p></footer>", id="footer"),
        pytest.param("<p>© {} Ltd</p>", id="sign"),
        pytest.param("<p>All rights reserved, {} ©</p>", id="sign at the end"),
        pytest.param("<div>Copyright 2001 {}</div>", id="word"),
        pytest.param("<div>COPYRIGHT by <a href=/>{}</a></div>", id="word before a link"),
        pytest.param("<p>© <a href=/>{}</a></p>", id="sign before a link"),
    ],
)
def test_copyright_is_no_data(foot: str) -> None:
    def design(row: Row) -> str:
        return f"<h1>{row[1]}</h1>{foot.format(row[2])}"

    assert read(learn_page_wrapper(trees(design)), trees(design)[5]) == {"title": [ROWS[5][1]]}


@pytest.mark.parametrize(
    ("html", "name"),
    [
        pytest.param("<table><tr><td>Copyright</td><td>{}</td></tr></table>", "Copyright", id="a name"),
        pytest.param("<p>Copyright: {}</p>", "Copyright", id="a name with a colon"),
        pytest.param(f"<p class=story>{{}} {'and so on ' * 20} © 1990</p>", "story", id="the end of a long text"),
    ],
)
def test_a_year_of_copyright_can_be_data(html: str, name: str) -> None:
    found = read(learn_page_wrapper(trees(lambda row: html.format(row[3]))), trees(lambda row: html.format(row[3]))[5])
    assert found[name][0].startswith(ROWS[5][3])


@pytest.mark.parametrize("design", [_cells, _lines, _declared, _related], ids=["cells", "lines", "declared", "related"])
def test_a_wrapper_is_plain_data(design: Design) -> None:
    wrapper = learn_page_wrapper(trees(design))
    written = json.loads(json.dumps(wrapper.to_dict()))
    assert PageWrapper.from_dict(written) == wrapper
    assert read_page_values(PageWrapper.from_dict(written), trees(design)[2]) == read_page_values(
        wrapper, trees(design)[2]
    )


@pytest.mark.parametrize(
    ("told", "why"),
    [
        pytest.param({}, "of version None", id="nothing"),
        pytest.param({"version": 99}, "of version 99", id="a later version"),
        pytest.param(
            {"version": 1}, "of version 1, not 2; --relearn", id="before cells had the heads of their columns"
        ),
        pytest.param({"version": PAGE_WRAPPER_VERSION}, "not a wrapper of pages", id="keys missing"),
        pytest.param(
            {
                "version": PAGE_WRAPPER_VERSION,
                "attributes": [{"nome": 1}],
                "texts": {},
                "inside": {},
                "usual": [],
                "learned_from": 2,
            },
            "not a wrapper of pages",
            id="an attribute of another kind",
        ),
        pytest.param(
            {
                "version": PAGE_WRAPPER_VERSION,
                "attributes": [],
                "texts": [],
                "inside": {},
                "usual": [],
                "learned_from": 2,
            },
            "not a wrapper of pages",
            id="texts without places",
        ),
    ],
)
def test_what_is_no_wrapper_is_told(told: Mapping[str, object], why: str) -> None:
    with pytest.raises(BadInput, match=why):
        PageWrapper.from_dict(told)


@pytest.mark.parametrize(
    ("shares", "is_read"), [((0.5, 0.5), True), ((0.334, 0.667), True), ((1.0, 0.5), False)], ids=str
)
def test_one_name_is_for_places_on_different_pages(shares: tuple[float, float], is_read: bool) -> None:
    named = [{"name": "price", "how": "label", "place": str(share), "share": share} for share in shares]
    told = PageWrapper().to_dict() | {"attributes": named}
    with nullcontext() if is_read else pytest.raises(BadName, match=r"attributes\[1\].name 'price' is the name of"):
        PageWrapper.from_dict(told)


def test_names_can_be_read_again_whatever_pages_call_things() -> None:
    def design(row: Row) -> str:
        facts = "".join(f"<tr><th>{name}</th><td>{name} {row[0]}</td></tr>" for name in ("Price", "Price 2"))
        return f"<table>{facts}</table><div><b>Price:</b> {row[0]} 9</div><p itemprop='_url'>{row[0]}</p>"

    wrapper = learn_page_wrapper(trees(design))
    names = [each.name for each in wrapper.attributes]
    assert len(set(names)) == len(names)
    assert PageWrapper.from_dict(wrapper.to_dict()) == wrapper


def test_one_page_is_not_enough() -> None:
    with pytest.raises(BadInput, match="2 pages or more; 1 given"):
        learn_page_wrapper(trees(_cells)[:1])


def test_values_are_bounded() -> None:
    def design(row: Row) -> str:
        return "".join(f"<p><b>Word:</b> {row[0]} {number}</p>" for number in range(2_000))

    assert (
        len(read_page_values(learn_page_wrapper(trees(design, ROWS[:3])), trees(design, ROWS[:1])[0]))
        == MAX_PAGE_VALUES
    )


def test_deep_pages_are_read() -> None:
    deep = Node("b", {}, ("x",))
    for number in range(5_000):
        deep = Node("b", {}, (str(number), deep))
    assert len(learn_page_wrapper([deep, deep]).attributes) == 0


_TEXTS = st.text(alphabet="ab: =1ß", max_size=8)
_NODES = st.recursive(
    _TEXTS,
    lambda inner: st.builds(
        lambda tag, css, content: Node(tag, {"class": css} if css else {}, tuple(content)),
        st.sampled_from("div p li tr td th dt dd h1 b a br".split()),
        st.sampled_from(["", "x", "y z", "n7"]),
        st.lists(inner, max_size=4),
    ),
    max_leaves=12,
)


@settings(max_examples=60, deadline=None)
@given(st.lists(st.lists(_NODES, max_size=4), min_size=2, max_size=4))
def test_any_pages_give_a_wrapper_whose_values_stand_on_them(pages: list[list[Node | str]]) -> None:
    made = [Node("html", {}, tuple(each)) for each in pages]
    wrapper = learn_page_wrapper(made)
    names = {each.name for each in wrapper.attributes}
    for tree in made:
        values = read_page_values(wrapper, tree)
        assert len(set(values)) == len(values)
        assert all(isinstance(value, Value) and value.attribute in names and value.text for value in values)
    assert PageWrapper.from_dict(wrapper.to_dict()) == wrapper
    assert learn_page_wrapper(made) == wrapper
