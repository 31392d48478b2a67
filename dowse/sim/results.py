"""What a database says: result pages, ten records each, and a page for each record."""

from __future__ import annotations

from html import escape

from dowse.model import Response
from dowse.sim.address import Address, LinkWriter, Params
from dowse.sim.databases import Ask, Table
from dowse.sim.formplan import FormPlan
from dowse.sim.habits import Habits
from dowse.sim.pages import lay_out, make_note, result_writer
from dowse.sim.plan import SitePlan

PAGE_SIZE = 10
Shown = tuple[int, str, tuple[tuple[str, str], ...]]  # record number, its name, attribute and values as text


def read_asks(site: SitePlan, database: int, params: Params) -> tuple[Ask, ...]:
    """Return the conditions that submitted parameters ask for; unknown names ask nothing."""
    fields = site.fields[database]
    asks = (fields[name].read(value) for name, value in params if name in fields)
    return tuple(ask for ask in asks if ask)


def make_results(site: SitePlan, form: FormPlan, table: Table, params: Params) -> Response:
    """Make the page of results that a submitted form gives."""
    habits, address = site.habits, Address(form.action, params)
    asks = read_asks(site, form.database, params)
    if not asks and habits.answers_blank == "nothing":
        return make_note(site, form.heading, habits.blank, 200, form.action)
    found = table.find(asks)
    first = _read_start(habits, address)
    shown = found[first : first + PAGE_SIZE]
    if not shown:
        return make_note(site, form.heading, habits.empty, 200, form.action)
    link = result_writer(site, form.action)
    count = habits.count.format(first=first + 1, last=first + len(shown), total=len(found))
    rows = tuple(_show(table, number) for number in shown)
    parts = [f"<h1>{form.heading}</h1>", f"<p>{count}</p>", _LAYOUTS[habits.layout](site, form.database, rows, link)]
    parts.append(_write_steps(habits, address, first, len(found), link))
    return lay_out(site, site.pages[0], form.heading, "\n".join(parts), link)


def make_detail(site: SitePlan, database: int, number: int, table: Table) -> Response:
    """Make the page of one record."""
    link = result_writer(site, detail_path(site, database, number))
    _, name, values = _show(table, number)
    rows = "\n".join(f"<tr><th>{label}</th><td>{value}</td></tr>" for label, value in values)
    return lay_out(site, site.pages[0], name, f"<h1>{name}</h1>\n<table>\n{rows}\n</table>", link)


def make_site_search(site: SitePlan, form: FormPlan, params: Params) -> Response:
    """Make the answer of a search over the site's own pages."""
    wanted = next((value.casefold() for name, value in params if name == form.fields[0].name), "")
    link = result_writer(site, form.action)
    pages = [page for page in site.pages if wanted and wanted in page.title.casefold()][:PAGE_SIZE]
    rows = "\n".join(f'<li><a href="{link(page.path)}">{page.title}</a></li>' for page in pages)
    content = f"<h1>{form.heading}</h1>\n<ol>{rows}</ol>" if pages else f"<p>{site.habits.empty}</p>"
    return lay_out(site, site.pages[0], form.heading, content, link)


def detail_path(site: SitePlan, database: int, number: int) -> str:
    """Return the path of a record's page."""
    return (
        f"{site.details}{database}/{number}"
        if site.habits.paths != "script"
        else f"{site.details}?db={database}&rec={number}"
    )


def read_detail(site: SitePlan, address: Address) -> tuple[int, int] | None:
    """Return the database and record that an address is the page of."""
    if site.habits.paths == "script":
        numbers = (address.get("db"), address.get("rec")) if address.path == site.details else ("", "")
    else:
        head, _, tail = address.path.rpartition("/")
        numbers = (head.removeprefix(site.details), tail) if head.startswith(site.details) else ("", "")
    if not all(text.isdigit() and len(text) < 9 for text in numbers):
        return None
    database, number = map(int, numbers)
    inside = database < len(site.databases) and number < site.databases[database].size
    return (database, number) if inside else None


def _read_start(habits: Habits, address: Address) -> int:
    text = address.get(habits.page_parameter)
    if not text.isdigit() or len(text) > 8:
        return 0
    counts_records = habits.page_parameter in ("start", "offset", "first")
    return int(text) if counts_records else max(0, int(text) - 1) * PAGE_SIZE


def _write_steps(habits: Habits, address: Address, first: int, total: int, link: LinkWriter) -> str:
    steps = []
    for text, start in ((habits.before, first - PAGE_SIZE), (habits.next, first + PAGE_SIZE)):
        if 0 <= start < total:
            counts_records = habits.page_parameter in ("start", "offset", "first")
            value = start if counts_records else start // PAGE_SIZE + 1
            there = address.put((habits.page_parameter, str(value)))
            steps.append(f'<a href="{link(str(there))}">{escape(text)}</a>')
    return f"<p>{' | '.join(steps)}</p>" if steps else ""


def _show(table: Table, number: int) -> Shown:
    row = table.rows[number]
    values = tuple(
        (attribute.labels[0], escape(", ".join(row[attribute.name]))) for attribute in table.topic.attributes
    )
    return number, escape(table.name(number)), values


def _anchor(site: SitePlan, database: int, shown: Shown, link: LinkWriter) -> str:
    return f'<a href="{link(detail_path(site, database, shown[0]))}">{shown[1]}</a>'


def _as_table(site: SitePlan, database: int, rows: tuple[Shown, ...], link: LinkWriter) -> str:
    head = "".join(f"<th>{label}</th>" for label, _ in rows[0][2])
    lines = "\n".join(
        f"<tr><td>{_anchor(site, database, row, link)}</td>{''.join(f'<td>{value}</td>' for _, value in row[2])}</tr>"
        for row in rows
    )
    return f"<table border=1>\n<tr><th></th>{head}</tr>\n{lines}\n</table>"


def _as_list(site: SitePlan, database: int, rows: tuple[Shown, ...], link: LinkWriter) -> str:
    lines = "\n".join(
        f"<li>{_anchor(site, database, row, link)} ({'; '.join(f'{label}: {value}' for label, value in row[2])})</li>"
        for row in rows
    )
    return f"<ol>\n{lines}\n</ol>"


def _as_cards(site: SitePlan, database: int, rows: tuple[Shown, ...], link: LinkWriter) -> str:
    css = site.habits.css
    return "\n".join(
        f'<div class="{css}card"><h3>{_anchor(site, database, row, link)}</h3>'
        + "".join(
            f'<div><span class="{css}k">{label}</span> <span class="{css}v">{value}</span></div>'
            for label, value in row[2]
        )
        + "</div>"
        for row in rows
    )


def _as_definitions(site: SitePlan, database: int, rows: tuple[Shown, ...], link: LinkWriter) -> str:
    lines = "\n".join(
        f"<dt>{_anchor(site, database, row, link)}</dt>"
        + "".join(f"<dd><i>{label}</i> {value}</dd>" for label, value in row[2])
        for row in rows
    )
    return f"<dl>\n{lines}\n</dl>"


_LAYOUTS = {"table": _as_table, "list": _as_list, "cards": _as_cards, "definitions": _as_definitions}
