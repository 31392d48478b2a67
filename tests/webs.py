"""Tiny webs for tests: pages by address or by a function, answered as a Fetch."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from dowse.fetch import Fetch
from dowse.model import Failure, Page, Request, Response, SeenOnSite
from dowse.page import read_page
from dowse.reasons import FailureReason

HTML = (("content-type", "text/html; charset=utf-8"),)
Answer = str | Response | Failure | None


def page(*links: str, text: str = "", forms: str = "") -> str:
    """Write a page with links and words."""
    anchors = " ".join(f'<a href="{link}">{link}</a>' for link in links)
    return f"<html><body><p>{text}</p>{anchors}{forms}</body></html>"


def web(pages: Mapping[str, Answer] | Callable[[str], Answer], asked: list[str] | None = None) -> Fetch:
    """Answer from pages; what is not there is a 404. The addresses asked for go into `asked`."""
    look_up = pages.get if isinstance(pages, Mapping) else pages

    async def fetch(request: Request) -> Response | Failure:
        if asked is not None:
            asked.append(request.url)
        answer = look_up(request.url)
        if answer is None:
            return Response(request.url, 404, HTML, b"<html>not found</html>")
        return Response(request.url, 200, HTML, answer.encode()) if isinstance(answer, str) else answer

    return fetch


def refused(url: str) -> Failure:
    """Say that nobody answers there."""
    return Failure(url, FailureReason.REFUSED)


def read_in_turn(*responses: Response) -> list[Page]:
    """Read pages as a search of their site does: each without the forms that those before it have shown."""
    keys: set[int] = set()
    pages: list[Page] = []
    for response in responses:
        pages.append(read_page(response, SeenOnSite(form_keys=keys, pages=len(pages))))
        keys.update(form.key for form in pages[-1].form_keys)
    return pages
