"""What the pages of a site say about its search forms: noted while the site is searched, read when the search ends.

A page shows a box; the site shows what is behind it: whether links lead to its address with a query (facets, orders, further
pages of a list of records), whether things have their addresses below it, whether another form asks the same address in more
detail, and whether the pages are lists of things or writing.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property

from dowse.form.features import PAGE_PARAMETER, SORT_PARAMETER, page_facts, visible_fields
from dowse.model import Form, Page
from dowse.words.lookup import whole_words

MAX_NOTED_PAGES = 20  # of one site: with 20 the mean of what pages say is known to a tenth of their spread
MIN_NOTED_PAGES = 4  # fewer say nothing about a site
MAX_NOTED_LINKS = 300  # of one page
MANY_LINKS = 10  # to the address of a form, from which they are facets or pages of a list rather than single links
MANY_WRITINGS = 0.1  # share of the links of a site whose address names posts, threads, comments, revisions ...


class SiteNotes:
    """Pages of one site; what they say is found out when it is asked for."""

    def __init__(self) -> None:
        self.pages: list[Page] = []

    def note(self, page: Page) -> None:
        """Keep one of the first pages."""
        if len(self.pages) < MAX_NOTED_PAGES:
            self.pages.append(page)

    @property
    def is_enough(self) -> bool:
        """True if so many pages were read that they tell what sort of site it is."""
        return len(self.pages) >= MIN_NOTED_PAGES

    @cached_property
    def page_facts(self) -> list[frozenset[str]]:
        """What each page says about what is searched, as the models know it of a single page."""
        return [frozenset(page_facts(page)) for page in self.pages]

    @cached_property
    def _links(self) -> dict[str, str]:
        """Addresses that its pages link to, each with its path."""
        urls = dict.fromkeys(url for page in self.pages for url in page.urls[:MAX_NOTED_LINKS])
        return {url: _path(url) for url in urls}

    def facts_of(self, form: Form) -> Iterator[str]:
        """Yield what links and forms of the site say about a form of it."""
        path = _path(form.action)
        asked = [url.partition("?")[2] for url, own in self._links.items() if own == path and "?" in url]
        if len(asked) >= MANY_LINKS:
            yield "many links ask its address"
        elif not asked:
            yield "no link asks its address"
        if any(SORT_PARAMETER.search(query) for query in asked):
            yield "links put its answers in order"
        if any(PAGE_PARAMETER.search(query) for query in asked):
            yield "links page through its answers"
        below = path.rstrip("/") + "/"
        things = sum(1 for own in self._links.values() if own.startswith(below) and own != below)
        if below.count("/") > 1 and things >= MANY_LINKS:
            yield "many things have addresses below its own"
        others = [each for page in self.pages for each in page.forms if _path(each.action) == path]
        if any(len(visible_fields(each)) > len(visible_fields(form)) + 1 for each in others):
            yield "a fuller form asks its address"
        writing = whole_words("address of writing")
        paths = [own.partition("/")[2].lower() for own in self._links.values()]
        if sum(1 for own in paths if writing.search(own)) > MANY_WRITINGS * len(paths):
            yield "many addresses of the site are of writing"


def _path(url: str) -> str:
    """Return host and path of an address."""
    return url.partition("//")[2].partition("#")[0].partition("?")[0]
