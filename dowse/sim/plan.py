"""The plan of a site: all that decides its pages, made from its number in a fraction of a millisecond."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import cached_property
from random import Random

from dowse.sim.chance import between, dice, mix, number_of, pick, shuffled
from dowse.sim.databases import DatabasePlan, plan_databases
from dowse.sim.decoys import plan_decoys
from dowse.sim.families import FAMILIES
from dowse.sim.formplan import FormPlan, Placement
from dowse.sim.habits import Habits, draw_habits
from dowse.sim.queryforms import plan_query_forms
from dowse.sim.tables import Attribute
from dowse.sim.themes import Themes
from dowse.sim.traits import Traits
from dowse.sim.traps import TrapPlan, plan_traps
from dowse.sim.tree import MOST_ADDED, Special, Tree, any_article, draw_tree, walk_menus
from dowse.sim.view import Question
from dowse.sim.wording import Wording

SITEMAP_SHARE = 0.3
CANONICAL_SHARE = 0.25
TAGS_SHARE = 0.25
SHALLOW = 3  # links to other sites stand within this depth, but for half of a directory's (paper 1, Figure 3: 95 %)
WARDS = 2  # the first links of a site, by which others are found
# In a world of many links, a link of a directory goes down from the root and stops at each depth by this chance: nine of ten within
# depth 3, and with the sites of other kinds the 95 % of paper 1, Figure 3. Pages with many have children with many (Section 5.1).
STOPS = (0.05, 0.2, 0.5, 0.75)
CROWDING = 3.0  # how much the links of a page crowd below a few of its children that stand together
FOLDERS = {
    "A": ("/cgi-bin/", "/query/", "/lookup/", "/private/", "/dyn/"),
    "B": ("/servlets/", "/_app/", "/dbaccess/", "/srv/q/"),
}
GONE = {"A": "/gone/{n}.html", "B": "/legacy/{n}.asp"}
FORWARDS = {"A": ("/go/{n}", "/out.php?to={n}"), "B": ("/redir/{n}", "/link.aspx?target={n}")}
FILES = {"A": "/files/{n}.{ext}", "B": "/download/{n}.{ext}"}
DESCRIPTIONS = {"A": "/opensearch.xml", "B": "/osd/plugin.xml"}
COOKIES = {"A": ("sid", "session", "visit"), "B": ("JSESS", "ASPSID", "_app_sess")}


@dataclass(frozen=True)
class SitePlan:
    """A site: its shape, forms, databases and traps."""

    traits: Traits
    key: str
    number: int  # the key as a number
    habits: Habits
    tree: Tree
    forms: tuple[FormPlan, ...]
    homes: dict[int, tuple[int, ...]]  # forms by the page in whose text they stand
    actions: dict[str, int]  # the form that a path answers; forms that share it share the database
    databases: tuple[DatabasePlan, ...]
    attributes: tuple[tuple[Attribute, ...], ...]  # of each database
    questions: tuple[tuple[Question, ...], ...]  # all that the forms of each database ask
    traps: tuple[TrapPlan, ...]
    folder: str  # what robots.txt hides, or nothing
    secluded: frozenset[int]  # the pages in it
    missing: tuple[str, ...]  # paths that are linked and lead nowhere
    files: tuple[str, ...]  # paths of files that call themselves pages
    forward: str  # pattern of addresses that redirect, or nothing
    canonical: bool
    tagged: bool
    cookie: tuple[str, str] | None  # name and value, on sites whose database wants one
    themes: Themes
    find_neighbours: Callable[[], tuple[str, ...]] = field(repr=False, compare=False)
    paths: dict[int, str] = field(default_factory=dict, repr=False, compare=False)  # of pages, as they were written
    branches: dict[int, str] = field(
        default_factory=dict, repr=False, compare=False
    )  # topics of parts, as they were drawn

    @cached_property
    def origin(self) -> str:
        """Scheme and host."""
        return f"http://{self.traits.host}"

    @cached_property
    def neighbours(self) -> tuple[str, ...]:
        """Addresses of the sites that this one links to; found when they are first needed."""
        return self.find_neighbours()

    @cached_property
    def links_page(self) -> int:
        """Number of the page with links to other sites, or -1."""
        tree = self.tree
        return next((tree.articles + k for k, each in enumerate(tree.specials) if each.role == "links"), -1)

    def find_pages_naming(self, address: str) -> tuple[int, ...]:
        """Return pages that link to another site; the root for one that every page links to."""
        if address in self.outside_everywhere:
            return (0,)
        listed = self._shelves if self._shelves is not None else {self.links_page: self.neighbours}
        return tuple(page for page, addresses in listed.items() if page >= 0 and address in addresses)

    def outside(self, page: int) -> tuple[str, ...]:
        """Return the other sites that the text of a page links to (paper 1, Figure 13)."""
        spread = self.traits.spread
        if self._shelves is not None:
            return self._shelves.get(page, ())
        if self.themes.outlinks == "many" and spread in ("directory", "mixed"):
            return self._listed.get(page, ())
        if spread in ("link-page", "mixed"):
            return self.neighbours if page == self.links_page else ()
        if spread != "directory":
            return ()
        return tuple(address for place, address in enumerate(self.neighbours) if self._directory_page(place) == page)

    @cached_property
    def centres(self) -> dict[int, tuple[str, tuple[str, ...]]]:
        """The pages of a directory by topic: what each is on, and the sites it lists."""
        return self.themes.find_centres(self)

    @cached_property
    def _shelves(self) -> dict[int, tuple[str, ...]] | None:
        return self.themes.shelve(self)

    @cached_property
    def _listed(self) -> dict[int, tuple[str, ...]]:
        """The other sites by page, where many are listed; a mixed site has every other one on its page of links."""
        pages: dict[int, list[str]] = {}
        for place, address in enumerate(self.neighbours):
            on_links_page = self.traits.spread == "mixed" and self.links_page >= 0 and place % 2 == 0
            pages.setdefault(self.links_page if on_links_page else self._branch_page(place), []).append(address)
        return {page: tuple(some) for page, some in pages.items()}

    def _branch_page(self, place: int) -> int:
        """Return the page where a link ends up that goes down from the root, mostly along the same branches."""
        page = depth = 0
        while below := self.tree.articles_below(page):
            bits = mix(self.number ^ depth, place)
            is_deep_enough = place < WARDS and depth == SHALLOW
            if is_deep_enough or bits % 1000 < 1000 * STOPS[min(depth, len(STOPS) - 1)]:
                break
            child = int(len(below) * ((bits >> 16) % 1000 / 1000) ** CROWDING)
            page, depth = below[(child + mix(self.number, page)) % len(below)], depth + 1
        return page

    def _directory_page(self, place: int) -> int:
        starts = self.tree.starts
        shallow = starts[min(SHALLOW + 1, len(starts) - 1)]
        if place >= WARDS and mix(self.number, place) % 2 and shallow < starts[-1]:
            return shallow + place * 31 % (starts[-1] - shallow)
        return place * 7 % shallow

    @property
    def outside_everywhere(self) -> tuple[str, ...]:
        """The other sites that every page links to."""
        if self.traits.spread not in ("skeleton", "mixed"):
            return ()
        return self.neighbours if self.traits.spread == "skeleton" else self.neighbours[:2]


Describe = Callable[[DatabasePlan, Wording], tuple[Attribute, ...]]


def plan_site(
    themes: Themes,
    day: int,
    traits: Traits,
    neighbours: Callable[[], tuple[str, ...]],
    describe: Describe,
    source: DatabasePlan | None = None,
) -> SitePlan:
    """Plan a site from its traits; one that stands for a file has that as its database."""
    key = f"{themes.seed}/{themes.family}/{traits.index}"
    rng, look = dice(key, "plan"), dice(key, "look", traits.edition)
    family, wording = FAMILIES[themes.family], themes.read_wording(traits.language)
    habits = draw_habits(rng, look, family, wording, traits.topic)
    if traits.name:
        habits = replace(habits, site_name=traits.name)
    if source:
        rng.random()  # what would have said whether it has databases
        databases: tuple[DatabasePlan, ...] = (source,)
    else:
        databases = plan_databases(rng, themes.draw_databases(rng, traits.index, traits.topic), key, traits.host, day)
    attributes = tuple(describe(each, wording) for each in databases)
    return _assemble(key, day, traits, habits, databases, attributes, neighbours, rng, themes)


def _assemble(
    key: str,
    day: int,
    traits: Traits,
    habits: Habits,
    databases: tuple[DatabasePlan, ...],
    attributes: tuple[tuple[Attribute, ...], ...],
    neighbours: Callable[[], tuple[str, ...]],
    rng: Random,
    themes: Themes,
) -> SitePlan:
    family = habits.family.name
    tree = draw_tree(rng, number_of(key, "tree"), "yes" if databases else "no")
    taken: set[str] = set()
    placements = plan_decoys(rng, habits, len(tree.counts) - 1, taken)
    if databases:
        placements = plan_query_forms(rng, databases, attributes, habits, taken) + placements
    placements = shuffled(rng, placements)  # so that a form's number says nothing about its kind
    tree, homes = _furnish(rng, tree, placements, habits, traits if traits.passes_on else None)
    added = min(MOST_ADDED, int(day * traits.growth)) if len(tree.counts) > 2 else 0
    tree = replace(tree, added=added)
    forms = _mark_copies(placements)
    folder = pick(rng, FOLDERS[family]) if traits.robots == "hidden-search" else ""
    return SitePlan(
        traits=traits,
        key=key,
        number=number_of(key),
        habits=habits,
        tree=tree,
        forms=forms,
        homes=homes,
        actions={form.action: number for number, form in enumerate(forms)},
        databases=databases,
        attributes=attributes,
        questions=_questions_by_database(forms, len(databases)),
        traps=plan_traps(rng, family, traits.host),
        folder=folder,
        secluded=_seclude(rng, tree) if folder else frozenset(),
        missing=_plan_missing(rng, traits.trouble, family),
        files=_plan_files(rng, traits.trouble, family),
        forward=pick(rng, FORWARDS[family]) if traits.trouble == "forwarding" else "",
        canonical=not habits.is_old and rng.random() < CANONICAL_SHARE,
        tagged=rng.random() < TAGS_SHARE,
        cookie=_plan_cookie(rng, key, databases, family),
        themes=themes,
        find_neighbours=neighbours,
    )


def _mark_copies(placements: list[Placement]) -> tuple[FormPlan, ...]:
    first: dict[tuple[str, tuple[str, ...]], int] = {}
    forms: list[FormPlan] = []
    for number, placement in sorted(enumerate(placements), key=lambda each: each[1].depth):
        form = placement.form
        earlier = first.setdefault((form.action, form.names), number)
        forms.append(form if earlier == number else replace(form, same_as=earlier))
    order = [number for number, _ in sorted(enumerate(placements), key=lambda each: each[1].depth)]
    return tuple(form for _, form in sorted(zip(order, forms, strict=True), key=lambda each: each[0]))


def _questions_by_database(forms: tuple[FormPlan, ...], count: int) -> tuple[tuple[Question, ...], ...]:
    return tuple(
        tuple(dict.fromkeys(each for form in forms if form.database == number for each in form.questions))
        for number in range(count)
    )


def _furnish(
    rng: Random, tree: Tree, placements: list[Placement], habits: Habits, linking: Traits | None
) -> tuple[Tree, dict[int, tuple[int, ...]]]:
    """Add the pages that hold forms, links or a map of the site, parents before children."""
    specials: list[Special] = []
    homes: dict[int, tuple[int, ...]] = {}
    if linking and linking.spread in ("link-page", "mixed"):
        depth = 2 if rng.random() < 0.15 and len(tree.counts) > 2 else 1
        specials.append(Special("links", habits.says["links"], walk_menus(tree, rng, depth - 1), depth, "menu"))
    wants_map = any(each.way == "sitemap" and each.depth == 2 for each in placements)
    if (wants_map or rng.random() < SITEMAP_SHARE) and len(tree.counts) > 1:
        specials.append(Special("sitemap", habits.says["sitemap"], 0, 1, pick(rng, ("menu", "content"))))
    for number, each in sorted(enumerate(placements), key=lambda one: one[1].depth):
        if each.form.place != "content":
            continue
        if each.depth == 0:
            homes[0] = (*homes.get(0, ()), number)
            continue
        specials.append(_special_for(rng, tree, each, number, specials, placements))
        homes[tree.articles + len(specials) - 1] = (number,)
    return replace(tree, specials=tuple(specials)), homes


def _special_for(
    rng: Random, tree: Tree, placed: Placement, number: int, specials: list[Special], placements: list[Placement]
) -> Special:
    depth, way = placed.depth, placed.way
    if way == "sitemap" and depth == 2:
        return Special("form", placed.title, -1, depth, way, (number,))
    if way == "menu":
        return Special("form", placed.title, walk_menus(tree, rng, depth - 1), depth, way, (number,))
    simpler = [
        tree.articles + place
        for place, each in enumerate(specials)
        if each.depth == depth - 1
        and each.forms
        and placements[each.forms[0]].form.database == placed.form.database >= 0
    ]
    above = pick(rng, simpler) if way == "advanced" and simpler else any_article(tree, rng, depth - 1)
    return Special("form", placed.title, above, depth, "advanced" if way == "advanced" else "content", (number,))


def _seclude(rng: Random, tree: Tree) -> frozenset[int]:
    """Choose the pages that lie where robots.txt forbids to go: half of those with forms."""
    pages = (tree.articles + place for place, each in enumerate(tree.specials) if each.role == "form")
    chosen = {number for number in pages if rng.random() < 0.5}
    return frozenset(
        number
        for number in chosen
        if not any(tree.parent(other) == number for other in range(tree.articles, tree.size))
    )


def _plan_missing(rng: Random, trouble: str, family: str) -> tuple[str, ...]:
    if trouble not in ("dead-links", "soft-404"):
        return ()
    return tuple(GONE[family].format(n=between(rng, 1, 10**6)) for _ in range(between(rng, 2, 6)))


def _plan_files(rng: Random, trouble: str, family: str) -> tuple[str, ...]:
    if trouble != "mislabelled-files":
        return ()
    ends = ("pdf", "zip", "jpg")
    return tuple(FILES[family].format(n=between(rng, 1, 999), ext=pick(rng, ends)) for _ in range(between(rng, 2, 6)))


def _plan_cookie(rng: Random, key: str, databases: tuple[DatabasePlan, ...], family: str) -> tuple[str, str] | None:
    name = pick(rng, COOKIES[family])
    wanted = any(each.session for each in databases)
    return (name, f"{number_of(key, 'cookie'):016x}") if wanted else None
