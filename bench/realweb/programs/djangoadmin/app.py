"""Films, books and packages in Django's administration: migrate or a port, and the database; run by the program's own Python."""

import sys
from pathlib import Path

import django
from django.apps import AppConfig
from django.conf import settings


class LibraryConfig(AppConfig):
    name, label, verbose_name, path = __name__, "library", "Library", str(Path(__file__).parent)


settings.configure(
    SECRET_KEY="loopback",
    ALLOWED_HOSTS=["*"],
    ROOT_URLCONF=__name__,
    USE_TZ=True,
    INSTALLED_APPS=[
        "django.contrib.admin",
        "django.contrib.auth",
        "django.contrib.contenttypes",
        "django.contrib.sessions",
        "django.contrib.messages",
        "django.contrib.staticfiles",
        f"{__name__}.LibraryConfig",
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
from waitress import serve  # noqa: E402

VISITOR = User(pk=1, username="visitor", is_staff=True, is_active=True)


def greet(get_response):
    """Let everybody in as the visitor."""

    def answer(request):
        request.user = VISITOR
        return get_response(request)

    return answer


class Film(models.Model):
    title = models.TextField()
    year = models.IntegerField()
    cast = models.TextField()
    genres = models.TextField()
    extract = models.TextField()

    class Meta:
        app_label, managed, db_table, ordering = "library", False, "films", ("id",)

    def __str__(self):
        return self.title


class Book(models.Model):
    title = models.TextField()
    authors = models.TextField()
    year = models.IntegerField()
    isbn = models.CharField(max_length=20)
    language = models.CharField(max_length=10)
    rating = models.CharField(max_length=10)

    class Meta:
        app_label, managed, db_table, ordering = "library", False, "books", ("id",)

    def __str__(self):
        return self.title


class Package(models.Model):
    package = models.TextField()
    version = models.TextField()
    section = models.TextField()
    maintainer = models.TextField()
    size = models.IntegerField()
    description = models.TextField()
    homepage = models.TextField()

    class Meta:
        app_label, managed, db_table, ordering = "library", False, "packages", ("id",)

    def __str__(self):
        return self.package


class Open(admin.ModelAdmin):
    """What anybody may read."""

    list_per_page = 50
    actions = None

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


class FilmAdmin(Open):
    list_display = ("title", "year", "genres")
    search_fields = ("title", "cast")
    search_help_text = "Search films by title or cast."


class BookAdmin(Open):
    list_display = ("title", "authors", "year", "language")
    list_filter = ("language",)
    search_fields = ("title", "authors", "=isbn")


class PackageAdmin(Open):
    list_display = ("package", "version", "description")
    list_filter = ("section",)
    search_fields = ("package", "description")


admin.site.unregister(User)
admin.site.unregister(django.contrib.auth.models.Group)
admin.site.register(Film, FilmAdmin)
admin.site.register(Book, BookAdmin)
admin.site.register(Package, PackageAdmin)
admin.site.site_header = admin.site.site_title = "The stacks"
urlpatterns = [path("", admin.site.urls)]

if sys.argv[1] == "migrate":
    call_command("migrate", verbosity=0)
    VISITOR.save()
else:
    serve(StaticFilesHandler(get_wsgi_application()), host="127.0.0.1", port=int(sys.argv[1]), threads=4)
