"""Cut the empty margin of a picture where words stand on it.

A logo often has a transparent margin that reaches over a table or a line of text. What stands there is no part of the
picture, which ends at the empty stretch between its own ink and the words.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from bandsmith.shared.model.geometry import Box

from ..page import SCALE, Word

MIN_LEFT_SHARE = 0.4
"""A picture of which less would be left is behind the words."""
MIN_EMPTY_PT = 2.0
"""Height of the empty stretch, at least."""
MAX_TONE = 10
"""Difference in grey levels, of 255, up to which a row of pixels is empty."""


def without_margins(pictures: Sequence[Box], words: Sequence[Word], pixels: np.ndarray) -> list[Box]:
    """Return the pictures, each without the part below or above an empty stretch that has words on it."""
    return [_trimmed(picture, words, pixels) for picture in pictures]


def _trimmed(picture: Box, words: Sequence[Word], pixels: np.ndarray) -> Box:
    on_it = [word.box for word in words if picture.holds(*word.box.middle)]
    if not on_it:
        return picture
    area = pixels[
        int(picture.y * SCALE) : int(picture.bottom * SCALE), int(picture.x * SCALE) : int(picture.right * SCALE)
    ].astype(np.int16)
    empty = (area.max(axis=1) - area.min(axis=1)).max(axis=1) <= MAX_TONE if area.size else np.zeros(0, bool)
    ends = [
        picture.y + row / SCALE for row in _stretches(empty) if all(picture.y + row / SCALE <= box.y for box in on_it)
    ]
    starts = [
        picture.y + row / SCALE
        for row in _stretches(empty[::-1], len(empty))
        if all(picture.y + row / SCALE >= box.bottom for box in on_it)
    ]
    top, bottom = picture.y, picture.bottom
    if ends and max(ends) - picture.y >= MIN_LEFT_SHARE * picture.height:
        bottom = max(ends)
    elif starts and picture.bottom - min(starts) >= MIN_LEFT_SHARE * picture.height:
        top = min(starts)
    return Box.between(picture.x, top, picture.right, bottom)


def _stretches(empty: np.ndarray, flipped: int | None = None) -> list[int]:
    """Return the first rows of empty stretches; those of the flipped picture counted in the whole one."""
    found, length = list[int](), round(MIN_EMPTY_PT * SCALE)
    for row in range(1, len(empty) - length + 1):
        if empty[row : row + length].all() and not empty[row - 1]:
            found.append(row if flipped is None else flipped - row)
    return found
