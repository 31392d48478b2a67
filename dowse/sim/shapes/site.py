"""A browsable site that answers: in this process as a Fetch, or on loopback as any simulated web."""

from __future__ import annotations

import re
from functools import cached_property
from typing import Final
from urllib.parse import unquote

from dowse.errors import BadInput
from dowse.fetch import Fetch
from dowse.model import Failure, Request, Response
from dowse.reasons import FailureReason
from dowse.sim.address import Address, split_address
from dowse.sim.chance import dice, some
from dowse.sim.fetch import simulate
from dowse.sim.manners import Manners
from dowse.sim.shapes.catalogue import SHAPES
from dowse.sim.shapes.page import Page, Text
from dowse.sim.shapes.plan import ShapePlan, plan_shape
from dowse.sim.shapes.truth import ShapeTruth, tell_truth
from dowse.sim.shapes.write import write_page
from dowse.sim.traps import without_session

SAMPLES: Final = 5
ADDRESSES: Final = ("kept", "moved")
PIXEL: Final = bytes.fromhex("47494638396101000100800000b02020ffffff21f90400000000002c00000000010001000002024401003b")
_URL: Final = re.compile(r"(https?)://([^/?#:]+)(?::(\d+))?([^#]*)", re.IGNORECASE)
_PICTURE: Final = re.compile(r"/(?:img/|media/p)[0-9]{1,9}\.gif")

Key = tuple[str, tuple[tuple[str, str], ...]]


class ShapeSite:
    """One site of one shape, whole: a web of its own, with the truth about it."""

    def __init__(self, plan: ShapePlan, truth: ShapeTruth) -> None:
        self.shape, self.plan, self.truth = plan.shape, plan, truth
        self.host, self.entry = plan.host, truth.entry
        self._pages = {_key(split_address(path)): page for path, page in plan.pages.items()}
        self._names = {name for _, params in self._pages for name, _ in params}

    @cached_property
    def fetch(self) -> Fetch:
        """The site as a Fetch, in this process."""
        return simulate(self)

    @cached_property
    def samples(self) -> tuple[str, ...]:
        """A few targets of the first day: the same ones whatever the day and the edition."""
        first = [url for url, came in zip(self.truth.targets, self.truth.came, strict=True) if not came]
        return tuple(some(dice(self.plan.key, "samples"), first, SAMPLES))

    def manners(self, host: str) -> Manners:
        """Return how the server behaves: at once, however often it is asked."""
        return Manners()

    def answer(self, request: Request) -> Response | Failure:
        """Answer a request as the site does."""
        match = _URL.match(request.url)
        if not match:
            return Failure(request.url, FailureReason.BAD_URL)
        scheme, host, port, text = match.groups()
        if host.lower() != self.host:
            return Failure(request.url, FailureReason.NO_HOST, host)
        if scheme.lower() != "http" or port not in (None, "80"):
            return Failure(request.url, FailureReason.REFUSED, "the simulated web speaks plain HTTP on port 80")
        return self._answer(request.url, text if text.startswith("/") else f"/{text}")

    def _answer(self, url: str, asked: str) -> Response:
        text = without_session(self.plan.session, asked) if self.plan.session else asked
        if _PICTURE.fullmatch(text):
            return Response(url, 200, (("content-type", "image/gif"),), PIXEL)
        page = self._find(split_address(text, self.plan.habits.encoding))
        if page is None:
            return self._refuse(url, asked)
        answer = write_page(self.plan, page, asked)
        return Response(url, answer.status, answer.headers, answer.body)

    def _find(self, address: Address) -> Page | None:
        """Return the page at an address, also with parameters that nobody reads."""
        page = self._pages.get(_key(address))
        if page is None and address.params:
            known = tuple(each for each in address.params if each[0] in self._names and each[1])
            page = self._pages.get(_key(Address(address.path, known)))
        return page

    def _refuse(self, url: str, asked: str) -> Response:
        says = self.plan.habits.says
        missing = Page(asked, "note", says["not_found"], (Text(says["not_found"], (says["home"],)),))
        answer = write_page(self.plan, missing, asked, 404)
        return Response(url, answer.status, answer.headers, answer.body)


def _key(address: Address) -> Key:
    """Return an address as the site understands it, however it is encoded and in whatever order."""
    return unquote(address.path), tuple(sorted(address.params))


def open_shape(
    name: str, family: str = "A", seed: int = 1, day: int = 0, *, edition: int = 0, addresses: str = "kept"
) -> ShapeSite:
    """Open a site of a shape on a day; a later edition has another look and, where it "moved", other addresses."""
    if name not in SHAPES:
        raise BadInput(f"no shape {name!r}; there are {', '.join(SHAPES)}")
    if addresses not in ADDRESSES:
        raise BadInput(f"addresses are {' or '.join(ADDRESSES)}, not {addresses!r}")
    if day < 0 or edition < 0:
        raise BadInput(f"a site begins on day 0 in edition 0, not on day {day} in edition {edition}")
    moves = edition if addresses == "moved" else 0
    plan = plan_shape(SHAPES[name], family.upper(), seed, day, edition, moves)
    return ShapeSite(plan, tell_truth(plan, seed, day, edition))
