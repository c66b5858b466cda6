"""Put back the spaces beside Chinese characters that recognisers leave out: `冲击钻头 10mm`, `销 售 单`."""

from __future__ import annotations

import unicodedata

import numpy as np

from shared.fonts import DEFAULT, is_cjk, measure

from .segment import Components, Piece

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
    reach = [measure(plain[:n], DEFAULT, 10).advance for n in range(len(plain) + 1)]
    room = sum(width - OWN * em for _, width in gaps)
    scale = (piece.width - room) / reach[-1]
    before = 0.0
    for start, width in gaps:
        at = start - piece.left - before
        n = int(np.argmin([abs(r * scale - at) for r in reach]))
        if abs(reach[n] * scale - at) <= OFF * em and 0 < n < len(plain) and _takes_space(plain[n - 1], plain[n]):
            spaces[n] = min(MOST, max(1, round((width - OWN * em) / (SPACE * em))))
        before += width - OWN * em
    return "".join(" " * spaces.get(n, 0) + char for n, char in enumerate(plain))


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


def _takes_space(left: str, right: str) -> bool:
    """Punctuation brings room of its own."""
    marks = any(unicodedata.category(char).startswith("P") for char in (left, right))
    return not marks and (is_cjk(left) or is_cjk(right))
