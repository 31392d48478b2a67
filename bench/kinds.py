"""Telling kinds of forms on real pages of sites nobody learned from: Dowse beside Formasaurus, paper 2 and paper 5.

Every judge is trained on nine folds and judges the tenth; a registrable domain stands in one fold.
"""

from __future__ import annotations

import json
import subprocess
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from statistics import median
from typing import Any

from bench.install import Missing, install_learners
from bench.judges.figures import Claim, measure_domains, measure_forms
from bench.judges.folds import Row, write_rows
from bench.kindspeed import measure_load, measure_speed
from bench.options import Options
from bench.pairs import compare_judges
from bench.places import JUDGES, SCRATCH, empty_folder
from bench.report import markdown_table
from dowse.errors import BadInput
from dowse.form.judge import DOORS, TYPES
from dowse.train.forms import LabelledForm, UnseenJudgement, judge_unseen, make_folds, read_examples

TITLE = "Telling what forms are for, on sites nobody learned from"
PATIENCE = 3600  # seconds that all judges together may take
DOWSE, PEER, TREE = "dowse", "formasaurus", "paper2-tree"
SHIPPED = "formasaurus-shipped"
FIGURES = ("error", "precision", "recall", "f1", "kinds")
LETTERS = dict(zip(TYPES, "slprcmbo", strict=True))  # what Formasaurus calls the types


def run(options: Options) -> dict[str, object]:
    """Let all judge the same folds; time Dowse and Formasaurus in turns."""
    python, folder = install_learners(), empty_folder(SCRATCH / "runs" / "kinds")
    examples = _read_examples()
    write_rows(make_rows(examples), folder / "folds")
    said = judge_unseen(examples, lambda line: options.say(f"  dowse: {line}"))
    claims = {DOWSE: claim_all(said)}
    options.say("  the other judges (minutes)")
    claims |= read_claims(_ask_judges(python, folder, [TREE, *_others(), PEER]), examples)
    figures = {
        name: {"by_form": measure_forms(some), "by_domain": measure_domains(some)} for name, some in claims.items()
    }
    differences = {name: compare_judges(claims[DOWSE], claims[name]) for name in (PEER, TREE)}
    turns = [_time_both(python, folder, options) for _ in range(options.repeats)]
    load = measure_load()
    doors = count_doors(said)
    return {
        "settings": {"folds": len({one.fold for one in said}), "forms": len(examples), "domains": _domains(examples)},
        "figures": figures,
        "differences": differences,
        "types": confuse((one.example.type, one.type) for one in said),
        "doors": doors,
        "turns": turns,
        "load": load,
        "medians": sum_up(figures, doors, turns, load),
    }


def _read_examples() -> list[LabelledForm]:
    try:
        return read_examples()
    except BadInput as error:
        raise Missing(str(error)) from None


def _domains(examples: Sequence[LabelledForm]) -> int:
    return len({example.domain for example in examples})


def _others() -> list[str]:
    return ["paper2-svm", "paper2-bayes", "paper2-perceptron", "hifi-structure", "hifi-text", "hifi"]


def make_rows(examples: Sequence[LabelledForm]) -> list[Row]:
    """Return the folds that Dowse is measured on, as the other judges read them."""
    return [
        Row(one.page_file, one.number, LETTERS[one.type], one.domain, fold)
        for one, fold in zip(examples, make_folds(examples), strict=True)
    ]


def claim_all(said: Sequence[UnseenJudgement]) -> list[Claim]:
    """Return what Dowse said, in the order of the pages."""
    ordered = sorted(said, key=lambda one: (one.example.page_file, one.example.number))
    return [
        Claim(one.example.domain, LETTERS[one.example.type], LETTERS[one.type], one.type == "search") for one in ordered
    ]


def read_claims(lines: Sequence[dict[str, Any]], examples: Sequence[LabelledForm]) -> dict[str, list[Claim]]:
    """Return what each of the other judges said, in the order of the pages; all must have judged every form."""
    true = {(one.page_file, one.number): one for one in examples}
    claims: dict[str, list[Claim]] = {}
    for line in sorted((line for line in lines if "page" in line), key=lambda line: (line["page"], line["form"])):
        one = true[line["page"], line["form"]]
        claims.setdefault(line["judge"], []).append(
            Claim(one.domain, LETTERS[one.type], line["said"], bool(line["search"]))
        )
    few = [name for name, some in claims.items() if len(some) != len(examples)]
    if few:
        raise Missing(f"{few[0]} judged {len(claims[few[0]])} of {len(examples)} forms")
    return claims


def _ask_judges(python: Path, folder: Path, names: Sequence[str]) -> list[dict[str, Any]]:
    words = [word for name in names for word in ("--judge", name)]
    command = [str(python), str(JUDGES), str(folder / "folds"), str(folder / "said"), *words]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE, check=False)
    except subprocess.TimeoutExpired:
        raise Missing(f"the judges to compare with took longer than {PATIENCE} s") from None
    if done.returncode:
        raise Missing(f"the judges failed: {(done.stderr.strip().splitlines() or ['no reason given'])[-1]}")
    return [json.loads(line) for line in (folder / "said").read_text().splitlines()]


def confuse(pairs: Any) -> dict[str, dict[str, int]]:
    """Count pairs of what it is and what it was taken for."""
    rows: dict[str, Counter[str]] = {}
    for true, took in pairs:
        rows.setdefault(true, Counter())[took] += 1
    return {true: dict(row.most_common()) for true, row in sorted(rows.items())}


def count_doors(said: Sequence[UnseenJudgement]) -> dict[str, Any]:
    """Count how often database and site search were told apart, by forms and with each domain weighing the same."""
    some = [one for one in said if one.example.kind in DOORS and one.example.form is not None]
    forms = Counter(one.example.domain for one in some)
    right = [one for one in some if one.kind == one.example.kind]
    return {
        "forms": len(some),
        "by_form": len(right) / max(1, len(some)),
        "by_domain": sum(1 / forms[one.example.domain] for one in right) / max(1, len(forms)),
        "always the commoner": max(Counter(one.example.kind for one in some).values(), default=0) / max(1, len(some)),
        "confusion": confuse((one.example.kind, one.kind) for one in some),
    }


def _time_both(python: Path, folder: Path, options: Options) -> dict[str, dict[str, float]]:
    """Time Dowse, then Formasaurus with the model it comes with: forms per second of one core."""
    own = measure_speed()
    (peer,) = _ask_judges(python, folder, [SHIPPED])
    turn = {
        DOWSE: own,
        PEER: {
            "single": peer["forms_per_second_single"],
            "batch": peer["forms_per_second_batch"],
            "pages": peer["forms_per_second_extract"],
        },
    }
    options.say(
        "  forms/s: "
        + json.dumps({name: {way: round(rate) for way, rate in some.items()} for name, some in turn.items()})
    )
    return turn


def sum_up(
    figures: dict[str, Any], doors: dict[str, Any], turns: Sequence[dict[str, Any]], load: dict[str, Any]
) -> dict[str, Any]:
    """Return the figures that floors are set for."""
    own = figures[DOWSE]["by_form"]
    ratios = {
        "form by form": median(turn[DOWSE]["single"] / turn[PEER]["single"] for turn in turns),
        "its forms all at once": median(turn[DOWSE]["single"] / turn[PEER]["batch"] for turn in turns),
        "from HTML": median(turn[DOWSE]["pages"] / turn[PEER]["pages"] for turn in turns),
    }
    return {
        DOWSE: {figure: own[figure] for figure in FIGURES} | {"doors": doors["by_form"]},
        "points of error less than": {
            name: 100 * (figures[name]["by_form"]["error"] - own["error"]) for name in (PEER, TREE)
        },
        "points of f1 more than": {name: 100 * (own["f1"] - figures[name]["by_form"]["f1"]) for name in (PEER, TREE)},
        "times as many forms a second": ratios,
        "load ms": load["load ms"],
        "bytes": load["bytes"],
    }


def table(result: dict[str, Any]) -> str:
    """How well each judge does, how sure the differences are, what Dowse takes each type for, and how fast it is."""
    parts = [
        _judges_table(result["figures"]),
        "## Differences, with the 95 % interval over domains",
        _differences_table(result["differences"]),
        "## What Dowse takes each type for",
        confusion_table(result["types"], TYPES),
        "## Database or site search",
        confusion_table(result["doors"]["confusion"], DOORS),
        "## Forms per second of one core",
        _speed_table(result),
    ]
    return "\n\n".join(parts)


def _judges_table(figures: dict[str, Any]) -> str:
    rows = [
        [
            f"`{name}`",
            *(_cell(some[weight][figure], figure) for weight in ("by_form", "by_domain") for figure in FIGURES),
        ]
        for name, some in figures.items()
    ]
    names = ["error", "precision", "recall", "F1", "8 types"]
    heads = ["judge", *names, *(f"{name}, by domain" for name in names)]
    return markdown_table(heads, rows, numbers=len(heads) - 1)


def _cell(value: float | None, figure: str) -> str:
    return "" if value is None else f"{value:.3f}" if figure == "f1" else f"{value:.1%}"


def _differences_table(differences: dict[str, Any]) -> str:
    rows = [
        [f"Dowse - `{name}`", *(_write_difference(some.get(figure)) for figure in ("error", "f1", "kinds"))]
        for name, some in differences.items()
    ]
    return markdown_table(["", "error", "F1", "8 types"], rows, numbers=3)


def _write_difference(interval: dict[str, float] | None) -> str:
    if interval is None:
        return ""
    return f"{interval['difference']:+.3f} ({interval['low']:+.3f} to {interval['high']:+.3f})"


def confusion_table(counts: dict[str, dict[str, int]], names: Sequence[str]) -> str:
    """True ones as rows, what they were taken for as columns."""
    columns = [name for name in names if any(name in row for row in counts.values())]
    rows = [[name, *(str(counts[name].get(column, 0)) for column in columns)] for name in names if name in counts]
    return markdown_table(["is / is taken for", *columns], rows, numbers=len(columns))


def _speed_table(result: dict[str, Any]) -> str:
    ways = {"single": "form by form", "batch": "all forms at once", "pages": "from HTML, parsing included"}
    rows = []
    for way, words in ways.items():
        rates = [[turn[name][way] for turn in result["turns"] if way in turn[name]] for name in (DOWSE, PEER)]
        rows.append([words, *(f"{median(some):,.0f}" if some else "" for some in rates)])
    return markdown_table(["", DOWSE, PEER], rows, numbers=2)


def notes(result: dict[str, Any]) -> str:
    """What a reader must know beside the table."""
    settings, doors, load = result["settings"], result["doors"], result["load"]
    ratios = result["medians"]["times as many forms a second"]
    return (
        f"{settings['forms']:,} annotated forms of {settings['domains']} registrable domains from the PyPI package `formasaurus` 0.10.0, in {settings['folds']} "
        "folds; a domain stands in one fold, so no judge has seen the site of a form that it judges. Error, precision, recall and F1 are of search forms against the rest; "
        "8 types: search, login, password recovery, registration, contact, subscription, order, other. By domain: each domain weighs the same. "
        "The differences come from drawing the domains again 2,000 times, the same for both judges. "
        "`formasaurus` is its own features and estimator trained on the folds as it trains itself; `paper2-*` are paper 2's learners on its 14 features, `hifi` paper 5's pair (see `bench/judges/README.md`). "
        f"Forms that no browser shows as forms count as taken for `other` by Dowse. Database or site search: {doors['forms']} searches told apart by hand (`dowse/train/README.md`), whatever the first model "
        f"says of them; {doors['by_form']:.1%} right ({doors['by_domain']:.1%} by domain; always the commoner: {doors['always the commoner']:.1%}). "
        "Speed: seconds of one core over all forms of the 954 pages, in turns, features included; Dowse from its `Form` and `Page`, Formasaurus (the model it comes with) "
        "from lxml's tree, form by form through its API or all at once; from HTML: all of `read_page` and judging against `extract_forms` without fields. "
        f"Dowse judges {ratios['form by form']:.1f} x as many form by form, {ratios['its forms all at once']:.1f} x as many as Formasaurus all at once, and {ratios['from HTML']:.1f} x as many from HTML. "
        f"The models are {load['bytes']:,} bytes and load in {load['load ms']:.1f} ms (median of {load['processes']} fresh processes; "
        f"importing what judges takes {load['import ms']:.0f} ms)."
    )
