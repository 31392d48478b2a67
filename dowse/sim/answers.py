"""What a database says to a person: pages of answers, and a page for each record."""

from __future__ import annotations

import re
from functools import lru_cache
from html import escape

from dowse.model import Response
from dowse.sim.address import Address, LinkWriter, Params
from dowse.sim.chance import mix, number_of
from dowse.sim.databases import DatabasePlan
from dowse.sim.formplan import FormPlan, read_asks
from dowse.sim.naming import path_of, title_of
from dowse.sim.pages import form_token, lay_out, link_writer, make_note, write_form
from dowse.sim.plan import SitePlan
from dowse.sim.queryforms import asks_token, attribute_name
from dowse.sim.tables import Ask, Order, Table
from dowse.sim.view import Anchor, Anchors, Detail, Listing, Notice, Row

PAGES_SHOWN = 8  # numbers to jump to
SITE_HITS = 10
DEEPEST_START = 10**9
TEXT_OPERATORS = frozenset({"keyword", "any", "phrase", "contains", "starts"})


def answer_query(site: SitePlan, form: FormPlan, number: int, table: Table, sent: Params, cookie: str) -> Response:
    """Answer a submitted query form: with records, or with the reason why there are none."""
    habits, plan = site.habits, site.databases[form.database]
    if _is_stranger(site, form, sent, cookie):
        return make_note(site, form.heading, habits.says["expired"], 200, form.action)
    asks = read_asks(site.questions[form.database], sent)
    if plan.signs == "ignored":
        asks = tuple(ask for ask in asks if not _is_signs(ask))
    if not asks and plan.blank == "nothing":
        return make_note(site, form.heading, habits.says["blank"], 200, form.action)
    address = Address(form.action, sent)
    first, size = read_start(site, plan, address), read_page_size(site, plan, address)
    total, numbers = find_records(table, plan, asks, read_order(site, plan, address), first, size)
    if not numbers:
        return make_note(site, form.heading, _say_empty(site, asks), 200, form.action)
    link = link_writer(site, form.action, str(address))
    listing = _list_records(site, number, table, address, link, (total, numbers, first, size))
    return lay_out(site, 0, form.heading, habits.family.results[habits.style.results](listing), link)


def _is_stranger(site: SitePlan, form: FormPlan, sent: Params, cookie: str) -> bool:
    """Return True if the sender lacks the cookie or the token that a page of this site would have given."""
    plan = site.databases[form.database]
    if plan.session and site.cookie and f"{site.cookie[0]}={site.cookie[1]}" not in cookie:
        return True
    return asks_token(form) and (site.habits.name("token"), form_token(site)) not in sent


def find_records(
    table: Table, plan: DatabasePlan, asks: tuple[Ask, ...], order: Order, first: int, size: int
) -> tuple[int, tuple[int, ...]]:
    """Return how many records match, and those to show; none beyond the database's limit."""
    if any(map(_is_signs, asks)):
        return 0, ()
    last = min(first + size, plan.limit) if plan.limit else first + size
    return table.find(asks, order, first, max(0, last - first))


def _is_signs(ask: Ask) -> bool:
    """Return True if words are asked for that have no letter and no digit."""
    return ask.operator in TEXT_OPERATORS and not any(map(str.isalnum, ask.values[0]))


def _say_empty(site: SitePlan, asks: tuple[Ask, ...]) -> str:
    """Say that nothing was found; half of the sites say for what."""
    said = site.habits.says["empty"]
    return f"{said} ({escape(', '.join(asks[0].values))})" if asks and site.number % 2 else said


def read_start(site: SitePlan, plan: DatabasePlan, address: Address) -> int:
    """Return the first record to show."""
    name, counts = site.habits.paging
    text = address.get(name)
    if not re.fullmatch(r"[0-9]{1,9}", text):
        return 0
    size = read_page_size(site, plan, address)
    return min(DEEPEST_START, int(text) if counts == "records" else max(0, int(text) - 1) * size)


def read_page_size(site: SitePlan, plan: DatabasePlan, address: Address) -> int:
    """Return how many records a page shows."""
    text = address.get(site.habits.name("page_size"))
    return int(text) if text in ("10", "20", "50") else plan.page_size


def read_order(site: SitePlan, plan: DatabasePlan, address: Address) -> Order:
    """Return the order that was asked for."""
    text = address.get(site.habits.name("sort"))
    if plan.sorts == "no" or not text:
        return Order()
    name, way = text.removesuffix("-down"), "down" if text.endswith("-down") else "up"
    names = {
        attribute_name(site.habits, site.attributes[plan.number], each): each.name
        for each in site.attributes[plan.number]
    }
    return Order(names[name], way) if name in names else Order()


def _list_records(
    site: SitePlan,
    number: int,
    table: Table,
    address: Address,
    link: LinkWriter,
    found: tuple[int, tuple[int, ...], int, int],
) -> Listing:
    form = site.forms[number]
    habits, plan = site.habits, site.databases[form.database]
    total, numbers, first, size = found
    shown = min(total, plan.limit) if plan.limit else total
    bits = mix(site.number, number_of(str(address)))
    return Listing(
        style=habits.style,
        says=habits.says,
        heading=form.heading,
        count=_count_line(site, plan, total, first, len(numbers), bits),
        remark=habits.says["limited"].format(limit=plan.limit) if shown < total else "",
        rows=tuple(show_row(site, plan, table, each, link) for each in numbers),
        notices=_place_notices(site, plan, len(numbers), bits, link),
        previous=_step(site, address, first - size, shown, size, habits.says["previous"], link),
        next=_step(site, address, first + size, shown, size, habits.says["next"], link),
        pages=_page_numbers(site, address, first, shown, size, link) if plan.steps == "numbers" else (),
        sorts=_sort_links(site, plan, address, link),
        liked=_liked(site, plan, table, bits, link),
        form=write_form(site, number, 0, link, address.params) if bits % 3 == 0 and form.made == "html" else "",
    )


def _count_line(site: SitePlan, plan: DatabasePlan, total: int, first: int, shown: int, bits: int) -> str:
    says = site.habits.says
    if plan.count == "none":
        return ""
    if plan.count == "rough":
        step = 10 ** max(1, len(str(total)) - 1)
        return says["rough_counts"].format(total=max(1, total // step * step))
    if plan.count == "wrong":
        total = max(1, int(total * (0.6 + bits % 89 / 100)))
    return says["counts"].format(first=first + 1, last=first + shown, total=total)


def show_row(site: SitePlan, plan: DatabasePlan, table: Table, number: int, link: LinkWriter) -> Row:
    """Return a record as a page of answers shows it."""
    cells = _show_cells(table, number)
    href = link(detail_path(site, plan.number, number)) if plan.details == "yes" else ""
    return Row(href, escape(table.name(number)), cells)


def _show_cells(table: Table, number: int) -> tuple[tuple[str, str], ...]:
    row = table.row(number)
    return tuple((each.labels[0], escape(", ".join(row[each.name]))) for each in table.attributes)


def _place_notices(site: SitePlan, plan: DatabasePlan, shown: int, bits: int, link: LinkWriter) -> tuple[Notice, ...]:
    if plan.extras not in ("adverts", "both") or shown < 3:
        return ()
    adverts, label = site.habits.wording.says["advert"], site.habits.says["advert_label"]
    places = sorted({bits % shown, (bits >> 8) % shown})
    return tuple(Notice(place, label, adverts[(bits >> 16) % len(adverts)], link("/")) for place in places)


def _liked(site: SitePlan, plan: DatabasePlan, table: Table, bits: int, link: LinkWriter) -> Anchors:
    """Return records that do not belong to the answer."""
    if plan.extras not in ("liked", "both") or plan.details != "yes":
        return ()
    numbers = [mix(bits, place) % table.size for place in range(3)]
    return tuple(
        Anchor(link(detail_path(site, plan.number, each)), escape(table.name(each))) for each in dict.fromkeys(numbers)
    )


def _step(
    site: SitePlan, address: Address, start: int, shown: int, size: int, text: str, link: LinkWriter
) -> Anchor | None:
    if not 0 <= start < shown:
        return None
    return Anchor(link(str(_at_start(site, address, start, size))), escape(text))


def _at_start(site: SitePlan, address: Address, start: int, size: int) -> Address:
    name, counts = site.habits.paging
    return address.put((name, str(start if counts == "records" else start // size + 1)))


def _page_numbers(
    site: SitePlan, address: Address, first: int, shown: int, size: int, link: LinkWriter
) -> tuple[tuple[str, Anchor | None], ...]:
    here, last = first // size, (shown - 1) // size
    begin = max(0, min(here - PAGES_SHOWN // 2, last - PAGES_SHOWN + 1))
    numbers: list[tuple[str, Anchor | None]] = []
    for page in range(begin, min(last, begin + PAGES_SHOWN - 1) + 1):
        there = None if page == here else _step(site, address, page * size, shown, size, str(page + 1), link)
        numbers.append((str(page + 1), there))
    return tuple(numbers)


def _sort_links(site: SitePlan, plan: DatabasePlan, address: Address, link: LinkWriter) -> Anchors:
    if plan.sorts == "no":
        return ()
    name, attributes = site.habits.name("sort"), site.attributes[plan.number]
    return tuple(
        Anchor(link(str(address.put((name, attribute_name(site.habits, attributes, each))))), each.labels[0])
        for each in attributes[:4]
    )


def detail_path(site: SitePlan, database: int, number: int) -> str:
    """Return the path of a record's page."""
    return site.habits.details.format(db=database + 1, n=number)


@lru_cache(64)
def _detail_reader(pattern: str) -> re.Pattern[str]:
    escaped = re.escape(pattern).replace(r"\{db\}", "(?P<db>[0-9]{1,2})").replace(r"\{n\}", "(?P<n>[0-9]{1,8})")
    return re.compile(escaped)


def read_detail(site: SitePlan, text: str) -> tuple[int, int] | None:
    """Return the database and record that an address is the page of."""
    if not site.databases:
        return None
    found = _detail_reader(site.habits.details).fullmatch(text)
    if not found:
        return None
    database, number = int(found["db"]) - 1, int(found["n"])
    inside = 0 <= database < len(site.databases) and number < site.databases[database].size
    return (database, number) if inside and site.databases[database].details == "yes" else None


def make_detail(site: SitePlan, database: int, number: int, table: Table) -> Response:
    """Make the page of one record."""
    path, habits = detail_path(site, database, number), site.habits
    link = link_writer(site, path, path)
    plan, name = site.databases[database], escape(table.name(number))
    detail = Detail(
        style=habits.style,
        says=habits.says,
        title=name,
        cells=_show_cells(table, number),
        liked=_liked(site, plan, table, mix(site.number, number), link),
    )
    return lay_out(site, 0, name, habits.family.details[habits.style.detail](detail), link)


def answer_site_search(site: SitePlan, form: FormPlan, sent: Params) -> Response:
    """Answer a search over the site's own pages."""
    habits, own = site.habits, form.questions[0].parts[0].name
    wanted = next((value.casefold() for name, value in sent if name == own), "")
    shallow = range(min(site.tree.size, site.tree.starts[min(3, len(site.tree.starts) - 1)]))
    pages = [each for each in shallow if wanted and wanted in title_of(site, each).casefold()][:SITE_HITS]
    link = link_writer(site, form.action, form.action)
    if not pages:
        return make_note(site, form.heading, habits.says["empty"], 200, form.action)
    anchors = tuple(Anchor(link(path_of(site, each)), title_of(site, each)) for each in pages)
    content = habits.family.lists[habits.style.lists](form.heading, anchors)
    return lay_out(site, 0, form.heading, content, link)
