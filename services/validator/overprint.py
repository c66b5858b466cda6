"""Print in the place of other print: letters that run into others, and fields that will when they are filled."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from bandsmith.shared.jrxml.template import Template
from bandsmith.shared.model.geometry import Box
from bandsmith.shared.turns.verdict import Printed

from .text_fit import ink_of, is_measurable

OVERLAP_TOLERANCE_PT = 1.5
OVERLAP_TOLERANCE = 0.3
"""Part of its height that a text's ink may share with that of another one: tight lines touch, and are read well."""
MIN_COVERED = 0.5
"""Share of the smaller of two places that the other one covers if one can't be read once both are filled."""


def covered_share(printed: Sequence[Printed], template: Template) -> float:
    """Return the share of printed texts whose ink another text's ink covers in part."""
    found = (_own_ink(item, template) for item in printed)
    inks = sorted((ink for ink in found if ink is not None), key=lambda ink: ink.y)
    covered = set[int]()
    for index, one in enumerate(inks):
        for other in range(index + 1, len(inks)):
            if inks[other].y > one.bottom - OVERLAP_TOLERANCE_PT:
                break
            if _overlap(one, inks[other]):
                covered |= {index, other}
    return len(covered) / max(1, len(inks))


def _own_ink(item: Printed, template: Template) -> Box | None:
    """Return the ink in a text's box where its own lines are; other ink is that of a text whose box overlaps it."""
    element = template.by_key.get(item.key or "")
    if item.ink is None or item.text is None or element is None or not is_measurable(element):
        return item.ink
    lines, ink = ink_of(template, element, item.text, item.box), item.ink
    left, top = max(lines.x, ink.x), max(lines.y, ink.y)
    return Box.between(left, top, max(left, min(lines.right, ink.right)), max(top, min(lines.bottom, ink.bottom)))


def _overlap(one: Box, other: Box) -> bool:
    across = min(one.right, other.right) - max(one.x, other.x)
    down = min(one.bottom, other.bottom) - max(one.y, other.y)
    tolerance = max(OVERLAP_TOLERANCE_PT, OVERLAP_TOLERANCE * min(one.height, other.height))
    return across > OVERLAP_TOLERANCE_PT and down > tolerance


def stacked_share(printed: Sequence[Printed], template: Template) -> tuple[float, tuple[str, ...]]:
    """Return the share of texts that are fields without a value here, in the place of another text; and their keys.

    Such a page looks right until the field has a value.
    """
    texts = [item for item in printed if item.text is not None]
    found = [item for item in texts if _is_empty_field(item, template) and any(_others_at(item, texts))]
    return len(found) / max(1, len(texts)), tuple(item.key for item in found if item.key)


def _is_empty_field(item: Printed, template: Template) -> bool:
    element = template.by_key.get(item.key or "")
    return element is not None and element.kind == "textField" and not (item.text or "").strip()


def _others_at(item: Printed, texts: Sequence[Printed]) -> Iterator[Printed]:
    for other in texts:
        if other is not item and item.box.overlap(other.box) > MIN_COVERED * min(item.box.area, other.box.area):
            yield other
