"""Atramhasis with the vocabularies of its database and none from elsewhere; run by the program's own Python."""

import sys
from pathlib import Path

import atramhasis
from atramhasis.skos import register_providers_from_db
from pyramid.config import Configurator
from skosprovider.registry import Registry
from waitress import serve

FOLDER = Path(sys.argv[2])


def make_registry(request):
    registry = Registry(instance_scope="threaded_thread")
    register_providers_from_db(registry, request.db)
    return registry


settings = {
    "sqlalchemy.url": f"sqlite:///{FOLDER / 'data.db'}",
    "skosprovider.skosregistry_factory": "__main__.make_registry",
    "jinja2.directories": "atramhasis:templates",
    "layout.focus_conceptschemes": ["PLACES", "OBJECTS"],
    "atramhasis.session_factory.secret": "loopback",
    "atramhasis.dump_location": str(FOLDER / "dumps"),
    "atramhasis.url": "http://atramhasis.real.example",
    "available_languages": "en",
    "pyramid.default_locale_name": "en",
}
serve(atramhasis.load_app(Configurator(settings=settings)), host="127.0.0.1", port=int(sys.argv[1]), threads=4)
