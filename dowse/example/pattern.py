"""A navigation pattern: as a value, as a file that people can read and change, and whether it still fits its site."""

from __future__ import annotations

import hashlib
import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Annotated, Any, Final
from urllib.parse import urlencode, urlsplit

import msgspec
from msgspec import Meta, Struct

from dowse.errors import BadInput
from dowse.example.address import read_pattern
from dowse.model import Failure, Request, Verdict
from dowse.reasons import FailureReason
from dowse.records.details import BadName, PageWrapper
from dowse.tree.similarity import Likeness, read_shape
from dowse.url import canonical

# Of the file format.
VERSION: Final = 1
# A bound on work or memory; what it does to figures was not measured.
MAX_PATTERN_BYTES: Final = 4_000_000  # characters of a file
# A bound on work or memory; what it does to figures was not measured.
MAX_PATTERN_PATHS: Final = 50
# A bound on work or memory; what it does to figures was not measured.
MAX_PATH_STEPS: Final = 16  # nobody clicks further
# A bound on work or memory; what it does to figures was not measured.
MAX_FILE_ADDRESSES: Final = 1_000  # in one list of a file
# A bound on work or memory; what it does to figures was not measured.
MAX_FORM_VALUES: Final = 100_000  # that a form is asked with
# A bound on work or memory; what it does to figures was not measured.
MAX_SAMPLE_SHAPES: Final = 20
# A bound on work or memory; what it does to figures was not measured.
MAX_SESSION_PARAMETERS: Final = 50
# A bound on work or memory; what it does to figures was not measured.
MAX_PATTERN_BOXES: Final = 50
# A bound on work or memory; what it does to figures was not measured.
MAX_FIGURE: Final = 1e15  # of a number in a file: Python integers have no end
METHOD: Final = "GET"  # of a form that is asked: what is sent with POST may change something

Addresses = Annotated[tuple[str, ...], Meta(max_length=MAX_FILE_ADDRESSES)]


class Step(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """Links to follow: those whose address the pattern matches; one that repeats is taken again on the pages it leads to."""

    pattern: str
    repeats: bool = False


class Path(Struct, frozen=True, forbid_unknown_fields=True):
    """The steps from the entry to pages like the sample: the last one leads to them."""

    steps: Annotated[tuple[Step, ...], Meta(max_length=MAX_PATH_STEPS)] = ()


class FormQuery(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A form that is asked before the first step, with each of some values in one field."""

    address: str
    method: str
    field: str
    values: Annotated[tuple[str, ...], Meta(max_length=MAX_FORM_VALUES)] = ()
    words: bool = False  # words from the titles of found pages are asked, too


class SampleShape(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The shape of a sample as text, and how similar the entry is to it."""

    common: Annotated[float, Meta(ge=0, lt=1)] = 0.0
    shape: str


class Pattern(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """How to reach all pages like a sample, and what it was made from; fields stand in the order of the file."""

    version: int = VERSION
    entry: str
    first: FormQuery | None = None
    paths: Annotated[tuple[Path, ...], Meta(max_length=MAX_PATTERN_PATHS)] = ()
    samples: Addresses = ()
    threshold: Annotated[float, Meta(ge=0, le=1)] = 0.0  # the likeness from which on a page is like the sample
    made: str = ""  # a date
    without: Annotated[tuple[str, ...], Meta(max_length=MAX_SESSION_PARAMETERS)] = ()  # session parameters of addresses
    avoid: Addresses = ()  # pages that a step matches and that are known to be others, such as those of a menu
    lists: Addresses = ()  # pages on the paths that the last step matches, too, and that are no targets
    boxes: Annotated[
        tuple[Annotated[int, Meta(ge=0)], ...], Meta(max_length=MAX_PATTERN_BOXES)
    ] = ()  # places on lists whose links are of other lists
    figures: Mapping[str, int | float] = {}  # such as targets, mapped_pages
    scale: Annotated[float, Meta(gt=0, le=1)] = 1.0  # the likeness that pages of the kind reach
    reader: Mapping[str, Any] = {}  # how the data of the pages is extracted
    shapes: Annotated[tuple[SampleShape, ...], Meta(max_length=MAX_SAMPLE_SHAPES)] = ()

    def to_json(self) -> str:
        """Return the pattern as text, one step a line."""
        fields = msgspec.to_builtins(self)
        for key in ("first", "without", "avoid", "lists", "boxes"):
            if not fields[key]:
                del fields[key]
        return json.dumps(fields, indent=2, ensure_ascii=False) + "\n"

    @classmethod
    def from_json(cls, text: str, name: str = "the pattern") -> Pattern:
        """Return the pattern that a file holds; a bad one is refused with the key that is wrong."""
        if len(text) > MAX_PATTERN_BYTES:
            raise BadInput(f"{name} has more than {MAX_PATTERN_BYTES:,} characters")
        try:
            pattern = msgspec.json.decode(text, type=cls)
        except msgspec.ValidationError as error:
            raise BadInput(f"{name}: {_describe_mismatch(str(error))}") from None
        except (ValueError, RecursionError) as error:
            raise BadInput(f"{name} is not JSON: {str(error)[:120]}") from None
        for mistake in _find_mistakes(pattern):
            raise BadInput(f"{name}: {mistake}")
        return pattern


# -- mistakes in a file, each in one line with its key

_STRUCTS: Final[dict[str, type[Struct]]] = {
    "": Pattern,
    "first": FormQuery,
    "paths": Path,
    "steps": Step,
    "shapes": SampleShape,
}
_FIELD: Final = re.compile(r"Object (contains unknown|missing required) field `(.{0,60})", re.DOTALL)
_EXPECTED: Final = re.compile(r"Expected `(\w+)[^`]{0,40}`(?: of length <= (\d+)| ([<>]=? [\d.]+))?")
_TYPE_WORDS: Final = {
    "str": 'a text "..."',
    "bool": "true or false",
    "int": "a number",
    "float": "a number",
    "array": "a list [...]",
    "object": "a JSON object {...}",
}


def _describe_mismatch(message: str) -> str:
    """Return a message of msgspec, such as "Expected `str`, got `int` - at `$.paths[0]`", in the words of the file."""
    what, _, at = message.rpartition(" - at `$") if " - at `$" in message else (message, "", "")
    place = at.rstrip("`").lstrip(".")
    if found := _FIELD.match(what):
        key = " ".join(found[2].rstrip("`").split())
        key = f"{place}.{key}" if place else key
        if found[1] == "missing required":
            return f"{key} is missing"
        known = _STRUCTS[place.rpartition(".")[2].partition("[")[0]].__struct_fields__
        return f"{key} is not known; there are {', '.join(known)}"
    place = place or "the file"
    if what == "Number out of range":
        return f"{place} is not a number"
    if (found := _EXPECTED.match(what)) and found[1] in _TYPE_WORDS:
        if found[2]:
            return f"{place} has more than {int(found[2]):,} values"
        return f"{place} is not {_TYPE_WORDS[found[1]]}" + (f" {found[3]}" if found[3] else "")
    return f"{place}: {what[:120]}"


def _find_mistakes(pattern: Pattern) -> Iterator[str]:
    """Yield what types cannot say, each with its key."""
    if pattern.version != VERSION:
        yield f"version is {str(pattern.version)[:20]}; version {VERSION} can be read"
    yield from _find_step_mistakes(pattern.paths)
    yield from _find_address_mistakes(pattern)
    if not all(-MAX_FIGURE <= figure <= MAX_FIGURE for figure in pattern.figures.values()):
        yield "figures has a value that is not a number"
    for number, sample in enumerate(pattern.shapes):
        try:
            read_shape(sample.shape)
        except BadInput as wrong:
            yield f"shapes[{number}].shape is refused: {wrong}"
    try:
        PageWrapper.from_dict(pattern.reader)
    except BadName as wrong:  # names that cannot be columns
        yield f"reader.{wrong}"
    except BadInput:  # a reader of another version is refused where it is used, for it can be learned again
        pass


def _find_step_mistakes(paths: tuple[Path, ...]) -> Iterator[str]:
    if not paths:
        yield "paths is missing or empty"
    for number, path in enumerate(paths):
        if not path.steps:
            yield f"paths[{number}].steps is missing or empty"
        for place, step in enumerate(path.steps):
            read = read_pattern(step.pattern)
            if isinstance(read, Verdict):
                yield f"paths[{number}].steps[{place}].pattern {read.reason}"


def _find_address_mistakes(pattern: Pattern) -> Iterator[str]:
    form, addresses = pattern.first, {"entry": pattern.entry}
    for key in ("samples", "avoid", "lists"):
        addresses |= {f"{key}[{number}]": url for number, url in enumerate(getattr(pattern, key))}
    if form is not None:
        addresses["first.address"] = form.address
    for key, url in addresses.items():
        if canonical(url) is None:
            yield f"{key} is not a web address: {url[:120]!r}"
    if form is not None and urlsplit(canonical(form.address)).hostname != urlsplit(canonical(pattern.entry)).hostname:
        yield "first.address is on another host than entry"
    if form is not None and form.method != METHOD:
        yield f"first.method is not {METHOD}; no other forms are asked"


def build_request(form: FormQuery, value: str) -> Request:
    """Return the request that asks a form with one value."""
    pair = urlencode({form.field: value}, errors="replace")
    if form.method == "POST":
        return Request(
            canonical(form.address) or form.address,
            "POST",
            pair.encode(),
            (("content-type", "application/x-www-form-urlencoded"),),
        )
    url = f"{form.address}{'&' if '?' in form.address else '?'}{pair}"
    return Request(canonical(url) or url)


def name_pattern(pattern: Pattern) -> str:
    """Return what identifies a pattern: where it starts, and what it was first learned from."""
    return " ".join((pattern.entry, *pattern.samples[:1]))


def name_steps(pattern: Pattern) -> str:
    """Return a hash of what decides which pages are opened: patterns with the same hash can resume each other's runs."""
    steps = msgspec.structs.replace(pattern, samples=(), made="", figures={}, reader={})
    return hashlib.sha256(steps.to_json().encode()).hexdigest()


def judge_reader(pattern: Pattern) -> Verdict:
    """Judge whether the data of pages can be extracted as the pattern says; another version may have written it."""
    try:
        PageWrapper.from_dict(pattern.reader) if pattern.reader else None
    except BadInput as error:
        return Verdict(False, str(error))
    return Verdict(True)


# -- how a walk went, and whether the pattern still fits its site

# By what any site has; not measured alone.
MIN_UNLIKE_PAGES: Final = 3  # fewer pages that are not like the sample are no sign: any site may have some
# The larger part; not measured alone.
MIN_TARGET_SHARE: Final = (
    0.5  # of the targets that were found when the pattern was learned: with fewer the site has changed
)
# By what a person reads in a line.
MAX_REASONS_NAMED: Final = 5  # in one line

_TRANSIENT_FAILURES: Final = frozenset(
    {
        FailureReason.NO_HOST,
        FailureReason.REFUSED,
        FailureReason.BROKEN,
        FailureReason.TIMEOUT,
        FailureReason.TLS,
        FailureReason.GARBAGE,
        FailureReason.ROBOTS_DOWN,
        FailureReason.BUSY,
        FailureReason.BROWSER,
        *(Failure("", FailureReason.ROBOTS_DOWN, cause=cause).counted_as for cause in FailureReason),
    }
)
# Servers that are asked for too much answer so.
_TRANSIENT_STATUS: Final = frozenset(f"HTTP {status}" for status in (403, 408, 425, 429, *range(500, 600)))

PathState = tuple[int, int]  # a path, and how many of its steps were taken


@dataclass(slots=True)
class Walk:
    """The counts of a crawler while it follows a pattern."""

    pattern: Pattern
    likeness: Likeness
    only_new: bool = False  # what earlier runs found is not opened
    before: int = 0  # pages like the sample that this run found before it was interrupted
    pages: int = 0  # like the sample
    links: int = 0  # traversed
    opened: int = 0  # pages that were read, before the interruption too
    unlike: int = 0  # pages at the end of a path that are not like the sample
    unread: int = 0  # known targets that were not opened again
    checked: int = 0  # of them, those that were opened to see whether the site has changed
    confirmed: int = 0  # of these, those that are as they were
    differing: int = 0  # and those that are not
    dropped: int = 0  # links over the bound of a page
    matched: Counter[PathState] = field(default_factory=Counter)  # links that each step took
    read: Counter[PathState] = field(default_factory=Counter)  # pages, by the states they were reached in
    lost: Counter[PathState] = field(default_factory=Counter)  # pages that the server failed to give
    failures: Counter[str] = field(default_factory=Counter)
    closed: Counter[str] = field(default_factory=Counter)  # links left alone, whose kind led to nothing new, by shape
    stopped: str = ""

    @property
    def seems_changed(self) -> bool:
        """True if most pages that were reached are not like the sample: the site has changed, or they never were."""
        expected = int(self.pattern.figures.get("others", 0))
        return self.unlike - expected > max(MIN_UNLIKE_PAGES, self.pages + self.before)

    @property
    def needs_check(self) -> bool:
        """True if known targets must be opened to see whether the site has changed: nothing else tells, or what does is against it."""
        found_nothing = self.only_new and not self.pages and not self.before
        return bool(self.likeness.samples) and (self.seems_changed or found_nothing)

    @property
    def transient_failures(self) -> dict[str, int]:
        """Failures of the server or the network, and how often."""
        return find_transient(self.failures)


def is_transient(why: str) -> bool:
    """Return True if a failure may pass: it says nothing about the page."""
    return why in _TRANSIENT_FAILURES or why in _TRANSIENT_STATUS


def find_transient(failures: Mapping[str, int]) -> dict[str, int]:
    """Return the failures that may pass, the most frequent first."""
    return {why: count for why, count in Counter(failures).most_common() if is_transient(why)}


def describe_transient(failures: Mapping[str, int]) -> str:
    """Return the failures that may pass, and how often each came, in one line."""
    return ", ".join(f"{why} ({count:,})" for why, count in [*find_transient(failures).items()][:MAX_REASONS_NAMED])


def judge_map(failures: Mapping[str, int], pages: int) -> Verdict:
    """Judge whether enough of a site could be read to learn from it: more pages than its server failed to give."""
    failed = sum(find_transient(failures).values())
    if failed and failed >= pages:
        return Verdict(False, f"the site could not be read: {describe_transient(failures)}; try again later")
    return Verdict(True)


def judge_walk(walk: Walk) -> Verdict:
    """Judge whether a pattern still fits its site: each step matched something, and pages at the end were like the sample."""
    reading = judge_reading(walk)
    if not reading.yes:
        return reading
    if walk.seems_changed and not walk.confirmed:
        reached = walk.pages + walk.before + walk.unlike
        return Verdict(False, f"{walk.unlike:,} of {reached:,} pages that were reached look different now")
    if walk.checked and walk.differing == walk.checked:
        known = "a page that was found before looks" if walk.checked == 1 else "pages that were found before look"
        return Verdict(False, f"{known} different now, {walk.checked:,} of {walk.checked:,} that were opened again")
    return Verdict(True) if walk.stopped else _judge_complete(walk)


def judge_reading(walk: Walk) -> Verdict:
    """Judge whether a site could be read: what its server failed to give says nothing about the pattern."""
    if walk.failures and not walk.opened:
        start = walk.pattern.first.address if walk.pattern.first else walk.pattern.entry
        return Verdict(False, f"{start} could not be opened: {', '.join([*walk.failures][:MAX_REASONS_NAMED])}")
    most_failed = sum(walk.transient_failures.values()) > walk.opened
    if most_failed or (not walk.stopped and not _judge_complete(walk).yes and _may_be_lost(walk)):
        return Verdict(False, f"the site could not be read: {describe_transient(walk.failures)}")
    return Verdict(True)


def _judge_complete(walk: Walk) -> Verdict:
    """Judge whether a walk that was not stopped found what there was when the pattern was learned."""
    for place, step in _find_unmatched(walk):
        return Verdict(False, f"no link matches step {place + 1}: {step.pattern}")
    before, reached = walk.pattern.figures.get("targets", 0), walk.pages + walk.unread
    if reached < MIN_TARGET_SHARE * before:
        found = "1 page was" if reached == 1 else f"{reached:,} pages were"
        by_hand = "if the pattern was changed by hand, change or remove its `figures`, too"
        return Verdict(False, f"{found} found where there were {before:,.0f} ({by_hand})")
    return Verdict(True)


def _find_unmatched(walk: Walk) -> Iterator[tuple[int, Step]]:
    """Yield the steps that matched no link, with their places."""
    for path in walk.pattern.paths:
        for place, step in enumerate(path.steps):
            if not _count_at(walk, walk.matched, place):
                yield place, step


def _may_be_lost(walk: Walk) -> bool:
    """Return True if what is missing may stand on pages that the server failed to give."""
    unmatched = next(_find_unmatched(walk), None)
    if unmatched is not None:
        lost = _count_at(walk, walk.lost, unmatched[0])
        return lost > 0 and lost >= _count_at(walk, walk.read, unmatched[0])
    ends = sum(walk.lost[place, len(path.steps)] for place, path in enumerate(walk.pattern.paths))
    shares = []  # of the pages before each step, those that were read
    for step in range(max(len(path.steps) for path in walk.pattern.paths)):
        read, lost = _count_at(walk, walk.read, step), _count_at(walk, walk.lost, step)
        shares.append(read / (read + lost) if lost else 1.0)
    expected = walk.pattern.figures.get("targets", 0) * min(shares)
    return walk.lost.total() > 0 and walk.pages + walk.unread + ends >= MIN_TARGET_SHARE * expected


def _count_at(walk: Walk, counts: Counter[PathState], step: int) -> int:
    return sum(counts[place, step] for place in range(len(walk.pattern.paths)))
