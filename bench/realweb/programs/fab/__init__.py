"""Flask-AppBuilder: model views that its public role may read."""

from __future__ import annotations

from bench.realweb import data
from bench.realweb.data import Record
from bench.realweb.place import Place, Server

PACKAGES = ("flask-appbuilder==5.3.0", "waitress")


def install(place: Place) -> str:
    place.pip(*PACKAGES)
    return place.pip_version("flask-appbuilder")


def fill(place: Place) -> dict[str, list[Record]]:
    artworks = data.artworks(5000)
    data.write_sqlite(place.state / "data.db", {"artworks": artworks})
    place.run(place.python, str(place.recipe / "app.py"), "fill", str(place.state / "data.db"))
    return {"artworks": artworks}


def serve(place: Place) -> Server:
    return Server((place.python, str(place.recipe / "app.py"), str(place.port), str(place.state / "data.db")))
