"""What came back for the questions put to one door, and what that tells."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from urllib.parse import parse_qsl

from dowse.model import Block, Door, Link, Page, Probe
from dowse.records.compare import Items, find_item_links, find_items, find_lines, key_of, keys_of
from dowse.records.count import Count, best_count, says_nothing_found
from dowse.records.kind import Evidence, judge_kind
from dowse.records.words import find_words

NONSENSE, EMPTY, WORD, PART, WHOLE, CHOICE = "nonsense", "empty", "word", "part", "whole", "choice"
SAME = 0.9  # share of their texts that equal answers have in common
LEAST_BARE = 5  # single texts without links that make a list of records
MEANT = (EMPTY, WORD, PART, WHOLE, CHOICE)  # what should find something


@dataclass(frozen=True)
class Reply:
    """One question and the page that answered it."""

    asked: str  # nonsense, empty, word, part, whole, choice
    words: str  # as a person would call what was asked for
    page: Page
    blocks: tuple[Block, ...]

    @cached_property
    def keys(self) -> frozenset[str]:
        """What the page says, and at which kind of place."""
        return keys_of(self.blocks)


@dataclass(frozen=True, slots=True)
class Found:
    """What a reply has that another has not: records, and how many there are."""

    reply: Reply
    items: Items
    count: Count | None = None
    links: tuple[Link, ...] = ()  # that lead from its records, or say the word that was asked for
    own: int = 0  # pieces of text that only this reply has

    @property
    def is_hit(self) -> bool:
        """Whether records came back."""
        if self.count and self.count.number == 0:
            return False
        return bool(self.count or self.links) or self.items.size >= (2 if self.items.pieces >= 2 else LEAST_BARE)

    @property
    def shown(self) -> int:
        """How many records stand on the page."""
        said = self.count.shown if self.count else 0
        return said or max(self.items.size, len({link.url for link in self.links}) if self.items.size < 2 else 0)

    @property
    def pieces(self) -> float:
        """How many texts each of its records has."""
        return self.items.pieces if self.items.size >= 2 else self.own / max(1, len(self.links))

    @property
    def has_more(self) -> bool:
        """Whether there are more records than stand on the page."""
        return self.count.number > self.shown if self.count else has_next(self.reply.page)

    @property
    def total(self) -> int:
        """How many there are, as far as the page says or shows."""
        return max(self.count.number if self.count else 0, self.items.size)


@dataclass(slots=True)
class Replies:
    """The talk with one door so far."""

    door: Door
    page: Page | None = None  # the page that it stands on
    replies: list[Reply] = field(default_factory=list)
    failures: list[str] = field(default_factory=list)
    requests: int = 0

    @property
    def lists_all(self) -> bool:
        """Whether an empty question seems to list records, by the page that the form stands on; or that cannot be told."""
        reply = next((reply for reply in self.replies if reply.asked == EMPTY), None)
        if self.page is None or reply is None:
            return True
        if (
            reply.page.url.partition("?")[0] == self.page.url.partition("?")[0]
        ):  # it may show its records beside the form
            return True
        text = self.page.text
        known = keys_of(block for block in reply.blocks if block.text in text)
        return find_items(reply.blocks, known).size >= LEAST_BARE

    def was_asked(self, *kinds: str) -> bool:
        """Whether a question of these kinds was answered."""
        return any(reply.asked in kinds for reply in self.replies)

    def found(self, *kinds: str) -> Iterator[Found]:
        """Yield what each answered question of these kinds (or of any) found."""
        for reply in self.replies:
            if not kinds or reply.asked in kinds:
                yield read_reply(reply, [other for other in self.replies if other is not reply], self.door.form.text)

    def ignores_words(self) -> bool:
        """Whether a made-up word is answered like an empty question."""
        asked = [reply.keys for reply in self.replies if reply.asked in (NONSENSE, EMPTY)]
        return len(asked) == 2 and len(asked[0] & asked[1]) >= SAME * len(asked[0] | asked[1])

    def hits(self, *kinds: str) -> list[Found]:
        """Return the questions that found records; nonsense only when its records are not those of other questions."""
        return [found for found in self.found(*kinds) if found.is_hit]


def read_reply(reply: Reply, others: Sequence[Reply], form_text: str = "") -> Found:
    """Return what a reply has that another has not, the one with which it differs most; the form itself is nothing new."""
    best, most = Found(reply, Items("")), -1
    form = keys_of(block for block in reply.blocks if block.text in form_text)
    for other in others:
        known = other.keys | form
        items = find_items(reply.blocks, known)
        weight = sum(len(block.text) for item in items.items for block in item)
        if weight > most:
            lines = find_lines(reply.blocks, items, known)
            best, most = _read_lines(reply, other, items, lines), weight
    return best


def _read_lines(reply: Reply, other: Reply, items: Items, lines: list[str]) -> Found:
    count = best_count(lines, items.size)
    if items.size < 3 and any(map(says_nothing_found, lines)):
        return Found(reply, Items(""))
    if count and 0 < count.number < items.size:  # one record, its attributes in rows; or a number of something else
        count, items = (count, Items("")) if count.number < 3 else (None, items)
    is_group = items.size >= 3 or items.pieces >= 2
    links = find_item_links(reply.page.links, items) if is_group else _find_named(reply, other)
    own = sum(1 for block in reply.blocks if key_of(block) not in other.keys)
    return Found(reply, items if is_group else Items(""), count, tuple(links), own)


def _find_named(reply: Reply, other: Reply) -> list[Link]:
    """Return the links that say the word that was asked for, where the other reply has none like them."""
    if reply.asked not in (WORD, PART, WHOLE):
        return []
    known = {(link.url, link.path) for link in other.page.links}
    word = reply.words.lower()
    return [link for link in reply.page.links if word in link.text.lower() and (link.url, link.path) not in known]


def has_next(page: Page) -> bool:
    """Say whether a page of answers leads to further ones: the same question with another number in it, or numbered links."""
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
        return Probe(False, "", requests=replies.requests, reasons=(*reasons, "no question found records"))
    if loose:
        reasons.append("a word that does not exist finds records too")
    best = max(hits, key=lambda found: (found.total, found.items.size))
    kind, why = judge_kind(_evidence(replies, hits))
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


def _tell(found: Found) -> str:
    asked = {NONSENSE: f"the made-up word {found.reply.words!r}", EMPTY: "an empty question"}
    what = asked.get(found.reply.asked, repr(found.reply.words))
    if not found.is_hit:
        return f"nothing for {what}"
    about = "" if found.count is None or found.count.exact else "about "
    total = f" of {about}{found.count.number:,}" if found.count else ""
    return f"{found.shown:,}{total} records for {what}"


def _page_size(hits: Sequence[Found]) -> int:
    """Return how many records a full page has; nothing is known while all of them fit on one."""
    return max((found.shown for found in hits if found.has_more), default=0)


def _evidence(replies: Replies, hits: Sequence[Found]) -> Evidence:
    """Return the best answer with what is known beside it."""
    best = max(hits, key=lambda found: (found.items.size >= 2, found.reply.asked in (WORD, PART), found.items.size))
    found = {id(hit.reply) for hit in hits}
    known = [link for reply in replies.replies if id(reply) not in found for link in reply.page.links]
    known += list(replies.page.links) if replies.page else []
    empty = [hit.total for hit in hits if hit.reply.asked == EMPTY]
    return Evidence(best.items, best.links, known, best.pieces, best.reply.words, max(empty, default=0))


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


def _is_part(found: Found) -> bool:
    """Say whether a word stands in longer values of most records that it found."""
    word = found.reply.words.lower()
    longer = sum(
        1
        for item in found.items.items
        if any(len(words) > 1 and word in words for words in (_lower_words(block.text) for block in item))
    )
    return found.items.size >= 2 and longer >= 0.5 * found.items.size


def _lower_words(text: str) -> list[str]:
    return [word.lower() for word in find_words(text)]
