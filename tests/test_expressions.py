"""No regular expression of the program takes long over a text that was made to hurt it."""

from __future__ import annotations

import ast
import dataclasses
import importlib
import pkgutil
import re
import time
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from re import _constants as sre  # type: ignore[attr-defined]
from re import _parser as parser  # type: ignore[attr-defined]
from typing import Any

import pytest

import dowse
from dowse.words.lookup import anywhere, expression, whole_text, whole_words, word_starts

PACKAGE = Path(dowse.__file__).parent
SIZE = 6_000  # characters
# The clock of this test: what a plain square expression takes over a text of SIZE, on this machine and now (10 to 60 ms).
SQUARE = re.compile(r"\s+x")
MOST_SQUARES = (
    5.0  # of the clock, for one text; linear expressions take a tenth of it, wasteful square ones 8, cubic ones 50
)
# From here on a longer text is tried; what grows with the cube of 600 or the square of 1,500 characters stays under the bound
# below that. An exponential expression shows at 20 characters, and would not return from more.
SUSPECT_SQUARES = {20: 0.0, 150: 0.0, 600: 0.006, 1_500: 0.08, SIZE: 0.0}
LEAST_REPEATS = 8  # times that a part may repeat before its repetition is worth an attack
FEW = 8  # characters of an expression that are combined
PLAIN = " \naA1.,-_:/'\"<=(é"

LOOKED_UP: dict[str, Any] = {
    each.__name__: each for each in (expression, whole_words, word_starts, whole_text, anywhere)
}

Text = tuple[str, str]  # what it begins with, and what is repeated
_REPEATS = (sre.MAX_REPEAT, sre.MIN_REPEAT, sre.POSSESSIVE_REPEAT)
_SINGLE = (sre.LITERAL, sre.NOT_LITERAL, sre.ANY, sre.IN)
_CATEGORIES = {"DIGIT": str.isdigit, "SPACE": str.isspace, "WORD": lambda sign: sign.isalnum() or sign == "_"}


# --- which expressions there are


def find_expressions() -> dict[re.Pattern[Any], str]:
    """Return the expressions of the program: those of its modules, and those written out inside functions."""
    found: dict[re.Pattern[Any], str] = {}
    for module in pkgutil.walk_packages([str(PACKAGE)], "dowse."):
        if not module.name.startswith("dowse.sim") and not module.name.endswith("__main__"):
            for name, value in vars(importlib.import_module(module.name)).items():
                for pattern in find_patterns(value):
                    found.setdefault(pattern, f"{module.name}.{name}")
    for path in PACKAGE.rglob("*.py"):
        if "sim" not in path.relative_to(PACKAGE).parts:
            tree = ast.parse(path.read_text())
            for pattern, line in (*find_written(tree), *find_looked_up(tree)):
                found.setdefault(pattern, f"{path.relative_to(PACKAGE)}:{line}")
    return found


def find_patterns(value: Any, depth: int = 4) -> Iterator[re.Pattern[Any]]:
    """Yield the expressions in a value of a module."""
    if isinstance(value, re.Pattern):
        yield value
        return
    inside: Any = ()
    if isinstance(value, dict):
        inside = (*value, *value.values())
    elif isinstance(value, tuple | list | set | frozenset):
        inside = value
    elif isinstance(value, type):
        inside = vars(value).values() if value.__module__.startswith("dowse") else ()
    elif _makes_expressions(value):
        inside = (value(),)
    elif dataclasses.is_dataclass(value):
        inside = [getattr(value, each.name, None) for each in dataclasses.fields(value)]
    for each in tuple(inside) if depth else ():
        yield from find_patterns(each, depth - 1)


def _makes_expressions(value: Any) -> bool:
    """Return True if a function makes expressions once, when they are needed."""
    made = getattr(value, "__annotations__", {})
    return (
        hasattr(value, "cache_info")
        and set(made) == {"return"}
        and bool(re.search("Pattern|Words", str(made["return"])))
    )


def find_written(tree: ast.Module) -> Iterator[tuple[re.Pattern[Any], int]]:
    """Yield the expressions that are given to functions of `re` as they are written."""
    for node in ast.walk(tree):
        match node:
            case ast.Call(func=ast.Attribute(value=ast.Name(id="re")), args=[ast.Constant(value=str() | bytes()), *_]):
                expression = node.args[0].value  # type: ignore[attr-defined]
                if node.func.attr != "escape":  # type: ignore[attr-defined]
                    yield re.compile(expression, _read_flags(node)), node.lineno


def find_looked_up(tree: ast.Module) -> Iterator[tuple[re.Pattern[Any], int]]:
    """Yield the expressions that are made of phrases of the tables of words."""
    for node in ast.walk(tree):
        match node:
            case ast.Call(func=ast.Name(id=name), args=[ast.Constant(value=str()), *_]) if name in LOOKED_UP:
                yield LOOKED_UP[name](*map(ast.literal_eval, node.args)), node.lineno


def _read_flags(call: ast.Call) -> int:
    names = [each.attr for each in ast.walk(call) if isinstance(each, ast.Attribute) and each.attr.isupper()]
    flags = 0
    for name in names:
        flags |= getattr(re, name, 0)
    return flags


# --- which texts hurt them


def make_texts(pattern: re.Pattern[Any]) -> list[Text]:
    """Return texts made of what the expression itself looks for."""
    tree = parser.parse(pattern.pattern, pattern.flags & ~re.DEBUG)
    literals = list(dict.fromkeys(find_literals(tree)))
    signs = [sign for sign in literals if not sign.isalnum()][:FEW]
    letters = [sign for sign in literals if sign.isalnum()][:FEW]
    texts = dict.fromkeys(("", sign) for sign in (*PLAIN, *signs, *letters))
    few = dict.fromkeys((" ", "a", "1", *signs[:3]))
    texts |= dict.fromkeys(("", first + second) for first in few for second in few if first < second)
    texts |= dict.fromkeys(("", f"{first}{sign}{sign}") for first in " a1" for sign in signs[:2])
    for start, repeated in find_attacks(tree):
        texts |= dict.fromkeys([(start, repeated), ("", start + repeated), (start, f"{repeated} ")])
    whole = sample(tree, 1)
    return [text for text in (*texts, ("", whole), ("", whole[:-1])) if text[1]]


def find_attacks(parts: Any, start: str = "") -> Iterator[Text]:
    """Yield for each part that may repeat often what leads to it, and what it repeats over."""
    for operator, argument in parts:
        if operator in _REPEATS and argument[1] >= LEAST_REPEATS:
            yield start, sample(argument[2], 1)
            yield start, sample(argument[2], 0)
            yield from ((start, sign) for sign in " a1.-" if len(argument[2]) == 1 and accepts(argument[2][0], sign))
        for inner in find_inner(operator, argument):
            yield from find_attacks(inner, start)
        start += sample([(operator, argument)], 0)


def find_inner(operator: Any, argument: Any) -> list[Any]:
    """Return what stands inside a part of an expression."""
    if operator is sre.BRANCH:
        return list(argument[1])
    if operator is sre.SUBPATTERN:
        return [argument[3]]
    if operator is sre.ATOMIC_GROUP:
        return [argument]
    if operator in (sre.ASSERT, sre.ASSERT_NOT):
        return [argument[1]]
    return [argument[2]] if operator in _REPEATS else []


def sample(parts: Any, least: int) -> str:
    """Return a short text that the parts of an expression accept, with optional ones so many times."""
    made = ""
    for operator, argument in parts:
        if operator in _SINGLE:
            made += next((sign for sign in _possible((operator, argument)) if accepts((operator, argument), sign)), "")
        elif operator in _REPEATS:
            made += sample(argument[2], least) * max(argument[0], min(least, argument[1]))
        elif operator not in (sre.ASSERT, sre.ASSERT_NOT):
            made += "".join(sample(inner, least) for inner in find_inner(operator, argument)[:1])
    return made


def _possible(part: Any) -> str:
    return "".join((*"a1 -x.\n", *find_literals([part])))


def accepts(part: Any, sign: str) -> bool:
    """Return True if a part of an expression that stands for one character stands for this one."""
    operator, argument = part
    if operator is sre.LITERAL:
        return ord(sign) == argument
    if operator is sre.NOT_LITERAL:
        return ord(sign) != argument
    if operator is not sre.IN:
        return operator is sre.ANY and sign != "\n"
    return any(_holds(each, sign) for each in argument) != (argument[0][0] is sre.NEGATE)


def _holds(member: Any, sign: str) -> bool:
    kind, value = member
    if kind is sre.CATEGORY:
        words = str(value).split("_")
        return bool(_CATEGORIES[words[-1]](sign)) != ("NOT" in words)
    if kind is sre.RANGE:
        return bool(value[0] <= ord(sign) <= value[1])
    return kind is sre.LITERAL and ord(sign) == value


def find_literals(parts: Any) -> Iterator[str]:
    """Yield the characters that an expression names, and one of each range."""
    for operator, argument in parts:
        if operator is sre.LITERAL:
            yield chr(argument)
        elif operator is sre.IN:
            members = [each for each in argument if each[0] in (sre.LITERAL, sre.RANGE)]
            yield from (chr(value if kind is sre.LITERAL else value[0]) for kind, value in members)
        for inner in find_inner(operator, argument):
            yield from find_literals(inner)


# --- how long they take


def judge_expression(pattern: re.Pattern[Any]) -> str:
    """Return the text over which an expression takes too long, or nothing."""
    for start, repeated in make_texts(pattern):
        for squares in measure(pattern, start, repeated):
            if squares > MOST_SQUARES:
                return f"{squares:.1f} times a square expression on {start!r} and many {repeated!r}"
    return ""


def measure(pattern: re.Pattern[Any], start: str, repeated: str) -> Iterator[float]:
    """Yield how long a text takes, in times of the clock; where a short one takes little, the long one is not tried."""
    for size, suspect in SUSPECT_SQUARES.items():
        text = (start + repeated * (size // len(repeated) + 1))[:size]
        squares = _take(pattern, text)
        if squares * SIZE / size > MOST_SQUARES:  # the machine may have been busy: the quicker of two counts
            squares = min(squares, _take(pattern, text))
        yield squares * SIZE / size  # no expression takes less than its share
        if squares < suspect:
            return


def _take(pattern: re.Pattern[Any], text: str) -> float:
    """Return how long a text takes, ended by what is repeated and by a strange sign, in times of the clock."""
    return (_time(pattern, text) + _time(pattern, f"{text}\0")) / _square_seconds()


@cache
def _square_seconds() -> float:
    return min(_time(SQUARE, " " * SIZE) for _ in range(5))


def _time(pattern: re.Pattern[Any], text: str) -> float:
    given: Any = text.encode("latin-1", "replace") if isinstance(pattern.pattern, bytes) else text
    begun = time.process_time()
    for _ in pattern.finditer(given):
        pass
    pattern.fullmatch(given)
    return time.process_time() - begun


EXPRESSIONS = find_expressions()


def test_expressions_are_found() -> None:
    names = set(EXPRESSIONS.values())
    assert len(EXPRESSIONS) > 300
    assert {"dowse.url._SCHEME", "dowse.frontier.traps._BY_PARAMETER"} <= names
    assert any(name.startswith("url.py:") for name in names), "one that is written inside a function"
    assert any(name.startswith("form/roles.py:") for name in names), "one that is made of phrases"
    assert {"dowse.form.conditions.range_words", "dowse.form.conditions._article"} <= names, (
        "those that are made when needed"
    )


@pytest.mark.parametrize(
    "expression",
    [r"(a+)+\Z", r"\s+(?:a|b)\s*\Z|x", r"(?:\w+_)?(?:a\w*|b)\d*\Z", r"x[^>]*?y\s*\s*z", r"[\s,:]+(?:to|max)[.:)]*\Z"],
)
def test_a_slow_expression_is_noticed(expression: str) -> None:
    assert judge_expression(re.compile(expression))


def test_no_text_takes_long() -> None:
    slow = {name: said for pattern, name in EXPRESSIONS.items() if (said := judge_expression(pattern))}
    assert not slow, "\n".join(f"{name}: {said}" for name, said in slow.items())
