"""Underlined text: a rule that hugs one line of text and is as long as it is part of the text."""

from __future__ import annotations

from .line_segmentation import Piece
from .rules import Stroke


def take_underlines(strokes: list[Stroke], pieces: list[Piece]) -> tuple[list[Stroke], set[int]]:
    """The strokes that are rules in their own right, and the indices of the pieces that the others underline."""
    kept, underlined = [], set()
    for stroke in strokes:
        found = {n for n, piece in enumerate(pieces) if _underlines(stroke, piece)}
        underlined |= found
        if not found:
            kept.append(stroke)
    return kept, underlined


def _underlines(stroke: Stroke, piece: Piece) -> bool:
    if not stroke.horizontal or stroke.dash != "Solid" or stroke.thickness > 0.2 * piece.height:
        return False
    slack = 0.35 * piece.height
    ends = abs(stroke.start - piece.left) <= slack and abs(stroke.end - piece.right) <= slack
    return ends and -0.3 * piece.height <= stroke.at - piece.bottom <= 0.3 * piece.height
