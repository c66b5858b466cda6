"""Find the blanks behind labels that end in a colon, where the form draws neither a cell nor a line to write on.

``Bank name:`` with nothing to its right asks for a bank. Wording that introduces what stands below it ends in a colon,
too, so a label has to be of known words, or stand right above or below one that is or that has its value, and nothing
may stand right below it but another label, perhaps with its value.
"""

from __future__ import annotations

from collections.abc import Sequence

from bandsmith.shared.fields.identifiers import is_known_wording, plain_label, translated
from bandsmith.shared.model.geometry import Box
from bandsmith.shared.model.layout import Blank, Block, Repeat

from ..page_marks import PageMarks
from .text_classifier import SIGNATURE_ENDINGS, is_label, is_total, split_prefix

MIN_WIDTH, MAX_WIDTH = 4.0, 20.0
"""Width of the place to fill in, in the label's font sizes."""
GAP = 0.5
"""Between the label and that place, and between that place and what follows it, in the label's font sizes."""
LINE_DISTANCE = 1.8
"""Distance of a text right below another one, in font sizes."""
LEFT_TOLERANCE_PT = 3.0
"""Labels below each other begin this near to one vertical line."""
MAX_LABEL_CHARS = 40
_SEAL = "章"
"""What a label ends in that asks for a stamp and not for words."""


def find_open_blanks(
    blocks: Sequence[Block], marks: PageMarks, tables: Sequence[Repeat], found: Sequence[Blank]
) -> list[Blank]:
    """Return the blanks to the right of labels that name no value and none of the blanks `found`."""
    headings = {name for rows in tables for name in rows.header}
    outside = [block for block in blocks if not any(rows.box.holds(*block.box.middle) for rows in tables)]
    free = [block for block in outside if block.id not in headings]
    labels = [block for block in free if _ends_in_colon(block) and not _names_any(block, blocks, found)]
    known = [label for label in labels if _is_known(label.text)] + [block for block in free if _has_own_label(block)]
    known += [block for block in free if _ends_in_colon(block) and _names_any(block, blocks, [])]
    blanks = list[Blank]()
    for label in labels:
        is_one = label in known or any(_is_next_line(one, label) for one in known)
        if not is_one or any(_stands_below(other, label) for other in free if not _asks(other)):
            continue
        known.append(label)
        if (box := _place(label, blocks, marks, found)) is not None:
            style = label.style.model_copy(update={"bold": False})
            blanks.append(Blank(id=f"open{len(blanks) + 1}", label=plain_label(label.text), box=box, style=style))
    return blanks


def _ends_in_colon(block: Block) -> bool:
    text = block.text.strip()
    is_short = len(text) <= MAX_LABEL_CHARS and "\n" not in text
    is_other = is_total(text) or plain_label(text).endswith(_SEAL)
    return block.role == "fixed" and is_short and text.endswith((":", "：")) and is_label(text) and not is_other


def _has_own_label(block: Block) -> bool:
    """Whether a text is a value behind its label and a colon."""
    return block.role == "value" and bool(block.label) and split_prefix(block.text)[0].rstrip().endswith((":", "："))


def _asks(block: Block) -> bool:
    return _ends_in_colon(block) or _has_own_label(block)


def _is_known(text: str) -> bool:
    wording = "".join(plain_label(text).split())
    return is_known_wording(plain_label(text)) or bool(translated(wording)) or wording.endswith(SIGNATURE_ENDINGS)


def _names_any(label: Block, blocks: Sequence[Block], found: Sequence[Blank]) -> bool:
    """Whether a value or a blank beside or right below a label has its name."""
    wording = plain_label(label.text)
    named = [block.box for block in blocks if block.role == "value" and block.label == wording]
    named += [blank.box for blank in found if blank.label == wording]
    beside = [box for box in named if box.x >= label.box.right - 1 and box.level_share(label.box) > 0]
    return bool(beside) or any(_is_below(box, label) for box in named)


def _is_below(box: Box, label: Block) -> bool:
    is_over = min(box.right, label.box.right) > max(box.x, label.box.x)
    return is_over and -1 <= box.y - label.box.bottom <= LINE_DISTANCE * label.style.size


def _stands_below(other: Block, label: Block) -> bool:
    return other is not label and _is_below(other.box, label)


def _is_next_line(one: Block, label: Block) -> bool:
    """Whether a label stands right above or below another one."""
    is_aligned = abs(one.box.x - label.box.x) <= LEFT_TOLERANCE_PT
    return is_aligned and (_is_below(one.box, label) or _is_below(label.box, one))


def _place(label: Block, blocks: Sequence[Block], marks: PageMarks, found: Sequence[Blank]) -> Box | None:
    """Return the empty place between a label and what follows on its line; None where that is too narrow.

    A text without a label that follows is the value, though it stands too far away to be named.
    """
    size = label.style.size
    left = _start(label, marks)
    line = Box.between(left, label.box.y, left + MAX_WIDTH * size, label.box.bottom)
    after = [block for block in blocks if block is not label and _is_on(block.box, line)]
    if any(block.role == "value" and block.label is None for block in after):
        return None
    taken = [block.box for block in after] + [blank.box for blank in found]
    taken += [picture.box for picture in marks.pictures] + [box.box for box in marks.tick_boxes]
    ends = [max(box.x, left) for box in taken if _is_on(box, line)]
    ends += [rule.x1 for rule in marks.rules if not rule.horizontal and _is_on(rule.box, line) and rule.x1 > left]
    ends += [cell.box.right for grid in marks.grids for cell in grid.cells if cell.box.holds(left, line.middle[1])]
    edge = max(block.box.right for block in blocks)
    ends += [edge] if edge > left + MIN_WIDTH * size else []
    right = min([line.right, *(end - GAP * size for end in ends)])
    if right - left < MIN_WIDTH * size:
        return None
    return Box.between(left, label.box.y - 0.2 * size, right, label.box.bottom + 0.2 * size)


def _start(label: Block, marks: PageMarks) -> float:
    """Return where the place of a label begins: behind its colon, or behind a rule that ends the label's column."""
    size = label.style.size
    rules = [rule for rule in marks.rules if not rule.horizontal and rule.box.level_share(label.box) > 0]
    columns = [rule.x1 for rule in rules if 0 <= rule.x1 - label.box.right <= MIN_WIDTH * size]
    return max([label.box.right, *columns]) + GAP * size


def _is_on(box: Box, line: Box) -> bool:
    return box.level_share(line) > 0 and box.right > line.x and box.x < line.right
