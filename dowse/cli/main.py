"""`dowse`: finds the command, reads dowse.toml, turns mistakes into one line.

dowse.toml holds any option of any command; flags win. Keys at the top go to every command that has the option, a table
goes to one command:

    delay = 2.0
    [find]
    strategy = "exhaustive:2"
    [sites.discover]
    jobs = 8
"""

from __future__ import annotations

import contextlib
import errno
import json
import os
import sys
import tomllib
from collections.abc import Iterator
from difflib import get_close_matches
from importlib import import_module
from pathlib import Path
from typing import Any

import click

from dowse import __version__
from dowse.errors import BadInput, DowseError

DEFAULT_CONFIG = "dowse.toml"  # in the working folder


def read_config(path: str | None, ctx: click.Context) -> dict[str, Any]:
    """Return the options of a config file by command; an unknown one is a mistake."""
    place = Path(path or DEFAULT_CONFIG)
    if path is None and not place.is_file():
        return {}
    try:
        with place.open("rb") as stream:
            content = tomllib.load(stream)
    except OSError as error:
        raise BadInput(f"{place} cannot be read: {(error.strerror or str(error)).lower()}") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise BadInput(f"{place} is not TOML: {error}") from None
    return _by_command(content, _options(ctx), place)


def _options(ctx: click.Context) -> dict[str, dict[str, click.Option]]:
    """Return the options of each command, as in `find` and `sites.discover`: as written in the file -> as the command knows them."""
    group = ctx.command
    assert isinstance(group, click.Group)
    found = {}
    for name in group.list_commands(ctx):
        command = group.get_command(ctx, name)
        found[name] = _flags(command)
        below = command.commands if isinstance(command, click.Group) else {}
        found |= {f"{name}.{each}": _flags(below[each]) for each in below}
    return found


def _flags(command: click.Command | None) -> dict[str, click.Option]:
    return {
        flag.lstrip("-"): p
        for p in (command.params if command else [])
        if isinstance(p, click.Option)
        for flag in (*p.opts, *p.secondary_opts)
        if flag.startswith("--")
    }


def _by_command(content: dict[str, Any], options: dict[str, dict[str, click.Option]], place: Path) -> dict[str, Any]:
    """Return the options of a file by command: those for all commands first, then those of one."""
    result: dict[str, dict[str, Any]] = {name: {} for name in options}
    general = {key: value for key, value in content.items() if not isinstance(value, dict)}
    for key, value in general.items():
        flag = key.replace("_", "-")
        owners = [name for name, known in options.items() if flag in known]
        if not owners:
            raise BadInput(f"{place}: no command has an option {key!r}")
        for name in owners:
            if name.partition(".")[0] == name or name.partition(".")[0] not in owners:  # `sites` hands its --db on
                option = options[name][flag]
                result[name][str(option.name)] = _check(option, key, value, place)
    for name, table in _tables(content, options):
        result.setdefault(name, {}).update(_of_command(name, table, options, place))

    # click looks for the options of `sites discover` among those of `sites`
    for name in [each for each in result if "." in each]:
        group, _, command = name.partition(".")
        result[group][command] = result.pop(name)
    return result


def _tables(
    content: dict[str, Any], options: dict[str, dict[str, click.Option]]
) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield the tables of a file with the commands they are for: [find], and [sites.discover] beside [sites]."""
    for name, table in content.items():
        if isinstance(table, dict):
            below = {key: each for key, each in table.items() if isinstance(each, dict) and f"{name}.{key}" in options}
            yield name, {key: value for key, value in table.items() if key not in below}
            yield from ((f"{name}.{key}", each) for key, each in below.items())


def _check(option: click.Option, key: str, value: Any, place: Path) -> Any:
    """Return a value of the file, where the option can have one of its sort."""
    if option.is_flag and not isinstance(value, bool):
        raise BadInput(f"{place}: {key} is true or false, not {value!r}")
    if option.multiple and not isinstance(value, list):
        raise BadInput(f"{place}: {key} takes a list, as in {key} = [{json.dumps(value, default=str)}]")
    if isinstance(value, list) and not option.multiple and option.nargs == 1:
        raise BadInput(f"{place}: {key} takes one value, not a list")
    return value


def _of_command(
    name: str, table: dict[str, Any], options: dict[str, dict[str, click.Option]], place: Path
) -> dict[str, Any]:
    if name not in options:
        known = ", ".join(each for each in options if "." not in each)
        raise BadInput(f"{place}: there is no command {name!r}; there is {known}")
    chosen = {}
    for key, value in table.items():
        flag = key.replace("_", "-")
        if flag not in options[name]:
            raise BadInput(f"{place}: `dowse {name.replace('.', ' ')}` has no option {key!r}")
        option = options[name][flag]
        chosen[str(option.name)] = _check(option, key, value, place)
    return chosen


# name -> module with a click command called `command`, or as it says after the colon, and its line in --help
COMMANDS = {
    "demo": ("dowse.cli.demo", "Show find, harvest, like and follow on a simulated web, offline, in under a minute."),
    "find": ("dowse.cli.find", "Find sites and their query forms."),
    "sources": ("dowse.cli.sources", "List the databases that were found, the best first, or those about some words."),
    "show": (
        "dowse.cli.sources:show_command",
        "Show one of them: what can be asked, its forms, why it is taken for one.",
    ),
    "forms": ("dowse.cli.sources:forms_command", "List the forms of all kinds that were found."),
    "sample": ("dowse.cli.sample", "Estimate what strategies would yield on a list of sites, by trying them on a few."),
    "sites": ("dowse.cli.sites", "Show the known sites, import a list of them, or find more."),
    "inspect": ("dowse.cli.inspect", "Show what Dowse sees in a page."),
    "probe": ("dowse.cli.probe", "Send a search form a few polite queries: does a database answer?"),
    "harvest": ("dowse.cli.harvest", "Extract the records behind a search form, and estimate how many are left."),
    "overlap": (
        "dowse.cli.overlap",
        "Estimate how many records a database has by what several harvests of it have in common.",
    ),
    "domain": (
        "dowse.cli.domain",
        "Make domain statistics tables: values of one database, to harvest similar databases.",
    ),
    "like": ("dowse.cli.like", "Make a crawler for all pages like one: a sample and an entry point are enough."),
    "follow": ("dowse.cli.follow", "Run such a crawler, for all pages or for new ones only."),
    "explain": ("dowse.cli.explain", "Explain why an address was or was not fetched, its forms kept or not."),
    "export": ("dowse.cli.export", "Write sites, forms or records as JSONL, CSV or Parquet."),
    "topic": (
        "dowse.cli.topic",
        "Make topics from a few pages or words, list and show them: what pages and forms are about.",
    ),
    "train": ("dowse.cli.train", "Train the models again, and measure them on sites they have not seen."),
    "sim": ("dowse.cli.sim", "Serve a simulated web with known truth."),
}

_OUTPUT_ERRORS = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO}  # why an output cannot be written
_MAX_NAME_SHOWN = 80  # characters of a file name that is too long


class Commands(click.Group):
    """Loads a command's module only when the command is used."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names, in the order in which a newcomer needs them."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        """Load a command."""
        if name not in COMMANDS:
            return None
        module, _, attribute = COMMANDS[name][0].partition(":")
        found: click.Command = getattr(import_module(module), attribute or "command")
        return found

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the command; a mistyped one gets the nearest as a suggestion."""
        name = args[0]
        if name not in COMMANDS and not name.startswith("-"):
            near = get_close_matches(name, COMMANDS, n=1)
            known = f"did you mean `dowse {near[0]}`?" if near else f"there are {', '.join(COMMANDS)}"
            ctx.fail(f"there is no command {name!r}; {known}")
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List the commands without loading them."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, line) for name, (_, line) in COMMANDS.items()])


@click.command(cls=Commands, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(__version__, message="dowse %(version)s")
@click.option("--config", metavar="FILE", help="Options from this file instead of dowse.toml in the working folder.")
@click.pass_context
def dowse(ctx: click.Context, config: str | None) -> None:
    """Find the databases hidden behind search forms on the web, and extract their records.

    Start with `dowse demo`. `dowse COMMAND --help` shows a command's options.
    """
    ctx.default_map = read_config(config, ctx)


def run(arguments: list[str]) -> int:
    """Run the command line and return its exit code: 0, 1, 2, 3 or 130."""
    try:
        return _run(arguments)
    except click.exceptions.NoArgsIsHelpError as error:
        click.echo(error.format_message())
        return 2
    except click.UsageError as error:
        command = error.ctx.command_path if error.ctx else "dowse"
        if isinstance(error, click.NoSuchOption) and error.option_name == "--db":
            return _fail(f"`{command}` uses no database: leave --db out (see `{command} --help`)", 2)
        return _fail(f"{error.format_message()} (see `{command} --help`)", 2)
    except click.ClickException as error:
        return _fail(error.format_message(), 2)
    except DowseError as error:
        return _fail(str(error), error.exit_code)
    except (click.Abort, KeyboardInterrupt):
        return _fail("interrupted", 130)
    except OSError as error:
        return _fail_for_system(error)


def _fail_for_system(error: OSError) -> int:
    """Say in one line what the system refuses: a file name, or to write the output."""
    if error.errno == errno.ENAMETOOLONG:
        return _fail(f"{str(error.filename or 'a file')[:_MAX_NAME_SHOWN]}...: the file name is too long", 2)
    if error.errno not in _OUTPUT_ERRORS:
        raise error
    with contextlib.suppress(OSError):
        sys.stdout = open(os.devnull, "w")  # noqa: SIM115 (what is left in it is not tried again at the end)
    return _fail(f"the output cannot be written: {(error.strerror or str(error)).lower()}", 1)


def _run(arguments: list[str]) -> int:
    code: Any = dowse.main(arguments, prog_name="dowse", standalone_mode=False)
    if sys.stdout is not None:
        sys.stdout.flush()
    return code if isinstance(code, int) else 0


def _fail(line: str, code: int) -> int:
    click.echo(f"dowse: {' '.join(line.split())}", err=True)
    return code
