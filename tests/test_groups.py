"""Tests of one xdist group share a worker: what they share, such as a browser or a trained model, is made once."""

from __future__ import annotations

import pytest


@pytest.mark.xdist_group("groups")
def test_groups_are_kept_together(request: pytest.FixtureRequest) -> None:
    """pytest-xdist marks the group in the id of a test; with pytest 9.2 it no longer can, and groups are silently spread."""
    if not getattr(request.config.option, "loadgroup", False):
        pytest.skip("not run with --dist loadgroup")
    assert request.node.nodeid.endswith("@groups")
