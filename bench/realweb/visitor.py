"""A plain breadth-first visitor that shares no code with Dowse: it walks a site and lists the forms it meets."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from http.cookiejar import CookieJar
from urllib.parse import urldefrag, urljoin, urlsplit

import httpx
from lxml import html
from protego import Protego

from bench.realweb.place import PROXY_PORT
from bench.realweb.truth import path_of

AGENT = "realweb-check"
# A site's pages repeat: this many of each shape of address are read at each depth.
PAGES_PER_SHAPE = 20
MAX_PAGES = 800


@dataclass(frozen=True, slots=True)
class MetForm:
    """A form as it stood on a page."""

    page: str  # path and query
    depth: int
    method: str
    action: str  # path and query
    names: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class VisitedPage:
    """A page that was read, and where its links lead."""

    url: str
    tree: html.HtmlElement
    follow: bool  # False: the page asks crawlers not to follow its links
    html: str = ""  # as it was sent


@dataclass(frozen=True, slots=True)
class Walk:
    """What a walk through a site met."""

    pages: dict[str, int]  # address -> depth
    forms: tuple[MetForm, ...]


class Visitor:
    """Asks the proxy for pages of virtual hosts."""

    def __init__(self) -> None:
        headers = {"User-Agent": AGENT, "Accept": "text/html,application/xhtml+xml,*/*;q=0.8", "Accept-Language": "en"}
        self.client = httpx.Client(base_url=f"http://127.0.0.1:{PROXY_PORT}", timeout=60, headers=headers)

    def get(self, url: str) -> VisitedPage | None:
        """Return the page at an address of this web, after redirects within its site."""
        return self.send("GET", url, {})

    def send(self, method: str, url: str, values: dict[str, str] | list[tuple[str, str]]) -> VisitedPage | None:
        """Return the page that answers a request."""
        for _ in range(6):
            answer = self._request(method, url, values)
            location = answer.headers.get("location")
            if answer.status_code not in (301, 302, 303, 307, 308) or not location:
                return _page(url, answer)
            method, target, values = "GET", urljoin(url, location), {}
            if urlsplit(target).hostname != urlsplit(url).hostname:
                return None
            url = target
        return None

    def get_json(self, url: str, values: dict[str, str]) -> list[object]:
        """Return the list that a script would get."""
        return list(self._request("GET", url, values).json())

    def robots(self, url: str) -> Protego:
        """Return the robots.txt of a site."""
        answer = self._request("GET", urljoin(url, "/robots.txt"), {})
        return Protego.parse(answer.text if answer.status_code == 200 else "")

    def forget(self) -> None:
        """Drop all cookies."""
        self.client.cookies = httpx.Cookies(CookieJar())

    def _request(self, method: str, url: str, values: dict[str, str] | list[tuple[str, str]]) -> httpx.Response:
        parts = urlsplit(url)
        pairs = list(values.items()) if isinstance(values, dict) else values
        target = f"{parts.path or '/'}{'?' + parts.query if parts.query else ''}"
        headers = {"Host": parts.netloc}
        if method == "POST":
            body = str(httpx.QueryParams(pairs))
            headers |= {"Content-Type": "application/x-www-form-urlencoded", "Referer": url}
            return self.client.post(target, content=body, headers=headers)
        if pairs:
            target = f"{target.split('?')[0]}?{httpx.QueryParams(pairs)}"
        return self.client.get(target, headers=headers)


def _page(url: str, answer: httpx.Response) -> VisitedPage | None:
    if "html" not in answer.headers.get("content-type", "text/html") or not answer.content.strip():
        return None
    tree = html.document_fromstring(answer.content, parser=html.HTMLParser(encoding=answer.encoding or "utf-8"))
    robots = " ".join(tree.xpath("//meta[translate(@name,'ROBTS','robts')='robots']/@content")).lower()
    said = f"{robots} {answer.headers.get('x-robots-tag', '').lower()}"
    follow = "nofollow" not in said and "none" not in said.replace("max-image-preview:none", "")
    return VisitedPage(url, tree, follow, answer.text)


def walk(
    visitor: Visitor,
    entrance: str,
    *,
    polite: bool,
    max_depth: int,
    ignore: str,
    known: dict[str, VisitedPage | None] | None = None,
) -> Walk:
    """Walk a site breadth first, a level at a time, and list its forms; pages that are known are not asked for again."""
    known = {} if known is None else known
    robots = visitor.robots(entrance) if polite else None
    depths: dict[str, int] = {}
    forms: list[MetForm] = []
    level = [entrance]
    seen = {entrance}
    for depth in range(max_depth + 1):
        below: list[str] = []
        for url in _thin(level):
            if len(depths) >= MAX_PAGES or (robots and not robots.can_fetch(url, AGENT)):
                continue
            if url not in known:
                visitor.forget()
                known[url] = visitor.get(url)
            page = known[url]
            depths[url] = depth
            if page is None or (robots and not robots.can_fetch(page.url, AGENT)):
                continue
            forms += find_forms(page, depth)
            new = [link for link in _links(page, polite) if link not in seen and not re.search(ignore, path_of(link))]
            seen.update(new)
            below += new
        level = below
    return Walk(depths, tuple(forms))


def _thin(level: list[str]) -> Iterator[str]:
    shapes: Counter[str] = Counter()
    for url in level:
        shape = shape_of(url)
        shapes[shape] += 1
        if shapes[shape] <= PAGES_PER_SHAPE:
            yield url


def shape_of(url: str) -> str:
    """Return what addresses of one kind of page share: first part of the path, its length, names of parameters."""
    parts = urlsplit(url)
    folders = [part for part in parts.path.split("/") if part]
    first = re.sub(r"\d+", "0", folders[0]) if len(folders) > 1 else ""
    names = sorted({pair.split("=")[0] for pair in parts.query.split("&") if pair})
    return f"{first}/{len(folders)}?{'&'.join(names)}"


def _links(page: VisitedPage, polite: bool) -> list[str]:
    if polite and not page.follow:
        return []
    start = urljoin(page.url, (page.tree.xpath("//base/@href") or [""])[0])
    host = urlsplit(page.url).netloc
    found = {}
    for element in page.tree.xpath("//a[@href] | //area[@href] | //frame[@src] | //iframe[@src]"):
        if polite and "nofollow" in (element.get("rel") or "").lower():
            continue
        link = _address(start, element.get("href") or element.get("src") or "")
        if link and urlsplit(link).netloc == host:
            found[link] = None
    for refresh in page.tree.xpath("//meta[translate(@http-equiv,'REFSH','refsh')='refresh']/@content"):
        if "url=" in refresh.lower():
            link = _address(start, re.split("url=", refresh, flags=re.I)[1].strip(" '\""))
            if link and urlsplit(link).netloc == host:
                found[link] = None
    return list(found)


def _address(start: str, href: str) -> str:
    try:
        link = urldefrag(urljoin(start, href.strip())).url
        return link if urlsplit(link).scheme in ("http", "https") else ""
    except ValueError:
        return ""


def find_forms(page: VisitedPage, depth: int) -> list[MetForm]:
    """List the forms of a page."""
    return [
        MetForm(
            page=path_of(page.url),
            depth=depth,
            method=(form.get("method") or "get").lower(),
            action=path_of(action_of(page, form)),
            names=tuple(sorted({name for name, _ in controls(form)} | set(form.xpath(".//@name[parent::button]")))),
        )
        for form in page.tree.xpath("//form")
    ]


def action_of(page: VisitedPage, form: html.HtmlElement) -> str:
    """Return the address that a form sends to."""
    start = urljoin(page.url, (page.tree.xpath("//base/@href") or [""])[0])
    return urldefrag(urljoin(start, form.get("action") or page.url)).url


def controls(form: html.HtmlElement) -> list[tuple[str, str]]:
    """Return the names and values that a form sends as it stands."""
    pairs = []
    for element in form.iter("input", "select", "textarea"):
        name, kind = element.get("name"), (element.get("type") or "text").lower()
        if not name or kind in ("submit", "button", "image", "reset", "file"):
            continue
        if element.tag == "select":
            chosen = element.xpath(".//option[@selected]") or (
                [] if element.get("multiple") is not None else element.xpath(".//option")[:1]
            )
            pairs += [(name, option.get("value", option.text_content().strip())) for option in chosen]
            if not chosen:
                pairs.append((name, ""))
        elif kind in ("checkbox", "radio") and element.get("checked") is None:
            continue
        else:
            pairs.append((name, element.get("value") or element.text or ""))
    return pairs


def first_button(form: html.HtmlElement) -> list[tuple[str, str]]:
    """Return what the button sends that a visitor presses, if it has a name."""
    buttons = form.xpath(".//input[@type='submit'] | .//button[not(@type) or @type='submit']")
    return [(button.get("name"), button.get("value", "")) for button in buttons[:1] if button.get("name")]
