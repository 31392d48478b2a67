"""Kiwix: a server of collections, each with a full-text search of its own."""

from __future__ import annotations

import html
import struct
import zlib
from pathlib import Path

from bench.realweb import data
from bench.realweb.data import Record
from bench.realweb.place import Place, Server, write_lines

PACKAGES = ("kiwix-tools", "zim-tools")
_TITLES = {"films": "Films in short", "works": "Free books in short"}


def install(place: Place) -> str:
    place.apt(*PACKAGES)
    return place.apt_version("kiwix-tools")


def fill(place: Place) -> dict[str, list[Record]]:
    collections = {"films": data.movies(300, 1970), "works": data.gutenberg(300)}
    for name, records in collections.items():
        folder = place.state / name
        links = []
        for number, record in enumerate(records):
            rows = "".join(
                f"<tr><th>{key}</th><td>{html.escape(str(value), quote=False)}</td></tr>"
                for key, value in record.items()
            )
            title = html.escape(record["title"], quote=False)
            write_lines(
                folder / f"page{number}.html", [_page(title, f"<table>{rows}</table><a href='index.html'>All</a>")]
            )
            links.append(f"<li><a href='page{number}.html'>{title}</a></li>")
        write_lines(folder / "index.html", [_page(_TITLES[name], f"<ul>{''.join(links)}</ul>")])
        (folder / "logo.png").write_bytes(_picture())
        _pack(place, name, folder)
    return collections


def _page(title: str, body: str) -> str:
    return f"<!DOCTYPE html><html><head><meta charset='utf-8'><title>{title}</title></head><body><h1>{title}</h1>{body}</body></html>"


def _pack(place: Place, name: str, folder: Path) -> None:
    about = (
        "--language=eng",
        f"--title={_TITLES[name]}",
        f"--description={_TITLES[name]}",
        "--creator=real",
        "--publisher=real",
    )
    parts = ("--welcome=index.html", "--illustration=logo.png", f"--name={name}")
    place.run("zimwriterfs", *parts, *about, str(folder), str(place.state / f"{name}.zim"))


def _picture() -> bytes:
    """Return a grey PNG of 48 by 48 points: a collection must have one."""

    def chunk(kind: bytes, content: bytes) -> bytes:
        return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))

    lines = b"".join(b"\0" + b"\x80" * 48 for _ in range(48))
    head = chunk(b"IHDR", struct.pack(">IIBBBBB", 48, 48, 8, 0, 0, 0, 0))
    return b"\x89PNG\r\n\x1a\n" + head + chunk(b"IDAT", zlib.compress(lines)) + chunk(b"IEND", b"")


def serve(place: Place) -> Server:
    files = tuple(str(place.state / f"{name}.zim") for name in _TITLES)
    return Server(("kiwix-serve", "--address", "127.0.0.1", "--port", str(place.port), *files))
