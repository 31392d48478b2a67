"""Where a program of the real web lives, and how it is installed there."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import threading
import venv
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from bench.install import Missing
from bench.places import SCRATCH

HOME = Path(os.environ.get("DOWSE_REALWEB", SCRATCH / "realweb"))  # worktrees may share one
PROGRAMS = Path(__file__).parent / "programs"
DOMAIN = "real.example"
PROXY_PORT = int(os.environ.get("DOWSE_REALWEB_PORT", "8500"))  # and those above it; two webs may run at a time
INSTALL_SECONDS = 900
_APT = threading.Lock()  # dpkg serves one at a time


@dataclass(frozen=True, slots=True)
class Server:
    """The command that serves a program, or the folder of a program that is a folder of files."""

    command: tuple[str, ...] = ()
    folder: Path | None = None
    env: Mapping[str, str] = field(default_factory=dict)
    cwd: Path | None = None  # the program's own folder where it is not said
    ready: str = "/"  # answers with less than 500 when the program is ready


@dataclass(frozen=True, slots=True)
class Place:
    """A program's name, port and folder."""

    name: str
    port: int

    @property
    def host(self) -> str:
        return f"{self.name}.{DOMAIN}"

    @property
    def home(self) -> Path:
        return HOME / self.name

    @property
    def state(self) -> Path:
        """What filling makes: databases, repositories, indexes. Emptied before the program is filled."""
        return self.home / "state"

    @property
    def recipe(self) -> Path:
        """The folder of the recipe, with the program's truth and what is run by the program's own Python."""
        return PROGRAMS / self.name

    @property
    def python(self) -> str:
        return str(self.home / "venv" / "bin" / "python")

    def tool(self, name: str) -> str:
        """Return a command that was installed into the program's environment."""
        return str(self.home / "venv" / "bin" / name)

    def pip(self, *packages: str) -> None:
        """Install packages into the program's own environment."""
        if not Path(self.python).exists():
            venv.create(self.home / "venv", with_pip=True)
        self.run(self.python, "-m", "pip", "install", "-q", "--disable-pip-version-check", *packages)

    def npm(self, *packages: str) -> None:
        """Install packages into the program's folder."""
        if not shutil.which("npm"):
            raise Missing(f"{self.name} needs npm")
        self.run("npm", "install", "--silent", "--no-audit", "--no-fund", "--prefix", str(self.home), *packages)

    def apt(self, *packages: str) -> None:
        """Install Debian packages that start no service."""
        absent = [name for name in packages if not _is_installed(name)]
        if not absent:
            return
        if os.geteuid() != 0 or not shutil.which("apt-get"):
            raise Missing(f"{self.name} needs: apt-get install {' '.join(absent)}")
        env = {"DEBIAN_FRONTEND": "noninteractive"}
        with _APT:
            self.run("apt-get", "update", "-qq")
            self.run("apt-get", "install", "-y", "-qq", "--no-install-recommends", *absent, env=env)

    def unpack(self, *packages: str) -> Path:
        """Unpack Debian packages without installing them, for those that would bring a web server along."""
        root = self.home / "root"
        shutil.rmtree(root, ignore_errors=True)
        debs = self.home / "debs"
        debs.mkdir(parents=True, exist_ok=True)
        with _APT:
            self.run("apt-get", "update", "-qq")
            self.run("apt-get", "download", "-qq", *packages, cwd=debs)
        for deb in sorted(debs.glob("*.deb")):
            self.run("dpkg-deb", "-x", str(deb), str(root))
        return root

    def pip_version(self, package: str) -> str:
        """Return the version of a package that pip installed."""
        code = f"import importlib.metadata as m; print(m.version({package!r}))"
        return self.run(self.python, "-c", code).strip()

    def apt_version(self, package: str) -> str:
        """Return the version of a Debian package, installed or not."""
        for line in self.run("apt-cache", "policy", package).splitlines():
            if "Candidate:" in line:
                return line.split(":", 1)[1].strip()
        return "unknown"

    def run(
        self,
        *command: str,
        cwd: Path | None = None,
        env: Mapping[str, str] | None = None,
        stdin: str | bytes | None = None,
    ) -> str:
        """Run a command to its end and return what it printed; raise Missing where it failed."""
        given = stdin.encode() if isinstance(stdin, str) else stdin
        done = subprocess.run(
            command,
            cwd=cwd or self.home,
            env=clean_env(env),
            input=given,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            timeout=INSTALL_SECONDS,
            check=False,
        )
        said = done.stdout.decode("utf-8", "replace")
        if done.returncode:
            raise Missing(f"{self.name}: {' '.join(command)[:200]} ended with {done.returncode}:\n{said[-2000:]}")
        return said


def clean_env(extra: Mapping[str, str] | None = None) -> dict[str, str]:
    """Return the environment of programs: not Dowse's own path, and bytecode is kept so that they start fast."""
    env = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "DJANGO"))}
    return env | {"PYTHONUNBUFFERED": "1", "NO_COLOR": "1"} | dict(extra or {})


def _is_installed(package: str) -> bool:
    said = subprocess.run(["dpkg-query", "-W", "-f", "${Status}", package], capture_output=True, text=True, check=False)
    return "install ok installed" in said.stdout


def write_lines(path: Path, lines: Iterable[str]) -> None:
    """Write lines into a file, and make its folder."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")


def django_server(place: Place, project: Path, settings: str) -> Server:
    """Return the server of a Django project."""
    script = str(Path(__file__).with_name("django_server.py"))
    return Server((place.python, script, str(project), settings, str(place.port)))


def cgi_server(place: Place, folder: Path) -> Server:
    """Return the server of a folder of files and CGI programs."""
    script = str(Path(__file__).with_name("cgi_server.py"))
    return Server((sys.executable, script, str(place.port), str(folder)))
