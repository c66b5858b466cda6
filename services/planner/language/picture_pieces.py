"""Pictures that are the pieces of one, as a stamp that was found in parts."""

from __future__ import annotations

from .view_elements import ViewElement

PIECE_GAP_PT = 12
"""Pictures this close to each other are pieces of one."""


def are_one(pictures: list[ViewElement]) -> bool:
    """Whether pictures are the pieces of one: each lies close to one before it."""
    if not pictures:
        return False
    near, others = [pictures[0]], pictures[1:]
    while beside := [one for one in others if any(_is_close(one, known) for known in near)]:
        near += beside
        others = [one for one in others if one not in beside]
    return not others


def _is_close(one: ViewElement, other: ViewElement) -> bool:
    across = max(one.x, other.x) - min(one.x + one.width, other.x + other.width)
    down = max(one.y, other.y) - min(one.y + one.height, other.y + other.height)
    return one.band == other.band and max(across, down) <= PIECE_GAP_PT
