"""The shape of an address: what stays when numbers, dates and hashes change."""

from __future__ import annotations

import re
from functools import lru_cache

_VARIABLE = re.compile(
    r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|(?=[a-f]{0,40}\d)[0-9a-f]{7,}|\d+(?:[-.]\d+)*", re.IGNORECASE
)
_DIGIT = re.compile(r"\d")
_DATE_WORDS = re.compile(
    r"(?:^|[/?&;_-])(?:cal|calendar|kalender|calendario|agenda|events?|y|yr|year|month|mon|ym|day|date|week|wk)(?:[/=&;?_-]|$)",
    re.I,
)
_DATE_VALUE = re.compile(
    r"(?:19|20|21)\d\d(?:[-/.]?(?:0?[1-9]|1[0-2]))(?!\d)|\b(?:0?[1-9]|1[0-2])[-/.](?:19|20|21)\d\d\b"
)


def path_and_query(url: str) -> tuple[str, str]:
    """Return the path and the query of a canonical address."""
    path, _, query = url[url.find("/", 8) :].partition("?")
    return path, query


def parameters(query: str) -> list[tuple[str, str]]:
    """Return names and values of a query, whichever separator it uses."""
    pairs = []
    for part in re.split("[&;]", query):
        name, _, value = part.partition("=")
        if name:
            pairs.append((name, value))
    return pairs


@lru_cache(maxsize=4096)  # asked for when an address is offered, taken and read
def shape_of(url: str) -> str:
    """Return the address without what varies: /item/0?color&size for /item/17?size=3&color=red."""
    path, query = path_and_query(url)
    if _DIGIT.search(path):
        path = _VARIABLE.sub("0", path)
    if not query:
        return path
    return f"{path}?{'&'.join(sorted({name for name, _ in parameters(query)}))}"


def looks_like_dates(url: str) -> bool:
    """Say whether an address names a day, month or year."""
    path, query = path_and_query(url)
    tail = f"{path}?{query}"
    return bool(_DATE_WORDS.search(tail) and re.search(r"\d", tail)) or bool(_DATE_VALUE.search(tail))


def repeats_itself(path: str) -> bool:
    """Say whether a path runs in circles, such as /a/b/a/b/a/b or /x/x/x/x."""
    parts = [part for part in path.split("/") if part]
    for size in range(1, min(5, len(parts) // 3 + 1)):
        for start in range(len(parts) - 3 * size + 1):
            block = parts[start : start + size]
            if parts[start + size : start + 2 * size] == block == parts[start + 2 * size : start + 3 * size]:
                return True
    return len(parts) >= 6 and len(set(parts)) <= len(parts) // 2
