from __future__ import annotations

import pytest

from dowse.page.owner import find_form_ends
from tests.page.pages import BOTH, read

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


@BOTH
@pytest.mark.parametrize(("html", "names"), CASES)
def test_controls_belong_to(html: str, names: list[str], parser: str) -> None:
    forms = read(html, parser).forms
    assert ["".join(field.name for field in form.fields) for form in forms] == names


@pytest.mark.parametrize(
    ("source", "encoding", "ends"),
    [
        pytest.param(b"a</form>", "utf-8", [(1, 1)], id="column"),
        pytest.param("é\r\nü</form>x</form >".encode(), "utf-8", [(2, 1), (2, 9)], id="characters, not bytes"),
        pytest.param("é\n</form>".encode("utf-16le"), "utf-16le", [(2, 0)], id="UTF-16"),
        pytest.param(b"<!--></form>", "utf-8", [(1, 5)], id="a comment that is over at once"),
        pytest.param(b"<textarea></form></textarea></formula>", "utf-8", [], id="none"),
    ],
)
def test_find_form_ends(source: bytes, encoding: str, ends: list[tuple[int, int]]) -> None:
    assert find_form_ends(source, encoding) == ends
