"""Elements: the plan's own objects, made of words as they stand and of marks as they are placed."""

from __future__ import annotations

from typing import Any

from bandsmith.shared.fonts import DEFAULT
from bandsmith.shared.model.layout import Fill, RulingLine
from bandsmith.shared.model.plan import AnyElement, Font, Image, Line, Rectangle, StaticText, TextField

from .marks import Mark
from .ruling import pen_of
from .text_metrics import Place, whole
from .text_placement import Cell, Stand


def static(text: str, source: str, stand: Stand) -> StaticText:
    return StaticText(key="", text=text, source=source, **_words(stand))


def field(expression: str, source: str, stand: Stand) -> TextField:
    return TextField(key="", expression=expression, source=source, **_words(stand))


def empty(place: Place, cell: Cell) -> StaticText:
    """A cell without words."""
    font = Font(family=DEFAULT, size=10)
    return StaticText(key="", text="", font=font, borders=cell.borders, backcolour=cell.background, **_place(place))


def drawn(mark: Mark, expression: str, when: str | None) -> AnyElement:
    """A rule as a line, a fill as a rectangle, a picture as an image that prints `expression`."""
    origin, place = mark.origin, mark_place(mark)
    common: dict[str, Any] = {"key": "", "source": origin.id, "print_when": when, **_place(place)}
    if isinstance(origin, RulingLine):
        return Line(pen=pen_of(origin), forecolour=origin.colour, **common)
    if isinstance(origin, Fill):
        return Rectangle(radius=round(origin.radius), backcolour=origin.colour, **common)
    return Image(expression=expression, **common)


def mark_place(mark: Mark) -> Place:
    """A mark's place in whole points. The engine draws a line through the middle of its point."""
    place, box = whole(mark.box), mark.box
    if not isinstance(mark.origin, RulingLine):
        return Place(place.x, place.y, max(1, place.width), max(1, place.height))
    if mark.origin.horizontal:
        return Place(place.x, round(box.y - 0.5), max(1, place.width), 1)
    return Place(round(box.x - 0.5), place.y, 1, max(1, place.height))


def _words(stand: Stand) -> dict[str, Any]:
    style, place = stand.setting.style, stand.place
    font = Font(family=style.family, size=style.size, bold=style.bold, italic=style.italic, underline=style.underline)
    return {
        "forecolour": style.colour,
        "backcolour": stand.cell.background,
        "font": font,
        "align": stand.setting.align,
        "valign": stand.setting.valign,
        "borders": stand.cell.borders,
        "padding": place.padding,
        **_place(place),
    }


def _place(place: Place) -> dict[str, Any]:
    return {"x": place.x, "y": place.y, "width": place.width, "height": place.height}
