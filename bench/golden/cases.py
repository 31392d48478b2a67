"""The cases: each runs a part of the program and tells what came out as plain data with keys of its own.

All imports from the program stand here, and every attribute of its classes is named here once: a renaming changes
this file and no recorded output. What the program says in words (why it skipped, stopped, judged) goes to the
sentences of a case, never to its facts.
"""

from __future__ import annotations

import asyncio
import math
import re
import tempfile
from collections.abc import AsyncIterator, Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

from bench.attributes import fits
from bench.extraction.world import Asked, ask_doors
from bench.golden.material import (
    TEMPLATE_PAGES_READ,
    RawPage,
    autopager_pages,
    formasaurus_pages,
    list_pages,
    template_sites,
)
from bench.golden.record import Case
from bench.probe import gather
from dowse.engine.auto import sample_sites
from dowse.engine.find import begin_run, build_report
from dowse.engine.job import FindRun
from dowse.engine.workers import search_sites
from dowse.errors import DowseError
from dowse.example.follow import begin_follow as begin_walk
from dowse.example.follow import run_pattern
from dowse.example.learn import learn_like
from dowse.example.map import MapLimits
from dowse.example.pattern import Pattern, judge_walk
from dowse.fetch.build import Fetches, wrap_fetch
from dowse.fetch.cookies import Jar
from dowse.form.doors import find_doors
from dowse.form.signature import database_of
from dowse.harvester.harvest import HarvestOrder, open_harvest, run_harvest
from dowse.harvester.resume import HarvestRun
from dowse.model import (
    Condition,
    Door,
    Failure,
    Field,
    Form,
    Link,
    Option,
    Page,
    Query,
    Record,
    Request,
    Response,
    SiteSearch,
    Value,
    Verdict,
)
from dowse.page.document import Document, read_page
from dowse.records.counts import best_count, judge_trouble
from dowse.records.details import PageWrapper, learn_page_wrapper, read_detail, read_page_values
from dowse.records.paging import find_next
from dowse.records.service import read_service
from dowse.records.wrapper import AnswerSample, Wrapper, apply_wrapper, find_outside_lines, learn_wrapper
from dowse.sample.judge import YieldTarget, judge_sample
from dowse.seeds.lists import read_seed
from dowse.settings import FindSettings, HarvestSettings, SampleSettings
from dowse.sim import World, simulate
from dowse.sim.shapes import SHAPES, open_shape
from dowse.sim.truth import FormTruth, SiteTruth
from dowse.step.probe import probe
from dowse.step.visit import Inspection, inspect, look_at
from dowse.store import Store, open_store

SEED = 7
FAMILIES = ("A", "B")
WORLD_SITES = 60  # of the worlds that pages, doors and harvests are taken from
SIM_PAGES = 100  # read of each family
SIM_SITE_PAGES = 5  # of them, of one site
FOUND_SITES = 40  # searched with each strategy
STRATEGIES = ("exhaustive:2", "navmenu", "learned")
SAMPLED_SITES = 10
SAMPLED_STRATEGIES = ("exhaustive:1", "exhaustive:3", "navmenu", "tagpath", "learned")
ASKED_SITES = 24  # whose doors are asked for answers
PROBED_DOORS = 30
WRAPPED_PAGES = 10  # of a site of SWDE that are learned from; the others are read
WALK_DAYS = (0, 60)
# How each harvest of a family goes; the doors are taken in the order of the world.
HARVESTS = (
    *(HarvestSettings("auto", 40),) * 4, HarvestSettings("auto", 150), HarvestSettings("greedy", 40), HarvestSettings("mmmi", 60),
    HarvestSettings("complete", 60), HarvestSettings("breadth", 30), HarvestSettings("depth", 30), HarvestSettings("random", 30),
    HarvestSettings("domain", 30), HarvestSettings("auto", 60, details=True), HarvestSettings("auto", 150, until_coverage=0.5),
)  # fmt: skip
SERVICE_HARVESTS = 3  # doors of a family that are no forms: JSON, XML, OpenSearch
LARGEST_DATABASE = 20_000  # records
_DESCRIPTION = re.compile(rb'<link[^>]+opensearchdescription[^>]+href="([^"]+)"')


def _list_door_truths(world: World) -> Iterator[tuple[int, SiteTruth]]:
    for index in range(world.sites):
        if not world.traits(index).is_closed:
            yield index, world.site(index)


@cache
def _open_world(family: str) -> World:
    return World(SEED, WORLD_SITES, family=family)


# Pages, forms, doors


def record_pages() -> Iterator[Case]:
    """Read real and simulated pages: the pages, their forms judged, the doors of each, which forms are the same."""
    sets: dict[str, Callable[[], Iterator[tuple[str, Response]]]] = {
        "real/formasaurus": lambda: map(_as_response, formasaurus_pages()),
        "real/autopager": lambda: map(_as_response, autopager_pages()),
        "real/lists": lambda: map(_as_response, list_pages()),
        "real/swde": lambda: (
            _as_response(page) for _, pages in template_sites() for page in pages[:TEMPLATE_PAGES_READ]
        ),
        "sim/A": lambda: _find_sim_pages("A"),
        "sim/B": lambda: _find_sim_pages("B"),
    }
    for name, find_responses in sets.items():
        signatures: dict[str, list[str]] = {}
        databases: dict[str, list[str]] = {}
        for page_name, response in find_responses():
            seen = look_at(Document(response))
            yield _tell_page(page_name, seen)
            if seen.doors:
                yield _tell_forms(page_name, seen.doors)
                yield _tell_doors(page_name, seen.page)
            for door in seen.doors:
                place = f"{page_name} {door.form.index}"
                signatures.setdefault(door.signature, []).append(place)
                databases.setdefault(database_of(door.form), []).append(place)
        if signatures:
            facts = {"same form": list(signatures.values()), "same database": list(databases.values())}
            counts = {"signatures": len(signatures), "databases": len(databases)}
            yield Case(f"signatures/{name}", facts, counts=counts)


def _as_response(raw: RawPage) -> tuple[str, Response]:
    headers = (("content-type", raw.content_type),) if raw.content_type else ()
    return raw.name, Response(raw.url, 200, headers, raw.body)


def _find_sim_pages(family: str) -> Iterator[tuple[str, Response]]:
    """Yield pages that the truth names: entrances, pages with forms, menus, missing pages; and descriptions of searches."""
    world, left = _open_world(family), SIM_PAGES
    for _, truth in _list_door_truths(world):
        urls = [truth.address, *(form.page for form in truth.forms), *truth.missing[:1], *truth.navigation]
        site_left = min(left, SIM_SITE_PAGES)
        waiting = list(dict.fromkeys(urls))
        while waiting and site_left:
            url = waiting.pop(0)
            response = world.answer(Request(url))
            if isinstance(response, Response) and response.body:
                found = _DESCRIPTION.search(response.body) if url == truth.address else None
                if found:
                    waiting.insert(0, found[1].decode() if b"://" in found[1] else truth.site + found[1].decode())
                site_left, left = site_left - 1, left - 1
                yield f"sim/{family}/{url.partition('://')[2]}", response


def _tell_page(name: str, seen: Inspection) -> Case:
    page = seen.page
    facts = {
        "url": page.url,
        "title": page.title,
        "text": page.text,
        "language": page.language,
        "encoding": page.encoding,
        "canonical": page.canonical,
        "base": page.base,
        "next": page.next,
        "refresh": page.refresh,
        "robots": sorted(page.robots),
        "links": [_tell_link(link) for link in page.links],
        "link count": page.link_count,
        "groups": [[[link.place, link.url] for link in group] for group in seen.link_groups],
        "forms": [_tell_form(form) for form in page.forms],
        "form count": page.form_count,
        "dropped": dict(page.dropped),
        "needs a browser": bool(page.unrendered),
    }
    counts = {"links": page.link_count, "groups": len(seen.link_groups), "forms": page.form_count}
    return Case(f"pages/{name}", facts, _say({"needs a browser": page.unrendered}), counts)


def _tell_link(link: Link) -> dict[str, Any]:
    return {
        "url": link.url, "text": link.text, "nearby": link.nearby, "rel": link.rel, "path": link.path, "place": link.place,
    }  # fmt: skip


def _tell_form(form: Form) -> dict[str, Any]:
    return {
        "index": form.index, "method": form.method, "action": form.action, "id": form.id, "name": form.name, "class": form.css,
        "role": form.role, "text": form.text, "enctype": form.enctype, "path": form.path, "own page": form.own_page,
        "heading": form.heading, "made": form.made, "template": form.template, "charset": form.charset,
        "fields": [_tell_field(field) for field in form.fields],
    }  # fmt: skip


def _tell_field(field: Field) -> dict[str, Any]:
    return {
        "name": field.name, "type": field.type, "id": field.id, "label": field.label, "value": field.value,
        "placeholder": field.placeholder, "title": field.title, "options": _tell_options(field.options),
        "required": field.required, "multiple": field.multiple, "checked": field.checked, "autocomplete": field.autocomplete,
        "aria": field.aria, "near": field.near, "group": field.group, "hidden": field.unseen,
    }  # fmt: skip


def _tell_options(options: Iterable[Option]) -> list[list[Any]]:
    return [[option.value, option.label, option.selected] for option in options]


def _tell_forms(name: str, doors: Sequence[Door]) -> Case:
    facts = {}
    sentences: dict[str, str] = {}
    for door in doors:
        judgement, place = door.judgement, f"form {door.form.index}"
        facts[place] = {
            "kind": judgement.kind,
            "probability": _round(judgement.probability),
            "searchable": judgement.searchable,
            "reasons": len(judgement.reasons),
            "conditions": [_tell_condition(condition) for condition in door.conditions],
            "controls": [[control.role, list(control.fields)] for control in door.controls],
        }
        sentences |= _say_all(place, judgement.reasons)
    counts = {"forms": len(doors), "searchable": sum(door.judgement.searchable for door in doors)}
    return Case(f"forms/{name}", facts, sentences, counts)


def _tell_condition(condition: Condition) -> dict[str, Any]:
    return {
        "label": condition.label, "attribute": condition.attribute, "operator": condition.operator, "type": condition.type,
        "fields": list(condition.fields), "options": _tell_options(condition.options), "default": list(condition.default),
        "operators": _tell_options(condition.operators), "operator field": condition.operator_field,
    }  # fmt: skip


def _tell_doors(name: str, page: Page) -> Case:
    """Tell the doors that a search keeps of a page: each once, with conditions where something can be searched."""
    found = [
        [door.form.index, door.judgement.kind, [condition.attribute for condition in door.conditions]]
        for door in find_doors(page)[0]
    ]
    return Case(f"doors/{name}", {"doors": found}, counts={"doors": len(found)})


# Answers


def record_answers() -> Iterator[Case]:
    """Find records, count and next page on real list pages, each alone, and on simulated answers, a door's together."""
    for find_pages in (autopager_pages, list_pages):
        for raw in find_pages():
            name, response = _as_response(raw)
            wrapper = learn_wrapper([AnswerSample(Document(response).nodes, raw.url)])
            facts, sentences = _tell_answer(wrapper, response, Request(raw.url))
            facts["wrapper"] = _tell_wrapper(wrapper)
            counts = {"records": len(facts["records"]), "next": bool(facts["next"])}
            yield Case(f"answers/{name}", facts, sentences, counts)
    for family in FAMILIES:
        world = World(SEED, ASKED_SITES, family=family)
        for number, asked in enumerate(ask_doors(world, SEED)):
            yield _tell_asked(f"answers/sim/{family}/{number:02} {asked.name}", asked, world)
        yield from _record_services(family)


def _tell_asked(name: str, asked: Asked, world: World) -> Case:
    longest = sorted(asked.pages, key=lambda page: -len(page.records))[:2]
    empty = [page for page in asked.pages if not page.records][:1]
    wrapper = learn_wrapper([page.sample for page in (*longest, *empty)])
    facts: dict[str, Any] = {"wrapper": _tell_wrapper(wrapper)}
    sentences: dict[str, str] = {}
    records = 0
    for number, page in enumerate(asked.pages):
        response = world.answer(Request(page.sample.url))
        assert isinstance(response, Response)
        told, said = _tell_answer(wrapper, response, Request(page.sample.url))
        records += len(told["records"])
        facts[f"answer {number}"] = told
        sentences |= {f"answer {number} {place}": words for place, words in said.items()}
    return Case(name, facts, sentences, {"answers": len(asked.pages), "records": records})


def _tell_answer(
    wrapper: Wrapper | Verdict, response: Response, request: Request
) -> tuple[dict[str, Any], dict[str, str]]:
    """Return what is read from one page of answers, and what is said of it."""
    page, tree = read_page(response), Document(response).nodes
    if isinstance(wrapper, Verdict):
        records: tuple[Record, ...] = ()
        lines = find_outside_lines(tree, ())
        said = {"no wrapper": wrapper.reason}
        fitting = None
    else:
        extract = apply_wrapper(wrapper, tree, response.url)
        records, lines, fitting = extract.records, extract.lines, extract.fits.yes
        said = {"fits": extract.fits.reason}
    count = best_count(lines, len(records))
    found = find_next(page, request, len(records), 0, response.body.decode("utf-8", "replace"))
    trouble = judge_trouble(response.status, page, lines, len(records))
    facts = {
        "records": [_tell_record(record) for record in records],
        "fits": fitting,
        "lines": list(lines),
        "count": [count.number, count.exact, count.limit] if count else None,
        "next": _tell_request(found.request) if found else None,
        "trouble": bool(trouble),
    }
    return facts, _say({**said, "next": found.how if found else "", "trouble": trouble})


def _tell_wrapper(wrapper: Wrapper | Verdict) -> dict[str, Any] | None:
    if isinstance(wrapper, Verdict):
        return None
    attributes = [
        [each.name, each.how, each.label, each.place, each.number, each.separator, each.part, each.several]
        for each in wrapper.attributes
    ]
    return {
        "where": list(wrapper.where), "attributes": attributes, "title": wrapper.title, "identity": wrapper.identity,
        "declared": wrapper.declared, "learned from": wrapper.learned_from, "strangers": wrapper.strangers,
    }  # fmt: skip


def _record_services(family: str) -> Iterator[Case]:
    """Read answers that are meant for programs: JSON and XML of the simulated services."""
    world = _open_world(family)
    for _, truth in _list_door_truths(world):
        for database in truth.databases:
            for number, door in enumerate(database.doors):
                url = re.sub(
                    r"\{[^}]*\}", lambda place: "1" if "age" in place[0] or "tart" in place[0] else "a", door.template
                )
                response = world.answer(Request(url))
                if isinstance(response, Response) and door.kind != "opensearch":
                    read = read_service(response, Request(url))
                    yield _tell_service(f"answers/sim/{family}/service {database.id} {number}", read)


def _tell_service(name: str, read: Any) -> Case:
    if isinstance(read, Verdict):
        return Case(name, {"records": None}, _say({"no records": read.reason}))
    facts = {
        "records": [_tell_record(record) for record in read.records],
        "total": [read.total, read.exact],
        "next": _tell_request(read.next) if read.next else None,
        "place": read.place,
    }
    return Case(name, facts, _say({"next": read.how}), {"records": len(read.records)})


def _tell_record(record: Record) -> dict[str, Any]:
    return {"key": record.key, "url": record.url, "values": _tell_values(record.values)}


def _tell_values(values: Iterable[Value]) -> list[list[str]]:
    return [[value.attribute, value.text] for value in values]


def _tell_request(request: Request) -> list[str]:
    return [request.method, request.url, request.body.decode("latin-1")]


# Wrappers


def record_wrappers() -> Iterator[Case]:
    """Learn how the pages of sites of SWDE are made, and read other pages of the same sites."""
    before: list[Any] = []
    for site, pages in template_sites():
        trees = [Document(_as_response(page)[1]).nodes for page in pages]
        wrapper = learn_page_wrapper(trees[:WRAPPED_PAGES])
        kept = PageWrapper.from_dict(wrapper.to_dict())
        read = [
            {"values": _tell_values(read_page_values(kept, tree)), "details": _tell_values(read_detail(tree))}
            for tree in trees[WRAPPED_PAGES:]
        ]
        facts = {
            "attributes": [
                [each.name, each.how, each.label, each.place, each.number, _round(each.share)]
                for each in wrapper.attributes
            ],
            "pages": read,
            "fits": [_round(fits(wrapper, tree)) for tree in trees[WRAPPED_PAGES:]],
            "fits another site": [_round(fits(wrapper, tree)) for tree in before[:2]],
        }
        counts = {"attributes": len(wrapper.attributes), "values": sum(len(page["values"]) for page in read)}
        yield Case(f"wrappers/{site}", facts, counts=counts)
        before = trees


# Walks


def record_walks() -> Iterator[Case]:
    """Make crawlers from one sample page on simulated sites, and run each on two days."""
    for number, shape in enumerate(SHAPES):
        yield asyncio.run(_walk(FAMILIES[number % 2], shape))


async def _walk(family: str, shape: str) -> Case:
    sites = [open_shape(shape, family, SEED, day) for day in WALK_DAYS]
    name = f"walks/sim/{family}/{shape}"
    try:
        learned = await learn_like([sites[0].samples[0]], sites[0].entry, wrap_fetch(sites[0].fetch), MapLimits(1_500))
    except DowseError as error:
        return Case(name, {"pattern": None}, {"not learned": str(error)})
    pattern = Pattern.from_json(learned.pattern.to_json())
    facts: dict[str, Any] = {
        "pattern": _tell_pattern(pattern),
        "mapped pages": sorted(learned.site.pages),
        "known targets": sorted({*learned.site.targets, *learned.site.presumed}),
        "missed": sorted(learned.missed),
    }
    sentences = _say({"map stopped": learned.site.stopped}) | _say_all("cover", learned.cover.reasons)
    links = 0
    with tempfile.TemporaryDirectory() as folder:
        for day, site in zip(WALK_DAYS, sites, strict=True):
            with open_store(f"{folder}/walk.db") as store:
                run = begin_walk(store, pattern, only_new=day > 0)
                found = [
                    [each.seen.url, each.seen.page.title, _round(each.likeness)]
                    async for each in run_pattern(store, run, wrap_fetch(site.fetch))
                ]
                judged = judge_walk(run.walk)
            links += run.links
            facts[f"day {day}"] = {
                "targets": found, "links": run.links, "pages": run.pages, "new": run.new, "attributes": list(run.attributes),
                "unlike": run.walk.unlike, "opened": run.walk.opened, "failures": sorted(run.walk.failures.values()),
                "pattern fits": judged.yes,
            }  # fmt: skip
            sentences |= _say({f"day {day} fits": judged.reason, f"day {day} stopped": run.stopped})
    return Case(name, facts, sentences, {"targets": len(facts["day 0"]["targets"]), "links": links})


def _tell_pattern(pattern: Pattern) -> dict[str, Any]:
    ask = pattern.first
    return {
        "entry": pattern.entry,
        "paths": [[[step.pattern, step.repeats] for step in path.steps] for path in pattern.paths],
        "samples": list(pattern.samples),
        "threshold": _round(pattern.threshold, 4),
        "figures": {name: _round(value, 4) for name, value in sorted(pattern.figures.items())},
        "form": [ask.address, ask.field, list(ask.values), ask.words] if ask else None,
        "without": list(pattern.without),
        "avoid": list(pattern.avoid),
        "lists": list(pattern.lists),
        "scale": _round(pattern.scale, 4),
        "shapes": [[each.shape, _round(each.common, 4)] for each in pattern.shapes],
        "reader": [attribute["name"] for attribute in pattern.reader.get("attributes", ())],
    }


# Probes and harvests


def record_probes() -> Iterator[Case]:
    """Ask simulated doors a few questions."""
    for family in FAMILIES:
        world = _open_world(family)
        samples = [sample for sample, _ in zip(gather(world), range(PROBED_DOORS), strict=False)]
        for number, sample in enumerate(samples):
            said = asyncio.run(probe(sample.door, wrap_fetch(simulate(world)).within_site, sample.page))
            facts = {
                "answers": said.answers, "kind": said.kind, "page size": said.page_size, "total": said.total, "limit": said.limit,
                "match": said.match, "count line": said.count_line, "requests": said.requests,
            }  # fmt: skip
            name = f"probes/sim/{family}/{number:02} {sample.form.page.partition('://')[2]}"
            yield Case(name, facts, _say_all("reason", said.reasons), {"requests": said.requests})


def record_harvests() -> Iterator[Case]:
    """Harvest simulated doors with a fixed seed: forms with several selectors, and services."""
    for family in FAMILIES:
        world = _open_world(family)
        forms = _find_open_forms(world)
        for number, (settings, form) in enumerate(zip(HARVESTS, forms, strict=False)):
            fetches = wrap_fetch(simulate(world), jar=Jar())
            order = asyncio.run(_order_form(form, fetches))
            name = f"harvests/sim/{family}/{number:02} {settings.selector} {order.target.partition('://')[2]}"
            yield asyncio.run(_harvest(name, order, replace(settings, post=True, seed=SEED), fetches))
        templates = [
            door.template for _, truth in _list_door_truths(world) for base in truth.databases for door in base.doors
        ]
        for number, template in enumerate(templates[:SERVICE_HARVESTS]):
            name = f"harvests/sim/{family}/service {number} {template.partition('://')[2]}"
            settings = HarvestSettings(rounds=30, seed=SEED)
            yield asyncio.run(_harvest(name, HarvestOrder(template), settings, wrap_fetch(simulate(world), jar=Jar())))


def _find_open_forms(world: World) -> Iterator[FormTruth]:
    """Yield one form for each database that a page of HTML leads to."""
    for _, truth in _list_door_truths(world):
        small = {database.id for database in truth.databases if database.size <= LARGEST_DATABASE}
        taken: set[str] = set()
        for form in truth.forms:
            is_open = form.kind == "database" and form.reachable and form.made == "html" and not form.same_as
            if is_open and form.database in small and form.database not in taken:
                taken.add(form.database or "")
                yield form


async def _order_form(form: FormTruth, fetches: Fetches) -> HarvestOrder:
    """Name the form on its page by its number, where it is seen; else the program has to choose."""
    seen = await inspect(form.page, fetches.anywhere)
    doors = () if isinstance(seen, Failure) else seen.doors
    names = set(form.fields)
    own = [
        door.form.index
        for door in doors
        if door.form.action.partition("?")[0] == form.action and names <= {field.name for field in door.form.fields}
    ]
    return HarvestOrder(form.page, form=own[0] if own else None)


async def _harvest(name: str, order: HarvestOrder, settings: HarvestSettings, fetches: Fetches) -> Case:
    pages: list[dict[str, Any]] = []
    records: list[dict[str, Any]] = []
    with tempfile.TemporaryDirectory() as folder:
        try:
            async with open_harvest(order, f"{folder}/harvest.db", settings, fetches) as (store, run, ready):
                async for page in run_harvest(store, run, ready):
                    answer = page.answer
                    told = [_tell_query(answer.query), answer.page, len(answer.records), len(page.new), answer.total]
                    pages.append({"asked": told, "trouble": bool(answer.trouble or answer.failure)})
                    records += [_tell_record(record) for record in page.new]
        except DowseError as error:
            return Case(name, {"opened": False}, {"not opened": str(error)})
    return _tell_harvest(name, run, pages, records)


def _tell_query(query: Query) -> list[list[str]]:
    return [*_tell_values(query.values), *([each.attribute, each.low, each.high] for each in query.ranges)]


def _tell_harvest(name: str, run: HarvestRun, pages: list[dict[str, Any]], records: list[dict[str, Any]]) -> Case:
    size, watch = run.size, run.monitor
    facts = {
        "opened": True,
        "records": records,
        "pages": pages,
        "requests": run.harvested.requests,
        "queries": run.harvested.queries,
        "complete": run.complete,
        "certificate": bool(run.certificate),
        "stopped": bool(run.stopped),
        "size": [_round(each, 1) for each in (size.size, size.low, size.high)] if size else None,
        "coverage": [_round(each) for each in (size.coverage, size.coverage_low, size.coverage_high)] if size else None,
        "forecast": re.findall(
            r"[0-9][0-9.,]*", run.forecast()
        ),  # its figures; the program gives it as a sentence only
        "skipped": list(watch.skipped.values()),
        "noticed": list(watch.noticed.values()),
    }
    sentences = _say({"stopped": run.stop_sentence, "proof": run.proof, "forecast": run.forecast()})
    sentences |= _say_all("skipped", watch.skipped) | _say_all("noticed", watch.noticed)
    if size:
        sentences |= _say({"size": size.method}) | _say_all("size", size.reasons)
    return Case(name, facts, sentences, {"records": len(records), "requests": run.harvested.requests})


# Searches


def record_searches() -> Iterator[Case]:
    """Search simulated sites with several strategies, as `dowse find` does."""
    for family in FAMILIES:
        world = World(SEED, FOUND_SITES, family=family)
        for strategy in STRATEGIES:
            settings = FindSettings(strategy=strategy, jobs=4, finder=0, discover=False)
            with tempfile.TemporaryDirectory() as folder, open_store(str(Path(folder) / "find.db")) as store:
                yield from _search(f"find/sim/{family}/{strategy.replace(':', '-')}", world, settings, store)


def _search(name: str, world: World, settings: FindSettings, store: Store) -> Iterator[Case]:
    run = begin_run(store, [read_seed(address) for address in world.addresses()], settings)
    fetch = wrap_fetch(simulate(world)).within_site
    searches = asyncio.run(_collect(search_sites(store, run, fetch, settings)))
    for search in sorted(searches, key=lambda each: str(each.site)):
        yield _tell_search(f"{name}/{search.site.host}", search)
    report = build_report(store, 0.0, run.stopped, run=run, settings=settings)
    kept = ("site", "page", "depth", "kind", "searchable", "method", "action", "fields", "conditions")
    facts = {
        "sites": [report.sites_known, report.sites_searched],
        "pages": report.pages,
        "forms": report.forms,
        "sources": report.sources,
        "kinds": dict(report.kinds),
        "errors": sorted(report.errors.values()),
        "skipped": sorted(report.skipped.values()),
        "coverage": [report.coverage, list(report.coverage_ci or ())],
        "rows": sorted(([row[key] for key in kept] for row in store.forms()), key=str),
    }
    sentences = _say({"coverage": report.coverage_method, "stopped": report.stopped})
    yield Case(f"{name}/all", facts, sentences, {"pages": report.pages, "forms": report.forms})


async def _collect(items: AsyncIterator[Any]) -> list[Any]:
    return [item async for item in items]


def _tell_search(name: str, search: SiteSearch) -> Case:
    facts = {
        "pages": [
            [visit.link.url, visit.link.depth, visit.status, visit.moved, bool(visit.failure), len(visit.doors)]
            for visit in search.visits
        ],
        "doors": [
            [door.page, door.depth, door.judgement.kind, _round(door.judgement.probability), door.form.method, door.form.action]
            for door in search.doors
        ],
        "neighbours": sorted(search.neighbours),
        "skipped": sorted(skip.url for skip in search.skipped),
        "skipped, by reason": sorted(count for _, count in search.skip_counts),
        "finished": search.finished,
        "stopped": bool(search.stopped),
        "failed": bool(search.error),
        "left": [choice.link.url for choice in search.left],
        "left behind": [_round(figure) for figure in search.left_behind or ()],
    }  # fmt: skip
    sentences = _say({"stopped": search.stopped, "failed": search.error})
    sentences |= _say({f"visited {visit.link.url}": visit.why for visit in search.visits})
    sentences |= _say({f"failed {each.link.url}": str(each.failure) for each in search.visits if each.failure})
    sentences |= _say({f"skipped {skip.url}": skip.reason for skip in search.skipped})
    counts = {
        "pages": len(search.visits), "forms": len(search.doors), "skipped": sum(count for _, count in search.skip_counts),
    }  # fmt: skip
    return Case(name, facts, sentences, counts)


def record_samples() -> Iterator[Case]:
    """Record simulated sites once and replay strategies over each, as `dowse sample` does."""
    settings = SampleSettings(SAMPLED_STRATEGIES, sample=SAMPLED_SITES, seed=SEED, site_pages=200, jobs=2)
    for family in FAMILIES:
        world = World(SEED, SAMPLED_SITES, family=family)
        seeds = [read_seed(address) for address in world.addresses()]
        run = FindRun(0, own=True, site_budget=len(seeds))
        sampled = asyncio.run(_collect(sample_sites(seeds, run, wrap_fetch(simulate(world)).within_site, settings)))
        samples = sorted((each.sample for each in sampled), key=lambda each: each.site)
        judged = judge_sample(samples, SAMPLED_STRATEGIES, 100, YieldTarget(coverage=0.9))
        facts = {
            "sites": {
                each.site: {
                    "pages": each.pages, "failed": bool(each.error), "missing": each.missing,
                    "strategies": {name: [own.pages, own.forms, own.total] for name, own in each.given.items()},
                }
                for each in samples
            },
            "chosen": judged.choice.name,
            "needed": dict(judged.needed),
        }  # fmt: skip
        sentences = _say({f"failed {each.site}": each.error for each in samples})
        yield Case(f"samples/sim/{family}", facts, sentences, {"pages": sum(each.pages for each in samples)})


def _round(value: float | None, digits: int = 3) -> float | str | None:
    if value is None:
        return None
    return round(float(value), digits) if math.isfinite(value) else str(value)


def _say(said: Mapping[str, str]) -> dict[str, str]:
    """Return the sentences that say something."""
    return {place: str(words) for place, words in said.items() if words}


def _say_all(place: str, said: Iterable[str]) -> dict[str, str]:
    return {f"{place} {number}": str(words) for number, words in enumerate(said)}


AREAS: dict[str, Callable[[], Iterator[Case]]] = {
    "pages": record_pages,  # also forms, doors and signatures
    "answers": record_answers,
    "wrappers": record_wrappers,
    "walks": record_walks,
    "probes": record_probes,
    "harvests": record_harvests,
    "find": record_searches,
    "samples": record_samples,
}
