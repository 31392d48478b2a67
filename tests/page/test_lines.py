"""Lines as a text browser shows them."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dowse.model import LinkGroup, Response, SeenOnSite
from dowse.page import lines, read_page
from dowse.page.charset import MAX_BODY
from dowse.page.lines import (
    BLANK,
    FLOWING,
    MAX_DEPTH,
    MAX_LINES,
    MAX_PARTS,
    WRITTEN,
    Line,
    Piece,
    _fit,
    _Sheet,
    find_groups,
    lay_out,
    rank_groups,
    set_lines,
    share_of_anchors,
)
from dowse.page.parser import attribute, parse
from tests.page.hostile import BODIES


def text(words: str, place: int | None = None) -> Piece:
    return words, FLOWING, place is not None, place


@pytest.mark.parametrize(
    ("pieces", "lines"),
    [
        pytest.param([text("one link", 0)], [Line((0,), 2, 2)], id="a link"),
        pytest.param([text("a", 0), BLANK, text("|"), BLANK, text("b", 1)], [Line((0, 1), 2, 2)], id="in one line"),
        pytest.param([text("x" * 19, 0), BLANK, text("y")], [Line((0,), 1, 1), Line((), 1, 0)], id="too long"),
        pytest.param([text("x" * 18, 0), BLANK, text("y")], [Line((0,), 2, 1)], id="just not too long"),
        pytest.param([text("a", 0), ("x", 20, False, None)], [Line((0,), 1, 1), Line((), 1, 0)], id="control"),
        pytest.param([("a\nb", WRITTEN, True, 3)], [Line((3,), 1, 1), Line((), 1, 1)], id="own line breaks"),
        pytest.param([text("a\n\t b", 0)], [Line((0,), 2, 2)], id="blanks of the source"),
        pytest.param([text("x" * 15 + 4 * "\xa0"), text("a", 0)], [Line((), 1, 0), Line((0,), 1, 1)], id="hard blanks"),
    ],
)  # fmt: skip
def test_lines(pieces: list[Piece], lines: list[Line]) -> None:
    assert list(set_lines(pieces, 20)) == lines


PIECES = st.one_of(
    st.just(BLANK),
    st.builds(text, st.text(st.sampled_from("ab|  \n\t\xa0"), min_size=1, max_size=12).filter(str.strip)),
    st.builds(text, st.text(st.sampled_from("ab| \xa0"), min_size=1, max_size=12).filter(str.strip), st.integers(0, 9)),
    st.tuples(st.sampled_from(("x", "", "a b")), st.integers(1, 20), st.booleans(), st.none()),
)


@given(st.lists(PIECES, max_size=12), st.integers(20, 60))
def test_what_fits_in_one_line_is_that_line(pieces: list[Piece], room: int) -> None:
    line = _fit(pieces, room)
    if line is not None:
        assert _Sheet(room).write(pieces) == ([line] if line.words or line.places else [])


def lay(html: str | bytes, width: int = 80) -> list[Line]:
    """Lay a page out; its links are the anchors that lead to other pages."""
    tree = parse(html if isinstance(html, str) else html.decode("utf-8", "replace"))
    anchors = [anchor for anchor in tree.tags("a") if (attribute(anchor, "href") or "#")[0] != "#"]
    places = {anchor: place for place, anchor in enumerate(anchors)}
    assert tree.root is not None
    return lay_out(tree.root, places, width)


def link(*words: str) -> str:
    return "".join(f"<a href=/x>{word}</a>" for word in words)


def places(html: str) -> list[tuple[int, ...]]:
    return [line.places for line in lay(html)]


A, B, C = link("one"), link("two"), link("three")

ALONE, TOGETHER = [(0,), (1,)], [(0, 1)]


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
def test_where_lines_begin(html: str, found: list[tuple[int, ...]]) -> None:
    assert places(html) == found


@pytest.mark.parametrize(
    ("html", "words", "anchor_words"),
    [
        pytest.param(f"two words {A}", 3, 1, id="plain"),
        pytest.param(f"see {link('our shop')}", 3, 2, id="anchor of two words"),
        pytest.param(f"see {A}{B}{A} now", 5, 3, id="anchors between words"),
        pytest.param(f"{A} | {B} »", 2, 2, id="signs are no words"),
        pytest.param(f"{A} (12)", 2, 1, id="numbers are"),
        pytest.param(f"<a name=x>here</a> {A}", 2, 1, id="anchor that leads nowhere"),
        pytest.param(f"<a href='#top'>up there</a> {A}", 3, 3, id="anchor within the page"),
        pytest.param("<a href=x><img alt='our shop'></a>", 2, 2, id="words of an image"),
        pytest.param(f"<img src=ball.gif> {A} x", 2, 1, id="image without words"),
        pytest.param("<a href=x><img src=ball.gif></a>", 1, 1, id="link of an image without words"),
        pytest.param(f"{A} <input name=q> <input type=checkbox>", 3, 1, id="controls"),
        pytest.param(f"x {A} <input type=hidden name=q>", 2, 1, id="hidden control"),
        pytest.param(f"<input type=submit value='Find it'> {A}", 3, 1, id="button"),
        pytest.param(f"{A} <select><option>one<option>two words</select> y", 3, 1, id="choices count once"),
        pytest.param(f"a&nbsp;b {A}", 3, 1, id="blank that does not break"),
        pytest.param(f"<ol><li>{A}</ol>", 1, 1, id="numbers of a list are not the page's words"),
        pytest.param(f"<title>no</title><style>no</style><template>no</template>yes {A}", 2, 1, id="unseen"),
    ],
)
def test_words(html: str, words: int, anchor_words: int) -> None:
    (line,) = lay(html)
    assert (line.words, line.anchor_words) == (words, anchor_words)


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
def test_what_ends_a_column_of_links(between: str, parts: bool) -> None:
    words = [Line((), 1, 0)] if parts else []
    assert lay(f"<p>{A}</p>{between}<p>{B}</p>") == [Line((0,), 1, 1), *words, Line((1,), 1, 1)]


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


@pytest.mark.parametrize("name", BODIES)
def test_hostile_bodies(name: str) -> None:
    found = lay(BODIES[name][: MAX_BODY // 4])
    assert len(found) <= MAX_LINES
    assert all(line.words >= line.anchor_words >= 0 for line in found)


def test_bounds() -> None:
    html = link("x") * 14_000
    assert sum(len(line.places) for line in lay(html)) == 14_000
    assert 0 < sum(len(line.places) for line in lay(link("x") * MAX_PARTS)) <= MAX_PARTS // 2
    assert lay("<div>" * (MAX_DEPTH - 3) + A) == [Line((0,), 1, 1)]  # html, body and a are the other three
    assert lay(A + "<div>" * MAX_DEPTH + B) == [Line((0,), 1, 1)]


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


def test_prose_is_one_line_of_words() -> None:
    assert lay(f"see {A} or {B} there") == [Line((), 1, 0)]
    assert lay(f"see {A} {'and more ' * 30} {B} there") == [Line((), 1, 0)]
    assert lay(f"{A} or {B} there") == [Line((0, 1), 4, 2)], "its first line might be a link alone, with those above it"


@given(st.lists(PIECE, max_size=60), st.integers(-5, 200))
@settings(max_examples=200, deadline=None)
def test_what_is_passed_over_changes_no_group(pieces: list[str], width: int) -> None:
    html = "".join(pieces)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(lines, "_find_holding", lambda links: Everything())
        patch.setattr(lines, "_is_prose", lambda pieces: False)
        whole = find_groups(lay(html, width=width))
    assert find_groups(lay(html, width=width)) == whole


class Everything:
    """Holds whatever is asked for."""

    def __contains__(self, part: object) -> bool:
        return True


def single(place: int, words: int = 1) -> Line:
    """Return a line that is one link."""
    return Line((place,), words, words)


PROSE = Line((), 8, 0)
MENU = Line((0, 1, 2), 5, 3)
COLUMN = [single(3), single(4, 2), single(5)]


@pytest.mark.parametrize(
    ("lines", "found"),
    [
        pytest.param([], [], id="nothing"),
        pytest.param([MENU], [LinkGroup((0, 1, 2), 5, 3, False)], id="one line"),
        pytest.param(COLUMN, [LinkGroup((3, 4, 5), 4, 4, True)], id="lines of their own"),
        pytest.param([Line((0, 1), 2, 2)], [], id="two are too few"),
        pytest.param([single(0), single(1)], [], id="two lines are too few"),
        pytest.param([single(0), PROSE, single(1), single(2)], [], id="words end a column"),
        pytest.param([single(0), single(1), Line((2,), 3, 1)], [], id="a link beside words is none of it"),
        pytest.param([single(0), Line((1, 2), 2, 2), single(3), single(4)], [], id="a line of links ends a column"),
        pytest.param(
            [single(0), single(1), Line((), 2, 2), single(2)],
            [LinkGroup((0, 1, 2), 3, 3, True)],
            id="the rest of a long anchor does not",
        ),
        pytest.param(
            [MENU, *COLUMN],
            [LinkGroup((0, 1, 2), 5, 3, False), LinkGroup((3, 4, 5), 4, 4, True)],
            id="a line of links is a group of its own",
        ),
        pytest.param(
            [MENU, Line((3, 4, 5), 3, 3)],
            [LinkGroup((0, 1, 2), 5, 3, False), LinkGroup((3, 4, 5), 3, 3, False)],
            id="two lines of links are two groups",
        ),
        pytest.param(
            [MENU, Line((), 2, 2), *COLUMN],
            [LinkGroup((0, 1, 2), 5, 3, False), LinkGroup((3, 4, 5), 4, 4, True)],
            id="a column does not join the line above it",
        ),
    ],
)
def test_find_groups(lines: list[Line], found: list[LinkGroup]) -> None:
    assert find_groups(lines) == tuple(found)


def test_rank_is_as_in_the_figure() -> None:
    first, second = LinkGroup((0, 1, 2), 5, 3), LinkGroup((4, 5, 6, 7), 15, 4)
    ranked = rank_groups([first, second], 10, size=0.5, words=0.3, distance=0.2)
    # links are counted from 1: the middles stand at 2 and 6.5, 8 and 3.5 links over the bottom
    assert ranked == [
        (pytest.approx(0.5 * 4 / 7 + 0.3 * 15 / 20 + 0.2 * 3.5 / 11.5), second),
        (pytest.approx(0.5 * 3 / 7 + 0.3 * 5 / 20 + 0.2 * 8 / 11.5), first),
    ]


@pytest.mark.parametrize(
    ("weights", "best"),
    [
        pytest.param({"size": 1, "words": 0, "distance": 0}, 1, id="the largest"),
        pytest.param({"size": 0, "words": 1, "distance": 0}, 2, id="the wordiest"),
        pytest.param({"size": 0, "words": 0, "distance": 1}, 0, id="the highest"),
        pytest.param({"size": 0, "words": 1, "distance": 0, "share": share_of_anchors}, 1, id="the purest"),
        pytest.param({"size": 0, "words": 0, "distance": 0}, 0, id="the first of equals"),
    ],
)
def test_weights(weights: dict[str, float], best: int) -> None:
    groups = [LinkGroup((0, 1, 2), 6, 3), LinkGroup((3, 4, 5, 6), 4, 4), LinkGroup((7, 8, 9), 30, 3)]
    assert rank_groups(groups, 10, **weights)[0][1] == groups[best]  # type: ignore[arg-type]


def test_nothing_to_rank() -> None:
    assert rank_groups([], 0) == []
    assert rank_groups([LinkGroup((0, 1, 2))], 3)[0][0] > 0  # links of signs have no words


LINES = st.lists(
    st.tuples(st.integers(0, 4), st.integers(0, 5), st.integers(0, 5)).map(
        lambda row: (row[0], row[1] + row[2], row[1])
    )
)


@given(LINES)
def test_groups_are_disjoint_and_in_order(rows: list[tuple[int, int, int]]) -> None:
    lines, count = [], 0
    for links, words, anchor_words in rows:
        lines.append(Line(tuple(range(count, count + links)), words, anchor_words))
        count += links
    groups = find_groups(lines)
    places = [place for group in groups for place in group.places]
    assert places == sorted(set(places))
    assert all(len(group.places) >= 3 and group.words >= group.anchor_words for group in groups)
    ranked = rank_groups(groups, count)
    assert sorted(group.places for _, group in ranked) == [group.places for group in groups]
    assert [rank for rank, _ in ranked] == sorted((rank for rank, _ in ranked), reverse=True)


def test_places_are_those_of_the_page() -> None:
    html = (
        "<a href=#x>top</a> <a href=mailto:a@b.c>mail</a> <iframe src=/frame></iframe><p>text <a href=/0>zero</a></p>"
        "<ul><li><a href=/1>one</a><li><a href=/2>two</a><li><a href='#'>more</a><li><a href=/3>three</a></ul>"
    )
    page = read_page(Response("http://e.com/", 200, (), html.encode()), SeenOnSite(layout=True))
    (group,) = page.groups
    assert [page.urls[place] for place in group.places] == ["http://e.com/1", "http://e.com/2", "http://e.com/3"]


@pytest.mark.parametrize("part", ["<dl><dt>", "<dl><dd>", "<ul><li>", "<blockquote>", "<div>", "<table><tr><td>"])
def test_no_nesting_is_too_deep(part: str) -> None:
    assert lay(part * 2_000 + A) is not None
