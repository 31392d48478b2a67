"""django-machina: a forum in its stock templates, with its search."""

from __future__ import annotations

from bench.realweb import data
from bench.realweb.data import Record
from bench.realweb.place import Place, Server, django_server

PACKAGES = ("django-machina==1.3.1", "django-haystack", "whoosh", "setuptools<81", "waitress")


def install(place: Place) -> str:
    place.pip(*PACKAGES)
    return place.pip_version("django-machina")


def fill(place: Place) -> dict[str, list[Record]]:
    papers = data.papers(500)
    data.write_jsonl(place.state / "papers.jsonl", papers)
    place.run(place.python, str(place.recipe / "project" / "fill.py"), cwd=place.state, env=_env(place))
    return {"topics": papers}


def serve(place: Place) -> Server:
    server = django_server(place, place.recipe / "project", "forum_settings")
    return Server(server.command, env=_env(place))


def _env(place: Place) -> dict[str, str]:
    return {"STATE": str(place.state)}
