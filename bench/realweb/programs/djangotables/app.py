"""A museum's collection by django-filter and django-tables2; run by the program's own Python."""

import sys
from pathlib import Path

import django
from django.conf import settings

settings.configure(
    SECRET_KEY="loopback",
    ALLOWED_HOSTS=["*"],
    ROOT_URLCONF=__name__,
    INSTALLED_APPS=["django.contrib.staticfiles", "django_tables2", "django_filters"],
    TEMPLATES=[
        {
            "BACKEND": "django.template.backends.django.DjangoTemplates",
            "APP_DIRS": True,
            "DIRS": [Path(__file__).parent / "templates"],
            "OPTIONS": {"context_processors": ["django.template.context_processors.request"]},
        }
    ],
    DATABASES={"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": sys.argv[2]}},
    STATIC_URL="/static/",
)
django.setup()

import django_filters  # noqa: E402
import django_tables2  # noqa: E402
from django.contrib.staticfiles.handlers import StaticFilesHandler  # noqa: E402
from django.core.wsgi import get_wsgi_application  # noqa: E402
from django.db import models  # noqa: E402
from django.urls import path  # noqa: E402
from django.views.generic import DetailView, TemplateView  # noqa: E402
from django_filters.views import FilterView  # noqa: E402
from waitress import serve  # noqa: E402


class MuseumObject(models.Model):
    number = models.CharField(max_length=40)
    title = models.TextField()
    artist = models.TextField()
    classification = models.TextField()
    medium = models.TextField()
    country = models.CharField(max_length=80)
    dated = models.CharField(max_length=80)
    department = models.CharField(max_length=80)

    class Meta:
        app_label, managed, db_table, ordering = "museum", False, "objects", ("id",)

    def get_absolute_url(self):
        return f"/objects/{self.pk}/"


class ObjectTable(django_tables2.Table):
    title = django_tables2.Column(linkify=True)

    class Meta:
        model = MuseumObject
        fields = ("number", "title", "artist", "country", "dated")


class ObjectFilter(django_filters.FilterSet):
    title = django_filters.CharFilter(lookup_expr="icontains")
    artist = django_filters.CharFilter(lookup_expr="icontains")
    medium = django_filters.CharFilter(lookup_expr="icontains")
    country = django_filters.AllValuesFilter()
    department = django_filters.AllValuesFilter()

    class Meta:
        model = MuseumObject
        fields = ("title", "artist", "medium", "country", "department")


class LibraryBook(models.Model):
    title = models.TextField()
    authors = models.TextField()
    year = models.IntegerField()
    isbn = models.CharField(max_length=20)
    language = models.CharField(max_length=10)
    rating = models.CharField(max_length=10)

    class Meta:
        app_label, managed, db_table, ordering = "museum", False, "books", ("id",)


class BookTable(django_tables2.Table):
    class Meta:
        model = LibraryBook
        fields = ("title", "authors", "year", "isbn", "language")


class BookFilter(django_filters.FilterSet):
    title = django_filters.CharFilter(lookup_expr="icontains")
    year = django_filters.RangeFilter()
    language = django_filters.AllValuesFilter()

    class Meta:
        model = LibraryBook
        fields = ("title", "year", "language")


class BookList(django_tables2.SingleTableMixin, FilterView):
    table_class = BookTable
    filterset_class = BookFilter
    template_name = "books.html"
    paginate_by = 25


class ObjectList(django_tables2.SingleTableMixin, FilterView):
    table_class = ObjectTable
    filterset_class = ObjectFilter
    template_name = "objects.html"
    paginate_by = 25


urlpatterns = [
    path("", TemplateView.as_view(template_name="home.html")),
    path("visit/", TemplateView.as_view(template_name="visit.html")),
    path("collection/", TemplateView.as_view(template_name="collection.html")),
    path("library/", TemplateView.as_view(template_name="library.html")),
    path("library/rules/", TemplateView.as_view(template_name="rules.html")),
    path("library/catalogue/", BookList.as_view()),
    path("objects/", ObjectList.as_view()),
    path("objects/<int:pk>/", DetailView.as_view(model=MuseumObject, template_name="object.html")),
]

serve(StaticFilesHandler(get_wsgi_application()), host="127.0.0.1", port=int(sys.argv[1]), threads=4)
