"""`dowse`: finds the command, reads the config file, turns mistakes into one line."""

from __future__ import annotations

import contextlib
import errno
import os
import sys
from importlib import import_module
from typing import Any

import click

from dowse import __version__
from dowse.cli.config import read_config
from dowse.errors import DowseError

# name -> module with a click command called `command`, and its line in --help
COMMANDS = {
    "demo": ("dowse.cli.demo", "The whole story on a simulated web, offline, in under a minute."),
    "find": ("dowse.cli.find", "Find sites and their query forms."),
    "sample": ("dowse.cli.sample", "Say what strategies would give on a list of sites, by trying them on a few."),
    "sites": ("dowse.cli.sites", "Show the known sites, import a list of them, or look for more."),
    "inspect": ("dowse.cli.inspect", "Show what Dowse sees in a page."),
    "probe": ("dowse.cli.probe", "Ask a search form a few polite questions: does a database answer?"),
    "harvest": ("dowse.cli.harvest", "Draw the records behind a search form, and say how much is left."),
    "domain": ("dowse.cli.domain", "Domain statistics tables: what one source says of others of its kind."),
    "like": ("dowse.cli.like", "Make a crawler for all pages like one: a sample and an entry point are enough."),
    "follow": ("dowse.cli.follow", "Run such a crawler, for all pages or for those added since."),
    "explain": ("dowse.cli.explain", "Say why an address was or was not fetched, its forms kept or not."),
    "export": ("dowse.cli.export", "Write sites, forms or records as JSONL, CSV or Parquet."),
    "train": ("dowse.cli.train", "Train the models again, and say how well they do on sites they have not seen."),
    "sim": ("dowse.cli.sim", "Serve a simulated web with known truth."),
}


_FULL = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO}  # why an output cannot be written


class Commands(click.Group):
    """Loads a command's module only when the command is used."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names in the order of a first day with Dowse."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        """Load a command."""
        if name not in COMMANDS:
            return None
        found: click.Command = import_module(COMMANDS[name][0]).command
        return found

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List the commands without loading them."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, line) for name, (_, line) in COMMANDS.items()])


@click.command(cls=Commands, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(__version__, message="dowse %(version)s")
@click.option("--config", metavar="FILE", help="Options from this file instead of dowse.toml in the working folder.")
@click.pass_context
def dowse(ctx: click.Context, config: str | None) -> None:
    """Find the databases hidden behind search forms on the web, and draw their records out.

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
        return _fail(f"{error.format_message()} (see `{_help_of(error)}`)", 2)
    except click.ClickException as error:
        return _fail(error.format_message(), 2)
    except DowseError as error:
        return _fail(str(error), error.exit_code)
    except (click.Abort, KeyboardInterrupt):
        return _fail("interrupted", 130)
    except OSError as error:
        if error.errno not in _FULL:
            raise
        with contextlib.suppress(OSError):
            sys.stdout = open(os.devnull, "w")  # noqa: SIM115 (what is left in it is not tried again at the end)
        return _fail(f"the output cannot be written: {(error.strerror or str(error)).lower()}", 1)


def _run(arguments: list[str]) -> int:
    code: Any = dowse.main(arguments, prog_name="dowse", standalone_mode=False)
    if sys.stdout is not None:
        sys.stdout.flush()
    return code if isinstance(code, int) else 0


def _help_of(error: click.UsageError) -> str:
    return f"{error.ctx.command_path if error.ctx else 'dowse'} --help"


def _fail(line: str, code: int) -> int:
    click.echo(f"dowse: {' '.join(line.split())}", err=True)
    return code
