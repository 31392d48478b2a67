"""TurboGears with tgext.crud: tables that are listed, sorted and searched by an attribute."""

from __future__ import annotations

from bench.realweb import data
from bench.realweb.data import Record
from bench.realweb.place import Place, Server

PACKAGES = (
    "TurboGears2==2.4.3",
    "tgext.crud==0.9.0",
    "sprox==0.11.2",
    "tw2.forms",
    "SQLAlchemy<1.4",
    "zope.sqlalchemy<2",
    "kajiki",
    "setuptools<81",
    "waitress",
)


def install(place: Place) -> str:
    place.pip(*PACKAGES)
    return place.pip_version("tgext.crud")


def fill(place: Place) -> dict[str, list[Record]]:
    tables = {"vehicles": data.vehicles(2000), "works": data.gutenberg(1500)}
    data.write_sqlite(place.state / "data.db", tables)
    return tables


def serve(place: Place) -> Server:
    return Server((place.python, str(place.recipe / "app.py"), str(place.port), str(place.state / "data.db")))
