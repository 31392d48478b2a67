"""Bodies that were made to hurt a parser, by name."""

from __future__ import annotations

BODIES: dict[str, bytes] = {
    "empty": b"",
    "nuls": b"\0" * 100_000,
    "garbage": bytes(range(256)) * 2_000,
    "json": b'{"a": [1, 2, {"b": "<a href=x>"}]}',
    "xml": b'<?xml version="1.0"?><rss><channel><link>http://x/</link></channel></rss>',
    "plain text": b"no tags at all\n" * 1_000,
    "deep divs": b"<div>" * 400_000,
    "deep divs, 10 MB": b"<div>" * 2_000_000,
    "deep divs with links": b"<div><a href=x>y</a>" * 100_000,
    "100,000 links": b"<a href=x>y</a>" * 100_000,
    "200,000 attributes": b"<p " + b" ".join(b"a%d=1" % number for number in range(200_000)) + b">",
    "nested anchors in tables": b"<a href=x>t<table><tr><td>" * 80_000,
    "nested forms": b"<form><div></form><input name=a>" * 60_000,
    "nested buttons in tables": b"<form>" + b"<button>t<table><tr><td>" * 80_000,
    "nested labels": b"<form>" + b"<label>t<input name=a>" * 80_000,
    "forms in one table": b"<table>" + b"<form><tr><td>a<td><input name=a></tr></form>" * 40_000,
    "closing forms on one line": b"<input name=a></form>" * 90_000,
    "open comments": b"<form><input></form><input>" + b"<!--" * 500_000,
    "open scripts": b"<form><input></form><input>" + b"<script " * 250_000,
    "options": b"<form><select name=a>" + b"<option>b" * 200_000,
    "wide cell": b"<table><tr><td>" + b"x" * 1_000_000 + b"<td>y</tr>" + b"<tr><td>1<td>2</tr>" * 50_000,
    "long address": b"<a href=/" + b"x" * 2_000_000 + b">y</a>",
    "long value": b"<form><input type=hidden name=state value=" + b"x" * 2_000_000 + b"></form>",
    "siblings": b"<h3><a href=x>y</a></h3>" + b"<p></p>" * 200_000,
    "metas": b"<meta name=robots content=noindex>" * 60_000,
}
