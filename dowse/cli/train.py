"""`dowse train`: trains the models from scratch, and measures them on sites they have not seen."""

from __future__ import annotations

from dataclasses import asdict, fields
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from dowse.cli import options
from dowse.cli.printing import note, print_json, table
from dowse.errors import BadInput
from dowse.reasons import say_count

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from dowse.form.judge import Models
    from dowse.model import Seed
    from dowse.sample.record import Recording
    from dowse.settings import FetchSettings
    from dowse.strategy.learned import LinkModel
    from dowse.strategy.levels import LevelModel
    from dowse.topic import Topic
    from dowse.train.forms import FormFigures, LabelledForm, ModelDifference
    from dowse.train.links import LinkFigures

MAX_ARCHIVED_PAGES = 600  # of one site of an archive that are learned from
_LINES = {
    "search_error": "search or not: wrong",
    "search_precision": "search or not: precision",
    "search_recall": "search or not: recall",
    "search_f1": "search or not: F1",
    "type_accuracy": "which of eight types: right",
    "door_accuracy": "database or site search: right",
}


@click.group("train")
def command() -> None:
    """Train the models again, and measure them on sites they have not seen."""


@command.command("forms")
@click.option(
    "-o", "--output", default="forms.json", show_default=True, metavar="FILE", help="Write the models to this file."
)
@click.option(
    "--folds/--no-folds",
    default=True,
    show_default=True,
    help="Measure on forms of unseen sites: ten-fold cross-validation.",
)
@click.option(
    "--pages",
    multiple=True,
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Learn from the labelled pages in this file, too: a JSON object a line with site, url, html, and forms, the kinds of its forms in order.",
)
@options.as_json
def forms_command(output: str, folds: bool, pages: tuple[Path, ...], as_json: bool) -> int:
    """Train the models that judge forms, and print how well forms of unseen sites are judged.

    The labelled forms come with `pip install 'dowse[train]'`; simulated ones are added. The models that Dowse uses are not touched: they are
    compared with what was learned. In a checkout, `-o dowse/form/models/forms.json` replaces them.
    """
    if not output or Path(output).is_dir():
        raise BadInput(f"-o needs the name of a file, not {output or 'nothing'}")
    from dowse.form.judge import load_models
    from dowse.train.forms import (
        FormTables,
        compare_models,
        describe_examples,
        find_data,
        read_examples,
        read_labelled_pages,
        simulate_examples,
        train,
    )

    find_data()  # where it is missing, nothing else is said
    note("dowse: reading the labelled forms")
    examples = read_examples()
    beside = [*simulate_examples(), *(example for path in pages for example in read_labelled_pages(path))]
    note(f"dowse: learning from {len(examples):,} forms of the web and {len(beside):,} beside")
    models = train(FormTables(describe_examples([*examples, *beside])))
    difference = compare_models(models, load_models())
    size = _write(models, Path(output))
    figures = _judge_unseen(examples, beside) if folds else None
    if as_json:
        print_json(_as_dict(figures, output, size, difference))
    else:
        _print(figures, output, size, difference)
    return 0


def _write(models: Models, path: Path) -> int:
    from dowse.train.forms import write_models

    try:
        return write_models(models, path)
    except OSError as error:
        raise BadInput(f"{path} cannot be written: {(error.strerror or str(error)).lower()}") from None


def _judge_unseen(examples: Sequence[LabelledForm], beside: Sequence[LabelledForm]) -> FormFigures:
    from dowse.train.forms import judge_unseen, measure

    return measure(judge_unseen(examples, lambda line: note(f"dowse: {line}"), beside))


def _as_dict(figures: FormFigures | None, output: str, size: int, difference: ModelDifference) -> dict[str, Any]:
    from dowse.train.forms import FormFigures as Figures

    row = asdict(figures) if figures else {each.name: None for each in fields(Figures)}
    return {**row, "path": output, "bytes": size, "as_shipped": difference.none}


def _print(figures: FormFigures | None, output: str, size: int, difference: ModelDifference) -> None:
    if figures:
        click.echo(
            f"{figures.forms:,} forms of {figures.domains:,} domains, each judged by models that have not seen its domain:"
        )
        values = asdict(figures)
        click.echo(table([(line, f"{values[name]:.1%}") for name, line in _LINES.items()]))
        if figures.unread:
            click.echo(f"  {figures.unread:,} forms that a browser does not see count as taken for other")
    click.echo(f"{output}: {size:,} bytes, {_compare(difference)}")


def _compare(difference: ModelDifference) -> str:
    if difference.none:
        return "identical with the models that come with Dowse"
    return (
        f"not the models that come with Dowse: weights differ by up to {difference.weight:.2f}, "
        f"{difference.facts:,} facts are weighed by one of them only"
    )


@command.command("links")
@click.option(
    "-o", "--output", default="links.json", show_default=True, metavar="FILE", help="Write the model to this file."
)
@click.option(
    "--sites",
    type=click.IntRange(20, 20_000),
    default=2400,
    show_default=True,
    metavar="N",
    help="Sites to learn from.",
)
@click.option(
    "--seed", type=int, default=1, show_default=True, metavar="N", help="Seed of the simulated sites and of the walks."
)
@click.option(
    "--archive",
    metavar="DIR",
    help="Learn from real sites, too: a folder of web archives, as `dowse find --strategy exhaustive:10 --warc DIR` writes it.",
)
@click.option("--seeds", metavar="FILE", help="The entrances of the sites in the archive, one to a line.")
@options.as_json
def links_command(output: str, sites: int, seed: int, archive: str | None, seeds: str | None, as_json: bool) -> int:
    """Train the model by which the learned strategy follows links, and print how it does on sites it has not seen.

    It learns from simulated sites of template family A, and from real ones where an archive is given; a quarter as many
    simulated ones are kept apart to measure on. The model that Dowse uses is not touched. In a checkout,
    `-o dowse/strategy/models/links.json` replaces it; the one that comes with Dowse learned from real software, too
    (`python -m bench links`).
    """
    _check_output(output)
    if bool(archive) != bool(seeds):
        raise BadInput("--archive and --seeds go together: the pages of real sites, and where each site is entered")
    from dowse.sim import World
    from dowse.train.links import (
        REAL_WEIGHT,
        TrainingSites,
        measure_named,
        measure_settings,
        record_world,
        set_worths,
        train_links,
        write_model,
    )

    def say(line: str) -> None:
        note(f"dowse: {line}")

    apart = max(5, sites // 4)
    world = World(seed=seed + 100, sites=sites + apart)
    recordings = record_world(world, range(sites + apart), say)
    apart = min(apart, len(recordings) // 4)
    groups = [TrainingSites(recordings[:-apart])]
    if archive and seeds:
        groups.append(TrainingSites(_record_real(archive, seeds, say), REAL_WEIGHT))
    model = train_links(groups, seed=seed, say=say)
    unseen = recordings[-apart:]
    say(f"choosing what a page must promise on {len(unseen):,} sites that were not learned from")
    settings = measure_settings(model, unseen)
    model = set_worths(model, {worth: each.coverage for worth, each in settings.items()})
    figures = [measure_named("exhaustive:3", unseen), *settings.values()]
    try:
        size = write_model(model, Path(output))
    except OSError as error:
        raise BadInput(f"{output} cannot be written: {(error.strerror or str(error)).lower()}") from None
    if as_json:
        worths = {"page_worth": model.page_worth, "thorough_worth": model.thorough_worth}
        print_json({"figures": [asdict(each) for each in figures], **worths, "path": output, "bytes": size})
    else:
        _print_links(figures, len(unseen), model, f"{output}: {size:,} bytes")
    return 0


@command.command("levels")
@click.argument("sites", nargs=-1, required=True, metavar="SITE...")
@click.option("--topic", required=True, metavar="FILE", help="The topic, a file that `dowse topic new` has made.")
@click.option(
    "--searxng", default="", metavar="URL", help="Look up pages that name these sites with this SearXNG instance."
)
@options.fetching
@options.as_json
def levels_command(sites: tuple[str, ...], topic: str, searxng: str, as_json: bool, **fetch_options: Any) -> int:
    """Train the link model of `levels:N` for a topic of your own, by a crawl backward from sites that have query forms on it.

    Up to 25 pages of each SITE are read, and with --searxng up to five pages that name it: from pages with forms on the topic back to
    pages that lead there. The model is written beside the file of the topic, where `dowse find --topic FILE --strategy levels:3` finds it.
    """
    import asyncio

    import msgspec

    from dowse.seeds.lists import read_seed
    from dowse.strategy.levels import levels_beside
    from dowse.topic import load_topic

    if not topic.endswith(".json"):
        raise BadInput(
            f"--topic takes the file of a topic of your own, not {topic!r}: topics that come with Dowse have their models"
        )
    wanted, seeds = load_topic(topic), [read_seed(each) for each in sites]
    settings = options.fetch_settings([seed.entrance for seed in seeds], **fetch_options)
    models = asyncio.run(_learn_levels(wanted, seeds, searxng, settings))
    output = levels_beside(topic)
    try:
        size = output.write_bytes(msgspec.json.encode(models) + b"\n")
    except OSError as error:
        raise BadInput(f"{output} cannot be written: {(error.strerror or str(error)).lower()}") from None
    if as_json:
        print_json(
            {"links": list(models[-1].links), "words": len(models[-1].weights), "path": str(output), "bytes": size}
        )
        return 0
    rows = [(level, links) for level, links in enumerate(models[-1].links, 1)]
    click.echo(table([("clicks to a form", "links"), *rows]))
    click.echo(f"{output}: {size:,} bytes, {say_count(len(models[-1].weights), 'words')}")
    return 0


async def _learn_levels(
    topic: Topic, seeds: Sequence[Seed], searxng: str, settings: FetchSettings
) -> tuple[LevelModel, ...]:
    from random import Random

    from dowse.engine.topical import visit_on_topic
    from dowse.fetch.build import build_fetch
    from dowse.seeds.backlinks import SearxngSearch
    from dowse.train.levels import learn_levels

    async with build_fetch(settings) as fetches:
        backlinks = [SearxngSearch(fetches.within_site, searxng)] if searxng else []
        visit = visit_on_topic(topic, fetches.within_site)
        models = await learn_levels(seeds, topic.name, visit, backlinks, rng=Random(1))
    for way in backlinks:
        if way.refused:
            note(f"dowse: {way.refused}")
    return models


def _check_output(output: str) -> None:
    if not output or Path(output).is_dir():
        raise BadInput(f"-o needs the name of a file, not {output or 'nothing'}")
    if not Path(output).absolute().parent.is_dir():
        raise BadInput(f"{output} cannot be written: there is no folder {Path(output).absolute().parent}")


def _print_links(figures: Sequence[LinkFigures], unseen: int, model: LinkModel, written: str) -> None:
    click.echo(f"{unseen:,} sites that were not learned from:")
    rows = [(each.strategy, each.pages, each.forms, f"{each.harvest:.4f}", f"{each.coverage:.1%}") for each in figures]
    click.echo(table([("strategy", "pages", "query forms", "yield", "coverage"), *rows]))
    click.echo(
        f"{written}; a page has to promise {model.page_worth:g} query forms where many sites wait,"
        f" {model.thorough_worth:g} where none does"
    )


def _record_real(archive: str, seeds: str, say: Callable[[str], None]) -> list[Recording]:
    """Record the sites of a list from a folder of web archives."""
    from dowse.seeds.lists import RefusedLines, read_list
    from dowse.train.links import record_archive

    entrances = list(read_list(seeds, RefusedLines()))
    real = record_archive(archive, entrances, MAX_ARCHIVED_PAGES, say) if entrances else []
    if not real:
        raise BadInput(f"{archive} has no page of the {say_count(len(entrances), 'sites')} in {seeds}")
    say(f"{say_count(len(real), 'sites')} of the archive")
    return real
