"""Write a blog post for each film; run in Mezzanine's shell."""

import json
import os
from datetime import timedelta
from html import escape

from django.contrib.auth import get_user_model
from django.contrib.sites.models import Site
from django.db import transaction
from django.utils.timezone import now
from mezzanine.blog.models import BlogCategory, BlogPost

Site.objects.update(domain="mezzanine.real.example")
user = get_user_model().objects.first() or get_user_model().objects.create_user("editor")
categories = {}
with transaction.atomic(), open(os.environ["RECORDS"], encoding="utf-8") as lines:
    for number, line in enumerate(lines):
        film = json.loads(line)
        text = f"<p>{escape(film['extract'])}</p><p>With {escape(film['cast'])}. {film['year']}.</p>"
        post = BlogPost.objects.create(
            title=film["title"], content=text, user=user, publish_date=now() - timedelta(hours=number), status=2
        )
        for genre in film["genres"].split(", "):
            if genre not in categories:
                categories[genre] = BlogCategory.objects.get_or_create(title=genre)[0]
            post.categories.add(categories[genre])
