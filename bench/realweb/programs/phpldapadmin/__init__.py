"""phpLDAPadmin over a directory of people that everybody may read."""

from __future__ import annotations

import base64
import re
import shutil

from bench.realweb import data
from bench.realweb.data import Record
from bench.realweb.place import Place, Server, write_lines

PACKAGES = ("phpldapadmin", "slapd", "libltdl7", "libwrap0", "libodbc2", "php8.2-cli", "php8.2-ldap", "php8.2-xml")

_SLAPD = """include {root}/etc/ldap/schema/core.schema
include {root}/etc/ldap/schema/cosine.schema
include {root}/etc/ldap/schema/inetorgperson.schema
modulepath {root}/usr/lib/ldap
moduleload back_mdb.la
pidfile {state}/slapd.pid
sizelimit unlimited
database mdb
suffix "dc=papers,dc=example"
rootdn "cn=reader,dc=papers,dc=example"
rootpw reader
directory {state}/entries
access to * by * read
"""
_CONFIG = """<?php
$config->custom->session['blowfish'] = '5ebe2294ecd0e0f08eab7690d2a6ee69';
$config->custom->appearance['friendly_attrs'] = array('mail' => 'Email', 'sn' => 'Last Name', 'cn' => 'Common Name');
$config->custom->appearance['hide_template_warning'] = true;
$config->custom->search['size_limit'] = 2000;
$servers = new Datastore();
$servers->newServer('ldap_pla');
$servers->setValue('server', 'name', 'Directory of authors');
$servers->setValue('server', 'host', 'ldapi://{socket}');
$servers->setValue('server', 'port', 0);
$servers->setValue('server', 'base', array('dc=papers,dc=example'));
$servers->setValue('login', 'auth_type', 'config');
$servers->setValue('login', 'bind_id', 'cn=reader,dc=papers,dc=example');
$servers->setValue('login', 'bind_pass', 'reader');
$servers->setValue('server', 'read_only', true);
"""


def install(place: Place) -> str:
    place.apt(*PACKAGES[2:])
    place.unpack(*PACKAGES[:2])
    return place.apt_version("phpldapadmin")


def fill(place: Place) -> dict[str, list[Record]]:
    people = _people(500)
    root, state = place.home / "root", place.state
    shutil.copytree(
        root / "usr/share/phpldapadmin",
        state / "site",
        symlinks=True,
        ignore=shutil.ignore_patterns("doc", "templates"),
    )
    shutil.copytree(root / "etc/phpldapadmin/templates", state / "site" / "templates")
    write_lines(
        state / "site" / "config" / "config.php", [_CONFIG.replace("{socket}", f"{state}/socket".replace("/", "%2f"))]
    )
    for name in ("entries", "sessions"):
        (state / name).mkdir()
    write_lines(state / "slapd.conf", [_SLAPD.format(root=root, state=state)])
    write_lines(state / "people.ldif", [_ROOT, *map(_entry, people)])
    command = (f"{root}/usr/sbin/slapd", "-Tadd", "-f", f"{state}/slapd.conf", "-l", f"{state}/people.ldif", "-q")
    place.run(*command, env=_libraries(place))
    return {"people": people}


_ROOT = """dn: dc=papers,dc=example
objectClass: dcObject
objectClass: organization
o: Authors
dc: papers

dn: ou=people,dc=papers,dc=example
objectClass: organizationalUnit
ou: people
"""


def _people(count: int) -> list[Record]:
    """The first authors of papers, each once, with what they wrote."""
    rows: dict[str, Record] = {}
    for paper in data.papers(4000):
        name = paper["authors"].split(", ")[0]
        first, _, last = name.rpartition(" ")
        key = re.sub(r"[^a-z]+", ".", name.lower()).strip(".")
        if first and name.isascii():
            rows[key] = {
                "uid": key,
                "cn": name,
                "sn": last,
                "givenName": first,
                "mail": f"{key}@papers.example",
                "o": paper["venue"],
                "description": paper["title"],
            }
    return data.draw(list(rows.values()), count)


def _entry(record: Record) -> str:
    lines = [f"dn: uid={record['uid']},ou=people,dc=papers,dc=example", "objectClass: inetOrgPerson"]
    lines += [f"{name}:: {base64.b64encode(str(value).encode()).decode()}" for name, value in record.items()]
    return "\n".join([*lines, ""])


def _libraries(place: Place) -> dict[str, str]:
    return {"LD_LIBRARY_PATH": f"{place.home}/root/usr/lib/x86_64-linux-gnu"}


def serve(place: Place) -> Server:
    state = place.state
    socket = f"{state}/socket".replace("/", "%2f")
    slapd = f"'{place.home}/root/usr/sbin/slapd' -d 0 -f '{state}/slapd.conf' -h 'ldapi://{socket}'"
    php = ("php", "-d", "display_errors=0", "-d", f"session.save_path={state}/sessions")
    web = ("-S", f"127.0.0.1:{place.port}", "-t", f"{state}/site/htdocs")
    return Server(("sh", "-c", f'{slapd} & exec "$@"', "slapd", *php, *web), env=_libraries(place), ready="/index.php")
