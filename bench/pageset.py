"""Static pages of about 20 KB for many virtual hosts: the same bytes from the same seed.

Every page can be reached from `/` within four clicks over links of its own host, so a
crawler that keeps to the host it started on sees exactly the pages of the manifest.
Links to other hosts, images and a style sheet are there as in real pages; none of them
leads to another page of the set that its own host does not lead to.
"""

from __future__ import annotations

import json
import posixpath
import random
from collections.abc import Iterator
from dataclasses import astuple, dataclass
from hashlib import sha1
from pathlib import Path

from bench.places import SCRATCH, empty_folder

SEED = 1
HOSTS = 500
PAGES = 20  # per host
SECTIONS = 5
VERSION = 5  # raised when the markup changes, so that old pages are not served again

WORDS = " ".join(
    (
        "account address amount archive article author autumn available average balance bank basic bicycle blue board",
        "boat book border branch bread bridge bright brother budget building business camera capital careful castle",
        "catalogue central chair change chapter cheap city classic clean climate coast coffee collection colour",
        "comfort common company complete copper corner cotton country cover craft credit current daily danger",
        "delivery depth design detail direct district double dragon east edition electric engine evening event",
        "exchange expert family farm fast field figure final finance fine fire flat flower foreign forest form free",
        "fresh front future garden general glass gold grand green ground guide hand harbour health heavy history",
        "holiday hotel house image index industry inside island journal journey kitchen lake language large leather",
        "letter library light limit list local long market material measure member metal middle model modern moment",
        "morning mountain music narrow national nature network north notice number ocean offer office open orange",
        "order paper park part people piece place plain plan plant plastic point popular price private product public",
        "quality quarter quick quiet railway range rate record region report reserve result river road round royal",
        "sale school science season second series service short silver simple small south special spring square",
        "standard station stock stone store street strong summer supply system table travel tree valley value village",
        "voyage water weather west white window winter wonder wood world yellow young zone",
    )
).split()


@dataclass(frozen=True, slots=True)
class Written:
    """What is known about one page."""

    digest: str
    size: int  # bytes
    forms: int
    fields: int  # inputs, selects and text areas, without buttons


@dataclass(frozen=True, slots=True)
class PageSet:
    """What a crawler of these hosts must have seen in the end."""

    folder: str
    hosts: tuple[str, ...]
    pages: dict[str, Written]  # by URL

    def first(self, count: int) -> PageSet:
        """The same for the first hosts only."""
        hosts = set(self.hosts[:count])
        pages = {url: page for url, page in self.pages.items() if url.split("/")[2] in hosts}
        return PageSet(self.folder, self.hosts[:count], pages)

    @property
    def forms(self) -> int:
        """Forms on all pages."""
        return sum(page.forms for page in self.pages.values())

    @property
    def fields(self) -> int:
        """Fields of all forms."""
        return sum(page.fields for page in self.pages.values())


@dataclass(frozen=True, slots=True)
class Leaf:
    """A page before it is written."""

    path: str
    depth: int
    title: str
    parent: int  # place in the host's list; -1 for the entrance


def digest(body: bytes) -> str:
    """The fingerprint by which fetched bytes are compared with written ones."""
    return sha1(body, usedforsecurity=False).hexdigest()


def file_of(folder: str, url: str) -> Path:
    """Where a page lies on disk."""
    host, _, path = url.removeprefix("http://").partition("/")
    return Path(folder, host, path + "index.html" if not path or path.endswith("/") else path)


def build_pages(hosts: int = HOSTS, pages: int = PAGES, seed: int = SEED) -> PageSet:
    """Write the pages, or read what an earlier run has written."""
    folder = SCRATCH / f"pages-v{VERSION}-{hosts}x{pages}-{seed}"
    manifest = folder / "manifest.json"
    names = tuple(f"h{number:03}.bench.test" for number in range(hosts))
    if manifest.exists():
        kept = json.loads(manifest.read_text())
        return PageSet(str(folder), names, {url: Written(*facts) for url, facts in kept.items()})
    empty_folder(folder)
    written = {url: facts for host in names for url, facts in _write_host(str(folder), host, names, pages, seed)}
    manifest.write_text(json.dumps({url: astuple(facts) for url, facts in written.items()}))
    return PageSet(str(folder), names, written)


def _write_host(folder: str, host: str, names: tuple[str, ...], pages: int, seed: int) -> Iterator[tuple[str, Written]]:
    rng = random.Random(f"{seed} {host}")
    site = _plan(rng, pages)
    for leaf in site:
        html = _page(rng, host, names, site, leaf)
        url, body = f"http://{host}{leaf.path}", html.encode()
        target = file_of(folder, url)
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(body)
        fields = (
            html.count("<input") + html.count("<select") + html.count("<textarea") - html.count('type="submit" value')
        )
        yield url, Written(digest(body), len(body), html.count("<form"), fields)
    Path(folder, host, "robots.txt").write_text("User-agent: *\nDisallow: /private/\n")


def _plan(rng: random.Random, pages: int) -> list[Leaf]:
    """Lay out a host: an entrance, five sections, articles down to depth four."""
    site = [Leaf("/", 0, _words(rng, 2).title(), -1)]
    for section in range(min(SECTIONS, pages - 1)):
        site.append(Leaf(f"/{_slug(rng, 1)}-{section + 1}/", 1, _words(rng, 2).title(), 0))
    while len(site) < pages:
        depth = rng.choices((2, 3, 4), (45, 35, 20))[0] if len(site) > SECTIONS + 3 else 2
        parents = [place for place, leaf in enumerate(site) if leaf.depth == depth - 1]
        if parents:
            parent = rng.choice(parents)
            folder = posixpath.dirname(site[parent].path)
            path = posixpath.join(folder, f"{_slug(rng, 3)}-{len(site)}.html")
            site.append(Leaf(path, depth, _words(rng, 4).capitalize(), parent))
    return site


def _page(rng: random.Random, host: str, names: tuple[str, ...], site: list[Leaf], leaf: Leaf) -> str:
    links = _content_links(rng, site, leaf)
    parts = [_head(rng, host, leaf), _menu(site), _crumbs(site, leaf), _search_form(host), '<div class="layout">']
    parts += ['<main class="col col-8"><div class="inner"><h1>', leaf.title, "</h1>", _table(rng, links[:6], leaf)]
    body: list[str] = []
    for target in links[6:]:
        body.append(f"<p>{_text(rng, 30)} {_anchor(rng, leaf, target)} {_text(rng, 25)}</p>")
    if rng.random() < 0.5:
        body.insert(len(body) // 2, _subscribe_form(rng))
    tail = [_related(rng, site, leaf), "</div></main>", _aside(rng, host, names), "</div>", _footer(site, host)]
    wanted = rng.randint(18_000, 22_000)
    size = sum(map(len, parts + body + tail))
    while size < wanted:
        block = f'<div class="box"><div class="box-in"><h3>{_words(rng, 3)}</h3><p>{_text(rng, 60)}</p></div></div>\n'
        body.append(block)
        size += len(block)
    return "".join(parts + body + tail)


def _content_links(rng: random.Random, site: list[Leaf], leaf: Leaf) -> list[Leaf]:
    """Its children first, then any page at most one click deeper: so a page's depth is its true depth."""
    place = site.index(leaf)
    children = [other for other in site if other.parent == place]
    near = [other for other in site if other.depth <= leaf.depth]
    return children + rng.choices(near, k=max(0, 22 - len(children)))


def _anchor(rng: random.Random, leaf: Leaf, target: Leaf) -> str:
    """Links as people write them: from the root, relative, with a fragment."""
    address = target.path
    style = rng.random()
    if style < 0.4 and target.path != "/":
        address = posixpath.relpath(target.path, posixpath.dirname(leaf.path))
        address += "/" if target.path.endswith("/") else ""
    elif style < 0.5:
        address += f"#part-{rng.randint(1, 5)}"
    return f'<a href="{address}" title="{target.title}">{_words(rng, 3)}</a>'


def _head(rng: random.Random, host: str, leaf: Leaf) -> str:
    return f"""<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><title>{leaf.title} - {host}</title>
<meta name="description" content="{_words(rng, 12)}"><meta name="viewport" content="width=device-width">
<link rel="canonical" href="http://{host}{leaf.path}">
<link rel="stylesheet" href="http://cdn.bench.test/site.css">
<style>.col{{float:left}}.col-8{{width:66%}}.box{{border:1px solid #ccc}}</style>
<script>var page = {{"depth": {leaf.depth}, "ready": 1 < 2}};</script></head>
<body class="depth-{leaf.depth}"><div id="wrap"><div id="page">
"""


def _menu(site: list[Leaf]) -> str:
    rows = [f'<li class="menu-item"><a href="/">{site[0].title}</a></li>']
    for leaf in site[1 : SECTIONS + 1]:
        inner = f'<ul class="sub"><li><a href="{leaf.path}#part-1">New in {leaf.title}</a></li></ul>'
        rows.append(f'<li class="menu-item has-sub"><a href="{leaf.path}">{leaf.title}</a>{inner}</li>')
    return '<header><nav class="menu"><ul>' + "\n".join(rows) + "</ul></nav></header>\n"


def _crumbs(site: list[Leaf], leaf: Leaf) -> str:
    trail: list[str] = []
    while leaf.parent >= 0:
        leaf = site[leaf.parent]
        trail.insert(0, f'<a href="{leaf.path}">{leaf.title}</a>')
    return '<div class="crumbs">' + " &raquo; ".join(trail) + "</div>\n"


def _search_form(host: str) -> str:
    """Write the search box of a site: the same on all its pages, as on real sites; other forms differ from page to page."""
    rng = random.Random(f"{SEED} {host} search")
    options = "".join(f'<option value="{number}">{_words(rng, 2)}</option>' for number in range(12))
    return f"""<form action="/find" method="get" class="search" role="search"><div class="row">
<label for="q">{_words(rng, 2)}</label><input type="text" id="q" name="q" placeholder="{_words(rng, 1)}">
<label>Region <select name="region"><option value="">any</option>{options}</select></label>
<label>from <input type="number" name="low"></label> <label>to <input type="number" name="high"></label>
<input type="checkbox" name="new" value="1" id="new"><label for="new">only new</label>
<input type="hidden" name="lang" value="en"><button type="submit">Search</button></div></form>
"""


def _subscribe_form(rng: random.Random) -> str:
    return f"""<form action="/subscribe" method="post"><p>{_words(rng, 8)}</p>
<input type="email" name="email"><textarea name="note" rows="2"></textarea>
<input type="submit" value="Send me news"></form>
"""


def _table(rng: random.Random, targets: list[Leaf], leaf: Leaf) -> str:
    rows = [
        f"<tr><td>{_anchor(rng, leaf, target)}</td><td>{_words(rng, 4)}</td><td>{rng.randint(1, 9999)}</td></tr>"
        for target in targets
    ]
    return "<table><tr><th>Name</th><th>About</th><th>Price</th></tr>" + "\n".join(rows) + "</table>\n"


def _related(rng: random.Random, site: list[Leaf], leaf: Leaf) -> str:
    near = [other for other in site if other.depth <= leaf.depth]
    cards = [
        '<div class="card"><div class="card-in"><img src="http://cdn.bench.test/i.png" alt="">'
        f"<span>{_anchor(rng, leaf, target)}</span></div></div>"
        for target in rng.choices(near, k=8)
    ]
    return '<div class="cards">' + "\n".join(cards) + "</div>\n"


def _aside(rng: random.Random, host: str, names: tuple[str, ...]) -> str:
    others = [name for name in rng.sample(names, min(5, len(names))) if name != host][:4]
    rels = ("", "", ' rel="nofollow"', ' rel="nofollow noopener"')
    rows = [
        f'<li><a href="http://{name}/"{rel}>{_words(rng, 2)}</a></li>' for name, rel in zip(others, rels, strict=False)
    ]
    return '<aside class="col"><h4>Elsewhere</h4><ul>' + "\n".join(rows) + "</ul></aside>\n"


def _footer(site: list[Leaf], host: str) -> str:
    rows = [f'<a href="{leaf.path}">{leaf.title}</a>' for leaf in site[:SECTIONS]]
    return f'</div><footer>{" | ".join(rows)} <a href="mailto:info@{host}">Mail</a></footer></div></body></html>\n'


def _words(rng: random.Random, count: int) -> str:
    return " ".join(rng.choices(WORDS, k=count))


def _slug(rng: random.Random, count: int) -> str:
    return "-".join(rng.choices(WORDS, k=count))


def _text(rng: random.Random, count: int) -> str:
    return _words(rng, count).capitalize() + "."
