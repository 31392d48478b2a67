"""A name for a form that is the same wherever it stands, and one for the database that it asks."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable
from functools import lru_cache
from typing import NamedTuple
from urllib.parse import unquote, unquote_plus

from dowse.form.features import BUTTON_TYPES, visible_fields
from dowse.model import Form
from dowse.url import DEFAULT_PORTS, is_noise

MAX_FORM_TEXT = 300  # characters of a form's words that count
MAX_TEXT_PER_CONTROL = 80  # characters of text for each control; a form with more was never closed
MAX_LABEL = 60  # characters of a control's words that count
MAX_CONSTANTS = 40  # parameters and hidden values that are read
MAX_DATABASE = 500  # characters of a database's name
MIN_RANDOM_LENGTH = 16  # characters of an id in an address
MIN_RANDOM_NAME_LENGTH = 6  # characters of an id in the name of a field
MAX_SMALL_FORM_FIELDS = (
    3  # fields of a form that a server lets send to whichever page it stands on: a search box, a login
)
POSTBACK = "__viewstate"  # a server that writes this makes every page one form that sends to itself
# Servers that name their forms and let each send to the page it stands on: the name, and what stands beside it.
NAMED_FORMS = (
    ("form_id", "form_build_id"),
    ("_dargs", "_dynsessconf"),
    ("gform_submit", "gform_unique_id"),
    ("_wpcf7", "_wpcf7_unit_tag"),
)

_OWN_TYPES = frozenset({"select", "radio", "checkbox", "password", "file", "textarea"})
_INDEX = re.compile(r"(?:index|default)\.(?:html?|php\d?|aspx?|jsp|jsf|do|cgi|cfm)\Z", re.IGNORECASE)
_SESSION_IN_PATH = re.compile(r"\(?[A-Za-z]\([0-9A-Za-z_-]+\)\)?\Z")  # a session in the path: (S(x1y2))
_PLACEHOLDER = re.compile(r"\{([^{}]{1,100})\}")
_WHOLE_PLACEHOLDER = re.compile(r"\{([^{}?]{1,100})\??\}\Z")
_UUID = re.compile(r"[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}", re.IGNORECASE)
_HEX = re.compile(r"\A[0-9a-fA-F]+\Z")
_ALNUM = re.compile(r"\A[0-9A-Za-z]+\Z")
_SWITCH = re.compile(r"[0-9](?=[A-Za-z])|[A-Za-z](?=[0-9])")
_TURN = re.compile(r"[a-z](?=[A-Z])|[A-Z](?=[a-z])")
_JOINTS = re.compile(r"([-_.:\[\]$]+)")
_LETTERS = re.compile(r"[^\W\d_]+")
_WORDS = re.compile(r"\A[^\W\d_]+(?:[-_ ][^\W\d_]+){0,4}\Z")
_HUMPS = re.compile(r"[A-Z]+[^A-Z]*|[^A-Z]+")
_VOWELS = re.compile(r"[aeiouy]")
_DOMAIN = re.compile(r"(?:[a-z0-9-]{1,63}\.){1,6}[a-z]{2,20}\Z")

_SAME_HOSTS = re.compile(
    r"(?:(?:www?|cdn|static|assets?|edge|secure|ssl|m|mobile|wap|touch|amp)\d{0,3}|(?:web|node|srv|server|host|lb|app|s)\d{1,3})\Z"
)
_SECOND_LEVEL = frozenset("ac co com edu go gob gouv gov govt ne net nom or org sch".split())  # as in co.uk

# Hidden values that say how or from where one asks, not what.
_HOW_ASKED = frozenset(
    "lang language langue locale hl charset encoding enc ie oe utf utf8 submit op btn button go sort sortby sortorder"
    " order orderby dir limit format layout template theme skin style ref referer referrer return returnto returnurl"
    " redirect redirectto redirecturl back backurl next dest destination from origin url uri location title slug token"
    " nonce csrf session".split()
)
_SAYS_HOW = re.compile(r"refer|redirect|return|(?:sort|order|charset)\Z")
_PLACE_ON_PAGE = re.compile(r"header|footer|sidebar|masthead|navbar|topbar|homepage|popup")
_SAYS_NOTHING = frozenset(
    "advanced all any auto basic body bottom default desktop false footer form go header home homepage left main menu mobile"
    " nav navbar new no none null off ok on page quick right send sidebar simple site standard std submit top true undefined"
    " web website widget yes".split()
)
# Hidden values that say whose part of a shared service is asked, however they are written.
_TENANTS = frozenset(
    "account accountid acct catalog catalogue client clientid collection customer customerid custid cx database db domain"
    " engine enginekey groupid index inst institution library org orgid organisation organization portal profile"
    " shop shopid site siteid sitesearch assitesearch store storeid tenant tenantid vid".split()
)
# Names of parameters that say which of several collections is asked, though the page's own address says it, too.
_COLLECTIONS = _TENANTS | frozenset(
    "table tbl tablename dataset entity model resource schema class module section corpus source".split()
)


class _FormAddress(NamedTuple):
    """Where a form leads, without what changes from page to page."""

    host: str  # without the names that stand for the same server
    path: str  # without sessions
    given: tuple[tuple[str, str], ...]  # parameters that stand in it
    hidden: tuple[tuple[str, str], ...]  # hidden fields that are sent with it
    renamed: dict[str, str]  # what the parameters of a template are called, by field


def sign(form: Form) -> str:
    """Return what stays the same when sessions, tokens, options' order and interchangeable hosts change.

    A form that sends to the page it stands on is known by what it says instead: its
    address changes from page to page, its words do not.
    """
    return names_of(form)[0]


def names_of(form: Form, page: str = "") -> tuple[str, ...]:
    """Return the signature of a form, and a second one that it goes by.

    A small form that is posted to the address of its own page may be one that every page has, each
    with its own address, or one that other pages send to this page: it has a name for either.

    What a form sends along of the address of its page (the filter, the view, the row that is shown) is the state of the
    page and no part of the name, unless its name says that it chooses a collection: tbl=cars, tbl=films. Pages whose
    address does not have it send it along, too, so the form also goes by its name with it.
    """
    address = _read_address(form)
    state = _read_state(page) if page else frozenset()
    given, hidden = ([pair for pair in some if not _is_state(*pair, state)] for some in (address.given, address.hidden))
    names = _names(form, page, address)
    if len(given) == len(address.given) and len(hidden) == len(address.hidden):
        return names
    bare = _names(form, page, address._replace(given=tuple(given), hidden=tuple(hidden)))
    return tuple(dict.fromkeys((*bare, *names)))


def _names(form: Form, page: str, address: _FormAddress) -> tuple[str, ...]:
    visible = visible_fields(form)
    # types and names; where a name changes from page to page, its label tells the field. A control without a name is
    # not sent: it counts only where none has one
    marked: set[str] = set()
    starred: dict[str, str] = {}
    for field in [field for field in visible if field.name] or visible:
        name = _clean_name(address.renamed.get(field.name, field.name) or field.id)
        kind = field.type if field.type in _OWN_TYPES else "text"
        if "*" in name:
            label = _letters(field.label or field.placeholder or field.title, MAX_LABEL)
            starred.setdefault(field.name or field.id, f"{kind}:{name}:{label}")
        else:
            marked.add(f"{kind}:{name}")
    marks = sorted([*marked, *starred.values()])
    is_small = len(visible) <= MAX_SMALL_FORM_FIELDS
    # the name that the server has for a form, where it tells
    said = {name.lower(): value for name, value in (*address.given, *address.hidden)}
    named = (f"{name}={said[name][:64]}" for name, beside in NAMED_FORMS if beside in said and said.get(name))
    name = next(named, "")
    if not name:
        is_postback = is_small and any(field.name.lower() == POSTBACK for field in form.fields)
        if form.own_page or not form.action or is_postback:
            own = _hash(form, _read_text(form), address.hidden, marks)
            if not page or not form.action or is_postback:
                return (own,)
            # forms of other pages may send to this page by its address
            return (own, _hash(form, f"{address.host}/{address.path}", (*address.given, *address.hidden), marks))
    plain = _hash(form, name or f"{address.host}/{address.path}", (*address.given, *address.hidden), marks)
    is_posted_here = is_small and form.method == "POST" and form.action.partition("?")[0] == page.partition("?")[0]
    if name or not page or not is_posted_here:
        return (plain,)
    text = f"{_letters(f'{form.id} {form.name}', MAX_LABEL)} {_read_text(form)}"
    return (plain, _hash(form, text, address.hidden, marks))


def database_of(form: Form) -> str:
    """Return a name for what a form asks, the same on every site that asks it; nothing where no address is known."""
    address = _read_address(form)
    if not address.host:
        return ""
    pairs = (*address.given, *address.hidden)
    # of a shared service it is said whose part of it is asked
    tenants = {
        f"{name.lower()}={value.strip().lower()}"
        for name, value in pairs
        if _plain_name(name) in _TENANTS
        and 0 < len(value.strip()) <= 100
        and value.strip().lower() not in _SAYS_NOTHING
    }
    constants = sorted({*_find_constants(pairs), *tenants})
    path = address.path.removesuffix("{}").removesuffix("/")
    name = f"{address.host}/{path}" + (f"?{'&'.join(constants)}" if constants else "")
    name = name.encode("utf-8", "replace").decode()
    if len(name) <= MAX_DATABASE:
        return name
    return f"{name[: MAX_DATABASE - 17]}#{hashlib.blake2b(name.encode(), digest_size=8).hexdigest()}"


def _hash(form: Form, place: str, pairs: Iterable[tuple[str, str]], marks: list[str]) -> str:
    text = repr((form.method, place, _find_constants(pairs), marks))
    return hashlib.blake2b(text.encode("utf-8", "replace"), digest_size=8).hexdigest()


# -- the address


def _read_address(form: Form) -> _FormAddress:
    url, mark, fragment = (form.template or form.action).partition("#")
    head, _, query = url.partition("?")
    host, _, path = head.partition("://")[2].partition("/")
    given, renamed = [], {}
    separator = ";" if ";" in query and "&" not in query else "&"
    for part in query.split(separator, MAX_CONSTANTS)[:MAX_CONSTANTS] if query else ():
        name, value = map(unquote_plus, part.partition("=")[::2])
        asked = _WHOLE_PLACEHOLDER.match(value)
        if asked:
            renamed[asked[1]] = name
        else:
            given.append((name, value))
    if mark and "{" in fragment:  # scripts of the page read what is asked from there
        path += f"/#/{fragment}"
    # the path without sessions; what stands for a value is called nothing
    parts: list[str] = []
    for part in unquote(path).split("/"):
        folder, *parameters = part.split(";")
        if _SESSION_IN_PATH.match(folder) or is_random(folder):
            folder = ""
        kept = [each for each in parameters[:MAX_CONSTANTS] if _tells_apart(*each.partition("=")[::2])]
        cleaned = _PLACEHOLDER.sub("{}", ";".join([folder, *kept]))
        if cleaned:
            parts.append(cleaned)
    if parts and _INDEX.match(parts[-1]):
        parts.pop()
    hidden = [(field.name, field.value) for field in form.fields if field.type == "hidden" and field.name]
    return _FormAddress(_clean_host(host), "/".join(parts), tuple(given), tuple(hidden[:MAX_CONSTANTS]), renamed)


@lru_cache(maxsize=2_000)
def _clean_host(host: str) -> str:
    """Return a host without its default port and without labels such as www, m and cdn."""
    host, _, port = host.rpartition("@")[2].lower().partition(":")
    port = "" if not port or port in map(str, DEFAULT_PORTS.values()) else f":{port}"
    labels = host.rstrip(".").split(".")
    for place, label in enumerate(labels[:-2]):
        is_cdn = any(part.rstrip("0123456789") == "cdn" for part in label.split("-"))
        if is_cdn and _is_registered(labels[place + 1 :]):
            labels = labels[place + 1 :]
            break
    while _SAME_HOSTS.match(labels[0]) and _is_registered(labels[1:]):
        labels = labels[1:]
    return ".".join(labels) + port


def _is_registered(labels: list[str]) -> bool:
    """Return True if a host is left: more than a suffix such as com or co.uk."""
    return len(labels) > 2 or (len(labels) == 2 and not (labels[0] in _SECOND_LEVEL and len(labels[1]) == 2))


# -- what is random


def is_random(text: str, *, least: int = MIN_RANDOM_LENGTH) -> bool:
    """Return True if a text of at least so many signs is or holds an id that a machine made."""
    if len(text) < least:
        return False
    return _UUID.search(text) is not None or any(_is_random_part(part, least) for part in _JOINTS.split(text))


def _is_random_part(part: str, least: int) -> bool:
    if len(part) < least or not _ALNUM.match(part):
        return False
    if part.isdigit():
        return True
    switches = len(_SWITCH.findall(part))
    if _HEX.match(part):
        return switches > 1 or len(part) >= MIN_RANDOM_LENGTH
    if switches > 2:
        return len(part) >= least + 2
    return len(part) >= MIN_RANDOM_LENGTH and len(_TURN.findall(part)) > 0.4 * len(part)


@lru_cache(maxsize=5_000)
def _clean_name(name: str) -> str:
    """Return a field's name with a star for what changes from page to page."""
    if len(name) < MIN_RANDOM_NAME_LENGTH:
        return name
    parts = _JOINTS.split(_UUID.sub("*", name))
    return "".join(["*" if _is_random_part(part, MIN_RANDOM_NAME_LENGTH) else part for part in parts])


# -- what is constant


def _read_state(page: str) -> frozenset[str]:
    """Return the values that stand in the address of a page: as parameters, and as the folders of its path."""
    path, _, query = page.partition("//")[2].partition("#")[0].partition("?")
    values = [unquote_plus(part.partition("=")[2]) for part in query.split("&", MAX_CONSTANTS)[:MAX_CONSTANTS]]
    folders = [unquote(part) for part in path.split("/")[1 : MAX_CONSTANTS + 1]]
    return frozenset([value.strip().lower() for value in (*values, *folders) if value.strip()])


def _is_state(name: str, value: str, state: frozenset[str]) -> bool:
    return value.strip().lower() in state and _plain_name(name) not in _COLLECTIONS


def _find_constants(pairs: Iterable[tuple[str, str]]) -> list[str]:
    """Return the parameters that say what is asked."""
    return sorted({f"{name.lower()}={value.strip().lower()}" for name, value in pairs if _tells_apart(name, value)})


def _tells_apart(name: str, value: str) -> bool:
    """Return True if a constant is a word that tells one form from another."""
    if not 0 < len(value) <= 64 or len(name) > 64 or is_noise(f"{name}={value}"):
        return False
    plain, value = _plain_name(name), value.strip()
    if plain in _HOW_ASKED or _SAYS_HOW.search(plain) or "*" in _clean_name(name):
        return False
    if value.lower() in _SAYS_NOTHING or _PLACE_ON_PAGE.search(value.lower()):
        return False
    if plain in _TENANTS and _DOMAIN.match(value.lower()):
        return True
    return len(value) <= 32 and is_wordlike(value)


def _plain_name(name: str) -> str:
    return name.lower().replace("_", "").replace("-", "").replace("[", "").replace("]", "")


def is_wordlike(text: str) -> bool:
    """Return True if people could have written it: one to five words, with vowels where Latin letters have them."""
    if not _WORDS.match(text):
        return False
    for word in _LETTERS.findall(text):
        humps = _HUMPS.findall(word)
        if (len(word) > 7 and len(word) < 2.5 * len(humps)) or any(len(hump) > 20 for hump in humps):
            return False
        if len(word) > 5 and word.isascii() and len(_VOWELS.findall(word.lower())) < 0.16 * len(word):
            return False
    return True


# -- what is seen


def _read_text(form: Form) -> str:
    """Return the words of a form: all in it, unless it has swallowed its page, and those of its controls."""
    is_closed = len(form.text) <= MAX_TEXT_PER_CONTROL * (1 + len(form.fields))
    said = [form.text[:MAX_FORM_TEXT] if is_closed else ""]
    for field in form.fields:
        if field.type in BUTTON_TYPES:
            said.append(field.value[:MAX_LABEL])
        elif field.type != "hidden":
            said.append((field.label or field.placeholder or field.title)[:MAX_LABEL])
        if len(said) > MAX_CONSTANTS:
            break
    return _letters(" ".join(said), 2 * MAX_FORM_TEXT)


def _letters(text: str, most: int) -> str:
    """Return the words of a text: counts and dates in it change."""
    return " ".join(_LETTERS.findall(text[:most].lower()))
