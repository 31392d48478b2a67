# ruff: noqa: E402
"""Write an article for each package, in categories by section; run by the program's own Python."""

import json
import os

os.environ["DJANGO_SETTINGS_MODULE"] = "desk_settings"

import django

django.setup()

from django.core.management import call_command
from django.db import transaction
from helpdesk.models import KBCategory, KBItem, Queue

call_command("migrate", verbosity=0)
with transaction.atomic(), open(f"{os.environ['STATE']}/packages.jsonl", encoding="utf-8") as lines:
    queue = Queue.objects.create(title="Packages", slug="packages", allow_public_submission=True)
    categories = {}
    for line in lines:
        package = json.loads(line)
        name = package["section"].replace("/", "-")
        if name not in categories:
            categories[name] = KBCategory.objects.create(
                name=name,
                title=f"Section {name}",
                slug=name,
                description=f"Packages of {name}.",
                queue=queue,
                public=True,
            )
        KBItem.objects.create(
            category=categories[name],
            title=package["package"],
            question=f"What is {package['package']}?",
            answer=f"{package['description']}. Version {package['version']}, kept by {package['maintainer']}.",
        )
