"""A pattern as a spider: real Scrapy runs it and finds the same pages, and no text of a pattern becomes code."""

from __future__ import annotations

import ast
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dowse.example.pattern import FormQuery, Pattern, Step
from dowse.example.pattern import Path as Way
from dowse.export.scrapy import write_spider
from tests.example.shop import ITEM, address, open_shop, pattern_of, serving
from tests.example.sites import learn, plain, score, site

NASTY = (
    '"', "'", '"""', "'''", "\\", '\\"""', "\n", "\r\nimport os", "{", "}", "{0}", "{start.__class__}", "%s", "\x00", "\ud800",
    '"]; __import__("os").system("x"); ["', '""" + __import__("os").name + """', "\u2028", "\u202e", "é", "${x}", "#", "\\N{DIGIT ONE}",
)  # fmt: skip


def spider_with(text: str) -> str:
    """Write a spider with a text wherever a pattern can hold one."""
    ask = FormQuery(address("/find?a=" + text), "POST", text, (text, "b"))
    way = Way((Step(text, repeats=True), Step(f"^{text}$")))
    return write_spider(
        Pattern(
            entry=f"http://a{text}b.example/{text}",
            paths=(way,),
            samples=(text,),
            made=text,
            first=ask,
            without=(text,),
        )
    )


def skeleton(source: str) -> str:
    """Return a program without its literals and the name of its class."""
    tree = ast.parse(source)
    for each in ast.walk(tree):
        if isinstance(each, ast.Constant) and isinstance(each.value, str):
            each.value = ""
        if isinstance(each, ast.ClassDef):
            each.name = ""
    return ast.dump(tree)


PLAIN = skeleton(spider_with("x"))


@pytest.mark.parametrize("text", NASTY, ids=ascii)
def test_texts_of_a_pattern_stay_texts(text: str) -> None:
    source = spider_with(text)
    assert skeleton(source) == PLAIN
    source.encode("utf-8")


@given(
    st.lists(st.sampled_from(NASTY) | st.text(st.characters(exclude_categories=()), max_size=5), max_size=6).map(
        "".join
    )
)
def test_any_text_stays_a_text(text: str) -> None:
    assert skeleton(spider_with(text)) == PLAIN


def test_what_a_pattern_says_is_there_word_for_word() -> None:
    hostile = 'http://a.example/"""\n\\{x}'
    source = write_spider(pattern_of((Step(ITEM, repeats=True),), without=(hostile,)))
    values = {each.value for each in ast.walk(ast.parse(source)) if isinstance(each, ast.Constant)}
    assert {ITEM, hostile, address("/")} <= values


def crawl(source: str, port: int, folder: Path) -> list[str]:
    """Run a spider with Scrapy through a proxy on loopback; gives the addresses that it found."""
    (folder / "spider.py").write_text(source)
    command = [sys.executable, "-m", "scrapy", "runspider", "spider.py", "-O", "pages.jsonl"]
    quick = ("DOWNLOAD_DELAY=0", "LOG_LEVEL=ERROR", "TELNETCONSOLE_ENABLED=False")
    command += [word for each in quick for word in ("-s", each)]
    done = subprocess.run(
        command, cwd=folder, env={**os.environ, "http_proxy": f"http://127.0.0.1:{port}"}, timeout=1000,
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, "")
    return [json.loads(line)["url"] for line in (folder / "pages.jsonl").read_text().splitlines()]


@pytest.mark.proof
@pytest.mark.parametrize("name", ["parameters", "form"])
async def test_scrapy_finds_the_same_pages(name: str, tmp_path: Path) -> None:
    source, web = write_spider((await learn(name)).pattern), site(name, 100)
    with serving(web) as port:
        found = crawl(source, port, tmp_path)
    told = score({plain(web, url) for url in found}, 0, web)
    assert (told.precision, told.recall) == (1, 1)
    assert len(found) == len(set(found))


def test_scrapy_goes_along_paths_that_meet_and_repeat(tmp_path: Path) -> None:
    shop = open_shop(40)
    shop.pages["/list/0"] = str(shop.pages["/list/0"]).replace(
        "<ul>", '<ul><a href="/list/1">more</a><a href="/list/0">me</a>'
    )
    list_step = r"^http://shop\.example/list/[0-9]+$"
    paths = (Step(list_step, repeats=True), Step(ITEM)), (Step(list_step), Step(list_step), Step(ITEM))
    pattern = pattern_of(*paths, avoid=(address("/item/7"),))
    with serving(shop) as port:
        found = crawl(write_spider(pattern), port, tmp_path)
    assert sorted(found) == sorted(address(f"/item/{n}") for n in range(40) if n != 7)
    assert len(shop.asked) == len(set(shop.asked)) == 44
