"""Lines as a text browser shows them."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dowse.page import lines
from dowse.page.groups import find_groups
from dowse.page.html import MAX_BODY, open_parser
from dowse.page.lines import MAX_DEPTH, MAX_LINES, MAX_PARTS, lay_out
from dowse.page.sheet import Line
from tests.page.hostile import BODIES
from tests.page.pages import BOTH


def lay(html: str | bytes, parser: str = "turbohtml", width: int = 80) -> list[Line]:
    """Lay a page out; its links are the anchors that lead to other pages."""
    pytest.importorskip(parser)
    reading = open_parser(parser)
    tree: Any = reading.parse(html.encode() if isinstance(html, str) else html, "utf-8")
    anchors = [anchor for anchor in tree.find_all("a") if (anchor.attr("href") or "#")[0] != "#"]
    places = {anchor: place for place, anchor in enumerate(anchors)}
    return lay_out(tree.root, places, reading.text_type, width)


def link(*words: str) -> str:
    return "".join(f"<a href=/x>{word}</a>" for word in words)


def places(html: str, parser: str = "turbohtml") -> list[tuple[int, ...]]:
    return [line.places for line in lay(html, parser)]


A, B, C = link("one"), link("two"), link("three")

ALONE, TOGETHER = [(0,), (1,)], [(0, 1)]


@BOTH
@pytest.mark.parametrize(
    ("html", "found"),
    [
        pytest.param(f"{A} {B}", TOGETHER, id="words flow"),
        pytest.param(f"{A}<br>{B}", ALONE, id="break"),
        pytest.param(f"<div>{A}</div>{B}", ALONE, id="end of a block"),
        pytest.param(f"{A}<p>{B}", ALONE, id="begin of a block"),
        pytest.param(f"<span>{A}</span><b>{B}</b>", TOGETHER, id="tags within a line"),
        pytest.param(f"<ul><li>{A}<li>{B}</ul>", ALONE, id="list"),
        pytest.param(f"<dl><dt>{A}<dd>{B}</dl>", ALONE, id="glossary"),
        pytest.param(f"<h2>{A}</h2>{B}", ALONE, id="heading"),
        pytest.param(f"<nav>{A}</nav><section>{B}</section>", ALONE, id="the blocks of HTML 5"),
        pytest.param(f"<table><tr><td>{A}<td>{B}</table>", TOGETHER, id="cells of a row"),
        pytest.param(f"<table><tr><td>{A}<tr><td>{B}</table>", ALONE, id="rows"),
        pytest.param(f"<table><tr><td><p>{A}<td><p>{B}</table>", ALONE, id="blocks in cells"),
        pytest.param(f"<table><tr><td><table><tr><td>{A}</table><td>{B}</table>", ALONE, id="table in a cell"),
        pytest.param(f"<pre>{A}\n{B}</pre>", ALONE, id="own line breaks"),
        pytest.param(f"{A}\n{B}", TOGETHER, id="line breaks of the source"),
        pytest.param(f"{A}<!-- <br> -->{B}", TOGETHER, id="comment"),
        pytest.param(f"{A}<script>x<br></script>{B}", TOGETHER, id="script"),
        pytest.param(f"{A}<noscript>{C}</noscript>", [(0,)], id="words for browsers without scripts"),
        pytest.param(f"{A}<div style='display:none'>{B}</div>", ALONE, id="a menu that opens"),
        pytest.param(f"{A}<a href=/y></a>{B}", [(0, 2)], id="link without words"),
        pytest.param(f"{A}<a href=/y><img alt=''></a>", [(0,)], id="image that says nothing"),
        pytest.param(f"{A}<a href=/y><img alt=Shop></a>", TOGETHER, id="image with words"),
        pytest.param(f"{A}<a href=/y><img src=/shop.gif></a>", TOGETHER, id="image by its name"),
        pytest.param(f"{A}<a href=/y>&raquo;</a>", TOGETHER, id="link of a sign"),
        pytest.param(f"{A}<textarea>x</textarea>{B}", [(0,), (), (1,)], id="field of several lines"),
        pytest.param(f"{A}<hr>{B}", [(0,), (), (1,)], id="rule"),
    ],
)
def test_where_lines_begin(html: str, found: list[tuple[int, ...]], parser: str) -> None:
    assert places(html, parser) == found


@BOTH
@pytest.mark.parametrize(
    ("html", "words", "anchor_words"),
    [
        pytest.param(f"two words {A}", 3, 1, id="plain"),
        pytest.param(f"see {link('our shop')} now", 4, 2, id="anchor between words"),
        pytest.param(f"{A} | {B} »", 2, 2, id="signs are no words"),
        pytest.param(f"{A} (12)", 2, 1, id="numbers are"),
        pytest.param(f"<a name=x>here</a> {A}", 2, 1, id="anchor that leads nowhere"),
        pytest.param(f"<a href='#top'>up there</a> {A}", 3, 3, id="anchor within the page"),
        pytest.param("<a href=x><img alt='our shop'></a>", 2, 2, id="words of an image"),
        pytest.param(f"<img src=ball.gif> {A} x", 2, 1, id="image without words"),
        pytest.param("<a href=x><img src=ball.gif></a>", 1, 1, id="link of an image without words"),
        pytest.param(f"<input name=q> {A} <input type=checkbox>", 3, 1, id="controls"),
        pytest.param(f"x {A} <input type=hidden name=q>", 2, 1, id="hidden control"),
        pytest.param(f"<input type=submit value='Find it'> {A}", 3, 1, id="button"),
        pytest.param(f"{A} <select><option>one<option>two words</select> y", 3, 1, id="choices count once"),
        pytest.param(f"a&nbsp;b {A}", 3, 1, id="blank that does not break"),
        pytest.param(f"<ol><li>{A}</ol>", 1, 1, id="numbers of a list are not the page's words"),
        pytest.param(f"<title>no</title><style>no</style><template>no</template>yes {A}", 2, 1, id="unseen"),
    ],
)
def test_words(html: str, words: int, anchor_words: int, parser: str) -> None:
    (line,) = lay(html, parser)
    assert (line.words, line.anchor_words) == (words, anchor_words)


@BOTH
@pytest.mark.parametrize(
    ("between", "parts"),
    [
        pytest.param("<p>words</p>", True, id="words"),
        pytest.param("words", True, id="words in no block"),
        pytest.param("<div><b><i>x</i></b></div>", True, id="words deep in a block"),
        pytest.param("<div><a name=x>here</a></div>", True, id="anchor that leads nowhere"),
        pytest.param("<p><img alt='a map'></p>", True, id="words of an image"),
        pytest.param("<div><input name=q></div>", True, id="control"),
        pytest.param("<form><select><option>x</select></form>", True, id="choices"),
        pytest.param("<hr>", True, id="rule"),
        pytest.param("<div><script>x</script><p>words</p></div>", True, id="words after what is not shown"),
        pytest.param("", False, id="nothing"),
        pytest.param("<p> </p><p>|</p><p>&nbsp;</p>", False, id="blanks and signs"),
        pytest.param("<div><img src=ball.gif></div>", False, id="image without words"),
        pytest.param("<div><script>x</script><noscript><p>x</p></noscript></div>", False, id="not shown"),
        pytest.param("<div><input type=hidden value=x></div>", False, id="hidden control"),
        pytest.param("<p><a href='#top'>up there</a></p>", False, id="anchor within the page"),
        pytest.param("<!-- words -->", False, id="comment"),
    ],
)
def test_what_ends_a_column_of_links(between: str, parts: bool, parser: str) -> None:
    words = [Line((), 1, 0)] if parts else []
    assert lay(f"<p>{A}</p>{between}<p>{B}</p>", parser) == [Line((0,), 1, 1), *words, Line((1,), 1, 1)]


def test_lines_without_links_are_left_out() -> None:
    assert lay("<p>words</p><p>more</p>") == []
    assert lay(f"<p>words</p><p>{A}</p>") == [Line((0,), 1, 1)]
    assert lay(f"<p>{A} {B}</p><p>words</p>") == [Line((0, 1), 2, 2)]


def test_words_wrap_where_lynx_wraps_them() -> None:
    text = " ".join([link("x" * 9), *["x" * 9] * 13])
    assert [line.words for line in lay(f"<p>{text}")] == [7, 7]  # columns 4 to 74
    assert [line.words for line in lay(f"<p>{text} yy")] == [7, 7, 1]
    assert [line.words for line in lay(f"<ul><li>{text}")] == [6, 6, 2]
    assert [line.words for line in lay(f"<h2>{text}")] == [8, 6]
    assert [line.words for line in lay(text, width=30)] == [2] * 7


def test_a_link_belongs_to_the_line_it_begins_on() -> None:
    filling = "x" * 64
    assert lay(f"{filling} <a href=/a>longer</a> {B}") == [Line((0,), 2, 1), Line((1,), 1, 1)]
    assert lay(f"{filling} <a href=/a>longest</a> {B}") == [Line((), 1, 0), Line((0, 1), 2, 2)]
    assert lay(f"{filling} <a href=/a>long er</a> {B}") == [Line((0,), 2, 1), Line((1,), 2, 2)]


def test_blanks_that_do_not_break_take_columns() -> None:
    html = " &nbsp; &nbsp; &nbsp; ".join([link("sixsix")] * 9)
    assert len(places(html)) > len(places(html.replace("&nbsp;", "")))


def test_a_word_longer_than_a_line() -> None:
    assert [line.words for line in lay(link("a") + " " + "x" * 500 + " b")] == [1, 1, 1]


@BOTH
@pytest.mark.parametrize("name", BODIES)
def test_hostile_bodies(name: str, parser: str) -> None:
    found = lay(BODIES[name][: MAX_BODY // 4], parser)
    assert len(found) <= MAX_LINES
    assert all(line.words >= line.anchor_words >= 0 for line in found)


@BOTH
def test_bounds(parser: str) -> None:
    html = link("x") * 14_000
    assert sum(len(line.places) for line in lay(html, parser)) == (14_000 if parser == "turbohtml" else 7_500)
    assert 0 < sum(len(line.places) for line in lay(link("x") * MAX_PARTS, parser)) <= MAX_PARTS // 2
    assert lay("<div>" * (MAX_DEPTH - 3) + A, parser) == [Line((0,), 1, 1)]  # html, body and a are the other three
    assert lay(A + "<div>" * MAX_DEPTH + B, parser) == [Line((0,), 1, 1)]


TAGS = (
    "a b br div p ul li table tr td h1 pre img input select option textarea script hr button svg noscript template dd"
)
PIECE = st.one_of(
    st.sampled_from([f"<{tag}>" for tag in TAGS.split()] + [f"</{tag}>" for tag in TAGS.split()]),
    st.sampled_from(
        ["<a href=/x>", "<a href=#>", "<img alt='some words'>", "<input type=hidden>", "&nbsp;", " ", "\n"]
    ),
    st.text(max_size=100),
)


@given(st.lists(PIECE, max_size=60), st.integers(-5, 200))
@settings(max_examples=150, deadline=None)
def test_any_tree_gives_lines(pieces: list[str], width: int) -> None:
    html = "".join(pieces)
    laid = lay(html, width=width)
    found = [place for line in laid for place in line.places]
    assert found == sorted(set(found)), "a link begins once, and they begin in their order"
    assert all(line.words >= line.anchor_words >= 0 and (line.words or line.places) for line in laid)


@given(st.lists(PIECE, max_size=40))
@settings(max_examples=100, deadline=None)
def test_both_parsers_agree(pieces: list[str]) -> None:
    html = "".join(pieces).replace("\0", "").replace("\r", "")
    assert lay(html) == lay(html, "selectolax")


@given(st.lists(PIECE, max_size=60), st.integers(-5, 200))
@settings(max_examples=200, deadline=None)
def test_what_is_passed_over_changes_no_group(pieces: list[str], width: int) -> None:
    html = "".join(pieces)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(lines, "_find_holding", lambda links: Everything())
        whole = find_groups(lay(html, width=width))
    assert find_groups(lay(html, width=width)) == whole


class Everything:
    """Holds whatever is asked for."""

    def __contains__(self, part: object) -> bool:
        return True


@pytest.mark.parametrize("part", ["<dl><dt>", "<dl><dd>", "<ul><li>", "<blockquote>", "<div>", "<table><tr><td>"])
def test_no_nesting_is_too_deep(part: str, parser: str) -> None:
    assert lay(part * 2_000 + A, parser) is not None
