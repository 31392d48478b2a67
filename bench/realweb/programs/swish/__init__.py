"""Swish-e with its swish.cgi: search by field over the pages of a collection."""

from __future__ import annotations

import html
import shutil

from bench.realweb import data
from bench.realweb.data import Record
from bench.realweb.place import Place, Server, cgi_server, write_lines

PACKAGES = ("swish-e", "libcgi-pm-perl")

_INDEX = """IndexDir {site}/objects
IndexFile {state}/index.swish-e
IndexOnly .html
ReplaceRules remove {site}
MetaNames swishdocpath swishtitle artist medium country
PropertyNames artist medium country
StoreDescription HTML* <body> 2000
DefaultContents HTML*
"""
_CGI = """return {{
    title => 'Search the collection', swish_binary => '/usr/bin/swish-e', swish_index => '{state}/index.swish-e', page_size => 20,
    metanames => [qw/swishdefault swishtitle artist medium country/], sorts => [qw/swishrank swishtitle artist/],
    display_props => [qw/artist medium country/], meta_groups => undef,
    name_labels => {{ swishdefault => 'Everything', swishtitle => 'Title', artist => 'Artist', medium => 'Medium', country => 'Country', swishrank => 'Rank' }},
}};
"""
_HOME = """<html><head><meta charset='utf-8'><title>Study collection</title></head><body><h1>Study collection</h1>
<p>Prints, pots and cloth, each on a page of its own. <a href="/about.html">About</a> <a href="/browse.html">Browse by country</a></p>
</body></html>"""
_ABOUT = """<html><head><meta charset='utf-8'><title>About</title></head><body><h1>About the study collection</h1>
<p>To find an object, <a href="/cgi-bin/swish.cgi">search the collection</a>. Back to the <a href="/">start</a>.</p></body></html>"""


def install(place: Place) -> str:
    place.apt(*PACKAGES)
    return place.apt_version("swish-e")


def fill(place: Place) -> dict[str, list[Record]]:
    objects = data.objects(500)
    site = place.state / "site"
    for number, record in enumerate(objects):
        write_lines(site / "objects" / f"object{number}.html", [_page(record)])
    write_lines(site / "index.html", [_HOME])
    write_lines(site / "about.html", [_ABOUT])
    _browse(place, objects)
    (site / "cgi-bin").mkdir()
    shutil.copy("/usr/lib/swish-e/swish.cgi", site / "cgi-bin" / "swish.cgi")
    write_lines(site / ".swishcgi.conf", [_CGI.format(state=place.state)])
    write_lines(place.state / "swish.conf", [_INDEX.format(site=site, state=place.state)])
    place.run("swish-e", "-c", str(place.state / "swish.conf"))
    return {"objects": objects}


def _page(record: Record) -> str:
    names = ("artist", "medium", "country")
    metas = "".join(f'<meta name="{name}" content="{html.escape(record[name])}">' for name in names)
    rows = "".join(
        f"<tr><th>{name}</th><td>{html.escape(str(value), quote=False)}</td></tr>" for name, value in record.items()
    )
    title = html.escape(record["title"], quote=False)
    return f"<html><head><meta charset='utf-8'><title>{title}</title>{metas}</head><body><table>{rows}</table><a href='/'>Start</a></body></html>"


def _browse(place: Place, objects: list[Record]) -> None:
    countries = sorted({record["country"] for record in objects})
    site = place.state / "site"
    links = "".join(
        f'<li><a href="/country{number}.html">{html.escape(name)}</a>' for number, name in enumerate(countries)
    )
    write_lines(
        site / "browse.html",
        [f"<html><head><meta charset='utf-8'><title>Countries</title></head><body><ul>{links}</ul></body></html>"],
    )
    for number, country in enumerate(countries):
        own = [(index, record) for index, record in enumerate(objects) if record["country"] == country]
        rows = "".join(
            f'<li><a href="/objects/object{index}.html">{html.escape(record["title"])}</a>' for index, record in own
        )
        write_lines(
            site / f"country{number}.html",
            [
                f"<html><head><meta charset='utf-8'></head><body><h1>{html.escape(country)}</h1><ul>{rows}</ul></body></html>"
            ],
        )


def serve(place: Place) -> Server:
    server = cgi_server(place, place.state / "site")
    return Server(server.command, env={"PERL_USE_UNSAFE_INC": "1"})  # swish.cgi reads its settings from this folder
