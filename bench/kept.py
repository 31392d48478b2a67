"""Pieces of long experiments that are kept, so that a run can be taken up again."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

from bench.places import ROOT, SCRATCH


@dataclass(frozen=True, slots=True)
class Kept:
    """What was measured before with the same source: pieces of another one are measured again."""

    folder: Path
    fingerprint: str

    def find(self, name: str) -> dict[str, Any] | None:
        """Return a piece; None when it was not measured, or with another source."""
        path = self._place(name)
        kept = json.loads(path.read_text()) if path.exists() else {}
        return dict(kept["piece"]) if kept.get("fingerprint") == self.fingerprint else None

    def add(self, name: str, piece: dict[str, Any]) -> dict[str, Any]:
        """Keep a piece, and return it."""
        self.folder.mkdir(parents=True, exist_ok=True)
        self._place(name).write_text(json.dumps({"fingerprint": self.fingerprint, "piece": piece}) + "\n")
        return piece

    def _place(self, name: str) -> Path:
        return self.folder / f"{name.replace('/', '-').replace(' ', '_')}.json"


def open_kept(experiment: str, files: Iterable[Path]) -> Kept:
    """Open the pieces of an experiment that hang on some files of the source."""
    source = b"".join(path.read_bytes() for path in sorted(files))
    return Kept(SCRATCH / experiment, sha256(source).hexdigest()[:12])


def list_selectors() -> list[Path]:
    """Return the files that say what is asked next."""
    return list((ROOT / "dowse" / "select").glob("*.py"))
