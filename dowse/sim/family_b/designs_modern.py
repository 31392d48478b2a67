"""Pages of the 2010s and 2020s: frameworks of columns, utility classes, landmarks, pages for telephones."""

from __future__ import annotations

from dowse.sim.family_b.markup import (
    date_of,
    divide_links,
    head_links,
    home_link,
    join_links,
    marked,
    plain_text,
    script_text,
    turn,
)
from dowse.sim.view import Anchors, Group, View

_TWELVE = """<style>
.container-~{max-width:1140px;margin:0 auto;padding:0 15px}.row-~{display:flex;flex-wrap:wrap;margin:0 -15px}
.col-md-8-~{flex:0 0 66%;max-width:66%;padding:15px;box-sizing:border-box}.col-md-4-~{flex:0 0 33%;padding:15px;box-sizing:border-box}
.navbar-~{background:#222;color:#ddd;padding:8px}.navbar-~ a{color:#9cf}.dropdown-~{display:inline-block;position:relative;margin-right:1em}
.dropdown-menu-~{display:none;position:absolute;background:#333;padding:8px;list-style:none;z-index:5}
.dropdown-~:hover .dropdown-menu-~,.dropdown-~:focus-within .dropdown-menu-~{display:block}.d-none-~{display:none!important}
</style>
"""


def write_twelve(view: View) -> str:
    """A page of 2016 on a grid of twelve columns: a dark bar with drop-down menus, panels at the right."""
    m, says, n = view.style.mark, view.says, view.number
    items = join_links(view.crumbs, f'<li class="breadcrumb-item-{m}">', "</li>")
    path = f'<ol class="breadcrumb-{m}">{items}</ol>\n' if view.crumbs else ""
    panels = (
        _panel(view, "", view.submenu),
        _panel(view, says["tags"], view.tags),
        _panel(view, says["friends"], view.outside),
    )
    return (
        f'<!DOCTYPE html>\n<html lang="{view.language}">\n<head>\n<meta charset="{view.encoding}">\n'
        '<meta http-equiv="X-UA-Compatible" content="IE=edge">\n<meta name="viewport" content="width=device-width">\n'
        f"{head_links(view)}<title>{view.title} &middot; {view.site_name}</title>\n{marked(_TWELVE, m)}</head>\n"
        f'<body class="page{n % 10}-{m}">\n<nav class="navbar-{m} navbar-dark-{m}"><div class="container-{m}">\n'
        f'{home_link(view, f" class=navbar-brand-{m}")}\n<button class="navbar-toggler-{m} d-none-{m}" type="button" '
        f'data-toggle="collapse" data-target="#nav-{m}" aria-label="{says["menu"]}"><span></span></button>\n'
        f'<div class="collapse-{m}" id="nav-{m}"><ul class="navbar-nav-{m}">{_drop_downs(view)}</ul>\n{view.header}</div></div></nav>\n'
        f'<div class="container-{m}">\n{path}<div class="row-{m}">\n<div class="col-md-8-{m}" id="content-{m}">'
        f'<div class="btn-group-{m} float-right-{m}">{divide_links(view.tools, " ", f" class=btn-{m} role=button")}</div>\n'
        f'{view.content}</div>\n<div class="col-md-4-{m}">{turn(panels, n)}</div>\n</div>\n'
        f'<footer class="footer-{m}"><hr>{view.footer}<p class="text-muted-{m}">&copy; {view.site_name} &mdash; {says["rights"]}</p>\n'
        f'<div class="d-none-{m}">{divide_links(view.hidden, " ", " rel=nofollow")}</div></footer>\n</div>\n</body>\n</html>\n'
    )


def _drop_downs(view: View) -> str:
    m = view.style.mark
    return "".join(
        [
            f'<li class="nav-item-{m} dropdown-{m}"><span class="nav-link-{m}" tabindex="0" data-toggle="dropdown" '
            f'aria-haspopup="true">{heading} <i class="caret-{m}"></i></span>\n<ul class="dropdown-menu-{m}">'
            f"{join_links(links, '<li>', '</li>', f' class=dropdown-item-{m}')}</ul></li>\n"
            for heading, links in view.menu
        ]
    )


def _panel(view: View, heading: str, links: Anchors) -> str:
    if not links:
        return ""
    m = view.style.mark
    top = f'<div class="panel-heading-{m}"><h3 class="panel-title-{m}">{heading}</h3></div>' if heading else ""
    items = divide_links(links, "\n", f" class=list-group-item-{m} style=display:block")
    return f'<div class="panel-{m} panel-default-{m}">{top}<div class="list-group-{m}">{items}</div></div>\n'


_UTILITY = """<style>
.~-mega{display:grid;grid-template-columns:repeat(auto-fit,minmax(180px,1fr));gap:1.5rem;padding:1rem;background:#f8fafc}
.~-flex{display:flex}.~-gap-4{gap:1rem}.~-gap-2{gap:.5rem}.~-justify-between{justify-content:space-between}.~-mx-auto{margin:0 auto}.~-max-w-7xl{max-width:80rem}
.~-space-y-2>*{margin-top:.5rem}.~-text-xs{font-size:.75rem}.~-text-lg{font-size:1.125rem}.~-text-2xl{font-size:1.5rem}
.~-sr-only{position:absolute;width:1px;height:1px;margin:-1px;overflow:hidden;clip:rect(0,0,0,0)}
</style>
"""
_SIZES = ("text-xs", "text-sm", "text-base", "text-lg", "text-2xl")


def write_utility(view: View) -> str:
    """A page of 2022 made of utility classes, with a mega-menu: a column for each group."""
    m, says, n = view.style.mark, view.says, view.number
    link = f' class="{m}-text-sm {m}-leading-6 {m}-hover-underline"'
    charset = "" if view.encoding == "utf-8" else f'<meta charset="{view.encoding}">'
    svg = f'<svg class="{m}-h-5 {m}-w-5" width="16" height="16" viewBox="0 0 20 20" aria-hidden="true"><path d="M3 5h14M3 10h14M3 15h14"/></svg>'
    path = f'<nav class="{m}-flex {m}-text-xs">{divide_links(view.crumbs, "<span>&nbsp;/&nbsp;</span>", link)}</nav>\n'
    return (
        f'<!doctype html><html lang="{view.language}" class="{m}-h-full {m}-antialiased"><head>{charset}'
        f'<meta name="viewport" content="width=device-width,initial-scale=1">{head_links(view)}<title>{view.title}</title>'
        f'{marked(_UTILITY, m)}</head><body class="{m}-flex-col {m}-min-h-full {m}-bg-white" data-page="{n}">\n'
        f'<header class="{m}-sticky {m}-top-0 {m}-z-40"><div class="{m}-mx-auto {m}-max-w-7xl {m}-flex {m}-justify-between {m}-px-6">'
        f"{home_link(view, f' class={m}-text-2xl')}{svg}{view.header}</div>\n{_mega_menu(view, link)}</header>\n"
        f'<div class="{m}-mx-auto {m}-max-w-7xl {m}-px-6 {m}-py-8"><div class="{m}-space-y-2">{path if view.crumbs else ""}'
        f'<h1 class="{m}-text-2xl {m}-tracking-tight">{view.title}</h1><div class="{m}-flex {m}-gap-4">{divide_links(view.submenu, " ", link)}</div>\n'
        f'<div class="{m}-prose">{view.content}</div><div class="{m}-flex {m}-gap-2">{divide_links(view.tools, " ", link)}</div></div>\n'
        f'{_utility_tags(view)}</div>\n<footer class="{m}-bg-gray-50 {m}-mt-12"><div class="{m}-mx-auto {m}-max-w-7xl {m}-px-6">{view.footer}'
        f'<p class="{m}-text-sm {m}-font-semibold">{says["friends"]}</p><ul role="list" class="{m}-space-y-2">{join_links(view.outside, "<li>", "</li>", link)}</ul>'
        f'<p class="{m}-text-xs">&copy; {date_of(n, 2019)[0]} {view.site_name}, {says["rights"]}</p></div>'
        f'<div class="{m}-sr-only" aria-hidden="true">{divide_links(view.hidden, " ")}</div></footer></body></html>\n'
    )


def _mega_menu(view: View, link: str) -> str:
    m = view.style.mark
    columns = [
        f'<div><h3 class="{m}-text-sm {m}-font-semibold">{heading}</h3>'
        f'<ul role="list" class="{m}-mt-4 {m}-space-y-2">{join_links(links, "<li>", "</li>", link)}</ul></div>'
        for heading, links in view.menu
    ]
    return f'<div class="{m}-mega {m}-border-b" role="navigation">{"".join(columns)}</div>'


def _utility_tags(view: View) -> str:
    if not view.tags:
        return ""
    m = view.style.mark
    tags = [
        f'<a href="{href}" class="{m}-rounded-full {m}-px-3 {m}-{_SIZES[(place * 3 + len(text)) % 5]}">{text}</a> '
        for place, (href, text) in enumerate(view.tags)
    ]
    return f'<div class="{m}-mt-6">{"".join(tags)}</div>'


_MINISTRY = """<style>
.~-skip{position:absolute;left:-9999px}.~-skip:focus{left:8px}.~-wrap{max-width:960px;margin:0 auto}
.~-header{background:#0b0c0c;color:#fff}.~-header a{color:#fff}.~-breadcrumbs li{display:inline}.~-breadcrumbs li+li:before{content:'\\203A\\A0'}
.~-footer{background:#f3f2f1;border-top:1px solid #b1b4b6}.~-footer__columns{display:flex;flex-wrap:wrap;gap:30px}
.~-u-zero{width:0;height:0;overflow:hidden;display:block}
</style>
<script>document.body&&(document.body.className+=' js-~');</script>
"""


def write_ministry(view: View) -> str:
    """A public authority of 2020: skip links, landmarks, the menu at the foot in sections that fold."""
    m, says, n = view.style.mark, view.says, view.number
    year, month, day = date_of(n, 2018)
    steps = join_links(view.crumbs, f'<li class="{m}-breadcrumbs__item">', "</li>")
    path = f'<nav class="{m}-breadcrumbs" aria-label="{says["here"]}"><ol>{steps}</ol></nav>\n' if steps else ""
    charset = "" if view.encoding == "utf-8" and n % 2 else f'<meta charset="{view.encoding}">\n'
    return (
        f'<!DOCTYPE html>\n<html lang="{view.language}" class="{m}-template">\n<head>\n{charset}<title>{view.title} - {view.site_name}</title>\n'
        f'<meta name="theme-color" content="#0b0c0c">\n{head_links(view)}<meta property="og:title" content="{view.title}">\n{marked(_MINISTRY, m)}</head>\n'
        f'<body class="{m}-template__body">\n<a href="#{m}-main" class="{m}-skip" data-module="{m}-skip">{says["skip"]}</a>\n'
        f'<a href="#{m}-foot" class="{m}-skip">{says["menu"]}</a>\n<header class="{m}-header" role="banner" data-module="{m}-header">'
        f'<div class="{m}-wrap"><div class="{m}-header__logo">{home_link(view, f" class={m}-header__link")}</div>{view.header}</div></header>\n'
        f'<div class="{m}-wrap">{path}<main id="{m}-main" role="main" tabindex="-1" lang="{view.language}">\n<h1 class="{m}-heading-xl">{view.title}</h1>\n'
        f'{view.content}\n{_ministry_related(view)}<p class="{m}-meta">{says["updated"]} <time datetime="{year}-{month:02}-{day:02}">'
        f'{day}.{month}.{year}</time> <a href="#">{says["top"]}</a></p></main>\n{view.footer}</div>\n'
        f'<footer class="{m}-footer" role="contentinfo" id="{m}-foot"><div class="{m}-wrap"><nav aria-label="{says["menu"]}">{_ministry_menu(view)}</nav>\n'
        f'<div class="{m}-footer__meta"><h2>{says["friends"]}</h2>{join_links(view.outside, "<p>", "</p>", " rel=external")}'
        f'<span>{says["rights"]}</span></div></div>\n<span class="{m}-u-zero" aria-hidden="true">{divide_links(view.hidden, " ", " tabindex=-1 rel=nofollow")}</span>'
        "</footer>\n</body>\n</html>\n"
    )


def _ministry_menu(view: View) -> str:
    m = view.style.mark
    columns = [
        f'<details class="{m}-footer__section" open><summary><h2 class="{m}-footer__heading">{heading}</h2></summary>\n'
        f'<ul class="{m}-footer__list">{join_links(links, "<li>", "</li>", f" class={m}-footer__link")}</ul></details>\n'
        for heading, links in view.menu
    ]
    return f'<div class="{m}-footer__columns">{"".join(columns)}</div>'


def _ministry_related(view: View) -> str:
    m = view.style.mark
    lists = [
        f'<ul class="{m}-related__list" id="{m}-related-{place}">{join_links(links, "<li>", "</li>")}</ul>\n'
        for place, links in enumerate((view.submenu, view.tags, view.tools))
        if links
    ]
    return f'<aside class="{m}-related" role="complementary">{"".join(lists)}</aside>\n' if lists else ""


_SWIFT = """<style ~-boilerplate>body{-webkit-animation:none;animation:none}</style>
<style ~-custom>
body{margin:0;font:16px/1.5 Roboto,Helvetica,sans-serif}~-sidebar{display:block;padding:12px;background:#eef}
~-accordion section{border-bottom:1px solid #ddd}.~_card{box-shadow:0 1px 3px #999;margin:12px;padding:12px}
.~_bar{background:#b71c1c;color:#fff;padding:12px;display:flex;justify-content:space-between}.~_bar a{color:#fff}
.~_chip{display:inline-block;border-radius:16px;background:#eee;padding:0 10px}.~_away{transform:scale(0);position:absolute;left:-5000px}
</style>
"""


def write_swift(view: View) -> str:
    """A page for telephones of 2017: elements of its own, cards, the menu in a side bar after everything else."""
    m, says, n = view.style.mark, view.says, view.number
    about = {"@context": "https://schema.org", "@type": "WebPage", "headline": plain_text(view.title), "position": n}
    chips = divide_links(view.tags, " ", f" class={m}_chip")
    cards = (
        f'<div class="{m}_card">{join_links(view.outside, "<div>", "</div>", " target=_blank rel=noopener")}</div>\n'
        if view.outside
        else "",
        f'<div class="{m}_card">{chips}</div>\n' if chips else "",
    )
    return (
        f'<!doctype html>\n<html {m} lang="{view.language}">\n<head>\n<meta charset="{view.encoding}">\n<title>{view.title}</title>\n'
        f'{head_links(view)}<meta name="viewport" content="width=device-width,minimum-scale=1">\n{marked(_SWIFT, m)}'
        f'<script type="application/ld+json">{script_text(about)}</script>\n</head>\n<body>\n'
        f'<div class="{m}_bar"><span role="button" tabindex="0" on="tap:{m}_side.toggle" aria-label="{says["menu"]}">&#9776;</span>'
        f"<b>{view.site_name}</b><span>{divide_links(view.tools, ' ')}</span></div>\n{view.header}\n"
        f'<div class="{m}_card"><h1>{view.title}</h1>\n{view.content}</div>\n<div class="{m}_card">{join_links(view.submenu, "<div>", "</div>")}</div>\n'
        f'{turn(cards, n)}{view.footer}\n<footer class="{m}_card"><small>{says["rights"]}</small></footer>\n'
        f'<{m}-sidebar id="{m}_side" layout="nodisplay" side="left">\n<{m}-accordion>{_swift_menu(view)}</{m}-accordion></{m}-sidebar>\n'
        f'<div class="{m}_away">{divide_links(view.hidden, " ")}</div>\n</body>\n</html>\n'
    )


def _swift_menu(view: View) -> str:
    way = (Group(view.says["here"], view.crumbs),) if view.crumbs else ()
    return "".join(
        [
            f"<section expanded><h4>{heading}</h4><div>{join_links(links, '<div>', '</div>')}</div></section>\n"
            for heading, links in (*view.menu, *way)
        ]
    )
