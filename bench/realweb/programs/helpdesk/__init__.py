"""django-helpdesk: the public side of a help desk, with articles and tickets but no search for visitors."""

from __future__ import annotations

from bench.realweb import data
from bench.realweb.data import Record
from bench.realweb.place import Place, Server, django_server

PACKAGES = ("django-helpdesk==2.6.1", "django-bootstrap4-form", "packaging", "setuptools<81", "waitress")


def install(place: Place) -> str:
    place.pip(*PACKAGES)
    return place.pip_version("django-helpdesk")


def fill(place: Place) -> dict[str, list[Record]]:
    packages = data.packages(150)
    data.write_jsonl(place.state / "packages.jsonl", packages)
    place.run(place.python, str(place.recipe / "project" / "fill.py"), cwd=place.state, env=_env(place))
    return {"articles": packages}


def serve(place: Place) -> Server:
    server = django_server(place, place.recipe / "project", "desk_settings")
    return Server(server.command, env=_env(place))


def _env(place: Place) -> dict[str, str]:
    return {"STATE": str(place.state)}
