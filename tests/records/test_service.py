"""JSON and XML answers: records, how many, and the next page."""

from __future__ import annotations

from typing import Any

import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dowse.model import Record, Request, Response, Value, Verdict
from dowse.records.service import ServiceAnswer, read_service

HERE = "http://api.test/find?q=a"
ROWS = [{"id": number, "name": f"name {number}"} for number in range(10)]


def read(said: Any, url: str = HERE, headers: tuple[tuple[str, str], ...] = ()) -> ServiceAnswer | Verdict:
    body = said if isinstance(said, bytes) else orjson.dumps(said)
    return read_service(Response(url, 200, headers, body), Request(url))


def read_answer(said: Any, url: str = HERE, headers: tuple[tuple[str, str], ...] = ()) -> ServiceAnswer:
    answer = read(said, url, headers)
    assert isinstance(answer, ServiceAnswer)
    return answer


@pytest.mark.parametrize(
    ("said", "total", "onward"),
    [
        pytest.param({"total": 57, "offset": 0, "results": ROWS}, 57, "&offset=10", id="plain"),
        pytest.param({"response": {"numFound": 57, "start": 0, "docs": ROWS}}, 57, "&start=10", id="Solr"),
        pytest.param({"result": {"count": 57, "results": ROWS}, "success": True}, 57, None, id="CKAN"),
        pytest.param({"count": 57, "next": f"{HERE}&page=2", "results": ROWS}, 57, "&page=2", id="an address"),
        pytest.param({"count": 10, "next": None, "results": ROWS}, 10, None, id="all on one page, as it says"),
        pytest.param({"count": 10, "results": ROWS}, None, None, id="a count of this page"),
        pytest.param({"data": {"totalCount": 57, "edges": [{"node": row, "cursor": "c"} for row in ROWS], "pageInfo": {"hasNextPage": True, "endCursor": "zz"}}}, 57, "&after=zz", id="GraphQL"),
        pytest.param({"data": {"edges": [{"node": row} for row in ROWS], "pageInfo": {"hasNextPage": False, "endCursor": "zz"}}}, None, None, id="GraphQL, the last page"),
        pytest.param({"@odata.count": 57, "@odata.nextLink": f"{HERE}&$skip=10", "value": ROWS}, 57, "&$skip=10", id="OData"),
        pytest.param({"columns": ["id", "name"], "rows": [[row["id"], row["name"]] for row in ROWS], "filtered_table_rows_count": 57, "next": "10", "next_url": f"{HERE}&_next=10"}, 57, "&_next=10", id="a table"),
        pytest.param({"ok": True, "next": "10", "rows": ROWS}, None, "&_next=10", id="a token"),
        pytest.param({"hits": {"total": {"value": 57, "relation": "eq"}, "hits": [{"_index": "i", "_id": str(row["id"]), "_score": 1.0, "_source": row} for row in ROWS]}}, 57, "&from=10", id="Elasticsearch"),
        pytest.param({"data": [{"type": "t", "id": row["id"], "attributes": row} for row in ROWS], "links": {"next": "/find?q=a&page=2"}, "meta": {"total": 57}}, 57, "&page=2", id="JSON:API"),
        pytest.param([{"page": 1, "pages": 6, "total": "57"}, ROWS], 57, "&page=2", id="a list with its total beside"),
        pytest.param(ROWS, None, None, id="nothing but records"),
        pytest.param({"facets": [{"id": n, "name": str(n), "count": 1, "x": 1, "y": 2} for n in range(30)], "results": ROWS, "total": 57}, 57, None, id="facets beside"),
        pytest.param({"type": "FeatureCollection", "numberMatched": 5, "features": [{"type": "Feature", "geometry": None, "properties": row} for row in ROWS]}, None, None, id="GeoJSON"),
    ],
)  # fmt: skip
def test_shapes_of_json(said: Any, total: int | None, onward: str | None) -> None:
    answer = read_answer(said)
    assert answer.records[3].values == (Value("id", "3"), Value("name", "name 3"))
    assert (len(answer.records), answer.records[3].key, answer.total) == (10, "3", total)
    assert answer.next == (Request(HERE + onward) if onward else None)


def test_objects_within_become_dotted_names_and_lists_several_values() -> None:
    row = {
        "id": 1,
        "place": {"city": "Ulm", "at": [1.5, 2]},
        "tags": ["a", "b"],
        "parts": [{"n": 1}, {"n": 2}],
        "no": None,
        "yes": True,
    }
    (record,) = read_answer([row]).records
    assert record == Record(
        (
            Value("id", "1"),
            Value("place.city", "Ulm"),
            Value("place.at", "1.5"),
            Value("place.at", "2"),
            Value("tags", "a"),
            Value("tags", "b"),
            Value("parts.n", "1"),
            Value("parts.n", "2"),
            Value("yes", "true"),
        ),
        "1",
    )


@pytest.mark.parametrize("border", [",", ";", "\t"])
def test_a_table_has_its_first_line_for_names(border: str) -> None:
    lines = [border.join(("name", "year")), *(border.join((f'"The thing, {n}"', str(1990 + n))) for n in range(5))]
    answer = read_answer("\n".join(lines).encode(), headers=(("content-type", "text/csv; charset=utf-8"),))
    assert [dict(record.values) for record in answer.records][1] == {"name": "The thing, 1", "year": "1991"}
    assert len(answer.records) == 5


def test_a_field_that_is_shared_is_no_key() -> None:
    rows = [{"id": 1, "url": f"http://a.test/{n}"} for n in range(3)]
    records = read_answer(rows).records
    assert [record.key for record in records] == [record.url for record in records] == [row["url"] for row in rows]


ATOM = (
    b'<feed xmlns="http://www.w3.org/2005/Atom" xmlns:o="http://a9.com/-/spec/opensearch/1.1/"><o:totalResults>57</o:totalResults>'
    b'<link rel="self" href="/find?q=a"/><link rel="next" href="/find?q=a&amp;page=2"/>'
    b"<entry><id>3</id><name>x</name></entry><entry><id>4</id><name>y</name></entry></feed>"
)
SOLR = (
    b'<response><lst name="responseHeader"><int name="status">0</int></lst><result name="response" numFound="57" start="0">'
    b'<doc><str name="id">3</str><arr name="name"><str>x</str></arr></doc><doc><str name="id">4</str></doc></result></response>'
)


@pytest.mark.parametrize(
    ("body", "total", "onward"),
    [
        pytest.param(ATOM, 57, "&page=2", id="Atom with OpenSearch"),
        pytest.param(SOLR, 57, "&start=2", id="Solr"),
        pytest.param(b'<r total="57"><record id="3"><name>x</name></record><record id="4"/></r>', 57, None, id="plain"),
        pytest.param(b'<r><record id="3"><name>x</name></record></r>', None, None, id="a lone record"),
        pytest.param(b"<rss><channel><title>t</title><item><id>3</id><name>x</name></item></channel></rss>", None, None, id="RSS"),
        pytest.param(
            b"<searchRetrieveResponse><numberOfRecords>57</numberOfRecords><records><record><recordData><id>3</id><name>x</name></recordData></record>"
            b"<record><recordData><id>4</id></recordData></record></records><nextRecordPosition>3</nextRecordPosition></searchRetrieveResponse>",
            57, "&startRecord=3", id="SRU",
        ),
    ],
)  # fmt: skip
def test_shapes_of_xml(body: bytes, total: int | None, onward: str | None) -> None:
    answer = read_answer(body)
    assert answer.records[0].values == (Value("id", "3"), Value("name", "x"))
    assert answer.total == total
    assert answer.next == (Request(HERE + onward) if onward else None)


def test_oai_goes_on_by_its_token_alone() -> None:
    body = b'<OAI-PMH><ListRecords><record><id>1</id><a>x</a></record><record><id>2</id><a>y</a></record><resumptionToken completeListSize="57">t/1</resumptionToken></ListRecords></OAI-PMH>'
    answer = read_answer(body, "http://api.test/oai?verb=ListRecords&metadataPrefix=oai_dc")
    assert (answer.total, answer.next) == (57, Request("http://api.test/oai?verb=ListRecords&resumptionToken=t%2F1"))


def test_the_request_shows_which_parameter_steps() -> None:
    answer = read_answer({"total": 57, "items": ROWS}, "http://api.test/find?q=a&rows=10&offset=20")
    assert answer.next == Request("http://api.test/find?q=a&rows=10&offset=30")
    assert read_answer({"total": 24, "items": ROWS[:4]}, "http://api.test/find?q=a&rows=10&offset=20").next is None


def test_a_link_header_leads_on() -> None:
    header = ("link", f'<{HERE}&page=1>; rel="first", <{HERE}&page=2>; rel="next"')
    assert read_answer(ROWS, headers=(header,)).next == Request(f"{HERE}&page=2")


def test_a_posted_question_steps_in_its_body() -> None:
    asked = Request("http://api.test/find", "POST", b'{"q":"a","from":0}')
    answer = read_service(Response(asked.url, 200, (), orjson.dumps({"total": 57, "items": ROWS})), asked)
    assert isinstance(answer, ServiceAnswer)
    assert answer.next == Request("http://api.test/find", "POST", b'{"q":"a","from":10}')


def test_another_site_is_not_asked() -> None:
    assert read_answer({"next": "http://other.test/x", "results": ROWS}).next is None


@pytest.mark.parametrize(
    "said",
    [
        pytest.param({"total": 0, "results": []}, id="JSON"),
        pytest.param(b'<results total="0" start="0"/>', id="XML"),
        pytest.param([], id="a bare list"),
    ],
)
def test_nothing_found_is_an_answer(said: Any) -> None:
    answer = read_answer(said)
    assert (answer.records, answer.next) == ((), None)
    assert answer.total in (0, None)


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        pytest.param(b"", "the answer is empty", id="empty"),
        pytest.param(b"<html><p>no</p></html>", "a page, neither JSON nor XML", id="a page"),
        pytest.param(b"[" * 100_000, "neither JSON nor XML", id="nested without end"),
        pytest.param(b'{"a": ' * 5_000 + b"1" + b"}" * 5_000, "neither JSON nor XML", id="nested deep"),
        pytest.param(b"<a>" * 10_000, "the XML is nested too deep", id="XML nested deep"),
        pytest.param(b'<!DOCTYPE a [<!ENTITY b "c"><!ENTITY d "&b;&b;">]><a>&d;</a>', "the XML declares entities", id="entities"),
        pytest.param(b'<!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/passwd">]><a>&b;</a>', "the XML declares entities", id="a file"),
        pytest.param(b'{"error": {"message": "no such key"}}', "the service says: no such key", id="an error"),
        pytest.param(b'["one", "two"]', "no list of records in the answer", id="words to complete"),
    ],
)  # fmt: skip
def test_why_there_is_no_answer(body: bytes, reason: str) -> None:
    assert read(body) == Verdict(False, reason)


def test_huge_numbers_and_repeated_names() -> None:
    body = b'{"total": 1e400, "results": [{"id": 1, "id": 2, "n": ' + b"9" * 3_000 + b"}]}"
    answer = read(body)
    assert isinstance(answer, Verdict) or answer.total is None


def test_a_call_and_a_guard_around_json_are_taken_off() -> None:
    plain = read_answer({"total": 57, "results": ROWS})
    inner = orjson.dumps({"total": 57, "results": ROWS})
    assert read_answer(b"found(" + inner + b");") == read_answer(b")]}',\n" + inner) == plain


def test_one_value_to_a_line() -> None:
    assert len(read_answer(b"\n".join(orjson.dumps(row) for row in ROWS)).records) == 10


JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**60), 2**60) | st.floats(allow_nan=False) | st.text(max_size=10),
    lambda inner: st.lists(inner, max_size=5) | st.dictionaries(st.text(max_size=10), inner, max_size=5),
    max_leaves=30,
)


@given(JSON)
def test_any_json_is_read(said: Any) -> None:
    answer = read(said)
    assert isinstance(answer, Verdict) or all(value.text for record in answer.records for value in record.values)


@given(st.binary(max_size=200))
def test_any_bytes_are_read(body: bytes) -> None:
    assert isinstance(read(b"<" + body), Verdict | ServiceAnswer)
    assert isinstance(read(body), Verdict | ServiceAnswer)
