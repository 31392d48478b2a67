"""Judging pages: what is like the sample, what only looks near, and what cannot be told."""

from __future__ import annotations

import inspect
import re

import pytest

import dowse.example.judge as judge_module
from dowse.errors import BadInput
from dowse.example.judge import MAX_JUDGE_SAMPLES, Judge, load_page_model, open_judge
from dowse.example.lists import LinkBlock
from dowse.model import Response, Verdict
from dowse.page.document import Document
from dowse.tree.similarity import (
    Shape,
    shape_of,
)
from tests.example.shop import HTML, address, item, listing, other


def shape(text: str) -> Shape:
    return shape_of(Document(Response(address("/"), 200, HTML, text.encode())).nodes)


def judge_of(*samples: int) -> Judge:
    return open_judge({address(f"/item/{n}"): shape(item(n)) for n in samples or (0,)}, shape(listing("/item/0")))


def test_things_are_targets_and_lists_are_none() -> None:
    judge = judge_of()
    for number in range(1, 20):
        judge.add(address(f"/item/{number}"), shape(item(number)))
        judge.add(address(f"/list/{number}"), shape(listing(*(f"/item/{n}" for n in range(number)))))
        judge.add(address(f"/page-{number}"), shape(other("/")))
    judge.rejudge()
    assert all(judge.is_target(address(f"/item/{n}")) for n in range(1, 20))
    assert not any(judge.is_target(url) for url in judge.pages if "/item/" not in url)


def test_pages_of_another_template_at_such_an_address_are_told_apart() -> None:
    judge = judge_of()
    for number in range(1, 40):
        judge.add(address(f"/item/{number}"), shape(item(number) if number % 2 else other("/", "/jobs")))
        judge.add(address(f"/list/{number}"), shape(listing("/item/1", "/item/2")))
    judge.rejudge()
    assert [n for n in range(1, 40) if judge.is_target(address(f"/item/{n}"))] == list(range(1, 40, 2))


def test_likeness_is_one_for_the_same_and_nothing_for_the_entry() -> None:
    judge = judge_of()
    assert judge.add(address("/item/0"), shape(item(0))) == 1.0
    assert judge.add(address("/list/0"), shape(listing("/item/0"))) == 0.0


def test_further_samples_are_bounded() -> None:
    judge = judge_of(*range(4))
    for number in range(4, 60):
        judge.add(address(f"/item/{number}"), shape(item(number, *(f"/x/{n}" for n in range(number)))))
        judge.add(address(f"/list/{number}"), shape(listing(*(f"/item/{n}" for n in range(number)))))
    judge.rejudge()
    assert 4 <= len(judge.samples) <= MAX_JUDGE_SAMPLES


def test_many_samples_are_bounded() -> None:
    assert len(judge_of(*range(30)).samples) == MAX_JUDGE_SAMPLES


def test_an_entry_that_is_like_the_sample_is_refused() -> None:
    with pytest.raises(BadInput, match="the entry is itself like the sample"):
        open_judge({address("/item/1"): shape(item(1))}, shape(item(2)), start_url=address("/item/2"))


def test_an_entry_built_like_the_sample_is_told_from_it_by_its_address() -> None:
    assert open_judge({address("/item/1"): shape(item(1))}, shape(item(2)), start_url=address("/all.html")).samples


def test_judging_nothing_and_little_is_no_trouble() -> None:
    judge = judge_of()
    judge.rejudge()
    judge.add(address("/item/1"), shape(item(1)))
    judge.rejudge()
    assert judge.is_target(address("/item/1"))


def notice(number: int) -> str:
    """Write a piece of news: nearly as a thing is written, and all in the same way."""
    return item(number).replace("<table>", "<table><caption>News</caption>")


def site_with_news(place: str, *, in_lists: bool) -> Judge:
    """Return a judge of a shop with things and news: those in lists of their own, or in those of things."""
    judge = judge_of()
    things = [address(f"/item/{n}") for n in range(40)]
    news = [address(f"{place.format('abcdefghij'[n % 10])}{n}") for n in range(900, 920)]
    for number, url in enumerate(things[1:], 1):
        judge.add(url, shape(item(number)))
    for number, url in enumerate(news):
        judge.add(url, shape(notice(number)))
    for number in range(4):
        links = (*things[number * 10 : number * 10 + 10], *(news[number * 5 : number * 5 + 5] if in_lists else ()))
        judge.add(address(f"/list/{number}"), shape(listing()), links, (LinkBlock(1, links),))
    if not in_lists:
        judge.add(address("/news/all/of/it"), shape(listing()), tuple(news), (LinkBlock(1, tuple(news)),))
    judge.rejudge()
    return judge


def test_outliers_with_addresses_of_things_are_told_by_where_they_are_listed() -> None:
    judge = site_with_news("/item/", in_lists=False)
    assert all(judge.is_target(address(f"/item/{n}")) for n in range(40))
    assert not any(judge.is_target(address(f"/item/{n}")) for n in range(900, 920))


def test_where_all_pages_are_built_alike_lists_tell_who_is_wanted() -> None:
    judge = open_judge({address("/item/0"): shape(item(0))}, shape(item(1)), start_url=address("/"))
    things, news = (tuple(address(f"/item/{n}") for n in some) for some in (range(30), range(900, 910)))
    for number, url in enumerate((*things[1:], *news)):
        judge.add(url, shape(item(number)))
    judge.add(address("/list/1"), shape(item(0)), things, (LinkBlock(1, things),))
    judge.add(address("/news/all/of/it"), shape(item(0)), news, (LinkBlock(1, news),))
    judge.rejudge()
    assert all(map(judge.is_target, things))
    assert not any(map(judge.is_target, (*news, address("/list/1"))))


def test_where_all_pages_look_the_same_folders_may_name_what_they_are_about() -> None:
    """As /author/title: each thing has a folder of its own, and the home page has the one template, too."""
    things = tuple(address(f"/{name}/x{n}") for n, name in enumerate("abcdefghijklmnopqrst"))
    judge = open_judge({things[0]: shape(item(0))}, shape(item(1)), start_url=address("/"))
    others = tuple(address(f"/node/{n}") for n in range(8))
    for number, url in enumerate((*things[1:], *others)):
        judge.add(url, shape(item(number)))
    for number in range(4):
        links = things[number * 5 : number * 5 + 5]
        judge.add(address(f"/lists/all/{number}"), shape(item(number)), links, (LinkBlock(1, links),))
    judge.add(address("/news/of/all"), shape(item(7)), others, (LinkBlock(2, others),))
    judge.rejudge()
    assert judge.are_all_alike
    assert all(map(judge.is_target, things))
    assert not any(map(judge.is_target, others))


@pytest.mark.parametrize(("mixed", "is_unlike"), [(True, False), (False, True)], ids=["some differ", "all differ"])
def test_what_differs_a_little_in_such_a_place_of_other_lists_is_unlike_where_all_of_it_does(
    mixed: bool, is_unlike: bool
) -> None:
    judge = judge_of()
    things, deep = ([address(f"/item/{n}") for n in range(first, first + 40)] for first in (0, 100))
    for number, url in enumerate(things[1:]):
        judge.add(url, shape(item(number)))
    for number, url in enumerate(deep):
        judge.add(url, shape(item(number) if mixed and number % 4 == 0 else notice(number)))
    for number in range(4):
        part = slice(number * 10, number * 10 + 10)
        judge.add(
            address(f"/list/{number}"), shape(listing()), tuple(things[part]), (LinkBlock(1, tuple(things[part])),)
        )
        judge.add(address(f"/a/b/c/{number}"), shape(listing()), tuple(deep[part]), (LinkBlock(1, tuple(deep[part])),))
    judge.rejudge()
    assert bool(judge.unlike) == is_unlike


def test_targets_of_a_further_template_become_samples() -> None:
    judge = judge_of()
    for number in range(1, 9):
        judge.add(address(f"/item/{number}"), shape(item(number) if number % 2 else other("/", "/jobs")))
    before = judge.likeness(address("/item/2"))
    judge.add_samples_of([address(f"/item/{n}") for n in range(1, 9)])
    assert before < 0.6 <= judge.likeness(address("/item/2")) == judge.likeness(address("/item/8"))
    assert len(judge.samples) == 2


def test_other_kinds_that_are_listed_elsewhere_resemble_the_samples_at_most() -> None:
    judge = site_with_news("/about/", in_lists=False)
    assert not any(judge.is_target(address(f"/about/{n}")) for n in range(900, 920))


def test_what_is_listed_with_the_samples_and_has_similar_addresses_is_of_their_kind() -> None:
    judge = site_with_news("/{}more/", in_lists=True)
    assert all(judge.is_target(url) for url in judge.pages if "more/" in url)


def test_further_pages_of_a_thing_are_no_things() -> None:
    judge = open_judge({address("/topic?t=0"): shape(item(0))}, shape(listing()), start_url=address("/"))
    firsts, further = ([address(f"/topic?t={n}{more}") for n in range(1, 20)] for more in ("", "&start=10"))
    for number, url in enumerate((*firsts, *further)):
        judge.add(url, shape(item(number)))
    links = (address("/topic?t=0"), *firsts, *further)
    judge.add(address("/list/1"), shape(listing()), links, (LinkBlock(1, links),))
    judge.rejudge()
    assert all(map(judge.is_target, firsts))
    assert not any(map(judge.is_target, further))


def test_a_verdict_says_why_with_what_was_weighed() -> None:
    judge = site_with_news("/about/", in_lists=False)
    thing, piece = judge.judge(address("/item/7")), judge.judge(address("/about/905"))
    assert thing.yes
    assert "listed where the samples are" in thing.reason or "address like the samples'" in thing.reason
    assert not piece.yes
    assert set(piece.reason.split("; ")) <= set(judge.model.weights)
    assert judge.judge(address("/item/0")) == Verdict(True, "is a sample")


def test_weights_say_what_they_come_from() -> None:
    model = load_page_model()
    assert "bench/paper3/fit.py" in model.source
    assert model.weights.classes == ("like", "unlike")


def test_every_weighed_fact_can_be_found() -> None:
    """Weights are of facts that the judge still writes: a fact that is renamed must be fitted again."""
    source = inspect.getsource(judge_module)
    ends = {re.split(r" 0\.\d+|, ", fact)[0].partition(" ")[2] for fact in load_page_model().weights.weights}
    written = {"kind is on the entry", "kind is not on the entry"}  # in parts
    assert not [each for each in ends - written if each not in source]


def test_the_score_is_the_sum_of_what_facts_say() -> None:
    judge = judge_of()
    none, one, both = (
        judge.score(()),
        judge.score(("another address",)),
        judge.score(("another address", "another view of a page")),
    )
    assert both - one == pytest.approx(judge.score(("another view of a page",)) - none)
    assert both < one < none
