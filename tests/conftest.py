"""What tests of all parts share, once per test process."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from functools import cache

import pytest

from tests.served import serve_world


@pytest.fixture(scope="session")
def served_world() -> Iterator[Callable[[int], int]]:
    """The port of a simulated web with so many sites; each is started when it is first asked for."""
    with ExitStack() as servers:
        yield cache(lambda sites: servers.enter_context(serve_world(sites)))
