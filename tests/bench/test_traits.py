"""Traits: what of a page counts, how much it tells, and how alike pages are in it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bench.traits import Traits, traits_of, weigh_traits
from dowse.model import Response
from dowse.page.document import Document
from dowse.tree.node import MAX_NODES, Node

MENU = "<div class=menu><ul><li><a>x</a></ul></div>"


def traits(html: str) -> Traits:
    return traits_of(Document(Response("http://page.test/", 200, (), html.encode())).nodes)


@pytest.mark.parametrize(
    ("first", "second"),
    [
        pytest.param("<p>One</p>", "<p>Other words</p>", id="words"),
        pytest.param("<ul><li>1</ul>", "<ul>" + 50 * "<li>1" + "</ul>", id="how often"),
        pytest.param("<h2>b</h2><p>a</p>", "<p>a</p><h2>b</h2>", id="order"),
        pytest.param("<p class='card x1'>a", "<p class='card x2'>a", id="numbers in classes"),
        pytest.param("<body class='home'><p>a", "<body class='post'><p>a", id="classes of the body"),
    ],
)
def test_pages_of_the_same_traits(first: str, second: str) -> None:
    assert traits(first) == traits(second)


@pytest.mark.parametrize(
    ("first", "second"),
    [
        pytest.param("<p>a", "<h1>a", id="tags"),
        pytest.param("<p class=a>a", "<p class=b>a", id="classes"),
        pytest.param("<div><p>a</p></div><ul></ul>", "<div></div><p>a</p><ul></ul>", id="what stands in what"),
        pytest.param("<p></p>", "<p>words</p>", id="whether there are words"),
    ],
)
def test_pages_of_other_traits(first: str, second: str) -> None:
    assert traits(first) != traits(second)


def test_a_level_more_changes_little() -> None:
    """A mapping from the root loses all that stands in one more tag."""
    block = "<h2><a>a</a></h2><blockquote><pre>b</pre></blockquote><p>c <i>d</i></p>"
    plain, wrapped = traits(block), traits(f"<div class=nosearch>{block}</div>")
    assert len(plain & wrapped) / len(plain | wrapped) > 0.5


def test_what_all_pages_share_tells_less_than_what_some_have() -> None:
    article = [traits(f"{MENU}<h1>a</h1><p>b</p>") for _ in range(20)]
    note = [traits(f"{MENU}<ol class=notes><li>b</li></ol>") for _ in range(20)]
    telling = weigh_traits([*article, *note])
    few = weigh_traits([article[0], note[0]])
    assert telling.likeness(article[0], article[1]) == 1
    assert telling.likeness(article[0], note[0]) < few.likeness(article[0], note[0]) < 1


def test_what_one_page_has_tells_less_than_what_some_have() -> None:
    usual, other, odd = (traits(f"{MENU}{text}") for text in ("<p>a</p>", "<dl><dt>a</dl>", "<p>a</p><dl><dd>b</dl>"))
    telling = weigh_traits([*[usual] * 20, *[other] * 20, odd])
    assert max(telling.weights[each] for each in odd - usual - other) < min(
        telling.weights[each] for each in usual - other
    )
    assert telling.likeness(usual, odd) > telling.likeness(other, odd)


def test_pages_of_one_template_stay_alike_among_themselves() -> None:
    """What all share must count for something, or their small differences would be all there is."""
    body = f"{MENU}<h1>a</h1><table><tr><td>a</td></tr></table><form><input></form><p>b</p>"
    pages = [traits(body + extra) for extra in ("", "<i>c</i>", "<b>c</b>", "<em>c</em>", "<q>c</q>") * 6]
    telling = weigh_traits(pages)
    assert min(telling.likeness(pages[0], page) for page in pages) > 0.8


some_traits = st.frozensets(st.integers(0, 30), max_size=20)


@given(st.lists(some_traits, max_size=12), some_traits, some_traits)
def test_likeness_is_a_share_and_has_no_direction(pages: list[Traits], a: Traits, b: Traits) -> None:
    telling = weigh_traits(pages)
    found = telling.likeness(a, b)
    assert 0 <= found <= 1
    assert found == pytest.approx(telling.likeness(b, a))
    assert telling.likeness(a, a) == pytest.approx(1)
    assert all(0 < weight <= 1 for weight in telling.weights.values())


def test_traits_are_bounded() -> None:
    rows = tuple(Node(f"r{letter}", {}, (Node("c"),)) for letter in range(MAX_NODES))
    assert len(traits_of(Node("t", {}, rows))) <= 3 * MAX_NODES


def test_deep_pages_are_no_trouble() -> None:
    node = Node("x")
    for _ in range(30_000):
        node = Node("d", {}, (node,))
    assert len(traits_of(node)) == 5  # d and x; d in nothing, d in d, x in d
