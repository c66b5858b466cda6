"""Frames around texts, lines beside them, and space before the table.

``templates/*/framed.toml`` holds what users say.
"""

from __future__ import annotations

from collections.abc import Sequence

from bandsmith.shared.edits import AnyEdit
from bandsmith.shared.edits.add_shape import AddShape
from bandsmith.shared.edits.move import Move
from bandsmith.shared.edits.resize_band import ResizeBand
from bandsmith.shared.fields.identifiers import name_for

from ...colours import colour
from ...references import Target, with_label
from ...sentence_templates import Slots, listed, matches
from ...template_view import TemplateView
from ...view_elements import ViewElement
from ..reading import Clause, ClauseReading, refused, templated

SUBJECT = "framed"
PHRASES = frozenset({"block"})
"""Sentences of the files that name what is framed."""
PAD_PT = 4
"""Between a text and its frame, or a line beside it."""
SPACE_PT = 8
"""What "a bit of space" is."""
_ONE_COPY = ("title", "pageHeader", "summary", "columnFooter", "pageFooter", "lastPageFooter")


def framed(clause: Clause, slots: Slots) -> ClauseReading | None:
    """“Draw a box around the total”, “put the payment details in a box”."""
    pieces = _named(clause, slots["name"])
    if not pieces or len({one.band for one in pieces}) != 1 or pieces[0].section not in _ONE_COPY:
        return None
    left, right = min(one.x for one in pieces) - PAD_PT, max(one.x + one.width for one in pieces) + PAD_PT
    top, bottom = min(one.y for one in pieces) - PAD_PT, max(one.y + one.height for one in pieces) + PAD_PT
    left, top, right = max(0, left), max(0, top), min(right, clause.view.width)
    others = [one for one in clause.view.texts if one.band == pieces[0].band and one not in pieces]
    if any(_overlaps(one, left, top, right, bottom) for one in others):
        return refused("language.no_room_there")
    edits: list[AnyEdit] = []
    if bottom > _height(pieces[0]):
        edits.append(ResizeBand(band=pieces[0].section, height=bottom + 1))
    box = {"x": left, "y": top, "width": right - left, "height": bottom - top}
    shape = {"key": _key(clause.view, "frame"), "band": pieces[0].section, "shape": "rectangle", **box}
    return ClauseReading([*edits, AddShape.model_validate(shape | _coloured(slots))])


def line_beside(clause: Clause, slots: Slots) -> ClauseReading | None:
    """“标题下面画一条红色的横线”: a line across the page, where the gap has room for it or is widened."""
    pieces = _named(clause, slots["name"])
    if not pieces or len({one.band for one in pieces}) != 1 or pieces[0].section not in _ONE_COPY:
        return None
    band = [one for one in clause.view.pieces if one.band == pieces[0].band and one not in pieces]
    edits: list[AnyEdit] = []
    if slots["relation"] == "above":
        at = min(one.y for one in pieces)
        free = at - max((one.y + one.height for one in band if one.y + one.height <= at), default=0)
        y = at - min(PAD_PT, free // 2 + 1)
        if free < 2:
            return refused("language.no_room_there")
    else:
        end = max(one.y + one.height for one in pieces)
        below = [one for one in band if one.y >= end]
        next_top = min((one.y for one in below), default=end + 2 * PAD_PT)
        y = end + min(PAD_PT, max(1, (next_top - end) // 2))
        if next_top - end < 2:
            edits += _lowered(pieces[0], below, PAD_PT)
        elif y + 1 > _height(pieces[0]):
            edits.append(ResizeBand(band=pieces[0].section, height=y + 2))
    crossed = [one for one in band if one.is_text and one.y < y < one.y + one.height]
    if crossed:
        return refused("language.no_room_there")
    shape = {"key": _key(clause.view, "line"), "band": pieces[0].section, "shape": "line", "y": y}
    ruled = (slots["ruled"], *_coloured(slots))
    line = AddShape.model_validate(shape | _coloured(slots))
    return ClauseReading([*edits, line], may_be_text=bool(slots["written"]) and not any(ruled))


def space_before(clause: Clause, slots: Slots) -> ClauseReading | None:
    """“Leave a bit of space between the date and the table”."""
    view = clause.view
    upper = _named(clause, slots["name"])
    is_table = listed(SUBJECT, "table", slots["other"]) is not None
    heads = [column.head for column in view.columns if column.head is not None]
    lower = heads if is_table else _named(clause, slots["other"])
    if not upper or not lower:
        return None
    if lower[0].band != upper[0].band:
        is_next = upper[0].section in ("title", "pageHeader") and is_table
        if not is_next:
            return None
        return ClauseReading([ResizeBand(band=upper[0].section, height=_height(upper[0]) + SPACE_PT)])
    top = min(one.y for one in lower)
    if top < max(one.y for one in upper):
        return None
    below = [one for one in view.pieces if one.band == lower[0].band and one.y >= top - 1 and one not in upper]
    return ClauseReading(_lowered(lower[0], below, SPACE_PT))


def _lowered(like: ViewElement, below: Sequence[ViewElement], by: int) -> list[AnyEdit]:
    """Return the edits that make a band higher and move down what stands low in it."""
    moves = [Move(element=one.key, y=one.y + by) for one in sorted(below, key=lambda one: -one.y)]
    return [ResizeBand(band=like.section, height=_height(like) + by), *moves]


def _named(clause: Clause, words: str) -> list[ViewElement]:
    """Return the texts that words name: a label with its value, or a heading with the lines below it."""
    for slots in matches(SUBJECT, "block", words):
        heading = clause.find(slots["name"])
        lines = clause.names.block("below", slots["name"])
        if isinstance(heading, Target) and heading.texts and lines:
            return [*heading.texts[:1], *(one for one in lines if one not in heading.texts)]
    found = clause.find(words)
    if not isinstance(found, Target):
        return []
    if found.column is not None or found.role not in ("", "title", "company"):
        return []
    return list(with_label(clause.view, found).texts)


def _coloured(slots: Slots) -> dict[str, object]:
    """Return the colour and the width of what is drawn."""
    drawn: dict[str, object] = {}
    if slots["colour"]:
        drawn["colour"] = colour(slots["colour"])
    if slots["weight"]:
        drawn["line_width"] = float(slots["weight"])
    return drawn


def _overlaps(one: ViewElement, left: int, top: int, right: int, bottom: int) -> bool:
    return one.x < right and left < one.x + one.width and one.y < bottom and top < one.y + one.height


def _height(piece: ViewElement) -> int:
    return int(next(piece.node.iterancestors("{*}band")).get("height", "0"))


def _key(view: TemplateView, stem: str) -> str:
    return name_for(None, stem, {piece.key for piece in view.pieces})


RULES = tuple(templated(SUBJECT, rule) for rule in (framed, line_beside, space_before))
