"""Which designs are of which time."""

from __future__ import annotations

OLD = frozenset({"table97", "plain", "slices", "hobby"})  # raw ampersands, legacy encodings, no end tags
COLUMNED = frozenset({"left_menu", "top_nav", "portal", "wiki", "blog"})
SCRIPT_MENUS = frozenset({"burger"})  # whose menu a browser has to build
