"""What real software multiplies: the same page sorted, resized, printed, compared, edited.

Each row is a view of a page that is also there without it, named as people name it.
"""

from __future__ import annotations

import re
from functools import lru_cache

from dowse.crawl.shape import parameters, path_and_query

# reason, parameter name, parameter value (empty: any)
_PARAMETERS: tuple[tuple[str, str, str], ...] = (
    ("sort order", r"sort\w*|\w+[_-]sort|order_?by|order_?dir|ordering|sens|tri|sortierung|orden", r""),
    ("sort order", r"order|dir|direction|desc|asc", r"(?!\d{2})[\w.+-]{0,24}"),
    ("sort order", r"[co]", r"[A-Z]"),  # directory listings: ?C=N;O=D
    ("page size", r"limit|per_?page|page_?size|\w+_?per_?page|num_?results|rows|rpp|ipp|count", r"\d+|all|max"),
    ("print view", r"print\w*|\w+_print|pf", r""),
    ("print view", r"layout|tmpl|format|view|output|mode|style|type|media", r"print\w*|pdf|xml|json|rss|atom|te?xt|raw|component|mobile|amp|plain|csv"),
    ("page style", r"view|mode|display|layout|style|skin|theme|useskin|viewmode", r"grid|list|table|tiles?|gallery|compact|full|thumbs?|dark|light|classic"),
    ("history", r"action|do|a|op|cmd", r"history|revisions?|log|shortlog|hist|recent|info|backlinks?"),
    ("history", r"oldid|rev|revision|rev_?id|version_?id|hb|hp|hpb|h|commit|sha", r"\d+|[0-9a-f]{7,}"),
    ("difference", r"diff\w*|oldid2|rev1|rev2|rev2\[\]|compare\w*|\w+diff", r""),
    ("difference", r"action|do|a|op|cmd", r"\w*diff\w*|compare"),
    ("edit or account page", r"action|do|a|op|cmd|veaction|task|mode", r"edit\w*|submit|log-?in|log-?out|register|delete|move|protect|purge|unwatch|watch|reply|quote|report|rollback|undo|media|raw|source|export\w*"),
    ("share or reply", r"replytocom|reply_?to|share", r""),
    ("share or reply", r"return\w*|redirect\w*|next|destination|back_?url|ref|referer|referrer|from|continue|goto", r"(?:https?(?::|%3A)|/|%2F|\.\.?/).*|.*\.html?"),
)  # fmt: skip
_WORDS_IN_PATH: tuple[tuple[str, str], ...] = (
    ("print view", r"print|printable|print-?view|printer-friendly|druck\w*|imprimir|imprimer"),
    ("history", r"history|revisions?|commits?|shortlog|changelog|recentchanges|log|changesets?|old-?versions?|versions"),
    ("difference", r"diff|diffs|compare|blame|annotate|patch|rawdiff|commitdiff"),
    ("edit or account page", r"edit|login|logout|signin|sign-in|lostpassword|reply|report-abuse|email-friend|sendtofriend|share"),
)  # fmt: skip

_BY_PARAMETER = [
    (reason, re.compile(rf"\A(?:{name})$", re.I), re.compile(rf"\A(?:{value})$", re.I) if value else None)
    for reason, name, value in _PARAMETERS
]
_BY_PATH = [(reason, re.compile(rf"[/:;.](?:{word})(?:[/:;.]|$)")) for reason, word in _WORDS_IN_PATH]


@lru_cache(maxsize=4096)  # asked again when a strategy is replayed over a recording
def multiple_of(url: str) -> tuple[str, str]:
    """Return why an address is another view of a page, and that page's address; empty when it is none."""
    path, query = path_and_query(url)
    if query:
        pairs = parameters(query)
        reasons = [(_parameter_reason(name, value), name, value) for name, value in pairs]
        found = next((reason for reason, _, _ in reasons if reason), "")
        if found:
            separator = ";" if ";" in query and "&" not in query else "&"
            kept = separator.join(f"{name}={value}" for reason, name, value in reasons if not reason)
            head = url.partition("?")[0]
            return found, f"{head}?{kept}" if kept else head
    path = path.lower()
    for reason, word in _BY_PATH:
        if word.search(path):
            return reason, ""
    return "", ""


def _parameter_reason(name: str, value: str) -> str:
    for reason, names, values in _BY_PARAMETER:
        if names.match(name) and (values is None or values.match(value)):
            return reason
    return ""
