"""Two answers of one door side by side: what only one has, which of it are records, and words to ask for.

Menus stand on both and fall away. What is left is grouped by the place it stands at: the records are the children of one
element that look alike and hold the most words. Facets and numbers of pages differ from answer to answer too, but say less.
"""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import pairwise

from dowse.model import Block, Link
from dowse.reasons import say_count
from dowse.url import origin
from dowse.words.lookup import by_language

MAX_COMPARED_BLOCKS = 6_000  # blocks of one answer that are compared
MAX_LIKE_GROUPS = 60  # groups that are looked at closely, those with the most words
MIN_COMMON_SHARE = 0.5  # of its pieces that a record must have in common with most of them
MIN_EQUAL_SHARE = 0.7  # the same, where that many records are made of exactly the same pieces
MIN_GROUP_RECORDS = 2  # records that make a group
MAX_LINE_CHARS = 400

_INLINE_TAGS = frozenset("# a abbr b big cite code em font i mark q small span strong sub sup tt u var".split())
_NUMBERS = re.compile(r"\.\d+")
_PAIR = re.compile(r"(?:^|[;|•·(,]|\s[-–])\s?([^\W\d][^:;|•·,()]{0,30}):\s?([^;|•·]{0,80})")

RecordBlocks = tuple[Block, ...]


@dataclass(frozen=True, slots=True)
class Items:
    """The records of an answer, as the page shows them."""

    place: str  # the element that they stand in
    items: tuple[RecordBlocks, ...] = ()

    @property
    def size(self) -> int:
        """How many there are."""
        return len(self.items)

    @property
    def pieces(self) -> float:
        """How many pieces of text most of them have."""
        sizes = sorted(len(item) for item in self.items)
        return float(sizes[len(sizes) // 2]) if sizes else 0.0

    @property
    def alike(self) -> float:
        """The share of them that are made of exactly the same pieces."""
        shapes = Counter(tuple(sorted(block_shape(self.place, item).items())) for item in self.items)
        return shapes.most_common(1)[0][1] / self.size if self.items else 0.0


def block_key(block: Block) -> str:
    """Return what is the same for the same words at the same kind of place."""
    return f"{_NUMBERS.sub('', block.path)} {block.text}"


def block_keys(blocks: Iterable[Block]) -> frozenset[str]:
    """Return what an answer says, and at which kind of place."""
    return frozenset(map(block_key, blocks))


def find_items(blocks: Sequence[Block], other: Collection[str]) -> Items:
    """Return the records of an answer: the largest group of like things that another, by its keys, does not have."""
    blocks = blocks[:MAX_COMPARED_BLOCKS]
    own = {block.path for block in blocks if block_key(block) not in other}
    best, most = Items(""), 0
    for place, tag in _largest_groups(block for block in blocks if block.path in own):
        found = _split(blocks, place, tag)
        weight = sum(len(block.text) for item in found.items for block in item if block.path in own)
        if found.size >= MIN_GROUP_RECORDS and weight > most:
            best, most = found, weight
    return _enter_grid(best)


def _largest_groups(own: Iterable[Block]) -> Iterator[tuple[str, str]]:
    """Yield the elements that have several children of one tag with something of their own in them, most words first."""
    children: dict[tuple[str, str], set[str]] = {}
    words: Counter[tuple[str, str]] = Counter()
    for block in own:
        place = ""
        for part in block.path.split("/"):
            group = (place, part.partition(".")[0])
            children.setdefault(group, set()).add(part)
            words[group] += len(block.text)
            place = f"{place}/{part}" if place else part
    several = [group for group, parts in children.items() if len(parts) >= MIN_GROUP_RECORDS]
    yield from sorted(several, key=lambda group: -words[group])[:MAX_LIKE_GROUPS]


def _split(blocks: Sequence[Block], place: str, tag: str) -> Items:
    """Return the like children of an element; where one tag opens each record and others follow, each with what follows."""
    inside = [block for block in blocks if block.path.startswith(f"{place}/")]
    starter = _find_starter(inside, place, tag)
    if starter != tag:
        opened = _from_starter(inside, place, starter)
        like = _like(place, opened)
        if len(like) >= max(MIN_GROUP_RECORDS, 0.6 * len(opened)):
            return Items(place, like)
    grouped: dict[str, list[Block]] = {}
    for block in inside:
        child = _child(block, place)
        if child.partition(".")[0] == tag:
            grouped.setdefault(child, []).append(block)
    return Items(place, _like(place, [tuple(item) for item in grouped.values()]))


def _child(block: Block, place: str) -> str:
    return block.path[len(place) + 1 :].partition("/")[0]


def _find_starter(inside: Sequence[Block], place: str, tag: str) -> str:
    """Return the tag that opens each record, where records have no element of their own (dt dd dd dt dd dd)."""
    order = [child.partition(".")[0] for child in dict.fromkeys(_child(block, place) for block in inside)]
    for starter in dict.fromkeys(order[: order.index(tag)] if tag in order else ()):
        runs = sum(1 for one, two in pairwise(order) if one != tag and two == tag)
        opened = order.count(starter)
        if opened >= MIN_GROUP_RECORDS and runs >= 0.8 * opened and opened >= 0.8 * runs:
            return starter
    return tag


def _from_starter(inside: Sequence[Block], place: str, starter: str) -> list[RecordBlocks]:
    items: list[list[Block]] = []
    seen = ""
    for block in inside:
        child = _child(block, place)
        if child.partition(".")[0] == starter and child != seen:
            items.append([])
            seen = child
        if items:
            items[-1].append(block)
    return [tuple(item) for item in items]


def block_shape(place: str, item: Iterable[Block]) -> Counter[str]:
    """Return which pieces a record is made of: paths from its own element on, without numbers; and names within a text."""
    shape: Counter[str] = Counter()
    for block in item:
        path = _NUMBERS.sub("", block.path[len(place) + 1 :])
        shape[path] += 1
        shape.update(f"{path} {name}" for name, _ in find_pairs(block.text))
    return shape


def find_pairs(text: str) -> list[tuple[str, str]]:
    """Return the names and values in a text such as (Year: 1999; Colour: red); one name alone is a title with a colon."""
    pairs = [(name.strip(), value.strip(" )")) for name, value in _PAIR.findall(text)]
    return pairs if len(pairs) > 1 else []


def _like(place: str, items: Sequence[RecordBlocks]) -> tuple[RecordBlocks, ...]:
    """Return those that are made like most of them: an advertisement between records is not."""
    shapes = [block_shape(place, item) for item in items]
    if not shapes:
        return ()
    written = [tuple(sorted(shape.items())) for shape in shapes]
    counted = Counter(written)
    usual = max(zip(written, shapes, strict=True), key=lambda pair: (counted[pair[0]] * pair[1].total(), pair[0]))[1]
    wanted = MIN_EQUAL_SHARE if max(counted.values()) >= MIN_EQUAL_SHARE * len(items) else MIN_COMMON_SHARE
    return tuple(
        item
        for item, shape in zip(items, shapes, strict=True)
        if (shape & usual).total() / max(1, (shape | usual).total()) > wanted
    )


def _enter_grid(found: Items) -> Items:
    """Return the records in the rows of a grid, when the items are such rows."""
    # in each row the element that holds most of its children
    groups = [next(iter(_largest_groups(item)), (item[0].path, "")) for item in found.items[:200]]
    inner = [_split(item, *group) for item, group in zip(found.items, groups, strict=False)]
    if len(inner) < MIN_GROUP_RECORDS or not all(
        each.size >= MIN_GROUP_RECORDS and each.pieces >= 2 for each in inner[:-1]
    ):
        return found
    items = [item for each in inner for item in each.items]
    first = [item[0].text for item in items]
    covered = sum(map(len, items)) >= 0.8 * sum(map(len, found.items))
    if covered and len(set(first)) >= 0.8 * len(first):  # with labels before each value they would repeat
        return Items(found.place, tuple(items))
    return found


def find_differing_lines(blocks: Sequence[Block], items: Items, other: Collection[str]) -> list[str]:
    """Return the lines beside the records that only this answer has: a count, a remark, numbers of pages."""
    inside = {block.path for item in items.items for block in item}
    lines: dict[str, list[Block]] = {}
    for block in blocks[:MAX_COMPARED_BLOCKS]:
        if block.path not in inside:
            path = block.path  # up to the element that begins its line: the first that is not in the flow of words
            while path.rpartition("/")[2].partition(".")[0] in _INLINE_TAGS:
                path = path.rpartition("/")[0]
            lines.setdefault(path, []).append(block)
    return [
        " ".join(block.text for block in line)[:MAX_LINE_CHARS]
        for line in lines.values()
        if any(block_key(block) not in other for block in line)
    ]


def find_item_links(links: Iterable[Link], items: Items) -> list[Link]:
    """Return the links of an answer that stand in its records."""
    titles = {block.text for item in items.items for block in item}
    starts = tuple(title for title in titles if len(title) > 3)
    place = _NUMBERS.sub("", items.place)
    inside = (link for link in links if link.path.startswith(place))
    return [link for link in inside if not link.text or link.text in titles or link.text.startswith(starts)]


# -- words to ask for: one that nobody has written, and some that records or pages have

NONSENSE_SYLLABLES = 5
MIN_WORD_LETTERS, MAX_WORD_LETTERS = 3, 20  # letters of a word to ask for
MIN_LABEL_RECORD_SHARE = 0.8  # of the records, from which equal words are a label
MAX_SAMPLED_RECORDS = 60  # records
MAX_SHORT_VALUE_CHARS = 80  # characters
_WORD = re.compile(
    r"[\u30a1-\u30ff]{2,}|[\u3400-\u9fff]{2,}|[^\W\d_\u3040-\u30ff\u3400-\u9fff]+"
)  # a change of script separates words
_UNSPACED = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\u0e00-\u0e7f]")
_CONSONANTS, _VOWELS = "bdfgjklmnprstvwxz", "aeiou"


def stop_words(language: str) -> tuple[str, ...]:
    """Return the words that most texts of a language have, and search machines mostly know; the plainest first."""
    known = by_language("common word")
    return known.get(language, known["en"])


@cache
def all_stop_words() -> frozenset[str]:
    """Return the words that most texts have, of all languages."""
    return frozenset(word for words in by_language("common word").values() for word in words)


def make_nonsense(seed: str) -> str:
    """Return a word that can be spoken and that nobody has written; the same for the same seed."""
    digest = hashlib.blake2b(seed.encode("utf-8", "replace"), digest_size=2 * NONSENSE_SYLLABLES).digest()
    pairs = zip(digest[::2], digest[1::2], strict=True)
    return "".join(_CONSONANTS[one % len(_CONSONANTS)] + _VOWELS[two % len(_VOWELS)] for one, two in pairs)


def find_words(text: str) -> Iterator[str]:
    """Yield the words of a text that are worth asking for."""
    for word in _WORD.findall(text[:2_000]):
        if MIN_WORD_LETTERS <= len(word) <= MAX_WORD_LETTERS or (len(word) >= 2 and not word.isascii()):
            yield word


def pieces_of(item: RecordBlocks) -> list[str]:
    """Return the texts of a record; of one that names several values, each name and each value."""
    pieces: list[str] = []
    for block in item:
        named = [part for name, value in find_pairs(block.text) for part in (f"{name}:", value)]
        pieces += named or [block.text]
    return pieces


def find_labels(items: Items) -> frozenset[str]:
    """Return the texts that most records repeat: names of their attributes, words on buttons."""
    counts = Counter(text for item in items.items for text in set(pieces_of(item)))
    return frozenset(
        text for text, count in counts.items() if items.size >= 3 and count >= MIN_LABEL_RECORD_SHARE * items.size
    )


def values_of(items: Items) -> list[list[str]]:
    """Return the records without what most of them repeat."""
    labels = find_labels(items)
    return [[text for text in pieces_of(item) if text not in labels] for item in items.items[:MAX_SAMPLED_RECORDS]]


def values_under(items: Items, label: str) -> list[str]:
    """Return the values that stand behind a label like this one in each record."""
    wanted = {word.lower() for word in find_words(label)}
    best = max(find_labels(items), key=lambda text: len(wanted & {w.lower() for w in find_words(text)}), default="")
    if not wanted & {word.lower() for word in find_words(best)}:
        return []
    found = []
    for item in items.items[:MAX_SAMPLED_RECORDS]:
        texts = pieces_of(item)
        if best in texts[:-1]:
            found.append(texts[texts.index(best) + 1])
    return found


def find_part(values: Iterable[str], without: Iterable[str] = ()) -> tuple[str, str]:
    """Return a word that is part of most values, and the longest value that it is part of; nothing where all are single words."""
    left_out = {word.lower() for word in without}
    counts: Counter[str] = Counter()
    first: dict[str, tuple[str, str]] = {}
    for value in values:
        # the words of a value that has several; of one in a script without blanks, its first half
        is_unspaced = _UNSPACED.match(value) and len(value) >= 4 and len(value.split()) == 1
        words = find_words(value) if len(value.split()) > 1 else (value[: len(value) // 2],) if is_unspaced else ()
        for word in dict.fromkeys(words):
            if word.lower() not in left_out:
                counts[word.lower()] += 1
                first.setdefault(word.lower(), (word, value))
    best = max(counts, key=lambda word: (counts[word], len(word)), default="")
    return first.get(best, ("", ""))


def find_titles(items: Items) -> list[str]:
    """Return the first words of each record that are its own."""
    return [texts[0] for texts in values_of(items) if texts]


def find_all_values(items: Items) -> list[str]:
    """Return all that the records say, without labels; a long text is no value."""
    return [text for texts in values_of(items) for text in texts if len(text) <= MAX_SHORT_VALUE_CHARS]


def find_common(texts: Iterable[str], without: Iterable[str] = ()) -> list[str]:
    """Return the words that most of these texts have, most frequent first; longer ones before shorter."""
    left_out = {word.lower() for word in without}
    counts: Counter[str] = Counter()
    written: dict[str, str] = {}
    for text in texts:
        for word in {word.lower(): word for word in find_words(text)}.values():
            counts[word.lower()] += 1
            written.setdefault(word.lower(), word)
    ranked = sorted(counts, key=lambda word: (-counts[word], -len(word), word))
    return [written[word] for word in ranked if word not in left_out]


def count_attributes(items: Items) -> int:
    """Return how many values of their own most records have."""
    sizes = sorted(len(texts) for texts in values_of(items))
    return sizes[int((1 - MIN_LABEL_RECORD_SHARE) * len(sizes))] if sizes else 0


# -- whether answers come from a database or are pages of the site

MIN_KIND_LEAD = 2  # points between the two from which the answers decide
MIN_ATTRIBUTES = 3  # attributes of a record
MIN_LISTED_RECORDS = 30  # records that an empty query lists, from which a database is behind it
_ID = re.compile(r"\d+|[0-9a-f]{8,}")
_MARKED = frozenset({"b", "em", "strong", "mark", "i", "span", "font"})


@dataclass(frozen=True, slots=True)
class AnswerEvidence:
    """An answer with records, and what is known beside it."""

    items: Items
    links: Sequence[Link] = ()  # those in its items
    known: Sequence[Link] = ()  # links of the site's other pages: menus
    pieces: float = 0.0  # texts of their own for each of them
    word: str = ""  # that was asked for
    listed: int = 0  # records that it lists when nothing is asked


def judge_kind(evidence: AnswerEvidence) -> tuple[str, tuple[str, ...]]:
    """Return database or site-search, or nothing where the answers leave it open; and the reasons."""
    points = {"database": 0, "site-search": 0}
    reasons: dict[str, list[str]] = {kind: [] for kind in points}
    for kind, weight, reason in _find_evidence(evidence):
        points[kind] += weight
        reasons[kind].append(reason)
    kind = max(points, key=lambda name: points[name])
    lead = abs(points["database"] - points["site-search"])
    return (kind, tuple(reasons[kind])) if lead >= MIN_KIND_LEAD else ("", ())


def _find_evidence(evidence: AnswerEvidence) -> list[tuple[str, int, str]]:
    items, found = evidence.items, []
    attributes, labels = count_attributes(items), find_labels(items)
    if attributes >= MIN_ATTRIBUTES and items.alike >= 0.5:
        found.append(("database", 2, f"each record has the same {attributes} attributes"))
    if len(labels) >= MIN_ATTRIBUTES:
        found.append(("database", 2, "each record names its attributes"))
    if evidence.listed >= MIN_LISTED_RECORDS:
        found.append(("database", 2, f"lists {say_count(evidence.listed, 'records')} when nothing is asked"))
    if not evidence.links:
        found.append(("database", 1, "its records have no pages of their own"))
    return found + _find_page_evidence(evidence, attributes)


def _find_page_evidence(evidence: AnswerEvidence, attributes: int) -> list[tuple[str, int, str]]:
    found = []
    links = evidence.links
    if links and count_known(links, evidence.known) >= max(1, 0.2 * len(links)):
        found.append(("site-search", 3, "its results are pages that the site links to by the same title"))
    if links and evidence.pieces < MIN_ATTRIBUTES and attributes < MIN_ATTRIBUTES:
        weight, what = (2, "nothing but titles") if evidence.pieces < 2 else (1, "titles with a few words")
        found.append(("site-search", weight, f"its results are {what}"))
    if is_marked(evidence.items, evidence.word):
        found.append(("site-search", 2, "the word that was asked for is marked in the results"))
    shapes = {_ID.sub("0", link.url.removeprefix(origin(link.url))) for link in links}
    if len(links) >= MIN_ATTRIBUTES:
        if len(shapes) == 1:
            found.append(("database", 1, "the addresses of its records differ by a number only"))
        elif len(shapes) > 0.5 * len({link.url for link in links}):
            found.append(("site-search", 1, "its results have addresses of many shapes"))
    return found


def count_known(links: Sequence[Link], known: Sequence[Link]) -> int:
    """Count the links that stand elsewhere on the site with the same words."""
    pairs = {(link.url, link.text) for link in known if link.text}
    return len({link.url for link in links if (link.url, link.text) in pairs})


def is_marked(items: Items, word: str) -> bool:
    """Return True if a word stands by itself in a mark of its own in half of the items, as in the snippets of a full-text search."""
    if not word:
        return False
    marked = 0
    for item in items.items:
        said = [block.path.split("/")[-2:-1] for block in item if block.text.lower() == word.lower()]
        holders = {step.partition(".")[0] for steps in said for step in steps}
        marked += len(item) >= 3 and not _MARKED.isdisjoint(holders)
    return marked >= max(2, 0.5 * items.size)
