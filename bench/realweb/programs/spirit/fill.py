"""Open a topic for each film, in a category for its first genre; run in the project's shell."""

import json
import os
from collections import Counter

from django.contrib.auth import get_user_model
from django.db import transaction
from spirit.category.models import Category
from spirit.comment.models import Comment
from spirit.topic.models import Topic

with open(os.environ["RECORDS"], encoding="utf-8") as lines:
    records = [json.loads(line) for line in lines]
common = [name for name, _ in Counter(record["genres"].split(", ")[0] for record in records).most_common(6)]
user = get_user_model().objects.create_user("viewer", email="viewer@real.example")
with transaction.atomic():
    shelves = {name: Category.objects.create(title=name) for name in (*common, "Other films")}
    for record in records:
        shelf = shelves.get(record["genres"].split(", ")[0], shelves["Other films"])
        topic = Topic.objects.create(title=f"{record['title']} ({record['year']})"[:255], user=user, category=shelf)
        text = f"{record['extract']} With {record['cast']}."
        Comment.objects.create(topic=topic, user=user, comment=text, comment_html=f"<p>{text}</p>")
        Topic.objects.filter(pk=topic.pk).update(comment_count=1)
