# ruff: noqa: E402
"""Open a topic for each paper, in a forum for each kind of venue; run by the program's own Python."""

import json
import os

os.environ["DJANGO_SETTINGS_MODULE"] = "forum_settings"

import django

django.setup()

from django.contrib.auth.models import User
from django.core.management import call_command
from django.db import transaction
from machina.apps.forum.models import Forum
from machina.apps.forum_conversation.models import Post, Topic
from machina.apps.forum_permission.models import ForumPermission, UserForumPermission

call_command("migrate", verbosity=0)
user = User.objects.create_user("reader")
names = ("Before 2000", "2000 to 2015", "Since 2016")
with transaction.atomic(), open(f"{os.environ['STATE']}/papers.jsonl", encoding="utf-8") as lines:
    category = Forum.objects.create(name="Papers", type=Forum.FORUM_CAT)
    forums = [Forum.objects.create(name=name, type=Forum.FORUM_POST, parent=category) for name in names]
    for line in lines:
        paper = json.loads(line)
        forum = forums[(paper["year"] >= 2000) + (paper["year"] >= 2016)]
        topic = Topic.objects.create(
            forum=forum, poster=user, subject=paper["title"], type=Topic.TOPIC_POST, status=Topic.TOPIC_UNLOCKED
        )
        text = f"By {paper['authors']}, in {paper['proceedings']}, {paper['year']}."
        Post.objects.create(topic=topic, poster=user, subject=paper["title"], content=text)
    for name in ("can_see_forum", "can_read_forum"):
        permission = ForumPermission.objects.get(codename=name)
        UserForumPermission.objects.create(permission=permission, anonymous_user=True, has_perm=True)
call_command("update_index", verbosity=0)
