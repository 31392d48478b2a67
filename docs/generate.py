"""Writes docs/reference.md from the program itself: `--help`, the schema, the rows that go out.

.venv/bin/python docs/generate.py            writes docs/reference.md
.venv/bin/python docs/generate.py --picture  draws docs/demo.svg from a fresh `dowse demo`
"""

from __future__ import annotations

import re
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import fields
from pathlib import Path

import click

DOCS = Path(__file__).parent
WIDTH = 100  # of the help texts, whatever the terminal

HEAD = """# Reference

Written by `docs/generate.py` from `--help`, the schema and the code; do not edit.

## Commands

Every command but `export`, which writes rows, takes `--json`: one JSON object on standard output, while progress and
notes go to standard error. `domain` and `train` take it after the name of what they do, as in `dowse train forms --json`;
`sim --truth` and `sim --records` write lines of JSON to standard output anyway.

| exit code | meaning |
|---|---|
| 0 | done |
| 1 | it ran and failed: no site could be searched, a page could not be fetched, the disk is full |
| 2 | bad usage or bad input: one line on standard error says what |
| 3 | stopped by a budget before all was searched |
| 130 | interrupted; what was committed is kept |
"""

CONFIG = """## dowse.toml

`dowse.toml` in the working folder, or the file that `dowse --config FILE` names, holds options under their long names.
A key at the top goes to every command that has the option; a table goes to one command. Flags win. An unknown key is
an error.

```toml
contact = "crawler@example.com"

[find]
strategy = "exhaustive:2"
delay = 2.0
connect-to = ["*.example=127.0.0.1:8080"]

[sites.discover]
jobs = 8
```
"""

# What the comments of the schema do not say, or not in the words of the glossary.
COLUMN_NOTES = {
    "form.probe": "JSON: what a probe of it showed (`--probe`), or nothing",
    "form.made": "of what: html, input, opensearch, search-action, oai-pmh, sru, ckan, openapi, call",
    "form.template": "the address with places for values, where they do not go into a query string",
    "form.controls": "JSON: what asks nothing itself, by role",
    "form.title": "of the page where it was found first",
    "form.heading": "that stands over the form",
    "site.drawn_pages": "pages behind links drawn at random from those that the search left",
    "site.drawn_expected": "query forms that were expected on them",
    "site.drawn_forms": "query forms that were there",
    "form.database": "what it asks: the same for every form, on any site, that asks it; nothing where that is unknown",
    "run.started_at": "when it was first given; seconds since the epoch",
    "site.run_id": "the run that searches it",
    "site.strategy": "what it was searched with",
    "site.pages": "pages requested, failed ones included",
    "site.searched_at": "seconds since the epoch",
    "site.error_kind": "the words under which such errors are counted together",
    "site.explored": "by the Site Finder: nothing, `leased` or `done`",
    "site.explored_by": "the run that explored it",
    "site.explored_pages": "pages that the Site Finder fetched of it",
    "site.explored_sites": "sites that were unknown before it was explored",
    "site.inlinks": "other sites that link to it, as far as known",
    "site.round": "depth that its next round goes to, when it is searched in rounds; 0 before the first and after the last",
    "page.why": "why the link was followed",
    "skip.detail": "what the strategy says of this one",
    "frontier.url": "the address",
    "page.failure_kind": "the words under which such failures are counted together",
    "page.url": "the address as it was followed, before redirects",
    "page.fetched_at": "seconds since the epoch",
    "skip.url": "the address that was not fetched",
    "skip.reason": "why",
    "skip_count.reason": "why they were not fetched",
    "skip_count.kind": "the sort of reason, for programs",
    "skip_count.count": "how many addresses",
    "waiting_page.run_id": "the run that it waits for",
    "waiting_page.url": "its address",
    "lesson.topic": "the topic's name",
    "lesson.name": "a word, a fact, a way of discovery, a site",
    "lesson.amount": "the sum",
    "site_link.from_id": "the site with the link",
    "site_link.to_id": "the site it leads to",
    "site.promised": "estimated query forms beyond the links that were not followed; nothing where there is no estimate",
    "sample.site": "the site that was sampled",
    "sample.strategy": "what it was searched with",
    "sample.pages": "pages that the strategy fetched there",
    "sample.forms": "query forms that it found there; with `--goal sites`, other sites",
    "sample.unjudged": "of the pages, those of which nothing says what they show: where a site was recorded in part",
    "sample.error": "why the site gave nothing",
    "sample.sampled_at": "seconds since the epoch",
    "harvest.records": "extracted so far",
    "harvest.requests": "sent so far, redirects included",
    "harvest.queries": "sent so far",
    "harvest.size": "estimated total of records",
    "harvest.size_low": "the lower end of its 90 % interval",
    "harvest.size_high": "the upper end",
    "harvest.stopped": "why it ended",
    "harvest.started_at": "seconds since the epoch",
    "answer.harvest_id": "the harvest that sent the query",
    "answer.exact": "0 when it says about, or more than",
    "answer.page": "of the answer, counted from 0",
    "answer.requests": "what it cost; the first answer carries what opening the door cost",
    "walk.steps": "tells the steps that it went by from others: with others, its lists are opened again",
    "record.number": "in the order they were extracted",
    "record.harvest_id": "the harvest that extracted it",
    "form.depth": "of that page",
    "form.kind": "one of the kinds below",
    "form.searchable": "1 for `database` and `site-search`",
    "form.probability": "confidence in the kind, 0 to 1",
    "form.method": "GET, POST or DIALOG",
    "form.action": "where it sends to",
    "form.signature": "the same for the same form on another page of the site",
}
KEY_NOTES = {
    "source": "the page of the door that it was extracted through",
    "harvest": "the number of the harvest",
    "number": "in the order they were extracted",
    "url": "the record's own page, where it has one",
    "site": "scheme, host and port",
    "state": "see the states of a site",
    "pages": "pages requested, failed ones included",
    "forms": "query forms, those of kind `database`",
    "sources": "databases that its query forms ask, each once",
    "error": "why the site gave nothing",
    "stopped": "the limit that ended its search",
    "entrance": "the page that was named, or the root",
    "rank": "place in an imported ranking; 0 for none",
    "topic": "how likely the site is on the topic of the search; null where it had none",
    "why": "what a search on a topic expected of the site, and by which facts",
    "page": "where the form was found first",
    "depth": "clicks from the entrance to that page",
    "kind": "one of the kinds below",
    "searchable": "whether it puts a query to something",
    "probability": "confidence in the kind, 0 to 1",
    "reasons": "the evidence for the kind, in words",
    "method": "GET, POST or DIALOG",
    "action": "the address it sends to",
    "fields": "names of its controls, each once, buttons and hidden ones included",
    "conditions": "`label, attribute, operator, type, fields, options, default, operators, operator_field` of each searchable field; only of searches",
    "signature": "the same for the same form on another page of the site",
    "id": "its number: `dowse show`, `dowse probe` and `dowse harvest` take it",
    "probe": "what a probe of it showed (`--probe`): `answers, kind, page_size, total, limit, match, count_line, requests, reasons, failed`; or null",
    "made": "of what: html, input (no form around it), opensearch, search-action, oai-pmh, sru, ckan, openapi, call",
    "template": "the address with {name} for each field, where values do not go into a query string; or nothing",
    "controls": "`fields, role` of what asks nothing itself: button, sort, paging, display, operator, state; only of searches",
    "database": "what it asks: address and constants, the same for every form, on any site, that asks it",
    "title": "of the page where it was found first",
    "heading": "that stands over the form",
    "topics": "topics that come with Dowse, and that of the search, with their probabilities: `[{name, probability}]`, the likeliest first",
}
REPORT_NOTES = {
    "sites_known": "sites in the database, searched or not",
    "sites_searched": "sites that are done: searched, failed or moved",
    "pages": "pages requested, in all runs on this database, to find forms or sites",
    "forms": "query forms, each once per site",
    "sources": "databases that query forms ask, each once however many sites ask it",
    "harvest": "yield: query forms per page",
    "coverage": "estimated part of the query forms of the searched sites that was found; null where that is unknown, as when none was",
    "coverage_ci": "between which two values it lies: with 95 %; by what links promise, when the model is wrong by no more than a factor of three",
    "coverage_method": "how that was estimated: `the links that were left and pages drawn at random from them`",
    "errors": "pages and sites that failed, by reason",
    "skipped": "addresses that were not fetched, by reason",
    "seconds": "how long this run took",
    "kinds": "all forms, by kind",
    "stopped": "why the run ended before it was done, or nothing",
    "finder_pages": "of the pages, those that the Site Finder fetched to find sites",
    "sites_found": "sites that the Site Finder was the first to find",
    "sites_waiting": "sites that were met and not searched: they wait, or were found with `--no-discover`; no part of the coverage",
    "sites_failed": "sites among the searched ones that gave nothing: they did not answer, refused, or are gone",
    "coverage_unknown": "why coverage is unknown, where it is",
    "forbidden_searches": "addresses that look like searches, but that robots.txt forbids (`dowse forms --forbidden`)",
    "on_topic": "query forms on the topic of the search; null where it has none",
}
DEMO_NOTES = {
    "sites": "sites searched",
    "pages": "pages requested",
    "forms": "forms taken for query forms, right or wrong",
    "harvest": "yield: query forms per page",
    "coverage": "part of the reachable query forms that was found, counted against the truth",
    "precision": "part of the forms taken for query forms that are",
    "records": "records extracted from some of the databases",
    "record_coverage": "part of the records of these databases that was extracted",
    "truth": "`sites, pages, forms, records` that a polite crawler can reach",
    "seconds": "how long it took",
}
OTHER_JSON = """| command | keys |
|---|---|
| `dowse sources` | `sources: [{id, site, url, kind, topic, conditions, size, size_ci, score, title, heading, confidence, answers, forms}]`: each by its best form (`id`, `url` of its page); `topic` is the likeliest with a probability of 0.5 or more, else null; `topics` has all with their probabilities; `size` is null unless a harvest estimated it or a probe was told a total; `answers` is null unless it was probed; `forms` is how many ask it |
| `dowse show` | the same keys, and `reasons, probe, doors: [{id, site, page, kind, probability, method, action, made, signature}]` |
| `dowse forms` | `forms` (rows as in `dowse export forms`) |
| `dowse sites` | `known, states, sites` (rows as in `dowse export sites`) |
| `dowse sites discover` | `found, known, pages, harvest, seconds, stopped`: sites found and pages fetched by this command in all its runs, sites known, yield: sites found per page |
| `dowse sites import` | `imported, known, left_out` |
| `dowse inspect` | `page, forms, doors, link_groups`; one object per page and line; `error` where there is no page |
| `dowse explain` | `url, reasons` |
| `dowse sample` | `goal, strategies: [{name, harvest, harvest_ci, coverage, coverage_ci, pages, forms, ...}], chosen, reason, predicted, sites, failed, sample_size, population, seconds`; with `--goal sites`, `sites` in place of `forms`, and `other_sites` in `predicted` |
| `dowse train levels` | `links` (by clicks to a form)`, words, path, bytes` |
| `dowse train links` | `figures: [{strategy, sites, pages, forms, harvest, coverage}], elsewhere, path, bytes` |
| `dowse probe` | `answers, kind, page_size, total, limit, match, count_line, requests, reasons, failed, door`; `error` where no query was sent |
| `dowse train forms` | `forms, domains, search_error, search_precision, search_recall, search_f1, type_accuracy, door_accuracy, unread`, null with `--no-folds`; `path, bytes`; `as_shipped`: whether these are the models that come with Dowse |
| `dowse sim` | `port, seeds, sites, pages, forms, records`, printed when it is ready; in a world of more than 5,000 sites the last four are estimates, with `sites_ci` and so on, and `method` |
| `dowse sim --shape` | `port, shape, entry, samples, targets, new, pages`, printed when it is ready |
| `dowse like` | `targets, mapped_pages, pattern, opened_targets, missed, threshold, stopped, failures, notes, reasons`: pages like the sample that are known of, pages opened, the pattern as `-o` writes it, of the targets those that were opened, those on no path, from which likeness on a page counts, the limit that ended the map, pages that did not come by reason, warnings, why pages are like the sample and why others are not |
| `dowse follow` | `pages, new, links_traversed, unlike, not_opened_again, fits, why, failures, stopped`: pages like the sample, of these those no run before found, pages opened in all, pages at the end of a path that are not like it, known pages that were left, whether the pattern still fits the site, and why not |
| `dowse sim --score` | `reachable, right, wrong, coverage, precision`, and for records `repeated, exact` |
"""


def build_reference() -> str:
    """Return the whole page."""
    parts = [HEAD, *_command_parts(), CONFIG, *_strategy_parts(), *_json_parts(), *_row_parts(), *_table_parts()]
    return "\n".join([*parts, *_word_parts()]).rstrip() + "\n"


def find_commands() -> Iterator[tuple[str, click.Command, click.Context]]:
    """Yield every command with the words that call it, groups before what is in them."""
    from dowse.cli.main import dowse

    settings = {**dowse.context_settings, "terminal_width": WIDTH, "max_content_width": WIDTH}
    yield from _walk(dowse, click.Context(dowse, info_name="dowse", **settings))


def _walk(command: click.Command, ctx: click.Context) -> Iterator[tuple[str, click.Command, click.Context]]:
    yield ctx.command_path, command, ctx
    if isinstance(command, click.Group):
        for name in command.list_commands(ctx):
            inner = command.get_command(ctx, name)
            assert inner is not None
            yield from _walk(
                inner,
                click.Context(inner, parent=ctx, info_name=name, terminal_width=WIDTH, max_content_width=WIDTH),
            )


def _command_parts() -> Iterator[str]:
    for path, command, ctx in find_commands():
        yield f"### {path}\n\n```text\n{command.get_help(ctx).rstrip()}\n```\n"


def _strategy_parts() -> Iterator[str]:
    from dowse.strategy import SITE_STRATEGIES, STRATEGIES

    yield "## Strategies\n\nWhich links are followed inside a site to find forms: `--strategy NAME:PARAMETERS`.\n"
    yield _strategy_table(STRATEGIES)
    yield "To find other sites: `--site-strategy NAME:PARAMETERS`.\n"
    yield _strategy_table(SITE_STRATEGIES)


def _strategy_table(strategies: Mapping[str, Callable[[str], object]]) -> str:
    rows = []
    for name, build in strategies.items():
        made = build("")
        parameters = ", ".join(f"{each.name} {getattr(made, each.name)}" for each in fields(made) if each.repr)  # type: ignore[arg-type]
        rows.append((f"`{name}`", _first_line(type(made)), parameters))
    return markdown_table(("name", "what it does", "defaults"), rows)


def _json_parts() -> Iterator[str]:
    from dowse.engine.find import Report

    yield "## Keys in `--json`\n\n`dowse find`, the same as `dowse.Report` in Python:\n"
    yield markdown_table(("key", "meaning"), ((f"`{each.name}`", REPORT_NOTES[each.name]) for each in fields(Report)))
    yield "`dowse demo`:\n"
    yield markdown_table(("key", "meaning"), ((f"`{key}`", note) for key, note in DEMO_NOTES.items()))
    yield f"The others:\n\n{OTHER_JSON}"


RECORD_NOTE = (
    "an attribute of the records, as `dowse harvest -o` writes it: the text, or a list in every row where any record has several values. "
    "Parquet has lists as lists, and beside a column of numbers, prices or dates another with what they are: `Price (number)`, `Updated (date)`"
)


def _row_parts() -> Iterator[str]:
    from dowse.export.rows import COLUMNS, RECORD_COLUMNS, WRITERS

    yield f"## Rows of `dowse export`\n\nFormats: {', '.join(WRITERS)}. In CSV and Parquet, lists become JSON.\n"
    for what, columns in COLUMNS.items():
        yield f"`dowse export {what}`:\n"
        yield markdown_table(("key", "meaning"), ((f"`{name}`", KEY_NOTES[name]) for name in columns))
    yield "`dowse export records`:\n"
    rows = [(f"`{name}`", KEY_NOTES[name.removeprefix("_")]) for name in (*RECORD_COLUMNS, "_url")]
    yield markdown_table(("key", "meaning"), [*rows, ("any other", RECORD_NOTE)])


def _table_parts() -> Iterator[str]:
    from dowse.store.schema import MIGRATIONS, VERSION

    yield f"## Tables\n\nSchema version {VERSION}. One SQLite file in WAL mode; read it with any SQLite tool.\n"
    notes = _table_notes("\n".join(MIGRATIONS))
    for table, columns in read_tables().items():
        yield f"### {table}\n" + (f"\n{notes[table].capitalize()}.\n" if table in notes else "")
        yield markdown_table(
            ("column", "type", "meaning"), ((f"`{name}`", kind.lower(), note) for name, kind, note in columns)
        )


def read_tables() -> dict[str, list[tuple[str, str, str]]]:
    """Return the tables with their columns: name, type, and what the schema says about it."""
    from dowse.store.schema import MIGRATIONS

    said = _comments("\n".join(MIGRATIONS))
    with sqlite3.connect(":memory:") as database:
        for step in MIGRATIONS:
            database.executescript(step)
        names = [
            row[0] for row in database.execute("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY rowid")
        ]
        tables = {}
        for table in names:
            found = database.execute(f"PRAGMA table_info({table})").fetchall()
            tables[table] = [(name, kind, said.get(f"{table}.{name}", "")) for _, name, kind, *_ in found]
    return {
        table: [(name, kind, _column_note(f"{table}.{name}", note)) for name, kind, note in columns]
        for table, columns in tables.items()
    }


def _column_note(place: str, comment: str) -> str:
    """Return the note on a column, else its comment in the schema, whose released steps keep their text."""
    if comment and place not in COLUMN_NOTES:
        return comment
    if place.endswith((".id", ".site_id")):
        return "its number" if place.endswith(".id") else "the site it belongs to"
    if place not in COLUMN_NOTES:
        raise LookupError(f"{place} has no comment in dowse/store/schema.py and no note in docs/generate.py")
    return COLUMN_NOTES[place]


def _comments(schema: str) -> dict[str, str]:
    """Return the comments behind columns, and before those that were added later, by table and column."""
    found, table, before = {}, "", ""
    for line in schema.splitlines():
        added = re.match(r"\s*ALTER TABLE (\w+) ADD COLUMN (\w+)", line)
        if added and before:
            found[f"{added[1]}.{added[2]}"] = before
        before = line.strip().removeprefix("--").strip() if line.strip().startswith("--") else ""
        begun = re.match(r"\s*CREATE TABLE (\w+)", line)
        table = begun[1] if begun else table
        column = re.match(r"\s+(\w+) (?:INTEGER|TEXT|REAL|BLOB)\b.*?(?:--\s*(.*))?$", line)
        if column and column[2]:
            found[f"{table}.{column[1]}"] = column[2]
    return found


def _table_notes(schema: str) -> dict[str, str]:
    """Return the comments behind the names of tables."""
    return dict(re.findall(r"CREATE TABLE (\w+) \(\s*-- (.*)", schema))


def _word_parts() -> Iterator[str]:
    from dowse.export.explanations import SITE_STATES
    from dowse.model import KINDS, SEARCHABLE_KINDS
    from dowse.reasons import NOT_REQUESTED, FailureReason, SkipKind, StopReason

    yield "## Words\n\nStates of a site:\n"
    yield markdown_table(("state", "meaning"), ((f"`{name}`", text) for name, text in SITE_STATES.items()))
    yield "Kinds of form:\n"
    yield markdown_table(
        ("kind", "searchable"), ((f"`{kind}`", "yes" if kind in SEARCHABLE_KINDS else "no") for kind in KINDS)
    )
    yield "Why a request gave no page:\n"
    yield markdown_table(
        ("reason", "name", "a request was sent"),
        ((str(why), f"`{why.name}`", "no" if why in NOT_REQUESTED else "yes") for why in FailureReason),
    )
    yield "Why an address was skipped:\n"
    yield markdown_table(("reason", "name"), ((str(kind), f"`{kind.name}`") for kind in SkipKind))
    yield "What ended a run, or the search of a site, early:\n"
    yield markdown_table(("reason", "name"), ((str(each), f"`{each.name}`") for each in StopReason))


def _first_line(thing: object) -> str:
    return (thing.__doc__ or "").strip().splitlines()[0]


def markdown_table(heads: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> str:
    """Return rows as a Markdown table."""
    lines = [heads, tuple("---" for _ in heads), *rows]
    return "\n".join(f"| {' | '.join(cell.replace('|', '/') for cell in line)} |" for line in lines) + "\n"


def draw_demo(lines: list[str]) -> str:
    """Return a terminal with these lines as SVG; no font is fetched to show it."""
    from rich._export_format import CONSOLE_SVG_FORMAT
    from rich.console import Console
    from rich.text import Text

    console = Console(record=True, width=118, file=open("/dev/null", "w"), force_terminal=True)  # noqa: SIM115
    for line in lines:
        text = Text(line)
        text.highlight_regex(r"^(?:\$ .*|Find:|Databases:|Harvest:|Like and follow:|Skipped:)", "bold")
        text.highlight_regex(r"https?://\S+", "cyan")
        text.highlight_regex(r"(?:coverage|precision) [\d.]+%", "green")
        text.highlight_regex(r"confidence [\d.]+", "green")
        text.highlight_regex(r"\btrap: [a-z ]+", "yellow")
        console.print(text)
    plain = re.sub(r"@font-face \{\{.*?\}\}\s*", "", CONSOLE_SVG_FORMAT, flags=re.DOTALL)
    plain = re.sub(r"<!-- Generated with Rich.*?-->", "", plain)
    plain = plain.replace("Fira Code, monospace", "ui-monospace, Menlo, Consolas, 'DejaVu Sans Mono', monospace")
    return console.export_svg(title="dowse demo", code_format=plain, unique_id="demo")


def main() -> None:
    """Write what was asked for."""
    if "--picture" in sys.argv:
        ran = subprocess.run(["dowse", "demo", "--no-serve"], capture_output=True, text=True, check=True)
        (DOCS / "demo.svg").write_text(draw_demo(["$ dowse demo", *ran.stdout.splitlines()]))
        return
    (DOCS / "reference.md").write_text(build_reference())


if __name__ == "__main__":
    main()
