"""Rows that may repeat, and the places in them that blocks of every row share."""

from __future__ import annotations

from dataclasses import dataclass, field

from bandsmith.shared.model.layout import Block

ACROSS = 2.5
"""Points by which the left, middle or right of blocks in one column may differ."""
DOWN = 2.2
"""Points by which the step of a block may differ from the row's."""


@dataclass
class Place:
    """One slot while it is being filled: a block for each row."""

    blocks: dict[int, Block] = field(default_factory=dict)

    @property
    def first(self) -> Block:
        return self.blocks[min(self.blocks)]


@dataclass
class Rows:
    """A candidate: where rows begin, how far apart they are, and what stands in each."""

    tops: list[float]
    pitch: float
    places: list[Place]
    grid: str | None = None

    @property
    def bottom(self) -> float:
        return self.tops[-1] + self.pitch

    @property
    def explained(self) -> int:
        """How many blocks stand where the first row foretells one."""
        return sum(len(place.blocks) - 1 for place in self.places)


def same_place(a: Block, b: Block) -> bool:
    """Whether two blocks are alike and share their left, middle or right."""
    if not 0.85 < a.style.size / b.style.size < 1.18 or a.style.bold != b.style.bold:
        return False
    return (
        abs(a.box.x - b.box.x) <= ACROSS
        or abs(a.box.right - b.box.right) <= ACROSS
        or abs(a.box.middle[0] - b.box.middle[0]) <= ACROSS
    )


def off_by(a: Block, b: Block, step: float) -> float:
    """By how much b is not `step` below a, at the edge where they agree best."""
    return min(
        abs(b.box.y - a.box.y - step),
        abs(b.box.middle[1] - a.box.middle[1] - step),
        abs(b.box.bottom - a.box.bottom - step),
    )


def places_of(content: list[list[Block]], tops: list[float]) -> list[Place]:
    """Sort the blocks of all rows into slots, by where they stand in their row."""
    places: list[Place] = []
    for row, held in enumerate(content):
        for block in held:
            for place in places:
                if row in place.blocks:
                    continue
                seen = min(place.blocks)
                other = place.blocks[seen]
                step = tops[row] - tops[seen]
                down = off_by(other, block, step)
                same = same_place(other, block) or (
                    other.room is not None and block.room is not None and abs(other.room.x - block.room.x) < ACROSS
                )
                if same and down <= (8 if other.room and block.room else DOWN * 1.5):
                    place.blocks[row] = block
                    break
            else:
                places.append(Place({row: block}))
    return places
