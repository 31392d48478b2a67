"""dowse.toml: any option of any command; flags win.

Keys at the top go to every command that has the option, a table goes to one command:

    delay = 2.0
    [find]
    strategy = "exhaustive:2"
"""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import click

from dowse.errors import BadInput

DEFAULT = "dowse.toml"


def read_config(path: str | None, ctx: click.Context) -> dict[str, Any]:
    """Return the options of a config file by command; an unknown one is a mistake."""
    place = Path(path or DEFAULT)
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


def _options(ctx: click.Context) -> dict[str, dict[str, str]]:
    """Return the options of each command: as written in the file -> as the command knows them."""
    group = ctx.command
    assert isinstance(group, click.Group)
    found = {}
    for name in group.list_commands(ctx):
        command = group.get_command(ctx, name)
        parameters = command.params if command else []
        found[name] = {
            flag.lstrip("-"): str(p.name)
            for p in parameters
            for flag in (*p.opts, *p.secondary_opts)
            if flag.startswith("--")
        }
    return found


def _by_command(content: dict[str, Any], options: dict[str, dict[str, str]], place: Path) -> dict[str, Any]:
    result: dict[str, dict[str, Any]] = {name: {} for name in options}
    general = {key: value for key, value in content.items() if not isinstance(value, dict)}
    for key, value in general.items():
        owners = [name for name, known in options.items() if key.replace("_", "-") in known]
        if not owners:
            raise BadInput(f"{place}: no command has an option {key!r}")
        for name in owners:
            result[name][options[name][key.replace("_", "-")]] = value
    for name, table in content.items():
        if isinstance(table, dict):
            result.setdefault(name, {}).update(_of_command(name, table, options, place))
    return result


def _of_command(name: str, table: dict[str, Any], options: dict[str, dict[str, str]], place: Path) -> dict[str, Any]:
    if name not in options:
        raise BadInput(f"{place}: there is no command {name!r}; there is {', '.join(options)}")
    chosen = {}
    for key, value in table.items():
        flag = key.replace("_", "-")
        if flag not in options[name]:
            raise BadInput(f"{place}: `dowse {name}` has no option {key!r}")
        chosen[options[name][flag]] = value
    return chosen
