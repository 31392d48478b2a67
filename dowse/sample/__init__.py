"""Sampling, then executing: record a site once, replay every strategy over it, choose, predict, watch."""
