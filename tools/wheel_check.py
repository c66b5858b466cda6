"""Build the distributions, install the wheel in a clean environment and use it: ``python -m tools.wheel_check``.

The wheel is built from the sdist, so both have to be complete. It is installed into a new virtual environment and run
with a new home folder, outside the checkout. Maven's repository of the user is reused, and so is pip's cache.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
import venv
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
FORM = ROOT / "samples" / "sales-slip.jpg"
NOT_INSTALLED = {"README.md"}
"""Files beside the modules that are for readers of the repository only."""


class Failure(Exception):
    """The distribution lacks something, or a command does not do what it should."""


def main() -> int:
    try:
        with tempfile.TemporaryDirectory(prefix="bandsmith-wheel-") as folder:
            check(Path(folder))
    except Failure as failure:
        print(f"\n{failure}", file=sys.stderr)
        return 1
    return 0


def check(folder: Path) -> None:
    """Build, inspect, install and run, all within `folder`. Raises ``Failure``."""
    with step("build the sdist, and the wheel from it"):
        run([sys.executable, "-m", "build", "--outdir", str(folder / "dist"), str(ROOT)])
    [wheel] = (folder / "dist").glob("*.whl")
    with step("look into the wheel"):
        inspect(wheel)
    with step("install it into a clean environment"):
        venv.create(folder / "venv", with_pip=True)
        run([str(folder / "venv/bin/python"), "-m", "pip", "install", "--quiet", str(wheel)])
    use(folder)


def inspect(wheel: Path) -> None:
    """Check that the wheel holds one package, every file of it once, and no tests."""
    names = zipfile.ZipFile(wheel).namelist()
    tops = {name.partition("/")[0] for name in names} - {f"{'-'.join(wheel.name.split('-')[:2])}.dist-info"}
    if tops != {"bandsmith"}:
        raise Failure(f"The wheel installs {sorted(tops)} instead of bandsmith alone.")
    if twice := {name for name in names if names.count(name) > 1}:
        raise Failure(f"The wheel holds these files twice: {sorted(twice)}")
    if missing := sorted(package_files() - set(names)):
        raise Failure(f"The wheel lacks these files: {missing}")
    if extra := sorted(name for name in names if name.startswith("bandsmith/") and name not in package_files()):
        raise Failure(f"The wheel holds these files, which are not part of the package: {extra}")


def package_files() -> set[str]:
    """Return the files of the package as they are installed, links to the folders at the top followed."""
    return {
        str(Path(folder, name).relative_to(ROOT))
        for folder, _, names in os.walk(ROOT / "bandsmith", followlinks=True)
        for name in names
        if "__pycache__" not in folder and name not in NOT_INSTALLED
    }


def use(folder: Path) -> None:
    """Run the commands that a new user runs first."""
    home, work = folder / "home", folder / "work"
    home.mkdir()
    work.mkdir()
    kept = {name: os.environ[name] for name in ("JAVA_HOME", "http_proxy", "https_proxy") if name in os.environ}
    environment = {"PATH": os.environ["PATH"], "HOME": str(home), "LANG": "C.UTF-8", **kept}

    def bandsmith(*arguments: str, code: int = 0) -> str:
        command = [str(folder / "venv/bin/bandsmith"), *arguments]
        done = subprocess.run(command, cwd=work, env=environment, input="", capture_output=True, text=True, check=False)
        if done.returncode != code:
            raise Failure(f"bandsmith {' '.join(arguments)}: exit code {done.returncode}\n{done.stdout}{done.stderr}")
        return done.stdout or done.stderr

    with step("bandsmith --version and --help"):
        expect("bandsmith ", bandsmith("--version"))
        expect("doctor", bandsmith("--help"))
    with step("bandsmith doctor without the report engine"):
        expect("bandsmith doctor --fix", bandsmith("doctor", "--json", code=3))
    with step("bandsmith doctor --fix"):
        expect("jasperreports", bandsmith("doctor", "--fix"))
    with step("bandsmith build"):
        [build] = json.loads(bandsmith("build", str(FORM), "--json"))["builds"]
        if not build["passed"]:
            raise Failure(f"The build did not pass: {build}")
    with step("bandsmith chat"):
        expect("report.jrxml", bandsmith("chat", "--session", "march", "a sales report with customer and amount"))
    with step("bandsmith sessions, kb, status, serve and asyncapi"):
        expect("march", bandsmith("sessions", "list"))
        bandsmith("kb", "list")
        expect("bandsmith chat", bandsmith("status", "--once", code=3))
        expect("NATS_URL", bandsmith("serve", code=2))
        expect("asyncapi: 3.0.0", bandsmith("asyncapi"))


def expect(text: str, output: str) -> None:
    if text not in output:
        raise Failure(f"Expected {text!r} in:\n{output}")


@contextmanager
def step(name: str) -> Iterator[None]:
    """Print the name of a step, and its seconds when it is done."""
    started = time.monotonic()
    print(f"  {name} ...", end="", flush=True)
    yield
    print(f" {time.monotonic() - started:.0f} s", flush=True)


def run(command: list[str]) -> None:
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise Failure(f"{' '.join(command)}\n{(done.stdout + done.stderr)[-4000:]}")


if __name__ == "__main__":
    sys.exit(main())
