"""`dowse harvest` as a function: from an address to records, kept in a database."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from dowse.errors import BadInput, Stopped
from dowse.fetch.build import Fetches, build_fetch
from dowse.harvest.opening import open_interface, read_values
from dowse.harvest.prepare import Prepared, judge_door, prepare
from dowse.harvest.run import Run, begin, run_harvest
from dowse.harvest.source import GET_OR_POST
from dowse.harvest.template import open_template
from dowse.model import Door, Failure, Page, Verdict
from dowse.settings import FetchSettings, HarvestSettings
from dowse.step.choose import choose_door
from dowse.step.inspect import inspect
from dowse.store import Store, open_existing, open_store
from dowse.store.harvests import begin_harvest
from dowse.url import seed_address


@dataclass(frozen=True, slots=True)
class Order:
    """What a user wants drawn: where, and with what to begin."""

    target: str  # an address, the number of a form in the database, or a template
    values: tuple[str, ...] = ()  # author=Kafka, or words
    form: int | None = None  # the number of the form on its page


async def harvest(
    target: str,
    *,
    db: str = "dowse.db",
    values: Sequence[str] = (),
    form: int | None = None,
    settings: HarvestSettings | None = None,
    fetching: FetchSettings | None = None,
) -> Run:
    """Draw the records behind a door and keep them in a database; the same call goes on where it stopped."""
    settings, fetching = settings or HarvestSettings(), fetching or FetchSettings()
    order = Order(target, tuple(values), form)
    async with (
        build_fetch(replace(fetching, cookies=True)) as fetches,
        opened(order, db, settings, fetches) as (store, run, ready),
    ):
        async for _ in run_harvest(store, run, ready, fetches.flush):
            pass
        return run


@asynccontextmanager
async def opened(
    order: Order, db: str, settings: HarvestSettings, fetches: Fetches
) -> AsyncIterator[tuple[Store, Run, Prepared]]:
    """Open the door and the database; what cannot be drawn from says why."""
    door, page = await find_door(order, db, settings, fetches)
    given = read_values(order.values, open_interface(door))
    if isinstance(given, Verdict):
        raise BadInput(f"--value: {given.reason}")
    with open_store(db) as store:
        kept = begin_harvest(store, name_harvest(order, settings, door), door.page or order.target, door.signature)
        ready = await prepare(door, page, fetches.within_site, given, post=settings.post, learned=kept.wrapper)
        if isinstance(ready, Verdict):
            raise Stopped(f"{order.target}: {ready.reason}")
        ready.source.reopen = None if door.form.template else partial(read_again, door, fetches)
        yield store, begin(kept, settings), ready


async def find_door(order: Order, db: str, settings: HarvestSettings, fetches: Fetches) -> tuple[Door, Page | None]:
    """Return the door that is meant with the page it stands on."""
    if "{" in order.target:
        made = open_template(order.target)
        if isinstance(made, Verdict):
            raise BadInput(made.reason)
        return made, None
    address, signature = read_target(order.target, db)
    seen = await inspect(address, fetches.anywhere, fetches.render)
    if isinstance(seen, Failure):
        raise Stopped(f"{address}: {seen}")
    door = choose_door(seen, signature, order.form, GET_OR_POST)
    allowed = door if isinstance(door, Verdict) else judge_door(door, settings.post)
    if isinstance(door, Verdict) or not allowed.yes:
        reason = allowed.reason if isinstance(door, Verdict) else f"form {door.form.index} {allowed.reason}"
        raise Stopped(f"{address}: {reason}")
    return door, seen.page


async def read_again(door: Door, fetches: Fetches) -> Door | None:
    """Return a door as it stands on its page now, with what its session wants; None where it is gone."""
    seen = await inspect(door.page, fetches.anywhere)
    if isinstance(seen, Failure):
        return None
    return next((each for each in seen.doors if each.signature == door.signature), None)


def read_target(target: str, db: str) -> tuple[str, str]:
    """Return the address of a page, and the signature of the form on it where a number was given."""
    if not (target.isascii() and target.isdigit()):
        url = seed_address(target)
        if url is None:
            raise BadInput(f"{target[:120]!r} is not a web address; give one such as http://example.com/search")
        return url, ""
    with open_existing(db) as store:
        form = store.form(int(target[:18]))
    if form is None:
        raise BadInput(f"there is no form {target[:18]} in {db}; `dowse export forms` shows their ids")
    return form["page"], form["signature"]


def name_harvest(order: Order, settings: HarvestSettings, door: Door) -> str:
    """Return what makes two commands the same harvest: all but budgets and where records are written."""
    table = str(Path(settings.domain).absolute()) if settings.domain else ""
    parts = [
        door.page or order.target,
        door.signature,
        settings.selector,
        str(settings.seed),
        table,
        str(settings.details),
    ]
    return " ".join([*parts, *sorted(order.values)])
