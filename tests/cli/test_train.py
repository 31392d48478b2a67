"""`dowse train forms`: figures for people and scripts, and refusals in one line."""

from __future__ import annotations

from dataclasses import fields
from pathlib import Path

import pytest

pytest.importorskip("scipy")

from dowse.form.judge import load_models
from dowse.train import forms
from dowse.train import forms as examples
from dowse.train.forms import FormFigures, write_models
from tests.cli.conftest import Dowse
from tests.train.test_forms import HTML, example


@pytest.fixture
def few_forms(monkeypatch: pytest.MonkeyPatch) -> None:
    types = list(HTML)
    some = [example(number, types[number % 3], f"site{number // 4}.example") for number in range(60)]
    monkeypatch.setattr(examples, "read_examples", lambda: some)


@pytest.mark.usefixtures("few_forms")
def test_for_people(dowse: Dowse) -> None:
    done = dowse("train", "forms")
    assert done.code == 0
    assert "60 forms of 15 domains" in done.out
    assert "search or not: F1" in done.out
    assert "100.0%" in done.out
    assert "forms.json: " in done.out
    assert "not the models that come with Dowse" in done.out
    assert done.err.count("fold ") == 10
    assert Path("forms.json").exists()


@pytest.mark.usefixtures("few_forms")
def test_for_scripts(dowse: Dowse) -> None:
    done = dowse("train", "forms", "--json", "-o", "new.json")
    assert done.code == 0
    assert set(done.json) == {*(each.name for each in fields(FormFigures)), "path", "bytes", "as_shipped"}
    assert (done.json["path"], done.json["bytes"]) == ("new.json", Path("new.json").stat().st_size)
    assert (done.json["forms"], done.json["search_error"], done.json["as_shipped"]) == (60, 0.0, False)


@pytest.mark.usefixtures("few_forms")
def test_without_folds_nothing_is_measured(dowse: Dowse) -> None:
    done = dowse("train", "forms", "--no-folds", "--json")
    assert done.json["search_f1"] is None
    assert "fold " not in done.err


@pytest.mark.usefixtures("few_forms")
def test_the_same_models_are_told(dowse: Dowse, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(forms, "train", lambda some: load_models())
    assert "identical with the models that come with Dowse" in dowse("train", "forms", "--no-folds").out
    shipped = Path("shipped.json")
    write_models(load_models(), shipped)
    assert Path("forms.json").read_bytes() == shipped.read_bytes()


@pytest.mark.usefixtures("few_forms")
@pytest.mark.parametrize(
    ("output", "words"),
    [("", "-o needs the name of a file"), (".", "-o needs the name of a file"), ("list/x.json", "cannot be written")],
    ids=["nothing", "a folder", "below a file"],
)
def test_outputs_that_cannot_be(dowse: Dowse, output: str, words: str) -> None:
    Path("list").write_text("a file")
    done = dowse("train", "forms", "--no-folds", "-o", output)
    assert done.code == 2
    assert words in done.err.splitlines()[-1]


def test_without_the_extra_one_line_says_so(dowse: Dowse, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(examples, "find_spec", lambda name: None)
    done = dowse("train", "forms")
    assert (done.code, len(done.err.splitlines())) == (2, 1)
    assert "pip install 'dowse[train]'" in done.err
    assert not Path("forms.json").exists()


def test_levels_are_trained_for_topics_of_ones_own(dowse: Dowse) -> None:
    done = dowse("train", "levels", "http://a.example/", "--topic", "cars")
    assert done.code == 2
    assert "the file of a topic of your own, not 'cars'" in done.err
