"""What the search of a site must know to go on: after an interruption or in another round, perhaps in another process."""

from __future__ import annotations

import json
import zlib
from dataclasses import dataclass, field
from typing import Any

import orjson

from dowse.frontier.traps import Sameness, ShapeLedger, Traps
from dowse.model import Link, LinkChoice
from dowse.reasons import StopReason, Trap

MAX_MEMORY_BYTES = 1024 * 1024  # compressed; one that is larger leaves out the words of pages, then links nobody chose


@dataclass(slots=True)
class SearchMemory:
    """What pages of a site have shown, beside what the store keeps of them."""

    met: list[str] = field(default_factory=list)  # every address that was shown
    contents: list[int] = field(default_factory=list)
    names: list[str] = field(default_factory=list)  # signatures that its doors go by
    looks: int = 0  # pages that were read
    described: int = 0  # files that say how the site can be searched
    asked: int = 0  # doors that were put questions to
    silent: int = 0  # requests in a row that got no answer
    answered: bool = False  # whether any page came
    traps: Traps = field(default_factory=Traps)
    sameness: Sameness = field(default_factory=Sameness)
    unchosen: list[Link] = field(default_factory=list)  # links that the guide did not choose so far
    guide: dict[str, Any] | None = None  # what it wrote down; None when it cannot
    observer: dict[str, Any] | None = None  # likewise the guide that only looks on, for the audit
    audit: dict[str, Any] | None = None  # what was drawn at random, and what that gave
    drawn: list[LinkChoice] = field(default_factory=list)  # for the audit, not yet read
    closing: bool = False  # the guide is done
    reopened: bool = False
    ended_by: StopReason | None = None  # why the guide is done
    why_left: str = ""
    guided_by: str = ""  # class of the guide


def write_memory(memory: SearchMemory) -> bytes:
    """Write it down."""
    plain: dict[str, Any] = {
        "met": memory.met,
        "contents": memory.contents,
        "names": memory.names,
        "looks": memory.looks,
        "described": memory.described,
        "asked": memory.asked,
        "silent": memory.silent,
        "answered": memory.answered,
        "traps": _write_traps(memory.traps),
        "sameness": _write_sameness(memory.sameness),
        "unchosen": memory.unchosen,
        "guide": memory.guide,
        "observer": memory.observer,
        "audit": memory.audit,
        "drawn": memory.drawn,
        "closing": memory.closing,
        "reopened": memory.reopened,
        "ended_by": memory.ended_by,
        "why_left": memory.why_left,
        "guided_by": memory.guided_by,
    }
    packed = _pack(plain)
    if len(packed) > MAX_MEMORY_BYTES:
        for ledger in plain["traps"]["_ledgers"].values():
            ledger[-1] = []
        packed = _pack(plain)
    if len(packed) > MAX_MEMORY_BYTES:
        packed = _pack(plain | {"unchosen": []})
    return packed


def read_memory(packed: bytes) -> SearchMemory:
    """Read what was written down; of nothing, an empty memory."""
    if not packed:
        return SearchMemory()
    plain = json.loads(zlib.decompress(packed))
    plain["traps"], plain["sameness"] = _read_traps(plain["traps"]), _read_sameness(plain["sameness"])
    plain["unchosen"] = [Link(*each) for each in plain.get("unchosen", ())]
    plain["drawn"] = [LinkChoice(Link(*link), *rest) for link, *rest in plain.get("drawn", ())]
    plain["ended_by"] = StopReason(plain["ended_by"]) if plain.get("ended_by") else None
    return SearchMemory(**plain)


def _pack(plain: dict[str, Any]) -> bytes:
    try:
        text = orjson.dumps(plain, default=list)  # named tuples
    except orjson.JSONEncodeError:  # half a character in the words of a page
        text = json.dumps(plain).encode()
    return zlib.compress(text, 1)


def _write_traps(traps: Traps) -> dict[str, Any]:
    return {
        "_ledgers": {
            shape: [ledger.pages, ledger.closed, list(ledger.stale), [list(words) for words in ledger.words]]
            for shape, ledger in traps.ledgers.items()
        },
        "_multiples": {str(view): count for view, count in traps.views.items()},
        "_bases": list(traps.bases),
        "_combinations": traps.combinations,
        "_names": {path: [list(names) for names in sets] for path, sets in traps.names.items()},
        "_paths": list(traps.paths),
        "_sorted_paths": list(traps.sorted_paths.values()),
    }


def _read_traps(plain: dict[str, Any]) -> Traps:
    return Traps(
        ledgers={shape: _read_ledger(*parts) for shape, parts in plain["_ledgers"].items()},
        views={Trap(name): count for name, count in plain["_multiples"].items()},
        bases=set(plain["_bases"]),
        combinations=plain["_combinations"],
        names={path: set(map(frozenset, sets)) for path, sets in plain["_names"].items()},
        paths=set(map(tuple, plain["_paths"])),
        sorted_paths={tuple(sorted(parts)): parts for parts in map(tuple, plain["_sorted_paths"])},
    )


def _read_ledger(pages: int, closed: str | None, stale: list[bool], words: list[list[str]]) -> ShapeLedger:
    name = (closed or "").removeprefix("trap: ")  # how it was written once
    ledger = ShapeLedger(pages, Trap(name) if name else None)
    ledger.stale.extend(stale)
    ledger.words.extend(map(frozenset, words))
    return ledger


def _write_sameness(same: Sameness) -> dict[str, Any]:
    return {
        "noise": list(same.noise),
        "order_matters": same.order_matters,
        "_contents": same.contents,
        "_equal": same.equal,
        "_different": list(same.different),
        "_orders": same.orders,
    }


def _read_sameness(plain: dict[str, Any]) -> Sameness:
    return Sameness(
        noise=set(plain["noise"]),
        order_matters=plain["order_matters"],
        contents=plain["_contents"],
        equal=plain["_equal"],
        different=set(plain["_different"]),
        orders={address: (first, content) for address, (first, content) in plain["_orders"].items()},
    )
