"""Texts and pictures that are brought to a side or to the middle of the page, as long as they cover nothing there."""

from __future__ import annotations

from collections.abc import Sequence

from bandsmith.shared.edits import AnyEdit
from bandsmith.shared.edits.move import Move
from bandsmith.shared.jrxml.text_styles import resolve_style

from ...reference_resolver import ReferenceResolver
from ...references import Target
from ...template_view import TemplateView
from ...view_elements import ViewElement
from ..reading import ClauseReading, refused
from ..style_phrases import StyleChange

MIN_SPANNING_SHARE = 0.6
"""A text outside the rows with this share of the page's width is aligned within its box; a narrower one is moved."""
_BESIDE_ROWS = ("columnHeader", "detail", "groupHeader", "groupFooter")


def aligned_on_page(view: TemplateView, texts: Sequence[ViewElement], side: str) -> list[Move] | None:
    """Return the moves of texts to a side of the page, those of a line together; None where they would cover others.

    Texts of the rows, and those that are nearly as wide as the page, are aligned in their boxes and not moved.
    """
    loose = _loose(view, texts, side)
    moves = _moves(view, loose, side)
    return None if _covered(view, loose, moves, side) else moves


def drawing_moved(view: TemplateView, pieces: Sequence[ViewElement], side: str) -> list[AnyEdit] | None:
    """Return the moves of a picture, with all that is drawn of it; None where it would cover a text."""
    moves = _moved_together(view, pieces, side)
    return None if _covered(view, pieces, moves, side) else [*moves]


def _moved_together(view: TemplateView, pieces: Sequence[ViewElement], side: str) -> list[Move]:
    """Return the edits that bring elements to a side of the page as one."""
    left, right = view.sides
    start, end = min(one.x for one in pieces), max(one.x + one.width for one in pieces)
    if (
        side == "Center" and abs(left + right - start - end) <= 1
    ):  # in the middle of the table: that of the page is meant
        left, right = (edge - int(view.root.get("leftMargin", "0")) for edge in (0, view.page[0]))
    by = {"Left": left - start, "Center": (left + right - start - end) // 2, "Right": right - end}[side]
    return [Move(element=one.key, x=max(0, one.x + by)) for one in pieces]


def refused_for_cover(view: TemplateView, target: Target, changes: Sequence[StyleChange]) -> ClauseReading | None:
    """Return the refusal of an alignment with the text that is in the way; None where none is."""
    sides = [str(change.value) for change in changes if change.name == "textAlignment"]
    for side in sides:
        pieces = _loose(view, target.texts, side) if target.texts else target.pieces
        moves = _moves(view, pieces, side) if target.texts else _moved_together(view, pieces, side)
        for _, other in _covered(view, pieces, moves, side):
            return refused("language.would_cover", moved=target.words, other=ReferenceResolver(view).name_of(other))
    return None


def _loose(view: TemplateView, texts: Sequence[ViewElement], side: str) -> list[ViewElement]:
    """Return the texts that stand alone, so that aligning them on the page is what is meant.

    So does one that is nearly as wide as the page where it is aligned so in its box already.
    """
    return [text for text in texts if text.section not in _BESIDE_ROWS and not _fills_page(view, text, side)]


def _fills_page(view: TemplateView, text: ViewElement, side: str) -> bool:
    """Whether a text is as good as aligned on the page when it is aligned in its box."""
    is_wide = text.width >= MIN_SPANNING_SHARE * view.width
    return is_wide and resolve_style(view.root, text.node).align != side


def _moves(view: TemplateView, texts: Sequence[ViewElement], side: str) -> list[Move]:
    lines: list[list[ViewElement]] = []
    for text in texts:
        line = next((one for one in lines if _are_beside(one[0], text)), None)
        if line is None:
            lines.append([text])
        else:
            line.append(text)
    return [move for line in lines for move in _moved_together(view, line, side)]


def _covered(
    view: TemplateView, pieces: Sequence[ViewElement], moves: Sequence[Move], side: str
) -> list[tuple[ViewElement, ViewElement]]:
    """Return the elements that come to stand over a text at their new place, and did not before, with the text."""
    places = {move.element: move.x for move in moves if move.x is not None}
    others = [one for one in view.texts if one.key not in places]
    return [(one, other) for one in pieces for other in others if _is_reached(view, one, places[one.key], side, other)]


def _are_beside(one: ViewElement, other: ViewElement) -> bool:
    return one.band == other.band and one.y < other.y + other.height and other.y < one.y + one.height


def _is_reached(view: TemplateView, moved: ViewElement, x: int, side: str, other: ViewElement) -> bool:
    """Whether an element meets the writing of a text at its new place, and did not before."""
    if not _are_beside(moved, other):
        return False
    start, end = _writing(view, other)
    old, new = _writing(view, moved), _writing(view, moved, side)
    was, now = (place + a < end and start < place + b for place, (a, b) in ((0, old), (x - moved.x, new)))
    return now and not was


def _writing(view: TemplateView, text: ViewElement, side: str = "") -> tuple[int, int]:
    """Return from where to where an element prints with the values of today: its box where that is not known."""
    if not text.is_text:
        return text.x, text.x + text.width
    words = view.printed(text)
    style = resolve_style(view.root, text.node)
    width = min(style.width_of(words), text.width) if words else text.width
    spare = text.width - width
    start = text.x + {"Left": 0, "Center": spare // 2, "Right": spare}.get(side or style.align, 0)
    return start, start + width
