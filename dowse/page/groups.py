"""Links that stand together as a menu does, found and ranked as in NAVMENU (paper 1, Fig. 11)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from dowse.model import LinkGroup
from dowse.page.sheet import Line

LEAST_LINKS = 3

# Fig. 11 divides a group's words, with those beside its anchors, by the words of all groups, so a line of
# prose with three links gains by its prose; Section 4 speaks of the anchors' share in the words of the group's
# own lines, which such a line loses by. The second fits menus better, the first is what the paper ran.
WordShare = Callable[[LinkGroup, int], float]  # a group and the words of all groups


def find_groups(lines: Iterable[Line]) -> tuple[LinkGroup, ...]:
    """Return the groups of links in their order (Fig. 11, lines 3 to 18).

    A line without links and without words other than those of anchors, such as the second line of a
    long anchor, neither ends nor makes a group: Fig. 11 asks only whether the line before has
    several links or other words.
    """
    groups: list[LinkGroup] = []
    column: list[Line] = []
    for line in lines:
        count = len(line.places)
        if count == 1 and line.words == line.anchor_words:
            column.append(line)
            continue
        if column and (count or line.words != line.anchor_words):
            _keep(groups, column)
            column = []
        if count > 1:
            _keep(groups, [line])
    _keep(groups, column)
    return tuple(groups)


def _keep(groups: list[LinkGroup], lines: Sequence[Line]) -> None:
    """Add the group that some lines make, if it is large enough for one."""
    places = tuple(place for line in lines for place in line.places)
    if len(places) >= LEAST_LINKS:
        words, anchor_words = (sum(counts) for counts in zip(*(line[1:] for line in lines), strict=True))
        groups.append(LinkGroup(places, words, anchor_words, len(lines) > 1))


def share_of_page(group: LinkGroup, total: int) -> float:
    """Return which part of the words of all groups a group has: wc[g] / total_words in Fig. 11."""
    return group.words / total if total else 0.0


def share_of_anchors(group: LinkGroup, total: int) -> float:
    """Return which part of a group's words is its anchors': wordcount as Section 4 describes it."""
    return group.anchor_words / group.words if group.words else 1.0


def rank_groups(
    groups: Sequence[LinkGroup],
    link_count: int,
    *,
    size: float = 1.0,
    words: float = 1.0,
    distance: float = 1.0,
    share: WordShare = share_of_page,
) -> list[tuple[float, LinkGroup]]:
    """Return groups with their rank, best first (Fig. 11, lines 19 to 25); the weights are ws, ww and wd."""
    total_size = sum(len(group.places) for group in groups)
    total_words = sum(group.words for group in groups)
    total_height = sum(_height(group, link_count) for group in groups)
    ranked = [
        (
            size * len(group.places) / total_size
            + words * share(group, total_words)
            + (distance * _height(group, link_count) / total_height if total_height else 0.0),
            group,
        )
        for group in groups
    ]
    return sorted(ranked, key=lambda one: -one[0])


def _height(group: LinkGroup, link_count: int) -> float:
    """Return how many links stand between the middle of a group and the bottom of the page."""
    return link_count - 1 - (group.places[0] + group.places[-1]) / 2  # Fig. 11 counts links from 1
