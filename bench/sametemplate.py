"""Telling pages of one template from others: one sample page, and a threshold found from the spread of the similarities."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import mean
from typing import Any

from bench.forms import count_right
from bench.options import Options
from bench.report import markdown_table
from bench.templatesets import MANUAL_PAGES, OTHERS, PAGES, Task, find_tasks
from dowse.tree.alike import Alike, find_threshold, learn_alike
from dowse.tree.fingerprint import MARGIN, Clear, judge_clear, print_of
from dowse.tree.shape import REPEATS, WHOLE, Shape, shape_of

TITLE = "Telling pages of one template from others"
TURNS = 3  # times that each task is done, with other samples
SAMPLES = (1, 3)
FIGURES = ("f1", "precision", "recall")


@dataclass(frozen=True, slots=True)
class Scored:
    """One task done with some samples: what pages scored, and from where on they counted."""

    pages: str
    name: str
    same: tuple[float, ...]
    others: tuple[float, ...]
    threshold: float
    why: str

    def claims(self) -> list[tuple[bool, bool]]:
        """What each page is, and what was said."""
        return [(True, score >= self.threshold) for score in self.same] + [
            (False, score >= self.threshold) for score in self.others
        ]


def run(options: Options) -> dict[str, object]:
    """Do every task with one sample and with three, with shapes as they are used and with whole ones."""
    begun = time.process_time()
    tasks = list(find_tasks(options.seed))
    shaped = _shape_all(tasks, REPEATS)
    options.say(f"  {len(shaped)} tasks read in {time.process_time() - begun:.0f} s")
    result: dict[str, Any] = {"seeds": [options.seed], "tasks": {}, "sets": {}}
    for count in SAMPLES:
        scored = [one for each in shaped for one in _turns(*each, count)]
        result["sets"][str(count)] = _sum_up(scored)
        result["tasks"][str(count)] = [_to_json(one) for one in scored]
    whole = [_score(*each, range(1)) for each in _shape_all(tasks, WHOLE)]
    result["sets"]["whole"] = _sum_up(whole)
    result["clear"] = _count_clear([(same, others) for _, same, others in shaped], result["tasks"]["1"])
    result["seconds"] = time.process_time() - begun
    one = result["sets"]["1"]
    result["medians"] = {
        "one sample": {name: figures["f1"] for name, figures in one.items()},
        "three samples": {name: figures["f1"] for name, figures in result["sets"]["3"].items()},
        "errors of fingerprints": result["clear"]["wrong"] / max(1, result["clear"]["pairs"]),
    }
    return result


def _shape_all(tasks: Sequence[Task], repeats: int) -> list[tuple[Task, list[Shape], list[Shape]]]:
    """Shape the pages of all tasks, each page once."""
    nodes = {id(node): node for task in tasks for node in (*task.same, *task.others)}
    shapes = {place: shape_of(node, repeats=repeats) for place, node in nodes.items()}
    return [
        (task, [shapes[id(each)] for each in task.same], [shapes[id(each)] for each in task.others]) for task in tasks
    ]


def _turns(task: Task, same: Sequence[Shape], others: Sequence[Shape], count: int) -> list[Scored]:
    return [_score(task, same, others, range(turn * count, turn * count + count)) for turn in range(TURNS)]


def _score(task: Task, same: Sequence[Shape], others: Sequence[Shape], samples: range) -> Scored:
    alike = learn_alike(same[place] for place in samples)
    inside = _score_all(alike, [shape for place, shape in enumerate(same) if place not in samples])
    outside = _score_all(alike, others)
    found = find_threshold((*inside, *outside))
    return Scored(task.pages, task.name, inside, outside, found.value, found.why)


def _score_all(alike: Alike, shapes: Sequence[Shape]) -> tuple[float, ...]:
    return tuple(alike.score(shape) for shape in shapes)


def _sum_up(scored: Sequence[Scored]) -> dict[str, dict[str, float]]:
    """Return the figures of each set: the mean of its tasks, the least of them, and with the best threshold that there is."""
    sets: dict[str, dict[str, float]] = {}
    for name in dict.fromkeys(one.pages for one in scored):
        some = [one for one in scored if one.pages == name]
        figures = [count_right(one.claims()) for one in some]
        sets[name] = {key: mean(each[key] for each in figures) for key in FIGURES}
        sets[name] |= {"least": min(each["f1"] for each in figures), "best": mean(map(_best, some)), "tasks": len(some)}
    return sets


def _best(one: Scored) -> float:
    """Return the F1 with the threshold that would have been best."""
    claims = [[(True, x >= cut) for x in one.same] + [(False, x >= cut) for x in one.others] for cut in set(one.same)]
    return max(count_right(each)["f1"] for each in claims)


def _count_clear(shaped: Sequence[tuple[list[Shape], list[Shape]]], tasks: Sequence[dict[str, Any]]) -> dict[str, int]:
    """Count the pairs that fingerprints decide with the thresholds that were found, and what they say wrongly."""
    counts = {"pairs": 0, "alike": 0, "unlike": 0, "wrong": 0}
    for number, (same, others) in enumerate(shaped):
        told = tasks[number * TURNS]
        first = print_of(same[0])
        for shape, score in zip([*same[1:], *others], [*told["same"], *told["others"]], strict=True):
            said = judge_clear(first, print_of(shape), told["threshold"])
            counts["pairs"] += 1
            counts["alike"] += said is Clear.ALIKE
            counts["unlike"] += said is Clear.UNLIKE
            counts["wrong"] += said is not Clear.UNCLEAR and (said is Clear.ALIKE) != (score >= told["threshold"])
    return counts


def _to_json(one: Scored) -> dict[str, Any]:
    return {
        "set": one.pages,
        "name": one.name,
        "f1": count_right(one.claims())["f1"],
        "threshold": one.threshold,
        "why": one.why,
        "same": one.same,
        "others": one.others,
    }


def table(result: dict[str, Any]) -> str:
    """Each set with one sample, with three, and with repetitions counted."""
    heads = [
        "set",
        "tasks",
        "F1",
        "precision",
        "recall",
        "least F1",
        "F1, best threshold",
        "F1, three samples",
        "F1, whole shapes",
    ]
    rows = []
    for name, one in result["sets"]["1"].items():
        figures = [one["f1"], one["precision"], one["recall"], one["least"], one["best"]]
        figures += [result["sets"][other][name]["f1"] for other in ("3", "whole")]
        rows.append([name, str(one["tasks"]), *(f"{figure:.3f}" for figure in figures)])
    return markdown_table(heads, rows, numbers=len(heads) - 1)


def notes(result: dict[str, Any]) -> str:
    """What a reader must know beside the table."""
    clear = result["clear"]
    share = (clear["alike"] + clear["unlike"]) / clear["pairs"]
    return (
        "Similarities alone, and a threshold from their spread (`dowse/tree/alike.py`); `dowse like` takes the same similarities and judges with addresses, "
        "links and the site's frame besides (`dowse/example/judge.py`), which these pages, torn out of their sites, do not have. "
        f"A task: one page is the sample, the others of its template ({PAGES} pages of a site of SWDE, up to {MANUAL_PAGES} of a manual) "
        "and pages of other templates are compared with it, and the threshold is found from all their similarities alone; "
        f"each task {TURNS} times, with other samples (with whole shapes, where every repetition counts, once). Which pages are of one template: SWDE took the pages of a site about one thing from one template; "
        f"the others are {OTHERS} pages of each other site about the same thing, or the pages of the same site about another thing. "
        "The manuals have no labels: folders of SQLite's (interface of C, release notes, syntax diagrams; lists of these pages are "
        "others), and the pages of Python's index, which a program writes; articles are others, and since people write them, never samples. "
        "auto, book and camera were developed on, and both manuals; job and movie not, and sites of a domain that is in both are left out of them; they are compared with themselves (half held). "
        "The list pages of autopager and next-eval and the pages of WebKB say nothing about templates and are not used. "
        f"Fingerprints decide {share:.0%} of {clear['pairs']:,} pairs with a margin of {MARGIN}, {clear['wrong']} of them otherwise than the mapping."
    )
