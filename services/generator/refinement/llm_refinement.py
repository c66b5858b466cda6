"""Refinement by a model: what the rules leave unresolved in a window, and which of a model's edits are accepted."""

from __future__ import annotations

import json
import statistics
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from bandsmith.shared.editing import Editor
from bandsmith.shared.edits import AnyEdit
from bandsmith.shared.edits.move import Move
from bandsmith.shared.edits.resize import Resize
from bandsmith.shared.edits.set_property import SetProperty
from bandsmith.shared.jrxml.dom import report_element
from bandsmith.shared.llm import Allowance, Model, ModelFailed, Usage, ask, schema_prompt
from bandsmith.shared.llm.answers.report import EditsAnswer
from bandsmith.shared.model.base import Value
from bandsmith.shared.model.geometry import Box
from bandsmith.shared.model.layout import Layout
from bandsmith.shared.turns.verdict import Printed

from .refine import TextComparison, compare_texts, correcting_edits, is_cut, is_own_ink, middle_y, page_width, x_error
from .windows import MAX_WINDOW_CHARS

POSITION_TOLERANCE_PT = 3.0
"""A text within this distance of its position needs no model."""
MAX_ADDED_OR_DELETED = 0.1
"""A reply that would add or delete more than this share of a window's elements is rejected."""
MAX_SAMPLES, MAX_SAMPLE_CHARS = 3, 60
"""How many of an element's texts a model is shown, and how many characters of each."""
_POSITION = ("x", "y", "width", "height")
_PROPERTIES = frozenset({
    "fontSize", "isBold", "textAlignment", "verticalAlignment", "topPadding", "leftPadding", "bottomPadding",
    "rightPadding",
})  # fmt: skip


@dataclass(frozen=True)
class Refinement:
    """The edits that rules have for a window, and the elements that they leave unresolved."""

    keys: tuple[str, ...]
    edits: list[AnyEdit]
    texts: list[TextComparison]
    unresolved: list[TextComparison]

    @property
    def is_complete(self) -> bool:
        """Whether every text of the window will be printed, whole, in its position."""
        return not self.unresolved


def refine_by_rules(editor: Editor, keys: tuple[str, ...], layout: Layout, printed: Sequence[Printed]) -> Refinement:
    """Refine a window by rules."""
    width = page_width(editor)
    texts = compare_texts(editor, keys, layout, printed)
    corrected = [(text, correcting_edits(text, width)) for text in texts]
    unresolved = [text for text, edits in corrected if _is_unresolved(text, edits)]
    return Refinement(keys, [edit for _, edits in corrected for edit in edits], texts, unresolved)


def _is_unresolved(comparison: TextComparison, edits: Sequence[AnyEdit]) -> bool:
    """Whether a text will still be missing, cut or out of position after these edits."""
    if comparison.missing:
        return True
    if any(is_cut(printed, block) for printed, block in comparison.pairs):
        return not edits
    text = comparison.text
    inks = [
        (printed.ink, block.box)
        for printed, block in comparison.pairs
        if printed.ink is not None and is_own_ink(printed.ink, text, printed.text or "")
    ]
    if not inks or (text.is_cell and edits):
        return False
    right = statistics.median(x_error(text.align, ink, form) for ink, form in inks)
    down = statistics.median(middle_y(form) - middle_y(ink) for ink, form in inks)
    move = next((edit for edit in edits if isinstance(edit, Move)), None)
    if move is not None:
        right -= (text.x if move.x is None else move.x) - text.x
        down -= (text.y if move.y is None else move.y) - text.y
    return max(abs(right), abs(down)) > POSITION_TOLERANCE_PT


class Bounds(Value):
    """An element's position and size, and the width and height that its band offers, in points."""

    x: int
    y: int
    width: int
    height: int
    max_width: int
    max_height: int

    def fits(self) -> bool:
        valid = self.width > 0 and self.height > 0 and self.x >= 0 and self.y >= 0
        return valid and self.x + self.width <= self.max_width and self.y + self.height <= self.max_height


class WindowQuestion(Value):
    """What a model is asked about a window, and what its reply is checked against."""

    band: str
    """The window's elements, as JSON."""
    form: str
    """Where the form has the texts of the unresolved elements."""
    printed: str
    """Where these were printed."""
    elements: dict[str, Bounds]
    """The elements that a reply may change, by key."""


def window_question(editor: Editor, refinement: Refinement) -> WindowQuestion:
    return WindowQuestion(
        band=_compact([_element(editor, key) for key in refinement.keys]),
        form=_compact(_form_texts(refinement)),
        printed=_compact(_printed_texts(refinement)),
        elements={key: bounds for key in refinement.keys if (bounds := _bounds(editor, key)) is not None},
    )


async def ask_about_window(question: WindowQuestion, model: Model, allowance: Allowance) -> tuple[list[AnyEdit], Usage]:
    """Return the model's edits, to be applied after those of the rules. The model is called once."""
    values = {"band": question.band, "form": question.form, "printed": question.printed}
    values["edits"] = schema_prompt.edits(Move, Resize, SetProperty)
    try:
        answer, usage = await ask(model, "refine_layout", values, EditsAnswer, allowance=allowance)
    except ModelFailed as failed:
        return [], failed.usage
    return accepted_edits(question, answer.edits), usage


def accepted_edits(question: WindowQuestion, edits: Iterable[AnyEdit]) -> list[AnyEdit]:
    """Return those of a model's edits that move, size or style elements of the window and stay within its band.

    A reply with too many edits of other kinds is rejected as a whole.
    """
    edits = list(edits)
    others = sum(not isinstance(edit, Move | Resize | SetProperty) for edit in edits)
    if others > MAX_ADDED_OR_DELETED * len(question.elements):
        return []
    accepted: list[AnyEdit] = []
    elements = dict(question.elements)
    for edit in edits:
        if isinstance(edit, SetProperty) and edit.element in elements and edit.name in _PROPERTIES:
            accepted.append(edit)
        elif isinstance(edit, Move | Resize) and (bounds := elements.get(edit.element)):
            news = {name: value for name, value in edit.model_dump().items() if isinstance(value, int)}
            changed = bounds.model_copy(update=news)
            if changed.fits():
                accepted.append(edit)
                elements[edit.element] = changed
    return accepted


def _bounds(editor: Editor, key: str) -> Bounds | None:
    """Return an element's bounds; None for an unknown key."""
    node = editor.element(key)
    if node is None:
        return None
    report = report_element(node)
    band_height = int(node.getparent().get("height") or "0")
    box = {name: int(report.get(name) or "0") for name in _POSITION}
    return Bounds(**box, max_width=page_width(editor), max_height=band_height)


# --- what a model is shown --------------------------------------------------------------------------------------------


def _element(editor: Editor, key: str) -> dict[str, Any]:
    node = editor.element(key)
    assert node is not None
    report = report_element(node)
    described: dict[str, Any] = {"key": key} | {name: int(report.get(name) or "0") for name in _POSITION}
    for child in node.iter():
        if child.tag.endswith(("}text", "xpression")) and child.text:
            described["text"] = child.text.strip()[:MAX_SAMPLE_CHARS]
        if child.tag.endswith("}font"):
            described |= {name: child.get(name) for name in ("size", "isBold") if child.get(name)}
        if child.tag.endswith("}textElement"):
            described |= {name: child.get(name) for name in ("textAlignment", "verticalAlignment") if child.get(name)}
    return described


def _form_texts(refinement: Refinement) -> list[dict[str, Any]]:
    """Where the form has the texts of the unresolved elements, relative to the band."""
    x, y = _band_origin(refinement)
    return [
        {"key": one.text.key, "text": block.text[:MAX_SAMPLE_CHARS], **_rounded(block.box.moved(-x, -y))}
        for one in refinement.unresolved
        for block in [*one.missing, *(block for _, block in one.pairs)][:MAX_SAMPLES]
    ]


def _printed_texts(refinement: Refinement) -> list[dict[str, Any]]:
    """Where the unresolved elements were printed, relative to the band."""
    x, y = _band_origin(refinement)
    return [
        {
            "key": one.text.key,
            "text": (item.text or "")[:MAX_SAMPLE_CHARS],
            **_rounded((item.ink or item.box).moved(-x, -y)),
        }
        for one in refinement.unresolved
        for item, _ in one.pairs[:MAX_SAMPLES]
    ]


def _band_origin(refinement: Refinement) -> tuple[float, float]:
    """Where the band begins on the page, judged by what was printed of it."""
    printed = [(one.text, item) for one in refinement.texts for item, _ in one.pairs if item.row == 0]
    if not printed:
        return 0.0, 0.0
    return (
        statistics.median(item.box.x - text.x for text, item in printed),
        statistics.median(item.box.y - text.y for text, item in printed),
    )


def _rounded(box: Box) -> dict[str, float]:
    return {name: round(getattr(box, name), 1) for name in _POSITION}


def _compact(items: list[dict[str, Any]]) -> str:
    """JSON of as many items as fit into the characters of a window."""
    lines: list[str] = []
    available = MAX_WINDOW_CHARS
    for item in items:
        line = json.dumps(item, ensure_ascii=False)
        available -= len(line) + 2
        if available < 0:
            break
        lines.append(line)
    return f"[{', '.join(lines)}]"
