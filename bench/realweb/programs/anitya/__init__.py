"""Anitya: watches the releases of projects, as release-monitoring.org does, and knows which distributions package them."""

from __future__ import annotations

from bench.realweb import data
from bench.realweb.data import Record
from bench.realweb.place import Place, Server

PACKAGES = ("anitya==2.3.0", "waitress")

# Where the releases of a section's packages are published, in Anitya's words; the others have a home page only.
_BACKENDS = {
    "python": "PyPI",
    "perl": "CPAN (perl)",
    "ruby": "Rubygems",
    "haskell": "Hackage",
    "gnu-r": "CRAN (R)",
    "javascript": "npmjs",
}


def install(place: Place) -> str:
    place.pip(*PACKAGES)
    return place.pip_version("anitya")


def fill(place: Place) -> dict[str, list[Record]]:
    older = {row["package"] for row in data.read_jsonl("debian_bullseye_main")}
    projects = [
        {
            "name": row["package"],
            "homepage": row["homepage"],
            "backend": _BACKENDS.get(row["section"], "custom"),
            "version": row["version"].split(":")[-1].split("-")[0].split("+")[0],
            "distros": "Debian 12, Debian 11" if row["package"] in older else "Debian 12",
        }
        for row in data.packages(4000)
        if row["homepage"]
    ]
    projects = data.draw(projects, 1500)
    data.write_jsonl(place.state / "projects.jsonl", projects)
    (place.state / "anitya.toml").write_text(
        f'db_url = "sqlite:///{place.state}/data.db"\nsqlalchemy_database_uri = "sqlite:///{place.state}/data.db"\n'
        'secret_key = "loopback"\nauthlib_enabled_backends = ["GitHub"]\n'  # the others ask the internet at once
    )
    place.run(place.python, str(place.recipe / "fill.py"), str(place.state / "projects.jsonl"), env=_env(place))
    return {"projects": projects}


def serve(place: Place) -> Server:
    listen = f"127.0.0.1:{place.port}"
    command = (place.tool("waitress-serve"), f"--listen={listen}", "--threads=4", "anitya.wsgi:application")
    return Server(command, env=_env(place))


def _env(place: Place) -> dict[str, str]:
    return {"ANITYA_WEB_CONFIG": str(place.state / "anitya.toml")}
