"""How classes and ids are called: each design names things in its own manner, each site with its own mark."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from zlib import crc32

from dowse.sim.view import Style

MARKS = ("kx", "vela", "nordic", "qz", "tew", "pico", "omnia", "lumen", "zet", "ubi", "foil", "grano")

_DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"

_UTILITIES: Mapping[str, str] = {
    "frame": "rounded-lg bg-white p-6 shadow",
    "row": "mb-4 grid grid-cols-12",
    "cell": "col-span-8 px-2",
    "side": "col-span-4 text-right",
    "label": "text-sm font-medium",
    "control": "block w-full border px-3",
    "button": "inline-flex items-center px-4",
    "entry": "border-b py-4",
    "title": "text-lg font-semibold",
    "value": "text-gray-700",
    "pager": "flex justify-center space-x-1",
    "body": "prose max-w-none",
    "part": "mt-6",
    "note": "text-xs text-gray-400",
}


def digest(text: str) -> str:
    """Return six letters and digits that stand for a text, as a style sheet compiler would make them."""
    number, letters = crc32(text.encode()), ""
    for _ in range(6):
        number, digit = divmod(number, 36)
        letters += _DIGITS[digit]
    return letters


def _utility(mark: str, word: str) -> str:
    return " ".join([f"{mark}-{name}" for name in _UTILITIES.get(word, "block").split()])


_MANNERS: Mapping[str, Callable[[str, str], str]] = {
    "numbered": lambda mark, word: f"{mark}{crc32(word.encode()) % 89 + 10}",
    "snake": lambda mark, word: f"{mark}_{word}",
    "camel": lambda mark, word: f"{mark}{word.capitalize()}",
    "block": lambda mark, word: f"{mark}-block__{word}",
    "suffix": lambda mark, word: f"{word}-{mark}",
    "module": lambda mark, word: f"mod_{mark}_{word}",
    "hashed": lambda mark, word: f"css-{digest(mark + word)}",
    "scoped": lambda mark, word: f"{mark.capitalize()}_{word}__{digest(word + mark)[:5]}",
    "utility": _utility,
    "control": lambda mark, word: f"{mark}Ctl {mark}Ctl-{word}",
}

_MANNER_OF: Mapping[str, str] = {
    "homestead": "numbered",
    "jumpgate": "numbered",
    "gazette": "snake",
    "tiles": "camel",
    "postback": "control",
    "portlets": "snake",
    "stacks": "suffix",
    "board": "suffix",
    "pageroot": "module",
    "weblog": "block",
    "regions": "block",
    "twelve": "suffix",
    "utility": "utility",
    "ministry": "block",
    "swift": "snake",
    "hydrated": "hashed",
    "shell": "scoped",
    "dense": "camel",
}

_IDS: Mapping[str, Callable[[str, str, int], str]] = {
    "numbered": lambda mark, word, number: f"{mark}{word[0]}{number}",
    "snake": lambda mark, word, number: f"{mark}_{word}_{number}",
    "camel": lambda mark, word, number: f"{mark}{word.capitalize()}{number}",
    "block": lambda mark, word, number: f"{mark}-{word}--{number}",
    "suffix": lambda mark, word, number: f"{word}{number}-{mark}",
    "module": lambda mark, word, number: f"c{number}-{mark}-{word}",
    "hashed": lambda mark, word, number: f":{mark}{word[0]}{number:x}:",
    "scoped": lambda mark, word, number: f"{mark}-{word}-{number * 7919 % 9973}",
    "utility": lambda mark, word, number: f"{mark}-{word}-{number}",
    "control": lambda mark, word, number: f"ctl00_{mark}_ctl{number:02}_{word}",
}


@cache
def _class_name(design: str, mark: str, word: str) -> str:
    return _MANNERS[_MANNER_OF[design]](mark, word)


def css(style: Style, word: str) -> str:
    """Return the class of one sort of part on this site."""
    return _class_name(style.design, style.mark, word)


def ident(style: Style, word: str, number: int) -> str:
    """Return an id in the manner of the design."""
    return _IDS[_MANNER_OF[style.design]](style.mark, word, number)
