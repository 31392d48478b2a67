"""django-wiki: a wiki with accounts, histories and a search, in stock templates."""

from __future__ import annotations

from bench.realweb import data
from bench.realweb.data import Record
from bench.realweb.place import Place, Server, django_server

PACKAGES = ("wiki==0.13.0", "setuptools<81", "waitress")


def install(place: Place) -> str:
    place.pip(*PACKAGES)
    return place.pip_version("wiki")


def fill(place: Place) -> dict[str, list[Record]]:
    films = data.movies(300, 1930)
    data.write_jsonl(place.state / "films.jsonl", films)
    place.run(place.python, str(place.recipe / "project" / "fill.py"), cwd=place.state, env=_env(place))
    return {"articles": films}


def serve(place: Place) -> Server:
    server = django_server(place, place.recipe / "project", "wiki_settings")
    return Server(server.command, env=_env(place))


def _env(place: Place) -> dict[str, str]:
    return {"STATE": str(place.state)}
