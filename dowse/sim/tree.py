"""The pages of a site as a tree that is nowhere written down: parents and children by arithmetic.

Pages of text are numbered from the root down, depth by depth. The page at place `j` of a depth hangs below place
`n * (j / m) ** bend` of the one above, where `n` and `m` pages are: the first pages have many children, most have few,
and the children of a page are a range. Pages for forms, links and site maps (specials) hang where the plan puts them;
pages that came later (added) are few. A page links to nothing deeper than its own children, so the depth in the tree is
the true shortest path, whatever the size of the site.
"""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate
from random import Random

from dowse.sim.chance import between, mix, pareto, pick

# Paper 1, Figure 3: pages grow to depth 5 and fall after; 17 % of them within depth 3, with the pages of forms.
PAGES_AT_DEPTH = (1, 3, 6, 14, 38, 54, 28, 12)
SMALL_SITE = (1, 4, 3)
SMALL_SHARE = 0.2  # of the sites without a database
LARGEST = 100.0  # times the usual size
MENU_LENGTHS = (4, 5, 6, 7, 8)
SUBMENU_LENGTHS = (2, 3, 4)
MOST_ADDED = 200


@dataclass(frozen=True, slots=True)
class Special:
    """A page with a purpose: it has no children but, when it is a site map, those only it leads to."""

    role: str  # form, links, sitemap
    title: str
    parent: int  # number of a page, or -1 for the site map
    depth: int
    way: str  # how one gets there: menu, advanced, content, sitemap
    forms: tuple[int, ...] = ()


@dataclass(frozen=True)
class Tree:
    """The shape of a site."""

    key: int
    counts: tuple[int, ...]  # pages of text at each depth
    bend: float
    menu: int  # how many children of the root the menu shows
    submenu: int  # how many children of a page of the first level; deeper down one
    specials: tuple[Special, ...] = ()
    added: int = 0  # pages of text that came since the first day

    @cached_property
    def starts(self) -> tuple[int, ...]:
        """Number of the first page of text at each depth, and one past the last."""
        return (0, *accumulate(self.counts))

    @cached_property
    def articles(self) -> int:
        """How many pages of text there were on the first day."""
        return self.starts[-1]

    @cached_property
    def size(self) -> int:
        """How many pages there are."""
        return self.articles + len(self.specials) + self.added

    @cached_property
    def sitemap(self) -> int:
        """Number of the site map, or -1."""
        return next((self.articles + k for k, each in enumerate(self.specials) if each.role == "sitemap"), -1)

    @cached_property
    def _specials_below(self) -> dict[int, list[int]]:
        below: dict[int, list[int]] = {}
        for place, each in enumerate(self.specials):
            below.setdefault(self.sitemap if each.parent < 0 else each.parent, []).append(self.articles + place)
        return below

    @cached_property
    def _added_below(self) -> dict[int, list[int]]:
        below: dict[int, list[int]] = {}
        first = self.articles + len(self.specials)
        for number in range(first, first + self.added):
            below.setdefault(self._parent_of_added(number - first), []).append(number)
        return below

    def special(self, number: int) -> Special | None:
        """Return the page's purpose, when it has one."""
        place = number - self.articles
        return self.specials[place] if 0 <= place < len(self.specials) else None

    def depth(self, number: int) -> int:
        """Return how many clicks the page is from the root."""
        if number < self.articles:
            return bisect_right(self.starts, number) - 1
        special = self.special(number)
        return special.depth if special else self.depth(self.parent(number)) + 1

    def parent(self, number: int) -> int:
        """Return the page above; -1 for the root."""
        if number == 0:
            return -1
        if number < self.articles:
            depth = bisect_right(self.starts, number) - 1
            return self.starts[depth - 1] + self._above(depth, number - self.starts[depth])
        special = self.special(number)
        if special:
            return self.sitemap if special.parent < 0 else special.parent
        return self._parent_of_added(number - self.articles - len(self.specials))

    def articles_below(self, number: int) -> range:
        """Return the pages of text below a page, but for those that came later."""
        if number >= self.articles:
            return range(0)
        depth = bisect_right(self.starts, number) - 1
        if depth + 1 >= len(self.counts):
            return range(0)
        place, first = number - self.starts[depth], self.starts[depth + 1]
        return range(first + self._first_below(depth + 1, place), first + self._first_below(depth + 1, place + 1))

    def children(self, number: int) -> list[int]:
        """Return the pages below a page."""
        found = [*self.articles_below(number), *self._specials_below.get(number, ())]
        return found + self._added_below.get(number, []) if self.added else found

    def menu_articles(self, number: int) -> range:
        """Return the pages of text that a page's menu shows: many on top, few below, as menus have them."""
        below = self.articles_below(number)
        return (
            below[: self.menu]
            if number == 0
            else below[: self.submenu if number < self.starts[min(2, len(self.starts) - 1)] else 1]
        )

    def in_menu(self, number: int) -> list[int]:
        """Return those of its children that a page's menu shows."""
        shown = [*self.menu_articles(number)]
        for each in self._specials_below.get(number, ()):
            if self.specials[each - self.articles].way == "menu":
                shown.append(each)
        return shown

    def by_menu(self, number: int) -> bool:
        """Return True if menus lead to a page all the way from the root."""
        while number:
            above = self.parent(number)
            if number not in self.in_menu(above):
                return False
            number = above
        return True

    def count_by_depth(self) -> list[int]:
        """Return how many pages there are at each depth."""
        counts = list(self.counts)
        for number in range(self.articles, self.size):
            depth = self.depth(number)
            counts += [0] * (depth + 1 - len(counts))
            counts[depth] += 1
        return counts

    def _above(self, depth: int, place: int) -> int:
        return int(self.counts[depth - 1] * (place / self.counts[depth]) ** self.bend)

    def _first_below(self, depth: int, place: int) -> int:
        """Return the first place of a depth that hangs below a place of the one above or beyond it."""
        above, count = self.counts[depth - 1], self.counts[depth]
        if place >= above:
            return count
        guess = min(count, int(count * (place / above) ** (1 / self.bend)))
        while guess > 0 and self._above(depth, guess - 1) >= place:  # floats err by one at most
            guess -= 1
        while guess < count and self._above(depth, guess) < place:
            guess += 1
        return guess

    def _parent_of_added(self, place: int) -> int:
        bits = mix(self.key, place)
        depth = min(1 + bits % 3, len(self.counts) - 1)
        return self.starts[depth] + (bits >> 8) % min(self.counts[depth], 12)


def draw_tree(rng: Random, key: int, deep: str) -> Tree:
    """Draw the shape of a site, without its specials."""
    bend = 1.3 + 0.6 * rng.random()
    menu, submenu = pick(rng, MENU_LENGTHS), pick(rng, SUBMENU_LENGTHS)
    if deep == "no" and rng.random() < SMALL_SHARE:
        return Tree(key, SMALL_SITE[: between(rng, 1, 3)], bend, menu, submenu)
    scale = min(LARGEST, 0.45 * pareto(rng, 1.5))
    counts = [max(1, round(count * scale * (0.7 + 0.6 * rng.random()))) for count in PAGES_AT_DEPTH[1:]]
    return Tree(key, (1, max(2, counts[0]), *counts[1:]), bend, menu, submenu)


def walk_menus(tree: Tree, rng: Random, depth: int) -> int:
    """Return a page of text at a depth to which menus lead."""
    number = 0
    for level in range(1, depth + 1):
        below = tree.menu_articles(number)
        number = pick(rng, below) if below else tree.starts[level]
    return number


def any_article(tree: Tree, rng: Random, depth: int) -> int:
    """Return some page of text at a depth."""
    return tree.starts[depth] + int(tree.counts[depth] * rng.random())
