"""What databases are about: the attributes of each topic, with the values that a wording has for them."""

from __future__ import annotations

from typing import NamedTuple

from dowse.sim.tables.table import Attribute
from dowse.sim.wording import TopicWords, Wording


class Scale(NamedTuple):
    """The range of a number, and whether its high end is the frequent one."""

    low: int
    high: int
    step: int = 1
    falls: bool = False


_KINDS: dict[str, dict[str, str]] = {
    "books": {
        "title": "title",
        "author": "persons",
        "publisher": "choice",
        "subject": "choice",
        "language": "choice",
        "year": "number",
        "price": "number",
        "format": "choice",
    },
    "cars": {
        "make": "choice",
        "model": "child",
        "year": "number",
        "price": "number",
        "mileage": "number",
        "fuel": "choice",
        "colour": "choice",
        "body": "choice",
    },
    "jobs": {
        "position": "title",
        "company": "choice",
        "city": "choice",
        "category": "choice",
        "contract": "choice",
        "salary": "number",
        "posted": "date",
    },
    "homes": {
        "city": "choice",
        "district": "child",
        "type": "choice",
        "bedrooms": "number",
        "price": "number",
        "surface": "number",
        "features": "several",
    },
    "recipes": {
        "name": "title",
        "cuisine": "choice",
        "course": "choice",
        "ingredient": "several",
        "minutes": "number",
    },
    "films": {
        "title": "title",
        "director": "person",
        "actor": "persons",
        "genre": "choice",
        "country": "choice",
        "year": "number",
    },
    "papers": {
        "title": "title",
        "author": "persons",
        "journal": "choice",
        "year": "number",
        "keyword": "several",
        "published": "date",
    },
    "plants": {
        "name": "title",
        "family": "choice",
        "genus": "child",
        "flower": "choice",
        "height": "number",
        "soil": "choice",
    },
}
TOPIC_NAMES = tuple(_KINDS)  # of a world with even topics
_KINDS |= {
    "movies": _KINDS["films"],
    "publications": _KINDS["papers"],
    "real estate": _KINDS["homes"],
    "airfares": {
        "origin": "choice",
        "destination": "choice",
        "airline": "choice",
        "cabin": "choice",
        "fare": "number",
        "departs": "date",
    },
    "hotels": {
        "name": "title",
        "city": "choice",
        "kind": "choice",
        "stars": "number",
        "price": "number",
        "amenities": "several",
    },
    "car rentals": {
        "station": "choice",
        "company": "choice",
        "group": "choice",
        "gearbox": "choice",
        "rate": "number",
        "seats": "number",
        "collected": "date",
    },
    "music": {
        "title": "title",
        "artist": "person",
        "genre": "choice",
        "label": "choice",
        "format": "choice",
        "year": "number",
    },
    "government": {
        "title": "title",
        "agency": "choice",
        "subject": "choice",
        "kind": "choice",
        "published": "date",
    },
    "products": {"name": "title", "category": "choice", "maker": "choice", "price": "number"},
    "events": {"name": "title", "venue": "choice", "city": "choice", "held": "date"},
    "articles": {"title": "title", "author": "person", "section": "choice", "posted": "date"},
}
PARENTS = {"model": "make", "district": "city", "genus": "family"}
SCALES: dict[tuple[str, str], Scale] = {
    ("books", "year"): Scale(1950, 2025, falls=True),
    ("books", "price"): Scale(3, 120),
    ("cars", "year"): Scale(1990, 2025, falls=True),
    ("cars", "price"): Scale(500, 60_000, 100),
    ("cars", "mileage"): Scale(0, 250_000, 1000),
    ("jobs", "salary"): Scale(15_000, 140_000, 500),
    ("jobs", "posted"): Scale(2023, 2025, falls=True),
    ("homes", "bedrooms"): Scale(1, 8),
    ("homes", "price"): Scale(40_000, 1_500_000, 1000),
    ("homes", "surface"): Scale(20, 400, 5),
    ("recipes", "minutes"): Scale(5, 240, 5),
    ("films", "year"): Scale(1920, 2025, falls=True),
    ("papers", "year"): Scale(1970, 2025, falls=True),
    ("papers", "published"): Scale(1970, 2025, falls=True),
    ("plants", "height"): Scale(5, 1500, 5),
    ("airfares", "fare"): Scale(40, 2500, 10),
    ("airfares", "departs"): Scale(2024, 2026, falls=True),
    ("hotels", "stars"): Scale(1, 5),
    ("hotels", "price"): Scale(30, 900, 5),
    ("car rentals", "rate"): Scale(15, 250),
    ("car rentals", "seats"): Scale(2, 9),
    ("car rentals", "collected"): Scale(2024, 2026, falls=True),
    ("music", "year"): Scale(1950, 2025, falls=True),
    ("government", "published"): Scale(1990, 2025, falls=True),
    ("products", "price"): Scale(2, 800),
    ("events", "held"): Scale(2023, 2026, falls=True),
    ("articles", "posted"): Scale(2005, 2025, falls=True),
}
SCALES |= {
    (new, name): SCALES[old, name]
    for new, old in (("movies", "films"), ("publications", "papers"), ("real estate", "homes"))
    for name in _KINDS[old]
    if (old, name) in SCALES
}


def describe_topic(topic: str, wording: Wording) -> tuple[Attribute, ...]:
    """Return the attributes that every database of a topic has."""
    words = wording.topics[topic]
    return tuple(_attribute(topic, name, kind, wording, words) for name, kind in _KINDS[topic].items())


def _attribute(topic: str, name: str, kind: str, wording: Wording, words: TopicWords) -> Attribute:
    scale = SCALES.get((topic, name))
    if scale:
        return Attribute(name, kind, words.labels[name], low=scale.low, high=scale.high, step=scale.step)
    if kind == "child":
        choices = dict.fromkeys(value for values in words.children[name].values() for value in values)
        return Attribute(name, kind, words.labels[name], tuple(choices), PARENTS[name])
    return Attribute(name, kind, words.labels[name], list_values(name, wording, words))


def list_values(name: str, wording: Wording, words: TopicWords) -> tuple[str, ...]:
    """Return the values of a choice; a wording has its cities once for all topics."""
    return words.values.get(name) or (wording.cities if name == "city" else ())
