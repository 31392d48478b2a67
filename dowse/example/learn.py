"""`dowse like` as a function: one page in, a pattern out; and the same again after a redesign."""

from __future__ import annotations

import re
import time
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import islice, product
from typing import Final
from urllib.parse import unquote_plus

import msgspec

from dowse.errors import BadInput, Stopped
from dowse.example.address import (
    MAX_DIFFERENT_LEVELS,
    Address,
    AddressCleaning,
    AddressPattern,
    differ_in_page_number,
    find_changing_parameters,
    find_session_parameters,
    generalise,
    group_by_shape,
    group_similar,
    holds_way_back,
    parameter_name,
    read_address,
    read_pattern,
    strip_parameters,
    tighten_pattern,
)
from dowse.example.follow import MAX_TITLE_WORDS, TITLE_WORD, ExamplePage, OpenPage, build_opener, failure_reason
from dowse.example.judge import Judge, open_judge
from dowse.example.lists import MIN_LIST_LINKS, loose_address_kind
from dowse.example.map import MapLimits, ReportProgress, SiteMap, TargetMap, find_targets, map_site
from dowse.example.pattern import (
    MAX_PATH_STEPS,
    MAX_PATTERN_BOXES,
    FormQuery,
    Path,
    Pattern,
    SampleShape,
    Step,
    build_request,
    judge_map,
    name_pattern,
)
from dowse.fetch.build import Fetches, build_fetch
from dowse.form.doors import open_door
from dowse.form.fill import fill
from dowse.form.questions import find_box
from dowse.model import Door, Failure, Page, Request, Verdict
from dowse.reasons import FailureReason
from dowse.records.details import learn_page_wrapper
from dowse.settings import FetchSettings
from dowse.step.visit import offload
from dowse.store import Store
from dowse.store.walks import last_targets
from dowse.tree.node import Node, text_of
from dowse.tree.similarity import MIN_LIKENESS, shape_of, write_shape
from dowse.url import same_site, seed_address

# -- from a sample and an entry to a map

# A bound on work or memory; what it does to figures was not measured.
MAX_FORMS_TRIED: Final = 3  # on an entry page when its links lead nowhere
# A bound on work or memory; what it does to figures was not measured.
MAX_VALUES_TRIED: Final = 12  # of a form; the pattern asks all values
# The fewest that show what varies.
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
        judge = open_judge(samples, shape_of(self.entry.tree), self.entry.url, self.entry.links)
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
    example, open_page, without = await open_cleaned(samples, entry, fetches)
    found = await _map_and_learn(example, open_page, limits, report)
    if isinstance(found, Verdict):  # links lead nowhere
        for form in islice(find_form_queries(example.entry.page, example.samples[0].page), MAX_FORMS_TRIED):
            learned = await _map_and_learn(example, open_page, limits, report, form)
            if isinstance(learned, LearnedPattern):
                found = learned
                break
    if isinstance(found, Verdict):
        raise Stopped(found.reason)
    return await offload(example.large, _add_shapes_and_reader, found, example, without)


async def open_cleaned(
    samples: Sequence[str], entry: str, fetches: Fetches
) -> tuple[OpenedExample, OpenPage, frozenset[str]]:
    """Open the samples and the entry; return with them how pages are opened without sessions, tokens and ways back, and these."""
    open_page = build_opener(fetches.within_site, fetches.render, AddressCleaning.of(samples))
    example = await open_example(samples, entry, open_page)
    without = find_session_parameters(example.entry.links, example.samples[0].links)
    without |= await find_return_parameters(example.samples[0], open_page)
    without |= await find_tokens(example, without, open_page)
    if not without:
        return example, open_page, without
    open_page = build_opener(fetches.within_site, fetches.render, AddressCleaning.of(samples, without))
    clean = [strip_parameters(each.url, without) for each in example.samples]
    return await open_example(clean, strip_parameters(example.entry.url, without), open_page), open_page, without


async def find_tokens(example: OpenedExample, without: Collection[str], open_page: OpenPage) -> frozenset[str]:
    """Return the parameters that have other values when the entry is asked again, though its links lead to the same pages.

    An address without them must still lead to its page: signed ones do not, and stay as they are.
    """
    again = await open_page(Request(example.entry.url))
    if isinstance(again, Failure):
        return frozenset()
    here, there = ({strip_parameters(url, without) for url in each.links} for each in (example.entry, again))
    tokens = find_changing_parameters(here, there)
    samples = [strip_parameters(each.url, tokens) for each in example.samples]
    tried = [url for url, each in zip(samples, example.samples, strict=True) if url != each.url]
    tried = tried or [strip_parameters(url, tokens) for url in sorted(there - here)][:1]
    opened = [await open_page(Request(url)) for url in tried] if tokens else []
    return frozenset() if any(isinstance(each, Failure) for each in opened) else tokens


async def find_return_parameters(sample: ExamplePage, open_page: OpenPage) -> frozenset[str]:
    """Return the parameters of a sample that hold an address of its site or a query, and without which its page is the same.

    They say where to go back to: to a list, and to the page, order and filters of it.
    """
    found = set()
    for pair in sample.url.partition("?")[2].split("&"):
        name = parameter_name(pair)
        if not holds_way_back(pair, sample.url):
            continue
        other = await open_page(Request(strip_parameters(sample.url, {name})))
        if not isinstance(other, Failure) and _say_the_same(sample.page, other.page):
            found.add(name)
    return frozenset(found)


def _say_the_same(page: Page, other: Page) -> bool:
    return page.title == other.title and page.text.split() == other.text.split()


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
    why = failure_reason(seen) if seen.why is FailureReason.STATUS else str(seen)
    if seen.why is not FailureReason.STATUS and 300 <= seen.status < 400 and seen.detail:
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


def _add_shapes_and_reader(
    found: LearnedPattern, example: OpenedExample, without: Iterable[str], now: Callable[[], float] = time.time
) -> LearnedPattern:
    """Add to a pattern the shapes of its pages, and how their data is extracted."""
    trees = {each.url: each.tree for each in example.samples} | dict(found.site.trees)
    reader = learn_page_wrapper(list(trees.values())).to_dict() if len(trees) >= MIN_READER_PAGES else {}
    made = time.strftime("%Y-%m-%d", time.gmtime(now()))
    judge = found.site.judge
    shapes = tuple(
        SampleShape(shape=write_shape(each.page.shape), common=round(each.common, 6)) for each in judge.samples
    )
    pattern = msgspec.structs.replace(
        found.pattern,
        shapes=shapes,
        scale=round(judge.scale, 6),
        reader=reader,
        made=made,
        without=tuple(sorted(without)),
    )
    return replace(found, pattern=pattern, entry_page=example.entry.page)


# -- from the map of a site to a pattern

# Half and twice change nothing on eight development sites (bench/paper3/sensitivity.py); chosen on others, by hand.
MIN_LEARNED_TARGETS: Final = 2  # that a pattern is learned from: one page shows nothing that repeats
ANY_WORDS: Final = r"[a-zA-Z0-9%\-_]+"
NO_WORDS: Final = r"[a-zA-Z0-9%\-_]*"  # before a number: of a title in another script nothing may be left
_WORDS: Final = re.compile(
    r"\[(?=[^\]]{0,300}?a-z)[^\]]{0,300}+\][+*]|\(\?:[a-z_\\-]++(?:\|[a-z_\\-]++)++\)", re.IGNORECASE
)  # signs with letters, or some words, as patterns write them
# A bound on work or memory; what it does to figures was not measured.
MAX_AVOIDED_ADDRESSES: Final = 1_000  # in a pattern
# Half and twice change nothing on eight development sites (bench/paper3/sensitivity.py); chosen on others, by hand.
THRESHOLD_SHARE_ABOVE_OTHERS: Final = 0.3  # between the likeness of other pages and of targets: targets vary more
_YEAR: Final = re.compile(r"(?<![0-9{,])(?:19|20)[0-9]{2}(?![0-9},])")  # next year there will be another
# A bound on work or memory; what it does to figures was not measured.
KEPT_SAMPLES: Final = 5  # addresses of targets in the pattern, so that it can be learned again


@dataclass(frozen=True, slots=True)
class LearnedPattern:
    """A pattern, and what it was learned from."""

    pattern: Pattern
    site: SiteMap
    cover: Cover
    entry_page: Page | None = None  # with its forms: a list may be filled in with a filter

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
    if len(found.targets) < MIN_LIST_LINKS and site.judge.site_lists.boilerplate.issuperset(samples):
        return Verdict(
            False,
            f"only {len(found.targets)} pages are like the sample, which stands on every page, as in a menu: {', '.join(sorted(found.targets))};"
            " give a page that a list names",
        )
    covering = cover_targets(found)
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
    # Pages of the map that the paths lead to and that are not like the samples: so many are no redesign.
    ends, known = _read_ends(paths), {*avoid, *lists}
    others = (url for url in site.pages if url not in site.targets and url not in known)
    site.judge.add_samples_of(sorted(site.targets))
    figures["others"] = sum(_matches(ends, url) for url in others)
    pattern = Pattern(
        entry=site.entry,
        first=first,
        paths=paths,
        samples=named,
        threshold=_find_threshold(site, paths),
        avoid=avoid,
        lists=lists,
        boxes=_find_boxes(found, site, avoid),
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
    kinds = {loose_address_kind(url) for url in found.targets if last.matches(url)}
    alike = [url for url in (*found.targets, *beyond) if loose_address_kind(url) in kinds]
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
    loose = _WORDS.sub(lambda found: NO_WORDS if path.startswith("-[0-9]", found.end()) else ANY_WORDS, path)
    return scheme + mark + host + slash + _YEAR.sub("[0-9]{4}", loose)


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
    apart = site.judge.unlike | site.judge.apart | site.judge.list_pages | {found.entry}
    outside = (url for url in known if url in apart or url not in siblings)
    return tuple(dict.fromkeys((*outside, *beside)))[:MAX_AVOIDED_ADDRESSES]


def _find_boxes(found: TargetMap, site: SiteMap, avoid: Collection[str]) -> tuple[int, ...]:
    """Return the places on lists whose links lead to avoided pages and that no target stands in alone: boxes, which show others tomorrow.

    Where the entry is one list of several, a box may show what is of others.
    """
    if site.judge.site_lists.scope is None:
        return ()
    listed: dict[int, set[str]] = defaultdict(set)
    for page in (found.entry, *(url for url in found.parents if url not in found.targets)):
        for place, links in site.judge.site_lists.blocks.get(page, ()):
            listed[place].update(links)
    boxes = {place for place, links in listed.items() if not links.isdisjoint(avoid)}
    kept = set[str]().union(*(links for place, links in listed.items() if place not in boxes))
    wanted = found.targets | found.parents.keys()
    return tuple(sorted(place for place in boxes if listed[place] & wanted <= kept))[:MAX_PATTERN_BOXES]


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
    return round(min(least / 2, MIN_LIKENESS), 4)  # few were opened, and others vary more


def _read_ends(paths: Sequence[Path]) -> list[AddressPattern | Verdict]:
    return [read_pattern(path.steps[-1].pattern) for path in paths]


def _read_hubs(paths: Sequence[Path]) -> list[AddressPattern | Verdict]:
    return [read_pattern(step.pattern) for path in paths for step in path.steps[:-1]]


def _matches(patterns: Sequence[AddressPattern | Verdict], url: str) -> bool:
    return any(not isinstance(each, Verdict) and each.matches(url) for each in patterns)


# -- the paths to target pages, grouped by similar addresses (paper 3, Figure 4)

# Half and twice change nothing on eight development sites (bench/paper3/sensitivity.py); chosen on others, by hand.
MIN_ADDED_TARGETS: Final = 3  # by a further path, so that a box of news is no path of its own
# Half and twice change nothing on eight development sites (bench/paper3/sensitivity.py); chosen on others, by hand.
MIN_ADDED_SHARE: Final = 0.1  # of all targets: where there are few, so many are enough
# Half and twice change nothing on eight development sites (bench/paper3/sensitivity.py); chosen on others, by hand.
MIN_PATH_TARGETS: Final = 2  # a path to one page knows that page alone
# Half and twice change nothing on eight development sites (bench/paper3/sensitivity.py); chosen on others, by hand.
MAX_WRONG_TARGET_SHARE: Final = 0.05  # of the pages that a last step leads to; the page itself tells the rest
# Of the pages that another step leads to: reading some in vain is cheaper than missing a new list.
MAX_WRONG_HUB_SHARE: Final = 0.5
# Half and twice change nothing on eight development sites (bench/paper3/sensitivity.py); chosen on others, by hand.
MAX_OTHERS_BY_ADDRESS: Final = 30  # pages beside a path that are avoided by their addresses; more of them by a pattern
# Half and twice change nothing on eight development sites (bench/paper3/sensitivity.py); chosen on others, by hand.
MAX_COVER_PATHS: Final = 8
# A bound on work or memory; what it does to figures was not measured.
MAX_CANDIDATE_ENDS: Final = 200  # branches of targets that are compared, those with most targets first
# A bound on work or memory; what it does to figures was not measured.
MAX_PATTERN_VARIANTS: Final = 8  # of one path, where a step has several patterns

GroupAddresses = Callable[[Iterable[str]], list[list[str]]]  # addresses in groups that each have one pattern


@dataclass(frozen=True, slots=True)
class Branch:
    """Pages with similar addresses that are reached by the same steps."""

    pattern: AddressPattern
    pages: tuple[str, ...]
    targets: int = 0  # of the pages
    branches: tuple[Branch, ...] = ()
    repeats: bool = False  # pages of one list, each found from the one before


@dataclass(frozen=True, slots=True)
class LinkGraph:
    """The links of a map, and how pages are grouped: hubs that lead to targets by similar addresses, targets by one kind."""

    children: Mapping[str, Sequence[str]]
    links: Mapping[str, Sequence[str]]
    targets: frozenset[str]
    group_hubs: GroupAddresses
    group_targets: GroupAddresses


def group_links(site: TargetMap, most: int = MAX_DIFFERENT_LEVELS) -> Branch:
    """Return the paths of a map with similar pages as one (Group of paper 3), the entry as the root.

    Every link to a target counts, not the first alone; targets are one kind however many levels differ.
    """
    children = {page: [each for each in below if each not in site.targets] for page, below in site.children.items()}
    links = site.links
    for page, below in links.items():
        children[page] = children.get(page, []) + [each for each in below if each in site.targets]
    graph = LinkGraph(children, links, site.targets, partial(group_similar, most=most), group_by_shape)
    return Branch(generalise([site.entry]), (site.entry,), branches=_grow((site.entry,), graph, 1))


def _grow(pages: Sequence[str], graph: LinkGraph, depth: int) -> tuple[Branch, ...]:
    known = set(pages)
    found = dict.fromkeys(child for page in pages for child in graph.children.get(page, ()) if child not in known)
    readable = [page for page in found if read_address(page) is not None]
    ends = graph.group_targets(page for page in readable if page in graph.targets)
    branches = [Branch(generalise(group), tuple(group), len(group)) for group in ends]
    if depth < MAX_PATH_STEPS:
        hubs = graph.group_hubs(page for page in readable if page not in graph.targets)
        for group in hubs:
            pages = _add_following(group, graph)
            below = _grow(pages, graph, depth + 1)
            branches.append(Branch(generalise(pages), pages, 0, below, _are_linked_pages(pages, graph)))
    return tuple(branches)


def _are_linked_pages(pages: Sequence[str], graph: LinkGraph) -> bool:
    """Return True if some pages are pages of one list that link to each other."""
    known = set(pages)
    return any(
        _follows(page, each) for page in pages for each in graph.links.get(page, ()) if each in known and each != page
    )


def _add_following(group: Sequence[str], graph: LinkGraph) -> tuple[str, ...]:
    """Return the pages with the further pages of the same lists, which often only the page before links to."""
    pages = dict.fromkeys(group)
    waiting = list(group)
    while waiting:
        page = waiting.pop()
        for child in graph.children.get(page, ()):
            if child not in pages and child not in graph.targets and _follows(page, child):
                pages[child] = None
                waiting.append(child)
    return tuple(pages)


def _follows(page: str, child: str) -> bool:
    first, second = read_address(page), read_address(child)
    return first is not None and second is not None and differ_in_page_number(first, second)


def find_ends(root: Branch) -> Iterator[tuple[Branch, ...]]:
    """Yield the path to each branch of targets, without the root."""
    waiting: list[tuple[Branch, ...]] = [(branch,) for branch in root.branches]
    while waiting:
        path = waiting.pop(0)
        if path[-1].targets:
            yield path
        waiting += [(*path, branch) for branch in path[-1].branches]


# -- a few paths that together reach the targets


@dataclass(frozen=True, slots=True)
class Cover:
    """Paths, best first, and the targets they reach."""

    paths: tuple[Path, ...]
    reached: frozenset[str]
    missed: frozenset[str]
    reasons: tuple[str, ...] = ()  # why pages could not be told apart by their addresses


@dataclass(frozen=True, slots=True)
class CandidatePath:
    """A path with its patterns, the targets it reaches on the map, and how many pages are read for that."""

    steps: tuple[tuple[AddressPattern, bool], ...]
    reached: frozenset[str]
    read: int

    @property
    def path(self) -> Path:
        """The path as a pattern file holds it."""
        return Path(tuple(Step(pattern.text, repeats) for pattern, repeats in self.steps))


def cover_targets(
    site: TargetMap, *, most: int = MAX_DIFFERENT_LEVELS, least: int = MIN_ADDED_TARGETS, share: float = MIN_ADDED_SHARE
) -> Cover:
    """Return the paths that reach most targets: each one adds most of those that are left.

    A path is followed over all links of the map, so a target that was first found in a box on the entry page counts for
    the lists that link to it too.
    """
    finder = _PathFinder(site)
    candidates = finder.find_candidates(group_links(site, most))
    chosen: list[CandidatePath] = []
    left = set(site.targets)
    while candidates and len(chosen) < MAX_COVER_PATHS:
        best = max(candidates, key=lambda each: (len(each.reached & left), -len(each.steps), -each.read))
        added = len(best.reached & left)
        enough = max(MIN_PATH_TARGETS, min(least, share * len(site.targets)))
        if not added or (chosen and added < enough):
            break
        chosen.append(best)
        left -= best.reached
    return Cover(tuple(each.path for each in chosen), site.targets - left, frozenset(left), tuple(finder.reasons))


@dataclass(slots=True)
class _PathFinder:
    """Makes paths out of branches, and follows them over the map."""

    site: TargetMap
    reasons: dict[str, None] = field(default_factory=dict)
    links: Mapping[str, Sequence[str]] = field(init=False)
    addresses: Mapping[str, Address] = field(init=False)

    def __post_init__(self) -> None:
        self.links = self.site.links
        read = {page: read_address(page) for page in self.site.parents}
        self.addresses = {page: address for page, address in read.items() if address is not None}

    def find_candidates(self, root: Branch) -> list[CandidatePath]:
        """Return the paths to targets, those with most of them first."""
        ends = sorted(find_ends(root), key=lambda path: -path[-1].targets)[:MAX_CANDIDATE_ENDS]
        tight: dict[int, tuple[AddressPattern, ...]] = {}
        found: dict[Path, CandidatePath] = {}
        for end in ends:
            for branch in end:
                tight[id(branch)] = tight.get(id(branch)) or self.tighten(branch)
            for patterns in islice(product(*(tight[id(branch)] for branch in end)), MAX_PATTERN_VARIANTS):
                candidate = self.follow(tuple(zip(patterns, (branch.repeats for branch in end), strict=True)))
                found.setdefault(candidate.path, candidate)
        return list(found.values())

    def tighten(self, branch: Branch) -> tuple[AddressPattern, ...]:
        """Return the patterns of a branch that leave out what is of another kind, where there is much of it."""
        targets = self.site.targets
        unlike = [page for page in self.site.parents if (page in targets) != bool(branch.targets)]
        others = [page for page in self.site.others if branch.pattern.matches(page)]
        wrong = [*filter(branch.pattern.matches, unlike), *(others if len(others) > MAX_OTHERS_BY_ADDRESS else ())]
        if len(wrong) <= (MAX_WRONG_TARGET_SHARE if branch.targets else MAX_WRONG_HUB_SHARE) * len(branch.pages):
            return (branch.pattern,)
        tightened = tighten_pattern(branch.pattern, branch.pages, wrong)
        if not tightened.verdict.yes:
            self.reasons[tightened.verdict.reason] = None
        return tightened.patterns

    def follow(self, steps: tuple[tuple[AddressPattern, bool], ...]) -> CandidatePath:
        """Return what following the steps over the map reaches, as a crawler would."""
        pages, read = {self.site.entry}, 1
        for pattern, repeats in steps:
            pages = self.take_step(pages, pattern, repeats=repeats)
            read += len(pages)
        return CandidatePath(steps, frozenset(pages & self.site.targets), read)

    def take_step(self, pages: Iterable[str], pattern: AddressPattern, *, repeats: bool) -> set[str]:
        """Return the pages that links of the pattern lead to."""
        found: set[str] = set()
        waiting = list(pages)
        while waiting:
            new = set(self.find_next(waiting, pattern)) - found
            found |= new
            waiting = list(new) if repeats else []
        return found

    def find_next(self, pages: Iterable[str], pattern: AddressPattern) -> Iterator[str]:
        """Yield the pages that some pages link to and the pattern matches."""
        for child in dict.fromkeys(each for page in pages for each in self.links.get(page, ())):
            address = self.addresses.get(child)
            if address is not None and pattern.matches_address(address):
                yield child


# -- the forms of an entry page

# A bound on work or memory; what it does to figures was not measured.
MAX_CHOICES_ASKED: Final = 400  # of one list; longer ones are the database itself


def find_form_queries(page: Page, sample: Page) -> Iterator[FormQuery]:
    """Yield how the forms of a page can be asked: lists of choices one by one, then text boxes with words of the sample."""
    doors = [open_door(form, page) for form in page.forms]
    for door in doors:
        for condition in door.conditions:
            values = tuple(option.value for option in condition.options if option.value.strip())
            if condition.operator != "range" and 2 <= len(values) <= MAX_CHOICES_ASKED:
                yield from _build_form_query(door, condition.fields[0], values)
    words = tuple(TITLE_WORD.findall(sample.title.lower()))[:MAX_TITLE_WORDS]
    for door in doors:
        box = find_box(door)
        if box is not None and words:
            yield from (msgspec.structs.replace(ask, words=True) for ask in _build_form_query(door, box.name, words))


def _build_form_query(door: Door, name: str, values: tuple[str, ...]) -> Iterator[FormQuery]:
    """Yield a form as one address and one field; a form that may not be asked, or only with POST, gives nothing."""
    # A GET form with nothing but lists of choices counts as a search: choosing changes nothing.
    asked = {field.type for field in door.form.fields} - {"hidden", "submit", "image", "button", "reset"}
    if door.form.method == "GET" and asked <= {"select", "radio"}:
        door = replace(door, judgement=replace(door.judgement, kind="database"))
    request = fill(door, {name: values[0]})
    if isinstance(request, Verdict):
        return
    address, _, query = request.url.partition("?")
    rest = "&".join(pair for pair in query.split("&") if pair and unquote_plus(pair.partition("=")[0]) != name)
    yield FormQuery(f"{address}?{rest}" if rest else address, "GET", name, values)


# -- learning again after a redesign
MAX_OLD_TARGETS_TRIED: Final = 20  # targets that are opened to see whether they are still there
# A bound on work or memory; what it does to figures was not measured.
RELEARN_SAMPLES: Final = 2  # that are learned from
# The fewest that are no accident of two.
MIN_IDENTICAL_PAGES: Final = 3  # with the same text; two may be duplicates
# A bound on work or memory; what it does to figures was not measured.
MAX_COMPARED_CHARS: Final = 100_000  # of a page: menus before its text may be long


async def relearn_pattern(store: Store, pattern: Pattern, fetches: Fetches, limits: MapLimits | None = None) -> Pattern:
    """Learn how to reach the same pages as the site is now; to the store it stays the same pattern."""
    known = islice(last_targets(store, name_pattern(pattern)), MAX_OLD_TARGETS_TRIED)
    cleaning = AddressCleaning.of(pattern.samples, pattern.without)
    samples = await _find_alive((*pattern.samples, *known), build_opener(fetches.within_site, fetches.render, cleaning))
    if not samples:
        raise Stopped("none of the pages that were found before is still there; make a new pattern with `dowse like`")
    learned = await learn_like(samples, pattern.entry, fetches, limits or MapLimits())
    for verdict in (
        judge_map(learned.site.failures, len(learned.site.pages)),
        judge_distinct_texts(learned.site.trees.values()),
    ):
        if not verdict.yes:
            raise Stopped(verdict.reason)
    named = tuple(dict.fromkeys((*pattern.samples[:1], *learned.pattern.samples)))
    return msgspec.structs.replace(learned.pattern, samples=named)


def judge_distinct_texts(trees: Collection[Node]) -> Verdict:
    """Judge whether pages have texts of their own; those behind a login all say the same."""
    texts = {text_of(tree, MAX_COMPARED_CHARS) for tree in trees}
    if len(trees) >= MIN_IDENTICAL_PAGES and len(texts) == 1:
        return Verdict(
            False,
            f"all {len(trees):,} pages that were compared say the same, as where a login is asked for; the pattern was not changed",
        )
    return Verdict(True)


async def _find_alive(urls: tuple[str, ...], open_page: OpenPage) -> list[str]:
    """Return a few of the addresses that still lead to a page without a redirect."""
    alive: list[str] = []
    for url in dict.fromkeys(urls):
        seen = await open_page(Request(url))
        if not isinstance(seen, Failure) and not seen.moved:
            alive.append(url)
        if len(alive) >= RELEARN_SAMPLES:
            break
    return alive
