"""Dowse finds the databases hidden behind search forms on the web, and draws their records out."""

from __future__ import annotations

import sys
from importlib import import_module
from types import ModuleType
from typing import Any

__version__ = "0.1.0"

# The verbs, loaded when first used: `import dowse` and `dowse --help` stay quick.
_VERBS = {
    "find": "dowse.engine.find",
    "Report": "dowse.engine.find",
    "FindSettings": "dowse.settings",
    "FetchSettings": "dowse.settings",
    "HarvestSettings": "dowse.settings",
    "inspect": "dowse.step.inspect",
    "harvest": "dowse.harvester.harvest",
    "like": "dowse.example.learn",
    "follow": "dowse.example.follow",
}
__all__ = ["__version__", *_VERBS]


class _Dowse(ModuleType):
    """`dowse.find` is the verb; the package of the same name is reached by importing from it."""

    def __getattr__(self, name: str) -> Any:
        if name not in _VERBS:
            raise AttributeError(f"module 'dowse' has no attribute {name!r}")
        return getattr(import_module(_VERBS[name]), name)

    def __setattr__(self, name: str, value: Any) -> None:
        if name not in _VERBS:  # the import system would put the package in the verb's place
            super().__setattr__(name, value)


sys.modules[__name__].__class__ = _Dowse
