"""Nouns to rows and back."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from dataclasses import asdict
from typing import Any

import orjson

from dowse.form.signature import database_of
from dowse.model import Choice, Condition, Control, Door, Link, SiteSearch


def page_rows(site_id: int, search: SiteSearch) -> Iterator[tuple[object, ...]]:
    """Yield the pages of a search as rows."""
    for visit in search.visits:
        failure = str(visit.failure) if visit.failure else ""
        yield (
            site_id,
            visit.link.url,
            visit.status,
            visit.link.depth,
            failure,
            visit.moved,
            visit.digest,
            visit.seconds,
            visit.why,
        )


def choice_row(choice: Choice) -> tuple[str, str]:
    """Return a link that waits as its address and the rest."""
    link, worth, kind, why = choice
    return link.url, to_json([*link[1:], worth, kind, why])


def read_choice(row: sqlite3.Row) -> Choice:
    """Return a stored link that waits."""
    text, nearby, rel, path, place, depth, worth, kind, why = orjson.loads(row["link"])
    return Choice(Link(row["url"], text, nearby, rel, path, place, depth), worth, kind, why)


def form_row(site_id: int, door: Door) -> tuple[object, ...]:
    """Return a door as a row."""
    form, judgement = door.form, door.judgement
    return (
        site_id, door.page, door.depth, judgement.kind, judgement.searchable, round(judgement.probability, 4),
        to_json(judgement.reasons), form.method, form.action, to_json(field_names(door)),
        to_json([condition_dict(condition) for condition in door.conditions]), door.signature, database_of(form),
        to_json(asdict(door.probe)) if door.probe else "", form.made, form.template,
        to_json([control_dict(control) for control in door.controls]),
    )  # fmt: skip


def field_names(door: Door) -> list[str]:
    """Return the names of a form's controls, each once, in order."""
    return list(dict.fromkeys(field.name for field in door.form.fields if field.name))


def condition_dict(condition: Condition) -> dict[str, Any]:
    """Return a condition as scripts read it."""
    return {
        "label": condition.label,
        "attribute": condition.attribute,
        "operator": condition.operator,
        "type": condition.type,
        "fields": list(condition.fields),
        "options": [{"value": option.value, "label": option.label} for option in condition.options],
        "default": list(condition.default),
        "operators": [{"value": option.value, "label": option.label} for option in condition.operators],
        "operator_field": condition.operator_field,
    }


def control_dict(control: Control) -> dict[str, Any]:
    """Return controls that ask nothing as scripts read them."""
    return {"fields": list(control.fields), "role": control.role}


def to_json(value: object) -> str:
    """Write JSON as text; a lone surrogate from a broken page becomes a question mark."""
    try:
        return orjson.dumps(value).decode()
    except orjson.JSONEncodeError:
        import json

        return json.dumps(value, ensure_ascii=True)


def exported_form(row: sqlite3.Row) -> dict[str, Any]:
    """Return a stored form as `dowse export forms` writes it."""
    return {
        "site": row["site"],
        "page": row["page"],
        "depth": row["depth"],
        "kind": row["kind"],
        "searchable": bool(row["searchable"]),
        "probability": row["probability"],
        "reasons": orjson.loads(row["reasons"]),
        "method": row["method"],
        "action": row["action"],
        "fields": orjson.loads(row["fields"]),
        "conditions": orjson.loads(row["conditions"]),
        "signature": row["signature"],
        "database": row["database"],
        "id": row["id"],
        "probe": orjson.loads(row["probe"]) if row["probe"] else None,
        "made": row["made"],
        "template": row["template"],
        "controls": orjson.loads(row["controls"]),
    }
