"""Kinds of pages of real software (`bench/realweb`), with their addresses by a plain walk that shares no code with Dowse.

Programs are asked once; what they sent is kept in a file, so that a run can be repeated without them. A page is told by
its address alone: `target` is how the program writes it, `lists` which pages name all of them. A month later is the same
site with the pages that were hidden before, and all links to them: the newest fifth where addresses count up and lists are
in another order, else every fifth. `HELD_KINDS` are of software on which no rule of `dowse like` was made or mended. CUPS is
not among them: its robots.txt forbids its pages, so nothing may be learned there.
"""

from __future__ import annotations

import html
import http.client
import json
import re
import sqlite3
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from urllib.parse import urldefrag, urljoin, urlsplit

from bench.install import Missing
from bench.places import SCRATCH
from bench.realweb.place import DOMAIN, PROXY_PORT
from dowse.fetch import Fetch
from dowse.model import Failure, Request, Response
from dowse.reasons import FailureReason
from dowse.url import canonical

KEPT = SCRATCH / "paper3"
HIDDEN = 5  # every fifth target is hidden at first, or the newest fifth
TIMEOUT = 30.0  # seconds for one page
MAX_LISTS = 400  # pages that the plain walk reads
MIN_LISTED = 0.9  # of the targets that the entry lists itself, for "pages mapped per target"

_HREF = re.compile(rb"""\bhref\s*=\s*("[^"]*"|'[^']*'|[^\s>"']+)""", re.IGNORECASE)
_NUMBERS = re.compile(r"(\d+)")


@dataclass(frozen=True, slots=True)
class PageKind:
    """A kind of page in a program, told by hand."""

    name: str
    site: str
    entry: str
    target: str  # pattern of path and query
    lists: str  # pattern of path and query of the pages that list them all
    newest: bool = False  # addresses count up, and the lists are not in their order
    beside: str = ""  # pattern of targets that only a box beside every list names
    beyond: str = ""  # pattern of what the site is taken not to have, where it has thousands


PAGE_KINDS = (
    PageKind("Mezzanine: posts", "mezzanine", "/blog/", r"/blog/(?!author|category|archive|tag)[^/?]+/", r"/blog/(\?page=\d+)?"),
    PageKind("Mezzanine: posts of a category", "mezzanine", "/blog/category/crime/", r"/blog/(?!author|category|archive|tag)[^/?]+/", r"/blog/category/crime/(\?page=\d+)?", beside=r"/blog/(13-ghosts|lets-make-love|the-bramble-bush|the-private-lives-of-adam-and-eve)/"
    ),
    PageKind("Cartridge: products", "cartridge", "/shop-1/", r"/shop/product/[^/?]+/", r"/shop-1/[^/?]+/(\?page=\d+)?"),
    PageKind("Cartridge: products of a brand", "cartridge", "/shop-1/sony/", r"/shop/product/[^/?]+/", r"/shop-1/sony/(\?page=\d+)?"),
    PageKind("django-wiki: articles", "djangowiki", "/", r"/\d{4}s/(?!_)[^/?]+/", r"/\d{4}s/"),
    PageKind("django-wiki: articles of a decade", "djangowiki", "/1930s/", r"/1930s/(?!_)[^/?]+/", r"/1930s/"),
    PageKind("django-machina: topics", "machina", "/forum/papers-1/", r"/forum/[^/?]+/topic/[^/?]+/", r"/forum/[^/?]+/(\?page=\d+)?"),
    PageKind("django-machina: topics of a forum", "machina", "/forum/before-2000-2/", r"/forum/before-2000-2/topic/[^/?]+/", r"/forum/before-2000-2/(\?page=\d+)?"),
    PageKind("Spirit: topics", "spirit", "/", r"/topic/\d+/[^/?]+/", r"/(\?page=\d+)?"),
    PageKind("Spirit: topics of a category", "spirit", "/category/3/comedy/", r"/topic/\d+/[^/?]+/", r"/category/3/comedy/(\?page=\d+)?"),
    PageKind("MHonArc: messages", "namazu", "/archive/maillist.html", r"/archive/msg\d+\.html", r"/archive/(maillist|mail\d+)\.html", newest=True),
    PageKind("Wagtail: books", "wagtail", "/", r"/(since-2000|before-1950|1950-to-1999)/[^/?]+/", r"/(since-2000|before-1950|1950-to-1999)/(\?page=\d+)?"),
    PageKind("Wagtail: books of a section", "wagtail", "/before-1950/", r"/before-1950/[^/?]+/", r"/before-1950/(\?page=\d+)?"),
    PageKind("devpi: packages", "devpi", "/root/science", r"/root/science/[^/?+]+/[^/?+]+", r"/root/science"),
    PageKind("Anitya: projects", "anitya", "/projects/", r"/project/\d+/", r"/projects/(\?page=\d+)?", newest=True),
    PageKind("Shaarli: bookmarks", "shaarli", "/", r"/shaare/[\w-]+", r"/(\?page=\d+)?"),
    PageKind("Papis: documents", "papis", "/library/papers/all", r"/library/papers/document/[^/?]+", r"/library/papers/all"),
    PageKind("UseModWiki: films", "usemod", "/cgi-bin/wiki.pl?HomePage", r"/cgi-bin/wiki\.pl\?(?!Films_Of_The|HomePage|RecentChanges|\w+=)\w[^&=]*", r"/cgi-bin/wiki\.pl\?Films_Of_The_\d+s"),
    PageKind("UseModWiki: films of a decade", "usemod", "/cgi-bin/wiki.pl?Films_Of_The_1980s", r"/cgi-bin/wiki\.pl\?(?!Films_Of_The|HomePage|RecentChanges|\w+=)\w[^&=]*", r"/cgi-bin/wiki\.pl\?Films_Of_The_1980s"),
    PageKind("ht://Dig: cards", "htdig", "/", r"/cards/card\d+\.html", r"/lists/\w+\.html", newest=True),
    PageKind("Swish-e: objects", "swish", "/browse.html", r"/objects/object\d+\.html", r"/country\d+\.html", newest=True),
    PageKind("Kiwix: films", "kiwix", "/films/A/index.html", r"/films/A/page\d+\.html", r"/films/A/index\.html", newest=True),
    PageKind("dpkg-www: packages", "dpkgwww", "/cgi-bin/dpkg?query=", r"/cgi-bin/dpkg\?query=(?!section|dpkg-www)[\w.+-]+", r"/cgi-bin/dpkg\?query="),
    PageKind("hgweb: changesets", "hgweb", "/shortlog", r"/rev/[0-9a-f]{12}", r"/shortlog/[0-9a-f]{12}"),
    PageKind("HyperKitty: threads of a list", "hyperkitty", "/list/libs-changes@real.example/latest", r"/list/libs-changes@real\.example/thread/\w+/", r"/list/libs-changes@real\.example/latest(\?page=\d+)?"),
    PageKind("HyperKitty: lists", "hyperkitty", "/", r"/list/[^/?]+@real\.example/", r"/(\?page=\d+)?"),
    PageKind("Mezzanine: posts from the home page", "mezzanine", "/", r"/blog/(?!author|category|archive|tag)[^/?]+/", r"/blog/(\?page=\d+)?"),
    PageKind("Mezzanine: categories", "mezzanine", "/blog/", r"/blog/category/[^/?]+/", r"/blog/"),
    PageKind("Cartridge: brands", "cartridge", "/", r"/shop-1/[^/?]+/", r"/"),
    PageKind("Swish-e: countries", "swish", "/browse.html", r"/country\d+\.html", r"/browse\.html"),
    PageKind("ht://Dig: lists", "htdig", "/", r"/lists/\w+\.html", r"/"),
    PageKind("ht://Dig: cards of a letter", "htdig", "/lists/s.html", r"/cards/card\d+\.html", r"/lists/s\.html"),
    PageKind("UseModWiki: decades", "usemod", "/cgi-bin/wiki.pl?HomePage", r"/cgi-bin/wiki\.pl\?Films_Of_The_\d+s", r"/cgi-bin/wiki\.pl\?HomePage"),
    PageKind("Spirit: topics of another category", "spirit", "/category/6/horror/", r"/topic/\d+/[^/?]+/", r"/category/6/horror/(\?page=\d+)?"),
    PageKind("Django admin: books", "djangoadmin", "/library/book/", r"/library/book/(?P<id>\d+)/change/(?:\?.*)?", r"/library/book/\?p=\d+", beyond=r"/library/book/([4-9]\d\d|\d{4,})/change/(\?.*)?|/library/book/\?(.*&)?p=([4-9]|\d\d+)(&.*)?"),
    PageKind("Flask-Admin: vehicles", "flaskadmin", "/admin/vehicles/", r"/admin/vehicles/details/\?(?:[^/]*&)?id=(?P<id>\d+)(?:&.*)?", r"/admin/vehicles/\?page=\d+&page_size=50", beyond=r"/admin/vehicles/details/\?(.*&)?id=([4-9]\d\d|\d{4,})(&.*)?|/admin/vehicles/\?(.*&)?page=([8-9]|\d\d+)(&.*)?"),
)  # fmt: skip
HELD_KINDS = (
    PageKind("Atramhasis: concepts", "atramhasis", "/conceptschemes/OBJECTS/c", r"/conceptschemes/OBJECTS/c/\d+\?[^/]*", r"/conceptschemes/OBJECTS/c"),
    PageKind("CVSweb: files", "cvsweb", "/cgi-bin/cvsweb/descriptions/", r"/cgi-bin/cvsweb/descriptions/\w+/[^/?]+", r"/cgi-bin/cvsweb/descriptions/\w+/"),
    PageKind("django-helpdesk: categories", "helpdesk", "/kb/", r"/kb/[^/?]+/", r"/kb/"),
    PageKind("Zoph: photos", "zoph", "/photos.php", r"/photo\.php\?_off=\d+", r"/photos\.php\?_off=\d+", newest=True, beyond=r"/photos?\.php\?(.*&)?_off=([3-9]\d\d)(&.*)?"),
    PageKind("Kerko: documents", "kerko", "/bibliography/", r"/bibliography/\?(?:[^/]*&)?id=(?P<id>\w+)(?:&[^/]*)?", r"/bibliography/\?page=\d+"),
    PageKind("Nagios: hosts", "nagios", "/cgi-bin/status.cgi?hostgroup=all&style=hostdetail", r"/cgi-bin/extinfo\.cgi\?host=[^&]+&type=1|/cgi-bin/extinfo\.cgi\?type=1&host=[^&]+", r"/cgi-bin/status\.cgi\?hostgroup=all&(limit=100&start=\d+&style=hostdetail|style=hostdetail&start=\d+&limit=100)"),
    PageKind("django-tables2: objects", "djangotables", "/objects/", r"/objects/\d+/", r"/objects/\?page=\d+", beyond=r"/objects/([4-9]\d\d|\d{4,})/|/objects/\?(.*&)?page=(1[7-9]|[2-9]\d|\d{3,})(&.*)?"),
    PageKind("Flask-AppBuilder: artworks", "fab", "/artworkview/list/", r"/artworkview/show/\d+", r"/artworkview/list/\?page_ArtworkView=\d+", beyond=r"/artworkview/show/([4-9]\d\d|\d{4,})|/artworkview/list/\?(.*&)?page_ArtworkView=(1[6-9]|[2-9]\d|\d{3,})(&.*)?"),
    PageKind("SQLAdmin: films", "sqladmin", "/admin/movie/list", r"/admin/movie/details/\d+", r"/admin/movie/list\?page=\d+", beyond=r"/admin/movie/details/([4-9]\d\d|\d{4,})|/admin/movie/list\?(.*&)?page=(4[1-9]|[5-9]\d|\d{3,})(&.*)?"),
    PageKind("hledger: accounts", "hledger", "/journal", r"/register\?q=inacct%3Apurchases%3A[^&/]+", r"/journal"),
    PageKind("buku: tags", "buku", "/tag/", r"/bookmark/\?flt0_tags_contain=[^&/]+", r"/tag/\?page=\d+&page_size=10"),
    PageKind("Unfold: artworks", "unfold", "/museum/artwork/", r"/museum/artwork/(?P<id>\d+)/change/(?:\?.*)?", r"/museum/artwork/\?p=\d+", beyond=r"/museum/artwork/([4-9]\d\d|\d{4,})/change/(\?.*)?|/museum/artwork/\?(.*&)?p=([8-9]|\d\d+)(&.*)?"),
)  # fmt: skip


class Kept:
    """What a program sent, asked once."""

    def __init__(self, site: str) -> None:
        """Open the file; it is made when there is none."""
        self.host = f"{site}.{DOMAIN}"
        KEPT.mkdir(parents=True, exist_ok=True)
        self.rows = sqlite3.connect(KEPT / f"{site}.db", isolation_level=None)
        self.rows.execute(
            "create table if not exists pages (url text primary key, status int, headers text, body blob)"
        )

    def get(self, url: str) -> Response | None:
        """Return what an address gave; None where nothing answers."""
        row = self.rows.execute("select status, headers, body from pages where url = ?", (url,)).fetchone()
        if row is None:
            row = self._ask(url)
            if row is None:
                return None
            self.rows.execute("insert or replace into pages values (?, ?, ?, ?)", (url, *row))
        return Response(url, row[0], tuple((name, value) for name, value in json.loads(row[1])), row[2])

    def _ask(self, url: str) -> tuple[int, str, bytes] | None:
        parts = urlsplit(url)
        if parts.hostname != self.host:
            return None
        connection = http.client.HTTPConnection("127.0.0.1", PROXY_PORT, timeout=TIMEOUT)
        try:
            path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
            connection.request("GET", path, headers={"Host": self.host, "Accept": "text/html,*/*"})
            answer = connection.getresponse()
            kept = [
                (name.lower(), value)
                for name, value in answer.getheaders()
                if name.lower() in ("content-type", "location")
            ]
            return answer.status, json.dumps(kept), answer.read()
        except (OSError, http.client.HTTPException):
            return None
        finally:
            connection.close()


@dataclass(frozen=True, slots=True)
class RealTask:
    """A kind of page, its entry and a sample, the addresses of all such pages, and those that are hidden at first."""

    kind: PageKind
    kept: Kept
    entry: str
    sample: str
    targets: frozenset[str]
    hidden: frozenset[str]
    is_listed: bool  # the entry lists nearly all of them itself

    def find_gone(self) -> frozenset[str]:
        """Return the targets that the program itself answered with an error: a link to them leads nowhere."""
        rows = self.kept.rows.execute("select url from pages where status <> 200")
        return self.targets.intersection(url for (url,) in rows)

    def serve(self, hidden: frozenset[str] = frozenset()) -> Fetch:
        """Return a Fetch of the site without some pages, and without links to them."""
        beyond = re.compile(self.kind.beyond or r"(?!)")
        names = frozenset(map(self.name, hidden))

        def is_hidden(url: str) -> bool:
            """Return True if an address leads to a hidden page, also with parameters added."""
            known = self.name(url) in names or url.partition("?")[0] in hidden
            return known or beyond.fullmatch(url.partition(self.kept.host)[2]) is not None

        def keep(match: re.Match[bytes], page: str) -> bytes:
            url = _resolve(match[1], page)
            return b"data-dead=" + match[1] if url and is_hidden(url) else match[0]

        async def fetch(request: Request) -> Response | Failure:
            if is_hidden(request.url):
                return Response(request.url, 404)
            answer = self.kept.get(request.url)
            if answer is None:
                return Failure(request.url, FailureReason.NOT_RECORDED)
            body = _HREF.sub(lambda match: keep(match, answer.url), answer.body)
            return Response(answer.url, answer.status, answer.headers, body)

        return fetch

    def leave(self, hidden: frozenset[str]) -> frozenset[str]:
        """Return the targets but for some pages, whatever addresses these have."""
        names = frozenset(map(self.name, hidden))
        return frozenset(url for url in self.targets if self.name(url) not in names)

    def name(self, url: str) -> str:
        """Return what is the same for all addresses of one page: its `id` where the kind has one, as with facets in the address."""
        found = (
            re.fullmatch(self.kind.target, url.partition(self.kept.host)[2]) if "(?P<id>" in self.kind.target else None
        )
        return found["id"] if found else url


def _resolve(reference: bytes, page: str) -> str | None:
    text = html.unescape(reference.strip(b"\"' ").decode("utf-8", "replace"))
    return canonical(urldefrag(urljoin(page, text))[0])


def find_real(say: Callable[[str], None], kinds: Iterable[PageKind] = PAGE_KINDS) -> Iterator[RealTask]:
    """Yield the tasks on real software, those that answer or were kept."""
    for kind in kinds:
        try:
            yield open_task(kind)
        except Missing as error:
            say(f"    {kind.name}: {error}")


def open_task(kind: PageKind) -> RealTask:
    """Walk the lists of a kind of page, and choose a sample and what is hidden."""
    kept = Kept(kind.site)
    start = f"http://{kept.host}"
    entry = canonical(start + kind.entry) or ""
    target, lists = re.compile(kind.target), re.compile(kind.lists)
    beside = re.compile("|".join(filter(None, (kind.beside, kind.beyond))) or r"(?!)")
    found: dict[str, None] = {}
    waiting, seen, listed = [entry], {entry}, 0
    while waiting and len(seen) < MAX_LISTS:
        page = waiting.pop(0)
        answer = kept.get(page)
        if answer is None or answer.status != 200:
            continue
        for reference in _HREF.findall(answer.body):
            url = _resolve(reference, page) or ""
            path = url[len(start) :] if url.startswith(start) else ""
            if beside.fullmatch(path):
                continue
            if target.fullmatch(path):
                found[url] = None
            elif lists.fullmatch(path) and url not in seen:
                seen.add(url)
                waiting.append(url)
        listed = len(found) if page == entry else listed
    if len(found) < HIDDEN:
        raise Missing(f"{len(found)} pages were found at {entry}: is the program up?")
    ordered = sorted(found, key=lambda url: [int(part) if part.isdigit() else part for part in _NUMBERS.split(url)])
    hidden = ordered[-len(ordered) // HIDDEN :] if kind.newest else ordered[::HIDDEN]
    shown = [url for url in ordered if url not in set(hidden)]
    is_listed = listed >= MIN_LISTED * len(found)
    return RealTask(kind, kept, entry, shown[len(shown) // 2], frozenset(found), frozenset(hidden), is_listed)
