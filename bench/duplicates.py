"""Each form once: forms kept twice and distinct forms lost on a web that was not looked at while building.

Every page of a site is walked by links; each form on it is known to the truth. One true form
with two signatures is kept twice; two true forms with one signature are one form lost.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from random import Random
from typing import Any

from bench.intervals import explain_intervals, measure_interval, write_interval
from bench.options import Options
from bench.report import markdown_table
from bench.truthcheck import choose_sites
from dowse.form.doors import find_doors
from dowse.form.signature import database_of, sign
from dowse.model import Field, Form, Response, SeenOnSite
from dowse.page import read_page
from dowse.sim import SiteTruth, World
from dowse.sim.truth import FormTruth
from dowse.url import origin
from tests.sim.walk import walk

TITLE = "Each form once"
FAMILY = "B"
FIGURES = ("forms", "kept", "twice", "lost")
HOSTS = ("www.", "m.", "cdn.", "www2.", "")

Read = tuple[str, Form]  # the true form it is, and the form as it was read
Sign = Callable[[Form], str]


@dataclass(frozen=True, slots=True)
class Extent:
    """How many sites of how large a world are walked."""

    sites: int
    world: int


EXTENTS = {"short": Extent(40, 400), "full": Extent(150, 1000)}


@dataclass(frozen=True, slots=True)
class Walked:
    """The pages of a site, and every form on them that the truth knows."""

    truth: SiteTruth
    pages: tuple[Response, ...]
    reads: tuple[Read, ...]
    unknown: int  # forms in the HTML of its pages that the truth does not know


def walk_world(seed: int, extent: Extent, family: str) -> Iterator[Walked]:
    """Walk some sites of a world."""
    world = World(seed, extent.world, family=family)
    for truth in choose_sites(world, extent.sites):
        pages = tuple(page for _, page in walk(world, truth))
        forms = [form for page in pages for form in read_page(page).forms]
        reads = [(name_of(form, truth), form) for form in forms]
        known = tuple((name, form) for name, form in reads if name)
        yield Walked(truth, pages, known, sum(not name and form.made == "html" for name, form in reads))


def name_of(form: Form, truth: SiteTruth) -> str:
    """Return the id of the true form that a form is, that of the first where it is a copy; nothing if there is none."""
    names = {field.name for field in form.fields if field.name}
    for one in truth.forms:
        if _is_same(one, form, names):
            return one.same_as or one.id
    return ""


def _is_same(one: FormTruth, form: Form, names: set[str]) -> bool:
    return one.method == form.method and one.action == form.action and names - set(one.buttons) == set(one.fields)


def count_kept(pairs: Iterable[tuple[str, str]]) -> dict[str, int]:
    """Count what becomes of true forms (id, signature): kept, kept more than once, lost under another's signature."""
    pairs = list(pairs)
    signatures: dict[str, set[str]] = {}
    forms: dict[str, set[str]] = {}
    for name, signature in pairs:
        signatures.setdefault(name, set()).add(signature)
        forms.setdefault(signature, set()).add(name)
    return {
        "forms": len(signatures),
        "kept": len(forms),
        "twice": sum(len(some) - 1 for some in signatures.values()),
        "lost": sum(len(some) - 1 for some in forms.values()),
    }


def sign_as_written(form: Form) -> str:
    """Return what a form is without a thought: its address, and all it sends."""
    return repr((form.method, form.action, [(field.name, field.type, field.value) for field in form.fields]))


def disturb(form: Form, rng: Random) -> Form:
    """Return the form as another page may have it: other host, session and token, options in another order."""
    scheme, _, rest = form.action.partition("://")
    path, mark, query = rest.partition("?")
    session = f"{rng.getrandbits(96):024x}"
    ways = (
        f"{path};jsessionid={session}{mark}{query}",
        f"{path}?{query}{'&' * bool(query)}PHPSESSID={session}",
        f"{path}?{query}{'&' * bool(query)}vk={session}",
        rest,
    )
    fields = [field._replace(options=tuple(rng.sample(field.options, len(field.options)))) for field in form.fields]
    token = Field("_token", "hidden", value=f"{rng.getrandbits(128):032x}")
    action = f"{rng.choice(('http', 'https'))}://{rng.choice(HOSTS)}{rng.choice(ways)}" if scheme else form.action
    return replace(form, action=action, fields=(token, *fields))


def keep_doors(site: Walked) -> dict[str, int]:
    """Count what a search keeps: it leaves out what is written as before, and signs the rest."""
    kept: dict[str, str] = {}
    keys: set[int] = set()
    known: set[str] = set()
    for number, response in enumerate(site.pages):
        page = read_page(response, SeenOnSite(form_keys=keys, pages=number))
        keys.update(form.key for form in page.form_keys)
        doors, signatures = find_doors(page, 0, known)
        known |= signatures
        for door in doors:
            name = name_of(door.form, site.truth)
            if name:
                kept[door.signature] = name
    counts = Counter(kept.values())
    there = {name for name, _ in site.reads}
    return {
        "forms": len(there),
        "kept": len(kept),
        "twice": sum(count - 1 for count in counts.values()),
        "lost": len(there - counts.keys()),
    }


def count_site(site: Walked, rng: Random) -> dict[str, dict[str, int]]:
    """Count for every way to know a form again."""
    signers: dict[str, Sign] = {
        "as it is written": sign_as_written,
        "signature": sign,
        "signature, every page disturbed": lambda form: sign(disturb(form, rng)),
    }
    counts = {way: count_kept((name, signer(form)) for name, form in site.reads) for way, signer in signers.items()}
    return counts | {"as a search keeps them": keep_doors(site)}


def count_databases(sites: Iterable[Walked]) -> dict[str, int]:
    """Count the addresses that answer queries, the names they were given, and names that two databases share."""
    addresses: set[str] = set()
    names: dict[str, set[str]] = {}
    for site in sites:
        behind = {one.id: one.database for one in site.truth.forms if one.database}
        for name, form in site.reads:
            if name in behind:
                addresses.add(form.action)
                names.setdefault(database_of(form), set()).add(f"{origin(form.action)} {behind[name]}")
    return {
        "addresses": len(addresses),
        "names": len(names),
        "shared": sum(len(some) - 1 for some in names.values()),
    }


def measure(seed: int, extent: Extent, family: str = FAMILY) -> dict[str, Any]:
    """Walk one world and add up its sites."""
    rng = Random(seed)
    sites = list(walk_world(seed, extent, family))
    ways: dict[str, Counter[str]] = {}
    for site in sites:
        for way, counts in count_site(site, rng).items():
            ways.setdefault(way, Counter()).update(counts)
    return {
        "sites": len(sites),
        "pages": sum(len(site.pages) for site in sites),
        "read": sum(len(site.reads) for site in sites),
        "unknown": sum(site.unknown for site in sites),
        "ways": {way: {figure: counts[figure] for figure in FIGURES} for way, counts in ways.items()},
        "databases": count_databases(sites),
    }


def run(options: Options) -> dict[str, object]:
    """Walk a world for each seed."""
    seeds = [options.seed + repeat for repeat in range(options.repeats)]
    runs = []
    for seed in seeds:
        runs.append(measure(seed, EXTENTS[options.extent]))
        options.say(f"  seed {seed}: {runs[-1]['ways']}")
    ways = list(runs[0]["ways"])
    intervals = {
        way: {figure: measure_interval([one["ways"][way][figure] for one in runs]).to_json() for figure in FIGURES}
        for way in ways
    }
    return {
        "seeds": seeds,
        "settings": {"family": FAMILY, "extent": options.extent},
        "runs": runs,
        "intervals": intervals,
        "medians": {way: {figure: some[figure]["median"] for figure in FIGURES} for way, some in intervals.items()},
    }


def table(result: dict[str, Any]) -> str:
    """One row for each way to know a form again."""
    rows = [
        [way, *(write_interval(figures[figure], ",.0f") for figure in FIGURES)]
        for way, figures in result["intervals"].items()
    ]
    head = ["forms are known by", "true forms", "kept", "kept twice", "distinct forms lost"]
    return markdown_table(head, rows, numbers=len(FIGURES))


def notes(result: dict[str, Any]) -> str:
    """What a reader must know beside the table."""
    one = result["runs"][0]
    first = next(iter(result["intervals"].values()))["forms"]
    found = one["databases"]
    return (
        f"All pages of {one['sites']} sites of family {result['settings']['family']}, walked by an independent visitor; with the first seed {one['pages']:,} pages "
        f"with {one['read']:,} forms on them. {explain_intervals(first, 'seeds')} A true form under two signatures is kept "
        "twice; two true forms under one signature are one form lost. Disturbed: on every page each form gets another "
        "host (www, m, cdn), a session in its path or query, a token, and its options in another order. As a search keeps "
        "them: forms that are written as on an earlier page are not read again, the others are signed. "
        f"The {found['addresses']:,} addresses behind query forms have {found['names']:,} names as databases, "
        f"{found['shared']:,} of them shared by two databases. Nothing was chosen by looking at this family."
    )
