"""Measurements of Dowse beside its peers; `python -m bench` runs them."""
