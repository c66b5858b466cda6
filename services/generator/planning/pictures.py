"""Pictures: crops of the form that travel as base64 parameters, so that filling the template gives them back."""

from __future__ import annotations

import base64
import io

from PIL import Image

from bandsmith.shared.model.geometry import Box, Size

EXPRESSION = "new java.io.ByteArrayInputStream(java.util.Base64.getDecoder().decode({}))"


class Form:
    """The form's page as pixels, cut by points."""

    def __init__(self, png: bytes, page: Size) -> None:
        self._image = Image.open(io.BytesIO(png)).convert("RGB")
        self._across = self._image.width / page.width
        self._down = self._image.height / page.height

    def crop(self, box: Box) -> str:
        """The part of the form under `box`, as a PNG in base64."""
        left, top = round(box.x * self._across), round(box.y * self._down)
        right = max(left + 1, round(box.right * self._across))
        bottom = max(top + 1, round(box.bottom * self._down))
        target = io.BytesIO()
        self._image.crop((left, top, right, bottom)).save(target, "PNG", optimize=True)
        return base64.b64encode(target.getvalue()).decode("ascii")
