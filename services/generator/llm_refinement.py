"""Settling: what rules leave undone in a window, and what a model may do about it."""

from __future__ import annotations

import json
import statistics
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from bandsmith.shared.editing import Editor
from bandsmith.shared.jrxml.dom import report_element
from bandsmith.shared.llm import Allowance, Model, ModelFailed, Usage, ask, schema_prompt
from bandsmith.shared.llm.answers import EditsAnswer
from bandsmith.shared.model.edits import AnyEdit, Move, Resize, SetProperty
from bandsmith.shared.model.geometry import Box
from bandsmith.shared.model.layout import Layout
from bandsmith.shared.model.verdict import Printed

from .refine import Placed, across_off, is_cut, is_its_own, mending, middle_y, page_width_of, placed
from .windows import MOST_CHARACTERS

NEAR = 3.0
"""A text within so many points of its place is where it belongs."""
MOST_CHANGED = 0.1
"""A reply that would add or delete more than this share of a window's elements is of no use."""
MOST_PLACES, LONGEST_TEXT = 3, 60
"""So many of an element's texts a model is shown, and so many characters of each."""
_PROPERTIES = frozenset({
    "fontSize", "isBold", "textAlignment", "verticalAlignment", "topPadding", "leftPadding", "bottomPadding",
    "rightPadding",
})  # fmt: skip


@dataclass(frozen=True)
class Refinement:
    """The edits that rules have for a window, and the elements that they do not settle."""

    keys: tuple[str, ...]
    edits: list[AnyEdit]
    placed: list[Placed]
    open: list[Placed]

    @property
    def settled(self) -> bool:
        """Whether every text of the window will be printed, whole, and at its place."""
        return not self.open


def settled(editor: Editor, keys: tuple[str, ...], layout: Layout, printed: Sequence[Printed]) -> Refinement:
    """What rules make of a window."""
    width = page_width_of(editor)
    found = placed(editor, keys, layout, printed)
    mended = [(one, mending(one, width)) for one in found]
    left = [one for one, edits in mended if _is_open(one, edits)]
    return Refinement(keys, [edit for _, edits in mended for edit in edits], found, left)


def _is_open(one: Placed, edits: Sequence[AnyEdit]) -> bool:
    if one.missing:
        return True
    if any(is_cut(printed, block) for printed, block in one.pairs):
        return not edits
    text = one.text
    inked = [
        (printed.ink, block.box)
        for printed, block in one.pairs
        if printed.ink is not None and is_its_own(printed.ink, text, printed.text or "")
    ]
    if not inked:
        return False
    across = statistics.median(across_off(text.align, got, form) for got, form in inked)
    down = statistics.median(middle_y(form) - middle_y(got) for got, form in inked)
    if text.is_cell and edits:
        return False
    move = next((edit for edit in edits if isinstance(edit, Move)), None)
    if move is not None:
        across -= (text.x if move.x is None else move.x) - text.x
        down -= (text.y if move.y is None else move.y) - text.y
    return max(abs(across), abs(down)) > NEAR


async def refined(
    editor: Editor, refinement: Refinement, model: Model, allowance: Allowance
) -> tuple[list[AnyEdit], Usage]:
    """The window's edits, those of a model behind the rules'; one call."""
    values = {
        "band": _compact([_element(editor, key) for key in refinement.keys]),
        "form": _compact(_form(refinement)),
        "printed": _compact(_printed(refinement)),
        "edits": schema_prompt.edits(Move, Resize, SetProperty),
    }
    try:
        answer, usage = await ask(model, "refine_layout", values, EditsAnswer, allowance=allowance)
    except ModelFailed as failed:
        return refinement.edits, failed.usage
    return refinement.edits + allowed(editor, refinement, answer.edits), usage


def allowed(editor: Editor, refinement: Refinement, edits: Iterable[AnyEdit]) -> list[AnyEdit]:
    """Of a model's edits those that place or size elements of the window and stay within its band.

    None, where it would rather have other elements.
    """
    edits = list(edits)
    others = sum(not isinstance(edit, Move | Resize | SetProperty) for edit in edits)
    if others > MOST_CHANGED * len(refinement.keys):
        return []
    kept: list[AnyEdit] = []
    places = {key: place for key in refinement.keys if (place := _place(editor, key)) is not None}
    for edit in edits:
        if isinstance(edit, SetProperty) and edit.element in places and edit.name in _PROPERTIES:
            kept.append(edit)
        elif isinstance(edit, Move | Resize) and (place := places.get(edit.element)):
            moved = place | {name: value for name, value in edit.model_dump().items() if isinstance(value, int)}
            if _fits(moved):
                kept.append(edit)
                places[edit.element] = moved
    return kept


def _place(editor: Editor, key: str) -> dict[str, int] | None:
    node = editor.element(key)
    if node is None:
        return None
    report = report_element(node)
    band = int(node.getparent().get("height") or "0")
    place = {name: int(report.get(name) or "0") for name in ("x", "y", "width", "height")}
    return place | {"across": page_width_of(editor), "down": band}


def _fits(place: dict[str, int]) -> bool:
    whole = place["width"] > 0 and place["height"] > 0 and place["x"] >= 0 and place["y"] >= 0
    return whole and place["x"] + place["width"] <= place["across"] and place["y"] + place["height"] <= place["down"]


# --- what a model is shown -------------------------------------------------------------------------------------------


def _element(editor: Editor, key: str) -> dict[str, Any]:
    node = editor.element(key)
    assert node is not None
    report = report_element(node)
    said: dict[str, Any] = {"key": key} | {name: int(report.get(name) or "0") for name in ("x", "y", "width", "height")}
    for child in node.iter():
        if child.tag.endswith(("}text", "xpression")) and child.text:
            said["text"] = child.text.strip()[:LONGEST_TEXT]
        if child.tag.endswith("}font"):
            said |= {name: child.get(name) for name in ("size", "isBold") if child.get(name)}
        if child.tag.endswith("}textElement"):
            said |= {name: child.get(name) for name in ("textAlignment", "verticalAlignment") if child.get(name)}
    return said


def _form(refinement: Refinement) -> list[dict[str, Any]]:
    """Where the open elements' texts stand on the form, within the band."""
    x, y = _origin(refinement)
    return [
        {"key": one.text.key, "text": block.text[:LONGEST_TEXT], **_rounded(block.box.moved(-x, -y))}
        for one in refinement.open
        for block in [*one.missing, *(block for _, block in one.pairs)][:MOST_PLACES]
    ]


def _printed(refinement: Refinement) -> list[dict[str, Any]]:
    x, y = _origin(refinement)
    return [
        {
            "key": one.text.key,
            "text": (item.text or "")[:LONGEST_TEXT],
            **_rounded((item.ink or item.box).moved(-x, -y)),
        }
        for one in refinement.open
        for item, _ in one.pairs[:MOST_PLACES]
    ]


def _origin(refinement: Refinement) -> tuple[float, float]:
    """Where the band begins on the page, by what was printed of it."""
    printed = [(one.text, item) for one in refinement.placed for item, _ in one.pairs if item.row == 0]
    if not printed:
        return 0.0, 0.0
    return (
        statistics.median(item.box.x - text.x for text, item in printed),
        statistics.median(item.box.y - text.y for text, item in printed),
    )


def _rounded(box: Box) -> dict[str, float]:
    return {name: round(getattr(box, name), 1) for name in ("x", "y", "width", "height")}


def _compact(items: list[dict[str, Any]]) -> str:
    """JSON of as many as a window may have characters."""
    lines: list[str] = []
    room = MOST_CHARACTERS
    for item in items:
        line = json.dumps(item, ensure_ascii=False)
        room -= len(line) + 2
        if room < 0:
            break
        lines.append(line)
    return f"[{', '.join(lines)}]"
