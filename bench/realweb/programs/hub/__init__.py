"""The hub: a directory of online databases that names the sites of this web, as plain pages."""

from __future__ import annotations

import gzip
import html
import json

from bench.places import DATA
from bench.realweb.data import Record
from bench.realweb.place import DOMAIN, PROGRAMS, Place, Server

PACKAGES = ()

_PAGE = """<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><title>{title} - Open Databases Directory</title>
<meta name="viewport" content="width=device-width"><link rel="stylesheet" href="/style.css"></head>
<body><header><h1><a href="/">Open Databases Directory</a></h1>
<nav><ul><li><a href="/">Home</a></li>{menu}<li><a href="/about.html">About</a></li><li><a href="/help.html">Help</a></li>
<li><a href="/suggest.html">Suggest a site</a></li></ul></nav></header>
<main>{body}</main>
<footer><p><a href="/about.html">About this directory</a> | <a href="/terms.html">Terms of use</a> |
<a href="/privacy.html">Privacy</a></p></footer></body></html>
"""
_TEXTS = {
    "about": (
        "About",
        "<p>This directory lists databases that anybody may ask. It is kept by volunteers. Entries are checked once a year.</p>",
    ),
    "help": (
        "Help",
        "<h3>How do I find a database?</h3><p>Choose a subject at the top, then follow the name of a database to its own site. Searching is done there.</p>",
    ),
    "terms": (
        "Terms of use",
        "<p>The directory may be used and copied freely. The databases have terms of their own.</p>",
    ),
    "privacy": ("Privacy", "<p>No cookies are set, and no log of visitors is kept.</p>"),
    "suggest": (
        "Suggest a site",
        '<p>Do you know a database that is missing here?</p><form method="post" action="/suggest"><p><label>Address <input name="url"></label></p>'
        '<p><label>What is in it? <textarea name="what"></textarea></label></p><p><label>Your e-mail address <input name="email"></label></p>'
        "<p><button>Send</button></p></form>",
    ),
}


def install(place: Place) -> str:
    return "of its own"


def fill(place: Place) -> dict[str, list[Record]]:
    sites = _sites()
    topics = sorted({site["topic"] for site in sites})
    menu = "".join(f'<li><a href="/{topic}.html">{topic.capitalize()}</a></li>' for topic in topics)

    def write(name: str, title: str, body: str) -> None:
        page = _PAGE.format(title=title, menu=menu, body=f"<h2>{title}</h2>{body}")
        (place.state / f"{name}.html").write_text(page, encoding="utf-8")

    newest = "".join(_entry(site) for site in sites[::3])  # the front page names some, each subject's page its own
    subjects = "".join(f'<li><a href="/{topic}.html">{topic.capitalize()}</a></li>' for topic in topics)
    write("index", "Databases by subject", f"<ul>{subjects}</ul><h3>Newly added</h3><dl>{newest}</dl>")
    for topic in topics:
        own = "".join(_entry(site) for site in sites if site["topic"] == topic)
        write(topic, f"Databases about {topic}", f"<dl>{own}</dl><h3>Elsewhere</h3><ul>{_elsewhere(topic)}</ul>")
    for name, (title, body) in _TEXTS.items():
        write(name, title, body)
    (place.state / "style.css").write_text("body { font-family: sans-serif; margin: 2em }\n")
    return {}


def _sites() -> list[Record]:
    from bench.realweb.truth import read_toml
    from bench.realweb.web import NAMES

    sites = []
    for name in NAMES:
        if name != "hub" and (PROGRAMS / name / "truth.toml").exists():
            site = read_toml(name)["site"]
            sites.append({"url": f"http://{name}.{DOMAIN}{site.get('entrance', '/')}", **site})
    return sites


def _entry(site: Record) -> str:
    return f'<dt><a href="{html.escape(site["url"])}">{html.escape(site["title"])}</a></dt><dd>{html.escape(site["about"])}</dd>'


def _elsewhere(topic: str) -> str:
    """Entries of a real registry, on hosts that do not answer here."""
    found = []
    with gzip.open(DATA / "registries" / "registries.jsonl.gz", "rt", encoding="utf-8") as lines:
        for line in lines:
            record = json.loads(line)
            if topic.rstrip("s") in str(record.get("description") or "").lower() and record.get("homepage"):
                name = html.escape(str(record["name"]))
                found.append(f'<li><a href="{html.escape(record["homepage"])}">{name}</a></li>')
            if len(found) == 4:
                break
    return "".join(found)


def serve(place: Place) -> Server:
    return Server(folder=place.state)
