"""A Flask-Admin site over two tables; run by the program's own Python."""

import sys

from flask import Flask, redirect
from flask_admin import Admin
from flask_admin.contrib.sqla import ModelView
from flask_sqlalchemy import SQLAlchemy
from waitress import serve

app = Flask(__name__)
app.config |= {"SQLALCHEMY_DATABASE_URI": f"sqlite:///{sys.argv[2]}", "SECRET_KEY": "loopback"}
db = SQLAlchemy(app)
with app.app_context():
    db.reflect()


class Vehicle(db.Model):
    __table__ = db.metadata.tables["vehicles"]


class City(db.Model):
    __table__ = db.metadata.tables["cities"]


class Product(db.Model):
    __table__ = db.metadata.tables["products"]


class VehicleView(ModelView):
    can_create = can_edit = can_delete = False
    can_view_details = True
    page_size = 50
    column_searchable_list = ("make", "model")
    column_filters = ("year", "fuel", "drive", "highway")


class CityView(ModelView):
    can_edit = can_delete = False
    can_export = True
    can_set_page_size = True
    column_searchable_list = ("name", "timezone")


class ProductView(ModelView):
    can_create = can_edit = can_delete = False
    column_searchable_list = ("title", "brand")
    column_default_sort = "title"


admin = Admin(app, name="Cars and Places")
admin.add_view(VehicleView(Vehicle, db.session, name="Vehicles", endpoint="vehicles"))
admin.add_view(CityView(City, db.session, name="Cities", endpoint="cities", category="More"))
admin.add_view(ProductView(Product, db.session, name="Products", endpoint="products", category="More"))


@app.get("/")
def home():
    return redirect("/admin/")


serve(app, host="127.0.0.1", port=int(sys.argv[1]), threads=4)
