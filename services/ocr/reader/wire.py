"""A decoded document as a message: JSON, and its pixels as bytes."""

from __future__ import annotations

from typing import Any

import numpy as np
from pydantic import BaseModel

from bandsmith.shared.errors import BadInput
from bandsmith.shared.model.geometry import Box, Size
from bandsmith.shared.model.layout import TextStyle
from bandsmith.shared.model.sheet import SheetCell
from bandsmith.shared.replies import Text

from ..page import Divider, Page, PageImage, Seal, Word
from ..tables import ParsedTable


class _Word(BaseModel):
    text: str
    box: Box
    style: TextStyle | None
    goes_on: bool = False


class _Decoded(BaseModel):
    shape: tuple[int, int, int]
    size: Size | None
    resolution: float | None = None
    notes: list[Text]
    words: list[_Word] | None = None
    pictures: list[Box] = []
    seals: list[Box] = []
    pages: int = 1
    left_out: Text | None = None
    loops: list[Box] = []
    dividers: list[Divider] = []
    sheet_cells: list[SheetCell] = []
    may_have_watermark: bool = True
    is_page: bool


def encode(decoded: Page | PageImage) -> tuple[dict[str, Any], list[bytes]]:
    """Return the message for a decoded document."""
    pixels = np.ascontiguousarray(decoded.pixels, dtype=np.uint8)
    common: dict[str, Any] = {
        "shape": pixels.shape,
        "size": decoded.size,
        "notes": decoded.notes,
        "pages": decoded.pages,
        "left_out": decoded.left_out,
    }
    if isinstance(decoded, Page):
        words = None if decoded.words is None else [_Word(**vars(word)) for word in decoded.words]
        message = _Decoded(
            **common,
            words=words,
            pictures=decoded.pictures,
            seals=[seal.box for seal in decoded.seals],
            loops=decoded.loops,
            dividers=decoded.dividers,
            sheet_cells=decoded.sheet_cells,
            may_have_watermark=decoded.may_have_watermark,
            is_page=True,
        )
    else:
        message = _Decoded(**common, resolution=decoded.resolution, is_page=False)
    return message.model_dump(), [pixels.tobytes(), *_faded_seals(decoded)]


def _faded_seals(decoded: Page | PageImage) -> list[bytes]:
    """Return the page without the seals that the document draws, followed by these; nothing without any."""
    if not isinstance(decoded, Page) or decoded.seals_faded is None:
        return []
    return [np.ascontiguousarray(decoded.seals_faded).tobytes(), *(seal.picture for seal in decoded.seals)]


def decode(message: dict[str, Any], blobs: list[bytes]) -> Page | PageImage:
    """Return the document of a message. Raises ``ValueError`` for a message that holds none."""
    told = _Decoded.model_validate(message)
    if len(blobs) != (2 + len(told.seals) if told.seals else 1):
        raise ValueError("no picture")
    pixels = _pixels(blobs[0], told.shape)
    if not told.is_page:
        return PageImage(pixels, told.size, told.resolution, told.notes, told.pages, told.left_out)
    if told.size is None:
        raise ValueError("no size")
    words = None if told.words is None else [Word(**dict(word)) for word in told.words]
    return Page(
        pixels,
        told.size,
        words,
        told.notes,
        told.pictures,
        seals_faded=_pixels(blobs[1], told.shape) if told.seals else None,
        seals=[Seal(box, picture) for box, picture in zip(told.seals, blobs[2:], strict=True)],
        pages=told.pages,
        left_out=told.left_out,
        loops=told.loops,
        dividers=told.dividers,
        sheet_cells=told.sheet_cells,
        may_have_watermark=told.may_have_watermark,
    )


def _pixels(blob: bytes, shape: tuple[int, int, int]) -> np.ndarray:
    if shape[2] != 3 or min(shape) < 1 or len(blob) != np.prod(shape):
        raise ValueError("no picture")
    return np.frombuffer(blob, np.uint8).reshape(shape).copy()


def encode_table(table: ParsedTable) -> tuple[dict[str, Any], list[bytes]]:
    return {"notes": [note._asdict() for note in table.notes]}, [table.lines]


def decode_table(message: dict[str, Any], blobs: list[bytes]) -> ParsedTable:
    """Return the table of a message. Raises ``ValueError``, ``LookupError`` or ``TypeError`` for one without."""
    return ParsedTable(blobs[0], [Text(str(note["en"]), str(note["zh"])) for note in message["notes"]])


def encode_refusal(error: BadInput) -> dict[str, Any]:
    return {"refused": {"message": error.message, "message_zh": error.message_zh, "code": error.code}}


def decode_refusal(message: dict[str, Any]) -> BadInput:
    refused = message["refused"]
    texts = [str(refused[name]) for name in ("message", "message_zh", "code")]
    return BadInput(texts[0], message_zh=texts[1], code=texts[2])
