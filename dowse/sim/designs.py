"""Site designs, from tables of 1997 to nested parts of today: a View goes in, HTML comes out."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

Anchors = tuple[tuple[str, str], ...]  # href as written, text


@dataclass(frozen=True, slots=True)
class View:
    """What a design lays out."""

    title: str
    site_name: str
    encoding: str
    base: str  # href of the base element, or nothing
    css: str
    menu: Anchors
    submenu: Anchors
    crumbs: Anchors
    tools: Anchors
    outside: Anchors  # links to other sites on every page
    header: str  # forms that stand above the text
    content: str
    footer: str  # forms that stand below it


def _listed(links: Anchors, css: str = "") -> str:
    if not links:
        return ""
    mark = f' class="{css}"' if css else ""
    rows = "\n".join(f'<li><a href="{href}">{text}</a></li>' for href, text in links)
    return f"<ul{mark}>\n{rows}\n</ul>"


def _in_line(links: Anchors, between: str = " | ") -> str:
    return between.join(f'<a href="{href}">{text}</a>' for href, text in links)


def _old_lines(links: Anchors) -> str:
    return "\n".join(f'<A HREF="{href}"><FONT SIZE=2>{text}</FONT></A><BR>' for href, text in links)


def _head(view: View, doctype: str, extra: str = "") -> str:
    base = f'<base href="{view.base}">\n' if view.base else ""
    return (
        f'{doctype}<head>\n<meta charset="{view.encoding}">\n{base}<title>{view.title} - {view.site_name}</title>\n'
        f"{extra}</head>\n"
    )


def _table97(view: View) -> str:
    base = f'<BASE HREF="{view.base}">' if view.base else ""
    side = _old_lines(view.submenu)
    return f"""<HTML><HEAD>{base}<TITLE>{view.site_name}: {view.title}</TITLE>
<META HTTP-EQUIV="Content-Type" CONTENT="text/html; charset={view.encoding}"></HEAD>
<BODY BGCOLOR="#FFFFFF" LINK=#0000CC>
<TABLE WIDTH=600 BORDER=0 CELLPADDING=4><TR>
<TD COLSPAN=2 BGCOLOR=#003366><FONT COLOR=white SIZE=5>{view.site_name}</FONT>
{view.header}</TD></TR>
<TR><TD VALIGN=top WIDTH=130 BGCOLOR=#EEEEEE>{_old_lines(view.menu)}<HR>{side}</TD>
<TD VALIGN=top><FONT FACE="Arial">{view.content}
<P>{_in_line(view.tools, " ")}</FONT></TD></TR>
<TR><TD COLSPAN=2><CENTER>{view.footer}<P><FONT SIZE=1>{_in_line(view.outside, " - ")}</FONT></CENTER>
</TABLE></BODY></HTML>"""


def _left_menu(view: View) -> str:
    css = view.css
    return f"""{_head(view, '<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Transitional//EN"><html>')}<body>
<div id="{css}top"><h2>{view.site_name}</h2>{view.header}</div>
<div id="{css}left">{_listed(view.menu, css + "menu")}{_listed(view.submenu, css + "sub")}</div>
<div id="{css}main"><p class="{css}path">{_in_line(view.crumbs, " &gt; ")}</p>
{view.content}
<p class="{css}tools">{_in_line(view.tools)}</p></div>
<div id="{css}foot">{view.footer}<p>{_in_line(view.outside)}</p><p>&copy; 2006 {view.site_name}</p></div>
</body></html>"""


def _top_nav(view: View) -> str:
    css = view.css
    return f"""{_head(view, "<!DOCTYPE html><html lang=en>", "<style>body{margin:0}</style>")}<body>
<div class="{css}bar"><b>{view.site_name}</b> {_in_line(view.menu)}</div>
<div class="{css}search">{view.header}</div>
<div class="{css}second">{_in_line(view.submenu, " &middot; ")}</div>
<div class="{css}crumb">You are here: {_in_line(view.crumbs, " / ")}</div>
{view.content}
<div class="{css}small">{_in_line(view.tools)}</div>
<div class="{css}foot">{view.footer} {_in_line(view.outside)}</div></body></html>"""


def _footer_nav(view: View) -> str:
    return f"""{_head(view, "<html>")}<body><h1>{view.site_name}</h1>
{view.content}
{view.header}
<p>{_in_line(view.tools, ", ")}</p><hr>
<p align=center>[ {_in_line(view.menu, " ] [ ")} ]</p>
<p align=center>{_in_line(view.submenu, " - ")}</p>
<div>{view.footer}</div><p><small>Friends: {_in_line(view.outside, ", ")}</small></p></body></html>"""


def _modern(view: View) -> str:
    css = view.css
    cards = "".join(
        f'<div class="{css}chip"><a class="{css}chip__a" href="{href}"><span>{text}</span></a></div>'
        for href, text in view.submenu
    )
    return f"""{_head(view, '<!doctype html><html lang="en">', '<meta name="viewport" content="width=device-width">')}
<body class="{css}app">
<header class="{css}header"><div class="{css}wrap"><div class="{css}brand"><span>{view.site_name}</span></div>
<nav aria-label="Main"><div class="{css}nav">{_listed(view.menu, css + "nav__list")}</div></nav>
<div class="{css}tools">{view.header}</div></div></header>
<main><article><div class="{css}inner">{view.content}</div></article>
<aside><div class="{css}chips">{cards}</div><div>{_in_line(view.tools, " ")}</div></aside></main>
<footer><div class="{css}wrap">{view.footer}<div class="{css}ext">{_listed(view.outside)}</div></div></footer>
<script>window.app={{ready:true}};</script></body></html>"""


def _plain(view: View) -> str:
    base = f"<base href={view.base}>" if view.base else ""
    return f"""<title>{view.title}</title>{base}
<meta http-equiv=content-type content="text/html; charset={view.encoding}">
<center><font size=+2>{view.site_name}</font><br>{_in_line(view.menu)}</center><hr>
{view.header}<p>{_in_line(view.submenu, "<br>")}
<p>{view.content}
<hr><font size=-1>{_in_line(view.tools, " ")} {_in_line(view.outside)}</font>
{view.footer}<p><i>Last modified: May 2006"""


def _portal(view: View) -> str:
    css = view.css
    groups = "".join(
        f'<li><a href="{href}">{text}</a>{_listed(view.submenu) if place == 1 else ""}</li>'
        for place, (href, text) in enumerate(view.menu)
    )
    friends = "".join(f'<dt><a href="{href}">{text}</a></dt>' for href, text in view.outside)
    return f"""{_head(view, "<!DOCTYPE html><html><!-- portal -->")}<body><table class="{css}grid"><tr><td colspan="3">
<ul class="{css}drop">{groups}</ul></td></tr><tr><td class="{css}a"><h4>{view.site_name}</h4>{view.header}
<p>{_in_line(view.tools, "<br>")}</p></td><td class="{css}b">
<div class="{css}trail">{_in_line(view.crumbs, " &raquo; ")}</div>
{view.content}</td><td class="{css}c">{view.footer}<dl>{friends}</dl>
</td></tr></table></body></html>"""


def _wiki(view: View) -> str:
    css = view.css
    return f"""{_head(view, '<!DOCTYPE html><html class="client">')}<body><div id="content"><a id="top"></a>
<div class="{css}tabs">{_listed(view.tools)}</div><div id="{css}body">{view.content}</div></div>
<div id="{css}column"><div class="portlet"><h3>Navigation</h3>{_listed(view.menu)}</div>
<div class="portlet"><h3>In this part</h3>{_listed(view.submenu)}</div>
<div class="portlet"><h3>Toolbox</h3>{view.header}{_listed(view.outside)}</div></div>
<div id="footer">{view.footer}</div></body></html>"""


DESIGNS: dict[str, Callable[[View], str]] = {
    "table97": _table97,
    "left_menu": _left_menu,
    "top_nav": _top_nav,
    "footer_nav": _footer_nav,
    "modern": _modern,
    "plain": _plain,
    "portal": _portal,
    "wiki": _wiki,
}
