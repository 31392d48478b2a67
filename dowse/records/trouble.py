"""Pages that are no answers though they came with status 200: robot checks, login walls, error pages, limits.

Ordinary answers speak of such things too: a menu has a login, a record is about an internal error. So a
page with records is never in trouble, and elsewhere only whole sentences count, in lines of their own.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache
from itertools import islice
from typing import Final, NamedTuple

from dowse.model import Form, Page, Request, Response
from dowse.reasons import TroubleKind
from dowse.url import canonical, same_site
from dowse.words.lookup import either

MAX_TROUBLE_LINES: Final = 400  # of a page that are looked at
MAX_TROUBLE_LINE_CHARS: Final = 400  # of a line that are looked at
MIN_ANSWER_RECORDS: Final = 2  # from which on a page is an answer, whatever else it says
MAX_MESSAGE_PAGE_CHARS: Final = 6_000  # of text; a longer page is more than a message
MAX_REDIRECT_ADDRESS_CHARS: Final = 2_000  # of an address that are looked at


# What explains the others comes first: an expired session may also ask to log in.
_IDEAS: Final = {
    TroubleKind.ROBOT_CHECK: "robot check",
    TroubleKind.EXPIRED: "session expired",
    TroubleKind.RATE_LIMITED: "rate limited",
    TroubleKind.MAINTENANCE: "maintenance",
    TroubleKind.ERROR: "error page",
    TroubleKind.TOO_SHORT: "query too short",
    TroubleKind.TOO_BROAD: "query too broad",
    TroubleKind.LOGIN: "login wall",
    TroubleKind.CONSENT: "consent first",
}
# A service says what is wrong in one short message: there a single word is enough.
_MESSAGE_IDEAS: Final = {
    TroubleKind.ROBOT_CHECK: "robot check message",
    TroubleKind.EXPIRED: "session message",
    TroubleKind.RATE_LIMITED: "rate limit message",
    TroubleKind.LOGIN: "login message",
    TroubleKind.CONSENT: "consent message",
}
_BESIDE_A_FORM: Final = frozenset({TroubleKind.TOO_SHORT, TroubleKind.TOO_BROAD})  # on a page of any length
_BY_STATUS: Final = {
    401: TroubleKind.LOGIN,
    407: TroubleKind.LOGIN,
    419: TroubleKind.EXPIRED,
    429: TroubleKind.RATE_LIMITED,
    440: TroubleKind.EXPIRED,
    503: TroubleKind.MAINTENANCE,
}
# What pages with an error status say of themselves is believed rather than the status.
_TOLD_BY_ERROR_PAGES: Final = frozenset(
    {
        TroubleKind.ROBOT_CHECK,
        TroubleKind.RATE_LIMITED,
        TroubleKind.LOGIN,
        TroubleKind.EXPIRED,
        TroubleKind.MAINTENANCE,
    }
)
_SENTENCE_END: Final = re.compile(r"(?<=[.!?。！？])\s|\n")
_CAPTCHA: Final = re.compile(r"captcha|cf-turnstile|cf_chl|hcaptcha|px-captcha", re.IGNORECASE)


class TroubleWords(NamedTuple):
    """Expressions for what pages say that are no answers."""

    lines: dict[TroubleKind, re.Pattern[str]]
    messages: dict[TroubleKind, re.Pattern[str]]
    addresses: dict[TroubleKind, re.Pattern[str]]
    login_title: re.Pattern[str]


@cache
def trouble_words() -> TroubleWords:
    """Return the words of trouble of all languages, made once."""
    # a name in an address, whole: a record may be called two-factor-auth, or chocolate-cookies
    addresses = {TroubleKind.LOGIN: "login address", TroubleKind.CONSENT: "consent address"}
    return TroubleWords(
        lines={kind: re.compile(f"(?i){either(idea)}") for kind, idea in _IDEAS.items()},
        messages={kind: re.compile(f"(?i){either(idea)}") for kind, idea in _MESSAGE_IDEAS.items()},
        addresses={
            kind: re.compile(rf"(?i)(?:^|[/.])(?:{either(idea)})(?=$|[/.:])") for kind, idea in addresses.items()
        },
        login_title=re.compile(rf"(?i)^(?:{either('login title')})\b"),
    )


def judge_redirect(request: Request, response: Response, page: Page | None) -> TroubleKind | None:
    """Return why the page that a request was redirected to is no answer; None if it was not redirected, or to an answer."""
    # where it ended up: by a redirect, also one that nobody followed, or by a short page with a refresh
    target = page.refresh if page is not None and len(page.text) < MAX_MESSAGE_PAGE_CHARS // 10 else ""
    if 300 <= response.status < 400:
        target = canonical(response.header("location"), response.url) or ""
    elif response.redirects:
        target = response.url
    if not target or target == request.url:
        return None
    asked, reached = _host_and_path(request.url), _host_and_path(target)
    for kind, pattern in trouble_words().addresses.items():
        if pattern.search(reached) and not pattern.search(asked):
            return kind
    if 300 <= response.status < 400 and not same_site(request.url, target):
        return TroubleKind.OTHER_SITE
    return TroubleKind.LOGIN if page is not None and asked != reached and _asks_password(page) else None


def _host_and_path(url: str) -> str:
    """Return an address without its query, in which any word may stand."""
    return url[:MAX_REDIRECT_ADDRESS_CHARS].partition("://")[2].partition("?")[0]


def judge_trouble(status: int, page: Page, lines: Iterable[str] = (), shown: int = 0) -> str:
    """Return why a page is no answer, a TroubleKind or an error page with its status; nothing for answers, empty ones too.

    `lines` are those outside its records, of which it has `shown`.
    """
    if shown >= MIN_ANSWER_RECORDS:
        return ""
    said = [" ".join(line[:MAX_TROUBLE_LINE_CHARS].split()) for line in islice(lines, MAX_TROUBLE_LINES)]
    if not said:
        said = [part.strip() for part in _SENTENCE_END.split(page.text[:MAX_MESSAGE_PAGE_CHARS])][:MAX_TROUBLE_LINES]
    known: TroubleKind | None = None
    for kind, pattern in trouble_words().lines.items():
        is_title_only = len(page.text) > MAX_MESSAGE_PAGE_CHARS and kind not in _BESIDE_A_FORM
        if any(pattern.search(line) for line in (page.title, *(() if is_title_only else said)) if line):
            known = kind
            break
    if status >= 400 and status not in (404, 410):
        if known in _TOLD_BY_ERROR_PAGES:
            return known
        return _BY_STATUS.get(status) or f"{TroubleKind.ERROR} ({status})"
    return known or _judge_forms(page, shown) or ""


def _judge_forms(page: Page, shown: int) -> TroubleKind | None:
    """Judge a page by a form that fills it: a captcha, a login."""
    if shown or len(page.text) > MAX_MESSAGE_PAGE_CHARS // 2:
        return None
    names = (f"{field.name} {field.id}" for form in page.forms for field in form.fields)
    if not any(map(_takes_words, page.forms)) and any(map(_CAPTCHA.search, names)):
        return TroubleKind.ROBOT_CHECK
    return TroubleKind.LOGIN if _asks_password(page) and trouble_words().login_title.match(page.title.strip()) else None


def _asks_password(page: Page) -> bool:
    asks = any(field.type == "password" for form in page.forms for field in form.fields)
    return asks and not any(map(_takes_words, page.forms))


def _takes_words(form: Form) -> bool:
    types = [field.type for field in form.fields]
    return "password" not in types and any(kind in ("text", "search") for kind in types)


def judge_message(message: str) -> TroubleKind | None:
    """Return the trouble that an error message of a service speaks of, if it is one that a harvest must react to."""
    return next((kind for kind, pattern in trouble_words().messages.items() if pattern.search(message)), None)
