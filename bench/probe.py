"""What a few polite questions tell about a door, beside the truth of a world."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from bench.intervals import explain_intervals, measure_interval, write_interval
from bench.options import Options
from bench.report import markdown_table
from dowse.fetch import Fetch
from dowse.fetch.build import wrap_fetch
from dowse.form.doors import open_door
from dowse.model import SEARCHABLE_KINDS, Door, Failure, Judgement, Page, Probe, Request, Response
from dowse.page import read_page
from dowse.sim import SiteTruth, World, simulate
from dowse.sim.address import read_params
from dowse.sim.answers import find_records
from dowse.sim.databases import DatabasePlan
from dowse.sim.formplan import read_asks
from dowse.sim.plan import SitePlan
from dowse.sim.tables import Order
from dowse.sim.truth import FormTruth
from dowse.step.probe import probe

TITLE = "What doors answer when they are asked"
FAMILY = "B"
SITES = 300
FIGURES = {
    "answers": "does something answer",
    "kind": "database or site search",
    "page_size": "records on a page",
    "total": "records in all, where they are told",
    "limit": "the most it shows, where it is told",
    "match": "parts of values or whole values, where it is said",
}


@dataclass(frozen=True, slots=True)
class Sample:
    """A form of the world as Dowse finds it, and the truth about it."""

    door: Door
    page: Page
    form: FormTruth
    site: SitePlan
    index: int

    @property
    def database(self) -> DatabasePlan | None:
        """What is behind it, if a database is."""
        return next((each for each in self.site.databases if each.id == self.form.database), None)

    @property
    def answers(self) -> bool:
        """Whether it answers a visitor without cookies."""
        return not (self.database and self.database.session and self.site.cookie)


def gather(world: World) -> Iterator[Sample]:
    """Give every searchable form that is written in HTML, sends with GET and can be had, once."""
    for index, truth in enumerate(world.truth()):
        for form in truth.forms if truth.reachable else ():
            is_there = form.made == "html" and form.reachable and not form.same_as
            if is_there and form.kind in SEARCHABLE_KINDS and form.method == "GET":
                yield from _open(world, truth, index, form)


def _open(world: World, truth: SiteTruth, index: int, form: FormTruth) -> Iterator[Sample]:
    response = world.answer(Request(form.page))
    if not isinstance(response, Response) or response.status != 200:
        return
    page = read_page(response)
    for found in page.forms:
        names = {field.name for field in found.fields if field.name} - set(form.buttons)
        if found.action == form.action and names == set(form.fields):
            door = open_door(found, page)
            if not door.judgement.searchable:  # missed, and not what is measured here
                door = replace(door, judgement=Judgement(form.kind, 0.5))
            yield Sample(door, page, form, world.plan(index), index)
            return


def count_true(sample: Sample, world: World, url: str) -> int:
    """Return how many records a question has in truth."""
    plan = sample.database
    assert plan is not None
    form = next(
        each for each in sample.site.forms if each.action == sample.form.action.removeprefix(sample.site.origin)
    )
    sent = read_params(url.partition("?")[2], sample.site.habits.encoding)
    asks = read_asks(sample.site.questions[form.database], sent)
    if not asks and plan.blank == "nothing":
        return 0
    return find_records(world.database(sample.index, plan.number), plan, asks, Order(), 0, 1)[0]


def judge(sample: Sample, said: Probe, totals: list[int]) -> dict[str, bool]:
    """Say for each figure that can be told whether it is right."""
    right = {"answers": said.answers == sample.answers}
    if not said.answers:
        return right
    right["kind"] = said.kind == sample.form.kind
    plan = sample.database
    if plan is None:
        return right
    most = max(totals, default=0)
    if said.page_size or most > plan.page_size:
        right["page_size"] = said.page_size == plan.page_size
    if plan.count == "exact" and most:
        right["total"] = said.total == most
    if plan.count != "none" and plan.limit and most > plan.limit:
        right["limit"] = said.limit == plan.limit
    if said.match:
        right["match"] = said.match == "words"  # no text box of the world wants whole values
    return right


async def measure(world: World) -> dict[str, Any]:
    """Probe every door of a world and count what was right."""
    right: Counter[str] = Counter()
    told: Counter[str] = Counter()
    kinds: Counter[str] = Counter()
    requests, doors = 0, 0
    asked: list[str] = []
    fetch = _noting(wrap_fetch(simulate(world)).within_site, asked)
    for sample in gather(world):
        asked.clear()
        said = await probe(sample.door, fetch, sample.page)
        if not said.requests:  # robots.txt forbids it
            continue
        totals = [count_true(sample, world, url) for url in asked] if sample.database and said.answers else []
        for figure, is_right in judge(sample, said, totals).items():
            told[figure] += 1
            right[figure] += is_right
        doors, requests = doors + 1, requests + said.requests
        kinds[f"{sample.form.kind} said to be {said.kind or 'either'}"] += said.answers
    shares = {figure: right[figure] / told[figure] for figure in FIGURES if told[figure]}
    return {**shares, "told": dict(told), "doors": doors, "requests": requests / max(1, doors), "kinds": dict(kinds)}


def _noting(fetch: Fetch, asked: list[str]) -> Fetch:
    async def fetch_noted(request: Request) -> Response | Failure:
        asked.append(request.url)
        return await fetch(request)

    return fetch_noted


def run(options: Options, family: str = FAMILY) -> dict[str, object]:
    """Ask the doors of a world for each seed."""
    seeds = [options.seed + repeat for repeat in range(options.repeats)]
    runs = []
    for seed in seeds:
        runs.append(asyncio.run(measure(World(seed, SITES, family=family))))
        options.say(f"  seed {seed}: " + ", ".join(f"{figure} {runs[-1].get(figure, 0):.3f}" for figure in FIGURES))
    seen = [figure for figure in FIGURES if all(figure in each for each in runs)]
    intervals = {figure: measure_interval([each[figure] for each in runs]).to_json() for figure in seen}
    return {
        "seeds": seeds,
        "settings": {"family": family, "sites": SITES},
        "runs": runs,
        "intervals": intervals,
        "medians": {figure: intervals[figure]["median"] for figure in seen},
    }


def table(result: dict[str, Any]) -> str:
    """How often each figure is right, and over how many doors."""
    rows = [
        [FIGURES[figure], write_interval(interval, ".1%"), str(sum(one["told"][figure] for one in result["runs"]))]
        for figure, interval in result["intervals"].items()
    ]
    return markdown_table(["what is told", "right", "doors"], rows, numbers=2)


def notes(result: dict[str, Any]) -> str:
    """What a reader must know beside the table."""
    one = result["runs"][0]
    first = next(iter(result["intervals"].values()))
    return (
        f"Every search form written in HTML and sent with GET of {SITES} sites of family {result['settings']['family']}; with the first seed "
        f"{one['doors']:,} doors and {one['requests']:.1f} requests for each. {explain_intervals(first, 'seeds')} A door that wants a "
        "cookie answers nobody here, and is right when it is said not to answer. The size of a page is judged where some "
        "answer was longer than one page, or where one was told; the total against the true number of records for the "
        "question with the most of them; the limit where that is more than the database shows. A kind that is left open "
        "counts as wrong."
    )
