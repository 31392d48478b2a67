"""Flask-Admin: the list views people open to everybody, with its stock templates."""

from __future__ import annotations

from bench.realweb import data
from bench.realweb.data import Record
from bench.realweb.place import Place, Server

PACKAGES = ("flask-admin==2.2.1", "flask-sqlalchemy", "waitress")


def install(place: Place) -> str:
    place.pip(*PACKAGES)
    return place.pip_version("flask-admin")


def fill(place: Place) -> dict[str, list[Record]]:
    tables = {"vehicles": data.vehicles(6000), "cities": data.cities(3000), "products": data.products(1000)}
    data.write_sqlite(place.state / "data.db", tables)
    return tables


def serve(place: Place) -> Server:
    return Server((place.python, str(place.recipe / "app.py"), str(place.port), str(place.state / "data.db")))
