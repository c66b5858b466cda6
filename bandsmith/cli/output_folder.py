"""The output folder: a build's files come into it all together, or not at all."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from bandsmith.shared.errors import BadInput

NAMES = (
    "report.jrxml",
    "data.json",
    "report.pdf",
    "page-1.png",
    "compare.png",
    "layout.png",
    "layout.json",
    "verdict.json",
)


def write(folder: Path, files: dict[str, bytes]) -> list[Path]:
    """Put `files` into `folder`, and take away those of an earlier build. Raises ``BadInput`` when it cannot be."""
    with _refused(folder):
        there = folder.is_dir()
        beside = folder if there else folder.parent
        beside.mkdir(parents=True, exist_ok=True)
        with _aside(beside, files) as aside:
            if there:
                _replace(folder, aside, files)
            else:
                aside.chmod(0o777 & ~_umask())
                aside.rename(folder)
    return [folder / name for name in NAMES if name in files]


def put(folder: Path, files: dict[str, bytes]) -> list[Path]:
    """Put `files` into `folder`, each in one go, and leave what else is there. Raises ``BadInput``."""
    with _refused(folder):
        folder.mkdir(parents=True, exist_ok=True)
        for name in files:
            if (target := folder / name).is_symlink() or (target.exists() and not target.is_file()):
                raise BadInput(  # it would be replaced
                    f"{name} there is no plain file: choose another name.",
                    message_zh=f"该处的 {name} 不是普通文件：请另选名称。",
                    code="output",
                )
        with _aside(folder, files) as aside:
            for name in files:
                (aside / name).replace(folder / name)
    return [folder / name for name in files]


@contextmanager
def _aside(beside: Path, files: dict[str, bytes]) -> Iterator[Path]:
    """A folder with `files` on the same disk, for as long as the block lasts."""
    aside = Path(tempfile.mkdtemp(prefix=".bandsmith-", dir=beside))
    try:
        for name, content in files.items():
            (aside / name).write_bytes(content)
        yield aside
    finally:
        shutil.rmtree(aside, ignore_errors=True)


@contextmanager
def _refused(folder: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        reason = os.strerror(error.errno) if error.errno else "it cannot be written"
        raise BadInput(
            f"Nothing was written to the folder {folder}: {reason}.",
            message_zh=f"未能写入文件夹 {folder}：{reason}。",
            code="output",
        ) from None


def _replace(folder: Path, aside: Path, files: dict[str, bytes]) -> None:
    """The folder may hold other things, so it stays, and each file takes its predecessor's place in one go."""
    for name in NAMES:
        if name in files:
            (aside / name).replace(folder / name)
        else:
            (folder / name).unlink(missing_ok=True)


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
