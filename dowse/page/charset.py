"""Which encoding a body is in: byte order mark, header, meta, then what the bytes look like.

The order and the names are the WHATWG Encoding and HTML standards'. An unknown label is
as good as none, so the next source of knowledge is asked. The last one is chardetng, which
Firefox asks, too.
"""

from __future__ import annotations

import codecs
import re
from functools import lru_cache

from dowse.model import Response

MAX_BODY = 2 * 1024 * 1024  # bytes of a body that are read
MAX_SAMPLE = 100_000  # bytes that an encoding is guessed by; 5 ms
PRESCAN = 4096  # the standard asks for 1024; pages with long comments in front put it later

_MARKS = ((b"\xef\xbb\xbf", "utf-8"), (b"\xfe\xff", "utf-16be"), (b"\xff\xfe", "utf-16le"))
_COMMENT = re.compile(rb"<!--(?:.*?-->|.*)", re.DOTALL)
_META = re.compile(rb"<meta[\s/][^>]*?charset\s*+=\s*+[\"']?\s*+([^\s\"'/>;]+)")
_CHARSET = re.compile(r"charset\s*+=\s*+[\"']?\s*+([^\s\"';,]+)", re.IGNORECASE)

# https://encoding.spec.whatwg.org/#names-and-labels without the labels nobody sends and without
# "replacement" and "x-user-defined", which hide a page instead of reading it.
_NAMES = {
    "utf-8": "utf8 unicode-1-1-utf-8 unicode11utf8 unicode20utf8 x-unicode20utf8",
    "ibm866": "866 cp866 csibm866",
    "iso-8859-2": "iso8859-2 iso88592 iso_8859-2 latin2 l2 csisolatin2 iso-ir-101",
    "iso-8859-3": "iso8859-3 iso88593 iso_8859-3 latin3 l3",
    "iso-8859-4": "iso8859-4 iso88594 iso_8859-4 latin4 l4",
    "iso-8859-5": "iso8859-5 iso88595 iso_8859-5 cyrillic csisolatincyrillic",
    "iso-8859-6": "iso8859-6 iso88596 iso_8859-6 arabic asmo-708 ecma-114 iso-8859-6-e iso-8859-6-i",
    "iso-8859-7": "iso8859-7 iso88597 iso_8859-7 greek greek8 ecma-118 elot_928 sun_eu_greek",
    "iso-8859-8": "iso8859-8 iso88598 iso_8859-8 hebrew visual iso-8859-8-e",
    "iso-8859-8-i": "logical csiso88598i",
    "iso-8859-10": "iso8859-10 iso885910 latin6 l6",
    "iso-8859-13": "iso8859-13 iso885913",
    "iso-8859-14": "iso8859-14 iso885914",
    "iso-8859-15": "iso8859-15 iso885915 iso_8859-15 latin9 latin-9 l9",
    "iso-8859-16": "",
    "koi8-r": "koi koi8 koi8_r cskoi8r",
    "koi8-u": "koi8-ru",
    "macintosh": "mac x-mac-roman csmacintosh",
    "windows-874": "dos-874 iso-8859-11 iso8859-11 tis-620 tis620",
    "windows-1250": "cp1250 x-cp1250 win-1250",
    "windows-1251": "cp1251 x-cp1251 win-1251",
    "windows-1252": "cp1252 x-cp1252 ascii us-ascii ansi_x3.4-1968 iso-8859-1 iso8859-1 iso88591 iso_8859-1 latin1 "
    "latin-1 l1 cp819 ibm819 iso-ir-100 csisolatin1 x-user-defined",
    "windows-1253": "cp1253 x-cp1253",
    "windows-1254": "cp1254 x-cp1254 iso-8859-9 iso8859-9 iso88599 iso_8859-9 latin5 l5",
    "windows-1255": "cp1255 x-cp1255",
    "windows-1256": "cp1256 x-cp1256",
    "windows-1257": "cp1257 x-cp1257",
    "windows-1258": "cp1258 x-cp1258",
    "x-mac-cyrillic": "x-mac-ukrainian",
    "gbk": "gb2312 gb_2312 gb_2312-80 chinese x-gbk csgb2312 iso-ir-58",
    "gb18030": "",
    "big5": "big5-hkscs cn-big5 x-x-big5 csbig5",
    "euc-jp": "x-euc-jp cseucpkdfmtjapanese",
    "iso-2022-jp": "csiso2022jp",
    "shift_jis": "shift-jis sjis x-sjis ms_kanji ms932 windows-31j csshiftjis",
    "euc-kr": "korean ks_c_5601-1987 ks_c_5601-1989 ksc5601 ksc_5601 windows-949 cseuckr",
    "utf-16le": "utf-16 unicode ucs-2 csunicode iso-10646-ucs-2 unicodefeff",
    "utf-16be": "unicodefffe",
}
_LABELS = {label: name for name, labels in _NAMES.items() for label in (name, *labels.split())}

# Where Python's codec of the same name is missing or a smaller one than the web's.
_CODECS = {
    "iso-8859-8-i": "iso-8859-8",
    "macintosh": "mac_roman",
    "windows-874": "cp874",
    "x-mac-cyrillic": "mac_cyrillic",
    "gbk": "gb18030",
    "big5": "big5hkscs",
    "shift_jis": "cp932",
    "euc-kr": "cp949",
}


def read_source(response: Response) -> str:
    """Return the text of a response, of which no more is read than is of use."""
    body = response.body[:MAX_BODY]
    return decode(body, find_encoding(body, response.header("content-type")))


def find_encoding(body: bytes, content_type: str = "") -> str:
    """Return the encoding of a body: as it is declared, or as its bytes show."""
    for mark, name in _MARKS:
        if body.startswith(mark):
            return name
    return _from_header(content_type) or _from_meta(body) or _from_bytes(body) or _guess(body)


def decode(body: bytes, name: str) -> str:
    """Return the text of a body; what its encoding does not allow becomes U+FFFD."""
    for mark, marked in _MARKS:
        if marked == name and body.startswith(mark):
            body = body[len(mark) :]
    return body.decode(_CODECS.get(name, name), "dowse-control" if name.startswith("windows-") else "replace")


def _keep_controls(error: UnicodeError) -> tuple[str, int]:
    """Take bytes that Windows has no letter for as control characters: so the standard has it, and Python does not."""
    if not isinstance(error, UnicodeDecodeError):
        raise error
    return error.object[error.start : error.end].decode("latin-1"), error.end


codecs.register_error("dowse-control", _keep_controls)


@lru_cache(maxsize=256)
def _from_header(content_type: str) -> str:
    found = _CHARSET.search(content_type[:500])
    return _LABELS.get(found[1].lower(), "") if found else ""


def _from_meta(body: bytes) -> str:
    head = body[:PRESCAN].lower()
    if b"<!--" in head:
        head = _COMMENT.sub(b"", head)
    found = _META.search(head)
    name = _LABELS.get(found[1].decode("ascii", "replace"), "") if found else ""
    return "utf-8" if name.startswith("utf-16") else name  # a meta that could be read as ASCII is not UTF-16


def _from_bytes(body: bytes) -> str:
    if body.isascii():
        return "utf-8"
    try:
        body.decode()
    except UnicodeDecodeError as error:
        return "utf-8" if error.end >= len(body) - 3 else ""  # cut in the middle of a character
    return "utf-8"


def _guess(body: bytes) -> str:
    """Return the encoding that bytes look like which are not UTF-8."""
    from chardetng_py import EncodingDetector  # few bodies need it

    detector = EncodingDetector()
    detector.feed(body[:MAX_SAMPLE], last=len(body) <= MAX_SAMPLE)
    return str(detector.guess(tld=None, allow_utf8=False)).lower()
