"""A canvas for forms, in points from its top left, with what every form has: text, rules, bars and tables."""

from __future__ import annotations

from itertools import groupby, pairwise
from typing import Literal

from PIL import Image, ImageDraw, ImageFont

from bandsmith.shared.fonts import CJK_FILE, FAMILIES, font_file, is_cjk

DPI = 150
_OVERSAMPLING = 2
"""Everything is drawn this many times larger and scaled down, so that edges are smooth."""
PX = DPI / 72 * _OVERSAMPLING
"""Pixels of the oversized picture per point."""

Align = Literal["left", "center", "right"]


class FormCanvas:
    """Draws in points; `picture` returns the page at 150 dots per inch."""

    def __init__(self, width: float, height: float, paper: str = "#ffffff") -> None:
        self.width, self.height = width, height
        self.image = Image.new("RGB", (round(width * PX), round(height * PX)), paper)
        self.pen = ImageDraw.Draw(self.image)

    def picture(self) -> Image.Image:
        size = round(self.width * DPI / 72), round(self.height * DPI / 72)
        return self.image.resize(size, Image.Resampling.LANCZOS)

    def text(
        self, x: float, y: float, text: str, size: float = 9, *,
        bold: bool = False, align: Align = "left", colour: str = "#1a1a1a", family: str = "Liberation Sans",
        spacing: float = 0,
    ) -> float:  # fmt: skip
        """Write one line of text on the baseline `y`, from, around or up to `x`, and return its width."""
        runs = _runs(text, letter_by_letter=spacing > 0)
        faces = [face(CJK_FILE if cjk else FAMILIES[family].face(bold, False), size) for cjk, _ in runs]
        widths = [used.getlength(run) / PX + spacing for used, (_, run) in zip(faces, runs, strict=True)]
        width = sum(widths) - spacing
        x -= {"left": 0, "center": width / 2, "right": width}[align]
        start = x
        for (cjk, run), used, advance in zip(runs, faces, widths, strict=True):
            stroke = round(size * PX / 40) if cjk and bold else 0  # the CJK face has no bold variant
            place = (x * PX, y * PX)
            self.pen.text(place, run, fill=colour, font=used, anchor="ls", stroke_width=stroke, stroke_fill=colour)
            x += advance
        return x - spacing - start

    def pair(self, x: float, y: float, label: str, value: str, size: float = 9) -> None:
        """Write a label and the value that was filled in after it."""
        gap = 0.5 if label.endswith("：") else 4  # the glyph of the full-width colon includes space
        self.text(x + self.text(x, y, label, size) + gap, y, value, size)

    def line(self, x1: float, y1: float, x2: float, y2: float, width: float = 0.6, colour: str = "#1a1a1a") -> None:
        half = width / 2
        corners = (min(x1, x2) - half, min(y1, y2) - half, max(x1, x2) + half, max(y1, y2) + half)
        self.pen.rectangle([round(side * PX) for side in corners], fill=colour)

    def bar(self, x: float, y: float, width: float, height: float, colour: str, radius: float = 0) -> None:
        corners = [round(side * PX) for side in (x, y, x + width, y + height)]
        self.pen.rounded_rectangle(corners, radius * PX, fill=colour)

    def frame(self, x: float, y: float, width: float, height: float, thickness: float = 0.6) -> None:
        for x1, y1, x2, y2 in ((0, 0, 1, 0), (0, 1, 1, 1), (0, 0, 0, 1), (1, 0, 1, 1)):
            self.line(x + x1 * width, y + y1 * height, x + x2 * width, y + y2 * height, thickness)

    def row(
        self, edges: list[float], y: float, height: float, texts: list[str], aligns: str, size: float = 9,
        *, bold: bool = False, colour: str = "#1a1a1a",
    ) -> None:  # fmt: skip
        """Write one row of texts between the column edges; `aligns` has one of l, c and r for each."""
        baseline = y + height / 2 + size * 0.36
        for (left, right), text, how in zip(pairwise(edges), texts, aligns, strict=True):
            x = {"l": left + 4, "c": (left + right) / 2, "r": right - 4}[how]
            align: Align = {"l": "left", "c": "center", "r": "right"}[how]  # type: ignore[assignment]
            self.text(x, baseline, text, size, bold=bold, align=align, colour=colour)


def _runs(text: str, letter_by_letter: bool) -> list[tuple[bool, str]]:
    """Split text into runs of one face each, and tell whether that is the CJK face."""
    if letter_by_letter:
        return [(is_cjk(char), char) for char in text]
    return [(cjk, "".join(run)) for cjk, run in groupby(text, key=is_cjk)]


def face(name: str, size: float) -> ImageFont.FreeTypeFont:
    """Load a font file at `size` points."""
    return ImageFont.truetype(str(font_file(name)), size * PX, layout_engine=ImageFont.Layout.BASIC)
