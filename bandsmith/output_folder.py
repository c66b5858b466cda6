"""The output folder: the files of a build appear in it all together, or not at all."""

from __future__ import annotations

import os
import shutil
import time
import uuid
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from bandsmith.shared.errors import BadInput

from .written_files import note_planned, note_written, users_files

BUILD_FILES = (
    "report.jrxml",
    "data.json",
    "report.pdf",
    "page-1.png",
    "compare.png",
    "layout.png",
    "layout.json",
    "verdict.json",
)
"""Names of the files that a build may write, in the order in which they are listed."""
STAGING, MAX_STAGING_SECONDS = ".bandsmith-", 600
"""How the names of temporary folders begin, and the age from which one counts as abandoned."""


def check_users_files(folder: Path, names: Iterable[str] = BUILD_FILES) -> None:
    """Raises ``BadInput`` if the folder has files of these names that Bandsmith did not write."""
    if theirs := users_files(folder, names):
        raise BadInput.of("cli.output.users_file", code="output", folder=folder, names=", ".join(theirs))


def replace_build(folder: Path, files: dict[str, bytes], *, overwrite: bool = False) -> list[Path]:
    """Write `files` into `folder` and remove those of an earlier build.

    Raises ``BadInput`` when that fails and, without `overwrite`, where a file of the user is in the way.
    """
    with _write_errors(folder):
        if not overwrite:
            check_users_files(folder)
        exists = folder.is_dir()
        parent = folder if exists else folder.parent
        parent.mkdir(parents=True, exist_ok=True)
        with _staged(parent, files) as staging:
            if exists:
                note_planned(folder, files)
                _replace_files(folder, staging, files)
            else:
                staging.rename(folder)
        note_written(folder, files, removed=[name for name in BUILD_FILES if name not in files])
    return [folder / name for name in BUILD_FILES if name in files]


def update_files(folder: Path, files: dict[str, bytes], *, overwrite: bool = False) -> list[Path]:
    """Write the files of a turn into `folder`. A new template replaces all files of the one before.

    Raises ``BadInput`` when that fails and, without `overwrite`, where a file of the user is in the way.
    """
    with _write_errors(folder):
        replaced = [name for name in BUILD_FILES if "verdict.json" in files and name not in files]
        if not overwrite:
            check_users_files(folder, files)
            theirs = users_files(folder, replaced)
            replaced = [name for name in replaced if name not in theirs]
        folder.mkdir(parents=True, exist_ok=True)
        note_planned(folder, files)
        written = add_files(folder, files)
        for name in replaced:
            (folder / name).unlink(missing_ok=True)
        note_written(folder, files, removed=replaced)
    return written


def add_files(folder: Path, files: dict[str, bytes]) -> list[Path]:
    """Write `files` into `folder`, each atomically, and keep everything else in it. Raises ``BadInput``."""
    with _write_errors(folder):
        folder.mkdir(parents=True, exist_ok=True)
        for name in files:
            if (target := folder / name).is_symlink() or (target.exists() and not target.is_file()):
                raise BadInput.of("cli.output.not_a_file", code="output", name=name)  # it would be replaced
        with _staged(folder, files) as staging:
            for name in files:
                (staging / name).replace(folder / name)
    return [folder / name for name in files]


@contextmanager
def _staged(parent: Path, files: dict[str, bytes]) -> Iterator[Path]:
    """Provide a temporary folder with `files` on the same disk as `parent`, and remove those of killed processes."""
    for left in parent.glob(f"{STAGING}*"):
        with suppress(FileNotFoundError):  # another build may just have finished with it
            if left.stat().st_mtime < time.time() - MAX_STAGING_SECONDS:
                shutil.rmtree(left, ignore_errors=True)
    staging = parent / f"{STAGING}{uuid.uuid4().hex}"
    staging.mkdir()  # with the rights of every new folder of the user, since it may become the output folder
    try:
        for name, content in files.items():
            (staging / name).write_bytes(content)
        yield staging
    finally:
        shutil.rmtree(staging, ignore_errors=True)


@contextmanager
def _write_errors(folder: Path) -> Iterator[None]:
    """Turn an ``OSError`` into a ``BadInput`` that names the folder and the reason."""
    try:
        yield
    except OSError as error:
        reason = os.strerror(error.errno) if error.errno else "I/O error"
        raise BadInput.of("cli.output.not_written", code="output", folder=folder, reason=reason) from None


def _replace_files(folder: Path, staging: Path, files: dict[str, bytes]) -> None:
    """Replace each file atomically: the folder itself stays, since it may hold other files."""
    for name in BUILD_FILES:
        if name in files:
            (staging / name).replace(folder / name)
        else:
            (folder / name).unlink(missing_ok=True)
