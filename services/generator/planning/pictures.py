"""Pictures: crops of the form, passed as base64 values so that filling the template reproduces them."""

from __future__ import annotations

import base64
import io

import numpy as np
from PIL import Image

from bandsmith.shared.model.geometry import Box, Size

EXPRESSION = "new java.io.ByteArrayInputStream(java.util.Base64.getDecoder().decode({}))"
"""The image expression around a reference to a value in base64."""

MIN_REDNESS, FULL_REDNESS = 12, 40
"""Difference of red from the other channels, of 255, from which on a pixel is ink of a seal, and is nothing else."""


class FormImage:
    """The form's page as pixels, cropped in points."""

    def __init__(self, png: bytes, page: Size, number: int = 1, pages: int = 1) -> None:
        """`png` shows so many pages below each other, of which this is the one of that number."""
        with Image.open(io.BytesIO(png)) as image:
            height = image.height // pages
            self._image = image.crop((0, (number - 1) * height, image.width, number * height)).convert("RGB")
        self._x_scale = self._image.width / page.width
        self._y_scale = self._image.height / page.height

    def seal(self, box: Box) -> str:
        """Return the seal inside `box` as a PNG in base64, without what is printed below it."""
        return _as_png(_red_ink(self._part(box)))

    def crop(self, box: Box) -> str:
        """Return the part of the form inside `box` as a PNG in base64."""
        return _as_png(self._part(box))

    def _part(self, box: Box) -> Image.Image:
        left, top = round(box.x * self._x_scale), round(box.y * self._y_scale)
        right = max(left + 1, round(box.right * self._x_scale))
        bottom = max(top + 1, round(box.bottom * self._y_scale))
        return self._image.crop((left, top, right, bottom))


def _red_ink(part: Image.Image) -> Image.Image:
    """Return a picture in which everything but red ink is transparent."""
    pixels = np.asarray(part).astype(np.int32)
    redness = pixels[:, :, 0] - pixels[:, :, 1:].max(axis=2)
    opacity = np.clip((redness - MIN_REDNESS) * 255 // (FULL_REDNESS - MIN_REDNESS), 0, 255)
    return Image.fromarray(np.dstack([pixels, opacity]).astype(np.uint8), "RGBA")


def _as_png(part: Image.Image) -> str:
    target = io.BytesIO()
    part.save(target, "PNG", optimize=True)
    return base64.b64encode(target.getvalue()).decode("ascii")
