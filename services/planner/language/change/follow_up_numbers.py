"""Other numbers and words in the change before: “even bigger”, “something in between”, “make that 1000”."""

from __future__ import annotations

import re
from collections.abc import Sequence

from bandsmith.shared.colours import channels
from bandsmith.shared.edits import AnyEdit
from bandsmith.shared.edits.add_tax import AddTax
from bandsmith.shared.edits.move import Move
from bandsmith.shared.edits.resize import Resize
from bandsmith.shared.edits.resize_band import ResizeBand
from bandsmith.shared.edits.resize_column import ResizeColumn
from bandsmith.shared.edits.set_property import PROPERTIES, SetProperty
from bandsmith.shared.edits.sort_by import SortBy
from bandsmith.shared.fields.value_types import STRING

from ..numbers import number_of
from ..sentence_templates import Slots
from ..view_elements import ViewElement
from .follow_up_sentence import FollowUp
from .rule_parser import RequestReading

MIN_LINE_PT = 0.25
MAX_WORDS_CHARS = 40
"""Longer words are no name."""
_HEX = re.compile("#[0-9A-Fa-f]{6}")


def further(sentence: FollowUp, slots: Slots) -> RequestReading | None:
    """“Even bigger”: every number is taken on by the ratio of new to old."""
    steps = _steps(sentence, slots["grows"])
    return _numbers([(edit, _further(edit, old, new)) for edit, old, new in steps]) if steps else None


def _further(edit: AnyEdit, old: float, new: float) -> float:
    """Return the number after the next step: of what was moved, as far again."""
    return max(0.0, 2 * new - old) if isinstance(edit, Move) else _taken_on(old, new)


_OPPOSITE = {"up": "down", "down": "up"}


def between(sentence: FollowUp, slots: Slots) -> RequestReading | None:
    """“Too big now, something in between”, “大过头了，小一点”: half of the way back."""
    too, back = slots["too"], slots["grows"]
    if too and back == too:
        return None
    steps = _steps(sentence, too or _OPPOSITE.get(back, ""))
    return _numbers([(edit, (old + new) / 2) for edit, old, new in steps]) if steps else None


def _taken_on(old: float, new: float) -> float:
    further = new * new / old
    return further if abs(further - new) >= 1 or new < 4 else new + (1 if new > old else -1)


def _steps(sentence: FollowUp, direction: str) -> list[tuple[AnyEdit, float, float]] | None:
    """Return the edits of the change before with the old and the new number; None where some have none, or where they
    went another way than the words say."""
    steps = [step for edit in sentence.last.edits if (step := _step(sentence, edit)) is not None]
    moved = [step for step in steps if step[1] != step[2]]
    # What goes lower on the page has a larger number.
    grown = {(new > old) != (isinstance(edit, Move) and edit.y is not None) for edit, old, new in moved}
    if len(steps) != len(sentence.last.edits) or len(grown) != 1:
        return None
    return None if direction and (direction == "up") not in grown else moved


def _step(sentence: FollowUp, edit: AnyEdit) -> tuple[AnyEdit, float, float] | None:
    view = sentence.last.view
    if isinstance(edit, SetProperty):
        piece = view.piece(edit.element)
        old = _property(piece, edit.name) if piece else None
        new = number_of(edit.value)
        return (edit, old, new) if old and new else None
    if isinstance(edit, Move) and edit.band is None:
        piece = view.piece(edit.element)
        side = "y" if edit.y is not None else "x"
        return (
            (edit, getattr(piece, side), getattr(edit, side)) if piece and (edit.x is None or edit.y is None) else None
        )
    if isinstance(edit, Resize):
        piece = view.piece(edit.element)
        size = "height" if edit.height is not None else "width"
        return (edit, getattr(piece, size), getattr(edit, size)) if piece and not (edit.height and edit.width) else None
    if isinstance(edit, ResizeColumn):
        column = view.column(edit.field)
        return (edit, column.width, edit.width) if column else None
    if isinstance(edit, ResizeBand):
        heights = [float(band.get("height", "0")) for name, band in view.editor.bands() if name == edit.band]
        return (edit, heights[0], edit.height) if len(heights) == 1 and heights[0] else None
    return None


def _property(piece: ViewElement, name: str) -> float | None:
    """Return a number that an element has as a property, in points."""
    if name == "fontSize":
        return piece.size
    where = PROPERTIES.get(name)
    if where is None or not name.endswith("lineWidth"):
        return None
    node = piece.node
    for part in where.path:
        node = node.find(f"{{*}}{part}") if node is not None else None
    return number_of(node.get(where.attribute) or "") if node is not None else 1.0


def _numbers(values: Sequence[tuple[AnyEdit, float]]) -> RequestReading | None:
    """Return the edits with other numbers. Rows that shrink do so before their band, rows that grow after it."""
    edits: list[AnyEdit] = []
    for edit, value in values:
        if isinstance(edit, SetProperty):
            number = f"{max(MIN_LINE_PT, round(value, 2)):g}" if edit.name.endswith("lineWidth") else f"{round(value)}"
            edits.append(edit.model_copy(update={"value": number}))
            continue
        name = next(name for name in ("height", "width", "y", "x") if getattr(edit, name, None) is not None)
        edits.append(edit.model_copy(update={name: round(value)}))
    bands = [(edit, new) for edit, (old, _) in zip(edits, values, strict=True) if isinstance(new := old, ResizeBand)]
    shrinks = any(edit.height < old.height for edit, old in bands if isinstance(edit, ResizeBand))
    edits.sort(key=lambda edit: isinstance(edit, ResizeBand) == shrinks)
    return RequestReading(edits) if edits else None


def reverse(sentence: FollowUp, slots: Slots) -> RequestReading | None:
    """“Other way round”, of an order."""
    sorts = [edit for edit in sentence.last.edits if isinstance(edit, SortBy)]
    if not sorts or len(sorts) != len(sentence.last.edits):
        return None
    return RequestReading([edit.model_copy(update={"descending": not edit.descending}) for edit in sorts])


def in_its_order(sentence: FollowUp, reading: RequestReading) -> RequestReading:
    """Return a sorting by another column in the order that is usual for it: “largest first” says nothing of a text."""
    view = sentence.last.view
    were = [column for edit in sentence.last.edits if isinstance(edit, SortBy) and (column := view.column(edit.field))]
    for n, edit in enumerate(reading.edits):
        column = view.column(edit.field) if isinstance(edit, SortBy) and edit.descending else None
        if isinstance(edit, SortBy) and column is not None and any(one.numeric for one in were):
            reading.edits[n] = edit.model_copy(update={"descending": column.java_class != STRING})
    return reading


def direction(sentence: FollowUp, slots: Slots) -> RequestReading | None:
    """“Highest first”, after a sorting."""
    sorts = [edit for edit in sentence.last.edits if isinstance(edit, SortBy)]
    if len(sorts) != 1 or len(sorts) != len(sentence.last.edits):
        return None
    return RequestReading([sorts[0].model_copy(update={"descending": slots["order"] == "descending"})])


def shade(sentence: FollowUp, slots: Slots) -> RequestReading | None:
    """“Too dark, a bit lighter”: the colour of the change before is mixed with white, or with black.

    White cannot become lighter, nor black darker: of white letters on green the green is meant. The colours of borders,
    which only keep what is there, do not count.
    """
    found: dict[str, list[tuple[AnyEdit, str]]] = {}
    for edit in sentence.last.edits:
        name = next((name for name in ("value", "colour") if _HEX.fullmatch(str(getattr(edit, name, "")))), None)
        if name and not str(getattr(edit, "name", "")).endswith("Pen.lineColor"):
            found.setdefault(str(getattr(edit, name)).upper(), []).append((edit, name))
    end = "#FFFFFF" if slots["shade"] == "lighter" else "#000000"
    found = {code: edits for code, edits in found.items() if len(found) == 1 or code != end}
    if len(found) != 1:
        return None
    [(code, edits)] = found.items()
    return RequestReading([edit.model_copy(update={name: _mixed(code, slots["shade"])}) for edit, name in edits])


def _mixed(code: str, shade: str) -> str:
    """Return a colour mixed half with white, or a third with black."""
    mixed = [(part + 255) // 2 if shade == "lighter" else part * 2 // 3 for part in channels(code)]
    return "#" + "".join(f"{part:02X}" for part in mixed)


def number(sentence: FollowUp, slots: Slots) -> RequestReading | None:
    """“Make that 1000”: another number where the change before has just one."""
    wanted, old = number_of(slots["number"]), number_of(slots["old_number"])
    if slots["grand"] and not all(isinstance(edit, AddTax) for edit in sentence.last.edits):
        return None
    limits = {str(getattr(edit, "comparison", ""))[:1] for edit in sentence.last.edits}
    if wanted is None or (slots["limit"] and limits != {slots["limit"]}):
        return None
    edits: list[AnyEdit] = []
    for edit in sentence.last.edits:
        field = next(
            (name for name in ("value", "rate", "width", "height") if _is_number(getattr(edit, name, None))), None
        )
        if field is None or (old is not None and old != number_of(str(getattr(edit, field)))):
            return None
        value = f"{wanted:g}" if field in ("value", "rate") else round(wanted)
        edits.append(_labelled(edit.model_copy(update={field: value}), str(getattr(edit, field)), str(value)))
    fields = ("value", "rate", "width")
    values = {str(next((v for f in fields if (v := getattr(edit, f, None))), None)) for edit in sentence.last.edits}
    return RequestReading(edits, base=sentence.last.base) if len(values) == 1 and edits else None


def _labelled(edit: AnyEdit, old: str, new: str) -> AnyEdit:
    """Return an edit whose label names the new rate where it named the old one: “Discount 10%”."""
    label = getattr(edit, "label", None)
    is_named = isinstance(label, str) and label.endswith(f"{old}%")
    return edit.model_copy(update={"label": f"{str(label).removesuffix(f'{old}%')}{new}%"}) if is_named else edit


def _is_number(value: object) -> bool:
    return value is not None and number_of(str(value)) is not None


def words(sentence: FollowUp, slots: Slots) -> RequestReading | None:
    """“不是0571，是0573”: other words in what the change before wrote."""
    old, new = sentence.words(slots["old"]), sentence.words(slots["new"])
    edits: list[AnyEdit] = []
    for edit in sentence.last.edits:
        names = [name for name in ("text", "label", "value") if old in (getattr(edit, name, None) or "")]
        edits.append(edit.model_copy(update={name: getattr(edit, name).replace(old, new) for name in names}))
    return RequestReading(edits, base=sentence.last.base) if edits != sentence.last.edits else None


def other_words(sentence: FollowUp, slots: Slots) -> RequestReading | None:
    """“Make that Quantity”: other words where the change before wrote one text. “Make it bold” has no name."""
    new, is_quoted = sentence.request.with_quotations(slots["new"])
    if len(sentence.last.edits) != 1 or not (is_quoted or new[:1].isupper()) or len(new) > MAX_WORDS_CHARS:
        return None
    [edit] = sentence.last.edits
    name = next((name for name in ("text", "label") if getattr(edit, name, None)), None)
    if name is None:
        return None
    colon = next((mark for mark in (":", "：") if getattr(edit, name).endswith(mark) and not new.endswith(mark)), "")
    return RequestReading([edit.model_copy(update={name: new + colon})], base=sentence.last.base)
