"""Tell the units of figures from the figures: a currency, or ``pcs``, in a place of its own below the same heading.

What is the same currency in every row is wording. Another unit is a value, as it may differ, and is named as a unit.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from bandsmith.shared.fields.value_types import is_currency
from bandsmith.shared.fonts import is_cjk
from bandsmith.shared.model.layout import Block, Repeat, Slot

from .text_classifier import is_figure, text_kind

MAX_UNIT_CHARS, MAX_CJK_UNIT_CHARS = 5, 2
"""Letters of a unit; longer words are values of their own."""


def with_units(rows: Repeat, blocks: Sequence[Block]) -> Repeat:
    """Return rows in which units beside figures have their role and name."""
    by_id = {block.id: block for block in blocks}
    return rows.model_copy(update={"slots": [_as_unit(slot, rows.slots, by_id) for slot in rows.slots]})


def _as_unit(slot: Slot, slots: Sequence[Slot], by_id: Mapping[str, Block]) -> Slot:
    texts = _texts(slot, by_id)
    if slot.role != "value" or not slot.label or not _follows_figures(slot, slots, by_id):
        return slot
    if len(set(texts)) == 1 and is_currency(texts[0]):
        return slot.model_copy(update={"role": "fixed", "label": None})
    if all(map(_is_unit, texts)):
        return slot.model_copy(
            update={"label": f"{slot.label}单位" if is_cjk(slot.label[-1]) else f"{slot.label} unit"}
        )
    return slot


def _texts(slot: Slot, by_id: Mapping[str, Block]) -> list[str]:
    return [by_id[name].text.strip() for name in slot.blocks if name and name in by_id]


def _follows_figures(slot: Slot, slots: Sequence[Slot], by_id: Mapping[str, Block]) -> bool:
    """Whether another slot with the same heading has a figure to the left of each text of this one."""
    for other in slots:
        pairs = [(by_id.get(a or ""), by_id.get(b or "")) for a, b in zip(other.blocks, slot.blocks, strict=False) if b]
        if other is not slot and other.label == slot.label and pairs and all(_is_before(*pair) for pair in pairs):
            return True
    return False


def _is_before(figure: Block | None, unit: Block | None) -> bool:
    return figure is not None and unit is not None and is_figure(figure.text) and figure.box.right <= unit.box.x + 1


def _is_unit(text: str) -> bool:
    limit = MAX_CJK_UNIT_CHARS if any(map(is_cjk, text)) else MAX_UNIT_CHARS
    return len(text) <= limit and text_kind(text) == "text" and text.rstrip(".").isalpha()
