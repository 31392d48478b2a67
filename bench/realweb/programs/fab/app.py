"""A Flask-AppBuilder site whose public role may read; run by the program's own Python."""

import sys

from flask import Flask
from flask_appbuilder import AppBuilder, Model, ModelView
from flask_appbuilder.models.sqla.base import SQLA
from flask_appbuilder.models.sqla.interface import SQLAInterface
from sqlalchemy import Integer, String
from sqlalchemy.orm import mapped_column
from waitress import serve

app = Flask(__name__)
app.config |= {
    "SQLALCHEMY_DATABASE_URI": f"sqlite:///{sys.argv[2]}",
    "SECRET_KEY": "loopback",
    "APP_NAME": "Gallery register",
    "AUTH_ROLE_PUBLIC": "Public",
    "AUTH_USER_REGISTRATION": False,
    "LANGUAGES": {"en": {"flag": "gb", "name": "English"}, "de": {"flag": "de", "name": "German"}},
}
db = SQLA(app)


class Artwork(Model):
    __tablename__ = "artworks"
    id = mapped_column(Integer, primary_key=True)
    number = mapped_column(String)
    title = mapped_column(String)
    artist = mapped_column(String)
    classification = mapped_column(String)
    medium = mapped_column(String)
    dated = mapped_column(String)
    credit = mapped_column(String)
    subjects = mapped_column(String)

    def __repr__(self):
        return self.title


class ArtworkView(ModelView):
    datamodel = SQLAInterface(Artwork)
    list_title = "Artworks"
    list_columns = ("number", "title", "artist", "dated", "classification")
    show_columns = ("number", "title", "artist", "dated", "classification", "medium", "credit", "subjects")
    search_columns = ("title", "artist", "medium", "classification", "dated")
    base_permissions = ("can_list", "can_show")
    page_size = 25


with app.app_context():
    appbuilder = AppBuilder(app, db.session)
    appbuilder.add_view(ArtworkView, "Artworks", category="Collection")
    if sys.argv[1] == "fill":
        appbuilder.add_permissions(update_perms=True)
        security = appbuilder.sm
        public = security.find_role("Public")
        for permission, view in (
            ("can_list", "ArtworkView"),
            ("can_show", "ArtworkView"),
            ("menu_access", "Artworks"),
            ("menu_access", "Collection"),
        ):
            security.add_permission_role(public, security.add_permission_view_menu(permission, view))
        sys.exit()

serve(app, host="127.0.0.1", port=int(sys.argv[1]), threads=4)
