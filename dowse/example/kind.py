"""Kinds of addresses: what those that a site writes the same way have in common."""

from __future__ import annotations

from functools import lru_cache

from dowse.example.address import read_address

Kind = tuple[object, ...]


@lru_cache(maxsize=65_536)
def kind_of(url: str) -> Kind:
    """Return what addresses of one kind share: folders, with numbers as one; how the last level is written; names of parameters."""
    address = read_address(url)
    if address is None:
        return (url,)
    *folders, last = [level for level in address.path if level] or [""]
    ends = "/" if address.path and not address.path[-1] else _find_suffix(last)
    numbered = tuple("0" if any(map(str.isdigit, level)) else level for level in folders)
    return (numbered, bool(last), ends, address.names)


def _find_suffix(level: str) -> str:
    return level.rpartition(".")[2] if "." in level else ""


def form_of(url: str) -> Kind:
    """Return what addresses share that only differ in the names of folders."""
    address = read_address(url)
    return (len(address.path), *kind_of(url)[1:]) if address is not None else (url,)


def ends_in_number(url: str) -> bool:
    """Tell whether the last level of an address is a number and nothing else."""
    address = read_address(url)
    levels = [level for level in address.path if level] if address is not None else []
    return bool(levels) and levels[-1].isdigit()


def has_more_parameters(kind: Kind, other: Kind) -> bool:
    """Tell whether addresses of one kind are written as those of another with parameters added."""
    more, fewer = kind[-1], other[-1]
    if not isinstance(more, tuple) or not isinstance(fewer, tuple) or kind[:-1] != other[:-1]:
        return False
    return set(more) > set(fewer)
