"""One site, recorded once: what each strategy gives there, and how deep things lie."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import uvloop

from bench.paper1.facts import DEEPEST
from bench.paper1.workers import Task, open_fetch, seed_of
from dowse.crawl.site import search_site
from dowse.model import Door, SiteSearch
from dowse.sample.record import WHOLE, Recording, record_site
from dowse.sample.replay import replay_search
from dowse.sim.score import Found, is_same_form, score_forms
from dowse.sim.truth import SiteTruth
from dowse.strategy import Strategy, build_strategy
from dowse.url import origin

Row = dict[str, Any]
CLAIMS = ("taken for one", "no query form", "found before")  # of forms, by whether they are query forms


@dataclass(frozen=True, slots=True)
class Replay:
    """What a strategy gave on a recorded site."""

    pages: int
    missing: int  # of the pages, those that the recording does not have
    search: SiteSearch

    def count(self, kinds: Sequence[str]) -> int:
        """Count the forms of these kinds."""
        return sum(1 for door in self.search.doors if door.judgement.kind in kinds)


def replay(recording: Recording, strategy: Strategy, site_pages: int) -> Replay:
    """Search a recorded site with a strategy, of forms or of sites."""
    found, missing = replay_search(recording, search_site, strategy, site_pages=site_pages)
    return Replay(len(found.visits), missing, found)


def replay_by_name(recording: Recording, name: str, site_pages: int) -> Replay:
    """Search a recorded site with a strategy for forms; how it was recorded needs no replay."""
    if name == WHOLE:
        return Replay(len(recording.search.visits), 0, recording.search)
    return replay(recording, build_strategy(name), site_pages)


def survey_sites(task: Task) -> list[Row]:
    """Record some sites of a world and replay every strategy over each."""
    return uvloop.run(_survey(task))


async def _survey(task: Task) -> list[Row]:
    world = task.world()
    fetch, rows = open_fetch(world), []
    for index in task.indexes:
        recording = await record_site(seed_of(world, index), search_site, fetch, site_pages=task.site_pages)
        rows.append(survey_recording(recording, task, world.site(index)))
    return rows


def survey_recording(recording: Recording, task: Task, truth: SiteTruth | None = None) -> Row:
    """Return what there is on a recorded site and what each strategy gives."""
    if recording.search.error:
        return {"error": recording.search.error}
    given = {name: replay_by_name(recording, name, task.site_pages) for name in task.strategies}
    claims = {} if truth is None else {"claims": judge_claims(truth, recording.search.doors)}
    return claims | {
        "error": "",
        "depths": count_depths(recording),
        "yields": {name: tell_replay(one, truth) for name, one in given.items()},
    }


def tell_replay(given: Replay, truth: SiteTruth | None) -> dict[str, int]:
    """Return the counts of one replay, beside the truth where it is known."""
    counts = {
        "pages": given.pages,
        "missing": given.missing,
        "forms": given.count(("database",)),
        "searchable": given.count(("database", "site-search")),
    }
    if truth is None:
        return counts
    score = score_forms(find_claims(truth.site, given.search.doors), [truth])
    claims = judge_claims(truth, given.search.doors)
    return counts | {
        "right": score.right,
        "wrong": score.wrong,
        "reachable": score.reachable,
        "no query form": sum(claims["no query form"]),
        "found before": sum(claims["found before"]),
    }


def find_claims(site: str, doors: Sequence[Door]) -> list[Found]:
    """Return doors as the score takes them."""
    return [
        (site, door.judgement.kind, door.form.action, tuple(field.name for field in door.form.fields if field.name))
        for door in doors
    ]


def judge_claims(truth: SiteTruth, doors: Sequence[Door]) -> dict[str, list[int]]:
    """Count what was taken for a new query form, and what of it is none or was found before, by the depth where it was found."""
    forms = [form for form in truth.forms if form.kind == "database" and not form.same_as]
    counts = {what: [0] * (DEEPEST + 1) for what in CLAIMS}
    found: set[int] = set()
    for door in doors:
        if door.judgement.kind != "database":
            continue
        claim = door.form.action, frozenset(field.name for field in door.form.fields if field.name)
        form = next((number for number, form in enumerate(forms) if is_same_form(form, claim)), None)
        depth = min(DEEPEST, door.depth)
        counts["taken for one"][depth] += 1
        counts["no query form"][depth] += form is None
        counts["found before"][depth] += form in found
        found |= set() if form is None else {form}
    return counts


def count_depths(recording: Recording) -> dict[str, list[int]]:
    """Count pages, query forms and other sites by the depth where an exhaustive search met them."""
    pages: Counter[int] = Counter()
    for visit in recording.search.visits:
        pages[visit.link.depth] += not visit.failure and not visit.left_site
    forms = Counter(door.depth for door in recording.search.doors if door.judgement.kind == "database")
    counted = {"pages": pages, "query forms": forms, "other sites": _count_neighbours(recording)}
    return {what: [counts[depth] for depth in range(DEEPEST + 1)] for what, counts in counted.items()}


def _count_neighbours(recording: Recording) -> Counter[int]:
    """Count the other sites by the least depth of a page that leads there."""
    home, left = f"{recording.seed.site}/", set(recording.search.neighbours)
    counts: Counter[int] = Counter()
    for recorded in sorted(recording.visits.values(), key=lambda each: each.visit.link.depth):
        for url in recorded.page.urls if recorded.page else ():
            if not url.startswith(home) and (site := origin(url)) in left:
                left.discard(site)
                counts[recorded.visit.link.depth] += 1
    return counts
