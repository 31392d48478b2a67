"""Every trouble shows itself, in every place it should."""

from __future__ import annotations

import pytest
from protego import Protego

from dowse.model import Failure, Request, Response, Why
from dowse.sim import World
from dowse.sim.trouble import ROBOTS

from .walk import get


@pytest.fixture(scope="module")
def many() -> World:
    return World(seed=3, sites=900)


def _address(world: World, mark: str) -> str:
    for index in range(3, world.sites):
        traits = world.traits(index)
        if traits.trouble == mark or (not traits.is_dead and not traits.alias and traits.robots == mark):
            return traits.address
    raise AssertionError(mark)


@pytest.mark.parametrize(
    ("trouble", "why"),
    [("refused", Why.REFUSED), ("hanging", Why.TIMEOUT), ("garbage", Why.GARBAGE), ("wrong-length", Why.BROKEN)],
)
def test_a_dead_server_fails_everywhere(many: World, trouble: str, why: Why) -> None:
    address = _address(many, trouble)
    for path in ("", "robots.txt", "any/page"):
        answer = many.answer(Request(address + path))
        assert isinstance(answer, Failure)
        assert answer.why is why


@pytest.mark.parametrize(("trouble", "status"), [("error-500", 500), ("busy", 503), ("redirect-loop", 302)])
def test_a_failing_server_answers_with_its_status(many: World, trouble: str, status: int) -> None:
    address = next(many.traits(i).address for i in range(900) if many.traits(i).trouble == trouble)
    page = get(many, address)
    assert page.status == status
    assert bool(page.header("retry-after")) is (trouble == "busy")


def test_a_redirect_loop_comes_round(many: World) -> None:
    url = _address(many, "redirect-loop")
    seen = []
    for _ in range(4):
        seen.append(url)
        url = url[: url.index("/", 8)] + get(many, url).header("location")
    assert url in seen


def test_a_redirecting_root_leads_to_the_same_path_at_www(many: World) -> None:
    address = _address(many, "redirecting-root")
    truth = many.site(many.host_index(address[7:-1]) or 0)
    moved = get(many, f"{address}some/page?x=1")
    assert (moved.status, moved.header("location")) == (301, f"{truth.site}/some/page?x=1")
    assert truth.site.startswith("http://www.")
    assert get(many, f"{truth.site}/").status == 200


@pytest.mark.parametrize("shape", [name for name, _ in ROBOTS])
def test_robots_of_every_shape(many: World, shape: str) -> None:
    index = next(i for i in range(3, 900) if many.traits(i).robots == shape and not many.traits(i).is_dead)
    truth = many.site(index)
    answer = many.answer(Request(f"{truth.site}/robots.txt"))
    assert isinstance(answer, Response)
    assert answer.status == {"missing": 404, "error-500": 500}.get(shape, 200)
    assert truth.reachable is (shape not in ("all", "error-500"))
    rules = Protego.parse(answer.body.decode() if answer.status == 200 else "")
    assert rules.can_fetch(f"{truth.site}/", "dowse") is (shape != "all")
    assert (rules.crawl_delay("dowse") is not None) is (shape == "crawl-delay")
    assert (len(answer.body) > 50_000) is (shape == "huge")
