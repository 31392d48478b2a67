"""The simulated web as a Fetch, in this process."""

from __future__ import annotations

from dowse.fetch import Fetch
from dowse.model import Failure, Request, Response
from dowse.sim.world import World


def simulate(world: World) -> Fetch:
    """Return a Fetch that asks the world and nobody else."""

    async def fetch(request: Request) -> Response | Failure:
        return world.answer(request)

    return fetch
