"""Forms that are no forms in the HTML: built or sent by scripts; and fields that a service completes."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache

from dowse.sim.family_b.markup import marked, plain_text, script_text
from dowse.sim.family_b.naming import ident
from dowse.sim.view import Choice, FormView, Part, Question

_BUILD = """(function(d,f){var r=d.getElementById(f.i),o=d.createElement('form');
function mk(t,a,p){var n=d.createElement(t),k;for(k in a)n.setAttribute(k,a[k]);p.appendChild(n);return n}
function say(t,p){if(t)mk('span',{},p).textContent=t+' '}
function sel(c,p){var a={name:c[0]};if(c[5])a.multiple='';var n=mk('select',a,p);
c[4].forEach(function(v){var u=mk('option',{value:v[0]},n);u.textContent=v[1];if(c[2]&&v[0]==c[2])u.selected=true})}
function put(c,p){say(c[3],p);if(c[1]=='select')return sel(c,p);
if(c[1]=='textarea'){mk('textarea',{name:c[0]},p).value=c[2];return}
if(c[4].length){c[4].forEach(function(v){var n=mk('input',{type:c[1],name:c[0],value:v[0]},p);n.checked=v[0]==c[2];say(v[1],p)});return}
var e=mk('input',{type:c[1],name:c[0],value:c[2]},p);if(f.l&&f.n==c[0])e.setAttribute('list',f.l)}
o.method=f.m;if(f.a)o.setAttribute('action',f.a);o.className='~-made';
if(f.h)mk('h3',{},o).textContent=f.h;
f.q.forEach(function(q){var p=mk('div',{},o);say(q[0],p);q[1].forEach(function(c){put(c,p)})});
f.b.forEach(function(b){var a={type:'submit',value:b[1]};if(b[0])a.name=b[0];mk('button',a,o).textContent=b[1]});
if(f.r)mk('button',{type:'reset'},o).textContent=f.r;
r.appendChild(o)})(document,"""

_SEND = """(function(){var b=document.getElementById("@"),go=function(k){var p=[],n=b.querySelectorAll("[name]"),i,c,
add=function(x,v){p.push(encodeURIComponent(x)+"="+encodeURIComponent(v))};
for(i=0;i<n.length;i++){c=n[i];if(c.type=="button"||((c.type=="radio"||c.type=="checkbox")&&!c.checked))continue;
if(c.multiple){[].forEach.call(c.selectedOptions,function(s){add(c.name,s.value)});continue}add(c.name,c.value)}
if(k&&k.name)add(k.name,k.value);var u=b.getAttribute("data-~-to");
location.href=u+(u.indexOf("?")<0?"?":"&")+p.join("&")};
b.addEventListener("click",function(e){var k=e.target.closest("button");if(!k)return;
if(k.hasAttribute("data-~-clear")){location.reload();return}go(k)});
b.addEventListener("keydown",function(e){if(e.key=="Enter"&&e.target.tagName=="INPUT"){e.preventDefault();go(b.querySelector("button"))}})})();"""

_COMPLETE = """(function(){var l=document.getElementById("@"),i=document.querySelector('[list="@"]'),t;if(!i)return;
i.addEventListener("input",function(){clearTimeout(t);t=setTimeout(function(){if(i.value.length<2)return;
var u=l.getAttribute("data-~-source");u+=/=$/.test(u)?"":(u.indexOf("?")<0?"?":"&")+"term=";
fetch(u+encodeURIComponent(i.value)).then(function(r){return r.json()}).then(function(a){
l.textContent="";(a.items||a.terms||a).forEach(function(v){var o=document.createElement("option");o.value=v.value||v;l.appendChild(o)})})},200)})})();"""


def write_scripted(form: FormView, html: str, completed: str) -> str:
    """Write a script that makes the form when the page loads; its HTML is given, and the field a service completes."""
    return _BUILDERS[_builder_of(form.style.design, form.style.mark)](form, html, completed)


@cache
def _builder_of(design: str, mark: str) -> str:
    if design in {"homestead", "jumpgate", "gazette", "tiles", "dense"}:
        return "write"
    return ("inner", "create")[(len(design) + len(mark)) % 2]


def _write_document(form: FormView, html: str, completed: str) -> str:
    lines = [line.replace("\\", "\\\\").replace("'", "\\'").replace("</", "<\\/") for line in html.split("\n") if line]
    text = "\n".join([f"document.write('{line}');" for line in lines])
    return f'<script language="JavaScript" type="text/javascript">\n<!--\n{text}\n//-->\n</script>\n'


def _fill_inner(form: FormView, html: str, completed: str) -> str:
    place = ident(form.style, "slot", form.number)
    return (
        f'<div id="{place}"></div>\n<script>\n(function(){{var tpl={script_text(html)};'
        f'document.getElementById("{place}").innerHTML=tpl;}})();\n</script>\n'
    )


def _create_elements(form: FormView, html: str, completed: str) -> str:
    place = ident(form.style, "slot", form.number)
    asked = {
        "i": place,
        "m": form.method,
        "a": plain_text(form.action),
        "h": plain_text(form.heading) if form.place == "content" else "",
        "q": [_told(question, form.says["any"]) for question in form.questions],
        "b": [(name, plain_text(text)) for name, text in form.buttons],
        "r": plain_text(form.reset),
        "l": ident(form.style, "list", form.number) if completed else "",
        "n": completed,
    }
    return f'<div id="{place}"></div>\n<script>\n{marked(_BUILD, form.style.mark)}{script_text(asked)});\n</script>\n'


def _told(question: Question, first: str) -> list[object]:
    return [
        plain_text(question.label) if question.kind != "state" else "",
        [_told_part(part, question, first) for part in question.parts],
    ]


def _told_part(part: Part, question: Question, first: str) -> list[object]:
    choices: list[Choice] = [(plain_text(value), plain_text(label)) for value, label in part.choices]
    if part.control == "select" and question.kind != "operator":
        choices.insert(0, ("", plain_text(first)))
    control = "hidden" if question.kind == "state" else part.control
    value = part.value or ("1" if control == "checkbox" and not choices else "")
    return [part.name, control, plain_text(value), plain_text(part.hint), choices, int(question.kind == "several")]


_BUILDERS: Mapping[str, Callable[[FormView, str, str], str]] = {
    "write": _write_document,
    "inner": _fill_inner,
    "create": _create_elements,
}


def write_sender(form: FormView, box: str) -> str:
    """Write the script that sends what stands in a box as a form would."""
    return f"<script>\n{marked(_SEND, form.style.mark).replace('@', box)}\n</script>\n"


def write_completion(form: FormView) -> str:
    """Write the list and the script that complete the first text field from a service."""
    name = ident(form.style, "list", form.number)
    listed = f'<datalist id="{name}" data-{form.style.mark}-source="{form.suggest}"></datalist>\n'
    return f"{listed}<script>\n{marked(_COMPLETE, form.style.mark).replace('@', name)}\n</script>\n"
