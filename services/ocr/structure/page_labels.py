"""Find labels by what stands around them, whatever their words: the boxes of a form, and columns of labels.

Official forms number their boxes: ``4. Title``, ``12A. Current pay``. In a column of texts that each have something to
their right, most of which are known wording (``Subtotal``, ``Tax``), the others name what is beside them as well. So do
those right below a total, with their figures below its figure, and those with a colon right behind them that was set
apart, as forms do that set all colons below each other.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence

from bandsmith.shared.model.layout import Block

from .text_classifier import begins_with_colon, ends_like_label, is_figure, is_label, is_total, split_prefix, text_kind

MIN_NUMBERED = 5
"""Fewer numbered texts are no boxes of a form."""
MIN_COLUMNS = 2
"""Boxes stand side by side; numbered texts at one left edge are the points of a list."""
MAX_WORDS = 8
"""A longer text is no label."""
MIN_RUN = 3
"""Fewer texts below each other are no column of labels."""
MIN_KNOWN_SHARE = 0.5
"""Share of a column's texts that have to be known wording."""
EDGE_TOLERANCE_PT, MAX_STEP, MAX_SIZE_RATIO = 3.0, 3.0, 1.25
"""Labels of a column share an edge and their size of type, and follow each other within so many of those sizes."""
_NUMBERED = re.compile(r"^(\d{1,2}[A-Z]?)\s?[.)]\s*[^\W\d_].*", re.DOTALL)


def find_page_labels(blocks: Sequence[Block], known: Collection[str]) -> set[str]:
    """Return the ids of blocks that are labels by their place. Blocks in `known` have another part."""
    free = [block for block in blocks if block.id not in known]
    return _numbered(free) | _in_columns(free) | _below_totals(free) | _before_colons(free)


def _before_colons(blocks: Sequence[Block]) -> set[str]:
    """The texts with a text to their right that begins with a colon."""
    found = set[str]()
    for block in (block for block in blocks if begins_with_colon(block.text)):
        level = [one for one in blocks if one is not block and one.box.right <= block.box.x + 1]
        beside = [one for one in level if _is_at(one, block.box.y + block.box.height / (2 * len(block.lines)))]
        nearest = max(beside, key=lambda one: one.box.right, default=None)
        if nearest is not None and _may_be_label(nearest) and not begins_with_colon(nearest.text):
            found.add(nearest.id)
    return found


def _numbered(blocks: Sequence[Block]) -> set[str]:
    """The headings of numbered boxes, where a page has several, side by side."""
    found = {block.id: match[1] for block in blocks if (match := _NUMBERED.match(block.text.strip()))}
    short = [block for block in blocks if block.id in found and len(block.text.split()) <= MAX_WORDS]
    edges = {round(block.box.x / EDGE_TOLERANCE_PT) for block in short}
    if len({found[block.id] for block in short}) < MIN_NUMBERED or len(edges) < MIN_COLUMNS:
        return set()
    return {block.id for block in short if not split_prefix(block.text)[0]}


def _in_columns(blocks: Sequence[Block]) -> set[str]:
    """The unknown texts in columns of labels."""
    found = set[str]()
    beside = {block.id: _right_of(block, blocks) for block in blocks}
    for run in _columns([block for block in blocks if beside[block.id] is not None and _may_be_label(block)]):
        wording = [block for block in run if _is_wording(block)]
        if len(run) < MIN_RUN or len(wording) < MIN_KNOWN_SHARE * len(run):
            continue
        for block in run:
            value = beside[block.id]
            is_alike = any(block.style.bold == one.style.bold for one in wording)
            if block not in wording and value is not None and (is_figure(value.text) or is_alike):
                found.add(block.id)
    return found


def _below_totals(blocks: Sequence[Block]) -> set[str]:
    """The texts right below a total that have a figure below its figure: what was paid, and what was given back."""
    beside = [(block, value) for block in blocks if _may_be_label(block) and (value := _right_of(block, blocks))]
    lines = sorted((line for line in beside if is_figure(line[1].text)), key=lambda line: line[0].box.y)
    found = dict[str, tuple[Block, Block]]()
    for above in [line for line in lines if is_total(line[0].text)]:
        last = above
        while (following := next((line for line in lines if _is_right_below(line, last)), None)) is not None:
            found[following[0].id] = last = following
    return set(found)


def _is_right_below(line: tuple[Block, Block], above: tuple[Block, Block]) -> bool:
    """Whether a text and its figure stand right below others, at the same outer edges."""
    (text, figure), (upper, upper_figure) = line, above
    edges = (text.box.x - upper.box.x, figure.box.right - upper_figure.box.right)
    is_next = 0 < text.box.y - upper.box.y <= MAX_STEP * upper.style.size
    return is_next and all(abs(edge) <= EDGE_TOLERANCE_PT for edge in edges)


def _columns(blocks: Sequence[Block]) -> Iterator[list[Block]]:
    """Yield runs of texts that follow each other downwards at one left or right edge."""
    for side in ("x", "right"):
        waiting = sorted(blocks, key=lambda block: block.box.y)
        while waiting:
            run = [waiting.pop(0)]
            for block in list(waiting):
                last = run[-1]
                size = last.style.size
                is_near = 0 < block.box.y - last.box.y <= MAX_STEP * size
                is_in_line = abs(getattr(block.box, side) - getattr(last.box, side)) <= EDGE_TOLERANCE_PT
                if is_near and is_in_line and 1 / MAX_SIZE_RATIO <= block.style.size / size <= MAX_SIZE_RATIO:
                    run.append(block)
                    waiting.remove(block)
            yield run


def _may_be_label(block: Block) -> bool:
    text = block.text.strip()
    is_worded = text_kind(text) == "text" and any(char.isalpha() for char in text)
    return is_worded and "\n" not in text and len(text.split()) <= MAX_WORDS and not split_prefix(text)[0]


def _is_wording(block: Block) -> bool:
    return is_label(block.text) or is_total(block.text) or ends_like_label(block.text)


def _right_of(block: Block, blocks: Sequence[Block]) -> Block | None:
    """Return the only text to the right on the same line; None where there is none, several, or wording."""
    middle = block.box.middle[1]
    line = [b for b in blocks if b is not block and b.box.x >= block.box.right - 1 and _is_at(b, middle)]
    texts = [one for one in line if any(char.isalnum() for char in one.text)]
    if len(texts) != 1 or _is_wording(texts[0]):
        return None
    return texts[0]


def _is_at(block: Block, y: float) -> bool:
    """Whether the first line of a block stands at a height of the page."""
    return abs(block.box.y + block.box.height / (2 * len(block.lines)) - y) < 0.5 * block.style.size
