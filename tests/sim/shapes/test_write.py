"""Pages of browsable sites are written as other simulated pages are."""

from __future__ import annotations

import pytest

from dowse.page import read_page

from ..walk import encoding_of
from .sites import CASES, IDS, get, site


@pytest.mark.parametrize(("name", "family"), CASES, ids=IDS)
def test_pages_have_an_encoding_that_holds_and_can_be_read(name: str, family: str) -> None:
    web = site(name, family)
    for url in (web.entry, web.samples[0], web.truth.hubs[-1]):
        page = get(web, url)
        assert page.body.decode(web.plan.habits.encoding)
        assert encoding_of(page).lower() == web.plan.habits.encoding
        assert read_page(page).title


def test_pictures_are_pictures() -> None:
    web = site("optional-parts", "A")
    pictured = [url for url in web.truth.targets if b"/img/" in get(web, url).body]
    assert 10 < len(pictured) < len(web.truth.targets)
    assert get(web, f"http://{web.host}/img/10.gif").header("content-type") == "image/gif"
