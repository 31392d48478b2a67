"""Answers of the simulated web: each with the records that it shows in truth."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from random import Random

from bench.probe import Sample as Way
from bench.probe import gather
from bench.simdatabases import fill as fill_question
from dowse.form.fill import fill
from dowse.model import Request, Response
from dowse.page.document import Document
from dowse.records.wrapper import AnswerSample
from dowse.sim import World
from dowse.sim.address import Address, read_params
from dowse.sim.answers import find_records, read_page_size, read_start
from dowse.sim.formplan import FormPlan, read_asks
from dowse.sim.tables import Order

QUERIES = 14  # for each door
NONSENSE = "qzxvkwq"


@dataclass(frozen=True, slots=True)
class Shown:
    """A record as an answer shows it, in truth."""

    title: str
    values: tuple[tuple[str, str], ...]  # attribute and text

    @property
    def texts(self) -> frozenset[str]:
        """All of its values; a title that is made of others, such as Ford Mondeo 2005, is none."""
        values = frozenset(text for _, text in self.values)
        words = {word for text in values for word in text.split()}
        return values if set(self.title.split()) <= words else values | {self.title}


@dataclass(frozen=True, slots=True)
class Page:
    """One answer with its truth."""

    sample: AnswerSample
    records: tuple[Shown, ...]


@dataclass(frozen=True, slots=True)
class Asked:
    """What one door answered."""

    name: str
    design: str
    pages: tuple[Page, ...]


def ask_doors(world: World, seed: int) -> Iterator[Asked]:
    """Ask every door of a database in a world a few queries, made of what its records hold."""
    for way in gather(world):
        if way.database and way.answers:
            rng = Random(f"{seed} {way.form.id} {way.index}")
            pages = tuple(_ask(world, way, rng))
            if pages:
                yield Asked(f"{way.site.traits.host} {way.form.page}", way.site.habits.style.results, pages)


def _ask(world: World, way: Way, rng: Random) -> Iterator[Page]:
    plan = next(each for each in way.site.forms if each.action == way.form.action.removeprefix(way.site.origin))
    asking = [each for each in plan.questions if each.operator in ("keyword", "contains", "starts", "equals")]
    table = world.database(way.index, plan.database)
    for number in range(QUERIES if asking else 0):
        question = asking[int(rng.random() * len(asking))]
        row = table.row(int(rng.random() * table.size))
        sent = fill_question(question, row, rng)
        if number % 3 == 2 and question.operator == "contains":  # a whole value: few records hold it
            sent = [(sent[0][0], next(iter(row.get(question.attribute, ())), ""))]
        if number == 0 and not question.parts[0].choices:
            sent = [(sent[0][0], NONSENSE)]
        if sent[0][1]:
            page = _fetch(world, way, plan, dict(sent), later=number % 4 == 3)
            if page is not None:
                yield page


def _fetch(world: World, way: Way, plan: FormPlan, sent: dict[str, str], *, later: bool) -> Page | None:
    request = fill(way.door, sent)
    if not isinstance(request, Request):
        return None
    if later and way.database is not None:
        name, counts = way.site.habits.paging
        request = Request(f"{request.url}&{name}={way.database.page_size if counts == 'records' else 2}")
    response = world.answer(request)
    if not isinstance(response, Response) or response.status != 200:
        return None
    asked = tuple(value for value in sent.values() if value)
    return Page(
        AnswerSample(Document(response).nodes, request.url, asked), _true_records(world, way, plan, request.url)
    )


def _true_records(world: World, way: Way, plan: FormPlan, url: str) -> tuple[Shown, ...]:
    database = way.site.databases[plan.database]
    params = read_params(url.partition("?")[2], way.site.habits.encoding)
    asks = read_asks(way.site.questions[plan.database], params)
    if not asks and database.blank == "nothing":
        return ()
    address = Address(plan.action, params)
    table = world.database(way.index, plan.database)
    first, size = read_start(way.site, database, address), read_page_size(way.site, database, address)
    _, numbers = find_records(table, database, asks, Order(), first, size)
    return tuple(
        Shown(
            _flat(table.name(number)),
            tuple((name, _flat(text)) for name, texts in table.row(number).items() for text in texts),
        )
        for number in numbers
    )


def _flat(text: str) -> str:
    return " ".join(text.split())
