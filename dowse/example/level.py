"""One level of similar addresses as an expression, loose or tight (paper 3, Figure 7)."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Sequence
from itertools import islice, takewhile
from typing import Final

from dowse.example.expression import MOST_COUNT, judge_expression
from dowse.example.tokens import LEAST_SEEN, Kind, common_kind, escape, kind_of, token_regex, tokenize, write_class

LEAST_CLOSED: Final = 6  # addresses until words that each stood twice count as all there are
MOST_WORDS: Final = 12  # of a level that are written one by one
LONGEST_WORDS: Final = 400  # characters of them all: nobody reads more
MOST_VALUES: Final = 200  # of a level that are looked at to see what an expression knows
MOST_LEFT_OUT: Final = 20  # of them that are left out in turn
LEAST_LEFT_OUT: Final = 5  # values; of fewer, none can be spared
LEAST_KNOWN: Final = 0.95  # of those left out that an expression must match

_WORDS: Final = frozenset({Kind.LETTERS, Kind.MIXED, Kind.ENCODED})
_BETWEEN_WORDS: Final = frozenset("-_+")
_IN_TITLES: Final = "azAZ09-_%"  # what any title may hold, though few were seen: % begins what is encoded
Write = Callable[[Sequence[str]], str]  # the tokens of one place, as an expression


def level_regex(values: Sequence[str], forbidden: str) -> str:
    """Return the expression for the values of one level, one per address, that matches them and what is like them."""
    distinct = sorted(set(values))
    if len(distinct) == 1:
        return escape(distinct[0])
    if _are_all_there_is(values):
        return write_words(distinct)
    return write_level(distinct, token_regex, forbidden)


def _are_all_there_is(values: Sequence[str]) -> bool:
    """Say whether a level has a few words to choose from, by Good and Turing: none was seen only once.

    Numbers go on counting, so they never are.
    """
    counts = Counter(values)
    numbers = any(each.isdigit() for value in counts for each in value)
    closed = len(values) >= LEAST_CLOSED and min(counts.values()) > 1
    return closed and not numbers and _are_few(counts)


def _are_few(words: Collection[str]) -> bool:
    return len(words) <= MOST_WORDS and sum(map(len, words)) <= LONGEST_WORDS


def write_words(words: Sequence[str]) -> str:
    """Return the expression for some words and no others, the longest first: so that none hides another."""
    ordered = sorted(words, key=lambda word: (-len(word), word))
    there = "|".join(escape(word) for word in ordered if word)
    return f"(?:{there})?" if "" in words else f"(?:{there})"


def write_level(distinct: Sequence[str], write: Write, forbidden: str) -> str:
    """Return the expression for values: what all begin and end with, and between them token by token where they agree."""
    rows = [tokenize(value) for value in distinct]
    first = count_common(rows)
    last = count_common([row[first:][::-1] for row in rows])
    middles = [row[first : len(row) - last] for row in rows]
    head, tail = "".join(rows[0][:first]), "".join(rows[0][len(rows[0]) - last :]) if last else ""
    middle = _write_columns(middles, write) or _write_tail(middles, write) or _write_run(middles, write)
    written = escape(head) + middle + escape(tail)
    if judge_expression(written, forbidden).yes:
        return written
    return escape(head) + write_class("".join(map("".join, middles))) + "*" + escape(tail)


def count_common(rows: Sequence[Sequence[str]]) -> int:
    """Count the places from the start in which all rows are equal."""
    same = takewhile(lambda column: len(set(column)) == 1, zip(*rows, strict=False))
    return sum(1 for _ in same)


def _write_columns(rows: Sequence[Sequence[str]], write: Write) -> str:
    """Return the expression for rows of tokens that agree place by place, or nothing."""
    if len({len(row) for row in rows}) > 1:
        return ""
    columns = list(zip(*rows, strict=True))
    if any(common_kind(column) is Kind.ANY for column in columns) or _are_titles(columns):
        return ""
    return "".join(map(write, columns))


def _are_titles(columns: Sequence[Sequence[str]]) -> bool:
    """Say whether a level is made of several free words, such as a name: the next one may have more of them.

    Words that have the same length in each place are no words but a code, such as a UUID.
    """
    marks = {token for column in columns for token in column if kind_of(token) is Kind.MARK}
    free = [column for column in columns if len(set(column)) > 1 and common_kind(column) in _WORDS]
    if len(free) < 2 or not marks & _BETWEEN_WORDS:
        return False
    return len(free[0]) < LEAST_SEEN or any(len(set(map(len, column))) > 1 for column in free)


def _write_tail(rows: Sequence[Sequence[str]], write: Write) -> str:
    """Return the expression for rows of which some have one more part, told by a mark of its own; or nothing."""
    short, *others = sorted({len(row) for row in rows})
    if len(others) != 1:
        return ""
    shared, tails = [row[:short] for row in rows], [row[short:] for row in rows if len(row) > short]
    marks = {tail[0] for tail in tails}
    told = len(marks) == 1 and not any(marks & set(row) for row in shared) and kind_of(*marks) is Kind.MARK
    if short and (not told or _are_words(tails)):
        return ""
    body, tail = _write_columns(shared, write), _write_columns(tails, write)
    return f"{body}(?:{tail})?" if tail and (body or not short) else ""


def _are_words(tails: Sequence[Sequence[str]]) -> bool:
    """Say whether all that some have more is a word, so that others may have two; a number that varies is no word."""
    lasts = {tail[-1] for tail in tails}
    numbers = len(lasts) > 1 and common_kind(lasts) is Kind.DIGITS
    return len(tails[0]) == 2 and tails[0][0] in _BETWEEN_WORDS and not numbers


def _write_run(rows: Sequence[Sequence[str]], write: Write) -> str:
    """Return the expression for rows that do not agree, such as titles: any of their characters, between numbers all have."""
    least = min(map(len, rows))
    first = _count_sure(rows, least)
    last = _count_sure([row[first:][::-1] for row in rows], least - first)
    middles = [row[first : len(row) - last] for row in rows]
    head = [write([row[place] for row in rows]) for place in range(first)]
    tail = [write([row[place - last] for row in rows]) for place in range(last)]
    return "".join(head) + _write_any(middles) + "".join(tail)


def _count_sure(rows: Sequence[Sequence[str]], most: int) -> int:
    """Count the places from the start that say something: tokens that all have, and numbers before such a one."""
    columns = islice(zip(*rows, strict=False), max(0, most))
    equal = [len(set(column)) == 1 for column in takewhile(_is_sure, columns)]
    return max((place + 1 for place, same in enumerate(equal) if same), default=0)


def _is_sure(column: Sequence[str]) -> bool:
    return len(set(column)) == 1 or common_kind(column) is Kind.DIGITS


def _write_any(rows: Sequence[Sequence[str]]) -> str:
    """Return the expression for any row of such tokens; where there are words, there may be numbers."""
    tokens = [token for row in rows for token in row]
    words = [token for token in tokens if kind_of(token) is not Kind.MARK]
    usual = "" if all(kind_of(word) is Kind.DIGITS for word in words) else _IN_TITLES
    return write_class("".join(tokens) + usual) + ("+" if all(rows) else "*")


Tighten = Callable[[Sequence[str], str], str]  # values and forbidden characters, as an expression or as nothing


def tighter_regexes(values: Sequence[str], forbidden: str) -> Iterator[tuple[str, Tighten]]:
    """Yield expressions for the same values that match less and less beside them, and how each is made."""
    if len(set(values)) == 1:
        return
    for tighten in _TIGHTER:
        written = tighten(values, forbidden)
        if written:
            yield written, tighten


def knows_more(values: Sequence[str], forbidden: str, tighten: Tighten) -> bool:
    """Say whether an expression made so would match values that it was not made from: each is left out in turn."""
    some = list(islice(values, 0, None, 1 + len(values) // MOST_VALUES))
    if len(some) < LEAST_LEFT_OUT:
        return True
    turns = range(0, len(some), 1 + len(some) // MOST_LEFT_OUT)

    def write(others: Sequence[str]) -> str:
        return tighten(others, forbidden) if len(set(others)) > 1 else escape(others[0])

    right = [bool(re.fullmatch(write([*some[:turn], *some[turn + 1 :]]), some[turn], re.ASCII)) for turn in turns]
    return sum(right) >= LEAST_KNOWN * len(right)


def _write_sized(tokens: Sequence[str]) -> str:
    """Write numbers with as many digits as were seen."""
    if len(set(tokens)) == 1 or common_kind(tokens) is not Kind.DIGITS:
        return token_regex(tokens)
    return Kind.DIGITS.value + write_size(tokens)


def _write_cased(tokens: Sequence[str]) -> str:
    """Write words with the letters that were seen: small, capital, or none."""
    if len(set(tokens)) == 1 or common_kind(tokens) in (Kind.MARK, Kind.ANY):
        return token_regex(tokens)
    return write_class("".join(tokens)) + "+"


def _write_cased_sized(tokens: Sequence[str]) -> str:
    if len(set(tokens)) == 1 or common_kind(tokens) in (Kind.MARK, Kind.ANY):
        return token_regex(tokens)
    return write_class("".join(tokens)) + write_size(tokens)


def _write_begun(tokens: Sequence[str]) -> str:
    """Write tokens with what they begin with, even inside a word or a number."""
    start = tokens[0][: count_common(tokens)]
    rests = [token[len(start) :] for token in tokens]
    if not start or not any(rests) or common_kind(tokens) in (Kind.MARK, Kind.ANY):
        return _write_cased_sized(tokens)
    return escape(start) + write_class("".join(rests)) + write_size(rests)


def _tighten_words(values: Sequence[str], forbidden: str) -> str:
    """Write the words that were seen and no others, unless most of them stood once."""
    distinct = sorted(set(values))
    return write_words(distinct) if len(distinct) <= len(values) // 2 and _are_few(distinct) else ""


def _tighten_places(values: Sequence[str], forbidden: str) -> str:
    """Write several free words place by place, where all have as many."""
    rows = [tokenize(value) for value in values]
    columns = list(zip(*rows, strict=False))
    if len({len(row) for row in rows}) > 1 or any(common_kind(column) is Kind.ANY for column in columns):
        return ""
    return "".join(map(token_regex, columns))


def _tighten_tokens(write: Write) -> Tighten:
    return lambda values, forbidden: write_level(sorted(set(values)), write, forbidden)


_TIGHTER: Final[tuple[Tighten, ...]] = (
    _tighten_places,
    *map(_tighten_tokens, (_write_sized, _write_cased, _write_cased_sized, _write_begun)),
    lambda values, forbidden: write_class("".join(values)) + "*",
    lambda values, forbidden: write_class("".join(values)) + write_size(values),
    _tighten_words,
)


def write_size(texts: Sequence[str]) -> str:
    """Return the count of characters from the shortest to the longest text."""
    low, high = min(map(len, texts)), max(map(len, texts))
    if high > MOST_COUNT:
        return "+"
    return f"{{{low}}}" if low == high else f"{{{low},{high}}}"
