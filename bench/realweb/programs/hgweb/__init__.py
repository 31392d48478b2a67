"""hgweb: the web interface of Mercurial, over a repository with a history."""

from __future__ import annotations

from bench.realweb import data
from bench.realweb.data import Record
from bench.realweb.place import Place, Server

PACKAGES = ("mercurial==7.2.4",)


def install(place: Place) -> str:
    place.pip(*PACKAGES)
    return place.pip_version("mercurial")


def fill(place: Place) -> dict[str, list[Record]]:
    commits = [
        {
            "description": f"{row['package']}: new version {row['version']}\n\n{row['description']}",
            "user": row["maintainer"],
            "file": f"{row['section']}/{row['package']}",
        }
        for row in data.packages(600, "games")
    ]
    data.write_jsonl(place.state / "commits.jsonl", commits)
    repository = str(place.state / "repository")
    place.run(place.tool("hg"), "init", repository)
    place.run(place.python, str(place.recipe / "fill.py"), repository, str(place.state / "commits.jsonl"))
    return {"changesets": commits}


def serve(place: Place) -> Server:
    command = (place.tool("hg"), "serve", "-R", str(place.state / "repository"), "--address", "127.0.0.1")
    names = ("--config", "web.prefix=", "--config", f"web.baseurl=http://{place.host}/")
    return Server((*command, "--port", str(place.port), "--name", "game-packages", *names), env={"HGPLAIN": "1"})
