"""The programs of the real web: installed, filled, started, ended."""

from __future__ import annotations

import hashlib
import importlib
import json
import shutil
import subprocess
import time
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType

from bench.install import Missing
from bench.realweb import processes
from bench.realweb.data import Record, write_jsonl
from bench.realweb.place import HOME, PROXY_PORT, Place, Server
from bench.realweb.proxy import proxy_command, write_config

# A program keeps its port, so a new one is added at the end.
NAMES = (
    "hub",
    "flaskadmin",
    "fossil",
    "fab",
    "drf",
    "djangotables",
    "sqladmin",
    "hgweb",
    "papis",
    "phpliteadmin",
    "mezzanine",
    "machina",
    "wagtail",
    "shaarli",
    "calibre",
    "namazu",
    "jsonserver",
    "cartridge",
    "devpi",
    "hledger",
    "htdig",
    "djangowiki",
    "kerko",
    "swish",
    "kiwix",
    "cvsweb",
    "helpdesk",
    "py4web",
    "buku",
    "atramhasis",
    "djangoadmin",
    "anitya",
    "spirit",
    "tgcrud",
    "unfold",
    "dpkgwww",
    "usemod",
    "adminer",
    "zoph",
    "cups",
    "nagios",
    "phpldapadmin",
    "awstats",
    "hyperkitty",
)
READY_SECONDS = 90.0
Say = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Program:
    """A recipe (a module of `programs`) and the place where it is carried out."""

    place: Place
    recipe: ModuleType

    @property
    def name(self) -> str:
        return self.place.name


@dataclass(frozen=True, slots=True)
class State:
    """How a program is now."""

    name: str
    version: str
    running: bool
    megabytes: int
    records: int
    install_seconds: float
    fill_seconds: float


def programs(names: Iterable[str] = ()) -> list[Program]:
    """Return the programs of these names, or all of them."""
    chosen = tuple(names) or NAMES
    unknown = sorted(set(chosen) - set(NAMES))
    if unknown:
        raise Missing(f"unknown program: {', '.join(unknown)}; there are {', '.join(NAMES)}")
    return [
        Program(Place(name, PROXY_PORT + 1 + port), importlib.import_module(f"bench.realweb.programs.{name}"))
        for port, name in enumerate(NAMES)
        if name in chosen
    ]


def prepare(chosen: list[Program], say: Say) -> list[Program]:
    """Install and fill what is not yet, two at a time; return the programs that are ready."""
    with ThreadPoolExecutor(2) as workers:
        return [program for program in workers.map(lambda each: _prepare_one(each, say), chosen) if program]


def _prepare_one(program: Program, say: Say) -> Program | None:
    place = program.place
    place.home.mkdir(parents=True, exist_ok=True)
    try:
        _once(place.home / "installed.json", _packages_of(program), lambda: _install(program, say))
        _once(place.home / "filled.json", _digest_of(program), lambda: _fill(program, say))
    except (Missing, OSError, subprocess.SubprocessError) as reason:
        say(f"{program.name} is left out: {reason}")
        return None
    return program


def _once(marker: Path, key: str, work: Callable[[], dict[str, object]]) -> None:
    """Do the work unless the marker says that it was done for this key."""
    if marker.exists() and json.loads(marker.read_text()).get("key") == key:
        return
    began = time.monotonic()
    result = work()
    marker.write_text(json.dumps({"key": key, "seconds": round(time.monotonic() - began, 1), **result}))


def _install(program: Program, say: Say) -> dict[str, object]:
    say(f"{program.name}: installing")
    return {"version": program.recipe.install(program.place)}


def _fill(program: Program, say: Say) -> dict[str, object]:
    say(f"{program.name}: filling")
    place = program.place
    processes.stop(place.home)
    shutil.rmtree(place.state, ignore_errors=True)
    place.state.mkdir(parents=True)
    databases: dict[str, list[Record]] = program.recipe.fill(place)
    folder = place.home / "truth"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    for name, records in databases.items():
        write_jsonl(folder / f"{name}.jsonl", records)
    return {"records": {name: len(records) for name, records in databases.items()}}


def _packages_of(program: Program) -> str:
    return json.dumps(program.recipe.PACKAGES)


def _digest_of(program: Program) -> str:
    """Return a digest of all that filling hangs on: a changed recipe fills its program again."""
    files = sorted(path for path in program.place.recipe.rglob("*") if path.suffix not in {".toml", ".pyc"})
    files = [path for path in files if path.is_file()]
    if program.name == "hub":  # it names all of them
        files += sorted(program.place.recipe.parent.glob("*/truth.toml"))
    return hashlib.sha256(b"".join(path.read_bytes() for path in files)).hexdigest()


def start(ready: list[Program], say: Say) -> list[str]:
    """Start the programs that do not run, and the proxy; return the names of those that do not answer in time."""
    servers = [(program.place, program.recipe.serve(program.place)) for program in ready]
    for place, server in servers:
        if server.command and not processes.running(place.home):
            if not processes.is_free(place.port):
                raise Missing(f"port {place.port} of {place.name} is taken by another program")
            processes.start(place.home, server.command, server.env, server.cwd)
    _start_proxy()
    return [place.name for place, server in servers if not _wait_for(place, server, say)]


def _start_proxy() -> None:
    """Start the proxy for all programs that were filled, or start it again where there are more of them now."""
    filled = [program for program in programs() if (program.place.home / "filled.json").exists()]
    home = HOME / "proxy"
    old = (home / "nginx.conf").read_text() if (home / "nginx.conf").exists() else ""
    config = write_config([(program.place, program.recipe.serve(program.place)) for program in filled])
    if processes.running(home) and config.read_text() != old:
        processes.stop(home)
    if not processes.running(home):
        processes.start(home, proxy_command(config), {})


def _wait_for(place: Place, server: Server, say: Say) -> bool:
    until = time.monotonic() + READY_SECONDS
    while time.monotonic() < until:
        if processes.answers(PROXY_PORT, place.host, server.ready):
            return True
        if server.command and not processes.running(place.home):
            break
        time.sleep(0.1)
    say(f"{place.name} does not answer; see {place.home / 'log'}")
    return False


def stop(chosen: list[Program], say: Say) -> None:
    """End the programs; with the last of them the proxy."""
    for program in chosen:
        if processes.stop(program.place.home):
            say(f"{program.name}: ended")
    if not any(processes.running(HOME / name) for name in NAMES):
        processes.stop(HOME / "proxy")


def state(program: Program) -> State:
    """Return how a program is now."""
    home = program.place.home
    installed = _read(home / "installed.json")
    filled = _read(home / "filled.json")
    return State(
        name=program.name,
        version=installed.get("version", "not installed"),
        running=processes.running(home) is not None,
        megabytes=processes.memory(home),
        records=sum(filled.get("records", {}).values()),
        install_seconds=installed.get("seconds", 0.0),
        fill_seconds=filled.get("seconds", 0.0),
    )


def _read(path: Path) -> dict:
    return json.loads(path.read_text()) if path.exists() else {}
