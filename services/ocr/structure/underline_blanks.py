"""Find the blanks on lines: rules to write on, which wording beside or below them names.

``Name: ________`` asks for a name to the right of its label, a line with *Signature* under it for one above. A rule is
a line to write on if it belongs to no table, nothing is written on it, and a label stands at its start or under it.
Under lines side by side, as two people sign on, any short wording is the label of its line.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from bandsmith.shared.fields.identifiers import plain_label
from bandsmith.shared.model.geometry import Box
from bandsmith.shared.model.layout import Blank, Block, Grid, Repeat, RulingLine

from .text_classifier import ends_like_label, is_label, is_total, split_prefix

MIN_LENGTH_PT = 24.0
"""Shorter rules are dashes."""
MAX_LENGTH_UNDER = 0.5
"""Longest line above its label, as a share of the page's width. A longer rule divides the page."""
BASELINE_TOLERANCE = 0.6
"""Distance of a line from the bottom of the label beside it, in the label's font sizes."""
MAX_GAP = 2.0
"""Distance of a line from its label, in the label's font sizes."""
LINE_HEIGHT = 1.4
"""Height of what is written on a line, in the label's font sizes."""
MAX_LABEL_CHARS = 40
SAME_HEIGHT_PT = 3.0
"""Lines to sign on whose heights differ by less stand side by side."""


def find_underline_blanks(
    blocks: Sequence[Block], rules: Sequence[RulingLine], grids: Sequence[Grid], tables: Sequence[Repeat], width: float
) -> list[Blank]:
    """Return the blanks on the lines of a page that is `width` points wide, from top to bottom."""
    in_grids = {name for grid in grids for name in grid.rules}
    captions = find_captions(blocks, rules, grids, width)
    labels = [block for block in blocks if block.id in captions or _may_name(block)]
    found: list[Blank] = []
    for rule in sorted(rules, key=lambda rule: (rule.y1, rule.x1)):
        in_table = any(table.box.y - 2 <= rule.y1 <= table.box.bottom + 2 for table in tables)
        if not rule.horizontal or rule.id in in_grids or in_table or rule.x2 - rule.x1 < MIN_LENGTH_PT:
            continue
        label = _beside(rule, labels) or _under(rule, labels, width)
        if label is None:
            continue
        size = label.style.size
        box = Box.between(rule.x1, rule.y1 - LINE_HEIGHT * size, rule.x2, rule.y1)
        if any(block.box.overlap(box) > 0 for block in blocks if block is not label):
            continue
        style = label.style.model_copy(update={"bold": False})
        found.append(Blank(id=f"line-{rule.id}", label=_wording(label), box=box, style=style))
    return found


def find_captions(
    blocks: Sequence[Block], rules: Sequence[RulingLine], grids: Sequence[Grid], width: float
) -> set[str]:
    """Return the ids of the wordings under lines that stand side by side with nothing written on them."""
    in_grids = {name for grid in grids for name in grid.rules}
    lying = [rule for rule in rules if rule.horizontal and rule.id not in in_grids]
    free = [rule for rule in lying if MIN_LENGTH_PT <= rule.x2 - rule.x1 <= MAX_LENGTH_UNDER * width]
    under = [(rule, caption) for rule in free if (caption := _under(rule, filter(_is_caption, blocks), width))]
    signed = [
        (rule, caption)
        for rule, caption in under
        if not any(
            rule.y1 - LINE_HEIGHT * caption.style.size < block.box.middle[1] < rule.y1
            and rule.x1 < block.box.middle[0] < rule.x2
            for block in blocks
        )
    ]
    return {
        caption.id
        for rule, caption in signed
        if any(other is not rule and abs(other.y1 - rule.y1) <= SAME_HEIGHT_PT for other, _ in signed)
    }


def _is_caption(block: Block) -> bool:
    text = block.text.strip()
    is_short = len(text) <= MAX_LABEL_CHARS and "\n" not in text
    return is_short and not any(map(str.isdigit, text)) and not split_prefix(text)[0]


def _may_name(block: Block) -> bool:
    text = block.text.strip()
    named = ends_like_label(text) or (is_label(text) and not is_total(text))
    return block.role == "fixed" and named and len(text) <= MAX_LABEL_CHARS and not split_prefix(text)[0]


def _beside(rule: RulingLine, labels: Iterable[Block]) -> Block | None:
    """Return the label at the start of a line."""
    near = [
        block
        for block in labels
        if -0.5 * block.style.size <= rule.x1 - block.box.right <= MAX_GAP * block.style.size
        and abs(rule.y1 - block.box.bottom) <= BASELINE_TOLERANCE * block.style.size
    ]
    return max(near, key=lambda block: block.box.right, default=None)


def _under(rule: RulingLine, labels: Iterable[Block], width: float) -> Block | None:
    """Return the label under a line."""
    if rule.x2 - rule.x1 > MAX_LENGTH_UNDER * width:
        return None
    near = [
        block
        for block in labels
        if 0 <= block.box.y - rule.y1 <= MAX_GAP * block.style.size
        and rule.x1 - 2 <= block.box.x
        and block.box.right <= rule.x2 + 2
        and not ends_like_label(block.text)
    ]
    return min(near, key=lambda block: block.box.y, default=None) if len(near) == 1 else None


def _wording(label: Block) -> str:
    return plain_label(label.text)
