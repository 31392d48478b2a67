"""The nouns: what Dowse finds, fetches, reads and keeps.

Every value that crosses a border between two packages is one of these. They are
frozen, they import nothing but reasons, and they know nothing about where they come from. Those that
a page has by the dozen (links, fields, options) are named tuples: a frozen dataclass takes
three times as long to make, and to make them is a third of what it costs to read a page.
"""

from __future__ import annotations

from collections.abc import Container, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from dowse.reasons import NOT_REQUESTED, FailureReason, SkipReason, StopReason

KINDS = (
    "database",
    "site-search",
    "login",
    "registration",
    "contact",
    "subscribe",
    "order",
    "configure",
    "other",
)
SEARCHABLE_KINDS = frozenset({"database", "site-search"})
ON_TOPIC = 0.5  # probability from which something counts as on a topic, as in paper 2
FIRST_ROUND = -1  # in place of a depth: the search, or its first round, was interrupted and goes on before others begin


@dataclass(frozen=True, slots=True)
class Verdict:
    """A yes or a no that says why."""

    yes: bool
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Site:
    """One HTTP server: the scope that is searched on its own."""

    scheme: str
    host: str
    port: int

    def __str__(self) -> str:
        default = {"http": 80, "https": 443}[self.scheme]
        return f"{self.scheme}://{self.host}" + ("" if self.port == default else f":{self.port}")

    @property
    def root(self) -> str:
        """The address of the entrance page."""
        return f"{self}/"


class Link(NamedTuple):
    """A place to go, and what was said about it where it was found."""

    url: str
    text: str = ""
    nearby: str = ""  # words around the anchor, without the anchor's own
    rel: str = ""  # the rel attribute, lower case
    path: str = ""  # DOM tag path from the root, such as html/body/nav/ul/li/a
    place: int = 0  # how many links stand before it on its page
    depth: int = 0  # clicks from the entrance of its site


class LinkGroup(NamedTuple):
    """Links that stand in one line or in a column of lines of their own, as a text browser shows the page."""

    places: tuple[int, ...]  # of its links: how many links stand before each on the page
    words: int = 0  # words in its lines, anchors included
    anchor_words: int = 0  # words of the anchors alone
    vertical: bool = False  # one link to a line


class LinkChoice(NamedTuple):
    """A link that is worth following: how much, among which, and why."""

    link: Link
    worth: float = 0.0  # among those of its kind; equal ones are followed in the order they were chosen
    kind: str = ""  # links that wait together
    why: str = ""


@dataclass(frozen=True, slots=True)
class Request:
    """What is asked of a server."""

    url: str
    method: str = "GET"
    body: bytes = b""
    headers: tuple[tuple[str, str], ...] = ()


class Call(NamedTuple):
    """Data that a page's scripts asked a server for: the address of a service."""

    url: str
    method: str = "GET"
    body: str = ""  # what was sent, bounded
    content_type: str = ""  # of the answer
    status: int = 0
    size: int = 0  # bytes of the answer


@dataclass(frozen=True, slots=True)
class Response:
    """What a server answered; the body is decoded from its content encoding and bounded."""

    url: str
    status: int
    headers: tuple[tuple[str, str], ...] = ()  # names in lower case
    body: bytes = b""
    truncated: bool = False  # the body was longer than the limit, or broke off
    redirects: tuple[str, ...] = ()  # addresses that led here, oldest first
    calls: tuple[Call, ...] = ()  # data that scripts of the page asked for, when a browser opened it
    rendered: bool = False  # a browser opened it: the body is the page after its scripts have run

    def header(self, name: str) -> str:
        """Return the first header of that (lower case) name, or an empty string."""
        for key, value in self.headers:
            if key == name:
                return value
        return ""


@dataclass(frozen=True, slots=True)
class Failure:
    """Why there is no response."""

    url: str
    why: FailureReason
    detail: str = ""
    status: int = 0  # the HTTP status, where one was seen
    retry_after: float = 0.0  # seconds the server asked to wait
    cause: FailureReason | None = None  # why robots.txt was unavailable, where that is why

    @property
    def asked(self) -> bool:
        """True if a request for the page was sent."""
        return self.why not in NOT_REQUESTED

    @property
    def counted_as(self) -> str:
        """The words under which failures are counted together."""
        if self.why is FailureReason.STATUS and self.detail:
            return self.detail
        return f"{self.why}: {self.cause}" if self.cause else str(self.why)

    def __str__(self) -> str:
        return f"{self.why}: {self.detail}" if self.detail else str(self.why)


class Option(NamedTuple):
    """One choice of a select, a radio group or a datalist."""

    value: str
    label: str = ""
    selected: bool = False


class Field(NamedTuple):
    """A form control as the HTML has it."""

    name: str
    type: str  # text, search, select, checkbox, radio, hidden, password, submit, textarea ...
    id: str = ""
    label: str = ""
    value: str = ""
    placeholder: str = ""
    title: str = ""
    options: tuple[Option, ...] = ()
    required: bool = False
    multiple: bool = False
    checked: bool = False
    autocomplete: str = ""
    aria: str = ""  # the aria-label, said to those who do not see the page
    near: str = ""  # words that stand beside it on the page, where no label says more
    group: str = ""  # what the controls around it are called together: a legend, a heading, a row's first cell
    unseen: bool = False  # its own style hides it


@dataclass(frozen=True, slots=True)
class Form:
    """An HTML form as the page has it, with the controls a browser would give it."""

    index: int
    method: str  # GET or POST
    action: str  # absolute address
    fields: tuple[Field, ...] = ()
    id: str = ""
    name: str = ""
    css: str = ""  # the class attribute
    role: str = ""
    text: str = ""  # visible words inside, bounded
    enctype: str = ""
    path: str = ""  # DOM tag path
    own_page: bool = False  # it names no address: it sends to the page it stands on
    heading: str = ""  # the heading that stands over it, bounded
    made: str = (
        "html"  # of what: html, input (no form around it), opensearch, search-action, oai-pmh, sru, ckan, openapi, call
    )
    template: str = ""  # the address with {name} for each field, where values do not go into a query string
    charset: str = ""  # what its values are to be encoded in; nothing means UTF-8


NOT_READ = -1  # in place of a form's index: the site has shown the form before
LOOSE_CONTROLS = -2  # likewise: the key is that of all controls outside of forms


class FormKey(NamedTuple):
    """The markup of a form as a number, the same on each page of one run."""

    key: int
    number: int = NOT_READ  # the index of the form on its page


@dataclass(frozen=True, slots=True)
class Page:
    """A parsed document."""

    url: str
    title: str = ""
    text: str = ""
    language: str = ""  # two letters, where declared or detected
    encoding: str = ""
    canonical: str = ""  # where the page says its main address is
    base: str = ""  # what relative links were resolved against
    robots: frozenset[str] = frozenset()  # noindex, nofollow ... from meta and header
    links: tuple[Link, ...] = ()  # without those that the site has shown before
    link_count: int = 0  # with them
    urls: tuple[str, ...] = ()  # where all of them lead, in their order
    groups: tuple[LinkGroup, ...] = ()  # links that stand together, when a strategy looks at the layout
    forms: tuple[Form, ...] = ()  # without those that the site has shown before
    form_count: int = 0  # with them
    refresh: str = ""  # address of a meta refresh
    dropped: tuple[tuple[str, int], ...] = ()  # what went over a bound, and how many
    calls: tuple[Call, ...] = ()  # services that its scripts asked, when a browser opened it
    unrendered: str = ""  # why a browser would see more, or nothing
    next: str = ""  # where its head says that the page after it is
    form_keys: tuple[FormKey, ...] = ()  # of all its forms and of scripts that write forms, in a search
    cut: str = ""  # where its body ends too early, and whether that was our limit
    headings: str = ""  # the words of its first large headings
    description: str = ""  # what it says of itself to search engines: site name, description, keywords
    types: tuple[str, ...] = ()  # of things on it that it declares, as schema.org names them


@dataclass(frozen=True, slots=True)
class Condition:
    """One thing a form lets you ask."""

    label: str
    attribute: str  # the label, normalised
    operator: str  # contains, equals, range, in
    type: str  # text, number, date, choice
    fields: tuple[str, ...]
    options: tuple[Option, ...] = ()
    default: tuple[str, ...] = ()  # what is sent for each field when nobody touches it
    operators: tuple[Option, ...] = ()  # ways of matching that can be chosen
    operator_field: str = ""  # the control that chooses among them


@dataclass(frozen=True, slots=True)
class Control:
    """Controls of a form that ask nothing themselves."""

    fields: tuple[str, ...]
    role: str  # button, sort, paging, display, operator, state


@dataclass(frozen=True, slots=True)
class Judgement:
    """What a form is for, with which confidence, and why."""

    kind: str
    probability: float
    reasons: tuple[str, ...] = ()

    @property
    def searchable(self) -> bool:
        """Whether the form puts a query to something."""
        return self.kind in SEARCHABLE_KINDS


@dataclass(frozen=True, slots=True)
class Probe:
    """What a door answered to a few polite questions."""

    answers: bool  # whether records come back
    kind: str  # database or site-search, by the answers; nothing when they do not tell
    page_size: int = 0  # records on one page
    total: int | None = None  # how many there are, as the page says
    limit: int = 0  # the most it shows, as far as it says
    match: str = ""  # words, exact or nothing when it cannot be told
    count_line: str = ""  # the words in which it said how many there are
    requests: int = 0
    reasons: tuple[str, ...] = ()
    failed: bool = False  # whether no query got an answer


class TopicMatch(NamedTuple):
    """A topic, and how likely something is on it."""

    name: str
    probability: float


@dataclass(frozen=True, slots=True)
class Door:
    """A way to put a query to a database."""

    form: Form
    judgement: Judgement
    conditions: tuple[Condition, ...] = ()
    signature: str = ""  # the same for the same form on another page
    page: str = ""  # where it was found first
    depth: int = 0
    controls: tuple[Control, ...] = ()  # what else stands in the form
    probe: Probe | None = None  # what it answered, when it was asked
    title: str = ""  # of the page where it was found first
    topics: tuple[TopicMatch, ...] = ()  # the likeliest first

    def is_wanted(self, topic: str = "") -> bool:
        """Return True if a search for query forms, on a topic or on any, is for this one."""
        likely = not topic or any(each.name == topic and each.probability >= ON_TOPIC for each in self.topics)
        return likely and self.judgement.kind == "database"


class Value(NamedTuple):
    """One value of one attribute: what records are made of, and what is asked for."""

    attribute: str  # nothing for words of any kind
    text: str


class Range(NamedTuple):
    """Numbers or dates between two ends, both included."""

    attribute: str
    low: str  # nothing for no end
    high: str


@dataclass(frozen=True, slots=True)
class Query:
    """What is asked for: records that have all of these values, and lie in all of these ranges."""

    values: tuple[Value, ...] = ()
    ranges: tuple[Range, ...] = ()

    def __str__(self) -> str:
        parts = [f"{attribute}={text}" if attribute else text for attribute, text in self.values]
        parts += [f"{each.attribute}={each.low}..{each.high}" for each in self.ranges]
        return ", ".join(parts) or "everything"


@dataclass(frozen=True, slots=True)
class Record:
    """What a database holds one of; an attribute may have several values."""

    values: tuple[Value, ...]
    key: str = ""  # the same for the same record in another answer, where something tells; nothing: all its values do
    url: str = ""  # its own page


@dataclass(frozen=True, slots=True)
class Answer:
    """One page of what came back for a query."""

    query: Query
    page: int = 0  # counted from 0
    records: tuple[Record, ...] = ()
    total: int | None = None  # matches in all, as the answer says
    exact: bool = True  # not when it says about, or more than
    limit: int = 0  # the most that is shown for one query, as far as it says
    more: bool = False  # whether there is a further page
    next: Request | None = None  # the request for it, where only the answer tells
    requests: int = 1  # what it cost
    failure: Failure | None = None
    trouble: str = ""  # why this is no answer though a page came: a captcha, a login, an error page


@dataclass(frozen=True, slots=True)
class SeenOnSite:
    """What a search has seen of a site, and need not be told again; who reads a page looks at it and changes nothing.

    Most links and forms of a page stood on the page before it: a menu, a search box. To describe
    them again would be more than half of the work of reading a page.
    """

    links: Container[str] = ()  # addresses that were met
    form_keys: Container[int] = ()  # forms and scripts that were read, by their markup
    signatures: Container[str] = ()  # of the doors that were found
    pages: int = 0  # that were read
    layout: bool = False  # whether the strategy wants to know how links stand on the page


@dataclass(frozen=True, slots=True)
class Visit:
    """One link followed: the page and its doors, or why there is none."""

    link: Link
    page: Page | None = None
    failure: Failure | None = None
    doors: tuple[Door, ...] = ()
    status: int = 0
    digest: str = ""  # of the body
    moved: str = ""  # the address that the link redirects to, on this site or another
    seconds: float = 0.0  # when, since the epoch
    unrendered: str = ""  # why the page is as it came, though a browser would see more and was asked to
    why: str = ""  # why the link was followed
    signatures: frozenset[str] = frozenset()  # that the forms of the page go by
    topic: float | None = None  # how likely the page is on the topic of the crawl; None where it has none

    @property
    def left_site(self) -> bool:
        """Whether the link leads to another site: nothing was fetched from there."""
        return bool(self.moved) and 300 <= self.status < 400


class Mention(NamedTuple):
    """Another site, as a page names it."""

    site: str  # scheme, host and port
    url: str = ""  # where the link leads
    page: str = ""  # that it stands on
    text: str = ""  # of the link
    nearby: str = ""  # words around it
    links: int = 0  # that the page has
    topic: float | None = None  # how likely that page is on the topic of the crawl
    forms: int = 0  # wanted query forms on that page
    of_topic: float | None = None  # how likely the site of that page is on the topic, as far as it was searched
    of_forms: int = 0  # wanted query forms that it has


class KnownSite(NamedTuple):
    """A site of which no page was read: what others say of it."""

    site: str
    mentions: tuple[Mention, ...] = ()
    inlinks: int = 0  # sites that link to it
    way: str = ""  # how it was met, where that is no link


class SiteRank(NamedTuple):
    """What a crawl on a topic expects of a site that waits."""

    site: str
    worth: float
    queue: int = 0  # the lowest first
    way: str = ""  # how it was met
    why: str = ""
    likely: float | None = None  # how likely it is on the topic


@dataclass(frozen=True, slots=True)
class Skip:
    """An address that was not fetched, and why."""

    url: str
    reason: SkipReason
    detail: str = ""  # what the strategy says of this one


@dataclass(frozen=True, slots=True)
class Earlier:
    """What a site's search brought before it was interrupted, or in earlier rounds, to go on from."""

    fetched: frozenset[str] = frozenset()  # addresses
    signatures: frozenset[str] = frozenset()  # of its doors
    forms: int = 0  # query forms among them
    left: tuple[LinkChoice, ...] = ()  # links that wait
    pages: int = 0  # that were fetched
    memory: bytes = b""  # what the search wrote down for itself
    answered: bool = False  # whether a page of the site came
    unchosen: tuple[Link, ...] = ()  # links that were shown and that the guide did not choose; out of the memory
    guide: Mapping[str, Any] = field(default_factory=dict)  # what the guide wrote down; out of the memory


class LinkCluster(NamedTuple):
    """Links of a site whose addresses have one shape: what a search left of them, and what it knows of the others."""

    links: int  # that were left
    pages: int  # that were read
    promise: float  # query forms expected of the best of the links
    drawn: float = 0.0  # query forms promised by those that were drawn at random and read


class LeftBehind(NamedTuple):
    """What searches left: query forms expected behind their links, and what those drawn at random from them gave."""

    expected: float = 0.0
    pages: int = 0  # behind links drawn at random
    drawn_expected: float = 0.0  # query forms expected on them
    drawn_forms: int = 0  # that were there
    squares: float = 0.0  # sum over sites of the square of what is expected there


@dataclass(frozen=True, slots=True)
class SiteSearch:
    """All that the search of one site gave: committed whole or not at all."""

    site: Site
    strategy: str = ""
    visits: tuple[Visit, ...] = ()
    doors: tuple[Door, ...] = ()
    neighbours: tuple[str, ...] = ()  # other sites it links to
    skipped: tuple[Skip, ...] = ()  # examples, bounded per reason
    skip_counts: tuple[tuple[SkipReason, int], ...] = ()  # every one, by reason
    stopped: StopReason | None = None  # what ended the search before everything was done, if anything did
    finished: bool = True  # False when the run was stopped: the search goes on in the next
    error: str = ""  # why the site as a whole gave nothing
    error_kind: str = ""  # the words under which such errors are counted together
    moved_to: str = ""  # the site that all of it redirects to
    left: tuple[LinkChoice, ...] = ()  # links for the next round, or for when an interrupted search goes on
    why_stopped: str = ""  # the numbers by which the strategy left the site
    left_behind: LeftBehind | None = None  # what the links that were left may lead to; None when nobody looked
    drawn: tuple[
        tuple[str, float], ...
    ] = ()  # addresses of such links that were drawn at random, with their probability
    round: int = 0  # depth that the next round goes to; FIRST_ROUND for the rest of the first
    memory: bytes = b""  # what the search has to know then
    under_way: bool = False  # it goes on in this process: only what it gave so far is kept
    clusters: tuple[LinkCluster, ...] = ()  # the links that were left, by the shape of their addresses
    mentions: tuple[Mention, ...] = ()  # of neighbours, by the first page that links to each
    topic: float | None = None  # how likely the site is on the topic of the crawl
    relevant: int = 0  # query forms on it
    worth: float | None = None  # what its next page promises, where a crawl on a topic left it for a better one


@dataclass(frozen=True, slots=True)
class Seed:
    """A place to start from: a site, and the pages in it that were named."""

    site: Site
    entrance: str
    rank: int = 0
    round: int = 0  # 0 when its search has not begun; else as in SiteSearch
    also: tuple[str, ...] = ()  # further pages in it that were named

    @property
    def entrances(self) -> tuple[str, ...]:
        """The pages that are read whatever a strategy prefers, each once: the root, then those that were named."""
        return tuple(dict.fromkeys((self.site.root, self.entrance, *self.also)))


@dataclass(slots=True)
class Tally:
    """What a run has counted so far. Counts only: exact, never inferred."""

    sites: int = 0
    failed: int = 0
    pages: int = 0
    forms: int = 0
    kinds: dict[str, int] = field(default_factory=dict)
    errors: dict[str, int] = field(default_factory=dict)
    skipped: dict[str, int] = field(default_factory=dict)
    finder_pages: int = 0  # of the pages, those that the Site Finder fetched
    sites_found: int = 0  # that the Site Finder was the first to find

    @property
    def harvest(self) -> float:
        """Query forms per page crawled (paper 1, Eq. 1)."""
        return self.forms / self.pages if self.pages else 0.0
