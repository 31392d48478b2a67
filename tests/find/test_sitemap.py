"""Sitemaps, and indexes with what lies beside them."""

from __future__ import annotations

import gzip
import re
from pathlib import Path

import pytest

from dowse.errors import BadInput
from dowse.find.seeds import Refused, read_list

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


def read(path: Path, kind: str = "") -> tuple[list[str], Refused]:
    refused = Refused()
    return [seed.entrance for seed in read_list(str(path), refused, kind)], refused


def test_the_sites_of_a_sitemap(tmp_path: Path) -> None:
    path = tmp_path / "sitemap.xml"
    path.write_text(MAP)
    found, refused = read(path)
    assert found == ["http://a.example/", "https://b.example/", "http://c.example/"]
    assert refused.count == 1
    path.write_text(re.sub("<(/?)(urlset|loc)", r"<\1s:\2", MAP))
    assert read(path)[0] == found


@pytest.mark.parametrize("mark", ["</urlset>", "<url><loc>nonsense", "<lastmod>"])
def test_one_that_breaks_off_says_so_when_all_before_was_given(tmp_path: Path, mark: str) -> None:
    path = tmp_path / "sitemap.xml"
    found: list[str] = []
    before = MAP.partition(mark)[0]
    path.write_text(before)
    with pytest.raises(BadInput, match=r"sitemap\.xml breaks off: its </urlset> is missing"):
        found.extend(seed.entrance for seed in read_list(str(path), Refused()))
    path.write_text(before + "</URLSET >\n<!-- written by hand -->\n")
    assert found == [seed.entrance for seed in read_list(str(path), Refused())] != []


def test_an_empty_one_is_whole(tmp_path: Path) -> None:
    path = tmp_path / "sitemap.xml"
    path.write_text('<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" />')
    assert read(path)[0] == []


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
    found, refused = read(path)
    assert found == ["http://one.example/", "http://two.example/", "http://b.example/"]
    assert refused.unread == 1


@pytest.mark.parametrize("name", ["..%2Fsecret.xml", "..", "%00", "", "folder", "x" * 300 + ".xml", "/etc/passwd/"])
def test_nothing_but_files_beside_it_is_read(tmp_path: Path, name: str) -> None:
    (tmp_path / "secret.xml").write_bytes(one("http://secret.example/"))
    folder = tmp_path / "maps"
    (folder / "folder").mkdir(parents=True)
    (folder / "index.xml").write_text(index(f"http://a.example/{name}"))
    found, refused = read(folder / "index.xml")
    assert found == ["http://a.example/"]
    assert refused.unread == 1


def test_indexes_that_name_each_other_end(tmp_path: Path) -> None:
    (tmp_path / "a.xml").write_text(index("http://a.example/a.xml", "http://b.example/b.xml"))
    (tmp_path / "b.xml").write_text(index("http://a.example/a.xml", "http://b.example/b.xml", "http://c.example/c.xml"))
    (tmp_path / "c.xml").write_bytes(one("http://c.example/"))
    assert read(tmp_path / "a.xml")[0] == ["http://c.example/"]


def test_a_long_chain_of_indexes_is_not_followed_for_ever(tmp_path: Path) -> None:
    for number in range(10):
        (tmp_path / f"{number}.xml").write_text(index(f"http://{number}.example/{number + 1}.xml"))
    found, refused = read(tmp_path / "0.xml")
    assert len(found) == 1
    assert refused.unread == 1


def test_a_sitemap_beside_it_that_is_broken_is_counted(tmp_path: Path) -> None:
    (tmp_path / "one.xml.gz").write_bytes(gzip.compress(one("http://one.example/"))[:-12])
    (tmp_path / "two.xml").write_bytes(one("http://two.example/"))
    (tmp_path / "index.xml").write_text(index("http://a.example/one.xml.gz", "http://a.example/two.xml"))
    found, refused = read(tmp_path / "index.xml")
    assert "http://two.example/" in found
    assert (refused.count, refused.broken) == (1, True)
    assert "one.xml.gz cannot be unpacked" in refused.first
