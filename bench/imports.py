"""How long a list of a million sites takes to import, and what it holds meanwhile, in each format."""

from __future__ import annotations

import gzip
import json
import random
from collections.abc import Callable, Iterator
from pathlib import Path
from statistics import median

from bench.options import Options
from bench.places import DOWSE, SCRATCH, empty_folder
from bench.report import markdown_table
from bench.timing import run_command

TITLE = "Importing lists of sites"
SITES = {"short": 200_000, "full": 1_000_000}
MILLION = 1_000_000
ENDINGS = ("com", "com", "com", "org", "net", "de", "co.uk", "ru", "xn--p1ai")

Lines = Callable[[Iterator[str]], Iterator[str]]


def run(options: Options) -> dict[str, object]:
    """Import each list into an empty database, in a fresh process per repeat, then once more into a full one."""
    sites = SITES[options.extent]
    folder = empty_folder(SCRATCH / "runs" / "imports")
    runs: dict[str, list[dict[str, object]]] = {}
    for name in FORMATS:
        path = _write(folder, name, sites, options.seed)
        runs[name] = [_import(folder, path, name, sites) for _ in range(options.repeats)]
        options.say(f"  {name}: {runs[name][-1]}")
        if name == "csv":
            runs["csv, all known"] = [_import(folder, path, "csv, all known", 0, keep=True)]
        path.unlink()
    medians = {name: _medians(some, sites) for name, some in runs.items()}
    worst = {key: max(each[key] for each in medians.values()) for key in ("seconds", "cpu", "rss_mb")}
    return {
        "seeds": {"lists": options.seed},
        "settings": {"sites": sites},
        "runs": runs,
        "medians": {**medians, "worst": worst},
    }


def table(result: dict[str, object]) -> str:
    """One format per line."""
    medians: dict[str, dict[str, float]] = result["medians"]  # type: ignore[assignment]
    rows = [
        [name, *(f"{each[key]:.1f}" for key in ("seconds", "cpu")), f"{each['rss_mb']:.0f}", f"{each['load']:.1f}"]
        for name, each in medians.items()
        if name != "worst"
    ]
    return markdown_table(["list", "s per million", "CPU s per million", "most RSS MB", "load before"], rows, numbers=4)


def notes(result: dict[str, object]) -> str:
    """What a reader must know beside the table."""
    sites = result["settings"]["sites"]  # type: ignore[index]
    return (
        f"`dowse sites import` of {sites:,} sites that are all different, into a new SQLite file on disk (`csv, all known`: "
        "into one that has them); wall time of the process, scaled to a million. Eight in nine names are plain, one has "
        "`xn--` in it. The directory gives every address twice, as a topic's link and as a page. The load is the "
        "machine's before the run: over 0.5, somebody else was working."
    )


def make_hosts(count: int, seed: int) -> Iterator[str]:
    """Yield host names in no order, each once."""
    rng = random.Random(seed)
    words = ["".join(rng.choices("abcdefghijklmnopqrstuvwxyz", k=rng.randint(3, 9))) for _ in range(5000)]
    for number in range(count):
        start = rng.choice(("", "", "www.", "shop."))
        yield f"{start}{rng.choice(words)}-{rng.choice(words)}{number}.{rng.choice(ENDINGS)}"


def _plain(hosts: Iterator[str]) -> Iterator[str]:
    return (f"http://{host}/" if number % 2 else host for number, host in enumerate(hosts))


def _csv(hosts: Iterator[str]) -> Iterator[str]:
    return (f"{rank},{host}\r" for rank, host in enumerate(hosts, 1))


def _rdf(hosts: Iterator[str]) -> Iterator[str]:
    yield '<?xml version="1.0" encoding="UTF-8"?>\n<RDF xmlns:r="http://www.w3.org/TR/RDF/" xmlns="http://dmoz.org/rdf/">'
    for number, host in enumerate(hosts):
        yield f'<Topic r:id="Top/Arts/{number}">\n  <link r:resource="http://{host}/"></link>\n</Topic>'
        yield f'<ExternalPage about="http://{host}/">\n  <d:Title>A title of some words</d:Title>'
        yield "  <d:Description>What the editor says about it, in a sentence or two, as editors do.</d:Description>"
        yield f"  <topic>Top/Arts/{number}</topic>\n</ExternalPage>"
    yield "</RDF>"


def _sitemap(hosts: Iterator[str]) -> Iterator[str]:
    yield '<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">'
    for host in hosts:
        yield f"<url><loc>https://{host}/page.html?a=1&amp;b=2</loc><lastmod>2026-01-01</lastmod></url>"
    yield "</urlset>"


def _vertices(hosts: Iterator[str]) -> Iterator[str]:
    return (f"{number}\t{_backwards(host)}" for number, host in enumerate(hosts))


def _ranks(hosts: Iterator[str]) -> Iterator[str]:
    yield "#harmonicc_pos\t#harmonicc_val\t#pr_pos\t#pr_val\t#host_rev\t#n_hosts"
    for rank, host in enumerate(hosts, 1):
        yield f"{rank}\t{3e7 - rank}\t{rank}\t{0.01 / rank}\t{_backwards(host)}\t1"


def _backwards(host: str) -> str:
    return ".".join(host.split(".")[::-1])


FORMATS: dict[str, Lines] = {
    "plain": _plain,
    "csv": _csv,
    "rdf": _rdf,
    "sitemap": _sitemap,
    "graph, vertices": _vertices,
    "graph, ranks, gzip": _ranks,
}


def _write(folder: Path, name: str, sites: int, seed: int) -> Path:
    path = folder / "list"
    lines = FORMATS[name](make_hosts(sites, seed))
    with gzip.open(path, "wt", compresslevel=1) if name.endswith("gzip") else path.open("w") as file:
        file.writelines(f"{line}\n" for line in lines)
    return path


def _import(folder: Path, path: Path, name: str, expected: int, *, keep: bool = False) -> dict[str, object]:
    if not keep:
        for old in folder.glob("dowse.db*"):
            old.unlink()
    ran = run_command([str(DOWSE), "sites", "import", path.name, "--json"], folder)
    facts = {"code": ran.code, "seconds": ran.seconds, "cpu": ran.cpu, "rss_mb": ran.rss_mb, "load": ran.load}
    imported = json.loads(ran.stdout)["imported"] if not ran.code else None
    if imported != expected:
        raise RuntimeError(f"{name}: {imported} of {expected} sites imported: {ran.stderr.strip()[-300:]}")
    return facts


def _medians(runs: list[dict[str, object]], sites: int) -> dict[str, float]:
    """The middle run, times scaled to a million sites."""
    middle = {key: median(float(one[key]) for one in runs) for key in ("seconds", "cpu", "rss_mb", "load")}  # type: ignore[arg-type]
    return {**middle, **{key: middle[key] * MILLION / sites for key in ("seconds", "cpu")}}
