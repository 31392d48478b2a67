"""Lists of texts that can be asked for by word, start or whole, and texts put together from several lists."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property

from dowse.sim.tables.matches import Match, all_of, any_of
from dowse.sim.tables.shuffle import Shuffle
from dowse.sim.tables.words import split_words, text_test

Pattern = tuple[tuple[int, Sequence[int]], ...]  # for some of the parts, the ranks that each may have


def in_keyed_order(texts: Sequence[str], *key: object) -> tuple[str, ...]:
    """Return the texts in an order of their own for each key."""
    order = Shuffle(len(texts), *key)
    return tuple(texts[number] for number in order.numbers(range(len(texts))))


class Values:
    """What an attribute, or a part of it, can be: the text of rank 0 is the most frequent."""

    def __init__(self, texts: tuple[str, ...]) -> None:
        self.texts = texts

    @cached_property
    def folded(self) -> tuple[str, ...]:
        """The texts without regard to case."""
        return tuple(map(str.casefold, self.texts))

    @cached_property
    def words(self) -> tuple[tuple[str, ...], ...]:
        """The words of each text."""
        return tuple(tuple(split_words(text)) for text in self.texts)

    @cached_property
    def by_word(self) -> dict[str, list[int]]:
        """The ranks of the texts with a word."""
        found: dict[str, list[int]] = {}
        for rank, words in enumerate(self.words):
            for word in dict.fromkeys(words):
                found.setdefault(word, []).append(rank)
        return found

    @cached_property
    def by_text(self) -> dict[str, list[int]]:
        """The ranks of a text; there is more than one where texts differ in case only."""
        found: dict[str, list[int]] = {}
        for rank, text in enumerate(self.folded):
            found.setdefault(text, []).append(rank)
        return found

    def ranks(self, way: str, wanted: str) -> Sequence[int]:
        """Return the ranks of the texts that meet what is wanted, in order."""
        if way == "word":
            return self.by_word.get(wanted, ())
        if way == "equals":
            return self.by_text.get(wanted, ())
        test = text_test(way, wanted)
        among = self.by_word.get(wanted.partition(" ")[0], ()) if way == "phrase" else range(len(self.texts))
        return [rank for rank in among if test(self.folded[rank])]

    def with_prefix(self, prefix: str) -> Sequence[int]:
        """Return the ranks of the texts that have a word with this beginning."""
        return sorted({rank for word, ranks in self.by_word.items() if word.startswith(prefix) for rank in ranks})


class Parts:
    """Texts that are put together from parts, each from a list: titles, and names of people.

    Every part but the first brings its own separator along, so a text is the parts one after another. A part may be
    empty.
    """

    def __init__(self, *lists: Values) -> None:
        self.lists = lists
        self._ways: dict[str, Callable[[str], Iterable[Pattern]]] = {
            "word": self._having,
            "phrase": lambda wanted: self._phrases(tuple(wanted.split(" "))),
            "starts": lambda wanted: self._starting(wanted, 0),
            "equals": lambda wanted: self._equal(wanted, 0),
        }

    def text(self, ranks: Iterable[int]) -> str:
        """Return the text of the parts with these ranks."""
        return "".join(values.texts[rank] for values, rank in zip(self.lists, ranks, strict=True))

    def match(self, way: str, wanted: str, find: Callable[[Pattern], Match], everything: Match) -> Match:
        """Return the records whose text meets what is wanted, where `find` knows those with a pattern."""
        if way == "contains":
            prefixes = split_words(wanted)
            return all_of((any_of(map(find, self._beginning(prefix))) for prefix in prefixes), everything)
        return any_of(map(find, self._ways[way](wanted)))

    def clusters(self) -> list[list[int]]:
        """Return the first parts in the order of the texts.

        One that begins another goes with it, for there the second part decides.
        """
        clusters: list[tuple[str, list[int]]] = []
        for text, ranks in sorted(self.lists[0].by_text.items()):
            if clusters and text.startswith(clusters[-1][0]):
                clusters[-1][1].extend(ranks)
            else:
                clusters.append((text, list(ranks)))
        return [ranks for _, ranks in clusters]

    def _having(self, word: str) -> Iterator[Pattern]:
        for part, values in enumerate(self.lists):
            if ranks := values.ranks("word", word):
                yield ((part, ranks),)

    def _beginning(self, prefix: str) -> Iterator[Pattern]:
        for part, values in enumerate(self.lists):
            if ranks := values.with_prefix(prefix):
                yield ((part, ranks),)

    def _equal(self, text: str, part: int) -> Iterator[Pattern]:
        values = self.lists[part]
        if part == len(self.lists) - 1:
            if ranks := values.ranks("equals", text):
                yield ((part, ranks),)
            return
        for rank, piece in enumerate(values.folded):
            if text.startswith(piece):
                yield from (((part, (rank,)), *rest) for rest in self._equal(text[len(piece) :], part + 1))

    def _starting(self, text: str, part: int) -> Iterator[Pattern]:
        values = self.lists[part]
        if ranks := values.ranks("starts", text):
            yield ((part, ranks),)
        if part == len(self.lists) - 1:
            return
        for rank, piece in enumerate(values.folded):
            if len(piece) < len(text) and text.startswith(piece):
                yield from (((part, (rank,)), *rest) for rest in self._starting(text[len(piece) :], part + 1))

    def _phrases(self, words: tuple[str, ...]) -> Iterator[Pattern]:
        """Find the words one after another, inside a part or across parts."""
        for part, values in enumerate(self.lists):
            if ranks := values.ranks("phrase", " ".join(words)):
                yield ((part, ranks),)
            for rank in values.by_word.get(words[0], ()):
                mine = values.words[rank]
                for length in range(1, len(mine) + 1):
                    if length < len(words) and mine[-length:] == words[:length]:
                        yield from (((part, (rank,)), *rest) for rest in self._following(words[length:], part + 1))

    def _following(self, words: tuple[str, ...], part: int) -> Iterator[Pattern]:
        """Find the words from the beginning of a part on."""
        if part == len(self.lists):
            return
        values = self.lists[part]
        begun = [rank for rank in values.by_word.get(words[0], ()) if values.words[rank][: len(words)] == words]
        if begun:
            yield ((part, begun),)
        for rank in (*values.by_word.get(words[0], ()), *values.by_text.get("", ())):
            mine = values.words[rank]
            if len(mine) < len(words) and mine == words[: len(mine)]:
                yield from (((part, (rank,)), *rest) for rest in self._following(words[len(mine) :], part + 1))
