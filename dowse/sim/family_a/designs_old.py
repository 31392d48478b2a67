"""Designs of the nineties: tables, fonts, capital letters, tags that nobody closes."""

from __future__ import annotations

from dowse.sim.family_a.anchors import (
    PIXEL,
    fill_marks,
    hide_behind_pixels,
    hide_each,
    hide_in_block,
    write_bare,
    write_date,
    write_each,
    write_line,
    write_old,
    write_old_head_links,
)
from dowse.sim.view import View

_SPACER = f'<IMG SRC="{PIXEL}" WIDTH=1 HEIGHT=4 ALT="">'

_STATUS_SCRIPT = """<SCRIPT LANGUAGE="JavaScript">
<!--
var `ver = parseInt(navigator.appVersion);
var `nn = (navigator.appName == "Netscape");
function `hi(cell, col) {
  if (document.all) { cell.style.backgroundColor = col; }
}
function `fix() {
  if (`nn && `ver == 4 && (window.innerWidth != `w || window.innerHeight != `h)) { location.reload(); }
}
if (`nn) { var `w = window.innerWidth; var `h = window.innerHeight; window.onresize = `fix; }
//-->
</SCRIPT>
<STYLE TYPE="text/css"><!--
A:hover { color: #CC0000; }
TD, P, LI { font-family: Arial, Helvetica; font-size: 10pt; }
.~t { color: #FFFFFF; }
.~n { font-size: 8pt; }
--></STYLE>"""


def write_table97(view: View) -> str:
    """A table of 600 pixels, a grey column of links, nothing closed at the end."""
    mark, says = view.style.mark, view.says
    tools = f"<P>{write_old(view.tools, ' | ')}" if view.tools else ""
    outside = f"<P><FONT SIZE=1>{says['friends']}: {write_line(view.outside, ' - ')}</FONT>" if view.outside else ""
    tags = f"<BR><FONT SIZE=1>{says['tags']}: {write_line(view.tags, ', ')}</FONT>" if view.tags else ""
    groups = "<HR SIZE=1 NOSHADE>\n".join([f"<B>{g.heading}</B><BR>\n{write_old(g.links)}<BR>" for g in view.menu])
    return f"""<HTML LANG="{view.language}">
<HEAD>
<META HTTP-EQUIV="Content-Type" CONTENT="text/html; charset={view.encoding}">
{write_old_head_links(view)}<TITLE>{view.site_name}: {view.title}</TITLE>
{fill_marks(_STATUS_SCRIPT, mark)}
</HEAD>
<BODY BGCOLOR="#FFFFFF" TEXT="#000000" LINK=#0000CC VLINK=#551A8B TOPMARGIN=0 MARGINHEIGHT=0>
<!-- {view.number} -->
<TABLE WIDTH={600 + view.number % 3 * 10} BORDER=0 CELLPADDING=4 CELLSPACING=0><TR>
<TD COLSPAN=2 BGCOLOR=#003366><FONT COLOR=white SIZE=5 FACE="Verdana"><B CLASS="{mark}t">{view.site_name}</B></FONT>
{hide_behind_pixels(view.hidden)}<BR>{view.header}</TD></TR>
<TR><TD COLSPAN=2 BGCOLOR=#CCCC99>{_SPACER}</TD>
<TR><TD VALIGN=top WIDTH=130 BGCOLOR=#EEEEEE NOWRAP>{groups}
<HR>{write_old(view.submenu)}{tags}
<BR>{_SPACER}</TD>
<TD VALIGN=top WIDTH="100%"><FONT FACE="Arial, Helvetica" SIZE=2>{view.content}
{tools}</FONT></TD></TR>
<TR><TD COLSPAN=2 ALIGN=center><CENTER>{view.footer}
{outside}
<P CLASS="{mark}n"><FONT SIZE=1>&copy; {1997 + view.number % 4} {view.site_name}. {says["rights"]}.</FONT></CENTER>
</TABLE></BODY></HTML>"""


_PLAIN_SCRIPT = """<script>
// no frames
if (top.location != self.location) { top.location = self.location; }
var `d = new Date(document.lastModified), `y = `d.getYear();
if (`y < 1900) `y += 1900;
function `two(n) { return (n < 10 ? "0" : "") + n; }
function `stamp() { return `two(`d.getDate()) + "." + `two(`d.getMonth() + 1) + "." + `y; }
</script>
<style>
<!--
body { margin-left: 8%; margin-right: 8%; font-family: Times, serif }
.~a { color: #666666 } .~z { position: absolute; top: -4000px }
hr { height: 1px; color: #999999 }
-->
</style>"""


def write_plain(view: View) -> str:
    """A text between two rules: neither html nor head nor body, values without quotes."""
    mark, says = view.style.mark, view.says
    menu = "<br>\n".join([f"<b>{g.heading}</b> {write_bare(g.links, ' | ')}" for g in view.menu])
    submenu = f"<p>{write_bare(view.submenu, '<br>')}\n" if view.submenu else ""
    crumbs = f"<font size=-1 class={mark}a>{write_bare(view.crumbs, ' : ')}</font>\n" if view.crumbs else ""
    tools = f"<font size=-1>{write_bare(view.tools, ' ')}</font>\n" if view.tools else ""
    tags = f"<p align=right><i>{says['tags']}</i> {write_bare(view.tags, ' ')}\n" if view.tags else ""
    outside = f"<ul><li>{says['friends']}\n{write_each(view.outside, '<li>', '')}</ul>" if view.outside else ""
    return f"""<title>{view.title}</title>
<meta http-equiv=content-type content="text/html; charset={view.encoding}">
{write_old_head_links(view)}{fill_marks(_PLAIN_SCRIPT, mark)}
<a name=top></a>
<center><font size=+2>{view.site_name}</font><br>
{menu}
</center><hr width={90 + view.number % 10}%>
{view.header}{crumbs}{submenu}<p>{view.content}
<hr>{tools}{tags}
{hide_in_block(view.hidden, f"class={mark}z")}{view.footer}
<!-- {says["friends"]} -->{outside}
<p><i>{says["updated"]}: {write_date(view.number)}"""


_SLICES_HEAD = """<script type="text/javascript" language="JavaScript1.2">
<!--
function `MM() {
  var d = document, a = arguments;
  if (d.images) {
    if (!d.`p) d.`p = new Array();
    for (var i = 0, j = d.`p.length; i < a.length; i++)
      if (a[i].indexOf("#") != 0) { d.`p[j] = new Image(); d.`p[j++].src = a[i]; }
  }
}
function `over(td) { td.bgColor = "#FFCC66"; }
function `out(td) { td.bgColor = "#EFE7CE"; }
//-->
</script>
<style type="text/css">
.~nav { font: bold 11px Verdana, Geneva, sans-serif; color: #333366; text-decoration: none }
.~txt { font: 12px/18px Verdana, Geneva, sans-serif }
.~sm { font: 9px Verdana, Geneva, sans-serif }
.~ln { background-color: #333366 }
</style>"""


def write_slices(view: View) -> str:
    """Sliced pictures of 1999: tables in tables, spacers, cells that change colour under the mouse."""
    mark, says = view.style.mark, view.says
    over = fill_marks('onmouseover="`over(this)" onmouseout="`out(this)"', mark)
    cells = write_each(view.links, f'<td bgcolor="#EFE7CE" nowrap {over}>&nbsp;', "&nbsp;</td>", f' class="{mark}nav"')
    side = write_each(view.submenu, "<tr><td>&#149;</td><td>", "</td></tr>", f' class="{mark}nav"')
    friends = write_each(view.outside, "<tr><td>", "<br></td></tr>", f' class="{mark}sm" target=_blank')
    spacer = f'<img src="{PIXEL}" width="{8 + view.number % 5}" height="1" alt="" border="0">'
    line = f'<tr><td colspan="3" class="{mark}ln"><img src="{PIXEL}" width="1" height="2" alt=""></td></tr>'
    return f"""<html>
<head>
<title>{view.title} // {view.site_name}</title>
<meta http-equiv="Content-Type" content="text/html; charset={view.encoding}">
{write_old_head_links(view)}{fill_marks(_SLICES_HEAD, mark)}
</head>
<body bgcolor="#FFFFFF" text="#000000" leftmargin="0" topmargin="0" marginwidth="0" marginheight="0">
<table width="760" border="0" cellspacing="0" cellpadding="0" align="center">
<tr><td colspan="3"><table width="100%" border="0" cellpadding="6" bgcolor="#333366"><tr>
<td><font color="#FFFFFF" size="5">{view.site_name}</font></td>
<td align="right">{view.header}</td></tr></table></td></tr>
<tr><td colspan="3"><table border="0" cellspacing="1" cellpadding="3" id="{mark}t"><tr>
{cells}
</tr></table></td></tr>
{line}
<tr valign="top"><td width="160" bgcolor="#F7F3E7"><table border="0" cellpadding="2" id="{mark}t">
{side}
</table>{hide_each(view.hidden, 'style="font-size:0px;line-height:0" tabindex="-1"')}
<span class="{mark}sm">{write_line(view.tags, " ")}</span></td>
<td>{spacer}</td>
<td class="{mark}txt"><span class="{mark}sm">{write_line(view.crumbs, " &gt;&gt; ")}</span><br>
{view.content}
<br><span class="{mark}sm">{write_line(view.tools, "&nbsp;&nbsp;")}</span></td></tr>
{line}
<tr><td colspan="2"><b class="{mark}sm">{says["friends"]}</b><table border="0">{friends}</table>
<td align="right" class="{mark}sm">{view.footer}<br>{says["rights"]}, {view.site_name}
</table>
</body>
</html>"""


_HOBBY_STYLE = """<style type="text/css">
body { color: #FFFFCC; background: #000033 }
a:link { color: #66CCFF } a:visited { color: #CC99FF }
#~x { border: 2px ridge #999999; padding: 4px }
.~r { font-family: "Comic Sans MS", cursive }
.~q { height: 0; overflow: hidden }
</style>
<script language="JavaScript">
var `msg = "  *  *  *  ", `pos = 0;
function `roll() {
  window.status = `msg.substring(`pos) + `msg.substring(0, `pos);
  if (++`pos < `msg.length) setTimeout(`roll, 400);
}
window.onload = `roll;
</script>"""


def write_hobby(view: View) -> str:
    """A home page on a free host: menu below everything, a ring of friends, tags crossed over each other."""
    mark, says = view.style.mark, view.says
    bars = "\n".join(
        [
            f'<p align=center id="{mark}x"><small>{g.heading}</small><br>[ {write_line(g.links, " ] [ ")} ]'
            for g in view.menu
        ]
    )
    ring = write_line(view.outside, " &lt;&gt; ")
    side = f"<p align=center>{write_line(view.submenu, ' - ')}\n" if view.submenu else ""
    stars = "* " * (3 + view.number % 4)
    words = f"<p align=center><small>{says['tags']}: {write_line(view.tags, ', ')}</small>\n" if view.tags else ""
    return f"""<!doctype html public "-//w3c//dtd html 3.2//en">
<html lang={view.language}><head><title>{view.site_name} * {view.title}</title>
<meta http-equiv="content-type" content="text/html; charset={view.encoding}">
<meta name="Author" content="{view.site_name}">
{write_old_head_links(view)}{fill_marks(_HOBBY_STYLE, mark)}
</head>
<body text="#FFFFCC" bgcolor="#000033" link="#66CCFF" vlink="#CC99FF">
<center><font size="6" color="#FFCC00"><b><i class="{mark}r">{view.site_name}</b></i></font><br>
<font color=red>{stars}</font></center>
<blockquote id="{mark}x">
{view.content}
</blockquote>
<div class="{mark}r">{view.header}</div>
<p align=right><font size=-1>{write_line(view.tools, ", ")}<hr size=3>
{bars}
{side}{words}<div align=center>{view.footer}</div>
<table border=3 align=center cellpadding=6><tr><td align=center id="{mark}x"><b>{says["friends"]}<i></b></i><br>
{ring}
</table>{hide_in_block(view.hidden, f'class="{mark}q"')}
<center><small>{says["updated"]} {write_date(view.number)}<br>&copy; {view.site_name}
<img src="{PIXEL}" width=88 height=31 alt="" border=0>
</body>"""
