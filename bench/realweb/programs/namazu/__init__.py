"""Namazu over the archive of a mailing list that MHonArc made: pages and a CGI program."""

from __future__ import annotations

import shutil
from datetime import UTC, datetime, timedelta
from email.message import EmailMessage
from email.utils import format_datetime

from bench.realweb import data
from bench.realweb.data import Record
from bench.realweb.place import Place, Server, cgi_server

PACKAGES = ("namazu2", "namazu2-index-tools", "mhonarc")

_HOME = """<html><head><title>art-news mailing list</title></head><body><h1>art-news</h1>
<p>New works on display, one message for each. <a href="archive/maillist.html">Messages by date</a>,
<a href="archive/threads.html">by thread</a>, <a href="cgi-bin/namazu.cgi">search</a>.</p>
<form action="/subscribe" method="post">Subscribe: <input type="text" name="email" size="30"> <input type="submit" value="Subscribe"></form>
</body></html>
"""


def install(place: Place) -> str:
    place.apt(*PACKAGES)
    return place.apt_version("namazu2")


def fill(place: Place) -> dict[str, list[Record]]:
    artworks = data.artworks(500)
    site = place.state / "site"
    (site / "cgi-bin").mkdir(parents=True)
    (place.state / "index").mkdir()
    (place.state / "list.mbox").write_bytes(b"".join(_mail(number, work) for number, work in enumerate(artworks)))
    words = ("-outdir", str(site / "archive"), "-title", "art-news", "-ttitle", "art-news by thread")
    (site / "archive").mkdir()
    place.run("mhonarc", *words, str(place.state / "list.mbox"))
    (site / "index.html").write_text(_HOME)
    place.run("mknmz", "--mhonarc", "-q", "-O", str(place.state / "index"), str(site / "archive"))
    shutil.copy("/usr/lib/cgi-bin/namazu.cgi", site / "cgi-bin" / "namazu.cgi")
    settings = (f"Index {place.state}/index", f"Template {place.state}/index", f"Replace {site}/ /", "Lang en")
    (site / "cgi-bin" / ".namazurc").write_text("\n".join([*settings, ""]))
    return {"messages": artworks}


def _mail(number: int, work: Record) -> bytes:
    message = EmailMessage()
    message["From"] = "Desk <desk@museum.example>"
    message["To"] = "art-news@museum.example"
    message["Subject"] = work["title"][:200]
    message["Date"] = format_datetime(datetime(2020, 1, 1, tzinfo=UTC) + timedelta(hours=6 * number))
    message["Message-ID"] = f"<{work['number']}@museum.example>"
    message.set_content("".join(f"{name}: {work[name]}\n" for name in ("artist", "medium", "dated", "credit")))
    return b"From desk@museum.example Wed Jan  1 00:00:00 2020\n" + message.as_bytes() + b"\n"


def serve(place: Place) -> Server:
    return cgi_server(place, place.state / "site")
