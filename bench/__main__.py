"""`python -m bench [EXPERIMENT...]`: runs experiments, keeps results, writes tables."""

from __future__ import annotations

import argparse
import sys
from types import ModuleType

from bench import (
    addresses,
    attributes,
    auto,
    chaos,
    claims,
    complete,
    conditions,
    coverage,
    doors,
    draws,
    duplicates,
    extract,
    families,
    find,
    forecasts,
    forms,
    harvest,
    hostile,
    imports,
    judge,
    kinds,
    links,
    memory,
    paging,
    paper1,
    paper2,
    paper3,
    paper4,
    paper5,
    parsers,
    probe,
    realfind,
    realharvest,
    realnames,
    rooms,
    rtdm,
    sametemplate,
    sensitivity,
    simspeed,
    sizes,
    startup,
    throughput,
    topic,
    topics,
    wordbox,
    world,
)
from bench.install import Missing
from bench.options import Options
from bench.places import RESULTS, SCRATCH
from bench.report import (
    find_empty_tables,
    judge_floors,
    keep_result,
    list_floors,
    read_result,
    write_index,
    write_page,
)

EXPERIMENTS: dict[str, ModuleType] = {
    "throughput": throughput,
    "memory": memory,
    "startup": startup,
    "imports": imports,
    "world": world,
    "families": families,
    "simspeed": simspeed,
    "find": find,
    "links": links,
    "coverage": coverage,
    "realfind": realfind,
    "realharvest": realharvest,
    "realnames": realnames,
    "forms": forms,
    "judge": judge,
    "kinds": kinds,
    "doors": doors,
    "conditions": conditions,
    "topics": topics,
    "duplicates": duplicates,
    "probe": probe,
    "forecasts": forecasts,
    "auto": auto,
    "sizes": sizes,
    "paper1": paper1,
    "paper2": paper2,
    "paper3": paper3,
    "paper4": paper4,
    "paper5": paper5,
    "topic": topic,
    "harvest": harvest,
    "wordbox": wordbox,
    "draws": draws,
    "claims": claims,
    "complete": complete,
    "extract": extract,
    "attributes": attributes,
    "paging": paging,
    "sensitivity": sensitivity,
    "parsers": parsers,
    "rtdm": rtdm,
    "sametemplate": sametemplate,
    "addresses": addresses,
    "chaos": chaos,
    "hostile": hostile,
    "rooms": rooms,
}
SHORT = (
    "memory", "startup", "imports", "world", "families", "simspeed", "find", "forms", "doors", "conditions", "duplicates", "probe", "rooms",
)  # fmt: skip


def main() -> int:
    """Run what was asked for; 1 when a figure was missed or something needed is missing."""
    chosen = _read_arguments()
    if chosen.floors:
        return _print_floors()
    names = chosen.experiments or (list(EXPERIMENTS) if chosen.all else list(SHORT))
    unknown = [name for name in names if name not in EXPERIMENTS]
    if unknown:
        raise Missing(f"no experiment {unknown[0]}; there are {', '.join(EXPERIMENTS)}")
    options = Options(
        repeats=chosen.repeats,
        extent="full" if chosen.all else "short",
        seed=chosen.seed,
        hosts=chosen.hosts,
        few_hosts=min(chosen.hosts, chosen.few_hosts),
        crawlers=tuple(chosen.crawlers.split(",")) if chosen.crawlers else (),
        sites=chosen.sites,
        kills=chosen.kills,
        parts=tuple(chosen.parts.split(",")) if chosen.parts else (),
    )
    missed = [line for name in names for line in _run(name, options, chosen)]
    if not chosen.dry:
        write_index(EXPERIMENTS)
    print("\n".join(missed) or "all figures reached")
    return 1 if missed else 0


def _run(name: str, options: Options, chosen: argparse.Namespace) -> list[str]:
    """Run one experiment (or only write its table again) and say which figures it missed."""
    experiment = EXPERIMENTS[name]
    options.say(f"{name}: {experiment.TITLE}")
    if chosen.tables:
        result = read_result(RESULTS, name)
    else:
        folder = SCRATCH / "results" if chosen.dry else RESULTS
        result = keep_result(folder, name, experiment.run(options), options.repeats)
    if not chosen.dry:
        write_page(name, experiment, result)
    table = experiment.table(result)
    print(f"\n{table}\n")
    missed = [f"{name}: {what}: {has} ({wanted})" for what, has, wanted, met in judge_floors(name, result) if not met]
    return missed + [f"{name}: {head}: nothing measured" for head in find_empty_tables(table)]


def _print_floors() -> int:
    """Print which figures the kept results reach; nothing is measured, and a figure that is missed is no failure here."""
    held, missed = list_floors()
    print("\n".join([*held, *(f"missed: {line}" for line in missed), f"{len(held)} hold, {len(missed)} are missed"]))
    return 0


def _read_arguments() -> argparse.Namespace:
    usual = Options()
    parser = argparse.ArgumentParser(prog="python -m bench", description="Measures Dowse beside its peers.")
    parser.add_argument(
        "experiments",
        nargs="*",
        metavar="EXPERIMENT",
        help=f"default: {' '.join(SHORT)}; also {' '.join(name for name in EXPERIMENTS if name not in SHORT)}",
    )
    parser.add_argument(
        "--all", action="store_true", help="the long ones too, and more of those that can do more (find)"
    )
    parser.add_argument("--tables", action="store_true", help="measure nothing: write the tables from the kept results")
    parser.add_argument(
        "--floors", action="store_true", help="measure nothing: list which floors the kept results reach"
    )
    parser.add_argument("--dry", action="store_true", help="keep the result in .bench only and write no tables")
    parser.add_argument("--repeats", type=int, default=usual.repeats, help="times each measurement is taken")
    parser.add_argument("--seed", type=int, default=usual.seed)
    parser.add_argument("--hosts", type=int, default=usual.hosts, help="throughput: virtual hosts")
    parser.add_argument("--few-hosts", type=int, default=usual.few_hosts, help="throughput: hosts for slow peers")
    parser.add_argument("--crawlers", default="", help="throughput: only these, with commas")
    parser.add_argument("--sites", type=int, default=usual.sites, help="memory: sites searched")
    parser.add_argument("--kills", type=int, default=usual.kills, help="chaos: kill -9 during the search")
    parser.add_argument(
        "--parts", default="", help="of long experiments, only these, with commas; the others stay as they were kept"
    )
    return parser.parse_args()


if __name__ == "__main__":
    try:
        sys.exit(main())
    except Missing as missing:
        print(f"bench: {missing}", file=sys.stderr)
        sys.exit(1)
