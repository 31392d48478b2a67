"""Results in processes whose sets have another order."""

from __future__ import annotations

import os
import subprocess
import sys


def run_with_hash_seed(script: str, seed: int) -> str:
    """Return what a script prints in a process with this seed of hashes."""
    environment = {**os.environ, "PYTHONHASHSEED": str(seed)}
    done = subprocess.run([sys.executable, "-c", script], env=environment, capture_output=True, text=True, check=True)
    return done.stdout.strip()
