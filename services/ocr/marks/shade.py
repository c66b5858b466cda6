"""Follow the shade on a photographed page, where its texts show that this is paper.

Light that falls off smoothly is evened before marks are looked for (``flatten/light.py``). Paper that is bent or
crumpled has shades with edges, which look like dark areas: a picture, in which the print is lost. What lies between
and around the texts of a page, and has the tint of its paper, is paper; its print is darker than what is close by.
"""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np

from ..channels import max_channel, min_channel
from ..engines.base import TextArea
from ..page import SCALE

MAX_STROKE_PX = round(9 * SCALE)
"""Thicker strokes are no print of a text."""
MAX_LINE_GAP_PX = round(30 * SCALE)
"""Between texts that are farther apart down the page may be anything."""
MIN_SHARE = 0.4
"""Brightness of paper in the shade, in shares of the page's; darker areas are drawings."""
MAX_TINT = 0.12
"""Difference between the channels of such shares; areas of another colour are fills."""
MIN_AREA_SHARE = 0.03
"""Area of the largest shade, in shares of the page, from which on the page is shaded."""
MIN_STEP = 14
"""Difference from the ground, in grey levels, from which on paper is in the shade."""


def follow_shade(
    pixels: np.ndarray, ground: np.ndarray, paper: tuple[int, int, int], areas: Sequence[TextArea]
) -> np.ndarray:
    """Return the ground of a photographed page with the paper as dark as it is in the shade."""
    near = _between_texts(pixels.shape[:2], areas)
    if not near.any():
        return ground
    closed = cv2.morphologyEx(pixels, cv2.MORPH_CLOSE, np.ones((MAX_STROKE_PX,) * 2, np.uint8))
    bright = np.asarray(cv2.blur(closed, (MAX_STROKE_PX // 2,) * 2))
    share = bright.astype(np.float32) / np.maximum(np.array(paper, np.float32), 1)
    darkest, lightest = min_channel(share), max_channel(share)
    is_paper = (darkest >= MIN_SHARE) & (lightest - darkest <= MAX_TINT)
    shaded = np.asarray(near & is_paper & (max_channel(cv2.absdiff(bright, ground)) >= MIN_STEP))
    return np.where(shaded[:, :, None], bright, ground) if _is_shade(shaded) else ground


def _is_shade(mask: np.ndarray) -> bool:
    """Whether an area of the mask is large; boxes and bars are smaller."""
    count, _, stats, _ = cv2.connectedComponentsWithStats(mask.astype(np.uint8))
    return count > 1 and bool(stats[1:, cv2.CC_STAT_AREA].max() >= MIN_AREA_SHARE * mask.size)


def _between_texts(shape: tuple[int, int], areas: Sequence[TextArea]) -> np.ndarray:
    """Return where texts stand, with what is between them: beside each other, or closely below each other."""
    texts = np.zeros(shape, np.uint8)
    for x, y, w, h in areas:
        texts[max(0, round(y)) : round(y + h), max(0, round(x)) : round(x + w)] = 1
    mask = np.asarray(cv2.dilate(texts, np.ones((MAX_STROKE_PX,) * 2, np.uint8)))
    first, last = mask.argmax(axis=1), shape[1] - mask[:, ::-1].argmax(axis=1)
    columns = np.arange(shape[1])
    filled = np.asarray(mask.any(axis=1))
    across = (filled[:, None] & (columns >= first[:, None]) & (columns < last[:, None])).astype(np.uint8)
    return cv2.morphologyEx(across, cv2.MORPH_CLOSE, np.ones((MAX_LINE_GAP_PX, 1), np.uint8)).astype(bool)
