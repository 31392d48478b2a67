"""What differs between a record and a run, whether that is a change of words only, and whether it was explained."""

from __future__ import annotations

import difflib
import tomllib
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

from bench.golden.record import Case

LINES_SHOWN = 8  # of the differences of one case
CASES_SHOWN = 12  # of one area, with their lines
REWORDINGS_SHOWN = 60
WIDTH_SHOWN = 160  # characters of one value
MISSING = "(nothing)"

Explained = Mapping[str, Mapping[str, str]]  # facts or words -> pattern of cases -> why they differ
Summaries = Mapping[str, Mapping[str, Any]]


@dataclass(slots=True)
class Comparison:
    """Which cases are as they were, and how the others differ."""

    equal: list[str] = field(default_factory=list)
    gone: list[str] = field(default_factory=list)  # recorded, and not made any more
    new: list[str] = field(default_factory=list)
    facts: list[str] = field(default_factory=list)
    words: list[str] = field(default_factory=list)  # only what is said differs, or that too
    left_out: list[str] = field(default_factory=list)  # their pages are not at hand, or they were not asked for


@dataclass(frozen=True, slots=True)
class Rewording:
    """What sentences of the record have become: each in one other, or in several, which is no matter of words."""

    renamed: Mapping[str, str]
    torn: Mapping[str, tuple[str, ...]]
    cases: Mapping[str, frozenset[str]]  # torn sentence -> cases
    moved: frozenset[str]  # cases in which something is said that was not, or no longer

    def is_consistent(self, case: str) -> bool:
        """Return True if each sentence of a case has become another one, the same everywhere."""
        return case not in self.moved and not any(case in some for some in self.cases.values())


def compare(old: Summaries, new: Summaries, skipped: Collection[str] = ()) -> Comparison:
    """Compare digests; cases whose names begin as those skipped, after their area, count as left out."""
    found = Comparison()
    for name in sorted({*old, *new}):
        if name not in new:
            rest = name.partition("/")[2]
            is_skipped = any(rest.startswith(each) or name.startswith(each) for each in skipped)
            (found.left_out if is_skipped else found.gone).append(name)
        elif name not in old:
            found.new.append(name)
        elif old[name] == new[name]:
            found.equal.append(name)
        else:
            without_words = [{key: value for key, value in each[name].items() if key != "words"} for each in (old, new)]
            if without_words[0] != without_words[1]:
                found.facts.append(name)
            if old[name]["words"] != new[name]["words"]:
                found.words.append(name)
    return found


def find_rewording(
    old: Mapping[str, Mapping[str, Any]], new: Iterable[Case], without: Collection[str] = ()
) -> Rewording:
    """Lay the sentences of the record beside those of a run, place by place, but for cases whose facts differ."""
    became: dict[str, Counter[str]] = defaultdict(Counter)
    cases: dict[str, set[str]] = defaultdict(set)
    moved = set()
    for case in new:
        said = old.get(case.name, {}).get("sentences")
        if said is None or case.name in without:
            continue
        if set(said) != set(case.sentences):
            moved.add(case.name)
        for place in set(said) & set(case.sentences):
            became[said[place]][case.sentences[place]] += 1
            cases[said[place]].add(case.name)
    torn = {words: tuple(sorted(others)) for words, others in became.items() if len(others) > 1}
    renamed = {
        words: next(iter(others)) for words, others in became.items() if len(others) == 1 and words not in others
    }
    return Rewording(
        dict(sorted(renamed.items())), torn, {words: frozenset(cases[words]) for words in torn}, frozenset(moved)
    )


def read_explained(path: Path) -> Explained:
    """Return what was explained: tables `facts` and `words`, pattern of cases -> reason."""
    if not path.exists():
        return {}
    read = tomllib.loads(path.read_text())
    bad = [key for key, value in read.items() if key not in ("facts", "words") or not isinstance(value, dict)]
    empty = [pattern for table in read.values() if isinstance(table, dict) for pattern, why in table.items() if not why]
    if bad or empty:
        raise ValueError(f"{path.name}: {(bad or empty)[0]!r} is no table `facts` or `words`, or has no reason")
    return read


def why_explained(kind: str, name: str, explained: Explained) -> str:
    """Return the reason that was given for a difference, or nothing."""
    table = explained.get(kind, {})
    return next((why for pattern, why in table.items() if fnmatchcase(name, pattern)), "")


def find_unexplained(found: Comparison, explained: Explained, rewording: Rewording | None) -> list[str]:
    """Return the differences that nobody explained; sentences that were reworded everywhere alike need no reason.

    Where the facts of a case differ, its words may: one reason is enough.
    """
    lines = [f"facts {name}" for name in found.facts if not why_explained("facts", name, explained)]
    for what, names in (("gone", found.gone), ("new", found.new)):
        lines += [f"{what} {name}" for name in names if not why_explained("facts", name, explained)]
    for name in found.words:
        only_words = rewording is not None and rewording.is_consistent(name)
        if name not in found.facts and not only_words and not why_explained("words", name, explained):
            lines.append(f"words {name}")
    return lines


def find_differences(old: Any, new: Any, place: str = "") -> Iterator[tuple[str, Any, Any]]:
    """Yield the places at which two values differ, in their order: place, before, after."""
    if isinstance(old, dict) and isinstance(new, dict):
        for key in [*old, *(key for key in new if key not in old)]:
            yield from find_differences(old.get(key, MISSING), new.get(key, MISSING), f"{place}/{key}")
    elif isinstance(old, list) and isinstance(new, list):
        if len(old) == len(new):
            for number, (before, after) in enumerate(zip(old, new, strict=True)):
                yield from find_differences(before, after, f"{place}[{number}]")
        else:
            yield from _find_moved(old, new, place)
    elif old != new:
        yield place, old, new


def _find_moved(old: list[Any], new: list[Any], place: str) -> Iterator[tuple[str, Any, Any]]:
    """Yield what was put into a list and taken out of it; the rest has moved only."""
    yield f"{place} length", len(old), len(new)
    keys = [[repr(each) for each in some] for some in (old, new)]
    for what, a, b, c, d in difflib.SequenceMatcher(None, *keys, autojunk=False).get_opcodes():
        if what == "replace" and b - a == d - c:
            for number in range(b - a):
                yield from find_differences(old[a + number], new[c + number], f"{place}[{a + number}]")
        elif what != "equal":
            yield f"{place}[{a}:{b}]", old[a:b] or MISSING, new[c:d] or MISSING


def show_case(old: Mapping[str, Any], case: Case) -> list[str]:
    """Return the first differences of a case as lines."""
    lines = []
    for number, (place, before, after) in enumerate(find_differences(old["facts"], case.whole["facts"])):
        if number == LINES_SHOWN:
            lines.append("    ... and more")
            break
        lines += [f"    {place}", *(f"      {line}" for line in _show_both(before, after))]
    return lines


def _show_both(before: Any, after: Any) -> tuple[str, str]:
    """Return two values as lines; of long texts the part from shortly before they part."""
    texts = [each if isinstance(each, str) else repr(each) for each in (before, after)]
    same = next(
        (place for place, (one, two) in enumerate(zip(*texts, strict=False)) if one != two), min(map(len, texts))
    )
    first = max(0, same - 40) if max(map(len, texts)) > WIDTH_SHOWN else 0
    cut = [("..." if first else "") + repr(text[first : first + WIDTH_SHOWN]) for text in texts]
    return f"- {cut[0]}", f"+ {cut[1]}"
