"""Dowse finds the databases hidden behind search forms on the web, and extracts their records."""

from __future__ import annotations

from importlib import import_module
from typing import Any

__version__ = "0.1.0"

# The verbs, loaded when first used: `import dowse` and `dowse --help` stay quick.
_VERBS = {
    "find": "dowse.engine.find",
    "Report": "dowse.engine.find",
    "FindSettings": "dowse.settings",
    "FetchSettings": "dowse.settings",
    "HarvestSettings": "dowse.settings",
    "inspect": "dowse.step.visit",
    "harvest": "dowse.harvester.harvest",
    "like": "dowse.example.learn",
    "follow": "dowse.example.follow",
}
__all__ = ["__version__", *_VERBS]


def __getattr__(name: str) -> Any:
    if name not in _VERBS:
        raise AttributeError(f"module 'dowse' has no attribute {name!r}")
    return getattr(import_module(_VERBS[name]), name)
