"""The themes of the topical world: rare topics among sites on none, words of real text, names that do not tell, links with a say."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING

from dowse.sim.chance import between, dice, mix, number_of, pick
from dowse.sim.hosts import FIRST, SECOND, SHAPES, index_in
from dowse.sim.themes import POPULARITY, Themes
from dowse.sim.topical.lexicon import GENERAL, Lexicon, read_lexicon
from dowse.sim.topical.shares import SIBLINGS, TOPICS, draw_site, draw_topic, topic_of
from dowse.sim.topical.wording import OTHER_KINDS, read_phrasing, read_topical_wording
from dowse.sim.view import Anchor, Mention
from dowse.sim.wording import Wording

if TYPE_CHECKING:
    from dowse.sim.plan import SitePlan
    from dowse.sim.traits import Traits

# None of these shares was measured on the web: they are set so that what the issue asks for is there, and bench/world says what came out.
TOPIC_DEEP, OTHER_DEEP = 0.4, 0.18  # sites with a database, on a topic and on none: a quarter of all, as in even worlds
STRAY_DATABASE = 0.03  # databases of other sites that are on a topic
SECOND_DATABASE = 0.3  # sites with a database that have another
OWN_SECOND, SIBLING_SECOND = 0.35, 0.3  # second databases of a site on a topic: on the same, on a sibling
TELLING_HOST, MISLEADING_HOST = 0.25, 0.04  # hosts with a word for their topic, or for another
OWN_TOPIC, SIBLING_TOPIC = 0.62, 0.10  # of the links that a site on a topic chooses
TOPIC_FROM_NONE = 0.2  # of the links that a site on no topic chooses
DIRECTORY_TIMES = 6  # as many links as usual
DIRECTORY_TOPICS = 6  # that a directory on no topic has pages for
SHELF = 25  # links on a page of a directory
DEEP_LINKS = 0.25  # of the links that a site chooses; some of them lead to the root after all
STRAY_BRANCH, GENERAL_BRANCH = 0.06, 0.12  # parts of a site on a sibling topic, and on none
TOPIC_BRANCH = 0.06  # parts of a site on no topic that are on one
EMPTY_HOME, MIXED_HOME = 0.1, 0.12
# Kinds of words on a page of a topic: its own, those of a topic it has nothing to do with; the others are common ones.
OWN_WORDS = (0.5, 0.95)
STRAY_WORDS = 0.05
FOCUS_FROM = 60  # rank from which a site leaves out every other word of its topic
MENTIONS = (("name", 0.42), ("name and note", 0.68), ("note", 0.82), ("host", 0.91), ("vague", 1.0))  # cumulated


class TopicalThemes(Themes):
    """Topics by a power law, in English; pages and databases may be on other topics than their site."""

    def __init__(self, seed: int, family: str, outlinks: str = "few") -> None:
        super().__init__(seed, family, outlinks)
        self._phrasing = read_phrasing(family)
        self._plain_hosts = tuple(each for each in SHAPES[family] if "{t}" not in each)
        self._telling_hosts = tuple(each for each in SHAPES[family] if "{t}" in each)

    def cell(self, index: int) -> tuple[str, str]:
        """Return a site's topic and language."""
        return topic_of(self.key, index), "en"

    def make_host(self, rng: Random, index: int, topic: str) -> str:
        """Make a host name: mostly made up, sometimes with a word for the topic, never with its name."""
        chance, told = rng.random(), topic
        if chance < MISLEADING_HOST:
            told = pick(rng, TOPICS)
        is_telling = chance < MISLEADING_HOST + TELLING_HOST and told != GENERAL
        shape = pick(rng, self._telling_hosts if is_telling else self._plain_hosts)
        word = pick(rng, self._phrasing.synonyms[told]) if is_telling else ""
        return shape.format(a=pick(rng, FIRST[self.family]), b=pick(rng, SECOND[self.family]), t=word, n=index)

    def name(self, index: int, topic: str) -> str:
        """Return what a site calls itself: made-up words, or one and a word for its topic."""
        rng = dice(self.key, "name", index)
        first, chance = pick(rng, FIRST[self.family]).title(), rng.random()
        if chance < 0.45:
            return f"{first} {pick(rng, SECOND[self.family]).title()}"
        if chance < 0.8:
            return f"{first} {pick(rng, self._phrasing.synonyms[topic]).title()}"
        return f"{first} {pick(rng, read_topical_wording(self.family).topics[topic].nouns)}"

    def read_wording(self, language: str) -> Wording:
        """Return what authors say."""
        return read_topical_wording(self.family)

    def draw_databases(self, rng: Random, index: int, topic: str) -> tuple[str, ...]:
        """Draw the topics of a site's databases; sites on none have some on a topic, others a second on another."""
        return self.list_databases(index, topic)

    def list_databases(self, index: int, topic: str) -> tuple[str, ...]:
        """Return the topics of a site's databases, without its plan."""
        rng = dice(self.key, "databases", index)
        if rng.random() >= (TOPIC_DEEP if topic in TOPICS else OTHER_DEEP):
            return ()
        first = self._draw_database(rng, topic, 1.0, 0.0)
        if rng.random() >= SECOND_DATABASE:
            return (first,)
        return first, self._draw_database(rng, topic, OWN_SECOND, SIBLING_SECOND)

    def _draw_database(self, rng: Random, topic: str, own: float, sibling: float) -> str:
        """Draw the topic of a database: of sites on a topic the same or a sibling, of others seldom any."""
        chance = rng.random()
        if topic not in TOPICS:
            return draw_known(rng, self.key) if chance < STRAY_DATABASE else pick(rng, tuple(OTHER_KINDS))
        siblings = [each for each in SIBLINGS[topic] if each in TOPICS]
        if chance < own:
            return topic
        return pick(rng, siblings) if siblings and chance < own + sibling else pick(rng, tuple(OTHER_KINDS))

    def count_links(self, own: Traits) -> int:
        """Return how many times as many links as usual a site has."""
        return DIRECTORY_TIMES if own.spread == "directory" else super().count_links(own)

    def choose_site(self, rng: Random, own: Traits, sites: int) -> int:
        """Choose a site to link to: on the same topic above all, then on a sibling, then anywhere."""
        chance, topic = rng.random(), own.topic
        if topic == GENERAL:
            if own.spread == "directory":
                topic = pick(rng, self._directory_topics(own.index))
            elif chance < TOPIC_FROM_NONE:
                topic = draw_topic(rng, self.key)
        elif chance >= OWN_TOPIC:
            topic = pick(rng, SIBLINGS[topic]) if chance < OWN_TOPIC + SIBLING_TOPIC else ""
        return draw_site(rng, self.key, topic, sites, POPULARITY) if topic else int(sites * rng.random() ** POPULARITY)

    def _directory_topics(self, index: int) -> tuple[str, ...]:
        rng = dice(self.key, "directory", index)
        drawn = [pick(rng, TOPICS) if place % 2 else draw_topic(rng, self.key) for place in range(DIRECTORY_TOPICS)]
        return tuple(dict.fromkeys(drawn))

    def is_deep_link(self, index: int, place: int) -> bool:
        """Return True for some of the links that a site chose; those by which others are found lead to roots."""
        return mix(self.key ^ 0xDEEB, index * 1009 + place) % 100 < 100 * DEEP_LINKS

    def shelve(self, site: SitePlan) -> dict[int, tuple[str, ...]] | None:
        """Return the sites that a directory lists, by page: each page has those of one topic."""
        if site.traits.spread != "directory":
            return None
        return {page: addresses for page, (_, addresses) in site.centres.items()}

    def find_centres(self, site: SitePlan) -> dict[int, tuple[str, tuple[str, ...]]]:
        """Return the pages of a directory that list sites: what of, and which."""
        by_topic: dict[str, list[str]] = {}
        for address in site.neighbours:
            by_topic.setdefault(self._topic_at(address), []).append(address)
        starts = site.tree.starts
        pages = range(starts[1], starts[min(3, len(starts) - 1)]) if len(starts) > 2 else range(1)
        listed: dict[int, list[tuple[str, list[str]]]] = {}
        place = 0
        for topic, addresses in sorted(by_topic.items(), key=lambda each: -len(each[1])):
            for start in range(0, len(addresses), SHELF):
                listed.setdefault(pages[place % len(pages)], []).append((topic, addresses[start : start + SHELF]))
                place += 1
        return {
            page: (
                max(shelves, key=lambda each: len(each[1]))[0],
                tuple(each for _, shelf in shelves for each in shelf),
            )
            for page, shelves in listed.items()
        }

    def _topic_at(self, address: str) -> str:
        return topic_of(self.key, index_in(address[7:].partition("/")[0]))

    def page_topic(self, site: SitePlan, page: int) -> str:
        """Return what a page is about: its part of the site, the database of its form, or the sites it lists."""
        own = site.traits.topic
        if page == 0:
            return own
        special = site.tree.special(page)
        if special:
            databases = [site.forms[each].database for each in special.forms]
            return site.databases[databases[0]].topic if databases and databases[0] >= 0 else own
        if site.traits.spread == "directory" and page in site.centres and page:
            return site.centres[page][0]
        return self._branch_topic(site, page)

    def _branch_topic(self, site: SitePlan, page: int) -> str:
        tree, own = site.tree, site.traits.topic
        while (above := tree.parent(page)) > 0:
            page = above
        topic = site.branches.get(page)
        if topic is None:
            rng = dice(site.key, "branch", page)
            chance, topic = rng.random(), own
            if own == GENERAL:
                topic = draw_topic(rng, self.key) if chance < TOPIC_BRANCH else own
            elif chance < STRAY_BRANCH:
                topic = pick(rng, SIBLINGS[own])
            elif chance < STRAY_BRANCH + GENERAL_BRANCH:
                topic = GENERAL
            site.branches[page] = topic
        return topic

    def page_title(self, site: SitePlan, page: int) -> str:
        """Return the title of a directory's page."""
        if site.traits.spread != "directory" or page not in site.centres or not page:
            return ""
        topic = site.centres[page][0]
        before = sum(each < page and one[0] == topic for each, one in site.centres.items())
        titles, nouns = self._phrasing.directory_titles, site.habits.topic(topic).nouns
        title = titles[(site.number + before // len(nouns)) % len(titles)].format(n=nouns[before % len(nouns)])
        return title[:1].upper() + title[1:]

    def write_paragraphs(self, rng: Random, site: SitePlan, page: int) -> list[str]:
        """Write the text of a page in the family's sentences; some home pages have none, or something of everything."""
        topics: tuple[str, ...] = (self.page_topic(site, page),)
        if page == 0:
            chance = mix(site.number ^ 0x40E, 0) % 100 / 100
            if chance < EMPTY_HOME:
                return []
            if chance < EMPTY_HOME + MIXED_HOME:
                topics = (*topics, *(draw_topic(rng, self.key) for _ in range(3)))
        low, high = OWN_WORDS
        share = low + (high - low) * (0.5 * rng.random() + 0.5 * (site.number % 997) / 997)
        paragraphs = []
        for _ in range(between(rng, 2, 5)):
            topic = pick(rng, topics)
            writer = Writer(rng, topic, share, site.number, pick(rng, TOPICS))
            phrases = (
                self._phrasing.about_pages if topic == GENERAL and rng.random() < 0.2 else self._phrasing.sentences
            )
            paragraphs.append(" ".join([writer.fill(pick(rng, phrases)) for _ in range(between(rng, 3, 6))]))
        return paragraphs

    def mention(self, site: SitePlan, address: str) -> Mention:
        """Return how a site writes a link to another: by name, by what it is about, by host, or in passing."""
        index = index_in(address[7:].partition("/")[0])
        rng = dice(site.number, "mention", address)
        chance = rng.random()
        way = next(name for name, end in MENTIONS if chance < end)
        topic = topic_of(self.key, index)
        name = self.name(index, topic)
        if way == "name":
            return Mention(Anchor(address, name))
        if way == "host":
            return Mention(Anchor(address, address[7:].strip("/")))
        if way == "vague":
            return Mention(Anchor(address, pick(rng, self._phrasing.vague_links)), self.describe(index, topic))
        note = self.describe(index, topic)
        return Mention(Anchor(address, note)) if way == "note" else Mention(Anchor(address, name), note)

    def describe(self, index: int, topic: str) -> str:
        """Return the few words that others say of a site."""
        rng = dice(self.key, "blurb", index)
        writer = Writer(rng, topic, 0.75, number_of(self.key, index), pick(rng, TOPICS))
        return writer.fill(pick(rng, self._phrasing.blurbs))


def draw_known(rng: Random, key: int) -> str:
    """Draw one of the topics that crawls are measured on, by its share."""
    while (topic := draw_topic(rng, key)) not in TOPICS:
        pass
    return topic


class Writer:
    """Fills phrases with words of a topic and common ones."""

    def __init__(self, rng: Random, topic: str, share: float, site: int, stray: str) -> None:
        self._rng, self._share, self._site = rng, share, site
        self._own, self._general = read_lexicon(OTHER_KINDS.get(topic, topic)), read_lexicon(GENERAL)
        self._stray = read_lexicon(stray)

    def fill(self, pieces: tuple[str, ...]) -> str:
        """Return a phrase with a word between each two of its pieces."""
        text = pieces[0]
        for piece in pieces[1:]:
            text += self._draw() + piece
        return text[:1].upper() + text[1:]

    def _draw(self) -> str:
        chance = self._rng.random()
        if chance < self._share:
            return self._draw_own()
        lexicon = self._stray if chance > 1 - STRAY_WORDS else self._general
        return lexicon.draw(self._rng)

    def _draw_own(self) -> str:
        """Draw a word of the topic; of the rarer ones each site has its own half."""
        own: Lexicon = self._own
        place = own.draw_place(self._rng)
        if place >= FOCUS_FROM and (self._site >> place % 61) & 1:
            place = own.draw_place(self._rng)
        return own.words[place]
