"""A navigation pattern as a value, and as a file that people can read and change."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Annotated, Any, Final
from urllib.parse import urlsplit

import msgspec
from msgspec import Meta, Struct

from dowse.errors import BadInput
from dowse.example.generalise import read_pattern
from dowse.model import Verdict
from dowse.records.template_pages import BadName, PageWrapper
from dowse.tree.similarity import read_shape
from dowse.url import canonical

VERSION: Final = 1
MAX_PATTERN_BYTES: Final = 4_000_000  # characters of a file
MAX_PATTERN_PATHS: Final = 50
MAX_PATH_STEPS: Final = 16  # nobody clicks further
MAX_FILE_ADDRESSES: Final = 1_000  # in one list of a file
MAX_FORM_VALUES: Final = 100_000  # that a form is asked with
MAX_SAMPLE_SHAPES: Final = 20
MAX_SESSION_PARAMETERS: Final = 50
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
    figures: Mapping[str, int | float] = {}  # such as targets, mapped_pages
    scale: Annotated[float, Meta(gt=0, le=1)] = 1.0  # the likeness that pages of the kind reach
    reader: Mapping[str, Any] = {}  # how the data of the pages is extracted
    shapes: Annotated[tuple[SampleShape, ...], Meta(max_length=MAX_SAMPLE_SHAPES)] = ()

    def to_json(self) -> str:
        """Return the pattern as text, one step a line."""
        fields = msgspec.to_builtins(self)
        for key in ("first", "without", "avoid", "lists"):
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
    "object": "an object {...}",
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
    place = place or "the whole"
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
