"""Where the bench reads and writes."""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SCRATCH = ROOT / ".bench"  # git-ignored: page sets, peers, databases of single runs
RESULTS = ROOT / "bench" / "results"
DOCS = ROOT / "docs" / "bench"
PEERS = ROOT / "bench" / "peers"  # one script per peer, run by the peers' own Python
DATA = Path(os.environ.get("DOWSE_DATA", ROOT.parent / "shared" / "data"))  # real data, where it is at hand
LABELS = ROOT / "bench" / "labels"  # what people said of real forms and lists
FLOORS = ROOT / "bench" / "floors.json"
PEER_PYTHON = SCRATCH / "venv" / "bin" / "python"
FORMASAURUS_PYTHON = SCRATCH / "formasaurus" / "bin" / "python"
JUDGES = ROOT / "bench" / "judges"  # judges of forms to compare with, run by the learners' own Python
LEARNERS_PYTHON = SCRATCH / "learners" / "bin" / "python"
DOWSE = Path(sys.executable).with_name("dowse")  # the command as a user has it


def empty_folder(path: Path) -> Path:
    """Make a folder that has nothing in it."""
    shutil.rmtree(path, ignore_errors=True)
    path.mkdir(parents=True)
    return path
