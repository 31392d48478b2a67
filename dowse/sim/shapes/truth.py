"""The truth about a browsable site: its targets, which of them are new, and the lists that lead to all of them."""

from __future__ import annotations

from collections import deque
from dataclasses import asdict, dataclass

from dowse.sim.shapes.plan import ShapePlan


@dataclass(frozen=True, slots=True)
class FormWay:
    """The form that alone leads to the lists of a site."""

    page: str
    action: str
    name: str
    values: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ShapeTruth:
    """All there is to know about a browsable site; addresses are whole, and without sessions."""

    shape: str
    family: str
    seed: int
    day: int
    edition: int
    entry: str
    language: str
    topic: str
    design: str
    targets: tuple[str, ...]  # in the order of their records: a place in it stays, whatever the day and the edition
    came: tuple[int, ...]  # the day on which each came; 0 for those of the beginning
    new: tuple[str, ...]  # targets that came after the first day
    hubs: tuple[str, ...]  # the fewest pages known that link to all targets between them
    lists: tuple[str, ...]  # every page that lists targets or leads to such lists
    decoys: tuple[str, ...]  # pages that have the address or nearly the look of a target
    pages: tuple[str, ...]  # all, the way in among them
    clicks: tuple[int, ...]  # from the way in to each target; -1 where no link leads there
    form: FormWay | None
    session: str  # pattern of what to take off addresses, or nothing

    def since(self, day: int) -> tuple[str, ...]:
        """Return the targets that came after a day."""
        return tuple(url for url, came in zip(self.targets, self.came, strict=True) if came > day)


def tell_truth(plan: ShapePlan, seed: int, day: int, edition: int) -> ShapeTruth:
    """Return the truth about a planned site."""
    origin = plan.origin
    paths = [plan.paths[piece.number] for piece in plan.pieces]
    clicks = count_clicks(plan)
    came = tuple(piece.day for piece in plan.pieces)
    targets = tuple(origin + path for path in paths)
    return ShapeTruth(
        shape=plan.shape.name,
        family=plan.habits.family.name,
        seed=seed,
        day=day,
        edition=edition,
        entry=origin + plan.entry,
        language=plan.habits.wording.language,
        topic=plan.topic,
        design=plan.habits.style.design,
        targets=targets,
        came=came,
        new=tuple(url for url, each in zip(targets, came, strict=True) if each),
        hubs=tuple(origin + path for path in find_hubs(plan)),
        lists=tuple(origin + path for path, page in plan.pages.items() if page.kind == "list"),
        decoys=tuple(origin + path for path in _find_decoys(plan)),
        pages=tuple(origin + path for path in plan.pages),
        clicks=tuple(clicks.get(path, -1) for path in paths),
        form=_find_form(plan),
        session=plan.session.pattern if plan.session else "",
    )


def count_clicks(plan: ShapePlan) -> dict[str, int]:
    """Count how many links lead from the way in to each page, menus and crumbs aside."""
    clicks, waiting = {plan.entry: 0}, deque([plan.entry])
    while waiting:
        path = waiting.popleft()
        for there in plan.pages[path].leads():
            if there in plan.pages and there not in clicks:
                clicks[there] = clicks[path] + 1
                waiting.append(there)
    return clicks


def find_hubs(plan: ShapePlan) -> list[str]:
    """Find few pages that link to all targets between them: each time the one that adds most."""
    targets = frozenset(plan.paths.values())
    linked = {path: targets.intersection(page.leads()) for path, page in plan.pages.items() if page.kind == "list"}
    hubs: list[str] = []
    missing = set(targets)
    while missing:
        best = max(linked, key=lambda path: len(linked[path] & missing))
        hubs.append(best)
        missing -= linked.pop(best)
    return _drop_idle(hubs, {path: targets.intersection(plan.pages[path].leads()) for path in hubs})


def _drop_idle(hubs: list[str], linked: dict[str, frozenset[str]]) -> list[str]:
    """Leave out pages whose targets others link to as well, the least useful first."""
    kept = list(hubs)
    for path in sorted(hubs, key=lambda each: len(linked[each])):
        others = frozenset().union(*(linked[each] for each in kept if each != path))
        if linked[path] <= others:
            kept.remove(path)
    return kept


def _find_decoys(plan: ShapePlan) -> list[str]:
    decoys = plan.shape.decoys
    kinds = {"news", "article"} if "address" in decoys else {"news"} if "news" in decoys else set()
    found = [path for path, page in plan.pages.items() if page.kind in kinds]
    if "descriptions" in decoys:
        found += [path for path, page in plan.pages.items() if page.kind == "list" and page.crumbs]
    return found


def _find_form(plan: ShapePlan) -> FormWay | None:
    chooser = plan.chooser
    if chooser is None:
        return None
    values = tuple(value for value, _ in chooser.choices)
    return FormWay(plan.origin + plan.entry, plan.origin + chooser.action, chooser.name, values)


def to_json(truth: ShapeTruth) -> dict[str, object]:
    """Return the truth about a site as plain values."""
    return asdict(truth)
