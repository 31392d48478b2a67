"""A bibliography by Kerko; run by the program's own Python: PORT or `fill`, then the folder of the state."""

import json
import sys
from html import escape

import kerko
from flask import Flask
from flask_babel import Babel
from flask_bootstrap import Bootstrap4
from kerko.composer import Composer
from kerko.config_helpers import config_set, config_update, parse_config
from waitress import serve

app = Flask(__name__)
app.config |= {
    "SECRET_KEY": "only-on-loopback",
    "ZOTERO_API_KEY": "there-is-no-such-key",
    "ZOTERO_LIBRARY_ID": "1",
    "ZOTERO_LIBRARY_TYPE": "group",
    "DATA_PATH": f"{sys.argv[2]}/kerko",
    "INSTANCE_PATH": f"{sys.argv[2]}/kerko",
}
config_update(app.config, kerko.DEFAULTS)
config_set(app.config, "kerko.meta.title", "Bibliography of language technology")
parse_config(app.config)
app.config["kerko_composer"] = Composer(app.config)
Babel(app)
Bootstrap4(app)
app.register_blueprint(kerko.make_blueprint(), url_prefix="/bibliography")

HOME = """<!DOCTYPE html><title>Language technology group</title><h1>Language technology group</h1>
<p>We keep a <a href="/bibliography/">bibliography</a>. <a href="/people">People</a></p>"""


@app.get("/")
def home():
    return HOME


@app.get("/people")
def people():
    return "<!DOCTYPE html><title>People</title><h1>People</h1><p>A list is being made.</p><a href='/'>Home</a>"


def make_item(number, paper):
    """Return a paper as Zotero would give it."""
    key = f"K{number:07d}"
    creators = [{"creatorType": "author", "name": name} for name in paper["authors"].split(", ")]
    known = {
        "key": key,
        "version": 1,
        "itemType": "conferencePaper",
        "title": paper["title"],
        "creators": creators,
        "proceedingsTitle": paper["proceedings"],
        "date": str(paper["year"]),
        "tags": [{"tag": paper["venue"]}],
        "collections": [],
        "relations": {},
        "dateAdded": "2024-01-01T00:00:00Z",
        "dateModified": "2024-01-01T00:00:00Z",
    }
    text = f"<div>{escape(paper['authors'])} ({paper['year']}). {escape(paper['title'])}.</div>"
    return {"key": key, "data": known, "meta": {"parsedDate": str(paper["year"])}, "bib": text}


def fill():
    """Write Kerko's copy of a library and let it build its index from that."""
    from kerko.storage import open_index, save_object
    from kerko.sync import cache, index
    from kerko.sync.zotero import LibraryContext

    with open(f"{sys.argv[2]}/papers.jsonl", encoding="utf-8") as lines:
        items = [make_item(number, json.loads(line)) for number, line in enumerate(lines)]
    formats = cache.get_formats()
    writer = open_index("cache", schema=cache.get_cache_schema, auto_create=True, write=True).writer()
    for item in items:
        texts = {name: item["bib"] for name in formats}
        facts = {"version": 1, "parentItem": "", "itemType": "conferencePaper", "library": {}, "links": {}}
        writer.update_document(key=item["key"], meta=item["meta"], data=item["data"], **facts, **texts)
    writer.commit()
    context = LibraryContext(
        "1",
        "group",
        collections={},
        item_types={"conferencePaper": "Conference paper"},
        item_fields={
            "conferencePaper": [
                {"field": "title", "localized": "Title"},
                {"field": "proceedingsTitle", "localized": "Proceedings title"},
                {"field": "date", "localized": "Date"},
            ]
        },
        creator_types={"conferencePaper": [{"creatorType": "author", "localized": "Author"}]},
    )
    save_object("cache", "version", 1)
    save_object("cache", "library", context)
    index.sync_index()


if sys.argv[1] == "fill":
    with app.app_context():
        fill()
else:
    serve(app, host="127.0.0.1", port=int(sys.argv[1]), threads=4)
