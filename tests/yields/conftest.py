"""Proofs that would take an hour."""

from __future__ import annotations

import pytest

from dowse.yields import ratio


@pytest.fixture
def resample_less(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make hundreds of intervals in the time of few; the ends of each waver a little more."""
    monkeypatch.setattr(ratio, "RESAMPLES", 199)
