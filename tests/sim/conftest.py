"""One small world for all tests of the simulated web."""

from __future__ import annotations

import pytest

from dowse.sim import SiteTruth, World


@pytest.fixture(scope="session")
def world() -> World:
    return World(seed=1, sites=300)


@pytest.fixture(scope="session")
def truths(world: World) -> list[SiteTruth]:
    return list(world.truth())
