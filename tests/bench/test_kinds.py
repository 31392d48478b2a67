"""Judges are compared on the same folds and the same forms, and the differences are counted right."""

from __future__ import annotations

from typing import Any

import pytest

pytest.importorskip("scipy")

from bench import kinds
from bench.install import Missing
from bench.judges.figures import Claim
from bench.kinds import LETTERS, claim_all, confuse, count_doors, make_rows, read_claims, sum_up, table
from bench.kindspeed import time_judging
from bench.pairs import compare_judges
from bench.report import judge_floors
from dowse.model import Field, Form, Page, Response
from dowse.train.forms import TYPE_OF, LabelledForm, UnseenJudgement, make_folds

PAGE = Page("http://a.example/")


def example(page: str, type: str = "search", domain: str = "a.example", kind: str = "") -> LabelledForm:
    form = Form(0, "GET", "http://a.example/s", (Field("q", "text"),))
    return LabelledForm(page, 0, type, kind, domain, PAGE, form)


def test_types_have_the_letters_of_the_labels() -> None:
    assert all(TYPE_OF[letter] == name for name, letter in LETTERS.items())


def test_the_other_judges_get_the_folds_of_dowse() -> None:
    examples = [example(f"{number}.html", domain=f"{number % 7}.example") for number in range(40)]
    rows = make_rows(examples)
    assert [row.fold for row in rows] == make_folds(examples)
    assert {(row.page, row.domain) for row in rows} == {(one.page_file, one.domain) for one in examples}


def test_claims_of_all_stand_in_one_order() -> None:
    examples = [example("2.html", "login"), example("1.html")]
    lines: list[dict[str, Any]] = [
        {"page": "2.html", "form": 0, "judge": "tree", "said": None, "search": 1, "score": 0.9},
        {"page": "1.html", "form": 0, "judge": "tree", "said": None, "search": 1, "score": 0.9},
        {"judge": "tree", "forms": 2},
    ]
    said = [
        UnseenJudgement(examples[0], 0, "login", 0.1, "login"),
        UnseenJudgement(examples[1], 1, "login", 0.1, "login"),
    ]
    claims = read_claims(lines, examples)
    assert claims == {"tree": [Claim("a.example", "s", None, True), Claim("a.example", "l", None, True)]}
    assert claim_all(said) == [Claim("a.example", "s", "l", False), Claim("a.example", "l", "l", False)]


def test_a_judge_that_left_forms_out_is_not_measured() -> None:
    line = {"page": "1.html", "form": 0, "judge": "tree", "said": None, "search": 1, "score": 0.9}
    with pytest.raises(Missing, match="1 of 2"):
        read_claims([line], [example("1.html"), example("2.html")])


def test_doors_are_counted_by_forms_and_by_domains() -> None:
    some = [
        *[UnseenJudgement(example("1.html", kind="database"), 0, "search", 1.0, "database")] * 3,
        UnseenJudgement(example("2.html", kind="site-search", domain="b.example"), 0, "search", 1.0, "database"),
        UnseenJudgement(example("3.html", kind="other", domain="c.example"), 0, "search", 1.0, "database"),
    ]
    doors = count_doors(some)
    assert (doors["forms"], doors["by_form"], doors["by_domain"]) == (4, 0.75, 0.5)
    assert doors["confusion"] == {"database": {"database": 3}, "site-search": {"database": 1}}


def claims(wrong: set[int]) -> list[Claim]:
    """Forty forms of twenty domains, half of them searches; some are taken for the other."""
    return [
        Claim(f"{number // 2}.example", "s" if number % 2 else "l", "x" if number in wrong else "sl"[number % 2 == 0], (number % 2 == 1) != (number in wrong))
        for number in range(40)
    ]  # fmt: skip


def test_differences_have_the_sign_of_the_better_judge() -> None:
    found = compare_judges(claims({3}), claims({1, 5, 9, 13, 17, 21, 25, 29}))
    assert found["error"]["difference"] == pytest.approx(1 / 40 - 8 / 40)
    assert found["kinds"]["difference"] == pytest.approx(7 / 40)
    assert found["error"]["low"] < found["error"]["difference"] < found["error"]["high"] < 0
    assert found["f1"]["low"] > 0


def test_a_judge_beside_itself_differs_by_nothing() -> None:
    for interval in compare_judges(claims({1, 2, 3}), claims({1, 2, 3})).values():
        assert (interval["low"], interval["difference"], interval["high"]) == (0, 0, 0)


def test_kinds_are_not_compared_where_one_knows_none() -> None:
    without = [Claim(one.domain, one.kind, None, one.search) for one in claims(set())]
    assert set(compare_judges(claims(set()), without)) == {"error", "f1"}


def test_speed_is_forms_a_second() -> None:
    pages = [Response(f"http://{n}.example/", 200, (), b"<form><input name=q></form>" * 3) for n in range(20)]
    time_judging(pages)  # what a process loads once is no part of the speed
    speed = max((time_judging(pages) for _ in range(3)), key=lambda each: each["single"])  # the machine may be busy
    assert speed["single"] > speed["pages"] > 0


def test_figures_and_tables() -> None:
    own, other = ({name: value for name in kinds.FIGURES} for value in (0.9, 0.8))
    figures = {
        name: {"by_form": some, "by_domain": some}
        for name, some in (("dowse", own), ("formasaurus", other), ("paper2-tree", other))
    }
    turns = [{"dowse": {"single": 100.0, "pages": 30.0}, "formasaurus": {"single": 10.0, "batch": 50.0, "pages": 10.0}}]
    doors = {
        "forms": 4,
        "by_form": 0.75,
        "by_domain": 0.5,
        "always the commoner": 0.6,
        "confusion": confuse([("database", "site-search")]),
    }
    load = {"load ms": 5.0, "import ms": 50.0, "bytes": 9, "processes": 9}
    medians = sum_up(figures, doors, turns, load)
    assert medians["points of error less than"]["paper2-tree"] == pytest.approx(-10)
    assert medians["points of f1 more than"]["formasaurus"] == pytest.approx(10)
    assert medians["times as many forms a second"] == {"form by form": 10, "its forms all at once": 2, "from HTML": 3}
    result = {
        "settings": {"forms": 4, "domains": 2, "folds": 10}, "figures": figures, "turns": turns, "load": load, "doors": doors, "medians": medians,
        "differences": {"formasaurus": compare_judges(claims({1}), claims({2}))}, "types": confuse([("search", "other")]),
    }  # fmt: skip
    written = table(result)
    assert "| `paper2-tree` |" in written
    assert "| database | 1 |" in written
    assert "10.0 x" in kinds.notes(result)
    assert all(measured is not None for _, measured, _, _ in judge_floors("kinds", result))
