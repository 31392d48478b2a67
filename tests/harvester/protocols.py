"""Small servers of OAI-PMH 2.0 and SRU 1.2, as their standards have them, for the books of a library."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from urllib.parse import parse_qs, urlsplit

from tests.harvester.library import SITE, Book

OAI_PAGE = 100  # records of one answer
MAX_SRU_RECORDS = 100  # that the server gives at once, whatever is asked
_VERBS = {"Identify", "ListMetadataFormats", "ListSets", "ListIdentifiers", "ListRecords", "GetRecord"}
_DC = 'xmlns:dc="http://purl.org/dc/elements/1.1/"'


def answer_oai(url: str, books: Sequence[Book]) -> bytes:
    """Answer one request of OAI-PMH: Identify and ListRecords with resumption tokens, else the error of the standard."""
    sent = {name: values[0] for name, values in parse_qs(urlsplit(url).query).items()}
    verb = sent.get("verb", "")
    if verb not in _VERBS:
        return _wrap_oai("", '<error code="badVerb">Illegal OAI verb</error>')
    if verb == "Identify":
        return _wrap_oai(
            verb,
            f"<Identify><repositoryName>Town library</repositoryName><baseURL>{SITE}/oai</baseURL><protocolVersion>2.0</protocolVersion>"
            "<adminEmail>a@library.example</adminEmail><earliestDatestamp>1990-01-01</earliestDatestamp>"
            "<deletedRecord>no</deletedRecord><granularity>YYYY-MM-DD</granularity></Identify>",
        )
    token = sent.get("resumptionToken", "")
    if verb != "ListRecords" or (not token and sent.get("metadataPrefix") != "oai_dc") or (token and len(sent) > 2):
        return _wrap_oai(verb, '<error code="badArgument">The request has missing or illegal arguments</error>')
    if token and not token.isdecimal():
        return _wrap_oai(verb, '<error code="badResumptionToken">The token is unknown</error>')
    first = int(token or 0)
    shown = books[first : first + OAI_PAGE]
    left = str(first + OAI_PAGE) if first + OAI_PAGE < len(books) else ""
    further = f'<resumptionToken completeListSize="{len(books)}" cursor="{first}">{left}</resumptionToken>'
    records = "".join(
        f"<record><header><identifier>oai:library.example:{book.number}</identifier><datestamp>2001-01-01</datestamp></header>"
        f'<metadata><oai_dc:dc xmlns:oai_dc="http://www.openarchives.org/OAI/2.0/oai_dc/" {_DC}>{_write_dublin_core(book)}</oai_dc:dc></metadata></record>'
        for book in shown
    )
    return _wrap_oai(verb, f"<ListRecords>{records}{further if left or token else ''}</ListRecords>")


def answer_sru(url: str, books: Sequence[Book]) -> bytes:
    """Answer one request of SRU: explain, and searchRetrieve for everything or for words; records are counted from 1."""
    sent = {name: values[0] for name, values in parse_qs(urlsplit(url).query).items()}
    if sent.get("operation") != "searchRetrieve":
        return b'<?xml version="1.0"?><explainResponse xmlns="http://www.loc.gov/zing/srw/"><version>1.2</version></explainResponse>'
    query = sent.get("query", "").strip()
    everything = query.replace(" ", "") in ("cql.allRecords=1", "cql.allRecords")
    words = query.strip('"').lower()
    found = [book for book in books if everything or words in f"{book.title} {book.author}".lower()]
    first = int(sent.get("startRecord", "1"))
    most = min(int(sent.get("maximumRecords", "10")), MAX_SRU_RECORDS)
    shown = found[first - 1 : first - 1 + most]
    following = first + len(shown)
    records = "".join(
        "<record><recordSchema>info:srw/schema/1/dc-v1.1</recordSchema><recordPacking>xml</recordPacking>"
        f'<recordData><srw_dc:dc xmlns:srw_dc="info:srw/schema/1/dc-schema" {_DC}>{_write_dublin_core(book)}</srw_dc:dc></recordData>'
        f"<recordPosition>{first + place}</recordPosition></record>"
        for place, book in enumerate(shown)
    )
    further = f"<nextRecordPosition>{following}</nextRecordPosition>" if following <= len(found) else ""
    return (
        '<?xml version="1.0" encoding="UTF-8"?><searchRetrieveResponse xmlns="http://www.loc.gov/zing/srw/"><version>1.2</version>'
        f"<numberOfRecords>{len(found)}</numberOfRecords><records>{records}</records>{further}</searchRetrieveResponse>"
    ).encode()


def _wrap_oai(verb: str, body: str) -> bytes:
    asked = f' verb="{verb}"' if verb else ""
    return (
        '<?xml version="1.0" encoding="UTF-8"?><OAI-PMH xmlns="http://www.openarchives.org/OAI/2.0/"><responseDate>2026-01-01T00:00:00Z</responseDate>'
        f"<request{asked}>{SITE}/oai</request>{body}</OAI-PMH>"
    ).encode()


def _write_dublin_core(book: Book) -> str:
    return (
        f"<dc:title>{escape(book.title)}</dc:title><dc:creator>{escape(book.author)}</dc:creator><dc:subject>{escape(book.subject)}</dc:subject>"
        f"<dc:date>{book.year}</dc:date><dc:identifier>{SITE}/book/{book.number}</dc:identifier>"
    )
