"""The engine's classes as a file that the JVM maps into memory: class data sharing.

    python -m bandsmith.services.validator.engine.class_archive LIST SCRATCH

A worker's start loads some 5,000 classes, and reading and verifying them is a good part of its processor time. From the
archive they come verified. The set-up makes it from a template of the project. A worker could not be trusted with that,
for what it leaves would be code of all later workers, and it has run templates from outside.

The archive holds for one JVM and one set of jars, and both are in its name: after an upgrade of Java, workers start
without an archive until the set-up has run again. An archive that the JVM does not accept all the same is ignored.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
import tempfile
from contextlib import suppress
from pathlib import Path

from .classpath import classpath, home, jars_folder

TIMEOUT_S = 120
HEAP_MB = 512


def class_archive() -> Path | None:
    """Return where the archive of this machine's JVM is, or would be; None without a JVM."""
    if not (java := _java()):
        return None
    program = java.stat()
    made_of = (str(java), program.st_size, int(program.st_mtime), str(jars_folder()))
    return home() / f"classes-{hashlib.sha256(repr(made_of).encode()).hexdigest()[:12]}.jsa"


def usable_archive() -> Path | None:
    """Return the archive, if there is one. The JVM could not make one where it is empty."""
    archive = class_archive()
    return archive if archive and archive.is_file() and archive.stat().st_size else None


def create() -> None:
    """Make the archive if it does not exist. A JVM that cannot make one gets an empty file, and is not asked again."""
    archive, java = class_archive(), _java()
    if archive is None or java is None or archive.is_file():
        return
    with tempfile.TemporaryDirectory(dir=home()) as folder:
        loaded, made = Path(folder, "loaded"), Path(folder, "archive")
        _run([sys.executable, "-P", "-m", __name__, str(loaded), folder])
        _run(
            [
                str(java),
                "-Xshare:dump",
                "-XX:+UseG1GC",  # the only collector with which an archive gets objects; others can read them
                f"-XX:SharedClassListFile={loaded}",
                f"-XX:SharedArchiveFile={made}",
                "-cp",
                os.pathsep.join(entry for entry in classpath() if entry.endswith(".jar")),
            ]
        )
        made.touch()
        made.replace(archive)


def _java() -> Path | None:
    """Return the program of the JVM that jpype finds."""
    chosen = os.environ.get("JAVA_HOME")
    java = shutil.which("java", path=str(Path(chosen, "bin"))) if chosen else shutil.which("java")
    return Path(java).resolve() if java else None


def _run(command: list[str]) -> None:
    """Run one step. If it fails, there is no archive, and everything works without one."""
    with suppress(subprocess.TimeoutExpired):
        subprocess.run(command, capture_output=True, check=False, timeout=TIMEOUT_S)


def _list_classes(target: str, scratch: str) -> None:
    """Write the names of the classes that a worker's start loads, then end this process."""
    import jpype  # noqa: PLC0415 - workers and their owners import this module too

    from .jasper import JasperReports  # noqa: PLC0415

    jasper = JasperReports(classpath(), HEAP_MB, scratch, [f"-XX:DumpLoadedClassList={target}"])
    jasper.warm_up()
    jpype.JClass("java.lang.System").exit(0)


if __name__ == "__main__":
    _list_classes(*sys.argv[1:3])
