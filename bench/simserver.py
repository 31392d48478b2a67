"""`dowse sim` on one core, and wrk on the other, which asks as fast as it is answered."""

from __future__ import annotations

import json
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from bench.install import Missing, find_wrk
from bench.nginx import free_port
from bench.places import DOWSE, ROOT, empty_folder
from bench.timing import CRAWLER_CORE, SERVER_CORE, pin, run_command

SCRIPT = ROOT / "bench" / "load.lua"
CONNECTIONS = 32


@contextmanager
def serve_world(family: str, seed: int, sites: int) -> Iterator[int]:
    """Serve a world in a process of its own; gives the port."""
    port = free_port()
    words = ["sim", "--family", family, "--seed", str(seed), "--sites", str(sites), "--port", str(port)]
    server = subprocess.Popen(
        [*pin(SERVER_CORE), str(DOWSE), *words], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    try:
        _wait_for(port, server)
        yield port
    finally:
        server.terminate()
        server.wait(10)


def ask(port: int, addresses: list[str], seconds: int, folder: Path) -> dict[str, Any]:
    """Ask for the addresses (host, space, path) in turn for so long, and return what came of it."""
    listed = empty_folder(folder) / "addresses"
    listed.write_text("".join(f"{each}\n" for each in addresses))
    words = [find_wrk(), "-t1", f"-c{CONNECTIONS}", f"-d{seconds}s", "-s", str(SCRIPT), f"http://127.0.0.1:{port}"]
    ran = run_command([*words, "--", str(listed)], folder, core=CRAWLER_CORE, limit=seconds + 60)
    said = [line for line in ran.stdout.splitlines() if line.startswith("{")]
    if ran.code or not said:
        raise Missing(f"wrk failed: {(ran.stderr or ran.stdout).strip()[-200:]}")
    return dict(json.loads(said[-1])) | {"load": ran.load}


def _wait_for(port: int, server: subprocess.Popen[bytes]) -> None:
    for _ in range(200):
        with socket.socket() as probe:
            if not probe.connect_ex(("127.0.0.1", port)):
                return
        if server.poll() is not None:
            break
        time.sleep(0.05)
    raise Missing("dowse sim did not start")
