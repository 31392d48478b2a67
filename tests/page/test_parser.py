from __future__ import annotations

import threading
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from selectolax.lexbor import LexborHTMLParser

from bench.places import DATA
from dowse.page import parser
from dowse.page.parser import MAX_DEPTH, MAX_PATH_TAGS, attribute, bound_source, find_inside, is_same, parse, view
from tests.page.pages import only_link, read

SIZE = 2 * 1024 * 1024
SECONDS = 3.0  # of processor time, ten times what is needed; without bounds they take minutes, or all memory


def fill(piece: str) -> str:
    return piece * (SIZE // len(piece))


BOMBS = {
    "deep divs": fill("<div>"),
    "deep lists": fill("<ul><li>"),
    "links around blocks": fill("<a><div></a>"),
    "distinct formatting": "".join(f"<font a={number}>" for number in range(130_000)),
    "formatting over paragraphs": "".join(f"<p><b id={number}></p>" for number in range(50_000)),
    "formatting, then paragraphs": "".join(f"<b id={number}>" for number in range(20_000)) + "<p>x" * 400_000,
    "ends in comments": "".join(f"<p><b id={number}><!--</b>--></p>" for number in range(60_000)),
    "ends in attributes": "".join(f"<p><b id={number}><i a='</b>'></i></p>" for number in range(50_000)),
    "ends in foreign data": "<svg>" + "".join(f"<p><b id={number}><![CDATA[></b>]]></p>" for number in range(50_000)),
    "attributes": "<a " + " ".join(f"a{number}=1" for number in range(200_000)) + ">",
    "attributes like tags": "<a " + " ".join(f"<a{number}" for number in range(200_000)) + ">",
    "attributes with ends": "<a " + " ".join(f'a{number}=">"' for number in range(120_000)) + ">",
    "attributes of many bodies": "".join(f"<body a{number}=1>" for number in range(100_000)),
    "styles in foreign content": "<svg>" + "<style>" * 250_000,
    "tags that never end": fill("<a "),
    "as many as may be plain": "".join(f"<b id={number}>" for number in range(700)) + "<p>x" * 700,
}


@pytest.mark.parametrize("name", BOMBS)
def test_bombs_take_no_time(name: str) -> None:
    start = time.process_time()
    tree = parse(BOMBS[name])
    assert tree.root is not None
    assert sum(1 for _ in tree.root.traverse(include_text=True)) < 1_500_000
    assert time.process_time() - start < SECONDS


def test_the_page_that_ended_another_parser() -> None:
    crash = DATA / "hostile" / "parser-crash-1.html"
    if not crash.exists():
        pytest.skip("no real data at hand")
    tree = parse(crash.read_text())
    assert tree.root is not None
    assert tree.root.html


TAGS = "a b font i p div ul li table tr td form input select option script style title svg math template frameset body".split()
PIECE = st.one_of(
    st.sampled_from(
        [f"<{tag}>" for tag in TAGS] + [f"</{tag}>" for tag in TAGS] + ["<p a='>' b=\">\" c=x/>", "<b =a='>"]
    ),
    st.sampled_from(
        ["<!-- x -->", "<!-->", "<!--", "-->", "<![CDATA[", "]]>", "<a href=x", ">", '"', "<", "<!x>", "<?x>"]
    ),
    st.text(max_size=5),
)


@given(st.lists(PIECE, max_size=60).map("".join))
@settings(max_examples=300, deadline=None)
def test_what_is_not_over_a_bound_stays_as_it_is(html: str) -> None:
    assert parser._Rewriter(html, html.count("<")).rewrite() == html


@given(st.lists(PIECE, max_size=60).map("".join))
@settings(max_examples=300, deadline=None)
def test_nothing_is_deeper_than_it_seems(html: str) -> None:
    """The bound holds because ends are only believed where they must be true."""
    rewriter = parser._Rewriter(html + "<i>", 1)
    rewriter.rewrite()
    deepest = _depth(LexborHTMLParser(html + "<i>"))
    assert deepest <= rewriter.deepest + 6  # html, body, and what a table implies


def _depth(tree: LexborHTMLParser) -> int:
    deepest = 0
    for node in tree.root.traverse() if tree.root is not None else ():
        above, depth = node, 0
        while above is not None:
            above, depth = above.parent, depth + 1
        deepest = max(deepest, depth)
    return deepest


def test_what_is_left_open_is_closed() -> None:
    bounded = bound_source("<div>" * 20_000 + "<a href=x>y</a>")
    assert _depth(parse(bounded)) <= MAX_DEPTH + 3
    (link,) = parse(bounded).tags("a")
    assert attribute(link, "href") == "x"


def test_well_formed_pages_are_not_changed() -> None:
    row = "<tr><td><a href=/x>x</a><td><b>y</b><script>'<div><div>'</script></tr>"
    page = f"<html><body><ul>{'<li>a<li><p>b' * 5_000}</ul><table>{row * 2_500}</table></body></html>"
    assert page.count("<") > parser.PLAIN_TAGS
    assert bound_source(page) == page


def test_a_long_value_is_no_bomb() -> None:
    page = f"<form><input type=hidden name=state value='{'x y ' * 100_000}'><input name=q></form>"
    assert bound_source(page) == page


def test_attributes() -> None:
    (link,) = parse("<a href='x' download>").tags("a")
    assert (attribute(link, "href"), attribute(link, "download"), attribute(link, "rel")) == ("x", "", None)


def test_nodes_are_the_same_by_place_not_by_looks() -> None:
    first, second = parse("<p>x</p><p>x</p>").tags("p")
    assert not is_same(first, second)
    assert is_same(first, second.prev)
    assert not is_same(first, None)


def test_what_stands_inside() -> None:
    (form,) = parse("<form><form><input><p><select></select></form>").tags("form")
    assert [part.tag for part in find_inside(form, "input", "select", "form")] == ["input", "select"]


def test_path_has_no_numbers() -> None:
    page = read("<div><p>x<p><a href=x>y</a></div><div><p><a href=x>y</a></div>")
    assert {link.path for link in page.links} == {"html/body/div/p/a"}


def test_deep_paths_are_cut() -> None:
    path = only_link("<div>" * 400 + "<a href=x>y</a>").path
    assert path.count("/") == MAX_PATH_TAGS - 1
    assert path.startswith("html/body/div/")
    assert path.endswith("/a")


def test_a_view_that_is_being_made_lets_others_be_made() -> None:
    """A large page is read in a thread; the event loop reads small ones meanwhile."""
    begun, may_end = threading.Event(), threading.Event()

    class Slow:
        def __init__(self, waits: bool) -> None:
            self.waits = waits

        @view
        def made(self) -> str:
            if self.waits:
                begun.set()
                assert may_end.wait(60)
            return "made"

    thread = threading.Thread(target=lambda: Slow(True).made)
    thread.start()
    assert begun.wait(60)
    quick = Slow(False)
    assert quick.made == "made"
    may_end.set()
    thread.join(60)
    assert quick.__dict__["made"] == "made", "made once"
