"""Pages of answers: records among things that look like records."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from dowse.sim.family_b.markup import divide_links, join_links
from dowse.sim.family_b.naming import css
from dowse.sim.view import Anchors, Listing, Notice, Row

_RULE = '<hr size="1">'


def _weave(records: Sequence[str], notices: Sequence[Notice], write: Callable[[Notice], str]) -> str:
    """Put notices between records."""
    if not notices:
        return "".join(records)
    woven = []
    for place in range(len(records) + 1):
        woven += [write(notice) for notice in notices if notice.after == place]
        woven += records[place : place + 1]
    woven += [write(notice) for notice in notices if notice.after > len(records)]
    return "".join(woven)


def _linked(row: Row) -> str:
    return f'<a href="{row.href}">{row.title}</a>' if row.href else row.title


def _pager_bar(listing: Listing, between: str, here: str) -> str:
    """Write the way through the pages as one line; `here` holds the number of the page shown."""
    steps = [f'<a href="{listing.previous.href}">{listing.previous.text}</a>'] if listing.previous else []
    steps += [f'<a href="{link.href}">{text}</a>' if link else here.replace("0", text) for text, link in listing.pages]
    if listing.next:
        steps.append(f'<a href="{listing.next.href}">{listing.next.text}</a>')
    return between.join(steps)


def _pager_list(listing: Listing) -> str:
    """Write the way through the pages as a list that assistive software understands."""
    c = css(listing.style, "pager")
    items = (
        [f'<li class="{c}"><a href="{listing.previous.href}" rel="prev">{listing.previous.text}</a></li>']
        if listing.previous
        else []
    )
    items += [
        f'<li><a href="{link.href}">{text}</a></li>' if link else f'<li aria-current="page"><span>{text}</span></li>'
        for text, link in listing.pages
    ]
    if listing.next:
        items.append(f'<li class="{c}"><a href="{listing.next.href}" rel="next">{listing.next.text}</a></li>')
    return f'<nav><ul class="{c}">{"".join(items)}</ul></nav>\n' if items else ""


def _line(tag: str, text: str) -> str:
    return f"<{tag}>{text}</{tag}>\n" if text else ""


def _titled(heading: str, links: Anchors, before: str, after: str) -> str:
    return f"{heading}{join_links(links, before, after)}" if links else ""


def _columns_of(rows: Sequence[Row]) -> tuple[str, ...]:
    return tuple(dict.fromkeys([label for row in rows for label, _ in row.cells]))


def _sheet(listing: Listing) -> str:
    """A table with a header row; the order is changed at its top right."""
    style, says = listing.style, listing.says
    labels, entry, value = _columns_of(listing.rows), css(style, "entry"), css(style, "value")
    head = "".join([f"<th>{label}</th>" for label in labels])
    sorts = f"<p align=right>{says['sort_by']} {divide_links(listing.sorts, ' | ')}</p>\n" if listing.sorts else ""
    records = []
    for row in listing.rows:
        cells = dict(row.cells)
        values = "".join([f"<td>{cells.get(label) or '&nbsp;'}</td>" for label in labels])
        records.append(f'<tr class="{entry} {value}"><td>{_linked(row)}</td>{values}</tr>\n')

    def advertise(notice: Notice) -> str:
        return (
            f'<tr class="{entry} {value}"><td><a href="{notice.href}">{notice.text}</a></td>'
            f'<td colspan="{len(labels) or 1}">{notice.label}</td></tr>\n'
        )

    liked = _titled(f"<h4>{says['liked']}</h4>", listing.liked, "<div>", "</div>\n")
    return (
        f"{_line('h2', listing.heading)}{_line('p', listing.count)}{_line('p', listing.remark)}{sorts}"
        f'<table class="{css(style, "frame")}" border="1" cellspacing="0"><thead><tr><th>#</th>{head}</tr></thead>\n<tbody>'
        f"{_weave(records, listing.notices, advertise)}</tbody></table>\n<p>{_pager_bar(listing, ' &nbsp; ', '<b>0</b>')}</p>\n"
        f"{liked}{listing.form}"
    )


def _plain_items(listing: Listing) -> str:
    """A numbered list without labels: only the place of a value tells what it is."""
    says, entry = listing.says, css(listing.style, "entry")
    records = [
        f'<li class="{entry}">{_linked(row)}<br>{", ".join([value for _, value in row.cells if value])}</li>\n'
        for row in listing.rows
    ]

    def advertise(notice: Notice) -> str:
        return f'<li class="{entry}"><a href="{notice.href}">{notice.text}</a><br>{notice.label}</li>\n'

    sorts = f"<div>{says['sort_by']}: {divide_links(listing.sorts, ', ')}</div>\n" if listing.sorts else ""
    liked = f"<p>{says['liked']}: {divide_links(listing.liked, '; ')}</p>\n" if listing.liked else ""
    return (
        f"{listing.form}{_line('h1', listing.heading)}{_line('strong', listing.count)}{sorts}<ol>\n"
        f"{_weave(records, listing.notices, advertise)}</ol>\n{_line('em', listing.remark)}"
        f"<center>[ {_pager_bar(listing, ' ] [ ', '0')} ]</center>\n{liked}"
    )


def _cards(listing: Listing) -> str:
    """Cards beside one another, each value under a small label."""
    style, says = listing.style, listing.says
    entry, title, value = css(style, "entry"), css(style, "title"), css(style, "value")
    records = []
    for row in listing.rows:
        cells = "".join(
            [f'<div class="{value}"><small>{label}</small><div>{text}</div></div>' for label, text in row.cells if text]
        )
        more = f'<a href="{row.href}" class="{css(style, "button")}">{says["details"]}</a>' if row.href else ""
        records.append(
            f'<div class="{entry}"><h3 class="{title}">{row.title}</h3><div>{cells}</div><footer>{more}</footer></div>\n'
        )

    def advertise(notice: Notice) -> str:
        return (
            f'<div class="{entry}"><h3 class="{title}">{notice.text}</h3><div><div class="{value}"><small>{notice.label}</small></div></div>'
            f'<footer><a href="{notice.href}" class="{css(style, "button")}">{says["details"]}</a></footer></div>\n'
        )

    sorts = (
        f'<div class="{css(style, "part")}"><span>{says["sort_by"]}</span> {divide_links(listing.sorts, " ")}</div>\n'
        if listing.sorts
        else ""
    )
    liked = _titled(f"<h3>{says['liked']}</h3>", listing.liked, f'<div class="{entry}">', "</div>\n")
    note = (
        f'<p class="{css(style, "note")}">{listing.count} {listing.remark}</p>\n'
        if listing.count or listing.remark
        else ""
    )
    return (
        f"{_line('h2', listing.heading)}{listing.form}{note}{sorts}"
        f'<div style="display:grid;grid-template-columns:repeat(auto-fill,minmax(220px,1fr));gap:12px">\n'
        f"{_weave(records, listing.notices, advertise)}</div>\n{_pager_list(listing)}<aside>{liked}</aside>\n"
    )


def _definitions(listing: Listing) -> str:
    """A definition list: the record is the term, its values are what is said of it."""
    says, entry = listing.says, css(listing.style, "entry")
    records = [
        f'<dt class="{entry}">{_linked(row)}</dt>\n'
        + "".join([f"<dd>{label}: {value}</dd>\n" for label, value in row.cells if value])
        for row in listing.rows
    ]

    def advertise(notice: Notice) -> str:
        return f'<dt class="{entry}"><a href="{notice.href}">{notice.text}</a></dt>\n<dd>{notice.label}</dd>\n'

    sorts = join_links(listing.sorts, "<li>", "</li>")
    tools = f"<ul><li>{says['sort_by']}</li>{sorts}</ul>\n" if sorts else ""
    liked = (
        f"<h3>{says['liked']}</h3>\n<ul>{join_links(listing.liked, '<li>', '</li>')}</ul>\n" if listing.liked else ""
    )
    return (
        f"{_line('h1', listing.heading)}{_line('h5', listing.count)}{tools}<dl>\n{_weave(records, listing.notices, advertise)}</dl>\n"
        f"{_line('p', listing.remark)}{_pager_list(listing)}{listing.form}{liked}"
    )


def _lines(listing: Listing) -> str:
    """Nothing but lines: bold labels, breaks and rules between records."""
    says = listing.says
    records = [
        f'<a name={listing.style.mark}{place}></a><font size="+1">{_linked(row)}</font><br>\n'
        + "".join([f"<b>{label}:</b> {value or '-'}<br>\n" for label, value in row.cells])
        + _RULE
        for place, row in enumerate(listing.rows)
    ]

    def advertise(notice: Notice) -> str:
        return (
            f'<font size="+1"><a href="{notice.href}">{notice.text}</a></font><br>\n<b>{notice.label}</b><br>\n{_RULE}'
        )

    sorts = f"{says['sort_by']} {divide_links(listing.sorts, ' / ')}<br>\n" if listing.sorts else ""
    liked = _titled(f"<br><b>{says['liked']}</b><br>\n", listing.liked, "", "<br>\n")
    return (
        f"<b>{listing.heading}</b><br><br>\n{listing.count}<br>\n{listing.remark}<br>\n{sorts}{_RULE}"
        f"{_weave(records, listing.notices, advertise)}{_pager_bar(listing, ' | ', '<font color=red>0</font>')}<br><br>\n{listing.form}{liked}"
    )


def _tree(listing: Listing) -> str:
    """Components in components; a label is only the text before its value."""
    style, says = listing.style, listing.says
    entry, body, value = css(style, "entry"), css(style, "body"), css(style, "value")
    records = []
    for place, row in enumerate(listing.rows):
        cells = "".join(
            [
                f'<div class="{value}"><div><span>{label}<!-- --> <span>{text}</span></span></div></div>'
                for label, text in row.cells
                if text
            ]
        )
        records.append(
            f'<div class="{entry}" data-index="{place}"><div><div class="{body}"><div><div>{_linked(row)}</div></div><div>{cells}</div></div></div></div>'
        )

    def advertise(notice: Notice) -> str:
        return (
            f'<div class="{entry}" data-index="{notice.after}"><div><div class="{body}"><div><div><a href="{notice.href}">{notice.text}</a></div></div>'
            f'<div><div class="{value}"><div><span>{notice.label}</span></div></div></div></div></div></div>'
        )

    sorts = (
        f"<div><div>{says['sort_by']}</div><div>{join_links(listing.sorts, '<div>', '</div>')}</div></div>"
        if listing.sorts
        else ""
    )
    liked = (
        f"<div><div>{says['liked']}</div>{join_links(listing.liked, f'<div class={entry.split()[0]}><div>', '</div></div>')}</div>"
        if listing.liked
        else ""
    )
    return (
        f'<div class="{css(style, "part")}"><div><h1>{listing.heading}</h1></div><div>{listing.form}</div><div><div aria-live="polite">{listing.count}</div>'
        f"<div>{listing.remark}</div>{sorts}</div><div><div>{_weave(records, listing.notices, advertise)}</div></div>"
        f'<div class="{css(style, "pager")}"><div>{_pager_bar(listing, "</div><div>", "<span>0</span>")}</div></div>{liked}</div>\n'
    )


def _double(listing: Listing) -> str:
    """A table with two rows for each record: its name over all columns, then its values."""
    style, says = listing.style, listing.says
    title, value = css(style, "title"), css(style, "value")
    width = max([len(row.cells) for row in listing.rows], default=1) or 1
    records = [
        f'<tr><td colspan="{width}" class="{title}"><b>{place}.</b> {_linked(row)}</td></tr>\n<tr>'
        + "".join([f'<td class="{value}"><i>{label}</i><br />{text or "&nbsp;"}</td>' for label, text in row.cells])
        + "</tr>\n"
        for place, row in enumerate(listing.rows, 1)
    ]

    def advertise(notice: Notice) -> str:
        return (
            f'<tr><td colspan="{width}" class="{title}"><a href="{notice.href}">{notice.text}</a></td></tr>\n'
            f'<tr><td colspan="{width}" class="{value}"><i>{notice.label}</i></td></tr>\n'
        )

    bar = f'<table width="100%"><tr><td>{listing.count}</td><td align="right">{_pager_bar(listing, " ", "[0]")}</td></tr></table>\n'
    sorts = (
        f'<tr><td colspan="{width}">{says["sort_by"]}: {divide_links(listing.sorts, " &middot; ")}</td></tr>\n'
        if listing.sorts
        else ""
    )
    liked = _titled(f"<p>{says['liked']}</p>\n<table>", listing.liked, "<tr><td>", "</td></tr>") + (
        "</table>\n" if listing.liked else ""
    )
    return (
        f"{listing.form}{_line('h3', listing.heading)}{bar}{_line('p', listing.remark)}"
        f'<table class="{css(style, "frame")}" width="100%" cellpadding="4">\n{sorts}{_weave(records, listing.notices, advertise)}</table>\n{bar}{liked}'
    )


def _snippets(listing: Listing) -> str:
    """A heading and a run of text for each record, as a search engine shows pages."""
    style, says = listing.style, listing.says
    entry, note = css(style, "entry"), css(style, "note")
    records = []
    for row in listing.rows:
        values = [value for _, value in row.cells if value]
        first = f'<cite class="{note}">{values[0]}</cite>' if values else ""
        records.append(
            f'<article class="{entry}"><h3>{_linked(row)}</h3>{first}<p>{" &middot; ".join(values[1:])}</p></article>\n'
        )

    def advertise(notice: Notice) -> str:
        return f'<article class="{entry}"><h3><a href="{notice.href}">{notice.text}</a></h3><cite class="{note}">{notice.label}</cite><p></p></article>\n'

    sorts = f"<p>{says['sort_by']} {divide_links(listing.sorts, ' ')}</p>" if listing.sorts else ""
    liked = _titled(f"<section><h2>{says['liked']}</h2>", listing.liked, "<h3>", "</h3>") + (
        "</section>\n" if listing.liked else ""
    )
    return (
        f'<section aria-labelledby="{css(style, "title").split()[0]}-h"><h1 id="{css(style, "title").split()[0]}-h">{listing.heading}</h1>\n{listing.form}'
        f'<p class="{note}">{listing.count}</p>{sorts}\n{_weave(records, listing.notices, advertise)}{_line("p", listing.remark)}</section>\n'
        f"{_pager_list(listing)}{liked}"
    )


RESULTS: Mapping[str, Callable[[Listing], str]] = {
    "sheet": _sheet,
    "plain_items": _plain_items,
    "cards": _cards,
    "definitions": _definitions,
    "lines": _lines,
    "tree": _tree,
    "double": _double,
    "snippets": _snippets,
}
