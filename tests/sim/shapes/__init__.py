"""Tests of the sites that people browse."""
