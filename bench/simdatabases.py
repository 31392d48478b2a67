"""How long databases of the simulated web take to answer: queries sent to the addresses of real forms."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from urllib.parse import urlencode

from dowse.model import Request, Response
from dowse.sim import World
from dowse.sim.formplan import FormPlan
from dowse.sim.queryforms import asks_token
from dowse.sim.view import Question

WEB = 2_000_000  # sites of the world in which databases of the wanted sizes are looked for
LOOKED_AT = 3000  # of its sites
DATABASES = 8  # for each size: those that come nearest to it
QUERIES = 16  # for each of them
BLANK_SHARE = 0.1  # queries without values
NEXT_SHARE = 0.2  # queries for the second page

Row = Mapping[str, Sequence[str]]


@dataclass(frozen=True, slots=True)
class Source:
    """A database that can be asked by a form without cookie or token."""

    site: int
    form: int
    size: int


@dataclass(frozen=True, slots=True)
class Took:
    """What answers took."""

    sizes: tuple[int, ...]  # of the databases
    first: tuple[float, ...]  # ms for the first answer of each
    others: tuple[float, ...]  # ms for each later answer, in no order
    without: int  # answers that were no page


def find_sources(world: World) -> list[Source]:
    """Return databases of sites that answer, each with the form that asks the most of it."""
    found = []
    for index in range(min(LOOKED_AT, world.sites)):
        if world.traits(index).is_closed:
            continue
        plan = world.plan(index)
        for database in plan.databases:
            forms = [number for number, form in enumerate(plan.forms) if form.database == database.number]
            plain = [number for number in forms if not asks_token(plan.forms[number]) and not database.session]
            if plain:
                best = max(plain, key=lambda number: (len(plan.forms[number].questions), -number))
                found.append(Source(index, best, database.size))
    return found


def time_answers(world: World, sources: list[Source], size: int, seed: int) -> Took:
    """Ask the databases that come nearest to a size."""
    chosen = sorted(sources, key=lambda each: (abs(each.size - size), each.site))[:DATABASES]
    first: list[float] = []
    others: list[float] = []
    without = 0
    for place, source in enumerate(chosen):
        requests = list(write_queries(world, source, Random(seed * 1000 + place)))
        world.table.cache_clear()  # the first answer makes the database, as for the first visitor of a site
        for number, request in enumerate(requests):
            begun = time.perf_counter()
            answer = world.answer(request)
            (others if number else first).append(1000 * (time.perf_counter() - begun))
            without += not isinstance(answer, Response) or answer.status != 200
    return Took(tuple(each.size for each in chosen), tuple(first), tuple(others), without)


def write_queries(world: World, source: Source, rng: Random) -> Iterator[Request]:
    """Give queries as a browser sends them: one or two things that some record holds, seldom none, often once more."""
    plan = world.plan(source.site)
    form = plan.forms[source.form]
    table = world.database(source.site, form.database)
    asking = [each for each in form.questions if each.operator]
    for _ in range(QUERIES):
        row = table.row(int(rng.random() * table.size))
        count = 0 if rng.random() < BLANK_SHARE else 1 + int(rng.random() * min(2, len(asking)))
        sent = [pair for _ in range(count) for pair in fill(asking[int(rng.random() * len(asking))], row, rng)]
        if rng.random() < NEXT_SHARE:
            name, counts = plan.habits.paging
            sent.append((name, "10" if counts == "records" else "2"))
        yield _request(plan.origin, form, sent, plan.habits.encoding)


def fill(question: Question, row: Row, rng: Random) -> list[tuple[str, str]]:
    """Fill in a question with what a record holds."""
    named = question.attribute or list(row)[int(rng.random() * len(row))]
    value = next(iter(row.get(named, ())), "")
    words = value.split() or [""]
    if question.operator == "keyword":
        value = words[int(rng.random() * len(words))]
    elif question.operator == "contains":
        value = words[0]
    return [(question.parts[0].name, value)]  # of a range the lower end, of a date the first control


def _request(origin: str, form: FormPlan, sent: list[tuple[str, str]], encoding: str) -> Request:
    text = urlencode(sent, encoding=encoding, errors="replace")
    if form.method == "GET":
        return Request(f"{origin}{form.action}?{text}" if text else f"{origin}{form.action}")
    kind = (("content-type", "application/x-www-form-urlencoded"),)
    return Request(f"{origin}{form.action}", "POST", text.encode("ascii"), kind)
