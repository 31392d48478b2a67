"""Dowse's own strategy: it expects of each link what links like it have given, and leaves a site when another is worth more.

A model (plain data, trained by `dowse train links`) says how many new query forms a page brings, with half of what the
pages below it bring, from facts about the link, its place, and what the site has given so far. The best link is followed
next; when even that is expected to give less than a page of another site would, the site is left.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, lru_cache
from pathlib import Path

import msgspec

from dowse.errors import BadInput
from dowse.learn.linear import LogLinear
from dowse.model import Earlier, Link, LinkChoice, Site
from dowse.reasons import StopReason
from dowse.strategy.guide import MAX_DEPTH, Guide, LinkOutcome, Strategy
from dowse.words.lookup import CONCEPTS, anywhere, concepts_of, is_subject, parts_of, phrases, words_of

# -- facts about a link before it is followed; none of them knows a site or a template

# Of the link: what its words and its address are about (in any language that the lexicon has), where it stands, how deep.
# Of its surroundings: the links beside it, the page it stands on. Of its kind: what links in that place of the template
# have given on this site. Of the site: what it has given so far.

MAX_ADDRESS_CHARS = 200  # of an address that are read
MAX_CACHED_TEXTS = 20_000  # anchors, places and names whose facts are remembered

_PLACES = frozenset(
    "nav header footer aside main article section menu table td th li dd dt p form map area h1 h2 h3 h4 select label"
    " center font blockquote search frame iframe button".split()
)
_MAX_COUNT = 64  # from which on counts are one and the same
_SIZES = tuple(str(number) if number < 3 else f"<{1 << number.bit_length()}" for number in range(_MAX_COUNT))


_SAYS = {concept: f"says {concept}" for concept in CONCEPTS}
_ADDRESS_SAYS = {concept: f"address says {concept}" for concept in CONCEPTS}
_DEPTHS = tuple(f"depth {depth}" for depth in range(8))
_DIGIT = re.compile(r"\d")


def bucket(number: int) -> str:
    """Return a size in a word: powers of two."""
    return _SIZES[number] if number < _MAX_COUNT else f">{_MAX_COUNT - 1}"


def _list_sizes(what: str) -> tuple[str, ...]:
    return tuple(f"{what} {bucket(number)}" for number in range(_MAX_COUNT + 1))


_WORDS, _FOLDERS, _BESIDE, _BEFORE = map(_list_sizes, ("words", "folders", "beside", "before it"))


@lru_cache(MAX_CACHED_TEXTS)
def facts_of_words(text: str) -> tuple[str, ...]:
    """Return what the words of an anchor are about."""
    words = words_of(text)
    about: set[str] = set()
    subject = False
    for word in words:
        concepts = concepts_of(word)
        about.update(concepts)
        subject = subject or (not concepts and is_subject(word))
    facts = [_SAYS[concept] for concept in sorted(about)] if about else []
    facts.append(_WORDS[len(words)])  # some sixty at most
    if subject:
        facts.append("names a subject")
    if "search" in about:
        facts.append("searches a subject" if subject else "searches, no subject")
        if about & {"site", "page"}:
            facts.append("searches the site")
        if about & {"advanced", "catalogue"}:
            facts.append("searches, advanced or catalogue")
    if not about:
        facts.append("says nothing known")
    lower = text.lower()
    # a hint is in all that the expression finds; to look for them is ten times faster
    if any(hint in lower for hint in phrases("map of the site hint")) and anywhere("map of the site").search(lower):
        facts.append("names a map of the site")
    return tuple(facts)


@lru_cache(MAX_CACHED_TEXTS)
def facts_of_place(path: str) -> tuple[str, ...]:
    """Return where in the template a link stands, by the tags around it."""
    tags = path.split("/")
    return tuple(f"in {tag}" for tag in sorted(_PLACES.intersection(tags)))


@lru_cache(MAX_CACHED_TEXTS)
def _facts_of_name(name: str) -> tuple[str, ...]:
    about: set[str] = set()
    for word in parts_of(name):
        about.update(concepts_of(word))
    return tuple([_ADDRESS_SAYS[concept] for concept in sorted(about)]) if about else ()


def facts_of_address(url: str) -> list[str]:
    """Return what an address says by itself."""
    rest = url[url.find("/", 8) + 1 : MAX_ADDRESS_CHARS]
    path, mark, query = rest.partition("?")
    folder, _, name = path.rstrip("/").rpartition("/")
    facts = list(_facts_of_name(name or folder))
    facts.append(_FOLDERS[min(path.count("/"), _MAX_COUNT)])
    if mark:
        facts.append("address has a query")
        facts += [fact for fact in _facts_of_name(query) if fact not in facts]
    if _DIGIT.search(name):
        facts.append("address has a number")
    return facts


def find_runs(links: Sequence[Link]) -> list[tuple[int, int]]:
    """Return for each link how many links beside it stand in the same place of the template, and how many of those before it."""
    runs: list[tuple[int, int]] = []
    start = 0
    for place in range(1, len(links) + 1):
        if place == len(links) or links[place].path != links[start].path:
            runs += [(place - start, each) for each in range(place - start)]
            start = place
    return runs


@lru_cache(MAX_CACHED_TEXTS)
def _facts_nearby(text: str) -> tuple[str, ...]:
    near: set[str] = set()
    for word in words_of(text):
        near.update(concepts_of(word))
    return tuple(f"near {concept}" for concept in ("search", "advanced", "catalogue") if concept in near)


def facts_of_link(link: Link, run: tuple[int, int], company: Iterable[str]) -> list[str]:
    """Return all that is said of a link where it is first seen; `company` is what is said of the page it stands on."""
    beside, before = run
    facts = [
        *facts_of_words(link.text),
        *facts_of_place(link.path),
        *facts_of_address(link.url),
        _BESIDE[beside if beside < _MAX_COUNT else _MAX_COUNT],
        _BEFORE[before if before < _MAX_COUNT else _MAX_COUNT],
        _DEPTHS[min(link.depth, 7)],
    ]
    if link.nearby:
        facts += _facts_nearby(link.nearby)
    if link.rel:
        facts.append("rel " + link.rel[:12])
    facts += company
    return facts


# -- facts as people would say them; the facts themselves are what the model has weights for

_PHRASES = {
    "says nothing known": "its words say nothing about searching",
    "searches a subject": "its words say what is searched",
    "searches, no subject": "its words are about searching",
    "searches the site": "its words are about searching the site",
    "searches, advanced or catalogue": "its words name an advanced search or a catalogue",
    "names a map of the site": "its words name a site map",
    "names a subject": "its words name a subject",
    "address has a query": "its address has a query string",
    "address has a number": "its address has a number",
    "stands beside a query form": "it is on a page with a query form",
    "its place is new": "no link in this part of the template was followed before",
    "unknown searching link": "a link about searching",
    "unknown other link": "a link about something else than searching",
    "unknown silent link": "a link that says nothing about searching",
    "shared searching link": "a link about searching that is on several pages",
    "shared other link": "a link about something else than searching that is on several pages",
    "shared silent link": "a link that says nothing about searching and is on several pages",
    "not shared searching link": "a link about searching that is on one page only",
    "not shared other link": "a link about something else than searching that is on one page only",
    "not shared silent link": "a link that says nothing about searching and is on one page only",
    "site gave": "the site has given query forms before",
    "site gave nothing": "the site has given no query form yet",
    "site gave 0": "the site has given no query form yet",
    "site gave 3": "the site has given 3 query forms or more",
    "barren for 0": "the last page had a new query form",
    "nothing new for 0": "the last page had a new form or link about searching",
    "promises broken 0": "no link about searching has disappointed yet",
    "promises broken <16": "8 or more links about searching led to no form",
    "site promises <16": "the site has shown 8 or more links about searching",
    "depth 7": "7 or more clicks from the entrance",
    "repeats: unknown": "it is not known yet which links are repeated",
    "repeats: none": "links in this part of the template are on one page only",
    "repeats: little": "few links in this part of the template are on several pages",
    "repeats: some": "some links in this part of the template are on several pages",
    "repeats: most": "most links in this part of the template are on several pages",
}
# how other facts begin, and the phrase with a place for the rest
_PHRASES_WITH_REST = (
    ("page: ", "the link to its page: {phrase}"),
    ("says ", "its words are about {}"),
    ("address says ", "its address is about {}"),
    ("near ", "the words beside it are about {}"),
    ("in ", "it is in <{}>"),
    ("rel ", 'it has rel="{}"'),
    ("words ", "{count:word} in its text"),
    ("folders ", "{count:folder} in its address"),
    ("beside ", "{count:link} in its list"),
    ("before it ", "{count:link} before it in its list"),
    ("depth ", "{count:click} from the entrance"),
    ("barren for ", "{count:page} since the last query form"),
    ("nothing new for ", "{count:page} since the last new form or link about searching"),
    ("promises broken ", "{count:link} about searching led to no form"),
    ("site promises ", "the site has shown {count:link} about searching"),
    ("entrance has ", "{count:link} on the entrance page"),
    ("page has ", "{count:new link} on its page"),
    ("site gave nothing in ", "the site has given no query form in {count:page}"),
    ("site gave in ", "the site has given query forms in {count:page}"),
    ("site gave ", "the site has given {count:query form}"),
    ("its place gave 3 ", "3 or more of {of:page} behind links in this part of the template had a query form"),
    ("its place gave ", "{count:page} of {of:page} behind links in this part of the template had a query form"),
)
_COUNT = re.compile(r"\{(count|of):([\w ]+)\}")


def put_in_words(fact: str) -> str:
    """Return a fact as people would say it; facts that were observed together are said one after the other."""
    if fact in _PHRASES:
        return _PHRASES[fact]
    first, comma, rest = fact.partition(", ")
    if comma:
        return f"{put_in_words(first)}, {put_in_words(rest)}"
    for start, phrase in _PHRASES_WITH_REST:
        if fact.startswith(start):
            return _fill_phrase(phrase, fact.removeprefix(start))
    return fact


def _fill_phrase(phrase: str, rest: str) -> str:
    if "{phrase}" in phrase:
        return phrase.replace("{phrase}", put_in_words(rest))
    sizes = {"count": rest.split(" ")[0], "of": rest.rpartition(" ")[2]}
    return _COUNT.sub(lambda place: _write_size(sizes[place[1]], place[2]), phrase).replace("{}", rest)


def _write_size(size: str, thing: str) -> str:
    """Write a bucket of a count: `<8` is 4 to 7."""
    if size.startswith("<"):
        end = int(size[1:])
        return f"{max(3, end // 2)} to {end - 1} {thing}s" if end > 4 else f"3 {thing}s"
    if size.startswith(">"):
        return f"more than {size[1:]} {thing}s"
    return f"{'no' if size == '0' else size} {thing}{'s' * (size != '1')}"


# -- the strategy, and its guide through one site

MODEL = Path(__file__).parent / "models" / "links.json"
DEPTH_CLASSES = 8  # the last one holds all deeper links
NOT_SHARED, SHARED = "-", "+"  # whether one page or several have shown a link
SEARCHES, OTHER, SILENT = "?", ".", "_"  # what the words of a link speak of
SITE, STATE = "site", "state"  # where what is said of the whole site is kept
PLACE = 3  # letters of a kind before the place in the template
MAX_CACHED_SCORES = 10_000  # combinations of facts whose score is remembered
_KIND_SAYS = {SEARCHES: "searching", OTHER: "other", SILENT: "silent"}
_SEARCHING = frozenset(("says search", "says catalogue", "says query", "says advanced", "address says search"))


class LinkModel(LogLinear, frozen=True, kw_only=True):
    """How many query forms a link leads to, with what was measured when it was trained."""

    elsewhere: float  # query forms that a page of another site gives
    left: float  # forms that were missed on unseen sites, for each that was expected of the links left there


@cache
def read_model() -> LinkModel:
    """Return the model that comes with Dowse."""
    return msgspec.json.decode(MODEL.read_bytes(), type=LinkModel)


@dataclass(frozen=True, slots=True)
class LearnedStrategy(Strategy):
    """Follow the link of which most is expected, while that is more than another site gives."""

    elsewhere: float = field(default_factory=lambda: read_model().elsewhere)
    model: LogLinear = field(default_factory=read_model, repr=False)
    left: float = field(default_factory=lambda: read_model().left, repr=False)
    _weighed: dict[tuple[str, ...], float] = field(init=False, repr=False, compare=False, default_factory=dict)
    written: dict[str, str] = field(
        init=False, repr=False, compare=False, default_factory=dict
    )  # single facts with their weight

    @classmethod
    def parse(cls, parameters: str) -> LearnedStrategy:
        """Read what a page elsewhere gives in `learned:0.05`."""
        if not parameters:
            return cls()
        try:
            elsewhere = float(parameters)
        except ValueError:
            elsewhere = -1.0
        if not 0.0 <= elsewhere <= 1.0:
            raise BadInput(f"learned takes query forms per page from 0 to 1, as in learned:0.03, not {parameters!r}")
        return cls(elsewhere)

    def weigh(self, facts: tuple[str, ...]) -> float:
        """Return the score of facts that many links and pages share; the same few thousand come again and again."""
        score = self._weighed.get(facts)
        if score is None:
            if len(self._weighed) >= MAX_CACHED_SCORES:
                self._weighed.clear()
            score = self._weighed[facts] = self.model.score(facts)
        return score

    def open(self, site: Site) -> LearnedGuide:
        """Return a guide that knows the model, and nothing of this site."""
        return LearnedGuide(self)


@dataclass(slots=True)
class _Kind:
    """What links in one place of the template have given."""

    pages: int = 0
    forms: int = 0
    links: int = 0  # that were shown there
    shared: int = 0  # of those, how many another page showed too: a menu repeats, a list does not
    scores: dict[tuple[str, bool, bool], float] = field(default_factory=dict)  # of all that, until it changes


@dataclass(slots=True)
class LearnedGuide(Guide):
    """What one site has taught."""

    strategy: LearnedStrategy
    facts: dict[str, list[str]] = field(default_factory=dict)  # of links, by their address
    kinds: dict[str, _Kind] = field(default_factory=dict)  # by tag path
    once: dict[str, LinkChoice] = field(default_factory=dict)  # links that a single page has shown
    pages: int = 0
    forms: int = 0
    barren: int = 0  # pages since a form was found
    promising: int = 0  # links whose words speak of searching
    stale: int = 0  # pages since such a link, or a form, was new
    broken: int = 0  # pages that such a link led to and that had no new form
    entrance: int = 0  # links on the first page
    _scores: dict[str, float] = field(default_factory=dict)  # of kinds and sorts of links, as of the last page
    _cached_facts: dict[str, tuple[str, ...]] = field(default_factory=dict)  # what is said of them, likewise

    def go_on(self, earlier: Earlier) -> None:
        """Take in what earlier rounds gave."""
        self.pages, self.forms = len(earlier.fetched), earlier.forms
        for choice in earlier.left:
            self.facts[choice.link.url] = facts_of_link(choice.link, (1, 0), ())

    def learn(self, seen: LinkOutcome) -> Iterator[LinkChoice]:
        """Count what a page brought, choose again what it shares with another page, and let its new links wait."""
        self.pages += 1
        self.forms += seen.forms
        self.barren, self.stale = (0, 0) if seen.forms else (self.barren + 1, self.stale + 1)
        kind = self.kinds.setdefault(seen.link.path, _Kind())
        kind.pages += 1
        kind.forms += seen.forms > 0
        kind.scores.clear()
        self.broken += not seen.forms and not _SEARCHING.isdisjoint(self.facts.get(seen.link.url, ()))
        self.entrance = self.entrance or len(seen.urls)
        self._scores.clear()
        self._cached_facts.clear()
        # What pages have in common is navigation.
        for url in seen.urls:
            if url in self.once:
                choice = self.once.pop(url)
                kind = self.kinds[choice.link.path]
                kind.shared += 1
                kind.scores.clear()
                yield LinkChoice(choice.link, choice.worth, f"{choice.kind[0]}{SHARED}{choice.kind[2:]}")
        if seen.link.depth >= MAX_DEPTH or not seen.links:
            return

        company = [f"page has {bucket(len(seen.links))} new links"]
        if seen.forms:
            company.append("stands beside a query form")
        company += [f"page: {fact}" for fact in facts_of_words(seen.link.text) if fact in _OF_PAGE]
        promising = self.promising
        score = self.strategy.model.score
        for link, run in zip(seen.links, find_runs(seen.links), strict=True):
            facts = self.facts[link.url] = facts_of_link(link, run, company)
            if link.path not in self.kinds:
                self.kinds[link.path] = _Kind()
            kind = self.kinds[link.path]
            kind.links += 1
            kind.scores.clear()
            self.promising += "says search" in facts
            choice = self.once[link.url] = LinkChoice(link, score(facts), _name_kind(link, NOT_SHARED, facts))
            yield choice
        self.stale = 0 if self.promising > promising else self.stale
        self._scores.clear()
        self._cached_facts.clear()

    def site_facts(self) -> tuple[str, ...]:
        """Return what the site has given so far."""
        if SITE in self._cached_facts:
            return self._cached_facts[SITE]
        gave, pages, barren, _, promising, _, entrance = self._state()
        facts = self._cached_facts[SITE] = (
            f"site gave {min(self.forms, 3)}",
            f"site {gave} in {pages}",
            f"barren for {barren}" if self.forms else "",
            f"site promises {promising}",
            f"entrance has {entrance} links",
        )
        return facts

    def kind_facts(self, kind: str) -> tuple[str, ...]:
        """Return what is said of links that wait together."""
        return (*self._sort_facts(kind[:PLACE]), *self._place_facts(kind[PLACE:], kind[0]))

    def _sort_facts(self, sort: str) -> tuple[str, ...]:
        """Return what is said of links of one depth whose words are alike and that one page, or several, have shown."""
        if sort in self._cached_facts:
            return self._cached_facts[sort]
        shown = "unknown" if self.pages < 2 else "shared" if sort[1] == SHARED else "not shared"
        facts = self._cached_facts[sort] = _write_sort_facts(
            f"{shown} {_KIND_SAYS[sort[2]]} link", sort[0], *self._state()
        )
        return facts

    def _state(self) -> tuple[str, ...]:
        """Return what the site has given so far, in words; the same for all links until the next page."""
        if STATE in self._cached_facts:
            return self._cached_facts[STATE]
        counts = (self.pages, self.barren, self.stale, min(self.promising, 8), min(self.broken, 8), self.entrance)
        state = self._cached_facts[STATE] = ("gave" if self.forms else "gave nothing", *map(bucket, counts))
        return state

    def _place_facts(self, path: str, depth: str) -> tuple[str, ...]:
        """Return what is said of a place in the template."""
        given = self.kinds.get(path)
        repeats = "unknown"
        if self.pages > 1 and given:
            share = given.shared / given.links if given.links else 0.0
            repeats = "none" if not given.shared else "little" if share < 0.2 else "some" if share < 0.6 else "most"
        given = given or _NEW
        return _write_place_facts(min(given.forms, 3), bucket(given.pages), repeats, self.forms > 0, depth)

    def pick(self, heads: Mapping[str, LinkChoice]) -> str:
        """Return the kind whose best link promises most."""
        if len(heads) == 1:
            return next(iter(heads))
        return max(heads, key=lambda kind: heads[kind].worth + self._score_kind(kind))

    def _score_kind(self, kind: str) -> float:
        """Return what speaks for links that wait together; what many kinds share is weighed once for each page."""
        scores = self._scores
        score = scores.get(kind)
        if score is None:
            sort = kind[:PLACE]
            if sort not in scores:
                scores[sort] = self.strategy.weigh(self._sort_facts(sort))
            path, depth = kind[PLACE:], kind[0]
            kept = (self.kinds.get(path) or _Kind()).scores  # most places are as they were when the last page was read
            now = depth, self.forms > 0, self.pages > 1
            if now not in kept:
                kept[now] = self.strategy.weigh(self._place_facts(path, depth))
            score = scores[kind] = kept[now] + scores[sort]
        return score

    def expect(self, choice: LinkChoice) -> float:
        """Return the query forms expected of a link."""
        model, scores = self.strategy.model, self._scores
        if SITE not in scores:
            scores[SITE] = self.strategy.weigh(self.site_facts())
        return model.rate(choice.worth + scores[SITE] + self._score_kind(choice.kind))

    def promise(self, left: Iterable[LinkChoice]) -> float:
        """Return the query forms expected of the links left, corrected by how such expectations turned out."""
        return self.strategy.left * sum(self.expect(choice) for choice in left if choice.kind)

    def why_stop(self, choice: LinkChoice) -> StopReason | None:
        """Stop when a page of another site is expected to give more."""
        if not choice.kind or self.expect(choice) >= self.strategy.elsewhere:  # no kind: the entrance
            return None
        return StopReason.LOW_YIELD

    def explain(self, link: Link) -> str:
        """Return what is expected of a link, and what weighs most for and against it."""
        facts = self.facts.get(link.url, [])
        kind = _name_kind(link, NOT_SHARED if link.url in self.once else SHARED, facts)
        model, written = self.strategy.model, self.strategy.written
        choice = LinkChoice(link, model.score(facts), kind)
        strongest = model.find_strongest([*facts, *self.kind_facts(kind), *self.site_facts()])
        if len(written) >= MAX_CACHED_SCORES:
            written.clear()
        for fact in strongest:
            if fact not in written:
                written[fact] = f"{put_in_words(fact)} (x {model.times(fact):.2g})"
        return f"expected {self.expect(choice):.3f} query forms: {'; '.join([written[fact] for fact in strongest])}"

    def why_not(self, link: Link) -> str:
        """Return that it is too deep."""
        return f"deeper than {MAX_DEPTH}"


@lru_cache(8192)
def _write_sort_facts(
    what: str, depth: str, gave: str, pages: str, barren: str, stale: str, promising: str, broken: str, entrance: str
) -> tuple[str, ...]:
    here = f"{what}, site {gave}"
    return (
        f"{what}, depth {depth}",
        f"{what}, depth {depth}, site {gave}",
        f"{here}, barren for {barren}",
        f"{here} in {pages}",
        f"{what}, site promises {promising}",
        f"{what}, nothing new for {stale}",
        f"{here}, promises broken {broken}",
        f"{here}, entrance has {entrance} links",
        f"{here}, nothing new for {stale}",
        f"depth {depth}, site {gave}",
        f"depth {depth}, barren for {barren}",
    )


@lru_cache(4096)
def _write_place_facts(forms: int, pages: str, repeats: str, gave: bool, depth: str) -> tuple[str, ...]:
    return (
        f"its place gave {forms} of {pages}" if pages != "0" else "its place is new",
        f"repeats: {repeats}",
        f"repeats: {repeats}, site {'gave' if gave else 'gave nothing'}",
        f"repeats: {repeats}, depth {depth}",
    )


_NEW = _Kind()


def _name_kind(link: Link, shown: str, facts: Sequence[str]) -> str:
    said = SEARCHES if not _SEARCHING.isdisjoint(facts) else SILENT if "says nothing known" in facts else OTHER
    return f"{min(link.depth, DEPTH_CLASSES - 1)}{shown}{said}{link.path}"


_OF_PAGE = frozenset(("says search", "says catalogue", "says advanced", "says browse", "names a map of the site"))
