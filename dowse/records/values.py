"""Several values in one text: by what they are separated, if they are."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Final

CLEAR_SEPARATORS: Final = ("; ", " | ", " · ", " • ", " / ")  # hardly ever stand within one value
LIST_SEPARATORS: Final = (*CLEAR_SEPARATORS, ", ", " – ")
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
        parts = _join_brackets(parts, separator)
    return [part for part in (each.strip() for each in parts) if part]


def _join_brackets(parts: Sequence[str], separator: str) -> list[str]:
    """Return the parts with those joined again that only together close the brackets they open."""
    joined: list[str] = []
    depth = 0
    for part in parts:
        if depth > 0:
            joined[-1] = f"{joined[-1]}{separator}{part}"
        else:
            joined.append(part)
            depth = 0
        depth += sum((letter in _OPENING) - (letter in _CLOSING) for letter in part)
    return joined if depth <= 0 else list(parts)  # a bracket that is never closed opens nothing


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
        return _find_places(self.texts)

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


def _find_places(texts: Iterable[tuple[str, ...]]) -> dict[str, list[tuple[int, int]]]:
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
    if len(split.several) < MIN_SEVERAL_SHARE * len(split.texts) or not _is_single_usual(split) or _keep_places(split):
        return False
    parts, wholes = split.parts, split.wholes
    small = sum(map(_is_lowercase, parts)) / len(parts) - sum(map(_is_lowercase, wholes)) / len(wholes)
    if abs(small) > 1 - MIN_ALIKE_SHARE or not _is_usual(_is_short, parts):
        return False
    usual = _count_words(wholes)
    return usual < MAX_NAME_WORDS and 0.6 <= _count_words(parts) / usual <= 1.6


def _is_single_usual(split: SplitTexts) -> bool:
    """Return True if one value is as usual as several: most names have two parts, and most places two or three."""
    one, more = len(split.wholes), sum(len(own) > 2 for own in split.texts)
    return one >= MIN_SINGLE_SHARE * len(split.texts) or min(one, more) >= MIN_FREE_NUMBER_SHARE * len(split.texts)


def _keep_places(split: SplitTexts) -> bool:
    """Return True if parts that come back in other texts do so at the same place, more of them than by chance."""
    back = [places for places in _find_places(set(split.texts)).values() if len(places) > 1]
    moving = sum(map(_is_moving, back))
    return len(back) - moving > 2 * moving + MAX_CHANCE_REPEATS


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


def find_column_separator(texts: Sequence[str]) -> tuple[str, int]:
    """Return what splits these texts into different things and into how many, or nothing and 0."""
    if len(texts) < MIN_COLUMN_TEXTS:
        return "", 0
    for separator in COLUMN_SEPARATORS:
        counts = Counter(text.count(separator) + 1 for text in texts)
        number, share = counts.most_common(1)[0]
        if 1 < number <= 12 and share >= MIN_COLUMN_SHARE * len(texts):
            return separator, number
    counts = Counter(text.count(", ") + 1 for text in texts)
    number, share = counts.most_common(1)[0]
    if 2 < number <= 12 and share >= MIN_COLUMN_SHARE * len(texts):  # with two, it may be a name turned round
        return ", ", number
    return "", 0
