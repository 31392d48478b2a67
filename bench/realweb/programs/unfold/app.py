"""Cars and works of art in Unfold's administration: migrate or a port, and the database; run by the program's own Python."""

import sys
from pathlib import Path

import django
from django.apps import AppConfig
from django.conf import settings


class MuseumConfig(AppConfig):
    name, label, verbose_name, path = __name__, "museum", "Museum", str(Path(__file__).parent)


settings.configure(
    SECRET_KEY="loopback",
    ALLOWED_HOSTS=["*"],
    ROOT_URLCONF=__name__,
    USE_TZ=True,
    INSTALLED_APPS=[
        "unfold",
        "unfold.contrib.filters",
        "django.contrib.admin",
        "django.contrib.auth",
        "django.contrib.contenttypes",
        "django.contrib.sessions",
        "django.contrib.messages",
        "django.contrib.staticfiles",
        f"{__name__}.MuseumConfig",
    ],
    MIDDLEWARE=[
        "django.contrib.sessions.middleware.SessionMiddleware",
        "django.middleware.csrf.CsrfViewMiddleware",
        f"{__name__}.greet",
        "django.contrib.messages.middleware.MessageMiddleware",
    ],
    TEMPLATES=[
        {
            "BACKEND": "django.template.backends.django.DjangoTemplates",
            "APP_DIRS": True,
            "OPTIONS": {
                "context_processors": [
                    "django.template.context_processors.request",
                    "django.contrib.auth.context_processors.auth",
                    "django.contrib.messages.context_processors.messages",
                ]
            },
        }
    ],
    DATABASES={"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": sys.argv[2]}},
    DEFAULT_AUTO_FIELD="django.db.models.AutoField",
    STATIC_URL="/static/",
    SILENCED_SYSTEM_CHECKS=["admin.E408"],  # greet() stands for the middleware that asks who it is
)
django.setup()

from django.contrib import admin  # noqa: E402
from django.contrib.auth.models import User  # noqa: E402
from django.contrib.staticfiles.handlers import StaticFilesHandler  # noqa: E402
from django.core.management import call_command  # noqa: E402
from django.core.wsgi import get_wsgi_application  # noqa: E402
from django.db import models  # noqa: E402
from django.urls import path  # noqa: E402
from unfold.admin import ModelAdmin  # noqa: E402
from unfold.contrib.filters.admin import FieldTextFilter, RangeNumericFilter, SingleNumericFilter  # noqa: E402
from waitress import serve  # noqa: E402

VISITOR = User(pk=1, username="visitor", is_staff=True, is_active=True)


def greet(get_response):
    """Let everybody in as the visitor."""

    def answer(request):
        request.user = VISITOR
        return get_response(request)

    return answer


class Vehicle(models.Model):
    make = models.TextField()
    model = models.TextField()
    year = models.IntegerField()
    size = models.TextField()
    transmission = models.TextField()
    drive = models.TextField()
    fuel = models.TextField()
    highway = models.IntegerField()
    city = models.IntegerField()

    class Meta:
        app_label, managed, db_table, ordering = "museum", False, "vehicles", ("id",)

    def __str__(self):
        return f"{self.make} {self.model}"


class Artwork(models.Model):
    number = models.TextField()
    title = models.TextField()
    artist = models.TextField()
    classification = models.TextField()
    medium = models.TextField()
    dated = models.TextField()
    credit = models.TextField()
    subjects = models.TextField()

    class Meta:
        app_label, managed, db_table, ordering = "museum", False, "artworks", ("id",)

    def __str__(self):
        return self.title


class Open(ModelAdmin):
    """What anybody may read."""

    list_per_page = 50
    actions = None
    list_filter_submit = True
    list_fullwidth = True

    def has_view_permission(self, request, obj=None):
        return True

    def has_module_permission(self, request):
        return True

    def has_add_permission(self, request):
        return False

    def has_change_permission(self, request, obj=None):
        return False

    def has_delete_permission(self, request, obj=None):
        return False


class VehicleAdmin(Open):
    list_display = ("make", "model", "year", "fuel")
    list_filter = (
        ("make", FieldTextFilter),
        ("fuel", FieldTextFilter),
        ("year", RangeNumericFilter),
        ("highway", SingleNumericFilter),
    )


class ArtworkAdmin(Open):
    list_display = ("number", "title", "artist", "dated")
    search_fields = ("title", "artist")
    list_filter = (("medium", FieldTextFilter), ("classification", FieldTextFilter))


admin.site.unregister(User)
admin.site.unregister(django.contrib.auth.models.Group)
admin.site.register(Vehicle, VehicleAdmin)
admin.site.register(Artwork, ArtworkAdmin)
admin.site.site_header = admin.site.site_title = "The depot"
urlpatterns = [path("", admin.site.urls)]

if sys.argv[1] == "migrate":
    call_command("migrate", verbosity=0)
    VISITOR.save()
else:
    serve(StaticFilesHandler(get_wsgi_application()), host="127.0.0.1", port=int(sys.argv[1]), threads=4)
