"""What each piece of text says: by the document's own words, by its shape, or by the engine."""

from __future__ import annotations

import numpy as np

from bandsmith.shared.model.layout import TextStyle

from ..engines.base import Engine
from ..page import Word
from .colons import owner_of_colon, part_at_colon
from .embedded_words import text_of, words_in
from .line_segmentation import Components, Piece, crop
from .paper import Sheet
from .spaces import with_spaces

LEAST_SURE = 0.3
"""A reading less sure than this is no text."""

Reading = tuple[Piece, str, float, TextStyle | None]
"""A piece, its text, how sure that is, and its style where the document tells it."""


def read_words(words: list[Word], pieces: list[Piece]) -> list[Reading]:
    """The pieces that known words stand in."""
    return [
        (piece, text_of(line), 1.0, line[0].style)
        for piece, line in zip(pieces, words_in(words, pieces), strict=True)
        if line
    ]


def read_pieces(
    sheet: Sheet, parts: Components, pieces: list[Piece], rules: np.ndarray, engine: Engine
) -> list[Reading]:
    """The pieces that are text; a label and its value, read together, are parted."""
    colons = [n for n, piece in enumerate(pieces) if _is_colon(parts, piece)]
    others = [piece for n, piece in enumerate(pieces) if n not in colons]
    read = engine.read([crop(sheet, parts, piece, rules) for piece in others])
    found: list[Reading] = []
    ends = {}
    for n in colons:
        owner = owner_of_colon(pieces[n], others)
        if owner is None:
            found.append((pieces[n], ":", 1.0, None))
        else:
            ends[owner] = pieces[n]
    for n, (piece, (text, sure)) in enumerate(zip(others, read, strict=True)):
        if n in ends and text.strip() and sure >= LEAST_SURE:
            whole = parts.piece(np.concatenate([piece.parts, ends[n].parts]))
            found.append((whole, f"{text.strip()}:", min(1.0, sure), None))
            continue
        if text.strip() and sure >= LEAST_SURE:
            found += [
                (part, with_spaces(part, said, parts), min(1.0, sure), None)
                for part, said in part_at_colon(piece, text.strip(), parts)
            ]
    return sorted(found, key=lambda each: (each[0].top, each[0].left))


def _is_colon(parts: Components, piece: Piece) -> bool:
    """Two equal dots, one above the other; recognisers see nothing in so small a crop."""
    if len(piece.parts) != 2:
        return False
    left, top, right, bottom = parts.boxes[piece.parts].T
    width, height = right - left, bottom - top
    equal = abs(width[0] - width[1]) <= 1 and abs(height[0] - height[1]) <= 1 and abs(left[0] - left[1]) <= 1
    square = abs(width[0] - height[0]) <= 1 + 0.3 * width[0]
    return bool(equal and square and piece.height >= 2.5 * height[0])
