"""The short way to a seed gives what the long way gives."""

from __future__ import annotations

import gzip
import random
import re
import time
import tracemalloc
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from dowse.errors import BadInput
from dowse.model import Seed
from dowse.seeds import lists as address
from dowse.seeds.lists import (
    RefusedLines,
    detect_format,
    find_home_pages,
    find_matches,
    find_root,
    is_number,
    merge_seeds,
    origin_of,
    read_list,
    read_seed,
    seed_of,
    strip_comments,
)
from dowse.seeds.unpack import open_listing
from dowse.url import seed_address, site_of

LABEL = st.text("ab0129zx_-AÉ%", min_size=0, max_size=6) | st.sampled_from(
    ["www", "com", "xn--p1ai", "xn--", "0x7f", "127", "256", "a" * 63, "a" * 64, "-a", "a-", "r3---sn", "ſ"]
)
ENDING = st.sampled_from(["", ".com", ".example", ".1", ".0x1", ".xn--p1ai", ".c0m", "."])
HOST = st.builds("{}{}".format, st.lists(LABEL, min_size=1, max_size=4).map(".".join), ENDING)
PATH = st.text("/.?#@:\\a~-_%A &;=é\t", max_size=12) | st.sampled_from(
    ["", "/", "/a/../b", "//", "/x;jsessionid=1", "/?utm_source=a&b=c", ":80/", ":8080", "/(S(abcdefabcdefabcdef))/x"]
)
TEXT = st.builds(
    "".join,
    st.tuples(
        st.sampled_from(["", "", "http://", "https://", "HTTP://", "http:", "ftp://", "//"]), HOST, PATH
    ),
)  # fmt: skip


def parsed(text: str) -> Seed | None:
    url = seed_address(text)
    return Seed(site_of(url), url) if url else None


@settings(max_examples=2000, deadline=None)
@given(TEXT)
@example("xn--zzzzzz99999.com")
@example("http://xn--.example/")
@example(f"{'a.' * 130}com")
def test_the_short_way_is_the_long_way(text: str) -> None:
    assert seed_of(text) == (None if is_number(text) else parsed(text))


@pytest.mark.parametrize(
    ("text", "number"),
    [("12", True), ("1.5", True), ("1.2.3", True), ("1,234", True), ("99%", True), ("-1", True),
     ("1.2.3.4", False), ("12.example", False), ("http://12/", False), ("", False), ("9" * 50, False)],
)  # fmt: skip
def test_a_bare_number_is_no_address(text: str, number: bool) -> None:
    assert is_number(text) == number
    assert not number or seed_of(text) is None


@settings(max_examples=2000, deadline=None)
@given(TEXT.filter(lambda text: "&" not in text))
@example("http://xn--.example/")
@example(f"http://a.example/{'é' * 500}")  # escaped, it is too long
def test_the_site_of_an_address_is_the_same_without_parsing_it(text: str) -> None:
    seed = parsed(text)
    assert origin_of(text) == (str(seed.site) if seed else None)


SHORT = ["a.example", "r3---sn.a-b.example", "_x.example", "http://a.example", "https://a.example/x/y.html"]


@pytest.mark.parametrize("text", SHORT)
def test_usual_addresses_are_not_parsed(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    expected = parsed(text)
    monkeypatch.setattr(address, "seed_address", lambda text: pytest.fail(f"{text} was parsed"))
    assert seed_of(text) == expected


def test_the_pages_of_a_site_give_one_seed() -> None:
    refused = RefusedLines()
    pages = [
        "http://a.example/1?x=1&amp;y=2",
        "http://b.example/",
        "nonsense",
        "http://a.example/2",
        "https://a.example",
    ]
    seeds = list(find_home_pages(pages, "list", refused))
    assert [seed.entrance for seed in seeds] == ["http://a.example/", "http://b.example/", "https://a.example/"]
    assert (refused.accepted, refused.count) == (4, 1)
    assert "address 3" in refused.first


def test_what_is_remembered_of_a_long_list_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(address, "_MAX_RECENT_SITES", 2)
    pages = [f"http://{name}.example/" for name in "abca"]
    assert len(list(find_home_pages(pages, "list", RefusedLines()))) == 4


TABLES = [
    ("Tranco", "csv", "1,google.com\r\n2,b.example\r\n", [("google.com", 1), ("b.example", 2)]),
    ("Umbrella has hosts without a dot", "csv", "1,com\n2,a.example\n", [("a.example", 2)]),
    (
        "Majestic",
        "csv",
        "GlobalRank,TldRank,Domain,TLD,RefSubNets\n1,1,a.example,com,5\n2,2,b.example,com,4\n",
        [("a.example", 1), ("b.example", 2)],
    ),
    ("a header behind a comment", "csv", "# list of 2026\nrank,site\n3,a.example\n", [("a.example", 3)]),
    ("quoted, with a comma", "csv", 'name,url\n"A, and B",http://a.example/x\n', [("a.example", 0)]),
    ("tabs", "csv", "rank\thost\n4\ta.example\n", [("a.example", 4)]),
    ("semicolons", "csv", "1;a.example\n2;b.example\n", [("a.example", 1), ("b.example", 2)]),
    ("a rank with too many digits", "csv", f"{'9' * 5000},a.example\n", [("a.example", 0)]),
    ("a rank of another script", "csv", "a.example,٣\n", [("a.example", 3)]),
    ("an unclosed quotation mark", "csv", '1,"a.example\n2,b.example\n', [("a.example", 1), ("b.example", 2)]),
    ("a row that is too short", "csv", "rank,url\n1\n2,a.example\n", [("a.example", 2)]),
    ("commas in addresses of a plain list", "plain", "a.example\nhttp://b.example/x,y\nc.example\n",
     [("a.example", 0), ("b.example", 0), ("c.example", 0)]),
]  # fmt: skip


@pytest.mark.parametrize("forced", [False, True], ids=["recognised", "forced"])
@pytest.mark.parametrize(("kind", "content", "expected"), [row[1:] for row in TABLES], ids=[row[0] for row in TABLES])
def test_tables(tmp_path: Path, kind: str, content: str, expected: list[tuple[str, int]], forced: bool) -> None:
    path = tmp_path / "list"
    path.write_text(content)
    seeds = read_list(str(path), RefusedLines(), kind if forced else "")
    assert [(seed.site.host, seed.rank) for seed in seeds] == expected


def test_a_plain_list_is_not_split_at_commas(tmp_path: Path) -> None:
    path = tmp_path / "list"
    path.write_text("http://a.example/x,y\n")
    assert [seed.entrance for seed in read_list(str(path), RefusedLines(), "plain")] == ["http://a.example/x,y"]


HEADER = "#harmonicc_pos\t#harmonicc_val\t#pr_pos\t#pr_val\t#host_rev"
GRAPHS = [
    ("hosts", "0\tcom.example\n1\tcom.example.www\n", [("example.com", 0), ("www.example.com", 0)]),
    ("domains", "17\torg.a\t3\n18\tuk.co.b\t1\n", [("a.org", 0), ("b.co.uk", 0)]),
    ("ranks of hosts", f"{HEADER}\n1\t3.1E7\t2\t0.01\tcom.facebook.www\n", [("www.facebook.com", 1)]),
    ("ranks of domains", f"{HEADER}\t#n_hosts\n5\t3.1E7\t2\t0.01\tcom.a\t9\n", [("a.com", 5)]),
    ("ranks without a header", "7\t30000000.0\t2\t0.01\tcom.a\t9\n", [("a.com", 7)]),
    ("an older header", "#hc_val\t#hc_pos\t#host_rev\n1.5\t8\tcom.a\n", [("a.com", 8)]),
    ("new domains of letters only", "0\taaa.1111\t1\n1\taaa.acg\t1\n", [("1111.aaa", 0), ("acg.aaa", 0)]),
    ("names of other scripts", "0\txn--p1ai.xn--80ak6aa92e\n", [("xn--80ak6aa92e.xn--p1ai", 0)]),
]


@pytest.mark.parametrize(("content", "expected"), [row[1:] for row in GRAPHS], ids=[row[0] for row in GRAPHS])
def test_graphs(tmp_path: Path, content: str, expected: list[tuple[str, int]]) -> None:
    path = tmp_path / "graph"
    path.write_text(content)
    assert [(seed.site.host, seed.rank) for seed in read_list(str(path), RefusedLines())] == expected


def test_a_ranking_with_tabs_is_no_graph(tmp_path: Path) -> None:
    path = tmp_path / "ranking"
    path.write_text("1\twww.example.com\n2\texample.org\n")
    found = [(seed.site.host, seed.rank) for seed in read_list(str(path), RefusedLines())]
    assert found == [("www.example.com", 1), ("example.org", 2)]


def test_lines_that_are_none_are_counted(tmp_path: Path) -> None:
    path, refused = tmp_path / "graph", RefusedLines()
    path.write_text("0\tcom.a\nnonsense\n2\tcom\n3\t\n")
    assert len(list(read_list(str(path), refused, "graph"))) == 1
    assert refused.count == 3
    assert "line 2" in refused.first


PIECES = st.lists(st.sampled_from([b"<!--", b"-->", b"-", b"<", b"a", b"!", b">", b"<b>"]), max_size=30)


def blocks_of(content: bytes, size: int) -> Iterator[bytes]:
    return (content[at : at + size] for at in range(0, len(content), size))


@given(PIECES.map(b"".join), st.integers(1, 20))
def test_comments_do_not_depend_on_blocks(content: bytes, size: int) -> None:
    expected = re.sub(rb"<!--.*?(?:-->|\Z)", b"", content, flags=re.DOTALL)
    assert b"".join(strip_comments(blocks_of(content, size))) == expected


@given(st.integers(1, 40))
def test_matches_do_not_depend_on_blocks(size: int) -> None:
    content = b"<x><a n='1'>long text</a><!-- <a n='9'> --><a\nn='22'/><a n='333'"
    found = find_matches(blocks_of(content, size), re.compile(rb"<a\s+n='(\d+)'"), b"<")
    assert [match[1] for match in found] == [b"1", b"22", b"333"]


ENDLESS = {
    "a tag": b"<a " + b"x" * 1000,
    "text": b"<a>" + b"x" * 1000,
    "comments": b"<!---->" * 150,
    "openings": b"<" * 1000,
    "an attribute": b"<ExternalPage about=" * 50,
    "white space": b"<loc>" + b" " * 1000,
}


@pytest.mark.parametrize("name", ENDLESS)
def test_what_never_ends_costs_no_memory_and_little_time(name: str) -> None:
    from dowse.seeds.lists import _LISTED, _LOC

    start, more = ENDLESS[name], ENDLESS[name][-900:].replace(b"<loc>", b"")
    for pattern, end in ((_LISTED, b"<"), (_LOC, b"</")):
        tracemalloc.start()
        begun = time.process_time()
        stream = (start if place == 0 else more * 70 for place in range(100))
        assert sum(1 for match in find_matches(stream, pattern, end) if match[1]) == 0
        assert time.process_time() - begun < 20  # a scan that goes back over all of it takes minutes
        assert tracemalloc.get_traced_memory()[1] < 2_000_000
        tracemalloc.stop()


ROOTS = [
    ("declaration", b'<?xml version="1.0"?>\n<urlset xmlns="x">', "urlset"),
    ("prefix", b"<sm:urlset>", "urlset"),
    ("comment before it", b"<!-- <html> --><RDF>", "rdf"),
    ("document type", b"<!DOCTYPE html><HTML>", "html"),
    ("none", b"<<<", ""),
]


@pytest.mark.parametrize(("head", "root"), [row[1:] for row in ROOTS], ids=[row[0] for row in ROOTS])
def test_the_outermost_element(head: bytes, root: str) -> None:
    assert find_root(head) == root


HEAD = """<?xml version="1.0" encoding="UTF-8"?>
<RDF xmlns:r="http://www.w3.org/TR/RDF/" xmlns:d="http://purl.org/dc/elements/1.0/" xmlns="http://dmoz.org/rdf/">
  <!-- Generated at 2017-03-09 <ExternalPage about="http://comment.example/"> -->
"""
TOPIC = """  <Topic r:id="Top/Arts/Animation">
    <catid>423945</catid>
    <link r:resource="http://www.awn.example/"></link>
    <link1 r:resource='http://one.example/~tony'/>
  </Topic>
  <ExternalPage about="http://www.awn.example/">
    <d:Title>Animation World &amp; Network</d:Title>
    <d:Description>About http://text.example/ &lt;link r:resource="http://escaped.example/"&gt;</d:Description>
    <priority>1</priority><topic>Top/Arts/Animation</topic>
  </ExternalPage>
  <ExternalPage about="https://two.example:8443/x?a=1&amp;b=2"><d:Title>\x02broken</d:Title>
  <ExternalPage about="mailto:x@y.example"/>
  <ExternalPage>
</RDF>
"""


def read(tmp_path: Path, content: str, kind: str = "") -> tuple[list[str], RefusedLines]:
    path, refused = tmp_path / "content.rdf.u8", RefusedLines()
    path.write_text(content)
    return [seed.entrance for seed in read_list(str(path), refused, kind)], refused


def test_the_sites_of_listed_pages(tmp_path: Path) -> None:
    found, refused = read(tmp_path, HEAD + TOPIC)
    assert found == ["http://www.awn.example/", "http://one.example/", "https://two.example:8443/"]
    assert (refused.accepted, refused.count) == (4, 2)
    assert "mailto:x@y.example" in refused.first


def test_entities_are_not_expanded(tmp_path: Path) -> None:
    bomb = """<?xml version="1.0"?><!DOCTYPE RDF [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;">
    <!ENTITY c SYSTEM "file:///etc/passwd">]><RDF><ExternalPage about="http://&b;&c;/"/>
    <ExternalPage about="http://a.example/&b;"/></RDF>"""
    found, refused = read(tmp_path, bomb)
    assert found == ["http://a.example/"]
    assert refused.count == 1


def test_a_page_whose_address_has_no_end_is_left_out(tmp_path: Path) -> None:
    broken = (
        '<RDF><ExternalPage about="http://a.example/><d:Title>x</d:Title><ExternalPage about="http://b.example/"></RDF>'
    )
    found, refused = read(tmp_path, broken)
    assert found == ["http://b.example/"]
    assert refused.count == 1


MAP = """<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:image="http://www.google.com/schemas/sitemap-image/1.1">
<!-- <url><loc>http://comment.example/</loc></url> -->
<url><loc>http://a.example/x?y=1&amp;z=2</loc><image:image><image:loc>http://cdn.example/p.png</image:loc></image:image></url>
<url><loc>
   https://b.example/
</loc><lastmod>2026-01-01</lastmod></url>
<url><loc><![CDATA[http://c.example/?a=1&b=2]]></loc></url>
<url><loc>nonsense</loc></url><url><loc></loc></url>
<url><loc>http://a.example/second</loc></url>
</urlset>"""


def read_sitemap(path: Path, kind: str = "") -> tuple[list[str], RefusedLines]:
    refused = RefusedLines()
    return [seed.entrance for seed in read_list(str(path), refused, kind)], refused


def test_the_sites_of_a_sitemap(tmp_path: Path) -> None:
    path = tmp_path / "sitemap.xml"
    path.write_text(MAP)
    found, refused = read_sitemap(path)
    assert found == ["http://a.example/", "https://b.example/", "http://c.example/"]
    assert refused.count == 1
    path.write_text(re.sub("<(/?)(urlset|loc)", r"<\1s:\2", MAP))
    assert read_sitemap(path)[0] == found


@pytest.mark.parametrize("mark", ["</urlset>", "<url><loc>nonsense", "<lastmod>"])
def test_one_that_breaks_off_says_so_when_all_before_was_given(tmp_path: Path, mark: str) -> None:
    path = tmp_path / "sitemap.xml"
    found: list[str] = []
    before = MAP.partition(mark)[0]
    path.write_text(before)
    with pytest.raises(BadInput, match=r"sitemap\.xml breaks off: its </urlset> is missing"):
        found.extend(seed.entrance for seed in read_list(str(path), RefusedLines()))
    path.write_text(before + "</URLSET >\n<!-- written by hand -->\n")
    assert found == [seed.entrance for seed in read_list(str(path), RefusedLines())] != []


def test_an_empty_one_is_whole(tmp_path: Path) -> None:
    path = tmp_path / "sitemap.xml"
    path.write_text('<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" />')
    assert read_sitemap(path)[0] == []


def index(*addresses: str) -> str:
    listed = "".join(f"<sitemap><loc>{address}</loc></sitemap>" for address in addresses)
    return f'<?xml version="1.0"?><sitemapindex xmlns="x">{listed}</sitemapindex>'


def one(address: str) -> bytes:
    return f"<urlset><url><loc>{address}</loc></url></urlset>".encode()


def test_sitemaps_beside_their_index_are_read(tmp_path: Path) -> None:
    (tmp_path / "one.xml").write_bytes(one("http://one.example/x"))
    (tmp_path / "two.xml.gz").write_bytes(gzip.compress(one("http://two.example/x")))
    path = tmp_path / "index.xml"
    path.write_text(
        index("http://a.example/s/one.xml", "http://a.example/two.xml.gz?v=2", "http://b.example/three.xml")
    )
    found, refused = read_sitemap(path)
    assert found == ["http://one.example/", "http://two.example/", "http://b.example/"]
    assert refused.unread == 1


@pytest.mark.parametrize("name", ["..%2Fsecret.xml", "..", "%00", "", "folder", "x" * 300 + ".xml", "/etc/passwd/"])
def test_nothing_but_files_beside_it_is_read(tmp_path: Path, name: str) -> None:
    (tmp_path / "secret.xml").write_bytes(one("http://secret.example/"))
    folder = tmp_path / "maps"
    (folder / "folder").mkdir(parents=True)
    (folder / "index.xml").write_text(index(f"http://a.example/{name}"))
    found, refused = read_sitemap(folder / "index.xml")
    assert found == ["http://a.example/"]
    assert refused.unread == 1


def test_indexes_that_name_each_other_end(tmp_path: Path) -> None:
    (tmp_path / "a.xml").write_text(index("http://a.example/a.xml", "http://b.example/b.xml"))
    (tmp_path / "b.xml").write_text(index("http://a.example/a.xml", "http://b.example/b.xml", "http://c.example/c.xml"))
    (tmp_path / "c.xml").write_bytes(one("http://c.example/"))
    assert read_sitemap(tmp_path / "a.xml")[0] == ["http://c.example/"]


def test_a_long_chain_of_indexes_is_not_followed_for_ever(tmp_path: Path) -> None:
    for number in range(10):
        (tmp_path / f"{number}.xml").write_text(index(f"http://{number}.example/{number + 1}.xml"))
    found, refused = read_sitemap(tmp_path / "0.xml")
    assert len(found) == 1
    assert refused.unread == 1


def test_a_sitemap_beside_it_that_is_broken_is_counted(tmp_path: Path) -> None:
    (tmp_path / "one.xml.gz").write_bytes(gzip.compress(one("http://one.example/"))[:-12])
    (tmp_path / "two.xml").write_bytes(one("http://two.example/"))
    (tmp_path / "index.xml").write_text(index("http://a.example/one.xml.gz", "http://a.example/two.xml"))
    found, refused = read_sitemap(tmp_path / "index.xml")
    assert "http://two.example/" in found
    assert (refused.count, refused.broken) == (1, True)
    assert "one.xml.gz cannot be unpacked" in refused.first


KINDS = [
    ("plain", "a.example\nb.example\n"),
    ("plain", "# with a comment, and another\na.example\n"),
    ("plain", "\ufeffa.example\n"),
    ("csv", "1,a.example\n"),
    ("csv", "\ufeffrank,domain\n1,a.example\n"),
    ("rdf", '<?xml version="1.0"?>\n<RDF xmlns="http://dmoz.org/rdf/">'),
    ("rdf", '<ExternalPage about="http://a.example/">'),
    ("sitemap", "\ufeff<?xml version='1.0'?><urlset>"),
    ("sitemap", "\n <sitemapindex>"),
    ("graph", "0\tcom.example\n"),
    ("graph", "#harmonicc_pos\t#harmonicc_val\t#pr_pos\t#pr_val\t#host_rev\t#n_hosts\n"),
]


@pytest.mark.parametrize(("kind", "content"), KINDS)
def test_kinds(tmp_path: Path, kind: str, content: str) -> None:
    path = tmp_path / "list"
    path.write_text(content)
    with open_listing(str(path)) as listing:
        assert detect_format(listing) == kind


FAULTS = [
    ("a web page", b"<!DOCTYPE html><title>x</title>", "is a web page"),
    ("a web page without a type", b"<!-- x -->\n<HTML><body>a.example", "is a web page"),
    ("another XML", b"<?xml version='1.0'?><rss><channel>", "its outermost element is <rss>"),
    ("binary", random.Random(1).randbytes(5000), "binary data"),
    ("a program", b"\x7fELF\x02\x01\x01" + bytes(3000), "binary data"),
]


@pytest.mark.parametrize(("content", "said"), [row[1:] for row in FAULTS], ids=[row[0] for row in FAULTS])
def test_what_is_no_list(tmp_path: Path, content: bytes, said: str) -> None:
    path = tmp_path / "list"
    path.write_bytes(content)
    with open_listing(str(path)) as listing, pytest.raises(BadInput, match=said):
        detect_format(listing)


def read_seeds(tmp_path: Path, content: str | bytes) -> tuple[list[tuple[str, int]], RefusedLines]:
    path = tmp_path / "list"
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    refused = RefusedLines()
    return [(str(seed.site), seed.rank) for seed in read_list(str(path), refused)], refused


LISTS = [
    ("plain", "http://a.example/x\nb.example\n", [("http://a.example", 0), ("http://b.example", 0)]),
    ("comments, blanks, Windows line ends", "# list\r\n\r\na.example\r\n", [("http://a.example", 0)]),
    ("byte order mark", "\ufeffa.example\n", [("http://a.example", 0)]),
    ("ranking", "1,a.example\n2,b.example\n", [("http://a.example", 1), ("http://b.example", 2)]),
    ("ranking the other way", "a.example,1\n", [("http://a.example", 1)]),
    ("header with names", "GlobalRank,TldRank,Domain\n7,1,a.example\n", [("http://a.example", 7)]),
    ("one column with a header", "domain\na.example\n", [("http://a.example", 0)]),
    ("quoted", '1,"a.example"\n', [("http://a.example", 1)]),
    ("words behind", "a.example the best\n", [("http://a.example", 0)]),
]


@pytest.mark.parametrize(("content", "expected"), [row[1:] for row in LISTS], ids=[row[0] for row in LISTS])
def test_lists(tmp_path: Path, content: str, expected: list[tuple[str, int]]) -> None:
    assert read_seeds(tmp_path, content)[0] == expected
    assert read_seeds(tmp_path, gzip.compress(content.encode()))[0] == expected


def test_lines_that_are_no_address_are_counted(tmp_path: Path) -> None:
    found, refused = read_seeds(tmp_path, "a.example\nnonsense\n\x00\x01\n")
    assert len(found) == 1
    assert refused.count == 2
    assert "line 2" in refused.first


def test_a_broken_gzip(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="cannot be unpacked"):
        read_seeds(tmp_path, gzip.compress(b"a.example\n" * 10000)[:-30])


def test_a_file_that_is_not_there() -> None:
    with pytest.raises(BadInput, match="no such file"):
        list(read_list("/nowhere/list.txt", RefusedLines()))


def test_a_folder(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="folder"):
        list(read_list(str(tmp_path), RefusedLines()))


def test_what_a_person_types() -> None:
    assert read_seed("example.com").entrance == "http://example.com/"
    with pytest.raises(BadInput, match="'foo' is not a web address"):
        read_seed("foo")


def test_an_endless_line_is_bounded(tmp_path: Path) -> None:
    found, refused = read_seeds(tmp_path, b"a" * 5_000_000 + b"victim.example\nb.example\n")
    assert found == [("http://b.example", 0)]
    assert refused.count == 1


def test_all_pages_of_a_site_that_were_named_are_one_seed() -> None:
    named = ["http://a.com/x", "http://b.com/", "http://a.com/", "http://a.com/y", "http://a.com/x"]
    first, second = merge_seeds(map(read_seed, named))
    assert first.entrances == ("http://a.com/", "http://a.com/x", "http://a.com/y")
    assert second.entrances == ("http://b.com/",)
