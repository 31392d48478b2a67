from __future__ import annotations

import pytest

from dowse.page.charset import decode, find_encoding
from tests.page.pages import read

HTML = "text/html; charset="


@pytest.mark.parametrize(
    ("body", "header", "encoding"),
    [
        pytest.param(b"\xef\xbb\xbfx", HTML + "koi8-r", "utf-8", id="a byte order mark outranks the header"),
        pytest.param(b"\xff\xfex\0", "", "utf-16le", id="little-endian mark"),
        pytest.param(b"\xfe\xff\0x", "", "utf-16be", id="big-endian mark"),
        pytest.param(b"<meta charset=koi8-r>", HTML + "windows-1251", "windows-1251", id="the header outranks meta"),
        pytest.param(b"x", HTML + '"ISO-8859-1"', "windows-1252", id="Latin 1 on the web is windows-1252"),
        pytest.param(b"<meta charset=koi8-r>", HTML + "nonsense", "koi8-r", id="an unknown header label is as none"),
        pytest.param(b"<META CharSet = 'KOI8-R' >", "", "koi8-r", id="meta in any case"),
        pytest.param(
            b'<meta http-equiv=Content-Type content="text/html; charset=gb2312">', "", "gbk", id="meta http-equiv"
        ),
        pytest.param(b"<!-- <meta charset=koi8-r> -->", "", "utf-8", id="a comment declares nothing"),
        pytest.param(b"<meta charset=utf-16>", "", "utf-8", id="a readable meta is not UTF-16"),
        pytest.param(b"<meta charset=foo>\xc3\xa9", "", "utf-8", id="unknown meta, valid UTF-8"),
        pytest.param(b"\xc3\xa9\xe2\x82", "", "utf-8", id="cut in the middle of a character"),
        pytest.param(b"caf\xe9 au lait", "", "windows-1252", id="nothing declared, not UTF-8"),
        pytest.param("где мы были вчера и сегодня".encode("koi8-u"), "", "koi8-u", id="nothing declared, Cyrillic"),
        pytest.param(b"", "", "utf-8", id="empty"),
        pytest.param(b"x", HTML + "hex", "utf-8", id="a Python codec is no web encoding"),
    ],
)
def test_find_encoding(body: bytes, header: str, encoding: str) -> None:
    assert find_encoding(body, header) == encoding


def test_every_name_decodes() -> None:
    from dowse.page.charset import _NAMES

    assert all(decode(b"abcd", name) for name in _NAMES)


@pytest.mark.parametrize("name", ["windows-1251", "koi8-r", "shift_jis", "gbk", "euc-kr", "big5", "utf-16"])
def test_declared_text_is_read(name: str) -> None:
    word = {"windows-1251": "поиск", "koi8-r": "поиск", "shift_jis": "検索", "euc-kr": "검색"}.get(name, "搜索")
    page = read(f"<title>{word}</title>".encode(name), content_type=HTML + name)
    assert page.title == word


def test_undeclared_russian_is_guessed() -> None:
    body = "Поиск книг в нашей библиотеке: введите название, автора или год издания".encode("windows-1251")
    assert read(body).encoding == "windows-1251"
