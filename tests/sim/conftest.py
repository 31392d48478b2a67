"""Small worlds for all tests of the simulated web, one of each family."""

from __future__ import annotations

import pytest

from dowse.sim import SiteTruth, World


@pytest.fixture(scope="session", params=["A", "B"])
def world(request: pytest.FixtureRequest) -> World:
    return World(seed=1, sites=300, family=request.param)


@pytest.fixture(scope="session")
def truths(world: World) -> list[SiteTruth]:
    return list(world.truth())
