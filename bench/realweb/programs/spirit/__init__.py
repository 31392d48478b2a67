"""Spirit: a forum in its stock templates, whose search asks visitors to log in."""

from __future__ import annotations

from bench.realweb import data
from bench.realweb.data import Record
from bench.realweb.place import Place, Server, django_server

PACKAGES = ("django-spirit==0.14.3", "setuptools<81", "waitress")

_SETTINGS = """
from .base import *

DEBUG = False
SECRET_KEY = "loopback"
ALLOWED_HOSTS = ["*"]
ST_SITE_URL = "http://spirit.real.example/"
ST_TASK_MANAGER = None
DATABASES = {"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": os.path.join(BASE_DIR, "data.db")}}
LOGGING["loggers"][""]["handlers"] = LOGGING["loggers"]["django"]["handlers"] = ["console"]
"""


def install(place: Place) -> str:
    place.pip(*PACKAGES)
    return place.pip_version("django-spirit")


def fill(place: Place) -> dict[str, list[Record]]:
    films = data.movies(300, 1980)
    data.write_jsonl(place.state / "films.jsonl", films)
    project = place.state / "project"
    project.mkdir()
    (template,) = (place.home / "venv").glob("lib/python3*/site-packages/spirit/extra/project_template")
    admin = (place.tool("django-admin"), "startproject", f"--template={template}")
    place.run(*admin, "board", str(project))
    (project / "board" / "settings" / "real.py").write_text(_SETTINGS)
    env = {"DJANGO_SETTINGS_MODULE": "board.settings.real", "RECORDS": str(place.state / "films.jsonl")}
    place.run(place.python, "manage.py", "spiritinstall", cwd=project, env=env)
    script = (place.recipe / "fill.py").read_text()
    place.run(place.python, "manage.py", "shell", "-c", script, cwd=project, env=env)
    place.run(place.python, "manage.py", "rebuild_index", "--noinput", cwd=project, env=env)
    return {"topics": films}


def serve(place: Place) -> Server:
    return django_server(place, place.state / "project", "board.settings.real")
