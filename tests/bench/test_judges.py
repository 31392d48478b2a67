"""Judges to compare with are given a fair trial: the paper's features, folds that keep domains apart, right figures."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

import pytest

from bench.judges.features import FEATURES, NOMINAL, Control, measure_form
from bench.judges.figures import Claim, Opinion, measure_domains, measure_forms
from bench.judges.folds import Row, read_rows, simplify, split_domains, write_rows
from bench.judges.trials import list_opinions, sum_up, try_judge


def _name(measured: list[float]) -> dict[str, float]:
    return {name: value for name, value in zip(FEATURES, measured, strict=True) if value}


@pytest.mark.parametrize(
    ("control", "counted"),
    [
        (Control("input", "hidden"), {"hidden tags": 1}),
        (Control("input", " CheckBox "), {"checkboxes": 1}),
        (Control("input", "radio"), {"radio tags": 1}),
        (Control("input", "file"), {"file inputs": 1}),
        (Control("input", "image"), {"image inputs": 1}),
        (Control("input", "password", "30"), {"password tags": 1}),
        (Control("input", "submit"), {"submit tags": 1}),
        (Control("button"), {"submit tags": 1}),
        (Control("button", "button"), {"buttons": 1}),
        (Control("button", "reset"), {"resets": 1}),
        (Control("option"), {"items in selects": 1}),
        (Control("input", "", "33"), {"textboxes": 1, "text sizes in textboxes": 33}),
        (Control("input", "search"), {"textboxes": 1, "text sizes in textboxes": 20}),
        (Control("input", "option", "many"), {"textboxes": 1, "text sizes in textboxes": 20}),
        (Control("input", "text", "9" * 5000), {"textboxes": 1, "text sizes in textboxes": 20}),
        (Control("select"), {}),
        (Control("textarea", "text", "5"), {}),
    ],
)
def test_a_control_is_counted_as_paper_2_counts_it(control: Control, counted: dict[str, float]) -> None:
    assert _name(measure_form([control], "get", "")) == counted


def test_there_are_14_features_and_two_are_no_counts() -> None:
    measured = measure_form([Control("input"), Control("input"), Control("option")], " POST", "a reSEARCHer")
    assert len(measured) == len(FEATURES) == 14
    assert [FEATURES[place] for place in NOMINAL] == ["post", "search in the form"]
    assert _name(measured) == {
        "textboxes": 2, "text sizes in textboxes": 40, "items in selects": 1, "post": 1, "search in the form": 1,
    }  # fmt: skip


def test_folds_are_of_equal_size_and_the_same_each_time() -> None:
    forms = {f"{number}.example": 1 + number % 7 for number in range(120)} | {"large.example": 40}
    chosen = split_domains(forms)
    filled = Counter[int]()
    for domain, fold in chosen.items():
        filled[fold] += forms[domain]
    assert set(filled) == set(range(10))
    assert max(filled.values()) - min(filled.values()) <= 1
    assert split_domains(dict(reversed(forms.items()))) == chosen


def test_a_folds_file_comes_back_with_eight_kinds(tmp_path: Path) -> None:
    write_rows([Row("1.html", 0, "V", "a.example", 3), Row("1.html", 1, "s", "a.example", 3)], tmp_path / "folds")
    assert [row.type for row in read_rows(tmp_path / "folds")] == ["o", "s"]
    assert [simplify(letter) for letter in "slrpcmboPVNC"] == list("slrpcmbooooo")


def test_a_domain_in_two_folds_is_refused(tmp_path: Path) -> None:
    rows = [Row("1.html", 0, "s", "a.example", 0), Row("2.html", 0, "s", "a.example", 1)]
    write_rows(rows, tmp_path / "folds")
    with pytest.raises(SystemExit, match=r"a\.example"):
        read_rows(tmp_path / "folds")


def test_figures_weigh_forms_or_domains() -> None:
    claims = [Claim("a", "s", "s", True)] * 3 + [Claim("b", "l", "s", True), Claim("c", "s", "l", False)]
    by_form, by_domain = measure_forms(claims), measure_domains(claims)
    assert by_form == pytest.approx(
        {"accuracy": 0.6, "error": 0.4, "precision": 0.75, "recall": 0.75, "f1": 0.75, "kinds": 0.6}
    )
    assert by_domain["accuracy"] == pytest.approx(1 / 3)
    assert by_domain["precision"] == by_domain["recall"] == pytest.approx(0.5)


def test_a_judge_that_knows_no_kinds_has_no_figure_for_them() -> None:
    assert measure_forms([Claim("a", "s", None, True), Claim("a", "l", None, False)])["kinds"] is None


@dataclass(frozen=True)
class _Sample:
    row: Row
    element: str


def test_nobody_judges_a_domain_it_has_learned_from() -> None:
    """The learner says search of what it has seen, so a leak would show as a claim; the answers keep their places."""
    samples = [
        _Sample(Row(f"{number}.html", 0, "s", f"{number % 6}.example", number % 6 % 3), f"{number % 6}.example")
        for number in range(24)
    ]

    def learn(seen: list[_Sample]):
        known = {sample.row.domain for sample in seen}
        return lambda forms: [Opinion(None, form in known, float(form[0])) for form in forms]

    trial = try_judge("leaky", learn, samples)
    lines = list_opinions(trial)
    assert [line["search"] for line in lines] == [0] * 24
    assert [(line["page"], line["score"]) for line in lines] == [(f"{n}.html", float(n % 6)) for n in range(24)]
    assert sum_up(trial)["by_form"]["recall"] == 0
    assert json.loads(json.dumps(sum_up(trial)))["domains"] == 6
