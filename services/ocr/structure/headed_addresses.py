"""Find addresses below a heading of their own, whatever its words: in bold, above lines of which most are filled in.

``Factuuradres`` over a name, a street, a town and a country: what has figures or is the name of a company is a value by
its words, and what stands between and below such lines was filled in with them.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from bandsmith.shared.fields.identifiers import plain_label
from bandsmith.shared.model.layout import Block

from .text_classifier import ends_like_label, is_label, is_statement, is_total, split_prefix, text_kind

MIN_LINES, MAX_LINES = 3, 7
MIN_VALUE_SHARE = 0.5
"""Share of the lines that are values by their words."""
MAX_HEADING_WORDS, MAX_LINE_WORDS = 3, 6
EDGE_TOLERANCE_PT, MAX_GAP, MAX_HEADING_GAP = 2.5, 0.9, 2.5
"""Lines begin at one edge, and follow each other and their heading within so many sizes of type."""


def with_headed_addresses(blocks: Sequence[Block], known: Collection[str]) -> list[Block]:
    """Return the blocks; lines of an address are values named by its heading. Those in `known` have another part."""
    found = dict[str, Block]()
    free = [block for block in blocks if block.id not in known]
    for heading in filter(_may_head, free):
        lines = _lines_below(heading, free)
        values = sum(line.role == "value" for line in lines)
        if MIN_LINES <= len(lines) <= MAX_LINES and values >= MIN_VALUE_SHARE * len(lines):
            name = plain_label(heading.text)
            for number, line in enumerate(lines, 1):
                label = name if number == 1 else f"{name} line {number}"
                found[line.id] = line.model_copy(update={"role": "value", "label": label})
    return [found.get(block.id, block) for block in blocks]


def _may_head(block: Block) -> bool:
    is_short = len(block.text.split()) <= MAX_HEADING_WORDS and "\n" not in block.text
    return block.role == "fixed" and block.style.bold and is_short and text_kind(block.text) == "text"


def _lines_below(heading: Block, blocks: Sequence[Block]) -> list[Block]:
    """Return the lines that follow a heading in regular type; none where one of them names something itself."""
    lines, last = list[Block](), heading
    while True:
        reach = MAX_GAP if lines else MAX_HEADING_GAP
        below = next((block for block in blocks if _follows(block, last, reach)), None)
        if below is None:
            return lines
        if below.label or below.style.bold or not _may_be_line(below):
            return []
        lines.append(below)
        last = below


def _follows(block: Block, above: Block, reach: float) -> bool:
    gap = block.box.y - above.box.bottom
    return abs(block.box.x - above.box.x) <= EDGE_TOLERANCE_PT and -1 <= gap <= reach * above.style.size


def _may_be_line(block: Block) -> bool:
    text = block.text
    is_wording = is_label(text) or is_total(text) or ends_like_label(text) or is_statement(text)
    longest = max(len(line.split()) for line in text.split("\n"))
    return not is_wording and not split_prefix(text)[0] and longest <= MAX_LINE_WORDS
