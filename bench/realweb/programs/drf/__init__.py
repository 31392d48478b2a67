"""Django REST framework: its browsable API, with filters of django-filter, in stock templates."""

from __future__ import annotations

from bench.realweb import data
from bench.realweb.data import Record
from bench.realweb.place import Place, Server

PACKAGES = ("djangorestframework==3.18.3", "django-filter", "markdown", "waitress")


def install(place: Place) -> str:
    place.pip(*PACKAGES)
    return place.pip_version("djangorestframework")


def fill(place: Place) -> dict[str, list[Record]]:
    tables = {"works": data.gutenberg(5000), "products": data.products(1500)}
    data.write_sqlite(place.state / "data.db", tables)
    return tables


def serve(place: Place) -> Server:
    return Server((place.python, str(place.recipe / "app.py"), str(place.port), str(place.state / "data.db")))
