"""py4web: its grids with their three ways to search, in the application it makes to start from."""

from __future__ import annotations

import shutil
import zipfile

from bench.realweb import data
from bench.realweb.data import Record
from bench.realweb.place import Place, Server

PACKAGES = ("py4web==1.20260805.0", "pydal==20260520.0", "yatl==20260805.1")


def install(place: Place) -> str:
    place.pip(*PACKAGES)
    return place.pip_version("py4web")


def fill(place: Place) -> dict[str, list[Record]]:
    tables = {"artworks": data.artworks(2000), "papers": data.papers(1500), "cities": data.cities(1500)}
    app = place.state / "apps" / "_default"
    (assets,) = (place.home / "venv").glob("lib/python3*/site-packages/py4web/assets")
    with zipfile.ZipFile(assets / "py4web.app._scaffold.zip") as scaffold:
        scaffold.extractall(app)
    shutil.copy(place.recipe / "controllers.py", app / "controllers.py")
    shutil.copy(place.recipe / "index.html", app / "templates" / "index.html")
    (app.parent / "__init__.py").touch()
    data.write_sqlite(place.state / "data.db", tables)
    return tables


def serve(place: Place) -> Server:
    apps = str(place.state / "apps")
    command = (place.tool("py4web"), "run", apps, "--host", "127.0.0.1", "--port", str(place.port), "--watch", "off")
    return Server((*command, "--dashboard_mode", "none", "--errorlog", ":stderr"), cwd=place.state)
