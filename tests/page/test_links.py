from __future__ import annotations

import pytest

from dowse.model import Link
from dowse.page.links import MAX_LINKS
from dowse.url import canonical
from tests.page.pages import only_link, read


@pytest.mark.parametrize(
    ("html", "url"),
    [
        pytest.param("<a href=x>", "http://example.com/dir/x", id="relative"),
        pytest.param("<a href=' /x#y '>", "http://example.com/x", id="blanks and fragment"),
        pytest.param("<base href=/b/><a href=x>", "http://example.com/b/x", id="base"),
        pytest.param("<base href=b:c><a href=x>", "http://example.com/dir/x", id="a base that is none"),
        pytest.param("<a href='?a=1&amp;b=2'>", "http://example.com/dir/page?a=1&b=2", id="entities"),
        pytest.param("<map><area href=x></map>", "http://example.com/dir/x", id="image map"),
        pytest.param("<frameset><frame src=x></frameset>", "http://example.com/dir/x", id="frame"),
        pytest.param("<iframe src=x></iframe>", "http://example.com/dir/x", id="frame of the same site"),
        pytest.param("<meta http-equiv=refresh content='0; url=x'>", "http://example.com/dir/x", id="refresh"),
        pytest.param("<noscript><a href=x>y</a></noscript>", "http://example.com/dir/x", id="we run no scripts"),
    ],
)
def test_leads_to(html: str, url: str) -> None:
    assert only_link(html).url == url


@pytest.mark.parametrize(
    "html",
    [
        pytest.param("<a name=x>y</a>", id="a target, no link"),
        pytest.param("<a href='#x'>y</a>", id="this same page"),
        pytest.param("<a href='javascript:f()'>y</a>", id="script"),
        pytest.param("<a href='mailto:a@b.c'>y</a>", id="mail"),
        pytest.param("<a href='http://[bad'>y</a>", id="malformed"),
        pytest.param("<iframe src=http://ads.example.org/></iframe>", id="a frame of another site"),
        pytest.param("<template><a href=x>y</a></template>", id="a template is not on the page"),
        pytest.param("<script>'<a href=x>'</script>", id="in a script"),
        pytest.param("<!-- <a href=x> -->", id="in a comment"),
        pytest.param("<link rel=next href=x>", id="a link element"),
    ],
)
def test_leads_nowhere(html: str) -> None:
    assert read(html).links == ()


@pytest.mark.parametrize(
    ("html", "text"),
    [
        pytest.param("<a href=x> two \n words </a>", "two words", id="blanks"),
        pytest.param("<a href=x>S<b>ear</b>ch</a>", "Search", id="inline tags part no words"),
        pytest.param("<a href=x><div>a</div><div>b</div></a>", "a b", id="blocks do"),
        pytest.param("<a href=x>a<br>b</a>", "a b", id="a line break does"),
        pytest.param("<a href=x>a<script>f()</script></a>", "a", id="scripts are no words"),
        pytest.param("<a href=x><img alt=pic></a>", "pic", id="image"),
        pytest.param("<a href=x title=t></a>", "t", id="title"),
        pytest.param("<a href=x aria-label=t><i></i></a>", "t", id="aria-label"),
        pytest.param("<area href=x alt=t>", "t", id="alt of an area"),
        pytest.param("<a href=x>" + "w " * 1000 + "</a>", ("w " * 100).strip(), id="bounded"),
    ],
)
def test_text(html: str, text: str) -> None:
    assert only_link(html).text == text


@pytest.mark.parametrize(
    ("html", "nearby"),
    [
        pytest.param("before <a href=x>y</a> after", "before after", id="texts beside"),
        pytest.param("<tr><table><tr><td>Name<td><a href=x>y</a></table>", "Name", id="the cell before"),
        pytest.param("<h3><a href=x>y</a></h3>\n<p>About y</p>", "About y", id="what follows a heading"),
        pytest.param("<ul><li>z<li><a href=x>y</a></ul>", "", id="a menu speaks of other things"),
        pytest.param("<h3><a href=x>y</a></h3><script>f()</script>", "", id="scripts are no words"),
        pytest.param("<p>" + "b " * 99 + "<a href=x>y</a>" + " a" * 99, "b " * 30 + "a " * 29 + "a", id="bounded"),
    ],
)
def test_nearby(html: str, nearby: str) -> None:
    assert only_link(html).nearby.replace("  ", " ") == nearby


def test_rel_path_and_place() -> None:
    html = "<ul><li><a href=x rel='NoFollow UGC'>a</a><li><a href=x>b</a></ul>"
    first, second = read(html).links
    assert first == Link("http://example.com/dir/x", "a", rel="nofollow ugc", path="html/body/ul/li/a", place=0)
    assert (second.path, second.place) == ("html/body/ul/li/a", 1)


def test_over_the_bound_is_counted() -> None:
    page = read("<a href=x>y</a>" * (MAX_LINKS + 7))
    assert len(page.links) == MAX_LINKS
    assert page.dropped == (("links", 7),)


def test_links_are_canonical() -> None:
    page = read("<a href='HTTP://Example.COM:80/a/../b?utm_source=x&q=1#f'>y</a><a href=//o.org>z</a>")
    assert [link.url for link in page.links] == ["http://example.com/b?q=1", "http://o.org/"]
    assert all(canonical(link.url) == link.url for link in page.links)
