"""Every trouble shows itself, in every place it should."""

from __future__ import annotations

import re

import pytest
from protego import Protego

from dowse.model import Failure, Request, Response
from dowse.reasons import FailureReason
from dowse.sim import World
from dowse.sim.trouble import ROBOTS

from .walk import find_links, get


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
    [
        ("refused", FailureReason.REFUSED),
        ("hanging", FailureReason.TIMEOUT),
        ("garbage", FailureReason.GARBAGE),
        ("wrong-length", FailureReason.BROKEN),
    ],
)
def test_a_dead_server_fails_everywhere(many: World, trouble: str, why: FailureReason) -> None:
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
    forbidding = any(trap.kind == "honeypot" for trap in truth.traps)
    assert answer.status == {"missing": 200 if forbidding else 404, "error-500": 500}.get(shape, 200)
    assert truth.reachable is (shape not in ("all", "error-500"))
    rules = Protego.parse(answer.body.decode() if answer.status == 200 else "")
    assert rules.can_fetch(f"{truth.site}/", "dowse") is (shape != "all")
    assert (rules.crawl_delay("dowse") is not None) is (shape == "crawl-delay")
    assert (len(answer.body) > 50_000) is (shape == "huge")


def test_files_that_call_themselves_pages(many: World) -> None:
    truth = many.site(many.host_index(_address(many, "mislabelled-files")[7:-1]) or 0)
    assert truth.missing
    for url in truth.missing:
        answer = get(many, url)
        assert answer.header("content-type") == "text/html"
        assert answer.body[:2] in (b"\xff\xd8", b"PK", b"%P")


def test_a_server_may_not_say_what_it_sends(many: World) -> None:
    page = get(many, _address(many, "no-content-type"))
    assert page.status == 200
    assert not page.header("content-type")


def test_links_that_go_another_way_lead_to_the_page(many: World) -> None:
    truth = many.site(many.host_index(_address(many, "forwarding")[7:-1]) or 0)
    pattern = re.escape(truth.site + truth.redirects).replace(r"\{n\}", "[0-9]+")
    links = [link for url in truth.navigation for link in find_links(get(many, url))]
    moved = get(many, next(link for link in links if re.fullmatch(pattern, link)))
    assert moved.status == 302
    assert get(many, truth.site + moved.header("location")).status == 200


def test_missing_pages_are_missing_in_several_ways(many: World) -> None:
    statuses = {get(many, url).status for truth in many.truth() if truth.reachable for url in truth.missing}
    assert statuses >= {200, 404, 410, 500, 503}


def test_what_no_person_sees_is_forbidden_by_robots(many: World) -> None:
    found = 0
    for truth in many.truth():
        trap = next((trap for trap in truth.traps if trap.kind == "honeypot"), None)
        if not truth.reachable or trap is None:
            continue
        hidden = [link for link in find_links(get(many, f"{truth.site}/")) if re.search(trap.pattern, link)]
        rules = Protego.parse(get(many, f"{truth.site}/robots.txt").body.decode())
        assert hidden
        assert not any(rules.can_fetch(link, "dowse") for link in hidden)
        assert rules.can_fetch(f"{truth.site}/", "dowse")
        found += 1
    assert found > 10


def test_slow_and_limited_servers_have_their_manners(many: World) -> None:
    assert many.manners(_address(many, "slow")[7:-1]).delay > 0
    assert many.manners(_address(many, "rate-limited")[7:-1]).rate > 0
    assert many.manners("nobody.example") == (0.0, 0.0)


def test_sites_end_in_two_ways() -> None:
    late = World(seed=3, sites=900, day=365)
    assert isinstance(late.answer(Request(_address(late, "gone"))), Failure)
    assert get(late, _address(late, "closed")).status == 410
