"""Pictures: crops of the form, passed as base64 values so that filling the template reproduces them."""

from __future__ import annotations

import base64
import io

from PIL import Image

from bandsmith.shared.model.geometry import Box, Size

EXPRESSION = "new java.io.ByteArrayInputStream(java.util.Base64.getDecoder().decode({}))"
"""The image expression around a reference to a value in base64."""


class FormImage:
    """The form's page as pixels, cropped in points."""

    def __init__(self, png: bytes, page: Size) -> None:
        self._image = Image.open(io.BytesIO(png)).convert("RGB")
        self._x_scale = self._image.width / page.width
        self._y_scale = self._image.height / page.height

    def crop(self, box: Box) -> str:
        """Return the part of the form inside `box` as a PNG in base64."""
        left, top = round(box.x * self._x_scale), round(box.y * self._y_scale)
        right = max(left + 1, round(box.right * self._x_scale))
        bottom = max(top + 1, round(box.bottom * self._y_scale))
        target = io.BytesIO()
        self._image.crop((left, top, right, bottom)).save(target, "PNG", optimize=True)
        return base64.b64encode(target.getvalue()).decode("ascii")
