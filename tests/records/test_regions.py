"""Where records stand: beside menus and facets, and cut as they should be."""

from __future__ import annotations

from typing import Any

import pytest

from dowse.model import Verdict
from dowse.records.pieces import TextPiece
from dowse.records.regions import (
    AnswerView,
    find_alike,
    find_other_views,
    find_regions,
    find_texts,
    judge_region,
    load_region_model,
    piece_shape,
    shape_likeness,
)
from dowse.records.wrapper import AnswerSample, learn_wrapper
from dowse.tree import Node
from tests.hash_seeds import run_with_hash_seed
from tests.records.trees import DESIGNS, ROWS, answer, tree_of

LIKE = frozenset({"a#1", "b#1", "c#1"})
ODD = frozenset({"x#1", "y#1"})


def test_a_second_piece_at_a_place_is_one_of_its_own() -> None:
    assert piece_shape([TextPiece("p", "a"), TextPiece("p", "b"), TextPiece("q", "c")]) == {"p#1", "p#2", "q#1"}


def test_what_is_not_like_the_others_is_left_out() -> None:
    assert find_alike([LIKE, ODD, LIKE, LIKE]).kept == (0, 2, 3)


def test_a_missing_piece_costs_less_than_another_shape() -> None:
    shares = find_alike([LIKE] * 4).shares
    assert shape_likeness(LIKE, shares) > shape_likeness(LIKE - {"c#1"}, shares) > shape_likeness(ODD, shares)


def test_likeness_does_not_depend_on_the_order_of_sets() -> None:
    script = (
        "from dowse.records.regions import find_shares, shape_likeness\n"
        "shapes = [frozenset(f'{n % 7}/{n * m % 31}#1' for n in range(40)) for m in range(1, 24)]\n"
        "print([shape_likeness(shape, find_shares(shapes)) for shape in shapes])"
    )
    assert len({run_with_hash_seed(script, seed) for seed in range(4)}) == 1


def test_nothing_is_alike_in_nothing() -> None:
    assert find_alike([]).kept == ()
    assert find_alike([frozenset()]).likeness == 0


FACETS = (
    "<div class=facets>"
    + "".join(f"<p><a href='/f/{n}'>Shelf number {n}</a> ({n * 3})</p>" for n in range(30))
    + "</div>"
)


@pytest.mark.parametrize("design", DESIGNS)
def test_records_are_found_whole(design: str) -> None:
    sample = answer(design, ROWS)
    assert len(find_regions(AnswerView(sample.tree, sample.asked))[0].items) == len(ROWS)


@pytest.mark.parametrize("design", ["table", "cards", "text"])
def test_facets_that_stand_on_every_answer_are_no_records(design: str) -> None:
    one, two = answer(design, ROWS[:5], FACETS), answer(design, ROWS[5:], FACETS)
    best = find_regions(AnswerView(one.tree, (), (find_texts(two.tree),)))[0]
    assert len(best.items) == 5


def test_what_was_asked_for_leads_to_the_records() -> None:
    html = "<ul>{}</ul><ol>{}</ol>".format(
        "".join(f"<li>Remark {n} on the opening hours of our rooms</li>" for n in range(8)),
        "".join(f"<li>Magic {n}</li>" for n in range(8)),
    )
    assert find_regions(AnswerView(tree_of(html), ("magic",)))[0].path.endswith("ol")


def test_nothing_repeats_on_a_plain_page() -> None:
    assert find_regions(AnswerView(tree_of("<p>Only this.</p>"))) == []


def test_advertisements_among_records_do_not_begin_them() -> None:
    """Two answers that share most rows differ in their advertisements; these are no records that the rows belong to."""
    rows = [f"<li>Opel Astra {n}; colour: red {n}; price: {n}00 marks</li>" for n in range(1, 6)]
    ads = [
        f"<li><a href='http://ad{n}.test/'>Cheap hosting without banners, number {n} of all</a> (our sponsor)</li>"
        for n in (1, 2)
    ]
    html = f"<ol>{ads[0]}{''.join(rows[:3])}{ads[1]}{''.join(rows[3:])}</ol>"
    best = find_regions(AnswerView(tree_of(html), ("opel",)))[0]
    assert len(best.items) >= len(rows)  # each row is a record of its own; advertisements may be taken for some, too


POPULAR = (
    "<ul>" + "".join(f"<li><a href='/q/{word}'>{word} of the week</a></li>" for word in ("Tea", "Rum", "Gin")) + "</ul>"
)
BOOKS = "<ol>{}</ol>".format(
    "".join(f"<li><a href=/b/{n}>{word}</a> {n * 100} pages</li>" for n, word in enumerate("Emma Villette Romola Shirley Cranford Ivanhoe".split(), 1))
)  # fmt: skip
FEW = "<div><p>Make: Ford</p><p>Model: Fiesta of the year</p></div>"


@pytest.mark.parametrize(
    ("html", "view", "why"),
    [
        pytest.param(POPULAR, {"asked": ("emma",), "known": (POPULAR,)}, "whatever is asked", id="the same for another query"),
        pytest.param(POPULAR, {"asked": ("emma",), "unasked": (POPULAR,)}, "not asked", id="on a page that was not asked"),
        pytest.param(POPULAR, {"unasked": (POPULAR,)}, "found nothing", id="names on a page that found nothing"),
        pytest.param(POPULAR, {"empty": (POPULAR,)}, "says that nothing was found", id="on a page that says there is nothing"),
        pytest.param(POPULAR, {}, "one text alone", id="a menu of a page alone"),
        pytest.param(BOOKS, {"asked": ("emma",), "known": (BOOKS,)}, "whatever is asked", id="books that are shown for other queries, too"),
        pytest.param(BOOKS, {"stated": 2}, "three at most", id="more than there are"),
        pytest.param(BOOKS, {"asked": ("emma",), "known": (FEW,)}, "", id="other things for another query"),
        pytest.param(BOOKS, {"known": (FEW,)}, "", id="a list of everything"),
        pytest.param(BOOKS, {}, "", id="a list alone"),
        pytest.param(BOOKS, {"asked": ("emma",), "known": (BOOKS,), "stated": 57}, "", id="the page says that it found them"),
    ],
)  # fmt: skip
def test_a_list_must_answer(html: str, view: dict[str, Any], why: str) -> None:
    pages = {
        name: tuple(find_texts(tree_of(html)) for html in view[name])
        for name in ("known", "unasked", "empty")
        if name in view
    }
    asked = AnswerView(tree_of(html), **{**view, **pages})
    verdict = judge_region(asked, find_regions(asked)[0])
    assert verdict.yes == (not why), verdict.reason
    assert why in verdict.reason


SITES = ("tea", "rum", "gin", "ale", "sake", "mead", "port", "wine")


@pytest.mark.parametrize(
    ("html", "stated", "why"),
    [
        pytest.param("<div><p>Enter a word, please.</p><p>01.01.1998</p></div>", 0, "too few lines", id="a message"),
        pytest.param("".join(f"<p>{each}</p>" for each in SITES), 0, "one text alone", id="words"),
        pytest.param("".join(f"<p>{each}</p>" for each in SITES), len(SITES), "", id="words that the page counts"),
        pytest.param("".join(f"<li><a href=http://{each}.test/>{each}.test</a></li>" for each in SITES), 0, "addresses of other sites", id="partners"),
        pytest.param("".join(f"<li><a href=http://{each}.test/>{each} and sons</a> of {each}ville</li>" for each in SITES), 0, "", id="a directory"),
        pytest.param("".join(f"<li><a href='?q=&by={each}'>{each}</a> ({len(each)})</li>" for each in SITES[:4]), 0, "ask for this page again", id="facets"),
    ],
)  # fmt: skip
def test_what_a_list_is_made_of(html: str, stated: int, why: str) -> None:
    view = AnswerView(tree_of(html), stated=stated, url="http://drinks.test/search?q=")
    verdict = judge_region(view, find_regions(view)[0])
    assert verdict.yes == (not why), verdict.reason
    assert why in verdict.reason


LABELS = ("Name", "Kitchen", "Course", "Minutes")


@pytest.mark.parametrize("line", ["<dd><i>{}</i> {}</dd>", "<dd>{}: {}</dd>"])
def test_labels_that_come_in_turn_are_no_records(line: str) -> None:
    def page(*rows: tuple[str, str, str, str]) -> Node:
        return tree_of(
            f"<dl>{''.join(line.format(*pair) for row in rows for pair in zip(LABELS, row, strict=True))}</dl>"
        )

    other = find_texts(page(("Stew", "French", "Main", "90")))
    view = AnswerView(page(("Soup", "Polish", "First", "30"), ("Cake", "Czech", "Last", "60")), known=(other,))
    assert not [region for region in find_regions(view) if region.path.endswith("dl")]


def test_rows_that_another_answer_shows_but_for_a_counter_are_records() -> None:
    def page(seen: int) -> Node:
        rows = [
            (title, author, str(number * 37 + seen))
            for number, (title, author) in enumerate(zip(LABELS, LABELS[::-1], strict=True))
        ]
        return tree_of(
            f"<table>{''.join(f'<tr><td>{a}</td><td>{b}</td><td>{c}</td></tr>' for a, b, c in rows)}</table>"
        )

    view = AnswerView(page(1), known=(find_texts(page(2)),))
    assert find_regions(view)[0].cut.sign == "tr"


def test_lines_with_a_colon_that_do_not_come_in_turn_may_be_records() -> None:
    titles = ["Mozart: Requiem", "Bach: Fugues", "Liszt: Faust", "Bach: Mass", "Bach: Suites", "Verdi: Requiem"]
    view = AnswerView(tree_of(f"<ul>{''.join(f'<li>{title}</li>' for title in titles)}</ul>"))
    assert len(find_regions(view)[0].items) == len(titles)


def test_every_fact_is_weighed_and_every_weight_is_of_a_fact() -> None:
    view = AnswerView(answer("cards", ROWS).tree, ("tea",))
    facts = set(find_regions(view)[0].facts)
    assert facts == set(load_region_model().weights)


def test_a_bound_is_never_below_a_score() -> None:
    model = load_region_model()
    for design in DESIGNS:
        sample = answer(design, ROWS, FACETS)
        for region in find_regions(AnswerView(sample.tree, sample.asked)):
            assert region.score <= model.bound(region.weight) + 1e-9


def test_a_place_that_says_too_little_is_refused_with_the_facts() -> None:
    verdict = learn_wrapper([AnswerSample(tree_of("<ul><li>a</li><li>b</li></ul>"), "http://a.test/")])
    assert isinstance(verdict, Verdict)
    assert verdict.reason.startswith("the 2 things that repeat are no list of records (")
    assert "how many there are" in verdict.reason


def _things(*texts: str, href: str = "") -> list[list[TextPiece]]:
    """Return things of words with a sign between them, each with a link of its own where one is given."""
    return [
        [TextPiece("p", word, f"{href}{number}" if href else "") for word in text.split("/")]
        for number, text in enumerate(texts)
    ]


@pytest.mark.parametrize(
    ("places", "views"),
    [
        pytest.param([_things("Emma", "Villette"), _things("Emma/1815", "Villette/1853")], {0}, id="titles alone"),
        pytest.param(
            [_things("Emma", "Romola", href="/b/"), _things("E./1815", "R./1863", href="/b/")], {0}, id="links"
        ),
        pytest.param([_things("Emma/x", "Romola/x"), _things("Emma/x", "Romola/x")], {1}, id="the same, twice"),
        pytest.param([_things("Emma", "Romola"), _things("Villette", "Shirley")], set(), id="others"),
        pytest.param([_things("Emma"), _things("Emma/1815")], set(), id="a single thing"),
        pytest.param([_things("Buy", "Buy"), _things("Buy", "Buy/now")], set(), id="buttons"),
        pytest.param([_things("Emma", "Romola")] * 9, set(), id="the same at every place"),
        pytest.param([_things("a", "b", "c", "d", "e"), _things("a", "b", "x", "y", "z")], set(), id="two of five"),
        pytest.param([_things("a", "b"), _things("a", "b", "x", "y", "z")], {0}, id="some above all"),
    ],
)
def test_what_several_places_show_is_there_once(places: list[list[list[TextPiece]]], views: set[int]) -> None:
    assert find_other_views(places) == views
