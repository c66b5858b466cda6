"""Find the section of the form that each value stands in, which tells equal labels apart.

A form asks for the name and the tax number of the buyer, and once more for those of the seller. What the section is
about is said by wording that runs down beside the labels, or by a heading above them. A heading counts where its words
name a party or a matter (`section` in ``terms.toml``), or where it ends with a word for a section, as in ``Delivery
details``. Other wording above a value may be anything.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from bandsmith.shared.fields.identifiers import plain_label, section_name
from bandsmith.shared.fonts import is_cjk
from bandsmith.shared.model.geometry import Box
from bandsmith.shared.model.layout import Block, Layout

from .unlabelled import PLAIN_STEMS

MAX_GAP_PT = 40.0
"""A wider gap below a heading, or between the texts below it, ends its section."""
LEADING = 1.5
"""Distance between the lines of a form, in font sizes."""
LEFT_TOLERANCE_PT = 4.0
"""A heading may begin this much farther to the left or right than what stands below it."""


class _Section(NamedTuple):
    name: str
    box: Box
    runs_down: bool


def sections_of(layout: Layout) -> dict[str, str]:
    """Return the name of the section of each value and blank outside the rows that has one, by block id."""
    sections = list(_sections(layout))
    in_rows = {block for rows in layout.tables for slot in rows.slots for block in slot.blocks}
    blocks = [block for block in layout.blocks if block.role == "value" and block.id not in in_rows]
    values = [(block.id, None if block.prefix else block.label, block.box) for block in blocks]
    values += [(blank.id, blank.label, blank.box) for blank in layout.blanks]
    found = {}
    for name, label, box in values:
        area = _with_label(box, label, layout.blocks)
        section = _beside(area, sections) or _above(area, sections, layout)
        if section:
            found[name] = section
    return found


def qualified(names: Mapping[str, str], sections: Mapping[str, str]) -> dict[str, str]:
    """Return the names by field. A name that several fields share begins with the section of each field.

    Fields of one section stay as they are: their section tells nothing. So do names that say nothing themselves.
    """
    counts = Counter(names.values())
    places = {name: {sections.get(field, "") for field in names if names[field] == name} for name in counts}
    return {
        field: _joined(sections[field], name)
        if len(places[name]) > 1 and sections.get(field) and name not in PLAIN_STEMS
        else name
        for field, name in names.items()
    }


def _joined(section: str, name: str) -> str:
    """Return a name with its section in front, once."""
    return name if name.startswith(section) else f"{section}_{name.rstrip('_')}"


def _sections(layout: Layout) -> Iterator[_Section]:
    headings = {block for rows in layout.tables for block in rows.header}
    for block in layout.blocks:
        if block.role == "fixed" and block.id not in headings and not _has_value_beside(block, layout.blocks):
            runs_down = _runs_down(block.text)
            if name := section_name("".join(block.text.split()) if runs_down else block.text):
                yield _Section(name, _reach(block) if runs_down else block.box, runs_down)


def _reach(block: Block) -> Box:
    """Return the area beside which wording that runs down names what stands there: a line more above and below."""
    if block.room is not None:
        return block.room
    x, y, width, height = block.box.x, block.box.y, block.box.width, block.box.height
    return Box(x=x, y=y - LEADING * block.style.size, width=width, height=height + 2 * LEADING * block.style.size)


def _runs_down(text: str) -> bool:
    """Whether a text is written downwards: a Chinese character on each line."""
    lines = [line.strip() for line in text.splitlines()]
    return len(lines) > 1 and all(len(line) == 1 and is_cjk(line) for line in lines)


def _has_value_beside(block: Block, blocks: Sequence[Block]) -> bool:
    """Whether a text is the label of a value to its right, rather than a heading."""
    return any(
        one.role == "value" and one.label and one.label == plain_label(block.text) and one.box.x >= block.box.right - 1
        and min(one.box.bottom, block.box.bottom) > max(one.box.y, block.box.y)
        for one in blocks
    )  # fmt: skip


def _with_label(box: Box, label: str | None, blocks: Sequence[Block]) -> Box:
    """Return the area of a value with its label, the nearest one above it or to its left."""
    own = [one.box for one in blocks if one.role == "fixed" and label and plain_label(one.text) == label]
    before = [one for one in own if one.x <= box.x + 1 and one.y <= box.bottom]
    nearest = min(before, key=lambda one: abs(one.middle[1] - box.middle[1]) * 2 + box.x - one.x, default=None)
    return Box.around([box, nearest]) if nearest else box


def _beside(area: Box, sections: Sequence[_Section]) -> str:
    """Return the nearest wording that runs down to the left of an area."""
    level = [one for one in sections if one.runs_down and one.box.y <= area.middle[1] <= one.box.bottom]
    left = [one for one in level if one.box.right <= area.x + 1]
    return max(left, key=lambda one: one.box.right).name if left else ""


def _above(area: Box, sections: Sequence[_Section], layout: Layout) -> str:
    """Return the nearest heading above an area, with no rows of a table between."""
    over = [
        one for one in sections if not one.runs_down and one.box.bottom <= area.y + 1
        and one.box.right > area.x - LEFT_TOLERANCE_PT and one.box.x < area.right
    ]  # fmt: skip
    nearest = min(over, key=lambda one: (area.y - one.box.bottom, abs(one.box.x - area.x)), default=None)
    if nearest is None or any(nearest.box.y < rows.box.y < area.y for rows in layout.tables):
        return ""
    return nearest.name if _is_without_gap(nearest.box, area, layout) else ""


def _is_without_gap(heading: Box, area: Box, layout: Layout) -> bool:
    """Whether texts follow each other closely from a heading down to an area."""
    boxes = [area, *(one.box for one in layout.blocks), *(one.box for one in layout.blanks)]
    bottom = heading.bottom
    for box in sorted(boxes, key=lambda box: box.y):
        if heading.y < box.y <= area.y and box.x < area.right and box.right > area.x:
            if box.y - bottom > MAX_GAP_PT:
                return False
            bottom = max(bottom, box.bottom)
    return True
