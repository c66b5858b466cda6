"""Elements: the plan's objects, built from placed texts and marks."""

from __future__ import annotations

from typing import Any

from bandsmith.shared.fonts import DEFAULT_FAMILY
from bandsmith.shared.model.layout import Blank, Fill, RulingLine
from bandsmith.shared.model.plan import Font, Image, Line, Padding, PlainElement, Rectangle, StaticText, TextField

from .element_boxes import PaddedBox, whole_points
from .marks import Mark
from .ruling import pen_of
from .text_placement import CellDecoration, TextPlacement

BLANK_PADDING_PT = 3


def static_text(text: str, source: str, placement: TextPlacement) -> StaticText:
    return StaticText(key="", text=text, source=source, **_text_attributes(placement))


def text_field(expression: str, source: str, placement: TextPlacement) -> TextField:
    return TextField(key="", expression=expression, source=source, **_text_attributes(placement))


def empty_cell(box: PaddedBox, cell: CellDecoration) -> StaticText:
    """A cell without text."""
    font = Font(family=DEFAULT_FAMILY, size=10)
    return StaticText(key="", text="", font=font, borders=cell.borders, backcolour=cell.background, **_position(box))


def blank_field(expression: str, blank: Blank, box: PaddedBox, cell: CellDecoration) -> TextField:
    """A field in an empty place, for a value that the form does not have yet."""
    style = blank.style
    return TextField(
        key="", expression=expression, source=blank.id, font=Font(family=style.family, size=style.size),
        forecolour=style.colour, borders=cell.borders, backcolour=cell.background,
        valign="Middle", padding=Padding(left=BLANK_PADDING_PT), **_position(box),
    )  # fmt: skip


def mark_element(mark: Mark, expression: str, print_when: str | None) -> PlainElement:
    """A rule as a line, a fill as a rectangle, a picture as an image that prints `expression`."""
    origin, box = mark.origin, mark_box(mark)
    common: dict[str, Any] = {"key": "", "source": origin.id, "print_when": print_when, **_position(box)}
    if isinstance(origin, RulingLine):
        return Line(pen=pen_of(origin), forecolour=origin.colour, **common)
    if isinstance(origin, Fill):
        return Rectangle(radius=round(origin.radius), backcolour=origin.colour, **common)
    return Image(expression=expression, **common)


def mark_box(mark: Mark) -> PaddedBox:
    """A mark's box in whole points. The engine draws a line through the middle of its point."""
    rounded, box = whole_points(mark.box), mark.box
    if not isinstance(mark.origin, RulingLine):
        return PaddedBox(rounded.x, rounded.y, max(1, rounded.width), max(1, rounded.height))
    if mark.origin.horizontal:
        return PaddedBox(rounded.x, round(box.y - 0.5), max(1, rounded.width), 1)
    return PaddedBox(round(box.x - 0.5), rounded.y, 1, max(1, rounded.height))


def _text_attributes(placement: TextPlacement) -> dict[str, Any]:
    style = placement.text.style
    font = Font(family=style.family, size=style.size, bold=style.bold, italic=style.italic, underline=style.underline)
    return {
        "forecolour": style.colour,
        "backcolour": placement.cell.background,
        "font": font,
        "align": placement.text.align,
        "valign": placement.text.valign,
        "borders": placement.cell.borders,
        "padding": placement.box.padding,
        **_position(placement.box),
    }


def _position(box: PaddedBox) -> dict[str, Any]:
    return {"x": box.x, "y": box.y, "width": box.width, "height": box.height}
