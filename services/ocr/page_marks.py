"""What is found on a page before its structure is read: texts, lines, areas, pictures, cells and boxes to tick."""

from __future__ import annotations

from copy import copy
from dataclasses import dataclass, field

from bandsmith.shared.model.geometry import Box
from bandsmith.shared.model.layout import Fill, Grid, Picture, RulingLine, TextLine, TickBox


@dataclass
class PageMarks:
    """Everything that is printed on a page, in points."""

    lines: list[TextLine] = field(default_factory=list)
    rules: list[RulingLine] = field(default_factory=list)
    fills: list[Fill] = field(default_factory=list)
    pictures: list[Picture] = field(default_factory=list)
    grids: list[Grid] = field(default_factory=list)
    tick_boxes: list[TickBox] = field(default_factory=list)
    paper: str = "#FFFFFF"
    """Colour of the paper."""
    loops: list[Box] = field(default_factory=list)
    """Areas that the document, a template, repeats for each row of its data."""
    beside_paper: int = 0
    """Number of pictures at the edge of a photo that were left out."""

    def with_lines(self, lines: list[TextLine]) -> PageMarks:
        """Return the marks with other lines of text."""
        marks = copy(self)
        marks.lines = lines
        return marks
