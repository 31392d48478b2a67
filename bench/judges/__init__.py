"""Judges of forms to compare with, trained and asked on the same folds; run by a Python that is not Dowse's."""
