"""Other views of a page, as real software writes them."""

from __future__ import annotations

import pytest

from dowse.crawl.multiples import multiple_of

MULTIPLES = [
    ("a shop's sort order", "/shoes?sort=price_asc", "sort order", "/shoes"),
    ("Magento's direction", "/shoes?dir=desc&order=price", "sort order", "/shoes"),
    ("directory listing", "/pub/?C=M;O=A", "sort order", "/pub/"),
    ("other parameters kept", "/shoes?cat=3&sort_by=name", "sort order", "/shoes?cat=3"),
    ("page size", "/list?limit=100", "page size", "/list"),
    ("page size, other word", "/list?per_page=48&q=x", "page size", "/list?q=x"),
    ("print parameter", "/a?print=1", "print view", "/a"),
    ("MediaWiki printable", "/index.php?title=X&printable=yes", "print view", "/index.php?title=X"),
    ("Joomla component", "/a?tmpl=component", "print view", "/a"),
    ("print in the path", "/article/12/print", "print view", ""),
    ("MediaWiki history", "/index.php?title=X&action=history", "history", "/index.php?title=X"),
    ("MediaWiki old version", "/index.php?title=X&oldid=123", "history", "/index.php?title=X"),
    ("MediaWiki difference", "/index.php?title=X&diff=12&oldid=11", "difference", "/index.php?title=X"),
    ("MediaWiki edit", "/index.php?title=X&action=edit", "edit or account page", "/index.php?title=X"),
    ("DokuWiki revisions", "/start?do=revisions", "history", "/start"),
    ("gitweb difference", "/?p=a.git;a=commitdiff;h=0a1b2c3d4e5f", "difference", "/?p=a.git"),
    ("cgit log", "/repo/log/", "history", ""),
    ("WordPress reply", "/2024/05/post/?replytocom=77", "share or reply", "/2024/05/post/"),
    ("way back", "/login?returnto=/a/b", "share or reply", "/login"),
    ("grid or list", "/shoes?mode=grid", "page style", "/shoes"),
]


@pytest.mark.parametrize(("tail", "reason", "base"), [row[1:] for row in MULTIPLES], ids=[row[0] for row in MULTIPLES])
def test_multiple(tail: str, reason: str, base: str) -> None:
    found, page = multiple_of(f"http://e.com{tail}")
    assert found == reason
    assert page == (f"http://e.com{base}" if base else "")


@pytest.mark.parametrize(
    "tail",
    [
        "/",
        "/search?q=sort",
        "/list?c=books",
        "/x?view=article&id=3",
        "/blog/2024/05/",
        "/catalog?type=book",
        "/x?order=20331",
        "/logistics/",
        "/printers/",
    ],
)
def test_single(tail: str) -> None:
    assert multiple_of(f"http://e.com{tail}") == ("", "")
