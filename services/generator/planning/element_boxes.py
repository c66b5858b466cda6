"""Element boxes: the position, size and padding, in whole points, from which an element prints its text."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from bandsmith.shared.model.geometry import Box
from bandsmith.shared.model.plan import Padding

from .text_metrics import TypesetText

NEIGHBOUR_GAP_PT = 2.0
"""Distance that an element keeps from what stands beside it."""
MIN_SLACK_PT = 4.0
"""Extra width that an element without a cell gets at least, for other wording."""
SLACK, GENEROUS_SLACK = 0.1, 0.5
"""The same as a share of the text's width: for fixed wording, and for a value."""
NO_PADDING = Padding()


@dataclass(frozen=True)
class PaddedBox:
    """An element's position and size in whole points, and its padding."""

    x: int
    y: int
    width: int
    height: int
    padding: Padding = NO_PADDING

    @property
    def right(self) -> int:
        return self.x + self.width

    @property
    def bottom(self) -> int:
        return self.y + self.height

    @property
    def inner_width(self) -> int:
        """Width available to the text."""
        return self.width - self.padding.left - self.padding.right


def whole_points(cell: Box) -> PaddedBox:
    """Round a cell to whole points. Cells that touch still share an edge."""
    x, y = round(cell.x), round(cell.y)
    return PaddedBox(x, y, round(cell.right) - x, round(cell.bottom) - y)


def free_standing(
    text: TypesetText, clear: tuple[float, float], generous: bool, space: tuple[float, float] | None = None
) -> PaddedBox:
    """The box of a text without a cell, which may grow between the x's of `clear`.

    The slack for other wording goes to the side that the alignment leaves open; `generous` asks for more of it. It is
    as much as there is between the x's of `space`, where they are given.
    """
    box, needed = text.box, text.width
    slack = max(MIN_SLACK_PT, box.width * (GENEROUS_SLACK if generous else SLACK))
    before = max(0.0, box.x - clear[0] - NEIGHBOUR_GAP_PT)
    after = max(0.0, clear[1] - box.right - NEIGHBOUR_GAP_PT)
    y, height = round(box.y), text.height
    match text.align:
        case "Left":
            slack = max(slack, space[1] - box.right - NEIGHBOUR_GAP_PT) if space else slack
            return PaddedBox(round(box.x), y, needed + int(min(slack, after)), height)
        case "Right":
            slack = max(slack, box.x - space[0] - NEIGHBOUR_GAP_PT) if space else slack
            width = needed + int(min(slack, before))
            return PaddedBox(round(box.right) - width, y, width, height)
    # The same slack on both sides keeps the middle where it is. It costs nothing to take all there is.
    width = needed + 2 * int(min(before, after))
    return PaddedBox(round(box.x + (box.width - width) / 2), y, width, height)


def fill_cell(text: TypesetText, cell: PaddedBox) -> PaddedBox | None:
    """The whole cell with the padding that prints the text at its position; None where the text does not fit."""
    spare_x, spare_y = cell.width - text.width, cell.height - text.height
    if spare_x < 0 or spare_y < 0:
        return None
    box = text.box
    left = right = top = bottom = 0
    match text.align:
        case "Left":
            left = _padding(box.x - cell.x, spare_x)
        case "Right":
            right = _padding(cell.right - box.right, spare_x)
        case "Center":
            # Padding on one side moves the middle by half of it.
            offset = round(2 * (box.x + box.width / 2 - cell.x - cell.width / 2))
            left, right = _padding(offset, spare_x), _padding(-offset, spare_x)
    match text.valign:
        case "Top":
            top = _padding(box.y - cell.y, spare_y)
        case "Bottom":
            bottom = _padding(cell.bottom - box.bottom, spare_y)
        case "Middle":
            offset = round(2 * (box.y + box.height / 2 - cell.y - cell.height / 2))
            top, bottom = _padding(offset, spare_y), _padding(-offset, spare_y)
    padding = Padding(top=top, left=left, bottom=bottom, right=right)
    return PaddedBox(cell.x, cell.y, cell.width, cell.height, padding)


def _padding(wanted: float, spare: int) -> int:
    return max(0, min(round(wanted), spare))


def horizontal_clearance(box: Box, obstacles: Iterable[Box], page_width: float) -> tuple[float, float]:
    """The x's between which nothing stands beside `box`."""
    low, high = 0.0, page_width
    middle = box.x + box.width / 2
    for other in obstacles:
        beside = other.bottom > box.y + 1 and other.y < box.bottom - 1
        if beside and other.right <= max(middle, box.x + NEIGHBOUR_GAP_PT):
            low = max(low, other.right)
        elif beside and other.x >= min(middle, box.right - NEIGHBOUR_GAP_PT):
            high = min(high, other.x)
    return low, high


def keep_space_below(text: TypesetText, box: PaddedBox) -> PaddedBox:
    """The box with padding that keeps the space below the text, and as much above it if centred, when the box grows."""
    spare = max(0, box.height - text.height)
    top = spare // 2 if text.valign == "Middle" else min(box.padding.top, spare)
    return replace(box, padding=box.padding.model_copy(update={"top": top, "bottom": spare - top}))
