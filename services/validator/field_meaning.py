"""What the fields of a template mean, judged by the wording that names them on the form.

A field means one thing on every copy: "the quantity of this item". Four signs say that it does not. Several fields of
a row that one heading names, one below the other, belong to several items. Two columns that one heading names cannot
be told apart. A value that is itself wording of forms is a label that was taken for a value. A heading that is a price
or a dozen words is a row that was taken for the headings.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from itertools import combinations, takewhile

from bandsmith.shared.fields.identifiers import is_known_wording
from bandsmith.shared.fields.value_types import is_currency
from bandsmith.shared.model.geometry import Box
from bandsmith.shared.model.layout import Block, Layout, Repeat, Slot
from bandsmith.shared.template_markers import PLACEHOLDER

from .data_model import Blemish, is_figure

MIN_DOUBLED = 2
"""Below a single heading, a second text is a further line of the same item."""
MIN_VALUES = 10
"""Fewer values are soon corrected by hand, and count as so many."""
MAX_HEADING_WORDS = 12
"""Longer wording over a column alone is the text of several rows."""
_PRICE = re.compile(r"\W{0,3}\d[\d.,' ]*[.,]\d\d\b.{0,4}")


def several_items(layout: Layout) -> Blemish:
    """Return the share of headings that name several fields of one row, one below the other: several items in a row."""
    texts = {block.id: block for block in layout.blocks}
    headings, doubled = 0, list[str]()
    for rows in layout.tables:
        named = _slots_by_heading(rows)
        headings += len(named)
        doubled += [heading for heading, slots in named.items() if _stand_below_each_other(slots, rows.rows, texts)]
    return Blemish(len(doubled) / headings, tuple(doubled)) if len(doubled) >= MIN_DOUBLED else Blemish()


def _slots_by_heading(rows: Repeat) -> dict[str, list[Slot]]:
    named = defaultdict[str, list[Slot]](list)
    for slot in rows.slots:
        if slot.role == "value" and slot.label:
            named[slot.label.strip()].append(slot)
    return named


def _stand_below_each_other(slots: Sequence[Slot], rows: int, texts: dict[str, Block]) -> bool:
    """Whether two of the slots print texts of one kind below each other in the same row."""
    for row in range(rows):
        present = [texts[name] for slot in slots if (name := slot.blocks[row]) and name in texts]
        if any(_is_below(one.box, other.box) and _same_kind(one, other) for one, other in combinations(present, 2)):
            return True
    return False


def _is_below(one: Box, other: Box) -> bool:
    upper, lower = sorted((one, other), key=lambda box: box.y)
    return min(one.right, other.right) > max(one.x, other.x) and upper.middle[1] < lower.y


def _same_kind(one: Block, other: Block) -> bool:
    return is_figure(one.text) == is_figure(other.text)


def shared_headings(layout: Layout) -> Blemish:
    """Return the share of the fields of rows that have a heading in common with a field beside them.

    Two columns that the form itself heads with the same words have a heading each.
    """
    texts = {block.id: block for block in layout.blocks}
    fields, surplus, shared = 0, 0, list[str]()
    for rows in layout.tables:
        printed = Counter(_plain(texts[name].text) for name in rows.header if name in texts)
        for heading, slots in _slots_by_heading(rows).items():
            beside = _beside_each_other(slots, texts)
            count = sum(_fields_in(slot, texts) for slot in beside)
            fields += count
            headings = max(1, printed[_plain(heading)])
            if count > headings:
                surplus += count - headings
                shared.append(heading)
    return Blemish(surplus / fields, tuple(shared)) if surplus else Blemish()


def _beside_each_other(slots: Sequence[Slot], texts: dict[str, Block]) -> list[Slot]:
    """Return the slots none of which stands below another one; a currency beside a figure is no field of its own."""
    found = list[tuple[Slot, Box]]()
    for slot in slots:
        blocks = [texts[name] for name in slot.blocks if name and name in texts]
        if not blocks or all(is_currency(block.text) for block in blocks):
            continue
        area = Box.around(block.box for block in blocks)
        if all(area.right <= other.x or other.right <= area.x for _, other in found):
            found.append((slot, area))
    return [slot for slot, _ in found]


def _fields_in(slot: Slot, texts: dict[str, Block]) -> int:
    """Count the fields of a slot: each placeholder of a document that is a template itself is one."""
    first = next((texts[name].text for name in slot.blocks if name and name in texts), "")
    return max(1, len(PLACEHOLDER.findall(first)))


def label_values(layout: Layout) -> Blemish:
    """Return the share of the values outside the rows that are wording of forms: labels taken for values."""
    in_rows = {name for rows in layout.row_sets for slot in rows.slots for name in slot.blocks}
    values = [block for block in layout.blocks if block.role == "value" and block.id not in in_rows]
    wording = {*_wording(layout)}
    taken = [block.text for block in values if not block.prefix and _is_wording(block, wording)]
    return Blemish(len(taken) / max(MIN_VALUES, len(values)), tuple(taken))


def _wording(layout: Layout) -> Iterator[str]:
    """Yield the labels and headings of the page."""
    for block in layout.blocks:
        if block.role == "value" and block.label:
            yield _plain(block.label)
    for rows in layout.tables:
        yield from (_plain(slot.label) for slot in rows.slots if slot.label)


def _plain(text: str) -> str:
    return "".join(text.split()).casefold().rstrip(":：")


def _is_wording(block: Block, wording: set[str]) -> bool:
    text = block.text.strip()
    if not any(map(str.isalpha, text)) or (block.label and text.startswith(block.label)):
        return False
    return text.endswith((":", "：")) or _plain(text) in wording or is_known_wording(text)


def row_headings(layout: Layout) -> Blemish:
    """Return the share of the headings of rows that are a row themselves: a price, or the texts of several rows."""
    headings = [slot.label for rows in layout.tables for slot in rows.slots if slot.role == "value" and slot.label]
    words = [text.split() for text in headings]
    wrong = [
        text
        for text, own in zip(headings, words, strict=True)
        if _PRICE.fullmatch(text.strip()) or len(own) - _shared_words(own, words) > MAX_HEADING_WORDS
    ]
    return Blemish(len(wrong) / max(1, len(headings)), tuple(dict.fromkeys(wrong)))


def _shared_words(own: Sequence[str], headings: Sequence[Sequence[str]]) -> int:
    """Count the first words that a heading has in common with another one: those of a heading over both."""
    others = (other for other in headings if other != own)
    pairs = ([one == two for one, two in zip(own, other, strict=False)] for other in others)
    return max((len([*takewhile(bool, equal)]) for equal in pairs), default=0)
