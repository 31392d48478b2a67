"""`kill -9` at random instants of a search: afterwards the store equals that of an undisturbed run.

One search runs undisturbed. The same search on a second store is killed again and again, each time
after a wait drawn from the seed, and started again at once with the same command; after the last kill
it runs to its end. A search that ends before all kills were given is followed by another round on a
fresh store. Every store must equal the undisturbed one: exported sites and forms line by line, and all
tables row by row without ids and times.
"""

from __future__ import annotations

import json
import math
import random
import shutil
import signal
import sqlite3
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path

from bench.compare import Rules, compare_files, count_rows
from bench.install import Missing
from bench.options import Options
from bench.places import DOWSE, SCRATCH, empty_folder
from bench.report import markdown_table
from bench.timing import run_command

TITLE = "A hundred kill -9"
SITES = 300
JOBS = 4  # few at a time and a short delay: the search lasts long enough to be killed a hundred times
DELAY = 0.02
TIMEOUT = 3.0
ROUNDS = 5
SLOW = ("hanging", "busy", "crawl-delay")  # sites that take longer than the time between two kills
RULES = Rules(ignored_columns=frozenset({"started_at", "searched_at", "fetched_at"}))


def run(options: Options) -> dict[str, object]:
    """Search undisturbed, then with kills, and compare."""
    folder = empty_folder(SCRATCH / "runs" / "chaos")
    (folder / "seeds.txt").write_text("\n".join(list_seeds(options.seed)) + "\n")
    with serve_world(options.seed, folder) as port:
        calm = folder / "calm.db"
        whole = _search(calm, port, folder)
        idle = _search(calm, port, folder)  # nothing left to do: what starting and looking costs
        options.say(f"  undisturbed: {whole:.1f} s, of which {idle:.1f} s to start")
        pace = Pace(idle, measure_work(calm))
        rounds = list(_rounds(options, pace, port, folder, calm))
    kills = sum(one["kills"] for one in rounds)  # type: ignore[misc]
    differences = sum(one["differences"] for one in rounds)  # type: ignore[misc]
    return {
        "seeds": {"world": options.seed, "kills": options.seed},
        "settings": {"sites": SITES, "jobs": JOBS, "delay": DELAY, "timeout": TIMEOUT},
        "undisturbed": {"seconds": whole, "idle_seconds": idle, "rows": count_rows(calm, RULES)},
        "runs": rounds,
        "medians": {"kills": kills, "differences": differences},
    }


@dataclass(frozen=True, slots=True)
class Pace:
    """How long to wait between two kills, so that they fall over the whole search."""

    idle: float  # seconds of a search that finds nothing to do: what a start costs
    work: float  # seconds in which the undisturbed search finished nine of ten sites

    def longest_wait(self, kills: int) -> float:
        """Waits are uniform up to this, which lets so many kills see about all of the work done.

        A wait w moves the search on by w - lost, where what is lost is a start, the sites under way, and the
        half second a finished site may wait for its commit: on average (w - lost)^2 / 2w for waits up to w.
        """
        lost = self.idle + 0.5 + self.work * JOBS / SITES
        share = self.work / kills
        return lost + share + math.sqrt((lost + share) ** 2 - lost**2)


def measure_work(store: Path) -> float:
    """Read off a finished store how long the first nine tenths of its sites took."""
    with sqlite3.connect(store) as database:
        begun = database.execute("select min(started_at) from run").fetchone()[0]
        done = [row[0] for row in database.execute("select searched_at from site where searched_at > 0 order by 1")]
    return float(done[len(done) * 9 // 10] - begun)


def table(result: dict[str, object]) -> str:
    """One round per line."""
    rows = [
        [
            str(place + 1),
            str(one["kills"]),
            f"{one['progress'][0]:.0%} to {one['progress'][-1]:.0%}" if one["progress"] else "",
            f"{one['seconds']:.0f}",
            str(one["differences"]),
        ]
        for place, one in enumerate(result["runs"])  # type: ignore[arg-type]
    ]
    return markdown_table(["round", "kills", "sites done at the kills", "seconds", "rows that differ"], rows, numbers=4)


def notes(result: dict[str, object]) -> str:
    """What a reader must know beside the table."""
    calm: dict[str, object] = result["undisturbed"]  # type: ignore[assignment]
    rows = ", ".join(f"{count:,} {name}" for name, count in calm["rows"].items())  # type: ignore[attr-defined]
    return (
        f"`dowse find` over {SITES} sites of `dowse sim` ({JOBS} jobs, {DELAY} s delay; {calm['seconds']:.0f} s "
        f"undisturbed). Rows compared: {rows}; and `dowse export sites` and `dowse export forms`, line by line."
    )


@contextmanager
def serve_world(seed: int, folder: Path) -> Iterator[int]:
    """Run `dowse sim` on a free port; gives the port."""
    words = [str(DOWSE), "sim", "--sites", str(SITES), "--seed", str(seed), "--port", "0", "--json"]
    with (folder / "sim.stderr").open("wb") as complained:
        server = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=complained, cwd=folder, text=True)
    try:
        line = server.stdout.readline() if server.stdout else ""
        if not line.startswith("{"):
            raise Missing(f"dowse sim did not say its port: {(folder / 'sim.stderr').read_text().strip()[-200:]}")
        yield int(json.loads(line)["port"])
    finally:
        server.send_signal(signal.SIGTERM)
        server.wait(20)


def list_seeds(seed: int) -> list[str]:
    """The entrances of the world's sites, the slow ones last: a site that is killed each time before it can be
    finished is taken again first, and a few such would keep all others waiting."""
    from dowse.sim import World

    world = World(seed, sites=SITES)
    traits = sorted(map(world.traits, range(SITES)), key=lambda site: site.trouble in SLOW or site.robots in SLOW)
    return [site.address for site in traits]


def _command(store: Path, port: int) -> list[str]:
    server = [
        "--connect-to",
        f"*=127.0.0.1:{port}",
        "--allow-private",
        "--delay",
        str(DELAY),
        "--timeout",
        str(TIMEOUT),
    ]
    reach = ["--jobs", str(JOBS), "--strategy", "exhaustive:3", "--no-discover", "--json"]
    return [str(DOWSE), "find", "--seeds", str(store.parent / "seeds.txt"), "--db", str(store), *server, *reach]


def _search(store: Path, port: int, folder: Path) -> float:
    ran = run_command(_command(store, port), folder, limit=3600)
    if ran.code:
        raise Missing(f"dowse find ended with {ran.code}: {ran.stderr.strip()[-300:]}")
    return ran.seconds


def _rounds(options: Options, pace: Pace, port: int, folder: Path, calm: Path) -> Iterator[dict[str, object]]:
    """Kill searches until all kills were given."""
    rng = random.Random(options.seed)
    left = options.kills
    for number in range(ROUNDS):
        if left <= 0:
            return
        store = folder / f"killed-{number}.db"
        start = time.perf_counter()
        progress = _kill_often(rng, store, port, left, pace.longest_wait(options.kills))
        _search(store, port, folder)
        facts = {"kills": len(progress), "progress": progress, "seconds": time.perf_counter() - start}
        left -= len(progress)
        options.say(f"  round {number + 1}: {len(progress)} kills in {facts['seconds']:.0f} s")
        yield facts | _differences(calm, store, folder)


def _kill_often(rng: random.Random, store: Path, port: int, kills: int, longest: float) -> list[float]:
    """Kill the search up to so many times; gives what part of the sites was done at each kill."""
    progress: list[float] = []
    with (store.parent / "killed.stderr").open("ab") as said:
        while len(progress) < kills:
            search = subprocess.Popen(_command(store, port), stdout=subprocess.DEVNULL, stderr=said, cwd=store.parent)
            try:
                code = search.wait(rng.uniform(0, longest))
            except subprocess.TimeoutExpired:
                search.kill()
                search.wait()
                progress.append(_part_done(store))
                continue
            if code:
                raise Missing(f"dowse find ended with {code} after {len(progress)} kills: see {said.name}")
            return progress  # it came to its end before the kill
    return progress


def _part_done(store: Path) -> float:
    """Look at a copy: opening the store itself would do the repair that Dowse must do."""
    copy = store.parent / "look" / store.name
    empty_folder(copy.parent)
    for suffix in ("", "-wal"):
        if Path(f"{store}{suffix}").exists():
            shutil.copy(f"{store}{suffix}", f"{copy}{suffix}")
    database = sqlite3.connect(copy)
    try:
        return count_done(database) / SITES
    except sqlite3.OperationalError:
        return 0.0  # killed before the schema was there
    finally:
        database.close()


def count_done(database: sqlite3.Connection) -> int:
    """Sites whose search is committed."""
    return int(database.execute("select count(*) from site where state in ('searched', 'failed')").fetchone()[0])


def _differences(calm: Path, store: Path, folder: Path) -> dict[str, object]:
    tables = compare_files(calm, store, RULES)
    lines = {what: len(_export(what, calm, folder) ^ _export(what, store, folder)) for what in ("sites", "forms")}
    count = sum(one.only_first + one.only_second for one in tables) + sum(lines.values())
    return {"differences": count, "tables": [asdict(one) for one in tables], "lines": lines}


def _export(what: str, store: Path, folder: Path) -> set[tuple[int, str]]:
    """The exported lines; equal ones are told apart by their number."""
    ran = run_command([str(DOWSE), "export", what, "--db", str(store)], folder)
    if ran.code:
        raise Missing(f"dowse export {what} ended with {ran.code}: {ran.stderr.strip()[-300:]}")
    lines = sorted(ran.stdout.splitlines())
    return {(lines[:place].count(line), line) for place, line in enumerate(lines)}
