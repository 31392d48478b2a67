"""Everything else: what texts of many sites look like, so that a new topic has something to differ from.

Of each text only its strongest stems are kept, in the order of the alphabet and with a coarse strength: statistics, from which no sentence can be read
again. Site names are numbers. The file comes with Dowse and is made by `dowse topic train`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from pathlib import Path

import msgspec
import zstandard

from dowse.topic.fit import TopicExample
from dowse.topic.text import spread_evenly

FILE = Path(__file__).parent / "shipped" / "background.zst"
MAX_STEMS = 110  # of a text that are kept, the strongest
MIN_SITES = 5  # that a stem stands on to be kept
STRENGTH_STEPS = 250  # a strength of one in so many steps


class BackgroundText(msgspec.Struct, frozen=True, array_like=True):
    """The stems of one text as numbers in the list of all stems, with their strengths."""

    site: int
    kind: str
    topics: tuple[str, ...]  # as people labelled it: for measuring; nothing is made from them
    stems: bytes  # two bytes each
    strengths: bytes  # one byte each; none for a form


class Background(msgspec.Struct, frozen=True):
    """Texts of many sites, as bags of stems."""

    stems: tuple[str, ...]
    languages: dict[str, int]  # sites by language
    texts: tuple[BackgroundText, ...]

    def examples(self) -> list[TopicExample]:
        """Return the texts as examples that are not on a topic."""
        found = []
        for text in self.texts:
            places = memoryview(text.stems).cast("H")
            stems = [self.stems[place] for place in places]
            if text.strengths:
                pairs = zip(stems, text.strengths, strict=True)
                strengths = {stem: step / STRENGTH_STEPS for stem, step in pairs}
            else:
                strengths = spread_evenly(stems)
            found.append(TopicExample(strengths, f"background {text.site}", False, text.kind))
        return found


def pack_background(
    examples: Sequence[TopicExample], topics: Sequence[Iterable[str]], languages: dict[str, int]
) -> Background:
    """Return the background that some examples make."""
    strongest = [keep_strongest(one.strengths) for one in examples]
    sites: dict[str, set[str]] = {}
    for one, stems in zip(examples, strongest, strict=True):
        for stem in stems:
            sites.setdefault(stem, set()).add(one.site)
    known = sorted(stem for stem, where in sites.items() if len(where) >= MIN_SITES)
    place = {stem: number for number, stem in enumerate(known[:65_536])}
    number = {site: count for count, site in enumerate(sorted({one.site for one in examples}))}
    texts = []
    for one, stems, labels in zip(examples, strongest, topics, strict=True):
        kept = sorted(place[stem] for stem in stems if stem in place)
        steps = bytes(max(1, min(255, round(one.strengths[known[at]] * STRENGTH_STEPS))) for at in kept)
        packed = b"".join(at.to_bytes(2, "little") for at in kept)
        texts.append(
            BackgroundText(
                number[one.site], one.kind, tuple(sorted(labels)), packed, b"" if one.kind == "form" else steps
            )
        )
    return Background(tuple(known), languages, tuple(texts))


def keep_strongest(strengths: Mapping[str, float]) -> dict[str, float]:
    """Return the stems of a text that a background keeps."""
    names = sorted(strengths, key=lambda stem: (-strengths[stem], stem))[:MAX_STEMS]
    return {stem: strengths[stem] for stem in names}


def write_background(background: Background, path: Path = FILE) -> int:
    """Write the background and return the bytes."""
    path.parent.mkdir(parents=True, exist_ok=True)
    return path.write_bytes(zstandard.ZstdCompressor(19).compress(msgspec.msgpack.encode(background)))


@cache
def load_background(path: Path = FILE) -> Background:
    """Return the background that comes with Dowse."""
    return msgspec.msgpack.decode(zstandard.ZstdDecompressor().decompress(path.read_bytes()), type=Background)
