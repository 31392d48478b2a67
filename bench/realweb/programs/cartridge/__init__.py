"""Cartridge: a shop on Mezzanine, in stock templates."""

from __future__ import annotations

from bench.realweb import data
from bench.realweb.data import Record
from bench.realweb.place import Place, Server, django_server

PACKAGES = ("cartridge==1.3.4", "waitress")

# The shop takes decimals and sign of money from the locale, and there may be none but C.
_SETTINGS = """
import locale

locale._override_localeconv |= {{
    "frac_digits": 2, "int_frac_digits": 2, "currency_symbol": "$", "p_cs_precedes": 1, "n_cs_precedes": 1,
    "p_sep_by_space": 0, "n_sep_by_space": 0, "p_sign_posn": 1, "n_sign_posn": 1, "mon_decimal_point": ".",
    "mon_thousands_sep": ",", "mon_grouping": [3, 3, 0], "positive_sign": "", "negative_sign": "-",
}}
DEBUG = False
SECRET_KEY = NEVERCACHE_KEY = "loopback"
ALLOWED_HOSTS = ["*"]
SITE_TITLE = "Camera and cable"
DATABASES = {{"default": {{"ENGINE": "django.db.backends.sqlite3", "NAME": "{folder}/data.db"}}}}
"""


def install(place: Place) -> str:
    place.pip(*PACKAGES)
    return place.pip_version("cartridge")


def fill(place: Place) -> dict[str, list[Record]]:
    products = data.products(400)
    data.write_jsonl(place.state / "products.jsonl", products)
    project = place.state / "project"
    project.mkdir()
    place.run(place.tool("mezzanine-project"), "-a", "cartridge", "market", ".", cwd=project)
    with open(project / "market" / "local_settings.py", "a") as settings:
        settings.write(_SETTINGS.format(folder=place.state))
    place.run(place.python, "manage.py", "createdb", "--noinput", "--nodata", cwd=project)
    script = (place.recipe / "fill.py").read_text()
    env = {"RECORDS": str(place.state / "products.jsonl")}
    place.run(place.python, "manage.py", "shell", "-c", script, cwd=project, env=env)
    return {"products": products}


def serve(place: Place) -> Server:
    return django_server(place, place.state / "project", "market.settings")
