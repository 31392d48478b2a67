"""A pattern as a spider: one file that runs with Scrapy alone."""

from __future__ import annotations

import re
from pprint import pformat
from typing import Final
from urllib.parse import urlsplit

from dowse.example.asking import send
from dowse.example.pattern import Pattern

_SPIDER: Final = '''"""Crawls {host} for pages like {sample}

Written by Dowse {version}. Run it with:  scrapy runspider FILE -O pages.jsonl
Each path is a list of steps; a link is followed when its address matches the next step as a whole. A step that repeats is
taken again on the pages it leads to. The last step leads to the pages that are wanted.
"""

import re

import scrapy
from scrapy.linkextractors import LinkExtractor
from w3lib.url import canonicalize_url

START = {start}

PATHS = {paths}

SESSION = re.compile(r";(?:jsessionid|phpsessid|sid|cfid|cftoken)=[^/?;]*", re.IGNORECASE)
NOISE = re.compile(
    r"(?:utm_[^=]*|pk_[^=]*|gclid|fbclid|msclkid|phpsessid|jsessionid|session_?id|sess_?id|cfid|cftoken|zenid)(?:=.*)?"
    r"|(?:sid|s|session|sess|token)=[0-9a-fA-F]{{16,}}",
    re.IGNORECASE,
)


def plain(url):
    """Return an address without what tracks a visitor or a session, its parameters in order."""
    head, _, query = url.partition("?")
    kept = [pair for pair in query.split("&") if pair and not NOISE.fullmatch(pair)]
    return canonicalize_url(SESSION.sub("", head) + ("?" + "&".join(kept) if kept else ""))


class {name}(scrapy.Spider):
    name = "{spider}"
    allowed_domains = ["{domain}"]
    custom_settings = {{"ROBOTSTXT_OBEY": True, "DOWNLOAD_DELAY": 1.0}}
    links = LinkExtractor(tags=("a", "area"), attrs=("href",), deny_extensions=(), unique=True)

    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        self.steps = [[(re.compile(step), repeats) for step, repeats in path] for path in PATHS]
        self.reached = {{}}  # address: the states it was reached in
        self.led = {{}}  # address: the links of its page

    async def start(self):
        for request in self.start_requests():
            yield request

    def start_requests(self):
        begin = {{(path, 0) for path in range(len(self.steps))}}
        for url in START:
            self.reached[plain(url)] = set(begin)
            yield scrapy.Request(url, self.parse, cb_kwargs={{"key": plain(url)}}, dont_filter=True)

    def parse(self, response, key):
        if not isinstance(response, scrapy.http.HtmlResponse):
            return
        states = set(self.reached[key])
        if any(taken == len(self.steps[path]) for path, taken in states):
            yield self.read(response)
        self.led[key] = [plain(link.url) for link in self.links.extract_links(response) if not link.nofollow]
        for state in states:
            yield from self.lead_on(key, state)

    def lead_on(self, key, state):
        for url, reached in self.find_reached(self.led[key], state):
            if url not in self.reached:
                self.reached[url] = {{reached}}
                yield scrapy.Request(url, self.parse, cb_kwargs={{"key": url}}, dont_filter=True)
            elif reached not in self.reached[url]:
                self.reached[url].add(reached)
                if url in self.led:
                    yield from self.lead_on(url, reached)

    def find_reached(self, links, state):
        path, taken = state
        steps = self.steps[path]
        for url in links:
            if taken < len(steps) and steps[taken][0].fullmatch(url):
                yield url, (path, taken + 1)
            elif taken and steps[taken - 1][1] and steps[taken - 1][0].fullmatch(url):
                yield url, state

    def read(self, response):
        """Say what a page that is wanted gives: add what you need of it."""
        return {{"url": response.url, "title": " ".join(response.css("title ::text").getall()).strip()}}
'''


def write_spider(pattern: Pattern) -> str:
    """Return a pattern as the source of a Scrapy spider."""
    from dowse import __version__

    host = urlsplit(pattern.entry).hostname or ""
    words = re.findall(r"[a-z0-9]+", host.lower())
    paths = [[(step.pattern, step.repeats) for step in path.steps] for path in pattern.paths]
    return _SPIDER.format(
        host=host,
        sample=(pattern.samples or (pattern.entry,))[0].replace("\\", "").replace('"', ""),
        version=__version__,
        start=pformat(_find_start(pattern), width=110),
        paths=pformat(paths, width=110),
        name="".join(word.capitalize() for word in words if not word[0].isdigit()) + "Spider",
        spider="-".join(words) or "pages",
        domain=host,
    )


def _find_start(pattern: Pattern) -> list[str]:
    """Return where a spider begins: the entry, or a form's answers."""
    ask = pattern.first
    return [send(ask, value).url for value in ask.values] if ask else [pattern.entry]
