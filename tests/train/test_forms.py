"""Models are trained without the sites they judge, and training gives again what comes with Dowse."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import dataclass
from importlib import resources
from pathlib import Path

import msgspec
import pytest

from dowse.errors import BadInput
from dowse.form.judge import BOUGHTS, DOORS, TYPES, Models, judge_form, load_models
from dowse.learn.linear import Softmax
from dowse.model import Response
from dowse.page import read_page
from dowse.train import forms
from dowse.train.forms import (
    FOLDS,
    FormTables,
    LabelledForm,
    ModelDifference,
    UnseenJudgement,
    compare_models,
    describe_examples,
    find_data,
    judge_unseen,
    make_folds,
    measure,
    read_examples,
    read_labelled_pages,
    simulate_examples,
    train,
    write_models,
)

pytest.importorskip("lxml")


LABELLED_PAGES = Path(__file__).parents[2] / ".bench" / "pages.jsonl"  # of the web of real software
SEARCH = '<form action="/s"><input name="q"><button>Search</button></form>'
LOGIN = '<form method="post"><input name="user"><input type="password" name="pass"></form>'
VOTE = '<form method="post"><input type="radio" name="vote" value="1"></form>'


def read(
    folder: Path, monkeypatch: pytest.MonkeyPatch, html: str, letters: str, name: str = "7.html"
) -> list[LabelledForm]:
    (folder / "html").mkdir(exist_ok=True)
    (folder / "html" / name).write_text(html)
    facts = {"url": "http://www.shop.co.uk/start", "forms": list(letters)}
    (folder / "index.json").write_text(json.dumps({f"html/{name}": facts}))
    monkeypatch.setattr(forms, "find_data", lambda: folder)
    return read_examples()


def test_a_form_has_its_label_its_page_and_its_domain(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    search, login = read(tmp_path, monkeypatch, f"<title>Shop</title>{SEARCH}{LOGIN}", "sl")
    assert (search.type, search.page_file, search.number, search.domain) == ("search", "7.html", 0, "shop.co.uk")
    assert search.page.title == "Shop"
    assert search.form
    assert search.form.action == "http://www.shop.co.uk/s"
    assert login.type == "login"
    assert login.form
    assert {field.name for field in login.form.fields} == {"user", "pass"}


@pytest.mark.parametrize(
    ("letters", "types"),
    [("sXl", ["search", "login"]), ("-ll", ["login", "login"]), ("sVP", ["search", "other", "other"])],
    ids=["not looked at", "to be skipped", "kinds of other"],
)
def test_forms_without_a_label_are_left_out(
    letters: str, types: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = read(tmp_path, monkeypatch, SEARCH + VOTE + LOGIN, letters)
    assert [one.type for one in found] == types


def test_a_form_that_browsers_do_not_see_has_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A form inside a form is one to lxml and none to a browser; the login must not be taken for it."""
    nested = (
        f'<form action="/a"><input name="a"><form action="/b"><input name="b1"><input name="b2"></form></form>{LOGIN}'
    )
    outer, inner, login = read(tmp_path, monkeypatch, nested, "osl")
    assert outer.form
    assert outer.form.action.endswith("/a")
    assert inner.form is None
    assert login.form
    assert {field.name for field in login.form.fields} == {"user", "pass"}


def test_more_labels_than_forms_are_no_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert [one.form is None for one in read(tmp_path, monkeypatch, SEARCH, "ss")] == [False, True]


def test_what_a_search_searches_is_told_by_the_table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    kinds = forms.read_kinds()
    page, number = next(place for place, kind in kinds.items() if kind == "database")
    found = read(tmp_path, monkeypatch, SEARCH * (number + 1), "s" * (number + 1), page)
    assert found[number].kind == "database"
    assert set(kinds.values()) == {"database", "site-search", "configure", "other", "unsure"}


def test_labelled_pages_are_read_from_a_file(tmp_path: Path) -> None:
    """A form on three pages counts as much as one on four; forms without a kind are left out."""
    page = {"site": "a.example", "url": "http://a.example/1", "html": SEARCH + LOGIN, "names": ["box", "door"]}
    rows = [{**page, "forms": ["database", ""]}] * 4 + [{**page, "forms": ["", "login"]}]
    file = tmp_path / "pages.jsonl"
    file.write_text("".join(json.dumps(row) + "\n" for row in rows))
    found = read_labelled_pages(file)
    assert [(one.type, one.kind, one.domain) for one in found] == [
        *[("search", "database", "a.example")] * 4,
        ("login", "", "a.example"),
    ]
    assert [one.weight for one in found] == [0.75] * 4 + [1.0]


def test_a_file_that_holds_no_labelled_pages_is_a_mistake(tmp_path: Path) -> None:
    file = tmp_path / "pages.jsonl"
    file.write_text("no JSON")
    with pytest.raises(BadInput, match="labelled pages"):
        read_labelled_pages(file)


def test_simulated_forms_have_their_kinds_and_count_less() -> None:
    found = simulate_examples(sites=12)
    assert {"database", "site-search"} <= {one.kind for one in found if one.type == "search"}
    assert all(one.form is not None and one.weight < 1 for one in found)


def test_without_the_labelled_forms_one_line_says_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(forms, "find_spec", lambda name: None)
    with pytest.raises(BadInput, match=r"pip install 'dowse\[train\]'"):
        find_data()


pytest.importorskip("scipy")


HTML = {
    "search": '<form action="/s"><input name="q{0}"><button>Search the catalogue</button></form>',
    "login": '<form method="post"><input name="user{0}"><input type="password" name="p"><button>Log in</button></form>',
    "order": '<form method="post"><select name="size{0}"><option>S<option>M</select><button>Add to cart</button></form>',
}
pytestmark = pytest.mark.xdist_group("models of forms")
KINDS = {"search": ("database", "site-search"), "login": ("", ""), "order": ("configure", "other")}


def example(number: int, type: str, domain: str) -> LabelledForm:
    page = read_page(Response(f"http://{domain}/{number}", 200, (), HTML[type].format(number % 3).encode()))
    return LabelledForm(f"{number}.html", 0, type, KINDS[type][number // 3 % 2], domain, page, page.forms[0])


@pytest.fixture(scope="module")
def labelled() -> list[LabelledForm]:
    types = list(HTML)
    return [example(number, types[number % 3], f"site{number // 4}.example") for number in range(96)]


def test_a_domain_stands_in_one_fold_and_folds_are_equal(labelled: list[LabelledForm]) -> None:
    folds = make_folds(labelled)
    places: dict[str, set[int]] = {}
    for one, fold in zip(labelled, folds, strict=True):
        places.setdefault(one.domain, set()).add(fold)
    assert all(len(some) == 1 for some in places.values())
    sizes = Counter(folds)
    assert set(sizes) == set(range(FOLDS))
    assert max(sizes.values()) - min(sizes.values()) <= 4  # one domain
    assert make_folds(labelled) == folds


@dataclass
class Judged:
    """What models said that had not seen the domain, and which domains each had seen."""

    said: list[UnseenJudgement]
    seen: list[set[str]]
    lines: list[str]


@pytest.fixture(scope="module")
def judged(labelled: list[LabelledForm]) -> Judged:
    seen: list[set[str]] = []
    lines: list[str] = []

    def note(tables: FormTables, without: set[str]) -> Models:
        seen.append({one.domain for one in labelled} - without)
        return train(tables, without)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(forms, "train", note)
        said = judge_unseen(labelled, lines.append)
    return Judged(said, seen, lines)


@pytest.fixture(scope="module")
def trained(labelled: list[LabelledForm]) -> Models:
    return train(FormTables(describe_examples(labelled)))


def test_nobody_is_judged_by_models_that_saw_the_domain(labelled: list[LabelledForm], judged: Judged) -> None:
    files = {(one.example.page_file, one.example.number) for one in judged.said}
    assert files == {(one.page_file, 0) for one in labelled}
    assert not [one for one in judged.said if one.example.domain in judged.seen[one.fold]]
    assert len(judged.lines) == FOLDS


def test_what_is_plain_is_learned(trained: Models, judged: Judged) -> None:
    assert [model.classes for model in msgspec.structs.astuple(trained)] == [TYPES, DOORS, BOUGHTS]
    figures = measure(judged.said)
    assert (figures.forms, figures.domains, figures.unread) == (96, 24, 0)
    assert figures.search_error == 0
    assert figures.type_accuracy == 1


def said(type: str, took: str, kind: str = "", took_kind: str = "", *, there: bool = True) -> UnseenJudgement:
    one = example(0, "search", "a.example")
    form = one.form if there else None
    return UnseenJudgement(LabelledForm("0.html", 0, type, kind, "a.example", one.page, form), 0, took, 0.5, took_kind)


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


def test_models_are_written_as_they_are_read(trained: Models, tmp_path: Path) -> None:
    path = tmp_path / "new" / "forms.json"
    assert write_models(trained, path) == path.stat().st_size
    assert compare_models(trained, msgspec.json.decode(path.read_bytes(), type=Models)).none
    facts = [fact for model in msgspec.structs.astuple(trained) for fact in model.weights]
    assert len(path.read_text().splitlines()) > len(facts)  # a fact to a line


def test_the_models_that_come_with_dowse_are_small_plain_data() -> None:
    text = resources.files("dowse.form").joinpath("models/forms.json").read_bytes()
    assert len(text) < 1_000_000
    for name, classes in zip(Models.__struct_fields__, (TYPES, DOORS, BOUGHTS), strict=True):
        data = json.loads(text)[name]
        assert data["classes"] == list(classes)
        assert {len(row) for row in data["weights"].values()} == {len(classes)}
        assert all(isinstance(value, int) for row in data["weights"].values() for value in row)


@pytest.mark.proof
@pytest.mark.skipif(not LABELLED_PAGES.exists(), reason="needs python -m bench.realweb pages -o .bench/pages.jsonl")
def test_training_gives_the_models_that_come_with_dowse() -> None:
    examples = read_examples()
    assert len(examples) == 1585
    models = train(
        FormTables(describe_examples([*examples, *simulate_examples(), *read_labelled_pages(LABELLED_PAGES)]))
    )
    assert compare_models(models, load_models()).weight <= 0.02  # libraries round differently from machine to machine
    taken = [(one, judge_form(one.form, one.page)) for one in examples if one.form is not None]
    assert sum(kind.searchable == (one.type == "search") for one, kind in taken) / len(taken) > 0.95


def models(weights: dict[str, tuple[int, int]], bias: tuple[int, int] = (0, 0), yes: str = "yes") -> Models:
    plain = Softmax(("a", "b"), (1, 2), {"x": (3, 4)})
    return Models(plain, Softmax((yes, "no"), bias, weights), plain)


BOTH = {"a": (10, -10), "b": (1, 0)}


@pytest.mark.parametrize(
    ("other", "difference"),
    [
        (models(BOTH), ModelDifference(0, 0.0)),
        (models({"a": [10, -10], "b": [1, 0]}), ModelDifference(0, 0.0)),  # type: ignore[dict-item]
        (models({**BOTH, "a": (10, -13)}), ModelDifference(0, 0.03)),
        (models({"a": (10, -10)}), ModelDifference(1, 0.01)),
        (models({**BOTH, "c": (0, 50)}), ModelDifference(1, 0.5)),
        (models(BOTH, bias=(0, -7)), ModelDifference(0, 0.07)),
    ],
    ids=["the same", "as JSON has it", "a weight", "a fact less", "a fact more", "a bias"],
)
def test_differences(other: Models, difference: ModelDifference) -> None:
    for found in (compare_models(models(BOTH), other), compare_models(other, models(BOTH))):
        assert (found.facts, found.weight) == (difference.facts, pytest.approx(difference.weight))
        assert found.none == difference.none


def test_other_classes_are_never_the_same() -> None:
    assert not compare_models(models({}), models({}, yes="maybe")).none
