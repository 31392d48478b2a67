"""Mistakes people make: one clear line, exit code 2, no traceback."""

from __future__ import annotations

import socket
import sqlite3
from pathlib import Path

import pytest

from tests.cli.conftest import Dowse

MISTAKES = [
    ("no such command", ["fnd"], "there is no command 'fnd'; did you mean `dowse find`?"),
    ("no such option", ["find", "--nope"], "No such option"),
    ("a seed that is no address", ["find", "foo"], "'foo' is not a web address"),
    ("a seed of another scheme", ["find", "ftp://example.com/"], "is not a web address"),
    ("no seed and nothing waiting", ["find"], "no site is waiting"),
    ("a list that is not there", ["find", "--seeds", "none.txt"], "none.txt cannot be read: no such file"),
    ("an import that is not there", ["sites", "import", "none.txt"], "none.txt cannot be read"),
    ("no such strategy", ["find", "a.example", "--strategy", "clever"], "no strategy is called 'clever'"),
    ("a bad depth", ["find", "a.example", "--strategy", "exhaustive:x"], "exhaustive takes a depth"),
    ("a bad number", ["find", "a.example", "--sites", "many"], "Invalid value for '--sites'"),
    ("zero pages", ["find", "a.example", "--pages", "0"], "Invalid value for '--pages'"),
    ("a bad rule", ["find", "a.example", "--connect-to", "x"], "connect-to"),
    ("a private target without leave", ["find", "a.example", "--connect-to", "*=127.0.0.1:80"], "--allow-private"),
    ("no database to look into", ["sites"], "there is no database"),
    ("nothing to export", ["export", "forms"], "there is no database"),
    ("nothing to explain", ["explain", "http://a.example/"], "there is no database"),
    ("records", ["export", "records"], "there is no database"),
    ("a folder as a database", ["find", "a.example", "--db", "/tmp"], "folder"),
    ("a database in no folder", ["find", "a.example", "--db", "/nowhere/x.db"], "does not exist"),
    ("a config that is not there", ["--config", "none.toml", "sites"], "none.toml cannot be read"),
    ("a file that is not there", ["inspect", "none"], "neither a web address nor a file"),
    ("nothing to inspect", ["inspect"], "Missing argument"),
    ("too many sites", ["sim", "--sites", "3000000"], "Invalid value for '--sites'"),
    ("line breaks in the contact", ["find", "a.example", "--contact", "me\r\nX: y"], "line breaks"),
    (
        "letters that no User-Agent holds",
        ["inspect", "a.example", "--contact", "ü@a.example"],
        "--contact 'ü@a.example'",
    ),
    ("a recording that is not there", ["find", "a.example", "--replay", "/nowhere"], "/nowhere"),
]
LONG = "n" * 256  # no file system takes so long a name
MISTAKES += [
    (f"a name that is too long for {' '.join(arguments)}", [*arguments, LONG], "too long")
    for arguments in (
        ["find", "--seeds"],
        ["find", "a.example", "--db"],
        ["sites", "--db"],
        ["export", "forms", "--db"],
        ["find", "a.example", "--replay"],
        ["inspect", "a.example", "--warc"],
        ["sites", "import"],
        ["domain", "build"],
        ["follow"],
        ["inspect"],
        ["like", "a.example", "--entry", "a.example", "-o"],
    )
]
MISTAKES += [
    ("a config with a long name", ["--config", LONG, "sites"], "file name too long"),
    ("an address that is too long", ["inspect", f"http://a.example/{'x' * 10_000}"], "is not a web address"),
]


@pytest.mark.parametrize(("arguments", "words"), [row[1:] for row in MISTAKES], ids=[row[0] for row in MISTAKES])
def test_mistakes_get_one_line(dowse: Dowse, arguments: list[str], words: str) -> None:
    outcome = dowse(*arguments)
    assert outcome.code == 2
    assert words in outcome.err
    assert len(outcome.err.strip().splitlines()) == 1
    assert not outcome.out
    assert not list(Path.cwd().glob("dowse.db*")), "a mistake left a database behind"


def test_no_arguments_shows_the_help(dowse: Dowse) -> None:
    assert "Commands:" in dowse().out


def test_version(dowse: Dowse) -> None:
    outcome = dowse("--version")
    assert outcome.code == 0
    assert outcome.out.startswith("dowse ")


def test_a_database_of_another_program(dowse: Dowse) -> None:
    with sqlite3.connect("dowse.db") as other:
        other.execute("CREATE TABLE t (x)")
    outcome = dowse("find", "a.example")
    assert (outcome.code, outcome.err) == (2, "dowse: dowse.db is a database of another program; give another --db\n")


def test_a_port_in_use(dowse: Dowse) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        outcome = dowse("sim", "--port", str(taken.getsockname()[1]))
    assert outcome.code == 2
    assert "in use" in outcome.err
    assert len(outcome.err.splitlines()) == 1


CONFIGS = [
    ("not TOML", "delay = = 1", "is not TOML"),
    ("unknown option", "dely = 1", "no command has an option 'dely'"),
    ("unknown option of a command", "[find]\ndely = 1", "`dowse find` has no option 'dely'"),
    ("unknown command", "[fnd]\ndelay = 1", "there is no command 'fnd'"),
    ("unknown option below", "[sites.discover]\ndely = 1", "`dowse sites discover` has no option 'dely'"),
    ("unknown command below", "[sites.discovr]\ndelay = 1", "`dowse sites` has no option 'discovr'"),
    ("a bad value", "delay = 'slow'", "Invalid value for '--delay'"),
    ("a number for a switch", "allow-private = 1", "allow-private is true or false, not 1"),
    ("one value for a list", "connect-to = 'a=b:1'", 'connect-to takes a list, as in connect-to = ["a=b:1"]'),
    ("a list for one value", "[find]\ndelay = [1, 2]", "delay takes one value, not a list"),
]


@pytest.mark.parametrize(("content", "words"), [row[1:] for row in CONFIGS], ids=[row[0] for row in CONFIGS])
def test_mistakes_in_the_config(dowse: Dowse, content: str, words: str) -> None:
    Path("dowse.toml").write_text(content)
    outcome = dowse("find", "a.example")
    assert outcome.code == 2
    assert words in outcome.err
    assert len(outcome.err.splitlines()) == 1


def test_the_config_holds_options_and_flags_win(dowse: Dowse) -> None:
    Path("dowse.toml").write_text('db = "general.db"\n[sites]\nlimit = 1\n')
    Path("list").write_text("a.example\nb.example\n")
    assert dowse("sites", "import", "list").code == 0
    assert Path("general.db").exists()
    assert len(dowse("sites", "--json").json["sites"]) == 1  # type: ignore[arg-type]
    assert len(dowse("sites", "--json", "--limit", "2").json["sites"]) == 2  # type: ignore[arg-type]
