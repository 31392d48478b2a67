"""Pages of a legal size that were made to take long, by name: each part of reading a page has one that aims at it."""

from __future__ import annotations

from functools import cache

MAX_PAGE = 2 * 1024 * 1024  # bytes, as many as are read of a page

_FORM = "<form action=/find>"
_JSON = "<script type=application/ld+json>"
_OPTIONS = "".join(f"<option value={number}>choice {number}" for number in range(1_000))
_DAYS = "".join(f"<option>{number}" for number in range(1, 32))
_SELECTS = "".join(f"<b>Title {number}</b><select name=a{number}>{_OPTIONS[:900]}</select>" for number in range(15))
_FIELDS = "".join(f"<p>Label {number} <input name=q{number}></p>" for number in range(300))
_PRODUCTS = "".join(
    f'{{"@type":"Product","name":"n {number}","offers":{{"price":{number}}}}},' for number in range(1_500)
)

# What stands before, and what is repeated until the page is full, with its number in place of each #.
REPEATED: dict[str, tuple[str, str]] = {
    "definition lists": ("", "<dl><dt>Name #<dd>Value <a href=/item/#>#</a> of words</dl>"),
    "one definition list": ("<dl>", "<dt>Name #<dd>Value # of words"),
    "nested definition lists": ("", "<dl><dt>name<dd>value <a href=/x>l</a>"),
    "definition lists with fields": (_FORM, "<dl><dt>Name #<dd><input name=f#></dl>"),
    "fields in one definition list": (f"{_FORM}<dl>", "<dt>Name #<dd><select name=s#><option>a<option>b</select>"),
    "nested tables": ("", "<table><tr><td>"),
    "nested tables with words": ("", "<table><tr><td>name <a href=/x>link</a><td>value "),
    "large table": ("<table>", "<tr><td><a href=/r/#>Row #</a><td>7#<td>some words"),
    "one wide row": ("<table><tr>", "<td>cell #"),
    "wide rows": ("<table>", "<tr>" + "<td>4#" * 400),
    "fields in one wide row": (f"{_FORM}<table><tr>", "<td>cell #<td><input name=f#>"),
    "selects of 1,000 choices": (_FORM, f"<label>Field #<select name=s#>{_OPTIONS}</select></label>"),
    "selects of 3 choices": (_FORM, "Price # <select name=s#><option>1<option>2<option>3</select>"),
    "selects of days": (_FORM, f"<select name=d#>{_DAYS}</select>"),
    "small forms": ("", "<form action=/f#><input name=q#><input type=submit value=Search></form>"),
    "large forms": ("", f"<form action=/f#>{_FIELDS}</form>"),
    "forms of selects": ("", f"<form action=/f#>{_SELECTS}</form>"),
    "labels": (_FORM, "<label for=f#>Label #</label><input id=f# name=f#>"),
    "boxes": (_FORM, "<input type=checkbox name=b value=#>Choice # "),
    "headings over boxes": (_FORM, "<h3>Head #</h3><input type=radio name=r# value=1>yes<input type=radio name=r#>no"),
    "nested fieldsets": (_FORM, "<fieldset><legend>L</legend>x<input name=a>"),
    "long hidden values": (_FORM, f"<input type=hidden name=h# value={'1' * 60_000}>"),
    "boxes without a form": ("", "<div><input name=q# placeholder=Search><button>Search</button></div>"),
    "nested boxes without a form": ("", "<div><input name=q placeholder=Search>"),
    "addresses in data": ("", "<div data-url=/search/# data-action=/find onclick=\"location.href='/x?q='\"><input name=q#></div>"),
    "one paragraph": ("<p>", "words and more words of 17 results, "),
    "one word": ("<p>", "a"),
    "blanks": ("<p>x", " \n"),
    "digits": ("<p>", "1,"),
    "the same link": ("", "<a href=/x>the same words</a> "),
    "links": ("", "<a href=/page/#>page #</a> "),
    "links of many words": ("", f"<a href=/p#>{'long words here ' * 100}</a><br>"),
    "links around blocks": ("", "<a href=/p#><div><h3>t #</h3><p>w</p></div></a>"),
    "links with 200 parameters": ("", f"<a href='/find?{'&'.join(f'p{number}=#' for number in range(200))}'>x#</a>"),
    "long addresses": ("", f"<a href=/{'abcdef0123456789/' * 100}#>x</a>"),
    "long relative addresses": ("", f"<a href={'../' * 600}#>x</a>"),
    "long attributes": ("", f"<div class='{'name ' * 2_000}' title='{'word ' * 2_000}'>x</div>"),
    "classes": ("", "<div class='c# d# e#'>text #</div>"),
    "one script of JSON-LD": (f"{_JSON}[", '{"@type":"Product","name":"n #","offers":{"price":#}},'),
    "scripts of JSON-LD": ("", f"{_JSON}[{_PRODUCTS}{{}}]</script>"),
    "deep JSON-LD": (_JSON, '{"a":['),
    "one script": ("<script>", "var a = '<form><input name=q>'; location.href = '/search?q=' + b; "),
    "scripts": ("", "<script>document.write('<form><input type=text>');</script>"),
    "microdata": ("", "<div itemscope itemtype=http://schema.org/Product><i itemprop=name>n #</i><a itemprop=url href=/i/#>x</a></div>"),
    "nested microdata": ("", "<div itemscope itemtype=http://schema.org/Product itemprop=a><span itemprop=name>n</span>"),
    "records": ("", "<div class=row><h3><a href=/r/#>Title #</a></h3><p>Author: Name #</p><span>Price: # EUR</span></div>"),
    "rows of records": ("<table>", "<tr><td><a href=/r/#>Title #</a><td>Year 19#<td># km</tr>"),
    "records without tags around them": ("", "<b>Title #</b><br>Author #<br><i>#</i><hr>"),
    "links over wide blocks": ("", f"<div><a href=/x>link</a></div><div>{'<i>1</i>' * 200}</div>"),
    "links to further pages": ("", "<a href='/find?q=a&page=#'>#</a> "),
    "count lines": ("", "<p>Results 1 - 10 of # found, only the first 100 are shown</p>"),
    "comments": ("", "<!-- c --><p>x"),
    "metas": ("", "<meta name=robots content='googlebot: noindex, a, b, c'>"),
    "nested lists": ("", "<ul><li>x<a href=/a>y</a>"),
    "links in 60 blocks": ("", f"{'<div>' * 60}<a href=/a>y</a>{'</div>' * 60}"),
    "line breaks": ("", "x<br>"),
    "links as written": ("<pre>", "line of words <a href=/x>y</a>\n"),
    "frames": ("", "<iframe src=/f#></iframe>"),
    "formatting without end": ("", "<p><b><i><u><s>x"),
}  # fmt: skip


@cache
def make_page(name: str, size: int = MAX_PAGE) -> bytes:
    """Return the hostile page of that name, of so many bytes at most."""
    start, part = (text.encode() for text in REPEATED[name])
    if b"#" not in part:
        return start + part * ((size - len(start)) // len(part))
    made, length, number = [start], len(start), 0
    while (length := length + len(new := part.replace(b"#", b"%d" % number))) <= size:
        made.append(new)
        number += 1
    return b"".join(made)
