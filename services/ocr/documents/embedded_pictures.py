"""Pictures inside office documents, decoded within the same limits as images."""

from __future__ import annotations

from typing import Any

import numpy as np

from bandsmith.shared.errors import BadInput

from . import image
from .shape_frames import find_nodes

_FORMATS = (*image.PILLOW_FORMATS, "GIF")


def decode_embedded(content: bytes) -> np.ndarray | None:
    """Decode a picture of an office document to BGR; None where its format cannot be drawn or it is damaged."""
    try:
        return image.decode(content, min_side_px=1, formats=_FORMATS)[0]
    except (BadInput, MemoryError):
        return None


def picture_pixels(shape: Any, part: Any) -> np.ndarray | None:
    """Return the pixels (BGR) of a picture of a DOCX, whose relations `part` knows.

    None for a chart or a format that cannot be drawn.
    """
    ids = find_nodes(shape, ".//a:blip/@r:embed | ./v:imagedata/@r:id")
    related = part.related_parts.get(ids[0]) if ids else None
    return decode_embedded(related.blob) if related is not None else None
