"""Dowse finds the databases hidden behind search forms on the web, and draws their records out."""

from __future__ import annotations

from typing import Any

__version__ = "0.1.0"

# The verbs, loaded when first used: `import dowse` and `dowse --help` stay quick.
_VERBS = {
    "find": "dowse.engine.find",
    "Report": "dowse.engine.find",
    "FindSettings": "dowse.settings",
    "FetchSettings": "dowse.settings",
    "inspect": "dowse.step.inspect",
}
__all__ = ["__version__", *_VERBS]


def __getattr__(name: str) -> Any:
    if name not in _VERBS:
        raise AttributeError(f"module 'dowse' has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(_VERBS[name]), name)
