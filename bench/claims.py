"""Claims of everything beside the truth: small doors of a simulated web, forms that come with a filter among them.

Each database is small enough to be harvested whole. Every second form that has a list of choices is changed before Dowse sees
it: a choice is made already, or is a hidden field that nobody can change. A claim is false when it says `complete` (a
coverage of 100 % is written of nothing else), and records are missing or are more than there are.
"""

from __future__ import annotations

import asyncio
import sys
import tempfile
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any
from urllib.parse import urljoin

from lxml import html

from bench.draws import find_forms
from bench.options import Options
from bench.places import RESULTS
from bench.report import markdown_table, read_result
from dowse.errors import DowseError
from dowse.fetch import Fetch
from dowse.fetch.build import wrap_fetch
from dowse.fetch.cookies import Jar
from dowse.harvester.harvest import HarvestOrder, open_harvest, run_harvest
from dowse.model import Failure, Request, Response
from dowse.settings import HarvestSettings
from dowse.sim import World, score_records, simulate
from dowse.sim.truth import FormTruth, SiteTruth
from dowse.step.visit import inspect
from dowse.store.harvests import read_records

TITLE = "Claims of everything, beside the truth"
FAMILIES = ("A", "B")
SITES = 2_000  # that doors are looked for in
DOORS = {"short": 20, "full": 100}  # of each family
LARGEST = 300  # records of a database, so that it can be harvested whole
BUDGET = 120  # requests of one harvest
MIN_SHARE_HELD = 0.99  # of the records of a database: fewer are not everything
MAX_SHARE_HELD = 1.01  # more are copies, or no records


@dataclass(frozen=True, slots=True)
class Claim:
    """One door, what is true of it and what was claimed."""

    page: str
    family: str
    filled: str  # how its form was changed: nothing, chosen, hidden
    size: int
    records: int = 0
    right: int = 0  # different true records among them
    requests: int = 0
    complete: bool = False
    complete_for: str = ""
    proof: str = ""
    stopped: str = ""

    @property
    def has_all(self) -> bool:
        """Return True if it has all records, and hardly any copies."""
        return MIN_SHARE_HELD * self.size <= self.records <= MAX_SHARE_HELD * self.size

    @property
    def is_false(self) -> bool:
        """Return True if it claims to have everything and has not."""
        return self.complete and not self.has_all


def prefill(fetch: Fetch, truth: SiteTruth, form: FormTruth, how: str, seed: int) -> Fetch:
    """Wrap a web so that a form comes with a choice made, or with a hidden field in place of its list of choices."""

    async def change(request: Request) -> Response | Failure:
        response = await fetch(request)
        if isinstance(response, Failure) or b"<select" not in response.body.lower():
            return response
        tree = html.document_fromstring(response.body, parser=html.HTMLParser(encoding=truth.encoding))
        fill_choice(tree, response.url, form, how, seed)
        return replace(response, body=html.tostring(tree, encoding=truth.encoding, doctype="<!DOCTYPE html>"))

    return change


def fill_choice(tree: Any, url: str, form: FormTruth, how: str, seed: int) -> None:
    """Make a choice in a form of a page, where it stands there."""
    for each in tree.iter("form"):
        lists = [one for one in each.iter("select") if one.get("name") in find_filters(form)]
        if urljoin(url, each.get("action") or url).partition("?")[0] != form.action or not lists:
            continue
        chosen = lists[seed % len(lists)]
        options = [one for one in chosen.iter("option") if read_value(one)]
        for one in chosen.iter("option"):
            one.attrib.pop("selected", None)
        option = options[seed % len(options)]
        option.set("selected", "selected")
        if how == "hidden":
            hidden = html.Element("input", type="hidden", name=chosen.get("name"), value=read_value(option))
            hidden.tail = chosen.tail
            chosen.getparent().replace(chosen, hidden)


def read_value(option: Any) -> str:
    """Return what an option sends."""
    return str(option.get("value", option.text_content())).strip()


def find_filters(form: FormTruth) -> set[str]:
    """Return the names of the lists of choices of a form that narrow what is found."""
    return {
        each.fields[0]
        for each in form.conditions
        if each.type == "choice" and each.operator == "equals" and each.attribute and len(each.fields) == 1
    }


async def harvest_door(world: World, index: int, truth: SiteTruth, form: FormTruth, how: str, seed: int) -> Claim:
    """Harvest the database behind a form as a user would, and compare what is claimed."""
    number = next(place for place, each in enumerate(truth.databases) if each.id == form.database)
    size, web = truth.databases[number].size, simulate(world)
    web = prefill(web, truth, form, how, seed) if how else web
    fetches = wrap_fetch(web, jar=Jar())
    claim = Claim(form.page, world.family, how, size)
    seen = await inspect(form.page, fetches.anywhere)
    doors = () if isinstance(seen, Failure) else seen.doors
    own = next((door for door in doors if door.form.action.partition("?")[0] == form.action), None)
    if own is None:
        return replace(claim, stopped="its form was not found on the page")
    order, settings = HarvestOrder(form.page, form=own.form.index), HarvestSettings(rounds=BUDGET, post=True)
    with tempfile.TemporaryDirectory() as folder:
        try:
            async with open_harvest(order, str(Path(folder) / "claims.db"), settings, fetches) as (store, run, opened):
                async for _ in run_harvest(store, run, opened):
                    pass
                held = list(read_records(store, run.harvest.id))
        except DowseError as error:
            return replace(claim, stopped=str(error)[:200])
    rows = ({str(place): value.text for place, value in enumerate(record.values)} for record in held)
    score = score_records(rows, list(world.records(index, number)))
    return replace(
        claim, records=run.records, right=score.right, requests=run.harvested.requests, complete=run.complete,
        complete_for=run.complete_for, proof=run.proof, stopped=run.stop_sentence,
    )  # fmt: skip


def measure_family(family: str, options: Options) -> list[Claim]:
    """Harvest the doors of one family: every second form with choices comes with one made, and every other of these hidden."""

    async def go() -> list[Claim]:
        world, claims, most = World(options.seed, SITES, family=family), list[Claim](), DOORS[options.extent]
        able = 0
        for index, truth, form in find_forms(world, sys.maxsize, LARGEST):
            how = ("", "chosen", "", "hidden")[able % 4] if find_filters(form) else ""
            able += bool(find_filters(form))
            claims.append(await harvest_door(world, index, truth, form, how, options.seed + index))
            if len(claims) >= most:
                break
        return claims

    return asyncio.run(go())


def run(options: Options) -> dict[str, object]:
    """Measure both families, or one of them; what was kept of the other stays."""
    claims: list[Claim] = []
    for family in FAMILIES:
        if options.parts and family not in options.parts:
            claims += [Claim(**each) for each in read_result(RESULTS, "claims")["rows"] if each["family"] == family]
            continue
        claims += measure_family(family, options)
        options.say(f"  family {family}: {summarise(claims)}")
    return {"settings": {"budget": BUDGET, "largest": LARGEST}, "rows": [asdict(each) for each in claims], "medians": summarise(claims)}  # fmt: skip


def summarise(claims: list[Claim]) -> dict[str, int]:
    """Count the claims."""
    return {
        "doors": len(claims),
        "pre-filled": sum(bool(each.filled) for each in claims),
        "harvested": sum(each.records > 0 for each in claims),
        "has all": sum(each.has_all for each in claims),
        "claims of everything": sum(each.complete for each in claims),
        "false claims": sum(each.is_false for each in claims),
        "bounded claims": sum(bool(each.complete_for) for each in claims),
    }


def table(result: dict[str, Any]) -> str:
    """Return the counts by family and by how forms were changed, then each false claim."""
    claims = [Claim(**each) for each in result["rows"]]
    lines = []
    for family in FAMILIES:
        for how, words in (("", "as it is"), ("chosen", "a choice is made"), ("hidden", "a hidden choice")):
            some = [each for each in claims if (each.family, each.filled) == (family, how)]
            counts = summarise(some)
            names = ("doors", "harvested", "has all", "claims of everything", "bounded claims", "false claims")
            lines.append([family, words, *(str(counts[name]) for name in names)])
    heads = ["family", "form", "doors", "harvested", "all held", "claims of everything", "bounded claims", "false"]
    return markdown_table(heads, lines, 6)


def notes(result: dict[str, Any]) -> str:
    """Return what the table means."""
    false = [each for row in result["rows"] if (each := Claim(**row)).is_false]
    told = "; ".join(f"{each.page} ({each.records:,} of {each.size:,}: {each.proof})" for each in false)
    return (
        f"Databases of at most {LARGEST} records, {BUDGET} requests each, through the same steps as `dowse harvest`. Forms with a list of choices come with"
        f" a choice made, or with a hidden field in its place, every second time. *All held*: between {MIN_SHARE_HELD:.0%} and {MAX_SHARE_HELD:.0%} of as many"
        " records as there are. A claim of everything (`complete`; 100 % is written of nothing else) is false where they are not. *Bounded*: all that the form can show, with"
        f" what keeps the rest back. {f'False: {told}.' if told else 'None is false.'}"
    )
