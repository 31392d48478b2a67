"""Obeys robots.txt by RFC 9309, and tells the politeness what Crawl-delay asks for."""

from __future__ import annotations

import asyncio
import re
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, replace

from protego import Protego

from dowse.fetch import Fetch
from dowse.fetch.polite import CrawlDelays
from dowse.fetch.redirects import follow_anywhere
from dowse.model import Failure, Request, Response, Why
from dowse.url import origin

TOKEN = "dowse"
PARSED = 500 * 1024  # bytes read of a robots.txt (RFC 9309 2.5: at least that much)
REDIRECTS = 5  # RFC 9309 2.3.1.2
FRESH = 24 * 3600.0  # seconds a robots.txt is believed (RFC 9309 2.4)
DOWN = 600.0  # seconds until a site that gave none is asked again
SITES = 4000  # sites remembered
TEXT = 1024 * 1024  # bytes of robots.txt remembered in parsed form, which takes up to twenty times that

# A line that forbids something, also in the misspellings that protego forgives.
_FORBIDS = re.compile(r"^[ \t]*di[as]\w*+[ \t:]*+[^\s#]", re.IGNORECASE | re.MULTILINE)
_NO_RULES = frozenset({Why.REDIRECTS, Why.REDIRECT_LOOP, Why.REDIRECT_BAD, Why.NOT_RECORDED})
_SAYS_IT_ITSELF = frozenset({Why.PRIVATE, Why.NO_HOST, Why.BAD_URL})  # more telling than "no robots.txt"


@dataclass(frozen=True, slots=True)
class Rules:
    """What a site lets us do."""

    until: float  # when to ask again
    robots: Protego | None = None  # None when nothing is forbidden
    failure: Failure | None = None  # why everything is
    delay: float = 0.0
    size: int = 0


def obey_robots(
    fetch: Fetch,
    *,
    token: str = TOKEN,
    crawl_delays: CrawlDelays | None = None,
    now: Callable[[], float] = time.monotonic,
) -> Fetch:
    """Wrap a Fetch so that it asks only for what robots.txt allows; the robots.txt comes through the same Fetch."""
    known = _Known(crawl_delays or CrawlDelays())
    fetch_robots = follow_anywhere(fetch, REDIRECTS)
    asking: dict[str, asyncio.Task[Rules]] = {}

    async def fetch_if_allowed(request: Request) -> Response | Failure:
        site = origin(request.url)
        rules = known.get(site)
        if rules is None or rules.until <= now():
            rules = await ask_once(site)
        if rules.robots is None and rules.failure is None:
            return await fetch(request)
        refusal = _refusal(rules, request, site, token)
        return refusal if refusal is not None else await fetch(request)

    async def ask_once(site: str) -> Rules:
        """Ask for a robots.txt, once however many wait for it; one who stops waiting stops nobody else."""
        task = asking.get(site)
        if task is None:
            task = asking[site] = asyncio.create_task(ask(site))
            task.add_done_callback(lambda _: asking.pop(site, None))
        return await asyncio.shield(task)

    async def ask(site: str) -> Rules:
        request = Request(f"{site}/robots.txt", headers=(("Accept", "text/plain,*/*;q=0.5"),))
        rules = read_rules(await fetch_robots(request), token, now())
        known.add(site, rules)
        return rules

    return fetch_if_allowed


def read_rules(result: Response | Failure, token: str, now: float) -> Rules:
    """Read what the answer to a request for robots.txt means (RFC 9309 2.3.1)."""
    if isinstance(result, Failure):
        return Rules(now + FRESH) if result.why in _NO_RULES else Rules(now + DOWN, failure=result)
    if result.status >= 500:
        return Rules(now + DOWN, failure=Failure(result.url, Why.STATUS, f"HTTP {result.status}", result.status))
    if not 200 <= result.status < 300:
        return Rules(now + FRESH)
    text = result.body[:PARSED].decode("utf-8-sig", "replace").replace("\0", "")
    text = "\n".join(text.splitlines())  # one kind of line end, for protego's eye and for ours
    robots = Protego.parse(text)
    delay = robots.crawl_delay(token) or 0.0
    if not _FORBIDS.search(text):
        return Rules(now + FRESH, delay=delay)
    return Rules(now + FRESH, robots, delay=delay, size=len(text))


def _refusal(rules: Rules, request: Request, site: str, token: str) -> Failure | None:
    down = rules.failure
    if down is not None and down.why in _SAYS_IT_ITSELF:
        return replace(down, url=request.url)
    if down is not None:
        return Failure(request.url, Why.ROBOTS_DOWN, str(down), down.status, down.retry_after, down.why)
    if rules.robots is None or rules.robots.can_fetch(request.url, token):
        return None
    return Failure(request.url, Why.ROBOTS, f"{site}/robots.txt")


class _Known:
    """The rules of the sites asked last, bounded in number and in size."""

    def __init__(self, crawl_delays: CrawlDelays) -> None:
        self._crawl_delays = crawl_delays
        self._rules: OrderedDict[str, Rules] = OrderedDict()
        self._size = 0

    def get(self, site: str) -> Rules | None:
        rules = self._rules.get(site)
        if rules is not None:
            self._rules.move_to_end(site)
        return rules

    def add(self, site: str, rules: Rules) -> None:
        if site in self._rules:
            self._drop(site)
        self._rules[site] = rules
        self._size += rules.size
        self._crawl_delays.set(site, rules.delay)
        while len(self._rules) > SITES or (self._size > TEXT and len(self._rules) > 1):
            self._drop(next(iter(self._rules)))

    def _drop(self, site: str) -> None:
        self._size -= self._rules.pop(site).size
        self._crawl_delays.set(site, 0.0)
