"""Is the truth true? An independent visitor, which knows nothing of plans, walks sites and finds the same."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from urllib.parse import urlsplit

from dowse.model import Response
from dowse.sim import SiteTruth, World
from dowse.sim.truth import FormTruth
from tests.sim.walk import find_links, read_forms, walk

STRIDE = 47  # sites are taken from all over the world; it must not divide the number of sites
MOST_PAGES = 250  # sites larger than this take minutes to walk


@dataclass(frozen=True, slots=True)
class Walked:
    """What a walk through some sites found, and where it disagrees with the truth."""

    sites: int
    pages: int
    forms: int  # of the truth that were looked for
    outside: tuple[int, ...]  # other sites by the least depth they are linked at
    differences: tuple[str, ...]


def walk_sites(world: World, count: int) -> Walked:
    """Walk so many sites of a world and compare pages, forms and links to other sites with the truth."""
    sites = [walk_site(world, truth) for truth in choose_sites(world, count)]
    depths = max((len(one.outside) for one in sites), default=0)
    outside = [sum(one.outside[depth] for one in sites if depth < len(one.outside)) for depth in range(depths)]
    return Walked(
        len(sites),
        sum(one.pages for one in sites),
        sum(one.forms for one in sites),
        tuple(outside),
        tuple(line for one in sites for line in one.differences),
    )


def choose_sites(world: World, count: int) -> list[SiteTruth]:
    """Return sites that answer and are not too large, from all over the world."""
    chosen: list[SiteTruth] = []
    for place in range(world.sites):
        truth = world.site(place * STRIDE % world.sites)
        if truth.reachable and sum(truth.pages_by_depth) <= MOST_PAGES:
            chosen.append(truth)
        if len(chosen) == count:
            break
    return chosen


def walk_site(world: World, truth: SiteTruth) -> Walked:
    """Walk one site."""
    visited = list(walk(world, truth))
    depths = {page.url: depth for depth, page in visited}
    pages = {page.url: page for _, page in visited}
    counts = Counter(depths.values())
    found = tuple(counts[depth] for depth in range(max(counts, default=-1) + 1))
    differences = [] if found == truth.pages_by_depth else [f"{truth.site}: pages {found}, not {truth.pages_by_depth}"]
    differences += _compare_forms(truth, depths, pages)
    outside = find_outside(truth, visited)
    neighbours = {urlsplit(address).netloc for address in truth.neighbours}
    if outside.keys() != neighbours:
        differences.append(f"{truth.site}: links to {len(outside)} other sites, not {len(neighbours)}")
    least = Counter(outside.values())
    row = tuple(least[depth] for depth in range(max(least, default=-1) + 1))
    return Walked(1, len(visited), len(truth.forms), row, tuple(differences))


def _compare_forms(truth: SiteTruth, depths: dict[str, int], pages: dict[str, Response]) -> list[str]:
    """Say which forms are not where the truth has them, and which are there that the truth does not have."""
    differences = []
    for form in truth.forms:
        if depths.get(form.page) != (form.depth if form.reachable else None):
            differences.append(f"{form.id}: at depth {depths.get(form.page)}, not {form.depth}")
        elif form.reachable and form.made == "html" and not _stands_on(form, pages[form.page]):
            differences.append(f"{form.id}: not on {form.page}")
    known = {(form.method, form.action, form.fields) for form in truth.forms}
    unknown = {form for page in pages.values() for form in read_forms(page)} - known
    return differences + [f"{truth.site}: a form that is not in the truth: {form}" for form in sorted(unknown)]


def _stands_on(form: FormTruth, page: Response) -> bool:
    return (form.method, form.action, form.fields) in read_forms(page)


def find_outside(truth: SiteTruth, visited: list[tuple[int, Response]]) -> dict[str, int]:
    """Return the other hosts that pages link to, each with the least depth."""
    least: dict[str, int] = {}
    own = urlsplit(truth.site).netloc
    for depth, page in visited:
        for link in find_links(page):
            parts = urlsplit(link)
            if parts.scheme in ("http", "https") and parts.netloc != own:
                least.setdefault(parts.netloc, depth)  # the walk is breadth first
    return least
