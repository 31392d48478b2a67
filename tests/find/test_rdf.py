"""The directory of DMOZ."""

from __future__ import annotations

from pathlib import Path

from dowse.find.seeds import Refused, read_list

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


def read(tmp_path: Path, content: str, kind: str = "") -> tuple[list[str], Refused]:
    path, refused = tmp_path / "content.rdf.u8", Refused()
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
