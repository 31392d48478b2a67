"""Serve a Django project with its static files; run by a program's own Python: FOLDER SETTINGS PORT."""

import os
import sys

sys.path[0] = sys.argv[1]
os.environ["DJANGO_SETTINGS_MODULE"] = sys.argv[2]

from django.contrib.staticfiles.handlers import StaticFilesHandler  # noqa: E402
from django.core.wsgi import get_wsgi_application  # noqa: E402
from waitress import serve  # noqa: E402

serve(StaticFilesHandler(get_wsgi_application()), host="127.0.0.1", port=int(sys.argv[3]), threads=4)
