"""UseModWiki: a wiki of one Perl program, here about films."""

from __future__ import annotations

import re
import shutil

from bench.realweb import data
from bench.realweb.data import Record
from bench.realweb.place import Place, Server, cgi_server, write_lines

PACKAGES = ("usemod-wiki", "libcgi-pm-perl")

_HOME = """<html><head><title>Film notes</title><meta http-equiv="refresh" content="0; url=/cgi-bin/wiki.pl"></head>
<body><a href="/cgi-bin/wiki.pl">Film notes, a wiki</a></body></html>"""


def install(place: Place) -> str:
    place.apt(*PACKAGES[1:])
    place.unpack("usemod-wiki")
    return place.apt_version("usemod-wiki")


def fill(place: Place) -> dict[str, list[Record]]:
    films = _films(300)
    data.write_jsonl(place.state / "films.jsonl", films)
    site = place.state / "site"
    root = place.home / "root"
    shutil.copytree(root / "usr/share/usemod-wiki/images", site / "usemod-wiki")
    (site / "cgi-bin").mkdir()
    (place.state / "wiki").mkdir()
    config = (root / "etc/usemod-wiki/config").read_text()
    config = config.replace("/var/lib/usemod-wiki", str(place.state / "wiki"))
    config = config.replace('$SiteName    = "Wiki"', '$SiteName    = "Film notes"')
    write_lines(place.state / "config", [config])
    script = (root / "usr/lib/cgi-bin/wiki.pl").read_text(encoding="latin-1")
    script = script.replace("/etc/usemod-wiki/config", str(place.state / "config"))
    path = site / "cgi-bin" / "wiki.pl"
    path.write_text(script, encoding="latin-1")
    path.chmod(0o755)
    write_lines(site / "index.html", [_HOME])
    place.run("perl", str(place.recipe / "fill.pl"), str(path), str(place.state / "films.jsonl"))
    return {"films": films}


def _films(count: int) -> list[Record]:
    """Films whose titles can be names of pages, each once."""
    rows = [row for row in data.movies(count * 3, 1950) if re.fullmatch(r"[A-Z][A-Za-z ]+", row["title"])]
    return data.draw(list({row["title"].lower(): row for row in rows}.values()), count)


def serve(place: Place) -> Server:
    return cgi_server(place, place.state / "site")
