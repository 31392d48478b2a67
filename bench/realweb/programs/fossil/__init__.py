"""Fossil: two repositories on one server, each with its own ticket tracker, wiki and search."""

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
    packages = [_package_ticket(number, row) for number, row in enumerate(data.packages(400))]
    artworks = [_artwork_ticket(number, row) for number, row in enumerate(data.artworks(300))]
    (place.state / "repositories").mkdir()
    _make_repository(place, "packages", "Package review desk", packages)
    _make_repository(place, "conservation", "Conservation desk", artworks)
    return {"packages": packages, "conservation": artworks}


def _make_repository(place: Place, name: str, title: str, tickets: list[Record]) -> None:
    repository = str(place.state / "repositories" / f"{name}.fossil")
    env = {"HOME": str(place.state), "USER": "keeper"}

    def fossil(*words: str, stdin: str | None = None) -> None:
        place.run("fossil", *words, "-R", repository, stdin=stdin, env=env)

    place.run("fossil", "new", "-A", "keeper", repository, env=env)
    for ticket in tickets:
        fossil("ticket", "add", *(word for pair in ticket.items() for word in pair))
    for page in ("How to report", "Review policy"):
        fossil("wiki", "create", page, stdin=f"# {page}\n\nWhat to do with a ticket.\n")
    fossil("sql", f"REPLACE INTO config(name, value, mtime) VALUES('project-name', '{title}', now())")
    fossil("fts-config", "enable", "ctw")
    fossil("fts-config", "index", "on")


def _package_ticket(number: int, record: Record) -> Record:
    return {
        "title": f"{record['package']}: {record['description']}",
        "type": _TYPES[number % 3],
        "status": _STATES[number % 3],
        "subsystem": record["section"],
        "comment": f"Version {record['version']} by {record['maintainer']}, {record['size']} kB.",
    }


def _artwork_ticket(number: int, record: Record) -> Record:
    return {
        "title": f"{record['number']}: {record['title']}"[:300],
        "type": _TYPES[number % 3],
        "status": _STATES[number % 3],
        "subsystem": record["classification"],
        "comment": f"{record['artist']}. {record['medium']}. {record['dated']}.",
    }


def serve(place: Place) -> Server:
    folder = str(place.state / "repositories")
    command = ("fossil", "server", "--localhost", "--nojail", "--repolist", "--port", str(place.port))
    return Server((*command, "--baseurl", f"http://{place.host}", folder), env={"HOME": str(place.state)})
