"""Flask-Admin: the list views people open to everybody, with its stock templates."""

from __future__ import annotations

import sqlite3

from bench.realweb import data
from bench.realweb.data import Record
from bench.realweb.place import Place, Server

PACKAGES = ("flask-admin", "flask-sqlalchemy", "waitress")


def install(place: Place) -> str:
    place.pip(*PACKAGES)
    return place.pip_version("flask-admin")


def fill(place: Place) -> dict[str, list[Record]]:
    tables = {"vehicles": data.vehicles(6000), "cities": data.cities(3000)}
    with sqlite3.connect(place.state / "data.db") as db:
        for name, records in tables.items():
            columns = list(records[0])
            kinds = ", ".join(
                f'"{column}" {"TEXT" if isinstance(records[0][column], str) else "NUMERIC"}' for column in columns
            )
            db.execute(f"CREATE TABLE {name} (id INTEGER PRIMARY KEY, {kinds})")
            db.executemany(
                f"INSERT INTO {name} ({', '.join(columns)}) VALUES ({', '.join('?' * len(columns))})",
                [tuple(record.values()) for record in records],
            )
    db.close()
    return tables


def serve(place: Place) -> Server:
    return Server((place.python, str(place.recipe / "app.py"), str(place.port), str(place.state / "data.db")))
