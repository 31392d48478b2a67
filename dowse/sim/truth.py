"""The truth about a world: what every site holds."""

from __future__ import annotations

from dataclasses import asdict, dataclass

from dowse.sim.formplan import FormPlan
from dowse.sim.naming import first_page_with, path_of
from dowse.sim.plan import SitePlan
from dowse.sim.services import search_template, service_template
from dowse.sim.view import Question

NAVIGATION_LIMIT = 500  # pages listed for a site


@dataclass(frozen=True, slots=True)
class ConditionTruth:
    """One thing that a form lets you ask."""

    label: str  # nothing where people write none, in groups of operators
    attribute: str  # of the database; nothing for words anywhere
    operator: str  # keyword, contains, equals, in, range
    type: str  # text, choice, number, date
    fields: tuple[str, ...]
    parts: tuple[str, ...]  # what each field is for: value; min, max; or day, month, year of the earliest date
    modes: str  # name of the field that says how the words are taken, or nothing
    options: tuple[str, ...]  # labels of what can be chosen


@dataclass(frozen=True, slots=True)
class FormTruth:
    """A form, where it stands first, and what is behind it."""

    id: str
    kind: str  # one of dowse.model.KINDS
    purpose: str  # what exactly: database, login, poll, cart ...
    page: str  # the shallowest page it stands on
    depth: int
    method: str
    action: str
    fields: tuple[str, ...]  # names, sorted, buttons aside
    buttons: tuple[str, ...]  # the names that its buttons send
    conditions: tuple[ConditionTruth, ...]
    database: str | None
    repeated: str  # on other pages too: "everywhere", "articles" or nothing
    changes: bool  # with small changes from page to page
    same_as: str | None  # id of the form that this one is a copy of
    made: str  # html; script and formless need a browser, or eyes for more than forms
    way: str  # how one gets to its page: root, menu, advanced, content, sitemap
    by_menu: bool  # menus lead to it all the way from the root
    reachable: bool  # not on a dead site, not hidden by robots.txt


@dataclass(frozen=True, slots=True)
class DoorTruth:
    """A way to ask a database that is not a form: an address with places for words and page."""

    kind: str  # json, xml, opensearch
    template: str


@dataclass(frozen=True, slots=True)
class DatabaseTruth:
    """A database behind forms."""

    id: str
    topic: str
    size: int
    attributes: tuple[str, ...]
    page_size: int
    limit: int  # records it shows at most, or 0
    count: str  # whether it says how many there are: exact, none, rough, wrong
    details: bool
    doors: tuple[DoorTruth, ...]


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
    language: str
    design: str
    encoding: str
    reachable: bool
    pages_by_depth: tuple[int, ...]  # true shortest paths; without traps and what robots.txt hides
    forms: tuple[FormTruth, ...]
    databases: tuple[DatabaseTruth, ...]
    traps: tuple[TrapTruth, ...]
    robots: str
    trouble: str
    spread: str  # template of its links to other sites (paper 1, Figure 13)
    neighbours: tuple[str, ...]
    missing: tuple[str, ...]  # linked, and leading nowhere: error pages
    navigation: tuple[str, ...]  # pages that menus lead to from the root, breadth first, up to 500
    redirects: str  # pattern of addresses that only redirect to pages, or nothing


def tell_truth(plan: SitePlan) -> SiteTruth:
    """Return the truth about a planned site."""
    traits = plan.traits
    return SiteTruth(
        site=plan.origin,
        address=traits.address,
        topic=traits.topic,
        language=traits.language,
        design=plan.habits.style.design,
        encoding=plan.habits.encoding,
        reachable=not traits.is_closed,
        pages_by_depth=() if traits.is_closed else _count_by_depth(plan),
        forms=_form_truths(plan),
        databases=tuple(_database_truth(plan, number) for number in range(len(plan.databases))),
        traps=tuple(TrapTruth(trap.kind, trap.pattern) for trap in plan.traps),
        robots=traits.robots,
        trouble=traits.trouble,
        spread=traits.spread,
        neighbours=plan.neighbours,
        missing=tuple(plan.origin + path for path in (*plan.missing, *plan.files)),
        navigation=() if traits.is_closed else _find_navigation(plan),
        redirects=plan.forward,
    )


def _count_by_depth(plan: SitePlan) -> tuple[int, ...]:
    counts = plan.tree.count_by_depth()
    for number in plan.secluded:
        counts[plan.tree.depth(number)] -= 1
    while counts and not counts[-1]:
        counts.pop()
    return tuple(counts)


def _find_navigation(plan: SitePlan) -> tuple[str, ...]:
    found: list[str] = []
    waiting = [0]
    while waiting and len(found) < NAVIGATION_LIMIT:
        number = waiting.pop(0)
        found.append(plan.origin + path_of(plan, number))
        waiting += [each for each in plan.tree.in_menu(number) if each not in plan.secluded]
    return tuple(found)


def _database_truth(plan: SitePlan, number: int) -> DatabaseTruth:
    database = plan.databases[number]
    doors = []
    if database.service:
        doors.append(DoorTruth(database.service, service_template(plan, database)))
    template = search_template(plan, database)
    if database.described == "yes" and template:
        doors.append(DoorTruth("opensearch", template))
    return DatabaseTruth(
        id=database.id,
        topic=database.topic,
        size=database.size,
        attributes=tuple(each.name for each in plan.attributes[number]),
        page_size=database.page_size,
        limit=database.limit,
        count=database.count,
        details=database.details == "yes",
        doors=tuple(doors),
    )


def _form_truths(plan: SitePlan) -> tuple[FormTruth, ...]:
    homes = {number: page for page, forms in plan.homes.items() for number in forms}
    truths = []
    for number, form in enumerate(plan.forms):
        page = first_page_with(plan, number) if form.place == "articles" else homes.get(number, 0)
        if page >= 0:  # a small site may have no page for a form that stands on articles
            truths.append(_form_truth(plan, number, form, page))
    return tuple(truths)


def _form_truth(plan: SitePlan, number: int, form: FormPlan, page: int) -> FormTruth:
    special = plan.tree.special(page)
    return FormTruth(
        id=f"{plan.traits.host}#{number}",
        kind=form.kind,
        purpose=form.purpose,
        page=plan.origin + path_of(plan, page),
        depth=plan.tree.depth(page),
        method=form.method,
        action=plan.origin + form.action,
        fields=form.names,
        buttons=tuple(name for name, _ in form.buttons if name),
        conditions=tuple(_condition(each, form.questions) for each in form.questions if each.operator),
        database=plan.databases[form.database].id if form.database >= 0 else None,
        repeated={"content": "", "articles": "articles"}.get(form.place, "everywhere"),
        changes=bool(form.changes),
        same_as=f"{plan.traits.host}#{form.same_as}" if form.same_as >= 0 else None,
        made=form.made,
        way="root" if page == 0 else special.way if special else "content",
        by_menu=plan.tree.by_menu(page),
        reachable=not plan.traits.is_closed and page not in plan.secluded,
    )


PARTS = {
    ("range", 2): ("min", "max"),
    ("max", 1): ("max",),
    ("since", 1): ("min",),
    ("since", 3): ("day", "month", "year"),
}


def _condition(question: Question, questions: tuple[Question, ...]) -> ConditionTruth:
    part = question.parts[0]
    asked = (each for each in questions if each.kind == "operator" and each.attribute == question.attribute)
    modes = next((each.parts[0].name for each in asked), "") if question.operator in ("keyword", "contains") else ""
    types = {"range": "number", "max": "number", "since": "date"}
    operators = {"max": "range", "since": "range"}
    kind = types.get(question.operator) or ("choice" if part.choices else "text")
    operator = "in" if question.kind == "several" else operators.get(question.operator, question.operator)
    return ConditionTruth(
        label=question.label,
        attribute=question.attribute,
        operator=operator,
        type=kind,
        fields=tuple(each.name for each in question.parts),
        parts=PARTS.get((question.operator, len(question.parts)), ("value",)),
        modes=modes,
        options=tuple(label for _, label in part.choices),
    )


def to_json(truth: SiteTruth) -> dict[str, object]:
    """Return the truth about a site as plain values."""
    return asdict(truth)
