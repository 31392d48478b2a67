"""Commit a file for each line of a list of changes; run by the program's own Python."""

import json
import sys

from mercurial import context, hg, ui

repository = hg.repository(ui.ui.load(), sys.argv[1].encode())
with repository.lock(), repository.transaction(b"fill"), open(sys.argv[2], encoding="utf-8") as lines:
    for number, line in enumerate(lines):
        change = json.loads(line)
        path, text = change["file"].encode(), change["description"].encode()

        def content(repo, memctx, name, text=text):
            return context.memfilectx(repo, memctx, name, text + b"\n")

        parent = repository[b"tip"].node()
        made = context.memctx(
            repository,
            (parent, None),
            text,
            [path],
            content,
            user=change["user"].encode(),
            date=b"%d 0" % (1_600_000_000 + number * 86_400),
        )
        made.commit()
