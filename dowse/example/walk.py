"""How a walk along a pattern went: what came, what did not, and whether the pattern still fits its site."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final

from dowse.example.likeness import Likeness
from dowse.example.pattern import Pattern
from dowse.model import Verdict, Why

FEW_UNLIKE: Final = 3  # pages that any site may have
FEWER: Final = 0.5  # of the targets that there were once: with less than this the site has changed
MOST_REASONS: Final = 5  # that are named in one line

_TROUBLE: Final = frozenset(
    {Why.NO_HOST, Why.REFUSED, Why.BROKEN, Why.TIMEOUT, Why.TLS, Why.GARBAGE, Why.ROBOTS_DOWN, Why.BUSY, Why.BROWSER}
)
_REFUSING: Final = frozenset({"HTTP 403", "HTTP 408", "HTTP 425", "HTTP 429"})  # whom we ask for too much says so

State = tuple[int, int]  # a path, and how many of its steps were taken


@dataclass(slots=True)
class Walk:
    """How far a crawler is."""

    pattern: Pattern
    likeness: Likeness
    only_new: bool = False  # what earlier runs found is not opened
    before: int = 0  # pages like the sample that this run found before it was cut off
    pages: int = 0  # like the sample
    links: int = 0  # that were traversed
    opened: int = 0  # pages that came, before it was cut off too
    unlike: int = 0  # pages at the end of a path that are not like the sample
    unread: int = 0  # known targets that were not opened again
    checked: int = 0  # of them, those that were opened in doubt
    confirmed: int = 0  # of these, those that are as they were
    differing: int = 0  # and those that are not
    dropped: int = 0  # links over the bound of a page
    matched: Counter[State] = field(default_factory=Counter)  # links that each step took
    came: Counter[State] = field(default_factory=Counter)  # pages, by the ways they were reached
    lost: Counter[State] = field(default_factory=Counter)  # pages that the server could not give
    failures: Counter[str] = field(default_factory=Counter)
    stopped: str = ""

    @property
    def in_doubt(self) -> bool:
        """Whether most pages that were reached are not like the sample: the site has changed, or they never were."""
        expected = int(self.pattern.figures.get("others", 0))
        return self.unlike - expected > max(FEW_UNLIKE, self.pages + self.before)

    @property
    def needs_check(self) -> bool:
        """Whether known pages have to say if the site is as it was: nothing else does, or what does speaks against it."""
        is_silent = self.only_new and not self.pages and not self.before
        return bool(self.likeness.samples) and (self.in_doubt or is_silent)

    @property
    def troubles(self) -> dict[str, int]:
        """Why the server or the way to it gave no page, and how often."""
        return find_troubles(self.failures)


def is_trouble(why: str) -> bool:
    """Tell whether a page did not come for a reason that passes: it says nothing about the page."""
    return why in _TROUBLE or why in _REFUSING or why.startswith("HTTP 5")


def find_troubles(failures: Mapping[str, int]) -> dict[str, int]:
    """Return the failures that pass, the most frequent first."""
    return {why: count for why, count in Counter(failures).most_common() if is_trouble(why)}


def say_troubles(failures: Mapping[str, int]) -> str:
    """Return which failures that pass there were, and how often, in few words."""
    return ", ".join(f"{why} ({count:,})" for why, count in [*find_troubles(failures).items()][:MOST_REASONS])


def judge_map(failures: Mapping[str, int], came: int) -> Verdict:
    """Tell whether enough of a site could be read to learn from it: more pages came than its server did not give."""
    troubles = sum(find_troubles(failures).values())
    if troubles and troubles >= came:
        return Verdict(False, f"the site could not be read: {say_troubles(failures)}; try again later")
    return Verdict(True)


def judge_walk(walk: Walk) -> Verdict:
    """Tell whether a pattern still fits its site: each step matched something, and pages at the end were like the sample."""
    reading = judge_reading(walk)
    if not reading.yes:
        return reading
    if walk.in_doubt and not walk.confirmed:
        reached = walk.pages + walk.before + walk.unlike
        return Verdict(False, f"{walk.unlike:,} of {reached:,} pages that were reached look different now")
    if walk.checked and walk.differing == walk.checked:
        known = "a page that was found before looks" if walk.checked == 1 else "pages that were found before look"
        return Verdict(False, f"{known} different now, {walk.checked:,} of {walk.checked:,} that were opened again")
    return Verdict(True) if walk.stopped else _judge_whole(walk)


def judge_reading(walk: Walk) -> Verdict:
    """Tell whether a site could be read: what its server did not give says nothing about the pattern."""
    if walk.failures and not walk.opened:
        start = walk.pattern.first.address if walk.pattern.first else walk.pattern.entry
        return Verdict(False, f"{start} could not be opened: {', '.join([*walk.failures][:MOST_REASONS])}")
    most = sum(walk.troubles.values()) > walk.opened
    if most or (not walk.stopped and not _judge_whole(walk).yes and _may_be_lost(walk)):
        return Verdict(False, f"the site could not be read: {say_troubles(walk.failures)}")
    return Verdict(True)


def _judge_whole(walk: Walk) -> Verdict:
    """Tell whether a walk that came to its end found what there was before."""
    for step, written in _find_unmatched(walk):
        return Verdict(False, f"no link matches step {step + 1}: {written}")
    before, reached = walk.pattern.figures.get("targets", 0), walk.pages + walk.unread
    if reached < FEWER * before:
        found = "1 page was" if reached == 1 else f"{reached:,} pages were"
        by_hand = "if the pattern was changed by hand, change or remove its `figures`, too"
        return Verdict(False, f"{found} found where there were {before:,.0f} ({by_hand})")
    return Verdict(True)


def _find_unmatched(walk: Walk) -> Iterator[tuple[int, str]]:
    """Yield the steps that took no link."""
    for path in walk.pattern.paths:
        for step, written in enumerate(path.steps):
            if not _count_at(walk, walk.matched, step):
                yield step, written.pattern


def _may_be_lost(walk: Walk) -> bool:
    """Tell whether what is missing may stand on the pages that the server could not give."""
    unmatched = next(_find_unmatched(walk), None)
    if unmatched is not None:
        lost = _count_at(walk, walk.lost, unmatched[0])
        return lost > 0 and lost >= _count_at(walk, walk.came, unmatched[0])
    steps = max(len(path.steps) for path in walk.pattern.paths)
    ends = sum(walk.lost[place, len(path.steps)] for place, path in enumerate(walk.pattern.paths))
    expected = walk.pattern.figures.get("targets", 0) * min(_share_read(walk, step) for step in range(steps))
    return walk.lost.total() > 0 and walk.pages + walk.unread + ends >= FEWER * expected


def _share_read(walk: Walk, step: int) -> float:
    """Return the part of the pages before a step that could be read."""
    came, lost = _count_at(walk, walk.came, step), _count_at(walk, walk.lost, step)
    return came / (came + lost) if lost else 1.0


def _count_at(walk: Walk, counts: Counter[State], step: int) -> int:
    return sum(counts[place, step] for place in range(len(walk.pattern.paths)))
