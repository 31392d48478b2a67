"""Atramhasis: an editor and browser of SKOS vocabularies, with a thesaurus of places and one of works of art."""

from __future__ import annotations

from bench.realweb import data
from bench.realweb.data import Record
from bench.realweb.place import Place, Server

PACKAGES = ("atramhasis==4.0.0", "waitress")


def install(place: Place) -> str:
    place.pip(*PACKAGES)
    return place.pip_version("atramhasis")


def fill(place: Place) -> dict[str, list[Record]]:
    places = [{"label": row["name"], "country": row["country"], "note": row["timezone"]} for row in data.cities(1200)]
    kinds = {row["classification"] for row in data.objects(6000)}
    kinds = sorted(kind for kind in kinds if kind)
    tables = {"places": places, "objects": [{"label": kind} for kind in kinds]}
    for name, records in tables.items():
        for number, record in enumerate(records, 1):
            record["number"] = number
        data.write_jsonl(place.state / f"{name}.jsonl", records)
    place.run(place.python, str(place.recipe / "fill.py"), str(place.state))
    return tables


def serve(place: Place) -> Server:
    return Server((place.python, str(place.recipe / "app.py"), str(place.port), str(place.state)))
