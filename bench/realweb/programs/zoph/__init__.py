"""Zoph: a collection of photographs with albums, categories, places and people, opened to guests."""

from __future__ import annotations

import shutil

from bench.realweb import data
from bench.realweb.data import Record
from bench.realweb.place import Place, Server, write_lines

PACKAGES = (
    "zoph",
    "mariadb-server-core",
    "mariadb-client-core",
    "php8.2-cli",
    "php8.2-mysql",
    "php8.2-gd",
    "php8.2-xml",
)

_INI = """[site]
db_host = "localhost"
db_name = "zoph"
db_user = "root"
db_pass = ""
db_prefix = "zoph_"
php_location = "{site}"
"""


def install(place: Place) -> str:
    place.apt(*PACKAGES[1:])
    place.unpack("zoph")
    return place.apt_version("zoph")


def fill(place: Place) -> dict[str, list[Record]]:
    photos = [
        {
            "title": work["title"],
            "photographer": work["artist"],
            "album": work["classification"],
            "view": work["dated"],
            "description": work["medium"],
        }
        for work in data.artworks(2500)
        if len(work["title"]) <= 60
        and len(work["dated"]) <= 60
        and work["classification"]
        and len(work["artist"]) <= 30
    ][:800]
    site = place.state / "site"
    shutil.copytree(place.home / "root/usr/share/zoph/www/php", site, symlinks=True)
    config = site / "config.inc.php"
    config.write_text(config.read_text().replace("/etc/zoph.ini", str(place.state / "zoph.ini")))
    write_lines(place.state / "zoph.ini", [_INI.format(site=site)])
    schema = place.home / "root/usr/share/dbconfig-common/data/zoph/install/mysql"
    place.run("mariadb-install-db", "--user=root", f"--datadir={place.state}/tables", "--skip-test-db")
    text = "\n".join(
        ["CREATE DATABASE zoph CHARACTER SET utf8 COLLATE utf8_general_ci;", "USE zoph;", schema.read_text()]
    )
    write_lines(place.state / "fill.sql", [text, *_statements(photos)])
    steps = (
        'mariadbd "$@" & until mariadb -S "$0" -e "select 1"; do sleep 0.2; done',
        'mariadb -S "$0" < fill.sql',
        "kill $!",
        "wait $!",
    )
    loading = "; ".join(steps)
    place.run("sh", "-c", loading, f"{place.state}/socket", *_mariadb(place), cwd=place.state)
    return {"photos": photos}


def _mariadb(place: Place) -> tuple[str, ...]:
    return (
        "--no-defaults",
        "--user=root",
        f"--datadir={place.state}/tables",
        f"--socket={place.state}/socket",
        "--skip-networking",
        "--skip-grant-tables",
        "--innodb-buffer-pool-size=16M",
        "--performance-schema=OFF",
        "--sql-mode=",
    )


def _statements(photos: list[Record]) -> list[str]:
    people = {name: number for number, name in enumerate(sorted({each["photographer"] for each in photos}), 10)}
    albums = {name: number for number, name in enumerate(sorted({each["album"] for each in photos}), 10)}
    lines = [
        "INSERT INTO zoph_users (user_id, person_id, user_class, view_all_photos, user_name, browse_people, browse_places,"
        " detailed_people, detailed_places) VALUES (2, 1, '1', '1', 'guest', '1', '1', '1', '1');",
        "CREATE TEMPORARY TABLE guest SELECT * FROM zoph_prefs; UPDATE guest SET user_id = 2; INSERT INTO zoph_prefs SELECT * FROM guest;",
        "INSERT INTO zoph_conf (conf_id, value) VALUES ('interface.user.default', '2'), ('interface.title', 'Photographs of works');",
    ]
    lines += [
        f"INSERT INTO zoph_people (person_id, last_name) VALUES ({number}, {_quote(name)});"
        for name, number in people.items()
    ]
    lines += [
        f"INSERT INTO zoph_albums (album_id, parent_album_id, album) VALUES ({number}, 1, {_quote(name)});"
        for name, number in albums.items()
    ]
    for number, each in enumerate(photos, 1):
        texts = ", ".join(_quote(each[name]) for name in ("title", "view", "description"))
        day = f"20{number % 20:02}-{number % 12 + 1:02}-{number % 28 + 1:02}"
        lines.append(
            "INSERT INTO zoph_photos (photo_id, name, path, title, view, description, width, height, photographer_id, date, time)"
            f" VALUES ({number}, 'p{number}.jpg', 'works', {texts}, 640, 480, {people[each['photographer']]}, '{day}', '12:00:00');"
        )
        lines.append(f"INSERT INTO zoph_photo_albums VALUES ({number}, {albums[each['album']]});")
    return lines


def _quote(text: str) -> str:
    return "'" + text.replace("\\", "\\\\").replace("'", "''") + "'"


def serve(place: Place) -> Server:
    php = (
        "php",
        "-d",
        "display_errors=0",
        "-d",
        "upload_max_filesize=16M",
        "-d",
        "post_max_size=16M",
        "-d",
        f"session.save_path={place.state}",
        "-d",
        f"pdo_mysql.default_socket={place.state}/socket",
    )
    web = ("-S", f"127.0.0.1:{place.port}", "-t", str(place.state / "site"))
    database = " ".join(f"'{word}'" for word in _mariadb(place))
    starting = f'mariadbd {database} & until mariadb -S "$0" -e "select 1"; do sleep 0.2; done; exec "$@"'
    return Server(
        ("sh", "-c", starting, f"{place.state}/socket", *php, *web), cwd=place.state / "site", ready="/zoph.php"
    )
