"""`dowse topic`: topics that pages, sites and forms are told by: make one, list them, show one, train those that come with Dowse."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
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
PAGE_ENDINGS = (".html", ".htm", ".xhtml")  # of files of a folder that are read as examples
STEMS_SHOWN = 12
_WHAT = {
    "page": "pages",
    "site": "sites",
    "described": "titles with abstracts",
    "form": "forms",
    "description": "pages, from the words alone",
    "short description": "pages, from the first words alone",
}


@click.group("topic")
def command() -> None:
    """Make a topic from a few pages or words, list and show topics, train those that come with Dowse again."""


def _giving(wrapped: Any) -> Any:
    """Add the options by which a topic is given."""
    for option in reversed([
        click.option("--examples", multiple=True, metavar="FILE_OR_URL", help="A page on the topic, a folder of HTML files, or a .txt file that lists some, one a line. Several: the option again."),
        click.option("--not", "others", multiple=True, metavar="FILE_OR_URL", help="A page that is not on the topic though it looks like it, or a list of some."),
        click.option("--words", default="", metavar="TEXT", help="Words and phrases that describe the topic, with commas: 'used car, dealer'."),
    ]):  # fmt: skip
        wrapped = option(wrapped)
    return wrapped


@command.command("new")
@click.argument("name")
@_giving
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
    if not name.strip():
        raise BadInput("a topic needs a name")
    path = Path(output or f"{name.strip().replace(' ', '-')}.json")
    settings = options.fetch_settings([*examples, *others], **fetch_options)
    return _make(name.strip(), _split_words(words), examples, others, path, settings, as_json)


def _split_words(words: str) -> list[str]:
    return [phrase.strip() for phrase in words.split(",") if phrase.strip()]


def _make(
    name: str, words: list[str], examples: Sequence[str], others: Sequence[str], path: Path, settings: FetchSettings, as_json: bool
) -> int:  # fmt: skip
    """Make a topic, write it, and print it with what its user should know."""
    from dowse.topic.background import load_background
    from dowse.topic.make import make_topic
    from dowse.topic.model import write_topic

    options.check_folder(str(path))
    pages, other_pages = asyncio.run(_read_pages([examples, others], settings))
    made = make_topic(name, words, pages, other_pages, load_background())
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
    """Return the targets, with lists of them and folders opened."""
    found: list[str] = []
    for target in targets:
        path = Path(target)
        if "://" not in target and path.is_dir():
            pages = sorted(str(file) for file in path.iterdir() if file.suffix.lower() in PAGE_ENDINGS)
            if not pages:
                raise BadInput(f"{target} is a folder without HTML files")
            found += pages
        elif "://" not in target and path.suffix.lower() in LIST_ENDINGS:
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
@click.argument("names", nargs=-1, metavar="[NAME_OR_FILE]...")
@_giving
@click.option("--data", default="", metavar="DIR", help="The folder of labelled data; otherwise $DOWSE_DATA.")
@click.option(
    "-o",
    "--output",
    default="",
    metavar="PATH",
    help="Where to write: the folder of topics that come with Dowse, or another file for your own.",
)
@options.fetching
@options.as_json
def train_command(
    names: tuple[str, ...], examples: tuple[str, ...], others: tuple[str, ...], words: str, data: str, output: str, as_json: bool, **fetch_options: Any
) -> int:  # fmt: skip
    """Train a topic of your own again, with more pages or words; or those that come with Dowse, from labelled data.

    The FILE of a topic made by `dowse topic new` names the pages it was made from: they are read again beside those that are given now.
    Without one, topics that come with Dowse are trained: this needs `pip install 'dowse[train]'` and the labelled data, which is not part of
    Dowse, and takes some ten minutes. In a checkout, `-o dowse/topic/shipped` replaces what comes with it.
    """
    if len(names) == 1 and (names[0].endswith(".json") or "/" in names[0]):
        from dowse.topic import load_topic

        topic = load_topic(names[0])
        pages, other_pages = [*topic.pages, *examples], [*topic.other_pages, *others]
        settings = options.fetch_settings([*pages, *other_pages], **fetch_options)
        phrases = [*topic.words, *_split_words(words)] if topic.terms else _split_words(words)
        return _make(topic.name, phrases, pages, other_pages, Path(output or names[0]), settings, as_json)
    if examples or others or words:
        raise BadInput("--examples, --not and --words are for a topic of your own: name its file")
    if not output:
        raise BadInput("give the folder to write the topics into with -o")
    return _train_shipped(names, data, Path(output))


def _train_shipped(names: tuple[str, ...], data: str, folder: Path) -> int:
    from dowse.train.labelled import find_folder
    from dowse.train.topic_corpus import read_corpus, read_specs
    from dowse.train.topics import write_shipped

    specs = read_specs()
    unknown = [name for name in names if name not in {spec.name for spec in specs}]
    if unknown:
        raise BadInput(f"no topic {unknown[0]!r} comes with Dowse; there are {', '.join(spec.name for spec in specs)}")
    source = Path(data) if data else find_folder()
    note("dowse: reading the labelled texts")
    for topic in write_shipped(read_corpus(source), folder, names, lambda line: note(f"dowse: {line.strip()}")):
        _print(topic)
    return 0


def _as_dict(topic: Topic) -> dict[str, Any]:
    import msgspec

    shown = msgspec.to_builtins(topic)
    for model in ("page", "head", "host", "form"):
        weights = shown[model]["weights"] if shown[model] else {}
        shown[model] = {"stems": len(weights), "strongest": _strongest(weights)}
    shown["terms"] = {language: len(terms) for language, terms in topic.terms.items()}
    return {**shown, "measured": topic.measured}


def _strongest(weights: Mapping[str, int]) -> list[str]:
    return sorted(weights, key=lambda stem: (-weights[stem], stem))[:STEMS_SHOWN]


def _print(topic: Topic) -> None:
    click.echo(f"{printable(topic.name)}: {printable(', '.join(topic.words))}")
    learned = ", ".join(say_count(count, what) for what, count in topic.examples.items())
    click.echo(f"  languages {', '.join(topic.languages)}; learned from {learned}")
    click.echo(f"  stems that speak most for it: {', '.join(_strongest(topic.page.weights))}")
    click.echo(
        f"  {topic.measured}, held out in turn"
        if topic.figures
        else f"  {topic.measured}: needs examples of four sites"
    )
    rows = [
        (_WHAT[row.what], f"{row.examples:,} of {say_count(row.sites, 'sites')}", f"against {row.others:,}", f"F1 {row.f1:.2f}",
         f"precision {row.precision:.2f}", f"recall {row.recall:.2f}", f"calibration error {row.calibration_error:.3f}")
        for row in topic.figures
    ]  # fmt: skip
    if rows:
        click.echo(table(rows, indent="  "))
