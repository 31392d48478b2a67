"""Why a request failed, an address was skipped, a search stopped: codes for programs, each with its sentence for people.

The value of a member is the English that is printed and stored. Programs compare members and never read sentences;
what is particular to one case (a status, a cause, a number) stands in a field of its own beside the member.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Final, NamedTuple


class FailureReason(StrEnum):
    """Why a request gave no page."""

    BAD_URL = "not a web address"
    NO_HOST = "host name not found"
    REFUSED = "connection refused"
    BROKEN = "connection broken"
    TIMEOUT = "timed out"
    TLS = "TLS failed"
    GARBAGE = "not an HTTP answer"
    HEADERS = "headers too large"
    ENCODING = "content encoding broken"
    PRIVATE = "private address"
    ROBOTS = "robots.txt forbids it"
    ROBOTS_DOWN = "robots.txt unavailable"
    REDIRECTS = "too many redirects"
    REDIRECT_LOOP = "redirects to itself"
    REDIRECT_BAD = "redirects to an invalid address"
    BUSY = "server asks to wait"
    STATUS = "error status"
    NOT_A_PAGE = "not a page"
    NOT_RECORDED = "not in the recording"
    BROWSER = "the browser gave no page"


# Failures before a request for the page itself was sent.
NOT_REQUESTED: Final = frozenset(
    {
        FailureReason.BAD_URL,
        FailureReason.NO_HOST,
        FailureReason.PRIVATE,
        FailureReason.ROBOTS,
        FailureReason.ROBOTS_DOWN,
        FailureReason.NOT_RECORDED,
    }
)


class StopReason(StrEnum):
    """What ended a run, or the search of one site, before everything was done."""

    # a run
    INTERRUPTED = "interrupted"
    PAGE_BUDGET = "page budget"
    SITE_BUDGET = "site budget"
    REQUEST_BUDGET = "request budget"
    NOTHING_TO_ASK = "nothing left to ask"
    ENOUGH_SITES = "enough sites are known"
    # the search of one site
    SITE_PAGES = "page limit of one site"
    NO_RESPONSE = "the site stopped responding"
    LOW_YIELD = "too few query forms expected"
    NO_NEW_FORMS = "too many pages without a new query form"
    NO_NEW_SITES = "too many pages without a new site"
    OFF_TOPIC = "off the topic"
    ENOUGH_FORMS = "enough forms or pages of one depth"
    # a harvest
    ALL_HARVESTED = "everything is harvested"
    ALL_SHOWN = "all that the form can show is harvested"
    NOTHING_NEW = "a list ended, and other queries bring nothing new"
    COVERAGE_REACHED = "coverage reached"  # which: the part of all records that was wanted
    NO_ANSWERS = "no answers any more"  # which: why the last query had none
    SAME_RECORDS = "the same records come for every query"


class TroubleKind(StrEnum):
    """Why a page that came is no answer."""

    ROBOT_CHECK = "a robot check"
    LOGIN = "asks to log in"
    EXPIRED = "the session has expired"
    RATE_LIMITED = "too many requests"
    MAINTENANCE = "closed for maintenance"
    CONSENT = "asks for consent first"
    TOO_SHORT = "the query is too short"
    TOO_BROAD = "the query is too broad"
    ERROR = "an error page"
    OTHER_SITE = "leads to another site"


QUERY_REFUSALS = frozenset({TroubleKind.TOO_SHORT, TroubleKind.TOO_BROAD})  # of one query; the door answers others


class ProbeEnd(StrEnum):
    """Why the rest of an answer is not asked for, where the query was a probe."""

    COUNTED = "asked only to estimate the size"
    TOO_LONG = "asked only to estimate the size, and long"
    CHECKED = "asked only to see whether everything was harvested"


class ContradictionKind(StrEnum):
    """How answers contradict what was asked, their own counts, or each other: nothing is proven by them."""

    WRONG_RECORDS = "answers with records that do not have what was asked for"
    SAME_RECORDS = "queries that brought the same records as others, which do not show what was asked for"
    MORE_THAN_COUNTED = "answers that showed more records than they reported"
    COUNT_CHANGED = "pages that reported another total than the page before"
    PART_OVER_WHOLE = "answers that reported more records than a query for everything"
    SAME_COUNT = "queries that reported as many records as one for everything, and brought others"
    QUERY_IGNORED = "different queries that all brought the same records"
    PAGES_AFTER_COUNT = "answers that went on after as many records as they reported"
    NOT_EVERYTHING = "queries that brought new records though everything seemed to be harvested"


class HarvestNotice(StrEnum):
    """What makes a harvest less certain."""

    CUT_SHORT = "records with a value as long as one can be: its end may be missing"
    UNSTABLE = "parts of addresses and values that change each time, which no record is known by"
    TWINS = "records with all values of another, and another address: they may be copies"
    NAMED_ELSEWHERE = "addresses like those of records are named by the sitemap, and some of them were not harvested"
    NOT_SENT = "parameters that the form does not send, of the address that was given"
    SHIFTED = "answers that showed records twice: their order changes, or records came in meanwhile"


class Trap(StrEnum):
    """What a site multiplies without end."""

    LONG_ADDRESS = "address too long"
    REPEATED_PATH = "path repeats itself"
    FACETS = "facets combined"
    CALENDAR = "endless calendar"
    NEAR_IDENTICAL = "near-identical pages"
    VARIANTS = "endless variants"
    # other views of a page that is also there without them
    SORT_ORDER = "sort order"
    PAGE_SIZE = "page size"
    PRINT_VIEW = "print view"
    PAGE_STYLE = "page style"
    HISTORY = "history"
    DIFFERENCE = "difference"
    EDIT = "edit or account page"
    SHARE = "share or reply"


class SkipKind(StrEnum):
    """Sorts of reasons for which an address is not fetched."""

    NOT_A_PAGE = "not a page by its name"
    SAME_PAGE = "same page as another address"
    DESCRIPTIONS = "enough descriptions of services"
    ADDRESSES = "too many addresses on one site"
    TRAP = "trap"  # which: a Trap
    OVER_LIMIT = "over the limit"  # which: what a page had too many of
    NOT_RENDERED = "not opened in a browser"  # fetched, but read as it came; which: why
    STOPPED = "stopped"  # which: a StopReason
    NOT_REQUESTED = "not requested"  # which: a FailureReason
    FORBIDDEN_SEARCH = "looks like a search, but robots.txt forbids it"  # by the words of the link or its address
    NOT_CHOSEN = "not chosen"  # which: what the strategy says


_WITHOUT_PREFIX: Final = frozenset({SkipKind.NOT_REQUESTED, SkipKind.NOT_CHOSEN})


class SkipReason(NamedTuple):
    """Why an address is not fetched, in the same words for all that are counted together."""

    kind: SkipKind
    which: str = ""  # which trap, limit or refusal, where the kind leaves that open

    def __str__(self) -> str:
        if not self.which:
            return str(self.kind)
        return str(self.which) if self.kind in _WITHOUT_PREFIX else f"{self.kind}: {self.which}"


GIVEN_AS_SEED: Final = "given as a seed"  # why a page is read whatever the strategy prefers


def say_count(number: int, things: str) -> str:
    """Write a count: `1 page mapped`, `2 pages mapped`, `1 query form`; the first word that can be a plural is one."""
    if number != 1:
        return f"{number:,} {things}"
    words = things.split(" ")
    place = next((place for place, word in enumerate(words) if word.endswith("s")), 0)
    ending, one = next((pair for pair in _PLURALS if words[place].endswith(pair[0])), ("", ""))
    words[place] = f"{words[place].removesuffix(ending)}{one}"
    return f"1 {' '.join(words)}"


_PLURALS: Final = (("ies", "y"), ("sses", "ss"), ("s", ""))  # how a plural ends, and its singular
