"""A simulated web in a process of its own, whose servers are quick: no test waits for a slow site, nor for a polite delay; and a few pages served in this one."""

from __future__ import annotations

import asyncio
import re
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

from dowse.fetch.polite import BUSY_STATUSES
from dowse.model import Failure, Request, Response
from dowse.sim import World, serve
from dowse.sim.manners import Manners

ROOT = Path(__file__).parent.parent
HANG = 0.2  # seconds until a site that hangs gives up; a client's timeout can then be as long as a busy machine needs


class QuickWorld:
    """A world whose servers answer at once, however often they are asked."""

    def __init__(self, world: World) -> None:
        self._world = world

    def answer(self, request: Request) -> Response | Failure:
        """Answer as the world does, but ask for no time between requests; who is busy for a while fails for good."""
        answer = self._world.answer(request)
        if isinstance(answer, Failure):
            return answer
        if request.url.endswith("/robots.txt"):
            return replace(answer, body=re.sub(rb"(?i)crawl-delay", b"No-delay", answer.body))
        return replace(answer, status=500) if answer.status in BUSY_STATUSES else answer

    def manners(self, host: str) -> Manners:
        """Every server is patient."""
        return Manners()


@contextmanager
def serve_world(sites: int) -> Iterator[int]:
    """Serve a small world of family A while the context lasts; gives the port."""
    command = [sys.executable, "-m", "tests.served", str(sites)]
    with subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as server:
        assert server.stdout
        yield int(server.stdout.readline())
        server.communicate()  # it ends with its standard input


async def _serve_until_end(sites: int) -> None:
    async with serve(QuickWorld(World(1, sites)), hang=HANG) as port:
        print(port, flush=True)
        await asyncio.to_thread(sys.stdin.read)


@contextmanager
def serving(answers: Mapping[str, bytes | str], asked: list[str] | None = None) -> Iterator[str]:
    """Serve some pages, or redirects, on loopback; all others are 404."""

    class Answering(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            if asked is not None:
                asked.append(self.path)
            answer = answers.get(self.path)
            self.send_response(404 if answer is None else 302 if isinstance(answer, str) else 200)
            self.send_header("content-type", "text/html")
            if isinstance(answer, str):
                self.send_header("location", answer)
            self.end_headers()
            self.wfile.write(answer if isinstance(answer, bytes) else b"<p>not here")

        def log_message(self, *_: object) -> None:
            """Say nothing."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Answering) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


if __name__ == "__main__":
    asyncio.run(_serve_until_end(int(sys.argv[1])))
