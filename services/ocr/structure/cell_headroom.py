"""Find the blank above a signature or a date in a ruled cell: the place for an opinion, a reason, a declaration.

Forms leave most of a cell free for what its label, in the cell to the left, asks for. At its bottom they have a place
to sign and 年 月 日 for the date, which are no answer to the label.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence

from bandsmith.shared.fields.identifiers import plain_label
from bandsmith.shared.model.geometry import Box
from bandsmith.shared.model.layout import Blank, Block, Grid, Repeat

from .date_units import UNITS
from .text_classifier import SIGNATURE_ENDINGS, ends_like_label

_FilledCell = tuple[Box, list[Block]]
"""A cell, and the texts in it."""
MIN_HEIGHT = 1.6
"""Height of the blank, in font sizes, at least."""
ABOVE_TEXT = 0.4
"""Free space between the blank and the text below it, in font sizes."""
INSET_PT, EDGE_TOLERANCE_PT = 2.0, 2.0
MAX_LABEL_CHARS = 30
_ENDINGS = (*SIGNATURE_ENDINGS, "签章", "盖章", "signature", "signed", "date", "日期")


def find_headroom(blocks: Sequence[Block], grids: Sequence[Grid], tables: Sequence[Repeat]) -> list[Blank]:
    """Return the blanks above what signs and dates a cell, in cells beside a label. `blocks` have their roles."""
    found: list[Blank] = []
    for grid in grids:
        boxes = [cell.box for cell in grid.cells if not any(rows.box.holds(*cell.box.middle) for rows in tables)]
        cells = _with_texts(boxes, blocks)
        for box, texts in cells:
            if not texts or not all(map(_signs_or_dates, texts)):
                continue
            label = _label_left_of(box, cells)
            if label is not None and (place := _place_above(texts, box, label.style.size)):
                style = label.style.model_copy(update={"bold": False})
                name = plain_label(label.text.split("\n")[0] if len(label.text) > MAX_LABEL_CHARS else label.text)
                found.append(Blank(id=f"headroom{len(found) + 1}", label=name, box=place, style=style))
    return found


def _with_texts(boxes: Sequence[Box], blocks: Sequence[Block]) -> list[_FilledCell]:
    """Return each cell with the texts in it, which are looked for only among those at its height."""
    ordered = sorted(blocks, key=_height)
    found = []
    for box in boxes:
        level = ordered[bisect_left(ordered, box.y, key=_height) : bisect_right(ordered, box.bottom, key=_height)]
        found.append((box, [block for block in level if box.holds(*block.box.middle)]))
    return found


def _height(block: Block) -> float:
    return block.box.middle[1]


def _place_above(texts: Sequence[Block], box: Box, size: float) -> Box | None:
    """Return the free place of a cell above its texts, if it is high enough for type of a size."""
    bottom = min(text.box.bottom - text.style.size for text in texts) - ABOVE_TEXT * size
    if bottom - box.y - INSET_PT < MIN_HEIGHT * size:
        return None
    return Box.between(box.x + INSET_PT, box.y + INSET_PT, box.right - INSET_PT, bottom)


def _signs_or_dates(block: Block) -> bool:
    """Whether a text is a unit of a date, or asks for a signature, a seal or a date."""
    plain = "".join(block.text.split())
    if block.role != "fixed" or not plain:
        return False
    is_place = ends_like_label(plain) and plain_label(plain).lower().endswith(_ENDINGS)
    return set(plain) <= set(UNITS) or is_place


def _label_left_of(box: Box, cells: Sequence[_FilledCell]) -> Block | None:
    """Return the wording that is alone in the cell to the left, which is as high."""
    for left, texts in cells:
        is_beside = abs(left.right - box.x) <= EDGE_TOLERANCE_PT and left.x < box.x
        is_level = abs(left.y - box.y) <= EDGE_TOLERANCE_PT and abs(left.bottom - box.bottom) <= EDGE_TOLERANCE_PT
        if is_beside and is_level and len(texts) == 1 and texts[0].role == "fixed":
            return texts[0]
    return None
