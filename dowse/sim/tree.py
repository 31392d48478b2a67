"""The pages of a site as a tree: how many at each depth, which below which, which in the menus.

A page links to its children, to pages beside and above it, and to what the menus show; never
to anything deeper than its own children. So the depth in the tree is the true shortest path.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from random import Random

from dowse.sim import words
from dowse.sim.chance import pick, skewed
from dowse.sim.formplan import Placement
from dowse.sim.topics import TOPICS

# Paper 1, Figure 3: pages grow to depth 5 and fall after; 17 % of them within depth 3.
PAGES_AT_DEPTH = (1, 5, 8, 12, 37, 52, 27, 11)
SMALL_SITE = (1, 4, 3)
SMALL_SHARE = 0.2  # of the sites without a database
MENU_LENGTH = 7
SUBMENU_LENGTH = 5


@dataclass(slots=True)
class Draft:
    """A page while its site is being planned."""

    number: int
    depth: int
    role: str  # root, article, form, links, sitemap
    title: str
    parent: int
    menu: str  # "in" when its parent's menu shows it, "out" when only the text does
    by_menu: str  # "yes" when menus lead here all the way from the root
    children: list[int] = field(default_factory=list)
    forms: list[int] = field(default_factory=list)  # numbers of its placements


def grow_tree(rng: Random, topic: str, placements: list[Placement], links_page: str, deep: str) -> list[Draft]:
    """Grow the tree, with a page for each form that wants its own, parents before children."""
    counts = _count_pages(rng, deep)
    tree = _Tree(rng, topic)
    for depth in range(1, max(len(counts), 1 + max((each.depth for each in placements), default=0))):
        special = _special_pages(rng, depth, placements, links_page)
        target = counts[depth] if depth < len(counts) else 0
        for _ in range(max(2 if depth == 1 else 1, target - len(special))):
            tree.add_article(depth)
        for role, title, menu, form in special:
            tree.add_special(depth, role, title, menu, form)
    for number, placement in enumerate(placements):
        if placement.form.place == "content" and placement.depth == 0:
            tree.drafts[0].forms.append(number)
    return tree.drafts


def _count_pages(rng: Random, deep: str) -> list[int]:
    if deep == "no" and rng.random() < SMALL_SHARE:
        return list(SMALL_SITE)
    scale = min(3.0, max(0.5, rng.lognormvariate(0, 0.5)))
    return [1] + [max(1, round(count * scale * rng.uniform(0.7, 1.3))) for count in PAGES_AT_DEPTH[1:]]


def _special_pages(
    rng: Random, depth: int, placements: list[Placement], links_page: str
) -> list[tuple[str, str, str, int]]:
    pages = [("form", each.title, each.menu, number) for number, each in enumerate(placements) if each.depth == depth]
    if depth == 1 and links_page == "yes":
        pages.append(("links", rng.choice(words.LINKS), "in", -1))
    if depth == 1 and rng.random() < 0.3:
        pages.append(("sitemap", rng.choice(words.SITEMAP), rng.choice(("in", "out")), -1))
    return pages


class _Tree:
    def __init__(self, rng: Random, topic: str) -> None:
        self.rng, self.nouns = rng, TOPICS[topic].nouns
        self.drafts = [Draft(0, 0, "root", "", -1, "in", "yes")]
        self.above: list[list[int]] = [[0]]  # pages that may have children, by depth
        self.above_by_menu: list[list[int]] = [[0]]

    def add_article(self, depth: int) -> None:
        """Add a page of text; the first at each depth continues the menus down."""
        rng = self.rng
        title = " ".join(pick(rng, each) for each in (words.ADJECTIVES, self.nouns, words.SECTION_WORDS)).capitalize()
        first = len(self.above) == depth
        parent = self.above_by_menu[depth - 1][0] if first else skewed(rng, self.above[depth - 1], 1.4)
        length = MENU_LENGTH if depth == 1 else SUBMENU_LENGTH
        shown = first or (len(self.drafts[parent].children) < length and rng.random() < 0.7)
        page = self._add(depth, "article", title, parent, "in" if shown else "out")
        if first:
            self.above.append([])
            self.above_by_menu.append([])
        self.above[depth].append(page.number)
        if page.by_menu == "yes":
            self.above_by_menu[depth].append(page.number)

    def add_special(self, depth: int, role: str, title: str, menu: str, form: int) -> None:
        """Add a page that holds a form or a list of links, and has no children."""
        places = self.above_by_menu if menu == "in" else self.above
        page = self._add(depth, role, title, self.rng.choice(places[depth - 1]), menu)
        if form >= 0:
            page.forms.append(form)

    def _add(self, depth: int, role: str, title: str, parent: int, menu: str) -> Draft:
        above = self.drafts[parent]
        by_menu = "yes" if menu == "in" and above.by_menu == "yes" else "no"
        page = Draft(len(self.drafts), depth, role, title, parent, menu, by_menu)
        above.children.append(page.number)
        self.drafts.append(page)
        return page
