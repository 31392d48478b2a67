"""Ask a door a few polite questions and say what answers; which door of a page is meant."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from dowse.errors import BadInput
from dowse.fetch import Fetch
from dowse.form.conditions import read_structure
from dowse.form.fill import fill, judge_asking, judge_named
from dowse.form.questions import (
    Box,
    find_box,
    find_choices,
    find_common,
    find_extremes,
    find_part,
    find_preset_choices,
    has_range,
    make_nonsense,
    stop_words,
)
from dowse.model import SEARCHABLE_KINDS, Door, Failure, Judgement, Link, Page, Probe, Request, Response, Verdict
from dowse.reasons import FailureReason, say_count
from dowse.step.replies import (
    CHOICE,
    EMPTY,
    MEANT,
    NONSENSE,
    PART,
    WHOLE,
    WORD,
    Replies,
    Reply,
    ReplyFindings,
    conclude,
    judge_match,
)
from dowse.step.visit import Inspection, View, is_large, offload, read_document
from dowse.url import origin, same_site
from dowse.words.lookup import anywhere

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
    document = await read_document(response, view=View.NODES)
    replies.replies.append(Reply(question.asked, question.words, document.page, document.nodes))
    return True


def _conclude(replies: Replies) -> Probe:
    return conclude(replies, judge_match(replies))


def _count_requests(response: Response | Failure) -> int:
    """Count what a question cost: each redirect is a request of its own."""
    if isinstance(response, Failure):
        return int(response.asked)
    return 1 + len(response.redirects)


def _why_no_answer(response: Response | Failure) -> str:
    """Return why there is no answer; a page that is not found is one, where nothing was found."""
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
    hit = max(hits, key=lambda found: len(found.records))
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
    sources = [hit.values_under(box.label)] if not box.general else []
    sources += [hit.titles, hit.short_values]
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
    doubted, _ = find_part([title for found in replies.found(EMPTY) for title in found.doubted])
    for word in [*([doubted] if doubted else []), *_site_words(replies)]:
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
    return next(iter(rank_doors(doors)), None)


def rank_doors(doors: Iterable[Door]) -> list[Door]:
    """Return the doors that may be asked, the most worth asking first."""
    return sorted([door for door in doors if judge_asking(door).yes], key=_worth_asking, reverse=True)


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
        return open_named(found)
    if signature:
        found = next((door for door in seen.doors if door.signature == signature), None)
        return found or Verdict(False, "the form is no longer on its page")
    return best_door(seen.doors) or best_posting(seen) or _say_why_none(seen)


def open_named(door: Door) -> Door:
    """Return a door that somebody named, with what can be asked there though it does not look like a search."""
    judgement = judge_named(door)
    if door.judgement.searchable:
        return replace(door, judgement=judgement)
    if judgement == door.judgement:
        return door
    read = read_structure(door.form)
    return replace(door, judgement=judgement, conditions=read.conditions, controls=read.controls)


def best_posting(seen: Inspection) -> Door | None:
    """Return the likeliest database among the forms that are refused only for how they send."""
    refused = [door for door in seen.doors if judge_asking(door, frozenset({"GET", "POST"})).yes]
    return max(refused, key=_worth_asking, default=None)


def _say_why_none(seen: Inspection) -> Verdict:
    reasons = [f"form {door.form.index} {judge_asking(door).reason}" for door in seen.doors[:3]]
    return Verdict(False, f"no form that can be asked ({'; '.join(reasons) or 'it has no forms'})")
