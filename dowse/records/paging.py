"""The next page of an answer: the request that a person would make by pressing "next".

A link counts by what it says (a word, a sign, a number) and by how its address follows from the one it stands on.
Neither alone is enough: "next" may lead to the next article, a number to a day of a calendar. Where no link leads on,
a form with a button or an address in a script may.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from enum import IntEnum
from functools import cache, cached_property
from hashlib import blake2b
from html import unescape
from itertools import islice, pairwise
from typing import Final, NamedTuple
from urllib.parse import parse_qsl, urlsplit

from dowse.model import Field, Form, Link, Page, Request, Verdict
from dowse.submit import submit
from dowse.url import canonical, registrable_domain
from dowse.words.lookup import either

# -- addresses of the pages of one list: which numbers count pages or records, and how near two addresses are

# Bounds on the work; shares were set by hand on the development part of the labelled pages and are measured by `python -m bench paging`.
MAX_COMPARED_CHARS: Final = 8_192  # of an address
MAX_ADDRESS_NUMBERS: Final = 60  # in one address
MAX_QUERY_PARAMETERS: Final = 200  # of one address
MIN_TELLING_RECORDS: Final = 5  # on a page from which on their number is no accident in an address
MIN_ARTICLE_NUMBER: Final = 1_000  # in a path, which rather names an article than a page

_SCHEME: Final = re.compile(r"^https?://(?:www\.)?")  # pages are the same without and with TLS
_DIGITS: Final = re.compile(r"\d{1,18}")
_WORDS_BEFORE: Final = re.compile(r"([^\W\d_]{1,30})[^\w]{0,3}[_=/-]?$")
# Names of parameters that count pages or records, lower case, without signs; as a whole.
_PAGE_NAME: Final = re.compile(
    r"(?:p|pg|pn|pp|page|pages|paged|pageno|pagenr|pagenum|pagenumber|pageid|pageindex|currentpage|curpage|cpage|pagina|pag|pgno|seite|seitennr|sida|side|sivu|strona|str|stranka|"
    r"strana|oldal|halaman|sayfa|trang|page[a-z]?|pagen\d?|index|start|startat|startindex|startrow|startrecord|startpage|startpos|begin|from|first|firstrecord|offset|limitstart|skip|"
    r"cursor|pos|position|row|rows?start|rowoffset|record|recno|rec|resultoffset|searchoffset|catlistingoffset|listoffset|b|o|s|st)",
    re.IGNORECASE,
)
_SIZE_NAME: Final = re.compile(
    r"(?:per[_-]?page(?:[/?].{0,10})?|page[_-]?size|page[_-]?length|limit|rows|size|count|show|results|num|nb|max|items|hits|anzahl|display|view|epp|ipp|rpp|ps)=$",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class AddressChange:
    """What an address has where another has something else; whole numbers are not cut."""

    place: int
    before: str
    after: str
    name: str = ""  # the word that stands before it: the name of a parameter, a folder


def find_change(one: str, two: str) -> AddressChange | None:
    """Return the one piece in which two addresses differ, or None where they are equal or too long."""
    if one == two or len(one) > MAX_COMPARED_CHARS or len(two) > MAX_COMPARED_CHARS:
        return None
    start = _common_length(one, two)
    end = min(_common_length(one[::-1], two[::-1]), len(one) - start, len(two) - start)
    while start and one[start - 1].isdigit() and (one[start : start + 1].isdigit() or two[start : start + 1].isdigit()):
        start -= 1
    # what differs may end within a number that goes on in what is common
    while (
        end
        and one[len(one) - end].isdigit()
        and any(each[start : len(each) - end][-1:].isdigit() for each in (one, two))
    ):
        end -= 1
    return AddressChange(start, one[start : len(one) - end], two[start : len(two) - end], _name_before(two, start))


def _common_length(one: str, two: str) -> int:
    return next((place for place, (a, b) in enumerate(zip(one, two, strict=False)) if a != b), min(len(one), len(two)))


def _name_before(url: str, place: int) -> str:
    found = _WORDS_BEFORE.search(url[max(0, place - 40) : place])
    return found[1].lower() if found else ""


def counts_pages(name: str) -> bool:
    """Return True if the name of a parameter or folder is one that pages or records are counted by."""
    return _PAGE_NAME.fullmatch("".join(letter for letter in name if letter.isalnum())) is not None


@dataclass(frozen=True, slots=True)
class NumberedLinks:
    """Numbered links that lead to pages of one list: the address as a function of the number."""

    sample: str
    start: int  # where the number stands in the sample
    end: int
    slope: int
    offset: int  # the number in the address is slope * page + offset
    numbers: tuple[int, ...]

    @property
    def counts_shown(self) -> bool:
        """Whether these links choose how many stand on a page: 20, 50, 100."""
        return _SIZE_NAME.search(self.sample[max(0, self.start - 40) : self.start]) is not None

    def write(self, page: int) -> str:
        """Return the address of a page by its number, counted from 1."""
        return self.sample[: self.start] + str(self.slope * page + self.offset) + self.sample[self.end :]

    def read(self, url: str) -> int:
        """Return the number of the page, counted from 1, that an address has; 0 for an address of another kind."""
        head, tail, url = _SCHEME.sub("", self.sample[: self.start]), self.sample[self.end :], _SCHEME.sub("", url)
        inner = url[len(head) : len(url) - len(tail)] if url.startswith(head) and url.endswith(tail) else ""
        if not inner.isdecimal() or len(inner) > 12 or (int(inner) - self.offset) % self.slope:
            return 0
        return max(0, (int(inner) - self.offset) // self.slope)


def find_numbered_links(pages: Sequence[tuple[int, str]]) -> NumberedLinks | None:
    """Return how the addresses of numbered links follow from their numbers, where at least two of them agree."""
    pages = list(dict(pages).items())
    for (low, one), (high, two) in pairwise(sorted(pages)[-4:]):
        row = _line_through(low, one, high, two)
        if row is not None:
            numbers = tuple(number for number, url in sorted(pages) if row.write(number) == url)
            if len(numbers) >= max(2, 0.5 * len(pages)):
                return replace(row, numbers=numbers)
    return None


def _line_through(low: int, one: str, high: int, two: str) -> NumberedLinks | None:
    change = find_change(one, two)
    if change is None or not change.before.isdecimal() or not change.after.isdecimal():
        return None
    if len(change.before) > 12 or len(change.after) > 12:
        return None
    slope, rest = divmod(int(change.after) - int(change.before), high - low)
    if rest or slope < 1:
        return None
    end = change.place + len(change.after)
    return NumberedLinks(two, change.place, end, slope, int(change.after) - slope * high, ())


def find_numbers(url: str) -> list[tuple[str, int]]:
    """Return the numbers of an address, each with the word that stands before it."""
    found = islice(_DIGITS.finditer(url[:MAX_COMPARED_CHARS]), MAX_ADDRESS_NUMBERS)
    return [(_name_before(url, each.start()), int(each[0])) for each in found]


# -- how near one address is to another


class Relation(IntEnum):
    """How near an address is to another, as a page of the same list; the higher, the nearer."""

    BACKWARDS = -1
    ELSEWHERE = 0
    BELOW = 1  # its path goes on from the one here
    SAME_LIST = 2  # the same path with other parameters; or elsewhere, but by a number of a page
    STEPS = 3  # a number of it is another
    COUNTED = 4  # and that number counts pages or records


_INDEX: Final = re.compile(r"/(?:index|default|home)\.(?:php|html?|aspx?|jsp|cgi|do)$", re.IGNORECASE)
_DATE: Final = re.compile(
    r"(?<!\d)(?:19|20)\d\d[-/_.]?(?:0?[1-9]|1[0-2])(?:[-/_.]?(?:0?[1-9]|[12]\d|3[01]))?/?(?:\.html?)?$"
    r"|[?&;](?:date|day|month|year|mon|ym|calendar|cal|m)=[\d-]{1,10}(?:&|$)"
    r"|[?&;](?:month|year)=",
    re.IGNORECASE,
)


def domain_of(url: str) -> str:
    """Return the registrable domain that an address belongs to: next pages stay within it."""
    return registrable_domain(urlsplit(url).hostname or "")


def relate(here: str, url: str) -> Relation:
    """Return how near an address is to the one here, as a page of the same list."""
    one, two = urlsplit(here), urlsplit(url)
    paths = [_INDEX.sub("/", part.path).rstrip("/") for part in (one, two)]
    if paths[0] != paths[1]:
        near = _relate_paths(*paths)
        if near not in (Relation.ELSEWHERE, Relation.BELOW):
            return near
        # elsewhere, but with a number of a page that the one here has not
        known = set(find_numbers(here))
        fresh = [(name, number) for name, number in find_numbers(url) if (name, number) not in known]
        is_page = any(counts_pages(name) and 1 <= number < 100_000 for name, number in fresh)
        return Relation.SAME_LIST if is_page else near
    before, after = _read_parameters(one.query), _read_parameters(two.query)
    changed = {name: value for name, value in after.items() if before.get(name, "") != value}
    if not changed:
        return Relation.ELSEWHERE
    numbers = {name: value for name, value in changed.items() if value.isdecimal() and len(value) < 10}
    counted = {name for name in numbers if counts_pages(name)}
    for name in counted or set(numbers):
        if before.get(name, "").isdecimal() and int(before[name][:12]) > int(numbers[name]):
            return Relation.BACKWARDS
    if any(name in before or int(numbers[name]) <= MIN_ARTICLE_NUMBER for name in counted):  # ?p=33216 is an article
        return Relation.COUNTED
    return Relation.STEPS if numbers and not counted else Relation.SAME_LIST


def _read_parameters(query: str) -> dict[str, str]:
    if query.count("&") + query.count(";") > MAX_QUERY_PARAMETERS:
        return {}
    separator = ";" if ";" in query and "&" not in query else "&"
    return dict(parse_qsl(query, keep_blank_values=True, separator=separator))


def _relate_paths(one: str, two: str) -> Relation:
    change = find_change(one, two)
    if change is None:
        return Relation.ELSEWHERE
    numbers = [number for _, number in find_numbers(change.after)]
    older = [number for _, number in find_numbers(change.before)]
    is_below = two.startswith(one)
    # a piece of a path that is no more than a number, or an ending before one: .html, 7
    is_bare = change.before.strip("/-_.").isdecimal() or len(change.before) <= 12
    if len(numbers) != 1 or len(older) > 1 or not (is_below or is_bare):
        return Relation.BELOW if is_below else Relation.ELSEWHERE
    if older and older[0] > numbers[0]:
        return Relation.BACKWARDS
    if older and numbers[0] != older[0] + 1 and not counts_pages(change.name):
        return Relation.ELSEWHERE  # another article
    named = any(counts_pages(name) for name, _ in find_numbers(two[: change.place] + change.after)[-1:])
    if named:
        return Relation.COUNTED
    return Relation.STEPS if numbers[0] < MIN_ARTICLE_NUMBER else Relation.ELSEWHERE


def is_dated(url: str) -> bool:
    """Return True if an address leads to a day, a month or a year: a calendar counts too."""
    return _DATE.search(url) is not None


def is_next_address(here: str, url: str, shown: int) -> bool:
    """Return True if an address asks the same as the one here, but for one number that is the one after: in any language a next page."""
    one, two = urlsplit(here), urlsplit(url)
    if _INDEX.sub("/", one.path).rstrip("/") != _INDEX.sub("/", two.path).rstrip("/"):
        return False
    before, after = _read_parameters(one.query), _read_parameters(two.query)
    numbers = {name: value for name, value in after.items() if before.get(name) != value and value.isdecimal()}
    if len(numbers) != 1 or any(name not in before for name in after.keys() - numbers.keys()):
        return False
    (name, value), *_ = numbers.items()
    known = before.get(name, "")
    if len(value) > 9 or (known and not (known.isdecimal() and len(known) <= 9)):
        return False
    steps = {int(known) + 1, int(known) + shown} if known else {2, shown, shown + 1}
    by_name = counts_pages(name) and int(value) in steps
    return by_name or (
        shown >= MIN_TELLING_RECORDS and int(value) in ({int(known) + shown} if known else {shown, shown + 1})
    )


# -- links that lead on by what they ask: the page's own address with one parameter more, which says how many are shown or where to
#    go on; no word of theirs needs to be known

# Set by hand on harvests of real software (`python -m bench realharvest`).
MAX_GROWTH: Final = (
    4  # times as many records as are shown that a link asks for, where its parameter is not one for sizes
)
MIN_TOKEN_CHARS: Final = 8  # of a value that nobody wrote
MAX_TOKEN_CHARS: Final = 2_000  # the same, of the longest
_GOES_ON_NAME: Final = re.compile(
    r"(?:next)?(?:page)?(?:cursor(?:mark)?|token|continu(?:e|ation)(?:token)?|after|searchafter|scroll(?:id)?|bookmark|marker|lastid|"
    r"lastkey|startafter|startkey|sinceid|maxid|resumptiontoken)",
    re.IGNORECASE,
)
_TOKEN: Final = re.compile(r"[\w.~+/=%-]+")


class ListStep(NamedTuple):
    """What a link asks beside what its page asks: more of the same."""

    name: str  # of the parameter
    wanted: int  # how many records are to be shown, from the first on; 0 where a token says where to go on


def read_step(here: str, url: str, shown: int) -> ListStep | None:
    """Return how an address asks for more of the same list: the page grows, or goes on at a token; None for any other address."""
    one, two = urlsplit(here), urlsplit(url)
    if (one.netloc, _INDEX.sub("/", one.path).rstrip("/")) != (two.netloc, _INDEX.sub("/", two.path).rstrip("/")):
        return None
    before, after = _read_parameters(one.query), _read_parameters(two.query)
    changed = [name for name, value in after.items() if before.get(name, "") != value]
    lost = any(value and name not in after for name, value in before.items())
    if len(changed) != 1 or lost or len(after[changed[0]]) > MAX_TOKEN_CHARS:
        return None
    name, value, known = changed[0], after[changed[0]], before.get(changed[0], "")
    if value.isdecimal():
        wanted = int(value[:9])
        is_size = _SIZE_NAME.search(f"{name}=") is not None
        asked = int(known) if known.isdecimal() and len(known) <= 9 else shown if not known else wanted
        grows = shown <= asked <= wanted - MIN_TELLING_RECORDS and (is_size or wanted <= MAX_GROWTH * asked)
        if grows and not counts_pages(name) and shown >= MIN_TELLING_RECORDS:
            return ListStep(name, wanted)
    return ListStep(name, 0) if _is_token(name, value) and not is_dated(url) else None


def _is_token(name: str, value: str) -> bool:
    """Return True if a value says where a list goes on: its parameter is called so, or nobody would write it."""
    if _GOES_ON_NAME.fullmatch("".join(filter(str.isalnum, name))):
        return bool(value)
    if len(value) < MIN_TOKEN_CHARS or not _TOKEN.fullmatch(value):
        return False
    kinds = {str.isdigit: 0, str.islower: 0, str.isupper: 0}
    changes = 0  # from one kind of letters to another: many in what nobody wrote
    last = None
    for letter in value:
        kind = next((each for each in kinds if each(letter)), None)
        changes += kind is not None and last is not None and kind is not last
        last = kind or last
    return changes * 4 >= len(value)


# Bounds on the work; those of words and links were set by hand on the development part of the labelled pages: `python -m bench paging`.
MAX_PAGE_LINKS: Final = 3_000  # of a page that are looked at
MAX_LINK_WORD_CHARS: Final = 60  # of a text that can be a word for the next page
MAX_LINK_WORDS: Final = 4  # of a text that has such a word among others
MAX_LINKS_BETWEEN: Final = 3  # from one number of a page to the next
MAX_KIND_LINKS: Final = 3  # that say the same; a word that leads to more places is that of teasers: weiter, more
MAX_SOURCE_CHARS: Final = 2_000_000  # of a page that are looked through
MAX_GUARDED_PAGES: Final = 100_000  # of one answer that a guard remembers
MAX_GUARDED_KEYS: Final = 500_000  # of records that a guard remembers
MAX_STALE_PAGES: Final = 2  # in a row without a new record, after which paging goes round

# -- words and signs that lead on, and those that lead elsewhere; a text counts only as a whole: "Next: how to bake
#    bread" is another text

_RIGHT = "»›>→⇒⟩▶►▸⏵❯⟶≫＞↠⇨➔➜➡"
_LEFT = "«‹<←⇐⟨◀◄◂⏴❮⟵≪＜↞⇦⬅"
_TRIM = re.compile(r"[\s\[\](){}|.…:·•–—_-]+")
_SIGNS = re.compile(rf"[{_RIGHT}{_LEFT}]")
# A link that says several of these is of the first kind; a text of a few words that has one among others may lead on, if its
# address does too: "fiches suivantes", "the next twenty cars".
_KINDS: Final = {
    "next": "next page",
    "older": "older entries",
    "back": "previous page",
    "first": "first page",
    "last": "last page",
    "more": "more results",
}


class PagingWords(NamedTuple):
    """Expressions for what links to other pages say, in lower case."""

    kinds: tuple[tuple[str, re.Pattern[str]], ...]
    among_others: re.Pattern[str]
    one_item: re.Pattern[str]  # then it leads to the next of these, not of pages
    number: re.Pattern[str]


@cache
def paging_words() -> PagingWords:
    """Return the words of paging of all languages, made once."""
    page = either("page")
    return PagingWords(
        kinds=tuple((kind, re.compile(f"(?:{either(idea)})")) for kind, idea in _KINDS.items()),
        among_others=re.compile(rf"(?<!\w)(?:{either('leads on')})(?!\w)|{either('leads on without spaces')}"),
        one_item=re.compile(rf"\b(?:{either('one item')})\b|{either('one item without spaces')}"),
        number=re.compile(
            rf"(?:(?:{page}) ?)?(\d{{1,3}}(?:[,.' ]\d{{3}})|\d{{1,6}})(?: ?(?:{either('page after a number')})|(?:st|nd|rd|th|\.) (?:{page}))?"
        ),
    )


def read_direction(text: str) -> str:
    """Return the direction that a link names, or nothing.

    It is next, older, more, back, first or last; right, right twice or left for signs alone; perhaps for such a word among others.
    """
    said = " ".join(text.lower().split())
    if not said or len(said) > MAX_LINK_WORD_CHARS:
        return ""
    signs = _SIGNS.findall(said)
    words = _TRIM.sub(" ", _SIGNS.sub(" ", said)).strip()
    if not words:
        return _read_signs(said, signs)
    known = paging_words()
    kind = next((kind for kind, pattern in known.kinds if pattern.fullmatch(words)), "")
    is_short = ":" not in said and len(words.split()) <= MAX_LINK_WORDS
    if not kind and is_short and known.among_others.search(words) and not known.one_item.search(words):
        return "perhaps"
    return "last" if kind == "next" and len(signs) > 1 and said.rstrip().endswith("|") else kind


def _read_signs(said: str, signs: list[str]) -> str:
    """Return where signs alone lead: >| and >>> to the end, > and >> and » on."""
    if not signs or len(set(signs)) > 1:
        return ""
    if signs[0] in _LEFT:
        return "left" if len(signs) == 1 and "|" not in said else "first"
    if "|" in said or len(signs) > 2:
        return "last"
    return "right" if len(signs) == 1 and signs[0] not in "»≫" else "right twice"


def read_page_number(text: str) -> int:
    """Return the number of a page that a link says, or 0."""
    if len(text) > MAX_LINK_WORD_CHARS:
        return 0
    found = paging_words().number.fullmatch(" ".join(_TRIM.sub(" ", text.lower()).split()))
    return int("".join(letter for letter in found[1] if letter.isdigit())) if found else 0


# -- next pages that no link leads to: a form with a button, an address in a script or an attribute

_BUTTON_TYPES: Final = frozenset({"submit", "image", "button"})
_NEVER_SENT: Final = frozenset({"file", "password"})

_ATTRIBUTE: Final = re.compile(
    r"\bdata-(?:next(?:-?(?:url|page|href|link|page-url))?|load-?more(?:-?url)?|more-?url|page-?url|infinite(?:-?url)?)\s{0,4}=\s{0,4}[\"']([^\"'<>]{2,2000})[\"']",
    re.IGNORECASE,
)
_JSON_NEXT: Final = re.compile(
    r"[\"'](?:next_?(?:page_?)?(?:url|link|href)|load_?more_?url|next_?page)[\"']\s{0,4}:\s{0,4}[\"']([^\"'<>]{2,2000})[\"']",
    re.IGNORECASE,
)
_POST_BACK: Final = re.compile(
    r"__doPostBack\((?:'|&#39;)([^'&]{1,200})(?:'|&#39;),\s?(?:'|&#39;)Page\$(Next|\d{1,6})(?:'|&#39;)\)"
)


def find_next_form(forms: Sequence[Form], here: str, number: int) -> Request | None:
    """Return the request of a form whose button says next, or the number after this page's."""
    for form in forms:
        button = _find_button(form, number) or _find_counting_button(form)
        if button is not None and _stays_here(form, here) and (_says_next(button) or _asks_the_same(form, here)):
            return _submit_with(form, button)
    return None


def _says_next(button: Field) -> bool:
    """Return True if a button says more than an arrow, which may as well stand for "go" beside a list of tools."""
    return not any(read_direction(said) == "right" for said in (button.value, button.label, button.title, button.aria))


def _asks_the_same(form: Form, here: str) -> bool:
    """Return True if a form has a control for each parameter that the page was asked with."""
    asked = {name for name, value in parse_qsl(urlsplit(here).query) if value}
    return asked <= {each.name for each in form.fields} or _has_counter(form)


def _find_counting_button(form: Form) -> Field | None:
    """Return a button that says next among other words ("Show next"), in a form that hides the number where it begins."""
    if not _has_counter(form):
        return None
    buttons = (each for each in form.fields if each.type in _BUTTON_TYPES)
    return next((each for each in buttons if read_direction(each.value or each.label) == "perhaps"), None)


def _has_counter(form: Form) -> bool:
    return any(each.type == "hidden" and each.value.isdecimal() and counts_pages(each.name) for each in form.fields)


def _stays_here(form: Form, here: str) -> bool:
    """Return True if a form asks for more of the same: a booking in steps says next too."""
    if any(each.type in ("password", "file") or (each.required and not each.value) for each in form.fields):
        return False
    one, two = urlsplit(here), urlsplit(form.action)
    return one.hostname == two.hostname and (one.path == two.path or _has_counter(form))


def _find_button(form: Form, number: int) -> Field | None:
    buttons = [each for each in form.fields if each.type in _BUTTON_TYPES]
    for button in buttons:
        if any(
            read_direction(said) in ("next", "right")
            for said in (button.value, button.label, button.title, button.aria)
        ):
            return button
    hidden = any(each.type == "hidden" for each in form.fields)
    numbered = [each for each in buttons if hidden and number and read_page_number(each.value) == number + 1]
    return numbered[0] if len(buttons) > 1 and numbered else None


def _submit_with(form: Form, button: Field | None, extra: Sequence[tuple[str, str]] = ()) -> Request | None:
    """Return the request that is sent when a button is pressed and scripts have set some values; nothing else is touched."""
    given = dict(extra)
    kept = [each for each in form.fields if each.type not in _NEVER_SENT and each.name not in given]
    fields = (*kept, *(Field(name, "hidden", value=value) for name, value in extra))
    request = submit(replace(form, fields=fields), {}, fields.index(button) if button in fields else -1)
    return request if isinstance(request, Request) else None


def find_next_in_source(source: str, here: str, forms: Sequence[Form], number: int) -> Request | None:
    """Return the next page that an attribute or a script of the page names plainly."""
    source = source[:MAX_SOURCE_CHARS]
    for found in (*_ATTRIBUTE.findall(source), *_JSON_NEXT.findall(source)):
        url = canonical(unescape(found).replace("\\/", "/"), here) if re.search(r"[/?=]", found) else None
        if url and url != here and relate(here, url) >= Relation.SAME_LIST:
            return Request(url)
    return _post_back(source, forms, number)


def _post_back(source: str, forms: Sequence[Form], number: int) -> Request | None:
    """Return what the page of an ASP.NET grid sends when its next page is pressed."""
    wanted = {(target, page) for target, page in _POST_BACK.findall(source) if page in ("Next", str(number + 1))}
    states = [form for form in forms if any(each.name == "__VIEWSTATE" for each in form.fields)]
    if len({target for target, _ in wanted}) != 1 or not states:
        return None
    target, page = min(wanted)
    return _submit_with(states[0], None, (("__EVENTTARGET", target), ("__EVENTARGUMENT", f"Page${page}")))


# -- finding the next page

_DIGIT_RUN: Final = re.compile(r"\d+")

# How near an address must be for a link that says so to be believed.
_NEEDED: Final = {
    "next": Relation.BELOW, "older": Relation.BELOW, "right": Relation.SAME_LIST, "right twice": Relation.SAME_LIST, "rel": Relation.COUNTED, "more": Relation.COUNTED, "perhaps": Relation.COUNTED,
}  # fmt: skip
_STEPPING: Final = frozenset(
    {"rel", "more", "perhaps"}
)  # that are believed as well where an address asks for more of the same
_OTHER_DIRECTIONS: Final = frozenset({"back", "first", "last", "left"})
_PREFERENCE: Final = ("next", "older", "right", "right twice", "rel", "more", "perhaps")


@dataclass(frozen=True, slots=True)
class NextPage:
    """The request for the next page, and how it was found."""

    request: Request
    how: str  # says next, says more, numbered, rel=next, by its address, a form, a script
    pages: int = 0  # the highest number of a page that a link leads to; there may be more
    skips: bool = False  # whether links skip pages before that one: 1 2 3 ... 153, so it is the last


@dataclass(frozen=True)
class _ListPage:
    """A page of an answer as paging sees it."""

    page: Page
    here: str
    links: tuple[Link, ...]
    number: int  # of this page, counted from 1, as the caller says; 0 when nobody knows
    shown: int
    source: str
    below: int = -1  # how many links stand before the end of the list; -1 where that is unknown

    @cached_property
    def rows(self) -> tuple[NumberedLinks, ...]:
        """Numbered links that belong together, those with the most numbers first."""
        shapes: dict[str, list[tuple[int, Link]]] = {}
        for link in self.links:
            number = read_page_number(link.text)
            if number:
                shapes.setdefault(_DIGIT_RUN.sub("0", link.url), []).append((number, link))
        found = []
        for pages in shapes.values():
            # side by side, as links of pages stand; marks of footnotes stand all over a page
            gaps = sorted(after.place - before.place for (_, before), (_, after) in pairwise(pages))
            is_close = not gaps or gaps[len(gaps) // 2] <= MAX_LINKS_BETWEEN
            row = find_numbered_links([(number, link.url) for number, link in pages]) if is_close else None
            found += [row] if row is not None else []
        near = [row for row in found if not row.counts_shown and self.is_near(row.write(row.numbers[-1]))]
        return tuple(sorted(near, key=lambda row: -len(row.numbers)))

    def is_near(self, url: str) -> bool:
        """Return True if an address can be a page of this list; a calendar counts days and months, but no pages."""
        near = relate(self.here, url)
        return near == Relation.COUNTED or (near != Relation.ELSEWHERE and not is_dated(url))

    def current(self, row: NumberedLinks) -> int:
        """Return the number of this page in a row of numbered links, or 0 where that is unknown."""
        own = row.read(self.here) or self.number
        if own:
            return own
        numbers = set(row.numbers)
        if 1 not in numbers and 2 in numbers:
            return 1
        back = next((row.read(url) for url in self.back if row.read(url)), 0)
        # else the one number that is no link while its neighbours are
        gaps = (number for number in range(2, row.numbers[-1]) if {number - 1, number + 1} <= numbers)
        return back + 1 if back else next((number for number in gaps if number not in numbers), 0)

    @cached_property
    def back(self) -> tuple[str, ...]:
        """Where links lead that say previous."""
        return tuple(link.url for link in self.links if read_direction(link.text) in ("back", "left"))


def find_next(
    page: Page, request: Request, shown: int = 0, page_number: int | None = None, source: str = "", below: int = -1
) -> NextPage | None:
    """Return the request for the next page of an answer, or None; pages are counted from 0, the source is the page's HTML.

    `below` says how many links stand before the end of the list of records, where that is known.
    """
    here = canonical(page.url) or canonical(request.url) or ""
    domain = domain_of(here)
    links = tuple(link for link in page.links[:MAX_PAGE_LINKS] if link.url != here and domain_of(link.url) == domain)
    list_page = _ListPage(page, here, links, 0 if page_number is None else page_number + 1, shown, source, below)
    found = _find_by_words(list_page)
    is_last = any(0 < row.numbers[-1] <= list_page.current(row) for row in list_page.rows[:1])
    if found is None and not is_last:  # else numbered links tell that no page comes after this one
        found = next((each for method in _METHODS if (each := method(list_page)) is not None), None)
    if found is None or not list_page.rows:
        return found
    numbers = list_page.rows[0].numbers
    skips = any(after - before > 2 for before, after in pairwise(numbers))  # this page itself may be no link
    return replace(found, pages=numbers[-1], skips=skips)


def _find_by_words(list_page: _ListPage) -> NextPage | None:
    """Find the link that says next and leads there."""
    said: dict[str, dict[str, None]] = {}  # direction -> addresses, in their order
    for link in list_page.links:
        word = read_direction(link.text)
        kind = word if word in _NEEDED else "rel" if "next" in link.rel.split() and word in ("", "right") else ""
        if kind:
            said.setdefault(kind, {})[link.url] = None
    if "right" in said:
        said.pop("right twice", None)
    ranked: list[tuple[int, int, str, str]] = []
    for kind, url in ((kind, url) for kind, urls in said.items() if len(urls) <= MAX_KIND_LINKS for url in urls):
        near = relate(list_page.here, url)
        is_older = kind == "older"  # dates count where older ones come next
        # whether numbered links tell that it is not the page after this one
        numbers = ((row.read(url), list_page.current(row)) for row in list_page.rows)
        is_wrong = next((there != current + 1 for there, current in numbers if there and current), False)
        is_step = kind in _STEPPING and read_step(list_page.here, url, list_page.shown) is not None
        if (near >= _NEEDED[kind] or is_step) and (is_older or list_page.is_near(url)) and not is_wrong:
            ranked.append((near, -_PREFERENCE.index(kind), kind, url))
    if not ranked:
        return None
    *_, kind, url = max(ranked, key=lambda each: each[:2])
    return NextPage(Request(url), "rel=next" if kind == "rel" else "says next" if kind != "more" else "says more")


def _find_by_numbers(list_page: _ListPage) -> NextPage | None:
    """Find the link with the number after that of this page."""
    for row in list_page.rows:
        current = list_page.current(row)
        if current:
            return NextPage(Request(row.write(current + 1)), "numbered") if current < row.numbers[-1] else None
    # the one link to page 2 of two, or numbers whose addresses follow no rule
    wanted = (list_page.number or 1) + 1
    urls = {link.url for link in list_page.links if read_page_number(link.text) == wanted}
    near = [url for url in urls if relate(list_page.here, url) >= Relation.STEPS and not is_dated(url)]
    return NextPage(Request(near[0]), "numbered") if len(near) == 1 and len(urls) == 1 else None


def _find_in_head(list_page: _ListPage) -> NextPage | None:
    """Take what the head of the page declares, unless it is the next article: that has a number of its own."""
    url = list_page.page.next
    if not url or url == list_page.here or relate(list_page.here, url) < Relation.COUNTED:
        return None
    # a number is one more than here, or the first that a second page can have
    known = dict(find_numbers(list_page.here))
    first = (1, 2, list_page.shown, list_page.shown + 1)
    fresh = [(name, number) for name, number in find_numbers(url) if known.get(name) != number]
    counts_on = any(number == known[name] + 1 if name in known else number in first for name, number in fresh)
    return NextPage(Request(url), "rel=next") if counts_on else None


def _find_by_address(list_page: _ListPage) -> NextPage | None:
    """Find the one link that asks the same from the next record or page on, whatever it says in whatever language."""
    links = [
        link
        for link in list_page.links
        if read_direction(link.text) not in _OTHER_DIRECTIONS and not read_page_number(link.text)
    ]
    urls = {link.url for link in links if is_next_address(list_page.here, link.url, list_page.shown)}
    return NextPage(Request(urls.pop()), "by its address") if len(urls) == 1 else None


def _find_by_step(list_page: _ListPage) -> NextPage | None:
    """Find the one link below the list that asks the same with more records, or from a token on, whatever it says.

    Filters and sizes of pages change one parameter, too, but stand in groups.
    """
    steps: dict[str, set[str]] = {}
    low: set[str] = set()
    for link in list_page.links:
        step = read_step(list_page.here, link.url, list_page.shown)
        if step is not None and read_direction(link.text) not in _OTHER_DIRECTIONS:
            steps.setdefault(step.name, set()).add(link.url)
            low.update({link.url} if 0 <= list_page.below <= link.place else ())
    found = [url for urls in steps.values() for url in urls if len(urls) == 1 and url in low]
    return NextPage(Request(found[0]), "by its address") if len(found) == 1 else None


def _find_without_link(list_page: _ListPage) -> NextPage | None:
    """Find a form with a button that leads on, else an address in a script or an attribute."""
    forms, here = list_page.page.forms, list_page.here
    request = find_next_form(forms, here, list_page.number)
    if request:
        return NextPage(request, "a form")
    request = find_next_in_source(list_page.source, here, forms, list_page.number or 1) if list_page.source else None
    return NextPage(request, "a script") if request else None


_METHODS: tuple[Callable[[_ListPage], NextPage | None], ...] = (
    _find_by_numbers, _find_in_head, _find_by_address, _find_by_step, _find_without_link,
)  # fmt: skip


@dataclass(slots=True)
class PagingGuard:
    """A guard over the pages of one answer: it notices when they go round."""

    addresses: set[bytes] = field(default_factory=set)
    keys: dict[bytes, int] = field(default_factory=dict)  # of its records -> their places in the answer
    shown: int = 0  # records on its pages
    stale: int = 0  # pages in a row that had no new record

    def judge(self, request: Request, keys: Iterable[str]) -> Verdict:
        """Note a page and its records; judge whether the next is worth asking for."""
        address = _digest(f"{request.method} {request.url}", request.body)
        if address in self.addresses:
            return Verdict(False, "the same address again")
        if len(self.addresses) >= MAX_GUARDED_PAGES:
            return Verdict(False, f"more than {MAX_GUARDED_PAGES:,} pages")
        self.addresses.add(address)
        shown = list(map(_digest, keys))
        if not shown:
            return Verdict(False, "no records on this page")
        new = [key for key in shown if key not in self.keys]
        for place, key in enumerate(shown, self.shown):
            if len(self.keys) < MAX_GUARDED_KEYS:
                self.keys.setdefault(key, place)
        self.shown += len(shown)
        if new or len(self.addresses) == 1:
            self.stale = 0
            return Verdict(True)
        self.stale += 1
        if self.stale >= MAX_STALE_PAGES or len(shown) > 1:
            return Verdict(False, "the same records again")
        return Verdict(True)

    def has_shown(self, keys: Iterable[str]) -> bool:
        """Return True if the pages before showed the records of a page, side by side in the same order: nothing comes after the last."""
        places = [self.keys.get(_digest(key), -1) for key in keys]
        is_run = bool(places) and 0 <= places[0] == places[-1] - len(places) + 1
        return is_run and all(one <= two for one, two in pairwise(places))

    def count_repeated(self, keys: Sequence[str]) -> int:
        """Return how many records of a page that grows stood on the pages before: it begins with all of them; else 0."""
        if not 0 < self.shown < len(keys):
            return 0
        return self.shown if all(_digest(key) in self.keys for key in keys[: self.shown]) else 0

    def leave_new(self, keys: Iterable[str]) -> list[str]:
        """Return the keys that no page before had."""
        return [key for key in keys if _digest(key) not in self.keys]


def _digest(text: str, body: bytes = b"") -> bytes:
    return blake2b(text.encode("utf-8", "replace") + body, digest_size=8).digest()
