"""Command-line arguments that are checked before anything starts: page sizes and output folders."""

from __future__ import annotations

import re
from pathlib import Path

from bandsmith.shared.errors import BadInput
from bandsmith.shared.model.geometry import Size

PAGES = {
    "a3": Size(width=842, height=1191),
    "a4": Size(width=595, height=842),
    "a5": Size(width=420, height=595),
    "b4": Size(width=709, height=1001),
    "b5": Size(width=499, height=709),
    "letter": Size(width=612, height=792),
    "legal": Size(width=612, height=1008),
    "tabloid": Size(width=792, height=1224),
}
"""Page sizes in portrait orientation by name, in points."""
MIN_SIDE_PT, MAX_SIDE_PT = 20, 14_400
"""Shortest and longest side of a page in points; the longest is the limit of PDF."""


def page_size(text: str) -> Size:
    """Parse a page size such as ``595x842`` (points), ``A4`` or ``A4-landscape``. Raises ``BadInput``."""
    text = text.strip().lower()
    name, _, orientation = text.partition("-")
    if name in PAGES and orientation in ("", "portrait", "landscape"):
        page = PAGES[name]
        return Size(width=page.height, height=page.width) if orientation == "landscape" else page
    if sides := re.fullmatch(r"(\d+(?:\.\d+)?)[x×](\d+(?:\.\d+)?)", text):
        page = Size(width=float(sides[1]), height=float(sides[2]))
        if min(page.width, page.height) >= MIN_SIDE_PT and max(page.width, page.height) <= MAX_SIDE_PT:
            return page
    names = ", ".join(name.capitalize() for name in PAGES)
    raise BadInput.of("cli.build.page", min=MIN_SIDE_PT, max=MAX_SIDE_PT, names=names)


def output_folders(inputs: list[Path], out: Path) -> list[Path]:
    """Return each input's output folder: `out` itself for a single input, else subfolders named after the inputs."""
    if len(inputs) == 1:
        return [out]
    names: list[str] = []
    for path in inputs:
        name, number = path.stem, 2
        while name.casefold() in (used.casefold() for used in names):
            name, number = f"{path.stem}-{number}", number + 1
        names.append(name)
    return [out / name for name in names]
