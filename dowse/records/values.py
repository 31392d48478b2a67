"""What stands in one text: several values of a list, values of different columns, and of what kind a value is."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from math import log
from typing import Final

# -- several values of a list: by what they are separated, if they are

CLEAR_SEPARATORS: Final = ("; ", " | ", " · ", " • ", " / ")  # hardly ever stand within one value
LIST_SEPARATORS: Final = (*CLEAR_SEPARATORS, ", ", " – ")
THING_SEPARATORS: Final = (" | ", " · ", " • ")  # never stand within one value
AFTER_KIND: Final = ": "  # between a word of a few and the text that it says the kind of: bug: The button is blue
FULL_STOP: Final = ". "  # between the parts of a citation
COLUMN_SEPARATORS: Final = (" – ", " — ", " | ", " · ", " • ", " - ", " / ")  # between different things in one text
# What these bounds are worth is measured on columns of real databases: `python -m bench extract`, bench/extraction/lists.py.
MAX_MEAN_VALUE_CHARS: Final = 60  # of the values of a list; sentences have commas too
MIN_REPEATED_SHARE: Final = 0.25  # of values that some other record has as well
MIN_MOVING_SHARE: Final = 0.1  # of the values that come back which stand at different places
MIN_ASKED_SHARE: Final = 0.2  # of texts that have what was asked for as one of their parts
MIN_SINGLE_SHARE: Final = 0.35  # of texts that are one value where others are lists; few names have one part only
MAX_CHANCE_REPEATS: Final = 2  # parts that come back at the same place, and show nothing
USUAL_SHARE: Final = 0.5  # of texts, from which something is usual
MIN_END_DIFFERENCE: Final = 0.6  # of shares, between first and last parts, that makes them different things
MIN_SORTED_NEIGHBOURS: Final = 8  # different ones in alphabetical order that are no chance: 1 in 256
MIN_SEVERAL_SHARE: Final = 0.15  # of texts with parts, where these do not come back
MIN_REPEATED_ENDS_SHARE: Final = 0.6  # of first and of last parts that come back where there are only a few values
MIN_FREE_NUMBER_SHARE: Final = 0.2  # of texts with one part, and with more than two: then the number of parts is free
MIN_DIFFERENT_TEXTS: Final = 2  # with parts, and without, that can be compared: one author and Various show nothing
MIN_ALIKE_SHARE: Final = 0.8  # of parts that are written as a name is
MAX_NAME_WORDS: Final = 4  # of one value of a list
MIN_COLUMN_SHARE: Final = 0.8  # of texts with the same number of parts that make these parts columns
MIN_COLUMN_TEXTS: Final = 4  # from which columns are believed
_OPENING: Final = "([{"
_CLOSING: Final = ")]}"
_AROUND: Final = "#.:,;()[]"  # what stands around a number


def split_values(text: str, separator: str) -> list[str]:
    """Return the values of a text; what stands in brackets is not split: Twilight (Twilight, #1)."""
    if not separator:
        return [text]
    parts = text.split(separator.strip() if separator == "; " else separator)
    if any(bracket in text for bracket in _OPENING):
        # parts are joined again that only together close the brackets they open
        joined: list[str] = []
        depth = 0
        for part in parts:
            if depth > 0:
                joined[-1] = f"{joined[-1]}{separator}{part}"
            else:
                joined.append(part)
                depth = 0
            depth += sum((letter in _OPENING) - (letter in _CLOSING) for letter in part)
        parts = joined if depth <= 0 else parts  # a bracket that is never closed opens nothing
    return [part for part in (each.strip() for each in parts) if part]


@dataclass(frozen=True)
class SplitTexts:
    """Texts as one separator splits them."""

    separator: str
    texts: tuple[tuple[str, ...], ...]  # the parts of each text

    @cached_property
    def several(self) -> list[tuple[str, ...]]:
        """The texts that have parts."""
        return [own for own in self.texts if len(own) > 1]

    @cached_property
    def wholes(self) -> list[str]:
        """The texts that have none."""
        return [own[0] for own in self.texts if len(own) == 1]

    @cached_property
    def parts(self) -> list[str]:
        """All parts of those that have some."""
        return [part for own in self.several for part in own]

    @cached_property
    def places(self) -> dict[str, list[tuple[int, int]]]:
        """Where each part stands in the texts that have it: how many come before it, and how many after."""
        return _find_part_places(self.texts)

    @property
    def is_free(self) -> bool:
        """Whether the number of parts differs from text to text."""
        return len(set(map(len, self.texts))) > 1


def find_separator(texts: Sequence[str], asked: Collection[str] = ()) -> str:
    """Return what stands between the values in these texts, or nothing when each is one value."""
    wanted = {each.casefold() for each in asked}
    for separator in LIST_SEPARATORS:
        parts = (tuple(split_values(text, separator)) for text in texts)
        if _is_list(SplitTexts(separator, tuple(own for own in parts if own)), wanted):
            return separator
    return ""


def find_clear_separator(texts: Sequence[str]) -> str:
    """Return a dot or bar that nearly all texts have: what stands between several things, whatever they are."""
    least = max(MIN_COLUMN_TEXTS, MIN_COLUMN_SHARE * len(texts))
    return next((each for each in THING_SEPARATORS if sum(each in text for text in texts) >= least), "")


def _is_list(split: SplitTexts, asked: Collection[str]) -> bool:
    """Return True if parts come and go by themselves: as many as they like, at any place, in other records again."""
    if not split.parts or sum(map(len, split.parts)) > MAX_MEAN_VALUE_CHARS * len(split.parts):
        return False
    if _hold_what_was_asked(split, asked) or _move_around(split):
        return True
    if split.separator in CLEAR_SEPARATORS:
        return _are_split_by_clear_separator(split)
    if not split.is_free or _ends_differ(split, _has_number) or _continue_lowercase(split):  # Smith, John; May 3, 2004
        return False
    return any(shows_list(split) for shows_list in LIST_SIGNS)


def _find_part_places(texts: Iterable[tuple[str, ...]]) -> dict[str, list[tuple[int, int]]]:
    places: dict[str, list[tuple[int, int]]] = defaultdict(list)
    for own in texts:
        first = {part.casefold(): place for place, part in reversed(list(enumerate(own)))}
        for part, place in first.items():
            places[part].append((place, len(own) - 1 - place))
    return places


def _is_moving(places: Sequence[tuple[int, int]]) -> bool:
    """Return True if a part is bound to neither end: Paris, France and Lyon, France hold on to the last place."""
    return len({before for before, _ in places}) > 1 and len({after for _, after in places}) > 1


def _hold_what_was_asked(split: SplitTexts, asked: Collection[str]) -> bool:
    """Return True if texts have what was asked for as one of their parts, bound to no place."""
    number = len(split.texts)
    found = [split.places[part] for part in asked if part in split.places]
    return any(len(places) >= MIN_ASKED_SHARE * number and (_is_moving(places) or number == 1) for places in found)


def _move_around(split: SplitTexts) -> bool:
    """Return True if parts come back, and elsewhere: Paris, France is no list, though France comes back."""
    back = {part: places for part, places in split.places.items() if len(places) > 1}
    again = sum(part.casefold() in back for part in split.parts)
    moving = sum(map(_is_moving, back.values()))
    enough = 1 if split.wholes else 2  # one may move by chance where no text is one value
    return (
        moving >= min(enough, len(back)) > 0
        and again >= MIN_REPEATED_SHARE * len(split.parts)
        and moving >= MIN_MOVING_SHARE * len(back)
    )


def _are_split_by_clear_separator(split: SplitTexts) -> bool:
    """Return True if a clear separator splits these: not now and then, and not into columns."""
    if len(split.several) < USUAL_SHARE * len(split.texts) and _is_inside_value(split):
        return False
    if split.separator == "; " or _look_like_names(split):
        return True
    return (split.is_free or len(split.texts) < MIN_COLUMN_TEXTS) and not _ends_differ(split, _has_number)


def _is_inside_value(split: SplitTexts) -> bool:
    """Return True if a sign seems to stand within one value: in a sentence, a title, or one part of an address."""
    if _count_words([*split.parts, *split.wholes]) > MAX_NAME_WORDS or _continue_lowercase(split):
        return True
    return _ends_differ(split, _has_comma) and sum(map(_has_comma, split.wholes)) >= USUAL_SHARE * len(split.wholes)


def _ends_differ(split: SplitTexts, is_so: Callable[[str], bool]) -> bool:
    """Return True if something is so of what comes first and not of what comes last, or the other way round."""
    return abs(sum(is_so(own[0]) - is_so(own[-1]) for own in split.several)) > MIN_END_DIFFERENCE * len(split.several)


def _continue_lowercase(split: SplitTexts) -> bool:
    """Return True if texts begin with a capital letter and go on with a small one: The Lion, the Witch."""
    going = sum(_is_lowercase(own[-1]) and not _is_lowercase(own[0]) for own in split.several)
    return going > MIN_END_DIFFERENCE * len(split.several)


def _are_sorted(split: SplitTexts) -> bool:
    """Return True if parts always stand in the order of the alphabet, as only values of a list are put."""
    pairs = {pair for own in split.several for pair in pairwise(map(str.casefold, own))}
    if any(one > other for one, other in pairs):
        return False
    return min(len({one for one, _ in pairs}), len({other for _, other in pairs})) >= MIN_SORTED_NEIGHBOURS


def _stand_alone(split: SplitTexts) -> bool:
    """Return True if parts stand alone in other texts, those that come first and those that come last."""
    alone = set(map(str.casefold, split.wholes))
    first = sum(own[0].casefold() in alone for own in split.several)
    last = sum(own[-1].casefold() in alone for own in split.several)
    return min(first, last) > 0 and first + last >= USUAL_SHARE * len(split.several)


def _come_from_few(split: SplitTexts) -> bool:
    """Return True if nearly every part comes back, the first of a text as well as the last; of places, only the last do."""
    texts = {tuple(map(str.casefold, own)) for own in split.texts}
    counts = Counter(part for own in texts for part in set(own))
    several = [own for own in texts if len(own) > 1]
    first = sum(counts[own[0]] > 1 for own in several)
    last = sum(counts[own[-1]] > 1 for own in several)
    return max(map(len, several)) > 2 and min(first, last) >= MIN_REPEATED_ENDS_SHARE * len(several)


def _vary_in_number(split: SplitTexts) -> bool:
    """Return True if there are now few and now many parts, all short; addresses have not so many numbers of them."""
    return len(set(map(len, split.several))) >= MIN_COLUMN_TEXTS and _count_words(split.parts) <= MAX_NAME_WORDS


def _look_like_names(split: SplitTexts) -> bool:
    """Return True if parts are names of several words, or keywords, and so are the texts that are one value."""
    return any(
        _is_usual(is_so, split.parts) and _is_usual(is_so, split.wholes) for is_so in (_is_full_name, _is_keyword)
    )


def _look_like_wholes(split: SplitTexts) -> bool:
    """Return True if parts look like the texts that are one value: as short, begun like them, and bound to no place."""
    # one value is as usual as several: most names have two parts, and most places two or three
    count, one, more = len(split.texts), len(split.wholes), sum(len(own) > 2 for own in split.texts)
    is_single_usual = one >= MIN_SINGLE_SHARE * count or min(one, more) >= MIN_FREE_NUMBER_SHARE * count
    if len(split.several) < MIN_SEVERAL_SHARE * count or not is_single_usual:
        return False
    if (
        min(len(set(split.several)), len(set(split.wholes))) < MIN_DIFFERENT_TEXTS
    ):  # one author and Various show nothing
        return False
    # parts that come back in other texts do so at the same place, more of them than by chance
    back = [places for places in _find_part_places(set(split.texts)).values() if len(places) > 1]
    moving = sum(map(_is_moving, back))
    if len(back) - moving > 2 * moving + MAX_CHANCE_REPEATS:
        return False

    parts, wholes = split.parts, split.wholes
    small = sum(map(_is_lowercase, parts)) / len(parts) - sum(map(_is_lowercase, wholes)) / len(wholes)
    if abs(small) > 1 - MIN_ALIKE_SHARE or not _is_usual(_is_short, parts):
        return False
    usual = _count_words(wholes)
    return usual < MAX_NAME_WORDS and 0.6 <= _count_words(parts) / usual <= 1.6


LIST_SIGNS: Final = (_are_sorted, _stand_alone, _come_from_few, _vary_in_number, _look_like_names, _look_like_wholes)


def _is_usual(is_so: Callable[[str], bool], texts: Sequence[str]) -> bool:
    return sum(map(is_so, texts)) >= MIN_ALIKE_SHARE * len(texts)


def _count_words(texts: Sequence[str]) -> float:
    """Return how many words a text has, on average."""
    return sum(len(text.split()) for text in texts) / len(texts)


def _has_number(text: str) -> bool:
    return any(word.strip(_AROUND).isdigit() for word in text.split())


def _has_comma(text: str) -> bool:
    return ", " in text


def _is_lowercase(text: str) -> bool:
    return text[0].islower()


def _is_short(text: str) -> bool:
    return len(text.split()) < MAX_NAME_WORDS


def _is_full_name(text: str) -> bool:
    words = text.split()
    is_name = 2 <= len(words) <= MAX_NAME_WORDS and not _has_number(text)
    return is_name and not _is_lowercase(words[0]) and not _is_lowercase(words[-1])


def _is_keyword(text: str) -> bool:
    return _is_lowercase(text) and len(text.split()) <= 2


# -- different things in one text

# Set by hand on family A and on columns of real databases: `python -m bench extract`, bench/extraction/lists.py.
MAX_TEXT_COLUMNS: Final = 12  # of one text
MIN_LONGEST_SHARE: Final = 0.1  # of texts that have all parts, where others leave some out
MIN_KNOWN_PART_SHARE: Final = (
    0.8  # of parts that are like those of their column: a number, or a value that comes back there
)
MAX_MOVING_SHARE: Final = 0.05  # of values that stand in two columns; those of a list do so often
MAX_SEEN_VALUES: Final = 60  # of a column that are kept to know it by
UNSEEN_SHAPE_SHARE: Final = 0.05  # of values written as none of a column was
SEEN_WEIGHT: Final = 2.0  # of a value that comes back in a column, beside the logarithm of the share that is written so
MIN_LIKE_SHARE: Final = 0.15  # of a column that is written as a part of it is


_NUMBER_AFTER_WORD: Final = re.compile(r"([a-zß-öø-ÿа-я]{2,20})[ .:]{1,2}\d[\d.,–-]{0,20}")


@dataclass(frozen=True, slots=True)
class TextColumn:
    """One of the things that stand side by side, in a text or in tags of one kind, by what it looks like."""

    shapes: Mapping[str, float]  # how its values are written, with the share of them that are
    seen: frozenset[str] = frozenset()  # values that come back, folded

    def likeness(self, part: str) -> float:
        """Return how much a part looks like a value of this column, as a logarithm."""
        own = part.casefold().split(", ")
        known = sum(each in self.seen for each in own) / len(own)
        return SEEN_WEIGHT * known + log(self.shapes.get(find_shape(part), 0.0) + UNSEEN_SHAPE_SHARE)


def find_shape(text: str) -> str:
    """Return how a text is written: a kind such as a date, or whether it has numbers, how many words, and how these begin."""
    kind = find_kind((text,))
    if kind:
        return kind
    if after := _NUMBER_AFTER_WORD.fullmatch(text):  # born 1820 is no died 1851
        return f"number after {after[1]}"
    if any(map(str.isdigit, text)):
        return "number" if not any(map(str.isalpha, text)) else "words and numbers"
    words = text.split()
    if len(words) > MAX_NAME_WORDS:
        return "sentence"
    return f"{'a' if text[:1].islower() else 'A'}{' a' if len(words) > 1 else ''}"


def find_column_separator(texts: Sequence[str], *, alone: bool = False) -> tuple[str, int]:
    """Return what splits these texts into different things and into how many, or nothing and 0.

    Texts that stand alone, each a whole record, hold different things rather than several values of one.
    """
    if len(texts) < MIN_COLUMN_TEXTS:
        return "", 0
    for separator in (*COLUMN_SEPARATORS, "; ", ", ", FULL_STOP):
        counts = Counter(len(split_columns(text, separator)) for text in texts)
        number, share = counts.most_common(1)[0]
        # the last one may be a text that has the sign, too, unless these are values of a list, which stand now here, now there
        if separator in COLUMN_SEPARATORS and number == min(counts) > 2 and not _change_places(separator, texts):
            share = counts.total()
        if not 1 < number <= MAX_TEXT_COLUMNS or share < MIN_COLUMN_SHARE * len(texts):
            continue
        is_list = len(counts) > 1 or number < 3 or _change_places(separator, texts)
        if separator == "; " and is_list and not alone:
            continue  # rather several values of one thing
        split = [split_columns(text, separator) for text in texts]
        if separator == FULL_STOP and _count_words([part for own in split for part in own if part]) > MAX_NAME_WORDS:
            continue  # sentences
        # with two and a comma, it may be a name turned round, unless only one of them has a number: Dutch, born 1820
        if separator not in (", ", FULL_STOP) or number > 2 or _one_has_numbers(split):
            return separator, number
    return (AFTER_KIND, 2) if _begin_with_kinds(texts) else ("", 0)


def _begin_with_kinds(texts: Sequence[str]) -> bool:
    """Return True if texts begin with one of a few words and a colon, and go on differently: bug: ..., wish: ..."""
    split = [own for text in texts if len(own := split_columns(text, AFTER_KIND, 2)) == 2]
    kinds = Counter(first.casefold() for first, _ in split if _is_short(first))
    again = sum(count for count in kinds.values() if count > 1)
    return len(kinds) > 1 and again >= MIN_COLUMN_SHARE * len(texts) and len({rest for _, rest in split}) > len(kinds)


def split_columns(text: str, separator: str, most: int = 0) -> list[str]:
    """Return the parts of a text, no more than some where a number is given; the full stop that ends a text is no part of the last."""
    whole = text.removesuffix(".") if separator == FULL_STOP else text
    return [part.strip() for part in whole.split(separator, most - 1 if most else -1)]


def _change_places(separator: str, texts: Sequence[str]) -> bool:
    """Return True if parts of texts stand at other places of others, as those of a list do, counted from both ends."""
    places = _find_part_places(tuple(text.split(separator)) for text in texts)
    back = [found for found in places.values() if len(found) > 1]
    return sum(map(_is_moving, back)) > MAX_MOVING_SHARE * len(back)


def _one_has_numbers(split: Sequence[Sequence[str]]) -> bool:
    """Return True if of two parts one always has a number and the other never."""
    pairs = [own for own in split if len(own) == 2]
    first, last = ([_has_number(own[end]) for own in pairs] for end in (0, 1))
    return (all(last) and not any(first)) or (all(first) and not any(last))


def find_optional_columns(texts: Sequence[str], *, alone: bool = False) -> tuple[str, tuple[TextColumn, ...]]:
    """Return what splits texts into things of which each text may lack some, and these things; nothing where that cannot be told.

    Texts that stand alone, each a whole record, hold different things, whatever these are.
    """
    for separator in (*COLUMN_SEPARATORS, *(("; ",) if alone else ()), ", "):
        split = [tuple(part.strip() for part in text.split(separator)) for text in texts]
        if _count_words([part for own in split for part in own if part]) > MAX_NAME_WORDS:
            continue  # sentences
        columns = align_columns(split, are_different=alone)
        if len(columns) > 2:
            return separator, columns
    return "", ()


def align_columns(rows: Sequence[Sequence[str]], *, are_different: bool = False) -> tuple[TextColumn, ...]:
    """Return the columns of rows of which each may lack some, as far as it can be told which; nothing for the values of a list.

    Where nothing but their order tells the things of a row apart they are a list, unless they are known to be different.
    """
    counts = Counter(map(len, rows))
    often = [number for number, count in counts.items() if count >= max(2, MIN_LONGEST_SHARE * len(rows))]
    longest = max(often, default=0)
    if not 1 < longest <= MAX_TEXT_COLUMNS or len(rows) < 2 * MIN_COLUMN_TEXTS:
        return ()
    columns = learn_columns([dict(enumerate(own)) for own in rows if len(own) == longest], longest)
    for _ in range(2):  # what was aligned shows more of what comes back
        aligned = [align_parts(own, columns) for own in rows if len(own) <= longest]
        columns = learn_columns(aligned, longest)
    if len(aligned) < MIN_ALIKE_SHARE * len(rows) or not _are_columns(aligned, columns):
        return ()
    return columns if are_different or all(_differ(*pair) for pair in pairwise(columns)) else ()


def _differ(one: TextColumn, other: TextColumn) -> bool:
    """Return True if the values of two columns are mostly written in different ways."""
    return (
        sum(min(share, other.shapes.get(shape, 0.0)) for shape, share in one.shapes.items()) <= 1 - MIN_END_DIFFERENCE
    )


def learn_columns(rows: Sequence[Mapping[int, str]], count: int) -> tuple[TextColumn, ...]:
    """Return what the things look like that stand side by side."""
    columns = []
    for number in range(count):
        values = [row[number] for row in rows if number in row]
        counts = Counter(each for value in values for each in value.casefold().split(", "))
        seen = frozenset(value for value, often in counts.most_common(MAX_SEEN_VALUES) if often > 1)
        shapes = Counter(map(find_shape, values))
        columns.append(TextColumn({shape: often / len(values) for shape, often in shapes.items()}, seen))
    return tuple(columns)


def align_parts(parts: Sequence[str], columns: Sequence[TextColumn]) -> dict[int, str]:
    """Return which part belongs to each column: in their order, and so that they look most like these."""
    return {column: parts[which] for column, which in find_columns(parts, columns).items()}


def find_columns(parts: Sequence[str], columns: Sequence[TextColumn]) -> dict[int, int]:
    """Return the number of the part that belongs to each column."""
    if len(parts) >= len(columns):
        return {number: number for number in range(len(columns))}
    # best[i][j]: the best likeness of the first i parts in the first j columns, and whether part i stands in column j
    best: list[list[tuple[float, bool]]] = [[(0.0, False)] * (len(columns) + 1)]
    for i, part in enumerate(parts, 1):
        row = [(float("-inf"), False)] * (len(columns) + 1)
        for j in range(i, len(columns) + 1):
            here = best[i - 1][j - 1][0] + columns[j - 1].likeness(part)
            row[j] = max((row[j - 1][0], False), (here, True))
        best.append(row)
    found: dict[int, int] = {}
    i, j = len(parts), len(columns)
    while i:
        if best[i][j][1]:
            found[j - 1] = i - 1
            i -= 1
        j -= 1
    return found


def _are_columns(rows: Sequence[Mapping[int, str]], columns: Sequence[TextColumn]) -> bool:
    """Return True if parts look like those of their column, and what comes back does so in one column alone."""
    pairs = [(columns[number], part) for row in rows for number, part in row.items()]
    like = sum(column.shapes.get(find_shape(part), 0.0) >= MIN_LIKE_SHARE for column, part in pairs)
    homes: dict[str, set[int]] = defaultdict(set)
    for row in rows:
        for number, part in row.items():
            if not _has_number(part):
                for each in part.casefold().split(", "):
                    homes[each].add(number)
    moving = sum(len(each) > 1 for each in homes.values())
    return like >= MIN_KNOWN_PART_SHARE * len(pairs) and moving <= MAX_MOVING_SHARE * len(homes)


# -- kinds of values, where nothing else names them

# Set by hand on columns of real databases (bench/extraction/lists.py).
MIN_KIND_SHARE: Final = 0.9  # of texts that are of a kind; a few are always unknown or broken
MIN_TEXT_CHARS: Final = 80  # of a text, on average, that is more than a name of something
_MONTHS: Final = r"(?:jan|feb|m[aä]r|apr|ma[yi]|jun|jul|aug|sep|o[ck]t|nov|de[cz])[a-zé]{0,6}\.?"
_KINDS: Final = {
    "url": re.compile(r"(?:https?://|ftp://|www\.)\S+", re.IGNORECASE),
    "path": re.compile(r"(?:/[\w.~%+-]+)+/?"),
    "email": re.compile(r"[^@\s]{1,64}@[\w.-]{1,100}", re.IGNORECASE),
    "date": re.compile(
        rf"\D{{0,12}}(?:\d{{4}}-\d\d?-\d\d?|\d\d?[./]\d\d?[./]\d{{2,4}}|\d{{1,2}}\.? {_MONTHS},? \d{{4}}|{_MONTHS} \d{{1,2}},? \d{{4}})\b.{{0,30}}",
        re.IGNORECASE,
    ),
    "year": re.compile(r"\(?(?:1[4-9]|20)\d\d\)?"),
    "price": re.compile(
        r"(?:[$€£¥₽]|USD|EUR|GBP|CHF|PLN) ?-?\d[\d., ]{0,20}|-?\d[\d., ]{0,20} ?(?:[$€£¥₽]|USD|EUR|GBP|CHF|PLN|zł|руб\.?|円)"
    ),
}


def find_kind(texts: Sequence[str]) -> str:
    """Return what texts are by how they are written: url, path, email, date, year, price, text; or nothing."""
    for kind, pattern in _KINDS.items():
        if sum(pattern.fullmatch(text.strip()) is not None for text in texts) >= MIN_KIND_SHARE * len(texts):
            return kind
    return "text" if sum(map(len, texts)) >= MIN_TEXT_CHARS * len(texts) else ""


def count_along(texts: Sequence[str]) -> bool:
    """Return True if texts number the records of a page: 1. 2. 3., as most lists of hits do."""
    numbers = [int(found[1]) for text in texts if (found := _RANK.fullmatch(text))]
    steps = sum(after - before == 1 for before, after in pairwise(numbers))
    are_years = all(FIRST_YEAR <= number <= LAST_YEAR for number in numbers)  # these come one after the other, too
    return not are_years and len(numbers) == len(texts) >= MIN_COLUMN_TEXTS and steps >= USUAL_SHARE * (len(texts) - 1)


FIRST_YEAR, LAST_YEAR = 1400, 2099  # of what is taken for a year, as the kind `year` has it
_RANK: Final = re.compile(r"\W{0,2}(\d{1,6})\W{0,2}")
