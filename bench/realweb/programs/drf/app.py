"""A browsable API over two tables; run by the program's own Python."""

import sys

import django
from django.conf import settings

settings.configure(
    SECRET_KEY="loopback",
    ALLOWED_HOSTS=["*"],
    ROOT_URLCONF=__name__,
    INSTALLED_APPS=[
        "django.contrib.auth",
        "django.contrib.contenttypes",
        "django.contrib.sessions",
        "django.contrib.staticfiles",
        "rest_framework",
        "django_filters",
    ],
    MIDDLEWARE=["django.middleware.common.CommonMiddleware"],
    TEMPLATES=[
        {
            "BACKEND": "django.template.backends.django.DjangoTemplates",
            "APP_DIRS": True,
            "OPTIONS": {"context_processors": ["django.template.context_processors.request"]},
        }
    ],
    DATABASES={"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": sys.argv[2]}},
    STATIC_URL="/static/",
    REST_FRAMEWORK={
        "DEFAULT_AUTHENTICATION_CLASSES": [],
        "UNAUTHENTICATED_USER": None,
        "DEFAULT_PAGINATION_CLASS": "rest_framework.pagination.PageNumberPagination",
        "PAGE_SIZE": 25,
        "DEFAULT_FILTER_BACKENDS": [
            "django_filters.rest_framework.DjangoFilterBackend",
            "rest_framework.filters.SearchFilter",
            "rest_framework.filters.OrderingFilter",
        ],
    },
)
django.setup()

from django.contrib.staticfiles.handlers import StaticFilesHandler  # noqa: E402
from django.core.wsgi import get_wsgi_application  # noqa: E402
from django.db import models  # noqa: E402
from django.urls import include, path  # noqa: E402
from rest_framework import routers, serializers, viewsets  # noqa: E402
from waitress import serve  # noqa: E402


class Work(models.Model):
    number = models.IntegerField()
    title = models.TextField()
    author = models.TextField()
    language = models.CharField(max_length=8)
    shelves = models.TextField()

    class Meta:
        app_label, managed, db_table, ordering = "library", False, "works", ("number",)


class Product(models.Model):
    title = models.TextField()
    brand = models.CharField(max_length=80)
    model = models.CharField(max_length=80)
    price = models.CharField(max_length=20)
    weight = models.CharField(max_length=20)

    class Meta:
        app_label, managed, db_table, ordering = "library", False, "products", ("id",)


def viewset(table, search, exact):
    """Return a read-only view of a table."""
    meta = type("Meta", (), {"model": table, "exclude": ("id",)})
    serializer = type(f"{table.__name__}Serializer", (serializers.ModelSerializer,), {"Meta": meta})
    facts = {
        "queryset": table.objects.all(),
        "serializer_class": serializer,
        "search_fields": search,
        "filterset_fields": exact,
        "__doc__": f"All {table.__name__.lower()}s.",
    }
    return type(f"{table.__name__}ViewSet", (viewsets.ReadOnlyModelViewSet,), facts)


router = routers.DefaultRouter()
router.register("works", viewset(Work, ("title", "author"), ("language",)))
router.register("products", viewset(Product, ("title", "brand", "model"), ("brand", "price")))
urlpatterns = [path("", include(router.urls))]

serve(StaticFilesHandler(get_wsgi_application()), host="127.0.0.1", port=int(sys.argv[1]), threads=4)
