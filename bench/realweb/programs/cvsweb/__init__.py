"""CVSweb: histories and differences of files; it has forms that shape views, and no search at all."""

from __future__ import annotations

import shutil

from bench.realweb import data
from bench.realweb.data import Record
from bench.realweb.place import Place, Server, cgi_server

PACKAGES = ("cvsweb", "cvs", "rcs", "libipc-run-perl", "libmime-tools-perl", "liburi-perl")

_HOME = """<html><head><title>Package descriptions</title></head><body><h1>Package descriptions</h1>
<p>What packages say of themselves, and how it changed: <a href="/cgi-bin/cvsweb">browse the repository</a>.</p></body></html>
"""


def install(place: Place) -> str:
    place.apt(*PACKAGES[1:])
    place.unpack("cvsweb")
    return place.apt_version("cvsweb")


def fill(place: Place) -> dict[str, list[Record]]:
    packages = [row for row in data.packages(120) if "/" not in row["section"]]
    repository = place.state / "cvs"
    (repository / "CVSROOT").mkdir(parents=True)
    for row in packages:
        _commit(place, row)
    site = place.state / "site"
    (site / "cgi-bin").mkdir(parents=True)
    (site / "index.html").write_text(_HOME)
    root = place.home / "root"
    shutil.copy(root / "usr/lib/cgi-bin/cvsweb", site / "cgi-bin" / "cvsweb")
    settings = (root / "etc/cvsweb/cvsweb.conf").read_text(encoding="latin-1").replace("/var/lib/cvs", str(repository))
    (site / "cgi-bin" / "cvsweb.conf").write_text(settings, encoding="latin-1")
    shutil.copytree(root / "usr/share/cvsweb/icons", site / "cvsweb" / "icons")
    return {}


def _commit(place: Place, row: Record) -> None:
    folder = place.state / "cvs" / "descriptions" / row["section"]
    folder.mkdir(parents=True, exist_ok=True)
    lines = [f"{name}: {value}" for name, value in row.items()]
    work = place.state / row["package"]
    for number in (2, 4, len(lines)):
        work.write_text("\n".join([*lines[:number], ""]))
        told = (f"-m{row['package']}: {number} lines", "-t-A package", "-wkeeper", f"-d20{18 + number}-03-01 12:00:00Z")
        place.run("ci", "-q", "-f", "-l", *told, str(work), str(folder / f"{row['package']},v"))
    work.unlink()
    place.run("rcs", "-q", "-u", str(folder / f"{row['package']},v"))


def serve(place: Place) -> Server:
    return cgi_server(place, place.state / "site")
