"""A pattern as a spider: one file that runs with Scrapy alone."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pprint import pformat
from typing import Final

from dowse.example.address import read_pattern
from dowse.example.pattern import Pattern, Step, build_request
from dowse.model import Request, Verdict
from dowse.url import canonical

_UNSAFE: Final = re.compile(r"[^ !#-\[\]-~]")  # in a docstring: what could end it, escape, or deceive the eye
_HOST: Final = re.compile(r"https?://(\[[^\]]*\]|[^/:?#]*)")
_MAX_DOCSTRING_CHARS: Final = 300  # characters of an address in a docstring

_SPIDER: Final = '''"""Crawls {host} for pages like {sample}

Written by Dowse {version}. Run it with:  scrapy runspider FILE -O pages.jsonl
Each path is a list of steps; a link is followed when its address matches the next step as a whole, its parameters in the
order that the step names. A step that repeats is taken again on the pages it leads to. The last step leads to the pages
that are wanted.
"""

import re

import scrapy
from scrapy.linkextractors import LinkExtractor

START = {start}

PATHS = {paths}

WITHOUT = {without}

AVOID = {avoid}

LISTS = {lists}

IN_PATH = re.compile(r";[^=;/]+=[^;/]*")
SESSION = re.compile(r";(?:jsessionid|phpsessid|sid|cfid|cftoken)=[^/?;]*", re.IGNORECASE)
NOISE = re.compile(
    r"(?:utm_[^=]*|pk_[^=]*|gclid|fbclid|msclkid|phpsessid|jsessionid|session_?id|sess_?id|cfid|cftoken|zenid)(?:=.*)?"
    r"|(?:sid|s|session|sess|token)=[0-9a-fA-F]{{16,}}",
    re.IGNORECASE,
)


def plain(url):
    """Return an address without what tracks a visitor or a session."""
    head, _, query = url.partition("#")[0].partition("?")
    pairs = [pair for pair in query.split("&") if pair and not NOISE.fullmatch(pair)]
    kept = [pair for pair in pairs if pair.partition("=")[0] not in WITHOUT]
    path = IN_PATH.sub(lambda found: "" if found[0].partition("=")[0] in WITHOUT else found[0], SESSION.sub("", head))
    return path + ("?" + "&".join(kept) if kept else "")


def arrange(url, names):
    """Return an address with its parameters in an order; others come last."""
    head, mark, query = url.partition("?")
    places = {{name: place for place, name in enumerate(names)}}
    return head + mark + "&".join(sorted(query.split("&"), key=lambda pair: places.get(name_of(pair), len(names))))


def name_of(pair):
    name, mark, _ = pair.partition("=")
    return name + mark


class {name}(scrapy.Spider):
    name = {spider}
    allowed_domains = {domains}
    custom_settings = {{"ROBOTSTXT_OBEY": True, "DOWNLOAD_DELAY": 1.0}}
    links = LinkExtractor(tags=("a", "area"), attrs=("href",), deny_extensions=(), unique=True)

    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        self.steps = [[(re.compile(step, re.ASCII), names, repeats) for step, names, repeats in path] for path in PATHS]
        self.reached = {{}}  # address: the states it was reached in
        self.led = {{}}  # address: the links of its page

    async def start(self):
        for number, (method, url, body) in enumerate(START):
            key = url if method == "GET" else "%s %d" % (url, number)
            self.reached[key] = {{(path, 0) for path in range(len(self.steps))}}
            yield self.ask(url, key, method=method, body=body)

    def ask(self, url, key, **more):
        if more.get("method") == "POST":
            more["headers"] = {{"Content-Type": "application/x-www-form-urlencoded"}}
        return scrapy.Request(url, self.parse, cb_kwargs={{"key": key}}, dont_filter=True, **more)

    def parse(self, response, key):
        if not isinstance(response, scrapy.http.HtmlResponse):
            return
        states = set(self.reached[key])
        if any(taken == len(self.steps[path]) for path, taken in states):
            yield self.read(response, key)
        links = [plain(link.url) for link in self.links.extract_links(response) if not link.nofollow]
        self.led[key] = [url for url in links if url not in AVOID]
        yield from self.lead_on([(key, state) for state in states])

    def lead_on(self, waiting):
        while waiting:
            key, state = waiting.pop()
            for url, reached in self.find_reached(self.led[key], state):
                if url not in self.reached:
                    self.reached[url] = {{reached}}
                    yield self.ask(url, url)
                elif reached not in self.reached[url]:
                    self.reached[url].add(reached)
                    if url in self.led:  # opened before it was reached this way
                        waiting.append((url, reached))

    def find_reached(self, links, state):
        path, taken = state
        steps = self.steps[path]
        for url in links:
            if self.takes(url, steps, taken):
                yield url, (path, taken + 1)
            elif taken and steps[taken - 1][2] and self.takes(url, steps, taken - 1):
                yield url, state

    def takes(self, url, steps, place):
        if place == len(steps) or (url in LISTS and place == len(steps) - 1):
            return False
        return self.matches(url, steps[place])

    def matches(self, url, step):
        pattern, names, _ = step
        return pattern.fullmatch(arrange(url, names)) is not None

    def read(self, response, url):
        """Return the item for a wanted page: add the fields you need."""
        return {{"url": url, "title": " ".join(response.css("title ::text").getall()).strip()}}
'''


def write_spider(pattern: Pattern) -> str:
    """Return a pattern as the source of a Scrapy spider; its texts become literals, whatever is in them."""
    from dowse import __version__

    entry, form = canonical(pattern.entry), pattern.first
    match = _HOST.match(entry or "")
    host = match.group(1) if match else ""
    starts = [build_request(form, value) for value in form.values] if form else [Request(entry or pattern.entry)]
    words = re.findall(r"[a-z0-9]+", host.lower())
    return _SPIDER.format(
        host=_docstring_text(host),
        sample=_docstring_text((pattern.samples or (pattern.entry,))[0]),
        version=__version__,
        start=pformat([(each.method, each.url, each.body.decode()) for each in starts], width=110),
        paths=pformat([[_step_literal(step) for step in path.steps] for path in pattern.paths], width=110),
        without=pformat(list(pattern.without), width=110),
        avoid=pformat(set(pattern.avoid), width=110),
        lists=pformat(set(pattern.lists), width=110),
        name="".join(word.capitalize() for word in words if not word[0].isdigit()) + "Spider",
        spider=ascii("-".join(words) or "pages"),
        domains=ascii([host]),
    )


def _docstring_text(text: str) -> str:
    """Return a text that can stand in a docstring."""
    return _UNSAFE.sub("", text)[:_MAX_DOCSTRING_CHARS]


def _step_literal(step: Step) -> tuple[str, Sequence[str], bool]:
    """Return the expression of a step, the names of its parameters in their order, and whether it repeats."""
    read = read_pattern(step.pattern)
    names = () if isinstance(read, Verdict) else tuple(each.name for each in read.parameters)
    return step.pattern, names, step.repeats
