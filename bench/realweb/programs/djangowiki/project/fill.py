# ruff: noqa: E402
"""Write an article for each film under its decade; run by the program's own Python."""

import json
import os

os.environ["DJANGO_SETTINGS_MODULE"] = "wiki_settings"

import django

django.setup()

from django.contrib.auth.models import User
from django.core.management import call_command
from django.db import transaction
from django.utils.text import slugify
from wiki.models import URLPath

call_command("migrate", verbosity=0)
user = User.objects.create_user("writer")
with transaction.atomic(), open(f"{os.environ['STATE']}/films.jsonl", encoding="utf-8") as lines:
    root = URLPath.create_root(title="Film wiki", content="Articles about films.\n\n[article_list depth:1]")
    decades = {}
    for number, line in enumerate(lines):
        film = json.loads(line)
        decade = f"{film['year'] // 10 * 10}s"
        if decade not in decades:
            decades[decade] = URLPath.create_urlpath(
                root, decade, title=f"Films of the {decade}", content="[article_list depth:1]"
            )
        text = f"{film['extract']}\n\nWith {film['cast']}. Genres: {film['genres']}."
        slug = f"{slugify(film['title'])[:40]}-{number}"
        URLPath.create_urlpath(
            decades[decade], slug, title=film["title"], content=text, user_message="first", user=user
        )
