"""Models are trained without the sites they judge, and training gives again what comes with Dowse."""

from __future__ import annotations

from collections import Counter
from importlib import resources
from pathlib import Path

import orjson
import pytest

pytest.importorskip("scipy")

from dowse.form.judge import BOUGHTS, DOORS, TYPES, Models, judge_form, load_models
from dowse.learn.softmax import read_softmax
from dowse.model import Response
from dowse.page import read_page
from dowse.train import forms
from dowse.train.compare import compare_models
from dowse.train.examples import Example, read_examples
from dowse.train.forms import FOLDS, Said, judge_unseen, make_folds, measure, train, write_models

HTML = {
    "search": '<form action="/s"><input name="q{0}"><button>Search the catalogue</button></form>',
    "login": '<form method="post"><input name="user{0}"><input type="password" name="p"><button>Log in</button></form>',
    "order": '<form method="post"><select name="size{0}"><option>S<option>M</select><button>Add to cart</button></form>',
}
KINDS = {"search": ("database", "site-search"), "login": ("", ""), "order": ("configure", "other")}


def example(number: int, type: str, domain: str) -> Example:
    page = read_page(Response(f"http://{domain}/{number}", 200, (), HTML[type].format(number % 3).encode()))
    return Example(f"{number}.html", 0, type, KINDS[type][number // 3 % 2], domain, page, page.forms[0])


@pytest.fixture(scope="module")
def examples() -> list[Example]:
    types = list(HTML)
    return [example(number, types[number % 3], f"site{number // 4}.example") for number in range(96)]


def test_a_domain_stands_in_one_fold_and_folds_are_equal(examples: list[Example]) -> None:
    folds = make_folds(examples)
    places: dict[str, set[int]] = {}
    for one, fold in zip(examples, folds, strict=True):
        places.setdefault(one.domain, set()).add(fold)
    assert all(len(some) == 1 for some in places.values())
    sizes = Counter(folds)
    assert set(sizes) == set(range(FOLDS))
    assert max(sizes.values()) - min(sizes.values()) <= 4  # one domain
    assert make_folds(examples) == folds


def test_nobody_is_judged_by_models_that_saw_the_domain(
    examples: list[Example], monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[set[str]] = []

    def note(some: object) -> Models:
        kept = list(some)  # type: ignore[call-overload]
        seen.append({one.domain for one in kept})
        return train(kept)

    monkeypatch.setattr(forms, "train", note)
    lines: list[str] = []
    said = judge_unseen(examples, lines.append)
    assert {(one.example.page_file, one.example.number) for one in said} == {(one.page_file, 0) for one in examples}
    assert not [one for one in said if one.example.domain in seen[one.fold]]
    assert len(lines) == FOLDS


def test_what_is_plain_is_learned(examples: list[Example]) -> None:
    models = train(examples)
    assert [model.classes for model in models] == [TYPES, DOORS, BOUGHTS]
    figures = measure(judge_unseen(examples))
    assert (figures.forms, figures.domains, figures.unread) == (96, 24, 0)
    assert figures.search_error == 0
    assert figures.type_accuracy == 1


def said(type: str, took: str, kind: str = "", took_kind: str = "", *, there: bool = True) -> Said:
    one = example(0, "search", "a.example")
    form = one.form if there else None
    return Said(Example("0.html", 0, type, kind, "a.example", one.page, form), 0, took, 0.5, took_kind)


def test_figures_are_counted() -> None:
    figures = measure(
        [
            *[said("search", "search", "database", "database")] * 3,
            said("search", "search", "site-search", "database"),
            said("search", "other", "database", "site-search"),
            said("login", "search"),
            *[said("login", "registration")] * 2,
            said("other", "other"),
            said("search", "other", "database", "other", there=False),
        ]
    )
    assert figures.search_precision == pytest.approx(4 / 5)
    assert figures.search_recall == pytest.approx(4 / 6)
    assert figures.search_f1 == pytest.approx(8 / 11)
    assert figures.search_error == pytest.approx(3 / 10)
    assert figures.type_accuracy == pytest.approx(5 / 10)
    assert figures.door_accuracy == pytest.approx(3 / 5)  # of those that are there
    assert figures.unread == 1


def test_models_are_written_as_they_are_read(examples: list[Example], tmp_path: Path) -> None:
    models, path = train(examples), tmp_path / "new" / "forms.json"
    assert write_models(models, path) == path.stat().st_size
    data = orjson.loads(path.read_bytes())
    assert compare_models(models, Models(*(read_softmax(data[name]) for name in Models._fields))).none
    assert len(path.read_text().splitlines()) > sum(len(model.weights) for model in models)  # a fact to a line


def test_the_models_that_come_with_dowse_are_small_plain_data() -> None:
    text = resources.files("dowse.form").joinpath("models/forms.json").read_bytes()
    assert len(text) < 1_000_000
    for name, classes in zip(Models._fields, (TYPES, DOORS, BOUGHTS), strict=True):
        data = orjson.loads(text)[name]
        assert data["classes"] == list(classes)
        assert {len(row) for row in data["weights"].values()} == {len(classes)}
        assert all(isinstance(value, int) for row in data["weights"].values() for value in row)


@pytest.mark.slow
def test_training_gives_the_models_that_come_with_dowse() -> None:
    examples = read_examples()
    assert len(examples) == 1585
    models = train(examples)
    assert compare_models(models, load_models()).weight <= 0.02  # libraries round differently from machine to machine
    taken = [(one, judge_form(one.form, one.page)) for one in examples if one.form is not None]
    assert sum(kind.searchable == (one.type == "search") for one, kind in taken) / len(taken) > 0.95
