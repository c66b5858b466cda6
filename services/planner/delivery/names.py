"""Names of delivered files: the delivery's title in place of "filled"."""

from __future__ import annotations

from pathlib import PurePosixPath

MAX_CHARS = 100


def file_names(title: str, files: dict[str, bytes]) -> dict[str, bytes]:
    """Return the files by their names: "Statement 2026-11-01.pdf" for the title "Statement 2026-11-01"."""
    plain = "".join(char if char.isalnum() or char in " -_.," else "_" for char in title)[:MAX_CHARS].strip(" .")
    return {_renamed(name, plain or "report"): content for name, content in files.items()}


def _renamed(name: str, title: str) -> str:
    path = PurePosixPath(PurePosixPath(name).name)
    _, dash, number = path.stem.partition("-")
    return f"{title}{dash}{number}{path.suffix}"
