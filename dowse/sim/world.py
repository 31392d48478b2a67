"""A world: a pure function from a seed and a few settings to every page of the simulated web.

Nothing is kept but small bounded caches, so a world of any size opens at once and stays small.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from pathlib import Path

from dowse.errors import BadInput
from dowse.model import Failure, Record, Request, Response, Value
from dowse.reasons import FailureReason
from dowse.sim.address import Address, read_params, split_address
from dowse.sim.answers import answer_query, answer_site_search, make_detail, read_detail
from dowse.sim.chance import dice, mix
from dowse.sim.databases import DatabasePlan
from dowse.sim.families import FAMILIES
from dowse.sim.graph import Neighbours, find_neighbours
from dowse.sim.hosts import index_in
from dowse.sim.manners import Manners
from dowse.sim.naming import number_at, page_at, path_of
from dowse.sim.pages import find_links, make_note, make_page, make_trap_page
from dowse.sim.plan import SitePlan, plan_site
from dowse.sim.services import answer_description, answer_service, find_service
from dowse.sim.tables import Attribute, Table, describe_topic, make_table, read_table
from dowse.sim.themes import Themes
from dowse.sim.topical.search import SEARCH_HOST, SearchEngine
from dowse.sim.topical.themes import TopicalThemes
from dowse.sim.traits import HUBS, Traits, make_traits
from dowse.sim.traps import answer_trap, without_session
from dowse.sim.trouble import DEAD_ANSWERS, Call, answer_file, answer_missing, answer_robots
from dowse.sim.truth import SiteTruth, tell_truth
from dowse.sim.wording import Wording

MOST_SITES = 2_000_000
OUTLINKS = ("few", "many")  # links to other sites on a site that lists them
THEMES = {"even": Themes, "power-law": TopicalThemes}  # how topics are shared out among sites
PLANS_KEPT = 256
TOPICAL_PLANS_KEPT = 1024  # crawlers for a topic go to and fro between many sites
TABLES_KEPT = 32
TRAITS_KEPT = 2048
_URL = re.compile(r"(https?)://([^/?#:]+)(?::(\d+))?([^#]*)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class FileSource:
    """A table from a file that stands behind a form of a site of its own."""

    path: str
    page_size: int = 10
    limit: int = 0  # records shown at most, or 0


class World:
    """The simulated web of one seed, in one family of templates, on one day."""

    def __init__(
        self,
        seed: int = 1,
        sites: int = 300,
        *,
        family: str = "A",
        day: int = 0,
        files: tuple[FileSource, ...] = (),
        outlinks: str = "few",
        topics: str = "even",
    ) -> None:
        if not 1 <= sites <= MOST_SITES:
            raise BadInput(f"a world has 1 to {MOST_SITES:,} sites, not {sites}")
        family = family.upper()
        if family not in FAMILIES:
            raise BadInput(f"no template family {family!r}; there are {' and '.join(FAMILIES)}")
        if day < 0:
            raise BadInput(f"a world begins on day 0, not {day}")
        if outlinks not in OUTLINKS:
            raise BadInput(f"sites of a world list {' or '.join(OUTLINKS)} others, not {outlinks!r}")
        self.seed, self.sites, self.family, self.day, self.files = seed, sites, family, day, files
        if topics not in THEMES:
            raise BadInput(f"topics of a world are {' or '.join(THEMES)}, not {topics!r}")
        self.topics, self.themes = topics, THEMES[topics](seed, family, outlinks)
        self.traits = lru_cache(TRAITS_KEPT)(self._make_traits)
        self.plan = lru_cache(PLANS_KEPT if topics == "even" else TOPICAL_PLANS_KEPT)(self._plan)
        self.table = lru_cache(TABLES_KEPT)(self._make_table)
        self._file_table = lru_cache(None)(read_table)
        self._engine = SearchEngine(self) if topics == "power-law" else None
        for file in files:
            self._file_table(Path(file.path))  # a bad file is said at once

    @property
    def hosts(self) -> int:
        """How many sites there are, with those that stand for files."""
        return self.sites + len(self.files)

    @property
    def search_address(self) -> str:
        """The address of the world's search engine; nothing where there is none."""
        return f"http://{SEARCH_HOST}/search" if self._engine else ""

    def _make_traits(self, index: int) -> Traits:
        traits = make_traits(self.themes, index, self.day)
        if index < self.sites:
            return traits
        host = traits.host
        healthy = replace(traits, language="en", trouble="", robots="missing", spread="none", manners=Manners())
        return replace(healthy, alias="", host=host)

    def _plan(self, index: int) -> SitePlan:
        own = self.traits(index)
        source = self._file_plan(index - self.sites, own.host) if index >= self.sites else None
        return plan_site(self.themes, self.day, own, partial(self._find_neighbours, index), self._describe, source)

    def linked_sites(self, index: int) -> Neighbours:
        """Return the numbers of the sites that a site links to, without its plan."""
        return find_neighbours(self.themes, self.traits(index), self.sites, self.traits)

    def _find_neighbours(self, index: int) -> tuple[str, ...]:
        numbers, wards = self.linked_sites(index)
        files = range(self.sites, self.hosts) if index == 0 else ()  # the first hub knows the sites of files
        addresses = [
            self._find_deep(each, place) if place >= wards and self.themes.is_deep_link(index, place)
            else self.traits(each).address
            for place, each in enumerate(numbers)
        ]  # fmt: skip
        return (*(self.traits(each).address for each in files), *addresses)

    def _find_deep(self, index: int, chance: int) -> str:
        """Return the address of a page within a site that others link to: one with a form, or some page of text."""
        traits = self.traits(index)
        if traits.spread == "directory":  # whose pages have their addresses from the sites they list
            return traits.address
        plan = self.plan(index)
        shallow = plan.tree.starts[min(3, len(plan.tree.starts) - 1)]
        pages = [*plan.homes, *(mix(chance, place) % shallow for place in range(2))]
        page = pages[mix(plan.number, chance) % len(pages)]
        is_open = not traits.is_closed and page not in plan.secluded
        return plan.origin + path_of(plan, page) if is_open and page else traits.address

    def _file_plan(self, place: int, host: str) -> DatabasePlan:
        file = self.files[place]
        size = self._file_table(Path(file.path)).size
        return DatabasePlan(
            number=0,
            id=f"{host}/0",
            topic="",
            key=file.path,
            sizes=(size,),
            page_size=file.page_size,
            limit=file.limit,
            file=file.path,
        )

    def _describe(self, plan: DatabasePlan, wording: Wording) -> tuple[Attribute, ...]:
        return self._file_table(Path(plan.file)).attributes if plan.file else describe_topic(plan.topic, wording)

    def _make_table(self, plan: DatabasePlan, language: str) -> Table:
        if plan.file:
            return self._file_table(Path(plan.file))
        return make_table(plan.topic, self.themes.read_wording(language), plan.key, plan.sizes)

    def database(self, index: int, number: int = 0) -> Table:
        """Return a database of a site."""
        return self.table(self.plan(index).databases[number], self.traits(index).language)

    def host_index(self, host: str) -> int | None:
        """Return the number of the site that a host name belongs to."""
        host = host.lower()
        index = index_in(host)
        if not 0 <= index < self.hosts:
            return None
        traits = self.traits(index)
        return index if host in (traits.host, traits.alias) else None

    def manners(self, host: str) -> Manners:
        """Return how the server behind a host behaves on the wire."""
        index = self.host_index(host)
        return Manners() if index is None else self.traits(index).manners

    def site(self, index: int) -> SiteTruth:
        """Return the truth about one site."""
        if not 0 <= index < self.hosts:
            raise BadInput(f"this world has sites 0 to {self.hosts - 1}, not {index}")
        return tell_truth(self.plan(index))

    def links(self, url: str) -> dict[str, tuple[str, ...]]:
        """Return where the links of a page lead, by what they are for: menu, submenu, crumbs, content, tools ..."""
        match = _URL.match(url)
        index = self.host_index(match[2]) if match else None
        plan = self.plan(index) if index is not None else None
        number = page_at(plan, match[4] or "/") if plan and match else None
        if plan is None or number is None:
            raise BadInput(f"no page of this world is at {url}")
        return {role: tuple(each.href for each in links) for role, links in find_links(plan, number).items()}

    def truth(self) -> Iterator[SiteTruth]:
        """Give the truth about every site, one after the other."""
        return (self.site(index) for index in range(self.hosts))

    def addresses(self) -> Iterator[str]:
        """Give the address of every site, as other sites link to it."""
        return (self.traits(index).address for index in range(self.hosts))

    def seeds(self, count: int = 0) -> list[str]:
        """Return the first addresses to start from; 0 gives the hubs, from which all others can be found, and files."""
        files = [self.traits(index).address for index in range(self.sites, self.hosts)]
        first = [self.traits(index).address for index in range(min(count or HUBS, self.sites))]
        return first if count else files + first

    def records(self, index: int, database: int = 0) -> Iterator[Record]:
        """Give every record of a site's database."""
        table = self.database(index, database)
        for number in range(table.size):
            row = table.row(number)
            yield Record(tuple(Value(name, value) for name, values in row.items() for value in values))

    def answer(self, request: Request) -> Response | Failure:
        """Answer a request as the simulated web does."""
        match = _URL.match(request.url)
        if not match:
            return Failure(request.url, FailureReason.BAD_URL)
        scheme, host, port, text = match.groups()
        if self._engine and host.lower() == SEARCH_HOST and scheme.lower() == "http":
            return self._engine.answer(request.url, text)
        index = self.host_index(host)
        if index is None:
            return Failure(request.url, FailureReason.NO_HOST, host)
        if scheme.lower() != "http" or port not in (None, "80"):
            return Failure(request.url, FailureReason.REFUSED, "the simulated web speaks plain HTTP on port 80")
        return self._answer_site(self.traits(index), host.lower(), text or "/", request)

    def _answer_site(self, traits: Traits, host: str, text: str, request: Request) -> Response | Failure:
        if text.startswith("?"):
            text = f"/{text}"
        if host == traits.alias:
            return Response(request.url, 301, (("location", f"http://{traits.host}{text}"),))
        if traits.is_dead:
            return DEAD_ANSWERS[traits.trouble](Call(request.url, text, traits.host, self.family))
        site = self.plan(traits.index)
        if text == "/robots.txt":
            rng = dice(site.key, "robots")
            return answer_robots(request.url, traits.robots, forbidden_paths(site), rng, self.family)
        return replace(self._answer_page(site, text, request), url=request.url)

    def _answer_page(self, site: SitePlan, asked: str, request: Request) -> Response:
        text = asked
        for trap in site.traps:
            if trap.kind == "session":
                text = without_session(trap, text)
        address = split_address(text, site.habits.encoding)
        if address.path in site.actions:
            return self._answer_form(site, site.actions[address.path], address, request)
        page = _find_page(site, text, address)
        if page is not None:
            return make_page(site, page, address, asked)
        return self._answer_record(site, text, address) or _answer_oddity(site, text, address, asked)

    def _answer_record(self, site: SitePlan, text: str, address: Address) -> Response | None:
        detail = read_detail(site, text)
        if detail:
            return make_detail(site, *detail, self.database(site.traits.index, detail[0]))
        service = find_service(site, address.path)
        if service:
            return answer_service(site, service, self.database(site.traits.index, service.number), address.params)
        return answer_description(site, address.path)

    def _answer_form(self, site: SitePlan, number: int, address: Address, request: Request) -> Response:
        form, sent = site.forms[number], address.params
        if request.method == "POST":
            sent += read_params(request.body.decode("latin-1"), site.habits.encoding)
        if form.kind == "database":
            table = self.database(site.traits.index, form.database)
            cookie = next((value for name, value in request.headers if name == "cookie"), "")
            return answer_query(site, form, number, table, sent, cookie)
        if form.kind == "site-search":
            return answer_site_search(site, form, sent)
        return make_note(site, form.heading, site.habits.says["thanks"], 200, form.action)


def forbidden_paths(site: SitePlan) -> tuple[str, ...]:
    """Return what robots.txt forbids beyond what its shape does."""
    honeypots = tuple(trap.mount for trap in site.traps if trap.kind == "honeypot")
    return (*((site.folder,) if site.folder else ()), *honeypots)


def _find_page(site: SitePlan, text: str, address: Address) -> int | None:
    """Return the number of the page at an address, also with parameters that traps add or nobody reads."""
    number = page_at(site, text)
    if number is not None or not address.params:
        return number
    names = [name for trap in site.traps if not trap.mount for name in trap.names]
    number = page_at(site, str(address.without(*names)))
    return page_at(site, address.path) if number is None else number


def _answer_oddity(site: SitePlan, text: str, address: Address, asked: str) -> Response:
    """Answer where no page is: traps, redirects, files, errors, or that there is nothing here."""
    for trap in site.traps:
        trap_page = answer_trap(trap, address, site.habits.says)
        if trap_page:
            return make_trap_page(site, trap_page, asked)
    forwarded = _read_forward(site, text)
    if forwarded is not None:
        return Response("", 302, (("location", path_of(site, forwarded)),))
    if text in site.files:
        return answer_file("", text)
    if text in site.missing:
        failed = answer_missing(site.origin, text, site.habits.family.name)
        if failed:
            return failed
    status = 200 if site.traits.trouble == "soft-404" else 404
    return make_note(site, site.habits.says["not_found"], site.habits.says["home"], status, asked)


def _read_forward(site: SitePlan, text: str) -> int | None:
    head, _, _ = site.forward.partition("{n}")
    number = text[len(head) :]
    if not site.forward or not text.startswith(head) or not re.fullmatch("[0-9]{1,9}", number):
        return None
    page = number_at(site, int(number))
    return None if page in site.secluded else page
