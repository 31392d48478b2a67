"""What the sites of a world are about, and what follows from it: their names, databases, text and links.

`Themes` is a world of eight topics with as many sites each. A world whose topics follow a power law
(`dowse.sim.topical`) answers the same questions in its own way.
"""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING

from dowse.sim.cells import BLOCK, cell_of, site_like
from dowse.sim.chance import between, number_of, pick
from dowse.sim.hosts import make_host
from dowse.sim.queryforms import DEEP_SHARE
from dowse.sim.tables import TOPIC_NAMES
from dowse.sim.view import Anchor, Mention
from dowse.sim.wording import Wording, read_wording

if TYPE_CHECKING:
    from dowse.sim.plan import SitePlan
    from dowse.sim.traits import Traits

SAME_TOPIC = 0.7  # of the links that a site chooses
POPULARITY = 2.5  # low numbers are popular
TIMES_MANY = 10  # as many links as usual, on sites that list others, in a world of many links


class Themes:
    """Eight topics, evenly; one topic for all pages of a site; other sites are called by their host."""

    def __init__(self, seed: int, family: str, outlinks: str = "few") -> None:
        self.seed, self.family, self.outlinks = seed, family, outlinks
        self.key = number_of(seed, family)

    def cell(self, index: int) -> tuple[str, str]:
        """Return a site's topic and language."""
        return cell_of(self.key, index)

    def make_host(self, rng: Random, index: int, topic: str) -> str:
        """Make the host name of a site."""
        return make_host(rng, self.family, index, topic)

    def name(self, index: int, topic: str) -> str:
        """Return what a site calls itself; nothing leaves it to its author's habits."""
        return ""

    def read_wording(self, language: str) -> Wording:
        """Return what authors of a language say."""
        return read_wording(self.family, language)

    def draw_databases(self, rng: Random, index: int, topic: str) -> tuple[str, ...]:
        """Draw the topics of a site's databases: most have none, the others mostly one, on their own."""
        if rng.random() >= DEEP_SHARE:
            return ()
        count = 1 + (rng.random() < 0.3)
        return (topic, *(pick(rng, TOPIC_NAMES) for _ in range(count - 1)))

    def count_links(self, own: Traits) -> int:
        """Return how many times as many links as usual a site has."""
        return TIMES_MANY if self.outlinks == "many" and own.spread in ("directory", "mixed") else 1

    def choose_site(self, rng: Random, own: Traits, sites: int) -> int:
        """Choose a site to link to: popular ones more often, those of the same topic and language above all."""
        chance = rng.random() ** POPULARITY
        if rng.random() >= SAME_TOPIC:
            return int(sites * chance)
        block = int(sites / BLOCK * chance)
        number = site_like(self.key, block, own.topic, own.language, int(rng.random() * 64))
        return number if number < sites else int(sites * chance)

    def is_deep_link(self, index: int, place: int) -> bool:
        """Return True if a site links to a page within another instead of its root."""
        return False

    def shelve(self, site: SitePlan) -> dict[int, tuple[str, ...]] | None:
        """Return the other sites by the page that lists them, where they are sorted by topic."""
        return None

    def find_centres(self, site: SitePlan) -> dict[int, tuple[str, tuple[str, ...]]]:
        """Return the pages of a directory that list sites: what of, and which."""
        return {}

    def page_topic(self, site: SitePlan, page: int) -> str:
        """Return what a page is about."""
        return site.traits.topic

    def page_title(self, site: SitePlan, page: int) -> str:
        """Return the title of a page that has one of its own, or nothing."""
        return ""

    def write_paragraphs(self, rng: Random, site: SitePlan, page: int) -> list[str]:
        """Write the text of a page."""
        words = site.habits.topic(site.traits.topic)
        general = site.habits.wording.sentences
        paragraphs = []
        for _ in range(between(rng, 2, 5)):
            stock = [pick(rng, words.sentences if rng.random() < 0.5 else general) for _ in range(between(rng, 2, 5))]
            paragraphs.append(" ".join(dict.fromkeys(stock)).replace("{n}", pick(rng, words.nouns)))
        return paragraphs

    def mention(self, site: SitePlan, address: str) -> Mention:
        """Return how a site writes a link to another."""
        return Mention(Anchor(address, address[7:-1]))
