"""`dowse inspect` on files, and on a page that needs a browser."""

from __future__ import annotations

import re
import subprocess
import sys
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import orjson
import pytest

from dowse.fetch.chromium import NO_BROWSER, find_chromium
from dowse.topic.model import write_topic
from tests.cli.conftest import Dowse
from tests.topics import topic_of

PAGE = """<html lang="en"><title>Books</title><body>
<ul><li><a href="/a">A</a><li><a href="/b">B</a><li><a href="/c">C</a></ul>
<form action="/find"><label>Title <input name="title"></label><input name="author" placeholder="Author"><button>Search books</button></form>
<form action="/find"><label>Title <input name="title"></label><input name="author" placeholder="Author"><button>Search books</button></form>
<form method="post" action="/login"><input name="u"><input type="password" name="p"></form></body></html>"""


def test_for_scripts(dowse: Dowse) -> None:
    Path("page.html").write_text(PAGE)
    seen = dowse("inspect", "page.html", "--base", "http://books.example/", "--json").json
    assert set(seen) == {"page", "topics", "forms", "doors", "link_groups"}
    assert [form["kind"] for form in seen["forms"]] == ["database", "database", "login"]  # type: ignore[attr-defined]
    form = seen["forms"][0]  # type: ignore[index]
    assert set(form) >= {"index", "kind", "searchable", "probability", "reasons", "method", "action", "conditions"}
    assert form["action"] == "http://books.example/find"
    assert [condition["label"] for condition in form["conditions"]] == ["Title", "Author"]
    assert len(seen["link_groups"][0]["links"]) == 3  # type: ignore[index]


def test_topics_of_a_page_and_its_forms_are_ranked(dowse: Dowse) -> None:
    Path("page.html").write_text(PAGE)
    seen = dowse("inspect", "page.html", "--json").json
    for ranked in (seen["topics"], *(form["topics"] for form in seen["forms"])):  # type: ignore[attr-defined]
        chances = [row["probability"] for row in ranked]
        assert len(ranked) == 12
        assert chances == sorted(chances, reverse=True)
    assert seen["page"]["topics"] == seen["topics"]  # type: ignore[index]
    assert seen["forms"][0]["topics"][0]["name"] == "books"  # type: ignore[index]


def test_a_topic_of_ones_own_is_judged_beside_the_others(dowse: Dowse) -> None:
    Path("page.html").write_text(PAGE)
    write_topic(topic_of("shelves", "title author"), Path("shelves.json"))
    seen = dowse("inspect", "page.html", "--topic", "shelves.json", "--json").json
    assert len(seen["topics"]) == 13  # type: ignore[arg-type]
    named = {row["name"]: row["probability"] for row in seen["forms"][0]["topics"]}  # type: ignore[index]
    assert named["shelves"] > 0.9
    lines = dowse("inspect", "page.html", "--topic", "shelves.json", "--topic", "books").out.splitlines()
    assert sum(line.strip().startswith("on shelves: ") for line in lines) == 4  # the page and its three forms
    assert sum(line.strip().startswith("on books: ") for line in lines) == 4
    assert "there is no topic 'x'" in dowse("inspect", "page.html", "--topic", "x").err


def test_for_people(dowse: Dowse) -> None:
    Path("page.html").write_text(PAGE)
    shown = dowse("inspect", "page.html").out
    assert "form 0: database" in shown
    assert "3 links at" in shown


def test_several_pages_give_one_line_each_in_order(dowse: Dowse) -> None:
    for name in ("one", "two"):
        Path(name).write_text(f"<title>{name}</title>")
    lines = dowse("inspect", "one", "two", "--json").out.splitlines()
    assert [orjson.loads(line)["page"]["title"] for line in lines] == ["one", "two"]


def test_one_that_is_no_file_does_not_keep_the_others_out(dowse: Dowse) -> None:
    for name in ("one", "two"):
        Path(name).write_text(f"<title>{name}</title>")
    outcome = dowse("inspect", "one", "nofile", "n" * 300, "two")
    assert outcome.code == 2
    assert [line.split()[-1] for line in outcome.out.splitlines() if line.startswith("http")] == ["one", "two"]
    assert outcome.err.splitlines()[0].startswith("dowse: nofile is neither a web address nor a file")
    assert len(outcome.err.splitlines()) == 2
    lines = [orjson.loads(line) for line in dowse("inspect", "one", "nofile", "two", "--json").out.splitlines()]
    assert [line["page"].get("title") for line in lines] == ["one", None, "two"]


def test_escape_sequences_do_not_reach_the_terminal(dowse: Dowse) -> None:
    Path("evil").write_text("<title>\x1b[2Jevil</title><form action='/\x1b[0m'><input name=q></form>")
    assert "\x1b" not in dowse("inspect", "evil").out


def test_binary_garbage_is_a_page_without_forms(dowse: Dowse) -> None:
    Path("garbage").write_bytes(bytes(range(256)) * 100)
    outcome = dowse("inspect", "garbage", "--json")
    assert outcome.code == 0
    assert outcome.json["forms"] == []


def test_an_address_that_fails_is_exit_1(dowse: Dowse) -> None:
    outcome = dowse("inspect", "http://127.0.0.1:9/", "--json")
    assert outcome.code == 1
    assert "private address" in str(outcome.json["error"])


SHELL = b"<title>App</title><div id=app></div><script>document.getElementById('app').innerHTML = '<p>made by script'</script>"


@pytest.fixture
def shell() -> Iterator[str]:
    """Serve a page that is an application shell."""

    class Answer(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            found = self.path in ("/", "/broken")
            self.send_response(200 if found else 404)
            self.send_header("content-type", "text/html")
            if self.path == "/broken":
                self.send_header("content-length", "100000")
            self.end_headers()
            self.wfile.write(SHELL if found else b"")

        def log_message(self, *_: object) -> None:
            """Say nothing."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Answer) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/"
        server.shutdown()


@pytest.mark.xdist_group("cores")
@pytest.mark.skipif(not find_chromium(), reason="no browser: `make browser` installs Debian's chromium (as root)")
def test_a_shell_is_opened_in_the_browser_unless_told_otherwise(dowse: Dowse, shell: str) -> None:
    own = ("inspect", shell, "--allow-private", "--delay", "0", "--json")
    rendered, plain = dowse(*own).json["page"], dowse(*own, "--render", "never").json["page"]
    assert (rendered["characters"], rendered["unrendered"]) == (len("made by script"), "")  # type: ignore[index]
    assert (plain["characters"], plain["unrendered"]) == (0, "an application shell")  # type: ignore[index]


def test_without_a_browser(
    dowse: Dowse, shell: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setenv("PATH", "/nowhere")
    own = ("inspect", shell, shell, "--allow-private", "--delay", "0")
    always = dowse(*own, "--render", "always")
    assert always.code == 2
    assert always.err.splitlines() == ["dowse: no browser: pip install 'dowse[browser]' and apt-get install chromium"]
    auto = dowse(*own)
    assert auto.code == 0
    assert [message.partition(":")[2][:12] for message in caplog.messages] == [" no browser:"]
    assert auto.out.count("incomplete without a browser: an application shell") == 2


PLAIN_INSTALL = "import sys; sys.modules['playwright'] = None; from dowse.cli import main; main()"


def without_playwright(folder: Path, *arguments: str) -> tuple[int, str]:
    """Run a command where the package that drives browsers is not installed; return its exit code and what it said."""
    command = [sys.executable, "-c", PLAIN_INSTALL, *arguments, "--allow-private", "--delay", "0"]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    return done.returncode, done.stderr


@pytest.mark.parametrize(("command", "code"), [("inspect", 0), ("harvest", 1), ("probe", 1), ("find", 0)])
def test_without_playwright_pages_are_read_as_they_came(command: str, code: int, shell: str, tmp_path: Path) -> None:
    ended, said = without_playwright(tmp_path, command, shell, "--render", "auto")
    assert "Traceback" not in said
    assert ended == code, said
    assert f"dowse: {NO_BROWSER}; pages that need one are read as they came\n" in said


@pytest.mark.parametrize("command", ["inspect", "harvest", "probe", "find"])
def test_without_playwright_a_browser_for_all_pages_is_a_mistake(command: str, shell: str, tmp_path: Path) -> None:
    assert without_playwright(tmp_path, command, shell, "--render", "always") == (2, f"dowse: {NO_BROWSER}\n")


QUERY = """<form action="/find"><label>Title <input name="title" value="owl"></label>
<select name="match"><option value="c">contains<option value="b">begins with</select>
<select name="sort"><option>Sort by title<option>Sort by year</select><input type="hidden" name="sid" value="8f3a2c"><button name="go">Search books</button></form>"""


def test_what_else_stands_in_a_form(dowse: Dowse) -> None:
    Path("page.html").write_text(QUERY)
    form = dowse("inspect", "page.html", "--json").json["forms"][0]  # type: ignore[index]
    roles = {name: control["role"] for control in form["controls"] for name in control["fields"]}
    assert roles["sid"] == "state"
    assert roles["go"] == "button"
    assert roles["sort"] == "sort"
    assert form["made"] == "html"
    assert form["conditions"][0]["default"] == ["owl"]
    shown = dowse("inspect", "page.html").out
    assert "hidden or session field: sid" in shown
    assert "preset owl" in shown


def test_what_is_over_a_bound_is_said(dowse: Dowse) -> None:
    Path("page.html").write_text("<form action=/x><input name=q></form>" * 300)
    assert "over a bound and skipped: 100 forms" in dowse("inspect", "page.html").out


def test_a_page_that_is_cut_says_where(dowse: Dowse) -> None:
    Path("page.html").write_text(
        "".join(f'<a href="/item/number/{n}">The item with number {n}</a>\n' for n in range(60_000))
    )
    shown = dowse("inspect", "page.html").out
    assert "  page cut at 2,097,152 bytes\n" in shown
    assert re.search(r"over a bound and skipped: [\d,]+ or more links\n", shown)
    assert "1 body" not in shown
    assert dowse("inspect", "page.html", "--json").json["page"]["cut"] == "cut at 2,097,152 bytes"  # type: ignore[index]


def test_a_page_that_breaks_off_is_truncated(dowse: Dowse, shell: str) -> None:
    outcome = dowse("inspect", f"{shell}broken", "--allow-private", "--delay", "0", "--render", "never")
    assert f"  page truncated after {len(SHELL):,} bytes\n" in outcome.out
    assert "over a bound" not in outcome.out


def test_what_is_no_file_is_one_line(dowse: Dowse) -> None:
    Path("folder.html").mkdir()
    outcome = dowse("inspect", "folder.html")
    assert outcome.code == 2
    assert "is not a file" in outcome.err
