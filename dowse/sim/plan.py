"""The plan of a site: all that decides its pages, made from its number in about a millisecond."""

from __future__ import annotations

import re
from dataclasses import dataclass
from random import Random

from dowse.sim.chance import dice
from dowse.sim.databases import DatabasePlan
from dowse.sim.decoys import plan_decoys
from dowse.sim.formplan import FieldPlan, FormPlan
from dowse.sim.habits import Habits, draw_habits
from dowse.sim.queryforms import DEEP_SHARE, plan_databases, plan_query_forms
from dowse.sim.topics import TOPICS
from dowse.sim.traits import Traits
from dowse.sim.traps import TrapPlan, plan_traps
from dowse.sim.tree import Draft, grow_tree
from dowse.sim.trouble import HIDDEN_FOLDERS

_NOT_WORD = re.compile(r"[^a-z0-9]+")


@dataclass(frozen=True, slots=True)
class PagePlan:
    """A page: its place in the tree and what stands on it."""

    number: int
    path: str  # with the query, where the site's addresses have one
    title: str
    role: str
    depth: int
    parent: int
    menu: str
    by_menu: str
    children: tuple[int, ...]
    forms: tuple[int, ...]  # numbers of the forms that stand in its text
    hidden: str  # "yes" when robots.txt forbids it


@dataclass(frozen=True, slots=True)
class SitePlan:
    """A site: its pages, forms, databases and traps."""

    traits: Traits
    key: str
    habits: Habits
    pages: tuple[PagePlan, ...]
    numbers: dict[str, int]  # page by path
    forms: tuple[FormPlan, ...]
    actions: dict[str, FormPlan]  # what answers at a path; forms that share it share the database
    fields: tuple[dict[str, FieldPlan], ...]  # of each database, by name
    databases: tuple[DatabasePlan, ...]
    details: str  # folder of the detail pages
    traps: tuple[TrapPlan, ...]
    folder: str  # what robots.txt hides
    missing: tuple[str, ...]  # paths that are linked and lead nowhere
    neighbours: tuple[str, ...]  # addresses of other sites
    shared: tuple[tuple[int, tuple[str, ...]], ...]  # which page names which of them; -1 for every page

    @property
    def origin(self) -> str:
        """Scheme and host."""
        return f"http://{self.traits.host}"


def plan_site(seed: int, traits: Traits, neighbours: tuple[str, ...]) -> SitePlan:
    """Plan a site from its traits."""
    key = f"{seed}/{traits.index}"
    rng = dice(key, "plan")
    topic = TOPICS[traits.topic]
    habits = draw_habits(rng, topic.noun)
    databases: tuple[DatabasePlan, ...] = ()
    placements = plan_decoys(rng)
    if rng.random() < DEEP_SHARE:
        databases = plan_databases(rng, traits.topic, key, traits.host)
        placements = plan_query_forms(rng, databases, habits) + placements
    rng.shuffle(placements)  # so that a form's number says nothing about its kind
    links_page = "yes" if neighbours and traits.spread in ("link-page", "mixed") else "no"
    drafts = grow_tree(rng, traits.topic, placements, links_page, "yes" if databases else "no")
    forms = tuple(each.form for each in placements)
    folder = rng.choice(HIDDEN_FOLDERS) if traits.robots == "hidden-search" else ""
    pages = _write_paths(rng, drafts, habits, folder, {form.action for form in forms})
    return SitePlan(
        traits=traits,
        key=key,
        habits=habits,
        pages=pages,
        numbers={page.path: page.number for page in pages},
        forms=forms,
        actions={form.action: form for form in forms},
        fields=_fields_by_database(forms, len(databases)),
        databases=databases,
        details=rng.choice(("/detail", "/item", "/record", "/entry", "/full")),
        traps=plan_traps(rng, traits),
        folder=folder,
        missing=_plan_missing(rng, traits.trouble, habits),
        neighbours=neighbours,
        shared=_share_neighbours(traits.spread, pages, neighbours),
    )


def _fields_by_database(forms: tuple[FormPlan, ...], count: int) -> tuple[dict[str, FieldPlan], ...]:
    return tuple(
        {field.name: field for form in forms if form.database == number for field in form.fields}
        for number in range(count)
    )


def _write_paths(rng: Random, drafts: list[Draft], habits: Habits, folder: str, used: set[str]) -> tuple[PagePlan, ...]:
    """Give every page a path that no other page and no form uses."""
    pages: list[PagePlan] = []
    for draft in drafts:
        hidden = bool(folder and draft.role == "form" and rng.random() < 0.5)
        above = pages[draft.parent].path if draft.number else ""
        path = f"/{folder}/{_slug(draft.title)}-{draft.number}.html" if hidden else _path(draft, above, habits)
        if path in used:
            path = f"/{draft.number}{path}"
        used.add(path)
        pages.append(
            PagePlan(
                number=draft.number,
                path=path,
                title=draft.title or habits.site_name,
                role=draft.role,
                depth=draft.depth,
                parent=draft.parent,
                menu=draft.menu,
                by_menu=draft.by_menu,
                children=tuple(draft.children),
                forms=tuple(draft.forms),
                hidden="yes" if hidden else "no",
            )
        )
    return tuple(pages)


def _path(draft: Draft, above: str, habits: Habits) -> str:
    if not draft.number:
        return "/"
    slug = _slug(draft.title)
    if habits.paths == "folders":
        return f"{above}{slug}/"
    if habits.paths == "flat":
        return f"/{slug}-{draft.number}{habits.extension}"
    if habits.paths == "nested":
        extension = habits.extension or ".html"
        return f"{above.removesuffix(extension).rstrip('/')}/{slug}{extension}"
    if habits.paths == "script":
        return habits.script.format(n=draft.number)
    return f"/{draft.number}/{slug}"


def _slug(title: str) -> str:
    return _NOT_WORD.sub("-", title.lower()).strip("-")


def _plan_missing(rng: Random, trouble: str, habits: Habits) -> tuple[str, ...]:
    if trouble not in ("dead-links", "soft-404"):
        return ()
    return tuple(f"/gone/{rng.randrange(10**6)}{habits.extension}" for _ in range(rng.randint(2, 6)))


def _share_neighbours(
    spread: str, pages: tuple[PagePlan, ...], neighbours: tuple[str, ...]
) -> tuple[tuple[int, tuple[str, ...]], ...]:
    """Spread the links to other sites by the site's template (paper 1, Figure 13), never below depth 3."""
    if not neighbours or spread == "none":
        return ()
    if spread == "skeleton":
        return ((-1, neighbours),)
    if spread == "directory":
        shallow = [page.number for page in pages if page.depth <= 3 and page.role in ("root", "article")]
        shares = [(number, neighbours[place :: len(shallow)]) for place, number in enumerate(shallow)]
        return tuple((number, share) for number, share in shares if share)
    links = next(page.number for page in pages if page.role == "links")
    return ((links, neighbours),) if spread == "link-page" else ((links, neighbours), (-1, neighbours[:2]))
