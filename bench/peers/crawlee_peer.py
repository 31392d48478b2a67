"""Crawlee doing what Dowse does: SEEDS DATABASE PORT. ParselCrawler, its own link finder, memory storage."""

from __future__ import annotations

import asyncio
import json
import logging
import sys
import time
from pathlib import Path
from urllib.parse import urljoin

from crawlee import ConcurrencySettings, service_locator
from crawlee.crawlers import ParselCrawler, ParselCrawlingContext
from crawlee.proxy_configuration import ProxyConfiguration
from crawlee.storage_clients import MemoryStorageClient
from rows import Rows, read_forms


async def main(seeds: list[str], database: str, port: str) -> None:
    """Crawl all pages of the given hosts."""
    rows = Rows(database)
    service_locator.set_storage_client(MemoryStorageClient())
    crawler = ParselCrawler(
        concurrency_settings=ConcurrencySettings(min_concurrency=128, desired_concurrency=128, max_concurrency=128),
        proxy_configuration=ProxyConfiguration(proxy_urls=[f"http://127.0.0.1:{port}"]),
        configure_logging=False,
        max_request_retries=0,
    )

    @crawler.router.default_handler
    async def keep(context: ParselCrawlingContext) -> None:
        url = context.request.loaded_url or context.request.url
        body = await context.http_response.read()
        forms = read_forms(context.selector, lambda action: urljoin(url, action))
        rows.add(url, context.http_response.status_code, body, forms)
        await context.enqueue_links(strategy="same-hostname")

    start = time.perf_counter()
    await crawler.run(seeds)
    rows.close()
    print(json.dumps({"seconds": time.perf_counter() - start}))


if __name__ == "__main__":
    logging.disable(logging.WARNING)
    listed, database, port = sys.argv[1:]
    asyncio.run(main(Path(listed).read_text().split(), database, port))
