"""Reads labelled texts, names and forms of real sites: pages, home pages, descriptions, hosts by category, query forms, and what people say they are about.

The data is not part of Dowse: `../shared/data` or the folder in `$DOWSE_DATA` has it, and its README says where each file comes from.
A site is a registrable domain.
"""

from __future__ import annotations

import gzip
import json
import os
import tarfile
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from dowse.errors import BadInput
from dowse.model import Form, Page, Response
from dowse.page import read_page
from dowse.topic.text import form_text
from dowse.url import registrable_domain, site_of

LABELS = Path(__file__).parent / "topic_labels.tsv"  # of rows that the data labels against its own rules
OTHER = "other"
SITE_PAGES = 12  # of one site that are read: a template says little more on its thirteenth page
TEXT_CHARACTERS = 20_000  # of a page that are read
SWDE_TOPICS = {"auto": "cars", "book": "books", "job": "jobs", "movie": "movies", "camera": OTHER}
UTF_8 = "text/html; charset=utf-8"  # whatever pages of formasaurus declare
MIN_CHARACTERS = 100  # of a page: from less nobody could tell what it is about
PORTALS = "described_sites.jsonl.gz"  # descriptions in English of portals in any language
PORTALS_READ = 1_500  # described sites of each source and topic: ten thousand portals are described in the same words


@dataclass(frozen=True, slots=True)
class LabelledText:
    """Words of a page or about a site, and what people say they are about."""

    kind: str  # page; home: the text of a home page; described: a title and a sentence or two
    source: str  # the file it stands in
    domain: str
    topics: frozenset[str]  # `other` alone where it is about none of them
    title: str
    text: str
    language: str = ""
    host: str = ""
    headings: str = ""
    description: str = ""  # what a page says of itself to search engines
    types: tuple[str, ...] = ()  # what it declares to be on it
    forms: tuple[str, ...] = ()  # the words of the search forms on the page


@dataclass(frozen=True, slots=True)
class LabelledFormText:
    """Words of a form, and what people say it searches."""

    source: str
    domain: str
    topic: str
    text: str


def find_folder() -> Path:
    """Return the folder of the real data."""
    folder = Path(os.environ.get("DOWSE_DATA") or Path(__file__).parents[2].parent / "shared" / "data")
    if not (folder / "topics").is_dir():
        raise BadInput(f"{folder} has no folder `topics` with labelled texts: set DOWSE_DATA")
    return folder


def read_texts(folder: Path) -> list[LabelledText]:
    """Return all labelled texts, of each site and kind no more than a few."""
    topics = folder / "topics"
    found = [
        *_read_archive(topics / "recipes_pages.tar.xz"),
        *_read_archive(topics / "topic_pages_misc.tar.xz"),
        *_read_archive(topics / "swde_other_pages.tar.xz"),
        *(text for name in SWDE_TOPICS for text in _read_swde(folder / "pages", name)),
        *_read_formasaurus(topics),
        *_read_rows(topics / "swde_other_text.jsonl.gz", "page"),
        *_read_rows(topics / "home_text.jsonl.gz", "home"),
        *_read_rows(topics / "catalogue_pages.jsonl.gz", "described"),
        *_read_rows(topics / "job_boards.jsonl.gz", "described"),
        *_read_rows(topics / "described_sites.jsonl.gz", "described"),
    ]
    return [text for text in _limit(found) if len(text.title + text.text) >= MIN_CHARACTERS or text.kind == "described"]


def correct_labels(texts: Sequence[LabelledText]) -> list[LabelledText]:
    """Return texts with the labels of `topic_labels.tsv` in place of those that the data contradicts itself in."""
    lines = [line.split("\t") for line in LABELS.read_text("utf-8").splitlines() if not line.startswith("#")]
    labels = {(file, host): frozenset(topics.split(", ")) for file, host, topics, _ in lines[1:]}
    return [replace(text, topics=labels.get((text.source, text.host), text.topics)) for text in texts]


def _limit(texts: Iterable[LabelledText]) -> Iterator[LabelledText]:
    """Yield some texts of each site, and some of each source and topic."""
    often: Counter[tuple[str, ...]] = Counter()
    for text in texts:
        site, source = (text.domain, text.kind), (text.source, *sorted(text.topics), text.kind)
        if often[site] < SITE_PAGES and (text.kind != "described" or often[source] < PORTALS_READ):
            often[site] += 1
            often[source] += 1
            yield text


def _read_archive(path: Path) -> Iterator[LabelledText]:
    """Yield the pages of an archive that begins with an index."""
    with tarfile.open(path) as archive:
        index: dict[str, dict[str, Any]] = {}
        for member in archive:
            body = archive.extractfile(member)
            if member.name == "index.jsonl" and body:
                index = {row["file"]: row for row in map(json.loads, body)}
            elif member.name in index and body:
                row = index[member.name]
                yield _read_text(row["url"] or row["domain"], body.read(), row["domain"], {row["topic"]}, path.name)


def _read_swde(folder: Path, name: str) -> Iterator[LabelledText]:
    """Yield some pages of each site of a SWDE vertical."""
    often: Counter[str] = Counter()
    with tarfile.open(folder / f"swde_{name}.tar.xz") as archive:
        for member in archive:
            site = member.name.split("/")[1].partition("(")[0].partition("-")[2] if member.isfile() else ""
            body = archive.extractfile(member) if site else None
            if not body or often[site] >= SITE_PAGES:
                continue
            often[site] += 1
            url = f"http://www.{site}.com/{name}/{member.name.split('/')[-1]}"
            yield _read_text(url, body.read(), f"{site}.com", {SWDE_TOPICS[name]}, f"swde_{name}")


def _read_formasaurus(folder: Path) -> Iterator[LabelledText]:
    """Yield the pages of the package formasaurus that were labelled by hand, or whose site is known to be about nothing of ours."""
    from dowse.train.forms import find_data

    data = find_data()
    by_hand = dict[str, str]()
    for line in (folder / "formasaurus_topics.tsv").read_text().splitlines()[1:]:
        file, _, _, topic = line.split("\t")
        by_hand[file] = topic
    others = _find_other_sites(folder / "site_categories.jsonl.gz")
    index: dict[str, dict[str, Any]] = json.loads((data / "index.json").read_text())
    for name, facts in index.items():
        domain = registrable_domain(site_of(facts["url"]).host)
        topic = by_hand.get(name) or (OTHER if domain in others else "")
        if topic:
            yield _read_text(facts["url"], (data / name).read_bytes(), domain, {topic}, "formasaurus", UTF_8)


def _find_other_sites(path: Path) -> set[str]:
    """Return the domains that a list of categories puts under none of the topics."""
    found: dict[str, set[str]] = {}
    for row in read_lines(path):
        for domain in row.get("domains") or [row["domain"]]:
            found.setdefault(domain, set()).update(row["topics"])
    return {domain for domain, topics in found.items() if topics == {OTHER}}


def _read_text(
    url: str, body: bytes, domain: str, topics: set[str], source: str, content: str = "text/html"
) -> LabelledText:
    page = read_page(Response(_with_scheme(url), 200, (("content-type", content),), body))
    forms = tuple(form_text(form) for form in page.forms if _is_search(form, page))
    text = page.text[:TEXT_CHARACTERS]
    return LabelledText(
        "page", source, domain, frozenset(topics), page.title, text, page.language, site_of(page.url).host,
        page.headings, page.description, page.types, forms,
    )  # fmt: skip


def _is_search(form: Form, page: Page) -> bool:
    from dowse.form.judge import judge_form

    return judge_form(form, page).searchable


def _with_scheme(url: str) -> str:
    return url if "://" in url else f"http://{url}/"


def _read_rows(path: Path, kind: str) -> Iterator[LabelledText]:
    """Yield the texts of a file of JSON lines."""
    for row in read_lines(path):
        topics = frozenset(row["topics"] if "topics" in row else [row["topic"]]) - {"unknown"}
        if not topics or (kind == "described" and not row.get("title")):  # of a list page only its site's name is known
            continue
        title = row.get("title") or row.get("site") or ""
        text = row.get("text") or " ".join(filter(None, [row.get("description"), row.get("container")]))
        language = row.get("language") or ""
        first = (language[0] if isinstance(language, list) else language).partition("-")[0].lower()
        code = first if len(first) == 2 else ""  # three letters are another code
        host = row.get("host") or row["domain"]
        yield LabelledText(kind, path.name, row["domain"], topics, title, text[:TEXT_CHARACTERS], code, host)


def read_lines(path: Path) -> Iterator[dict[str, Any]]:
    """Yield the rows of a file of JSON lines."""
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        yield from map(json.loads, lines)


def read_forms(folder: Path) -> list[LabelledFormText]:
    """Return the query interfaces of TEL-8 and the forms of OntoBuilder, in words."""
    topics = folder / "topics"
    found = []
    for row in read_lines(topics / "query_interfaces_tel8.jsonl.gz"):
        words = [
            part
            for condition in row["attributes"]
            for part in [condition["label"], *(value for given in condition["inputs"] for value in given["values"])]
        ]
        found.append(LabelledFormText("tel8", row["domain"], row["topic"], " ".join(words)))
    for row in read_lines(topics / "query_forms_ontobuilder.jsonl.gz"):
        words = [part for field in row["fields"] for part in [field["label"], field["field"], *field["values"]]]
        found.append(LabelledFormText("ontobuilder", row["domain"], row["topic"], " ".join(filter(None, words))))
    return found


@dataclass(frozen=True, slots=True)
class LabelledName:
    """A site that only its name or its host is known of, or a brand, and what people say it is about."""

    name: str
    host: str
    domain: str
    topics: frozenset[str]


def read_names(folder: Path) -> Iterator[LabelledName]:
    """Yield names of sites and brands, and hosts by category."""
    topics = folder / "topics"
    for row in read_lines(topics / "job_boards.jsonl.gz"):
        yield LabelledName("", row["host"], row["domain"], frozenset(["jobs"]))
    for row in read_lines(topics / "site_categories.jsonl.gz"):
        host = row["domain"] if row.get("ambiguous") else row["name"].replace(" ", ".")
        yield LabelledName("", host, row["domain"], frozenset(row["topics"]))
    for row in read_lines(topics / "search_sites.jsonl.gz"):
        yield LabelledName(row["name"], row["host"], row["domain"], frozenset([row["topic"]]))
    for row in read_lines(topics / "brand_names.jsonl.gz"):
        yield LabelledName(row["name"], "", f"{row['name'].casefold()}.example", frozenset([row["topic"]]))
