"""The truth is true: every form stands where it says; scores count what they should."""

from __future__ import annotations

import json
import re
from dataclasses import replace

import turbohtml

from dowse.model import KINDS
from dowse.sim import World, score_forms, to_json
from dowse.sim.truth import FormTruth, SiteTruth
from dowse.url import canonical

from .walk import _BASE, get, urljoin

_NAMED = re.compile(r'<(input|select|textarea)\s([^>]*)\bname="([^"]+)"([^>]*)>')


def _read_forms(url: str, body: bytes) -> set[tuple[str, str, tuple[str, ...]]]:
    """Return method, action and names of each form; a field belongs to the form it stands in, in the source."""
    text = body.decode("utf-8", "replace")
    base = _BASE.search(text)
    start = urljoin(url, base.group(1)) if base else url
    sources = {
        re.search(r'id="([^"]+)"', part).group(1): part.partition("</form>")[0] for part in text.split("<form ")[1:]
    }  # type: ignore[union-attr]
    found = set()
    for form in turbohtml.parse(text).find_all("form"):
        mark = str(form.attrs["id"])
        inside = [match for match in _NAMED.finditer(sources[mark])]
        outside = [match for match in _NAMED.finditer(text) if f'form="{mark}"' in match.group(0)]
        names = {match.group(3) for match in inside + outside if 'type="submit"' not in match.group(0)}
        found.add((str(form.attrs["method"]).upper(), urljoin(start, str(form.attrs["action"])), tuple(sorted(names))))
    return found


def test_every_form_stands_on_its_page_with_its_fields(world: World, truths: list[SiteTruth]) -> None:
    checked = 0
    for truth in truths:
        for form in truth.forms if truth.trouble not in ("refused", "hanging", "garbage", "wrong-length") else ():
            page = get(world, form.page)
            if page.status == 200:
                assert (form.method, form.action, form.fields) in _read_forms(form.page, page.body), form
                checked += 1
    assert checked > 500


def test_a_form_on_every_page_is_on_every_page_and_others_are_not(world: World) -> None:
    everywhere = elsewhere = 0
    for index in range(60):
        truth = world.site(index)
        if not truth.reachable:
            continue
        plan = world.plan(index)
        url = plan.origin + plan.pages[-1].path
        there = _read_forms(url, get(world, url).body)
        for form in truth.forms:
            if form.page != url:
                assert ((form.method, form.action, form.fields) in there) is form.on_every_page
                everywhere, elsewhere = everywhere + form.on_every_page, elsewhere + (not form.on_every_page)
    assert everywhere > 10
    assert elsewhere > 10


def test_no_two_forms_of_a_site_are_the_same(truths: list[SiteTruth]) -> None:
    for truth in truths:
        doors = [(form.action, form.fields) for form in truth.forms]
        assert len(doors) == len(set(doors))
        assert {form.kind for form in truth.forms} <= set(KINDS)


def test_what_robots_hides_is_not_reachable(truths: list[SiteTruth]) -> None:
    hidden = [form for truth in truths if truth.robots == "hidden-search" for form in truth.forms if not form.reachable]
    closed = [truth for truth in truths if not truth.reachable]
    assert hidden
    assert closed
    assert all(not form.reachable for truth in closed for form in truth.forms)
    assert all(truth.pages_by_depth == () for truth in closed)


def test_truth_is_plain_json(world: World) -> None:
    told = json.loads(json.dumps(to_json(world.site(3))))
    assert told["site"] == world.site(3).site
    assert told["forms"] == [json.loads(json.dumps(form)) for form in told["forms"]]


_FORM = FormTruth("database", "http://a/", 0, "GET", "http://a/s", ("q",), "go", "a/0", False, True, True)
_SITE = SiteTruth("http://a", "http://a/", "books", True, (1,), (_FORM,), (), (), "allow", "", (), ())


def test_scores_count_distinct_forms_of_each_site() -> None:
    hidden = replace(_FORM, action="http://a/h", reachable=False)
    login = replace(_FORM, kind="login", action="http://a/l")
    truth = [replace(_SITE, forms=(_FORM, hidden, login)), replace(_SITE, site="http://b")]
    found = [
        ("http://a", "database", "http://a/s", ("q",)),
        ("http://a/", "database", "http://a/s", ("go", "q")),  # the same with its button
        ("http://a", "database", "http://a/h", ("q",)),  # true, though nobody was expected to find it
        ("http://a", "database", "http://a/l", ("q",)),  # a login is not a query form
        ("http://a", "login", "http://a/l", ("q",)),
        ("http://c", "database", "http://c/s", ("q",)),  # no such site
    ]
    score = score_forms(found, truth)
    assert (score.reachable, score.right, score.wrong, score.missed) == (2, 1, 2, 1)
    assert score.recall == 0.5
    assert score.precision == 1 / 3
    assert score_forms([], []).recall == 1.0


def test_addresses_in_the_truth_are_canonical(truths: list[SiteTruth]) -> None:
    for truth in truths:
        addresses = [truth.address, *truth.neighbours, *truth.missing, *(form.page for form in truth.forms)]
        assert addresses == [canonical(address) for address in addresses]
        assert all(form.action == canonical(form.action) for form in truth.forms)
