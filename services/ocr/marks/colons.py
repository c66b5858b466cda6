"""Part a label from its value where the gap after the colon is wider than a space: they are two texts on the form."""

from __future__ import annotations

import re

import numpy as np

from bandsmith.shared.fonts import DEFAULT, is_cjk, measure

from .line_segmentation import Components, Piece

SPACE, SPACE_CJK, SPACE_FULL = 1.15, 0.75, 0.85
"""The widest gap after a colon that is still a space, in text heights: after Latin wording, after Chinese, and after a
full-width colon, which brings room of its own."""
BEHIND = 0.8
"""A colon this many text heights behind a wording still belongs to it."""


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
    space = SPACE_CJK if any(map(is_cjk, label)) else SPACE
    gaps = starts - reach[:-1]
    before = np.concatenate([[0], gaps[:-1]])
    wide = np.flatnonzero(gaps > np.where(before > 0.3 * height, SPACE_FULL, space) * height)
    near = [int(i) for i in wide if reach[i] - 2.5 * height < expected < starts[i] + 1.5 * height]
    if not near:
        return [(piece, text)]
    cut = min(near, key=lambda i: abs((reach[i] + starts[i]) / 2 - expected))
    left, right = piece.parts[order[: cut + 1]], piece.parts[order[cut + 1 :]]
    return [(parts.piece(left), label), (parts.piece(right), value)]


def owner_of_colon(colon: Piece, pieces: list[Piece]) -> int | None:
    """Index of the piece that a colon on its own stands right behind, if there is one."""
    near = [
        (colon.left - piece.right, n)
        for n, piece in enumerate(pieces)
        if piece is not colon
        and -1 <= colon.left - piece.right <= BEHIND * piece.height
        and piece.top - 2 <= (colon.top + colon.bottom) / 2 <= piece.bottom + 2
    ]
    return min(near)[1] if near else None
