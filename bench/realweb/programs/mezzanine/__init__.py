"""Mezzanine: a content management system with blog, comments, accounts and a contact form, as its demo comes."""

from __future__ import annotations

from bench.realweb import data
from bench.realweb.data import Record
from bench.realweb.place import Place, Server, django_server

PACKAGES = ("mezzanine==6.1.1", "waitress")

_SETTINGS = """
DEBUG = False
SECRET_KEY = NEVERCACHE_KEY = "loopback"
ALLOWED_HOSTS = ["*"]
SITE_TITLE = "Film notes"
DATABASES = {{"default": {{"ENGINE": "django.db.backends.sqlite3", "NAME": "{folder}/data.db"}}}}
INSTALLED_APPS += ["mezzanine.accounts"]
BLOG_POST_PER_PAGE = 20
"""


def install(place: Place) -> str:
    place.pip(*PACKAGES)
    return place.pip_version("mezzanine")


def fill(place: Place) -> dict[str, list[Record]]:
    movies = data.movies(500, 1960)
    data.write_jsonl(place.state / "movies.jsonl", movies)
    project = place.state / "project"
    project.mkdir()
    place.run(place.tool("mezzanine-project"), "films", ".", cwd=project)
    with open(project / "films" / "local_settings.py", "a") as settings:
        settings.write(_SETTINGS.format(folder=place.state))
    place.run(place.python, "manage.py", "createdb", "--noinput", cwd=project)
    script = (place.recipe / "fill.py").read_text()
    place.run(
        place.python,
        "manage.py",
        "shell",
        "-c",
        script,
        cwd=project,
        env={"RECORDS": str(place.state / "movies.jsonl")},
    )
    return {"posts": movies}


def serve(place: Place) -> Server:
    return django_server(place, place.state / "project", "films.settings")
