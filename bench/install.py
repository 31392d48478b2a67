"""Peers and servers, installed beside Dowse and never into its own environment."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import venv
from pathlib import Path

from bench.places import FORMASAURUS_PYTHON, LEARNERS_PYTHON, PEER_PYTHON, SCRATCH

PEER_PACKAGES = ("scrapy", "crawlee[parsel]")
BARE_PACKAGES = ("httptools", "uvloop")
BARE_FOLDER = SCRATCH / "bare"  # put on the path of Dowse's own Python: the limit reads pages with Dowse's parser
FORMASAURUS_PACKAGES = ("formasaurus==0.10.0",)  # it brings its trained model
LEARNER_PACKAGES = (*FORMASAURUS_PACKAGES, "scikit-learn==1.9.1")  # figures of learners move with its version
PLOT_PACKAGES = ("matplotlib",)
TREE_PACKAGES = ("apted==1.0.3", "zss==1.2.0")
TREE_FOLDER = (
    SCRATCH / "trees"
)  # on the path of Dowse's own Python: both are Python, and so is the mapping they stand beside
PLOT_FOLDER = SCRATCH / "plots"


class Missing(Exception):
    """Something the bench needs is not there and cannot be installed; the message is for the user."""


def install_peers() -> Path:
    """Return the Python that has the peers."""
    if not _imports(PEER_PYTHON, "scrapy, crawlee, parsel"):
        venv.create(PEER_PYTHON.parent.parent, with_pip=True)
        _pip(PEER_PYTHON, "install", *PEER_PACKAGES)
    return PEER_PYTHON


def install_bare() -> Path:
    """Return a folder with what the bare client needs beside Dowse's packages."""
    if not (BARE_FOLDER / "httptools").is_dir():
        _pip(Path(sys.executable), "install", "--target", str(BARE_FOLDER), *BARE_PACKAGES)
    return BARE_FOLDER


def install_formasaurus() -> Path:
    """Return the Python that has Formasaurus, in an environment of its own."""
    if not _imports(FORMASAURUS_PYTHON, "formasaurus"):
        venv.create(FORMASAURUS_PYTHON.parent.parent, with_pip=True)
        _pip(FORMASAURUS_PYTHON, "install", *FORMASAURUS_PACKAGES)
    return FORMASAURUS_PYTHON


def install_learners() -> Path:
    """Return the Python that trains the judges of forms to compare with, in an environment of its own."""
    if not _imports(LEARNERS_PYTHON, "formasaurus, sklearn"):
        venv.create(LEARNERS_PYTHON.parent.parent, with_pip=True)
        _pip(LEARNERS_PYTHON, "install", *LEARNER_PACKAGES)
    return LEARNERS_PYTHON


def install_plots() -> Path:
    """Return a folder with what plots are drawn with."""
    if not (PLOT_FOLDER / "matplotlib").is_dir():
        _pip(Path(sys.executable), "install", "--target", str(PLOT_FOLDER), *PLOT_PACKAGES)
    return PLOT_FOLDER


def install_trees() -> Path:
    """Return a folder with the peers that measure how far trees are apart."""
    if not (TREE_FOLDER / "apted").is_dir() or not (TREE_FOLDER / "zss").is_dir():
        _pip(Path(sys.executable), "install", "--no-deps", "--target", str(TREE_FOLDER), *TREE_PACKAGES)
    return TREE_FOLDER


def find_nginx() -> str:
    """Return nginx; where it is missing, Debian's package is unpacked into .bench, so that no service starts."""
    unpacked = SCRATCH / "debian" / "usr" / "sbin" / "nginx"
    found = shutil.which("nginx", path=os.environ.get("PATH", "") + ":/usr/sbin")
    if found:
        return found
    if not unpacked.exists():
        _unpack("nginx", unpacked.parents[2])
    return str(unpacked)


def find_wget() -> str:
    """Return wget, installed when it is missing and we may."""
    return _find_tool("wget")


def find_wrk() -> str:
    """Return wrk, which asks a server as fast as it answers, installed when it is missing and we may."""
    return _find_tool("wrk")


def _find_tool(name: str) -> str:
    if not shutil.which(name):
        if os.geteuid() != 0:
            raise Missing(f"{name} is missing: apt-get install {name}")
        _refresh_lists()
        _call(["apt-get", "install", "-y", "--no-install-recommends", name], f"apt-get install {name}")
    return shutil.which(name) or name


def list_versions() -> dict[str, str]:
    """Return the versions of all that is measured."""
    versions = _packages(Path(sys.executable))
    versions |= {f"peer {name}": version for name, version in _packages(PEER_PYTHON).items()}
    versions |= {f"formasaurus {name}": version for name, version in _packages(FORMASAURUS_PYTHON).items()}
    versions |= {f"learners {name}": version for name, version in _packages(LEARNERS_PYTHON).items()}
    for name, words in {"nginx": "-v", "wget": "--version", "wrk": "-v"}.items():
        tool = shutil.which(name, path=os.environ.get("PATH", "") + ":/usr/sbin")
        if tool:  # an experiment that needs it has installed it by now
            said = subprocess.run([tool, words], capture_output=True, text=True, check=False)
            versions[name] = (said.stdout + said.stderr).splitlines()[0]
    return versions


def _unpack(package: str, target: Path) -> None:
    folder = SCRATCH / "deb"
    folder.mkdir(parents=True, exist_ok=True)
    if not shutil.which("apt-get"):
        raise Missing(f"{package} is missing: install it with this system's packages")
    _refresh_lists()
    _call(["apt-get", "download", package], f"apt-get install {package}", folder)
    for archive in folder.glob(f"{package}_*.deb"):
        _call(["dpkg-deb", "-x", str(archive), str(target)], f"apt-get install {package}")


def _refresh_lists() -> None:
    """A fresh container has no package lists; whether this worked shows in what comes after."""
    if os.geteuid() == 0:
        subprocess.run(["apt-get", "update", "-qq"], capture_output=True, check=False)


def _call(command: list[str], advice: str, folder: Path | None = None) -> None:
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    if done.returncode:
        last = (done.stderr.strip().splitlines() or ["no reason given"])[-1]
        raise Missing(f"{' '.join(command[:3])} failed ({last}); try: {advice}")


def _pip(python: Path, *words: str) -> None:
    _call([str(python), "-m", "pip", "--disable-pip-version-check", "-q", *words], f"pip {' '.join(words)}")


def _imports(python: Path, names: str) -> bool:
    return python.exists() and not subprocess.run([python, "-c", f"import {names}"], capture_output=True).returncode


def _packages(python: Path) -> dict[str, str]:
    if not python.exists():
        return {}
    code = (
        "import importlib.metadata as m, json;"
        "print(json.dumps({d.metadata['Name'].lower(): d.version for d in m.distributions()}))"
    )
    said = subprocess.run([python, "-c", code], capture_output=True, text=True, check=True).stdout
    return dict(json.loads(said))
