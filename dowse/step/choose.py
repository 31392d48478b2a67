"""Which door of a page is meant: the one that was named, else the likeliest database."""

from __future__ import annotations

from dowse.errors import BadInput
from dowse.form.ask import judge_asking
from dowse.model import Door, Verdict
from dowse.step.inspect import Inspection
from dowse.step.probe import best_door

GET = frozenset({"GET"})


def choose_door(
    seen: Inspection, signature: str = "", number: int | None = None, methods: frozenset[str] = GET
) -> Door | Verdict:
    """Return the door that is meant, or why there is none to ask."""
    door = _named_door(seen, signature, number)
    if isinstance(door, Verdict):
        return door
    allowed = judge_asking(door, methods)
    return door if allowed.yes else Verdict(False, f"form {door.form.index} {allowed.reason}")


def _named_door(seen: Inspection, signature: str, number: int | None) -> Door | Verdict:
    if number is not None:
        found = next((door for door in seen.doors if door.form.index == number), None)
        if found is None:
            raise BadInput(f"--form {number}: the page has {len(seen.doors)} forms, counted from 0")
        return found
    if signature:
        found = next((door for door in seen.doors if door.signature == signature), None)
        return found or Verdict(False, "the form is no longer on its page")
    return best_door(seen.doors) or best_posting(seen) or _say_why_none(seen)


def best_posting(seen: Inspection) -> Door | None:
    """Return the likeliest database among the forms that are refused only for how they send."""
    refused = [door for door in seen.doors if judge_asking(door, frozenset({"GET", "POST"})).yes]
    return max(refused, key=lambda door: (door.judgement.kind == "database", door.judgement.probability), default=None)


def _say_why_none(seen: Inspection) -> Verdict:
    reasons = [f"form {door.form.index} {judge_asking(door).reason}" for door in seen.doors[:3]]
    return Verdict(False, f"no form that can be asked ({'; '.join(reasons) or 'it has no forms'})")
