"""Three grids: one asked in its query language, one by a chosen attribute, one by a form of its own; run by py4web."""

import os

from py4web import DAL, Field, action
from py4web.utils.form import Form, FormStyleDefault
from py4web.utils.grid import Grid
from pydal.validators import IS_EMPTY_OR, IS_IN_SET

from .common import T, auth, session

FOLDER = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
data = DAL("sqlite://data.db", folder=FOLDER, migrate=False)
data.define_table(
    "artworks",
    *(Field(name) for name in ("number", "title", "artist", "classification", "medium", "dated", "credit", "subjects")),
)
data.define_table(
    "papers",
    Field("key"),
    Field("title"),
    Field("authors"),
    Field("year", "integer"),
    Field("venue"),
    Field("proceedings"),
)
data.define_table(
    "cities",
    Field("name"),
    Field("country"),
    Field("population", "integer"),
    Field("timezone"),
    Field("latitude", "double"),
    Field("longitude", "double"),
)
READ_ONLY = {"create": False, "editable": False, "deletable": False}


@action("index")
@action.uses("index.html", auth, T)
def index():
    return {}


@action("artworks")
@action.uses("generic.html", session, data, auth, T)
def artworks():
    table = data.artworks
    columns = [table.number, table.title, table.artist, table.medium, table.dated]
    return {"grid": Grid(table.id > 0, columns=columns, orderby=table.id, rows_per_page=20, **READ_ONLY)}


@action("papers")
@action.uses("generic.html", session, data, auth, T)
def papers():
    table = data.papers
    queries = [
        ["Title", lambda text: table.title.contains(text)],
        ["Author", lambda text: table.authors.contains(text)],
        ["Proceedings", lambda text: table.proceedings.contains(text)],
        ["Year", lambda text: table.year == int(text)],
    ]
    columns = [table.title, table.authors, table.year, table.venue]
    return {
        "grid": Grid(
            table.id > 0, columns=columns, search_queries=queries, orderby=table.id, rows_per_page=20, **READ_ONLY
        )
    }


@action("cities", method=["GET", "POST"])
@action.uses("generic.html", session, data, auth, T)
def cities():
    table = data.cities
    known = [row.country for row in data(table.id > 0).select(table.country, distinct=True, orderby=table.country)]
    form = Form(
        [
            Field("name"),
            Field("country", requires=IS_EMPTY_OR(IS_IN_SET(known))),
            Field("population", "integer", label="More people than"),
        ],
        keep_values=True,
        formstyle=FormStyleDefault,
    )
    query = table.id > 0
    if form.accepted:
        if form.vars["name"]:
            query &= table.name.contains(form.vars["name"])
        if form.vars["country"]:
            query &= table.country == form.vars["country"]
        if form.vars["population"]:
            query &= table.population > form.vars["population"]
    columns = [table.name, table.country, table.population, table.timezone]
    show = {"details": False, "rows_per_page": 300}  # links to further pages forget what was posted
    return {"grid": Grid(query, columns=columns, search_form=form, orderby=table.id, **show, **READ_ONLY)}
