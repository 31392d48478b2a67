"""The truth is true: every form stands where it says, with what it says."""

from __future__ import annotations

import json

import pytest

from dowse.errors import BadInput
from dowse.model import KINDS
from dowse.sim import World, to_json
from dowse.sim.naming import path_of
from dowse.sim.truth import SiteTruth
from dowse.url import canonical

from .walk import find_links, get, read_forms

SILENT = ("refused", "hanging", "garbage", "wrong-length")


def test_every_form_stands_on_its_page_with_its_fields(world: World, truths: list[SiteTruth]) -> None:
    checked = 0
    for truth in truths:
        for form in truth.forms if truth.trouble not in SILENT else ():
            page = get(world, form.page)
            if page.status == 200:
                there = (form.method, form.action, form.fields) in read_forms(page)
                assert there is (form.made == "html"), form
                checked += 1
    assert checked > 800


def test_a_form_that_needs_a_browser_is_in_the_page_all_the_same(world: World, truths: list[SiteTruth]) -> None:
    made = set()
    for truth in truths:
        for form in truth.forms:
            if form.made != "html" and form.reachable:
                text = get(world, form.page).body.decode(truth.encoding)
                assert all(name.replace("$", "") in text.replace("$", "") for name in form.fields), form
                made.add(form.made)
    assert made == {"script", "formless"}


def test_a_form_on_every_page_is_on_every_page_and_others_are_not(world: World) -> None:
    everywhere = elsewhere = 0
    for index in range(60):
        truth, plan = world.site(index), world.plan(index)
        if not truth.reachable:
            continue
        url = plan.origin + path_of(plan, plan.tree.articles - 1)
        there = read_forms(get(world, url))
        for form in truth.forms:
            if form.page != url and form.repeated != "articles":
                is_there = (form.method, form.action, form.fields) in there
                assert is_there is (form.repeated == "everywhere"), form
                everywhere, elsewhere = everywhere + is_there, elsewhere + (not is_there)
    assert everywhere > 10
    assert elsewhere > 10


def test_a_form_may_change_a_little_from_page_to_page(world: World, truths: list[SiteTruth]) -> None:
    index, form = next(
        (index, form)
        for index, truth in enumerate(truths)
        for form in truth.forms
        if form.changes and truth.reachable and form.repeated == "everywhere" and not truth.traps
    )
    plan = world.plan(index)
    pages = [get(world, plan.origin + path_of(plan, number)) for number in (0, 1)]
    assert all((form.method, form.action, form.fields) in read_forms(page) for page in pages)


def test_copies_are_told_from_forms_of_their_own(truths: list[SiteTruth]) -> None:
    copies = 0
    for truth in truths:
        doors = [(form.action, form.fields) for form in truth.forms if not form.same_as]
        assert len(doors) == len(set(doors))
        by_id = {form.id: form for form in truth.forms}
        for form in truth.forms:
            if form.same_as:
                first = by_id[form.same_as]
                assert (first.action, first.fields, first.same_as) == (form.action, form.fields, None)
                assert first.depth <= form.depth
                copies += 1
        assert {form.kind for form in truth.forms} <= set(KINDS)
    assert copies > 3


def test_conditions_are_what_query_forms_ask(truths: list[SiteTruth]) -> None:
    conditions = [each for truth in truths for form in truth.forms for each in form.conditions]
    assert {each.operator for each in conditions} == {"keyword", "contains", "equals", "in", "range"}
    assert {each.type for each in conditions} == {"text", "choice", "number", "date"}
    assert any(len(each.fields) == 3 for each in conditions)  # a date in three selects
    sizes = [len(form.fields) for truth in truths for form in truth.forms if form.kind == "database"]
    assert min(sizes) == 1
    assert 10 < max(sizes) <= 15
    for truth in truths:
        for form in truth.forms:
            assert bool(form.conditions) is (form.kind == "database")
            assert all(set(each.fields) <= set(form.fields) for each in form.conditions)


def test_what_robots_hides_is_not_reachable(truths: list[SiteTruth]) -> None:
    hidden = [form for truth in truths if truth.robots == "hidden-search" for form in truth.forms if not form.reachable]
    closed = [truth for truth in truths if not truth.reachable]
    assert hidden
    assert closed
    assert all(not form.reachable for truth in closed for form in truth.forms)
    assert all(truth.pages_by_depth == () for truth in closed)


def test_menus_lead_where_truth_says(world: World, truths: list[SiteTruth]) -> None:
    for truth in truths[:40]:
        if truth.reachable:
            assert truth.navigation[0] == f"{truth.site}/"
            by_menu = {form.page for form in truth.forms if form.by_menu and form.reachable}
            assert by_menu <= set(truth.navigation) or len(truth.navigation) == 500


def test_truth_is_plain_json(world: World) -> None:
    told = json.loads(json.dumps(to_json(world.site(3))))
    assert told["site"] == world.site(3).site
    assert told["forms"] == [json.loads(json.dumps(form)) for form in told["forms"]]


def test_addresses_in_the_truth_are_canonical(truths: list[SiteTruth]) -> None:
    for truth in truths:
        addresses = [truth.address, *truth.neighbours, *truth.missing, *(form.page for form in truth.forms)]
        assert addresses == [canonical(address) for address in addresses]
        assert all(form.action == canonical(form.action) for form in truth.forms)


def test_every_link_is_told_by_what_it_is_for(world: World, truths: list[SiteTruth]) -> None:
    """What the truth says a page links to is what an independent reader finds there, but for menus made by script."""
    checked = 0
    for index, truth in enumerate(truths[:120]):
        plan = world.plan(index)
        if not truth.reachable or truth.traps or plan.forward:
            continue
        for number in {0, plan.tree.articles - 1, plan.tree.size - 1}:
            url = plan.origin + path_of(plan, number)
            told, seen = world.links(url), set(find_links(get(world, url)))
            for role in ("submenu", "content", "advanced", "outside"):
                assert set(told[role]) <= seen, (url, role)
            checked += set(told["menu"]) <= seen
    assert checked > 50


def test_links_of_no_page_are_refused(world: World) -> None:
    with pytest.raises(BadInput, match="no page of this world"):
        world.links("http://nobody.example/")
