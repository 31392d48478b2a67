"""A world with topics in it: rare topics by a power law, six sites in ten on none, words of real text.

    world = World(seed=1, sites=20_000, topics="power-law")  # family="B" to report on
    fetch = simulate(world)                                  # a Fetch, in this process
    relevant = [site for site in world.truth() if site.topic == "cars"]

`dowse sim --topics power-law` serves the same over HTTP. The topics to search for are `TOPICS`; a form is on the topic of
its database (`DatabaseTruth.topic`), a site on `SiteTruth.topic`, which is `GENERAL` for sites on none. `share_of` says how
rare a topic is in a world. Texts of domains for which `is_world_text` is False did not make the world: train on those.
"""

from dowse.sim.topical.lexicon import GENERAL, is_world_text
from dowse.sim.topical.shares import SIBLINGS, SIDE_TOPICS, TOPICS, share_of, sites_on

__all__ = ["GENERAL", "SIBLINGS", "SIDE_TOPICS", "TOPICS", "is_world_text", "share_of", "sites_on"]
