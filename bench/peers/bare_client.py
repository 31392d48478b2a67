"""The limit: SEEDS PORT [parse|fetch]. A keep-alive client with Dowse's page reader, told what it has seen
as Dowse tells it, and nothing else.

No store, no robots.txt, no politeness, no limits, no failures: what is left is what the pages themselves cost.
`parse` follows links with a seen-set per host; `fetch` only fetches the addresses it is given, one host per worker.
"""

from __future__ import annotations

import asyncio
import json
import sys
import time
from collections import deque
from pathlib import Path

import httptools
import uvloop

from dowse.model import Response, SeenOnSite

WORKERS = 128


class Connection(asyncio.Protocol):
    """One keep-alive connection with one request at a time."""

    def __init__(self) -> None:
        self.transport: asyncio.Transport | None = None
        self.answer: asyncio.Future[tuple[int, bytes]] | None = None
        self.parser = httptools.HttpResponseParser(self)
        self.body: list[bytes] = []
        self.headers: list[tuple[str, str]] = []

    def connection_made(self, transport) -> None:
        self.transport = transport

    def data_received(self, data: bytes) -> None:
        self.parser.feed_data(data)

    def on_header(self, name: bytes, value: bytes) -> None:
        self.headers.append((name.decode("latin-1").lower(), value.decode("latin-1")))

    def on_body(self, body: bytes) -> None:
        self.body.append(body)

    def on_message_complete(self) -> None:
        self.answer.set_result((self.parser.get_status_code(), b"".join(self.body)))

    def connection_lost(self, error) -> None:
        if self.answer is not None and not self.answer.done():
            self.answer.set_exception(error or ConnectionError("closed"))

    async def get(self, url: str) -> Response:
        host, _, path = url.removeprefix("http://").partition("/")
        self.body, self.headers = [], []
        self.parser = httptools.HttpResponseParser(self)
        self.answer = asyncio.get_running_loop().create_future()
        self.transport.write(f"GET /{path} HTTP/1.1\r\nHost: {host}\r\nAccept: */*\r\n\r\n".encode())
        status, body = await self.answer
        return Response(url, status, tuple(self.headers), body)


class Count:
    """What was seen, for the comparison with the manifest."""

    def __init__(self) -> None:
        self.pages = self.bytes = self.links = self.forms = 0


async def crawl_host(connection: Connection, root: str, count: Count, read_page) -> None:
    """Follow the links of one host until nothing is new."""
    seen = {root}
    keys: set[int] = set()
    queue = deque(seen)
    pages = 0
    while queue:
        response = await connection.get(queue.popleft())
        page = read_page(response, SeenOnSite(seen, keys, pages=pages))
        pages += 1
        keys.update(form.key for form in page.form_keys)
        count.pages += response.status == 200
        count.bytes += len(response.body)
        count.links += page.link_count
        count.forms += page.form_count
        for link in page.links:
            if link.url not in seen and link.url.startswith(root):
                seen.add(link.url)
                queue.append(link.url)


async def fetch_host(connection: Connection, urls: list[str], count: Count) -> None:
    """Fetch a list of addresses of one host."""
    for url in urls:
        response = await connection.get(url)
        count.pages += response.status == 200
        count.bytes += len(response.body)


async def work(jobs: deque, port: int) -> None:
    """Take hosts until none is left; one connection per host, as a crawler of the web has it."""
    loop = asyncio.get_running_loop()
    while jobs:
        job = jobs.popleft()
        transport, connection = await loop.create_connection(Connection, "127.0.0.1", port)
        await job(connection)
        transport.close()


async def main(urls: list[str], port: int, mode: str) -> None:
    """Run all workers and print what they saw."""
    count = Count()
    start = time.perf_counter()
    await asyncio.gather(*work_on(urls, count, mode, port))
    print(json.dumps(vars(count) | {"seconds": time.perf_counter() - start}))


def work_on(urls: list[str], count: Count, mode: str, port: int):
    """The workers, with their hosts."""
    if mode == "parse":
        from dowse.page import read_page

        jobs = deque(lambda line, root=url: crawl_host(line, root, count, read_page) for url in urls)
    else:
        hosts: dict[str, list[str]] = {}
        for url in urls:
            hosts.setdefault(url.split("/")[2], []).append(url)
        jobs = deque(lambda line, some=some: fetch_host(line, some, count) for some in hosts.values())
    return [work(jobs, port) for _ in range(WORKERS)]


if __name__ == "__main__":
    seeds, port, mode = sys.argv[1:]
    uvloop.run(main(Path(seeds).read_text().split(), int(port), mode))
