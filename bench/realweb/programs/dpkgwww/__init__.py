"""dpkg-www: the packages of a Debian machine, asked through one box by a CGI program in shell."""

from __future__ import annotations

import shutil

from bench.realweb import data
from bench.realweb.data import Record
from bench.realweb.place import Place, Server, cgi_server, write_lines

PACKAGES = ("dpkg-www", "dctrl-tools", "libcgi-pm-perl")

_HOME = """<html><head><title>Packages of the statistics machine</title></head><body><h1>Statistics machine</h1>
<p>What is installed here: <a href="/cgi-bin/dpkg?query=">all packages</a>, <a href="/cgi-bin/dpkg?query=section%3D?">sections</a>,
<a href="/cgi-bin/dpkg?query=+">search</a>, <a href="/cgi-bin/dpkg?query=%3F">help</a>.</p></body></html>"""
_APT = 'Dir::State "{state}/apt"; Dir::State::status "{state}/dpkg/status"; Dir::Cache "{state}/apt"; Dir::Etc "{state}/apt";'


def install(place: Place) -> str:
    place.apt(*PACKAGES[1:])
    place.unpack("dpkg-www")
    return place.apt_version("dpkg-www")


def fill(place: Place) -> dict[str, list[Record]]:
    packages = data.packages(400, "gnu-r")
    for name in ("dpkg/info", "dpkg/updates", "apt/lists/partial", "apt/archives/partial", "site/cgi-bin"):
        (place.state / name).mkdir(parents=True)
    write_lines(place.state / "dpkg" / "status", map(_paragraph, packages))
    write_lines(place.state / "dpkg" / "available", [])
    write_lines(place.state / "apt.conf", [_APT.format(state=place.state)])
    for record in packages:
        write_lines(place.state / "dpkg" / "info" / f"{record['package']}.list", _files(record["package"]))
    write_lines(place.state / "site" / "index.html", [_HOME])
    shutil.copy(place.home / "root/usr/lib/cgi-bin/dpkg", place.state / "site" / "cgi-bin" / "dpkg")
    return {"packages": packages}


def _paragraph(record: Record) -> str:
    return (
        f"Package: {record['package']}\nStatus: install ok installed\nPriority: optional\nSection: {record['section']}\n"
        f"Installed-Size: {record['size']}\nMaintainer: {record['maintainer']}\nArchitecture: all\nVersion: {record['version']}\n"
        f"Description: {record['description']}\nHomepage: {record['homepage'] or 'none'}\n"
    )


def _files(package: str) -> list[str]:
    return [
        "/.",
        "/usr",
        "/usr/share",
        "/usr/share/doc",
        f"/usr/share/doc/{package}",
        f"/usr/share/doc/{package}/copyright",
    ]


def serve(place: Place) -> Server:
    server = cgi_server(place, place.state / "site")
    env = {"DPKG_ADMINDIR": str(place.state / "dpkg"), "APT_CONFIG": str(place.state / "apt.conf")}
    return Server(server.command, env=env)
