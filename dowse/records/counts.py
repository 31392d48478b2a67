"""What a page says beside its records: how many there are, that there are none, or that it is no answer, in many languages."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cache
from itertools import islice
from typing import Final, NamedTuple

from dowse.model import Form, Page, Request, Response, Verdict
from dowse.reasons import TroubleKind
from dowse.url import canonical, same_site
from dowse.words.lookup import either

# Bounds on the work; what is read is measured on count lines that were read by hand: `python -m bench paging`, bench/labels/counts.json.
MAX_COUNT_CHARS: Final = 200_000  # of a text that are looked at
MAX_COUNT_NUMBERS: Final = 2_000  # of a text that are looked at
WINDOW_CHARS: Final = 60  # on each side of a number, in which words speak of it
KEPT_CHARS: Final = 40  # on each side of a number that are quoted
MAX_COUNT: Final = 10**12  # records; a larger number counts something else
MAX_COUNT_LINES: Final = 400  # of an answer that are looked at for a word that nothing was found
MAX_COUNT_LINE_CHARS: Final = 400  # of one of these
LONG_LINE_CHARS: Final = 100  # from which on a line is rather a text than a count line


@dataclass(frozen=True, slots=True)
class Count:
    """How many there are, as a page says it."""

    number: int
    exact: bool = True  # not when it says about, more than, or 1,000+
    words: str = ""  # as it stands there
    limit: int = 0  # the most that is shown, where it says so
    shown: int = 0  # how many of them stand on this page, where it says so


# -- numbers, and the words beside them

_SIGNS = frozenset("/|(,;:")
_GROUPED = r"\d{1,3}(?:,\d{3}){1,8}|\d{1,2}(?:,\d\d){1,4},\d{3}|\d{1,3}(?:[٬،]\d{3}){1,8}|\d{1,3}(?:\.\d{3}){1,8}|\d{1,3}(?:['’ \u00a0\u2009\u202f]\d{3}){1,8}|\d{1,12}"
_NUMBER = re.compile(
    rf"(?<![\d.,٬٫،/:#$€£¥№A-Za-z])(?<!\d[ \u00a0])(?:{_GROUPED})(?![\d%٪‰°])(?![.,٬٫،:/]\d)(?!-?[A-Za-z′″])"
)  # W3, 10th and 30-minute are words
_GAP = r"(?:\W{0,4}[^\W\d]{1,20}){0,3}\W{1,4}"  # up to three words between
_MARK_AFTER = re.compile(r"^[.)] ?[^\W\d]")  # 6. No match for this
_DATE_AFTER = re.compile(r"^\.? ?(?:de )?[^\W\d]{3,10}\.?,? (?:de )?(?:19|20)\d\d(?!\d)")  # 9 March 2016
_PART_AFTER = re.compile(r"^ [^\W\d]{2,20}, ?\d")  # Total: 0 known, 120 unknown
_JOINED_BEFORE = re.compile(r"\d ?[-–] ?$|(?<!\w)(?:no|nr|nº)\.? ?$")  # a telephone number, the end of a range, No. 5
_DIRECTION = re.compile("[\u200e\u200f\u061c\u202a-\u202e\u2066-\u2069]")  # unseen marks between words and numbers


class CountWords(NamedTuple):
    """Expressions for what stands right before or after a number, in lower case."""

    range_before: re.Pattern[str]  # 1 - 10 of 57
    range_after: re.Pattern[str]  # 57 件中 1 - 10
    range_in_brackets: re.Pattern[str]  # found: 57 (on this page 1-10)
    range_end: re.Pattern[str]
    range_start: re.Pattern[str]
    part_of: re.Pattern[str]  # showing 10 of 57
    noun_after: re.Pattern[str]
    noun_before: re.Pattern[str]
    plain_noun_after: re.Pattern[str]
    thing_after: re.Pattern[str]  # what also stands in a menu or a basket: it counts only beside a word of finding
    found_after: re.Pattern[str]
    finds_before: re.Pattern[str]
    about_before: re.Pattern[str]
    at_least_after: re.Pattern[str]  # 1,000+, 1,000 or more, 1,000件以上
    counter_after: re.Pattern[str]  # 57件
    counted_before: re.Pattern[str]
    forum_after: re.Pattern[str]  # 96 topics • Page 1 of 4
    year_before: re.Pattern[str]
    others_after: tuple[re.Pattern[str], ...]  # what makes a number something else: a date, people, a price, a time
    others_before: tuple[re.Pattern[str], ...]


@cache
def count_words() -> CountWords:
    """Return the words beside numbers of all languages, made once."""
    nouns, things, found, about = either("result"), either("thing"), either("found"), either("about")
    to, of, counter, page = either("range to"), either("out of"), either("counter"), either("page")
    finds = either("finds")
    per_page = (
        rf"^\W{{0,2}}(?:[^\W\d]{{1,20}} ){{0,2}}(?:[^\W\d]{{1,20}})? ?(?:{either('per page')})"
        rf"|^ ?(?:{either('per page after a counter')})|^ ?(?:[^\W\d]{{1,20}} ){{0,2}}(?:{either('on a page')})"
    )
    return CountWords(
        range_before=re.compile(rf"(?<![\d.,])({_GROUPED}) ?(?:件目|{counter})? ?(?:{to}) ?(?:la )?({_GROUPED}) ?[(\[]? ?({of}|(?:[,;.] ?)?(?:{finds})\W{{0,2}})(?: (?:{either('before a total')}))?(?: (?:{about}))? ?$"),
        range_after=re.compile(rf"^ ?(?:{counter})(?:中|のうち|，|、|,| )? ?({_GROUPED}) ?(?:件目?)? ?(?:{to}) ?({_GROUPED})"),
        range_in_brackets=re.compile(rf"^ ?[(\[] ?(?:[^\W\d]{{1,20}}:? ){{0,3}}({_GROUPED}) ?(?:{to}) ?({_GROUPED})(?!\d)"),
        range_start=re.compile(rf"(?<![\d.,])({_GROUPED}) ?(?:{to}) ?$"),
        part_of=re.compile(rf"(?<![\d.,/-])({_GROUPED}) (?:[^\W\d]{{1,20}} )?(?:{of}) (?:(?:{either('before a total')}) )?({_GROUPED})(?!\d)"),
        range_end=re.compile(rf" ?(?:{to}|{of}) ?\d"),
        noun_after=re.compile(rf"^\+? ?(?:[^\W\d]{{1,20}} ){{0,2}}?(?:{nouns})\b"),
        noun_before=re.compile(rf"(?<!\w)(?:{nouns})(?: (?:{found}))? ?[:=(]\W{{0,3}}$|(?<!\w)(?:{nouns}) (?:{found}) ?$"),
        plain_noun_after=re.compile(rf"^\+? ?(?:{nouns}|{things})\b|^ ?(?:{counter})|^ ?[^\W\d]{{2,20}} (?:{found})\b|^[^\w]{{0,3}}$"),
        thing_after=re.compile(rf"^\+? ?(?:[^\W\d]{{1,20}} ){{0,2}}?(?:{things})\b"),
        found_after=re.compile(rf"^\+?{_GAP}(?:{found})\b"),
        finds_before=re.compile(rf"(?<!\w)(?:{finds})\W{{1,3}}(?:(?:{about})\W{{1,2}})?$"),
        about_before=re.compile(rf"(?<!\w)(?:{about}) ?$"),
        at_least_after=re.compile(rf"^ ?\+|^ ?(?:[^\W\d]{{1,20}} )?(?:{either('at least after a number')})"),
        counter_after=re.compile(rf"^\+? ?(?:{either('count after a number')})"),
        counted_before=re.compile(rf"(?:{either('count before a number')}) ?[:：]? ?(?:約|约|약)? ?$"),
        forum_after=re.compile(rf"^ ?[^\W\d]{{2,20}} ?[•·|,;–-] ?(?:{page}) ?:? ?\d"),
        year_before=re.compile(rf"(?:{either('before a year')})\W{{0,2}}$"),
        others_after=(
            _DATE_AFTER,
            re.compile(rf"^ ?(?:of \d+ )?(?:{either('people')})\b"),
            re.compile(rf"^ ?(?:{either('currency')})"),
            re.compile(rf"^ ?(?:{either('time')})\b"),
            re.compile(rf"^\W{{0,2}}(?:{either('pages')})\b"),
            re.compile(per_page),
        ),
        others_before=(
            _JOINED_BEFORE,
            re.compile(rf"(?:{either('currency before an amount')}) ?$"),
            re.compile(rf"(?:{page}) ?(?:\d{{1,6}} ?(?:{either('of pages')}) ?)?$"),
        ),
    )  # fmt: skip


def _find_counts(line: str, limit: int, shown: int) -> Iterator[tuple[int, Count]]:
    """Yield the numbers in a line that count something, each with a rank from 1 to 5: how clearly it does."""
    for found in islice(_NUMBER.finditer(line), MAX_COUNT_NUMBERS):
        number = to_number(found[0])
        before = line[max(0, found.start() - WINDOW_CHARS) : found.start()].lower()
        after = line[found.end() : found.end() + WINDOW_CHARS].lower()
        rank, own = _rank(number, found[0], before, after)
        is_text = rank <= 2 and len(line) > LONG_LINE_CHARS  # a long text must say it more clearly
        if not rank or is_text or (limit and number == limit and _speaks_of_limit(before, after)):
            continue
        words = " ".join(line[max(0, found.start() - KEPT_CHARS) : found.end() + KEPT_CHARS].split())
        exact = not _is_rough(before, after)
        yield rank, Count(number, exact, words, shown=own or shown)
    # a line that is no more than a count of things
    bare = empty_words().bare_count.match(line)
    if bare and not empty_words().basket.search(line) and to_number(bare[1]) > max(1, shown):
        yield 1, Count(to_number(bare[1]), True, " ".join(line[:KEPT_CHARS].split()), shown=shown)


def _rank_by_range(number: int, before: str, after: str) -> tuple[int, int] | None:
    """Return what a range of those on this page tells of a number beside it, as `_rank` does, or None where there is none."""
    words = count_words()
    # a range that ends before, or begins after, the number of all records; with a sign between, hours or a score
    found = words.range_before.search(before) or words.range_after.match(after)
    if found:
        first, last = to_number(found[1]), to_number(found[2])
        is_other_range = found.re is words.range_before and found[3] in _SIGNS and not first == 1 < last
        if not is_other_range and 0 < first <= last <= number and last - first < 1_000:
            return 5, last - first + 1
    bounds = words.range_start.search(before)
    if bounds and to_number(bounds[1]) <= number:  # the last of those on this page
        return 0, 0
    inside = words.range_in_brackets.match(after) if words.finds_before.search(before) else None
    if inside and 0 < to_number(inside[1]) <= to_number(inside[2]) <= number:
        return 4, to_number(inside[2]) - to_number(inside[1]) + 1
    return None


def _rank(number: int, written: str, before: str, after: str) -> tuple[int, int]:
    """Return how clearly a number counts what was found (0: not at all), and how many of them it says are shown."""
    words = count_words()
    by_range = _rank_by_range(number, before, after)
    if by_range:
        return by_range

    # a price, a date, a time, a page, a mark in a list, a year, or how many stand on a page
    is_other = any(pattern.match(after) for pattern in words.others_after)
    is_other = is_other or any(pattern.search(before) for pattern in words.others_before)
    is_mark = not before.strip() and _MARK_AFTER.match(after)
    is_year = written.isdigit() and 1900 <= number <= 2100
    if is_other or is_mark:
        return 0, 0
    if is_year and (words.year_before.search(before) or not words.plain_noun_after.match(after)):
        return 0, 0

    noun, finding = bool(words.noun_after.match(after)), bool(words.finds_before.search(before))
    is_thing_found = (noun or words.thing_after.match(after)) and (finding or words.found_after.match(after))
    if is_thing_found or words.forum_after.match(after) or words.counted_before.search(before):
        return 4, 0
    if noun or words.noun_before.search(before) or words.counter_after.match(after):
        return 3, 0
    is_found = (finding and not _PART_AFTER.match(after)) or words.found_after.match(after)
    return (2, 0) if is_found else (0, 0)


def _is_rough(before: str, after: str) -> bool:
    """Return True if the words beside a number say that it is about, or at least, so many."""
    words = count_words()
    return bool(words.about_before.search(before) or words.at_least_after.match(after))


def to_number(written: str) -> int:
    """Return 1,234 or 1.234 or 1 234 as a number."""
    return min(MAX_COUNT, int("".join(letter for letter in written if letter.isdigit()) or "0"))


def read_range(text: str, shown: int) -> Count | None:
    """Return the number in a line that also says from 1 to as many as were seen: in any language a count line."""
    numbers = [to_number(found) for found in _NUMBER.findall(text[: WINDOW_CHARS * 4])]
    if shown >= 2 and len(numbers) == 2 and numbers[0] == shown:
        return _read_part(text[: WINDOW_CHARS * 4], shown)
    if not 3 <= len(numbers) <= 4 or 1 not in numbers or shown < 2 or shown not in numbers:
        return None
    numbers.remove(1)
    numbers.remove(shown)
    most = max(numbers)
    line = text[: WINDOW_CHARS * 4].lower()
    totals = [found for found in _NUMBER.finditer(line) if to_number(found[0]) == most]
    exact = not any(_is_rough(line[: found.start()], line[found.end() :]) for found in totals)
    return Count(most, exact, " ".join(text[:200].split()), read_limit(text), shown) if most >= shown else None


def _read_part(text: str, shown: int) -> Count | None:
    """Return the second number of "showing 10 of 57", where 10 were seen."""
    words, line = count_words(), text.lower()
    found = words.part_of.search(line)
    says_so = found and (limit_words().shown.search(line) or words.noun_after.match(line[found.end() :]))
    if not found or not says_so or to_number(found[1]) != shown or to_number(found[2]) < shown:
        return None
    if any(each.search(line[: found.start()]) for each in words.others_before):
        return None
    if any(each.match(line[found.end() :]) for each in words.others_after):
        return None
    exact = not _is_rough(line[: found.start(2)], line[found.end(2) :])
    return Count(to_number(found[2]), exact, " ".join(text[:200].split()), shown=shown)


# -- limits: "only the first 1,000 are shown"


class LimitWords(NamedTuple):
    """Expressions for the most that is shown; words of an end say so by themselves, beside a word for what is found."""

    limit: re.Pattern[str]
    limit_after: re.Pattern[str]
    end: re.Pattern[str]
    shown: re.Pattern[str]
    capped: re.Pattern[str]


@cache
def limit_words() -> LimitWords:
    """Return the words of limits of all languages, made once."""
    first, capped, articles = either("the first"), either("at most"), either("article")
    things = f"{either('result')}|{either('thing')}"
    between = rf"(?:(?:{articles}|{first})\W{{1,2}}){{0,2}}"
    return LimitWords(
        limit=re.compile(rf"(?i)(?:(?:{first}|{capped})\W{{0,3}}{between})({_GROUPED})(?!\d)"),
        limit_after=re.compile(rf"({_GROUPED}) ?(?:{either('limit after a number')})"),
        end=re.compile(rf"(?i)(?:{either('ends after')})\W{{1,2}}{between}({_GROUPED})(?!\d) ?(?:[^\W\d]{{1,20}} )?(?:{things})\b"),
        shown=re.compile(rf"(?i)(?:{either('shown')})"),
        capped=re.compile(rf"(?i)(?<!\w)(?:{first}|{capped})\W"),
    )  # fmt: skip


def read_limit(text: str) -> int:
    """Return the most records that a page says it shows of all there are, or 0."""
    words = limit_words()
    for found in words.limit.finditer(text[:MAX_COUNT_CHARS]):
        near = text[max(0, found.start() - WINDOW_CHARS) : found.end() + WINDOW_CHARS]
        number = to_number(found[1])
        # not the first number of a range, from 1 to 10, nor those on a page: the first 10 of 57
        is_range = count_words().range_end.match(text[found.end() : found.end() + 12].lower())
        if number > 1 and words.shown.search(near) and not is_range:
            return number
    stated = words.end.search(text[:MAX_COUNT_CHARS]) or words.limit_after.search(text[:MAX_COUNT_CHARS])
    return to_number(stated[1]) if stated else 0


def _speaks_of_limit(before: str, after: str) -> bool:
    words = limit_words()
    near = f"{before}0{after}"
    if words.limit_after.match(f"0{after}"):
        return True
    return bool(words.end.search(f"{before}{WINDOW_CHARS}{after}")) or bool(
        words.shown.search(near) and words.capped.search(near)
    )


# -- nothing found


class EmptyWords(NamedTuple):
    """Expressions for answers without records, and for a line that is no more than a count of things."""

    nothing: re.Pattern[str]
    bare_count: re.Pattern[str]
    basket: re.Pattern[str]


@cache
def empty_words() -> EmptyWords:
    """Return the words of empty answers of all languages, made once."""
    return EmptyWords(
        nothing=re.compile(f"(?i){either('nothing found')}"),
        bare_count=re.compile(rf"(?i)\W{{0,3}}\(({_GROUPED}) (?:[^\W\d]{{1,20}} )?(?:{either('thing')})\)"),
        basket=re.compile(f"(?i){either('basket')}"),
    )


def says_nothing_found(text: str) -> bool:
    """Return True if a text says that nothing was found."""
    return bool(empty_words().nothing.search(_DIRECTION.sub("", text[:MAX_COUNT_CHARS])))


def _is_of_all(line: str, count: Count) -> bool:
    """Return True if a number is that of all there are, in a line that says that nothing was found: no results (1,500 total)."""
    part = count_words().part_of.search(line.lower())
    return count.number > 0 and (says_nothing_found(line) or (part is not None and to_number(part[1]) == 0))


def best_count(lines: Iterable[str], shown: int = 0) -> Count | None:
    """Return the clearest count among lines of an answer, with the limit that any of them states."""
    lines = [_DIRECTION.sub("", line[:MAX_COUNT_CHARS]) for line in lines]
    limit = next((found for found in map(read_limit, lines) if found), 0)
    ranges = (read_range(line, shown) for line in lines)
    best = next((count for count in ranges if count), None)
    if best is None:
        ranked = [pair for line in lines for pair in _find_counts(line, limit, shown) if not _is_of_all(line, pair[1])]
        best = max(ranked, key=lambda pair: pair[0])[1] if ranked else None
    return replace(best, limit=limit or best.limit) if best else None


# -- totals that only the page around them makes clear: "3041 vehicles", "List (6000)", "Page 3 of 12"

_BARE_TOTAL = re.compile(rf"\W{{0,3}}({_GROUPED}) (?:[^\W\d]{{2,20}})(?: [^\W\d]{{2,20}})?\W{{0,3}}")
# what stands after the links to pages: 1 2 3 … 39 40 2000 films; each number may be the one that is meant
_TOTAL_AFTER_PAGES = re.compile(rf"(?=(?<![\d.,])({_GROUPED}) (?:[^\W\d]{{2,20}})(?: [^\W\d]{{2,20}})?\W{{0,3}}\Z)")
_PAGE_LINKS = re.compile(r"[\d\W]{3,150}")
_CALLED_TOTAL = re.compile(rf"(?:[^\W\d]{{2,20}})(?: [^\W\d]{{1,20}})? ?\(({_GROUPED})\)")


@cache
def _said_totals() -> tuple[re.Pattern[str], ...]:
    """Return the expressions of lines that are hardly more than a number, made once: those above, "Displaying all 14 cars", "Items: 26"."""
    shown = re.compile(
        rf"(?i)(?:{either('shown')})\w{{0,6}} (?:[^\W\d]{{2,20}} )?({_GROUPED}) [^\W\d]{{2,20}}\W{{0,3}}"
    )
    things = re.compile(rf"(?i)(?:{either('thing')}) ?: ?({_GROUPED})")
    return _BARE_TOTAL, _CALLED_TOTAL, shown, things


def read_bare_total(lines: Iterable[str], shown: int, more: bool, pages: int = 0) -> Count | None:
    """Return a number that stands in a line with hardly more than a word, where it fits what comes; None where several do.

    It fits when there are further pages and it is more than this one shows, or none and it is as many; where links lead
    to so many pages, the last of them must have some. Facets, years and baskets stand there too, but not so that one
    number alone fits.
    """
    others, fitting = count_words().others_after, dict[int, str]()
    for line in (each.strip() for each in islice(lines, MAX_COUNT_LINES) if len(each) <= LONG_LINE_CHARS):
        matched = next((found for each in _said_totals() if (found := each.fullmatch(line))), None)
        matched = matched or (_find_after_pages(line, shown, pages) if more else None)
        if matched is None or any(other.match(line[matched.end(1) :].lower()) for other in others):
            continue
        number = to_number(matched[1])
        if (
            shown >= 2
            and (number > shown * max(1, pages - 1) if more else number == shown)
            and not empty_words().basket.search(line)
        ):
            fitting[number] = line
    number, words = next(iter(fitting.items()), (0, ""))
    return Count(number, True, words, shown=shown) if len(fitting) == 1 else None


def _find_after_pages(line: str, shown: int, pages: int) -> re.Match[str] | None:
    """Return the number after the links to pages, in one line with them, that fills just so many pages."""
    for found in _TOTAL_AFTER_PAGES.finditer(line) if pages > 1 and shown > 1 else ():
        fills = shown * (pages - 1) < to_number(found[1]) <= shown * pages
        if fills and _PAGE_LINKS.fullmatch(line[: found.start()]):
            return found
    return None


@cache
def _page_of_pages() -> re.Pattern[str]:
    """Return the expression of "page 3 of 12", "3 / 12 페이지" and "第3页/共12页" in all languages, made once."""
    page, of, signs = either("page"), either("of pages"), either("page after a number")
    number = rf"({_GROUPED})"
    ways = (
        rf"(?<![^\W\d])(?:{page}) ?:? ?{number} ?(?:{signs})?[.,，]? ?(?:{of}) ?{number}(?!\d)",
        rf"(?<![\d/.,]){number} ?/ ?{number} ?(?:{signs})",
        rf"(?<![\d/.,]){number}\. ?(?:{page}) ?(?:{of}) ?{number}(?!\d)",
    )
    return re.compile("|".join(ways))


def read_page_total(lines: Iterable[str], shown: int, last_page: int = 0) -> Count | None:
    """Return about how many there are where a page says, or links tell, how many pages there are: the last is half full."""
    for line in islice(lines, MAX_COUNT_LINES):
        matched = _page_of_pages().search(line[:MAX_COUNT_LINE_CHARS].lower())
        current, last = [to_number(each) for each in matched.groups() if each] if matched else (0, 0)
        if matched and 1 <= current <= last and shown >= 2:
            return Count(last * shown - shown // 2, False, matched[0], shown=shown)
    if not last_page or shown < 2:
        return None
    return Count(last_page * shown - shown // 2, False, f"{last_page} pages", shown=shown)


def judge_empty(lines: Iterable[str], shown: int = 0, count: Count | None = None, asked: str = "") -> Verdict:
    """Judge whether an answer says that nothing was found; the lines are those outside its records."""
    lines = list(islice(lines, MAX_COUNT_LINES))
    count = count or best_count(lines, shown)
    if count is not None and count.number > 0:
        return Verdict(False, f"it counts {count.number:,}")
    telling = [line for line in lines if says_nothing_found(line[:MAX_COUNT_LINE_CHARS])]
    if telling and shown < 3:
        return Verdict(True, f"it says: {telling[0][:100]}")
    quoted = [line for line in telling if asked and asked.lower() in line.lower()]
    if quoted:  # what is shown is something to look at instead
        return Verdict(True, f"it says: {quoted[0][:100]}")
    if count is not None:
        return Verdict(True, "it counts none")
    return Verdict(False, f"{shown:,} records" if shown else "neither records nor a word that there are none")


# -- pages that are no answers though they came with status 200: robot checks, login walls, error pages, limits
#
# Ordinary answers speak of such things too: a menu has a login, a record is about an internal error. So a
# page with records is never in trouble, and elsewhere only whole sentences count, in lines of their own.

# Bounds on the work; how many records make an answer and how long a message is were set by hand on pages of `tests/records/test_trouble.py`.
MAX_TROUBLE_LINES: Final = 400  # of a page that are looked at
MAX_TROUBLE_LINE_CHARS: Final = 400  # of a line that are looked at
MIN_ANSWER_RECORDS: Final = 2  # from which on a page is an answer, whatever else it says
MAX_MESSAGE_PAGE_CHARS: Final = 6_000  # of text; a longer page is more than a message
MAX_REDIRECT_ADDRESS_CHARS: Final = 2_000  # of an address that are looked at


# What explains the others comes first: an expired session may also ask to log in.
_IDEAS: Final = {
    TroubleKind.ROBOT_CHECK: "robot check",
    TroubleKind.EXPIRED: "session expired",
    TroubleKind.RATE_LIMITED: "rate limited",
    TroubleKind.MAINTENANCE: "maintenance",
    TroubleKind.ERROR: "error page",
    TroubleKind.TOO_SHORT: "query too short",
    TroubleKind.TOO_BROAD: "query too broad",
    TroubleKind.LOGIN: "login wall",
    TroubleKind.CONSENT: "consent first",
}
# A service says what is wrong in one short message: there a single word is enough.
_MESSAGE_IDEAS: Final = {
    TroubleKind.ROBOT_CHECK: "robot check message",
    TroubleKind.EXPIRED: "session message",
    TroubleKind.RATE_LIMITED: "rate limit message",
    TroubleKind.LOGIN: "login message",
    TroubleKind.CONSENT: "consent message",
}
_BESIDE_A_FORM: Final = frozenset({TroubleKind.TOO_SHORT, TroubleKind.TOO_BROAD})  # on a page of any length
_BY_STATUS: Final = {
    401: TroubleKind.LOGIN,
    407: TroubleKind.LOGIN,
    419: TroubleKind.EXPIRED,
    429: TroubleKind.RATE_LIMITED,
    440: TroubleKind.EXPIRED,
    503: TroubleKind.MAINTENANCE,
}
# What pages with an error status say of themselves is believed rather than the status.
_TOLD_BY_ERROR_PAGES: Final = frozenset(
    {
        TroubleKind.ROBOT_CHECK,
        TroubleKind.RATE_LIMITED,
        TroubleKind.LOGIN,
        TroubleKind.EXPIRED,
        TroubleKind.MAINTENANCE,
    }
)
_SENTENCE_END: Final = re.compile(r"(?<=[.!?。！？])\s|\n")
_CAPTCHA: Final = re.compile(r"captcha|cf-turnstile|cf_chl|hcaptcha|px-captcha", re.IGNORECASE)


class TroubleWords(NamedTuple):
    """Expressions for what pages say that are no answers."""

    lines: dict[TroubleKind, re.Pattern[str]]
    messages: dict[TroubleKind, re.Pattern[str]]
    addresses: dict[TroubleKind, re.Pattern[str]]
    login_title: re.Pattern[str]


@cache
def trouble_words() -> TroubleWords:
    """Return the words of trouble of all languages, made once."""
    # a name in an address, whole: a record may be called two-factor-auth, or chocolate-cookies
    addresses = {TroubleKind.LOGIN: "login address", TroubleKind.CONSENT: "consent address"}
    return TroubleWords(
        lines={kind: re.compile(f"(?i){either(idea)}") for kind, idea in _IDEAS.items()},
        messages={kind: re.compile(f"(?i){either(idea)}") for kind, idea in _MESSAGE_IDEAS.items()},
        addresses={
            kind: re.compile(rf"(?i)(?:^|[/.])(?:{either(idea)})(?=$|[/.:])") for kind, idea in addresses.items()
        },
        login_title=re.compile(rf"(?i)^(?:{either('login title')})\b"),
    )


def judge_redirect(request: Request, response: Response, page: Page | None) -> TroubleKind | None:
    """Return why the page that a request was redirected to is no answer; None if it was not redirected, or to an answer."""
    # where it ended up: by a redirect, also one that nobody followed, or by a short page with a refresh
    target = page.refresh if page is not None and len(page.text) < MAX_MESSAGE_PAGE_CHARS // 10 else ""
    if 300 <= response.status < 400:
        target = canonical(response.header("location"), response.url) or ""
    elif response.redirects:
        target = response.url
    if not target or target == request.url:
        return None
    asked, reached = _host_and_path(request.url), _host_and_path(target)
    for kind, pattern in trouble_words().addresses.items():
        if pattern.search(reached) and not pattern.search(asked):
            return kind
    if 300 <= response.status < 400 and not same_site(request.url, target):
        return TroubleKind.OTHER_SITE
    return TroubleKind.LOGIN if page is not None and asked != reached and _asks_password(page) else None


def _host_and_path(url: str) -> str:
    """Return an address without its query, in which any word may stand."""
    return url[:MAX_REDIRECT_ADDRESS_CHARS].partition("://")[2].partition("?")[0]


def judge_trouble(status: int, page: Page, lines: Iterable[str] = (), shown: int = 0) -> str:
    """Return why a page is no answer, a TroubleKind or an error page with its status; nothing for answers, empty ones too.

    `lines` are those outside its records, of which it has `shown`.
    """
    if shown >= MIN_ANSWER_RECORDS:
        return ""
    said = [" ".join(line[:MAX_TROUBLE_LINE_CHARS].split()) for line in islice(lines, MAX_TROUBLE_LINES)]
    if not said:
        said = [part.strip() for part in _SENTENCE_END.split(page.text[:MAX_MESSAGE_PAGE_CHARS])][:MAX_TROUBLE_LINES]
    known: TroubleKind | None = None
    for kind, pattern in trouble_words().lines.items():
        is_title_only = len(page.text) > MAX_MESSAGE_PAGE_CHARS and kind not in _BESIDE_A_FORM
        if any(pattern.search(line) for line in (page.title, *(() if is_title_only else said)) if line):
            # beside a word that nothing was found, the page was asked and has answered: "Not logged in" stands in its head
            is_answer = kind is TroubleKind.LOGIN and status < 400 and any(map(says_nothing_found, said))
            known = None if is_answer else kind
            break
    if status >= 400 and status not in (404, 410):
        if known in _TOLD_BY_ERROR_PAGES:
            return known
        return _BY_STATUS.get(status) or f"{TroubleKind.ERROR} ({status})"
    return known or _judge_forms(page, shown) or ""


def _judge_forms(page: Page, shown: int) -> TroubleKind | None:
    """Judge a page by a form that fills it: a captcha, a login."""
    if shown or len(page.text) > MAX_MESSAGE_PAGE_CHARS // 2:
        return None
    names = (f"{field.name} {field.id}" for form in page.forms for field in form.fields)
    if not any(map(_takes_words, page.forms)) and any(map(_CAPTCHA.search, names)):
        return TroubleKind.ROBOT_CHECK
    return TroubleKind.LOGIN if _asks_password(page) and trouble_words().login_title.match(page.title.strip()) else None


def _asks_password(page: Page) -> bool:
    asks = any(field.type == "password" for form in page.forms for field in form.fields)
    return asks and not any(map(_takes_words, page.forms))


def _takes_words(form: Form) -> bool:
    types = [field.type for field in form.fields]
    return "password" not in types and any(kind in ("text", "search") for kind in types)


def judge_message(message: str) -> TroubleKind | None:
    """Return the trouble that an error message of a service speaks of, if it is one that a harvest must react to."""
    return next((kind for kind, pattern in trouble_words().messages.items() if pattern.search(message)), None)
