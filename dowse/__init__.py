"""Dowse finds the databases hidden behind search forms on the web, and draws their records out."""

__version__ = "0.1.0"
