"""Fetch is one callable type: a Request goes in, a Response or a Failure comes out.

HTTP, a recording and the simulated web are Fetches; robots, politeness, redirects and
the archive each wrap one and are one.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from dowse.model import Failure, Request, Response

Fetch = Callable[[Request], Awaitable[Response | Failure]]
Render = Callable[
    [Response], Awaitable[Response | Failure]
]  # a page as it came goes in, as a browser shows it comes out
