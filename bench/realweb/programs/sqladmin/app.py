"""A SQLAdmin site over a table of films; run by the program's own Python."""

import sys

import uvicorn
from sqladmin import Admin, ModelView
from sqlalchemy import Integer, String, create_engine
from sqlalchemy.orm import DeclarativeBase, mapped_column
from starlette.applications import Starlette
from starlette.responses import RedirectResponse
from starlette.routing import Route


class Table(DeclarativeBase):
    pass


class Movie(Table):
    __tablename__ = "movies"
    id = mapped_column(Integer, primary_key=True)
    title = mapped_column(String)
    year = mapped_column(Integer)
    cast = mapped_column(String)
    genres = mapped_column(String)
    extract = mapped_column(String)


class MovieAdmin(ModelView, model=Movie):
    can_create = can_edit = can_delete = False
    column_list = (Movie.title, Movie.year, Movie.genres, Movie.cast)
    column_searchable_list = (Movie.title, Movie.cast, Movie.genres)
    column_sortable_list = (Movie.title, Movie.year)


app = Starlette(routes=[Route("/", lambda request: RedirectResponse("/admin/"))])
engine = create_engine(f"sqlite:///{sys.argv[2]}", connect_args={"check_same_thread": False})
admin = Admin(app, engine, title="Film archive")
admin.add_view(MovieAdmin)
uvicorn.run(app, host="127.0.0.1", port=int(sys.argv[1]), log_level="warning")
