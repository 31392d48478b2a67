"""Buku: a manager of bookmarks with its web interface, which anybody may read."""

from __future__ import annotations

from collections import Counter

from bench.realweb import data
from bench.realweb.data import Record
from bench.realweb.place import Place, Server

PACKAGES = ("buku[server]==5.1",)


def install(place: Place) -> str:
    place.pip(*PACKAGES)
    # The package lacks the description of its API, without which the server does not start.
    (folder,) = (place.home / "venv").glob("lib/python3*/site-packages/bukuserver")
    (folder / "apidocs").mkdir(exist_ok=True)
    (folder / "apidocs" / "template.yml").write_text("info: {title: Buku}\n")
    return place.pip_version("buku")


def fill(place: Place) -> dict[str, list[Record]]:
    """Bookmark the home pages of packages, tagged by their section."""
    by_address = {row["homepage"]: row for row in data.packages(4000) if row["homepage"]}
    bookmarks = [
        {"url": address, "title": row["package"], "tags": row["section"], "description": row["description"]}
        for address, row in by_address.items()
    ]
    bookmarks = data.draw(bookmarks, 800)
    data.write_jsonl(place.state / "bookmarks.jsonl", bookmarks)
    script, lines = str(place.recipe / "fill.py"), str(place.state / "bookmarks.jsonl")
    place.run(place.python, script, lines, str(place.state / "bookmarks.db"))
    tags = Counter(bookmark["tags"] for bookmark in bookmarks)
    return {"bookmarks": bookmarks, "tags": [{"name": name, "usage_count": used} for name, used in tags.items()]}


def serve(place: Place) -> Server:
    env = {
        "BUKUSERVER_DB_FILE": str(place.state / "bookmarks.db"),
        "BUKUSERVER_READONLY": "true",
        "BUKUSERVER_SECRET_KEY": "loopback",
        "BUKUSERVER_DISABLE_FAVICON": "true",
    }
    return Server((place.tool("bukuserver"), "run", "--host", "127.0.0.1", "--port", str(place.port)), env=env)
