"""Canonical addresses, the site of an address, and its registrable domain.

Parsing and joining are the WHATWG rules as `ada` has them; what is removed beyond that
(fragments, credentials, tracking and session parameters) never changes the page that
a new visitor would see.
"""

from __future__ import annotations

import ipaddress
import re
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path

import ada_url

from dowse.errors import BadInput
from dowse.model import Site

MAX_LENGTH = 2048
MAX_FOLDERS = 1_500  # whose references are remembered: some for each of 128 sites that are searched at the same time
MAX_REFERENCES = 150  # of one folder: 50 MB for all in the worst case, a tenth of it in a crawl
MAX_STEPS_UP = 20  # `../` at the start of a reference that are taken off one by one; longer ones are left to the parser
DEFAULT_PORTS = {"http": 80, "https": 443}

_TRACKING_NAMES = frozenset(
    "gclid gclsrc dclid gbraid wbraid fbclid msclkid yclid ttclid twclid li_fat_id igshid igsh srsltid _ga _gl "
    "_hsenc _hsmi mc_cid mc_eid mkt_tok vero_id vero_conv oly_anon_id oly_enc_id wickedid rb_clickid s_cid "
    "ml_subscriber ml_subscriber_hash _openstat yadclid epik ga_source ga_medium ga_campaign ga_term ga_content "
    "wt_mc wt_zmc cmpid xtor at_campaign at_medium trk_contact trk_msg trk_module trk_sid".split()
)
_TRACKING_PREFIXES = ("utm_", "pk_", "mtm_", "piwik_", "matomo_", "hsa_", "__hs", "fb_action_", "fb_ref")
_SESSION_NAMES = frozenset(
    "phpsessid phpsession jsessionid sessionid session_id sessid sess_id asp.net_sessionid cfid cftoken cfsid "
    "oscsid zenid xtcsid mscssid sessionkey symfony ci_session laravel_session viewstate".split()
)
_SHORT_SESSION_NAMES = frozenset(
    {"sid", "s", "session", "sess", "token", "sesskey", "hash"}
)  # only with a random value
_RANDOM_VALUE = re.compile(r"\A(?:[0-9a-fA-F]{16,}|(?=[^&;]*[0-9])(?=[^&;]*[A-Za-z])[0-9A-Za-z]{20,})$")
_PATH_SESSION = re.compile(r";(?:jsessionid|phpsessid|sid|cfid|cftoken)=[^/?;]*", re.IGNORECASE)
_COOKIELESS_ASP = re.compile(r"/\([A-Z]\([0-9a-z]{16,}\)[^/]*\)", re.IGNORECASE)
_PLAIN = r"/?(?:[\w~-][\w~.-]*/)*(?:[\w~-][\w~.-]*)?(?:\?[\w~.=&+/-]*)?\Z"
_PLAIN_PATH = re.compile(rf"\A(?=[/\w~-]){_PLAIN}", re.ASCII)
_PLAIN_ADDRESS = re.compile(rf"https?://(?!\S*xn--)(?:[a-z0-9-]+\.)+[a-z]{{2,}}(?=/){_PLAIN}", re.ASCII)
_WITHIN_PAGE = "?# \t\n\f\r"  # what begins with these leads elsewhere from each page of a folder
_OTHER_SCHEMES = ("mailto:", "javascript:", "tel:", "data:")  # the usual ones; a parser knows the rest
_SCHEME = re.compile(r"\A[a-zA-Z][a-zA-Z0-9+.-]*:")
_HOST_WITH_PORT = re.compile(r"\A[\w.-]+:\d{1,5}(?:[/?#]|$)")
_FILE_ENDINGS = (".json", ".jsonl", ".csv", ".xml", ".html", ".htm")  # no host name ends so
_HOST_LABELS = re.compile(r"\A(?!-)[a-z0-9_-]{1,63}(?:\.(?!-)[a-z0-9_-]{1,63})*\.?$")


def canonical(href: str, base: str = "") -> str | None:
    """Return the one way to write an address, or None when it does not lead to a web page."""
    if len(href) <= MAX_LENGTH and "?" not in href and _PLAIN_ADDRESS.match(href):
        return href
    href = href.strip()
    if len(href) > MAX_LENGTH:
        return None
    relative = not _SCHEME.match(href)
    if relative and not base:
        return None
    try:
        url = ada_url.join_url(base, href) if base else ada_url.normalize_url(href)
    except ValueError:
        return None
    if len(url) > MAX_LENGTH or not url.startswith(("http://", "https://")):
        return None
    return _without_noise(url.partition("#")[0])


@dataclass(frozen=True, slots=True)
class Base:
    """What the links of a page are resolved against: its address, its folder and its root."""

    url: str
    folder: str
    root: str
    here: dict[str, str] = field(compare=False, repr=False)  # where references lead; pages of a folder share it
    anywhere: dict[str, str] = field(
        compare=False, repr=False
    )  # likewise, for references from the root; pages of a site share it

    @classmethod
    def of(cls, url: str) -> Base:
        """Return the base that a canonical address gives."""
        head = url.partition("?")[0]
        folder = head[: head.rfind("/", 8) + 1] or url
        root = f"{origin(head)}/" if "://" in head else url
        return cls(url, folder, root, _references_of(folder), _references_of(f"{root} from anywhere"))

    def resolve(self, href: str) -> str | None:
        """Do as `canonical`; most links of a page stood on the page before it and are remembered."""
        url = self.anywhere.get(href) or self.here.get(href)
        if url is None:
            url = self._resolve(href)
            if url and href[:1] not in _WITHIN_PAGE:
                known = self.anywhere if href.startswith(("/", "http://", "https://")) else self.here
                if len(known) < MAX_REFERENCES:
                    known[href] = url
        return url

    def _resolve(self, href: str) -> str | None:
        """Return where a reference leads; plain links are joined without the parser, in a fifth of the time."""
        path, folder = href.partition("#")[0], self.folder
        if path.startswith("http"):
            url = path if _PLAIN_ADDRESS.match(path) else None
        elif path.startswith(_OTHER_SCHEMES):
            return None
        else:
            for _ in range(MAX_STEPS_UP):
                if not path.startswith("../") or path[3:4] == "/" or not folder.endswith("/"):
                    break
                path, folder = path[3:], folder[: folder.rfind("/", 8, -1) + 1] or folder
            url = None
            if _PLAIN_PATH.match(path) and (path[0] == "/" or folder.endswith("/")):
                url = self.root + path[1:] if path[0] == "/" else folder + path
        if url is None or len(url) > MAX_LENGTH:
            return canonical(href, self.url)
        return _without_noise(url) if "?" in url else url


@lru_cache(maxsize=MAX_FOLDERS)
def _references_of(place: str) -> dict[str, str]:
    """Return where references from the pages of a place lead, as far as they were resolved; the menu is the same on each page."""
    return {}


def resolve(href: str, base: str) -> str | None:
    """Return what `canonical` returns, faster for most links."""
    return Base.of(base).resolve(href)


def _without_noise(url: str) -> str:
    """Remove credentials, session ids in the path, and parameters that only track."""
    if "@" in url[: url.find("/", 8)]:
        url = re.sub(r"//[^/]*@", "//", url, count=1)
    if ";" in url:
        head, mark, query = url.partition("?")
        url = _PATH_SESSION.sub("", head) + mark + query
    if "(" in url:
        url = _COOKIELESS_ASP.sub("", url, count=1)
    head, mark, query = url.partition("?")
    if not mark:
        return url
    kept = _keep_parameters(query)
    return f"{head}?{kept}" if kept else head


def _keep_parameters(query: str) -> str:
    """Return a query without noise; one without its last `&` may be one with `;` between its parts, so until it stays."""
    separator = ";" if ";" in query and "&" not in query else "&"
    kept = separator.join([part for part in query.split(separator) if part and not is_noise(part)])
    return kept if kept == query else _keep_parameters(kept)


def is_noise(parameter: str) -> bool:
    """Return True if a `name=value` parameter only tracks the visitor or the session."""
    name, _, value = parameter.partition("=")
    name = name.lower()
    if name in _TRACKING_NAMES or name in _SESSION_NAMES or name.startswith(_TRACKING_PREFIXES):
        return True
    if name.startswith("aspsessionid"):
        return True
    return name in _SHORT_SESSION_NAMES and _RANDOM_VALUE.match(value) is not None


def sorted_parameters(url: str) -> str:
    """Return the address with its parameters in alphabetical order."""
    head, mark, query = url.partition("?")
    if not mark or "&" not in query:
        return url
    return f"{head}?{'&'.join(sorted(query.split('&')))}"


def origin(url: str) -> str:
    """Return scheme, host and port of a canonical address, as written in it."""
    end = url.find("/", 8)
    return url if end < 0 else url[:end]


def site_of(url: str) -> Site:
    """Return the site that a canonical address belongs to."""
    return _site_of_origin(origin(url))


@lru_cache(maxsize=10_000)
def _site_of_origin(start: str) -> Site:
    scheme, _, rest = start.partition("://")
    host, _, port = rest.rpartition(":")
    if host and port.isdigit():
        return Site(scheme, host, int(port))
    return Site(scheme, rest, DEFAULT_PORTS[scheme])


def is_address(host: str) -> bool:
    """Return True if a host is written as an IP address."""
    try:
        ipaddress.ip_address(host.strip("[]"))
    except ValueError:
        return False
    return True


@lru_cache(maxsize=10_000)
def registrable_domain(host: str) -> str:
    """Return the registrable domain of a host (example.co.uk), or the host itself."""
    if is_address(host):
        return host
    return _suffixes().privatesuffix(host.rstrip(".")) or host


@lru_cache(maxsize=1)
def _suffixes():  # type: ignore[no-untyped-def]  # loads in 0.1 s, so only when it is asked for
    from publicsuffixlist import PublicSuffixList

    return PublicSuffixList()


def seed_address(text: str) -> str | None:
    """Return the canonical address of a seed as typed; a bare host name is allowed."""
    text = text.strip()
    if not _SCHEME.match(text) or _HOST_WITH_PORT.match(text):
        text = f"http://{text}"
    url = canonical(text)
    return url if url and not why_not_a_seed(url) else None


def is_like_file(text: str) -> bool:
    """Return True if what was typed for an address is the name of a file: results.json, ./page, data/page.

    An address without its scheme (a.example/data.json) is none: a host comes first, and its name has a dot.
    """
    text = text.strip()
    if _SCHEME.match(text) or text.startswith("//"):
        return False
    first, slash, _ = text.partition("/")
    if not slash:
        return text.lower().endswith(_FILE_ENDINGS)
    return first in ("", ".", "..", "~") or ("." not in first and first != "localhost")


def check_no_file(text: str) -> None:
    """Raise where a person typed the name of a file in place of an address."""
    if is_like_file(text):
        is_there = Path(text).is_file()
        what = "is a file, not a web address" if is_there else "is not a web address, and there is no such file"
        raise BadInput(f"{text[:120]!r} {what}; addresses begin with http:// or https://")


def why_not_a_seed(url: str) -> str:
    """Return why an address cannot be a seed, or an empty string."""
    host = site_of(url).host
    if is_address(host) or host == "localhost":
        return ""
    if not _HOST_LABELS.match(host):
        return "the host name is malformed"
    if "." not in host.strip("."):
        return "the host name has no dot"
    return ""


def same_site(first: str, second: str) -> bool:
    """Return True if two canonical addresses are on one site."""
    return origin(first) == origin(second)
