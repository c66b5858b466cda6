"""Pictures, areas and texts as messages: JSON, and the pixels of all pictures as one blob."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from pydantic import TypeAdapter

from ..engines import TextArea

_AREAS = TypeAdapter(list[TextArea])
_TEXTS = TypeAdapter(list[tuple[str, float]])


def encode_pictures(pictures: Sequence[np.ndarray]) -> tuple[list[tuple[int, ...]], bytes]:
    """Return the shapes of pictures, and their pixels after each other."""
    return [picture.shape for picture in pictures], b"".join(picture.tobytes() for picture in pictures)


def decode_pictures(shapes: Sequence[Sequence[int]], blob: bytes) -> list[np.ndarray]:
    """Return the pictures of a message."""
    pixels, start, pictures = np.frombuffer(blob, np.uint8), 0, []
    for shape in shapes:
        end = start + int(np.prod(shape))
        pictures.append(pixels[start:end].reshape(shape).copy())
        start = end
    return pictures


def decode_areas(reply: dict[str, Any]) -> list[TextArea]:
    """Return the areas of a reply. Raises ``ValueError`` or ``LookupError`` for one without."""
    return _AREAS.validate_python(reply["areas"])


def decode_texts(reply: dict[str, Any], count: int) -> list[tuple[str, float]]:
    """Return the `count` texts of a reply. Raises ``ValueError`` or ``LookupError`` for one without."""
    texts = _TEXTS.validate_python(reply["texts"])
    if len(texts) != count:
        raise ValueError("not as many texts as pictures")
    return texts
