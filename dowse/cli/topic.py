"""`dowse topic`: topics that pages, sites and forms are told by: make one, list them, show one, train those that come with Dowse."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from dowse.cli import options
from dowse.cli.printing import note, print_json, printable, table
from dowse.errors import BadInput
from dowse.reasons import say_count

if TYPE_CHECKING:
    from dowse.settings import FetchSettings
    from dowse.step.visit import Inspection
    from dowse.topic.make import TopicPage
    from dowse.topic.model import Topic

LIST_ENDINGS = (".txt", ".lst", ".csv")  # of files that list examples, one a line
STEMS_SHOWN = 12
_WHAT = {
    "page": "pages",
    "site": "sites",
    "described": "titles with abstracts",
    "form": "forms",
    "description": "pages, from the words alone",
}


@click.group("topic")
def command() -> None:
    """Make a topic from a few pages or words, list and show topics, train those that come with Dowse again."""


@command.command("new")
@click.argument("name")
@click.option(
    "--examples",
    multiple=True,
    metavar="FILE_OR_URL",
    help="A page on the topic, or a .txt file that lists some, one a line. Several: the option again.",
)
@click.option(
    "--not",
    "others",
    multiple=True,
    metavar="FILE_OR_URL",
    help="A page that is not on the topic though it looks like it, or a list of some.",
)
@click.option(
    "--words",
    default="",
    metavar="TEXT",
    help="Words and phrases that describe the topic, with commas: 'used car, dealer'.",
)
@click.option("-o", "--output", default="", metavar="FILE", help="Write the topic to this file instead of NAME.json.")
@options.fetching
@options.as_json
def new_command(
    name: str, examples: tuple[str, ...], others: tuple[str, ...], words: str, output: str, as_json: bool, **fetch_options: Any
) -> int:  # fmt: skip
    """Make a topic from pages, words or both, and print how well held-out sites are told.

    A few pages or a description are enough: what else belongs to the topic is learned from texts that match it surely, and
    everything else that comes with Dowse is what it is told from. Takes about a minute.
    """
    from dowse.topic.background import load_background
    from dowse.topic.make import make_topic
    from dowse.topic.model import write_topic

    path = Path(output or f"{name.strip().replace(' ', '-')}.json")
    options.check_folder(str(path))
    settings = options.fetch_settings([*examples, *others], **fetch_options)
    pages, other_pages = asyncio.run(_read_pages([examples, others], settings))
    phrases = [phrase.strip() for phrase in words.split(",") if phrase.strip()]
    made = make_topic(name.strip(), phrases, pages, other_pages, load_background())
    size = write_topic(made.topic, path)
    for line in made.notes:
        note(f"dowse: {line}")
    if as_json:
        print_json({**_as_dict(made.topic), "path": str(path), "bytes": size, "notes": list(made.notes)})
    else:
        _print(made.topic)
        click.echo(f"written to {printable(str(path))} ({size:,} bytes)")
    return 0


async def _read_pages(groups: Sequence[Sequence[str]], settings: FetchSettings) -> list[list[TopicPage]]:
    """Read the pages of groups of files and addresses; one that cannot be had is a note."""
    from dowse.fetch.build import build_fetch

    found: list[list[TopicPage]] = []
    async with build_fetch(settings) as fetches:
        for group in groups:
            pages = [await _read_page(target, fetches) for target in _unfold(group)]
            found.append([page for page in pages if page])
    return found


def _unfold(targets: Sequence[str]) -> list[str]:
    """Return the targets, with lists of them opened."""
    found: list[str] = []
    for target in targets:
        path = Path(target)
        if "://" not in target and path.suffix.lower() in LIST_ENDINGS:
            try:
                lines = path.read_text("utf-8").splitlines()
            except (OSError, UnicodeDecodeError) as error:
                raise BadInput(f"{target} cannot be read as a list of pages: {error}") from None
            found += [line.strip() for line in lines if line.strip() and not line.startswith("#")]
        else:
            found.append(target)
    return found


async def _read_page(target: str, fetches: Any) -> TopicPage | None:
    from dowse.cli.inspect import look_at_file, read_address
    from dowse.model import Failure
    from dowse.step.visit import inspect

    seen = look_at_file(target, "http://localhost/") or await inspect(
        read_address(target), fetches.anywhere, fetches.render
    )
    if isinstance(seen, Failure):
        note(f"dowse: {printable(target)}: {seen}")
        return None
    return _to_example(target, seen)


def _to_example(target: str, seen: Inspection) -> TopicPage:
    from dowse.topic import form_text
    from dowse.topic.make import TopicPage
    from dowse.url import registrable_domain, site_of

    page = seen.page
    forms = tuple(form_text(door.form) for door in seen.doors if door.judgement.searchable)
    is_file = page.url == "http://localhost/"
    site = str(Path(target).stem) if is_file else registrable_domain(site_of(page.url).host)
    return TopicPage(target if is_file else page.url, site, page.title, page.text, page.language, forms)


@command.command("list")
@options.as_json
def list_command(as_json: bool) -> int:
    """List the topics that come with Dowse, and on how many sites each was measured."""
    from dowse.topic import list_shipped, load_topic

    topics = [load_topic(name) for name in list_shipped()]
    if as_json:
        print_json([_as_dict(topic) for topic in topics])
        return 0
    click.echo(table([(topic.name, topic.measured, ", ".join(topic.words[:5])) for topic in topics]))
    return 0


@command.command("show")
@click.argument("name_or_file")
@options.as_json
def show_command(name_or_file: str, as_json: bool) -> int:
    """Show a topic: words, languages, examples, figures, and the stems that speak most for it."""
    from dowse.topic import load_topic

    topic = load_topic(name_or_file)
    if as_json:
        print_json(_as_dict(topic))
    else:
        _print(topic)
    return 0


@command.command("train")
@click.argument("names", nargs=-1, metavar="[NAME]...")
@click.option("--data", default="", metavar="DIR", help="The folder of labelled data; otherwise $DOWSE_DATA.")
@click.option(
    "-o", "--output", required=True, metavar="DIR", help="Write the topics and the background into this folder."
)
def train_command(names: tuple[str, ...], data: str, output: str) -> int:
    """Train the topics that come with Dowse again from labelled data, and print their figures by held-out site.

    Needs `pip install 'dowse[train]'` and the labelled data, which is not part of Dowse. In a checkout, `-o dowse/topic/shipped`
    replaces what comes with it.
    """
    import msgspec

    from dowse.topic.background import write_background
    from dowse.topic.model import write_topic
    from dowse.train.topics import describe_alone, find_folder, make_background, read_corpus, read_specs, train_topic

    specs = read_specs()
    unknown = [name for name in names if name not in {spec.name for spec in specs}]
    if unknown:
        raise BadInput(f"no topic {unknown[0]!r} comes with Dowse; there are {', '.join(spec.name for spec in specs)}")
    folder = Path(data) if data else find_folder()
    note("dowse: reading the labelled texts")
    corpus = read_corpus(folder)
    write_background(make_background(corpus), Path(output) / "background.zst")
    for spec in specs:
        if not names or spec.name in names:
            topic = train_topic(corpus, spec)
            alone = describe_alone(corpus, spec)
            topic = msgspec.structs.replace(topic, figures=(*topic.figures, *([alone] if alone else [])))
            write_topic(topic, Path(output) / f"{spec.name.replace(' ', '-')}.json")
            _print(topic)
    return 0


def _as_dict(topic: Topic) -> dict[str, Any]:
    import msgspec

    shown = msgspec.to_builtins(topic)
    for model in ("page", "form"):
        shown[model] = {"stems": len(shown[model]["weights"]), "strongest": _strongest(topic, model)}
    del shown["site_curve"]
    return {**shown, "measured": topic.measured}


def _strongest(topic: Topic, model: str) -> list[str]:
    weights = (topic.page if model == "page" else topic.form).weights
    return sorted(weights, key=lambda stem: (-weights[stem], stem))[:STEMS_SHOWN]


def _print(topic: Topic) -> None:
    click.echo(f"{printable(topic.name)}: {printable(', '.join(topic.words))}")
    learned = ", ".join(f"{count:,} {what}" for what, count in topic.examples.items())
    click.echo(f"  languages {', '.join(topic.languages)}; learned from {learned}")
    click.echo(f"  stems that speak most for it: {', '.join(_strongest(topic, 'page'))}")
    click.echo(f"  {topic.measured}, held out in turn" if topic.figures else f"  {topic.measured}: too few sites")
    rows = [
        (_WHAT[row.what], f"{row.examples:,} of {say_count(row.sites, 'sites')}", f"against {row.others:,}", f"F1 {row.f1:.2f}",
         f"precision {row.precision:.2f}", f"recall {row.recall:.2f}", f"calibration error {row.calibration_error:.3f}")
        for row in topic.figures
    ]  # fmt: skip
    if rows:
        click.echo(table(rows, indent="  "))
