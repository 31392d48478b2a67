"""Designs of today: headers and footers by name, menus that drop, unfold or are built by script, nested components."""

from __future__ import annotations

import json

from dowse.sim.family_a.anchors import (
    fill_marks,
    hide_each,
    hide_in_block,
    write_date,
    write_each,
    write_head_links,
    write_line,
    write_list,
)
from dowse.sim.view import Anchors, View

_VIEWPORT = '<meta name="viewport" content="width=device-width, initial-scale=1">'

_MODERN_HEAD = """<style>
:root{--~ink:#1c2430;--~accent:#0a7;--~gap:1rem}
*{box-sizing:border-box}body{margin:0;font:1rem/1.6 system-ui,sans-serif;color:var(--~ink)}
.~header{position:sticky;top:0;background:#fff;border-bottom:1px solid #e3e6ea}
.~wrap{max-width:72rem;margin:0 auto;padding:0 var(--~gap);display:flex;flex-wrap:wrap;
gap:var(--~gap);align-items:center}
.~nav__list{display:flex;flex-wrap:wrap;list-style:none;gap:.75rem;padding:0}
.~main{display:grid;grid-template-columns:1fr 16rem;gap:2rem;max-width:72rem;margin:2rem auto;padding:0 var(--~gap)}
.~chip{display:inline-block;border:1px solid #d7dbe0;border-radius:1rem;padding:.1rem .7rem;margin:.15rem}
.~trail{display:flex;list-style:none;padding:0;font-size:.8rem}.~trail li+li:before{content:"/";margin:0 .4rem}
.~ext{font-size:.85rem;opacity:.8}
.~vh{clip-path:inset(50%);height:1px;overflow:hidden;position:absolute;white-space:nowrap;width:1px}
@media(max-width:48rem){.~main{display:block}}
</style>"""
_MODERN_END = """<script>
(function(d){d.documentElement.className=d.documentElement.className.replace("~no-js","~js");
var l=d.querySelectorAll("[data-~lazy]");for(var i=0;i<l.length;i++){l[i].setAttribute("data-~ready",i)}})(document);
window.`app={ready:true,v:"3.1.4"};
</script>"""


def write_modern(view: View) -> str:
    """A header that stays, a text with an aside of chips, a dark footer."""
    mark, says = view.style.mark, view.says
    chips = write_each(view.submenu, f'<div class="{mark}chip" data-{mark}lazy>', "</div>", f' class="{mark}chip__a"')
    tags = f"<h2>{says['tags']}</h2>{write_line(view.tags, ' ')}" if view.tags else ""
    aside = [
        f'<div class="{mark}chips">{chips}</div>',
        f"<div>{tags}</div>",
        f"<div>{write_line(view.tools, ' ')}</div>",
    ]
    turn = view.number % 3
    crumbs = (
        f'<nav aria-label="{says["here"]}">{write_list(view.crumbs, f" class={mark}trail")}</nav>'
        if view.crumbs
        else ""
    )
    skip = "" if view.base else f'<a class="{mark}vh" href="#{mark}main">{says["skip"]}</a>'
    return f"""<!doctype html>
<html lang="{view.language}" class="{mark}no-js">
<head>
<meta charset="{view.encoding}">
<title>{view.title} | {view.site_name}</title>
{_VIEWPORT}
{write_head_links(view)}<meta property="og:title" content="{view.title}">
<meta property="og:site_name" content="{view.site_name}">
{fill_marks(_MODERN_HEAD, mark)}
</head>
<body class="{mark}app {mark}v{view.number % 6}">{skip}
<header class="{mark}header"><div class="{mark}wrap"><div class="{mark}brand"><span>{view.site_name}</span></div>
<nav aria-label="{says["menu"]}"><div class="{mark}nav">
{write_list(view.links, f' class="{mark}nav__list"')}</div></nav>
<div class="{mark}slot">{view.header}</div></div></header>
<main id="{mark}main" class="{mark}main"><article><div class="{mark}inner">{crumbs}{view.content}</div></article>
<aside>{"".join(aside[turn:] + aside[:turn])}</aside></main>
<footer class="{mark}footer"><div class="{mark}wrap"><div class="{mark}slot">{view.footer}</div>
<div class="{mark}ext"><h2>{says["friends"]}</h2>{write_list(view.outside)}</div>
<small>&copy; {2016 + view.number % 9} {view.site_name}. {says["rights"]}</small></div>
{hide_in_block(view.hidden, f'class="{mark}vh" aria-hidden="true"')}</footer>
{fill_marks(_MODERN_END, mark)}
</body>
</html>"""


_MEGA_HEAD = """<style>
body{font-family:"Helvetica Neue",Arial,sans-serif;margin:0;color:#333;background:#fafafa}
.~mast{background:#222;color:#fff;padding:1em 2em;display:flex;justify-content:space-between}
.~mega{position:relative;background:#333;padding:0 2em}
.~mega__panel{display:flex;flex-wrap:wrap;gap:2em;padding:1em 0}
.~mega__col{min-width:11em}.~mega__col h6{color:#fc6;margin:.2em 0;font-size:.8em;letter-spacing:.08em}
.~mega__col p{margin:0}.~mega a{color:#eee;text-decoration:none}
.~bc{padding:.6em 2em;font-size:.8em}.~bc span:before{content:"\\203A";padding:0 .5em}
.~body{display:flex;padding:0 2em;gap:2em}.~body>section{flex:3}
.~rail{flex:1;border-left:1px solid #ddd;padding-left:1em}
.~foot{background:#eee;padding:2em;margin-top:2em}
.~gone{display:none!important}
</style>
<script>window.dataLayer=window.dataLayer||[];
function `tag(){dataLayer.push(arguments)}`tag("js",new Date());</script>"""


def write_mega(view: View) -> str:
    """A menu of columns over the whole width, one for each part of the site."""
    mark, says = view.style.mark, view.says
    columns = "\n".join(
        [
            f'<div class="{mark}mega__col" data-col="{n}"><h6>{g.heading}</h6>'
            f"{write_each(g.links, '<p>', '</p>')}</div>"
            for n, g in enumerate(view.menu)
        ]
    )
    crumbs = write_each(view.crumbs, "<span>", "</span>", ' itemprop="item"')
    rail = f"<h5>{says['also']}</h5>{write_each(view.submenu, '<p>', '</p>')}" if view.submenu else ""
    tags = f"<h5>{says['tags']}</h5><p>{write_line(view.tags, ' &bull; ')}</p>" if view.tags else ""
    ends = (rail, tags) if view.number % 2 else (tags, rail)
    return f"""<!DOCTYPE html>
<html lang="{view.language}">
<head>
<meta charset="{view.encoding}"/>
{_VIEWPORT}
{write_head_links(view, "/>")}<title>{view.title} &ndash; {view.site_name}</title>
{fill_marks(_MEGA_HEAD, mark)}
</head>
<body data-page="{view.number}">
<div class="{mark}mast" role="banner"><strong>{view.site_name}</strong><div class="{mark}util">{view.header}</div></div>
<div class="{mark}mega" role="navigation" aria-label="{says["menu"]}"><div class="{mark}mega__panel">
{columns}
</div></div>
<div class="{mark}bc" itemscope itemtype="https://schema.org/BreadcrumbList">{says["here"]} {crumbs}</div>
<div class="{mark}body"><section>
{view.content}
<p class="{mark}act">{write_line(view.tools, " ")}</p></section>
<div class="{mark}rail">{ends[0]}{ends[1]}</div></div>
<div class="{mark}foot" role="contentinfo">{view.footer}
<p>{says["friends"]}: {write_line(view.outside, " &bull; ")}</p>
<p>{view.site_name} &middot; {says["updated"]} {write_date(view.number)}</p>
{hide_in_block(view.hidden, f'class="{mark}gone"')}</div>
</body>
</html>"""


_DROP_HEAD = """<style>
.~n,.~n ul{list-style:none;margin:0;padding:0;background:#1d4e89;color:#fff}
.~n>li{display:inline-block;position:relative;padding:.6em 1em;cursor:default}
.~n>li>ul{display:none;position:absolute;left:0;top:100%;min-width:12em;z-index:20}
.~n>li:hover>ul,.~n>li:focus-within>ul{display:block}
.~n ul li{padding:.3em 1em}.~n ul ul{padding-left:1em;border-left:2px solid #7bd}
.~n a{color:#fff}
body{margin:0 auto;max-width:960px;font:15px/1.55 "Open Sans",Arial,sans-serif}
.~row:before,.~row:after{content:" ";display:table}.~row:after{clear:both}
.~col-8{float:left;width:66%}.~col-4{float:left;width:30%;margin-left:4%}
.~well{background:#f5f5f5;border:1px solid #e3e3e3;padding:1em;margin-bottom:1em}
</style>
<!--[if lt IE 9]><script>document.createElement("nav");document.createElement("section")</script><![endif]-->"""
_DROP_END = """<script>
document.addEventListener("DOMContentLoaded",function(){
  var tops=document.querySelectorAll("#~nav>li");
  Array.prototype.forEach.call(tops,function(li){li.setAttribute("aria-haspopup",li.children.length>1);
    li.addEventListener("click",function(){li.classList.toggle("~open")})});
});
</script>"""


def write_dropdown(view: View) -> str:
    """Lists within lists that open under the mouse; the part's own pages are a third level of the last one."""
    mark, says = view.style.mark, view.says
    last = len(view.menu) - 1
    third = f"<li>{says['also']}{write_list(view.submenu)}</li>" if view.submenu else ""
    entries = "\n".join(
        [
            f"<li><span>{g.heading or says['menu']}</span>\n<ul>{write_each(g.links, '<li>', '</li>')}"
            f"{third if n == last else ''}</ul></li>"
            for n, g in enumerate(view.menu)
        ]
    )
    tags = f'<div class="{mark}well"><b>{says["tags"]}</b><br>{write_line(view.tags, " ")}</div>' if view.tags else ""
    sides = [
        f'<div class="{mark}well">{view.header}</div>',
        tags,
        f'<div class="{mark}well">{write_list(view.tools)}</div>',
    ]
    turn = view.number % 2
    charset = f'<meta charset="{view.encoding}">\n' if view.encoding != "utf-8" else ""
    crumbs = f'<ol class="{mark}path">{write_each(view.crumbs, "<li>", "</li>")}</ol>' if view.crumbs else ""
    return f"""<!DOCTYPE html>
<html lang="{view.language}">
<head>
{charset}<title>{view.site_name} &middot; {view.title}</title>
{write_head_links(view)}{fill_marks(_DROP_HEAD, mark)}
</head>
<body id="{mark}body">
<div class="{mark}logo"><big>{view.site_name}</big></div>
<nav><ul class="{mark}n" id="{mark}nav">
{entries}
</ul></nav>
{crumbs}<div class="{mark}row"><div class="{mark}col-8" data-n="{view.number}">
{view.content}
</div><div class="{mark}col-4">
{"".join(sides[turn:] + sides[:turn])}
</div></div>
<div class="{mark}row"><div class="{mark}well">{view.footer}
<p>{says["friends"]} | {write_line(view.outside)}</p></div></div>
{hide_each(view.hidden, 'hidden tabindex="-1" rel="nofollow noopener"')}
<p><small>{says["rights"]}</small></p>
{fill_marks(_DROP_END, mark)}
</body>
</html>"""


_BURGER_HEAD = """<style>
body{margin:0;font:16px/1.5 Roboto,Arial,sans-serif}
.~top{display:flex;align-items:center;padding:8px 16px;background:#37474f;color:#fff}
.~btn{border:0;background:none;color:inherit;font-size:24px;padding:0 16px 0 0}
.~drawer{background:#eceff1;padding:8px 24px;columns:3 12em}.~drawer[data-shut]{max-height:0;overflow:hidden;padding:0}
.~drawer b{display:block;margin-top:8px;color:#607d8b}.~drawer a{display:block}
.~sheet{padding:16px;max-width:860px;margin:0 auto}
.~list a{display:inline-block;margin-right:12px}
.~end{background:#263238;color:#b0bec5;padding:24px 16px}.~end a{color:#fff}
.~far{position:absolute;left:-3000em}
</style>"""
_BURGER_END = """<script>
(function () {
  var groups = JSON.parse(document.getElementById("~state").textContent), out = [], i, j, g;
  for (i = 0; i < groups.length; i++) {
    g = groups[i];
    if (g[0]) out.push("<b>" + g[0] + "<\\/b>");
    for (j = 0; j < g[1].length; j++) out.push('<a class="~i" href="' + g[1][j][0] + '">' + g[1][j][1] + "<\\/a>");
  }
  var drawer = document.getElementById("~drawer"), button = document.getElementById("~btn");
  drawer.innerHTML = out.join("");
  button.onclick = function () {
    if (drawer.hasAttribute("data-shut")) drawer.removeAttribute("data-shut");
    else drawer.setAttribute("data-shut", "");
  };
})();
</script>"""


def write_burger(view: View) -> str:
    """A menu that is not in the HTML: a script builds its links when the page loads."""
    mark, says = view.style.mark, view.says
    state = json.dumps(view.menu, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c")
    here = f"<p>{write_line(view.crumbs, ' &rsaquo; ')}</p>" if view.crumbs else ""
    tags = f'<p class="{mark}list">{says["tags"]}: {write_line(view.tags, " ")}</p>' if view.tags else ""
    return f"""<!doctype html>
<html lang="{view.language}">
<head>
<meta charset="{view.encoding}">
{_VIEWPORT}
<meta name="theme-color" content="#37474f">
<title>{view.title} &middot; {view.site_name}</title>
{write_head_links(view)}{fill_marks(_BURGER_HEAD, mark)}
</head>
<body>
<div class="{mark}top">
<button type="button" class="{mark}btn" id="{mark}btn" aria-label="{says["menu"]}">&#9776;</button>
<b>{view.site_name}</b></div>
<div class="{mark}drawer" id="{mark}drawer" data-v="{view.number % 13}"></div>
<script type="application/json" id="{mark}state">{state}</script>
<div class="{mark}sheet">{view.header}
{here}{view.content}
<div class="{mark}list">{write_line(view.submenu, " ")}</div>
{tags}<div class="{mark}list">{write_line(view.tools, " ")}</div></div>
<div class="{mark}end">{view.footer}
<div>{says["friends"]}<br>{write_line(view.outside, "<br>")}</div>
<div class="{mark}far">{hide_each(view.hidden, 'rel="nofollow" aria-hidden="true"')}</div>
<p>{says["rights"]} {2012 + view.number % 12}</p></div>
{fill_marks(_BURGER_END, mark)}
</body>
</html>"""


_PARTS_HEAD = """<style data-emotion="~css">
.~css-1q{display:flex;flex-direction:column;min-height:100vh}
.~css-0k{padding:12px 24px;box-shadow:0 1px 4px rgba(0,0,0,.2)}
.~css-7d{display:flex;flex-wrap:wrap;margin:-4px}.~css-7d>*{padding:4px}.~css-2z{flex:1 0 auto;display:flex}
.~css-9f{width:240px;padding:16px;background:#f4f5f7}.~css-x3{flex:1;padding:16px 32px;min-width:0}
.~css-b8{font-size:12px;color:#6b778c}.~css-ll{line-height:0;font-size:0;height:0;overflow:hidden}
.~css-ee{padding:24px;background:#091e42;color:#fff}.~css-ee a{color:#b3d4ff}
.~css-gg{border-radius:3px;background:#dfe1e6;padding:0 6px;margin:2px;display:inline-block}
</style>"""


def _write_parts(links: Anchors, mark: str) -> str:
    """Write each link as deep as a component framework does."""
    return "".join(
        [
            f'<div role="presentation"><div class="{mark}css-i{n % 4}">'
            f'<a class="{mark}css-l" href="{href}" data-k="{n}">'
            f"<span><span>{text}</span></span></a></div></div>"
            for n, (href, text) in enumerate(links)
        ]
    )


def write_components(view: View) -> str:
    """What a component framework leaves: elements of its own, blocks in blocks, names without meaning."""
    mark, says = view.style.mark, view.says
    groups = "".join(
        [
            f'<div class="{mark}css-gp"><span class="{mark}css-b8">{g.heading}</span>'
            f"{_write_parts(g.links, mark)}</div>"
            for g in view.menu
        ]
    )
    tags = "".join([f'<span class="{mark}css-gg"><a href="{href}">{text}</a></span>' for href, text in view.tags])
    crumbs = "".join([f'<{mark}x-crumb><a href="{href}">{text}</a></{mark}x-crumb>' for href, text in view.crumbs])
    return f"""<!DOCTYPE html><html lang="{view.language}"><head><meta charset="{view.encoding}">
<title>{view.title} | {view.site_name}</title>{_VIEWPORT}
{write_head_links(view)}{fill_marks(_PARTS_HEAD, mark)}</head>
<body><div id="{mark}root" data-reactroot=""><div class="{mark}css-1q"><{mark}x-bar class="{mark}css-0k">
<div class="{mark}css-7d"><div><div class="{mark}css-t"><span>{view.site_name}</span></div></div>
<div><div data-slot="{view.number % 3}">{view.header}</div></div></div></{mark}x-bar>
<div class="{mark}css-2z"><{mark}x-rail class="{mark}css-9f"><div><div>{groups}</div></div><!-- -->
<div class="{mark}css-gp">{_write_parts(view.submenu, mark)}</div></{mark}x-rail>
<div class="{mark}css-x3"><div><div class="{mark}css-b8">{crumbs}</div>
<div class="{mark}css-c"><div><!-- {view.number} -->
{view.content}
</div></div><div class="{mark}css-7d">{_write_parts(view.tools, mark)}</div><div>{tags}</div></div></div></div>
<div class="{mark}css-ee"><div><div>{view.footer}</div><div class="{mark}css-7d">
<div><span>{says["friends"]}</span></div>{_write_parts(view.outside, mark)}</div>
<div class="{mark}css-b8">{says["rights"]}</div></div></div>
<div class="{mark}css-ll">{hide_each(view.hidden, 'tabindex="-1"')}</div></div></div>
<script>{fill_marks("window.__`STATE__", mark)}={{"route":{view.number},"locale":"{view.language}",
"flags":{{"a":{view.number % 2},"b":null}}}};</script></body></html>"""


_DOCS_HEAD = """<style>
body{display:grid;grid-template:"t t t" auto "l m r" 1fr "f f f" auto/15rem 1fr 12rem;margin:0;
font:16px/1.6 Inter,sans-serif}
.~t{grid-area:t;border-bottom:1px solid #ddd;padding:.5rem 1rem;display:flex;gap:1rem}
.~l{grid-area:l;padding:1rem;overflow:auto;border-right:1px solid #ddd}.~l ul{list-style:none;padding-left:.8rem}
.~m{grid-area:m;padding:1rem 2rem;min-width:0}.~r{grid-area:r;padding:1rem;font-size:.85rem}
.~f{grid-area:f;border-top:1px solid #ddd;padding:1rem}
summary{cursor:pointer;font-weight:600}.~bc li{display:inline}.~bc li+li::before{content:"\\2192 "}
.~no{visibility:hidden;position:absolute}
[data-theme=dark]{background:#111;color:#eee}
</style>
<script>(function(){try{var t=localStorage.getItem("~theme");
if(t)document.documentElement.setAttribute("data-theme",t)}catch(e){}})()</script>"""


def write_docs(view: View) -> str:
    """A handbook: a tree that unfolds at the left, what belongs to the page at the right."""
    mark, says = view.style.mark, view.says
    opened = view.number % len(view.menu)
    tree = "\n".join(
        [
            f"<details{' open' if n == opened else ''}><summary>{g.heading or says['menu']}</summary>"
            f"{write_list(g.links)}</details>"
            for n, g in enumerate(view.menu)
        ]
    )
    own = f"<strong>{says['also']}</strong>{write_list(view.submenu)}" if view.submenu else ""
    tags = f"<strong>{says['tags']}</strong><p>{write_line(view.tags, '<br>')}</p>" if view.tags else ""
    top = "" if view.base else f'<p><a href="#{mark}m">{says["top"]}</a></p>'
    return f"""<!DOCTYPE html>
<html lang="{view.language}" data-theme="light">
<head>
<meta charset="{view.encoding}">
{write_head_links(view)}<title>{view.title} :: {view.site_name}</title>
{_VIEWPORT}
{fill_marks(_DOCS_HEAD, mark)}
</head>
<body>
<header class="{mark}t"><span>{view.site_name}</span><div>{view.header}</div></header>
<aside class="{mark}l" data-level="{view.number % 4}"><nav aria-label="{says["menu"]}">
{tree}
</nav></aside>
<main class="{mark}m" id="{mark}m">
<nav class="{mark}bc" aria-label="{says["here"]}"><ol>{write_each(view.crumbs, "<li>", "</li>")}</ol></nav>
{view.content}
</main>
<aside class="{mark}r">{own}{tags}<menu>{write_each(view.tools, "<li>", "</li>")}</menu>{top}</aside>
<footer class="{mark}f">{view.footer}<p>{says["friends"]}</p>{write_list(view.outside)}
{hide_in_block(view.hidden, f'class="{mark}no"')}<time>{write_date(view.number)}</time> {says["rights"]}</footer>
</body>
</html>"""


_COLUMNS_HEAD = """<style>
body{margin:0;font:17px/1.6 Lato,Calibri,sans-serif;color:#2b2b2b}
.~hero{background:linear-gradient(120deg,#5b247a,#1bcedf);color:#fff;padding:3em 10%;text-align:center}
.~hero p{font-size:2em;margin:0}
.~text{padding:2em 10%}
.~cols{display:flex;flex-wrap:wrap;background:#f0f0f5;padding:2em 10%}
.~cols section{flex:1 1 10em;padding-right:1em}.~cols h4{margin:0 0 .5em}
.~cols ul{list-style:none;padding:0;margin:0}
.~base{padding:1em 10%;font-size:.8em;color:#777}
.~pills{padding:0;display:flex;flex-wrap:wrap;gap:.5em;list-style:none}
.~pills a{background:#e6e6fa;border-radius:9px;padding:2px 9px}
.~w0{width:0;height:0;overflow:hidden;display:inline-block}
</style>
<script type="application/ld+json">{"@context":"https://schema.org","@type":"WebPage"}</script>"""


def write_columns(view: View) -> str:
    """One long page with a picture on top: every menu stands in columns of the footer."""
    mark, says = view.style.mark, view.says
    own = f"<section><h4>{says['also']}</h4>{write_list(view.submenu)}</section>" if view.submenu else ""
    friends = f"<section><h4>{says['friends']}</h4>{write_list(view.outside)}</section>" if view.outside else ""
    tags = f"<p>{says['tags']}</p>{write_list(view.tags, f' class={mark}pills')}" if view.tags else ""
    columns = "\n".join([f"<section><h4>{g.heading}</h4>{write_list(g.links)}</section>" for g in view.menu])
    return f"""<!doctype html>
<html lang="{view.language}" id="{mark}h{view.number % 9}">
<head>
<meta http-equiv="content-type" content="text/html; charset={view.encoding}">
{_VIEWPORT}
<title>{view.title}</title>
{write_head_links(view)}<meta name="twitter:card" content="summary"><meta name="twitter:title" content="{view.title}">
{fill_marks(_COLUMNS_HEAD, mark)}
</head>
<body>
<div class="{mark}hero"><p>{view.site_name}</p>{view.header}</div>
<div class="{mark}text"><div class="{mark}up">{write_line(view.crumbs, " &larr; ")}</div>
{view.content}
<div class="{mark}up">{write_line(view.tools, " &#183; ")}</div>{tags}</div>
<div class="{mark}cols">{columns}
{own}{friends}<section>{view.footer}</section></div>
<div class="{mark}base"><i class="{mark}w0">{hide_each(view.hidden, 'rel="nofollow"')}</i>
&copy; {view.site_name} {2010 + view.number % 14}
<span>{says["rights"]}</span> <span>{says["updated"]} {write_date(view.number)}</span></div>
</body>
</html>"""
