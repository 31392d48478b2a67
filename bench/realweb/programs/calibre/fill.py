"""Add a book without a file for each work; run by calibre's own Python."""

import json
import os
import sys

from calibre.db.legacy import LibraryDatabase
from calibre.ebooks.metadata.book.base import Metadata

state = sys.argv[-1]
os.makedirs(f"{state}/library", exist_ok=True)
library = LibraryDatabase(f"{state}/library").new_api
with open(f"{state}/works.jsonl", encoding="utf-8") as lines:
    for line in lines:
        work = json.loads(line)
        book = Metadata(work["title"], [work["author"]])
        book.languages = [work["language"].split("/")[0]]
        book.tags = work["shelves"].split(", ")
        book.publisher = "Project Gutenberg"
        library.create_book_entry(book, cover=None)
