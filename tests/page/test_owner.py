from __future__ import annotations

import pytest

from dowse.page.owner import find_form_ends
from tests.page.pages import read

# What Chromium's form.elements gives for each.
CASES = [
    pytest.param("<form><input name=a></form>", ["a"], id="plain"),
    pytest.param("<form><input name=a><p><input name=b>", ["ab"], id="never closed"),
    pytest.param("<table><form><tr><td><input name=a></form></table>", ["a"], id="opened in a table"),
    pytest.param("<table><form><tr><td><input name=a></table><input name=b></form>", ["ab"], id="closed after it"),
    pytest.param("<table><tr><form><td><input name=a></td></form></tr></table>", ["a"], id="opened in a row"),
    pytest.param(
        "<table><form><tr><td><input name=a></form><form><tr><td><input name=b></form></table>",
        ["a", "b"],
        id="two in one table",
    ),
    pytest.param("<form><input name=a><form><input name=b></form><input name=c>", ["ab"], id="nested: inner ignored"),
    pytest.param("<div><form></div><input name=a></form>", ["a"], id="closed outside its parent"),
    pytest.param("<form><div></form><input name=a></div>", ["a"], id="closed inside its child"),
    pytest.param("<form></form><input name=a>", [""], id="after the form"),
    pytest.param("<input name=a><form></form>", [""], id="before the form"),
    pytest.param("<form id=f></form><input name=a form=f>", ["a"], id="form attribute"),
    pytest.param("<form id=f></form><form><input name=a form=f></form>", ["a", ""], id="it outranks the place"),
    pytest.param("<form><input name=a form=nope></form>", [""], id="it names nothing"),
    pytest.param("<form><input name=a form></form>", [""], id="it is empty"),
    pytest.param("<p id=f></p><form id=f></form><input name=a form=f>", [""], id="it names no form"),
    pytest.param("<table><form><!--</form>--><tr><td><input name=a></table>", ["a"], id="a comment closes nothing"),
    pytest.param("<table><form><script>'</form>'</script><tr><td><input name=a></table>", ["a"], id="nor a script"),
    pytest.param("<table><form><tr><td>\r\nü\r<input name=a></FORM ><input name=b></table>", ["a"], id="odd lines"),
    pytest.param("<form><template><input name=a></template></form>", [""], id="a template is not on the page"),
    pytest.param("<form><noscript><input name=a></noscript></form>", ["a"], id="we run no scripts"),
]


@pytest.mark.parametrize(("html", "names"), CASES)
def test_controls_belong_to(html: str, names: list[str]) -> None:
    forms = read(html).forms
    assert ["".join(field.name for field in form.fields) for form in forms] == names


@pytest.mark.parametrize(
    ("source", "ends"),
    [
        pytest.param("a</form>", [1], id="place"),
        pytest.param("é\r\nü</form>x</FORM >", [4, 12], id="any case, any line end"),
        pytest.param("<!--></form>", [5], id="a comment that is over at once"),
        pytest.param("<textarea></form></textarea></formula>", [], id="none"),
        pytest.param("İ<SCRIPT></form></script></form>", [25], id="letters that grow when they are made small"),
    ],
)
def test_find_form_ends(source: str, ends: list[int]) -> None:
    assert find_form_ends(source) == ends


def test_a_form_on_a_page_in_utf_16() -> None:
    html = "<table><form><tr><td><input name=a></td></tr></form><tr><td><input name=b>"
    (form,) = read(html.encode("utf-16le"), content_type="text/html; charset=utf-16le").forms[:1]
    assert [field.name for field in form.fields] == ["a"]


def test_what_looks_like_a_tag_in_a_value_changes_nothing() -> None:
    html = "<table><form title='<input name=x>'><tr><td><input name=a value='<form >'><textarea name=t><input ></textarea></table>"
    (form,) = read(html).forms
    assert [(field.name, field.value) for field in form.fields] == [("a", "<form >"), ("t", "<input >")]
