"""Make a page for each book; run in the project's shell."""

import json
import os

from django.db import transaction
from django.utils.text import slugify
from home.models import BookIndexPage, BookPage, FormField, FormPage, HomePage
from wagtail.models import Site

Site.objects.update(hostname="wagtail.real.example", port=80)
home = HomePage.objects.first()
home.title, home.intro = "Reading room", "<p>Books people talk about.</p>"
home.save()
with transaction.atomic(), open(os.environ["RECORDS"], encoding="utf-8") as lines:
    shelves = {}
    for name in ("Before 1950", "1950 to 1999", "Since 2000"):
        shelves[name] = home.add_child(instance=BookIndexPage(title=name, slug=slugify(name)))
    for number, line in enumerate(lines):
        book = json.loads(line)
        name = "Before 1950" if book["year"] < 1950 else "1950 to 1999" if book["year"] < 2000 else "Since 2000"
        slug = f"{slugify(book['title'])[:60]}-{number}"
        shelves[name].add_child(instance=BookPage(slug=slug, **book))
    form = home.add_child(instance=FormPage(title="Contact", slug="contact"))
    for order, (label, kind) in enumerate((("Your name", "singleline"), ("E-mail", "email"), ("Message", "multiline"))):
        FormField.objects.create(page=form, sort_order=order, label=label, field_type=kind, required=True)
