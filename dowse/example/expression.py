"""One level of similar addresses as a safe regular expression, loose or tight (paper 3, Figures 6 and 7)."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from itertools import islice, pairwise, takewhile
from random import Random
from typing import Final

from dowse.model import Verdict

# -- the regular expressions that a level may have, so that a hostile address cannot make matching slow
#
# An expression is a sequence of characters, classes (`[a-z-]`, `\d`, `\w`) with or without a count (`+ * ? {2} {2,5} {2,}`), and
# groups of alternatives (`(?:one|two)`, `(?:-[0-9]+)?`). A group is not repeated and holds no other group. `re` matches such a
# sequence in a time that grows with the length of the text, unless two neighbours of varying length can share characters;
# one such place is let through (its time grows with the square at most), a second one is not.

# A bound on work or memory; what it does to figures was not measured.
MAX_EXPRESSION_CHARS: Final = 8_192  # the longest address, with all its punctuation escaped, and then some
# A bound on work or memory; what it does to figures was not measured.
MAX_REPEAT_COUNT: Final = 512  # between braces
# By the time that matching takes: each further place adds a power of the length (tests/test_expressions.py).
MAX_AMBIGUOUS_PLACES: Final = 1  # places in one level where two neighbours can share characters

_ASCII: Final = frozenset(map(chr, range(128))) | {"\u00e9"}  # one letter stands for all that are not ASCII
_LEXEME: Final = re.compile(
    r"(?P<class>\[\^?(?:\\.|[^\]\\]){1,200}+\]|\\[dw])|(?P<escaped>\\[^a-zA-Z0-9])|(?P<open>\((?:\?:|(?!\?)))|(?P<close>\))|(?P<bar>\|)"
    r"|(?P<count>[+*?]|\{\d{1,4}(?:,\d{0,4})?\})|(?P<plain>[^\\.^$*+?{}\[\]|()])"
)


@dataclass(frozen=True, slots=True)
class ExpressionPart:
    """A character, a class or a group, and how often it repeats."""

    characters: frozenset[str]  # it is made of
    starts: frozenset[str]  # it can begin with
    least: int = 1
    most: int | None = 1  # None has no end
    ambiguous: int = 0  # places inside a group where neighbours can share characters
    ends: frozenset[str] = frozenset()  # a group can end with, and go on with instead

    @property
    def varies(self) -> bool:
        """True if its length varies."""
        return self.least != self.most


@dataclass(frozen=True, slots=True)
class Lexeme:
    """A piece of the text of an expression, and its kind."""

    kind: str
    text: str


def read_lexemes(text: str) -> list[Lexeme] | Verdict:
    """Split an expression into its characters, classes, groups and counts, or say which part is invalid."""
    pieces, place = [], 0
    while place < len(text):
        found = _LEXEME.match(text, place)
        if found is None:
            return Verdict(False, _why_no_lexeme(text[place:]))
        pieces.append(Lexeme(found.lastgroup or "", found[0]))
        place = found.end()
    return pieces


def _why_no_lexeme(rest: str) -> str:
    if rest[0] == ".":
        return r"a bare dot takes any character: write \. for a dot, or a class such as [a-z0-9-]"
    if rest.startswith("(?"):
        return f"{rest[:3]} is not understood: groups are written (?:one|two)"
    return f"{rest[:12]!r} is not understood"


@lru_cache(maxsize=4096)
def judge_expression(text: str, forbidden: str = "") -> Verdict:
    """Judge whether an expression for one level is understood, matches none of the forbidden characters and is fast."""
    if len(text) > MAX_EXPRESSION_CHARS:
        return Verdict(False, f"has more than {MAX_EXPRESSION_CHARS:,} characters")
    pieces = read_lexemes(text)
    if isinstance(pieces, Verdict):
        return pieces
    parts = _read_parts(pieces)
    if isinstance(parts, Verdict):
        return parts
    taken = set(forbidden) & frozenset[str]().union(*(part.characters for part in parts))
    if taken:
        return Verdict(
            False, f"takes {' and '.join(sorted(taken))}, which stand between levels: leave them out of the class"
        )
    if _count_ambiguous(parts) > MAX_AMBIGUOUS_PLACES:
        return Verdict(False, "is slow to match: several neighbours of varying length can share characters")
    return Verdict(True)


def _read_parts(pieces: Sequence[Lexeme]) -> list[ExpressionPart] | Verdict:
    parts: list[ExpressionPart] = []
    place = 0
    while place < len(pieces):
        end = place + 1
        if pieces[place].kind == "open":
            end = next((at for at in range(place, len(pieces)) if pieces[at].kind == "close"), len(pieces)) + 1
        counted = end < len(pieces) and pieces[end].kind == "count"
        part = _read_part(pieces[place:end], pieces[end].text if counted else "")
        if isinstance(part, Verdict):
            return part
        parts.append(part)
        place = end + counted
    return parts


def _read_part(pieces: Sequence[Lexeme], count: str) -> ExpressionPart | Verdict:
    first = pieces[0]
    if first.kind == "open":
        return _read_group(pieces, count)
    if first.kind in ("close", "bar", "count"):
        return Verdict(False, f"{first.text!r} stands where it means nothing")
    limits = _read_count(count)
    if isinstance(limits, Verdict):
        return limits
    characters = _characters(first)
    if not characters:
        return Verdict(False, f"{first.text} is not a character class")
    return ExpressionPart(characters, characters, *limits)


def _read_group(pieces: Sequence[Lexeme], count: str) -> ExpressionPart | Verdict:
    if pieces[-1].kind != "close":
        return Verdict(False, "a group is not closed")
    if count not in ("", "?"):
        return Verdict(False, "a group may not be repeated")
    rows: list[list[Lexeme]] = [[]]
    for piece in pieces[1:-1]:
        if piece.kind == "open":
            return Verdict(False, "a group may not stand in a group")
        if piece.kind == "bar":
            rows.append([])
        else:
            rows[-1].append(piece)
    read = [_read_parts(row) for row in rows]
    wrong = next((row for row in read if isinstance(row, Verdict)), None)
    if wrong is not None:
        return wrong
    # The group as one part: what any of its alternatives is made of, begins and ends with.
    alternatives = [row for row in read if not isinstance(row, Verdict)]
    empty = any(all(part.least == 0 for part in row) for row in alternatives)
    ambiguous = max(map(_count_ambiguous, alternatives)) + _are_ambiguous(rows, alternatives)
    characters = frozenset[str]().union(*(part.characters for row in alternatives for part in row))
    starts = frozenset[str]().union(*map(_starts, alternatives))
    ends = frozenset[str]().union(*map(_end_continuations, alternatives))
    return ExpressionPart(characters, starts, 0 if count or empty else 1, 1, ambiguous, ends)


def _are_ambiguous(lexemes: list[list[Lexeme]], rows: list[list[ExpressionPart]]) -> bool:
    """Return True if a text can be matched by two alternatives of a group, or by one and the beginning of another."""
    if all(piece.kind in ("plain", "escaped") for row in lexemes for piece in row):
        texts = sorted("".join(piece.text for piece in row) for row in lexemes)
        return any(after.startswith(before) for before, after in pairwise(texts))
    starts = [_starts(row) for row in rows]
    return len(frozenset[str]().union(*starts)) < sum(map(len, starts))


def _read_count(count: str) -> tuple[int, int | None] | Verdict:
    if not count:
        return 1, 1
    if count in "+*?":
        return int(count == "+"), 1 if count == "?" else None
    low, comma, high = count.strip("{}").partition(",")
    limits = int(low), int(high or low) if high or not comma else None
    if limits[0] > MAX_REPEAT_COUNT or (limits[1] is not None and not limits[0] <= limits[1] <= MAX_REPEAT_COUNT):
        return Verdict(False, f"{count} is not a valid repeat count: at most {MAX_REPEAT_COUNT}, the lower one first")
    return limits


@lru_cache(maxsize=1024)
def _characters(piece: Lexeme) -> frozenset[str]:
    if piece.kind != "class":
        return frozenset(piece.text[-1])
    try:
        one = re.compile(piece.text, re.ASCII)
    except re.error:
        return frozenset()
    return frozenset(each for each in _ASCII if one.fullmatch(each))


def _starts(parts: Sequence[ExpressionPart]) -> frozenset[str]:
    """Return the characters that a sequence of parts can begin with; optional parts are passed over."""
    found: frozenset[str] = frozenset()
    for part in parts:
        found |= part.starts
        if part.least:
            break
    return found


def _end_continuations(parts: Sequence[ExpressionPart]) -> frozenset[str]:
    """Return the characters that a sequence of parts could have continued with at its end."""
    found: frozenset[str] = frozenset()
    for part in reversed(parts):
        found |= _continuations(part)
        if part.least:
            break
    return found


def _continuations(part: ExpressionPart) -> frozenset[str]:
    return part.ends | (part.starts if part.varies else frozenset())


def _count_ambiguous(parts: Sequence[ExpressionPart]) -> int:
    """Count the places where two neighbours can match the same character."""
    count, after = 0, frozenset[str]()
    for part in reversed(parts):
        count += part.ambiguous + bool(_continuations(part) & after)
        after = part.starts if part.least else part.starts | after
    return count


# -- tokens of an address, and the tree of regular expressions that generalises them (paper 3, Figures 6 and 7).
#
# any
# ├── text            what is read as one word
# │   ├── word
# │   │   ├── letters
# │   │   ├── digits
# │   │   └── mixed   letters and digits both, such as the 48640644X of an ISBN
# │   └── encoded     with percent-encoded characters: other scripts, spaces
# └── mark            any other character: each is a leaf of its own
#
# The leaves are disjoint, so a token has one kind. Canonical addresses hold ASCII only.

# By how hexadecimal numbers are written (CRC-32 has eight); not measured.
MIN_HEX_DIGITS: Final = 8  # digits of a hexadecimal number; shorter ones are words and numbers by chance
# SHA-512.
MAX_HEX_DIGITS: Final = 128  # digits of the longest usual digest
# The fewest that are no accident of two; not measured alone.
MIN_FIXED_LENGTH_TOKENS: Final = 3  # tokens of one length until the length of hexadecimal numbers counts as fixed


class TokenKind(StrEnum):
    """The nodes of the tree, with their expressions."""

    LETTERS = "[a-zA-Z]"
    DIGITS = "[0-9]"
    MIXED = "[a-zA-Z0-9]"
    ENCODED = "[a-zA-Z0-9%]"
    MARK = ""  # punctuation: the characters that were seen
    ANY = "[^/?&]"


_TOKEN: Final = re.compile(r"(?:[a-zA-Z0-9]|%[0-9a-fA-F]{2})+|.", re.DOTALL)
_LETTERS: Final = re.compile(r"[a-zA-Z]+")
_DIGITS: Final = re.compile(r"[0-9]+")
_WORD: Final = re.compile(r"[a-zA-Z0-9]+")
_NAMED_NUMBER: Final = re.compile(r"\A([a-zA-Z]+)([0-9]+)")
_NUMBERED_NAME: Final = re.compile(r"\A([0-9]+)([a-zA-Z]+)")
_HEX: Final = {"[0-9a-f]": re.compile(r"[0-9a-f]+"), "[0-9A-F]": re.compile(r"[0-9A-F]+")}
_ESCAPED: Final = r"\\\g<0>"
_SPECIAL: Final = re.compile(r"[\\.^$*+?{}\[\]|()]")
_SPECIAL_IN_CLASS: Final = re.compile(r"[\\\]^\[-]")


def tokenize(text: str) -> tuple[str, ...]:
    """Split a level into the longest tokens that are each one leaf of the tree."""
    return tuple(_TOKEN.findall(text))


def token_kind(token: str) -> TokenKind:
    """Return the leaf that a token belongs to."""
    if _LETTERS.fullmatch(token):
        return TokenKind.LETTERS
    if _DIGITS.fullmatch(token):
        return TokenKind.DIGITS
    if _WORD.fullmatch(token):
        return TokenKind.MIXED
    return TokenKind.ENCODED if len(token) > 1 else TokenKind.MARK


def common_kind(tokens: Iterable[str]) -> TokenKind:
    """Return the deepest node above the leaves of all tokens."""
    kinds = {token_kind(token) for token in tokens if token}
    if len(kinds) == 1:
        return kinds.pop()
    if TokenKind.MARK in kinds:
        return TokenKind.ANY
    return TokenKind.ENCODED if TokenKind.ENCODED in kinds else TokenKind.MIXED


def token_regex(tokens: Sequence[str]) -> str:
    """Return the expression for the tokens of one place: TokenRegex. A token that is missing is an empty one."""
    there = [token for token in tokens if token]
    maybe = len(there) < len(tokens)
    if len(set(there)) == 1:
        escaped = escape(there[0])
        unit = escaped if len(there[0]) == 1 else f"(?:{escaped})"
        return f"{unit}*" if maybe else escaped
    fixed = "" if maybe else _write_fixed(there)
    kind = common_kind(there)
    characters = write_class("".join(there)) if kind is TokenKind.MARK else kind.value
    return fixed or characters + ("*" if maybe else "+")


def _write_fixed(tokens: Sequence[str]) -> str:
    """Return the expression where tokens have more in common than a kind: `tt[0-9]+`, `[0-9a-f]{32}`, one of two marks."""
    if common_kind(tokens) is TokenKind.MARK:
        return write_class("".join(tokens))
    for shape, place in ((_NAMED_NUMBER, 1), (_NUMBERED_NAME, 2)):
        parts = [shape.fullmatch(token) for token in tokens]
        names = {part[place] for part in parts if part}
        if all(parts) and len(names) == 1:
            name, number = names.pop(), f"{TokenKind.DIGITS}+"
            return name + number if place == 1 else number + name
    # Hexadecimal numbers of one length.
    sizes = set(map(len, tokens))
    size = sizes.pop()
    if sizes or not MIN_HEX_DIGITS <= size <= MAX_HEX_DIGITS or len(tokens) < MIN_FIXED_LENGTH_TOKENS:
        return ""
    if common_kind(tokens) is not TokenKind.MIXED:
        return ""
    return next((f"{name}{{{size}}}" for name, hexes in _HEX.items() if all(map(hexes.fullmatch, tokens))), "")


def escape(text: str) -> str:
    """Return a text as an expression that matches it alone; unlike `re.escape`, only what needs it is escaped."""
    return _SPECIAL.sub(_ESCAPED, text)


def write_class(characters: Iterable[str]) -> str:
    """Return the class of some characters: letters and digits as ranges, then punctuation."""
    found = set(characters)
    ranges = [limits for limits in ("a-z", "A-Z", "0-9") if any(limits[0] <= each <= limits[2] for each in found)]
    marks = sorted(each for each in found if not _WORD.fullmatch(each))
    return f"[{''.join(ranges)}{''.join(_SPECIAL_IN_CLASS.sub(_ESCAPED, each) for each in marks)}]"


# -- one level of similar addresses as an expression, loose or tight (paper 3, Figure 7)

# Good and Turing: of words that each stood twice, the chance of a further one is small; the number was not measured alone.
MIN_CLOSED_ADDRESSES: Final = 6  # after which words that each occurred twice count as all there are
# By what a person reads in a pattern; not measured.
MAX_LISTED_WORDS: Final = 12  # that are listed as alternatives
# By what a person reads in a pattern; not measured.
MAX_LISTED_CHARS: Final = 400  # of all alternatives: nobody reads more
# A bound on work or memory; what it does to figures was not measured.
MAX_CHECKED_VALUES: Final = 200  # of a level that an expression is checked with
# A bound on work or memory; what it does to figures was not measured.
MAX_LEFT_OUT: Final = 20  # of them, left out one at a time
# With fewer, one that is missed is more than a fifth.
MIN_VALUES_LEFT_OUT: Final = 5  # with fewer values, none can be left out
# The usual level of significance, 5 %.
MIN_SHARE_MATCHED: Final = 0.95  # of the values left out that an expression must match
# Fisher 1935: one of twenty.
SHUFFLES: Final = 19  # of the labels: none doing as well is p <= 0.05 (Fisher 1935)

_WORDS: Final = frozenset({TokenKind.LETTERS, TokenKind.MIXED, TokenKind.ENCODED})
_BETWEEN_WORDS: Final = frozenset("-_+")
_IN_TITLES: Final = "azAZ09-_%"  # what any title may hold, though few were seen: % begins what is encoded
WriteTokens = Callable[[Sequence[str]], str]  # the tokens of one place, as an expression


def level_regex(values: Sequence[str], forbidden: str) -> str:
    """Return the expression for the values of one level, one per address, that matches them and what is like them."""
    distinct = sorted(set(values))
    if len(distinct) == 1:
        return escape(distinct[0])
    if _is_closed_set(values):
        return write_words(distinct)
    return write_level(distinct, token_regex, forbidden)


def _is_closed_set(values: Sequence[str]) -> bool:
    """Return True if a level has a closed set of words, by Good and Turing: none was seen only once.

    Numbers go on counting, so they never are.
    """
    counts = Counter(values)
    numbers = any(each.isdigit() for value in counts for each in value)
    closed = len(values) >= MIN_CLOSED_ADDRESSES and min(counts.values()) > 1
    return closed and not numbers and _are_few(counts)


def _are_few(words: Collection[str]) -> bool:
    return len(words) <= MAX_LISTED_WORDS and sum(map(len, words)) <= MAX_LISTED_CHARS


def write_words(words: Sequence[str]) -> str:
    """Return the expression for some words and no others, the longest first: so that none hides another."""
    ordered = sorted(words, key=lambda word: (-len(word), word))
    there = "|".join(escape(word) for word in ordered if word)
    return f"(?:{there})?" if "" in words else f"(?:{there})"


def write_level(distinct: Sequence[str], write: WriteTokens, forbidden: str) -> str:
    """Return the expression for values: what all begin and end with, and between them token by token where they agree."""
    rows = [tokenize(value) for value in distinct]
    first = count_common(rows)
    last = count_common([row[first:][::-1] for row in rows])
    middles = [row[first : len(row) - last] for row in rows]
    head, tail = "".join(rows[0][:first]), "".join(rows[0][len(rows[0]) - last :]) if last else ""
    middle = _write_columns(middles, write) or _write_tail(middles, write) or _write_run(middles, write)
    expression = escape(head) + middle + escape(tail)
    if judge_expression(expression, forbidden).yes:
        return expression
    return escape(head) + write_class("".join(map("".join, middles))) + "*" + escape(tail)


def count_common(rows: Sequence[Sequence[str]]) -> int:
    """Count the places from the start in which all rows are equal."""
    same = takewhile(lambda column: len(set(column)) == 1, zip(*rows, strict=False))
    return sum(1 for _ in same)


def _write_columns(rows: Sequence[Sequence[str]], write: WriteTokens) -> str:
    """Return the expression for rows of tokens that agree place by place, or nothing."""
    if len({len(row) for row in rows}) > 1:
        return ""
    columns = list(zip(*rows, strict=True))
    if any(common_kind(column) is TokenKind.ANY for column in columns) or _are_titles(columns):
        return ""
    return "".join(map(write, columns))


def _are_titles(columns: Sequence[Sequence[str]]) -> bool:
    """Return True if a level is made of several free words, such as a name: the next one may have more of them.

    Words that have the same length in each place are no words but a code, such as a UUID.
    """
    marks = {token for column in columns for token in column if token_kind(token) is TokenKind.MARK}
    free = [column for column in columns if len(set(column)) > 1 and common_kind(column) in _WORDS]
    if len(free) < 2 or not marks & _BETWEEN_WORDS:
        return False
    return len(free[0]) < MIN_FIXED_LENGTH_TOKENS or any(len(set(map(len, column))) > 1 for column in free)


def _write_tail(rows: Sequence[Sequence[str]], write: WriteTokens) -> str:
    """Return the expression for rows of which some have one more part, after a punctuation mark of its own; or nothing."""
    short, *others = sorted({len(row) for row in rows})
    if len(others) != 1:
        return ""
    shared, tails = [row[:short] for row in rows], [row[short:] for row in rows if len(row) > short]
    marks = {tail[0] for tail in tails}
    is_marked = len(marks) == 1 and not any(marks & set(row) for row in shared) and token_kind(*marks) is TokenKind.MARK
    # Where all that some have more is a word, others may have two; a number that varies is no word.
    lasts = {tail[-1] for tail in tails}
    are_numbers = len(lasts) > 1 and common_kind(lasts) is TokenKind.DIGITS
    are_words = len(tails[0]) == 2 and tails[0][0] in _BETWEEN_WORDS and not are_numbers
    if short and (not is_marked or are_words):
        return ""
    body, tail = _write_columns(shared, write), _write_columns(tails, write)
    return f"{body}(?:{tail})?" if tail and (body or not short) else ""


def _write_run(rows: Sequence[Sequence[str]], write: WriteTokens) -> str:
    """Return the expression for rows that do not agree, such as titles: any of their characters, between the numbers all have."""
    least = min(map(len, rows))
    first = _count_fixed(rows, least)
    last = _count_fixed([row[first:][::-1] for row in rows], least - first)
    middles = [row[first : len(row) - last] for row in rows]
    head = [write([row[place] for row in rows]) for place in range(first)]
    tail = [write([row[place - last] for row in rows]) for place in range(last)]
    # Any row of such tokens; where there are words, there may be numbers.
    tokens = [token for row in middles for token in row]
    words = [token for token in tokens if token_kind(token) is not TokenKind.MARK]
    usual = "" if all(token_kind(word) is TokenKind.DIGITS for word in words) else _IN_TITLES
    middle = write_class("".join(tokens) + usual) + ("+" if all(middles) else "*")
    return "".join(head) + middle + "".join(tail)


def _count_fixed(rows: Sequence[Sequence[str]], most: int) -> int:
    """Count the places from the start up to the last token that all have, with nothing but numbers between."""
    columns = islice(zip(*rows, strict=False), max(0, most))
    fixed = takewhile(lambda column: len(set(column)) == 1 or common_kind(column) is TokenKind.DIGITS, columns)
    return max((place for place, column in enumerate(fixed, 1) if len(set(column)) == 1), default=0)


Tighten = Callable[[Sequence[str], str], str]  # values and forbidden characters, as an expression or as nothing


def tighter_regexes(values: Sequence[str], forbidden: str) -> Iterator[tuple[str, Tighten]]:
    """Yield expressions for the same values that match less and less beside them, and how each is made."""
    if len(set(values)) == 1:
        return
    for tighten in _TIGHTER:
        expression = tighten(values, forbidden)
        if expression:
            yield expression, tighten


def tells_held_out(values: Sequence[str], others: Sequence[str], forbidden: str, tighten: Tighten) -> bool:
    """Return True if expressions made so tell values they were not made from, better than they tell values drawn at random.

    A permutation test: the labels are shuffled, and no shuffle may do as well. So what holds by accident is not learned.
    """
    some = list(islice(values, 0, None, 1 + len(values) // MAX_CHECKED_VALUES))
    unlike = list(islice(others, 0, None, 1 + len(others) // MAX_CHECKED_VALUES))
    if len(some) < MIN_VALUES_LEFT_OUT:
        return True
    known, left = score_held_out(some, unlike, forbidden, tighten)
    if known < MIN_SHARE_MATCHED:
        return False
    rng, pool = Random(len(some)), [*some, *unlike]
    for _ in range(SHUFFLES):
        rng.shuffle(pool)
        by_chance = score_held_out(pool[: len(some)], pool[len(some) :], forbidden, tighten)
        if sum(by_chance) >= known + left:
            return False
    return True


def score_held_out(
    values: Sequence[str], others: Sequence[str], forbidden: str, tighten: Tighten
) -> tuple[float, float]:
    """Return the share of values that an expression made of the rest matches, and the share of others that it leaves out."""

    def write(some: Sequence[str]) -> re.Pattern[str]:
        return re.compile(tighten(some, forbidden) if len(set(some)) > 1 else escape(some[0]), re.ASCII)

    places = range(0, len(values), 1 + len(values) // MAX_LEFT_OUT)
    known = [bool(write([*values[:at], *values[at + 1 :]]).fullmatch(values[at])) for at in places]
    whole = write(values)
    left = [not whole.fullmatch(each) for each in others]
    return sum(known) / len(known), sum(left) / len(left) if left else 0.0


def _write_cased(tokens: Sequence[str]) -> str:
    """Write words with the letters that were seen: small, capital, or none."""
    if len(set(tokens)) == 1 or common_kind(tokens) in (TokenKind.MARK, TokenKind.ANY):
        return token_regex(tokens)
    return write_class("".join(tokens)) + "+"


def _write_prefixed(tokens: Sequence[str]) -> str:
    """Write words with what they begin with; what a number begins with says how large it is, and they grow."""
    start = tokens[0][: count_common(tokens)].rstrip("0123456789")
    rests = [token[len(start) :] for token in tokens]
    if not start or not all(rests) or common_kind(tokens) in (TokenKind.MARK, TokenKind.ANY):
        return _write_cased(tokens)
    return escape(start) + write_class("".join(rests)) + "+"


def _tighten_words(values: Sequence[str], forbidden: str) -> str:
    """Write the words that were seen and no others, unless most of them stood once."""
    distinct = sorted(set(values))
    return write_words(distinct) if len(distinct) <= len(values) // 2 and _are_few(distinct) else ""


def _tighten_tokens(write: WriteTokens) -> Tighten:
    return lambda values, forbidden: write_level(sorted(set(values)), write, forbidden)


_TIGHTER: Final[tuple[Tighten, ...]] = (
    *map(_tighten_tokens, (_write_cased, _write_prefixed)),
    lambda values, forbidden: write_class("".join(values)) + "*",
    _tighten_words,
)
