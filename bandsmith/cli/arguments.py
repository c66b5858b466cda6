"""What a person names on the command line, checked before anything is started: files, page sizes, folders."""

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
"""Upright pages by name, in points."""
LEAST, MOST = 20, 14_400
"""The shortest and the longest side of a page, in points; the longest is PDF's own limit."""


def page_size(text: str) -> Size:
    """A page from ``595x842`` (points), ``A4`` or ``A4-landscape``. Raises ``BadInput``."""
    name, _, turned = text.strip().lower().partition("-")
    if name in PAGES and turned in ("", "portrait", "landscape"):
        page = PAGES[name]
        return Size(width=page.height, height=page.width) if turned == "landscape" else page
    if sides := re.fullmatch(r"(\d+(?:\.\d+)?)[x×](\d+(?:\.\d+)?)", text.strip().lower()):
        page = Size(width=float(sides[1]), height=float(sides[2]))
        if min(page.width, page.height) >= LEAST and max(page.width, page.height) <= MOST:
            return page
    names = ", ".join(name.capitalize() for name in PAGES)
    raise BadInput(
        f"The page size has to be WIDTHxHEIGHT in points from {LEAST} to {MOST}, as 595x842, or one of {names}, "
        "each also with -landscape.",
        message_zh=f"页面大小应为以磅为单位的“宽x高”（{LEAST} 到 {MOST}），如 595x842，或为 {names} 之一"
        "（可加 -landscape 表示横向）。",
        code="page",
    )


def folders(inputs: list[Path], out: Path) -> list[Path]:
    """Where each input's files go: `out` itself for one, folders of the inputs' names in it for many."""
    if len(inputs) == 1:
        return [out]
    names: list[str] = []
    for path in inputs:
        name, number = path.stem, 2
        while name.casefold() in (taken.casefold() for taken in names):
            name, number = f"{path.stem}-{number}", number + 1
        names.append(name)
    return [out / name for name in names]
