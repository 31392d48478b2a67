"""A filled form as a request: encodings, ways of writing the body, and what cannot be sent."""

from __future__ import annotations

from email.parser import BytesParser
from email.policy import HTTP

import pytest

from dowse.model import Field, Form, Request, Response, Verdict
from dowse.page import read_page
from dowse.records.paging import find_next
from dowse.submit import find_entries, output_charset, submit


def send(form: Form, pressed: int = -1, **values: str) -> Request:
    request = submit(form, values, pressed)
    assert isinstance(request, Request), request
    return request


def posted(*fields: Field, enctype: str = "", charset: str = "", made: str = "html") -> Form:
    return Form(0, "POST", "http://e.com/f?keep=1", fields, enctype=enctype, charset=charset, made=made)


@pytest.mark.parametrize("label", ["", "no-such", "utf-16", "utf-16le", "UTF-16BE", "hex", "idna", "undefined"])
def test_encodings_that_nothing_can_be_sent_in(label: str) -> None:
    assert output_charset(label) == "utf-8"


@pytest.mark.parametrize(
    ("charset", "value", "sent"),
    [
        ("utf-16le", "a", "q=a"),
        ("utf-16le", "é", "q=%C3%A9"),
        ("iso-8859-1", "€", "q=%80"),
        ("latin1", "ł", "q=%26%23322%3B"),
        ("windows-874", "ก", "q=%A1"),
        ("x-mac-cyrillic", "Д", "q=%84"),
        ("gb2312", "镕", "q=%E9F"),
        ("shift_jis", "①", "q=%87%40"),
        ("euc-kr", "뷁", "q=%94%EE"),
        ("koi8-r", "да", "q=%C4%C1"),
        ("", "a\nb\rc\r\nd", "q=a%0D%0Ab%0D%0Ac%0D%0Ad"),
        ("", "\ud800", "q=%EF%BF%BD"),
    ],
    ids=[
        "UTF-16 is sent as UTF-8", "likewise beyond ASCII", "Latin 1 is windows-1252 on the web", "a reference for what is not in it",
        "Thai by its web name", "Cyrillic of the Macintosh", "Chinese beyond GB 2312", "Japanese of Windows", "Korean beyond KS C 5601",
        "Russian", "lines end in CR LF", "half a character",
    ],
)  # fmt: skip
def test_values_are_written_in_the_encoding_of_the_form(charset: str, value: str, sent: str) -> None:
    form = Form(0, "GET", "http://e.com/f", (Field("q", "text"),), charset=charset)
    assert send(form, q=value) == Request(f"http://e.com/f?{sent}")
    assert send(posted(Field("q", "text"), charset=charset), q=value).body == sent.encode()


@pytest.mark.parametrize("codec", ["utf-16-le", "utf-16-be"])
def test_the_next_page_of_a_utf16_answer_is_asked_for_in_utf8(codec: str) -> None:
    html = "\ufeff<form action=/list><input type=hidden name=q value=löwe><input type=hidden name=page value=1><input type=submit name=go value=Next></form>"
    here = "http://e.com/list"
    page = read_page(Response(here, 200, (("content-type", "text/html"),), html.encode(codec)))
    found = find_next(page, Request(here))
    assert found
    assert found.request.url == "http://e.com/list?q=l%C3%B6we&page=1&go=Next"


def test_multipart_as_a_mail_reader_sees_it() -> None:
    form = posted(Field('a "b"\n', "hidden", value="1\n2"), Field("q", "text"), enctype="multipart/form-data")
    request = send(form, q="löwe")
    assert request == send(form, q="löwe"), "the same values are the same request"
    assert request.url == "http://e.com/f?keep=1"
    head = b"content-type: " + dict(request.headers)["content-type"].encode() + b"\r\n\r\n"
    parts = list(BytesParser(policy=HTTP).parsebytes(head + request.body).iter_parts())
    assert [part.get_payload(decode=True) for part in parts] == [b"1\r\n2", "löwe".encode()]
    assert [part["content-disposition"].params["name"] for part in parts] == ["a %22b%22%0D%0A", "q"]


def test_multipart_keeps_the_encoding_of_the_form() -> None:
    form = posted(Field("q", "text"), enctype="multipart/form-data", charset="koi8-r")
    assert b"\xc4\xc1&#8364;" in send(form, q="да€").body


@pytest.mark.parametrize(
    ("enctype", "body", "kind"),
    [
        ("", b"q=a+b&r=1", "application/x-www-form-urlencoded"),
        ("text/plain", b"q=a b\r\nr=1\r\n", "text/plain"),
        ("no-such", b"q=a+b&r=1", "application/x-www-form-urlencoded"),
    ],
    ids=["nothing", "plain", "an unknown one is as good as none"],
)
def test_ways_of_writing_a_body(enctype: str, body: bytes, kind: str) -> None:
    form = posted(Field("q", "text"), Field("r", "hidden", value="1"), enctype=enctype)
    request = send(form, q="a b")
    assert (request.method, request.body, request.headers) == ("POST", body, (("content-type", kind),))


@pytest.mark.parametrize(
    ("form", "reason"),
    [
        (posted(Field("q", "text"), enctype="application/json", made="call"), "sends as application/json"),
        (Form(0, "DIALOG", "http://e.com/"), "sends with DIALOG"),
        (Form(0, "GET", "mailto:a@e.com"), "sends to mailto:, not to a web address"),
        (Form(0, "GET", ""), "sends to no web address"),
    ],
    ids=["JSON", "a dialog", "mail", "nowhere"],
)
def test_what_cannot_be_sent_says_why(form: Form, reason: str) -> None:
    assert submit(form, {}) == Verdict(False, reason)


def test_only_the_button_that_is_pressed_is_sent_and_in_its_place() -> None:
    fields = (
        Field("go", "submit", value="1"), Field("go", "submit", value="2"), Field("", "image"), Field("q", "text", value="x"),
        Field("clear", "reset", value="no"),
    )  # fmt: skip
    form = Form(0, "GET", "http://e.com/f", fields)
    assert [list(find_entries(form, {}, pressed)) for pressed in (-1, 1, 2)] == [
        [("q", "x")],
        [("go", "2"), ("q", "x")],
        [("x", "0"), ("y", "0"), ("q", "x")],
    ]


def test_the_query_of_an_action_is_replaced_and_its_fragment_dropped() -> None:
    form = Form(0, "GET", "http://e.com/f?old=1#top", (Field("q", "text"),))
    assert send(form, q="a") == Request("http://e.com/f?q=a")
