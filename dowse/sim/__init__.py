"""The deep web in a box: worlds from a seed, with sites, forms, decoys, traps, databases, and the truth about them."""

from dowse.sim.fetch import simulate
from dowse.sim.score import Score, score_forms, score_records, score_store
from dowse.sim.server import serve
from dowse.sim.summary import summarise
from dowse.sim.topical.oracle import Oracle
from dowse.sim.truth import SiteTruth, to_json
from dowse.sim.world import FileSource, World

__all__ = [
    "FileSource",
    "Oracle",
    "Score",
    "SiteTruth",
    "World",
    "score_forms",
    "score_records",
    "score_store",
    "serve",
    "simulate",
    "summarise",
    "to_json",
]
