"""SQLAdmin: tables of a Starlette application, opened to everybody."""

from __future__ import annotations

from bench.realweb import data
from bench.realweb.data import Record
from bench.realweb.place import Place, Server

PACKAGES = ("sqladmin==0.32.0", "uvicorn", "greenlet")


def install(place: Place) -> str:
    place.pip(*PACKAGES)
    return place.pip_version("sqladmin")


def fill(place: Place) -> dict[str, list[Record]]:
    tables = {"movies": data.movies(4000, 1980)}
    data.write_sqlite(place.state / "data.db", tables)
    return tables


def serve(place: Place) -> Server:
    return Server((place.python, str(place.recipe / "app.py"), str(place.port), str(place.state / "data.db")))
