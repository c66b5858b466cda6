"""Restore the spaces beside Chinese characters, which recognisers omit: `冲击钻头 10mm`, `销 售 单`."""

from __future__ import annotations

import unicodedata

import numpy as np

from bandsmith.shared.fonts import DEFAULT_FAMILY, is_cjk, measure

from .line_segmentation import Components, TextSegment

EM_PER_INK_HEIGHT = 1.05
"""Size of a Chinese font, in heights of its ink."""
MIN_GAP_EM = 0.34
"""Minimum width of a gap that may hold a space."""
LETTER_GAP_EM = 0.12
"""Width of the gap that characters have without a space."""
SPACE_EM = 0.28
"""Width of one space."""
MAX_SPACES = 8
"""Maximum number of spaces that one gap stands for."""
POSITION_TOLERANCE_EM = 0.3
"""Maximum distance of a gap from the position between two characters."""


def restore_spaces(segment: TextSegment, text: str, parts: Components) -> str:
    """Return the text with spaces wherever the ink beside a Chinese character leaves room for one."""
    if not any(map(is_cjk, text)):
        return text
    em = EM_PER_INK_HEIGHT * segment.height
    gaps = _wide_gaps(segment, parts, MIN_GAP_EM * em)
    if not gaps:
        return text
    plain, spaces = _without_spaces(text)
    # Recognisers write every colon after Chinese text as a full-width one, whatever its width on the page.
    readings = {plain, plain.replace("：", ":")}
    _, places = min((_locate_gaps(gaps, reading, segment, em) for reading in readings), key=lambda found: found[0])
    # If every character stands alone, gaps lie between all of them; otherwise a gap may be off by one character.
    spread = len(gaps) >= len(plain) - 1
    for n, (_, width) in zip(places, gaps, strict=True):
        if n and _allows_space(plain[n - 1], plain[n], spread):
            spaces[n] = min(MAX_SPACES, max(1, round((width - LETTER_GAP_EM * em) / (SPACE_EM * em))))
    return "".join(" " * spaces.get(n, 0) + char for n, char in enumerate(plain))


def _locate_gaps(
    gaps: list[tuple[float, float]], text: str, segment: TextSegment, em: float
) -> tuple[float, list[int]]:
    """Return the total error, and before which character each gap stands: 0 where that is uncertain."""
    reach = [measure(text[:n], DEFAULT_FAMILY, 10).advance for n in range(len(text) + 1)]
    room = sum(width - LETTER_GAP_EM * em for _, width in gaps)
    scale = (segment.width - room) / reach[-1]
    before, off, places = 0.0, 0.0, []
    for start, width in gaps:
        at = start - segment.left - before
        n = int(np.argmin([abs(r * scale - at) for r in reach]))
        error = abs(reach[n] * scale - at)
        places.append(n if error <= POSITION_TOLERANCE_EM * em and n < len(text) else 0)
        off += error
        before += width - LETTER_GAP_EM * em
    return off, places


def _wide_gaps(segment: TextSegment, parts: Components, min_width: float) -> list[tuple[float, float]]:
    """Return where the gaps in a line's ink begin and how wide they are, in pixels."""
    boxes = parts.boxes[segment.parts]
    order = np.argsort(boxes[:, 0])
    reach = np.maximum.accumulate(boxes[order, 2])[:-1]
    widths = boxes[order[1:], 0] - reach
    return [(float(reach[i]), float(widths[i])) for i in np.flatnonzero(widths >= min_width)]


def _without_spaces(text: str) -> tuple[str, dict[int, int]]:
    """Return the text's characters, and the number of spaces before each."""
    plain = ""
    spaces: dict[int, int] = {}
    for char in text:
        if char.isspace():
            spaces[len(plain)] = spaces.get(len(plain), 0) + 1
        else:
            plain += char
    return plain, spaces


def _allows_space(left: str, right: str, spread: bool) -> bool:
    """Whether a space may stand between two characters; punctuation has space of its own."""
    marks = any(unicodedata.category(char).startswith("P") for char in (left, right))
    return not marks and (spread or is_cjk(left) != is_cjk(right))
