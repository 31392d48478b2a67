"""Crawls on a topic, measured against what the simulated web knows: shared by `paper2`, `paper5` and `topic`."""
