"""Follows redirects, hop by hop, so that every wrapper inside sees every hop."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import ada_url

from dowse.fetch import Fetch
from dowse.model import Failure, Request, Response
from dowse.reasons import FailureReason
from dowse.url import canonical, origin

REDIRECT_STATUSES = frozenset({301, 302, 303, 307, 308})
_KEEP_METHOD_STATUSES = frozenset({307, 308})


def follow_within_site(fetch: Fetch, max_hops: int = 5) -> Fetch:
    """Wrap a Fetch to follow redirects inside a site; one that leaves it is returned, with an absolute Location."""
    return _follow(fetch, max_hops, lambda start, target: origin(start) == origin(target))


def follow_anywhere(fetch: Fetch, max_hops: int = 5) -> Fetch:
    """Wrap a Fetch to follow redirects to any site."""
    return _follow(fetch, max_hops, lambda start, target: True)


def _follow(fetch: Fetch, max_hops: int, may_follow: Callable[[str, str], bool]) -> Fetch:
    async def fetch_following(request: Request) -> Response | Failure:
        result = await fetch(request)
        if isinstance(result, Failure) or result.status not in REDIRECT_STATUSES:
            return result
        return await _follow_redirects(fetch, request, result, max_hops, may_follow)

    return fetch_following


async def _follow_redirects(
    fetch: Fetch, request: Request, response: Response, max_hops: int, may_follow: Callable[[str, str], bool]
) -> Response | Failure:
    """Go on from the first redirect until a response is none."""
    start, trail, has_cookie = request.url, [request.url], False
    while response.status in REDIRECT_STATUSES:
        has_cookie = has_cookie or bool(response.header("set-cookie"))
        target = redirect_target(response, trail, has_cookie=has_cookie)
        if isinstance(target, Failure):
            return replace(target, url=start)
        if not may_follow(start, target):
            headers = tuple((name, target if name == "location" else value) for name, value in response.headers)
            return replace(response, redirects=tuple(trail[:-1]), headers=headers)
        if len(trail) > max_hops:
            return Failure(
                start, FailureReason.REDIRECTS, f"more than {max_hops}, the next to {target}", response.status
            )
        request = _next_request(request, response.status, target)
        trail.append(target)
        result = await fetch(request)
        if isinstance(result, Failure):
            return result
        response = result
    return replace(response, redirects=tuple(trail[:-1]))


def redirect_target(response: Response, trail: list[str], *, has_cookie: bool = False) -> str | Failure:
    """Return where a redirect leads, or why it cannot be followed; back where it began only once, with a cookie set meanwhile."""
    location = _decode_location(response.header("location"))
    if not location:
        return Failure(response.url, FailureReason.REDIRECT_BAD, "no Location", response.status)
    target = canonical(location, response.url)
    if target is None:
        return Failure(response.url, FailureReason.REDIRECT_BAD, location[:200], response.status)
    if target in trail:
        # The address may differ only in what canonical() removes: a session id that the server wants to see once.
        target = ada_url.join_url(response.url, location).partition("#")[0]
    if target in trail and not (has_cookie and trail.count(target) == 1):
        return Failure(response.url, FailureReason.REDIRECT_LOOP, target, response.status)
    return target


def _decode_location(location: str) -> str:
    """Return a Location as UTF-8, in which servers write it; headers are read as Latin-1."""
    if location.isascii():
        return location
    try:
        return location.encode("latin-1").decode("utf-8")
    except UnicodeError:
        return location


def _next_request(request: Request, status: int, target: str) -> Request:
    """Return the request of the next hop; a POST becomes a GET, as in browsers (RFC 9110 15.4)."""
    if status in _KEEP_METHOD_STATUSES or request.method in ("GET", "HEAD"):
        return replace(request, url=target)
    kept = tuple(pair for pair in request.headers if not pair[0].lower().startswith("content-"))
    return Request(target, headers=kept)
