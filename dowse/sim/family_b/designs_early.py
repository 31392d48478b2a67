"""Pages of the nineties and shortly after: tables, fonts and hardly an end tag."""

from __future__ import annotations

from dowse.sim.family_b.markup import PIXEL, date_of, divide_links, head_links, home_link, join_links, marked, turn
from dowse.sim.view import Anchors, Group, View


def _loud_head(view: View) -> str:
    """Write a head in capitals, without the elements that a browser adds by itself."""
    base = f'<BASE HREF="{view.base}">\n' if view.base else ""
    canonical = f'<LINK REL="canonical" HREF="{view.canonical}">\n' if view.canonical else ""
    kind = "application/opensearchdescription+xml"
    about = view.search_description
    found = f'<LINK REL="search" TYPE="{kind}" HREF="{about}" TITLE="{view.site_name}">\n' if about else ""
    return (
        f'<META HTTP-EQUIV="Content-Type" CONTENT="text/html; charset={view.encoding}">\n'
        f"{base}<TITLE>{view.site_name} - {view.title}</TITLE>\n{canonical}{found}"
    )


def write_homestead(view: View) -> str:
    """A home page made by hand in 1997: one table, the menu at the left, bold and italic crossed."""
    m, says = view.style.mark, view.says
    year, month, day = date_of(view.number, 1997)
    crumbs = f"<FONT SIZE=1>{says['here']}: {divide_links(view.crumbs, ' &gt; ')}</FONT><BR>\n" if view.crumbs else ""
    boxes = turn((_homestead_friends(view), _homestead_tags(view)), view.number)
    return (
        f'{_loud_head(view)}<META NAME=GENERATOR CONTENT="{m}Pad 2.1">\n'
        f"<BODY BGCOLOR=#FFFFF0 TEXT=#000033 LINK=#0000CC VLINK=#551A8B ALINK=red ID={m}p{view.number}>\n"
        f"<CENTER><TABLE WIDTH=760 BORDER=0 CELLPADDING=6 CELLSPACING=0 CLASS={m}10>\n<TR><TD COLSPAN=2 BGCOLOR=#003366>"
        f'<FONT COLOR=white SIZE=6 FACE="Trebuchet MS,Verdana"><B><I>{view.site_name}</B></I></FONT>\n'
        f"{view.header}\n<TR VALIGN=top><TD WIDTH=170 BGCOLOR=#DDEEFF ID={m}x CLASS={m}11>\n"
        f"{''.join([_homestead_group(group, m) for group in view.menu])}{boxes}\n"
        f"<TD ID={m}x BGCOLOR=white>{crumbs}<FONT SIZE=5 COLOR=#990000><B>{view.title}</B></FONT>\n<HR SIZE=1 NOSHADE>\n"
        f"{_homestead_near(view.submenu)}{view.content}\n</TD></TABLE>\n"
        f"{view.footer}\n<HR WIDTH=60%>\n{divide_links(view.tools, ' | ')}\n"
        f"<P><FONT SIZE=1>{says['updated']}: {day}.{month}.{year}<BR>&copy; {view.site_name}</FONT></CENTER></FONT>\n"
        f"{join_links(view.hidden, '<FONT SIZE=0 COLOR=#FFFFF0 STYLE=display:none>', '</FONT>')}\n</BODY>\n"
    )


def _homestead_group(group: Group, mark: str) -> str:
    heading = f"<FONT SIZE=2 COLOR=#990000><B>{group.heading}</B></FONT><BR>\n" if group.heading else ""
    bullet = f'<IMG SRC="{PIXEL}" WIDTH=6 HEIGHT=6 ALT=""> '
    links = "".join([f'{bullet}<A HREF="{href}" CLASS={mark}12>{text}</A><BR>\n' for href, text in group.links])
    return f"{heading}{links}<BR>\n"


def _homestead_friends(view: View) -> str:
    if not view.outside:
        return ""
    links = "".join([f'<LI><A HREF="{href}" TARGET=_blank>{text}</A>\n' for href, text in view.outside])
    return f"<HR><B>{view.says['friends']}</B><UL TYPE=square>\n{links}</UL>\n"


def _homestead_tags(view: View) -> str:
    tags = enumerate(view.tags, view.number)
    return "".join([f'<FONT SIZE={n * 3 % 5 + 1}><A HREF="{href}">{text}</A></FONT>\n' for n, (href, text) in tags])


def _homestead_near(links: Anchors) -> str:
    return f"<P ALIGN=right><FONT SIZE=2>[ {divide_links(links, ' ] [ ')} ]</FONT>\n" if links else ""


_JUMP = """<script language="JavaScript"><!--
function ~_goURL(targ,sel,restore){
  var u=sel.options[sel.selectedIndex].value;
  if(u){eval(targ+".location='"+u.replace(/'/g,"%27")+"'")}
  if(restore)sel.selectedIndex=0;
}
function ~_status(s){window.status=s;return true}
//--></script>
"""


def write_jumpgate(view: View) -> str:
    """An entrance of 1999: an image map, a menu to jump from, and the same as text at the foot."""
    m, says = view.style.mark, view.says
    year, month, day = date_of(view.number, 1999)
    where = f"<small>{divide_links(view.crumbs, ' :: ')}</small>" if view.crumbs else ""
    near = f"<br>{divide_links(view.submenu, ' &nbsp; ')}" if view.submenu else ""
    return (
        f"<html>\n<head>\n<meta http-equiv=content-type content='text/html;charset={view.encoding}'>\n"
        f"{head_links(view)}<title>{view.title}</title>\n{marked(_JUMP, m)}</head>\n"
        f"<body bgcolor=white background='' onLoad=\"{m}_status('')\" marginwidth=0 leftmargin=0>\n"
        f"<a name={m}top></a><center><font face='Arial, Helvetica' size=2>\n{_jump_map(view)}<br>\n"
        f"<table width='98%' border=1 bordercolor=#cc0000 cellspacing=0 id={m}1><tr>\n"
        f"<td nowrap bgcolor=#ffcc00><b>{says['menu']}</b> {_jump_select(view)}</td>\n"
        f"<td align=right bgcolor=#ffcc00 id={m}1>{where}{near}</font></td></tr></table></td>\n{view.header}\n"
        f"<table width='92%' cellpadding=8 border=0><tr><td class={m}20>{view.content}</td></tr>\n"
        f"<tr><td align=center>{view.footer}<br/><br/>\n{_jump_text(view)}</td></tr></table></center>\n"
        f"{_jump_last(view)}<p align=right><font size=1>{says['updated']} {month}/{day}/{year % 100:02} "
        f"<a href=#{m}top>{says['top']}</a></font></table></center>\n</body>\n</html>\n"
    )


def _jump_map(view: View) -> str:
    areas = [
        f'<area shape=rect coords="{place * 90},0,{place * 90 + 88},40" href="{href}" alt="{text}">\n'
        for place, (href, text) in enumerate(view.menu[0].links)
    ]
    m, width = view.style.mark, len(areas) * 90
    picture = f'<img src="{PIXEL}" width={width} height=40 border=0 usemap="#{m}map" ismap alt="{view.site_name}">'
    return f"{picture}\n<map name={m}map>\n{''.join(areas)}</map>"


def _jump_select(view: View) -> str:
    groups = [
        f'<optgroup label="{heading}">' + "".join([f'<option value="{href}">{text}' for href, text in links])
        for heading, links in view.menu
    ]
    first = f'<option value="" selected>{view.says["menu"]}'
    return f"<select onChange=\"{view.style.mark}_goURL('parent',this,0)\">{first}{''.join(groups)}</select>"


def _jump_text(view: View) -> str:
    return "<br>\n".join(
        [f"<font size=1>{heading} {divide_links(links, ' | ')}</font>" for heading, links in view.menu]
    )


def _jump_last(view: View) -> str:
    size = view.number % 3 + 1
    cloud = f"<center><font size={size}>{divide_links(view.tags, ' - ')}</font></center>\n" if view.tags else ""
    friends = f"<dl><dt>{view.says['friends']}{join_links(view.outside, '<dd>', '')}</dl>\n" if view.outside else ""
    unseen = join_links(view.hidden, "<div style='position:absolute;left:-4000px'>", "</div>")
    return f"{cloud}{friends}{divide_links(view.tools, ' ', ' class=' + view.style.mark + '21')}\n{unseen}\n"


def write_gazette(view: View) -> str:
    """A news sheet of 1996: no table at all, rules, lists without end tags, the menu under the text."""
    m, says = view.style.mark, view.says
    year, month, day = date_of(view.number, 1996)
    path = f"<H5>{divide_links(view.crumbs, ' / ')}</H5>\n" if view.crumbs else ""
    menu = "".join([f"<DT><STRONG>{heading}</STRONG>{join_links(links, '<DD>', '')}\n" for heading, links in view.menu])
    near = f"<DIR>\n{join_links(view.submenu, '<LI>', '')}\n</DIR>\n" if view.submenu else ""
    tools = f"<TT>{divide_links(view.tools, ' * ')}</TT>\n" if view.tools else ""
    unseen = join_links(view.hidden, '<SPAN STYLE="font-size:0px;line-height:0">', "</SPAN>", " REL=nofollow")
    return (
        f'<!DOCTYPE HTML PUBLIC "-//IETF//DTD HTML 3.2//EN">\n<HTML LANG={view.language}><HEAD>\n{_loud_head(view)}'
        f'<META NAME="Author" CONTENT="{view.site_name}">\n<!-- {m} {view.number}, tab width 8, no tables on purpose -->\n'
        f"</HEAD><BODY CLASS={m}_page TEXT=black BGCOLOR=#F4F4F4 LINK=navy VLINK=purple>\n<A NAME={m}_start></A>\n{view.header}\n"
        f"<H1 ALIGN=CENTER>{view.site_name}</H1>\n<HR>\n{path}<H2>{view.title}</H2>\n{tools}{near}"
        f"<BLOCKQUOTE ID={m}_text>\n{view.content}\n</BLOCKQUOTE>\n<BR CLEAR=ALL><HR SIZE=4>\n"
        f"<H3>{says['menu']}</H3>\n<DL COMPACT>\n{menu}</DL>\n{_gazette_more(view)}{view.footer}\n<HR>\n"
        f"<ADDRESS>{view.site_name}, {year}-{month:02}-{day:02} &#149; <A HREF=#{m}_start>{says['top']}</A></ADDRESS>\n"
        f"{unseen}\n"
    )


def _gazette_more(view: View) -> str:
    tags = f"<P><EM>{divide_links(view.tags, ', ')}</EM>\n" if view.tags else ""
    if not view.outside:
        return tags
    return f"<H4>{view.says['friends']}</H4>\n<OL>{join_links(view.outside, '<LI>', '<P>')}</OL>\n{tags}"


_SLICES_SCRIPT = """<script type="text/javascript">
<!--
function ~_swapOver(o,c){if(document.getElementById){o.style.backgroundColor=c}}
function ~_preload(){var d=document;if(d.images){if(!d.~_p)d.~_p=new Array();d.~_p[0]=new Image()}}
//-->
</script>
<style type="text/css">
<!--
body,td{font-family:Verdana,Geneva,sans-serif;font-size:11px;color:#333}
.~Head{font-size:20px;color:#fff;font-weight:bold}
.~Nav a{color:#036;text-decoration:none;display:block;padding:3px}
.~Off{position:absolute;top:-999px;left:-999px}
#~Layer1{position:relative;z-index:1}
-->
</style>
"""


def write_tiles(view: View) -> str:
    """A page of 2002, cut from a picture: XHTML in nested tables with spacers, the menu at the right."""
    m, says = view.style.mark, view.says
    year, month, day = date_of(view.number, 2001)
    spacer = f'<img src="{PIXEL}" width="1" height="8" alt="" style="visibility:hidden" />'
    path = f'<tr><td class="{m}Path">{says["here"]}: {divide_links(view.crumbs, " &raquo; ")}</td></tr>\n'
    tools = f'<p align="right">{divide_links(view.tools, " &nbsp;|&nbsp; ")}</p>\n' if view.tools else ""
    unseen = join_links(view.hidden, f'<div class="{m}Off">', "</div>")
    return (
        '<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Transitional//EN" '
        '"http://www.w3.org/TR/xhtml1/DTD/xhtml1-transitional.dtd">\n'
        f'<html xmlns="http://www.w3.org/1999/xhtml" lang="{view.language}" xml:lang="{view.language}">\n<head>\n'
        f'<meta http-equiv="Content-Type" content="text/html; charset={view.encoding}" />\n'
        f"{head_links(view, ' />')}<title>{view.title} : {view.site_name}</title>\n{marked(_SLICES_SCRIPT, m)}</head>\n"
        f'<body onload="{m}_preload()" bgcolor="#ffffff">\n'
        f'<!-- fw:table width="780" base="{m}{view.number % 7}" -->\n'
        '<table width="780" border="0" align="center" cellpadding="0" cellspacing="0">\n'
        f'<tr><td colspan="3" bgcolor="#336699" height="60" class="{m}Head">&nbsp;{home_link(view)}</td></tr>\n'
        f'<tr><td colspan="3">{spacer}</td></tr>\n<tr valign="top">\n<td width="560"><div id="{m}Layer1">\n'
        f'<table width="100%" border="0" cellspacing="0" cellpadding="4">\n{path if view.crumbs else ""}'
        f'<tr><td class="{m}Text">{tools}{view.content}</td></tr>\n<tr><td>{view.footer}</td></tr>\n</table>\n</div></td>\n'
        f'<td width="20">{spacer}</td>\n<td width="200" class="{m}Nav">{view.header}{_slices_nav(view)}</td>\n</tr>\n'
        f'<tr><td colspan="3" align="center" bgcolor="#eeeeee">{divide_links(view.outside, " - ")}<br />\n'
        f"&copy; {year} {view.site_name}. {says['rights']}<br />{says['updated']} {day:02}/{month:02}/{year}</td></tr>\n"
        f"</table>\n{unseen}\n</body>\n</html>\n"
    )


def _slices_nav(view: View) -> str:
    m = view.style.mark
    cell = f"<tr><td onmouseover=\"{m}_swapOver(this,'#ddeeff')\" onmouseout=\"{m}_swapOver(this,'')\">"
    tables = [
        f'<table width="100%" cellspacing="1"><tr><th align="left">{heading}</th></tr>\n'
        f"{join_links(links, cell, '</td></tr>')}\n</table>\n"
        for heading, links in (Group(view.says["menu"], view.submenu), *view.menu)
        if links
    ]
    tags = "".join([f'<a href="{h}" style="font-size:{9 + len(t) % 8}px">{t}</a> ' for h, t in view.tags])
    return "".join(tables) + (f"<div>{tags}</div>" if tags else "")
