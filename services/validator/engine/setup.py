"""Set up the engine: fetch its jars with Maven, write its font extension and the archive of its classes.

    python -m bandsmith.services.validator.engine.setup

Each part is a folder named by the hash of what it is made from, and it appears complete or not at all. Running the
setup again is quick, and running it twice at the same time does no harm.
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

from . import class_archive, fonts
from .classpath import POM, extension_folder, home, jars_folder

MAX_REASON_CHARS = 300
"""Characters of Maven's output that the error repeats."""


def main() -> int:
    try:
        set_up()
    except MissingPart as missing:
        print(missing.message, file=sys.stderr)
        return 3
    print(f"The report engine is set up in {home()}.")
    return 0


def set_up() -> None:
    """Create the parts that do not exist yet. Raises ``MissingPart`` when Maven or a font is missing."""
    _create(jars_folder(), _fetch_jars)
    _create(extension_folder(), fonts.write)
    class_archive.create()


def _create(folder: Path, fill: Callable[[Path], None]) -> None:
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
            if not folder.is_dir():  # unless another process created it meanwhile
                raise


def _fetch_jars(folder: Path) -> None:
    if not (maven := shutil.which("mvn")):
        raise MissingPart.of("validator.engine.no_maven", code="missing")
    command = [maven, "-q", "-B", "-f", str(POM), "dependency:copy-dependencies", f"-DoutputDirectory={folder}"]
    done = subprocess.run(command, capture_output=True, text=True, check=False, env={**os.environ, "NO_COLOR": "1"})
    if done.returncode:
        reason = next((line for line in done.stdout.splitlines() if "ERROR" in line), "no message")
        raise MissingPart.of("validator.engine.download", code="missing", reason=reason[:MAX_REASON_CHARS])


if __name__ == "__main__":
    sys.exit(main())
