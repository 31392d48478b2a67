"""Scrapy doing what Dowse does: SEEDS DATABASE PORT [stock|seen].

`stock` is what the manual shows: LinkExtractor, selectors, a Request per link, Scrapy's own filter of duplicates.
(Links by `css("a::attr(href)")` would be slower there: LinkExtractor gives each address of a page once.)
`seen` reads links with a selector and keeps a set of addresses in front, so that a Request is made only once per
page: Scrapy in expert hands.
"""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path
from urllib.parse import urlsplit

import scrapy
from rows import Rows, read_forms
from scrapy.crawler import CrawlerProcess
from scrapy.linkextractors import LinkExtractor

SETTINGS = {
    "CONCURRENT_REQUESTS": 128,
    "CONCURRENT_REQUESTS_PER_DOMAIN": 128,
    "DOWNLOAD_DELAY": 0,
    "ROBOTSTXT_OBEY": False,
    "LOG_ENABLED": False,
    "TELNETCONSOLE_ENABLED": False,
    "RETRY_ENABLED": False,
    "COOKIES_ENABLED": False,
}


LINKS = LinkExtractor()


class KeepRows:
    """The item pipeline."""

    def __init__(self, path: str) -> None:
        self.rows = Rows(path)

    @classmethod
    def from_crawler(cls, crawler):
        return cls(crawler.settings["ROWS"])

    def process_item(self, item):
        self.rows.add(item["url"], item["status"], item["body"], item["forms"])
        return item

    def close_spider(self):
        self.rows.close()


class Pages(scrapy.Spider):
    """All pages of the given hosts."""

    name = "pages"

    def __init__(self, seeds: str, proxy: str, mode: str) -> None:
        super().__init__()
        self.seeds = Path(seeds).read_text().split()
        self.proxy = proxy
        self.seen: set[str] | None = set(self.seeds) if mode == "seen" else None

    async def start(self):
        for url in self.seeds:
            yield self.request(url)

    def request(self, url: str) -> scrapy.Request:
        return scrapy.Request(url, meta={"proxy": self.proxy})

    def parse(self, response):
        forms = read_forms(response, response.urljoin)
        yield {"url": response.url, "status": response.status, "body": response.body, "forms": forms}
        host = urlsplit(response.url).netloc
        for url in self.find_links(response):
            if urlsplit(url).netloc == host:
                yield self.request(url)

    def find_links(self, response):
        if self.seen is None:
            return [link.url for link in LINKS.extract_links(response)]
        urls = {response.urljoin(href).partition("#")[0] for href in response.css("a::attr(href)").getall()}
        new = urls - self.seen
        self.seen |= new
        return sorted(new)


if __name__ == "__main__":
    seeds, database, port, mode = sys.argv[1:]
    process = CrawlerProcess(SETTINGS | {"ROWS": database, "ITEM_PIPELINES": {KeepRows: 1}})
    process.crawl(Pages, seeds=seeds, proxy=f"http://127.0.0.1:{port}", mode=mode)
    start = time.perf_counter()
    process.start()
    print(json.dumps({"seconds": time.perf_counter() - start}))
