"""The truth about a world: what every site holds, and how much of it somebody found."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import asdict, dataclass

from dowse.sim.plan import SitePlan
from dowse.sim.topics import TOPICS

Found = tuple[str, str, str, tuple[str, ...]]  # site, kind, action, names of the fields


@dataclass(frozen=True, slots=True)
class FormTruth:
    """A form, where it stands first, and what is behind it."""

    kind: str  # one of dowse.model.KINDS
    page: str  # the shallowest page it stands on
    depth: int
    method: str
    action: str
    fields: tuple[str, ...]  # names, sorted, buttons aside
    button: str  # the name that the button sends, or nothing
    database: str | None
    on_every_page: bool
    by_menu: bool  # menus lead to it all the way from the root
    reachable: bool  # not on a dead site, not hidden by robots.txt


@dataclass(frozen=True, slots=True)
class DatabaseTruth:
    """A database behind forms."""

    id: str
    topic: str
    size: int
    attributes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class TrapTruth:
    """A trap: its kind and the pattern its addresses match (for sessions: what to take off)."""

    kind: str
    pattern: str


@dataclass(frozen=True, slots=True)
class SiteTruth:
    """All there is to know about a site."""

    site: str
    address: str  # what other sites link to; redirects to the site when it is another host
    topic: str
    reachable: bool
    pages_by_depth: tuple[int, ...]  # true shortest paths; without traps and what robots.txt hides
    forms: tuple[FormTruth, ...]
    databases: tuple[DatabaseTruth, ...]
    traps: tuple[TrapTruth, ...]
    robots: str
    trouble: str
    neighbours: tuple[str, ...]
    missing: tuple[str, ...]  # linked, and leading nowhere


@dataclass(frozen=True, slots=True)
class FormScore:
    """Query forms found against those that can be reached; distinct per site."""

    reachable: int
    right: int
    wrong: int

    @property
    def missed(self) -> int:
        """Query forms that were not found."""
        return self.reachable - self.right

    @property
    def precision(self) -> float:
        """Part of what was found that is right."""
        return self.right / (self.right + self.wrong) if self.right + self.wrong else 1.0

    @property
    def recall(self) -> float:
        """Part of what can be reached that was found."""
        return self.right / self.reachable if self.reachable else 1.0


def tell_truth(plan: SitePlan) -> SiteTruth:
    """Return the truth about a planned site."""
    traits = plan.traits
    return SiteTruth(
        site=plan.origin,
        address=traits.address,
        topic=traits.topic,
        reachable=not traits.is_closed,
        pages_by_depth=() if traits.is_closed else _count_by_depth(plan),
        forms=_form_truths(plan),
        databases=tuple(
            DatabaseTruth(each.id, each.topic, each.size, tuple(one.name for one in TOPICS[each.topic].attributes))
            for each in plan.databases
        ),
        traps=tuple(TrapTruth(trap.kind, trap.pattern) for trap in plan.traps),
        robots=traits.robots,
        trouble=traits.trouble,
        neighbours=plan.neighbours,
        missing=tuple(plan.origin + path for path in plan.missing),
    )


def _count_by_depth(plan: SitePlan) -> tuple[int, ...]:
    counts = Counter(page.depth for page in plan.pages if page.hidden == "no")
    return tuple(counts[depth] for depth in range(max(counts) + 1))


def _form_truths(plan: SitePlan) -> tuple[FormTruth, ...]:
    homes = {number: page for page in plan.pages for number in page.forms}
    truths = []
    for number, form in enumerate(plan.forms):
        page = homes.get(number, plan.pages[0])
        truths.append(
            FormTruth(
                kind=form.kind,
                page=plan.origin + page.path,
                depth=page.depth,
                method=form.method,
                action=plan.origin + form.action,
                fields=form.names,
                button=form.button_name,
                database=plan.databases[form.database].id if form.database >= 0 else None,
                on_every_page=form.place != "content",
                by_menu=page.by_menu == "yes",
                reachable=not plan.traits.is_closed and page.hidden == "no",
            )
        )
    return tuple(truths)


def to_json(truth: SiteTruth) -> dict[str, object]:
    """Return the truth about a site as plain values."""
    return asdict(truth)


def score_forms(found: Iterable[Found], truth: Iterable[SiteTruth]) -> FormScore:
    """Compare found query forms with the truth; a form counts once for each site."""
    by_site: dict[str, set[tuple[str, frozenset[str]]]] = {}
    for site, kind, action, fields in found:
        if kind == "database":
            by_site.setdefault(site.rstrip("/"), set()).add((action, frozenset(fields)))
    reachable = right = wrong = 0
    for site_truth in truth:
        forms = [form for form in site_truth.forms if form.kind == "database"]
        claims = by_site.pop(site_truth.site, set())
        matched = [form for form in forms if any(_is_same(form, claim) for claim in claims)]
        reachable += sum(form.reachable for form in forms)
        right += sum(form.reachable for form in matched)
        wrong += sum(not any(_is_same(form, claim) for form in forms) for claim in claims)
    return FormScore(reachable, right, wrong + sum(map(len, by_site.values())))


def _is_same(form: FormTruth, claim: tuple[str, frozenset[str]]) -> bool:
    action, fields = claim
    return action == form.action and fields - {form.button} == frozenset(form.fields)
