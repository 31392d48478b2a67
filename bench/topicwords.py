"""Count the words of the topical world: real text of one half of the domains, by topic, into dowse/sim/topical/words.

    .venv/bin/python -m bench.topicwords
    .venv/bin/python -m bench.topicwords train DIR

The second trains the topics that come with Dowse on the texts, names and forms of the other half alone, for figures of crawls in that world:
a crawler whose classifier had read the texts that the world speaks in would look better than it is.

What is written is a list of words for each topic with how often they come in a million: the mean over sites, so that none
outweighs the rest; a site with little text counts by how much it has.
"""

from __future__ import annotations

import gzip
import json
import re
import sys
import tarfile
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import unquote, urlsplit

import lxml.html

from bench.places import DATA
from dowse.sim.topical.lexicon import FOLDER, GENERAL, is_world_text
from dowse.url import registrable_domain

MOST_WORDS = 2800  # of a topic that are written
MILLION = 1_000_000
SHORT = 150  # words from which a site counts as a whole one
SITE_PAGES = 40  # pages read of a site, so that large sets do not outweigh
FULL = 2200  # words that a topic has at least: the rest comes from its siblings
BORROWED = 0.25  # of a topic's own counts, in all, for words that its siblings lend it
SIBLINGS = {
    "airfares": ("hotels",),
    "car rentals": ("cars", "hotels"),
    "music": ("streaming", "movies"),
    "communities": ("streaming",),
}
_WORD = re.compile(r"[a-z]{3,14}")
STOP_WORDS = frozenset(
    "the and for you your with are our from this that have has will can not all but was were they their them his her she him its "
    "been being more any who what when where which how why than then there here into out over under about after before also only "
    "just some such other each both few most own same too very should could would may might must shall does did doing had having "
    "because until while during again once these those between through against off above below down nor yet upon per via let get "
    "got www http https com org net html php amp nbsp".split()
)


class Text(NamedTuple):
    """Some text of a site on a topic."""

    topic: str
    domain: str
    words: str


def _rows(path: str) -> Iterator[dict[str, Any]]:
    with gzip.open(DATA / path, "rt", encoding="utf-8") as lines:
        yield from map(json.loads, lines)


def page_text(body: bytes) -> str:
    """Return the text of a page, without scripts and styles."""
    try:
        tree = lxml.html.document_fromstring(body)
    except (lxml.etree.ParserError, ValueError):
        return ""
    for each in tree.xpath("//script|//style|//noscript"):
        each.drop_tree()
    return " ".join(tree.itertext())


def _members(path: str) -> Iterator[tuple[str, bytes]]:
    with tarfile.open(DATA / path) as archive:
        for member in archive:
            found = archive.extractfile(member) if member.isfile() else None
            if found:
                yield member.name, found.read()


def _interfaces() -> Iterator[Text]:
    for row in _rows("topics/query_interfaces_tel8.jsonl.gz"):
        parts = [row["name"]]
        for each in row["attributes"]:
            parts += [each["label"], each["concept"], *(value for one in each["inputs"] for value in one["values"])]
        yield Text(row["topic"], row["domain"], " ".join(parts))
    for row in _rows("topics/query_forms_ontobuilder.jsonl.gz"):
        parts = [str(row["title"])]
        for each in row["fields"]:
            parts += [each["label"] or "", *map(str, each["values"])]
        yield Text(row["topic"], row["domain"], " ".join(parts))


HOME_TOPICS = {
    "Streaming Services": "streaming",
    "Sports": "sports",
    "Photography": "photography",
    "News": "news",
    "Social Networking and Messaging": "communities",
}


def _home_texts() -> Iterator[Text]:
    for row in _rows("topics/home_text.jsonl.gz"):
        topics = [each for each in row["topics"] if each != "other"] or [HOME_TOPICS.get(row["category"], "")]
        if len(topics) == 1:  # a text on several would make them alike
            yield Text(topics[0], row["domain"], row["text"])


def _is_english(language: object) -> bool:
    return not language or str(language).casefold().strip("['\"]").startswith(("en", "english"))


def is_english_text(words: list[str]) -> bool:
    """Return True unless a text has many of the commonest words of other languages; some texts come without stop words."""
    common = sum(word in ("the", "and", "for", "you", "with", "this", "that", "from", "your") for word in words)
    other = sum(
        word in ("und", "die", "der", "les", "des", "una", "para", "che", "och", "het", "van") for word in words
    )
    return other < 6 or common > 3 * other


CATALOGUE = {"newspaperArticle": "news", "magazineArticle": "news", "blogPost": "", "artwork": "photography"}


def _descriptions() -> Iterator[Text]:
    for row in _rows("topics/catalogue_pages.jsonl.gz"):
        if _is_english(row.get("language")):
            topic = CATALOGUE.get(row["type"], "-") if row["topic"] == "other" else row["topic"]
            if topic == "books":  # titles of books speak of anything
                continue
            yield Text(topic, row["domain"], f"{row['title']} {row.get('description') or ''}")
    for row in _rows("topics/described_sites.jsonl.gz"):
        if _is_english(row.get("language")):
            geo = "maps" if str(row["category"]).startswith("Geoportal / ") and row["topic"] == "other" else "-"
            topic = row["topic"] if row["topic"] != "other" else geo
            yield Text(topic, row["domain"], f"{row['title']} {row.get('description') or ''}")


def _names() -> Iterator[Text]:
    for row in _rows("topics/job_boards.jsonl.gz"):
        yield Text("jobs", row["domain"], f"{row['title']} {row.get('description') or ''}")
    for row in _rows("topics/brand_names.jsonl.gz"):
        yield Text(row["topic"], f"{row['name'].casefold()}.example", row["name"])
    for row in _rows("topics/search_sites.jsonl.gz"):
        yield Text(row["topic"], row["domain"], row["name"])
    for row in _rows("topics/topic_words.jsonl.gz"):
        if row["lang"] == "en" and row["topic"] != "other":
            yield Text(
                row["topic"], f"{row['preset']}.example", " ".join([row["name"], *row["aliases"], *row["terms"]])
            )


REGISTERED = {
    "biology": ("Life Science", "Sequence", "Genome/Gene", "Protein", "Organism", "protein", "genome", "Expression"),
    "earth science": ("Earth Science", "Environmental Science", "climate", "Oceanography", "Geology", "Biodiversity", "Agriculture"),
    "health": ("Health/Disease", "Health Science", "Medicine", "Public Health", "Epidemiology", "disease", "Clinical Studies", "Drug"),
    "publications": ("Bibliography/Documents", "institutional repository"),
}  # fmt: skip


def _registered() -> Iterator[Text]:
    for row in _rows("registries/registries.jsonl.gz"):
        keywords = set(row.get("keywords") or ())
        topics = [topic for topic, words in REGISTERED.items() if keywords & set(words)]
        if len(topics) == 1 and row.get("homepage"):
            text = f"{row['name']} {row.get('description') or ''} {' '.join(keywords)}"
            yield Text(topics[0], registrable_domain(urlsplit(row["homepage"]).hostname or ""), text)


def _topic_pages() -> Iterator[Text]:
    for archive in ("recipes_pages", "topic_pages_misc"):
        index: dict[str, dict[str, Any]] = {}
        for name, body in _members(f"topics/{archive}.tar.xz"):
            if name == "index.jsonl":
                index = {row["file"]: row for row in map(json.loads, body.splitlines())}
            elif name in index and _is_english(index[name].get("language")):
                row = index[name]
                topic = GENERAL if row["topic"] == "other" else row["topic"]
                yield Text(topic, row["domain"], page_text(body))
    for row in _rows("topics/swde_other_text.jsonl.gz"):
        topic = {"nbaplayer": "sports", "restaurant": "restaurants", "university": "universities"}[row["subtopic"]]
        yield Text(topic, row["domain"], f"{row['title']} {row['text']}")
    for name, body in _members("pages/ache_topic_pages.tar.xz"):
        host = urlsplit(unquote(name.rpartition("/")[2])).hostname or ""
        yield Text("health", registrable_domain(host), page_text(body))


LEFT_OUT = ("universities", "restaurants")  # too few sites in this half
SWDE = {"auto": "cars", "book": "books", "camera": "cameras", "job": "jobs", "movie": "movies"}


def _swde_pages() -> Iterator[Text]:
    domains: dict[tuple[str, str], str] = {}
    with gzip.open(DATA / "pages/swde_page_urls.tsv.gz", "rt", encoding="utf-8") as lines:
        for line in lines:
            kind, site, _, url = line.rstrip("\n").split("\t")
            domains.setdefault((kind, site), registrable_domain(urlsplit(url).hostname or ""))
    for kind, topic in SWDE.items():
        read: Counter[str] = Counter()
        for name, body in _members(f"pages/swde_{kind}.tar.xz"):
            site = name.split("/")[1].partition("-")[2].partition("(")[0]
            read[site] += 1
            if read[site] <= SITE_PAGES:
                yield Text(topic, domains[kind, site], page_text(body))


SOURCES = (_interfaces, _home_texts, _descriptions, _names, _registered, _topic_pages, _swde_pages)


def read_texts() -> Iterator[Text]:
    """Give every text that has a topic, of both halves."""
    for source in SOURCES:
        yield from (each for each in source() if each.topic not in ("-", "other", "unknown") and each.domain)


def split_words(text: str) -> list[str]:
    """Return the words of an English text that are no stop words, in small letters; of other texts none."""
    words = _WORD.findall(text.casefold())
    return [word for word in words if word not in STOP_WORDS] if is_english_text(words) else []


def count_by_site(texts: Iterator[Text]) -> dict[tuple[str, str], Counter[str]]:
    """Count the words of each topic and site."""
    by_site: dict[tuple[str, str], Counter[str]] = defaultdict(Counter)
    for each in texts:
        by_site[each.topic or GENERAL, each.domain].update(split_words(each.words))
    return by_site


def average(by_site: dict[tuple[str, str], Counter[str]]) -> dict[str, dict[str, float]]:
    """Return how often each topic has its words, the mean over its sites."""
    shares: dict[str, dict[str, float]] = defaultdict(lambda: defaultdict(float))
    for (topic, _), own in by_site.items():
        for word, count in own.items():
            shares[topic][word] += count / max(own.total(), SHORT)
    return {topic: _per_million(own) for topic, own in shares.items()}


def _per_million(shares: dict[str, float]) -> dict[str, float]:
    factor = MILLION / sum(shares.values())
    return {word: factor * share for word, share in shares.items()}


def fill_up(topic: str, shares: dict[str, dict[str, float]]) -> dict[str, float]:
    """Return a topic's words, with those of its siblings where real text of its own is scarce."""
    own, lent = shares[topic], Counter[str]()
    for sibling in SIBLINGS.get(topic, ()) if len(own) < FULL else ():
        lent.update({word: round(share) for word, share in shares[sibling].items() if word not in own})
    chosen = dict(lent.most_common(max(0, FULL - len(own))))
    factor = BORROWED * MILLION / max(1, sum(chosen.values()))
    return _per_million({**own, **{word: factor * count for word, count in chosen.items()}})


def main() -> None:
    """Write the lists."""
    by_site = count_by_site(each for each in read_texts() if is_world_text(each.domain) and each.topic not in LEFT_OUT)
    shares = average(by_site)
    FOLDER.mkdir(exist_ok=True)
    for topic in sorted(shares):
        sites = sum(each == topic for each, _ in by_site)
        print(f"  {topic}: {sites} sites, {len(shares[topic]):,} words of its own")
        ranked = sorted(fill_up(topic, shares).items(), key=lambda each: (-each[1], each[0]))[:MOST_WORDS]
        lines = [f"{word}\t{max(1, round(share))}\n" for word, share in ranked]
        (FOLDER / f"{topic.replace(' ', '-')}.tsv").write_text("".join(lines), encoding="utf-8")


def train_other_half(folder: Path) -> None:
    """Train the topics on what did not give the world its words, and write them into a folder."""
    from bench.topics import KEPT, read_kept
    from dowse.train.topics import write_shipped

    folder.mkdir(parents=True, exist_ok=True)
    for topic in write_shipped(read_kept(KEPT, lambda domain: not is_world_text(domain)), folder):
        figures = ", ".join(f"{row.what} {row.f1:.2f}" for row in topic.figures)
        print(f"  {topic.name}: {topic.measured}; {figures}", flush=True)


if __name__ == "__main__":
    if sys.argv[1:2] == ["train"]:
        train_other_half(Path(sys.argv[2]))
    else:
        main()
