"""Pages as content management systems write them."""

from __future__ import annotations

from dowse.sim.family_b.markup import date_of, divide_links, head_links, home_link, join_links, marked, turn
from dowse.sim.view import Anchors, View

_PAGEROOT = """<style type="text/css">
/*<![CDATA[*/
#mod_~_nav ul{list-style:none;margin:0;padding:0}#mod_~_nav>ul>li{float:left;position:relative;margin-right:20px}
#mod_~_nav li ul{display:none;position:absolute;background:#fff;z-index:9}#mod_~_nav li:hover ul{display:block}
.csc-~{clear:both}#mod_~_left{float:left;width:200px}.csc-~-default{clear:none;margin-left:220px}#mod_~_foot{clear:both}.mod_~_far{position:absolute;left:-9999px;top:auto}
/*]]>*/
</style>
<script type="text/javascript">
/*<![CDATA[*/
function ~decode(s){return s.split('').reverse().join('')}
/*]]>*/
</script>
"""


def write_pageroot(view: View) -> str:
    """A system of 2007 with a page tree: drop-down menu under headings, content elements with numbers."""
    m, says = view.style.mark, view.says
    year, month, day = date_of(view.number, 2006)
    path = f'<div id="mod_{m}_root">{says["here"]}: {divide_links(view.crumbs, "&nbsp;&gt;&nbsp;")}</div>\n'
    return (
        f'<?xml version="1.0" encoding="{view.encoding}"?>\n<!DOCTYPE html\n     PUBLIC "-//W3C//DTD XHTML 1.0 Transitional//EN"\n'
        '     "http://www.w3.org/TR/xhtml1/DTD/xhtml1-transitional.dtd">\n'
        f'<html xml:lang="{view.language}" lang="{view.language}" xmlns="http://www.w3.org/1999/xhtml">\n<head>\n'
        f'\t<meta http-equiv="Content-Type" content="text/html; charset={view.encoding}" />\n'
        f"<!-- \n\tpage {view.number}, cached {year}-{month:02}-{day:02}\n-->\n{head_links(view, ' />')}"
        f"<title>{view.site_name}: {view.title}</title>\n{marked(_PAGEROOT, m)}</head>\n<body>\n"
        f'<div id="mod_{m}_page"><div id="mod_{m}_head"><div class="mod_{m}_logo">{home_link(view)}</div>{view.header}</div>\n'
        f'<div id="mod_{m}_nav">{_pageroot_menu(view)}<div class="csc-{m}"></div></div>\n{path if view.crumbs else ""}'
        f'<div id="mod_{m}_left">{_pageroot_left(view)}</div>\n<!--{m}_begin-->\n'
        f'<div id="c{view.number * 13 % 4001}-{m}" class="csc-{m} csc-{m}-default">{view.content}</div>\n<!--{m}_end-->\n'
        f'<div id="mod_{m}_foot">{view.footer}<p class="bodytext-{m}">{divide_links(view.tools, " | ")}<br />'
        f'{says["updated"]}: {day:02}.{month:02}.{year}</p>\n<div class="mod_{m}_far">{divide_links(view.hidden, " ")}</div></div>\n'
        "</div>\n</body>\n</html>\n"
    )


def _pageroot_menu(view: View) -> str:
    items = [
        f'<li class="mod_{view.style.mark}_ifsub"><span>{heading}</span>\n<ul>{join_links(links, "<li>", "</li>")}</ul></li>\n'
        for heading, links in view.menu
    ]
    return f"<ul>{''.join(items)}</ul>"


def _pageroot_left(view: View) -> str:
    m = view.style.mark
    near = f'<ul class="mod_{m}_sub">{join_links(view.submenu, "<li>", "</li>")}</ul>\n' if view.submenu else ""
    friends = f"<h4>{view.says['friends']}</h4>{join_links(view.outside, '<p>', '</p>')}" if view.outside else ""
    tags = f'<p class="mod_{m}_tags">{divide_links(view.tags, " ")}</p>' if view.tags else ""
    return near + turn((friends, tags), view.number)


_WEBLOG = """<style id="~-inline-css">
.~-site{max-width:1100px;margin:0 auto;display:grid;grid-template-columns:1fr 300px;gap:2rem}
.~-site__top,.~-site__end{grid-column:1/-1}.~-menu{display:flex;flex-wrap:wrap;list-style:none;gap:1rem;padding:0}
.~-menu ul{padding-left:1em}.screen-reader-~{border:0;clip:rect(1px,1px,1px,1px);height:1px;overflow:hidden;position:absolute;width:1px}
</style>
<script>document.documentElement.className=document.documentElement.className.replace('no-js-~','js-~');</script>
"""


def write_weblog(view: View) -> str:
    """A weblog theme of 2014: numbered menu items, widgets at the right, a cloud of tags in different sizes."""
    m, says, n = view.style.mark, view.says, view.number
    year, month, day = date_of(n, 2013)
    charset = f'<meta charset="{view.encoding.upper()}">\n'
    widgets = (
        _widget(view, 2, says["friends"], view.outside),
        _cloud(view),
        _widget(view, 4, says["menu"], view.submenu),
    )
    return (
        f'<!DOCTYPE html>\n<html lang="{view.language}" class="no-js-{m}">\n<head>\n{charset}'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"{head_links(view, ' />')}<title>{view.title} &#8211; {view.site_name}</title>\n{marked(_WEBLOG, m)}</head>\n"
        f'<body class="{m}-body {m}-page-{n}">\n<div id="{m}-page" class="{m}-site {m}-feed">\n'
        f'<header id="{m}-masthead" class="{m}-site__top" role="banner"><p class="{m}-site__title">{home_link(view)}</p>\n'
        f'<nav id="{m}-navigation" role="navigation"><h2 class="screen-reader-{m}">{says["menu"]}</h2>\n{_weblog_menu(view)}</nav>'
        f"<!-- #{m}-navigation -->\n{view.header}</header><!-- #{m}-masthead -->\n"
        f'<main id="{m}-main" role="main">\n<article id="{m}-post-{n}" class="{m}-post {m}-post--{n % 6}">\n'
        f'<header class="{m}-post__head"><h1 class="{m}-post__title">{view.title}</h1></header>\n'
        f'<div class="{m}-post__body">{view.content}</div>\n<footer class="{m}-post__meta"><time datetime="{year}-{month:02}-'
        f'{day:02}">{day:02}.{month:02}.{year}</time> {divide_links(view.tools, " ")}</footer></article>\n{view.footer}\n</main>\n'
        f'<aside id="{m}-secondary" role="complementary">{turn(widgets, n)}</aside><!-- #{m}-secondary -->\n'
        f'<footer id="{m}-colophon" class="{m}-site__end">&copy; {year} {view.site_name}. {says["rights"]}\n'
        f"{_weblog_unseen(view.hidden)}</footer>\n</div><!-- #{m}-page -->\n</body>\n</html>\n"
    )


def _weblog_menu(view: View) -> str:
    m, number, items = view.style.mark, 20, []
    for heading, links in view.menu:
        inner = []
        for href, text in links:
            number += 1
            inner.append(
                f'<li id="{m}-item-{number}" class="{m}-item {m}-item-{number}"><a href="{href}">{text}</a></li>\n'
            )
        items.append(f'<li class="{m}-item {m}-item--parent"><span>{heading}</span>\n<ul>{"".join(inner)}</ul></li>\n')
    return f'<ul id="menu-{m}" class="{m}-menu">{"".join(items)}</ul>'


def _widget(view: View, number: int, heading: str, links: Anchors) -> str:
    if not links:
        return ""
    m = view.style.mark
    return (
        f'<section id="{m}-block-{number}" class="{m}-widget {m}-widget--{number}"><h3 class="{m}-widget__title">{heading}</h3>'
        f"<ul>{join_links(links, '<li>', '</li>')}</ul></section>\n"
    )


def _cloud(view: View) -> str:
    if not view.tags:
        return ""
    m = view.style.mark
    links = [
        f'<a href="{href}" rel="tag" class="tag-{place}-{m}" style="font-size:{8 + (place * 7 + len(text)) % 14}pt">{text}</a>\n'
        for place, (href, text) in enumerate(view.tags)
    ]
    return f'<section class="{m}-widget"><h3 class="{m}-widget__title">{view.says["tags"]}</h3>{"".join(links)}</section>\n'


def _weblog_unseen(links: Anchors) -> str:
    return "".join([f'<p style="display:none !important"><a href="{h}" rel="nofollow">{t}</a></p>' for h, t in links])


_REGIONS = """<style media="all">
.~-layout{display:flex;flex-flow:row wrap}.~-layout__side{flex:0 0 240px;order:1}.~-layout__content{flex:1;order:2}
.~-region{padding:12px}.~-block ul{margin:0 0 0 1em}.~-block--off{position:absolute!important;left:-10000px}
.visually-~{clip:rect(1px,1px,1px,1px);overflow:hidden;height:1px;width:1px;position:absolute}
</style>
"""


def write_regions(view: View) -> str:
    """A system of 2018 with regions and blocks; the menu stands in blocks at the left, after the content in the source."""
    m, says, n = view.style.mark, view.says, view.number
    settings = f'{{"path":{{"current":"node/{n}","front":false}},"user":{{"hash":"{m}{n * 31 % 997}"}}}}'
    menu = [_block(view, f"menu{place}", heading, links) for place, (heading, links) in enumerate(view.menu)]
    extra = (
        _block(view, "near", "", view.submenu),
        _block(view, "out", says["friends"], view.outside),
        _block(view, "terms", "", view.tags),
    )
    crumbs = join_links(view.crumbs, "<li>", "</li>")
    path = f'<nav class="{m}-path" aria-labelledby="{m}-path"><h2 id="{m}-path" class="visually-{m}">{says["here"]}</h2><ol>{crumbs}</ol></nav>\n'
    return (
        f'<!DOCTYPE html>\n<html lang="{view.language}" dir="ltr" prefix="og: https://ogp.me/ns#">\n<head>\n'
        f'<meta charset="{view.encoding}" />\n{head_links(view, " />")}<meta name="MobileOptimized" content="width" />\n'
        f"<title>{view.title} | {view.site_name}</title>\n{marked(_REGIONS, m)}</head>\n"
        f'<body class="{m}-path-node {m}-page-{n}">\n<a href="#{m}-main" class="visually-{m}">{says["skip"]}</a>\n'
        f'<div class="dialog-off-canvas-{m}" data-{m}-canvas><div class="{m}-layout">\n'
        f'<div class="{m}-region {m}-region--header" style="flex:1 0 100%"><div class="{m}-branding">{home_link(view, " rel=home")}</div>\n{view.header}</div>\n'
        f'<main class="{m}-layout__content" role="main"><a id="{m}-main" tabindex="-1"></a>\n<div class="{m}-region">'
        f'{path if view.crumbs else ""}<h1><span>{view.title}</span></h1>\n<div class="{m}-tabs">{join_links(view.tools, "<span>", "</span> ")}</div>\n'
        f'<article data-history-{m}-id="{n}" class="{m}-node"><div class="{m}-node__content">{view.content}</div></article></div></main>\n'
        f'<aside class="{m}-layout__side"><div class="{m}-region">{"".join(menu)}{turn(extra, n)}</div></aside>\n'
        f'<footer style="order:3;flex:1 0 100%"><div class="{m}-region">{view.footer}<p>{says["rights"]}</p>\n'
        f'<div class="{m}-block {m}-block--off" aria-hidden="true">{divide_links(view.hidden, " ", " tabindex=-1")}</div></div></footer>\n'
        f'</div></div>\n<script type="application/json" data-{m}-selector="settings">{settings}</script>\n</body>\n</html>\n'
    )


def _block(view: View, name: str, heading: str, links: Anchors) -> str:
    if not links:
        return ""
    m = view.style.mark
    title = f'<h2 class="{m}-block__title">{heading}</h2>' if heading else ""
    items = join_links(links, f'<li class="{m}-leaf">', "</li>\n", f' data-{m}-link="system"')
    return f'<div id="block-{m}-{name}" class="{m}-block" role="navigation">{title}\n<ul class="{m}-list">{items}</ul></div>\n'
