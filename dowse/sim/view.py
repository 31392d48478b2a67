"""What a template family is given to write as HTML: pages, forms and answers, without a word about markup.

Every text and address here is ready to stand in HTML: escaped, written as the site's author writes it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import NamedTuple


class Anchor(NamedTuple):
    """A link as it is written."""

    href: str
    text: str


Anchors = tuple[Anchor, ...]


class Mention(NamedTuple):
    """A link to another site."""

    anchor: Anchor
    note: str = ""  # what stands beside it


Choice = tuple[str, str]  # value, label


class Group(NamedTuple):
    """A part of a menu; the heading is not a link."""

    heading: str
    links: Anchors


class Style(NamedTuple):
    """What one author chose once for a whole site; each name is one of the family's tables."""

    design: str  # a key of Family.designs
    labels: str  # one of Family.labels: where a label stands
    form: str  # one of Family.forms: how a form is arranged
    results: str  # a key of Family.results
    detail: str  # a key of Family.details
    lists: str  # a key of Family.lists
    mark: str  # one of Family.marks: what its class names and ids are made with


@dataclass(frozen=True, slots=True)
class View:
    """A page."""

    style: Style
    says: Mapping[str, str]  # the site's own way to say things: home, menu, here, friends, updated, rights, skip ...
    language: str
    encoding: str
    number: int  # of the page: where a design varies from page to page, it varies with this
    title: str
    site_name: str
    base: str  # href of the base element, or nothing
    canonical: str  # href of the canonical link, or nothing
    search_description: str  # href of an OpenSearch description to link from the head, or nothing
    menu: tuple[Group, ...]  # always at least one group
    submenu: Anchors
    crumbs: Anchors
    tags: Anchors  # a tag cloud, or nothing
    tools: Anchors  # print, sort and such
    outside: Anchors  # links to other sites that stand on every page
    hidden: Anchors  # links no person can see or would follow
    header: str  # HTML of forms that stand above the text, or nothing
    content: str  # HTML
    footer: str  # HTML of forms that stand below it, or nothing

    @property
    def links(self) -> Anchors:
        """The menu without its groups."""
        return tuple(link for group in self.menu for link in group.links)


class Part(NamedTuple):
    """One control."""

    name: str
    control: str  # text search email tel number date password textarea select radio checkbox file hidden
    choices: tuple[Choice, ...] = ()  # of a select or of radio buttons or a check-box set, without the "any"
    value: str = ""  # preset; of a single check box what it sends
    hint: str = ""  # a word of its own beside the question's label: from, to, day ...


class Question(NamedTuple):
    """What a form asks with one or more controls."""

    label: str
    kind: str  # keyword, text, choice, several, range, date, operator, state, other
    parts: tuple[Part, ...]
    attribute: str = ""  # of the database, when it asks one
    operator: str = ""  # keyword, contains, starts, equals, range, date


@dataclass(frozen=True, slots=True)
class FormView:
    """A form; `number` keeps the ids of several on a page apart and says nothing about what the form is for."""

    style: Style
    says: Mapping[str, str]  # any (first option of a select), from, to ...
    number: int
    heading: str
    method: str  # GET or POST
    action: str
    questions: tuple[Question, ...]
    buttons: tuple[Choice, ...]  # name (may be empty) and what stands on it; the first one submits
    reset: str  # what stands on a reset button, or nothing
    place: str  # content, header or footer; a form in header or footer is small and has no heading
    made: str  # html; script: built by JavaScript when the page loads; formless: controls without a form element, sent by JavaScript
    suggest: str  # address of a JSON service that completes the first text field, or nothing


class Row(NamedTuple):
    """One record in a list of answers."""

    href: str  # of its own page, or nothing
    title: str
    cells: tuple[tuple[str, str], ...]  # label, value


class Notice(NamedTuple):
    """Something between the records that is not one."""

    after: int  # stands after so many records
    label: str
    text: str
    href: str


@dataclass(frozen=True, slots=True)
class Listing:
    """A page of answers."""

    style: Style
    says: Mapping[str, str]  # next, previous, details, sort_by, liked, advert_label ...
    heading: str
    count: str  # the line that says how many there are, or nothing
    remark: str  # that only the first so many are shown, or nothing
    rows: tuple[Row, ...]
    notices: tuple[Notice, ...]
    previous: Anchor | None
    next: Anchor | None
    pages: tuple[tuple[str, Anchor | None], ...]  # numbers of pages to jump to; None for the one shown
    sorts: Anchors
    liked: Anchors  # "you may also like": records that do not belong to the answer
    form: str  # HTML of the form asked again, or nothing


@dataclass(frozen=True, slots=True)
class Detail:
    """The page of one record."""

    style: Style
    says: Mapping[str, str]
    title: str
    cells: tuple[tuple[str, str], ...]
    liked: Anchors


class Addresses(NamedTuple):
    """How a family's authors name things in addresses and forms; no entry is in both families."""

    pages: tuple[str, ...]  # patterns with {n} (number) and {slug}, or {above}{slug}: below the parent's address
    answers: tuple[str, ...]  # patterns with {word} for what a form sends to
    words: Mapping[str, tuple[str, ...]]  # what the word is, by kind of form
    details: tuple[str, ...]  # patterns with {db} and {n}
    services: tuple[str, ...]  # paths of JSON and XML services
    names: Mapping[str, tuple[str, ...]]  # names of form fields, by what they are for
    attributes: tuple[str, ...]  # patterns for the name of a database's field: {name}, {short}, {number}
    ends: tuple[Choice, ...]  # what is added for the two ends of a range
    paging: tuple[tuple[str, str], ...]  # parameter, and whether it counts "pages" or "records"
    hidden: tuple[Choice, ...]  # hidden fields that mean nothing


@dataclass(frozen=True, slots=True)
class Family:
    """A family of templates: everything that is written one way or another."""

    name: str
    designs: Mapping[str, Callable[[View], str]]  # a whole page
    old: frozenset[str]  # designs of the nineties: raw ampersands in addresses, legacy encodings, no end tags
    labels: tuple[str, ...]
    forms: tuple[str, ...]
    results: Mapping[str, Callable[[Listing], str]]
    details: Mapping[str, Callable[[Detail], str]]
    lists: Mapping[str, Callable[[str, Anchors], str]]  # a heading (may be empty) and links within the content
    marks: tuple[str, ...]
    write_form: Callable[[FormView], str]
    write_notes: Callable[[Style, str, tuple[Mention, ...]], str]  # a heading, and links with a few words beside each
    write_text: Callable[[Style, str, tuple[str, ...]], str]  # heading (may be empty) and paragraphs
    addresses: Addresses
