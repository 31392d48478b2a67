"""What the pages of a site say about its search forms: noted while the site is searched, read when the search ends.

A page shows a box; the site shows what is behind it: whether links lead to its address with a query (facets, orders, further
pages of a list of records), whether things have their addresses below it, whether another form asks the same address in more
detail, and, of a box that stands on most pages, whether these are lists of things or writing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
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
        self._facts: dict[int, frozenset[str]] = {}

    def note(self, page: Page) -> None:
        """Keep one of the first pages."""
        if len(self.pages) < MAX_NOTED_PAGES:
            self.pages.append(page)

    def find_pages(self, form: Form, page: str) -> list[int]:
        """Return which of the pages have a form that was met on one of them; none where too few pages were read."""
        met = [each for each in self.pages if each.url == page] if len(self.pages) >= MIN_NOTED_PAGES else []
        keys = {known.key for each in met for known in each.form_keys if known.number == form.index}
        return [
            number
            for number, each in enumerate(self.pages)
            if (met and each.url == page) or any(known.key in keys for known in each.form_keys)
        ]

    def page_facts(self, number: int, known: Callable[[str], frozenset[str]] | None = None) -> frozenset[str]:
        """Return what a page says about what is searched, found once: the facts that a model may know, or all of them."""
        if number not in self._facts:
            self._facts[number] = frozenset(page_facts(self.pages[number], known))
        return self._facts[number]

    @cached_property
    def _links(self) -> dict[str, str]:
        """Addresses that its pages link to, each with its path."""
        urls = dict.fromkeys(url for page in self.pages for url in page.urls[:MAX_NOTED_LINKS])
        return {url: _path(url) for url in urls}

    def facts_of(self, form: Form, standing: int) -> Iterator[str]:
        """Yield what links and forms of the site say about a form that stands on so many of its pages."""
        path = _path(form.action)
        asked = [url.partition("?")[2] for url, own in self._links.items() if own == path and "?" in url]
        below = path.rstrip("/") + "/"
        things = sum(1 for own in self._links.values() if own.startswith(below) and own != below)
        others = [each for page in self.pages for each in page.forms if _path(each.action) == path]
        fuller = [each for each in others if len(visible_fields(each)) > len(visible_fields(form)) + 1]
        on_most = 2 * standing > len(self.pages)
        found = {
            "many links ask its address": len(asked) >= MANY_LINKS,
            "no link asks its address": not asked,
            "links put its answers in order": any(SORT_PARAMETER.search(query) for query in asked),
            "links page through its answers": any(PAGE_PARAMETER.search(query) for query in asked),
            # below the entrance stands all of the site
            "many things have addresses below its own": below.count("/") > 1 and things >= MANY_LINKS,
            "a fuller form asks its address": bool(fuller),
            "stands on most pages": on_most,
            "stands on most pages of a site of writing": on_most and self._is_writing,
        }
        yield from (fact for fact, holds in found.items() if holds)

    @cached_property
    def _is_writing(self) -> bool:
        """True if many of its addresses are of posts, threads, comments, revisions ..."""
        writing = whole_words("address of writing")
        paths = [own.partition("/")[2].lower() for own in self._links.values()]
        return sum(1 for own in paths if writing.search(own)) > MANY_WRITINGS * len(paths)


def _path(url: str) -> str:
    """Return host and path of an address."""
    return url.partition("//")[2].partition("#")[0].partition("?")[0]
