"""What a database says to a program: JSON and XML answers, completions, and an OpenSearch description."""

from __future__ import annotations

from collections.abc import Callable
from html import escape

import orjson

from dowse.model import Response
from dowse.sim.address import Address, Params
from dowse.sim.answers import find_records, read_order, read_page_size, read_start
from dowse.sim.chance import mix
from dowse.sim.databases import DatabasePlan
from dowse.sim.formplan import read_asks
from dowse.sim.pages import service_path
from dowse.sim.plan import DESCRIPTIONS, SitePlan
from dowse.sim.queryforms import keyword_question
from dowse.sim.tables import Table

SHAPES = {"A": ("flat", "nested", "short"), "B": ("counted", "edges", "value")}
SUGGESTIONS = 8


def find_service(site: SitePlan, path: str) -> DatabasePlan | None:
    """Return the database whose service answers at a path."""
    offered = (each for each in site.databases if each.service)
    return next((each for each in offered if service_path(site, each.number) == path), None)


def answer_service(site: SitePlan, plan: DatabasePlan, table: Table, sent: Params) -> Response:
    """Answer a program's query; it may ask what the forms ask, and words."""
    path = service_path(site, plan.number)
    address = Address(path, sent)
    asks = read_asks((*site.questions[plan.number], keyword_question(site.habits)), sent)
    first, size = read_start(site, plan, address), read_page_size(site, plan, address)
    total, numbers = find_records(table, plan, asks, read_order(site, plan, address), first, size)
    if ("suggest", "1") in sent:
        names = list(dict.fromkeys(table.name(each) for each in numbers))[:SUGGESTIONS]
        return _json(site, path, names)
    records = [(each, table.row(each)) for each in numbers]
    if plan.service == "xml":
        return _xml(site, path, total, first, records)
    return _json(site, path, _shape(site, total, first, records))


Records = list[tuple[int, dict[str, tuple[str, ...]]]]


def _plain(number: int, row: dict[str, tuple[str, ...]]) -> dict[str, object]:
    values = {name: values[0] if len(values) == 1 else list(values) for name, values in row.items() if values}
    return {"id": number, **values}


def _shape(site: SitePlan, total: int, first: int, records: Records) -> object:
    rows = [_plain(number, row) for number, row in records]
    shapes = SHAPES[site.habits.family.name]
    return _ENVELOPES[shapes[mix(site.number, 5) % len(shapes)]](total, first, rows)


_ENVELOPES: dict[str, Callable[[int, int, list[dict[str, object]]], object]] = {
    "flat": lambda total, first, rows: {"total": total, "offset": first, "results": rows},
    "nested": lambda total, first, rows: {
        "response": {"meta": {"numFound": total, "start": first}, "docs": [{"doc": each} for each in rows]}
    },
    "short": lambda total, first, rows: rows,
    "counted": lambda total, first, rows: {"hits": total, "from": first, "items": rows},
    "edges": lambda total, first, rows: {"data": {"totalCount": total, "edges": [{"node": each} for each in rows]}},
    "value": lambda total, first, rows: {"@count": total, "value": rows},
}
_XML = {"A": ("results", "total", "start", "record"), "B": ("resultSet", "count", "offset", "item")}


def _json(site: SitePlan, path: str, value: object) -> Response:
    kind = ("application/json", "text/javascript", "application/json; charset=utf-8")[mix(site.number, 6) % 3]
    return Response(site.origin + path, 200, (("content-type", kind),), orjson.dumps(value))


def _xml(site: SitePlan, path: str, total: int, first: int, records: Records) -> Response:
    whole, count, start, one = _XML[site.habits.family.name]
    rows = "".join(f'<{one} id="{number}">{_xml_values(row)}</{one}>\n' for number, row in records)
    text = f'<?xml version="1.0" encoding="UTF-8"?>\n<{whole} {count}="{total}" {start}="{first}">\n{rows}</{whole}>\n'
    return Response(site.origin + path, 200, (("content-type", "application/xml"),), text.encode())


def _xml_values(row: dict[str, tuple[str, ...]]) -> str:
    return "".join(f"<{name}>{escape(value)}</{name}>" for name, values in row.items() for value in values)


def answer_description(site: SitePlan, path: str) -> Response | None:
    """Answer for the OpenSearch description of a site, when it has one at this path."""
    described = [each for each in site.databases if each.described == "yes"]
    if path != DESCRIPTIONS[site.habits.family.name] or not described:
        return None
    plan = described[0]
    urls = [("text/html", search_template(site, plan))]
    if plan.service:
        urls.append(("application/json" if plan.service == "json" else "application/xml", service_template(site, plan)))
    rows = "".join(f'<Url type="{kind}" template="{escape(template)}"/>\n' for kind, template in urls if template)
    text = (
        '<?xml version="1.0" encoding="UTF-8"?>\n<OpenSearchDescription xmlns="http://a9.com/-/spec/opensearch/1.1/">\n'
        f"<ShortName>{escape(site.habits.site_name[:16])}</ShortName>\n<Description>{escape(site.habits.site_name)}"
        f"</Description>\n{rows}</OpenSearchDescription>\n"
    )
    kind = ("content-type", "application/opensearchdescription+xml")
    return Response(site.origin + path, 200, (kind,), text.encode())


def search_template(site: SitePlan, plan: DatabasePlan) -> str:
    """Return the address that answers words with a page; nothing when no form asks words by GET."""
    for form in site.forms:
        asks_words = any(each.operator == "keyword" for each in form.questions)
        if form.database == plan.number and form.method == "GET" and asks_words:
            return _template(site, form.action)
    return ""


def service_template(site: SitePlan, plan: DatabasePlan) -> str:
    """Return the address of a database's service, with a place for words and for the page."""
    return _template(site, service_path(site, plan.number))


def _template(site: SitePlan, path: str) -> str:
    name, counts = site.habits.paging
    place = "startIndex?" if counts == "records" else "startPage?"
    return f"{site.origin}{path}?{site.habits.name('keyword')}={{searchTerms}}&{name}={{{place}}}"
