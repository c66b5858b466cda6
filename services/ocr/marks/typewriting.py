"""Find the pitch of a page that is typewritten, as tills and printers of forms write: each letter takes as much width.

Such print is narrower or taller than any face that the letters are compared with, and often poor, so that the faces
of single lines would be told by chance. The pitch is the same all over the page, however poor it is.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from bandsmith.shared.fonts import is_cjk

MIN_LETTERS, MIN_LINES = 5, 10
"""Lines with fewer letters say little about the pitch; a page with fewer of these lines says little, too."""
PITCH_TOLERANCE, MIN_SHARE = 0.05, 0.6
"""On a typewritten page, this share of the letters is in lines whose pitch differs by no more."""
MAX_MISREAD_LETTERS = 1.4
"""A line may have been read with one letter more or less than it has."""
MAX_HEIGHT_RATIO = 1.3
"""A line that is higher than the page's lines by this factor is set larger."""
SIDE_BEARING = 0.3
"""Share of a letter's width, left and right of the ink of a line, that is not inked."""


class Typewriting(NamedTuple):
    """How a page is typewritten; in points."""

    pitch: float
    height: float
    """Of the ink of most of its lines."""

    def holds(self, text: str, width: float, height: float) -> bool:
        """Whether a line of this width and height of ink is typewritten like the page."""
        letters = len(text)
        apart = abs(width / self.pitch + SIDE_BEARING - letters)
        return apart <= max(MAX_MISREAD_LETTERS, PITCH_TOLERANCE * letters) and height <= MAX_HEIGHT_RATIO * self.height


def find_typewriting(lines: Sequence[tuple[str, float, float]]) -> Typewriting | None:
    """Return how a page is typewritten, from the text, the width and the height of each line; None where it is not."""
    shown = list({line[0]: line for line in lines if _shows_pitch(line[0])}.values())
    if len(shown) < MIN_LINES:
        return None
    letters = np.array([len(text) for text, *_ in shown])
    pitches = np.array([width for _, width, _ in shown]) / (letters - SIDE_BEARING)
    order = np.argsort(pitches)
    pitches, before = pitches[order], np.concatenate([[0], np.cumsum(letters[order])])
    starts = np.searchsorted(pitches, pitches / (1 + PITCH_TOLERANCE))
    ends = np.searchsorted(pitches, pitches * (1 + PITCH_TOLERANCE), side="right")
    shares = (before[ends] - before[starts]) / letters.sum()
    best = int(shares.argmax())
    if shares[best] < MIN_SHARE:
        return None
    pitch = float(np.median(pitches[starts[best] : ends[best]]))
    return Typewriting(pitch, float(np.median([height for *_, height in shown])))


def _shows_pitch(text: str) -> bool:
    return len(text) >= MIN_LETTERS and not any(map(is_cjk, text))
