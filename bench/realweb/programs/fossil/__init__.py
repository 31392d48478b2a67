"""Fossil: a repository with its own ticket tracker, wiki and search."""

from __future__ import annotations

from bench.realweb import data
from bench.realweb.data import Record
from bench.realweb.place import Place, Server

PACKAGES = ("fossil",)
_TYPES = ("Code_Defect", "Feature_Request", "Documentation")
_STATES = ("Open", "Verified", "Closed")


def install(place: Place) -> str:
    place.apt(*PACKAGES)
    return place.apt_version("fossil")


def fill(place: Place) -> dict[str, list[Record]]:
    repository = str(place.state / "desk.fossil")

    def fossil(*words: str, stdin: str | None = None) -> None:
        place.run("fossil", *words, "-R", repository, stdin=stdin, env={"HOME": str(place.state), "USER": "keeper"})

    place.run("fossil", "new", "-A", "keeper", repository, env={"HOME": str(place.state)})
    tickets = [_ticket(number, record) for number, record in enumerate(data.packages(700))]
    for ticket in tickets:
        fossil("ticket", "add", *(word for pair in ticket.items() for word in pair))
    for name in ("How to report", "Sections", "Review policy"):
        fossil("wiki", "create", name, stdin=f"# {name}\n\nPages about the packages that wait for a review.\n")
    name = "REPLACE INTO config(name, value, mtime) VALUES('project-name', 'Package review desk', now())"
    fossil("sql", name)
    fossil("fts-config", "enable", "ctw")
    fossil("fts-config", "index", "on")
    return {"tickets": tickets}


def _ticket(number: int, record: Record) -> Record:
    return {
        "title": f"{record['package']}: {record['description']}",
        "type": _TYPES[number % 3],
        "status": _STATES[number % 3],
        "subsystem": record["section"],
        "comment": f"Version {record['version']} by {record['maintainer']}, {record['size']} kB.",
    }


def serve(place: Place) -> Server:
    repository = str(place.state / "desk.fossil")
    command = (
        "fossil",
        "server",
        "--localhost",
        "--nojail",
        "--port",
        str(place.port),
        "--baseurl",
        f"http://{place.host}",
        repository,
    )
    return Server(command, env={"HOME": str(place.state)})
