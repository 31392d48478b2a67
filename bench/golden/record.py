"""Cases as plain data: the facts and the sentences of each apart, a digest of both, and files that hold them."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from hashlib import blake2b
from pathlib import Path
from typing import Any

DIGEST_BYTES = 5  # 2,000 cases: one chance in a million that a change is not seen


@dataclass(frozen=True, slots=True)
class Case:
    """One output of the program: what it found, and apart from that in which words it said why."""

    name: str  # area/real or sim/set/...
    facts: Mapping[str, Any]  # plain data only
    sentences: Mapping[str, str] = field(default_factory=dict)  # where it was said -> the words
    counts: Mapping[str, int] = field(default_factory=dict)  # a few numbers that may be shown to anybody

    @property
    def summary(self) -> dict[str, Any]:
        """Return what is committed of a case: no content of any page."""
        return {"facts": digest_of(self.facts), "words": digest_of(self.sentences), **self.counts}

    @property
    def whole(self) -> dict[str, Any]:
        """Return all of a case as JSON would give it back."""
        return dict(json.loads(write_plain({"facts": self.facts, "sentences": self.sentences})))


def write_plain(value: Any) -> str:
    """Return plain data as text, the same for the same data; anything else is refused."""
    return json.dumps(value, sort_keys=True, ensure_ascii=False, separators=(",", ":"))


def digest_of(value: Any) -> str:
    """Return a short fingerprint of plain data."""
    return blake2b(write_plain(value).encode("utf-8", "surrogatepass"), digest_size=DIGEST_BYTES).hexdigest()


def write_digests(path: Path, summaries: Mapping[str, Mapping[str, Any]]) -> None:
    """Write what is committed, a line for each case, so that a change shows in a diff."""
    lines = [f" {json.dumps(name)}: {json.dumps(summaries[name])}" for name in sorted(summaries)]
    path.write_text("{\n" + ",\n".join(lines) + "\n}\n")


def write_full(folder: Path, cases: Iterable[Case]) -> None:
    """Write the whole outputs, a file for each area."""
    folder.mkdir(parents=True, exist_ok=True)
    areas: dict[str, dict[str, Any]] = {}
    for case in cases:
        areas.setdefault(area_of(case.name), {})[case.name] = case.whole
    for area, held in areas.items():
        text = json.dumps(held, sort_keys=True, indent=0).encode()  # in ASCII: broken pages hold lone surrogates
        (folder / f"{area}.json.gz").write_bytes(gzip.compress(text, 6, mtime=0))


def read_full(folder: Path) -> dict[str, dict[str, Any]]:
    """Return the whole outputs that a folder holds, by case."""
    held: dict[str, dict[str, Any]] = {}
    for path in sorted(folder.glob("*.json.gz")):
        held |= json.loads(gzip.decompress(path.read_bytes()))
    return held


def area_of(name: str) -> str:
    """Return the area that a case belongs to."""
    return name.partition("/")[0]
