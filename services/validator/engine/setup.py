"""Fetch the engine's jars with Maven and write its font extension.

    python -m bandsmith.services.validator.engine.setup


Each part is a folder named by the hash of what it is made from and appears whole or not at all, so running this again
is quick, and two at once do no harm.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

from bandsmith.shared.errors import MissingPart

from . import fonts
from .classpath import POM, extension_folder, home, jars_folder


def main() -> int:
    try:
        set_up()
    except MissingPart as missing:
        print(missing.message, file=sys.stderr)
        return 3
    print(f"The report engine is set up in {home()}.")
    return 0


def set_up() -> None:
    """Make whatever part is not there yet. Raises ``MissingPart`` when Maven or a font is missing."""
    _make(jars_folder(), _fetch_jars)
    _make(extension_folder(), fonts.write)


def _make(folder: Path, fill: Callable[[Path], None]) -> None:
    if folder.is_dir():
        return
    folder.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=folder.parent) as scratch:
        part = Path(scratch) / "part"
        part.mkdir()
        fill(part)
        try:
            part.rename(folder)
        except OSError:
            if not folder.is_dir():  # unless another process made it meanwhile
                raise


def _fetch_jars(folder: Path) -> None:
    if not (maven := shutil.which("mvn")):
        raise MissingPart(
            "Maven is not installed; install the packages maven and default-jre-headless.",
            message_zh="没有安装 Maven;请安装 maven 和 default-jre-headless。",
        )
    command = [maven, "-q", "-B", "-f", str(POM), "dependency:copy-dependencies", f"-DoutputDirectory={folder}"]
    done = subprocess.run(command, capture_output=True, text=True, check=False, env={**os.environ, "NO_COLOR": "1"})
    if done.returncode:
        reason = next((line for line in done.stdout.splitlines() if "ERROR" in line), "no message")
        raise MissingPart(
            f"Maven could not fetch the report engine: {reason[:300]}",
            message_zh=f"Maven 无法下载报表引擎:{reason[:300]}",
        )


if __name__ == "__main__":
    sys.exit(main())
