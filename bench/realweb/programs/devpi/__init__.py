"""devpi: an index of Python packages with its web interface and search."""

from __future__ import annotations

import time

from bench.realweb import data, processes
from bench.realweb.data import Record
from bench.realweb.place import Place, Server

PACKAGES = ("devpi-server", "devpi-web==5.1.1", "setuptools<81")


def install(place: Place) -> str:
    place.pip(*PACKAGES)
    return place.pip_version("devpi-web")


def fill(place: Place) -> dict[str, list[Record]]:
    projects = [
        {
            "name": row["package"].removeprefix("python3-"),
            "version": row["version"].split(":")[-1].split("-")[0].split("+")[0],
            "summary": row["description"],
            "author": row["maintainer"],
            "home_page": row["homepage"],
        }
        for row in data.packages(4000, "python")
        if row["package"].startswith("python3-") and row["homepage"]
    ]
    projects = [each for each in data.draw(projects, 260) if each["version"].replace(".", "").isdigit()]
    data.write_jsonl(place.state / "projects.jsonl", projects)
    place.run(
        place.tool("devpi-init"),
        "--serverdir",
        str(place.state / "server"),
        "--no-root-pypi",
        "--root-passwd",
        "loopback",
    )
    home = place.state / "filling"
    processes.start(home, serve(place).command, {})
    try:
        until = time.monotonic() + 120
        while not processes.answers(place.port, place.host, "/+api") and time.monotonic() < until:
            time.sleep(0.5)
        place.run(place.python, str(place.recipe / "fill.py"), str(place.port), str(place.state / "projects.jsonl"))
    finally:
        processes.stop(home)
    return {"projects": projects}


def serve(place: Place) -> Server:
    command = (place.tool("devpi-server"), "--serverdir", str(place.state / "server"), "--host", "127.0.0.1")
    where = ("--port", str(place.port), "--outside-url", f"http://{place.host}", "--threads", "4")
    cheap = (
        "--argon2-memory-cost",
        "8192",
        "--argon2-parallelism",
        "1",
        "--argon2-time-cost",
        "1",
    )  # no secret to keep
    return Server((*command, *where, *cheap))
