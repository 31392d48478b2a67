"""The docs are true: what they name exists, what exists is named, and their examples run."""

from __future__ import annotations

import asyncio
import importlib
import importlib.util
import os
import re
import shlex
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import fields
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any

import click
import orjson
import pytest

from tests.served import serve_world
from tests.test_architecture import LAYERS

PROOF_DATA = ("docs/howto.md",)
ROOT = Path(__file__).parent.parent
PACKAGE = ROOT / "dowse"
PAGES = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md")])
HARD_LIMIT = 1000  # seconds after which an example counts as hanging
SIM_PORT = "8421"  # what the docs say; the tests take a free one
BLOCK = re.compile(r"(<!-- run -->\n)?^```(\w+)\n(.*?)^```$", re.DOTALL | re.MULTILINE)

OUTPUT = re.compile(r"<!-- output -->\n```text\n(.*?)^```$", re.DOTALL | re.MULTILINE)
NUMBER = re.compile(r"\d[\d,]*(?:\.\d+)?")


def _load_generator() -> ModuleType:
    spec = importlib.util.spec_from_file_location("generate", ROOT / "docs" / "generate.py")
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


generate = _load_generator()


def blocks(page: Path, language: str) -> list[tuple[bool, str]]:
    """Return the examples of a page in one language, and whether each is marked to be run."""
    found = BLOCK.findall(page.read_text())
    return [(bool(mark), text) for mark, name, text in found if name == language]


def name_of(page: Path) -> str:
    return str(page.relative_to(ROOT))


# the reference


def test_the_reference_is_as_the_program_is() -> None:
    written = (ROOT / "docs" / "reference.md").read_text()
    assert written.split() == generate.build_reference().split(), "run .venv/bin/python docs/generate.py"


def test_every_command_and_option_is_documented() -> None:
    text = (ROOT / "docs" / "reference.md").read_text()
    for path, command, _ in generate.find_commands():
        section = text.partition(f"### {path}\n")[2].partition("\n###")[0]
        assert section, f"docs/reference.md lacks {path}"
        for flag in [flag for each in command.params for flag in each.opts if isinstance(each, click.Option)]:
            assert flag in section, f"docs/reference.md lacks {flag} of {path}"


def test_the_how_to_shows_every_command() -> None:
    text = (ROOT / "docs" / "howto.md").read_text()
    assert not [path for path, _, _ in generate.find_commands() if path not in text]


def test_every_strategy_table_and_column_is_documented() -> None:
    from dowse.strategy import STRATEGIES

    text = (ROOT / "docs" / "reference.md").read_text()
    assert not [name for name in STRATEGIES if f"| `{name}` |" not in text]
    for table, columns in generate.read_tables().items():
        section = text.partition(f"### {table}\n")[2].partition("\n##")[0]
        assert not [name for name, _, _ in columns if f"| `{name}` |" not in section], table


# the pages


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_links_lead_somewhere(page: Path) -> None:
    for target in re.findall(r"\]\(([^)\s]+)\)", page.read_text()):
        assert "://" not in target, f"{target}: the docs link to nothing outside"
        file, _, section = target.partition("#")
        place = (page.parent / file).resolve() if file else page
        assert place.exists(), f"{target} is not there"
        if section:
            heads = re.findall(r"^#+ (.*)$", place.read_text(), re.MULTILINE)
            assert section in {re.sub(r"[^\w -]", "", head).lower().replace(" ", "-") for head in heads}, target


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_files_that_are_named_exist(page: Path) -> None:
    named = re.findall(r"`((?:dowse|tests|docs|bench)/[a-z_/\d]+\.(?:py|md|json))`", page.read_text())
    assert not [name for name in named if not (ROOT / name).exists() and not name.startswith("docs/bench/")]


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_constants_have_the_values_that_are_told(page: Path) -> None:
    for place, told in re.findall(r"^\| `([a-z_.]+\.[A-Z_]+)` \| ([\d.]+) \|", page.read_text(), re.MULTILINE):
        module, _, name = place.rpartition(".")
        assert getattr(importlib.import_module(f"dowse.{module}"), name) == float(told), place


def test_every_setting_of_fetching_is_told_with_its_default() -> None:
    from dowse.settings import FetchSettings

    text = (ROOT / "docs" / "fetch.md").read_text()
    for each in fields(FetchSettings):
        assert f"| `{each.name}` | {each.default!r} |" in text, each.name


def test_every_trap_is_told() -> None:
    from dowse.frontier.traps import _PARAMETERS, _WORDS_IN_PATH
    from dowse.reasons import Trap

    text = (ROOT / "docs" / "traps.md").read_text()
    views = {row[0] for row in (*_PARAMETERS, *_WORDS_IN_PATH)}
    assert not [trap for trap in Trap if trap not in views and f"`trap: {trap}`" not in text]
    assert not [view for view in views if view not in text]


def test_every_reason_to_skip_or_stop_is_told() -> None:
    from dowse.reasons import SkipKind, StopReason

    text = (ROOT / "docs" / "traps.md").read_text()
    own_words = {SkipKind.TRAP, SkipKind.STOPPED, SkipKind.NOT_REQUESTED, SkipKind.NOT_CHOSEN}
    assert not [kind for kind in SkipKind if kind not in own_words and f"`{kind}" not in text]
    site = (
        StopReason.SITE_PAGES,
        StopReason.NO_RESPONSE,
        StopReason.LOW_YIELD,
        StopReason.NO_NEW_FORMS,
        StopReason.NO_NEW_SITES,
    )
    assert not [reason for reason in site if f"`stopped: {reason}`" not in text]


def test_every_kind_of_form_is_told() -> None:
    from dowse.model import KINDS

    assert not [kind for kind in KINDS if f"`{kind}`" not in (ROOT / "docs" / "glossary.md").read_text()]


def test_make_has_the_targets_that_are_told() -> None:
    targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))
    for page in PAGES:
        assert set(re.findall(r"`?\bmake ([a-z-]+)(?=`| ARGS| {2,}#)", page.read_text())) <= targets, page


# the architecture


def test_the_layers_are_those_of_the_program() -> None:
    text = (ROOT / "docs" / "architecture.md").read_text()
    rows = re.findall(r"^\| \d \| ([^|]*) \|", text, re.MULTILINE)
    assert [tuple(re.findall(r"`(\w+)`", row)) for row in rows] == [tuple(layer) for layer in LAYERS]
    kept = re.findall(r"\[`(\w+)`\]", text)
    assert not [name for name in kept if (PACKAGE / name).exists() or (PACKAGE / f"{name}.py").exists()]


def test_one_page_passes_through_the_files_that_are_named(tmp_path: Path) -> None:
    text = (ROOT / "docs" / "architecture.md").read_text()
    passed = asyncio.run(
        _trace_page(
            "http://www.raven-cars2.example/busqueda-de-semillas-949.html",
            str(tmp_path / "traced.db"),
        )
    )
    assert not [name for name in passed if f"`dowse/{name}`" not in text]
    told = int(re.findall(r"^(\d+) files of `dowse`", text, re.MULTILINE)[0])
    assert len(passed) <= told, f"{len(passed)} files: {sorted(passed)}"


async def _trace_page(url: str, db: str) -> set[str]:
    """Return the files of dowse that a page passes through, from its link being taken to its row."""
    from dowse.engine.find import begin_run
    from dowse.engine.workers import search_sites
    from dowse.fetch.build import wrap_fetch
    from dowse.seeds.lists import read_seed
    from dowse.settings import FindSettings
    from dowse.sim import World, simulate
    from dowse.store import open_store

    passed: set[str] = set()
    watching: set[str] = set()

    def watch(frame: Any, event: str, value: Any) -> None:
        code = frame.f_code
        if not code.co_filename.startswith(f"{PACKAGE}/"):
            return
        name = code.co_qualname
        if event == "return" and name == "_Search.take" and value is not None and value.link.url == url:
            watching.add("page")
        elif event == "call" and name == "_Search.take":
            watching.discard("page")
        elif name == "Store.commit" and event in ("call", "return"):
            watching.add("row") if event == "call" else watching.discard("row")
        if event == "call" and watching:
            passed.add(str(Path(code.co_filename).relative_to(PACKAGE)))

    settings = FindSettings(discover=False, jobs=1)
    fetch = wrap_fetch(simulate(World(1, 300))).within_site
    with open_store(db) as store:
        run = begin_run(store, [read_seed("/".join(url.split("/")[:3]))], settings)
        threading.setprofile(watch)
        sys.setprofile(watch)
        try:
            async for _ in search_sites(store, run, fetch, settings):
                pass
        finally:
            sys.setprofile(None)
            threading.setprofile(None)
        assert url in {form["page"] for form in store.forms()}
    return {name for name in passed if not name.startswith("sim/")}


# the examples


def shell_lines() -> list[tuple[str, str]]:
    """Return every `dowse` call in the docs with the page it stands on."""
    found = []
    for page in PAGES:
        for _, text in blocks(page, "sh"):
            plain = re.sub(r"<<'(\w+)'\n.*?^\1$", "", text.replace("\\\n", " "), flags=re.DOTALL | re.MULTILINE)
            found += [(name_of(page), line) for line in plain.splitlines() if re.search(r"(?:^|\| )dowse ", line)]
    return found


@pytest.mark.parametrize(("page", "line"), shell_lines(), ids=[f"{page}: {line}" for page, line in shell_lines()])
def test_shell_examples_have_options_that_exist(page: str, line: str) -> None:
    from dowse.cli import options
    from dowse.cli.main import dowse
    from dowse.settings import FetchSettings

    words = shlex.split(line[re.search(r"(?:^|\| )dowse ", line).end() :], comments=True)  # type: ignore[union-attr]
    end = next((place for place, word in enumerate(words) if word in ("|", "||", ">", "<")), len(words))
    arguments, command, ctx = words[:end], dowse, None
    while True:
        ctx = command.make_context(command.name, list(arguments), parent=ctx)
        if not isinstance(command, click.Group) or not ctx._protected_args:
            break
        _, command, arguments = command.resolve_command(ctx, [*ctx._protected_args, *ctx.args])
    if "connect_to" in ctx.params:
        names = [each.name for each in fields(FetchSettings) if each.name in ctx.params]
        options.fetch_settings(**{name: ctx.params[name] for name in names})
    if ctx.params.get("strategy", "auto") != "auto":
        from dowse.strategy import build_strategy

        build_strategy(ctx.params["strategy"])


@pytest.fixture(scope="module")
def serve_web() -> Iterator[Callable[[str], str]]:
    """What gives the port of `dowse sim` with some options, as the reader has it in a second terminal; one for all pages."""
    with ExitStack() as servers:

        def start(options: str) -> str:
            if not options:  # the usual web, but for its slow servers
                return str(servers.enter_context(serve_world(300)))
            words = [sys.executable, "-m", "dowse", "sim", *shlex.split(options), "--port", "0", "--json"]
            server = servers.enter_context(subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL))
            servers.callback(server.terminate)
            assert server.stdout
            return str(orjson.loads(server.stdout.readline())["port"])

        yield cache(start)


SERVED = re.compile(r"^dowse sim (.*) --port (\d+)$", re.MULTILINE)


def localise(page: Path, script: str, serve_web: Callable[[str], str]) -> str:
    """Return an example with the ports that its webs have here, and with time enough for a busy machine."""
    told = "\n".join(text for mark, text in blocks(page, "sh") if not mark)
    webs = {SIM_PORT: "", **{port: options for options, port in SERVED.findall(told)}}
    script = re.sub("|".join(webs), lambda named: serve_web(webs[named[0]]), script)
    return script.replace("timeout = 2\n", "timeout = 60\n")


RUN_PAGES = [page for page in PAGES if any(mark for mark, _ in blocks(page, "sh"))]
PYTHON_PAGES = [page for page in PAGES if blocks(page, "python")]


@pytest.mark.xdist_group("examples of docs")
@pytest.mark.parametrize("page", RUN_PAGES, ids=name_of)
def test_shell_examples_run(page: Path, serve_web: Callable[[str], str], tmp_path: Path) -> None:
    script = "\n".join(text for mark, text in blocks(page, "sh") if mark)
    path = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
    (tmp_path / "dowse.toml").write_text("delay = 0\n")  # the reader waits a second between two requests
    ran = subprocess.run(
        ["bash", "-e", "-o", "pipefail", "-c", localise(page, script, serve_web)],
        cwd=tmp_path,
        env={**os.environ, "PATH": path},
        capture_output=True,
        text=True,
        timeout=HARD_LIMIT,
    )
    assert ran.returncode == 0, ran.stderr
    assert "Traceback" not in ran.stderr
    for told in OUTPUT.findall(page.read_text()):
        lines = [line for line in told.splitlines() if "..." not in line]
        assert not [line for line in lines if line.rstrip() not in map(str.rstrip, ran.stdout.splitlines())]


@pytest.mark.proof
def test_the_demo_in_the_how_to_is_real() -> None:
    """Every figure but the seconds; where lines were left out, three dots say so."""
    told = next(text for _, text in blocks(ROOT / "docs" / "howto.md", "text") if text.startswith("Find:"))
    ran = subprocess.run(
        [sys.executable, "-m", "dowse", "demo", "--no-serve"], capture_output=True, text=True, timeout=HARD_LIMIT
    )
    said = [line.partition(" read in ")[0].rstrip() for line in ran.stdout.splitlines()]
    for line in told.splitlines():
        shown = line.partition(" read in ")[0].rstrip()
        assert shown.strip() == "..." or any(says_nearly(shown, other) for other in said), line


def says_nearly(line: str, other: str) -> bool:
    """Return True for the same words with figures that differ by a hundredth at most, or by one: sites are searched side by side, and which is done first decides about a page or two."""
    if NUMBER.sub("0", line).split() != NUMBER.sub("0", other).split():
        return False
    pairs = zip(NUMBER.findall(line), NUMBER.findall(other), strict=True)
    figures = ((float(one.replace(",", "")), float(two.replace(",", ""))) for one, two in pairs)
    return all(abs(one - two) <= max(1, one / 100) for one, two in figures)


@pytest.mark.parametrize(
    ("other", "nearly"),
    [
        ("310 sites searched and 3,511 pages", True),
        ("310 sites searched and 3,213 pages", False),
        ("310 sites found and 3,513 pages", False),
    ],
    ids=["a page or two", "a tenth less", "another word"],
)
def test_figures_of_the_demo_are_compared(other: str, nearly: bool) -> None:
    assert says_nearly("310 sites searched and 3,513 pages", other) is nearly


@pytest.mark.parametrize("page", PYTHON_PAGES, ids=name_of)
def test_python_examples_run(page: Path, tmp_path: Path) -> None:
    for _, text in blocks(page, "python"):
        ran = subprocess.run(
            [sys.executable, "-c", text], cwd=tmp_path, capture_output=True, text=True, timeout=HARD_LIMIT
        )
        assert ran.returncode == 0, ran.stderr
        assert ran.stdout


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_config_examples_are_read(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from dowse.cli.main import run

    monkeypatch.chdir(tmp_path)
    for _, text in blocks(page, "toml"):
        Path("dowse.toml").write_text(text)
        assert run(["find", "--help"]) == 0
        assert run(["sim", "--sites", "1", "--truth"]) == 0  # reads the file, and is done at once
