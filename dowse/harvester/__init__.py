"""Draws the records behind a door: the query, harvest, decompose loop of paper 4."""
