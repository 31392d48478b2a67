"""Pages that a program in the browser takes over: component trees written by the server, and shells with JSON."""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

from dowse.sim.family_b.markup import (
    date_of,
    divide_links,
    head_links,
    home_link,
    join_links,
    marked,
    plain_text,
    script_text,
)
from dowse.sim.family_b.naming import digest
from dowse.sim.view import Anchor, Anchors, View


class _Classes(NamedTuple):
    """The hashed classes of one site, by the component they belong to."""

    root: str
    bar: str
    column: str
    item: str
    text: str
    card: str
    quiet: str
    gone: str


@cache
def _hashed(mark: str) -> _Classes:
    return _Classes._make([f"css-{digest(mark + part)}" for part in _Classes._fields])


_SHEET = (
    ".{root}{{display:flex;flex-direction:column}}.{bar}{{display:flex;justify-content:space-between;padding:16px;"
    "border-bottom:1px solid #e0e0e0}}.{column}{{display:inline-block;vertical-align:top;min-width:160px;padding:8px}}"
    ".{item}{{padding:4px 0}}.{text}{{color:#1a237e;text-decoration:none}}.{card}{{max-width:860px;margin:16px auto;"
    "padding:24px;border-radius:8px;box-shadow:0 0 4px #bbb}}.{quiet}{{color:#757575;font-size:12px}}"
    ".{gone}{{position:fixed;right:-3000px;width:0;height:0}}"
)


@cache
def _hydrated_sheet(mark: str) -> str:
    return f'<style data-emotion="css {mark}">{_SHEET.format(**_hashed(mark)._asdict())}</style>'


def write_hydrated(view: View) -> str:
    """A tree of components written by the server: hashed classes, deep nesting, its state as JSON at the end."""
    c, says, n = _hashed(view.style.mark), view.says, view.number
    state = {
        "props": {"pageProps": {"n": n, "title": plain_text(view.title)}},
        "buildId": digest(view.style.mark),
        "locale": view.language,
    }
    columns = "".join(
        [
            f'<div class="{c.column}"><div class="{c.quiet}" role="presentation">{heading}</div><div>{_nested(links, c)}</div></div>'
            for heading, links in view.menu
        ]
    )
    path = (
        f'<div class="{c.quiet}"><div>{divide_links(view.crumbs, "<!-- --> / <!-- -->")}</div></div>'
        if view.crumbs
        else ""
    )
    cards = "".join(
        [
            _card(c, heading, links)
            for heading, links in (("", view.submenu), (says["friends"], view.outside), (says["tags"], view.tags))
            if links
        ]
    )
    return (
        f'<!DOCTYPE html><html lang="{view.language}"><head><meta charSet="{view.encoding}"/><meta name="viewport" content="width=device-width"/>'
        f'{head_links(view, "/>")}<title>{view.title}<!-- --> | <!-- -->{view.site_name}</title><meta name="next-head-count" content="{n % 4 + 3}"/>'
        f'{_hydrated_sheet(view.style.mark)}</head><body><div id="__{view.style.mark}"><div class="{c.root}" data-reactroot="">'
        f'<div><div class="{c.bar}"><div><div><span class="{c.text}">{view.site_name}</span></div></div><div><div>{view.header}</div></div></div></div>'
        f'<div role="menubar" aria-label="{says["menu"]}"><div><div>{columns}</div></div></div>'
        f'<div><div><div class="{c.card}"><div>{path}<h1 class="{c.text}">{view.title}</h1><div><div data-testid="{digest(view.title)}">{view.content}</div></div></div>'
        f'<div class="{c.quiet}">{divide_links(view.tools, "<span> </span>")}</div></div></div>{cards}<div>{view.footer}</div></div>'
        f'<div><div class="{c.quiet}">{says["rights"]}</div><div class="{c.gone}">{divide_links(view.hidden, "")}</div></div></div></div>'
        f'<script id="__{view.style.mark.upper()}_STATE__" type="application/json">{script_text(state)}</script></body></html>'
    )


def _nested(links: Anchors, classes: _Classes) -> str:
    before = f'<div class="{classes.item}"><div role="none"><span>'
    return join_links(links, before, "</span></div></div>", f' class="{classes.text}" role="menuitem"')


def _card(classes: _Classes, heading: str, links: Anchors) -> str:
    top = f"<div><div><h2>{heading}</h2></div></div>" if heading else ""
    return f'<div class="{classes.card}">{top}<div>{_nested(links, classes)}</div></div>'


_SHELL_SHEET = """<style>
.~_wrap{max-width:900px;margin:0 auto}.~_drawer{position:absolute;background:#fff;border:1px solid #ccc;padding:8px 24px;display:none}
.~_drawer.~_open{display:block}.~_burger{font-size:24px;border:0;background:none}.~_void{display:none}
</style>
"""
_SHELL_SCRIPT = """<script>
(function(w,d){var s=JSON.parse(d.getElementById('~-store').textContent),b=d.getElementById('~-drawer'),h='';
s.menu.forEach(function(g){h+='<li class="~_group"><span>'+g[0]+'</span><ul>';
g[1].forEach(function(l){h+='<li><a class="~_link" href="'+l[0]+'">'+l[1]+'</a></li>'});h+='</ul></li>'});
b.innerHTML='<ul>'+h+'</ul>';
d.getElementById('~-burger').addEventListener('click',function(){b.classList.toggle('~_open')});
w.__~=s})(window,document);
</script>
"""


def write_shell(view: View) -> str:
    """A shell of 2021: behind the three lines is a menu that a script builds from JSON when the page loads."""
    m, says, n = view.style.mark, view.says, view.number
    scope = f"data-v-{digest(m)}"
    store = script_text({"page": n, "lang": view.language, "menu": view.menu})
    path = f'<div {scope} class="{m}_path">{divide_links(view.crumbs, " &#8250; ")}</div>\n' if view.crumbs else ""
    charset = "" if view.encoding == "utf-8" and n % 3 == 0 else f'<meta charset="{view.encoding}">'
    return (
        f'<!DOCTYPE html>\n<html lang="{view.language}"><head>{charset}<meta name="viewport" content="width=device-width,initial-scale=1">\n'
        f"{head_links(view)}<title>{view.title} - {view.site_name}</title>{marked(_SHELL_SHEET, m)}</head>\n<body>"
        f'<div id="{m}-app" data-server-rendered="true" {scope}><header {scope} class="{m}_bar">'
        f'<button {scope} id="{m}-burger" class="{m}_burger" type="button" aria-label="{says["menu"]}" aria-expanded="false">&#9776;</button>\n'
        f'{home_link(view, f" {scope}")}{view.header}\n<nav {scope} id="{m}-drawer" class="{m}_drawer"></nav></header>\n'
        f'<section {scope} class="{m}_wrap">{path}<h1 {scope}>{view.title}</h1>\n<!---->{view.content}\n{_shell_more(view, scope)}</section>\n'
        f'<footer {scope} class="{m}_wrap">{view.footer}<p>{date_of(n, 2020)[0]} {view.site_name} {says["rights"]}</p></footer></div>\n'
        f'<script type="application/json" id="{m}-store">{store}</script>\n{marked(_SHELL_SCRIPT, m)}</body></html>\n'
    )


def _shell_more(view: View, scope: str) -> str:
    m = view.style.mark
    named = ((view.submenu, "a"), (view.tools, "b"), (view.tags, "c"), (view.outside, "d"))
    lists = [
        f'<div {scope} class="{m}_tiles-{letter}">{join_links(links, f"<div {scope}>", "</div>")}</div>\n'
        for links, letter in named
        if links
    ]
    return "".join(lists) + "".join([_unseen(link, m) for link in view.hidden])


def _unseen(link: Anchor, mark: str) -> str:
    return f'<a href="{link.href}" class="{mark}_void" rel="nofollow" aria-hidden="true">{link.text}</a>'
