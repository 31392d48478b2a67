"""`dowse inspect`: what Dowse sees in a page."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from dowse.cli import options
from dowse.cli.printing import note, print_json, printable, table
from dowse.reasons import say_count

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from dowse.errors import BadInput
    from dowse.model import Condition, Door, Failure, Page
    from dowse.settings import FetchSettings
    from dowse.step.visit import Inspection
    from dowse.topic import Topic

GROUPS_SHOWN = 10
CONTROLS_SHOWN = 8
ROLES_SHOWN = {
    "state": "hidden or session field",
    "display": "display option",
    "operator": "way of matching",
    "sort": "sort order",
}
PRESET_SHOWN = 30  # characters
PAGE_ENDINGS = (".html", ".htm", ".xhtml", ".xml", ".txt")  # of files; no host ends in one of these


@click.command("inspect")
@click.argument("targets", nargs=-1, required=True, metavar="URL_OR_FILE...")
@click.option("--base", metavar="URL", help="The address that a file's links are resolved against.")
@click.option(
    "--topic",
    "names",
    multiple=True,
    metavar="NAME_OR_FILE",
    help="Say how likely the page and its forms are on this topic: one that `dowse topic list` names, or the file of one's"
    " own. Several: the option again.",
)
@options.fetching
@options.rendering("auto")
@options.as_json
def command(
    targets: tuple[str, ...], base: str | None, names: tuple[str, ...], as_json: bool, **fetch_options: Any
) -> int:
    """Show what Dowse sees in pages: forms with kind, confidence, reasons and searchable fields, other query interfaces, groups of links.

    With --json several pages give one JSON object per line, in order. One that is neither an address nor a file gives
    exit code 2 after the others were shown.
    """
    from dowse.errors import BadInput
    from dowse.topic import load_topic
    from dowse.url import seed_address

    topics = [load_topic(name) for name in dict.fromkeys(names)]
    settings = options.fetch_settings(targets, **fetch_options)
    address = seed_address(base or "http://localhost/")
    if address is None:
        raise BadInput(f"--base {base!r} is not a web address")
    return asyncio.run(_inspect_all(targets, address, topics, settings, as_json))


async def _inspect_all(
    targets: tuple[str, ...], base: str, topics: Sequence[Topic], settings: FetchSettings, as_json: bool
) -> int:
    from dowse.errors import BadInput
    from dowse.fetch.build import build_fetch
    from dowse.model import Failure
    from dowse.step.visit import inspect

    code = 0
    async with build_fetch(settings) as fetches:
        for target in targets:
            seen: Inspection | Failure | BadInput
            try:
                seen = look_at_file(target, base) or await inspect(
                    read_address(target), fetches.anywhere, fetches.render
                )
            except BadInput as error:
                seen = error
            code = max(code, 2 if isinstance(seen, BadInput) else int(isinstance(seen, Failure)))
            if isinstance(seen, BadInput):
                note(f"dowse: {printable(str(seen))}")
            elif isinstance(seen, Failure) and not as_json:
                note(f"{target}: {seen}")
            if as_json:
                print_json(
                    _failure_dict(target, seen) if isinstance(seen, Failure | BadInput) else _as_dict(seen, topics)
                )
            elif not isinstance(seen, Failure | BadInput):
                _print(seen, topics)
    return code


def look_at_file(target: str, base: str) -> Inspection | None:
    """Look at a file, when the target is one."""
    from dowse.errors import BadInput
    from dowse.model import Response
    from dowse.page.document import Document
    from dowse.settings import FetchSettings
    from dowse.step.visit import look_at
    from dowse.url import seed_address

    if "://" in target:
        return None
    path, limit = Path(target), FetchSettings().body_limit
    try:
        if not path.exists() and path.suffix.lower() not in PAGE_ENDINGS and seed_address(target) is not None:
            return None
        if path.exists() and not path.is_file():
            raise BadInput(f"{target} is not a file: give an HTML file, or an address")
        with path.open("rb") as stream:
            body = stream.read(limit + 1)
    except OSError as error:
        raise BadInput(
            f"{target} is neither a web address nor a file that can be read: {(error.strerror or '').lower()}"
        ) from None
    return look_at(Document(Response(base, 200, (), body[:limit], truncated=len(body) > limit)))


def read_address(target: str) -> str:
    """Return the address that a target names."""
    from dowse.seeds.lists import read_seed

    return read_seed(target).entrance


def _failure_dict(target: str, failure: Failure | BadInput) -> dict[str, Any]:
    return {
        "page": {"url": target, "topics": []},
        "topics": [],
        "error": str(failure),
        "forms": [],
        "doors": [],
        "link_groups": [],
    }


def _as_dict(seen: Inspection, own: Sequence[Topic]) -> dict[str, Any]:
    from dowse.topic import rank_topics

    page = seen.page
    topics = rank_topics(lambda topic: topic.judge_page(page), own)
    forms = [
        {**_form_dict(door), "topics": rank_topics(lambda topic: _judge_form(topic, door, page), own)}  # noqa: B023 - is called at once
        for door in seen.doors
    ]
    return {
        "page": {
            "url": page.url, "title": page.title, "language": page.language, "encoding": page.encoding,
            "canonical": page.canonical, "robots": sorted(page.robots), "links": page.link_count,
            "characters": len(page.text), "dropped": dict(page.dropped), "cut": page.cut, "unrendered": page.unrendered,
            "calls": [{"method": call.method, "url": call.url} for call in page.calls],
            "topics": topics,
        },
        "topics": topics,
        "forms": forms,
        "doors": [{"form": form["index"], "method": form["method"], "action": form["action"], "made": form["made"]} for form in forms if form["searchable"]],
        "link_groups": [
            {"path": group[0].path, "links": [{"url": link.url, "text": link.text} for link in group]} for group in seen.link_groups
        ],
    }  # fmt: skip


def _judge_form(topic: Topic, door: Door, page: Page) -> float:
    from dowse.topic import form_text

    return topic.form_probability(form_text(door.form), page)


def _form_dict(door: Door) -> dict[str, Any]:
    from dowse.store.rows import condition_dict, control_dict, field_names

    form, judgement = door.form, door.judgement
    return {
        "index": form.index, "kind": judgement.kind, "searchable": judgement.searchable,
        "probability": round(judgement.probability, 4), "reasons": list(judgement.reasons),
        "method": form.method, "action": form.action, "fields": field_names(door),
        "conditions": [condition_dict(condition) for condition in door.conditions], "signature": door.signature,
        "made": form.made, "template": form.template, "controls": [control_dict(control) for control in door.controls],
    }  # fmt: skip


def _condition_row(condition: Condition) -> tuple[str, ...]:
    """Return what is shown of a condition: what it asks, how, its choices or ways of matching, and what is preset."""
    count = len(condition.options)
    choices = say_count(count, "choices") if count else ""
    ways = " / ".join(option.label or option.value for option in condition.operators[:4])
    preset = ", ".join(value for value in condition.default if value)[:PRESET_SHOWN]
    shown = "; ".join(part for part in (choices, ways, f"preset {preset}" if preset else "") if part)
    return condition.label or condition.attribute, condition.operator, condition.type, shown


def _print_door(door: Door) -> None:
    form, judgement = door.form, door.judgement
    click.echo(
        f"  form {form.index}: {judgement.kind}, confidence {judgement.probability:.2f} ({'; '.join(judgement.reasons)})"
    )
    made = "" if form.made == "html" else f"  ({form.made})"
    click.echo(f"    {form.method} {printable(form.template or form.action) or 'to no web address'}{made}")
    if door.conditions:
        click.echo(table(map(_condition_row, door.conditions), indent="    "))
    for control in door.controls:
        names = ", ".join(map(printable, control.fields[:CONTROLS_SHOWN]))
        click.echo(
            f"    {ROLES_SHOWN.get(control.role, control.role)}: {names}{' ...' if len(control.fields) > CONTROLS_SHOWN else ''}"
        )


def _print_bounds(page: Page) -> None:
    """Print what of a page was not read; of what stands after a cut nothing is known."""
    if page.cut:
        click.echo(f"  page {page.cut}")
    over = [(what, count) for what, count in page.dropped if what not in ("body", "bytes")]
    if over:
        more = " or more" if page.cut else ""
        click.echo(f"  over a bound and skipped: {', '.join(f'{count:,}{more} {what}' for what, count in over)}")


def _print_topics(topics: Sequence[Topic], probability: Callable[[Topic], float], indent: str) -> None:
    for topic in topics:
        click.echo(f"{indent}on {printable(topic.name)}: {probability(topic):.2f}")


def _print(seen: Inspection, topics: Sequence[Topic]) -> None:
    page = seen.page
    click.echo(f"{page.url}  {printable(page.title)}")
    click.echo(
        f"  {say_count(page.link_count, 'links')}, {say_count(len(page.text), 'characters')}, language {page.language or 'unknown'}, encoding {page.encoding or 'unknown'}"
    )
    _print_bounds(page)
    if page.unrendered:
        click.echo(f"  incomplete without a browser: {printable(page.unrendered)}")
    for call in page.calls:
        click.echo(f"  its scripts requested {call.method} {printable(call.url)}")
    _print_topics(topics, lambda topic: topic.judge_page(page), indent="  ")
    for door in seen.doors:
        _print_door(door)
        _print_topics(topics, lambda topic: _judge_form(topic, door, page), indent="    ")  # noqa: B023 - is called at once
    if not seen.doors:
        click.echo("  no forms")
    for group in seen.link_groups[:GROUPS_SHOWN]:
        words = ", ".join(printable(link.text) or link.url for link in group[:6])
        click.echo(f"  {say_count(len(group), 'links')} at {group[0].path}: {words}{' ...' if len(group) > 6 else ''}")
    if len(seen.link_groups) > GROUPS_SHOWN:
        more = say_count(len(seen.link_groups) - GROUPS_SHOWN, "groups of links")
        click.echo(f"  ... and {more}")
