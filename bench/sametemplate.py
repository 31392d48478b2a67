"""Telling pages of one template from others: one sample page, what tells all the pages apart, and a threshold from their spread."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from statistics import mean
from typing import Any

from bench.alike import MARGIN, Alike, Clear, find_threshold, judge_clear, learn_alike, part_pages
from bench.forms import count_right
from bench.options import Options
from bench.report import markdown_table
from bench.templatesets import MANUAL_PAGES, OTHERS, PAGES, Task, find_tasks
from bench.traits import Traits, traits_of
from dowse.tree.similarity import ALL_REPEATS, MAX_REPEATS, Shape, fingerprint_of, shape_of

TITLE = "Telling pages of one template from others"
TURNS = 3  # times that each task is done, with other samples
SAMPLES = (1, 3)
SCARCE = 10  # pages of the template, the sample too, where it has few
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


@dataclass(frozen=True, slots=True)
class Traced:
    """A task as traits."""

    pages: str
    name: str
    same: tuple[Traits, ...]
    others: tuple[Traits, ...]


def run(options: Options) -> dict[str, object]:
    """Do every task by traits, with few pages of the template and with no others too, and by mapping alone."""
    begun = time.process_time()
    tasks = list(find_tasks(options.seed))
    traced = trace_all(tasks)
    options.say(f"  {len(tasks)} tasks read in {time.process_time() - begun:.0f} s")
    done = {str(count): [one for each in traced for one in part_turns(each, count)] for count in SAMPLES}
    done["scarce"] = [one for each in traced for one in part_turns(replace(each, same=each.same[:SCARCE]), 1)]
    done["alone"] = [one for each in traced for one in part_turns(replace(each, others=()), 1)]
    shaped = shape_all(tasks, MAX_REPEATS)
    done["mapping"] = [one for each in shaped for one in map_turns(*each)]
    done["mapping, scarce"] = [one for task, same, others in shaped for one in map_turns(task, same[:SCARCE], others)]
    done["whole"] = [_map(*each, turn=0) for each in shape_all(tasks, ALL_REPEATS)]
    sets = {name: sum_up(scored) for name, scored in done.items()}
    kept = {name: [_to_json(one) for one in done[name]] for name in ("1", "mapping")}
    clear = _count_clear([(same, others) for _, same, others in shaped], done["mapping"])
    return {
        "seeds": [options.seed],
        "tasks": kept,
        "sets": sets,
        "clear": clear,
        "seconds": time.process_time() - begun,
        "medians": {
            "one sample": {name: figures["f1"] for name, figures in sets["1"].items()},
            "three samples": {name: figures["f1"] for name, figures in sets["3"].items()},
            "mapping": {name: figures["f1"] for name, figures in sets["mapping"].items()},
            "errors of fingerprints": clear["wrong"] / max(1, clear["pairs"]),
        },
    }


def trace_all(tasks: Sequence[Task]) -> list[Traced]:
    """Take the traits of the pages of all tasks, each page once."""
    nodes = {id(node): node for task in tasks for node in (*task.same, *task.others)}
    traits = {place: traits_of(node) for place, node in nodes.items()}
    return [
        Traced(
            task.pages,
            task.name,
            tuple(traits[id(each)] for each in task.same),
            tuple(traits[id(each)] for each in task.others),
        )
        for task in tasks
    ]


def shape_all(tasks: Sequence[Task], repeats: int) -> list[tuple[Task, list[Shape], list[Shape]]]:
    """Shape the pages of all tasks, each page once."""
    nodes = {id(node): node for task in tasks for node in (*task.same, *task.others)}
    shapes = {place: shape_of(node, repeats=repeats) for place, node in nodes.items()}
    return [
        (task, [shapes[id(each)] for each in task.same], [shapes[id(each)] for each in task.others]) for task in tasks
    ]


def part_turns(task: Traced, count: int) -> list[Scored]:
    return [_part(task, range(turn * count, turn * count + count)) for turn in range(TURNS)]


def _part(task: Traced, samples: range) -> Scored:
    rest = [each for place, each in enumerate(task.same) if place not in samples]
    found = part_pages([task.same[place] for place in samples], [*rest, *task.others])
    inside, outside = found.scores[: len(rest)], found.scores[len(rest) :]
    return Scored(task.pages, task.name, inside, outside, found.threshold.value, found.threshold.why)


def map_turns(task: Task, same: Sequence[Shape], others: Sequence[Shape]) -> list[Scored]:
    return [_map(task, same, others, turn=turn) for turn in range(TURNS)]


def _map(task: Task, same: Sequence[Shape], others: Sequence[Shape], *, turn: int) -> Scored:
    """Do a task with the mapping of de Castro Reis et al. alone, as crawlers by example were first made."""
    alike = learn_alike(same[turn : turn + 1])
    inside = _score_all(alike, [shape for place, shape in enumerate(same) if place != turn])
    outside = _score_all(alike, others)
    found = find_threshold((*inside, *outside))
    return Scored(task.pages, task.name, inside, outside, found.value, found.why)


def _score_all(alike: Alike, shapes: Sequence[Shape]) -> tuple[float, ...]:
    return tuple(alike.score(shape) for shape in shapes)


def sum_up(scored: Sequence[Scored]) -> dict[str, dict[str, float]]:
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


def _count_clear(shaped: Sequence[tuple[list[Shape], list[Shape]]], scored: Sequence[Scored]) -> dict[str, int]:
    """Count the pairs that fingerprints decide with the thresholds that were found, and what they say wrongly."""
    counts = {"pairs": 0, "alike": 0, "unlike": 0, "wrong": 0}
    for number, (same, others) in enumerate(shaped):
        told = scored[number * TURNS]
        first = fingerprint_of(same[0])
        for shape, score in zip([*same[1:], *others], [*told.same, *told.others], strict=True):
            said = judge_clear(first, fingerprint_of(shape), told.threshold)
            counts["pairs"] += 1
            counts["alike"] += said is Clear.ALIKE
            counts["unlike"] += said is Clear.UNLIKE
            counts["wrong"] += said is not Clear.UNCLEAR and (said is Clear.ALIKE) != (score >= told.threshold)
    return counts


def _to_json(one: Scored) -> dict[str, Any]:
    return {
        "set": one.pages,
        "name": one.name,
        "f1": count_right(one.claims())["f1"],
        "threshold": one.threshold,
        "why": one.why,
        "same": [round(each, 4) for each in one.same],
        "others": [round(each, 4) for each in one.others],
    }


def table(result: dict[str, Any]) -> str:
    """Each set with one sample, with three, where there is less to see, and by mapping alone."""
    heads = [
        "set",
        "tasks",
        "F1",
        "precision",
        "recall",
        "least F1",
        "F1, best threshold",
        "F1, three samples",
        f"F1, {SCARCE} of the template",
        "recall, no others",
        "F1, mapping alone",
        "F1, mapping of whole shapes",
    ]
    rows = []
    for name, one in result["sets"]["1"].items():
        figures = [one["f1"], one["precision"], one["recall"], one["least"], one["best"]]
        more = (("3", "f1"), ("scarce", "f1"), ("alone", "recall"), ("mapping", "f1"), ("whole", "f1"))
        figures += [result["sets"][other][name][figure] for other, figure in more]
        rows.append([name, str(one["tasks"]), *(f"{figure:.3f}" for figure in figures)])
    return markdown_table(heads, rows, numbers=len(heads) - 1)


def notes(result: dict[str, Any]) -> str:
    """What a reader must know beside the table."""
    clear = result["clear"]
    share = (clear["alike"] + clear["unlike"]) / clear["pairs"]
    return (
        "A task: one page is the sample, the others of its template "
        f"({PAGES} pages of a site of SWDE, up to {MANUAL_PAGES} of a manual) and pages of other templates are compared with it, "
        f"and which is which is found from all these pages without their labels; each task {TURNS} times, with other samples. "
        "Pages are compared by their labels and what stands in what, weighed by how much they tell the pages apart "
        "(`bench/traits.py`), at first with the sample and then with the surer half of what was like it too, and the threshold is found from the "
        "spread (`bench/alike.py`). Mapping alone: the similarity of the mapping of trees that `dowse like` is made with "
        "(`dowse/tree/similarity.py`), and the same way to a threshold; with whole shapes, where every repetition counts, once. "
        "`dowse like` takes the mapping, and judges with addresses, links and the site's frame besides (`dowse/example/judge.py`), "
        "which these pages, torn out of their sites, do not have. "
        "Where one template has few pages among many that share its frame, or all pages are of one, less can be seen from their spread: "
        f"the columns with {SCARCE} pages of the template, the sample too, and with no others say how much less "
        f"(mapping alone, {SCARCE} of the template: {_list_f1(result['sets']['mapping, scarce'])}). "
        "Which pages are of one template: SWDE took the pages of a site about one thing from one template; "
        f"the others are {OTHERS} pages of each other site about the same thing, or the pages of the same site about another thing. "
        "The manuals have no labels: folders of SQLite's (interface of C, release notes, syntax diagrams; lists of these pages are "
        "others), and the pages of Python's index, which a program writes; articles are others, and since people write them, never samples. "
        "The interface of C is two folders that two programs write, with one heading a level deeper than the other: a mapping from the root, "
        "with whatever threshold, takes the lists of one folder before the pages of the other. "
        "auto, book and camera were developed on, and both manuals; job and movie not, and sites of a domain that is in both are left out of them; they are compared with themselves (half held). "
        "The list pages of autopager and next-eval and the pages of WebKB say nothing about templates and are not used. "
        f"Fingerprints decide {share:.0%} of {clear['pairs']:,} pairs with a margin of {MARGIN}, {clear['wrong']} of them otherwise than the mapping."
    )


def _list_f1(sets: dict[str, dict[str, float]]) -> str:
    return "; ".join(f"{name}: {figures['f1']:.3f}" for name, figures in sets.items())
