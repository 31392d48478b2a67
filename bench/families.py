"""Does anything about the templates of family A help with family B? It must not: then nothing is learned from the box.

A naive Bayes classifier sees of each form only its template: class names, ids and the shapes of addresses, never a
word that a person reads. It learns on A which forms are doors to a database, and is asked about other sites of A and
about B. On B it must do no better than chance. Two controls show that the classifier can learn: with one leaked class
name it is nearly perfect on B, and with the words that people read it is well above chance on A.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from html.parser import HTMLParser
from math import log
from random import Random
from typing import Any
from urllib.parse import urljoin, urlsplit

from bench.intervals import explain_intervals, measure_interval, write_interval
from bench.options import Options
from bench.report import markdown_table
from dowse.model import Request, Response
from dowse.sim import World
from dowse.sim.chance import mix
from dowse.sim.naming import path_of
from dowse.sim.truth import FormTruth

TITLE = "What templates give away"
SITES = 500
RESAMPLES = 200
MARKED_SITES = 300  # of each family, whose class names and ids are compared
MARKED_PAGES = 12  # pages of text of each, beside those with a purpose and answers of forms
ON_B = "templates, B"
LEAKED = "control: a leaked class name, B"
WORDS = "control: words, other sites of A"
_LETTERS, _DIGITS = re.compile(r"[^\W\d_]+"), re.compile(r"\d+")

Features = frozenset[str]
Scored = list[tuple[float, bool]]


@dataclass(frozen=True, slots=True)
class Example:
    """A form: its site, whether it is a door to a database, and what can be seen of it."""

    site: int
    door: bool
    template: Features
    words: Features


@dataclass(frozen=True, slots=True)
class SeenForm:
    """A form as it stands in a page."""

    given: dict[str, str]  # attributes of its tag
    marks: set[str]
    texts: list[str]


class _Forms(HTMLParser):
    """Collects of each form the attributes of its tags, and its text; and the marks of all tags of the page."""

    def __init__(self) -> None:
        super().__init__()
        self.base = ""
        self.forms: list[SeenForm] = []
        self.marks: set[str] = set()
        self.inside = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        marks = {f"{name}={_DIGITS.sub('0', each)}" for name in ("class", "id") for each in given.get(name, "").split()}
        self.marks |= marks
        if tag == "base":
            self.base = given.get("href", "")
        elif tag == "form":
            self.forms.append(SeenForm(given, marks, []))
            self.inside = True
        elif self.inside:
            self.forms[-1].marks.update(marks)
            self.forms[-1].texts.extend(given.get(name, "") for name in ("value", "placeholder", "title"))

    def handle_endtag(self, tag: str) -> None:
        self.inside = self.inside and tag != "form"

    def handle_data(self, data: str) -> None:
        if self.inside:
            self.forms[-1].texts.append(data)


def shape_of(url: str) -> str:
    """Return an address without what it says: letters and digits each as one sign, the ending kept."""
    parts = urlsplit(url)
    path, dot, ending = parts.path.rpartition(".")
    short = bool(dot and path and len(ending) <= 6)
    plain = _DIGITS.sub("0", _LETTERS.sub("a", path if short else parts.path))
    names = sorted(each.partition("=")[0] for each in parts.query.split("&")) if parts.query else []
    return f"{plain}{'.' + ending if short else ''}?{_LETTERS.sub('a', '&'.join(names))}"


def find_examples(family: str, seed: int, sites: int) -> Iterator[Example]:
    """Give every form that is written in HTML, once for each site."""
    world = World(seed, sites, family=family)
    for index in range(sites):
        truth = world.site(index)
        for form in truth.forms:
            if not form.reachable or form.made != "html" or form.same_as:
                continue
            page = _page_of(world, index, form)
            reader = _read(world, page, truth.encoding)
            seen = _find_form(reader, page, form.action)
            if seen:
                shapes = {f"action={shape_of(form.action)}", f"page={shape_of(page)}"}
                words = frozenset(" ".join(seen.texts).casefold().split())
                yield Example(index, form.kind == "database", frozenset(seen.marks | shapes), words)


def _page_of(world: World, index: int, form: FormTruth) -> str:
    """Return a page to see a form on: any of the site, for one that stands on every page."""
    if form.repeated != "everywhere":
        return form.page
    plan = world.plan(index)
    return plan.origin + path_of(plan, mix(plan.number, len(form.fields)) % plan.tree.articles)


def _read(world: World, url: str, encoding: str) -> _Forms:
    reader = _Forms()
    page = world.answer(Request(url))
    if isinstance(page, Response):
        reader.feed(page.body.decode(encoding, "replace"))
    return reader


def _find_form(reader: _Forms, page: str, action: str) -> SeenForm | None:
    base = urljoin(page, reader.base)
    return next((form for form in reader.forms if urljoin(base, form.given.get("action", "")) == action), None)


def list_marks(family: str, seed: int, sites: int = MARKED_SITES) -> set[str]:
    """Return all class names and ids of pages, answers of forms and error pages of a family, digits made equal."""
    world = World(seed, sites, family=family)
    found: set[str] = set()
    for index in range(sites):
        truth, plan = world.site(index), world.plan(index)
        if not truth.reachable:
            continue
        numbers = {*range(min(plan.tree.articles, MARKED_PAGES)), *range(plan.tree.articles, plan.tree.size)}
        urls = [plan.origin + path_of(plan, number) for number in sorted(numbers)]
        urls += [form.action for form in truth.forms] + [f"{plan.origin}/no/such/page"]
        for url in urls:
            found |= _read(world, url, truth.encoding).marks
    return found


def learn(examples: list[tuple[bool, Features]]) -> dict[str, float]:
    """Learn for each feature how much it speaks for a door: its log-odds, smoothed."""
    doors = Counter(each for door, features in examples if door for each in features)
    others = Counter(each for door, features in examples if not door for each in features)
    yes = sum(door for door, _ in examples) + 1
    no = len(examples) - yes + 2
    return {each: log((doors[each] + 0.5) / yes) - log((others[each] + 0.5) / no) for each in sorted(doors | others)}


def judge(model: dict[str, float], features: Features) -> float:
    """Return how much a form looks like a door."""
    return sum(model.get(each, 0.0) for each in sorted(features))  # sorted: the sum must not depend on the hash seed


def area(scored: Scored) -> float:
    """Return the area under the ROC curve: how often a door scores above another form; 0.5 is chance."""
    ordered = sorted(score for score, _ in scored)
    first: dict[float, int] = {}
    for place, score in enumerate(ordered):
        first.setdefault(score, place)
    counts = Counter(ordered)
    total = sum(first[score] + (counts[score] + 1) / 2 for score, door in scored if door)
    doors = sum(door for _, door in scored)
    others = len(scored) - doors
    return (total - doors * (doors + 1) / 2) / (doors * others) if doors and others else 0.5


def draw_interval(examples: list[tuple[int, float, bool]], seed: int) -> tuple[float, float]:
    """Return the 95 % interval of the area, by drawing whole sites again."""
    by_site: dict[int, Scored] = {}
    for site, score, door in examples:
        by_site.setdefault(site, []).append((score, door))
    sites, rng, areas = list(by_site.values()), Random(seed), []
    for _ in range(RESAMPLES):
        areas.append(area([each for _ in sites for each in sites[int(rng.random() * len(sites))]]))
    areas.sort()
    return areas[int(len(areas) * 0.025)], areas[int(len(areas) * 0.975)]


def compare(seed: int, sites: int = SITES) -> dict[str, dict[str, Any]]:
    """Learn on A, judge the rest of A and all of B."""
    a, b = list(find_examples("A", seed, sites)), list(find_examples("B", seed + 1000, sites))
    train, held = [each for each in a if each.site % 2], [each for each in a if not each.site % 2]

    def judge_with(seen: Callable[[Example], Features], examples: list[Example]) -> dict[str, Any]:
        model = learn([(each.door, seen(each)) for each in train])
        return _judge_all([(each.site, seen(each), each.door) for each in examples], model, seed)

    return {
        "templates, other sites of A": judge_with(_template, held),
        ON_B: judge_with(_template, b),
        "templates but for the address of the root page, B": judge_with(_template_off_root, b),
        "class names and ids alone, B": judge_with(_marks, b),
        LEAKED: judge_with(_leak, b),
        WORDS: judge_with(_words, held),
        "words, B": judge_with(_words, b),
    }


def _template(example: Example) -> Features:
    return example.template


def _template_off_root(example: Example) -> Features:
    """That a form stands on the root page says where it was put, which is measured and the same in both families."""
    return example.template - {"page=/?"}


def _marks(example: Example) -> Features:
    return frozenset(each for each in example.template if each.startswith(("class=", "id=")))


def _words(example: Example) -> Features:
    return example.words


def _leak(example: Example) -> Features:
    return example.template | ({"class=searchform"} if example.door else {"class=otherform"})


def _judge_all(examples: list[tuple[int, Features, bool]], model: dict[str, float], seed: int) -> dict[str, Any]:
    scored = [(site, judge(model, features), door) for site, features, door in examples]
    known = Counter(each for _, features, _ in examples for each in features if each in model)
    return {
        "area": area([(score, door) for _, score, door in scored]),
        "interval": draw_interval(scored, seed),
        "forms": len(scored),
        "doors": sum(door for _, _, door in scored),
        "forms with a known feature": sum(any(each in model for each in features) for _, features, _ in examples),
        "known features": dict(known.most_common(12)),
    }


def run(options: Options) -> dict[str, object]:
    """Compare once for each seed, and the marks of both families once."""
    seeds = [options.seed + place for place in range(options.repeats)]
    runs: dict[str, dict[str, dict[str, Any]]] = {}
    for seed in seeds:
        runs[str(seed)] = compare(seed)
        options.say(
            f"  seed {seed}: " + ", ".join(f"{name} {one['area']:.3f}" for name, one in runs[str(seed)].items())
        )
    marks = {family: list_marks(family, options.seed) for family in "AB"}
    common = sorted(marks["A"] & marks["B"])
    intervals = {name: measure_interval([one[name]["area"] for one in runs.values()]) for name in runs[str(seeds[0])]}
    return {
        "seeds": seeds,
        "settings": {"sites": SITES, "sites whose marks are compared": MARKED_SITES},
        "runs": runs,
        "marks": {"A": len(marks["A"]), "B": len(marks["B"]), "common": common},
        "intervals": {name: each.to_json() for name, each in intervals.items()},
        "medians": {
            **{name: each.median for name, each in intervals.items()},
            "away from chance on B": max(abs(one[ON_B]["area"] - 0.5) for one in runs.values()),
            "common marks": len(common),
        },
    }


def table(result: dict[str, Any]) -> str:
    """One row for each set of features and family; the interval by sites is the first seed's."""
    rows = []
    for name, one in next(iter(result["runs"].values())).items():
        low, high = one["interval"]
        over = write_interval(result["intervals"][name])
        figures = [f"{one[key]:,}" for key in ("forms", "doors", "forms with a known feature")]
        rows.append([name, over, f"{low:.3f} to {high:.3f}", *figures])
    heads = ["features, judged on", "area under ROC", "95 % over sites, first seed", "forms", "doors", "known feature"]
    return markdown_table(heads, rows, numbers=5)


def notes(result: dict[str, Any]) -> str:
    """What a reader must know beside the table."""
    marks, first = result["marks"], next(iter(result["intervals"].values()))
    common = ", ".join(f"`{each}`" for each in marks["common"]) or "none"
    return "\n\n".join([
        (__doc__ or "").partition("\n\n")[2].strip().replace("\n", " "),
        f"{explain_intervals(first, 'seeds')} The interval over sites draws whole sites again {RESAMPLES} times.",
        "Shapes of addresses that a classifier knows from A and meets on B are listed in the result under `known features`.",
        f"Class names and ids over {MARKED_SITES} sites of each family, digits made equal: {marks['A']} in A, "
        f"{marks['B']} in B, in both: {common}.",
    ])  # fmt: skip
