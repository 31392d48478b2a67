"""The in-site search (paper 1, Fig. 7): fetches what a strategy chooses, within the limits of one site.

The search owns the queue, the depth, the limits and the trap defences. It never touches the store: what it returns
is committed whole or not at all.
"""

from __future__ import annotations

import asyncio
import re
import time
import zlib
from collections import deque
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import islice
from random import Random

from dowse.crawl.audit import ONLY_DRAWN, Audit
from dowse.crawl.resume import SearchMemory, read_memory, write_memory
from dowse.frontier.queue import LinkQueue
from dowse.frontier.traps import PageGain, Sameness, Traps, shape_of
from dowse.model import (
    FIRST_ROUND,
    ON_TOPIC,
    Door,
    Earlier,
    Failure,
    Link,
    LinkChoice,
    Mention,
    Page,
    Seed,
    SeenOnSite,
    Site,
    SiteSearch,
    Skip,
    Visit,
)  # fmt: skip
from dowse.reasons import GIVEN_AS_SEED, FailureReason, SkipKind, SkipReason, StopReason
from dowse.step.probe import MOST_DOORS
from dowse.strategy import NO_OUTLOOK, Guide, LinkOutcome, Outlook, Strategy
from dowse.strategy.facts import facts_of_link, says_searching
from dowse.strategy.learned import LearnedGuide, LearnedStrategy
from dowse.url import origin
from dowse.yields.missed import sum_clusters

MAX_SKIPS_KEPT = 100  # addresses kept per reason as examples; all are counted
MAX_DETAILS_KEPT = 30  # of those, how many with what the strategy says of each: saying it costs as much as choosing
MAX_NEIGHBOURS = 5_000  # other sites remembered for one site
MAX_MENTION_CHARS = 200  # of a link's text, and of the words around it, that are kept where it leads to another site
MIN_COMPARED_CHARS = 200  # of text, from which equal content means an equal page
MAX_ADDRESSES = 20_000  # of one site that are remembered
MAX_FORM_KEYS = 5_000  # ways of writing a form that are remembered for a site
MAX_DESCRIPTIONS = 3  # files that say how a site can be searched, which are read
MAX_AUDITED_LINKS = 5_000  # that no guide chose, of one site, from which an audit draws
MAX_SILENT_REQUESTS = 5  # in a row without an answer, after which a site counts as gone
SAVE_SECONDS = 60.0  # after which what a search gave so far is kept: what a killed process loses of a site at most

_NOT_PAGES = re.compile(
    r"\.(?:jpe?g|png|gif|svg|webp|avif|ico|bmp|tiff?|css|js|mjs|json|xml|rss|atom|woff2?|ttf|eot|mp[34]|m4[av]|webm|ogg|wav|avi|mov|mpe?g|flv"
    r"|zip|gz|tgz|bz2|xz|7z|rar|tar|deb|rpm|exe|msi|dmg|iso|apk|jar|pdf|ps|eps|docx?|xlsx?|pptx?|odt|ods|odp|epub|mobi|csv|tsv|bin|swf|ics|vcf|torrent)$",
    re.IGNORECASE,
)

VisitLink = Callable[[Link, SeenOnSite], Awaitable[Visit]]
AskDoors = Callable[[Sequence[Door], Page | None, int], Awaitable[tuple[Door, ...]]]


async def search_site(
    seed: Seed,
    strategy: Strategy,
    visit: VisitLink,
    *,
    site_pages: int,
    why_stop: Callable[[], StopReason | None] = lambda: None,
    strategy_name: str = "",
    ask: AskDoors | None = None,
    is_new_site: Callable[[str], bool] = lambda url: True,
    deepest: int | None = None,
    earlier: Earlier | None = None,
    outlook: Outlook = NO_OUTLOOK,
    audit: float = 0.0,
    observer: LearnedStrategy | None = None,
    save: Callable[[SiteSearch], None] | None = None,
    topic: str = "",
) -> SiteSearch:
    """Search one site from its entrance and return all that it gave; or go on from earlier, down to a depth.

    A long search is handed to `save` now and then, and returns what came after that.
    `audit` is the share of its pages that is spent, when the guide is done, on links drawn at random from those it left;
    what is expected of them is what `observer` says, or the model that comes with Dowse.
    With a topic, only query forms on it count as found; what visits found out about topics is their own affair.
    """
    guide = strategy.open(seed.site, outlook)
    search = _Search(seed.site, strategy, guide, site_pages=site_pages, deepest=deepest, topic=topic)
    if audit and deepest is None:
        looking = guide if isinstance(guide, LearnedGuide) else (observer or LearnedStrategy()).open(seed.site)
        search.audit = Audit(audit, looking, Random(str(seed.site)))
    _begin(search, seed, earlier)
    again = seed.round or FIRST_ROUND

    def keep_so_far() -> None:
        if save and (part := _pause(search, again)):
            save(replace(part, strategy=strategy_name, finished=False, under_way=True))
            search.let_go()

    ended_early = await _follow(search, partial(_visit, search, visit, ask), why_stop, is_new_site, keep_so_far)
    if ended_early:
        found = _pause(search, again) or _end(search, search.stopped)
    elif deepest is not None and not search.stopped:
        found = _end_round(search, deepest + 1)
    else:
        found = _end(search, search.stopped)
    return replace(found, strategy=strategy_name, stopped=search.stopped, finished=not ended_early)


async def _follow(
    search: _Search,
    visit: Callable[[Link], Awaitable[Visit]],
    why_stop: Callable[[], StopReason | None],
    is_new_site: Callable[[str], bool],
    keep_so_far: Callable[[], None],
) -> bool:
    """Follow what the guide picks until it is done, then what is drawn from the rest; return True if the run ended first."""
    guide = search.guide
    while choice := search.take():
        ends_run = why_stop()
        limit = ends_run or search.limit_reached()
        is_fixed = not choice.link.depth or is_description(choice.link)  # entrances and descriptions are always read
        given_up = None if limit or is_fixed or search.closing else guide.why_stop(choice)
        if limit or given_up:
            search.stopped = limit or given_up
            search.put_back(choice)
            if given_up is StopReason.LOW_YIELD and search.strategy.returns and search.visits:
                search.why_left = guide.why_left(search.queue.rest())
                return True
            if ends_run or limit is StopReason.NO_RESPONSE or search.closing:
                return bool(ends_run)
            search.why_left = guide.why_left(search.queue.rest()) if given_up else ""
            search.ended_by = search.stopped
            search.close()
            continue
        why = choice.why or guide.explain(choice.link)
        try:
            visited = await visit(choice.link)
        except asyncio.CancelledError:
            search.stopped = why_stop()
            if not search.stopped:
                raise
            search.put_back(choice)
            return True
        _learn(search, visited, why, is_new_site)
        search.stopped = None if search.reopens() else search.stopped
        if time.monotonic() - search.saved_at >= SAVE_SECONDS and search.got_a_page():
            keep_so_far()
            search.saved_at = time.monotonic()
    return False


async def _visit(search: _Search, visit: VisitLink, ask: AskDoors | None, link: Link) -> Visit:
    """Follow a link, and ask its doors what they answer where that is wanted; only so many are asked on one site."""
    visited = await visit(link, search.seen(link.depth))
    if ask is None or not visited.doors:
        return visited
    doors = await ask(visited.doors, visited.page, MOST_DOORS - search.asked)
    search.asked += sum(1 for door in doors if door.probe)
    return replace(visited, doors=doors)


@dataclass(slots=True)
class _Search:
    """What one search has seen: thrown away when the site is done."""

    site: Site
    strategy: Strategy
    guide: Guide
    queue: LinkQueue = field(default_factory=LinkQueue)
    named: set[str] = field(default_factory=set)  # addresses that were given as seeds, and the root
    met: dict[str, Link | None] = field(default_factory=dict)  # addresses that were shown: the link, None once offered
    fetched: set[str] = field(default_factory=set)
    contents: set[int] = field(default_factory=set)
    descriptions: deque[Link] = field(default_factory=deque)  # files that say how the site can be searched
    described: int = 0  # how many of those there were, read or not
    site_pages: int = 0  # that may be fetched
    before: int = 0  # that were fetched before what is kept here
    forms_before: int = 0  # query forms that were found there
    answered: bool = False  # whether any page came there
    saved_at: float = field(default_factory=time.monotonic)
    deepest: int | None = None  # that this round goes
    later: list[LinkChoice] = field(default_factory=list)  # deeper than this round
    stopped: StopReason | None = None  # what ended it before everything was done
    ended_by: StopReason | None = None  # what ended the guide's part of it
    why_left: str = ""  # the numbers by which the guide left the site
    audit: Audit | None = None
    closing: bool = False  # the guide is done: what was drawn at random is read, and the descriptions
    reopened: bool = False  # it went on after that
    drawn: deque[LinkChoice] = field(default_factory=deque)  # for the audit
    asked: int = 0  # doors that were put questions to
    silent: int = 0  # requests in a row that got no answer
    refused: Failure | None = None  # why the first address was not even asked for
    visits: list[Visit] = field(default_factory=list)
    doors: dict[str, Door] = field(default_factory=dict)
    neighbours: dict[str, Mention | None] = field(default_factory=dict)  # other sites, as they were met first
    topic: str = ""  # that query forms are wanted on
    skips: list[Skip] = field(default_factory=list)
    counts: dict[SkipReason, int] = field(default_factory=dict)
    traps: Traps = field(default_factory=Traps)
    sameness: Sameness = field(default_factory=Sameness)
    form_keys: set[int] = field(default_factory=set)  # of forms that were read, by their markup
    signatures: set[str] = field(default_factory=set)  # that its doors go by, the second ones too
    read: int = 0  # pages that were read

    def seen(self, depth: int) -> SeenOnSite:
        """Return what need not be read again of a page at a depth; at the last one no guide looks for links to follow."""
        layout = self.strategy.looks and depth < self.strategy.depth
        return SeenOnSite(self.met, self.form_keys, self.signatures, self.read, layout)

    def keep_doors(self, visited: Visit) -> int:
        """Keep the doors of a visit, and by what its forms are known; return how many query forms are new."""
        new = [door for door in visited.doors if door.signature not in self.doors]
        self.doors.update((door.signature, door) for door in new)
        if visited.page is not None:
            self.read += 1
            self.signatures |= visited.signatures
            if len(self.form_keys) < MAX_FORM_KEYS:
                self.form_keys.update(form.key for form in visited.page.form_keys)
        return sum(1 for door in new if door.is_wanted(self.topic))

    def skip(self, url: str, reason: SkipReason, detail: Callable[[], str] = str) -> None:
        """Count an address that is not followed, and keep some of each reason as examples."""
        count = self.counts.get(reason, 0) + 1
        self.counts[reason] = count
        if count <= MAX_SKIPS_KEPT:
            self.skips.append(Skip(url, reason, detail() if count <= MAX_DETAILS_KEPT else ""))

    def meet(self, found: Link, depth: int) -> Link | None:
        """Remember a link of this site that is new and return it as it is to be followed."""
        url = self.sameness.key(found.url)
        if url in self.met:
            return None
        if len(self.met) >= MAX_ADDRESSES:
            self.skip(url, SkipReason(SkipKind.ADDRESSES))
            return None
        link = Link(url, found.text, found.nearby, found.rel, found.path, found.place, depth)
        self.met[url] = link
        return link

    def offer(self, choice: LinkChoice) -> bool:
        """Queue a link that was chosen for the first time and is no trap; return True if it is now queued."""
        url = choice.link.url
        if self.met.get(url) is None:  # offered before, or never shown
            if url in self.queue and url not in self.named:
                self.queue.push(choice)
            return False
        self.met[url] = None
        reason: SkipReason | None = None
        if is_description(choice.link):  # read like a page, but only so many
            self.described += 1
            if self.described > MAX_DESCRIPTIONS:
                reason = SkipReason(SkipKind.DESCRIPTIONS)
        elif names_a_file(url):
            reason = SkipReason(SkipKind.NOT_A_PAGE)
        reason = reason or self.traps.judge(url, self.fetched)
        if reason:
            self.skip(url, reason)
            return False
        self.place(choice)
        return True

    def place(self, choice: LinkChoice) -> None:
        """Let a link wait: with the descriptions, for a later round, or in the queue."""
        if is_description(choice.link):
            self.descriptions.append(choice.link)
        elif self.deepest is not None and choice.link.depth > self.deepest:
            self.later.append(choice)
        else:
            self.queue.push(choice)

    def take(self) -> LinkChoice | None:
        """Return the next link that is still worth fetching."""
        while True:
            if not self.closing and not self.queue.heads and self.deepest is None:  # a round leaves that to the next
                self.close()
            if not self.drawn and not self.descriptions and (self.closing or not self.queue.heads):
                return None
            room = self.site_pages - self.before - len(self.visits)
            has_pages = bool(self.drawn if self.closing else self.queue.heads or self.later)
            # Descriptions come last: a page says more about a form than a description of the same form does.
            if self.descriptions and (room <= len(self.descriptions) or not has_pages):
                choice = LinkChoice(self.descriptions.popleft(), why="says how the site can be searched")
            elif self.closing:
                choice = self.drawn.popleft()
            elif self.queue.heads:
                entrance = self.queue.heads.get("")  # chosen by the user: before what the guide picks
                is_entrance = entrance is not None and not entrance.link.depth
                choice = self.queue.pop("" if is_entrance else self.guide.pick(self.queue.heads))
            else:
                return None
            url = self.sameness.key(choice.link.url)
            known = url in self.fetched
            is_named = choice.link.url in self.named
            reason = SkipReason(SkipKind.SAME_PAGE) if known else None if is_named else self.traps.judge_again(url)
            if not reason:
                self.fetched.add(url)
                return choice
            self.skip(url, reason)

    def put_back(self, choice: LinkChoice) -> None:
        """Let a link that was taken wait again."""
        self.fetched.discard(self.sameness.key(choice.link.url))
        if self.closing and not is_description(choice.link):
            self.drawn.appendleft(choice)
        elif is_description(choice.link):
            self.descriptions.appendleft(choice.link)
        else:
            self.queue.put_back(choice)

    def close(self) -> None:
        """Follow no more of what the guide chose, but links drawn at random from all that is left: those once."""
        self.closing = True
        if self.audit and not self.audit.expected:
            self.drawn.extend(self.audit.draw(self.find_left(), self.before + len(self.visits)))
            for choice in self.drawn:
                self.met[choice.link.url] = None
                self.queue.remove(choice.link.url)

    def reopens(self) -> bool:
        """Go on with the guide, once, when the links that were drawn showed that it left too early."""
        if not self.closing or self.drawn or self.reopened or not self.audit or not self.audit.forms:
            return False
        self.closing, self.reopened = False, True
        return True

    def find_left(self) -> list[LinkChoice]:
        """Return the links that nobody followed and that may lead to forms: those that wait, and those never chosen."""
        left = list(self.queue.rest())
        for link in islice(filter(None, self.met.values()), MAX_AUDITED_LINKS):
            if not names_a_file(link.url) and not self.traps.judge(link.url, self.fetched):
                left.append(LinkChoice(link))
        return [choice for choice in left if self.sameness.key(choice.link.url) not in self.fetched]

    def limit_reached(self) -> StopReason | None:
        """Return the limit of one site that has been reached, if one has."""
        pages = (
            self.site_pages if self.closing or not self.audit else int(self.site_pages * (1 - self.audit.share)) or 1
        )
        if self.before + len(self.visits) >= pages:
            return StopReason.SITE_PAGES
        return StopReason.NO_RESPONSE if self.silent >= MAX_SILENT_REQUESTS else None

    def leave(self, reason: StopReason | None) -> None:
        """Give up the links that wait, for this round or a later one, but for the descriptions."""
        why = SkipReason(SkipKind.STOPPED, reason) if reason else SkipReason(SkipKind.NOT_CHOSEN, ONLY_DRAWN)
        for choice in (*self.queue.rest(), *self.later):
            self.skip(choice.link.url, why, partial(self.guide.explain, choice.link))
        self.queue, self.later = LinkQueue(), []

    def left(self) -> tuple[LinkChoice, ...]:
        """Return all that waits, to go on with."""
        return (*self.queue.rest(), *self.later, *map(LinkChoice, self.descriptions))

    def remember(self) -> SearchMemory:
        """Return what must be known to go on, beside what the store keeps."""
        audit = self.audit
        observer = audit.ask_observer() if audit and audit.observer is not self.guide else None
        return SearchMemory(
            list(self.met), list(self.contents), list(self.signatures), self.read, self.described,
            self.asked, self.silent, self.got_a_page(), self.traps, self.sameness,
            [link for link in self.met.values() if link], self.guide.remember(), observer.remember() if observer else None,
            audit.remember() if audit else None, list(self.drawn), self.closing, self.reopened, self.ended_by, self.why_left,
            type(self.guide).__name__,
        )  # fmt: skip

    def recall(self, memory: SearchMemory) -> None:
        """Restore what was known."""
        self.met.update(dict.fromkeys(memory.met))
        self.met.update((link.url, link) for link in memory.unchosen)
        self.drawn.extend(memory.drawn)
        self.closing, self.reopened = memory.closing, memory.reopened
        self.stopped = self.ended_by = memory.ended_by
        self.why_left = memory.why_left
        self.contents.update(memory.contents)
        self.signatures.update(memory.names)
        self.read, self.described, self.asked = memory.looks, memory.described, memory.asked
        self.silent, self.answered = memory.silent, memory.answered
        self.traps, self.sameness = memory.traps, memory.sameness

    def let_go(self) -> None:
        """Forget the results that were saved."""
        self.answered = self.got_a_page()
        self.before += len(self.visits)
        self.forms_before += self.count_forms()
        self.visits, self.skips, self.counts = [], [], {}
        self.signatures.update(self.doors)
        self.doors = {}

    def count_forms(self) -> int:
        """Count the query forms that are kept here."""
        return sum(1 for door in self.doors.values() if door.is_wanted(self.topic))

    def got_a_page(self) -> bool:
        """Return True if any page of the site came."""
        return self.answered or any(each.status and not each.failure and not each.left_site for each in self.visits)


def _begin(search: _Search, seed: Seed, earlier: Earlier | None) -> None:
    """Queue the entrances; or what was left before."""
    if earlier is None:
        for url in seed.entrances:
            link = search.meet(Link(url), 0)
            if link:
                search.met[url] = None
                search.named.add(url)
                search.traps.judge(url, search.fetched)  # noted, but no trap: somebody named it
                why = "the site's home page" if url == seed.site.root else GIVEN_AS_SEED
                search.queue.push(LinkChoice(link, why=why))
        return
    memory = read_memory(earlier.memory)
    search.recall(memory)
    search.before, search.forms_before = earlier.pages, earlier.forms
    search.answered = search.answered or earlier.answered
    search.fetched |= set(map(search.sameness.key, earlier.fetched))
    search.met.update(dict.fromkeys(search.fetched))
    search.signatures.update(earlier.signatures)
    earlier = replace(earlier, unchosen=tuple(memory.unchosen))
    is_same = memory.guided_by == type(search.guide).__name__  # the run may have another strategy now
    search.guide.go_on(replace(earlier, guide=(memory.guide if is_same else None) or {}))
    if search.audit and memory.audit:
        search.audit.recall(memory.audit)
    if search.audit and memory.observer:
        search.audit.observer.go_on(replace(earlier, guide=memory.observer))
    for choice in earlier.left:
        search.met[choice.link.url] = None
        search.place(choice)
        if not choice.link.depth:
            search.named.add(choice.link.url)
            search.closing = False  # a page that was named meanwhile


def _learn(search: _Search, visited: Visit, why: str, is_new_site: Callable[[str], bool]) -> None:
    """Take in what a visit brought: its outcome, its doors, and the links that the guide chooses."""
    link, failure = visited.link, visited.failure
    if failure and not failure.asked:
        search.refused = search.refused or failure
        is_search = failure.why is FailureReason.ROBOTS and says_searching(facts_of_link(link, (1, 0), ())) == "?"
        refusal = SkipReason(SkipKind.NOT_REQUESTED, failure.why)
        search.skip(link.url, SkipReason(SkipKind.FORBIDDEN_SEARCH) if is_search else refusal)
        return
    search.visits.append(
        Visit(link, None, failure, (), visited.status, visited.digest, visited.moved, visited.seconds, why=why)
    )
    search.silent = search.silent + 1 if failure and not failure.status else 0
    if visited.left_site:
        search.neighbours[origin(visited.moved)] = None
    if visited.unrendered:
        search.skip(link.url, SkipReason(SkipKind.NOT_RENDERED, visited.unrendered))
    forms = search.keep_doors(visited)
    if search.audit:
        search.audit.note(link, forms)
    page = visited.page
    if visited.moved:  # to an address of this site, perhaps one that was fetched before
        moved = search.sameness.key(visited.moved)
        search.met.setdefault(moved, None)
        page = None if moved in search.fetched else page
        search.fetched.add(moved)

    if page is None or not _is_new_content(search, page, link.url):  # its links were shown where it was seen first
        offered = _offer(search, LinkOutcome(link, forms=forms, topic=visited.topic))
        gain = PageGain(0, 0, len(visited.doors))
    else:
        links, sites = _meet_links(search, page, link.depth + 1, is_new_site, visited.topic, forms)
        urls = [search.sameness.key(url) for url in page.urls] if search.sameness.noise else page.urls
        offered = _offer(search, LinkOutcome(link, page, links, urls, forms, sites, visited.topic))
        shape = shape_of(link.url) if offered else ""
        own = sum(1 for url in offered if shape_of(url) == shape)
        gain = PageGain(own, len(offered) - own, len(visited.doors))
    if page:
        search.traps.note(link.url, page, gain)


def _offer(search: _Search, outcome: LinkOutcome) -> list[str]:
    """Queue the links that the guide chooses; return their addresses."""
    if search.audit and search.audit.observer is not search.guide:
        search.audit.look_on(outcome)
    return [choice.link.url for choice in search.guide.learn(outcome) if search.offer(choice)]


def _is_new_content(search: _Search, page: Page, url: str) -> bool:
    """Return True if no page of the site has shown the same; learn from it which addresses mean the same."""
    for what, count in page.dropped:
        dropped = SkipReason(SkipKind.OVER_LIMIT, what)
        search.counts[dropped] = search.counts.get(dropped, 0) + count
    # a number that equal contents share, in any process
    words = f"{page.link_count} {page.form_count} {page.title}\n{page.text}".encode("utf-8", "surrogatepass")
    content = zlib.crc32(words) | (len(words) & 0x3FFFFFFF) << 32
    key = search.sameness.key
    if search.sameness.learn(url, content):
        for met in list(search.met):
            search.met.setdefault(key(met), None)
        search.fetched = {key(fetched) for fetched in search.fetched}
    if len(page.text) >= MIN_COMPARED_CHARS and content in search.contents:
        return False
    search.contents.add(content)
    return True


def _meet_links(
    search: _Search, page: Page, depth: int, is_new_site: Callable[[str], bool], topic: float | None, forms: int
) -> tuple[list[Link], int]:
    """Return the links of a page to this site that no page has shown before, and how many new sites it links to."""
    home, met, neighbours = search.site.root, search.met, search.neighbours
    follows = "nofollow" not in page.robots and len(neighbours) < MAX_NEIGHBOURS
    new: list[Link] = []
    sites = 0
    for found in page.links:
        if found.url in met:
            continue
        if found.url.startswith(home):
            link = search.meet(found, depth)
            if link and not is_description(link):
                new.append(link)
            elif link and depth <= search.strategy.depth:  # no guide sees the head of a page as a place to go
                search.offer(LinkChoice(link))
        elif follows and "nofollow" not in found.rel:
            site = origin(found.url)
            if site not in neighbours:
                neighbours[site] = mention_of(found, site, page, topic, forms)
                sites += is_new_site(site)
    return new, sites


def mention_of(link: Link, site: str, page: Page, topic: float | None, forms: int) -> Mention:
    """Return how a page names another site, bounded."""
    text, nearby = link.text[:MAX_MENTION_CHARS], link.nearby[:MAX_MENTION_CHARS]
    return Mention(site, link.url, page.url, text, nearby, page.link_count, topic, forms)


def names_a_file(url: str) -> bool:
    """Return True if an address ends like that of a picture, a script, a document ...: not of a page."""
    return bool(_NOT_PAGES.search(url.partition("?")[0]))


def is_description(link: Link) -> bool:
    """Return True if a link leads to an OpenSearch description or an OpenAPI document."""
    return bool(link.rel) and ("service-desc" in link.rel or (link.rel == "search" and link.path.endswith("/link")))


def _end(search: _Search, stopped: StopReason | None) -> SiteSearch:
    """Give up what waits, and return what the search gave."""
    found = search.forms_before + search.count_forms()
    audit = search.audit
    clusters = audit.find_clusters(search.find_left()) if audit else ()
    left = sum_clusters(clusters, found, audit.pages, audit.forms) if audit else None
    search.leave(stopped)
    for link in search.descriptions:
        search.skip(link.url, SkipReason(SkipKind.STOPPED, stopped or ""))
    drawn = tuple(audit.chances.items()) if audit else ()
    _leave_unchosen(search)
    return replace(_close(search), left_behind=left, clusters=clusters, drawn=drawn)


def _end_round(search: _Search, following: int) -> SiteSearch:
    """Return what the search gave, with what waits for the next round."""
    left = search.left()
    _leave_unchosen(search)
    if not left:
        return _close(search)
    return replace(_close(search), left=left, round=following, memory=write_memory(search.remember()))


def _pause(search: _Search, again: int) -> SiteSearch | None:
    """Return what the search gave so far with all that it needs to go on; None where the guide has to begin again."""
    if not search.visits and not search.before:  # it has not begun
        return SiteSearch(search.site)
    memory = search.remember()
    if memory.guide is None and again == FIRST_ROUND:
        return None
    return replace(_close(search), left=search.left(), round=again, memory=write_memory(memory))


def _leave_unchosen(search: _Search) -> None:
    """Count the links that the guide did not choose, once."""
    guide = search.guide
    for url, link in search.met.items():
        if link:
            search.skip(url, SkipReason(SkipKind.NOT_CHOSEN, guide.why_not(link)), partial(guide.explain, link))
            search.met[url] = None


def _close(search: _Search) -> SiteSearch:
    moved_to, failure = _why_nothing(search)
    topic = search.guide.site_topic()
    is_off = search.strategy.only_on_topic and topic is not None and topic < ON_TOPIC and not moved_to
    neighbours = {} if is_off else search.neighbours
    return SiteSearch(
        site=search.site,
        visits=tuple(search.visits),
        doors=tuple(search.doors.values()),
        neighbours=tuple(neighbours),
        skipped=tuple(search.skips),
        skip_counts=tuple(search.counts.items()),
        error=f"moved to {moved_to}" if moved_to else str(failure or ""),
        error_kind=failure.counted_as if isinstance(failure, Failure) else failure,
        moved_to=moved_to,
        why_stopped=search.why_left,
        mentions=tuple(filter(None, neighbours.values())),
        topic=topic,
        worth=search.guide.promise() if search.stopped is StopReason.LOW_YIELD else None,
        relevant=search.count_forms() if search.topic else 0,
    )


def _why_nothing(search: _Search) -> tuple[str, Failure | str]:
    """Return the site that this one has moved to, or why it gave nothing; both empty when it gave a page."""
    if search.got_a_page():
        return "", ""
    for visit in search.visits:
        if visit.left_site:
            return origin(visit.moved), ""
        if visit.failure:
            return "", visit.failure
    return "", search.refused or "nothing was fetched"
