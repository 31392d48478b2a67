from __future__ import annotations

import pytest

from dowse.page.text import MAX_TEXT
from tests.page.pages import read


@pytest.mark.parametrize(
    ("html", "text"),
    [
        pytest.param("<p>two \n\t words</p>", "two words", id="blanks"),
        pytest.param("<p>a</p><p>b</p><table><tr><td>c<td>d</table>", "a b c d", id="blocks and cells"),
        pytest.param("<title>t</title>a<script>s</script><style>s</style>b", "a b", id="code"),
        pytest.param("a<noscript>n</noscript><template>t</template>b", "a b", id="for other browsers"),
        pytest.param("a<select><option>o</select><textarea>t</textarea>b", "a b", id="choices"),
        pytest.param("a<!-- c -->", "a", id="comments"),
        pytest.param("no tags", "no tags", id="plain"),
        pytest.param("", "", id="empty"),
    ],
)
def test_text(html: str, text: str) -> None:
    assert read(html).text == text


def test_title_is_one_bounded_line() -> None:
    assert read("<title> A \n b </title>").title == "A b"
    assert len(read(f"<title>{'x' * 1000}</title>").title) == 300
    assert read("<p>x").title == ""


def test_text_is_bounded() -> None:
    assert len(read("word " * 100_000).text) <= MAX_TEXT


@pytest.mark.parametrize(
    ("html", "header", "language"),
    [
        pytest.param("<html lang=de-AT>", "fr", "de", id="the page outranks the header"),
        pytest.param("<html xml:lang=FR>", "", "fr", id="xml:lang"),
        pytest.param("<meta http-equiv=Content-Language content='it, en'>", "fr", "it", id="meta"),
        pytest.param("<p>x", "sv", "sv", id="header"),
        pytest.param("<html lang=''>", "", "", id="nothing"),
        pytest.param("<html lang=english>", "", "", id="no code"),
        pytest.param(
            "<p>" + "Die Suche nach alten Büchern in unserer Bibliothek ist kostenlos. " * 5, "", "de", id="looks"
        ),
    ],
)
def test_language(html: str, header: str, language: str) -> None:
    assert read(html, content_language=header).language == language


def test_headings_are_the_large_ones_in_one_line() -> None:
    assert read("<h2>Rooms</h2><h1>Grand <b>Hotel</b></h1><h3>Spa</h3>").headings == "Grand Hotel Rooms"


def test_a_page_describes_itself_in_its_head() -> None:
    head = (
        '<meta name="Description" content="Rooms by the sea"><meta name="keywords" content="hotel">'
        '<meta property="og:site_name" content="Grand"><meta name="description" content="again">'
    )
    assert read(head).description == "Grand Rooms by the sea hotel"
    assert read("<p>x").description == ""


TYPES = {
    "microdata": ('<div itemscope itemtype="https://schema.org/Hotel">', ("Hotel",)),
    "JSON-LD": ('<script type="application/ld+json">{"@graph": [{"@type": "Recipe"}, {"@type": ["Book", "Product"]}]}</script>', ("Recipe", "Book")),
    "each once": ('<p itemtype="http://schema.org/Car"><p itemtype="http://schema.org/Car">', ("Car",)),
    "types of others are none": ('<p itemtype="http://vocabulary.example/Car">', ()),
    "a script that is none": ('<script>x = {"@type": "Recipe"}</script>', ()),
}  # fmt: skip


@pytest.mark.parametrize("case", TYPES)
def test_declared_types(case: str) -> None:
    html, types = TYPES[case]
    assert read(html).types == types
