"""Pages of answers: records as tables, lists, cards and lines, with what stands around and between them."""

from __future__ import annotations

from collections.abc import Callable

from dowse.sim.family_a.anchors import write_each, write_line, write_list
from dowse.sim.view import Anchors, Listing, Notice, Row

Cells = tuple[tuple[str, str], ...]


def _weave(listing: Listing, write_row: Callable[[Row], str], write_notice: Callable[[Notice], str]) -> str:
    """Write the records in order, with notices where they stand between them."""
    lines = [write_row(row) for row in listing.rows]
    for notice in sorted(listing.notices, reverse=True):
        lines.insert(notice.after, write_notice(notice))
    return "\n".join(lines)


def _name(row: Row) -> str:
    return f'<a href="{row.href}">{row.title}</a>' if row.href else row.title


def _filled(cells: Cells) -> list[tuple[str, str]]:
    return [cell for cell in cells if cell[1]]


def _values(row: Row, labels: tuple[str, ...]) -> list[str]:
    """Return a record's values under the labels of a table."""
    if len(row.cells) == len(labels):
        return [value for _, value in row.cells]
    known = dict(row.cells)
    return [known.get(label, "") for label in labels]


def _labels(listing: Listing) -> tuple[str, ...]:
    """Return the labels of the fullest record."""
    return tuple(label for label, _ in max((row.cells for row in listing.rows), key=len, default=()))


# What stands around the records


def _paragraph(text: str) -> str:
    return f"<p>{text}</p>\n" if text else ""


def _write_sorts(listing: Listing, between: str) -> str:
    if not listing.sorts:
        return ""
    return f"{listing.says['sort_by']}: {write_line(listing.sorts, between)}"


def _jumps(listing: Listing, shown: str, between: str) -> str:
    """Write the numbers of pages; the pattern of the one shown has a slot."""
    return between.join(
        [f'<a href="{to.href}">{number}</a>' if to else shown.format(number) for number, to in listing.pages]
    )


def _steps_in_line(listing: Listing) -> str:
    """Write previous, numbers and next in one paragraph."""
    before = [f'<a href="{listing.previous.href}">{listing.previous.text}</a>'] if listing.previous else []
    numbers = [_jumps(listing, "<b>{}</b>", " ")] if listing.pages else []
    after = [f'<a href="{listing.next.href}">{listing.next.text}</a>'] if listing.next else []
    steps = before + numbers + after
    return f"<p>{' | '.join(steps)}</p>" if steps else ""


def _steps_in_cells(listing: Listing) -> str:
    """Write the steps at the ends of a table's row, the numbers between them."""
    if not (listing.previous or listing.next or listing.pages):
        return ""
    before = f'<a href="{listing.previous.href}">{listing.previous.text}</a>' if listing.previous else "&nbsp;"
    after = f'<a href="{listing.next.href}">{listing.next.text}</a>' if listing.next else "&nbsp;"
    numbers = _jumps(listing, "[{}]", "&nbsp;")
    cells = f"<td>{before}</td><td align=center>{numbers}</td><td align=right>{after}</td>"
    return f"<table width=100%><tr>{cells}</tr></table>"


def _steps_in_list(listing: Listing) -> str:
    """Write every step as an entry of one list."""
    mark = listing.style.mark
    steps = (
        [f'<li><a rel="prev" href="{listing.previous.href}">{listing.previous.text}</a></li>']
        if listing.previous
        else []
    )
    if listing.pages:
        numbers = _jumps(listing, f'<span class="{mark}ron">{{}}</span>', "</li><li>")
        steps.append(f"<li>{numbers}</li>")
    if listing.next:
        steps.append(f'<li><a rel="next" href="{listing.next.href}">{listing.next.text}</a></li>')
    return f'<ul class="{mark}rpg">{"".join(steps)}</ul>' if steps else ""


def _steps_as_buttons(listing: Listing) -> str:
    """Write the steps as blocks, the next one first, as authors do who float them."""
    mark = listing.style.mark
    blocks = (
        f'<a class="{mark}rnx" href="{listing.next.href}"><span>{listing.next.text}</span></a>' if listing.next else ""
    )
    if listing.previous:
        blocks += f'<a class="{mark}rpv" href="{listing.previous.href}"><span>{listing.previous.text}</span></a>'
    if listing.pages:
        blocks += f'<span class="{mark}rno">{_jumps(listing, "<em>{}</em>", " &middot; ")}</span>'
    return f'<div class="{mark}rpg">{blocks}</div>' if blocks else ""


def _liked(links: Anchors, heading: str, pattern: tuple[str, str, str]) -> str:
    """Write records that do not belong to the answer."""
    start, middle, end = pattern
    return f"{start}{heading}{middle}{write_line(links, '<br>')}{end}" if links else ""


# Layouts


def _as_table(listing: Listing) -> str:
    """A table with a row of labels, everything else above it."""
    labels, mark = _labels(listing), listing.style.mark
    head = "".join([f"<th>{label}</th>" for label in labels])

    def write_row(row: Row) -> str:
        cells = "".join([f"<td>{value}</td>" for value in _values(row, labels)])
        return f"<tr><td>{_name(row)}</td>{cells}</tr>"

    def write_notice(notice: Notice) -> str:
        label = f'<td colspan="{len(labels) or 1}">{notice.label}</td>'
        return f'<tr><td><a href="{notice.href}">{notice.text}</a></td>{label}</tr>'

    rows = _weave(listing, write_row, write_notice)
    return f"""<h1>{listing.heading}</h1>
{listing.form}{_paragraph(listing.count)}{_paragraph(listing.remark)}{_paragraph(_write_sorts(listing, " | "))}
<table border="1" cellspacing="0" class="{mark}rt">
<tr><th>&nbsp;</th>{head}</tr>
{rows}
</table>
{_steps_in_line(listing)}
{_liked(listing.liked, listing.says["liked"], ("<h4>", "</h4><p>", "</p>"))}"""


def _as_lines(listing: Listing) -> str:
    """A numbered list with everything of a record in one line."""
    says = listing.says

    def write_row(row: Row) -> str:
        words = "; ".join([f"{label}: {value}" for label, value in row.cells])
        return f"<li>{_name(row)} ({words})</li>"

    def write_notice(notice: Notice) -> str:
        return f'<li><a href="{notice.href}">{notice.text}</a> ({notice.label})</li>'

    sorts = f"<small>{_write_sorts(listing, ', ')}</small>" if listing.sorts else ""
    return f"""<h2>{listing.heading}</h2>
<b>{listing.count}</b> {sorts}
<ol>
{_weave(listing, write_row, write_notice)}
</ol>
{_paragraph(listing.remark)}{_steps_in_line(listing)}
<hr>{listing.form}
{_liked(listing.liked, says["liked"], ("<p><i>", "</i><br>", "</p>"))}"""


def _as_cards(listing: Listing) -> str:
    """Blocks with a name and pairs of words, empty ones left out."""
    mark, says = listing.style.mark, listing.says

    def write_pair(label: str, value: str) -> str:
        return f'<div><span class="{mark}rk">{label}</span> <span class="{mark}rv">{value}</span></div>'

    def write_row(row: Row) -> str:
        pairs = "".join([write_pair(label, value) for label, value in _filled(row.cells)])
        return f'<div class="{mark}rcard"><h3>{_name(row)}</h3>{pairs}</div>'

    def write_notice(notice: Notice) -> str:
        name = f'<a href="{notice.href}">{notice.label}</a>'
        return f'<div class="{mark}rcard"><h3>{name}</h3><div><span class="{mark}rv">{notice.text}</span></div></div>'

    note = f'<div class="{mark}rk">{listing.remark}</div>' if listing.remark else ""
    liked = write_each(listing.liked, f'<div class="{mark}rcard"><h3>', "</h3></div>")
    return f"""<div class="{mark}rtop"><h1>{listing.heading}</h1><div>{listing.count}</div>{note}
<div class="{mark}rso">{_write_sorts(listing, " ")}</div></div>
{listing.form}<div class="{mark}rcards">
{_weave(listing, write_row, write_notice)}
</div>
{_steps_in_list(listing)}
{f'<h2>{says["liked"]}</h2><div class="{mark}rcards">{liked}</div>' if liked else ""}"""


def _as_definitions(listing: Listing) -> str:
    """A list of terms, each value on a line of its own."""

    def write_row(row: Row) -> str:
        values = "".join([f"<dd><i>{label}</i> {value}</dd>" for label, value in row.cells])
        return f"<dt>{_name(row)}</dt>{values}"

    def write_notice(notice: Notice) -> str:
        return f'<dt><a href="{notice.href}">{notice.text}</a></dt><dd><i>{notice.label}</i></dd>'

    return f"""<h2>{listing.heading}</h2>
{listing.form}{_paragraph(f"{listing.count} {listing.remark}".strip())}
{_steps_in_line(listing)}<dl>
{_weave(listing, write_row, write_notice)}
</dl>
{_steps_in_line(listing)}{_paragraph(_write_sorts(listing, " / "))}
{_liked(listing.liked, listing.says["liked"], ("<dl><dt>", "</dt><dd>", "</dd></dl>"))}"""


def _as_breaks(listing: Listing) -> str:
    """Lines with breaks and bold labels, a link to each record's own page below it."""
    says = listing.says

    def write_row(row: Row) -> str:
        words = "<br>\n".join([f"<b>{label}:</b> {value}" for label, value in _filled(row.cells)])
        more = f'<br>\n<a href="{row.href}">{says["details"]}</a>' if row.href else ""
        return f"<p><font size=3>{row.title}</font><br>\n{words}{more}"

    def write_notice(notice: Notice) -> str:
        more = f'<a href="{notice.href}">{says["details"]}</a>'
        return f"<p><font size=3>{notice.text}</font><br>\n<b>{notice.label}</b><br>\n{more}"

    return f"""<center><h3>{listing.heading}</h3></center>
{_steps_in_cells(listing)}<hr>
{listing.count} {listing.remark}<br>{_write_sorts(listing, " - ")}
{_weave(listing, write_row, write_notice)}
<hr>{_steps_in_cells(listing)}
{listing.form}
{_liked(listing.liked, says["liked"], ("<p><b>", "</b><br>", ""))}"""


def _as_paragraphs(listing: Listing) -> str:
    """Blocks of paragraphs without a single label."""
    mark, says = listing.style.mark, listing.says

    def write_row(row: Row) -> str:
        values = [value for _, value in _filled(row.cells)]
        half = (len(values) + 1) // 2
        return (
            f'<div class="{mark}re"><p class="{mark}rh">{_name(row)}</p><p>{" &ndash; ".join(values[:half])}</p>'
            f"<p>{', '.join(values[half:])}</p></div>"
        )

    def write_notice(notice: Notice) -> str:
        name = f'<a href="{notice.href}">{notice.label}</a>'
        return f'<div class="{mark}re"><p class="{mark}rh">{name}</p><p>{notice.text}</p></div>'

    return f"""<h1>{listing.heading}</h1>
<div class="{mark}rbar"><span>{listing.count}</span> <span>{_write_sorts(listing, ", ")}</span></div>
{_weave(listing, write_row, write_notice)}
{_steps_as_buttons(listing)}{_paragraph(listing.remark)}
{listing.form}
{_liked(listing.liked, says["liked"], (f'<div class="{mark}re"><p>', "</p><p>", "</p></div>"))}"""


def _as_sheets(listing: Listing) -> str:
    """A small table for each record, its labels in the left column."""
    mark, says = listing.style.mark, listing.says

    start = f'<table width="90%" class="{mark}rs"><tr bgcolor="#DDDDDD"><td colspan=2>'

    def write_row(row: Row) -> str:
        rows = "\n".join([f"<tr><td width=120>{label}<td>{value or '&nbsp;'}" for label, value in row.cells])
        return f"{start}<b>{_name(row)}</b>\n{rows}</table>"

    def write_notice(notice: Notice) -> str:
        name = f'<a href="{notice.href}">{notice.text}</a>'
        return f"{start}<b>{name}</b>\n<tr><td width=120>{notice.label}<td>&nbsp;</table>"

    return f"""<h2>{listing.heading}</h2>
{listing.form}<table width="90%"><tr><td>{listing.count}<td align=right>{_write_sorts(listing, " ")}</table>
{_weave(listing, write_row, write_notice)}
{listing.remark}
{_steps_in_cells(listing)}
{_liked(listing.liked, says["liked"], ("<table><tr><td>", "<tr><td>", "</table>"))}"""


def _as_rows_of_values(listing: Listing) -> str:
    """Rows of bare values: no labels, a link at the end of each."""
    mark, says = listing.style.mark, listing.says

    def write_row(row: Row) -> str:
        cells = "".join([f"<td>{value}</td>" for _, value in row.cells])
        more = f'<a href="{row.href}">{says["details"]}</a>' if row.href else ""
        return f"<tr><td><strong>{row.title}</strong></td>{cells}<td>{more}</td></tr>"

    width = len(_labels(listing)) + 1

    def write_notice(notice: Notice) -> str:
        more = f'<a href="{notice.href}">{says["details"]}</a>'
        return f'<tr><td colspan="{width}">{notice.label}: {notice.text}</td><td>{more}</td></tr>'

    return f"""<h1>{listing.heading}</h1>
<table class="{mark}rl"><caption>{listing.count}</caption><tbody>
{_weave(listing, write_row, write_notice)}
</tbody></table>
{_steps_in_list(listing)}
{_paragraph(listing.remark)}{_paragraph(_write_sorts(listing, " | "))}{listing.form}
{_liked(listing.liked, says["liked"], ("<h5>", "</h5>", ""))}"""


def _as_articles(listing: Listing) -> str:
    """Articles with a list of terms in each, as today's pages have them."""
    mark, says = listing.style.mark, listing.says

    def write_row(row: Row) -> str:
        pairs = "".join([f"<div><dt>{label}</dt><dd>{value}</dd></div>" for label, value in _filled(row.cells)])
        return (
            f'<article class="{mark}ritem" data-t="r"><header><h2>{_name(row)}</h2></header><dl>{pairs}</dl></article>'
        )

    def write_notice(notice: Notice) -> str:
        name = f'<a href="{notice.href}" rel="sponsored">{notice.text}</a>'
        return (
            f'<article class="{mark}ritem" data-t="s"><header><h2>{name}</h2></header>'
            f"<dl><div><dt>{notice.label}</dt><dd></dd></div></dl></article>"
        )

    liked = f"<aside><h2>{says['liked']}</h2>{write_list(listing.liked)}</aside>" if listing.liked else ""
    return f"""<section class="{mark}rres"><h1>{listing.heading}</h1>
{listing.form}<p role="status">{listing.count}</p>{_paragraph(listing.remark)}
<nav>{_write_sorts(listing, " ")}</nav>
<div class="{mark}rfeed">
{_weave(listing, write_row, write_notice)}
</div>{_steps_as_buttons(listing)}</section>
{liked}"""


RESULTS: dict[str, Callable[[Listing], str]] = {
    "table": _as_table,
    "lines": _as_lines,
    "cards": _as_cards,
    "definitions": _as_definitions,
    "breaks": _as_breaks,
    "paragraphs": _as_paragraphs,
    "sheets": _as_sheets,
    "values": _as_rows_of_values,
    "articles": _as_articles,
}
