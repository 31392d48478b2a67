"""Pages that an application server of the 2000s writes: web forms, portals, catalogues, boards, dense entrances."""

from __future__ import annotations

from dowse.sim.family_b.markup import PIXEL, date_of, divide_links, head_links, home_link, join_links, marked, turn
from dowse.sim.family_b.naming import digest
from dowse.sim.view import Anchor, Anchors, Group, View

_STRICT = (
    '<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Strict//EN" "http://www.w3.org/TR/xhtml1/DTD/xhtml1-strict.dtd">\n'
)


def _xhtml_start(view: View) -> str:
    return (
        f'{_STRICT}<html xmlns="http://www.w3.org/1999/xhtml" xml:lang="{view.language}" lang="{view.language}">\n'
        f'<head>\n<meta http-equiv="Content-Type" content="text/html; charset={view.encoding}" />\n'
    )


_POSTBACK = """<script type="text/javascript">
//<![CDATA[
var theArea=document.getElementById('ctl00_~_upMain');
function __do~(t,a){var e=document.getElementById('__EVENTTARGET');if(e){e.value=t}return false}
function ~_flyout(n,on){n.className=on?'~Ctl ~Ctl-on':'~Ctl'}
//]]>
</script>
<style type="text/css">
.ctl00_~_mnu_0{background-color:white;visibility:hidden;display:none;position:absolute;left:0px;top:0px}
.ctl00_~_mnu_1{text-decoration:none}
.~Ctl-skip{position:absolute;width:1px;height:1px;overflow:hidden}
#ctl00_~_left{float:left;width:190px} #ctl00_~_main{margin-left:210px}
</style>
"""


def write_postback(view: View) -> str:
    """A web form of 2006: numbered controls, the menu as a table of tables, the state of the page in hidden inputs."""
    m, says = view.style.mark, view.says
    n = view.number
    state = f"/wEPDwUK{digest(view.title)}{n:08}D2QWAgIDD2QWAgIBDw8WAh4EVGV4dAU{digest(m)}ZGRk"
    steps = [f'<span><a href="{href}">{text}</a></span>' for href, text in view.crumbs]
    path = f'<span id="ctl00_{m}_smp">{"<span> &gt; </span>".join(steps)}</span>' if steps else ""
    unseen = join_links(view.hidden, f'<span class="{m}Ctl-skip" style="display:none">', "</span>", ' rel="nofollow"')
    return (
        f'{_xhtml_start(view)}<title>\n\t{view.title}\n</title>{head_links(view, " />")}</head>\n<body id="ctl00_{m}_Body{n}">\n'
        f'<div class="aspHidden{m}"><input type="hidden" id="__EVENTTARGET" value="" />\n'
        f'<input type="hidden" id="__VIEWSTATE" value="{state}" /></div>\n{marked(_POSTBACK, m)}'
        f'<a href="#ctl00_{m}_skip"><img src="{PIXEL}" alt="{says["skip"]}" width="0" height="0" style="border-width:0px" /></a>\n'
        f'<div id="ctl00_{m}_top"><h1>{home_link(view, f" id=ctl00_{m}_lnkLogo")}</h1>{view.header}</div>\n'
        f'<div id="ctl00_{m}_left">{_postback_menu(view)}</div>\n'
        f'<div id="ctl00_{m}_main"><a name="ctl00_{m}_skip"></a>{path}\n'
        f'<div id="ctl00_{m}_upMain" class="{m}Ctl">\n{view.content}\n</div>\n{_postback_lists(view)}{view.footer}</div>\n'
        f'<div id="ctl00_{m}_bottom" style="clear:both"><span id="ctl00_{m}_lblRights">{says["rights"]}</span>{unseen}</div>\n'
        "</body>\n</html>\n"
    )


def _postback_menu(view: View) -> str:
    m, rows = view.style.mark, []
    for number, (heading, links) in enumerate((*view.menu, Group("", view.submenu))):
        cells = [
            f'<tr id="ctl00_{m}_mnun{number}{place}"><td><table class="ctl00_{m}_mnu_2" cellpadding="0" cellspacing="0" '
            f'border="0" width="100%"><tr><td style="white-space:nowrap;width:100%">'
            f'<a class="ctl00_{m}_mnu_1" href="{href}">{text}</a></td></tr></table></td></tr>'
            for place, (href, text) in enumerate(links)
        ]
        rows.append(f"<tr><td><b>{heading}</b></td></tr>{''.join(cells)}\n" if cells else "")
    return f'<table id="ctl00_{m}_mnu" cellpadding="0" cellspacing="0" border="0">\n{"".join(rows)}</table>\n'


def _postback_lists(view: View) -> str:
    m, says = view.style.mark, view.says
    named = ((says["friends"], view.outside), ("", view.tools), ("", view.tags))
    return "".join(
        [
            f'<table id="ctl00_{m}_dl{place}" cellspacing="0"><tr><td><b>{heading}</b></td></tr>'
            f"{join_links(links, '<tr><td>', '</td></tr>')}</table>\n"
            for place, (heading, links) in enumerate(named)
            if links
        ]
    )


_PORTLETS = """<style type="text/css">
.~_layout{display:table;width:100%}.~_column{display:table-cell;vertical-align:top;padding:6px}
.~_portlet{border:1px solid #9ab;margin-bottom:8px}.~_bar{background:#cde;font-weight:bold;padding:2px 6px}
.~_tabs li{display:inline;padding:0 8px;border-right:1px solid #999}.~_tabs ul{margin:0;padding:0}
</style>
<script type="text/javascript">var ~_portal={ctx:'/~',render:function(id){return document.getElementById(id)}};</script>
"""


def write_portlets(view: View) -> str:
    """A Java portal of 2008: everything is a portlet in one of three columns, groups of the menu are tabs."""
    m, says, n = view.style.mark, view.says, view.number
    tabs = "".join(
        [
            f'<ul class="{m}_tab{place}"><li><strong>{heading}</strong></li>{join_links(links, "<li>", "</li>")}</ul>\n'
            for place, (heading, links) in enumerate(view.menu)
        ]
    )
    left = (_portlet(view, 1, says["menu"], view.submenu), _portlet(view, 2, says["tags"], view.tags))
    right = (_portlet(view, 3, says["friends"], view.outside), _portlet(view, 4, "", view.tools))
    unseen = (
        f'<div style="height:0;width:0;overflow:hidden">{divide_links(view.hidden, " ")}</div>\n' if view.hidden else ""
    )
    here = f'<div class="{m}_path">{says["here"]} {divide_links(view.crumbs, " / ")}</div>\n' if view.crumbs else ""
    return (
        f"{_xhtml_start(view)}<title>{view.title} - {view.site_name}</title>\n{head_links(view, ' />')}"
        f'{marked(_PORTLETS, m)}</head>\n<body class="{m}_skin{n % 4}">\n<!-- page {n} layout-3col -->\n'
        f'<div id="{m}_banner"><h1>{view.site_name}</h1>{view.header}</div>\n<div class="{m}_tabs">{tabs}</div>\n{here}'
        f'<div class="{m}_layout">\n<div class="{m}_column" id="{m}_column_1" style="width:18%">{turn(left, n)}</div>\n'
        f'<div class="{m}_column" id="{m}_column_2">\n<div class="{m}_portlet" id="p_p_id_{m}_{n}_">\n'
        f'<div class="{m}_bar"><span>{view.title}</span></div>\n<div class="{m}_body"><div>{view.content}</div></div></div>\n'
        f'</div>\n<div class="{m}_column" id="{m}_column_3" style="width:18%">{turn(right, n)}</div>\n</div>\n'
        f'<div id="{m}_footer">{view.footer}{unseen}<p>{says["rights"]}</p></div>\n</body>\n</html>\n'
    )


def _portlet(view: View, number: int, heading: str, links: Anchors) -> str:
    if not links:
        return ""
    m = view.style.mark
    bar = f'<div class="{m}_bar"><span>{heading}</span></div>' if heading else ""
    return (
        f'<div class="{m}_portlet" id="p_p_id_{m}_{number}_INSTANCE_{digest(m + heading)}_">{bar}'
        f'<div class="{m}_body">{join_links(links, "<p>", "</p>")}</div></div>\n'
    )


_STACKS = """<style type="text/css">
#doc3-~{margin:auto 10px}#bd-~{overflow:hidden}.yui-b-~{float:left;width:14em}.yui-main-~{margin-left:15em}
.unapi-~{position:absolute;clip:rect(0,0,0,0);height:1px;width:1px;overflow:hidden}
ul.toolbar-~ li{display:inline;margin-right:1em}h4.facet-~{margin:0;background:#efe}
</style>
"""


def write_stacks(view: View) -> str:
    """A library catalogue of 2009: a tool bar on top, headings with their links at the left like facets."""
    m, says = view.style.mark, view.says
    facets = "".join(
        [
            f'<li id="facet{place}-{m}"><h4 class="facet-{m}">{heading}</h4>\n<ul>{join_links(links, "<li>", "</li>")}</ul></li>\n'
            for place, (heading, links) in enumerate(view.menu)
        ]
    )
    path = f'<div id="breadcrumb-{m}">{divide_links(view.crumbs, " &rsaquo; ")}</div>\n' if view.crumbs else ""
    tags = "".join([f'<a href="{h}" class="weight{len(t) % 9}-{m}">{t}</a> ' for h, t in view.tags])
    year, month, day = date_of(view.number, 2007)
    return (
        f"{_xhtml_start(view)}<title>{view.site_name} &rsaquo; {view.title}</title>\n{head_links(view, ' />')}"
        f'{marked(_STACKS, m)}</head>\n<body id="opac{view.number % 5}-{m}">\n'
        f'<div id="doc3-{m}" class="yui-t1-{m}">\n<div id="members-{m}"><ul class="toolbar-{m}">'
        f"{join_links(view.tools, '<li>', '</li>')}{join_links(view.submenu, '<li>', '</li>')}</ul></div>\n"
        f'<div id="hd-{m}">{home_link(view)}\n{view.header}</div>\n{path}<div id="bd-{m}">\n'
        f'<div id="yui-main-{m}" class="yui-main-{m}"><div class="yui-g-{m}"><h1>{view.title}</h1>\n{view.content}</div></div>\n'
        f'<div class="yui-b-{m}"><div class="container-{m}"><h5>{says["menu"]}</h5>\n<ul>{facets}</ul>'
        f'<div class="cloud-{m}">{tags}</div></div></div>\n</div>\n<div id="ft-{m}">{view.footer}\n'
        f"<p>{says['friends']}: {divide_links(view.outside, ' | ')}</p>\n<p>{says['updated']} {year}-{month:02}-{day:02}</p>"
        f'<span class="unapi-{m}">{divide_links(view.hidden, "")}</span></div>\n</div>\n</body>\n</html>\n'
    )


_BOARD = """<style type="text/css">
#wrap-~{border:1px solid #e6e9ed;max-width:1152px;margin:0 auto;padding:15px;background:#fff}
.navbar-~{background:#cadceb;padding:3px 10px}.linklist-~>li{float:left;margin-right:7px;list-style:none}
.corners-~:after{clear:both;content:'';display:block}.forabg-~{background:#0076b1;margin-bottom:4px;padding:5px;color:#fff}
.forabg-~ a{color:#fff}.row-~{display:block;border-top:1px solid #fff}.dark-~{font-size:0;color:#fff}
</style>
"""


def write_board(view: View) -> str:
    """A board of 2010: bars of links with corners, groups of the menu as forums with rows of definition lists."""
    m, says = view.style.mark, view.says
    year, month, day = date_of(view.number, 2009)
    path = divide_links(view.crumbs, " <strong>&#8249;</strong> ", ' accesskey="h"')
    near = f'<li class="rightside-{m}">{divide_links(view.tools, " &bull; ")}</li>'
    return (
        f"{_xhtml_start(view)}<title>{view.site_name} &bull; {view.title}</title>\n{head_links(view, ' />')}{marked(_BOARD, m)}"
        f'</head>\n<body id="phb-{m}" class="section{view.number % 3}-{m}">\n<div id="wrap-{m}">\n<a id="top-{m}"></a>\n'
        f'<div id="page-header-{m}"><div class="headerbar-{m}"><div class="inner-{m}"><span class="corners-{m}"></span>\n'
        f'<h1>{view.site_name}</h1><p class="skiplink-{m}"><a href="#start_here-{m}">{says["skip"]}</a></p>{view.header}</div></div>\n'
        f'<div class="navbar-{m}"><ul class="linklist-{m} corners-{m}"><li>{path}</li>{near}</ul>\n'
        f'<ul class="linklist-{m} corners-{m}">{join_links(view.submenu, "<li>", "</li>")}</ul></div>\n</div>\n'
        f'<a id="start_here-{m}"></a>\n<div id="page-body-{m}"><h2>{view.title}</h2>\n<div class="panel-{m}">{view.content}</div>\n'
        f"{_board_forums(view)}\n{view.footer}</div>\n"
        f'<div id="page-footer-{m}"><h3>{says["friends"]}</h3><p>{divide_links(view.outside, " &bull; ")}</p>\n'
        f'<p>{divide_links(view.tags, " ")}</p><div class="copyright-{m}">{says["updated"]} {day}. {month}. {year}<br />'
        f'{says["rights"]}<div class="dark-{m}">{divide_links(view.hidden, " ")}</div></div></div>\n</div>\n</body>\n</html>\n'
    )


def _board_forums(view: View) -> str:
    m, forums = view.style.mark, []
    for heading, links in view.menu:
        rows = [
            f'<li class="row-{m} bg{place % 2}-{m}"><dl class="icon-{m}"><dt><a href="{href}" class="topic-{m}">{text}</a></dt>'
            f'<dd class="posts-{m}">{len(href) * 7}</dd></dl></li>\n'
            for place, (href, text) in enumerate(links)
        ]
        forums.append(
            f'<div class="forabg-{m}"><dl><dt>{heading}</dt></dl>\n<ul class="topics-{m}">{"".join(rows)}</ul></div>\n'
        )
    return "".join(forums)


_DENSE = """<style type="text/css"><!--
*{font-size:12px;line-height:1.25;margin:0;padding:0}.~Wrap{width:950px;margin:0 auto;text-align:left}
.~Left{float:left;width:170px}.~Mid{float:left;width:560px;margin:0 10px}.~Right{float:right;width:200px}
.~Box{border:1px solid #bbb;margin-bottom:6px}.~Box h3{background:#f3f3f3;border-bottom:1px solid #bbb}
.~Box li{list-style:none;border-bottom:1px dotted #ccc}.~None{visibility:hidden;position:absolute;left:0;top:-200px}
--></style>
"""


def write_dense(view: View) -> str:
    """An entrance as portals in Japan have it: three narrow columns of small boxes, first links once more on top."""
    m, says, n = view.style.mark, view.says, view.number
    year, month, day = date_of(n, 2005)
    boxes = [_dense_box(view, heading, links) for heading, links in view.menu]
    half = (len(boxes) + 1) // 2
    right = (_dense_box(view, says["friends"], view.outside), _dense_tags(view), *boxes[half:])
    path = f"<p id={m}Path>{says['here']} &gt; {divide_links(view.crumbs, ' &gt; ')}</p>\n" if view.crumbs else ""
    unseen = f'<div class="{m}None">{divide_links(view.hidden, " ", " tabindex=-1")}</div>\n' if view.hidden else ""
    return (
        '<!DOCTYPE HTML PUBLIC "-//W3C//DTD HTML 4.01 Transitional//EN" "http://www.w3.org/TR/html4/loose.dtd">\n'
        f'<html lang="{view.language}">\n<head>\n<meta http-equiv="content-type" content="text/html; charset={view.encoding}">\n'
        '<meta http-equiv="content-style-type" content="text/css">\n'
        f"{head_links(view)}<title>{view.title} - {view.site_name}</title>\n{marked(_DENSE, m)}</head>\n<body><center>\n"
        f'<div class="{m}Wrap">\n<table width="100%" id="{m}Masthead"><tr><td><big><b>{view.site_name}</b></big></td>'
        f'<td align="right">{divide_links(_firsts(view), " - ")}<br>{divide_links(view.tools, " - ")}</td></tr></table>\n'
        f"{view.header}\n<hr class={m}Line>{path}"
        f'<div class="{m}Left">{turn(boxes[:half], n)}</div>\n<div class="{m}Mid"><h2>{view.title}</h2>'
        f"<p>{divide_links(view.submenu, ' | ')}</p>\n{view.content}\n</div>\n"
        f'<div class="{m}Right">{turn(right, n)}</div>\n<br clear="all">{view.footer}\n'
        f"<hr>{unseen}<small>{says['updated']} {year}/{month:02}/{day:02} {says['rights']} &copy;{view.site_name}</small>\n"
        "</div></center></body></html>\n"
    )


def _firsts(view: View) -> tuple[Anchor, ...]:
    return tuple([group.links[0] for group in view.menu if group.links])


def _dense_box(view: View, heading: str, links: Anchors) -> str:
    if not links:
        return ""
    return f'<div class="{view.style.mark}Box"><h3>{heading}</h3><ul>\n{join_links(links, "<li>&middot;", "</li>")}</ul></div>\n'


def _dense_tags(view: View) -> str:
    if not view.tags:
        return ""
    links = [f'<a href="{h}" style="font-size:{10 + n * 5 % 13}px">{t}</a>\n' for n, (h, t) in enumerate(view.tags)]
    return f'<div class="{view.style.mark}Box">{"".join(links)}</div>\n'
