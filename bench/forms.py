"""Telling search forms from others on a web nobody was trained on: Dowse beside Formasaurus."""

from __future__ import annotations

import json
import re
import subprocess
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any
from urllib.parse import urljoin

from bench.install import Missing, install_formasaurus
from bench.intervals import explain_intervals, measure_interval, write_interval
from bench.options import Options
from bench.places import PEERS, SCRATCH, empty_folder
from bench.report import markdown_table
from dowse.form.doors import open_door
from dowse.model import KINDS, SEARCHABLE_KINDS, Request, Response
from dowse.page import read_page
from dowse.sim import World
from dowse.sim.truth import FormTruth

TITLE = "Telling search forms from others"
FAMILY = "B"
SITES = 300
PATIENCE = 600  # seconds that Formasaurus may take
FIGURES = ("accuracy", "precision", "recall", "f1")
UNSEEN = "not seen"
SEARCH = "search"  # the kind of Formasaurus that puts a query to something
_BASE = re.compile(r"<base\b[^>]*?\bhref\s*=\s*[\"']?([^\"'\s>]+)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Sample:
    """A form of the world and the page it stands on."""

    form: FormTruth
    response: Response
    encoding: str
    language: str

    @property
    def wanted(self) -> bool:
        """Whether it puts a query to something."""
        return self.form.kind in SEARCHABLE_KINDS


def gather(seed: int) -> Iterator[Sample]:
    """Give every form that is written in HTML on a page that can be had, once."""
    world = World(seed, SITES, family=FAMILY)
    for truth in world.truth():
        for form in truth.forms:
            if form.made != "html" or form.same_as or not form.reachable:
                continue
            response = world.answer(Request(form.page))
            if isinstance(response, Response) and response.status == 200:
                yield Sample(form, response, truth.encoding, truth.language)


def _is_same(form: FormTruth, action: str, names: set[str]) -> bool:
    return action == form.action and names - set(form.buttons) == set(form.fields)


def judge_by_dowse(samples: list[Sample]) -> list[str]:
    """Return the kind that Dowse says each form is."""
    return [_ask_dowse(sample) for sample in samples]


def _ask_dowse(sample: Sample) -> str:
    page = read_page(sample.response)
    for form in page.forms:
        if _is_same(sample.form, form.action, {field.name for field in form.fields if field.name}):
            return str(open_door(form, page).judgement.kind)
    return UNSEEN


def judge_by_formasaurus(samples: list[Sample]) -> list[str]:
    """Return the kind that Formasaurus says each form is."""
    python = install_formasaurus()
    folder = empty_folder(SCRATCH / "runs" / "forms")
    pages = {sample.form.page: sample.response.body.decode(sample.encoding, "replace") for sample in samples}
    (folder / "pages").write_text("".join(json.dumps({"html": html}) + "\n" for html in pages.values()))
    with (folder / "pages").open() as asked:
        done = subprocess.run(
            [python, PEERS / "formasaurus_peer.py"],
            stdin=asked, capture_output=True, text=True, timeout=PATIENCE, check=False,
        )  # fmt: skip
    if done.returncode:
        raise Missing(f"Formasaurus failed: {(done.stderr.strip().splitlines() or ['no reason given'])[-1]}")
    judged = dict(zip(pages, map(json.loads, done.stdout.splitlines()), strict=True))
    return [_pick_judged(sample, judged[sample.form.page], pages[sample.form.page]) for sample in samples]


def _pick_judged(sample: Sample, judged: list[dict[str, Any]], html: str) -> str:
    """Return the kind of the form with the address that has the most of the names: its parser may lose some of them."""
    base = urljoin(sample.form.page, _find_base(html))
    same = [one for one in judged if urljoin(base, one["action"].strip()) == sample.form.action]
    if not same:
        return UNSEEN
    fields = set(sample.form.fields)
    return str(max(same, key=lambda one: len(fields & set(one["names"])) - len(set(one["names"]) - fields))["kind"])


def _find_base(html: str) -> str:
    """Return what a page resolves its addresses against, as it is written: in capitals too, and without quotes."""
    found = _BASE.search(html)
    return found[1] if found else ""


JUDGES: dict[str, tuple[Callable[[list[Sample]], list[str]], frozenset[str]]] = {
    "dowse": (judge_by_dowse, SEARCHABLE_KINDS),
    "formasaurus": (judge_by_formasaurus, frozenset({SEARCH})),
}


def count_right(pairs: list[tuple[bool, bool]]) -> dict[str, float]:
    """Return how well claims (wanted, said) do."""
    counts = Counter(pairs)
    right, missed, wrong = counts[True, True], counts[True, False], counts[False, True]
    precision = right / (right + wrong) if right + wrong else 1.0
    recall = right / (right + missed) if right + missed else 1.0
    f1 = 2 * precision * recall / (precision + recall) if precision + recall else 0.0
    accuracy = (right + counts[False, False]) / len(pairs) if pairs else 1.0
    return {"accuracy": accuracy, "precision": precision, "recall": recall, "f1": f1}


def run(options: Options) -> dict[str, object]:
    """Let both judge the forms of a world for each seed."""
    seeds = [options.seed + repeat for repeat in range(options.repeats)]
    runs: dict[str, list[dict[str, Any]]] = {}
    missing: dict[str, str] = {}
    for seed in seeds:
        samples = list(gather(seed))
        for name, (judge, searchable) in JUDGES.items():
            try:
                said = judge(samples)
            except (Missing, subprocess.TimeoutExpired, OSError) as error:
                missing[name] = str(error)
                options.say(f"  {name}: {error}")
                continue
            runs.setdefault(name, []).append(_count(samples, said, searchable))
            options.say(f"  seed {seed} {name}: " + json.dumps({key: runs[name][-1][key] for key in FIGURES}))
    intervals = {name: _intervals(some) for name, some in runs.items()}
    intervals |= {
        f"{name}, English sites": _intervals([each["english"] for each in some]) for name, some in runs.items()
    }
    return {
        "seeds": seeds,
        "settings": {"family": FAMILY, "sites": SITES},
        "runs": runs,
        "missing": missing,
        "intervals": intervals,
        "medians": {name: {figure: some[figure]["median"] for figure in FIGURES} for name, some in intervals.items()},
    }


def _count(samples: list[Sample], said: list[str], searchable: frozenset[str]) -> dict[str, Any]:
    pairs = [(sample.wanted, kind in searchable) for sample, kind in zip(samples, said, strict=True)]
    confusion: dict[str, Counter[str]] = {}
    for sample, kind in zip(samples, said, strict=True):
        confusion.setdefault(sample.form.kind, Counter())[kind] += 1
    english = [pair for sample, pair in zip(samples, pairs, strict=True) if sample.language == "en"]
    return {
        **count_right(pairs),
        "forms": len(samples),
        "searchable": sum(wanted for wanted, _ in pairs),
        "unseen": said.count(UNSEEN),
        "confusion": {kind: dict(row.most_common()) for kind, row in sorted(confusion.items())},
        "english": count_right(english) | {"forms": len(english)},
    }


def _intervals(facts: list[dict[str, Any]]) -> dict[str, dict[str, Any]]:
    return {figure: measure_interval([each[figure] for each in facts]).to_json() for figure in FIGURES}


def table(result: dict[str, Any]) -> str:
    """How well searchable forms are told, then what Dowse takes each kind for."""
    rows = [
        [name, *(write_interval(figures[figure], ".1%" if figure != "f1" else ".3f") for figure in FIGURES)]
        for name, figures in sorted(result["intervals"].items(), key=lambda each: ("English" in each[0], each[0]))
    ]
    rows += [[name, f"not measured: {reason}", "", "", ""] for name, reason in result["missing"].items()]
    first = markdown_table(["judge", "accuracy", "precision", "recall", "F1"], rows, numbers=4)
    parts = [first]
    for name, runs in result["runs"].items():
        parts += [f"## What {name} takes each kind for", _confusion_table(runs)]
    return "\n\n".join(parts)


def _confusion_table(runs: list[dict[str, Any]]) -> str:
    """All seeds added up; true kinds as rows."""
    said = {kind for one in runs for row in one["confusion"].values() for kind in row}
    columns = [kind for kind in (*KINDS, *sorted(said - {*KINDS, UNSEEN}), UNSEEN) if kind in said]
    rows = []
    for kind in KINDS:
        counts = [sum(one["confusion"].get(kind, {}).get(column, 0) for one in runs) for column in columns]
        if any(counts):
            rows.append([kind, *map(str, counts)])
    return markdown_table(["is / is taken for", *columns], rows, numbers=len(columns))


def notes(result: dict[str, Any]) -> str:
    """What a reader must know beside the table."""
    one = result["runs"]["dowse"][0]
    first = next(iter(result["intervals"].values()))["accuracy"]
    return (
        f"Every form written in HTML of {SITES} sites of family {FAMILY} in eight languages, once for each site, judged on the "
        f"page it stands on first; with the first seed {one['forms']:,} forms, {one['searchable']:,} of them searchable "
        f"(a database or the site itself). {explain_intervals(first, 'seeds')} A form that a judge does not find on the page "
        "counts as said not to be searchable. Formasaurus (0.10, the model it comes with, learned from "
        "pages of the web) knows search forms without telling databases from site searches, so `search` counts as searchable "
        "and all else not; it takes controls that stand outside their form element (attribute `form`) for nobody's. The tables of kinds add up all seeds. Nothing was chosen by looking at this family."
    )
