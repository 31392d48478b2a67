"""Processes run on one core, and what they cost."""

from __future__ import annotations

import gc
import os
import shutil
import subprocess
import time
from dataclasses import dataclass
from pathlib import Path

SERVER_CORE = 0
CRAWLER_CORE = 1


@dataclass(frozen=True, slots=True)
class Ran:
    """A process that has ended."""

    code: int
    seconds: float  # from start to end, interpreter start included
    cpu: float  # user and system seconds
    rss_mb: float  # the most it held
    load: float  # the machine's load before it started: over 0.5, somebody else was working
    stdout: str
    stderr: str


def pin(core: int) -> list[str]:
    """The words that keep a command on one core, where the machine has it."""
    if core >= (os.cpu_count() or 1) or not shutil.which("taskset"):
        return []
    return ["taskset", "-c", str(core)]


def run_command(
    command: list[str],
    folder: Path,
    *,
    core: int | None = None,
    extra: dict[str, str] | None = None,
    limit: float = 900,
) -> Ran:
    """Run a command to its end and count what it cost; its output is kept in files in the folder."""
    words = [*(pin(core) if core is not None else []), *command]
    out, err = folder / "stdout", folder / "stderr"
    load = os.getloadavg()[0]
    with out.open("wb") as said, err.open("wb") as complained:
        start = time.perf_counter()
        process = subprocess.Popen(
            words, stdout=said, stderr=complained, cwd=folder, env=_environment(extra), stdin=subprocess.DEVNULL
        )
        code, usage = _wait(process, start + limit)
        seconds = time.perf_counter() - start
    cpu = usage.ru_utime + usage.ru_stime
    return Ran(code, seconds, cpu, usage.ru_maxrss / 1024, load, _text(out), _text(err))


def resident_mb() -> float:
    """Memory this process holds now, garbage not counted."""
    gc.collect()
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 2**20


def _wait(process: subprocess.Popen[bytes], deadline: float):  # type: ignore[no-untyped-def]
    """Wait with wait4, which gives the costs of this child alone; a child past its time is killed."""
    while True:
        pid, status, usage = os.wait4(process.pid, os.WNOHANG)
        if pid:
            process.returncode = os.waitstatus_to_exitcode(status)
            return process.returncode, usage
        if time.perf_counter() > deadline:
            process.kill()
        time.sleep(0.002)


def _environment(extra: dict[str, str] | None) -> dict[str, str]:
    """The environment without proxies, which would send the requests elsewhere."""
    kept = {name: value for name, value in os.environ.items() if not name.lower().endswith("_proxy")}
    return kept | {"PYTHONHASHSEED": "0"} | (extra or {})


def _text(path: Path) -> str:
    return path.read_text(errors="replace")
