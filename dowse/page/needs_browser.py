"""Why a browser would see more of a page than its HTML shows."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import islice

from dowse.model import Form
from dowse.page.parser import HtmlNode, MarkupKeys, Tree, attribute

SHELL = "an application shell"
WRITTEN = "a script writes a form"
UNUSABLE = "an input without a usable form"

FEW_LETTERS = 400  # of text; a page with fewer may be a shell
FEW_LINKS = 10
ROOM_LETTERS = 2_000  # where an empty root shows that the rest is made by script: a header and a footer
ROOM_LINKS = 40
MAX_ROOTS = 20  # elements that are named like the root of an application
MAX_TAG = 300  # bytes of its attributes
MAX_SCRIPTS = 300
MAX_SCRIPT = 500_000  # letters of one script that are looked at
MAX_FIELDS = 30
MAX_SAID = 5_000  # characters in which words for searching are looked for

_TYPED = frozenset({"text", "search", "textarea", "number", "date"})
_SENT_ALONE = frozenset({"submit", "image", "button", "reset", "hidden"})
_SIGNS = ("<form", "<FORM", "3cform", "3Cform", "createElement('form", 'createElement("form')
_LESS = r"(?:<|\\x3c|\\u003c)"
_FORM = re.compile(_LESS + r"form[\s>\\]|createElement\(\s?[\"']form[\"']", re.IGNORECASE)
_BOX = re.compile(
    _LESS + r"(?:select|textarea)[\s>]|type\s?[=:]\s?\\?[\"']?(?:text|search)\b"
    r"|createElement\(\s?[\"'](?:select|textarea)|type[\"']\s?,\s?[\"'](?:text|search)\b",
    re.IGNORECASE,
)
_RUNS = re.compile(r"\s{0,20}(?:module|(?:text|application)/(?:x-)?(?:java|ecma|j)script)", re.IGNORECASE)
_SEARCHES = re.compile(
    r"(?<!re)search|\bfind|query|keyword|such|recherch|cherche|trouve|busca|búsqueda|pesquis|procur|cerca|ricerca|trova"
    r"|zoek|sök|søg|søk|haku|etsi|szuk|hled|hľad|keres|caut|căut|\bara\b|поиск|искать|найти|пошук|搜|查询|查詢|検索|검색|بحث|חיפוש|αναζήτηση|ค้นหา",
    re.IGNORECASE,
)
_ROOT_NAMES = rb"root|app|application|main-app|app-root|react-root|reactroot|__next|__nuxt|___gatsby|svelte|ember-app|q-app|vue-app|mount|spa"
_ROOT = re.compile(rb"\bid\s?=\s?[\"']?(?:" + _ROOT_NAMES + rb")(?=[\"'\s>])")
_EMPTY = re.compile(rb"[^<>]{0,300}+>[^<]{0,300}+</")
_HOLDERS = (b"<div", b"<main", b"<section", b"<article", b"<body")
_ELEMENT = re.compile(rb"<([a-z]{1,30}-[a-z-]{1,40})\b[^<>]{0,300}>[^<]{0,100}</\1\s{0,5}>")
_FRAMES = re.compile(rb"<frame[\s>]|<frameset|http-equiv\s?=\s?[\"']?refresh")


def writes_form(tree: Tree, keys: MarkupKeys) -> bool:
    """Return True if a script in the page makes a form with something to type or choose; one of an earlier page does not count."""
    found = [text for text in _find_writing(tree) if _FORM.search(text) and _BOX.search(text)]
    return bool(found) and keys.is_new("script", "".join(found))


def why_unrendered(
    body: bytes, text: str, link_count: int, forms: Sequence[Form], form_count: int, writes: bool = False
) -> str:
    """Return why a browser would see more of a page, or nothing."""
    if any(map(_is_unusable, forms)):
        return UNUSABLE
    if writes:
        return WRITTEN
    few = form_count == 0 and link_count <= ROOM_LINKS and len(text) <= ROOM_LETTERS
    return SHELL if few and _is_shell(body.lower(), text, link_count) else ""


def _find_writing(tree: Tree) -> Iterator[str]:
    """Yield the scripts in a page that name a form."""
    for script in tree.tags("script")[:MAX_SCRIPTS]:
        text = script.text()[:MAX_SCRIPT]
        if ("form" in text or "FORM" in text) and any(sign in text for sign in _SIGNS) and _runs(script):
            yield text


def _runs(script: HtmlNode) -> bool:
    """Return True if a script is one, and neither data nor a template."""
    kind = attribute(script, "type")
    return not kind or _RUNS.match(kind) is not None


def _is_unusable(form: Form) -> bool:
    """Return True if there is something to type into, and no way to send it that the HTML tells."""
    if form.made not in ("html", "input") or not (form.own_page or not form.action):
        return False
    typed = [field for field in form.fields if field.type in _TYPED]
    named = form.made == "html" and any(field.name for field in form.fields if field.type not in _SENT_ALONE)
    return bool(typed) and not named and _says_search(form)


def _says_search(form: Form) -> bool:
    """Return True if a form is for searching, by any of its words."""
    words = [form.role, form.id, form.name, form.css, form.text]
    for field in form.fields[:MAX_FIELDS]:
        words += (
            field.type,
            field.name,
            field.id,
            field.label,
            field.placeholder,
            field.title,
            field.value,
            field.aria,
        )
    return _SEARCHES.search(" ".join(words)[:MAX_SAID]) is not None


def _is_shell(source: bytes, text: str, link_count: int) -> bool:
    """Return True if a page without forms leaves its words and links to its scripts."""
    if b"<script" not in source:
        return False
    if _has_empty_root(source):
        return True
    if len(text) > FEW_LETTERS or link_count > FEW_LINKS or _FRAMES.search(source):
        return False
    return _asks_for_script(source, text) or _has_empty_element(source)


def _has_empty_root(source: bytes) -> bool:
    """Return True if the page has a place for its application, with nothing in it."""
    for found in islice(_ROOT.finditer(source), MAX_ROOTS):
        tag = source.rfind(b"<", max(0, found.start() - MAX_TAG), found.start())
        if tag >= 0 and source.startswith(_HOLDERS, tag) and _EMPTY.match(source, found.end()):
            return True
    return False


def _asks_for_script(source: bytes, text: str) -> bool:
    """Return True if the page tells people that they need JavaScript."""
    if "javascript" in text.lower():
        return True
    return any(b"javascript" in inside for inside in _find_inside(source, b"<noscript", b"</noscript"))


def _has_empty_element(source: bytes) -> bool:
    """Return True if the page has an element of its own making that is empty, and a script to fill it."""
    return _ELEMENT.search(source) is not None


def _find_inside(source: bytes, start: bytes, end: bytes) -> Iterator[bytes]:
    """Yield what stands between two marks, bounded."""
    place = 0
    for _ in range(MAX_SCRIPTS):
        place = source.find(start, place)
        stop = source.find(end, place) if place >= 0 else -1
        if stop < 0:
            return
        yield source[place : min(stop, place + MAX_SCRIPT)]
        place = stop
