"""Pages in a real browser: what their scripts make, and what they may not do."""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path

import pytest
import pytest_asyncio

from dowse.errors import BadInput, Stopped
from dowse.fetch import Fetch, Render
from dowse.fetch.browser import open_browser, render_pages
from dowse.fetch.build import build_fetch, with_browser, wrap_fetch
from dowse.fetch.chromium import MAX_STARTS, NO_BROWSER, Chromium, find_chromium
from dowse.fetch.intercept import MAX_REQUESTS, ScriptCache
from dowse.fetch.redirects import follow_anywhere
from dowse.model import Failure, Request, Response
from dowse.page.document import read_page
from dowse.reasons import FailureReason
from dowse.settings import FetchSettings
from dowse.sim import World, simulate
from dowse.sim.truth import FormTruth
from tests.fetch.conftest import Server, page, serving
from tests.webs import HTML, web

SCRIPT = (("content-type", "text/javascript"),)
JSON = (("content-type", "application/json; charset=utf-8"),)
ROOT = "http://e.com/"
FORM = "<form action=/find><input name=title><input name=author><button>Search</button></form>"

needs_browser = [
    pytest.mark.xdist_group("browser"),
    pytest.mark.asyncio(loop_scope="session"),
    pytest.mark.usefixtures("one_browser"),
    pytest.mark.skipif(not find_chromium(), reason="no browser: `make browser` installs Debian's chromium (as root)"),
]


class KeptChromium(Chromium):
    """A browser that stays open for the next test."""

    async def close(self) -> None:
        """Leave it open."""

    async def end(self) -> None:
        """End it after the last test."""
        await super().close()


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def kept_chromium() -> AsyncIterator[KeptChromium]:
    chromium = KeptChromium()
    yield chromium
    await chromium.end()


@pytest.fixture
def one_browser(kept_chromium: KeptChromium, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let a test use the browser of this test process: a new one takes a second of work."""
    monkeypatch.setattr("dowse.fetch.browser.Chromium", lambda: kept_chromium)


@pytest_asyncio.fixture(loop_scope="session")
async def server() -> AsyncIterator[Server]:
    """The server of other tests, in the loop of the browser."""
    async with serving() as raw:
        yield raw


def html(body: str, url: str = ROOT) -> Response:
    return Response(url, 200, HTML, body.encode())


def script(body: str) -> Response:
    return html(f"<p>hello<script>{body}</script>")


@asynccontextmanager
async def opened(fetch: Fetch, seconds: float = 100.0) -> AsyncIterator[Render]:
    async with open_browser(fetch, FetchSettings(render_seconds=seconds, body_limit=1_000_000)) as render:
        yield render


async def shown(render: Render, response: Response) -> Response:
    result = await render(response)
    assert isinstance(result, Response), result
    return result


class TestShown:
    """What a page becomes."""

    pytestmark = needs_browser

    async def test_an_application_is_seen_with_its_form_and_what_it_asked(self) -> None:
        asked: list[str] = []
        answers = {
            "http://e.com/app.js": Response("", 200, SCRIPT, _APP.encode()),
            "http://api.e.com/books.json?q=all": Response("", 200, JSON, b'{"title": "A book"}'),
        }
        shell = "<link rel=stylesheet href=/a.css><img src=/a.png><iframe src=/f></iframe><div id=app></div><script src=/app.js></script>"
        async with opened(web(answers, asked)) as render:
            response = await shown(render, html(shell))
        assert asked == ["http://e.com/app.js", "http://api.e.com/books.json?q=all"]
        assert [(call.url, call.status, call.content_type) for call in response.calls] == [
            ("http://api.e.com/books.json?q=all", 200, "application/json")
        ]
        read = read_page(response)
        assert "A book" in read.text
        assert [(form.made, form.action) for form in read.forms] == [
            ("html", "http://e.com/find"),
            ("call", "http://api.e.com/books.json"),
        ]
        assert response.rendered
        assert not read.unrendered

    async def test_shadow_trees_and_forms_across_tables_are_written_out(self) -> None:
        async with opened(web({})) as render:
            shadow = await shown(render, script(_SHADOW))
            table = await shown(render, html(f"<script>document.write({_TABLE!r})</script>"))
            told = await shown(
                render, script("Object.defineProperty(Element.prototype, 'outerHTML', {get: () => 'no'})")
            )
        assert [field.name for field in read_page(shadow).forms[0].fields] == ["title", "author", ""]
        assert [field.name for field in read_page(table).forms[0].fields] == ["a", "b", "id", "elements"]
        assert b"hello" in told.body

    async def test_the_document_is_not_fetched_again_and_scripts_only_once(self) -> None:
        asked: list[str] = []
        pages = {"http://e.com/a.js": Response("", 200, SCRIPT, b"document.title = 'made'")}
        async with opened(web(pages, asked)) as render:
            for number in range(3):
                response = await shown(render, html("<script src=/a.js></script>hi", f"{ROOT}{number}"))
                assert b"<title>made</title>" in response.body
        assert asked == ["http://e.com/a.js"]

    async def test_what_is_no_page_is_handed_through(self) -> None:
        response = Response(ROOT, 200, JSON, b"{}")
        async with opened(web({})) as render:
            assert await render(response) is response

    async def test_scripts_lead_to_pages_of_the_site_and_to_no_other(self) -> None:
        asked: list[str] = []
        pages = {"http://e.com/next": "<p>the next", "http://other.com/": "<p>another"}
        async with opened(web(pages, asked)) as render:
            same = await shown(render, script("location = '/next'"))
            away = await shown(render, script("setTimeout(() => location = 'http://other.com/', 100)"))
            posted = await shown(
                render, html("<form id=f method=post action=/delete></form>hello<script>f.submit()</script>")
            )
        assert (same.url, same.redirects) == ("http://e.com/next", (ROOT,))
        assert b"the next" in same.body
        for stayed in (away, posted):
            assert (stayed.url, stayed.redirects) == (ROOT, ())
            assert b"hello" in stayed.body
        assert asked == ["http://e.com/next"]

    async def test_only_questions_are_posted(self) -> None:
        asked: list[tuple[str, bytes]] = []

        async def fetch(request: Request) -> Response | Failure:
            asked.append((f"{request.method} {request.url}", request.body))
            return Response(request.url, 200, JSON, b"{}")

        async with opened(fetch) as render:
            response = await shown(render, script(_POSTS))
        assert asked == [("POST http://api.e.com/search", b'{"q":"x"}')]
        assert response.calls[0].body == '{"q":"x"}'

    async def test_requests_of_one_page_are_bounded(self) -> None:
        asked: list[str] = []
        async with opened(web({}, asked)) as render:
            await shown(render, script("for (let i = 0; i < 500; i++) fetch('/' + i)"))
        assert len(asked) == MAX_REQUESTS

    async def test_what_ends_the_run_is_raised(self) -> None:
        async def fetch(request: Request) -> Response | Failure:
            raise Stopped("the disk is full")

        async with opened(fetch) as render:
            with pytest.raises(Stopped, match="the disk is full"):
                await render(script("fetch('/data')"))

    async def test_always_opens_what_was_fetched(self) -> None:
        pages = {ROOT: "<script>document.write('made')</script>"}
        async with opened(web(pages)) as render:
            fetch = render_pages(web(pages), render)
            made, missing = await fetch(Request(ROOT)), await fetch(Request("http://e.com/none"))
        assert isinstance(made, Response)
        assert b"made</body>" in made.body
        assert isinstance(missing, Response)
        assert (missing.status, missing.rendered) == (404, False)


_APP = """fetch("http://api.e.com/books.json?q=all").then(answer => answer.json()).then(book => {
  document.getElementById("app").innerHTML = "<h1>" + book.title + "</h1>FORM";
});""".replace("FORM", FORM)
_SHADOW = f"""customElements.define("x-y", class extends HTMLElement {{
  constructor() {{ super(); this.attachShadow({{mode: "open"}}).innerHTML = {FORM!r}; }} }});
  document.body.append(document.createElement("x-y"));"""
_TABLE = "<table><form action=/find><tr><td><input name=a><td><input name=b><input name=id><input name=elements></tr></form></table>"
_POSTS = """
const post = (url, type, body) => fetch(url, {method: "POST", headers: {"content-type": type}, body});
post("http://api.e.com/search", "application/json", '{"q":"x"}');
post("http://other.com/search", "application/json", '{"q":"x"}');
post("/form", "application/x-www-form-urlencoded", "q=x");
post("/graphql", "application/json", '{"query":"mutation { remove }"}');
post("/large", "application/json", JSON.stringify("x".repeat(1e5)));
fetch("/thing", {method: "DELETE"});
fetch("/thing", {method: "PUT", body: "x"});
navigator.sendBeacon("/beacon", "x");
"""

# Pages that never end by themselves, the seconds that each has (all of them compute for as long), and the reason that is given.
ENDLESS = {
    "loop": ("while (1);", 2.0, "not done in"),
    "loop, later": ("setTimeout(() => { while (1); }, 100)", 2.0, "not done in"),
    "alert loop": ("while (1) alert(1)", 2.0, "not done in"),
    "write": ("while (1) document.write('<p>x')", 2.0, "not done in"),
    "script objects": (
        "let a = []; while (1) a.push(new Array(1e5).fill(0).map(x => ({})))",
        6.0,
        "not done in|crashed",
    ),
    "memory": (
        "let a = []; while (1) try { a.push(new Uint8Array(5e7).fill(1)) } catch (e) {}",
        6.0,
        "crashed|not done in",
    ),
    "no root": ("setTimeout(() => document.documentElement.remove(), 50)", 100.0, "nothing that can be read"),
}

# Pages that try something, and are read all the same.
STUBBORN = {
    "dialogs": "setInterval(() => confirm('x'), 1)",
    "write, later": "setInterval(() => document.write('<p>hello' + 'x'.repeat(1e4)), 1)",
    "a string of a gigabyte": "let s = 'x'; try { while (1) s += s } catch (e) {}",
    "windows": "for (let i = 0; i < 50; i++) window.open('/' + i)",
    "windows by links": "setInterval(() => { let a = document.createElement('a'); a.href = '/x'; a.target = '_blank'; a.click() }, 1)",
    "reload loop": "location.reload()",
    "own pages without end": "setTimeout(() => location = '/' + Math.random(), 10)",
    "a file": "fetch('file:///etc/passwd').then(x => x.text()).then(x => document.title = x); location = 'file:///etc/passwd'",
    "a data page": "location = 'data:text/html,<p>data'",
    "crash on request": "location = 'chrome://crash'",
    "calls without end": "setInterval(() => fetch('/' + Math.random()), 20)",
    "download": "let a = document.createElement('a'); a.href = 'data:application/zip,x'; a.download = 'x.zip'; a.click()",
    "history": "for (let i = 0; i < 1000; i++) history.pushState({}, '', '/' + i)",
    "worker without end": "new Worker(URL.createObjectURL(new Blob(['while (1);'])))",
}


@pytest.mark.slow
class TestHostile:
    """What a page may not do."""

    pytestmark = needs_browser

    async def test_what_does_not_end_is_ended_with_a_reason(self) -> None:
        results: dict[str, Response | Failure] = {}
        for seconds in sorted({seconds for _, seconds, _ in ENDLESS.values()}):
            bodies = {name: body for name, (body, own, _) in ENDLESS.items() if own == seconds}
            async with opened(web({}), seconds) as render:
                loaded = await asyncio.wait_for(
                    asyncio.gather(*(render(script(body)) for body in bodies.values())), 300
                )
            results |= zip(bodies, loaded, strict=True)
        for name, (_, _, reason) in ENDLESS.items():
            result = results[name]
            assert isinstance(result, Failure), name
            assert (result.why, result.status) == (FailureReason.BROWSER, 200), name
            assert any(word in result.detail for word in reason.split("|")), (name, result.detail)

    async def test_what_a_page_tries_changes_nothing(self) -> None:
        endless = script(STUBBORN["own pages without end"])
        async with opened(web(lambda url: replace(endless, url=url)), seconds=20.0) as render:
            for name, body in STUBBORN.items():
                result = await render(script(body))
                assert isinstance(result, Response), (name, result)
                assert b"hello" in result.body, name
                assert b"root:" not in result.body, name
                assert len(result.redirects) <= 4, name
            refreshed = await shown(render, html('<meta http-equiv=refresh content="0">hello'))
        assert (refreshed.url, refreshed.redirects) == (ROOT, ())

    async def test_private_addresses_are_never_reached(self, server: Server) -> None:
        """Every way out that a page has is tried against a listener; the same page reaches it once that is allowed."""
        host = f"127.0.0.1:{server.port}"
        server.answers = {"/data": page(b"{}", type="application/json")}
        hostile = html(_WAYS_OUT.replace("HOST", host).replace("LOCAL", f"localhost:{server.port}"))
        async with build_fetch(FetchSettings(delay=0, timeout=20)) as fetches, opened(fetches.anywhere, 20.0) as render:
            await shown(render, hostile)
        assert server.connections == 0
        allowed = FetchSettings(delay=0, timeout=20, allow_private=True)
        async with build_fetch(allowed) as fetches, opened(fetches.anywhere, 20.0) as render:
            await shown(render, hostile)
        assert "/data" in server.paths
        assert not {"/socket", "/image", "/frame", "/beacon", "/events", "/style", "/icon"} & set(server.paths)

    async def test_a_redirect_to_a_private_address_is_refused(self, server: Server) -> None:
        server.answers = {"/data": page(b"{}", type="application/json")}
        moved = (("location", f"{server.root}/data"),)
        async with build_fetch(FetchSettings(delay=0, timeout=20)) as fetches:

            async def mixed(request: Request) -> Response | Failure:
                if request.url.startswith(ROOT):
                    return Response(request.url, 302, moved)
                return await fetches.anywhere(request)

            async with opened(follow_anywhere(mixed), 20.0) as render:
                await shown(render, script("fetch('/data'); location = '/page'"))
        assert server.connections == 0


_WAYS_OUT = """<link rel=preconnect href=http://HOST><link rel=dns-prefetch href=http://LOCAL>
<link rel=prefetch href=http://HOST/prefetch><link rel=icon href=http://HOST/icon><link rel=stylesheet href=http://HOST/style>
<link rel=preload as=script href=http://HOST/preload><img src=http://HOST/image><iframe src=http://HOST/frame></iframe>
<script src=http://HOST/script.js></script><object data=http://HOST/object></object><video src=http://LOCAL/video></video>
<script>
fetch("http://HOST/data").catch(() => 0);
fetch("http://LOCAL/data").catch(() => 0);
fetch("http://169.254.169.254/latest/meta-data/").catch(() => 0);
fetch("http://[::1]:1/").catch(() => 0);
navigator.sendBeacon("http://HOST/beacon", "x");
new EventSource("http://HOST/events");
new WebSocket("ws://HOST/socket");
new Worker(URL.createObjectURL(new Blob(["fetch('http://HOST/worker'); new WebSocket('ws://HOST/socket')"])));
try { new SharedWorker(URL.createObjectURL(new Blob(["fetch('http://HOST/shared')"]))) } catch (e) {}
try { new WebTransport("https://HOST/transport") } catch (e) {}
try { let peer = new RTCPeerConnection({iceServers: [{urls: "turn:HOST?transport=tcp", username: "u", credential: "c"}]});
  peer.createDataChannel("x"); peer.createOffer().then(offer => peer.setLocalDescription(offer)) } catch (e) {}
window.open("http://HOST/window");
setTimeout(() => location = "http://HOST/page", 200);
</script>hello"""


class TestWeb:
    """The browser on top of the other Fetches."""

    pytestmark = needs_browser

    async def test_recorded_pages_are_opened_from_the_recording(
        self, server: Server, settings: FetchSettings, tmp_path: Path
    ) -> None:
        server.answers = {
            "/": page(b"<div id=app></div><script src=/app.js></script>"),
            "/app.js": page(
                f"document.body.innerHTML = {FORM!r}; fetch('/x.json?q=1')".encode(), type="text/javascript"
            ),
            "/x.json?q=1": page(b"{}", type="application/json"),
        }
        seen = []
        for place in ({"warc": str(tmp_path)}, {"replay": str(tmp_path)}):
            async with build_fetch(replace(settings, render="always", **place)) as fetches:  # type: ignore[arg-type]
                seen.append(await fetches.within_site(Request(f"{server.root}/")))
                fetches.flush()
        live, again = seen
        assert isinstance(live, Response)
        assert isinstance(again, Response)
        assert (again.body, again.calls) == (live.body, live.calls)
        assert len(read_page(again).forms) == 2
        assert sorted(server.paths) == ["/", "/app.js", "/robots.txt", "/x.json?q=1"]

    async def test_robots_hold_for_scripts(self, server: Server, settings: FetchSettings) -> None:
        server.answers = {
            "/robots.txt": page(b"User-agent: *\nDisallow: /app", type="text/plain"),
            "/": page(b"<p>hello<script src=/app.js></script>"),
            "/app.js": page(b"document.title = 'made'", type="text/javascript"),
        }
        async with build_fetch(replace(settings, render="always")) as fetches:
            response = await fetches.within_site(Request(f"{server.root}/"))
        assert isinstance(response, Response)
        assert b"made" not in response.body
        assert server.paths == ["/robots.txt", "/"]

    async def test_forms_that_scripts_write_are_seen_in_the_simulated_web(self) -> None:
        world = World(seed=3, sites=400, family="A")
        forms = [form for truth in world.truth() for form in truth.forms if form.made == "script" and form.reachable]
        assert len(forms) >= 4
        async with with_browser(wrap_fetch(simulate(world)), FetchSettings(render="auto")) as fetches:
            for form in forms[:4]:
                plain = await fetches.within_site(Request(form.page))
                assert isinstance(plain, Response)
                assert fetches.render
                assert not _has(plain, form)
                assert read_page(plain).unrendered
                assert _has(await shown(fetches.render, plain), form), form.page


def _has(response: Response, form: FormTruth) -> bool:
    """Return True if a page has a form with these fields."""
    sent = [{field.name for field in each.fields if field.name} for each in read_page(response).forms]
    return any(set(form.fields) <= names for names in sent)


class TestStarts:
    """The browser as a process."""

    pytestmark = needs_browser

    async def test_one_that_ended_is_started_again(self) -> None:
        chromium = Chromium()
        first = await chromium.get()
        assert not isinstance(first, str)
        assert await chromium.get() is first
        chromium.kill()
        while first.is_connected():  # noqa: ASYNC110
            await asyncio.sleep(0.05)
        second = await chromium.get()
        assert not isinstance(second, str)
        assert second.is_connected()
        await chromium.close()
        assert not second.is_connected()

    async def test_a_page_goes_on_in_the_next_browser(self, monkeypatch: pytest.MonkeyPatch) -> None:
        begun: list[Chromium] = []
        monkeypatch.setattr("dowse.fetch.browser.Chromium", lambda: begun.append(Chromium()) or begun[0])

        async def fetch(request: Request) -> Response | Failure:
            if request.url.endswith("1"):
                begun[0].kill()
            return Response(request.url, 200, JSON, json.dumps(request.url).encode())

        async with opened(fetch) as render:
            await shown(render, script("fetch('/0')"))
            failed = await render(script("fetch('/1')"))
            after = await shown(render, script("fetch('/2')"))
        assert isinstance(failed, Failure)
        assert failed.why is FailureReason.BROWSER
        assert after.calls[0].url == "http://e.com/2"


async def test_a_browser_that_does_not_start_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("playwright")
    monkeypatch.setattr("dowse.fetch.chromium.find_chromium", lambda: "/bin/false")
    chromium = Chromium()
    reasons = [await chromium.get() for _ in range(MAX_STARTS + 1)]
    await chromium.close()
    assert all(isinstance(reason, str) for reason in reasons)
    assert "could not be started" in str(reasons[0])
    assert "in a row" in str(reasons[-1])


async def test_without_a_browser_one_line_is_said_once(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setenv("PATH", "/nowhere")
    with caplog.at_level(logging.WARNING):
        async with opened(web({})) as render:
            results = [await render(html("<div id=app></div>")) for _ in range(3)]
    assert all(isinstance(result, Failure) and result.detail == NO_BROWSER for result in results)
    assert [record.getMessage().splitlines() for record in caplog.records] == [
        [f"dowse: {NO_BROWSER}; pages that need one are read as they came"]
    ]


async def test_without_a_browser_always_is_bad_input(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/nowhere")
    with pytest.raises(BadInput, match="no browser: pip install"):
        async with build_fetch(FetchSettings(render="always")):
            pass


def test_scripts_are_kept_within_a_bound() -> None:
    scripts = ScriptCache(max_bytes=10)
    for name in "abc":
        scripts.add(name, Response(name, 200, (), b"12345"))
        assert scripts.get("a" if name == "b" else name)
    assert [name for name in "abc" if scripts.get(name)] == ["a", "c"]
    scripts.add("d", Response("d", 200, (), b"x" * 11))
    assert [name for name in "abcd" if scripts.get(name)] == []
    scripts.add("e", Response("e", 200, (), b"x" * 10))
    assert scripts.get("e")
