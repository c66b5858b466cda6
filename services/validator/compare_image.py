"""``compare.png``: the filled page beside its form, or beside the previous version, with the differences marked.

The ink of each page that has no ink of the other page nearby is drawn in colour on a glow that is easy to find, and the
rest of the page is faded. Beside a form, ink within two points counts as the same, because a form may be a scan or a
photo. Beside a previous version every pixel counts. `checks.likeness` explains what ink is and how it is compared.

The captions are in the language of the turn that draws the picture.
"""

from __future__ import annotations

import re
from concurrent.futures import ThreadPoolExecutor
from typing import NamedTuple

import cv2
import numpy as np
from PIL import Image, ImageDraw, ImageFont

from bandsmith.shared.fonts import CJK_FILE, font_file
from bandsmith.shared.language import Language
from bandsmith.shared.replies import text
from bandsmith.shared.turns.verdict import Verdict

from .pictures import PagePicture, Pixels, ink_apart

MIN_MARK_PX = 12
"""Smaller connected differences are not marked."""
MIN_MARK_LEVEL = 25
"""Grey level, of 255, from which a reduced pixel counts as marked."""
PANEL_WIDTH_PX = 900
_FADE = np.linspace(255 * (1 - 0.72), 255, 256).round().astype(np.uint8)
"""Maps grey levels so that a page keeps 72 % of its contrast below the marks."""
_GAP, _HEADER, _CAPTION, _FOOTER = 28, 76, 30, 56

_DESK, _PAPER, _TEXT, _FAINT, _EDGE = "#EEF0F3", "#FFFFFF", "#1F2933", "#6B7785", "#CBD2D9"
_MISSING, _EXTRA, _GOOD, _FAIR = (214, 40, 57), (25, 105, 220), (32, 130, 76), (166, 100, 8)
_RUNS = re.compile(r"[ -~]+|[^ -~]+")
_GRADES = {None: _GOOD, "keep": _GOOD, "small_edits": _FAIR, "start_over": _MISSING}
"""The colour of the label of a template that passed, by its grade."""


class _Captions(NamedTuple):
    """The captions of a comparison in a language, and the distance in points within which ink counts as the same."""

    beside: str
    tolerance: float
    language: Language

    def say(self, code: str, **values: object) -> str:
        return text(f"validator.picture.{code}", self.language, **values)

    def of_kind(self, code: str) -> str:
        return self.say(f"{self.beside}.{code}")


def draw(other: PagePicture, page: PagePicture, verdict: Verdict, language: Language = "en") -> bytes:
    """Return a PNG with `other` on the left, its missing ink in red, and `page` on the right, its new ink in blue.

    If the verdict has a likeness, `other` is the form, without one the previous version.
    """
    captions = _Captions("form", 2.0, language) if verdict.likeness else _Captions("before", 0.0, language)
    page = page.on_canvas(other.shape)
    with ThreadPoolExecutor(2) as both:
        near = (captions.tolerance, captions.tolerance)
        left, right = both.map(_panel, (other, page), (page.ink, other.ink), (_MISSING, _EXTRA), near)
    height, width = left.shape[0], left.shape[1] * 2 + _GAP * 3
    head = Image.new("RGB", (width, _HEADER + _CAPTION), _DESK)
    pen = ImageDraw.Draw(head)
    _header(pen, width, captions, verdict)
    places = [_GAP + index * (left.shape[1] + _GAP) for index in range(2)]
    for x, side in zip(places, ("left", "right"), strict=True):
        caption = captions.of_kind(side)
        _write(pen, (x, head.height - 8), caption, _FAINT, 15, bold=True, anchor="ls")
    foot = Image.new("RGB", (width, _FOOTER + _GAP // 2), _DESK)
    _legend(ImageDraw.Draw(foot), foot.height - _FOOTER // 2, width, captions)

    canvas = np.empty((head.height + height + foot.height, width, 3), np.uint8)
    canvas[: head.height], canvas[head.height + height :] = _pixels(head), _pixels(foot)
    canvas[head.height : head.height + height] = _bgr(_DESK)
    for x, panel in zip(places, (left, right), strict=True):
        y, right_edge, bottom = head.height, x + panel.shape[1], head.height + height
        cv2.rectangle(canvas, (x + 3, y + 3), (right_edge + 2, bottom + 2), _bgr(_EDGE), cv2.FILLED)
        cv2.rectangle(canvas, (x - 1, y - 1), (right_edge, bottom), _bgr(_EDGE))
        canvas[y:bottom, x:right_edge] = panel
    return bytes(cv2.imencode(".png", canvas)[1])


def _panel(page: PagePicture, other: Pixels, colour: tuple[int, int, int], tolerance: float) -> Pixels:
    """Draw the faded page, and in colour on a soft glow the ink that the other page does not have."""
    scale = min(1.0, PANEL_WIDTH_PX / page.shape[1])
    size = max(1, round(page.shape[1] * scale)), max(1, round(page.shape[0] * scale))
    # Down to half the size, linear interpolation skips no pixel and is faster.
    shrink = cv2.INTER_LINEAR if scale > 0.5 else cv2.INTER_AREA
    pixels = np.asarray(cv2.LUT(cv2.resize(page.pixels, size, interpolation=shrink), _FADE), np.uint8)
    differing = ink_apart(page.ink, other, tolerance)
    if not differing.any():
        return pixels
    marked = _without_specks(np.asarray(cv2.resize(differing * 255, size, interpolation=shrink), np.uint8))
    near = cv2.dilate(cv2.threshold(marked, MIN_MARK_LEVEL, 255, cv2.THRESH_BINARY)[1], np.ones((9, 9), np.uint8))
    for mask, weight in ((cv2.GaussianBlur(near, (0, 0), 3), 0.28), (marked, 1.6)):
        where = mask > 0
        share = np.minimum(1, mask[where].astype(np.float32) * (weight / 255))[:, None]
        pixels[where] = (pixels[where] * (1 - share) + np.array(colour[::-1], np.float32) * share).astype(np.uint8)
    return pixels


def _without_specks(marks: Pixels) -> Pixels:
    """Remove small marks: edges of slightly thicker letters, and the noise of photos."""
    _, labels, stats, _ = cv2.connectedComponentsWithStats(
        cv2.threshold(marks, MIN_MARK_LEVEL, 1, cv2.THRESH_BINARY)[1]
    )
    large = np.where(stats[:, cv2.CC_STAT_AREA] >= MIN_MARK_PX, 255, 0).astype(np.uint8)
    large[0] = 0
    return np.asarray(cv2.bitwise_and(marks, large[labels]), np.uint8)


def _header(pen: ImageDraw.ImageDraw, width: int, captions: _Captions, verdict: Verdict) -> None:
    pen.rectangle((0, 0, width, _HEADER - 14), fill=_PAPER)
    pen.line((0, _HEADER - 14, width, _HEADER - 14), fill=_EDGE)
    middle = (_HEADER - 14) // 2
    if width > 900:
        title = captions.of_kind("title")
        _write(pen, (_GAP, middle), title, _TEXT, 22, bold=True)
    x = width - _GAP
    x = _pill(pen, x, middle, captions, verdict)
    likeness = verdict.likeness
    if likeness is None:
        return
    for code, value in (("texts", likeness.texts), ("likeness", likeness.ssim)):
        label = captions.say(code)
        pen.text((x, middle), f"{value:.0%}", fill=_TEXT, font=_font(20, bold=True), anchor="rm")
        x -= round(_font(20, bold=True).getlength(f"{value:.0%}")) + 8
        _write(pen, (x, middle), label, _FAINT, 16, anchor="rm")
        x -= round(_length(label, 16)) + 28


def _outcome(verdict: Verdict, captions: _Captions) -> tuple[str, tuple[int, int, int]]:
    """The number of errors, or else the grade, and its colour."""
    if verdict.has_errors:
        errors = sum(finding.severity == "error" for finding in verdict.findings)
        return captions.say("errors", count=errors), _MISSING
    return captions.say(verdict.grade or "passed"), _GRADES[verdict.grade]


def _pill(pen: ImageDraw.ImageDraw, right: int, middle: int, captions: _Captions, verdict: Verdict) -> int:
    """Draw a rounded label that ends at `right`, and return where the text before it ends."""
    said, colour = _outcome(verdict, captions)
    width = round(_length(said, 16, bold=True)) + 28
    pen.rounded_rectangle((right - width, middle - 15, right, middle + 15), 15, fill=colour)
    _write(pen, (right - width // 2, middle), said, "#FFFFFF", 16, bold=True, anchor="mm")
    return right - width - 28


def _legend(pen: ImageDraw.ImageDraw, middle: int, width: int, captions: _Captions) -> None:
    x = _GAP
    for colour, side in ((_MISSING, "only_left"), (_EXTRA, "only_right")):
        pen.rounded_rectangle((x, middle - 7, x + 14, middle + 7), 3, fill=colour)
        said = captions.of_kind(side)
        _write(pen, (x + 22, middle), said, _TEXT, 16)
        x += 22 + round(_length(said, 16)) + 32
    if not captions.tolerance:
        return
    note = captions.say("same", points=f"{captions.tolerance:g}")
    if x + _length(note, 15) + _GAP < width:
        _write(pen, (width - _GAP, middle), note, _FAINT, 15, anchor="rm")


def _write(
    pen: ImageDraw.ImageDraw,
    place: tuple[float, float],
    said: str,
    colour: str,
    size: int,
    *,
    bold: bool = False,
    anchor: str = "lm",
) -> None:
    """Draw a text, its Chinese in a font of its own: that font has neither letters nor digits."""
    x = place[0] - _length(said, size, bold) * {"l": 0, "m": 0.5, "r": 1}[anchor[0]]
    for part in _RUNS.findall(said):
        pen.text((round(x), place[1]), part, fill=colour, font=_font(size, bold, part), anchor=f"l{anchor[1]}")
        x += _font(size, bold, part).getlength(part)


def _length(said: str, size: int, bold: bool = False) -> float:
    return sum(_font(size, bold, part).getlength(part) for part in _RUNS.findall(said))


def _font(size: int, bold: bool = False, said: str = "") -> ImageFont.FreeTypeFont:
    name = f"LiberationSans-{'Bold' if bold else 'Regular'}.ttf" if said.isascii() else CJK_FILE
    return ImageFont.truetype(str(font_file(name)), size)


def _pixels(image: Image.Image) -> Pixels:
    return np.asarray(image)[:, :, ::-1]


def _bgr(colour: str) -> tuple[int, int, int]:
    red, green, blue = bytes.fromhex(colour[1:])
    return blue, green, red
