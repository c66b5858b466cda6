"""Pictures: PNG, JPEG, WebP, BMP, TIFF. Nothing is decoded before its header has been checked."""

from __future__ import annotations

import io
import warnings

import numpy as np
from PIL import Image, ImageOps

from bandsmith.shared.model.geometry import Size

from ..engines import Engine
from ..flatten import flatten
from ..page import Page
from .refusals import refusal

SUFFIXES = (".png", ".jpg", ".jpeg", ".webp", ".bmp", ".tif", ".tiff")
FORMATS = ("PNG", "JPEG", "WEBP", "BMP", "TIFF")
MOST_PIXELS = 100_000_000
LEAST_SIDE = 32
ENOUGH_SIDE = 5000
"""A longer side than this shows nothing more of a page; it is halved before it is looked at."""


def looks_like(content: bytes) -> bool:
    return (
        content.startswith((b"\x89PNG\r\n\x1a\n", b"\xff\xd8\xff", b"BM", b"II*\0", b"MM\0*"))
        or content[:4] + content[8:12] == b"RIFFWEBP"
    )


def read(content: bytes, size: Size | None, engine: Engine) -> Page:
    """The page that a picture shows, upright and flat; its text is still to be read."""
    picture, resolution = decode(content)
    return flatten(picture, size, engine, resolution)


def decode(content: bytes) -> tuple[np.ndarray, float | None]:
    """The picture (BGR, turned as its EXIF says, on white where it is transparent) and the resolution it claims.

    Raises ``BadInput`` when it is too large, too small or broken.
    """
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", Image.DecompressionBombWarning)
            image: Image.Image = Image.open(io.BytesIO(content), formats=FORMATS)
        if image.width * image.height > MOST_PIXELS:
            raise refusal("large")
        if min(image.size) < LEAST_SIDE:
            raise refusal("small")
        # Of a JPEG that is finer than useful, only a half, quarter or eighth is decoded.
        image.draft("RGB", (ENOUGH_SIDE, ENOUGH_SIDE))
        resolution = _resolution(image)
        image.load()
        image = ImageOps.exif_transpose(image)
    except Image.DecompressionBombError:
        raise refusal("large") from None
    except (OSError, SyntaxError, ValueError, ArithmeticError, LookupError, MemoryError):
        # Pillow reports broken files by any of these.
        raise refusal("picture") from None
    while max(image.size) > 2 * ENOUGH_SIDE:
        image = image.reduce(2)
    return np.ascontiguousarray(np.asarray(_opaque(image))[:, :, ::-1]), resolution


def _opaque(image: Image.Image) -> Image.Image:
    if image.mode.startswith(("I", "F")):
        deep = np.asarray(image, dtype=np.float32)
        return Image.fromarray((deep * (255 / max(255.0, float(deep.max())))).astype(np.uint8)).convert("RGB")
    if image.has_transparency_data:
        image = image.convert("RGBA")
        return Image.alpha_composite(Image.new("RGBA", image.size, "white"), image).convert("RGB")
    return image.convert("RGB")


def _resolution(image: Image.Image) -> float | None:
    """Dots per inch, where the file says so and they are the same both ways."""
    try:
        across, down = (float(value) for value in image.info.get("dpi", ()))
    except (TypeError, ValueError):
        return None
    return across if across == down and 50 <= across <= 1200 else None
