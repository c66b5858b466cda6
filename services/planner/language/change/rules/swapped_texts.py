"""Two texts outside the rows change places, each with its label: “客户签收跟制单换个位置”."""

from __future__ import annotations

from collections.abc import Sequence

from bandsmith.shared.editing import Editor
from bandsmith.shared.edits import AnyEdit
from bandsmith.shared.edits.move import Move
from bandsmith.shared.edits.swap_places import SwapPlaces

from ...references import Target, with_label
from ...sentence_templates import Slots
from ...template_view import TemplateView
from ...view_elements import ViewElement
from ..reading import Clause, ClauseReading, refused
from .moved_text import TextsBox, lines_to_write_on

LINE_TOLERANCE_PT = 3
"""Texts whose tops differ by less stand on one line."""


def texts_swapped(clause: Clause, slots: Slots) -> ClauseReading | None:
    """Return what lets the texts that a clause names change places; None where it names no two texts of a section."""
    pair = [clause.find(slots["name"]), clause.find(slots["other"])]
    groups = [
        with_label(clause.view, found).texts
        for found in pair
        if isinstance(found, Target) and found.column is None and found.role in ("", "title", "company")
    ]
    if len(groups) != 2 or not all(groups):
        return None
    pieces = [*groups[0], *groups[1]]
    if len({piece.key for piece in pieces}) < len(pieces) or len({piece.band for piece in pieces}) != 1:
        return None
    drawn = [_with_lines(clause.view, group) for group in groups]
    is_alike = len(groups[0]) == len(groups[1]) and drawn == groups
    edits = _swapped(groups) if is_alike else _moved(clause.view, *drawn)
    if not edits or not all(outcome.changed for outcome in Editor(clause.view.editor.bytes()).carry_out(edits)):
        return refused("language.no_room_there")  # a label would change places without its value
    return ClauseReading(edits)


def _with_lines(view: TemplateView, group: list[ViewElement]) -> list[ViewElement]:
    """Return texts with the drawn lines behind them, on which one signs."""
    return [*group, *{line.key: line for text in group for line in lines_to_write_on(view, text)}.values()]


def _swapped(groups: Sequence[Sequence[ViewElement]]) -> list[AnyEdit]:
    return [SwapPlaces(one=one.key, other=other.key) for one, other in zip(*groups, strict=True)]


def _moved(view: TemplateView, one: list[ViewElement], other: list[ViewElement]) -> list[AnyEdit]:
    """Return the edits that exchange two groups of texts on one line, which keeps its ends; none without room."""
    left, right = sorted((one, other), key=lambda group: TextsBox.of(group).x)
    first, second = TextsBox.of(left), TextsBox.of(right)
    if abs(left[0].y - right[0].y) > LINE_TOLERANCE_PT:
        return []
    end = second.x + second.width
    places = {end - first.width: left, first.x: right}
    keys = {piece.key for piece in (*one, *other)}
    around = [piece for piece in view.texts if piece.band == left[0].band and piece.key not in keys]
    edits: list[AnyEdit] = []
    for x, group in places.items():
        own = TextsBox.of(group)
        place = TextsBox(x, own.y, own.width, own.height)
        if any(place.meets(text) and not own.meets(text) for text in around):
            return []
        edits += [Move(element=piece.key, x=piece.x + x - own.x) for piece in group]
    return edits
