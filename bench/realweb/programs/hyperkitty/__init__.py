"""HyperKitty: the archive of Mailman's lists, one list for each section of a distribution."""

from __future__ import annotations

from bench.realweb import data
from bench.realweb.data import Record
from bench.realweb.place import Place, Server, django_server

PACKAGES = ("HyperKitty==1.3.12", "whoosh", "setuptools<81", "waitress")


def install(place: Place) -> str:
    place.pip(*PACKAGES)
    return place.pip_version("HyperKitty")


def fill(place: Place) -> dict[str, list[Record]]:
    """A message announces a package to the list of its section."""
    messages = [
        {
            "list": f"{row['section']}-changes",
            "subject": f"Accepted {row['package']} {row['version']}",
            "sender": row["maintainer"].split("<")[0].strip(' "'),
            "text": f"{row['description']}. {row['homepage']}",
        }
        for row in data.packages(400)
    ]
    data.write_jsonl(place.state / "messages.jsonl", messages)
    place.run(place.python, str(place.recipe / "project" / "fill.py"), cwd=place.state, env=_env(place))
    lists = [{"name": name} for name in sorted({message["list"] for message in messages})]
    return {"messages": messages, "lists": lists}


def serve(place: Place) -> Server:
    server = django_server(place, place.recipe / "project", "archive_settings")
    return Server(server.command, env=_env(place))


def _env(place: Place) -> dict[str, str]:
    return {"STATE": str(place.state)}
