"""Obeys robots.txt by RFC 9309, and keeps each Crawl-delay for `polite`."""

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
from dowse.model import Failure, Request, Response
from dowse.reasons import FailureReason
from dowse.url import origin

PRODUCT_TOKEN = "dowse"
MAX_ROBOTS_BYTES = 500 * 1024  # parsed of a robots.txt (RFC 9309 2.5: at least that much)
MAX_REDIRECTS = 5  # RFC 9309 2.3.1.2
CACHE_SECONDS = 24 * 3600.0  # RFC 9309 2.4
RETRY_SECONDS = 600.0  # until an unavailable robots.txt is fetched again
MAX_CACHED_SITES = 4000
MAX_CACHED_BYTES = 1024 * 1024  # of robots.txt text; parsed, it takes up to twenty times that

# A line that forbids something, also in the misspellings that protego forgives.
_DISALLOW_LINE = re.compile(r"^[ \t]*di[as]\w*+[ \t:]*+[^\s#]", re.IGNORECASE | re.MULTILINE)
_MEANS_NO_RULES = frozenset(
    {FailureReason.REDIRECTS, FailureReason.REDIRECT_LOOP, FailureReason.REDIRECT_BAD, FailureReason.NOT_RECORDED}
)
_MORE_TELLING = frozenset(
    {FailureReason.PRIVATE, FailureReason.NO_HOST, FailureReason.BAD_URL}
)  # than "robots.txt unavailable"


@dataclass(frozen=True, slots=True)
class RobotsRules:
    """What the robots.txt of a site allows."""

    expires: float  # when to fetch it again
    robots: Protego | None = None  # None when nothing is disallowed
    failure: Failure | None = None  # why everything is
    delay: float = 0.0  # Crawl-delay, in seconds
    size: int = 0  # of the text, in characters


def obey_robots(
    fetch: Fetch,
    *,
    token: str = PRODUCT_TOKEN,
    crawl_delays: CrawlDelays | None = None,
    now: Callable[[], float] = time.monotonic,
) -> Fetch:
    """Wrap a Fetch so that it requests only what robots.txt allows; robots.txt is fetched with the same Fetch."""
    cache = _RulesCache(crawl_delays or CrawlDelays())
    fetch_robots = follow_anywhere(fetch, MAX_REDIRECTS)
    pending: dict[str, asyncio.Task[RobotsRules]] = {}

    async def fetch_if_allowed(request: Request) -> Response | Failure:
        site = origin(request.url)
        rules = cache.get(site)
        if rules is None or rules.expires <= now():
            rules = await get_rules(site)
        if rules.failure is not None:
            return _unavailable(request.url, rules.failure)
        if rules.robots is not None and not rules.robots.can_fetch(request.url, token):
            return Failure(request.url, FailureReason.ROBOTS, f"{site}/robots.txt")
        return await fetch(request)

    async def get_rules(site: str) -> RobotsRules:
        """Fetch a robots.txt once for all that wait for it; cancelling one of them does not cancel the others."""
        task = pending.get(site)
        if task is None:
            task = pending[site] = asyncio.create_task(fetch_rules(site))
            task.add_done_callback(lambda _: pending.pop(site, None))
        return await asyncio.shield(task)

    async def fetch_rules(site: str) -> RobotsRules:
        request = Request(f"{site}/robots.txt", headers=(("Accept", "text/plain,*/*;q=0.5"),))
        rules = parse_rules(await fetch_robots(request), token, now())
        cache.add(site, rules)
        return rules

    return fetch_if_allowed


def parse_rules(result: Response | Failure, token: str, now: float) -> RobotsRules:
    """Return the rules that follow from the response to a request for robots.txt (RFC 9309 2.3.1)."""
    if isinstance(result, Failure):
        if result.why in _MEANS_NO_RULES:
            return RobotsRules(now + CACHE_SECONDS)
        return RobotsRules(now + RETRY_SECONDS, failure=result)
    if result.status >= 500:
        failure = Failure(result.url, FailureReason.STATUS, f"HTTP {result.status}", result.status)
        return RobotsRules(now + RETRY_SECONDS, failure=failure)
    if not 200 <= result.status < 300:
        return RobotsRules(now + CACHE_SECONDS)
    text = result.body[:MAX_ROBOTS_BYTES].decode("utf-8-sig", "replace").replace("\0", "")
    text = "\n".join(text.splitlines())  # one kind of line end, for protego and for _DISALLOW_LINE
    robots = Protego.parse(text)
    delay = robots.crawl_delay(token) or 0.0
    if not _DISALLOW_LINE.search(text):
        return RobotsRules(now + CACHE_SECONDS, delay=delay)
    return RobotsRules(now + CACHE_SECONDS, robots, delay=delay, size=len(text))


def _unavailable(url: str, failure: Failure) -> Failure:
    """Return the failure of a page whose site gave no robots.txt."""
    if failure.why in _MORE_TELLING:
        return replace(failure, url=url)
    return Failure(url, FailureReason.ROBOTS_DOWN, str(failure), failure.status, failure.retry_after, failure.why)


class _RulesCache:
    """Least recently used cache of rules, bounded in number and in size."""

    def __init__(self, crawl_delays: CrawlDelays) -> None:
        self._crawl_delays = crawl_delays
        self._rules: OrderedDict[str, RobotsRules] = OrderedDict()
        self._size = 0

    def get(self, site: str) -> RobotsRules | None:
        rules = self._rules.get(site)
        if rules is not None:
            self._rules.move_to_end(site)
        return rules

    def add(self, site: str, rules: RobotsRules) -> None:
        if site in self._rules:
            self._drop(site)
        self._rules[site] = rules
        self._size += rules.size
        self._crawl_delays.set(site, rules.delay)
        while len(self._rules) > MAX_CACHED_SITES or (self._size > MAX_CACHED_BYTES and len(self._rules) > 1):
            self._drop(next(iter(self._rules)))

    def _drop(self, site: str) -> None:
        self._size -= self._rules.pop(site).size
        self._crawl_delays.set(site, 0.0)
