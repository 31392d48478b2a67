"""`dowse follow` over HTTP: runs that end, that are cut off, and sites that have changed."""

from __future__ import annotations

import csv
import json
import signal
import subprocess
import sys
from collections import Counter
from pathlib import Path
from threading import Event

import pytest
from msgspec.structs import replace

from dowse.model import Response
from dowse.records.details import PAGE_WRAPPER_VERSION
from dowse.sim.shapes import ShapeSite
from tests.cli.conftest import Dowse
from tests.example.shop import (
    HTML,
    SITE,
    Answer,
    Shop,
    address,
    item,
    listing,
    open_shop,
    other,
    pattern_of,
    reaching,
    serving,
)
from tests.example.sites import site
from tests.waiting import PATIENCE

BROKEN = Response("", 500, HTML, b"<p>oh")


def write_pattern(file: str = "p.json", **more: object) -> str:
    Path(file).write_text(pattern_of(**more).to_json())  # type: ignore[arg-type]
    return file


def test_pages_are_told_kept_and_written(dowse: Dowse) -> None:
    shop = open_shop(40)
    with serving(shop) as port:
        assert dowse("like", address("/item/0"), "--entry", address("/"), "-o", "p.json", *reaching(port)).code == 0
        done = dowse("follow", "p.json", "-o", "pages.csv", *reaching(port))
    assert done.code == 0, done.err
    assert "pages like the sample  40  40 new" in done.out
    assert "40 pages are in pages.csv" in done.out
    rows = list(csv.DictReader(Path("pages.csv").read_text().splitlines()))
    assert {row["_url"] for row in rows} == {address(f"/item/{n}") for n in range(40)}
    assert {name.lower() for name in rows[0]} >= {"maker", "colour", "weight"}


def test_the_keys_that_scripts_rely_on(dowse: Dowse) -> None:
    with serving(open_shop(40)) as port:
        done = dowse("follow", write_pattern(), "--json", *reaching(port))
    assert {"pages", "new", "links_traversed"} <= done.json.keys()
    assert (done.json["pages"], done.json["new"], done.json["links_traversed"], done.json["fits"]) == (40, 40, 45, True)


def test_only_new_pages(dowse: Dowse) -> None:
    shop = open_shop(40)
    with serving(shop) as port:
        dowse("follow", write_pattern(), *reaching(port))
        shop.pages |= {"/list/0": listing(*(f"/item/{n}" for n in range(10)), "/item/40"), "/item/40": item(40)}
        shop.asked.clear()
        done = dowse("follow", "p.json", "--new", "-o", "new.jsonl", "--json", *reaching(port))
    assert (done.code, done.json["pages"], done.json["not_opened_again"]) == (0, 1, 40)
    assert shop.items() == ["/item/40"]
    (row,) = map(json.loads, Path("new.jsonl").read_text().splitlines())
    assert (row["_url"], row["_new"]) == (address("/item/40"), True)


def test_a_limit_is_exit_code_3_and_the_same_command_goes_on(dowse: Dowse) -> None:
    shop = open_shop(40)
    codes: list[int] = []
    with serving(shop) as port:
        while not codes or codes[-1] == 3:
            done = dowse("follow", write_pattern(), "--links", "20", *reaching(port))
            codes.append(done.code)
            assert done.code != 3 or "20 links were traversed; run the same command to go on" in done.err
            assert len(codes) < 10
    assert codes == [3, 3, 0]
    assert sorted(shop.items()) == sorted(f"/item/{n}" for n in range(40))
    assert "pages like the sample    40  40 new" in done.out


@pytest.mark.parametrize(("limit", "told"), [("1", "1 link was traversed"), ("3", "3 links were traversed")])
def test_a_limit_below_the_number_of_lists_comes_to_the_end_in_the_end(dowse: Dowse, limit: str, told: str) -> None:
    shop = open_shop(12, 2)  # 1 entry, 6 lists
    codes: list[int] = []
    with serving(shop) as port:
        dowse("like", address("/item/0"), "--entry", address("/"), "-o", "p.json", *reaching(port))
        shop.pages |= {"/item/3": other(), "/list/4": BROKEN}
        shop.asked.clear()
        while not codes or codes[-1] == 3:
            done = dowse("follow", "p.json", "--links", limit, *reaching(port))
            codes.append(done.code)
            assert done.code != 3 or done.err == f"dowse: stopped: {told}; run the same command to go on\n"
            assert len(codes) < 30
    assert (codes[-1], len(codes)) == (0, 18 // int(limit))
    asked = Counter(shop.asked)
    assert asked.pop("/list/4") == 2  # it may be there again
    assert set(asked.values()) == {1}
    assert "could not be opened       1  HTTP 500" in done.out
    assert "reached and not like it   1" in done.out


@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGKILL, -9)], ids=["Ctrl-C", "kill -9"])
def test_a_run_that_is_cut_off_goes_on_and_loses_nothing(dowse: Dowse, number: signal.Signals, code: int) -> None:
    shop, begun = open_shop(90, 45), Event()
    shop.asking = lambda place: begun.set() if len(shop.asked) == 60 else None
    with serving(shop) as port:
        command = [sys.executable, "-m", "dowse", "follow", write_pattern(), *reaching(port), "--delay", "0.02"]
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        assert begun.wait(PATIENCE)
        process.send_signal(number)
        _, err = process.communicate(timeout=PATIENCE)
        before = len(shop.items())
        done = dowse("follow", "p.json", "--json", "-o", "pages.jsonl", *reaching(port))
    assert process.returncode == code
    assert "Traceback" not in err
    assert (done.code, done.json["pages"], done.json["new"]) == (0, 90, 90)
    assert before < 90
    assert len(shop.items()) - before <= 90 - 40  # what was kept before, in whole batches at least, is not opened again
    assert (shop.asked.count("/"), shop.asked.count("/list/0")) == (1, 1)
    assert len(Path("pages.jsonl").read_text().splitlines()) == 90


def learn(dowse: Dowse, web: ShapeSite, port: int) -> None:
    assert dowse("like", web.samples[0], "--entry", web.entry, "-o", "p.json", *reaching(port)).code == 0
    assert dowse("follow", "p.json", *reaching(port)).code == 0


def test_a_redesigned_site_is_told_in_one_line_and_learned_again(dowse: Dowse) -> None:
    with serving(site("one-list")) as port:
        learn(dowse, site("one-list"), port)
    after = site("one-list", 20, edition=1)
    with serving(after) as port:
        done = dowse("follow", "p.json", *reaching(port))
        assert (done.code, done.err.count("\n")) == (1, 1)
        assert "dowse: the site has changed: " in done.err
        assert "--relearn" in done.err
        again = dowse("follow", "p.json", "--relearn", "--json", *reaching(port))
        assert (again.code, again.json["pages"]) == (0, len(after.truth.targets))
        assert again.json["new"] == len(after.truth.new)
        assert Path("p.json.before").exists()
        assert dowse("follow", "p.json", "--new", *reaching(port)).code == 0


def test_where_nothing_is_left_to_learn_from_that_is_said(dowse: Dowse) -> None:
    with serving(site("one-list")) as port:
        learn(dowse, site("one-list"), port)
    before = Path("p.json").read_text()
    with serving(site("one-list", 20, edition=1, addresses="moved")) as port:
        done = dowse("follow", "p.json", "--relearn", *reaching(port))
    assert done.code == 1
    assert "none of the pages that were found before is still there" in done.err.splitlines()[-1]
    assert Path("p.json").read_text() == before


def test_a_login_wall_is_not_learned(dowse: Dowse) -> None:
    shop = open_shop(40)
    wall = (
        "<html><title>Log in</title><body><form method=post><h1>Log in</h1><input type=password></form></body></html>"
    )
    with serving(shop) as port:
        dowse("like", address("/item/0"), "--entry", address("/"), "-o", "p.json", *reaching(port))
        before = Path("p.json").read_text()
        shop.pages |= {f"/item/{n}": wall for n in range(40)}
        done = dowse("follow", "p.json", "--relearn", "--json", *reaching(port))
    assert (done.code, Path("p.json").read_text(), Path("p.json.before").exists()) == (1, before, False)
    assert "say the same, as where a login is asked for" in done.err.splitlines()[-1]
    assert "say the same" in str(done.json["error"])


def test_an_entry_that_is_gone(dowse: Dowse) -> None:
    with serving(Shop()) as port:
        for more in ((), ("--relearn",)):
            done = dowse("follow", write_pattern(), *more, *reaching(port))
            assert (done.code, done.err) == (1, f"dowse: {SITE}/ could not be opened: HTTP 404\n")


def test_nobody_there(dowse: Dowse) -> None:
    done = dowse("follow", write_pattern(), *reaching(1))
    assert (done.code, done.err) == (
        1,
        f"dowse: {SITE}/ could not be opened: robots.txt unavailable: connection refused; try again later\n",
    )


LISTS = [f"/list/{n}" for n in range(4)]


def test_a_server_that_breaks_is_no_change_of_the_site(dowse: Dowse) -> None:
    shop = open_shop(40)
    shop.pages |= dict.fromkeys(LISTS, BROKEN)
    with serving(shop) as port:
        for more in ((), ("--relearn",), ("--json",)):
            done = dowse("follow", write_pattern(), *more, *reaching(port))
            assert (done.code, done.err) == (
                1, "dowse: the site could not be read: HTTP 500 (4); try again later\n",
            )  # fmt: skip
    assert (done.json["fits"], done.json["why"]) == (False, "the site could not be read: HTTP 500 (4)")


FAILED: list[tuple[str, dict[str, Answer], tuple[str, ...]]] = [
    ("nothing could be opened", {"/": BROKEN}, ()),
    ("no list could be opened", dict.fromkeys(LISTS, BROKEN), ()),
    ("nothing was found", dict.fromkeys(LISTS, other()), ()),
    ("nothing was found yet", {}, ("--links", "2")),
]


@pytest.mark.parametrize(("pages", "more"), [row[1:] for row in FAILED], ids=[row[0] for row in FAILED])
@pytest.mark.parametrize("file", ["pages.csv", "pages.jsonl", "pages.parquet"])
def test_a_run_that_failed_leaves_what_there_was(
    dowse: Dowse, pages: dict[str, Answer], more: tuple[str, ...], file: str
) -> None:
    shop = open_shop(40)
    shop.pages |= pages
    Path(file).write_text("what there was")
    with serving(shop) as port:
        done = dowse("follow", write_pattern(), "-o", file, *more, *reaching(port))
    assert done.code == (3 if more else 1)
    assert Path(file).read_text() == "what there was"
    assert f"nothing was found, and {file} was not written" in done.err
    assert file not in done.out


def test_columns_are_the_same_whatever_is_found(dowse: Dowse) -> None:
    shop = open_shop(40)
    with serving(shop) as port:
        dowse("like", address("/item/0"), "--entry", address("/"), "-o", "p.json", *reaching(port))
        assert dowse("follow", "p.json", "-o", "all.csv", *reaching(port)).code == 0
        done = dowse("follow", "p.json", "--new", "-o", "new.csv", *reaching(port))
        shop.pages |= {"/list/0": listing("/item/1", "/item/40"), "/item/40": item(40)}
        one = dowse("follow", "p.json", "--new", "-o", "one.csv", *reaching(port))
    (header, *rows), (empty, *none), (also, *single) = (
        Path(name).read_text().splitlines() for name in ("all.csv", "new.csv", "one.csv")
    )
    assert header == empty == also
    names = dict.fromkeys(each["name"] for each in json.loads(Path("p.json").read_text())["reader"]["attributes"])
    assert header.split(",") == ["_url", "_title", "_likeness", "_new", *names]
    assert (len(rows), len(none), len(single)) == (40, 0, 1)
    assert (done.code, one.code) == (0, 0)
    assert "0 pages are in new.csv." in done.out
    assert "1 page is in one.csv." in one.out


def test_a_redesign_is_told_though_nothing_is_new(dowse: Dowse) -> None:
    shop = open_shop(40)
    with serving(shop) as port:
        dowse("like", address("/item/0"), "--entry", address("/"), "-o", "p.json", *reaching(port))
        dowse("follow", "p.json", *reaching(port))
        shop.pages |= {f"/item/{n}": f"<ul><li><b>{n}</b><li>New look</ul>" for n in range(40)}
        done = dowse("follow", "p.json", "--new", *reaching(port))
    assert done.code == 1
    assert "the site has changed: pages that were found before look different now, 3 of 3" in done.err


def test_a_pattern_of_an_older_dowse_is_learned_again(dowse: Dowse) -> None:
    shop = open_shop(40)
    with serving(shop) as port:
        dowse("like", address("/item/0"), "--entry", address("/"), "-o", "p.json", *reaching(port))
        told = json.loads(Path("p.json").read_text())
        told["reader"]["version"] = 1
        Path("p.json").write_text(json.dumps(told))
        done = dowse("follow", "p.json", *reaching(port))
        assert (done.code, done.err.count("\n")) == (2, 1)
        assert "the page wrapper of the pattern is of version 1, not 2; --relearn" in done.err
        again = dowse("follow", "p.json", "--relearn", "--json", *reaching(port))
    assert (again.code, again.json["pages"]) == (0, 40)
    assert json.loads(Path("p.json").read_text())["reader"]["version"] == PAGE_WRAPPER_VERSION


def test_where_nothing_can_be_learned_again_scripts_are_told(dowse: Dowse) -> None:
    shop = open_shop(40)
    with serving(shop) as port:
        dowse("follow", write_pattern(), *reaching(port))
        shop.pages = {"/": listing("/new")}
        done = dowse("follow", "p.json", "--relearn", "--json", *reaching(port))
    assert (done.code, done.json["fits"]) == (1, False)
    assert "none of the pages that were found before" in str(done.json["error"])


def test_a_spider_instead_of_a_run(dowse: Dowse) -> None:
    done = dowse("follow", write_pattern(), "--scrapy", "spider.py")
    assert (done.code, done.out) == (0, "")
    assert "scrapy.Spider" in Path("spider.py").read_text()
    assert not Path("dowse.db").exists()


def changed(**changes: object) -> str:
    return json.dumps(json.loads(pattern_of().to_json()) | changes)


WRAPPER = {"version": PAGE_WRAPPER_VERSION, "learned_from": 2, "texts": {}, "inside": {}, "usual": []}
FILES = [
    ("no JSON", "{", "is not JSON"),
    ("not text", b"\xff\xfe\x00", "it is not text"),
    ("deep", '{"reader": {"x": ' + "[" * 200_000, "is not JSON"),
    ("a deep list", "[" * 200_000, "is not a JSON object"),
    ("a list", "[]", "is not a JSON object"),
    ("empty", "", "is not JSON"),
    ("nothing in it", "{}", "p.json: entry is missing"),
    ("no paths", '{"entry": "http://a.example/"}', "p.json: paths is missing or empty"),
    ("too large", b" " * 4_100_000, "more than 4,000,000 characters"),
    ("an expression that never ends", changed(paths=[{"steps": [{"pattern": r"^http://a\.example/(a+)+$"}]}]), "may not be repeated"),
    ("not the shape of a page", changed(shapes=[{"shape": "!!", "common": 0}]), "p.json: shapes[0].shape is refused: this is not the shape of a page"),
    ("a name that is none", changed(reader={**WRAPPER, "attributes": [{"name": "", "how": "label"}]}), "p.json: reader.attributes[0].name is empty"),
    ("a reader that is none", changed(reader={"version": PAGE_WRAPPER_VERSION, "attributes": [[]]}), "not a wrapper of pages"),
    ("another version", changed(version=7), "version is 7"),
    ("a file of the machine", changed(entry="file:///etc/passwd"), "is not a web address"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "why"), [row[1:] for row in FILES], ids=[row[0] for row in FILES])
def test_a_file_that_is_no_pattern_is_one_line(dowse: Dowse, text: str | bytes, why: str) -> None:
    Path("p.json").write_bytes(text if isinstance(text, bytes) else text.encode())
    done = dowse("follow", "p.json", "--allow-private")
    assert (done.code, done.err.count("\n"), done.out) == (2, 1, "")
    assert why in done.err


@pytest.mark.parametrize(("file", "why"), [("nothing.json", "no such file"), (".", "is a directory")])
def test_a_file_that_cannot_be_read(dowse: Dowse, file: str, why: str) -> None:
    done = dowse("follow", file)
    assert (done.code, done.err.count("\n")) == (2, 1)
    assert why in done.err


def test_a_file_that_cannot_be_replaced_is_one_line(dowse: Dowse) -> None:
    Path("p.json.before").mkdir()
    shop = open_shop(40)
    with serving(shop) as port:
        assert dowse("like", address("/item/0"), "--entry", address("/"), "-o", "p.json", *reaching(port)).code == 0
        shop.pages["/"] = listing(*(f"/lists/{n}" for n in range(4)))
        shop.pages |= {f"/lists/{n}": shop.pages[f"/list/{n}"] for n in range(4)}
        done = dowse("follow", "p.json", "--relearn", *reaching(port))
    assert done.code == 2
    assert "p.json.before cannot be written" in done.err.splitlines()[-1]


def test_an_output_of_no_known_format_is_refused_before_anything_is_asked(dowse: Dowse) -> None:
    shop = open_shop(20)
    with serving(shop) as port:
        done = dowse("follow", write_pattern(), "-o", "pages.txt", *reaching(port))
    assert (done.code, shop.asked) == (2, [])


def test_a_pattern_with_the_same_start_is_the_same_run(dowse: Dowse) -> None:
    shop = open_shop(20)
    with serving(shop) as port:
        dowse("follow", write_pattern(), *reaching(port))
        Path("q.json").write_text(replace(pattern_of(), made="2020-01-01").to_json())
        done = dowse("follow", "q.json", "--new", "--json", *reaching(port))
    assert (done.json["pages"], done.json["not_opened_again"]) == (0, 20)
