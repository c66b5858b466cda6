"""Draw ``layout.png``: the faded form, what was understood of it on top, and a legend below."""

from __future__ import annotations

from functools import lru_cache

import cv2
import numpy as np
from PIL import Image, ImageDraw, ImageFont

from bandsmith.shared.fonts import CJK_FILE, FAMILIES, font_file, is_cjk
from bandsmith.shared.model.geometry import Box
from bandsmith.shared.model.layout import Block, Layout, Remark
from bandsmith.shared.replies import Text

from .page import SCALE

TITLE = (124, 58, 237)
FIXED = (71, 105, 140)
VALUE = (217, 102, 6)
ROW = (16, 145, 90)
GRID = (13, 148, 170)
PICTURE = (190, 60, 120)
REMARK = (220, 38, 38)

_LEGEND = [
    ("box", TITLE, "ocr.legend.title"),
    ("box", FIXED, "ocr.legend.fixed"),
    ("box", VALUE, "ocr.legend.value"),
    ("area", ROW, "ocr.legend.row"),
    ("line", GRID, "ocr.legend.grid"),
    ("box", PICTURE, "ocr.legend.picture"),
]
_REMARK = ("box", REMARK, "ocr.legend.remark")


def draw_pages(pixels: np.ndarray, layout: Layout) -> np.ndarray:
    """Return the overlay (BGR) of a page, or of a page with its later pages below it."""
    pages = np.split(pixels, 1 + len(layout.later))
    drawn = [draw_overlay(page, one) for page, one in zip(pages, [layout, *layout.later], strict=True)]
    return np.vstack(drawn)


def draw_overlay(pixels: np.ndarray, layout: Layout) -> np.ndarray:
    """Return the overlay (BGR), as wide as the page and taller by the legend."""
    faded = cv2.convertScaleAbs(pixels, alpha=0.6, beta=0.4 * 255)
    height, width = faded.shape[:2]
    legend = round(26 * SCALE)
    page = Image.new("RGBA", (width, height + legend), "white")
    page.paste(Image.fromarray(faded[:, :, ::-1]), (0, 0))
    page = Image.alpha_composite(page, _shades(layout, page.size))
    pen = ImageDraw.Draw(page)
    _draw_grids(pen, layout)
    for picture in layout.pictures:
        pen.rectangle(_pixels(picture.box, 1), outline=PICTURE, width=3)
    for block in layout.blocks:
        _round(pen, _pixels(block.box, 1.5), radius=4, outline=_colour(block, layout), width=2)
    for block in layout.blocks:
        if block.role == "value" and block.label:
            _tag(pen, block.label, block.box, VALUE, width)
    for slot in (slot for rows in layout.row_sets for slot in rows.slots):
        first = next((block for block in layout.blocks if slot.blocks and block.id == slot.blocks[0]), None)
        if first is not None and slot.label and not first.label:
            _tag(pen, slot.label, first.box, ROW, width)
    for remark in layout.remarks:
        _draw_remark(pen, remark, width)
    _draw_legend(pen, height, width, legend, layout)
    return np.ascontiguousarray(np.asarray(page.convert("RGB"))[:, :, ::-1])


def _shades(layout: Layout, size: tuple[int, int]) -> Image.Image:
    """Draw the translucent areas: values, and rows in two alternating shades."""
    shades = Image.new("RGBA", size, (0, 0, 0, 0))
    pen = ImageDraw.Draw(shades)
    for repeat in layout.tables:
        for number, top in enumerate(repeat.tops):
            row = Box(x=repeat.box.x, y=top, width=repeat.box.width, height=repeat.pitch)
            pen.rectangle(_pixels(row), fill=(*ROW, 56 if number % 2 == 0 else 30))
    for block in layout.blocks:
        if block.role == "value":
            _round(pen, _pixels(block.box, 1.5), radius=4, fill=(*VALUE, 36))
    return shades


def _draw_grids(pen: ImageDraw.ImageDraw, layout: Layout) -> None:
    for grid in layout.grids:
        for cell in grid.cells:
            pen.rectangle(_pixels(cell.box), outline=GRID, width=2)
        pen.rectangle(_pixels(grid.box), outline=GRID, width=4)


def _colour(block: Block, layout: Layout) -> tuple[int, int, int]:
    if block.id == layout.title:
        return TITLE
    return VALUE if block.role == "value" else FIXED


def _tag(pen: ImageDraw.ImageDraw, label: str, box: Box, colour: tuple[int, int, int], edge: int) -> None:
    """Write a value's name in small type on the upper edge of its box; `edge` is the page's width in pixels."""
    text = " ".join(label.split())
    text = text if len(text) <= 18 else text[:17] + "…"
    size = 5.5
    x, y = (box.x - 1) * SCALE, (box.y - 1) * SCALE
    width = _text_width(text, size)
    x = max(0.0, min(x, edge - width - 6))
    _round(pen, (x, y - size * SCALE * 1.15, x + width + 6, y + 1), radius=3, fill=(*colour, 255))
    _write(pen, text, x + 3, y - size * SCALE * 0.25, size, (255, 255, 255))


def _draw_remark(pen: ImageDraw.ImageDraw, remark: Remark, edge: int) -> None:
    """Draw a remark's words where they stood, a line to its target, and a frame around the target."""
    words = " ".join(remark.text.split()) or _bilingual("ocr.legend.delete")
    if remark.target is not None:
        _round(pen, _pixels(remark.target, 3), radius=6, outline=REMARK, width=4)
        if remark.text:
            ends = (remark.box.middle, remark.target.middle)
            pen.line([(x * SCALE, y * SCALE) for x, y in ends], fill=REMARK, width=2)
    _tag(pen, words, remark.box, REMARK, edge)


def _draw_legend(pen: ImageDraw.ImageDraw, top: int, width: int, height: int, layout: Layout) -> None:
    pen.line((0, top, width, top), fill=(200, 205, 212), width=2)
    # A narrow page gets a smaller legend; no font has a size below one pixel.
    size = max(1.0, min(8.0, width / SCALE / 75))
    x, middle, swatch = 8 * SCALE, top + height / 2, size * 1.4 * SCALE
    for kind, colour, code in [*_LEGEND, *([_REMARK] if layout.remarks else [])]:
        text = _bilingual(code)
        edge = (x, middle - swatch / 3, x + swatch, middle + swatch / 3)
        if kind == "area":
            pen.rectangle(edge, fill=tuple(round(255 + (part - 255) * 0.25) for part in colour))
        elif kind == "line":
            pen.rectangle(edge, outline=colour, width=4)
        else:
            _round(pen, edge, radius=4, outline=colour, width=2)
        x += swatch + 3 * SCALE
        _write(pen, text, x, middle + size * SCALE * 0.35, size, (55, 65, 81))
        x += _text_width(text, size) + 8 * SCALE


def _round(
    pen: ImageDraw.ImageDraw,
    box: tuple[float, float, float, float],
    *,
    radius: int,
    fill: tuple[int, ...] | None = None,
    outline: tuple[int, ...] | None = None,
    width: int = 1,
) -> None:
    """Draw a box with round corners. Pillow fails at corners that are too large for their box."""
    left, top, right, bottom = map(round, box)
    if min(right - left, bottom - top) > 2 * radius + 1:
        pen.rounded_rectangle((left, top, right, bottom), radius=radius, fill=fill, outline=outline, width=width)
    else:
        pen.rectangle((left, top, right, bottom), fill=fill, outline=outline, width=width)


def _bilingual(code: str) -> str:
    """Return a text in both languages, as one picture serves readers of either."""
    text = Text.of(code)
    return f"{text.en} {text.zh}"


def _write(
    pen: ImageDraw.ImageDraw, text: str, x: float, baseline: float, size: float, colour: tuple[int, int, int]
) -> None:
    for char in text:
        face = _face(char, size)
        pen.text((x, baseline), char, fill=colour, font=face, anchor="ls")
        x += face.getlength(char)


def _text_width(text: str, size: float) -> float:
    return sum(_face(char, size).getlength(char) for char in text)


def _face(char: str, size: float) -> ImageFont.FreeTypeFont:
    return _font(CJK_FILE if is_cjk(char) else FAMILIES["DejaVu Sans"].regular, size)


@lru_cache(maxsize=16)
def _font(name: str, size: float) -> ImageFont.FreeTypeFont:
    return ImageFont.truetype(str(font_file(name)), size * SCALE)


def _pixels(box: Box, margin: float = 0.0) -> tuple[float, float, float, float]:
    left, top = (box.x - margin) * SCALE, (box.y - margin) * SCALE
    return left, top, max(left, (box.right + margin) * SCALE), max(top, (box.bottom + margin) * SCALE)
