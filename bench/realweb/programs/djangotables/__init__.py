"""django-filter with django-tables2: the filtered list with a table that many Django sites have."""

from __future__ import annotations

from bench.realweb import data
from bench.realweb.data import Record
from bench.realweb.place import Place, Server

PACKAGES = ("django-tables2==3.0.1", "django-filter", "waitress")


def install(place: Place) -> str:
    place.pip(*PACKAGES)
    return place.pip_version("django-tables2")


def fill(place: Place) -> dict[str, list[Record]]:
    tables = {"objects": data.objects(6000), "books": data.books(2000)}
    data.write_sqlite(place.state / "data.db", tables)
    return tables


def serve(place: Place) -> Server:
    return Server((place.python, str(place.recipe / "app.py"), str(place.port), str(place.state / "data.db")))
