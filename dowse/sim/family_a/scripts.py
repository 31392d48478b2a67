"""Forms that need a browser: built by script, sent by script, or completed while one types."""

from __future__ import annotations

import json
from html import unescape

_GO = """<script>
(function () {
  var box = document.getElementById("#"), all = box.querySelectorAll("input,select,textarea,button");
  function go(pressed) {
    var q = [], i, j, e, t;
    for (i = 0; i < all.length; i++) {
      e = all[i]; t = e.type;
      if (!e.name || (t == "button" && e !== pressed) || ((t == "radio" || t == "checkbox") && !e.checked)) continue;
      if (t == "select-multiple") {
        for (j = 0; j < e.options.length; j++) if (e.options[j].selected) add(e.name, e.options[j].value);
      } else add(e.name, e.value);
    }
    function add(n, v) { q.push(encodeURIComponent(n) + "=" + encodeURIComponent(v).replace(/%20/g, "+")); }
    var to = box.getAttribute("data-to");
    window.location.href = to + (to.indexOf("?") < 0 ? "?" : "&") + q.join("&");
  }
  function clear() { for (var i = 0; i < all.length; i++) if (all[i].type == "text") all[i].value = ""; }
  for (var i = 0, first; i < all.length; i++) if (all[i].type == "button") {
    first = first || all[i];
    all[i].onclick = all[i].getAttribute("data-clear") ? clear : function () { go(this); };
  }
  box.onkeydown = function (e) {
    e = e || window.event;
    if (e.keyCode == 13 && e.target.tagName == "INPUT" && e.target.type != "button") { e.preventDefault(); go(first); }
  };
})();
</script>"""

_COMPLETE = """<script>
document.addEventListener("input", function (e) {
  var f = e.target, l = document.getElementById("#d"), x, u;
  if (f.id != "#" || f.value.length < 2) return;
  u = f.getAttribute("data-src") || l.getAttribute("data-src");
  x = new XMLHttpRequest();
  x.onload = function () {
    var found = JSON.parse(x.responseText), i, o;
    l.innerHTML = "";
    for (i = 0; i < found.length && i < 10; i++) {
      o = document.createElement(l.tagName == "DATALIST" ? "option" : "div");
      o.textContent = o.value = found[i].value || found[i];
      o.onclick = function () { f.value = this.value; l.innerHTML = ""; };
      l.appendChild(o);
    }
  };
  if (u.slice(-1) != "=") u += (u.indexOf("?") < 0 ? "?" : "&") + f.name + "=";
  x.open("GET", u + encodeURIComponent(f.value));
  x.send();
});
</script>"""


def quote_script(text: str) -> str:
    """Write a text as a string of JavaScript that ends no script."""
    return json.dumps(text, ensure_ascii=False).replace("</", "<\\/").replace("<!", "<\\!")


def write_by_document(html: str) -> str:
    """Write a form while the page is read, line by line, as scripts of old do."""
    lines = "\n".join([f"document.write({quote_script(line)});" for line in html.splitlines(keepends=True)])
    return f'<script language="JavaScript">\n{lines}\n</script>'


def write_by_filling(html: str, id_: str) -> str:
    """Write a form into an empty block."""
    pieces = ",\n".join([quote_script(line) for line in html.splitlines(keepends=True)])
    return f"""<div id="{id_}h"></div>
<script>
document.getElementById("{id_}h").innerHTML = [
{pieces}
].join("");
</script>"""


def write_by_inserting(html: str, id_: str) -> str:
    """Write a form beside the script itself."""
    return f"""<script>
(function (here, html) {{
  var holder = document.createElement("div");
  holder.id = "{id_}h";
  holder.innerHTML = html;
  here.parentNode.insertBefore(holder, here);
}})(document.currentScript, {quote_script(html)});
</script>"""


def write_by_creating(inside: str, id_: str, attributes: tuple[tuple[str, str], ...]) -> str:
    """Create a form element when the page has loaded, and fill it."""
    sets = "\n".join([f"  form.setAttribute({quote_script(k)}, {quote_script(unescape(v))});" for k, v in attributes])
    return f"""<div id="{id_}h"></div>
<script>
document.addEventListener("DOMContentLoaded", function () {{
  var form = document.createElement("form");
{sets}
  form.innerHTML = {quote_script(inside)};
  document.getElementById("{id_}h").appendChild(form);
}});
</script>"""


def write_sending(id_: str) -> str:
    """Return the script that sends controls which stand in no form."""
    return _GO.replace("#", id_)


def write_completing(id_: str) -> str:
    """Return the script that completes a field while one types."""
    return _COMPLETE.replace("#", id_)
