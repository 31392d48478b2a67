"""What came back for the questions put to one door, and what that tells: records, how many, database or site search.

Records are found by the same wrapper that a harvest learns; what stays the same whatever is asked, or stands on the page of
the form and no question brings anything like it, is no answer.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from statistics import median
from urllib.parse import parse_qsl

from dowse.form.questions import find_words
from dowse.model import Door, Link, Page, Probe, Record
from dowse.reasons import say_count
from dowse.records.counts import Count, best_count, says_nothing_found
from dowse.records.regions import AnswerView, find_regions, find_texts
from dowse.records.wrapper import AnswerSample, Wrapper, apply_wrapper, find_outside_lines, learn_wrapper
from dowse.tree.node import Node, find_nodes, text_of
from dowse.url import origin

NONSENSE, EMPTY, WORD, PART, WHOLE, CHOICE = "nonsense", "empty", "word", "part", "whole", "choice"
SAME = 0.9  # share of their texts that equal answers have in common
LEAST_BARE = 5  # single texts without links that make a list of records
MEANT = (EMPTY, WORD, PART, WHOLE, CHOICE)  # what should find something
NARROW = (WORD, PART, WHOLE, CHOICE)  # what asks for something
MIN_GROUP = 3  # records that are a list, however little each of them says
MAX_SAMPLED_RECORDS = 60  # of one reply whose values are looked at

_Texts = tuple[str, ...]  # of one record


@dataclass(frozen=True)
class Reply:
    """One question and the page that answered it."""

    asked: str  # nonsense, empty, word, part, whole, choice
    words: str  # as a person would call what was asked for
    page: Page
    tree: Node = field(default_factory=lambda: Node("html"))

    @cached_property
    def texts(self) -> frozenset[str]:
        """What the page says."""
        return find_texts(self.tree)

    @cached_property
    def lines(self) -> tuple[str, ...]:
        """What the page says, line by line."""
        return find_outside_lines(self.tree, ())

    @property
    def sample(self) -> AnswerSample:
        """The page as records are learned from it."""
        asked = (self.words,) if self.asked in NARROW else ()
        return AnswerSample(self.tree, self.page.url, asked, unasked=self.asked == NONSENSE)


@dataclass(frozen=True, slots=True)
class ReplyFindings:
    """What a reply has that another has not: records, and how many there are."""

    reply: Reply
    records: tuple[Record, ...] = ()
    count: Count | None = None
    links: tuple[Link, ...] = ()  # that lead from its records, or say the word that was asked for
    own: int = 0  # texts that only this reply has
    title: str = ""  # the attribute that records are called by
    named: int = 0  # attributes that the page itself names
    doubted: tuple[str, ...] = ()  # what may be titles of records, which stand on the page of the form as well

    @property
    def is_hit(self) -> bool:
        """Whether records came back."""
        if self.count and self.count.number == 0:
            return False
        return bool(self.count or self.links) or len(self.records) >= (2 if self.pieces >= 2 else LEAST_BARE)

    @property
    def shown(self) -> int:
        """How many records stand on the page."""
        said, size = self.count.shown if self.count else 0, len(self.records)
        found = said or max(size, len({link.url for link in self.links}) if size < 2 else 0)
        return min(found, self.count.number) if self.count and self.count.exact else found  # a record may have links

    @property
    def pieces(self) -> float:
        """How many texts each of its records has."""
        if len(self.records) < 2:
            return self.own / max(1, len(self.links))
        return float(median(len(record.values) for record in self.records))

    @property
    def has_more(self) -> bool:
        """Whether there are more records than stand on the page."""
        return self.count.number > self.shown if self.count else has_next(self.reply.page)

    @property
    def total(self) -> int:
        """How many there are, as far as the page says or shows."""
        return max(self.count.number if self.count else 0, len(self.records))

    def values_under(self, label: str) -> list[str]:
        """Return the values of the attribute that is called like a label."""
        wanted = {word.lower() for word in find_words(label)}
        return [
            text
            for record in self.records[:MAX_SAMPLED_RECORDS]
            for name, text in record.values
            if wanted & {word.lower() for word in find_words(name)}
        ]

    @property
    def titles(self) -> list[str]:
        """What its records are called."""
        some = self.records[:MAX_SAMPLED_RECORDS]
        return [
            next((text for name, text in each.values if name == self.title), each.values[0].text)
            for each in some
            if each.values
        ]

    @property
    def short_values(self) -> list[str]:
        """All that its records say; a long text is no value."""
        some = self.records[:MAX_SAMPLED_RECORDS]
        return [text for record in some for _, text in record.values if len(text) <= MAX_SHORT_VALUE_CHARS]


MAX_SHORT_VALUE_CHARS = 80


@dataclass(slots=True)
class Replies:
    """The talk with one door so far."""

    door: Door
    page: Page | None = None  # the page that it stands on
    replies: list[Reply] = field(default_factory=list)
    failures: list[str] = field(default_factory=list)
    requests: int = 0
    large: bool = False  # one of them is so large that all are compared beside the event loop
    _found: list[ReplyFindings] = field(default_factory=list)  # of each reply, when as many had come

    @property
    def lists_all(self) -> bool:
        """Whether an empty query seems to list records, by the page that the form stands on; or that cannot be told."""
        reply = next((reply for reply in self.replies if reply.asked == EMPTY), None)
        if self.page is None or reply is None:
            return True
        if strip_query(reply.page.url) == strip_query(self.page.url):  # it may show its records beside the form
            return True
        shown = self.page.text
        known = frozenset(text for text in reply.texts if text in shown)
        regions = find_regions(AnswerView(reply.tree, (), (known,)))
        return bool(regions) and len(regions[0].items) >= LEAST_BARE and regions[0].weight >= LEAST_BARE**2

    def was_asked(self, *kinds: str) -> bool:
        """Whether a question of these kinds was answered."""
        return any(reply.asked in kinds for reply in self.replies)

    def found(self, *kinds: str) -> Iterator[ReplyFindings]:
        """Yield what each answered question of these kinds (or of any) found."""
        if len(self._found) != len(self.replies):
            self._found = compare_replies(self.replies, self.door.form.text, self.page)
        yield from (found for found in self._found if not kinds or found.reply.asked in kinds)

    def ignores_words(self) -> bool:
        """Whether a made-up word is answered like an empty query."""
        asked = [reply.texts for reply in self.replies if reply.asked in (NONSENSE, EMPTY)]
        return len(asked) == 2 and len(asked[0] & asked[1]) >= SAME * len(asked[0] | asked[1])

    def hits(self, *kinds: str) -> list[ReplyFindings]:
        """Return the questions that found records; nonsense only when its records are not those of other questions."""
        return [found for found in self.found(*kinds) if found.is_hit]


def compare_replies(replies: Sequence[Reply], form_text: str = "", page: Page | None = None) -> list[ReplyFindings]:
    """Return what each reply has that others have not; the form itself is nothing new, and one reply alone tells nothing."""
    if len(replies) < 2:
        return [ReplyFindings(reply) for reply in replies]
    learned = learn_wrapper([reply.sample for reply in replies])
    wrapper = learned if isinstance(learned, Wrapper) else None
    every = [apply_wrapper(wrapper, reply.tree, reply.page.url).records if wrapper else () for reply in replies]
    shown = [frozenset(_texts_of(record) for record in records) for records in every]
    is_answered = any(own and reply.asked in NARROW for own, reply in zip(shown, replies, strict=True))
    found = []
    for number, reply in enumerate(replies):
        others = [place for place in range(len(replies)) if place != number]
        records: tuple[Record, ...] = every[number]
        if all(shown[number] == shown[place] for place in others):  # the same whatever is asked
            records = ()
        doubted: tuple[str, ...] = ()
        if reply.asked == EMPTY and not is_answered and page is not None and _stand_on(records, page):
            # of the page of the form, and no question brings anything like it
            doubted, records = tuple(record.values[0].text for record in records), ()
        other = replies[min(others, key=lambda place: len(replies[place].texts & reply.texts))]
        inside = wrapper if records else None
        found.append(replace(_read_reply(reply, other, records, inside, form_text), doubted=doubted))
    return found


def _texts_of(record: Record) -> _Texts:
    return tuple(text for _, text in record.values)


def _stand_on(records: Sequence[Record], page: Page) -> bool:
    """Return True if all that records say stands on a page."""
    return bool(records) and all(record.values and text in page.text for record in records for _, text in record.values)


def _read_reply(
    reply: Reply, other: Reply, records: tuple[Record, ...], wrapper: Wrapper | None, form_text: str
) -> ReplyFindings:
    """Return what a reply has that the other has not."""
    lines = apply_wrapper(wrapper, reply.tree, reply.page.url).lines if wrapper else reply.lines
    known = set(other.lines)
    lines = tuple(line for line in lines if line not in known and line not in form_text)
    size = len(records)
    if size < MIN_GROUP and any(map(says_nothing_found, lines)):
        return ReplyFindings(reply)
    count = best_count(lines, size)
    if count and 0 < count.number < size:  # one record, its attributes in rows; or a number of something else
        count, records = (count, ()) if count.number < MIN_GROUP else (None, records)
    pieces = median(len(record.values) for record in records) if records else 0
    is_group = len(records) >= MIN_GROUP or (len(records) > 1 and pieces >= 2)
    own = len(reply.texts - other.texts)
    if not is_group or wrapper is None:
        return ReplyFindings(reply, (), count, tuple(_find_named(reply, other)), own)
    addresses = {record.url for record in records if record.url}
    links = tuple(link for link in reply.page.links if link.url in addresses)
    named = sum(each.how in ("label", "header", "itemprop") for each in wrapper.attributes)
    return ReplyFindings(reply, records, count, links, own, wrapper.title, named)


def _find_named(reply: Reply, other: Reply) -> list[Link]:
    """Return the links that say the word that was asked for, where the other reply has none like them."""
    if reply.asked not in (WORD, PART, WHOLE):
        return []
    known = {(link.url, link.path) for link in other.page.links}
    word = reply.words.lower()
    return [link for link in reply.page.links if word in link.text.lower() and (link.url, link.path) not in known]


def has_next(page: Page) -> bool:
    """Return True if a page of answers leads to further ones: the same question with another number in it, or numbered links."""
    head, _, query = page.url.partition("?")
    asked = set(parse_qsl(query, max_num_fields=1_000) if query.count("&") < 1_000 else [])
    for link in page.links:
        there, _, rest = link.url.partition("?")
        if there == head and rest.count("&") < 1_000:
            other = [value for name, value in parse_qsl(rest) if (name, value) not in asked]
            if len(other) == 1 and other[0].isdigit():
                return True
    return any(link.text.strip("[] ") == "2" for link in page.links)


def conclude(replies: Replies, match: str = "") -> Probe:
    """Return what the answers tell about a door."""
    hits = replies.hits(*MEANT)
    loose = replies.hits(NONSENSE)
    reasons = [f"no answer: {failure}" for failure in replies.failures]
    reasons += [_tell(found) for found in replies.found()]
    if not hits:
        failed = bool(replies.failures) and not replies.replies
        reasons.append("no question found records")
        return Probe(False, "", requests=replies.requests, reasons=tuple(reasons), failed=failed)
    if loose:
        reasons.append("a word that does not exist finds records too")
    best = max(hits, key=lambda found: (found.total, len(found.records)))
    kind, why = judge_kind(_gather_evidence(replies, hits))
    return Probe(
        answers=True,
        kind=kind,
        page_size=_page_size(hits),
        total=best.count.number if best.count else None,
        limit=max(found.count.limit if found.count else 0 for found in hits),
        match=match,
        count_line=best.count.words if best.count else "",
        requests=replies.requests,
        reasons=(*reasons, *why),
    )


def _tell(found: ReplyFindings) -> str:
    asked = {NONSENSE: f"the made-up word {found.reply.words!r}", EMPTY: "an empty query"}
    what = asked.get(found.reply.asked, repr(found.reply.words))
    if not found.is_hit:
        return f"nothing for {what}"
    about = "" if found.count is None or found.count.exact else "about "
    total = f" of {about}{found.count.number:,}" if found.count else ""
    return f"{found.shown:,}{total} {'record' if found.shown == 1 and not total else 'records'} for {what}"


def _page_size(hits: Sequence[ReplyFindings]) -> int:
    """Return how many records a full page has; nothing is known while all of them fit on one."""
    return max((found.shown for found in hits if found.has_more), default=0)


def _gather_evidence(replies: Replies, hits: Sequence[ReplyFindings]) -> AnswerEvidence:
    """Return the best answer with what is known beside it."""
    best = max(hits, key=lambda found: (len(found.records) >= 2, found.reply.asked in (WORD, PART), len(found.records)))
    found = {id(hit.reply) for hit in hits}
    known = [link for reply in replies.replies if id(reply) not in found for link in reply.page.links]
    # a page that answers with itself may list records already: that it links to them says nothing about them
    if replies.page and strip_query(replies.page.url) not in {strip_query(hit.reply.page.url) for hit in hits}:
        known += replies.page.links
    empty = [hit.total for hit in hits if hit.reply.asked == EMPTY]
    return AnswerEvidence(best, tuple(known), max(empty, default=0))


def strip_query(url: str) -> str:
    """Return an address without what is asked there."""
    return url.partition("#")[0].partition("?")[0]


def judge_match(replies: Replies) -> str:
    """Return whether words find values that they are only a part of, or whole values only; nothing when that was not seen."""
    if replies.hits(NONSENSE):
        return ""
    if replies.hits(PART):
        return "words"
    for found in replies.hits(WORD):
        if _is_part(found):
            return "words"
    parts = [reply for reply in replies.replies if reply.asked == PART]
    return "exact" if parts and replies.hits(WHOLE) else ""


def _is_part(found: ReplyFindings) -> bool:
    """Return True if a word stands in longer values of most records that it found."""
    word = found.reply.words.lower()
    longer = sum(
        any(len(words) > 1 and word in words for words in (_lower_words(text) for _, text in record.values))
        for record in found.records
    )
    return len(found.records) >= 2 and longer >= 0.5 * len(found.records)


def _lower_words(text: str) -> list[str]:
    return [word.lower() for word in find_words(text)]


# -- whether answers come from a database or are pages of the site

MIN_KIND_LEAD = 2  # points between the two from which the answers decide
MIN_ATTRIBUTES = 3  # attributes of a record
MIN_FULL_RECORD_SHARE = 0.8  # of the records that have as many attributes as are told
MIN_LISTED_RECORDS = 30  # records that an empty query lists, from which a database is behind it
MIN_KIND_SHARE = 0.5  # of the records of a database that are kept in one folder
_ID = re.compile(r"\d+|[0-9a-f]{8,}")
_MARKED = ("b", "em", "strong", "mark", "i", "span", "font")


@dataclass(frozen=True, slots=True)
class AnswerEvidence:
    """An answer with records, and what is known beside it."""

    found: ReplyFindings
    known: Sequence[Link] = ()  # links of the site's other pages: menus
    listed: int = 0  # records that it lists when nothing is asked


def judge_kind(evidence: AnswerEvidence) -> tuple[str, tuple[str, ...]]:
    """Return database or site-search, or nothing where the answers leave it open; and the reasons."""
    points = {"database": 0, "site-search": 0}
    reasons: dict[str, list[str]] = {kind: [] for kind in points}
    for kind, weight, reason in _find_evidence(evidence):
        points[kind] += weight
        reasons[kind].append(reason)
    kind = max(points, key=lambda name: points[name])
    lead = abs(points["database"] - points["site-search"])
    return (kind, tuple(reasons[kind])) if lead >= MIN_KIND_LEAD else ("", ())


def _find_evidence(evidence: AnswerEvidence) -> list[tuple[str, int, str]]:
    answer, found = evidence.found, []
    shapes = Counter(frozenset(name for name, _ in record.values) for record in answer.records)
    alike = max(shapes.values(), default=0) / max(1, len(answer.records))
    sizes = sorted(len(record.values) for record in answer.records)
    attributes = sizes[int((1 - MIN_FULL_RECORD_SHARE) * len(sizes))] if sizes else 0
    if attributes >= MIN_ATTRIBUTES and alike >= 0.5:
        found.append(("database", 2, f"each record has the same {attributes} attributes"))
    if answer.named >= MIN_ATTRIBUTES:
        found.append(("database", 2, "each record names its attributes"))
    if evidence.listed >= MIN_LISTED_RECORDS:
        found.append(("database", 2, f"lists {say_count(evidence.listed, 'records')} when nothing is asked"))
    if not answer.links:
        found.append(("database", 1, "its records have no pages of their own"))
    return found + _find_page_evidence(evidence, attributes)


def _find_page_evidence(evidence: AnswerEvidence, attributes: int) -> list[tuple[str, int, str]]:
    found = []
    links = evidence.found.links
    if links and count_known(links, evidence.known) >= max(1, 0.2 * len(links)):
        found.append(("site-search", 3, "its results are pages that the site links to by the same title"))
    if links and evidence.found.pieces < MIN_ATTRIBUTES and attributes < MIN_ATTRIBUTES:
        weight, what = (2, "nothing but titles") if evidence.found.pieces < 2 else (1, "titles with a few words")
        found.append(("site-search", weight, f"its results are {what}"))
    if is_marked(evidence.found.reply, len(evidence.found.records)):
        found.append(("site-search", 2, "the word that was asked for is marked in the results"))
    shapes = {_ID.sub("0", link.url.removeprefix(origin(link.url))) for link in links}
    if len(links) >= MIN_ATTRIBUTES:
        if len(shapes) == 1:
            found.append(("database", 1, "the addresses of its records differ by a number only"))
        elif len(shapes) > 0.5 * len({link.url for link in links}):
            found.append(("site-search", 1, "its results have addresses of many shapes"))
    return found


def are_site_pages(records: Sequence[Record]) -> bool:
    """Return True if records are pages of a site: titles with few words, whose addresses are of no one kind."""
    if len(records) < MIN_ATTRIBUTES or median(len(record.values) for record in records) >= MIN_ATTRIBUTES:
        return False
    kinds = Counter(_ID.sub("0", strip_query(record.url).rpartition("/")[0]) for record in records)
    return max(kinds.values()) < MIN_KIND_SHARE * len(records)


def count_known(links: Sequence[Link], known: Sequence[Link]) -> int:
    """Count the links that stand elsewhere on the site with the same words."""
    pairs = {(link.url, link.text) for link in known if link.text}
    return len({link.url for link in links if (link.url, link.text) in pairs})


def is_marked(reply: Reply, records: int) -> bool:
    """Return True if a word stands by itself in a mark of its own for half of the records, as in the snippets of a full-text search."""
    if reply.asked not in NARROW:
        return False
    word = reply.words.casefold()
    marked = sum(text_of(node).casefold() == word for node in find_nodes(reply.tree, *_MARKED))
    return marked >= max(2, 0.5 * records)
