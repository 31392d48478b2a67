"""`dowse like` as a function: one page in, a crawler out."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Final

from dowse.errors import BadInput, Stopped
from dowse.example.asking import find_asks, send
from dowse.example.judge import Judge, open_judge
from dowse.example.learn import Learned, learn_pattern
from dowse.example.look import Look, Seen, find_session, leave_out, look_with, name_failure
from dowse.example.map import Limits, Tell, map_site
from dowse.example.pattern import Kept
from dowse.fetch.build import Fetches, build_fetch
from dowse.model import Failure, Request, Verdict, Why
from dowse.records.aligned import learn_page
from dowse.settings import FetchSettings
from dowse.tree.shape import shape_of
from dowse.tree.written import write_shape
from dowse.url import same_site, seed_address

MOST_ASKS: Final = 3  # forms of an entry page that are tried when its links lead nowhere
TRIED_VALUES: Final = 12  # of a form; the pattern asks all of them
READ_LEAST: Final = 2  # pages; what varies shows only between pages


@dataclass(frozen=True, slots=True)
class Example:
    """What a user points at, opened: sample pages and the page to start from."""

    samples: tuple[Seen, ...]
    entry: Seen

    def open_judge(self) -> Judge:
        """Return a judge that knows the samples and the entry."""
        samples = {each.url: shape_of(each.tree) for each in self.samples}
        judge = open_judge(samples, shape_of(self.entry.tree), self.entry.url)
        for each in (self.entry, *self.samples):
            judge.listed.note(each.url, each.links, each.find_blocks())
        return judge


async def like(
    samples: Sequence[str], entry: str, *, limits: Limits | None = None, fetching: FetchSettings | None = None
) -> Learned:
    """Make a crawler for pages like the samples: map the site from an entry and learn the way."""
    async with build_fetch(fetching or FetchSettings()) as fetches:
        return await learn_like(samples, entry, fetches, limits or Limits())


async def learn_like(
    samples: Sequence[str], entry: str, fetches: Fetches, limits: Limits, tell: Tell = lambda *_: None
) -> Learned:
    """Look at the samples, map the site, and learn; what cannot be learned says why."""
    look = look_with(fetches.within_site, fetches.render)
    example = await open_example(samples, entry, look)
    session = find_session(example.entry.links, example.samples[0].links)
    if session:
        look = look_with(fetches.within_site, fetches.render, session)
        example = await open_example([leave_out(url, session) for url in samples], leave_out(entry, session), look)
    found = await _learn_by_links(example, look, limits, tell)
    if isinstance(found, Verdict):
        found = await _learn_by_asking(example, look, limits, tell) or found
    if isinstance(found, Verdict):
        raise Stopped(found.reason)
    return _finish(found, example, session)


async def open_example(samples: Sequence[str], entry: str, look: Look) -> Example:
    """Open the samples and the entry; they have to be pages of one site."""
    addresses = [_read_address(url, "the sample") for url in samples]
    start = _read_address(entry, "--entry")
    for url in addresses:
        if not same_site(url, start):
            raise BadInput(f"the sample {url} is not on the site of the entry {start}")
    shown = [await _open(url, look, "the sample") for url in addresses]
    return Example(tuple(shown), await _open(start, look, "the entry"))


def _read_address(text: str, what: str) -> str:
    url = seed_address(text)
    if url is None:
        raise BadInput(f"{what} {text[:120]!r} is not a web address; give one such as http://example.com/artists/12")
    return url


async def _open(url: str, look: Look, what: str) -> Seen:
    seen = await look(Request(url))
    if isinstance(seen, Failure):
        raise Stopped(f"{what} {url} could not be opened: {_say_why(seen)}")
    return seen


def _say_why(failure: Failure) -> str:
    if failure.why is Why.STATUS:
        return name_failure(failure)
    leads_on = 300 <= failure.status < 400 and failure.detail
    return f"it leads to another site; give {failure.detail} instead" if leads_on else str(failure)


async def _learn_by_links(example: Example, look: Look, limits: Limits, tell: Tell) -> Learned | Verdict:
    site = await map_site(example.entry, example.open_judge(), look, limits, tell)
    return learn_pattern(site, [each.url for each in example.samples])


async def _learn_by_asking(example: Example, look: Look, limits: Limits, tell: Tell) -> Learned | None:
    """Ask the forms of the entry page, as if each answer were a link on it."""
    for ask, _ in zip(find_asks(example.entry.page, example.samples[0].page), range(MOST_ASKS), strict=False):
        answers = tuple(send(ask, value).url for value in ask.values[:TRIED_VALUES])
        site = await map_site(replace(example.entry, links=answers), example.open_judge(), look, limits, tell)
        found = learn_pattern(site, [each.url for each in example.samples], ask)
        if isinstance(found, Learned):
            return found
    return None


def _finish(found: Learned, example: Example, session: Iterable[str], now: Callable[[], float] = time.time) -> Learned:
    """Add to a pattern how its pages are built, and how their data is read."""
    trees = {each.url: each.tree for each in example.samples} | dict(found.site.trees)
    reader = learn_page(list(trees.values())).to_dict() if len(trees) >= READ_LEAST else {}
    made = time.strftime("%Y-%m-%d", time.gmtime(now()))
    judge = found.site.judge
    shapes = tuple(Kept(write_shape(each.page.shape), round(each.common, 6)) for each in judge.samples)
    pattern = replace(found.pattern, shapes=shapes, scale=round(judge.scale, 6), reader=reader, made=made)
    return replace(found, pattern=replace(pattern, without=tuple(sorted(session))))
