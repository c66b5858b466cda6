"""Put back the spaces beside Chinese characters that recognisers leave out: `冲击钻头 10mm`, `销 售 单`."""

from __future__ import annotations

import unicodedata

import numpy as np

from bandsmith.shared.fonts import DEFAULT, is_cjk, measure

from .line_segmentation import Components, Piece

EM = 1.05
"""Size of a Chinese font, in heights of its ink."""
LEAST = 0.34
"""A gap this wide, in ems, is more than the room that characters have of their own."""
OWN = 0.12
"""What characters have between them anyway, in ems."""
SPACE = 0.28
"""Width of one space, in ems."""
MOST = 8
OFF = 0.3
"""By how many ems a gap may be away from the place between characters that it is taken for."""


def with_spaces(piece: Piece, text: str, parts: Components) -> str:
    """The text with a space wherever the ink beside a Chinese character leaves room for one."""
    if not any(map(is_cjk, text)):
        return text
    em = EM * piece.height
    gaps = _wide_gaps(piece, parts, LEAST * em)
    if not gaps:
        return text
    plain, spaces = _without_spaces(text)
    # recognisers write every colon after Chinese as a full-width one, whatever its width on the page
    readings = {plain, plain.replace("：", ":")}
    _, places = min((_placed(gaps, reading, piece, em) for reading in readings), key=lambda found: found[0])
    spread = len(gaps) >= len(plain) - 1  # every character stands alone; else a gap between two may be a slip of place
    for n, (_, width) in zip(places, gaps, strict=True):
        if n and _takes_space(plain[n - 1], plain[n], spread):
            spaces[n] = min(MOST, max(1, round((width - OWN * em) / (SPACE * em))))
    return "".join(" " * spaces.get(n, 0) + char for n, char in enumerate(plain))


def _placed(gaps: list[tuple[float, float]], text: str, piece: Piece, em: float) -> tuple[float, list[int]]:
    """By how far all gaps are off, and before which character each stands: 0 where that is not sure."""
    reach = [measure(text[:n], DEFAULT, 10).advance for n in range(len(text) + 1)]
    room = sum(width - OWN * em for _, width in gaps)
    scale = (piece.width - room) / reach[-1]
    before, off, places = 0.0, 0.0, []
    for start, width in gaps:
        at = start - piece.left - before
        n = int(np.argmin([abs(r * scale - at) for r in reach]))
        error = abs(reach[n] * scale - at)
        places.append(n if error <= OFF * em and n < len(text) else 0)
        off += error
        before += width - OWN * em
    return off, places


def _wide_gaps(piece: Piece, parts: Components, least: float) -> list[tuple[float, float]]:
    """Where gaps in a line's ink begin, and how wide they are, in pixels."""
    boxes = parts.boxes[piece.parts]
    order = np.argsort(boxes[:, 0])
    reach = np.maximum.accumulate(boxes[order, 2])[:-1]
    widths = boxes[order[1:], 0] - reach
    return [(float(reach[i]), float(widths[i])) for i in np.flatnonzero(widths >= least)]


def _without_spaces(text: str) -> tuple[str, dict[int, int]]:
    """The text's characters, and how many spaces stand before each."""
    plain = ""
    spaces: dict[int, int] = {}
    for char in text:
        if char.isspace():
            spaces[len(plain)] = spaces.get(len(plain), 0) + 1
        else:
            plain += char
    return plain, spaces


def _takes_space(left: str, right: str, spread: bool) -> bool:
    """Punctuation brings room of its own."""
    marks = any(unicodedata.category(char).startswith("P") for char in (left, right))
    return not marks and (spread or is_cjk(left) != is_cjk(right))
