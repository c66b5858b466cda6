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
STRIP_ROWS = 512
"""Rows that are converted at a time; a power of two, as the factors are by which images are made smaller."""
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
    none of Pillow's `formats`, and ``MemoryError``.
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
    except (EOFError, OSError, SyntaxError, ValueError, ArithmeticError, LookupError):
        # Pillow reports damaged files by any of these.
        raise BadInput.of("documents.picture") from None
    return _pixels(image), resolution


def _pixels(image: Image.Image) -> np.ndarray:
    """Return the image in BGR, smaller by a power of two where it is too large.

    Strip by strip: a conversion of the whole would be a copy of the whole. A strip is converted before it is made
    smaller, since means of the numbers of a palette are other colours.
    """
    factor = 1
    while max(image.size) > 2 * USEFUL_SIDE_PX * factor or image.width * image.height > MAX_KEPT_PIXELS * factor**2:
        factor *= 2
    highest = float(image.getextrema()[1]) if _is_deep(image) else 255.0  # type: ignore[arg-type]
    pixels = np.empty((-(-image.height // factor), -(-image.width // factor), 3), np.uint8)
    rows = max(STRIP_ROWS, factor)
    for top in range(0, image.height, rows):
        strip = _opaque(image.crop((0, top, image.width, min(top + rows, image.height))), highest)
        small = np.asarray(strip.reduce(factor) if factor > 1 else strip)
        pixels[top // factor :][: len(small)] = small[:, :, ::-1]
    return pixels


def _is_deep(image: Image.Image) -> bool:
    """Whether the image has one number of more than 8 bits for each pixel."""
    return image.mode.startswith(("I", "F"))


def _opaque(image: Image.Image, highest: float) -> Image.Image:
    """Return the image in RGB, on white. `highest` is the value of the brightest pixel of a deep image."""
    if _is_deep(image):
        deep = np.asarray(image, dtype=np.float32)
        return Image.fromarray((deep * (255 / max(255.0, highest))).astype(np.uint8)).convert("RGB")
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
