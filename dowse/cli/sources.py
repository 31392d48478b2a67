"""`dowse sources`, `dowse show` and `dowse forms`: what was found, to look at."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import click

from dowse.cli import options
from dowse.cli.printing import NO_BREAK, find_width, print_json, printable, style, table, wrap, write_span
from dowse.model import SEARCHABLE_KINDS
from dowse.reasons import say_count

if TYPE_CHECKING:
    from dowse.store.directory import ListedSource

MAX_FIELDS_SHOWN = 8  # of one form in a list
MAX_OPTIONS_SHOWN = 8  # of one condition


@click.command("sources")
@click.argument("words", nargs=-1, metavar="[WORDS]...")
@click.option(
    "--topic", default="", metavar="NAME", help="Only those on a topic, such as cars: `dowse topic list` names them."
)
@options.kinds
@options.of_site
@options.at_most("sources")
@options.db
@options.as_json
def command(
    words: tuple[str, ...], topic: str, kinds: tuple[str, ...], site: str, limit: int, db: str, as_json: bool
) -> int:
    """List the databases that were found, the best first; with WORDS, those that have all of them in title, fields or address.

    A source is listed once, however many forms on however many sites ask it, under the number of its best form: `dowse
    show`, `dowse probe` and `dowse harvest` take it. First come sources that answered a probe, then those with a high
    confidence and many searchable fields. Searches over a site's own pages are listed with --kind site-search.
    """
    from dowse.errors import BadInput
    from dowse.store import open_existing
    from dowse.store.directory import FormFilter, find_sources

    for kind in kinds:
        if kind not in SEARCHABLE_KINDS:
            raise BadInput(f"a {kind} form asks no database; `dowse forms --kind {kind}` lists such forms")
    with open_existing(db) as store:
        found, total = find_sources(store, FormFilter(_split(words), kinds or ("database",), site, topic=topic), limit)
        known = store.tally().kinds
    if as_json:
        print_json({"sources": [asdict(source) for source in found]})
        return 0
    if not found:
        click.echo(say_nothing_found(f"source on {topic}" if topic else "source", words, kinds, known))
        return 0
    print_sources(found)
    _print_total(len(found), total, "sources", db)
    return 0


@click.command("forms")
@click.argument("words", nargs=-1, metavar="[WORDS]...")
@options.kinds
@options.of_site
@options.at_most("forms")
@click.option(
    "--forbidden", is_flag=True, help="List addresses instead that look like searches, but that robots.txt forbids."
)
@options.db
@options.as_json
def forms_command(
    words: tuple[str, ...], kinds: tuple[str, ...], site: str, limit: int, forbidden: bool, db: str, as_json: bool
) -> int:
    """List every form that was found: databases, searches of a site's own pages, all others; of each the best first.

    With WORDS, those that have all of them in title, fields or address.
    """
    from dowse.store import open_existing
    from dowse.store.directory import FormFilter, find_forms

    if forbidden:
        return _list_forbidden(words, kinds, site, limit, db, as_json)
    with open_existing(db) as store:
        found, total = find_forms(store, FormFilter(_split(words), kinds, site), limit)
        known = store.tally().kinds
    if as_json:
        print_json({"forms": found})
        return 0
    if not found:
        click.echo(say_nothing_found("form", words, kinds, known))
        return 0
    for form in found:
        fields = [each["label"] or each["attribute"] for each in form["conditions"]] or form["fields"]
        asked = form["probe"]
        facts = [form["kind"], f"confidence {form['probability']:.2f}"]
        facts += _say_probe(bool(asked), None if not asked or asked["failed"] else asked["answers"])
        _print_entry(form["id"], form["title"] or form["heading"], form["page"], fields, facts)
    _print_total(len(found), total, "forms", db)
    return 0


def _list_forbidden(words: Sequence[str], kinds: Sequence[str], site: str, limit: int, db: str, as_json: bool) -> int:
    from dowse.errors import BadInput
    from dowse.store import open_existing
    from dowse.store.directory import find_forbidden

    if words or kinds:
        raise BadInput("--forbidden lists addresses that nobody read: it takes no words and no --kind")
    with open_existing(db) as store:
        found, total = find_forbidden(store, site)
    shown = found[: limit or None]
    if as_json:
        print_json({"forbidden": shown, "total": total})
        return 0
    for each in shown:
        click.echo(f"  {printable(each['url'])}")
    more = f"; {len(shown):,} are shown" if len(shown) < total else ""
    click.echo(f"{say_count(total, 'addresses')} that robots.txt forbids look like searches, in {db}{more}")
    return 0


@click.command("show")
@click.argument("number", type=click.IntRange(0, 2**63 - 1), metavar="ID")
@options.db
@options.as_json
def show_command(number: int, db: str, as_json: bool) -> int:
    """Show one source by the ID that `dowse sources` prints: what can be asked, all forms that ask it, why it is taken for one."""
    from dowse.store import open_existing
    from dowse.store.directory import read_source

    with open_existing(db) as store:
        source, doors = read_source(store, number)
    own = next(door for door in doors if door["id"] == number)
    if as_json:
        keys = ("id", "site", "page", "kind", "probability", "method", "action", "made", "signature")
        shown = [{key: door[key] for key in keys} for door in doors]
        print_json({**asdict(source), "reasons": own["reasons"], "probe": own["probe"], "doors": shown})
        return 0
    click.echo(f"{style(str(source.id), bold=True)}  {style(source.title or source.heading or source.url, bold=True)}")
    click.echo(f"    {style(source.url, fg='cyan')}")
    click.echo(f"    {'; '.join(_facts(source, [source.kind]))}")
    click.echo("what can be asked")
    rows = [
        (each["label"] or each["attribute"], each["type"], each["operator"], _choices(each))
        for each in source.conditions
    ]
    click.echo(table(rows) or "  any words")
    click.echo("forms that ask it")
    click.echo(table((door["id"], door["method"], door["action"], f"on {door['page']}") for door in doors))
    click.echo("why")
    evidence = [*own["reasons"], *(own["probe"]["reasons"] if own["probe"] else ())]
    click.echo("\n".join(f"  {printable(reason)}" for reason in evidence))
    return 0


def print_sources(sources: Iterable[ListedSource]) -> None:
    """Print sources, three lines each."""
    for source in sources:
        _print_entry(source.id, source.title or source.heading, source.url, source.fields, _facts(source))


def say_nothing_found(what: str, words: Sequence[str], kinds: Sequence[str], known: dict[str, int]) -> str:
    """Write that nothing was found, and what there is instead."""
    asked = f" of kind {' or '.join(kinds)}" if kinds else ""
    asked += f" with {' '.join(words)}" if words else ""
    others = say_kinds(known)
    return f"no {what}{printable(asked)}" + (f"; the database has {others}" if others else "; the database has no form")


def say_kinds(kinds: dict[str, int]) -> str:
    """Write how many forms there are of each kind, the most frequent first: `2 site searches, 1 login`."""
    counted = sorted(kinds.items(), key=lambda pair: -pair[1])
    return ", ".join(f"{count:,} {KIND_NAMES[kind][count != 1]}" for kind, count in counted)


KIND_NAMES = {  # one, several
    "database": ("database form", "database forms"),
    "site-search": ("site search", "site searches"),
    "login": ("login", "logins"),
    "registration": ("registration", "registrations"),
    "contact": ("contact form", "contact forms"),
    "subscribe": ("subscription", "subscriptions"),
    "order": ("order form", "order forms"),
    "configure": ("configuration form", "configuration forms"),
    "other": ("other form", "other forms"),
}


def _print_entry(number: int, name: str, url: str, fields: Sequence[str], facts: Sequence[str]) -> None:
    head, blank = f"{number:>5}  ", " " * 7
    click.echo(head + style(_cut(name or url, find_width() - len(head)), bold=True))
    if name:
        click.echo(blank + style(url, fg="cyan"))
    fields = list(dict.fromkeys(fields))
    asked = ", ".join(fields[:MAX_FIELDS_SHOWN]) or "any words"
    more = f" and {len(fields) - MAX_FIELDS_SHOWN} more" if len(fields) > MAX_FIELDS_SHOWN else ""
    line = f"{printable(asked)}{more} " + f"({', '.join(facts)})".replace(" ", NO_BREAK)
    click.echo(wrap(line, indent=blank))


def _facts(source: ListedSource, first: Sequence[str] = ()) -> list[str]:
    facts = [*first, f"confidence {source.confidence:.2f}"]
    facts += [f"{source.topic} {source.topics[0]['probability']:.2f}"] if source.topic else []
    facts += _say_probe(source.probed, source.answers)
    if source.size is not None:
        low_high = source.size_ci
        told = say_count(round(source.size), "records")
        told = told if low_high else f"at least {told}"  # what one query found, of a probe
        facts.append(told if not low_high or low_high[0] == low_high[1] else f"{told} ({write_span(*low_high)})")
    if source.forms > 1:
        facts.append(f"{source.forms:,} forms")
    return facts


def _say_probe(probed: bool, answers: bool | None) -> list[str]:
    if not probed:
        return []
    return ["its probe failed"] if answers is None else ["answered a probe" if answers else "did not answer a probe"]


def _choices(condition: dict[str, Any]) -> str:
    labels = [option["label"] or option["value"] for option in condition["options"]]
    shown = ", ".join(label for label in labels[:MAX_OPTIONS_SHOWN] if label)
    return f"{shown} and {len(labels) - MAX_OPTIONS_SHOWN} more" if len(labels) > MAX_OPTIONS_SHOWN else shown


def _cut(text: str, width: int) -> str:
    return text if len(text) <= width else f"{text[: max(1, width - 3)]}..."


def _split(words: Sequence[str]) -> tuple[str, ...]:
    """Return single words, also of several in one argument."""
    return tuple(word for text in words for word in text.split())


def _print_total(shown: int, total: int, what: str, db: str) -> None:
    if shown < total:
        click.echo(f"{shown:,} of {total:,} {what} in {db}; --limit 0 shows all")
    else:
        click.echo(f"{say_count(total, what)} in {db}")
