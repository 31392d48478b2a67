"""`python -m bench.golden record` keeps what the program gives out; `python -m bench.golden compare` says what has changed."""

from __future__ import annotations

import argparse
import json
import os
import sys
import time
import traceback
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from bench.golden.cases import AREAS
from bench.golden.compare import (
    CASES_SHOWN,
    REWORDINGS_SHOWN,
    Comparison,
    Explained,
    Rewording,
    compare,
    find_rewording,
    find_unexplained,
    read_explained,
    show_case,
    why_explained,
)
from bench.golden.material import missing_sets
from bench.golden.record import Case, area_of, read_full, write_digests, write_full
from bench.places import ROOT, SCRATCH

DIGESTS = ROOT / "bench" / "golden.json"
EXPLAINED = ROOT / "bench" / "golden-explained.toml"
FULL = SCRATCH / "golden"
HASH_SEED = "0"  # the order of sets of texts hangs on it; PYTHONHASHSEED in the environment goes before it
MADE_WITH = {"pages": ("pages", "forms", "doors", "signatures")}  # areas whose cases come out of one reading


def main(arguments: Sequence[str] | None = None) -> int:
    """Record, or compare with what was recorded; 1 when something differs that nobody explained."""
    chosen = _read_arguments(arguments)
    areas = chosen.areas or list(AREAS)
    unknown = [area for area in areas if area not in AREAS]
    if unknown:
        print(f"golden: no area {unknown[0]}; there are {', '.join(AREAS)}", file=sys.stderr)
        return 1
    missing = missing_sets()
    for name, why in missing.items():
        print(f"left out: {name}* ({why})")
    cases, broken = run_areas(areas)
    if chosen.what == "record":
        return _record(cases, areas, broken, chosen.full)
    return _compare(cases, areas, [*missing], broken, chosen.full)


def run_areas(areas: Iterable[str]) -> tuple[list[Case], list[str]]:
    """Run the cases of some areas; one that breaks off does not keep the others from being run."""
    cases: dict[str, Case] = {}
    broken = []
    for area in areas:
        begun = time.process_time()
        before = len(cases)
        try:
            for case in AREAS[area]():
                assert case.name not in cases, f"two cases are called {case.name}"
                cases[case.name] = case
        except Exception:  # the outermost loop: a renaming that was forgotten shows here
            traceback.print_exc()
            broken.append(area)
        print(f"  {area}: {len(cases) - before} cases, {time.process_time() - begun:.0f} s", file=sys.stderr)
    return list(cases.values()), broken


def _record(cases: Sequence[Case], areas: Sequence[str], broken: Sequence[str], full: Path) -> int:
    if broken:
        print(f"nothing is recorded: {', '.join(broken)} broke off", file=sys.stderr)
        return 1
    kept = {name: each for name, each in _read_digests().items() if not _is_of(name, areas)}
    write_digests(DIGESTS, kept | {case.name: case.summary for case in cases})
    write_full(full, cases)
    print(f"{len(cases)} cases recorded: digests in {DIGESTS.relative_to(ROOT)}, outputs in {full}")
    return 0


def _compare(cases: Sequence[Case], areas: Sequence[str], missing: list[str], broken: Sequence[str], full: Path) -> int:
    old = {name: each for name, each in _read_digests().items() if _is_of(name, areas)}
    skipped = [*missing, *(f"{made}/" for area in broken for made in MADE_WITH.get(area, (area,)))]
    found = compare(old, {case.name: case.summary for case in cases}, skipped)
    outputs = {name: each for name, each in read_full(full).items() if name in old}
    rewording = find_rewording(outputs, cases, found.facts) if outputs else None
    explained = read_explained(EXPLAINED)
    unexplained = find_unexplained(found, explained, rewording)
    for line in write_report(found, {case.name: case for case in cases}, outputs, explained, rewording):
        print(line)
    for area in broken:
        print(f"{area} BROKE OFF: see the traceback")
    for line in unexplained[:50]:
        print(f"not explained: {line}")
    if len(unexplained) > 50:
        print(f"... and {len(unexplained) - 50} more that are not explained")
    print(f"{len(found.equal)} of {len(old)} cases are equal; {len(unexplained)} differences are not explained")
    return 1 if unexplained or broken else 0


def write_report(
    found: Comparison,
    cases: Mapping[str, Case],
    outputs: Mapping[str, Mapping[str, Any]],
    explained: Explained,
    rewording: Rewording | None,
) -> list[str]:
    """Return what differs and where, area by area."""
    lines = []
    for what, names in (
        ("equal", found.equal), ("facts differ", found.facts), ("words differ", found.words), ("gone", found.gone), ("new", found.new),
        ("left out", found.left_out),
    ):  # fmt: skip
        counts = Counter(map(area_of, names))
        if counts:
            lines.append(f"{what}: " + ", ".join(f"{area} {count}" for area, count in counts.items()))
    shown: Counter[str] = Counter()
    for name in found.facts:
        shown[area_of(name)] += 1
        if shown[area_of(name)] <= CASES_SHOWN:
            why = why_explained("facts", name, explained)
            lines.append(f"  {name}" + (f" (explained: {why})" if why else ""))
            lines += show_case(outputs[name], cases[name]) if name in outputs else []
    if found.facts and not outputs:
        lines.append(
            "  the outputs of the record are not at hand: name their folder with --full to see where they differ"
        )
    return lines + _write_rewording(rewording)


def _write_rewording(rewording: Rewording | None) -> list[str]:
    if rewording is None:
        return []
    lines = [f"reworded: {old!r} -> {new!r}" for old, new in rewording.renamed.items()]
    if len(lines) > REWORDINGS_SHOWN:
        lines = [*lines[:REWORDINGS_SHOWN], f"... and {len(lines) - REWORDINGS_SHOWN} more sentences reworded"]
    torn = [
        f"one sentence became several: {old!r} -> {new!r} ({len(rewording.cases[old])} cases)"
        for old, new in rewording.torn.items()
    ]
    moved = sorted(rewording.moved)[:CASES_SHOWN]
    return lines + torn[:REWORDINGS_SHOWN] + [f"said elsewhere, more or less than before: {name}" for name in moved]


def _is_of(name: str, areas: Iterable[str]) -> bool:
    return any(area_of(name) in MADE_WITH.get(area, (area,)) for area in areas)


def _read_digests() -> dict[str, dict[str, Any]]:
    return dict(json.loads(DIGESTS.read_text())) if DIGESTS.exists() else {}


def _read_arguments(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m bench.golden", description="Outputs of Dowse, before and after.")
    parser.add_argument("what", choices=("record", "compare"))
    parser.add_argument("areas", nargs="*", metavar="AREA", help=f"default: all of {' '.join(AREAS)}")
    parser.add_argument("--full", type=Path, default=FULL, help="folder of the whole outputs of the record")
    return parser.parse_args(arguments)


def fix_hash_seed() -> None:
    """Begin again with the hash seed of the record, unless the environment names one."""
    if "PYTHONHASHSEED" not in os.environ:
        command = [sys.executable, "-m", "bench.golden", *sys.argv[1:]]
        os.execve(sys.executable, command, {**os.environ, "PYTHONHASHSEED": HASH_SEED})


if __name__ == "__main__":
    fix_hash_seed()
    sys.exit(main())
