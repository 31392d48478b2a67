"""Wagtail: the project that it starts with, with pages for books, a form page and its search."""

from __future__ import annotations

import shutil

from bench.realweb import data
from bench.realweb.data import Record
from bench.realweb.place import Place, Server, django_server

PACKAGES = ("wagtail==8.0.1", "waitress")

_SETTINGS = """
from .base import *

DEBUG = False
SECRET_KEY = "loopback"
ALLOWED_HOSTS = ["*"]
WAGTAILADMIN_BASE_URL = "http://{host}"
WAGTAIL_SITE_NAME = "Reading room"
DATABASES = {{"default": {{"ENGINE": "django.db.backends.sqlite3", "NAME": "{folder}/data.db"}}}}
INSTALLED_APPS += ["wagtail.contrib.routable_page"]
STORAGES = {{
    "default": {{"BACKEND": "django.core.files.storage.FileSystemStorage"}},
    "staticfiles": {{"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}},
}}
"""


def install(place: Place) -> str:
    place.pip(*PACKAGES)
    return place.pip_version("wagtail")


def fill(place: Place) -> dict[str, list[Record]]:
    books = data.books(500)
    data.write_jsonl(place.state / "books.jsonl", books)
    project = place.state / "project"
    project.mkdir()
    place.run(place.tool("wagtail"), "start", "room", str(project))
    shutil.copytree(place.recipe / "home", project / "home", dirs_exist_ok=True)
    (project / "home" / "templates" / "home" / "welcome_page.html").unlink()
    (project / "room" / "settings" / "local.py").write_text(_SETTINGS.format(host=place.host, folder=place.state))
    env = {"DJANGO_SETTINGS_MODULE": "room.settings.local", "RECORDS": str(place.state / "books.jsonl")}
    for words in (("makemigrations", "home"), ("migrate",), ("shell", "-c", (place.recipe / "fill.py").read_text())):
        place.run(place.python, "manage.py", *words, cwd=project, env=env)
    place.run(place.python, "manage.py", "update_index", cwd=project, env=env)
    return {"books": books}


def serve(place: Place) -> Server:
    return django_server(place, place.state / "project", "room.settings.local")
