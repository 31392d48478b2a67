"""Ask a door a few polite questions and say what answers; which door of a page is meant."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from urllib.parse import parse_qsl

from dowse.errors import BadInput
from dowse.fetch import Fetch
from dowse.form.fill import fill, judge_asking
from dowse.form.questions import Box, find_box, find_choices, find_extremes, find_preset_choices, has_range
from dowse.model import SEARCHABLE_KINDS, Block, Door, Failure, Judgement, Link, Page, Probe, Request, Response, Verdict
from dowse.reasons import FailureReason, say_count
from dowse.records.compare import (
    AnswerEvidence,
    Items,
    block_key,
    block_keys,
    find_all_values,
    find_common,
    find_differing_lines,
    find_item_links,
    find_items,
    find_part,
    find_titles,
    find_words,
    judge_kind,
    make_nonsense,
    stop_words,
    values_under,
)
from dowse.records.counts import Count, best_count, says_nothing_found
from dowse.step.visit import Inspection, View, is_large, offload, read_document
from dowse.url import origin, same_site
from dowse.words.lookup import anywhere

# --- replies
# What came back for the questions put to one door, and what that tells.

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
        return block_keys(self.blocks)


@dataclass(frozen=True, slots=True)
class ReplyFindings:
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
        found = said or max(self.items.size, len({link.url for link in self.links}) if self.items.size < 2 else 0)
        return min(found, self.count.number) if self.count and self.count.exact else found  # a record may have links

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
    large: bool = False  # one of them is so large that all are compared beside the event loop
    _found: dict[tuple[int, int], ReplyFindings] = field(
        default_factory=dict
    )  # by reply, and how many there were beside it

    @property
    def lists_all(self) -> bool:
        """Whether an empty query seems to list records, by the page that the form stands on; or that cannot be told."""
        reply = next((reply for reply in self.replies if reply.asked == EMPTY), None)
        if self.page is None or reply is None:
            return True
        if _path(reply.page.url) == _path(self.page.url):  # it may show its records beside the form
            return True
        text = self.page.text
        known = block_keys(block for block in reply.blocks if block.text in text)
        return find_items(reply.blocks, known).size >= LEAST_BARE

    def was_asked(self, *kinds: str) -> bool:
        """Whether a question of these kinds was answered."""
        return any(reply.asked in kinds for reply in self.replies)

    def found(self, *kinds: str) -> Iterator[ReplyFindings]:
        """Yield what each answered question of these kinds (or of any) found."""
        count = len(self.replies)
        for place, reply in enumerate(self.replies):
            if kinds and reply.asked not in kinds:
                continue
            if (place, count) not in self._found:
                others = [other for other in self.replies if other is not reply]
                self._found[place, count] = read_reply(reply, others, self.door.form.text)
            yield self._found[place, count]

    def ignores_words(self) -> bool:
        """Whether a made-up word is answered like an empty query."""
        asked = [reply.keys for reply in self.replies if reply.asked in (NONSENSE, EMPTY)]
        return len(asked) == 2 and len(asked[0] & asked[1]) >= SAME * len(asked[0] | asked[1])

    def hits(self, *kinds: str) -> list[ReplyFindings]:
        """Return the questions that found records; nonsense only when its records are not those of other questions."""
        return [found for found in self.found(*kinds) if found.is_hit]


def read_reply(reply: Reply, others: Sequence[Reply], form_text: str = "") -> ReplyFindings:
    """Return what a reply has that another has not, the one with which it differs most; the form itself is nothing new."""
    best, most = ReplyFindings(reply, Items("")), -1
    form = block_keys(block for block in reply.blocks if block.text in form_text)
    for other in others:
        known = other.keys | form
        items = find_items(reply.blocks, known)
        weight = sum(len(block.text) for item in items.items for block in item)
        if weight > most:
            lines = find_differing_lines(reply.blocks, items, known)
            best, most = _read_lines(reply, other, items, lines), weight
    return best


def _read_lines(reply: Reply, other: Reply, items: Items, lines: list[str]) -> ReplyFindings:
    count = best_count(lines, items.size)
    if items.size < 3 and any(map(says_nothing_found, lines)):
        return ReplyFindings(reply, Items(""))
    if count and 0 < count.number < items.size:  # one record, its attributes in rows; or a number of something else
        count, items = (count, Items("")) if count.number < 3 else (None, items)
    is_group = items.size >= 3 or items.pieces >= 2
    links = find_item_links(reply.page.links, items) if is_group else _find_named(reply, other)
    own = sum(1 for block in reply.blocks if block_key(block) not in other.keys)
    return ReplyFindings(reply, items if is_group else Items(""), count, tuple(links), own)


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


def _evidence(replies: Replies, hits: Sequence[ReplyFindings]) -> AnswerEvidence:
    """Return the best answer with what is known beside it."""
    best = max(hits, key=lambda found: (found.items.size >= 2, found.reply.asked in (WORD, PART), found.items.size))
    found = {id(hit.reply) for hit in hits}
    known = [link for reply in replies.replies if id(reply) not in found for link in reply.page.links]
    # a page that answers with itself may list records already: that it links to them says nothing about them
    if replies.page and _path(replies.page.url) not in {_path(hit.reply.page.url) for hit in hits}:
        known += replies.page.links
    empty = [hit.total for hit in hits if hit.reply.asked == EMPTY]
    return AnswerEvidence(best.items, best.links, known, best.pieces, best.reply.words, max(empty, default=0))


def _path(url: str) -> str:
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
        1
        for item in found.items.items
        if any(len(words) > 1 and word in words for words in (_lower_words(block.text) for block in item))
    )
    return found.items.size >= 2 and longer >= 0.5 * found.items.size


def _lower_words(text: str) -> list[str]:
    return [word.lower() for word in find_words(text)]


# --- probe
# Ask a door a few polite questions and say what answers: a made-up word, nothing at all, a word that records have.
#
# At most four requests for a door, with GET only; robots.txt and the pace are kept by the fetch.

MOST_REQUESTS = 4  # for one door
MOST_DOORS = 10  # of one site, while it is searched
FOR_DATABASES = 6  # of those, for databases alone: boxes that search a site's own pages come first, and on every page
_EXAMPLE = re.compile(
    r"\b(?:e\. ?g|z\. ?b|for example|zum beispiel|par ex\w*|p\. ?ex|ex|ej|es|np|bijv|por ejemplo|например|напр)\b[.:,]?|例[:：]?",
    re.IGNORECASE,
)
YEAR = "2010"  # in any language; records of most kinds have years
PATIENCE = 2  # questions without an answer after which a door is left alone
MIN_WORDS_PROBABILITY = 0.5  # of a form with a box for words, from which on it goes before likelier ones without
CLEAR = 0.9  # how sure a judgement is that answers confirm
_FINAL = frozenset(
    {
        FailureReason.ROBOTS,
        FailureReason.ROBOTS_DOWN,
        FailureReason.PRIVATE,
        FailureReason.BAD_URL,
        FailureReason.NO_HOST,
        FailureReason.NOT_RECORDED,
    }
)


@dataclass(frozen=True, slots=True)
class Question:
    """What to ask next."""

    asked: str
    values: tuple[tuple[str, str], ...] = ()
    words: str = ""


async def probe(door: Door, fetch: Fetch, page: Page | None = None) -> Probe:
    """Ask a door and say what answers; the page that it stands on, where it is at hand, gives words to ask for."""
    allowed = judge_asking(door)
    if not allowed.yes:
        return Probe(False, "", reasons=(f"not asked: {allowed.reason}",))
    replies = Replies(door, page)
    for _ in range(MOST_REQUESTS):
        question = await offload(replies.large, next_question, replies)
        if question is None or len(replies.failures) >= PATIENCE or replies.requests >= MOST_REQUESTS:
            break
        if not await _ask(replies, question, fetch):
            break
    return await offload(replies.large, _conclude, replies)


async def _ask(replies: Replies, question: Question, fetch: Fetch) -> bool:
    """Put one question; say whether to go on."""
    request = fill(replies.door, dict(question.values))
    if not isinstance(request, Request):
        replies.failures.append(request.reason)
        return False
    response = await fetch(request)
    replies.requests += _count_requests(response)
    failure = _why_no_answer(response)
    if failure:
        replies.failures.append(f"{question.words or question.asked}: {failure}")
        return not (isinstance(response, Failure) and response.why in _FINAL)
    assert isinstance(response, Response)
    replies.large = replies.large or is_large(response.body)
    document = await read_document(response, view=View.BLOCKS)
    replies.replies.append(Reply(question.asked, question.words, document.page, document.blocks))
    return True


def _conclude(replies: Replies) -> Probe:
    return conclude(replies, judge_match(replies))


def _count_requests(response: Response | Failure) -> int:
    """Count what a question cost: each redirect is a request of its own."""
    if isinstance(response, Failure):
        return int(response.asked)
    return 1 + len(response.redirects)


def _why_no_answer(response: Response | Failure) -> str:
    """Say why there is no answer; a page that is not found is one, where nothing was found."""
    if isinstance(response, Failure):
        return str(response) if response.status != 404 else "HTTP 404"
    if 300 <= response.status < 400:
        return "leads to another site"
    return f"HTTP {response.status}" if response.status >= 400 and response.status != 404 else ""


def next_question(replies: Replies) -> Question | None:
    """Return what is worth asking after what was answered so far, or None when all is known."""
    door = replies.door
    box = find_box(door)
    tried = len(replies.replies) + len(replies.failures)
    if tried == 0:
        return Question(EMPTY)
    if box is None:
        return next(_choices_left(replies), None)
    return _next_nonsense(replies, box) or _next_words(replies, box)


def _next_nonsense(replies: Replies, box: Box) -> Question | None:
    """Return a made-up word as soon as there are records to tell from its answer; guesses come first while there are none."""
    if replies.was_asked(NONSENSE) or not (replies.lists_all or replies.hits(*MEANT)):
        return None
    word = make_nonsense(f"{replies.door.signature} {replies.door.form.action}")
    return Question(NONSENSE, ((box.name, word),), word)


def _choices_left(replies: Replies) -> Iterator[Question]:
    """Yield choices to ask for: two at most, to see that they are answered differently; the second only when that is not seen."""
    asked = [reply for reply in replies.replies if reply.asked == CHOICE]
    if replies.hits(CHOICE) and (len(asked) > 1 or not replies.hits(EMPTY)):
        return
    known = {reply.words for reply in asked}
    for question in [*find_choices(replies.door), *find_extremes(replies.door), *find_preset_choices(replies.door)]:
        if question.words not in known:
            yield Question(CHOICE, question.values, question.words)


def _next_words(replies: Replies, box: Box) -> Question | None:
    """Return a word that records surely have, or what decides whether a part of a value is enough."""
    hits = replies.hits(*MEANT)
    if not hits:
        return next(_frequent_words(replies, box), None)
    if judge_match(replies):
        return None
    hit = max(hits, key=lambda found: found.items.size)
    if not replies.was_asked(PART):
        part, _ = _find_part(hit, box)
        return Question(PART, ((box.name, part),), part) if part else None
    if not replies.was_asked(WHOLE):
        _, whole = _find_part(hit, box)
        return Question(WHOLE, ((box.name, whole),), whole) if whole else None
    return None


def _find_part(hit: ReplyFindings, box: Box) -> tuple[str, str]:
    """Return a word out of a value of some records, and that value: of the attribute that the box asks for, if it shows."""
    asked = [word for word in hit.reply.words.split() if word]
    sources = [values_under(hit.items, box.label)] if not box.general else []
    sources += [find_titles(hit.items), find_all_values(hit.items)]
    return next((found for found in (find_part(values, asked) for values in sources) if found[0]), ("", ""))


def _frequent_words(replies: Replies, box: Box) -> Iterator[Question]:
    """Yield what most likely finds something: a range or a choice of the form, words of the site and of its language."""
    door = replies.door
    asked = {reply.words.lower() for reply in replies.replies}
    ranges = find_extremes(door)[:1] if has_range(door) else []
    choices = find_choices(door)
    for question in choices if replies.ignores_words() and choices else [*ranges, *choices][:1]:
        if question.words.lower() not in asked:
            yield Question(CHOICE, question.values, question.words)
    for word in _site_words(replies):
        if word.lower() not in asked:
            yield Question(WORD, ((box.name, word),), word)


def _site_words(replies: Replies) -> list[str]:
    """Return words to try: of a site search one that the links of the site have, of a database one that all texts have."""
    pages = [reply.page for reply in replies.replies] + ([replies.page] if replies.page else [])
    language = next((page.language for page in pages if page.language), "en")
    stops = stop_words(language)
    own = find_common(_own_link_texts(pages), {*stops, *_form_words(replies.door)})[:2]
    examples = [word for field in replies.door.form.fields for word in find_common([_example(field.placeholder)])][:1]
    if replies.door.judgement.kind == "site-search":
        return [*examples, *own[:1], stops[0], *own[1:], YEAR, *stops[1:]]
    return [*examples, stops[0], YEAR, *own, *stops[1:]]


def _is_inner(link: Link, url: str) -> bool:
    """Return True if a link leads to another page of the site: not to its entrance, which says what no other page says."""
    return same_site(link.url, url) and link.url.rstrip("/") != origin(url)


def _example(placeholder: str) -> str:
    """Return what a box gives as an example: e.g. Ford."""
    found = _EXAMPLE.search(placeholder)
    return placeholder[found.end() :] if found else ""


def _own_link_texts(pages: Iterable[Page]) -> list[str]:
    """Return what the links within a site say, once for each page: what stands on all of them is its menu."""
    return [
        text for page in pages for text in dict.fromkeys(link.text for link in page.links if _is_inner(link, page.url))
    ]


def _form_words(door: Door) -> list[str]:
    """Return the words around a form: a page that has them is a page with the form."""
    return find_common([door.form.text, *(field.label for field in door.form.fields)])


async def probe_doors(
    doors: Sequence[Door], fetch: Fetch, page: Page | None = None, most: int = MOST_DOORS
) -> tuple[Door, ...]:
    """Return doors with what they answered: so many that may be asked, databases first; the others as they are."""
    ready = [door for door in doors if judge_asking(door).yes]
    databases = [door for door in ready if door.judgement.kind == "database"]
    others = [door for door in ready if door.judgement.kind != "database"]
    asked = databases[: max(0, most)]
    asked += others[: max(0, most - FOR_DATABASES - len(asked))]
    chosen = set(map(id, asked))
    return tuple([await _probed(door, fetch, page) if id(door) in chosen else door for door in doors])


async def _probed(door: Door, fetch: Fetch, page: Page | None) -> Door:
    return judge_again(replace(door, probe=await probe(door, fetch, page)))


def judge_again(door: Door) -> Door:
    """Let clear answers decide between a database and a search of the site's pages."""
    asked, said = door.probe, door.judgement
    if asked is None or not asked.answers or asked.kind not in SEARCHABLE_KINDS or asked.kind == said.kind:
        return door
    return replace(door, judgement=Judgement(asked.kind, max(CLEAR, said.probability), _reasons(asked)))


def _reasons(asked: Probe) -> tuple[str, ...]:
    return tuple(f"asked: {reason}" for reason in asked.reasons)


def best_door(doors: Iterable[Door]) -> Door | None:
    """Return the door that is worth asking first: one that may be asked and that asks, a database before a site search."""
    ready = [door for door in doors if judge_asking(door).yes]
    return max(ready, key=_worth_asking, default=None)


def _worth_asking(door: Door) -> tuple[bool, bool, bool, float]:
    """Return what makes a door the one to ask, the weightiest first.

    A form that only sorts or gives a file may be the likeliest of all by its words, and still it searches nothing.
    """
    buttons = " ".join(
        f"{field.value} {field.label}" for field in door.form.fields if field.type in ("submit", "button")
    )
    gives_file = anywhere("gives a file").search(f"{door.form.action.rpartition('/')[2]} {buttons}".lower()) is not None
    said = door.judgement
    asks = bool(door.conditions) or find_box(door) is not None
    takes_words = find_box(door) is not None and said.probability >= MIN_WORDS_PROBABILITY
    return asks and not gives_file, said.kind == "database", takes_words, said.probability


# --- choose
# Which door of a page is meant: the one that was named, else the likeliest database.

GET = frozenset({"GET"})


def choose_door(
    seen: Inspection, signature: str = "", number: int | None = None, methods: frozenset[str] = GET
) -> Door | Verdict:
    """Return the door that is meant, or why there is none to ask."""
    door = _named_door(seen, signature, number)
    if isinstance(door, Verdict):
        return door
    allowed = judge_asking(door, methods)
    return door if allowed.yes else Verdict(False, f"form {door.form.index} {allowed.reason}")


def _named_door(seen: Inspection, signature: str, number: int | None) -> Door | Verdict:
    if number is not None:
        found = next((door for door in seen.doors if door.form.index == number), None)
        if found is None:
            raise BadInput(f"--form {number}: the page has {say_count(len(seen.doors), 'forms')}, counted from 0")
        return found
    if signature:
        found = next((door for door in seen.doors if door.signature == signature), None)
        return found or Verdict(False, "the form is no longer on its page")
    return best_door(seen.doors) or best_posting(seen) or _say_why_none(seen)


def best_posting(seen: Inspection) -> Door | None:
    """Return the likeliest database among the forms that are refused only for how they send."""
    refused = [door for door in seen.doors if judge_asking(door, frozenset({"GET", "POST"})).yes]
    return max(refused, key=_worth_asking, default=None)


def _say_why_none(seen: Inspection) -> Verdict:
    reasons = [f"form {door.form.index} {judge_asking(door).reason}" for door in seen.doors[:3]]
    return Verdict(False, f"no form that can be asked ({'; '.join(reasons) or 'it has no forms'})")
