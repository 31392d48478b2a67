"""The cheapest way to list everything: larger pages, exports, services, lists beside the search, each tried with a request.

Before a database is asked page by page, it is looked at what its site offers. A way counts only when it shows what the form
shows, and more of it for a request; the one that needs the fewest requests is taken and kept with its reason.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from html import unescape
from math import ceil, inf
from typing import Any, Final
from urllib.parse import parse_qsl, urljoin, urlsplit

from dowse.fetch.cookies import WITHOUT_COOKIES
from dowse.frontier.traps import view_of
from dowse.harvester.loop import key_of
from dowse.harvester.presets import asks_for_any, is_token
from dowse.model import Answer, Door, Link, Page, Query, Record, Request, Value
from dowse.records.paging import counts_pages, read_direction
from dowse.records.service import set_parameter
from dowse.url import same_site
from dowse.words.lookup import concepts_of, expression, parts_of, whole_text

MAX_LISTING_TRIALS: Final = 6  # requests to find a cheaper way
MIN_PAGES_TO_SHORTEN: Final = 3  # pages that are left: for fewer no request is spent on other ways
WANTED_PAGE_SIZE: Final = 1_000  # records on a page that a parameter without choices is tried with
MIN_SAVING: Final = (
    1.0  # requests that a trial must be likely to save, beside its own: how likely it works is known roughly
)
SERVICE_PAGE_SIZE: Final = 100  # records that a service for harvesters gives at once, as most are set
MAX_OFFERED_SIZE: Final = 10_000  # a larger number in an address is no size of a page
MIN_OFFERED_SIZE: Final = 5
MIN_SIZE_LINKS: Final = 2  # that offer sizes of a page, the one that is shown among them
MIN_GROWTH: Final = 1.5  # times the records of a page that a larger one must show
MIN_CONTAINED_SHARE: Final = 0.8  # of the records of the usual page that another way must show as well
MIN_TELLING_CHARS: Final = 6  # of a value that tells which record is meant; shorter ones stand in many
MAX_SOURCE_CHARS: Final = 300_000  # of a page in which links to other formats are looked for
MAX_SCRIPT_ADDRESSES: Final = 20  # of data, in the scripts of a page
MAX_API_LISTS: Final = 1  # below the API of a site
MAX_SEVERAL_LISTS: Final = 40  # lists that hold the records together
MIN_BROWSING_LISTS: Final = 3  # letters or kinds that are linked
MAX_BROWSING_PARAMETERS: Final = 5  # of their addresses
MIN_BROWSED: Final = 2  # known records that the first of these lists shows
MAX_VIEWS: Final = 3  # links to the list with a choice that the form does not send that are tried, a request each
MAX_LINK_CHARS: Final = 40  # of the words of a link that are told
SEEN_BY: Final = "(seen by)"  # what queries call a link beside the form; no attribute of a record
MAX_LISTS: Final = 4  # lists beside the search that are looked at

# names of parameters that say how many records stand on a page, without signs
_SIZE_NAME: Final = re.compile(
    r"(?i)(?:\w{0,20}per_?page|\w{0,20}page_?size|page_?len(?:gth)?|\w{0,20}limit|rows|size|\w{0,20}count|num|nb|max|maxresults|results|hits|items|show|"
    r"display|epp|ipp|rpp|hpp|ps|length|anzahl|nbr|number)"
)
# what frameworks call it most often; a server ignores the names that it does not know
GUESSED_SIZE_NAMES: Final = ("per_page", "page_size", "limit", "rows", "size")
# How often each kind of way worked on the programs of bench/realweb that offer it: a trial costs a request, and saves what it is worth that often.
OFFERED_LIKELIHOOD: Final = (
    0.9  # a size of pages that the site offers itself: 3 of 3, and one whose cookie is for another host
)
NAMED_LIKELIHOOD: Final = 0.5  # a larger size than is offered, for a parameter that the site names: 3 of 5
GUESSED_LIKELIHOOD: Final = 0.1  # a parameter that no page names: 2 of 14
DATA_LIKELIHOOD: Final = 0.5  # a link that says CSV, JSON, XML or export: 1 of 1
FEED_LIKELIHOOD: Final = 0.05  # a feed: 0 of 2 had more than the latest
SERVICE_LIKELIHOOD: Final = 0.9  # a protocol for harvesting; no program there has one, by its purpose
API_LIKELIHOOD: Final = 0.4  # what the form searches, below the site's API: 1 of 1
# the relation by which a page of WordPress declares its API, and the most that one page of it shows (REST API handbook)
WORDPRESS_API: Final = "https://api.w.org/"
WORDPRESS_PAGE_SIZE: Final = 100
SCRIPT_LIKELIHOOD: Final = 0.2  # an address in a script of the page: 0 of 1
_FORMATS: Final = re.compile(r"(?i)(?<![a-z])(csv|tsv|json|jsonl|xml|rdf|atom|rss|export|download|oai)(?![a-z])")
_DATA_FORMATS: Final = re.compile(r"(?i)(?<![a-z])(csv|tsv|json|jsonl|xml|export)(?![a-z])")
_ALTERNATE: Final = re.compile(r"(?is)<link\b[^>]{0,500}>")
_ATTRIBUTE: Final = re.compile(r"(?is)\b(rel|href|type)\s{0,3}=\s{0,3}[\"']([^\"']{1,2000})[\"']")
_SPACE: Final = re.compile(r"\s+")
# an address in a script or a data- attribute that says that data comes from there; nothing that a script fills in first
_DATA_ADDRESS: Final = re.compile(
    r"""(?i)["']((?:https?:)?/[^"'\s<>{}$]{0,200}?(?<![a-z])(?:api|rest|ajax|json|data)(?![a-z])[^"'\s<>{}$]{0,200})["']"""
)
_BRACKETS: Final = re.compile(r"\s?[(\[]\s?[\d.,]{1,12}\s?[)\]]")  # how many a kind has: Botany (45)
_STATIC_FILE: Final = re.compile(r"(?i)\.(?:js|css|map|png|svg|gif|jpe?g|ico|woff2?|webmanifest)(?:\?|$)")
_LANGUAGE_NAME: Final = re.compile(r"(?i)(?:\w{0,20}_)?lang\w{0,10}|locale|hl|l10n")
_DEFAULT_FILE: Final = re.compile(r"(?i)\A(?:index|default)\.\w{2,5}\Z")
_API_LINK: Final = re.compile(r"(?i)(?<![a-z])(?:api|rest)(?![a-z])")


@dataclass(frozen=True, slots=True)
class Listing:
    """How everything is listed: by which address, with which parameters, and why so."""

    reason: str
    url: str = ""  # of its first page; nothing where the form is asked
    then: tuple[str, ...] = ()  # first pages of further lists, where the records stand in several
    parameters: tuple[tuple[str, str], ...] = ()  # sent with every query
    own_layout: bool = False  # its pages are not written as the answers of the form are
    own_values: bool = (
        False  # its records have other attributes than those of answers: they are compared by their values
    )
    setup: str = ""  # an address that is requested first: the site remembers the size of a page in a cookie
    named_by: str = ""  # the attribute of answers whose values name records, in the list as well
    likelihood: float = OFFERED_LIKELIHOOD  # that it works, before it was tried
    size: int = 0  # records that a page of it is to show; 0 for all
    only: str = ""  # what all of its records have, where others may not be listed
    own_count: bool = False  # it counts itself: what it leaves out of what the search finds, nobody knows

    def to_dict(self) -> dict[str, Any]:
        """Return it as plain data."""
        return {
            "reason": self.reason,
            "url": self.url,
            "then": list(self.then),
            "parameters": [list(pair) for pair in self.parameters],
            "own_layout": self.own_layout,
            "own_values": self.own_values,
            "setup": self.setup,
            "named_by": self.named_by,
            "only": self.only,
            "own_count": self.own_count,
        }

    @staticmethod
    def from_dict(plain: dict[str, Any]) -> Listing:
        """Read it from plain data."""
        parameters = tuple((name, value) for name, value in plain.get("parameters", ()))
        layout, values = plain.get("own_layout", False), plain.get("own_values", False)
        then, setup = tuple(plain.get("then", ())), plain.get("setup", "")
        named_by = plain.get("named_by", "")
        read = Listing(plain["reason"], plain.get("url", ""), then, parameters, layout, values, setup, named_by)
        return replace(read, only=plain.get("only", ""), own_count=plain.get("own_count", False))

    def expected_saving(self, pages: float, shown: int) -> float:
        """Return how many requests a trial is likely to save, its own paid, where so many pages of so many records are left."""
        after = max(1.0, pages * shown / self.size) if self.size else 1.0 + len(self.then)
        return self.likelihood * (pages - after) - 1


def rank_ways(listings: Iterable[Listing], pages: float, shown: int) -> list[Listing]:
    """Return the ways that are worth a trial, those that save the most requests first."""
    worth = [each for each in listings if each.expected_saving(pages, shown) >= MIN_SAVING]
    return sorted(worth, key=lambda each: -each.expected_saving(pages, shown))


# -- larger pages: a parameter that says how many records stand on one


def find_page_sizes(page: Page, url: str, shown: int, door: Door) -> list[Listing]:
    """Return parameters that may make pages larger, those with choices first: from links, addresses and controls of the form."""
    offered: dict[str, set[int]] = {}
    here = urlsplit(url)
    places = [there for link in page.links if (there := urlsplit(link.url)).path.rstrip("/") == here.path.rstrip("/")]
    for there in (here, *places):
        for name, size in _read_sizes(there.query) if there.netloc == here.netloc else ():
            offered.setdefault(name, set()).add(size)
    for name, size in _read_controls(door, shown):
        offered.setdefault(name, set()).add(size)
    found = []
    for name, size in _read_choices(door):
        if size > shown:
            reason = f"its control {name!r} offers pages of {size}"
            found.append(Listing(reason, parameters=((name, str(size)),), size=size))
        offered.setdefault(name, set()).add(size)
    for name, sizes in sorted(offered.items(), key=lambda each: -len(each[1])):
        if len(sizes) > 1 and max(sizes) > shown:
            reason, pair = f"its links offer pages of {max(sizes):,}", (name, str(max(sizes)))
            found.append(Listing(reason, parameters=(pair,), size=max(sizes)))
        reason, pair = f"{name}={WANTED_PAGE_SIZE} makes its pages larger", (name, str(WANTED_PAGE_SIZE))
        found.append(Listing(reason, parameters=(pair,), likelihood=NAMED_LIKELIHOOD, size=WANTED_PAGE_SIZE))
    return [*found, *_find_setups(page, shown)]


def _find_setups(page: Page, shown: int) -> Iterator[Listing]:
    """Yield addresses that make the site show larger pages from then on: links "20 50 100" that lead to no list themselves."""
    here = urlsplit(page.url).path.rstrip("/")
    offered: dict[tuple[str, str], dict[int, str]] = {}
    for link in page.links:
        there = urlsplit(link.url)
        said = " ".join(link.text.split())
        for name, size in _read_sizes(there.query) if there.path.rstrip("/") != here else ():
            if said == str(size) and same_site(link.url, page.url):
                offered.setdefault((there.path, name), {})[size] = link.url
    for (_, name), sizes in offered.items():
        size = max(sizes)
        if len(sizes) < MIN_SIZE_LINKS or shown not in sizes:
            continue
        wanted = set_parameter(Request(sizes[size]), name, str(WANTED_PAGE_SIZE)).url
        if size > shown:
            yield Listing(f"its links offer pages of {size:,}", setup=sizes[size], size=size)
        reason = f"its links set the size of pages, to {WANTED_PAGE_SIZE:,} as well"
        yield Listing(reason, setup=wanted, likelihood=NAMED_LIKELIHOOD, size=WANTED_PAGE_SIZE)


def _read_controls(door: Door, shown: int) -> Iterator[tuple[str, int]]:
    """Yield controls of a form in which a number says how many records stand on a page; lists of choices are known already."""
    controls = {name for control in door.controls if control.role == "paging" for name in control.fields}
    for one in door.form.fields:
        size = int(one.value) if one.value.isdecimal() and len(one.value) <= 5 else 0
        is_size = one.name in controls or _SIZE_NAME.fullmatch(one.name) or size == shown
        if MIN_OFFERED_SIZE <= size <= MAX_OFFERED_SIZE and is_size and one.name and not one.options:
            yield one.name, size


def _read_choices(door: Door) -> Iterator[tuple[str, int]]:
    """Yield lists of choices by their names that can only be sizes of a page, with the largest."""
    for one in door.form.fields:
        sizes = [int(each.value) for each in one.options if each.value.isdecimal() and len(each.value) <= 4]
        if len(sizes) >= 2 and len(sizes) == len(one.options) and _SIZE_NAME.fullmatch(one.name):
            yield one.name, max(sizes)


def guess_page_size() -> Listing:
    """Return the usual names of the parameter, all in one request."""
    pairs = tuple((name, str(WANTED_PAGE_SIZE)) for name in GUESSED_SIZE_NAMES)
    reason = "a usual parameter for the size of a page makes its pages larger"
    return Listing(reason, parameters=pairs, likelihood=GUESSED_LIKELIHOOD, size=WANTED_PAGE_SIZE)


def _read_sizes(query: str) -> Iterator[tuple[str, int]]:
    for name, value in parse_qsl(query, max_num_fields=None)[:50] if query.count("&") < 50 else []:
        if value.isdecimal() and MIN_OFFERED_SIZE <= int(value[:9]) <= MAX_OFFERED_SIZE and _SIZE_NAME.fullmatch(name):
            yield name, int(value)


# -- the same list in another format, or on a page beside the search


def find_exports(pages: Iterable[tuple[Page, str]], protocols: Iterable[Door] = ()) -> list[Listing]:
    """Return addresses that may have the same records as data: exports, other formats, OAI-PMH and SRU; the likeliest first."""
    found: dict[str, Listing] = {}
    for door in protocols:
        url = _protocol_address(door)
        if url:
            reason = f"the site has an {door.form.made.upper()} service"
            found[url] = Listing(
                reason, url, own_layout=True, own_values=True, likelihood=SERVICE_LIKELIHOOD, size=SERVICE_PAGE_SIZE
            )
    for page, source in pages:
        found |= {each.url: each for each in _find_declared_apis(source, page.url)}
        for url, reason in _find_script_addresses(page, source):
            if same_site(url, page.url) and not _changes_something(urlsplit(url).path):
                found.setdefault(
                    url, Listing(reason, url, own_layout=True, own_values=True, likelihood=SCRIPT_LIKELIHOOD)
                )
        linked = [(link.url, link.text) for link in page.links] + _find_alternates(source, page.url)
        for url, text in linked:
            said = f"{urlsplit(url).path} {urlsplit(url).query} {text}"
            name = _FORMATS.search(said)
            if name and same_site(url, page.url) and not _changes_something(said):
                likelihood = DATA_LIKELIHOOD if _DATA_FORMATS.search(said) else FEED_LIKELIHOOD
                reason = f"the site offers the same list as {name[1].lower()}"
                listing = Listing(reason, url, own_layout=True, own_values=True, likelihood=likelihood)
                found.setdefault(url, listing)
    return sorted(found.values(), key=lambda each: -each.likelihood)


def _find_alternates(source: str, base: str) -> list[tuple[str, str]]:
    """Return what the head of a page declares as the same in another format."""
    return [
        (urljoin(base, said["href"]), said.get("type", ""))
        for said in _read_head_links(source)
        if "alternate" in said.get("rel", "").lower().split() and "href" in said
    ]


def _read_head_links(source: str) -> Iterator[dict[str, str]]:
    """Yield the attributes of what the head of a page links to."""
    for tag in _ALTERNATE.findall(source[:MAX_SOURCE_CHARS]):
        yield {name.lower(): unescape(value) for name, value in _ATTRIBUTE.findall(tag)}


def _find_declared_apis(source: str, base: str) -> Iterator[Listing]:
    """Yield where the API of a WordPress site, which its pages declare, lists its posts."""
    for said in _read_head_links(source):
        root = urljoin(base, said.get("href", ""))
        if said.get("rel") == WORDPRESS_API and same_site(root, base):
            sign = "&" if "?" in root else "?"
            url = f"{root}wp/v2/posts{sign}per_page={WORDPRESS_PAGE_SIZE}"
            yield Listing(
                "the API of the site lists its posts", url, own_layout=True, own_values=True,
                likelihood=API_LIKELIHOOD, size=WORDPRESS_PAGE_SIZE,
            )  # fmt: skip


def _find_script_addresses(page: Page, source: str) -> Iterator[tuple[str, str]]:
    """Yield addresses of data that the page's own scripts ask for: those that a browser saw, and those that are written there."""
    for call in page.calls:
        if call.method == "GET" and call.status < 400:
            yield call.url, "the page's own script asks for it"
    linked = {link.url.rstrip("/") for link in page.links} | {page.url.rstrip("/")}
    for address in _DATA_ADDRESS.findall(source[:MAX_SOURCE_CHARS])[:MAX_SCRIPT_ADDRESSES]:
        url = urljoin(page.url, unescape(address.replace("\\/", "/")))
        if not _STATIC_FILE.search(url) and url.rstrip("/") not in linked:
            yield url, "an address of data stands in the page"


def find_api_lists(page: Page, door: Door, records: Sequence[Record]) -> list[Listing]:
    """Return where the site's API, which the page links to, would list what the form searches: /api and /projects/search are /api/projects."""
    roots = {
        link.url.partition("?")[0].rstrip("/")
        for link in page.links
        if _API_LINK.search(urlsplit(link.url).path.rstrip("/").rpartition("/")[2]) and same_site(link.url, page.url)
    }
    path = urlsplit(door.form.action).path
    names = [
        part for part in path.split("/") if part and not any("search" in concepts_of(word) for word in parts_of(part))
    ]
    # the part of the address that is in those of records as well, where there is one: /projects/updates lists /project/17
    own = {part.rstrip("s") for record in records for part in urlsplit(record.url).path.split("/")}
    names.sort(key=lambda name: name.rstrip("s") in own)
    reason = "the site's API lists them"
    return [
        Listing(reason, f"{root}/{names[-1]}/", own_layout=True, own_values=True, likelihood=API_LIKELIHOOD)
        for root in sorted(roots)
        if names
    ][:MAX_API_LISTS]


def _protocol_address(door: Door) -> str:
    """Return the address that lists everything by a protocol for harvesting."""
    action = door.form.action.partition("?")[0]
    if door.form.made == "oai-pmh":
        return f"{action}?verb=ListRecords&metadataPrefix=oai_dc"
    if door.form.made == "sru":
        return (
            f"{action}?operation=searchRetrieve&version=1.2&query=cql.allRecords%3D1&maximumRecords={SERVICE_PAGE_SIZE}"
        )
    return ""


def _changes_something(said: str) -> bool:
    return any({"destroy", "upload", "login", "register", "order"} & set(concepts_of(word)) for word in parts_of(said))


def find_lists(page: Page, records: Sequence[Record]) -> list[Listing]:
    """Return pages that may list everything beside the search: above the addresses of records, or called all, the likeliest first."""
    folders = Counter(folder for record in records if record.url for folder in _folders(record.url))
    common = [folder for folder, count in folders.items() if count >= MIN_CONTAINED_SHARE * len(records)]
    above = max(common, key=len, default="")
    several = _find_several(page, records)
    if several is not None and above not in several.then and above != several.url:
        return [several]
    own = {record.url for record in records}
    found: dict[str, tuple[int, Listing]] = {}
    for link in page.links:
        rank = _rank_list(link, above)
        is_able = link.url not in own and same_site(link.url, page.url) and not _changes_something(link.url)
        if rank is not None and is_able:
            name = " ".join(link.text.split())[:40] or urlsplit(link.url).path
            found.setdefault(
                link.url, (rank, Listing(f"the site lists them under {name!r}", link.url, own_layout=True))
            )
    if above and urlsplit(above).path != "/" and above not in found:
        path = urlsplit(above).path
        found[above] = (1, Listing(f"the site lists them under {path!r}", above, own_layout=True))
    ranked = [listing for _, listing in sorted(found.values(), key=lambda each: each[0])]
    browsed = _find_browsing(page, records)
    if browsed is None:
        return ranked[:MAX_LISTS]
    parts = {browsed.url, *browsed.then}  # one of them alone is not everything
    return [browsed, *[each for each in ranked if each.url not in parts][:MAX_LISTS]]


def _find_browsing(page: Page, records: Sequence[Record]) -> Listing | None:
    """Return lists by letter, or by a kind of records: links that differ in one parameter or the end of their path, called by what records show."""
    groups: dict[tuple[str, str], dict[str, str]] = {}
    for link in page.links:
        there, name = urlsplit(link.url), _BRACKETS.sub("", " ".join(link.text.split())).strip()
        pairs = (
            parse_qsl(there.query)[:MAX_BROWSING_PARAMETERS] if there.query.count("&") < MAX_BROWSING_PARAMETERS else []
        )
        shape = (
            f"{there.path}?{'&'.join(sorted(key for key, _ in pairs))}"
            if pairs
            else there.path.rstrip("/").rpartition("/")[0]
        )
        if name and same_site(link.url, page.url):
            groups.setdefault((link.path, shape), {}).setdefault(name, link.url)
    best: tuple[int, str, dict[str, str]] = (0, "", {})
    for links in groups.values():
        if MIN_BROWSING_LISTS <= len(links) <= MAX_SEVERAL_LISTS:
            fitting = Counter(name for name in links for record in records if _is_called(record, name))
            count = fitting.total() if len(fitting) > 1 else 0  # one name alone may stand in records by chance
            best = max(best, (count, fitting.most_common(1)[0][0] if count else "", links), key=lambda each: each[0])
    count, first, links = best
    if not count or count < MIN_CONTAINED_SHARE * len(records):
        return None
    others = tuple(url for name, url in links.items() if name != first)
    names = ", ".join([first, *(name for name in links if name != first)][:3])
    return Listing(f"the site lists them by {names}", links[first], others, own_layout=True)


def _is_called(record: Record, name: str) -> bool:
    """Return True if a record begins with a letter, or has a value."""
    if len(name) == 1:
        return bool(record.values) and record.values[0].text[:1].casefold() == name.casefold()
    return any(text.casefold() == name.casefold() for _, text in record.values)


def _find_several(page: Page, records: Sequence[Record]) -> Listing | None:
    """Return the lists that records stand under, where a few folders hold nearly all of them: years, letters, kinds."""
    linked = {link.url.rstrip("/"): link.url for link in page.links if urlsplit(link.url).path.strip("/")}
    counts = Counter(filter(None, [_find_folder(record.url, linked) for record in records]))
    if not 2 <= len(counts) <= MAX_SEVERAL_LISTS or counts.total() < MIN_CONTAINED_SHARE * len(records):
        return None
    # beside them, links that stand where theirs do: a year without a record among those that were seen
    places = {link.path for link in page.links if link.url in counts}
    depth = urlsplit(max(counts)).path.count("/")
    beside = [
        link.url
        for link in page.links
        if link.path in places and urlsplit(link.url).path.count("/") == depth and same_site(link.url, page.url)
    ]
    first, *others = dict.fromkeys([each for each, _ in counts.most_common()] + beside)
    names = ", ".join(urlsplit(url).path for url in [first, *others[:2]])
    return Listing(f"the site lists them under {names}", first, tuple(others[:MAX_SEVERAL_LISTS]), own_layout=True)


def _find_folder(url: str, linked: dict[str, str]) -> str:
    """Return the nearest address above a record that the page links to, else the one right above it."""
    above = [each for each in _folders(url) if urlsplit(each).path.strip("/")]
    return next((linked[each.rstrip("/")] for each in above if each.rstrip("/") in linked), above[0] if above else "")


def _rank_list(link: Link, above: str) -> int | None:
    """Return how likely a link leads to a list of everything, the least first; None where nothing says so."""
    said = " ".join(link.text.split()).lower()
    if above and link.url.rstrip("/") == above.rstrip("/"):
        return 0
    if whole_text("all").match(said) or expression("all of", r"(?:...)\b").match(said):
        return 1
    name = _DEFAULT_FILE.sub("", urlsplit(link.url).path.rpartition("/")[2])  # index.php is no index
    words = parts_of(f"{said} {name}")
    return 2 if any({"browse", "catalogue"} & set(concepts_of(word)) for word in words) else None


def _folders(url: str) -> Iterator[str]:
    """Yield the addresses above an address, the nearest first."""
    parts = urlsplit(url)
    if parts.query:
        return
    path = parts.path.rstrip("/")
    while "/" in path:
        path = path.rpartition("/")[0]
        yield f"{parts.scheme}://{parts.netloc}{path}/"


# -- views: links to the list with a choice that the form does not send


@dataclass(frozen=True, slots=True)
class ListView:
    """A link beside the form to its list with a choice that the form does not send, and what its first page showed."""

    name: str  # the words of the link
    url: str
    sets: tuple[str, str]  # the parameter, and its value
    keys: tuple[
        str, ...
    ] = ()  # of the records on its first page; none where they have other addresses than the same ones in the form
    total: int = 0
    is_alike: bool | None = None  # its records are of the kind that the form lists; None where it was not tried

    @staticmethod
    def from_dict(plain: dict[str, Any]) -> ListView:
        """Read it from plain data."""
        return ListView(**{**plain, "sets": tuple(plain["sets"]), "keys": tuple(plain["keys"])})

    @property
    def is_free(self) -> bool:
        """Return True if it is called all, or asks for any."""
        return asks_for_any(self.sets[1], self.name)

    @property
    def query(self) -> Query:
        """What the harvest calls it among its queries."""
        return Query((Value(SEEN_BY, self.name),))

    @property
    def request(self) -> Request:
        """Return the request for its first page; it knows nothing of the session, which may keep another choice."""
        return Request(self.url, headers=(WITHOUT_COOKIES,))

    def is_in(self, url: str) -> bool:
        """Return True if an address has the choice."""
        return self.sets in _pairs_of(url)

    def carry(self, following: Request) -> Request:
        """Return the request for a further page with the choice, where the site would keep that in a cookie."""
        asked = (
            following
            if self.is_in(following.url) or following.method != "GET"
            else set_parameter(following, *self.sets)
        )
        return replace(asked, headers=(*(each for each in asked.headers if each != WITHOUT_COOKIES), WITHOUT_COOKIES))


def find_views(pages: Sequence[Page], door: Door, records: Sequence[Record]) -> list[ListView]:
    """Return links to the page of the form, or of its answers, that set one parameter which the form does not send.

    Those that are called all come first, then the first and the last other value of each parameter, then their kin. Sorting,
    paging, sizes, languages and layouts are none.
    """
    places = {_place_of(url) for url in (door.page, door.form.action, *(page.url for page in pages))}
    own = {name for record in records if _place_of(record.url) in places for name, _ in _pairs_of(record.url)}
    groups: dict[str, dict[str, ListView]] = {}
    names: set[str] = set()
    for link in [link for page in pages for link in page.links if _place_of(link.url) in places]:
        name, value = _read_view(link, door)
        if name and name not in own and value not in groups.get(name, {}):
            words = " ".join(link.text.split())[:MAX_LINK_CHARS]
            words = words if words and words not in names else link.url
            names.add(words)
            groups.setdefault(name, {})[value] = ListView(words, link.url, (name, value))
    free: list[ListView] = []
    ends: list[ListView] = []
    others: list[ListView] = []
    for views in groups.values():
        rest = [view for view in views.values() if not view.is_free]
        chosen = rest if len(rest) < MAX_VIEWS else [rest[0], rest[-1]]
        free += [view for view in views.values() if view.is_free]
        ends += chosen
        others += [view for view in rest if view not in chosen]
    return [*free, *ends, *others][:MAX_SEVERAL_LISTS]


def _read_view(link: Link, door: Door) -> tuple[str, str]:
    """Return the parameter that a link sets beside those of a form and its value, or nothing where it asks for something else."""
    sent = {field.name: field.value for field in door.form.fields}
    pairs = _pairs_of(link.url)
    fresh = [(name, value) for name, value in pairs if name not in sent and not is_token(name, value)]
    is_asked = any(value not in ("", sent[name]) for name, value in pairs if name in sent)
    is_other = (
        view_of(link.url)[0]
        or read_direction(link.text)
        or _changes_something(" ".join([link.text, *[value for _, value in fresh]]))
    )
    if len(fresh) != 1 or is_asked or is_other or _is_arranging(*fresh[0]):
        return "", ""
    return fresh[0]


def _is_arranging(name: str, value: str) -> bool:
    """Return True if a parameter says where a list goes on, how long its pages are, how it is sorted, or in which language."""
    is_number = value.isdecimal() and (counts_pages(name) or _SIZE_NAME.fullmatch(name) is not None)
    is_sorting = any("sort" in concepts_of(word) for word in parts_of(name))
    return not value.strip() or is_number or is_sorting or _LANGUAGE_NAME.fullmatch(name) is not None


def _place_of(url: str) -> tuple[str, str, str]:
    parts = urlsplit(url)
    return parts.scheme, parts.netloc, parts.path.rstrip("/")


def _pairs_of(url: str) -> list[tuple[str, str]]:
    query = urlsplit(url).query
    return parse_qsl(query, keep_blank_values=True) if query.count("&") < MAX_BROWSING_PARAMETERS else []


def find_unsent(address: str, door: Door) -> list[str]:
    """Return the parameters of an address, with their values, that are in no field of the form found there: it sends them no further."""
    names = {field.name for field in door.form.fields}
    kept = _pairs_of(door.form.action) if door.form.method == "POST" else []
    return [
        f"{name}={value}"
        for name, value in _pairs_of(address)
        if value and name not in names and (name, value) not in kept and not is_token(name, value)
    ]


# -- whether a way shows what the form shows, and how many requests it needs


@dataclass(slots=True)
class ValueIndex:
    """Finds the record of a list that is meant by a record of an answer whose attributes have other names."""

    records: list[Record] = field(default_factory=list)
    having: dict[str, list[int]] = field(default_factory=dict)  # a value in small letters -> numbers of records

    def add(self, records: Iterable[Record]) -> None:
        """Add records of the list."""
        for record in records:
            for text in {_plain(text) for _, text in record.values}:
                self.having.setdefault(text, []).append(len(self.records))
            self.records.append(record)

    def find(self, record: Record, named_by: str = "") -> Record | None:
        """Return the record of the list that has the address of a record, else most of its values, its name among them; None where none has.

        Without an attribute that names records, one value that tells must be among them.
        """
        addressed = self.having.get(_plain(record.url), ()) if record.url else ()
        if len(addressed) == 1:
            return self.records[addressed[0]]
        texts = {_plain(text) for _, text in record.values}
        votes: Counter[int] = Counter()
        for text in texts:
            numbers = self.having.get(text, ())
            votes.update(dict.fromkeys(numbers, 1) if len(numbers) <= 1_000 else {})
        names = {_plain(text) for name, text in record.values if name == named_by}
        names = names or {text for text in texts if len(text) >= MIN_TELLING_CHARS}
        telling = {number for text in names for number in self.having.get(text, ())}
        best = max((number for number in votes if number in telling), key=votes.__getitem__, default=None)
        return None if best is None else self.records[best]


def find_naming(usual: Sequence[Record], listed: Sequence[Record]) -> str:
    """Return the attribute of usual records that has the most different values, nearly all of them in the list; nothing where none has."""
    index = ValueIndex()
    index.add(listed)
    found: dict[str, list[str]] = {}
    for record in usual:
        for name, text in record.values:
            found.setdefault(name, []).append(_plain(text))
    shared = {name: set(texts) for name, texts in found.items() if sum(text in index.having for text in texts) >= MIN_CONTAINED_SHARE * len(texts)}  # fmt: skip
    return max(shared, key=lambda name: (len(shared[name]), max(map(len, shared[name]))), default="")


def _plain(text: str) -> str:
    """Return a text as it is compared: data may have signs as HTML writes them (`&#8217;`)."""
    return _SPACE.sub(" ", unescape(text)).strip().casefold()


def judge_listing(usual: Answer, tried: Answer, listing: Listing) -> float:
    """Return how many requests a way is likely to need, infinity where it does not show what the usual one shows."""
    if not tried.records or tried.failure or tried.trouble:
        return inf
    if listing.then and not any(each.url.startswith(listing.url) for each in usual.records):  # by letter, or by kind
        shown = _count_contained(usual.records, tried.records, listing)
        return inf if shown < MIN_BROWSED else count_pages(tried, tried.total) + len(listing.then)  # fmt: skip
    if listing.then:  # the first of several lists
        usual = replace(usual, records=tuple([each for each in usual.records if each.url.startswith(listing.url)]))
    contained = _count_contained(usual.records, tried.records, listing)
    under = sum(each.url.startswith(listing.url) and each.url != listing.url for each in tried.records)
    is_below = usual.records and usual.records[0].url.startswith(listing.url) and under >= MIN_CONTAINED_SHARE * len(tried.records)  # fmt: skip
    # what the form shows may stand on a later page of a list of the same folder
    is_part = tried.more and listing.own_layout and (contained or is_below)
    if contained < MIN_CONTAINED_SHARE * len(usual.records) and not is_part:
        return inf
    is_whole = not tried.more and usual.total == len(tried.records)
    if not is_whole and (usual.total is not None and not tried.more):  # a feed of the latest, a list that is cut
        return inf
    if not is_whole and len(tried.records) < MIN_GROWTH * len(usual.records) and not is_part:
        return inf
    return count_pages(tried, usual.total) + len(listing.then)


def _count_contained(usual: Sequence[Record], tried: Sequence[Record], listing: Listing) -> int:
    """Count the records that a way shows as well, with a value that tells: a list of mere file names does not show them."""
    if listing.own_values:
        index = ValueIndex()
        index.add(tried)
        return sum(index.find(record) is not None for record in usual)
    found = {key_of(record): record for record in tried}
    pairs = [(record, found[key_of(record)]) for record in usual if key_of(record) in found]
    return sum(not listing.own_layout or bool(_telling(one) & _telling(other)) for one, other in pairs)


def _telling(record: Record) -> set[str]:
    return {_plain(text) for _, text in record.values if len(text) >= MIN_TELLING_CHARS} or {_plain(text) for _, text in record.values}  # fmt: skip


def count_pages(answer: Answer, total: int | None) -> float:
    """Return how many pages an answer has, as far as is known: those without a count have many."""
    if not answer.more or not answer.records:
        return 1.0
    known = answer.total if answer.total is not None and answer.exact else total
    return float(ceil(known / len(answer.records))) if known else 1e6 / len(answer.records)
