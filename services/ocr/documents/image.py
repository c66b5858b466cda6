"""Images: PNG, JPEG, WebP, BMP, TIFF. Nothing is decoded before its header has been checked."""

from __future__ import annotations

import io
import warnings

import numpy as np
from PIL import Image, ImageOps

from bandsmith.shared.errors import BadInput
from bandsmith.shared.model.geometry import Size
from bandsmith.shared.replies import Text

from ..page import PageImage

SUFFIXES = (".png", ".jpg", ".jpeg", ".webp", ".bmp", ".tif", ".tiff")
PILLOW_FORMATS = ("PNG", "JPEG", "WEBP", "BMP", "TIFF")
MAX_PIXELS = 100_000_000
MIN_SIDE_PX = 32
MAX_COUNTED_PAGES = 1000
MAX_KEPT_PIXELS = 50_000_000
"""An image of more pixels is halved as well: each copy that reading takes would be hundreds of megabytes."""
USEFUL_SIDE_PX = 5000
"""A longer side than this adds no detail; the image is halved before it is processed."""


def looks_like(content: bytes) -> bool:
    return (
        content.startswith((b"\x89PNG\r\n\x1a\n", b"\xff\xd8\xff", b"BM", b"II*\0", b"MM\0*"))
        or content[:4] + content[8:12] == b"RIFFWEBP"
    )


def read(content: bytes, size: Size | None, number: int = 1) -> PageImage:
    """Return the picture of a page, counted from 1. Raises ``BadInput`` where there is none."""
    pixels, resolution = decode(content, frame=number - 1)
    count = _page_count(content)
    left_out = Text.of("documents.notes.image_pages", count=count) if count > 1 else None
    return PageImage(pixels, size, resolution, pages=count, left_out=left_out)


def _page_count(content: bytes) -> int:
    """Return the number of pages of a TIFF, counted up to a limit; 1 for any other image.

    Frames of other formats are those of an animation.
    """
    with warnings.catch_warnings(action="ignore"), Image.open(io.BytesIO(content)) as image:
        if image.format != "TIFF":
            return 1
        try:
            for page in range(1, MAX_COUNTED_PAGES):
                image.seek(page)
        except (EOFError, OSError, SyntaxError, ValueError):
            return max(1, image.tell() + 1)
    return MAX_COUNTED_PAGES


def decode(
    content: bytes, min_side_px: int = MIN_SIDE_PX, formats: tuple[str, ...] = PILLOW_FORMATS, frame: int = 0
) -> tuple[np.ndarray, float | None]:
    """Decode an image to BGR, rotated as its EXIF says and on white where it is transparent, and its stated resolution.

    `frame` is the page of a TIFF, counted from 0. Raises ``BadInput`` when it is too large, too small, damaged or of
    none of Pillow's `formats`.
    """
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", Image.DecompressionBombWarning)
            image: Image.Image = Image.open(io.BytesIO(content), formats=formats)
            image.seek(frame)
        if image.width * image.height > MAX_PIXELS:
            raise BadInput.of("documents.large")
        if min(image.size) < min_side_px:
            raise BadInput.of("documents.small")
        # A JPEG with more detail than is useful is decoded at a half, a quarter or an eighth of its size.
        image.draft("RGB", (USEFUL_SIDE_PX, USEFUL_SIDE_PX))
        resolution = _resolution(image)
        image.load()
        ImageOps.exif_transpose(image, in_place=True)
    except Image.DecompressionBombError:
        raise BadInput.of("documents.large") from None
    except (EOFError, OSError, SyntaxError, ValueError, ArithmeticError, LookupError, MemoryError):
        # Pillow reports damaged files by any of these.
        raise BadInput.of("documents.picture") from None
    while max(image.size) > 2 * USEFUL_SIDE_PX or image.width * image.height > MAX_KEPT_PIXELS:
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
    """Return the dots per inch, if the file states the same value in both directions."""
    try:
        across, down = (float(value) for value in image.info.get("dpi", ()))
    except (TypeError, ValueError):
        return None
    return across if across == down and 50 <= across <= 1200 else None
