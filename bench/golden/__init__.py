"""A recorded set of the program's outputs, compared before and after a change: `python -m bench.golden`."""
