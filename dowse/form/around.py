"""What the pages of a site say about its search forms: noted while the site is searched, read when the search ends.

A page shows a box; the site shows what is behind it: whether its pages look like lists of things or like writing, and whether
links lead to the address of the form with an order or a page of its answers, as they do where records are listed. Tried and left
out, because software that was not learned from was judged worse with them: on how many pages a form stands, what these say alone,
how many links ask its address or lead below it, fuller forms that ask the same, addresses of posts and threads.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property

from dowse.form.features import PAGE_PARAMETER, SORT_PARAMETER, page_facts
from dowse.model import Form, Page

MAX_NOTED_PAGES = 20  # of one site: with 20 the mean of what pages say is known to a tenth of their spread
MIN_NOTED_PAGES = 4  # fewer say nothing about a site
MAX_NOTED_LINKS = 300  # of one page
MAX_ADDRESS_SHARE = (
    0.5  # of the links of a site that lead to one address: where it is more, one script shows all of the site
)
LISTED = "links order its answers or page through them"


class SiteNotes:
    """Pages of one site; what they say is found out when it is asked for."""

    def __init__(self) -> None:
        self.pages: list[Page] = []
        self._facts: dict[int, frozenset[str]] = {}

    def note(self, page: Page) -> None:
        """Keep one of the first pages."""
        if len(self.pages) < MAX_NOTED_PAGES:
            self.pages.append(page)

    @property
    def is_enough(self) -> bool:
        """True if so many pages were read that they tell what sort of site it is."""
        return len(self.pages) >= MIN_NOTED_PAGES

    def page_facts(self, known: Callable[[str], frozenset[str]] | None = None) -> list[frozenset[str]]:
        """Return what each page says about what is searched, found once: the facts that a model may know, or all of them."""
        for number in range(len(self._facts), len(self.pages)):
            self._facts[number] = frozenset(page_facts(self.pages[number], known))
        return list(self._facts.values())

    @cached_property
    def _links(self) -> dict[str, str]:
        """Addresses that its pages link to, each with its path."""
        urls = dict.fromkeys(url for page in self.pages for url in page.urls[:MAX_NOTED_LINKS])
        return {url: _path(url) for url in urls}

    def facts_of(self, form: Form) -> frozenset[str]:
        """Return what links of the site say about a form of it."""
        path = _path(form.action)
        asked = [url.partition("?")[2] for url, own in self._links.items() if own == path and "?" in url]
        if len(asked) > MAX_ADDRESS_SHARE * len(self._links):
            return frozenset()
        listed = any(SORT_PARAMETER.search(query) or PAGE_PARAMETER.search(query) for query in asked)
        return frozenset({LISTED} if listed else ())


def _path(url: str) -> str:
    """Return host and path of an address."""
    return url.partition("//")[2].partition("#")[0].partition("?")[0]
