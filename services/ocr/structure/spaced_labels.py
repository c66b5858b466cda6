"""Join the characters of Chinese labels that are set so wide apart that each was found as a text of its own: 单   价.

Forms stretch a label of two characters to the width of its column. Joined are two neighbours on one line, in one cell,
whose characters are a label that forms print; the second may go on with a colon and a value.
"""

from __future__ import annotations

from collections.abc import Container, Sequence

from bandsmith.shared.fonts import is_cjk
from bandsmith.shared.model.geometry import Box
from bandsmith.shared.model.layout import TextLine

from ..page_marks import PageMarks
from .ruled_cells import cell_at
from .text_classifier import SPACED_LABELS

MAX_GAP = 8.0
"""Maximum distance of the two characters, in font sizes."""
MAX_SIZE_RATIO = 1.35
SPACE_EM, MAX_SPACES = 0.28, 8
"""Width of one space, and the number of them that stands for a gap at most."""


def with_spaced_labels(marks: PageMarks, apart: Container[str] = ()) -> PageMarks:
    """Return the marks with the characters of each such label as one line; lines with the ids in `apart` are none."""
    lines = list(marks.lines)
    for first in marks.lines:
        if first not in lines or first.id in apart or len(first.text) != 1 or not is_cjk(first.text):
            continue
        other = _second(first, lines, marks)
        if other is not None:
            lines[lines.index(first)] = _joined(first, other)
            lines.remove(other)
    return marks.with_lines(lines)


def _second(first: TextLine, lines: Sequence[TextLine], marks: PageMarks) -> TextLine | None:
    """Return the next text to the right, if both characters are one label."""
    right = [line for line in lines if line.box.x >= first.box.right - 1 and _are_on_one_line(first, line)]
    nearest = min(right, key=lambda line: line.box.x, default=None)
    if nearest is None or not _completes(first.text, nearest.text):
        return None
    gap = nearest.box.x - first.box.right
    size = max(first.style.size, nearest.style.size)
    alike = size / min(first.style.size, nearest.style.size) <= MAX_SIZE_RATIO
    cells = cell_at(first.box.middle, marks.grids), cell_at(nearest.box.middle, marks.grids)
    is_parted = cells[0] != cells[1] or _is_ruled_off(first, nearest, marks)
    return nearest if alike and gap <= MAX_GAP * size and not is_parted else None


def _completes(first: str, text: str) -> bool:
    """Whether a text begins with the second character of a label, and ends there or goes on after a colon."""
    return first + text[0] in SPACED_LABELS and (len(text) == 1 or text[1:].lstrip()[:1] in (":", "："))


def _are_on_one_line(one: TextLine, other: TextLine) -> bool:
    shared = min(one.box.bottom, other.box.bottom) - max(one.box.y, other.box.y)
    return shared > 0.5 * min(one.box.height, other.box.height)


def _is_ruled_off(one: TextLine, other: TextLine, marks: PageMarks) -> bool:
    y = one.box.middle[1]
    return any(
        not rule.horizontal and one.box.right <= rule.x1 <= other.box.x and rule.y1 <= y <= rule.y2
        for rule in marks.rules
    )


def _joined(first: TextLine, other: TextLine) -> TextLine:
    gap = other.box.x - first.box.right
    spaces = min(MAX_SPACES, max(1, round(gap / (SPACE_EM * first.style.size))))
    return first.model_copy(
        update={
            "text": first.text + " " * spaces + other.text,
            "box": Box.around([first.box, other.box]),
            "style": other.style if len(other.text) > 1 else first.style,
            "confidence": min(first.confidence, other.confidence),
        }
    )
