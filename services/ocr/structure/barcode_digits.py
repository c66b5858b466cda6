"""Leave the digits that stand among the bars of a barcode to its picture.

The picture is cut out of the form with whatever lies in it. As a text the digits would be printed a second time on top.
The digits of a code whose first and last one stand beside the bars belong to the picture as a whole. A number below
the bars remains a text.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from bandsmith.shared.model.geometry import Box
from bandsmith.shared.model.layout import Picture, TextLine

from ..page_marks import PageMarks

MIN_INSIDE = 0.5
"""Share of its area with which a text stands among the bars."""
MAX_GAP = 1.5
"""Distance of a digit beside the bars from these, in font sizes."""


def with_whole_barcodes(marks: PageMarks) -> PageMarks:
    """Return the marks with barcodes that take in their digits, and without these as texts."""
    taken = set[str]()
    pictures = list(marks.pictures)
    for number, picture in enumerate(pictures):
        digits = _digits_of(picture, marks.lines) if picture.kind == "barcode" else []
        if digits:
            box = Box.around([picture.box, *(line.box for line in digits)])
            pictures[number] = picture.model_copy(update={"box": box})
            taken |= {line.id for line in digits}
    return replace(marks.without(taken), pictures=pictures) if taken else marks


def _digits_of(code: Picture, lines: Sequence[TextLine]) -> list[TextLine]:
    """Return the texts among the bars of a code, and the digits beside the bars at their height."""
    among = [line for line in lines if code.box.overlap(line.box) > MIN_INSIDE * line.box.area]
    return [line for line in lines if line in among or any(_is_beside(line, code, one) for one in among)]


def _is_beside(line: TextLine, code: Picture, digits: TextLine) -> bool:
    is_level = abs(line.box.middle[1] - digits.box.middle[1]) < 0.5 * digits.box.height
    gap = max(code.box.x - line.box.right, line.box.x - code.box.right)
    return line.text.strip().isdigit() and is_level and gap <= MAX_GAP * line.style.size
