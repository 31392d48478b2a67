"""`dowse like` as a function: one page in, a pattern out."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import Final

import msgspec

from dowse.errors import BadInput, Stopped
from dowse.example.address import AddressPattern, address_form
from dowse.example.generalise import generalise, read_pattern
from dowse.example.judge import Judge, open_judge
from dowse.example.map import MapLimits, ReportProgress, SiteMap, find_targets, map_site
from dowse.example.page import (
    ExamplePage,
    OpenPage,
    build_opener,
    build_request,
    failure_reason,
    find_form_queries,
    find_session_parameters,
    strip_parameters,
)
from dowse.example.paths import MAX_OTHERS_BY_ADDRESS, Cover, TargetMap, cover
from dowse.example.pattern import FormQuery, Path, Pattern, SampleShape, Step
from dowse.fetch.build import Fetches, build_fetch
from dowse.model import Failure, Request, Verdict, Why
from dowse.records.template_pages import learn_page_wrapper
from dowse.settings import FetchSettings
from dowse.step.visit import offload
from dowse.tree.similarity import shape_of, write_shape
from dowse.url import same_site, seed_address

MIN_LEARNED_TARGETS: Final = 2  # that a pattern is learned from: one page shows nothing that repeats
ANY_WORDS: Final = r"[a-zA-Z0-9%\-_]+"
_WORDS: Final = re.compile(
    r"\[(?=[^\]]{0,300}?a-z)[^\]]{0,300}+\][+*]|\(\?:[a-z_\\-]++(?:\|[a-z_\\-]++)++\)", re.IGNORECASE
)  # signs with letters, or some words, as patterns write them
MAX_AVOIDED_ADDRESSES: Final = 1_000  # in a pattern
THRESHOLD_SHARE_ABOVE_OTHERS: Final = 0.3  # between the likeness of other pages and of targets: targets vary more
_YEAR: Final = re.compile(r"(?<![0-9{,])(?:19|20)[0-9]{2}(?![0-9},])")  # next year there will be another
KEPT_SAMPLES: Final = 5  # addresses of targets in the pattern, so that it can be learned again


@dataclass(frozen=True, slots=True)
class LearnedPattern:
    """A pattern, and what it was learned from."""

    pattern: Pattern
    site: SiteMap
    cover: Cover

    @property
    def targets(self) -> int:
        """The number of known pages like the sample."""
        return len(self.site.targets) + len(self.site.presumed)

    @property
    def missed(self) -> frozenset[str]:
        """Pages like the sample that no path reaches, nor a last step that repeats."""
        ends = [read_pattern(path.steps[-1].pattern) for path in self.pattern.paths if path.steps[-1].repeats]
        return frozenset(url for url in self.cover.missed if not _matches(ends, url))


def learn_pattern(site: SiteMap, samples: Sequence[str], first: FormQuery | None = None) -> LearnedPattern | Verdict:
    """Return the pattern that leads to the targets of a map; or why there is none."""
    found = find_targets(site)
    if len(found.targets) < MIN_LEARNED_TARGETS:
        return Verdict(False, _why_no_pattern(site, found))
    covering = cover(found)
    if not covering.paths:
        return Verdict(False, "no path of links leads from the entry to pages like the sample")
    repeated = [_repeat_targets(path, found, covering) for path in covering.paths]
    loose = [Path(tuple(_loosen_step(step, found) for step in path.steps)) for path in repeated]
    paths = _share_ends(loose, found)
    if first is not None:
        paths = tuple(Path(path.steps[1:]) for path in paths if len(path.steps) > 1)
        if not paths:
            return Verdict(False, "the form answers with pages like the sample and with no list of them")
    named = tuple(dict.fromkeys((*samples, *sorted(found.targets))))[:KEPT_SAMPLES]
    figures = {"targets": len(found.targets), "mapped_pages": len(site.pages)}
    avoid, lists = _find_avoided(paths, found, site), _find_lists(paths, found)
    figures |= {"others": _count_others(paths, {*avoid, *lists}, site)}
    pattern = Pattern(
        entry=site.entry,
        first=first,
        paths=paths,
        samples=named,
        threshold=_find_threshold(site, paths),
        avoid=avoid,
        lists=lists,
        figures=figures,
    )
    return LearnedPattern(pattern, site, covering)


def _why_no_pattern(site: SiteMap, found: TargetMap) -> str:
    near = max((site.judge.likeness(url) for url in site.judge.pages), default=0.0)
    count = len(found.targets)
    return (
        f"{len(site.pages):,} page{'s were' if len(site.pages) != 1 else ' was'} mapped from {site.entry} and {count or 'none'} of them {'is' if count else 'are'} like the sample"
        f" (the nearest is {near:.0%} like it); try an entry nearer to the pages you want, or more --pages"
    )


def _repeat_targets(path: Path, found: TargetMap, covering: Cover) -> Path:
    """Let the last step repeat where targets that only other targets link to are reached by it."""
    last = read_pattern(path.steps[-1].pattern)
    beyond = [url for url in covering.missed if all(above in found.targets for above in found.parents.get(url, ()))]
    if isinstance(last, Verdict) or not beyond:
        return path
    forms = {address_form(url) for url in found.targets if last.matches(url)}
    alike = [url for url in (*found.targets, *beyond) if address_form(url) in forms]
    if not any(last.matches(url) for url in beyond) and len(alike) > MIN_LEARNED_TARGETS:
        last = generalise(alike)
    if not any(last.matches(url) for url in beyond):
        return path
    return Path((*path.steps[:-1], Step(last.text, repeats=True)))


def _share_ends(paths: Sequence[Path], found: TargetMap) -> tuple[Path, ...]:
    """Let each path end with the pattern that matches most, where both lead to the same kind: a short list shows few examples."""
    ends = {path: read_pattern(path.steps[-1].pattern) for path in paths}
    reached = {
        path: {url for url in found.targets if not isinstance(end, Verdict) and end.matches(url)}
        for path, end in ends.items()
    }

    def widen(path: Path) -> Path:
        wider = max((each for each in paths if reached[each] >= reached[path]), key=lambda each: len(reached[each]))
        return Path((*path.steps[:-1], Step(wider.steps[-1].pattern, path.steps[-1].repeats)))

    return tuple(dict.fromkeys(map(widen, paths)))


def _loosen_step(step: Step, found: TargetMap) -> Step:
    """Let words in an address be any words, and years any year, where that matches no page known to be another."""
    loose = loosen_text(step.pattern)
    now, then = read_pattern(step.pattern), read_pattern(loose)
    if isinstance(now, Verdict) or isinstance(then, Verdict):
        return step
    wrong = sum(then.matches(url) and not now.matches(url) for url in found.others) > MAX_OTHERS_BY_ADDRESS
    lost = any(now.matches(url) and not then.matches(url) for url in found.parents)
    return step if wrong or lost else Step(loose, step.repeats)


def loosen_text(pattern: str) -> str:
    """Return a pattern with any words for words, and any year for a year; the host stays."""
    scheme, mark, rest = pattern.partition("://")
    host, slash, path = rest.partition("/")
    return scheme + mark + host + slash + _YEAR.sub("[0-9]{4}", _WORDS.sub(lambda _: ANY_WORDS, path))


def _find_avoided(paths: Sequence[Path], found: TargetMap, site: SiteMap) -> tuple[str, ...]:
    """Return the pages that a step would lead to, though they are known to be neither targets nor on a path.

    What is listed with the samples may be one of them after all, and what has the address of a list may be filled later,
    unless it stands on every page.
    """
    ends, hubs = _read_ends(paths), _read_hubs(paths)
    boilerplate = site.judge.site_lists.boilerplate
    siblings = (site.judge.site_lists.siblings or frozenset()) - boilerplate
    beside = [url for url in found.others if url in boilerplate and _matches(hubs, url)]
    repeats = any(path.steps[-1].repeats for path in paths)  # then a page at the end may be on the way after all
    seen = (*found.others, found.entry) if repeats else (*found.others, *site.pages)
    known = (url for url in seen if url not in found.targets and _matches(ends, url) and not _matches(hubs, url))
    apart = site.judge.outliers | site.judge.list_pages | {found.entry}
    outside = (url for url in known if url in apart or url not in siblings)
    return tuple(dict.fromkeys((*outside, *beside)))[:MAX_AVOIDED_ADDRESSES]


def _count_others(paths: Sequence[Path], known: Collection[str], site: SiteMap) -> int:
    """Return how many pages of the map the paths lead to that are not like the samples: so many are no redesign."""
    ends = _read_ends(paths)
    others = (url for url in site.pages if url not in site.targets and url not in known)
    return sum(_matches(ends, url) for url in others)


def _find_lists(paths: Sequence[Path], found: TargetMap) -> tuple[str, ...]:
    """Return the pages on the paths that a last step would take for targets."""
    ends, hubs = _read_ends(paths), _read_hubs(paths)
    between = (url for url in found.parents if url not in found.targets)
    return tuple(url for url in between if _matches(ends, url) and _matches(hubs, url))[:MAX_AVOIDED_ADDRESSES]


def _find_threshold(site: SiteMap, paths: Sequence[Path]) -> float:
    """Return the likeness from which on a page at the end of a path counts; its address already speaks for it.

    Where others have such addresses, it lies between them and the targets that are least alike; pages that were not seen
    may be less alike than those.
    """
    judge, ends = site.judge, _read_ends(paths)
    least = min((judge.likeness(url) for url in site.targets), default=1.0)
    rivals = (url for url in judge.pages if url not in site.targets and _matches(ends, url))
    below = max((likeness for url in rivals if (likeness := judge.likeness(url)) < least), default=0.0)
    if below:
        return round(below + THRESHOLD_SHARE_ABOVE_OTHERS * (least - below), 4)
    return round(min(judge.own_threshold, least / 2), 4)


def _read_ends(paths: Sequence[Path]) -> list[AddressPattern | Verdict]:
    return [read_pattern(path.steps[-1].pattern) for path in paths]


def _read_hubs(paths: Sequence[Path]) -> list[AddressPattern | Verdict]:
    return [read_pattern(step.pattern) for path in paths for step in path.steps[:-1]]


def _matches(patterns: Sequence[AddressPattern | Verdict], url: str) -> bool:
    return any(not isinstance(each, Verdict) and each.matches(url) for each in patterns)


# -- from a sample and an entry to a map

MAX_FORMS_TRIED: Final = 3  # on an entry page when its links lead nowhere
MAX_VALUES_TRIED: Final = 12  # of a form; the pattern asks all values
MIN_READER_PAGES: Final = 2  # what varies shows only between pages


@dataclass(frozen=True, slots=True)
class OpenedExample:
    """The pages a user points at, opened: samples and the entry."""

    samples: tuple[ExamplePage, ...]
    entry: ExamplePage

    @property
    def large(self) -> bool:
        """True if a page is so large that they are compared in a thread beside the event loop."""
        return any(each.large for each in (self.entry, *self.samples))

    def open_judge(self) -> Judge:
        """Return a judge that knows the samples and the entry."""
        samples = {each.url: shape_of(each.tree) for each in self.samples}
        judge = open_judge(samples, shape_of(self.entry.tree), self.entry.url)
        for each in (self.entry, *self.samples):
            judge.site_lists.add_page(each.url, each.links, each.find_blocks())
        return judge


async def like(
    samples: Sequence[str], entry: str, *, limits: MapLimits | None = None, fetching: FetchSettings | None = None
) -> LearnedPattern:
    """Make a crawler for pages like the samples: map the site from an entry and learn the paths to them."""
    async with build_fetch(fetching or FetchSettings()) as fetches:
        return await learn_like(samples, entry, fetches, limits or MapLimits())


async def learn_like(
    samples: Sequence[str], entry: str, fetches: Fetches, limits: MapLimits, report: ReportProgress = lambda *_: None
) -> LearnedPattern:
    """Open the samples, map the site, and learn; what cannot be learned says why."""
    open_page = build_opener(fetches.within_site, fetches.render)
    example = await open_example(samples, entry, open_page)
    session = find_session_parameters(example.entry.links, example.samples[0].links)
    if session:
        open_page = build_opener(fetches.within_site, fetches.render, session)
        example = await open_example(
            [strip_parameters(url, session) for url in samples], strip_parameters(entry, session), open_page
        )
    found = await _map_and_learn(example, open_page, limits, report)
    if isinstance(found, Verdict):  # links lead nowhere
        for form in islice(find_form_queries(example.entry.page, example.samples[0].page), MAX_FORMS_TRIED):
            learned = await _map_and_learn(example, open_page, limits, report, form)
            if isinstance(learned, LearnedPattern):
                found = learned
                break
    if isinstance(found, Verdict):
        raise Stopped(found.reason)
    return await offload(example.large, _finish, found, example, session)


async def open_example(samples: Sequence[str], entry: str, open_page: OpenPage) -> OpenedExample:
    """Open the samples and the entry; they have to be pages of one site."""
    addresses = [_read_address(url, "the sample") for url in samples]
    start = _read_address(entry, "--entry")
    for url in addresses:
        if not same_site(url, start):
            raise BadInput(f"the sample {url} is not on the site of the entry {start}")
    shown = [await _open(url, open_page, "the sample") for url in addresses]
    return OpenedExample(tuple(shown), await _open(start, open_page, "the entry"))


def _read_address(text: str, what: str) -> str:
    url = seed_address(text)
    if url is None:
        raise BadInput(f"{what} {text[:120]!r} is not a web address; give one such as http://example.com/artists/12")
    return url


async def _open(url: str, open_page: OpenPage, what: str) -> ExamplePage:
    seen = await open_page(Request(url))
    if not isinstance(seen, Failure):
        return seen
    why = failure_reason(seen) if seen.why is Why.STATUS else str(seen)
    if seen.why is not Why.STATUS and 300 <= seen.status < 400 and seen.detail:
        why = f"it leads to another site; give {seen.detail} instead"
    raise Stopped(f"{what} {url} could not be opened: {why}")


async def _map_and_learn(
    example: OpenedExample,
    open_page: OpenPage,
    limits: MapLimits,
    report: ReportProgress,
    form: FormQuery | None = None,
) -> LearnedPattern | Verdict:
    """Map the site from the entry and learn from it; with a form, as if each of its answers were a link of the entry."""
    entry = example.entry
    if form is not None:
        answers = tuple(build_request(form, value).url for value in form.values[:MAX_VALUES_TRIED])
        entry = replace(entry, links=answers)
    judge = await offload(example.large, example.open_judge)
    site = await map_site(entry, judge, open_page, limits, report)
    return learn_pattern(site, [each.url for each in example.samples], form)


def _finish(
    found: LearnedPattern, example: OpenedExample, session: Iterable[str], now: Callable[[], float] = time.time
) -> LearnedPattern:
    """Add to a pattern the shapes of its pages, and how their data is extracted."""
    trees = {each.url: each.tree for each in example.samples} | dict(found.site.trees)
    reader = learn_page_wrapper(list(trees.values())).to_dict() if len(trees) >= MIN_READER_PAGES else {}
    made = time.strftime("%Y-%m-%d", time.gmtime(now()))
    judge = found.site.judge
    shapes = tuple(
        SampleShape(shape=write_shape(each.page.shape), common=round(each.common, 6)) for each in judge.samples
    )
    without, scale = tuple(sorted(session)), round(judge.scale, 6)
    pattern = msgspec.structs.replace(
        found.pattern, shapes=shapes, scale=scale, reader=reader, made=made, without=without
    )
    return replace(found, pattern=pattern)
