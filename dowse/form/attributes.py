"""From what people read to the name of an attribute: Author(s): -> author."""

from __future__ import annotations

import re
from functools import lru_cache

from dowse.form.vocabulary import ALL_OF, END_START, EXTRA_WORDS, HIGH_END, LEAD_INS, LOW_END

MAX_LENGTH = 100

_BRACKETS = re.compile(r"\([^()]*\)|\[[^\[\]]*\]")
_HUMPS = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_SIGNS = re.compile(r"[\W_]+")
_LEFT_OVER = frozenset({"for", "by", "in", "of", "with", "within", "text", "words"})
_PARTS = re.compile(r"[$.:\[\]|/]+")
_PREFIX = re.compile(r"\A(?:txt|ddl|tb|cb|chk|cbo|drp|dd|lst|rbl|rb|sel|inp|fld|f|frm|field|input|select)(?=[A-Z_])_?")
_ICONS = re.compile("[\ue000-\uf8ff\u2190-\u21ff\u2300-\u23ff\u25a0-\u27bf]")
_TRAILING = " \t|:：*＊•»›>→▼▾↓.…،;,"


@lru_cache(maxsize=4096)
def attribute_name(label: str) -> str:
    """Normalise a label to an attribute: Author(s): -> author; Min price -> price; firstName -> first name."""
    words = _BRACKETS.sub(" ", label[:MAX_LENGTH])
    words = _HUMPS.sub(" ", words).replace("_", " ").lower().strip(" .:*…-–")
    bare = _strip_ends(LEAD_INS.sub("", words, count=1) if LEAD_INS.match(words) else words)
    bare = words if bare in _LEFT_OVER else bare
    bare = EXTRA_WORDS.sub(" ", ALL_OF.sub("", bare, count=1) if ALL_OF.match(bare) else bare)
    return _join(bare) or _join(words) or _join(label.lower())


def attribute_of_name(name: str) -> str:
    """Return the attribute that the name of a control speaks of: ctl00$Form$ddlMake -> make."""
    parts = [part for part in _PARTS.split(name[: MAX_LENGTH * 3]) if any(letter.isalpha() for letter in part)]
    last = parts[-1] if parts else name
    return attribute_name(_PREFIX.sub("", last) or last)


def strip_ends(label: str) -> str:
    """Take the words for an end of a range off a caption, and leave the rest as it is written."""
    kept = label.strip()
    lower = kept.lower()
    for pattern in (LOW_END, HIGH_END):
        found = pattern.search(lower)
        if found and found.start():
            return kept[: found.start()].rstrip(" ,:(-–")
    return kept


def _strip_ends(words: str) -> str:
    started = END_START.match(words)
    return strip_ends(words[started.end() :] if started else words)


def _join(words: str) -> str:
    return " ".join(_SIGNS.sub(" ", words).split())


@lru_cache(maxsize=4096)
def trim_label(words: str) -> str:
    """Return a caption as on the page, in one line, without a colon, a star or an arrow at its end."""
    if not words:
        return ""
    line = (
        " ".join(_ICONS.sub(" ", words).split())
        .strip(" \t•*＊")
        .rstrip(_TRAILING if not words.rstrip().endswith(("...", "…")) else " ")
    )
    return line.lstrip("»›→")
