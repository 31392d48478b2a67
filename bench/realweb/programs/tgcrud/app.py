"""Cars and books in the tables of tgext.crud; run by the program's own Python."""

import sys
from pathlib import Path

from sqlalchemy import Column, Integer, Text, create_engine
from sqlalchemy.ext.declarative import declarative_base
from sqlalchemy.orm import scoped_session, sessionmaker
from tg import MinimalApplicationConfigurator, TGController, expose
from tg.configurator.components.sqlalchemy import SQLAlchemyConfigurationComponent
from tg.configurator.components.toscawidgets2 import ToscaWidgets2ConfigurationComponent
from tg.configurator.components.transactions import TransactionManagerConfigurationComponent
from tgext.crud import EasyCrudRestController
from waitress import serve

Base = declarative_base()
engine = create_engine(f"sqlite:///{sys.argv[2]}")
DBSession = scoped_session(sessionmaker(bind=engine))


PAGES = {"items_per_page": 25}
CAR_ORDER = ["id", "make", "model", "year", "fuel"]
READ_ONLY = {"__omit_fields__": ["__actions__"]}  # without the links to edit and delete
CAR_TABLE = {**READ_ONLY, "__field_order__": CAR_ORDER}


class Vehicle(Base):
    __tablename__ = "vehicles"
    id = Column(Integer, primary_key=True)
    make = Column(Text)
    model = Column(Text)
    year = Column(Integer)
    size = Column(Text)
    transmission = Column(Text)
    drive = Column(Text)
    fuel = Column(Text)
    highway = Column(Integer)
    city = Column(Integer)


class Work(Base):
    __tablename__ = "works"
    id = Column(Integer, primary_key=True)
    number = Column(Integer)
    title = Column(Text)
    author = Column(Text)
    language = Column(Text)
    shelves = Column(Text)


class Vehicles(EasyCrudRestController):
    model = Vehicle
    title = "Garage"
    search_fields = ("model", "make", "fuel", "size")
    substring_filters = True
    pagination = PAGES
    __table_options__ = CAR_TABLE


class Works(EasyCrudRestController):
    model = Work
    title = "Library"
    search_fields = ("title", "author", "language")
    substring_filters = True
    pagination = PAGES
    __table_options__ = READ_ONLY


class RootController(TGController):
    vehicles = Vehicles(DBSession)
    works = Works(DBSession)

    @expose("index.xhtml")
    def index(self):
        return {"page": "index"}


class Model:
    """What TurboGears asks a package of models for."""

    DBSession = DBSession
    metadata = Base.metadata

    @staticmethod
    def init_model(engine):
        """The session has its database already."""


config = MinimalApplicationConfigurator()
config.register(ToscaWidgets2ConfigurationComponent)
config.register(SQLAlchemyConfigurationComponent)
config.register(TransactionManagerConfigurationComponent)
config.update_blueprint(
    {
        "root_controller": RootController(),
        "renderers": ["kajiki", "json"],
        "default_renderer": "kajiki",
        "debug": False,
        "tw2.enabled": True,
        "use_sqlalchemy": True,
        "sqlalchemy.url": f"sqlite:///{sys.argv[2]}",
        "model": Model,
        "paths": {"templates": [str(Path(__file__).parent / "templates")]},
    }
)
serve(config.make_wsgi_app({}, {}), host="127.0.0.1", port=int(sys.argv[1]), threads=4)
