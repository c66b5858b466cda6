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
    _, dash, part = path.stem.partition("-")
    if dash and not part.isdigit():  # the name of one of several reports
        return f"{title} {part}{path.suffix}"
    return f"{title}{dash}{part}{path.suffix}"
