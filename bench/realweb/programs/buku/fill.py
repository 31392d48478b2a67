"""Add the bookmarks to a new database, fetching none of them; run by the program's own Python."""

import json
import sys

from buku import BukuDb

db = BukuDb(dbfile=sys.argv[2])
with open(sys.argv[1], encoding="utf-8") as lines:
    for record in map(json.loads, lines):
        tags = f",{record['tags']},"
        db.add_rec(record["url"], record["title"], tags, record["description"], delay_commit=True, fetch=False)
db.conn.commit()
db.close()
