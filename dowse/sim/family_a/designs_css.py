"""Designs of the first style sheets: columns of blocks, breadcrumbs, portals, wikis and journals."""

from __future__ import annotations

from dowse.sim.family_a.anchors import (
    PIXEL,
    fill_marks,
    hide_each,
    hide_in_block,
    write_date,
    write_each,
    write_groups,
    write_head_links,
    write_line,
    write_list,
)
from dowse.sim.view import View

_LEFT_HEAD = """<style type="text/css">
/*<![CDATA[*/
body { margin: 0; padding: 0; font: 76%/1.5 "Lucida Grande", Tahoma, sans-serif; color: #222; background: #e8ecef; }
#~top { background: #4a6785; color: #fff; padding: 10px 20px; }
#~left { float: left; width: 180px; padding: 12px; }
#~main { margin-left: 210px; padding: 12px 20px; background: #fff; border-left: 1px solid #b6c2cc; }
#~foot { clear: both; padding: 12px 20px; color: #667; font-size: 85%; }
ul.~menu, ul.~sub { list-style: none; margin: 0 0 1em; padding: 0; }
ul.~sub li { padding-left: 12px; }
.~path, .~tools { font-size: 90%; color: #778; }
.~off { position: absolute; left: -9999px; }
/*]]>*/
</style>
<script type="text/javascript">
//<![CDATA[
function `onload() {
  if (!document.getElementById || !document.getElementsByTagName) { return; }
  var rows = document.getElementById("~main").getElementsByTagName("tr");
  for (var i = 0; i < rows.length; i += 2) { rows[i].className += " ~odd"; }
}
window.onload = `onload;
//]]>
</script>"""


def write_left_menu(view: View) -> str:
    """Well-formed XHTML with a column of menus at the left."""
    mark, says, language = view.style.mark, view.says, view.language
    crumbs = f'<p class="{mark}path">{says["here"]}: {write_line(view.crumbs, " &gt; ")}</p>' if view.crumbs else ""
    tags = f'<p class="{mark}tg"><em>{says["tags"]}</em> {write_line(view.tags, " ")}</p>' if view.tags else ""
    tools = f'<p class="{mark}tools">{write_line(view.tools)}</p>' if view.tools else ""
    friends = f"<p>{says['friends']}: {write_line(view.outside)}</p>" if view.outside else ""
    return f"""<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Transitional//EN"
 "http://www.w3.org/TR/xhtml1/DTD/xhtml1-transitional.dtd">
<html xmlns="http://www.w3.org/1999/xhtml" xml:lang="{language}" lang="{language}">
<head>
<meta http-equiv="Content-Type" content="text/html; charset={view.encoding}" />
<title>{view.title} - {view.site_name}</title>
{write_head_links(view, " />")}{fill_marks(_LEFT_HEAD, mark)}
</head>
<body id="{mark}p{view.number % 100}">
<div id="{mark}top"><h2>{view.site_name}</h2>{view.header}</div>
<div id="{mark}left">
{write_groups(view.menu, "<h4>{}</h4>", f' class="{mark}menu"')}
{write_list(view.submenu, f' class="{mark}sub"')}{tags}
<img src="{PIXEL}" width="150" height="1" alt="" />
</div>
<div id="{mark}main">{crumbs}
{view.content}
{tools}</div>
<div id="{mark}foot">{view.footer}
{friends}
<p>&#169; {2002 + view.number % 6} {view.site_name} &#183; {says["rights"]}</p>
{hide_in_block(view.hidden, f'class="{mark}off"')}</div>
</body>
</html>"""


_TOP_HEAD = """<style type="text/css" media="screen">
* { margin: 0; padding: 0 }
body { font-family: Georgia, serif; font-size: 14px; background: #fff }
.~bar { background: #900; color: #fff; padding: 6px 2% }
.~bar a { color: #fff; padding: 0 6px }
.~second { background: #f3e3e3; padding: 4px 2%; border-bottom: 1px solid #c99 }
.~crumb { font-size: 11px; padding: 4px 2%; color: #666 }
.~bx { float: right; padding: 6px 2% }
.~pg { padding: 10px 2%; clear: left }
.~small { font-size: 11px; text-align: right; padding: 4px 2% }
.~foot { border-top: 3px double #900; padding: 10px 2% }
.~nil { display: none }
</style>
<script type="text/javascript">
var _`q = _`q || [];
_`q.push(["account", "UA-0000-1"]);
_`q.push(["view", document.title]);
(function (w) {
  var t = new Date().getTime();
  w.`mark = function (name) { _`q.push([name, new Date().getTime() - t]); };
})(window);
</script>"""

_TOP_END = """<script type="text/javascript">if (window._`q) { `mark("end"); }</script>"""


def write_top_nav(view: View) -> str:
    """A bar of links on top, a second below it, and the way to the page in words."""
    mark, says = view.style.mark, view.says
    second = f'<div class="{mark}second">{write_line(view.submenu, " &middot; ")}</div>' if view.submenu else ""
    crumbs = f'<div class="{mark}crumb">{says["here"]}: {write_line(view.crumbs, " / ")} / {view.title}</div>'
    tags = f'<div class="{mark}small">{says["tags"]} {write_line(view.tags, ", ")}</div>' if view.tags else ""
    tools = f'<div class="{mark}small">{write_line(view.tools)}</div>' if view.tools else ""
    outside = f"{says['friends']}: {write_line(view.outside, ', ')}" if view.outside else ""
    skip = "" if view.base else f'<a class="{mark}nil" href="#{mark}c">{says["skip"]}</a>'
    return f"""<!DOCTYPE HTML PUBLIC "-//W3C//DTD HTML 4.01//EN" "http://www.w3.org/TR/html4/strict.dtd">
<html lang="{view.language}">
<head>
<meta http-equiv="Content-Type" content="text/html; charset={view.encoding}">
{write_head_links(view)}<title>{view.title}</title>
<meta name="description" content="{view.site_name}: {view.title}">
{fill_marks(_TOP_HEAD, mark)}
</head>
<body class="{mark}b{view.number % 4}">
{skip}
<div class="{mark}bx">{view.header}</div>
<div class="{mark}bar"><b>{view.site_name}</b> {write_line(view.links)}</div>
{second}
{crumbs}
<div class="{mark}pg" id="{mark}c">
{view.content}
</div>
{tags}{tools}
<div class="{mark}foot">{view.footer}
<p>{outside}
<p>{says["updated"]}: {write_date(view.number)}
{hide_in_block(view.hidden, f'class="{mark}nil"')}</div>
{fill_marks(_TOP_END, mark)}
</body>
</html>"""


_PORTAL_HEAD = """<style>
.~grid { width: 100%; border-collapse: separate; border-spacing: 6px }
.~grid td { vertical-align: top; background: #f6f6f0; border: 1px solid #ccb; padding: 6px }
.~drop, .~drop ul { list-style: none; margin: 0; padding: 0 }
.~drop li { float: left; position: relative; padding: 2px 10px }
.~drop li ul { display: none; position: absolute; background: #fff; border: 1px solid #999; z-index: 9 }
.~drop li:hover ul { display: block }
.~drop li li { float: none; white-space: nowrap }
.~a { width: 170px } .~c { width: 170px; font-size: 90% }
.~trail { color: #888; font-size: 11px }
.~hd { background: #669; color: #fff; font-weight: bold; padding: 2px 6px; margin: -6px -6px 6px }
</style>
<script type="text/javascript">
function `hov() {
  var l = document.getElementById("~d"); if (!l || !window.attachEvent) return;
  for (var i = 0; i < l.childNodes.length; i++) {
    l.childNodes[i].onmouseover = function () { this.className += " over"; };
  }
}
</script>"""


def write_portal(view: View) -> str:
    """Three columns of boxes in one table, a drop-down menu on top, and the part's own pages in its first entry."""
    mark, says = view.style.mark, view.says
    entries = "\n".join([f"<li><span>{g.heading}</span>{write_list(g.links)}</li>" for g in view.menu])
    own = f"<li><span>&#9662;</span>{write_list(view.submenu)}</li>" if view.submenu else ""
    friends = write_each(view.outside, "<dt>", "</dt><dd>&nbsp;</dd>")
    head = f'<div class="{mark}hd">{{}}</div>'
    words = head.format(says["tags"]) + write_line(view.tags, " ") if view.tags else ""
    left = f"{head.format(view.site_name)}{view.header}\n<p>{write_line(view.tools, '<br>')}</p>"
    right = f"{view.footer}\n{head.format(says['friends'])}<dl>{friends}</dl>{words}"
    hidden = hide_each(view.hidden, 'style="display:block;width:0;height:0;overflow:hidden" rel="nofollow"')
    return f"""<!DOCTYPE html>
<html lang={view.language}><!-- p{view.number} -->
<head><title>{view.site_name} | {view.title}</title>
<meta http-equiv=content-type content="text/html; charset={view.encoding}">
{write_head_links(view)}{fill_marks(_PORTAL_HEAD, mark)}</head>
<body {fill_marks('onload="`hov()"', mark)}>
<table class="{mark}grid" cellspacing=6><tr><td colspan="3">
<ul class="{mark}drop" id="{mark}d">{entries}{own}</ul></td></tr>
<tr><td class="{mark}a">{left}</td>
<td class="{mark}b"><div class="{mark}trail">{write_line(view.crumbs, " &raquo; ")}</div>
{view.content}
<div>{hidden}</div></td>
<td class="{mark}c">{right}</td></tr>
<tr><td colspan=3 align=center>
<small>{says["rights"]} &copy; {view.site_name}, {2000 + view.number % 9}</small></td></tr>
</table></body></html>"""


_WIKI_HEAD = """<style>
#~content { margin-left: 12em; padding: 1em; background: #fff; border: 1px solid #aaa }
#~column { position: absolute; top: 0; left: 0; width: 11em; font-size: 85% }
.~portlet h5 { margin: 0; text-transform: lowercase; font-weight: normal }
.~portlet>div { border: 1px solid #aaa; background: #fff; padding: 0 .5em }
.~tabs ul { margin: 0; display: flex; list-style: none } .~tabs li { border: 1px solid #aaa; padding: 0 1em }
#~footer { margin: 1em 0 0 12em; border-top: 1px solid #fabd23; background: #fff; font-size: 80% }
.~printfooter { display: none }
body { background: #f9f9f9; font: x-small sans-serif }
#~content h1, #~content h2 { border-bottom: 1px solid #aaa; font-weight: normal }
.~cat { border: 1px solid #aaa; background: #f9f9f9; padding: 5px; clear: both }
</style>
<script>/*<![CDATA[*/
var `Skin = "mono", `Server = location.protocol + "//" + location.host, `Restriction = [], `Id = 0;
if (self != top && top.location) { try { `Id = -1; } catch (e) {} }
/*]]>*/</script>"""


def write_wiki(view: View) -> str:
    """An encyclopaedia of many hands: the text first, the column of boxes after it."""
    mark, says = view.style.mark, view.says
    boxes = [(g.heading, write_list(g.links)) for g in view.menu]
    boxes += [(view.crumbs[-1].text if view.crumbs else says["also"], write_list(view.submenu))] if view.submenu else []
    turn = view.number % len(boxes)
    column = "\n".join(
        [
            f'<div class="{mark}portlet"><h5>{name}</h5><div>{links}</div></div>'
            for name, links in boxes[turn:] + boxes[:turn]
        ]
    )
    categories = f'<div class="{mark}cat">{says["tags"]}: {write_line(view.tags)}</div>' if view.tags else ""
    crumbs = f'<div class="{mark}sub">&lt; {write_line(view.crumbs, " | ")}</div>' if view.crumbs else ""
    return f"""<!DOCTYPE html>
<html class="{mark}nojs" lang="{view.language}" dir="ltr">
<head><meta charset="{view.encoding}">
<title>{view.title} - {view.site_name}</title>
{write_head_links(view)}{fill_marks(_WIKI_HEAD, mark)}
</head>
<body class="{mark}ltr {mark}ns-{view.number % 3} {mark}page-{view.number}">
<div id="{mark}globalWrapper"><div id="{mark}outer"><div id="{mark}content"><a id="{mark}top"></a>
<div class="{mark}tabs">{write_list(view.tools)}</div>
{crumbs}<div id="{mark}body">{view.content}</div>
<!-- rev {view.number * 7 + 1001} -->
<div class="{mark}printfooter">{hide_in_block(view.hidden, "data-nosnippet")}</div>
{categories}</div></div>
<div id="{mark}column"><div class="{mark}portlet"><b>{view.site_name}</b></div>
{column}
<div class="{mark}portlet"><h5>{says["friends"]}</h5><div>{view.header}{write_list(view.outside)}</div></div></div>
<div id="{mark}footer">{view.footer}
<ul><li>{says["updated"]} {write_date(view.number)}</li><li>{says["rights"]}</li></ul></div>
</div></body></html>"""


_BLOG_HEAD = """<style type="text/css">
body { background: #346; font: 13px/1.6 Trebuchet MS, Verdana, sans-serif; text-align: center }
#~page { width: 780px; margin: 20px auto; background: #fff; text-align: left; overflow: hidden }
#~header { height: 90px; background: #73a0c5; color: #fff }
#~header h2 { padding: 24px 20px 0; margin: 0 }
.~narrow { float: left; width: 500px; padding: 0 0 20px 25px }
#~side { margin-left: 545px; width: 210px; font-size: 12px }
#~side li { list-style: none; margin: 0 0 2px } #~side ul ul { padding-left: 8px }
.~t1 { font-size: 90% } .~t2 { font-size: 120% } .~t3 { font-size: 160% }
.~meta { color: #777; border-top: 1px dotted #aaa; padding-top: 4px }
#~footer { clear: both; padding: 10px 20px; background: #eee }
.~hp { position: absolute !important; height: 1px; width: 1px; overflow: hidden; clip: rect(1px, 1px, 1px, 1px) }
</style>
<script type="text/javascript">
var addComment_` = {
  moveForm: function (a, b) { var c = document.getElementById(a); if (c) { c.style.zIndex = b; } return false; }
};
</script>"""


def write_blog(view: View) -> str:
    """A journal: a header picture, a side bar of lists in one list, words of different sizes."""
    mark, says = view.style.mark, view.says
    cloud = " ".join(
        [
            f'<a href="{href}" class="{mark}t{1 + (n * 7 + view.number) % 3}">{text}</a>'
            for n, (href, text) in enumerate(view.tags)
        ]
    )
    parts = [f"<li><h3>{g.heading}</h3>{write_list(g.links)}</li>" for g in view.menu]
    parts += [f"<li><h3>{says['also']}</h3>{write_list(view.submenu)}</li>"] if view.submenu else []
    parts += [f"<li><h3>{says['tags']}</h3><div>{cloud}</div></li>"] if cloud else []
    parts += [f"<li><h3>{says['friends']}</h3>{write_list(view.outside)}</li>"] if view.outside else []
    parts = parts[::-1] if view.number % 5 == 0 else parts
    side = "\n".join(parts)
    return f"""<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Strict//EN"
 "http://www.w3.org/TR/xhtml1/DTD/xhtml1-strict.dtd">
<html xmlns="http://www.w3.org/1999/xhtml" lang="{view.language}">
<head profile="http://gmpg.org/xfn/11">
<meta http-equiv="Content-Type" content="text/html; charset={view.encoding}" />
<title>{view.site_name} &raquo; {view.title}</title>
{write_head_links(view, "/>")}{fill_marks(_BLOG_HEAD, mark)}
</head>
<body>
<div id="{mark}page">
<div id="{mark}header"><h2>{view.site_name}</h2></div>
<hr />
<div id="{mark}content" class="{mark}narrow"><div class="{mark}post" id="{mark}post-{view.number}">
{view.content}
<p class="{mark}meta">{write_date(view.number)} {write_line(view.tools, " &#8226; ")}</p>
</div></div>
<div id="{mark}side"><ul><li>{view.header}</li>
{side}
</ul>{hide_in_block(view.hidden, f'class="{mark}hp" aria-hidden="true"')}</div>
<div id="{mark}footer">{view.footer}
<p>{view.site_name} &#8212; {says["rights"]}<br /><!-- {view.number % 97} queries --></p></div>
</div>
</body>
</html>"""
