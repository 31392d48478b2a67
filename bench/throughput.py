"""Pages per second on one core: Dowse beside Scrapy, Crawlee and `wget -r`, and the limit.

nginx has one core, the crawler the other. Every crawler gets the entrances of the hosts, keeps
to the host each link was found on, fetches every page once, and (but for wget and the limit)
reads links and forms with their fields and commits both to SQLite. What each fetched is compared
with what was written; a crawler that missed pages is marked.
"""

from __future__ import annotations

import json
import sqlite3
import sys
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import median
from typing import Any

from bench import install, pageset
from bench.nginx import serve_pages
from bench.options import Options
from bench.places import DOWSE, PEERS, ROOT, SCRATCH, empty_folder
from bench.plots import Series, draw, paint_bars
from bench.report import markdown_table
from bench.timing import CRAWLER_CORE, Ran, run_command

TITLE = "Throughput on one core"
JOBS = 128


def run(options: Options) -> dict[str, object]:
    """Run every crawler in turn, as often as asked: A B C, A B C."""
    pages = pageset.build_pages(options.hosts)
    few = pages.first(options.few_hosts)
    chosen = [name for name in CRAWLERS if not options.crawlers or name in options.crawlers]
    runs: list[dict[str, object]] = []
    with serve_pages(pages.folder) as port:
        for repeat in range(options.repeats):
            for name in chosen:
                job = _prepare(name, few if CRAWLERS[name].slow else pages, port)
                runs.append({"repeat": repeat} | measure(name, job))
                options.say(_line(runs[-1]))
    return {
        "seeds": {"pages": pageset.SEED},
        "settings": {"hosts": options.hosts, "hosts_of_slow_peers": options.few_hosts, "jobs": JOBS},
        "page_set": _describe(pages),
        "runs": runs,
        "medians": _medians(runs),
    }


@dataclass(frozen=True, slots=True)
class Job:
    """What one crawler is given."""

    pages: pageset.PageSet
    port: int
    folder: Path
    seeds: Path

    @property
    def proxy(self) -> str:
        """The server, as a crawler is told of it that cannot be told where a name lives."""
        return f"http://127.0.0.1:{self.port}"


@dataclass(frozen=True, slots=True)
class Seen:
    """What a crawler has really seen."""

    pages: int  # of the set, with the right bytes where the crawler keeps a trace of them
    other: int = 0  # addresses that are not in the set
    forms: int | None = None
    fields: int | None = None
    seconds: float | None = None  # by its own clock, interpreter start left out


@dataclass(frozen=True, slots=True)
class Crawler:
    """How a crawler is called, and how to see what it did."""

    what: str
    command: Callable[[Job], list[str]]
    look: Callable[[Job, Ran], Seen]
    extra: Callable[[Job], dict[str, str]] = lambda job: {}
    slow: bool = False  # gets fewer hosts: its rate is what counts
    codes: tuple[int, ...] = (0,)


def measure(name: str, job: Job) -> dict[str, object]:
    """Run one crawler once."""
    crawler = CRAWLERS[name]
    ran = run_command(crawler.command(job), job.folder, core=CRAWLER_CORE, extra=crawler.extra(job))
    facts = {"crawler": name, "hosts": len(job.pages.hosts), "expected": len(job.pages.pages)}
    facts |= {key: value for key, value in asdict(ran).items() if key not in ("stdout", "stderr")}
    if ran.code not in crawler.codes:
        return facts | {"rate": None, "complete": False, "error": _last_line(ran)}
    seen = crawler.look(job, ran)
    complete = seen.pages == len(job.pages.pages) and not seen.other
    if seen.forms is not None:
        complete &= seen.forms == job.pages.forms and seen.fields in (None, job.pages.fields)
    inner = seen.pages / seen.seconds if seen.seconds else None
    rates = {"rate": seen.pages / ran.seconds, "rate_without_start": inner, "cpu_per_1000": 1000 * ran.cpu / seen.pages}
    return facts | {"seen": asdict(seen), "complete": complete} | rates


def table(result: dict[str, object]) -> str:
    """The medians, one crawler per line."""
    medians: dict[str, dict[str, float]] = result["medians"]  # type: ignore[assignment]
    rows = []
    for name, figures in medians["crawlers"].items():  # type: ignore[attr-defined]
        ratio, cpu_ratio = medians["ratios"].get(name), medians["cpu_ratios"].get(name)
        rows.append(
            [
                name,
                f"{figures['rate']:,.0f}",
                f"{figures['rate_without_start']:,.0f}" if figures["rate_without_start"] else "",
                f"{figures['cpu_per_1000']:.2f}",
                f"{figures['rss_mb']:.0f}",
                f"{figures['pages']:,.0f} of {figures['expected']:,.0f}" + ("" if figures["complete"] else " (!)"),
                f"{ratio:.2f}" if ratio else "",
                f"{cpu_ratio:.2f}" if cpu_ratio else "",
                CRAWLERS[name].what,
            ]
        )
    heads = [
        "crawler",
        "pages/s",
        "without start",
        "CPU s / 1,000",
        "RSS MB",
        "pages",
        "Dowse / it",
        "the same by CPU",
        "what it does",
    ]
    return markdown_table(heads, rows, numbers=7)


def plots(result: dict[str, Any]) -> dict[str, str]:
    """Pages per second of the crawlers; of bare-fetch, which reads nothing, only the table tells."""
    crawlers = {name: one for name, one in result["medians"]["crawlers"].items() if name != "bare-fetch"}

    def paint(axes: list[Any]) -> None:
        rates = {name: _rates(result, name) for name in crawlers}
        lows, highs = [min(some) for some in rates.values()], [max(some) for some in rates.values()]
        values = [one["rate"] for one in crawlers.values()]
        paint_bars(axes[0], list(crawlers), [Series("pages/s", values, lows, highs)])
        axes[0].set(ylabel="pages per second, one core", title="median, least and most of the repeats")

    return {"rates": draw("Bars: pages per second of each crawler on one core", 1, paint)}


def _rates(result: dict[str, Any], crawler: str) -> list[float]:
    return [one["rate"] for one in result["runs"] if one["crawler"] == crawler and one["rate"]]


def notes(result: dict[str, object]) -> str:
    """What a reader must know beside the table."""
    pages: dict[str, object] = result["page_set"]  # type: ignore[assignment]
    few = result["settings"]["hosts_of_slow_peers"]  # type: ignore[index]
    return (
        f"{pages['pages']:,} pages of {pages['mean_bytes']:,.0f} bytes on average on {pages['hosts']} virtual hosts, "
        f"{pages['forms']:,} forms; nginx has core 0, the crawler core 1. Scrapy and Crawlee get the first {few} hosts "
        "only: it is their rate that is compared. `pages/s` is pages over the whole life of the process; `without "
        "start` is by the crawler's own clock, where it has one. Ratios are taken within a repeat, then the median. "
        "(!) marks a crawler that missed pages or forms."
    )


def _prepare(name: str, pages: pageset.PageSet, port: int) -> Job:
    folder = empty_folder(SCRATCH / "runs" / name)
    seeds = folder / "seeds.txt"
    urls = list(pages.pages) if name == "bare-fetch" else [f"http://{host}/" for host in pages.hosts]
    seeds.write_text("\n".join(urls) + "\n")
    return Job(pages, port, folder, seeds)


def _dowse(job: Job) -> list[str]:
    options = ["--connect-to", f"*=127.0.0.1:{job.port}", "--allow-private", "--delay", "0", "--jobs", str(JOBS)]
    reach = ["--strategy", "exhaustive:10", "--no-discover", "--site-pages", "1000", "--json"]
    return [str(DOWSE), "find", "--seeds", str(job.seeds), "--db", str(job.folder / "dowse.db"), *options, *reach]


def _scrapy(mode: str) -> Callable[[Job], list[str]]:
    def command(job: Job) -> list[str]:
        script = str(PEERS / "scrapy_peer.py")
        return [str(install.install_peers()), script, str(job.seeds), str(job.folder / "rows.db"), str(job.port), mode]

    return command


def _crawlee(job: Job) -> list[str]:
    script = str(PEERS / "crawlee_peer.py")
    return [str(install.install_peers()), script, str(job.seeds), str(job.folder / "rows.db"), str(job.port)]


def _wget(job: Job) -> list[str]:
    follow = ["-r", "-l", "inf", "-e", "robots=off", "-nv", "-q", "-P", str(job.folder / "files")]
    return [install.find_wget(), *follow, "-i", str(job.seeds)]


def _bare(mode: str) -> Callable[[Job], list[str]]:
    def command(job: Job) -> list[str]:
        return [sys.executable, str(PEERS / "bare_client.py"), str(job.seeds), str(job.port), mode]

    return command


def _bare_path(job: Job) -> dict[str, str]:
    return {"PYTHONPATH": f"{ROOT}:{install.install_bare()}"}


def _look_at_dowse(job: Job, ran: Ran) -> Seen:
    """Compare pages only: the store keeps a form once per site, so forms cannot be counted per page."""
    said = json.loads(ran.stdout)
    with sqlite3.connect(job.folder / "dowse.db") as database:
        digests = dict(database.execute("select url, digest from page where status = 200"))
    return Seen(*_compare(digests, job), seconds=said["seconds"])


def _look_at_rows(job: Job, ran: Ran) -> Seen:
    with sqlite3.connect(job.folder / "rows.db") as database:
        digests = dict(database.execute("select url, digest from pages"))
        fields = [json.loads(row) for (row,) in database.execute("select fields from forms")]
    seconds = json.loads(ran.stdout.splitlines()[-1])["seconds"]
    return Seen(*_compare(digests, job), len(fields), sum(map(len, fields)), seconds)


def _compare(digests: dict[str, str], job: Job) -> tuple[int, int]:
    """Count the pages with the right bytes, and addresses that are not in the set."""
    right = sum(page.digest == digests.get(url) for url, page in job.pages.pages.items())
    return right, len(digests.keys() - job.pages.pages.keys())


def _look_at_files(job: Job, ran: Ran) -> Seen:
    root = job.folder / "files"
    wanted = {pageset.file_of(str(root), url): page.digest for url, page in job.pages.pages.items()}
    found = {path for path in root.rglob("*") if path.is_file()}
    right = sum(path in found and pageset.digest(path.read_bytes()) == digest for path, digest in wanted.items())
    return Seen(right, len(found - wanted.keys()))


def _look_at_counts(job: Job, ran: Ran) -> Seen:
    """The limit keeps nothing, so its sums are compared: pages, bytes, and forms where it reads them."""
    said = json.loads(ran.stdout)
    size = sum(page.size for page in job.pages.pages.values())
    pages = said["pages"] if said["bytes"] == size else 0
    read = (said["forms"] or None, None)
    return Seen(pages, 0, *read, seconds=said["seconds"])


CRAWLERS: dict[str, Crawler] = {
    "dowse": Crawler("`dowse find`, robots.txt kept, SQLite", _dowse, _look_at_dowse),
    "bare-limit": Crawler(
        "httptools + uvloop + `read_page`; no store, no robots.txt", _bare("parse"), _look_at_counts, _bare_path
    ),
    "bare-fetch": Crawler(
        "httptools + uvloop; known addresses, nothing read", _bare("fetch"), _look_at_counts, _bare_path
    ),
    "wget": Crawler(
        "`wget -r`; files, no forms, one request at a time",
        _wget,
        _look_at_files,
        lambda job: {"http_proxy": job.proxy},
    ),
    "scrapy": Crawler("LinkExtractor, stock selectors, SQLite pipeline", _scrapy("stock"), _look_at_rows, slow=True),
    "scrapy-seen": Crawler(
        "the same with a seen-set before Scrapy's filter", _scrapy("seen"), _look_at_rows, slow=True
    ),
    "crawlee": Crawler("ParselCrawler, `enqueue_links`, SQLite", _crawlee, _look_at_rows, slow=True),
}


def _medians(runs: list[dict[str, object]]) -> dict[str, object]:
    crawlers = {name: _middle([one for one in runs if one["crawler"] == name and one["rate"]]) for name in CRAWLERS}
    crawlers = {name: figures for name, figures in crawlers.items() if figures}
    return {
        "crawlers": crawlers,
        "ratios": _ratios(runs, "rate"),
        "ratios_without_start": _ratios(runs, "rate_without_start"),
        "cpu_ratios": {name: 1 / ratio for name, ratio in _ratios(runs, "cpu_per_1000").items()},
    }


def _middle(runs: list[dict[str, object]]) -> dict[str, object]:
    if not runs:
        return {}
    keys = ("rate", "rate_without_start", "cpu_per_1000", "rss_mb", "expected")
    figures = {key: median(one[key] for one in runs) if runs[0][key] else None for key in keys}  # type: ignore[type-var]
    pages = median(one["seen"]["pages"] for one in runs)  # type: ignore[index]
    return figures | {"pages": pages, "complete": all(one["complete"] for one in runs)}


def _ratios(runs: list[dict[str, object]], figure: str) -> dict[str, float]:
    """How many times each peer's figure Dowse has."""
    ratios = {name: _ratio(runs, figure, name) for name in CRAWLERS if name != "dowse"}
    return {name: ratio for name, ratio in ratios.items() if ratio}


def _ratio(runs: list[dict[str, object]], figure: str, peer: str) -> float | None:
    """Dowse's figure over the peer's, repeat by repeat; the median of that."""
    rates = {(one["repeat"], one["crawler"]): one[figure] for one in runs if one.get(figure)}
    pairs = [(rates.get((repeat, "dowse")), rates.get((repeat, peer))) for repeat in {one["repeat"] for one in runs}]
    ratios = [ours / theirs for ours, theirs in pairs if ours and theirs]  # type: ignore[operator]
    return median(ratios) if ratios else None


def _describe(pages: pageset.PageSet) -> dict[str, object]:
    sizes = [page.size for page in pages.pages.values()]
    return {
        "hosts": len(pages.hosts),
        "pages": len(sizes),
        "mean_bytes": sum(sizes) / len(sizes),
        "forms": pages.forms,
        "fields": pages.fields,
    }


def _line(facts: dict[str, object]) -> str:
    if not facts["rate"]:
        return f"  {facts['crawler']:<12} failed: {facts['error']}"
    mark = "" if facts["complete"] else f"  INCOMPLETE {facts['seen']}"
    return f"  {facts['crawler']:<12} {facts['rate']:8,.0f} pages/s  {facts['cpu_per_1000']:.2f} CPU s / 1,000{mark}"


def _last_line(ran: Ran) -> str:
    lines = ran.stderr.strip().splitlines() or ran.stdout.strip().splitlines() or ["no reason given"]
    return f"exit {ran.code}: {lines[-1]}"
