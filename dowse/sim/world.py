"""A world: a pure function from a seed and a number of sites to every page of the simulated web.

Nothing is kept but small bounded caches, so a world of any size opens at once and stays small.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache

from dowse.errors import BadInput
from dowse.model import Failure, Record, Request, Response, Why
from dowse.sim.address import Address, read_params, split_address
from dowse.sim.chance import dice
from dowse.sim.databases import make_table
from dowse.sim.formplan import FormPlan
from dowse.sim.pages import make_note, make_page, make_trap_page
from dowse.sim.plan import SitePlan, plan_site
from dowse.sim.results import make_detail, make_results, make_site_search, read_detail
from dowse.sim.traits import HUBS, Traits, find_neighbours, index_in, make_traits
from dowse.sim.traps import answer_trap, without_session
from dowse.sim.trouble import DEAD_ANSWERS, Call, answer_robots
from dowse.sim.truth import SiteTruth, tell_truth

PLANS_KEPT = 128
TABLES_KEPT = 48
TRAITS_KEPT = 1024
_URL = re.compile(r"(https?)://([^/?#:]+)(?::(\d+))?([^#]*)", re.IGNORECASE)


class World:
    """The simulated web of one seed."""

    def __init__(self, seed: int = 1, sites: int = 300) -> None:
        if sites < 1:
            raise BadInput(f"a world needs at least one site, not {sites}")
        self.seed, self.sites = seed, sites
        self.traits = lru_cache(TRAITS_KEPT)(self._make_traits)
        self.plan = lru_cache(PLANS_KEPT)(self._plan)
        self.table = lru_cache(TABLES_KEPT)(make_table)

    def _make_traits(self, index: int) -> Traits:
        return make_traits(self.seed, index)

    def _plan(self, index: int) -> SitePlan:
        numbers = find_neighbours(self.seed, index, self.sites, self.traits)
        return plan_site(self.seed, self.traits(index), tuple(self.traits(each).address for each in numbers))

    def host_index(self, host: str) -> int | None:
        """Return the number of the site that a host name belongs to."""
        host = host.lower()
        index = index_in(host)
        if not 0 <= index < self.sites:
            return None
        traits = self.traits(index)
        return index if host in (traits.host, traits.alias) else None

    def site(self, index: int) -> SiteTruth:
        """Return the truth about one site."""
        if not 0 <= index < self.sites:
            raise BadInput(f"this world has sites 0 to {self.sites - 1}, not {index}")
        return tell_truth(self.plan(index))

    def truth(self) -> Iterator[SiteTruth]:
        """Give the truth about every site, one after the other."""
        return (self.site(index) for index in range(self.sites))

    def addresses(self) -> Iterator[str]:
        """Give the address of every site, as other sites link to it."""
        return (self.traits(index).address for index in range(self.sites))

    def seeds(self, count: int = 0) -> list[str]:
        """Return the first addresses to start from; 0 gives the hubs, from which all others can be found."""
        return [self.traits(index).address for index in range(min(count or HUBS, self.sites))]

    def records(self, index: int, database: int = 0) -> tuple[Record, ...]:
        """Return every record of a site's database."""
        table = self.table(self.plan(index).databases[database])
        return tuple(table.record(number) for number in range(len(table.rows)))

    def answer(self, request: Request) -> Response | Failure:
        """Answer a request as the simulated web does."""
        match = _URL.match(request.url)
        if not match:
            return Failure(request.url, Why.BAD_URL)
        scheme, host, port, text = match.groups()
        index = self.host_index(host)
        if index is None:
            return Failure(request.url, Why.NO_HOST, host)
        if scheme.lower() != "http" or port not in (None, "80"):
            return Failure(request.url, Why.REFUSED, "the simulated web speaks plain HTTP on port 80")
        return self._answer_site(self.traits(index), host.lower(), text or "/", request)

    def _answer_site(self, traits: Traits, host: str, text: str, request: Request) -> Response | Failure:
        if text.startswith("?"):
            text = f"/{text}"
        if host == traits.alias:
            return Response(request.url, 301, (("location", f"http://{traits.host}{text}"),))
        if traits.is_dead:
            return DEAD_ANSWERS[traits.trouble](Call(request.url, text, traits.host))
        site = self.plan(traits.index)
        if text == "/robots.txt":
            return answer_robots(request.url, traits.robots, site.folder, dice(site.key, "robots"))
        return replace(self._answer_page(site, text, request), url=request.url)

    def _answer_page(self, site: SitePlan, asked: str, request: Request) -> Response:
        text = asked
        for trap in site.traps:
            if trap.kind == "session":
                text = without_session(trap, text)
        address = split_address(text)
        form = site.actions.get(address.path)
        if form:
            return self._answer_form(site, form, address, request)
        page = _find_page(site, text, address)
        if page is not None:
            return make_page(site, site.pages[page], address, asked)
        detail = read_detail(site, address)
        if detail:
            return make_detail(site, *detail, self.table(site.databases[detail[0]]))
        for trap in site.traps:
            trap_page = answer_trap(trap, address)
            if trap_page:
                return make_trap_page(site, trap_page, asked)
        status = 200 if site.traits.trouble == "soft-404" else 404
        return make_note(site, site.habits.not_found, "Try the menu.", status, asked)

    def _answer_form(self, site: SitePlan, form: FormPlan, address: Address, request: Request) -> Response:
        params = address.params
        if request.method == "POST":
            params += read_params(request.body.decode("latin-1"))
        if form.kind == "database":
            return make_results(site, form, self.table(site.databases[form.database]), params)
        if form.kind == "site-search":
            return make_site_search(site, form, params)
        return make_note(site, form.heading, site.habits.thanks, 200, form.action)


def _find_page(site: SitePlan, text: str, address: Address) -> int | None:
    """Return the number of the page at an address, also with parameters that traps add or nobody reads."""
    number = site.numbers.get(text)
    if number is not None:
        return number
    names = [name for trap in site.traps if not trap.mount for name in trap.names]
    number = site.numbers.get(str(address.without(*names)))
    return site.numbers.get(address.path) if number is None else number


def world_truth_summary(world: World) -> dict[str, int]:
    """Count what a polite crawler can reach: sites, pages, query forms, and the records behind them."""
    totals = {"sites": 0, "pages": 0, "forms": 0, "records": 0}
    for truth in world.truth():
        queryable = [form for form in truth.forms if form.kind == "database" and form.reachable]
        behind = {form.database for form in queryable}
        totals["sites"] += truth.reachable
        totals["pages"] += sum(truth.pages_by_depth)
        totals["forms"] += len(queryable)
        totals["records"] += sum(each.size for each in truth.databases if each.id in behind)
    return totals
