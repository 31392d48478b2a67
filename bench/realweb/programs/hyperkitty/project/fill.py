# ruff: noqa: E402
"""Add the messages to their lists; run by the program's own Python."""

import json
import os
from datetime import UTC, datetime, timedelta
from email.message import EmailMessage
from email.utils import format_datetime

os.environ["DJANGO_SETTINGS_MODULE"] = "archive_settings"

import django

django.setup()

from django.core.management import call_command
from django.db import transaction
from django_q.tasks import AsyncTask
from hyperkitty.lib.incoming import add_to_list
from hyperkitty.models import MailingList

AsyncTask.run = lambda task: None  # they count what is in the archive after each message; the pages count again
call_command("migrate", verbosity=0)
with open(f"{os.environ['STATE']}/messages.jsonl", encoding="utf-8") as lines:
    records = [json.loads(line) for line in lines]
first = datetime(2023, 1, 1, tzinfo=UTC)
with transaction.atomic():
    for number, record in enumerate(records):
        message = EmailMessage()
        message["From"] = f'"{record["sender"]}" <maintainer{number}@real.example>'
        message["To"] = f"{record['list']}@real.example"
        message["Subject"] = record["subject"]
        message["Date"] = format_datetime(first + timedelta(hours=6 * number))
        message["Message-ID"] = f"<{number}@real.example>"
        message.set_content(record["text"])
        add_to_list(f"{record['list']}@real.example", message)
    for mailing_list in MailingList.objects.all():
        mailing_list.display_name = mailing_list.name.split("@")[0]
        mailing_list.description = f"New versions of packages in {mailing_list.display_name.removesuffix('-changes')}"
        mailing_list.save()
call_command("rebuild_index", verbosity=0, interactive=False)
