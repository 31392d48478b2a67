"""hledger-web: the books of a shop, with a search that has a language of its own."""

from __future__ import annotations

from datetime import date, timedelta

from bench.realweb import data
from bench.realweb.data import Record
from bench.realweb.place import Place, Server, write_lines

PACKAGES = ("hledger-web",)


def install(place: Place) -> str:
    place.apt(*PACKAGES)
    return place.apt_version("hledger-web")


def fill(place: Place) -> dict[str, list[Record]]:
    entries = [_entry(number, row) for number, row in enumerate(data.products(600))]
    lines = [
        line
        for entry in entries
        for line in (
            f"{entry['date']} {entry['description']}",
            f"    {entry['account']}  ${entry['amount']}",
            "    assets:cash",
            "",
        )
    ]
    write_lines(place.state / "shop.journal", lines)
    return {"transactions": entries}


def _entry(number: int, row: Record) -> Record:
    plain = "".join(sign for sign in row["title"] if sign.isalnum() or sign in " -/.,")
    brand = "".join(sign for sign in row["brand"].lower() if sign.isalnum())
    return {
        "date": str(date(2023, 1, 1) + timedelta(days=number)),
        "description": data.one_line(plain),
        "account": f"purchases:{brand}",
        "amount": f"{float(row['price']):.2f}",
    }


def serve(place: Place) -> Server:
    command = ("hledger-web", "-f", str(place.state / "shop.journal"), "--serve", "--host", "127.0.0.1")
    return Server((*command, "--port", str(place.port), "--base-url", f"http://{place.host}"), env={"LANG": "C.UTF-8"})
