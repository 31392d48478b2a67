"""What is cut by our own bounds is never called everything, and a page that lists records is read as a list."""

from __future__ import annotations

from pathlib import Path

import pytest

from dowse.errors import NoDoor
from dowse.fetch.build import wrap_fetch
from dowse.harvester.harvest import HarvestOrder, open_harvest, run_harvest
from dowse.harvester.reader import Reader
from dowse.model import Query, Request, Response
from dowse.page import tree as page_tree
from dowse.records import pieces, wrapper
from dowse.settings import HarvestSettings
from dowse.step.ask import ask

WORDS = ("amber", "birch", "cedar", "dune", "elm", "fern", "grove", "heath", "iris", "juniper")


def write_rows(count: int) -> str:
    rows = "".join(
        f"<tr><td><a href='/plant/{number}'>{WORDS[number % 10].title()} {number}</a></td><td>{WORDS[number // 10 % 10]}</td><td>{1900 + number % 97}</td></tr>"
        for number in range(count)
    )
    return f"<html><body><h1>Plants</h1><table><tr><th>Name</th><th>Kind</th><th>Year</th></tr>{rows}</table></body></html>"


async def read(body: str, *, truncated: bool = False):
    async def fetch(request: Request) -> Response:
        return Response(request.url, 200, (("content-type", "text/html"),), body.encode(), truncated)

    fetched = await ask(Request("http://plants.example/all"), fetch)
    return Reader().read(fetched, Query(), 0)


async def test_a_page_that_is_read_whole_has_no_limit():
    answer = await read(write_rows(60))
    assert (len(answer.records), answer.limit) == (60, 0)


@pytest.mark.parametrize(
    ("module", "name", "bound"),
    [
        pytest.param(wrapper, "MAX_PAGE_RECORDS", 30, id="more records than are read"),
        pytest.param(wrapper, "MAX_UNITS", 30, id="more rows than are cut into records"),
        pytest.param(page_tree, "MAX_NODES", 150, id="more tags than a tree has room for"),
    ],
)
async def test_a_bound_of_our_own_is_a_limit_of_the_answer(monkeypatch, module, name, bound):
    monkeypatch.setattr(module, name, bound)
    if name == "MAX_UNITS":
        monkeypatch.setattr(pieces, name, bound)
    answer = await read(write_rows(60))
    assert 0 < len(answer.records) < 60
    assert answer.limit == len(answer.records)


async def test_a_body_that_broke_off_is_a_limit_of_the_answer():
    whole = write_rows(60)
    answer = await read(whole[: len(whole) // 2], truncated=True)
    assert 0 < len(answer.records) < 60
    assert answer.limit


async def test_many_rows_are_all_read():
    answer = await read(write_rows(2_900))
    assert (len(answer.records), answer.limit) == (2_900, 0)


def open_site(pages: dict[str, str]):
    async def fetch(request: Request) -> Response:
        path = request.url.removeprefix("http://plants.example")
        status = 200 if path in pages else 404
        return Response(request.url, status, (("content-type", "text/html"),), pages.get(path, "gone").encode())

    return wrap_fetch(fetch)


async def harvest_page(path: str, pages: dict[str, str], db: Path):
    order = HarvestOrder(f"http://plants.example{path}")
    async with open_harvest(order, str(db), HarvestSettings(rounds=50), open_site(pages)) as (store, run, opened):
        async for _ in run_harvest(store, run, opened):
            pass
        return run


async def test_a_page_that_lists_records_is_read_to_its_last_page(tmp_path):
    rows = write_rows(60).partition("<tr><td>")
    body = (rows[1] + rows[2]).replace("</table></body></html>", "").split("<tr><td>")[1:]
    pages = {
        f"/plants?page={number}": f"{rows[0]}{''.join('<tr><td>' + row for row in body[20 * number - 20 : 20 * number])}</table>"
        + (f"<a href='/plants?page={number + 1}'>Next</a>" if number < 3 else "")
        + "</body></html>"
        for number in (1, 2, 3)
    }
    run = await harvest_page("/plants?page=1", pages, tmp_path / "a.db")
    assert run.records == 60
    assert not run.complete  # the database may have more than its list shows
    assert run.complete_for == "all 60 with a place in this list"


@pytest.mark.parametrize(
    ("path", "body"),
    [
        pytest.param("/", write_rows(60), id="a home page: its lists are news and links"),
        pytest.param("/about", "<html><body><ul><li>One<li>Two<li>Three</ul></body></html>", id="a few lines"),
        pytest.param(
            "/box",
            "<html><body><p>Search <input type=search placeholder='Search plants'> <button>Search</button></body></html>",
            id="a box that only a script can send",
        ),
    ],
)
async def test_what_is_no_list_has_no_door(tmp_path, path, body):
    with pytest.raises(NoDoor):
        await harvest_page(path, {path: body}, tmp_path / "a.db")
