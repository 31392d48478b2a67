"""Pages that no person would write, from a seed: tag soups to try a parser with.

A page draws a few tags out of one or two families and strews their starts and ends, so that
rules which rarely meet (tables in lists in formatting, forms across tables, foreign content,
templates, frames) meet often. Most pages are small; some are as large as a body may be.
"""

from __future__ import annotations

import random

MAX_SIZE = 2 * 1024 * 1024

FAMILIES: dict[str, tuple[str, ...]] = {
    "formatting": tuple("a b big code em font i nobr s small strike strong tt u".split()),
    "blocks": tuple(
        "address article blockquote center details div fieldset h1 h3 hr main p pre section summary".split()
    ),
    "lists": tuple("dd dir dl dt li menu ol ul".split()),
    "tables": tuple("caption col colgroup table tbody td tfoot th thead tr".split()),
    "forms": tuple(
        "button datalist fieldset form input keygen label legend optgroup option output select textarea".split()
    ),
    "foreign": tuple(
        "annotation-xml desc foreignObject math mglyph malignmark mi mo mtext svg svg:a title use image path".split()
    ),
    "raw": tuple("iframe noembed noframes noscript plaintext script style textarea title xmp".split()),
    "frames": tuple("body frame frameset head html noframes".split()),
    "head": tuple("base basefont bgsound link meta script style template title".split()),
    "templates": tuple("template slot div td tr select option svg".split()),
    "media": tuple("applet area audio br embed img map marquee object param picture source track video wbr".split()),
    "ruby": tuple("rb rp rt rtc ruby span".split()),
    "own": tuple("x-a my-element o:p selectedcontent dialog search menuitem isindex listing image spacer".split()),
}
_ATTRIBUTES = (
    "", "", "", "", "", ' id="a"', " id=b class=c", ' href="/x?y=1&amp;z"', " type=hidden", ' type="checkbox" checked', " name=q",
    " form=a", " for=b", " value='\"<>&'", ' title="<input name=x>"', " =", " ==a", " \"'<", " a=1 a=2 A=3", " definitionURL=x",
    ' encoding="text/html"', " xlink:href=x xml:lang=y", " onclick=\"document.write('<form><input>')\"", " selected", " /", "/", " shadowrootmode=open",
)  # fmt: skip
_TEXTS = (
    "", " ", "\n", "words", "a b  c", "&amp;", "&lt;b&gt;", "&notit;", "&#0;", "&#x110000;", "&#128;", "&", "<", "</", "<!", "<?php x ?>",
    "<!-- c -->", "<!--", "-->", "<!-->", "<!doctype html>", "<![CDATA[x<y]]>", "]]>", "\0", "\x0c", "é", "日本語", "\ufeff", "\u202e", "𝄞",
    "</script>", "</p>", "</br>", "</form>", "</body>", "</html>", "<select><button><selectedcontent>",
)  # fmt: skip
_DEEP = (
    "b",
    "div",
    "table",
    "ul",
    "svg",
    "font",
    "template",
    "a",
    "form",
    "select",
    "span",
    "math",
    "x-a",
    "dl",
    "frameset",
    "ruby",
    "p",
)


def make_soup(seed: int) -> bytes:
    """Return the page of a seed."""
    rng = random.Random(seed)
    size = _choose_size(rng)
    page = _MAKERS[rng.randrange(len(_MAKERS))](rng, size)[:size].encode("utf-8", "surrogatepass")
    return _hurt(rng, page) if rng.random() < 0.25 else page


def _choose_size(rng: random.Random) -> int:
    """Return a number of bytes: one page in two thousand may be as large as a body is read."""
    chance = rng.random()
    if chance < 0.0005:
        return int(65_536 * (MAX_SIZE / 65_536) ** rng.random())
    if chance < 0.06:
        return int(4_096 * 16 ** rng.random())
    return int(100 * 40 ** rng.random())


def _choose_tags(rng: random.Random) -> list[str]:
    """Return a few tags that meet on one page."""
    families = rng.sample(list(FAMILIES), rng.choice((1, 2, 2, 3)))
    tags = [tag for family in families for tag in FAMILIES[family]]
    return rng.sample(tags, min(len(tags), rng.choice((3, 5, 8, 12))))


def _strew(rng: random.Random, size: int) -> str:
    """Return starts, ends and texts in any order."""
    tags = _choose_tags(rng)
    pieces = [f"<{tag}{rng.choice(_ATTRIBUTES)}>" for tag in tags for _ in range(3)]
    pieces += [f"</{tag}>" for tag in tags] * rng.choice((1, 2, 4))
    pieces += rng.choices(_TEXTS, k=rng.choice((1, 3, 8)))
    return _repeat(rng, pieces, size)


def _nest(rng: random.Random, size: int) -> str:
    """Return one thing in another, as deep as it goes, closed in another order or not at all."""
    tags = rng.choices(_DEEP, k=rng.choice((1, 2, 4)))
    depth = size // (sum(map(len, tags)) + 2 * len(tags)) // 2 + 1
    ends = [f"</{tag}>" for tag in tags]
    rng.shuffle(ends)
    middle = _strew(rng, min(size // 4, 500))
    return "".join(f"<{tag}{rng.choice(_ATTRIBUTES)}>" for tag in tags) * depth + middle + "".join(ends) * depth


def _lay_rows(rng: random.Random, size: int) -> str:
    """Return tables with what must not stand in them, forms across their rows among it."""
    inside = _choose_tags(rng)
    cells = [f"<{tag}{rng.choice(_ATTRIBUTES)}>" for tag in inside] + [f"</{tag}>" for tag in inside]
    rows = [
        "<table>",
        "<tr>",
        "<td>",
        "<tr><td>",
        "</table>",
        "<table><tr><td>",
        "<tbody>",
        "<form>",
        "</form>",
        "<input name=a>",
    ]
    return _repeat(rng, rows + cells[: rng.randrange(len(cells) + 1)] + ["x"], size)


def _format(rng: random.Random, size: int) -> str:
    """Return formatting that is closed in the wrong order around blocks: the adoption agency at work."""
    tags = rng.sample(FAMILIES["formatting"], rng.choice((2, 4, 8)))
    blocks = rng.sample(("p", "div", "li", "span", "table", "td", "tr", "ul", "h1", "button", "applet", "center"), 5)
    pieces = [f"<{tag}{rng.choice(_ATTRIBUTES[:9])}>" for tag in tags] * 2 + [f"</{tag}>" for tag in tags] * 2
    pieces += [f"<{tag}>" for tag in blocks] + [f"</{tag}>" for tag in blocks]
    pieces += ["<table><tr><td>"] * rng.randrange(4) + ["</table>", "x"]  # tables that open more often than they close
    return _repeat(rng, pieces, size)


def _attribute(rng: random.Random, size: int) -> str:
    """Return tags with more attributes, or longer ones, than anybody needs."""
    tag = rng.choice((*_DEEP, "input", "option", "body", "html", "frame"))
    if rng.random() < 0.5:
        return f"<{tag} " + " ".join(f"a{number}={number}" for number in range(size // 8)) + rng.choice((">", "", '"'))
    return f"<{tag} {rng.choice(('href', 'class', 'x' * 50))}={rng.choice(('', chr(34), chr(39)))}" + "y " * (size // 2)


def _break_off(rng: random.Random, size: int) -> str:
    """Return a page that ends in the middle of something."""
    whole = _strew(rng, size)
    return whole[: rng.randrange(len(whole) + 1)] + rng.choice(("<", "</", "<!--", "<!", "<a ", "<a b", "<a b=", '<a b="', "&", "&#", "&#x", "<script>", "<!doctype", "<svg><![CDATA["))  # fmt: skip


def _repeat(rng: random.Random, pieces: list[str], size: int) -> str:
    """Return pieces in any order until the size is reached; a large page says some of it again."""
    mean = sum(map(len, pieces)) / len(pieces) or 1
    count = int(size / mean) + 1
    once = "".join(rng.choices(pieces, k=min(count, 20_000)))
    return once * (size // max(1, len(once)) + 1)


def _hurt(rng: random.Random, page: bytes) -> bytes:
    """Return a page with some of its bytes lost, doubled or changed."""
    body = bytearray(page)
    for _ in range(rng.choice((1, 2, 8))):
        place = rng.randrange(len(body) + 1)
        match rng.randrange(4):
            case 0:
                body[place : place + rng.randrange(1, 20)] = b""
            case 1:
                body[place:place] = body[place : place + rng.randrange(1, 200)]
            case 2:
                body[place : place + 1] = bytes([rng.randrange(256)])
            case _:
                body[place:place] = rng.choice(
                    (b"\0", b"\xff", b"\xc3", b"\xed\xa0\x80", b"\x80", b"<", b">", b'"', b"/", b"\r")
                )
    return bytes(body)


_MAKERS = (_strew, _strew, _strew, _nest, _lay_rows, _lay_rows, _format, _format, _attribute, _break_off)
