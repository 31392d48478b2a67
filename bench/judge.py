"""Telling the doors of databases on real software that nothing was learned from: one program is left out at a time.

Each true form of a program of the real web is judged by models that were trained on all other programs, on formasaurus and on
family A: on the page that is met first, as a search judges it, and on all of its pages, by the best
judgement.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bench.install import Missing
from bench.options import Options
from bench.realweb.labelled import keep_pages
from bench.realweb.web import NAMES
from bench.report import markdown_table
from dowse.errors import BadInput
from dowse.form.judge import Models, judge_form
from dowse.train.forms import (
    FormTables,
    LabelledForm,
    describe_examples,
    read_examples,
    read_labelled_pages,
    simulate_examples,
    train,
)

TITLE = "Telling the doors of databases on software nobody learned from"
WANTED = "database"
WAYS = {
    "first": "on its first page",
    "best": "best of its pages",
}


@dataclass(frozen=True, slots=True)
class JudgedForm:
    """A true form and what it was taken for."""

    program: str
    name: str
    kind: str  # what it is
    first: str
    best: str
    reasons: tuple[str, ...]  # of the judgement on its first page

    def is_claimed(self, way: str) -> bool:
        """Return True if it was taken for a database's door."""
        return bool(getattr(self, way) == WANTED)


def run(options: Options) -> dict[str, object]:
    """Leave out each program once; the web must be up where its pages are not kept yet."""
    files: dict[str, Path] = {}
    absent: list[str] = []
    for name in NAMES:
        try:
            files[name] = keep_pages(name, options.say)
        except Missing as reason:
            options.say(f"    {name} is left out: {reason}")
            absent.append(name)
    judged = judge_programs(files, options.say)
    return {"absent": absent, **sum_up(judged)}


def judge_programs(files: Mapping[str, Path], say: Callable[[str], None]) -> list[JudgedForm]:
    """Judge the forms of each program with models that know all others."""
    try:
        base = describe_examples([*read_examples(), *simulate_examples()])
    except BadInput as error:
        raise Missing(str(error)) from None
    programs = {name: read_labelled_pages(path) for name, path in files.items()}
    tables = FormTables([*base, *describe_examples(one for examples in programs.values() for one in examples)])
    judged: list[JudgedForm] = []
    for name, examples in programs.items():
        if examples:
            found = _judge_program(name, examples, train(tables, without={name}))
            judged += found
            wrong = sum(form.is_claimed("first") != (form.kind == WANTED) for form in found)
            say(f"    {name}: {len(found)} forms, {wrong} wrong")
    return judged


def _judge_program(program: str, examples: Sequence[LabelledForm], models: Models) -> list[JudgedForm]:
    forms: dict[str, list[LabelledForm]] = {}
    for example in examples:
        forms.setdefault(example.name, []).append(example)
    found: list[JudgedForm] = []
    for name, pages in forms.items():
        said = [judge_form(one.form, one.page, models) for one in pages if one.form is not None]
        first = pages[0]
        assert first.form is not None
        best = max(said, key=lambda one: (one.kind == WANTED, one.probability))
        found.append(JudgedForm(program, name, first.true_kind, said[0].kind, best.kind, said[0].reasons))
    return found


def sum_up(judged: Sequence[JudgedForm]) -> dict[str, Any]:
    """Return precision and recall for each way of judging, and every mistake with its reasons."""
    figures = {way: count_claims(judged, way) for way in WAYS}
    wrong = [form for form in judged if any(form.is_claimed(way) != (form.kind == WANTED) for way in WAYS)]
    return {
        "programs": len({form.program for form in judged}),
        "forms": len(judged),
        "figures": figures,
        "wrong": [
            {"form": f"{form.program}/{form.name}", "is": form.kind, "reasons": list(form.reasons)}
            | {way: getattr(form, way) for way in WAYS}
            for form in wrong
        ],
        "medians": figures,
    }


def count_claims(judged: Sequence[JudgedForm], way: str) -> dict[str, float]:
    """Return precision and recall of the doors of databases."""
    claimed = [form for form in judged if form.is_claimed(way)]
    wanted = [form for form in judged if form.kind == WANTED]
    right = sum(form.kind == WANTED for form in claimed)
    return {
        "precision": right / len(claimed) if claimed else 1.0,
        "recall": right / len(wanted) if wanted else 1.0,
        "doors": len(wanted),
        "claimed": len(claimed),
    }


def table(result: dict[str, Any]) -> str:
    """Precision and recall, and the mistakes."""
    rows = [
        [words, str(one["doors"]), str(one["claimed"]), f"{one['precision']:.1%}", f"{one['recall']:.1%}"]
        for way, words in WAYS.items()
        if (one := result["figures"][way])
    ]
    wrong = [
        [one["form"], one["is"], *(one[way] for way in WAYS), "; ".join(one["reasons"])] for one in result["wrong"]
    ]
    parts = [
        markdown_table(["judged", "doors", "claimed", "precision", "recall"], rows, numbers=4),
        "## Mistakes",
        markdown_table(["form", "is", *WAYS.values(), "reasons, on its first page"], wrong),
    ]
    return "\n\n".join(parts)


def notes(result: dict[str, Any]) -> str:
    """What a reader must know beside the table."""
    absent = f" Left out, because they do not run: {', '.join(result['absent'])}." if result["absent"] else ""
    return (
        f"{result['forms']} forms of {result['programs']} programs of the real web (`bench/realweb`), each judged by models that were trained on all other programs, "
        "on formasaurus and on simulated sites of family A. Forms that scripts draw are not judged. Facts and rows were written with the mistakes on "
        f"this software in view: wholly new software will give less.{absent}"
    )
