"""Attributes of a database, and where their values come from."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Attribute:
    """One column of a database, and where its values come from."""

    name: str
    kind: str  # choice, several, number, title, child
    labels: tuple[str, ...]
    values: tuple[str, ...] = ()
    parent: str = ""  # the attribute that a child's value depends on
    children: tuple[tuple[str, tuple[str, ...]], ...] = ()
    low: int = 0
    high: int = 0
    step: int = 1


@dataclass(frozen=True, slots=True)
class Topic:
    """A subject: what sites on it write about, and what their databases hold."""

    name: str
    noun: str
    nouns: tuple[str, ...]
    attributes: tuple[Attribute, ...]


def choice(name: str, labels: str, values: str) -> Attribute:
    """One value of a list, the first far more often."""
    return Attribute(name, "choice", tuple(labels.split("|")), tuple(values.split("|")))


def several(name: str, labels: str, values: tuple[str, ...]) -> Attribute:
    """One to three values of a list."""
    return Attribute(name, "several", tuple(labels.split("|")), values)


def title(name: str, labels: str, heads: str, tails: str) -> Attribute:
    """A name put together from a head and a tail."""
    values = tuple(f"{head} {tail}" for head in heads.split("|") for tail in tails.split("|"))
    return Attribute(name, "title", tuple(labels.split("|")), values)


def number(name: str, labels: str, low: int, high: int, step: int = 1) -> Attribute:
    """A whole number between two bounds."""
    return Attribute(name, "number", tuple(labels.split("|")), low=low, high=high, step=step)


def child(name: str, labels: str, parent: str, table: str) -> Attribute:
    """A value whose list depends on another attribute: `parent:one,two|...`."""
    rows = tuple((head, tuple(tail.split(","))) for head, _, tail in (row.partition(":") for row in table.split("|")))
    return Attribute(name, "child", tuple(labels.split("|")), parent=parent, children=rows)
