"""What real forms ask, read by Dowse and by hand."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from html import unescape
from pathlib import Path
from typing import Any

from bench.install import install_formasaurus
from bench.options import Options
from bench.report import markdown_table
from dowse.form.conditions import Structure, is_date_part, is_end_word, read_structure
from dowse.form.roles import attribute_name
from dowse.model import Condition, Form, Request, Response
from dowse.page import read_page
from dowse.sim import World
from dowse.sim.truth import ConditionTruth

TITLE = "What forms can be asked"
LABELS = Path(__file__).parent / "labels"
SHARED = Path(__file__).resolve().parents[2] / "shared" / "data" / "forms" / "forms_by_topic.jsonl.gz"
SITES = 150
FIGURES = ("label_f1", "whole", "grouped", "operator", "type", "role")
_ENDS = " \t.,:;*…-–—[](){}<>!?\"'«»•|/"


@dataclass(slots=True)
class Count:
    """What was right and wrong over some forms."""

    forms: int = 0
    whole: int = 0
    wanted: int = 0
    said: int = 0
    labels: int = 0
    grouped: int = 0
    operators: int = 0
    types: int = 0
    controls: int = 0
    roles: int = 0
    wrong: list[str] = field(default_factory=list)

    def figures(self) -> dict[str, Any]:
        """Return the figures: F1 of (fields, label) pairs, part of the forms wholly right, and parts of what was grouped rightly."""
        return {
            "forms": self.forms,
            "conditions": self.wanted,
            "label_f1": _ratio(2 * self.labels, self.wanted + self.said),
            "whole": _ratio(self.whole, self.forms),
            "grouped": _ratio(self.grouped, self.wanted),
            "operator": _ratio(self.operators, self.grouped),
            "type": _ratio(self.types, self.grouped),
            "role": _ratio(self.roles, self.controls),
        }


def _ratio(part: int, whole: int) -> float:
    return part / whole if whole else 1.0


def normal(label: str) -> str:
    """Return a label as it is compared: case, white space and signs at the ends do not count."""
    return " ".join(label.split()).strip(_ENDS).casefold()


def compare(truth: dict[str, Any], structure: Structure, count: Count, name: str = "") -> None:
    """Count one form: a condition is matched when its set of fields is the truth's, its label when it is equal too."""
    said = {frozenset(each.fields): each for each in structure.conditions if any(each.fields)}
    right = [_compare_condition(each, said.get(frozenset(each["fields"])), count) for each in truth["conditions"]]
    wanted = {frozenset(each["fields"]) for each in truth["conditions"]}
    count.forms += 1
    count.wanted += len(wanted)
    count.said += len(said)
    whole = all(right) and not set(said) - wanted
    count.whole += whole
    roles = {field: control.role for control in structure.controls for field in control.fields}
    for each in truth.get("not_conditions", ()):
        count.controls += len(each["fields"])
        count.roles += sum(roles.get(field) == each["role"] for field in each["fields"])
    if not whole:
        count.wrong.append(name)


def _is_bare(words: str) -> bool:
    """Return True if words are nothing but an end of a range or a part of a date: they name no attribute."""
    return is_end_word(words) or is_date_part(words)


def _compare_condition(truth: dict[str, Any], found: Condition | None, count: Count) -> bool:
    if found is None:
        return False
    count.grouped += 1
    count.operators += found.operator == truth["operator"]
    count.types += found.type == truth["type"]
    right = normal(found.label) == normal(truth["label"]) or found.attribute == truth.get("attribute", "")
    right = right or (not truth["label"] and "attribute" in truth and _is_bare(found.label))
    count.labels += right
    return right


# --- real forms


def measure_real(which: str) -> dict[str, Count]:
    """Return the counts over one file of labelled forms, for each source and for all."""
    counts = {"formasaurus": Count(), "forms_by_topic": Count(), "all": Count()}
    for truth in _read_labels(which):
        form = find_form(truth)
        structure = read_structure(form) if form else Structure()
        name = f"{truth['source']} {truth['page']} {truth['form']}"
        for key in (truth["source"], "all"):
            compare(truth, structure, counts[key], name)
    return counts


def _read_labels(which: str) -> Iterator[dict[str, Any]]:
    with (LABELS / f"conditions_{which}.jsonl").open() as lines:
        yield from map(json.loads, lines)


def find_form(truth: dict[str, Any]) -> Form | None:
    """Return the labelled form as Dowse reads it: the one whose names are nearest to those labelled, in order."""
    forms = _read_forms(truth["source"], str(truth["page"]), truth["url"])
    names = {name for each in (*truth["conditions"], *truth["not_conditions"]) for name in each["fields"]}
    likeness: Callable[[Form], float] = lambda form: _likeness(names, form)  # noqa: E731
    return max(forms, key=lambda form: (likeness(form), -abs(form.index - truth["form"])), default=None)


def _likeness(names: set[str], form: Form) -> float:
    own = {field.name for field in form.fields if field.name}
    return len(names & own) / len(names | own) if names | own else 0.0


@lru_cache(maxsize=4)
def _read_forms(source: str, page: str, url: str) -> tuple[Form, ...]:
    body = _read_formasaurus(page) if source == "formasaurus" else _read_topic(int(page))
    return read_page(Response(url, 200, (("content-type", "text/html; charset=utf-8"),), body)).forms


def _read_formasaurus(page: str) -> bytes:
    return (_formasaurus_folder() / page).read_bytes()


@lru_cache(maxsize=1)
def _formasaurus_folder() -> Path:
    environment = install_formasaurus().parent.parent
    return next(environment.glob("lib/python3*/site-packages/formasaurus/data/html"))


@lru_cache(maxsize=1)
def _topic_lines() -> list[str]:
    with gzip.open(SHARED, "rt") as lines:
        return lines.readlines()


def _read_topic(line: int) -> bytes:
    return str(json.loads(_topic_lines()[line])["html"]).encode()


# --- simulated forms


def measure_world(family: str, seed: int, sites: int = SITES) -> Count:
    """Return the counts over the query forms of a world; the operator is not compared where words are sought anywhere."""
    count = Count()
    world = World(seed, sites, family=family)
    for truth in world.truth():
        for form in truth.forms:
            if form.made != "html" or form.same_as or not form.reachable or not form.conditions:
                continue
            response = world.answer(Request(form.page))
            if isinstance(response, Response) and response.status == 200:
                written = unescape(response.body.decode(truth.encoding, "replace"))
                wanted = {"conditions": [_as_label(each, written) for each in form.conditions]}
                _compare_world(wanted, set(form.fields), response, count, form.page)
    return count


def _compare_world(wanted: dict[str, Any], fields: set[str], response: Response, count: Count, name: str) -> None:
    forms = read_page(response).forms
    found = max(forms, key=lambda form: _likeness(fields, form), default=None)
    structure = read_structure(found) if found else Structure()
    compare(wanted, structure, count, name)


def _as_label(truth: ConditionTruth, written: str) -> dict[str, Any]:
    """Return a condition as those of real forms are labelled; words that the page does not have cannot be read."""
    operator = "contains" if truth.operator == "keyword" else truth.operator
    fields = list(truth.fields)
    named = {
        "label": truth.label if truth.label in written else "",
        "fields": fields,
        "operator": operator,
        "type": truth.type,
    }
    # its truth has one word for a range, its pages often one for each end: "Year from" is no mistake, nor is
    # "from" where the page has no other word
    return named | ({"attribute": attribute_name(truth.label)} if truth.operator == "range" else {})


# --- the experiment


def run(options: Options) -> dict[str, object]:
    """Measure the forms for development, those held back, and the query forms of both families."""
    figures: dict[str, dict[str, Any]] = {}
    wrong: dict[str, list[str]] = {}
    for which in ("dev", "held"):
        counts = measure_real(which)
        figures |= {f"{which}, {source}": count.figures() for source, count in counts.items()}
        wrong[which] = counts["all"].wrong if which == "dev" else []  # what is held back is not named
        options.say(f"  {which}: {json.dumps(figures[f'{which}, all'])}")
    for family in ("A", "B"):
        figures[f"world {family}"] = measure_world(family, options.seed).figures()
        options.say(f"  world {family}: {json.dumps(figures[f'world {family}'])}")
    return {"settings": {"sites": SITES, "seed": options.seed}, "figures": figures, "wrong": wrong}


def table(result: dict[str, Any]) -> str:
    """One row for each set of forms."""
    rows = []
    for name, each in result["figures"].items():
        cells = [f"{each[figure]:.3f}" if figure == "label_f1" else f"{each[figure]:.1%}" for figure in FIGURES]
        rows.append([name, str(each["forms"]), str(each["conditions"]), *cells])
    heads = ["forms of", "forms", "conditions", "label F1", "whole form", "grouped", "operator", "type", "role"]
    return markdown_table(heads, rows, numbers=len(heads) - 1)


def notes(result: dict[str, Any]) -> str:
    """What a reader must know beside the table."""
    return (
        "Real query forms labelled by hand (`bench/labels/CONDITIONS.md`); the pages come from the PyPI package `formasaurus` "
        "and from the shared data. Dev was looked at while the reader was made; of held only the figures were, though what the reader said (not the labels) of some of "
        "its forms was seen when more forms were looked through. A condition is grouped rightly "
        "when its set of fields is the labelled one. Label F1 counts pairs of fields and label; labels are equal when case, white space and signs at "
        "their ends are left aside, and an empty label must be found empty. A form is wholly right when every condition is grouped and "
        "labelled rightly and there is none besides. Operator and type: of those grouped rightly. Role: of all controls that are no condition. "
        f"The simulated forms are those of {result['settings']['sites']} sites; a condition that its page gives no words for has no label there (a range or a date of which it says only `from` or `day` may be called that), and the roles of their other controls are not compared."
    )
