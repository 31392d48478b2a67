"""Settings of an archive without a Mailman beside it: HyperKitty's own for its tests, with files of ours."""

import os

from hyperkitty.tests.settings_test import *  # noqa: F403

STATE = os.environ["STATE"]
SECRET_KEY = "loopback"
ALLOWED_HOSTS = ["*"]
ROOT_URLCONF = "archive_urls"
DATABASES = {"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": f"{STATE}/data.db"}}
HAYSTACK_CONNECTIONS = {
    "default": {"ENGINE": "haystack.backends.whoosh_backend.WhooshEngine", "PATH": f"{STATE}/index"}
}
HAYSTACK_SIGNAL_PROCESSOR = "haystack.signals.BaseSignalProcessor"
CACHES = {"default": {"BACKEND": "django.core.cache.backends.locmem.LocMemCache"}}
FILTER_VHOST = False
ACCOUNT_DEFAULT_HTTP_PROTOCOL = "http"
