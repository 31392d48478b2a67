"""Response in, Page out: links with their words and place, forms as a browser has them, text, language."""

from __future__ import annotations

from dowse.page.document import read_page

__all__ = ["read_page"]
