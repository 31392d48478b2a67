"""Content encodings, sound and broken."""

from __future__ import annotations

import gzip
import os
import tracemalloc
import zlib

import brotli  # type: ignore[import-untyped]
import pytest
import zstandard
from hypothesis import given
from hypothesis import strategies as st

from dowse.fetch.encoding import decode

LIMIT = 100_000
TEXT = b"<p>hello, hidden web</p>" * 500


def raw_deflate(body: bytes) -> bytes:
    stream = zlib.compressobj(wbits=-15)
    return stream.compress(body) + stream.flush()


ENCODERS = {
    "gzip": gzip.compress,
    "x-gzip": gzip.compress,
    "deflate": zlib.compress,
    "br": lambda body: brotli.compress(body, quality=3),
    "zstd": zstandard.ZstdCompressor(write_checksum=True).compress,
}
SOUND = {
    **{name: (name, encoder(TEXT)) for name, encoder in ENCODERS.items()},
    "deflate without its header": ("deflate", raw_deflate(TEXT)),
    "capitals": ("GZIP", gzip.compress(TEXT)),
    "identity": ("identity", TEXT),
    "none": ("", TEXT),
    "several members": ("gzip", gzip.compress(TEXT[:100]) + gzip.compress(TEXT[100:])),
    "junk after the last member": ("gzip", gzip.compress(TEXT) + b"\0\0junk"),
    "several frames": ("zstd", zstandard.compress(TEXT[:100]) + zstandard.compress(TEXT[100:])),
    "one on top of the other": ("gzip, br", brotli.compress(gzip.compress(TEXT))),
}


@pytest.mark.parametrize(("name", "body"), SOUND.values(), ids=SOUND.keys())
def test_sound(name: str, body: bytes) -> None:
    decoded = decode(body, name, LIMIT)
    assert (decoded.body, decoded.truncated, decoded.error) == (TEXT, False, "")


@pytest.mark.parametrize("name", ENCODERS)
def test_a_bomb_is_cut_at_the_limit_in_little_memory(name: str) -> None:
    bomb = ENCODERS[name](bytes(30_000_000))
    tracemalloc.start()
    decoded = decode(bomb, name, LIMIT)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert len(decoded.body) == LIMIT
    assert decoded.truncated
    assert peak < 5_000_000


def test_a_bomb_inside_a_bomb_is_cut_too() -> None:
    decoded = decode(gzip.compress(brotli.compress(bytes(20_000_000), quality=3)), "br, gzip", LIMIT)
    assert len(decoded.body) == LIMIT
    assert decoded.truncated


@pytest.mark.parametrize("name", ENCODERS)
def test_a_stream_cut_short_gives_what_came(name: str) -> None:
    text = os.urandom(300_000).hex().encode()  # zstd gives blocks of 128 KiB, whole or not at all
    whole = ENCODERS[name](text)
    decoded = decode(whole[: len(whole) // 2], name, 10_000_000)
    assert decoded.body
    assert text.startswith(decoded.body)
    assert decoded.truncated or name == "zstd"


@pytest.mark.parametrize("name", ENCODERS)
def test_a_stream_broken_in_the_middle_gives_what_came_before(name: str) -> None:
    text = os.urandom(300_000).hex().encode()
    whole = bytearray(ENCODERS[name](text))
    middle = len(whole) // 2
    whole[middle : middle + 600] = b"\xff" * 600
    decoded = decode(bytes(whole), name, 10_000_000)
    assert decoded.error
    assert len(decoded.body) > 100_000
    assert text[:50_000] == decoded.body[:50_000]


HOPELESS = {
    "not gzip": ("gzip", b"<p>plain", "header"),
    "not brotli": ("br", b"<p>" * 100, "rotli"),
    "not zstd": ("zstd", b"<p>plain", "zstd"),
    "gzip that ends at once": ("gzip", gzip.compress(TEXT)[:8], "too early"),
    "zstd that ends too early": ("zstd", zstandard.compress(TEXT)[:-9], "too early"),
    "unknown": ("lzma", b"x", "unknown encoding 'lzma'"),
    "too many": ("gzip," * 50 + "gzip", b"x", "51 encodings"),
}


@pytest.mark.parametrize(("name", "body", "error"), HOPELESS.values(), ids=HOPELESS.keys())
def test_hopeless(name: str, body: bytes, error: str) -> None:
    decoded = decode(body, name, LIMIT)
    assert decoded.body == b""
    assert error in decoded.error


@given(st.sampled_from(sorted(ENCODERS)), st.binary(max_size=2000))
def test_what_was_encoded_is_decoded(name: str, body: bytes) -> None:
    assert decode(ENCODERS[name](body), name, LIMIT).body == body


@given(st.sampled_from(sorted(ENCODERS)), st.binary(max_size=300))
def test_junk_never_raises(name: str, body: bytes) -> None:
    assert len(decode(body, name, 1000).body) <= 1000
