"""The deep web in a box: worlds from a seed, with sites, forms, decoys, traps, databases, and the truth about them."""

from dowse.sim.fetch import simulate
from dowse.sim.server import serve
from dowse.sim.truth import SiteTruth, score_forms, to_json
from dowse.sim.world import World, world_truth_summary

__all__ = ["SiteTruth", "World", "score_forms", "serve", "simulate", "to_json", "world_truth_summary"]
