"""Find the target of each request: the block, picture or cell of the layout that it points at."""

from __future__ import annotations

from collections.abc import Iterable

from bandsmith.shared.model.geometry import Box
from bandsmith.shared.model.layout import Block, Layout, Remark

from .requests import AIM_DISTANCE_PT, PenRequest, expand, gap_between

MAX_TEXT_GAP_PT = 60.0
"""Maximum distance of text without a shape from the print that it is about."""


def find_target(request: PenRequest, colour: str, layout: Layout) -> Remark:
    """Return the request as a remark with its target on the page."""
    target: Box | None
    if request.marked is not None:
        target, block = _marked_target(request.marked, request.shape, layout)
    elif request.tip is not None and request.direction is not None:
        target, block = _arrow_target(request.tip, request.direction, layout)
    else:
        target, block = _nearest_target(request.box, layout)
    return Remark(
        text=request.text,
        box=request.box,
        shape=request.shape,
        target=target,
        block=block.id if block else None,
        colour=colour,
    )


def _marked_target(area: Box, shape: str, layout: Layout) -> tuple[Box, Block | None]:
    """Return what lies inside a loop, below a stroke, or above an underline."""
    if shape == "underline":
        area = Box.between(area.x, area.y - 9, area.right, area.bottom)
    share = {block.id: _share(area, block.box, shape) for block in layout.blocks}
    covered = [block for block in layout.blocks if share[block.id] > 0.4]
    if shape == "circle":
        chosen = max(covered, key=lambda block: block.box.area, default=None) or max(
            (block for block in layout.blocks if share[block.id] > 0.1), key=lambda block: share[block.id], default=None
        )
        return area, chosen
    if not covered:
        return area, max(
            (block for block in layout.blocks if share[block.id] > 0),
            key=lambda block: block.box.overlap(area),
            default=None,
        )
    return Box.around(block.box for block in covered), max(covered, key=lambda block: block.box.overlap(area))


def _share(area: Box, box: Box, shape: str) -> float:
    """Return how much of a block is marked: of its area by a loop, of its width by a stroke at its height."""
    if shape == "circle":
        return box.overlap(area) / max(1.0, box.area)
    middle = area.middle[1]
    level = box.y - 1 < middle < box.bottom + 1 or area.y < box.middle[1] < area.bottom
    across = min(box.right, area.right) - max(box.x, area.x)
    return max(0.0, across) / max(1.0, box.width) if level else 0.0


def _arrow_target(tip: tuple[float, float], direction: tuple[float, float], layout: Layout) -> tuple[Box, Block | None]:
    """Return the first thing ahead of an arrow, or else what is nearest to its tip."""
    cells = [cell.box for grid in layout.grids for cell in grid.cells]
    for distance in range(-3, round(AIM_DISTANCE_PT)):
        x, y = tip[0] + distance * direction[0], tip[1] + distance * direction[1]
        block = next((block for block in layout.blocks if expand(block.box, 2).holds(x, y)), None)
        if block is not None:
            return block.box, block
        picture_box = next((picture.box for picture in layout.pictures if picture.box.holds(x, y)), None)
        if picture_box is not None:
            return picture_box, None
        cell = next((cell for cell in cells if distance >= 0 and cell.holds(x, y)), None)
        if cell is not None:
            inside = [block for block in layout.blocks if block.box.overlap(cell) > 0.5 * block.box.area]
            return cell, inside[0] if len(inside) == 1 else None
    point = Box(x=tip[0], y=tip[1], width=0, height=0)
    block = _closest(point, layout.blocks)
    if block is not None and gap_between(block.box, point) < AIM_DISTANCE_PT:
        return block.box, block
    return expand(point, 4), None


def _nearest_target(box: Box, layout: Layout) -> tuple[Box | None, Block | None]:
    """Return the nearest print; print beside the text is preferred to print above or below it."""
    block = _closest(box, layout.blocks)
    if block is None or gap_between(block.box, box) > MAX_TEXT_GAP_PT:
        return None, None
    return block.box, block


def _closest(box: Box, blocks: Iterable[Block]) -> Block | None:
    def far(block: Block) -> float:
        level = block.box.y - 1 < box.middle[1] < block.box.bottom + 1
        return gap_between(block.box, box) * (1 if level else 1.6)

    return min(blocks, key=far, default=None)
