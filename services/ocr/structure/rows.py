"""Rows that may repeat, and the slots in them that blocks of every row share."""

from __future__ import annotations

from dataclasses import dataclass, field

from bandsmith.shared.model.geometry import Box
from bandsmith.shared.model.layout import Block

ALIGNMENT_TOLERANCE_PT = 2.5
"""Difference in left edge, middle or right edge up to which blocks are in one column."""
STEP_TOLERANCE_PT = 2.2
"""Difference up to which the step between two blocks is the step of the rows."""


@dataclass
class SlotCandidate:
    """A slot of a candidate: its block in each row that has one."""

    blocks: dict[int, Block] = field(default_factory=dict)

    @property
    def first(self) -> Block:
        return self.blocks[min(self.blocks)]


@dataclass
class RowCandidate:
    """Rows that may repeat: where they begin, how far apart they are, and what stands in each."""

    tops: list[float]
    pitch: float
    slots: list[SlotCandidate]
    grid: str | None = None

    @property
    def bottom(self) -> float:
        return self.tops[-1] + self.pitch

    @property
    def explained(self) -> int:
        """Number of blocks whose position the first row predicts."""
        return sum(len(slot.blocks) - 1 for slot in self.slots)


def is_aligned(a: Block, b: Block) -> bool:
    """Whether two blocks have a similar style and share their left edge, middle or right edge."""
    if not 0.85 < a.style.size / b.style.size < 1.18 or a.style.bold != b.style.bold:
        return False
    return (
        abs(a.box.x - b.box.x) <= ALIGNMENT_TOLERANCE_PT
        or abs(a.box.right - b.box.right) <= ALIGNMENT_TOLERANCE_PT
        or abs(a.box.middle[0] - b.box.middle[0]) <= ALIGNMENT_TOLERANCE_PT
    )


def step_error(a: Block, b: Block, step: float) -> float:
    """Return by how much `b` is not `step` below `a`, measured at the edge where they agree best."""
    # Written out, since a page with rows takes some ten thousand of these.
    y, height, other_y, other_height = a.box.y, a.box.height, b.box.y, b.box.height
    return min(
        abs(other_y - y - step),
        abs((other_y + other_height / 2) - (y + height / 2) - step),
        abs((other_y + other_height) - (y + height) - step),
    )


def _share_left_edge(one: Box | None, other: Box | None) -> bool:
    return one is not None and other is not None and abs(one.x - other.x) < ALIGNMENT_TOLERANCE_PT


def group_into_slots(content: list[list[Block]], tops: list[float]) -> list[SlotCandidate]:
    """Assign the blocks of all rows to slots, by their position in their row."""
    slots: list[SlotCandidate] = []
    for row, blocks in enumerate(content):
        for block in blocks:
            for slot in slots:
                if row in slot.blocks:
                    continue
                first_row = min(slot.blocks)
                reference = slot.blocks[first_row]
                in_cells = reference.room is not None and block.room is not None
                down = step_error(reference, block, tops[row] - tops[first_row])
                if down > (8 if in_cells else STEP_TOLERANCE_PT * 1.5):
                    continue
                if is_aligned(reference, block) or _share_left_edge(reference.room, block.room):
                    slot.blocks[row] = block
                    break
            else:
                slots.append(SlotCandidate({row: block}))
    return slots
