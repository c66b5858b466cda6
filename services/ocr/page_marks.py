"""What is found on a page before its structure is read: texts, lines, areas, pictures, cells and boxes to tick."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from copy import copy
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from bandsmith.shared.model.geometry import Box
from bandsmith.shared.model.layout import Fill, Grid, Picture, RulingLine, TextLine, TickBox
from bandsmith.shared.model.sheet import SheetCell


class FaceEvidence(NamedTuple):
    """What a line by itself tells of its face."""

    boldness: float
    """How clearly it is bold, above 0, or regular, below 0: differences of weight, as logarithms."""
    families: Mapping[str, float]
    """How well each family of the page fits, at most 1; empty where the line has too few letters to tell."""
    is_typed: bool = False
    """Whether the pitch of the whole page tells its family and size."""


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
    sheet_cells: list[SheetCell] = field(default_factory=list)
    """What a workbook computes of this page."""
    faces: Mapping[str, FaceEvidence] = field(default_factory=dict)
    """The evidence for the faces of lines that were measured, by their ids."""
    beside_paper: int = 0
    """Number of pictures at the edge of a photo that were left out."""

    @property
    def are_none(self) -> bool:
        """Whether nothing is printed on the page."""
        return not (self.lines or self.rules or self.fills or self.pictures or self.grids)

    @property
    def named(self) -> Iterator[TextLine | RulingLine | Fill | Picture | TickBox]:
        """The marks that have an id."""
        for marks in (self.lines, self.rules, self.fills, self.pictures, self.tick_boxes):
            yield from marks

    def without(self, names: Collection[str]) -> PageMarks:
        """Return the marks that have none of these ids."""
        return replace(
            self,
            lines=[line for line in self.lines if line.id not in names],
            rules=[rule for rule in self.rules if rule.id not in names],
            fills=[fill for fill in self.fills if fill.id not in names],
            pictures=[picture for picture in self.pictures if picture.id not in names],
            tick_boxes=[box for box in self.tick_boxes if box.id not in names],
        )

    def with_lines(self, lines: list[TextLine]) -> PageMarks:
        """Return the marks with other lines of text."""
        marks = copy(self)
        marks.lines = lines
        return marks
