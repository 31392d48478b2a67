"""CUPS: the printers of an office, and its own manual; its robots.txt keeps crawlers out."""

from __future__ import annotations

import re
import shutil
import sys

from bench.realweb import data
from bench.realweb.data import Record
from bench.realweb.place import Place, Server, write_lines

PACKAGES = ("cups-daemon", "cups", "cups-server-common", "cups-common", "libcups2", "libavahi-client3", "libpaper1")

_FILES = """User lp
Group lp
SystemGroup root
ServerRoot {state}/etc
ServerBin {state}/lib
DataDir {state}/share
DocumentRoot {state}/share/doc-root
RequestRoot {state}/spool
TempDir {state}/spool/tmp
CacheDir {state}/cache
StateDir {state}/run
AccessLog {state}/log/access
ErrorLog {state}/log/error
PageLog {state}/log/page
ConfigFilePerm 0644
"""
_CUPSD = """Listen {state}/socket
Browsing No
WebInterface Yes
DefaultAuthType Basic
ServerAlias *
HostNameLookups Off
MaxClients 200
<Location />
  Order allow,deny
  Allow all
</Location>
<Location /admin>
  AuthType Basic
  Require user @SYSTEM
</Location>
"""


def install(place: Place) -> str:
    place.apt(*PACKAGES[4:])
    place.unpack(*PACKAGES[:4])
    return place.apt_version("cups")


def fill(place: Place) -> dict[str, list[Record]]:
    printers = _printers(400)
    root = place.home / "root/usr"
    shutil.copytree(root / "lib/cups", place.state / "lib")
    shutil.copytree(root / "share/cups", place.state / "share")
    for name in ("etc", "spool/tmp", "cache", "run", "log"):
        (place.state / name).mkdir(parents=True)
    write_lines(place.state / "etc" / "cups-files.conf", [_FILES.format(state=place.state)])
    write_lines(place.state / "etc" / "cupsd.conf", [_CUPSD.format(state=place.state)])
    write_lines(place.state / "etc" / "printers.conf", map(_printer, printers))
    classes = _classes(printers)
    write_lines(place.state / "etc" / "classes.conf", (_class(each, printers) for each in classes))
    return {"printers": printers, "classes": classes, "jobs": []}


def _printers(count: int) -> list[Record]:
    """Things of an office, each at a place, as if all of them could print."""
    places = data.cities(2000)
    rows: dict[str, Record] = {}
    for number, item in enumerate(data.products(2000)):
        name = re.sub(r"[^A-Za-z0-9]+", "-", f"{item['brand']} {item['model']}").strip("-")
        if item["model"] and len(name) < 60 and item["title"].isascii():
            city = places[number % len(places)]
            rows[name.lower()] = {
                "name": name,
                "description": item["title"][:120],
                "location": f"{city['name']}, {city['country']}",
            }
    return data.draw(list(rows.values()), count)


def _printer(record: Record) -> str:
    return (
        f"<Printer {record['name']}>\nInfo {record['description']}\nLocation {record['location']}\n"
        "DeviceURI file:///dev/null\nState Idle\nType 4\nAccepting Yes\nShared Yes\n</Printer>"
    )


def _classes(printers: list[Record]) -> list[Record]:
    """Printers of a country, where there are at least three."""
    countries = [record["location"][-2:] for record in printers]
    return [
        {"name": f"all-{country}", "description": f"Any printer of {country}", "location": country}
        for country in sorted(set(countries))
        if countries.count(country) > 2
    ]


def _class(record: Record, printers: list[Record]) -> str:
    members = "".join(f"Printer {each['name']}\n" for each in printers if each["location"].endswith(record["location"]))
    return (
        f"<Class {record['name']}>\nInfo {record['description']}\nLocation {record['location']}\n"
        f"State Idle\nAccepting Yes\nShared Yes\n{members}</Class>"
    )


def serve(place: Place) -> Server:
    etc = place.state / "etc"
    daemon = (f"{place.home}/root/usr/sbin/cupsd", "-f", "-c", f"{etc}/cupsd.conf", "-s", f"{etc}/cups-files.conf")
    relay = (sys.executable, f"{place.recipe}/relay.py", str(place.port), f"{place.state}/socket")
    return Server(("sh", "-c", '"$@" & exec ' + " ".join(relay), "cups", *daemon), ready="/printers/")
