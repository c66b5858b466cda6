"""Part a label from its value where the gap after the colon is wider than a space: they are two texts on the form."""

from __future__ import annotations

import re

import numpy as np

from shared.fonts import DEFAULT, measure

from .segment import Components, Piece

SPACE, SPACE_FULL = 0.75, 0.85
"""The widest gap after a colon that is still a space, in text heights; a full-width one brings room of its own."""


def part_at_colon(piece: Piece, text: str, parts: Components) -> list[tuple[Piece, str]]:
    """One or two pieces with their texts."""
    found = re.match(r"^([^:：]{1,40}[:：])\s*([^\s/].*)$", text)
    if not found or re.search(r"\d\s*[:：]$", found.group(1)):
        return [(piece, text)]
    label, value = found.groups()
    boxes = parts.boxes[piece.parts]
    order = np.argsort(boxes[:, 0])
    reach = np.maximum.accumulate(boxes[order, 2])
    starts = boxes[order[1:], 0]
    share = measure(label, DEFAULT, 10).advance / measure(text, DEFAULT, 10).advance
    expected = piece.left + share * piece.width
    height = float(np.percentile(boxes[:, 3] - boxes[:, 1], 90))
    gaps = starts - reach[:-1]
    before = np.concatenate([[0], gaps[:-1]])
    wide = np.flatnonzero(gaps > np.where(before > 0.3 * height, SPACE_FULL, SPACE) * height)
    near = [int(i) for i in wide if reach[i] - 2.5 * height < expected < starts[i] + 1.5 * height]
    if not near:
        return [(piece, text)]
    cut = min(near, key=lambda i: abs((reach[i] + starts[i]) / 2 - expected))
    left, right = piece.parts[order[: cut + 1]], piece.parts[order[cut + 1 :]]
    return [(parts.piece(left), label), (parts.piece(right), value)]
