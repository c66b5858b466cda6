"""``compare.png``: the form and the filled page side by side, with what differs marked."""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt
from PIL import Image, ImageDraw, ImageFont

from shared.fonts import font_file
from shared.model.verdict import Likeness

from .pictures import PX, PagePicture

_TOLERANCE = 2.0
"""Points that ink may be off without being marked."""
_SPECK = 12
"""Pixels: fewer that hang together are not marked."""
_PALE = 0.72
"""How much of its contrast a page keeps under the marks."""
_PANEL = 900
"""Pixels of a panel's width."""
_GAP, _HEADER, _CAPTION, _FOOTER = 28, 76, 30, 56

_DESK, _PAPER, _TEXT, _FAINT, _EDGE = "#EEF0F3", "#FFFFFF", "#1F2933", "#6B7785", "#CBD2D9"
_MISSING, _EXTRA, _GOOD = (214, 40, 57), (25, 105, 220), (32, 130, 76)


def draw(form: PagePicture, page: PagePicture, likeness: Likeness, findings: int, passed: bool) -> bytes:
    """A PNG: `form` to the left with what is missing in red, `page` to the right with what is too much in blue."""
    page = page.fitted(form.shape)
    radius = round(_TOLERANCE * PX)
    near = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (2 * radius + 1, 2 * radius + 1))
    missing = _without_specks(np.where(cv2.dilate(page.ink, near) == 0, form.ink, 0))
    extra = _without_specks(np.where(cv2.dilate(form.ink, near) == 0, page.ink, 0))
    left, right = _panel(form, missing, _MISSING), _panel(page, extra, _EXTRA)

    width, height = left.width * 2 + _GAP * 3, _HEADER + _CAPTION + left.height + _FOOTER + _GAP // 2
    canvas = Image.new("RGB", (width, height), _DESK)
    pen = ImageDraw.Draw(canvas)
    _header(pen, width, likeness, findings, passed)
    for index, (panel, caption) in enumerate(((left, "Form"), (right, "Filled template"))):
        x, y = _GAP + index * (left.width + _GAP), _HEADER + _CAPTION
        pen.text((x, y - 8), caption, fill=_FAINT, font=_font(15, bold=True), anchor="ls")
        pen.rectangle((x + 3, y + 3, x + panel.width + 2, y + panel.height + 2), fill=_EDGE)
        canvas.paste(panel, (x, y))
        pen.rectangle((x - 1, y - 1, x + panel.width, y + panel.height), outline=_EDGE)
    _legend(pen, height - _FOOTER // 2, width)
    return _png(canvas)


def _without_specks(marks: npt.NDArray[np.uint8]) -> npt.NDArray[np.uint8]:
    """Edges of letters that are a hair thicker, and the noise of photos, say nothing of what differs."""
    count, labels, stats, _ = cv2.connectedComponentsWithStats(marks.astype(np.uint8))
    large = stats[:, cv2.CC_STAT_AREA] >= _SPECK
    large[0] = False
    return large[labels].astype(np.uint8) if count > 1 else marks


def _panel(page: PagePicture, differing: npt.NDArray[np.uint8], colour: tuple[int, int, int]) -> Image.Image:
    """The page, paler, with differing ink in full colour on a soft glow that makes small marks easy to find."""
    scale = min(1.0, _PANEL / page.shape[1])
    size = max(1, round(page.shape[1] * scale)), max(1, round(page.shape[0] * scale))
    pixels = cv2.resize(page.pixels, size, interpolation=cv2.INTER_AREA)[:, :, ::-1]
    pixels = cv2.convertScaleAbs(pixels, alpha=_PALE, beta=255 * (1 - _PALE))
    marked = cv2.resize(differing * 255, size, interpolation=cv2.INTER_AREA)
    near = cv2.dilate((marked > 25).astype(np.uint8) * 255, np.ones((9, 9), np.uint8))
    for mask, weight in ((cv2.GaussianBlur(near, (0, 0), 3), 0.28), (marked, 1.6)):
        where = mask > 0
        share = np.minimum(1, mask[where].astype(np.float32) * (weight / 255))[:, None]
        pixels[where] = (pixels[where] * (1 - share) + np.array(colour, np.float32) * share).astype(np.uint8)
    return Image.fromarray(pixels)


def _header(pen: ImageDraw.ImageDraw, width: int, likeness: Likeness, findings: int, passed: bool) -> None:
    pen.rectangle((0, 0, width, _HEADER - 14), fill=_PAPER)
    pen.line((0, _HEADER - 14, width, _HEADER - 14), fill=_EDGE)
    middle = (_HEADER - 14) // 2
    if width > 900:
        pen.text((_GAP, middle), "Form and filled template", fill=_TEXT, font=_font(22, bold=True), anchor="lm")
    x = width - _GAP
    outcome = "passed" if passed else f"{findings} to mend"
    x = _pill(pen, x, middle, outcome, _GOOD if passed else _MISSING)
    for label, value in (("texts in place", likeness.texts), ("likeness", likeness.ssim)):
        pen.text((x, middle), f"{value:.0%}", fill=_TEXT, font=_font(20, bold=True), anchor="rm")
        x -= round(_font(20, bold=True).getlength(f"{value:.0%}")) + 8
        pen.text((x, middle), label, fill=_FAINT, font=_font(16), anchor="rm")
        x -= round(_font(16).getlength(label)) + 28


def _pill(pen: ImageDraw.ImageDraw, right: int, middle: int, text: str, colour: tuple[int, int, int]) -> int:
    """A rounded label; returns where what comes before it ends."""
    width = round(_font(16, bold=True).getlength(text)) + 28
    pen.rounded_rectangle((right - width, middle - 15, right, middle + 15), 15, fill=colour)
    pen.text((right - width // 2, middle), text, fill="#FFFFFF", font=_font(16, bold=True), anchor="mm")
    return right - width - 28


def _legend(pen: ImageDraw.ImageDraw, middle: int, width: int) -> None:
    x = _GAP
    for colour, text in ((_MISSING, "only on the form"), (_EXTRA, "only on the filled template")):
        pen.rounded_rectangle((x, middle - 7, x + 14, middle + 7), 3, fill=colour)
        pen.text((x + 22, middle), text, fill=_TEXT, font=_font(16), anchor="lm")
        x += 22 + round(_font(16).getlength(text)) + 32
    note = f"ink within {_TOLERANCE:.0f} points counts as the same"
    if x + _font(15).getlength(note) + _GAP < width:
        pen.text((width - _GAP, middle), note, fill=_FAINT, font=_font(15), anchor="rm")


def _font(size: int, bold: bool = False) -> ImageFont.FreeTypeFont:
    return ImageFont.truetype(str(font_file(f"LiberationSans-{'Bold' if bold else 'Regular'}.ttf")), size)


def _png(image: Image.Image) -> bytes:
    return bytes(cv2.imencode(".png", cv2.cvtColor(np.asarray(image), cv2.COLOR_RGB2BGR))[1])
