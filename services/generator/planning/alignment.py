"""Alignment that a single line does not show, but its surroundings do.

A line of text alone may be aligned in any way. A number whose end lies under the ends of a right-aligned column, or of
other numbers, is aligned right, and so is one of a single row that ends at the rule on the right of its column; a line
above the rows whose middle is the middle of the page or of the table is centred. Wording of another length then stays
where it belongs.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from bandsmith.shared.model.geometry import Box
from bandsmith.shared.model.layout import Align, Block, Layout

from .ruling import span

NUMBER_TOLERANCE_PT = 3.0
"""Numbers whose ends are this near are aligned with each other."""
CENTRE_TOLERANCE_PT = 2.0
"""A line whose middle is this near to the middle of the page or the table is centred."""
MAX_CENTRED_SHARE = 0.8
"""A line that takes more of the width than this is in the middle anyway."""
AT_RULE_PT = 5.0
"""A number ends at the rule on the right of its column where it is no farther from it."""
_NUMBER = re.compile(r"[^\w\s]{0,3}\s?\(?-?\d[\d,.' ]*\)?\s?[%％]?")


def with_likely_alignment(layout: Layout) -> Layout:
    """Return the layout with the alignment of single lines as their surroundings suggest it."""
    in_rows = {name for rows in layout.row_sets for slot in rows.slots for name in slot.blocks if name}
    single = [
        block
        for block in layout.blocks
        if block.id not in in_rows and block.align == "Left" and block.room is None and len(block.lines) <= 1
    ]
    edges = _column_edges(layout) + _shared_edges([block for block in single if _NUMBER.fullmatch(block.text.strip())])
    changed: dict[str, Align] = dict.fromkeys(_ends_of_single_rows(layout), "Right")
    for block in single:
        if _NUMBER.fullmatch(block.text.strip()):
            if any(abs(block.box.right - edge) <= NUMBER_TOLERANCE_PT for edge in edges):
                changed[block.id] = "Right"
        elif _is_centred(block, layout):
            changed[block.id] = "Center"
    blocks = [
        block.model_copy(update={"align": changed[block.id]}) if block.id in changed else block
        for block in layout.blocks
    ]
    return layout.model_copy(update={"blocks": blocks})


def _ends_of_single_rows(layout: Layout) -> list[str]:
    """Return the numbers of tables with one row that end at the rule on the right of their column, and begin far from
    the one on the left.
    """
    blocks = {block.id: block for block in layout.blocks}
    cells = [slot.blocks[0] for rows in layout.row_sets for slot in rows.slots if len(slot.blocks) == 1]
    numbers = [blocks[name] for name in cells if name in blocks and _NUMBER.fullmatch(blocks[name].text.strip())]
    return [one.id for one in numbers if one.align == "Left" and one.room is None and _ends_at_rule(one.box, layout)]


def _ends_at_rule(box: Box, layout: Layout) -> bool:
    upright = [span(rule) for rule in layout.rules if not rule.horizontal]
    beside = [x for x, low, high in upright if low < box.middle[1] < high]
    after = min((x - box.right for x in beside if x >= box.right - 1), default=None)
    before = min((box.x - x for x in beside if x <= box.x + 1), default=None)
    return after is not None and before is not None and after <= AT_RULE_PT and after < before / 2


def _column_edges(layout: Layout) -> list[float]:
    """Return the ends of the right-aligned columns."""
    blocks = {block.id: block for block in layout.blocks}
    found = []
    for slot in (slot for rows in layout.row_sets for slot in rows.slots):
        cells = [blocks[name] for name in slot.blocks if name in blocks]
        if cells and sum(cell.align == "Right" for cell in cells) * 2 > len(cells):
            found.append(sorted(cell.box.right for cell in cells)[len(cells) // 2])
    return found


def _shared_edges(numbers: Sequence[Block]) -> list[float]:
    """Return the ends that numbers of different lengths share, where their beginnings differ."""
    return [
        one.box.right
        for one in numbers
        if any(
            other is not one
            and abs(other.box.right - one.box.right) <= NUMBER_TOLERANCE_PT
            and abs(other.box.x - one.box.x) > NUMBER_TOLERANCE_PT
            for other in numbers
        )
    ]


def _is_centred(block: Block, layout: Layout) -> bool:
    """Whether a line above the rows stands in the middle of the page or of the table."""
    if layout.repeat is not None and block.box.bottom > min(layout.repeat.tops):
        return False
    middle = block.box.middle[0]
    middles = [layout.page.width / 2, *([layout.repeat.box.middle[0]] if layout.repeat else [])]
    is_short = block.box.width <= MAX_CENTRED_SHARE * layout.page.width
    is_alone = not any(_beside(block.box, other.box) for other in layout.blocks if other is not block)
    is_title = block.id == layout.title
    near = any(abs(middle - centre) <= CENTRE_TOLERANCE_PT for centre in middles)
    return near and is_short and (is_alone or is_title)


def _beside(one: Box, other: Box) -> bool:
    """Whether two boxes share a line."""
    return min(one.bottom, other.bottom) - max(one.y, other.y) > 0.5 * min(one.height, other.height)
