"""Find the blanks on lines that run below their labels, too: ``Name:`` at the start of each of several long lines.

Such lines begin and end below each other, evenly apart, and nothing but labels stands on most of them: short wordings
of the form, most of which end in a colon. What a line has free behind a label, up to the next one, is the place to fill
in.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from bandsmith.shared.fields.identifiers import plain_label
from bandsmith.shared.model.geometry import Box
from bandsmith.shared.model.layout import Blank, Block, Grid, Repeat, RulingLine

from .text_classifier import ends_like_label, split_prefix, text_kind

MIN_LINES = 3
"""Fewer lines below each other divide the page."""
EDGE_TOLERANCE_PT = 3.0
"""Lines of one block begin and end this near to each other."""
MAX_PITCH, MAX_PITCH_RATIO = 4.0, 1.2
"""Distance of two lines in font sizes, and in the least distance of the lines."""
MIN_COLON_SHARE = 0.5
"""Share of the labels that end in a colon; a recogniser misses some."""
MIN_ASKING_SHARE = 0.5
"""Share of the lines on which nothing but labels stands; others may be filled in, or hold the sender."""
MAX_LABEL_CHARS = 40
GAP, MIN_WIDTH = 0.5, 3.0
"""Space between a label and its blank, and width of a blank at least, in font sizes."""
LINE_HEIGHT = 1.4


def find_lined_blanks(
    blocks: Sequence[Block], rules: Sequence[RulingLine], grids: Sequence[Grid], tables: Sequence[Repeat]
) -> list[Blank]:
    """Return the blanks behind the labels on blocks of long lines, from top to bottom. `blocks` have their roles."""
    in_grids = {name for grid in grids for name in grid.rules}
    outside = [
        rule
        for rule in rules
        if rule.horizontal
        and rule.id not in in_grids
        and not any(table.box.y - 2 <= rule.y1 <= table.box.bottom + 2 for table in tables)
    ]
    found = list[Blank]()
    for lines in _line_blocks(outside):
        texts = [_texts_on(line, above, blocks) for line, above in _with_tops(lines)]
        asking = [(line, on) for line, on in zip(lines, texts, strict=True) if on and all(map(_is_label, on))]
        labels = [block for _, on_line in asking for block in on_line]
        colons = sum(ends_like_label(block.text) for block in labels)
        pitch = (lines[-1].y1 - lines[0].y1) / (len(lines) - 1)
        is_tight = all(pitch <= MAX_PITCH * label.style.size for label in labels)
        if is_tight and len(asking) > MIN_ASKING_SHARE * len(lines) and colons >= MIN_COLON_SHARE * len(labels):
            found += [blank for line, on_line in asking for blank in _blanks_on(line, on_line)]
    return found


def _line_blocks(rules: Sequence[RulingLine]) -> Iterator[list[RulingLine]]:
    """Yield the runs of lines with the same ends, evenly below each other."""
    waiting = sorted(rules, key=lambda rule: rule.y1)
    while waiting:
        first = waiting[0]
        alike = [
            rule
            for rule in waiting
            if abs(rule.x1 - first.x1) <= EDGE_TOLERANCE_PT and abs(rule.x2 - first.x2) <= EDGE_TOLERANCE_PT
        ]
        run = alike[:2]
        for rule in alike[2:]:
            step, last = run[1].y1 - run[0].y1, rule.y1 - run[-1].y1
            if max(step, last) > MAX_PITCH_RATIO * min(step, last):
                break
            run.append(rule)
        waiting = [rule for rule in waiting if rule not in run]
        if len(run) >= MIN_LINES:
            yield run


def _with_tops(lines: Sequence[RulingLine]) -> list[tuple[RulingLine, float]]:
    """Return each line with the height at which the place above it begins."""
    pitch = lines[1].y1 - lines[0].y1
    return [(lines[0], lines[0].y1 - pitch), *((below, above.y1) for above, below in pairwise(lines))]


def _texts_on(line: RulingLine, top: float, blocks: Sequence[Block]) -> list[Block]:
    """Return the texts that stand on a line, from left to right."""
    area = Box.between(line.x1 - EDGE_TOLERANCE_PT, top, line.x2, line.y1)
    return sorted((block for block in blocks if area.holds(*block.box.middle)), key=lambda block: block.box.x)


def _is_label(block: Block) -> bool:
    """Whether a text may be a label on a line: short wording of the form."""
    text = block.text.strip()
    is_short = len(text) <= MAX_LABEL_CHARS and "\n" not in text and len(block.lines) == 1
    return block.role == "fixed" and is_short and text_kind(text) == "text" and not split_prefix(text)[0]


def _blanks_on(line: RulingLine, labels: Sequence[Block]) -> Iterator[Blank]:
    """Yield the blanks behind the labels of a line, the first of which stands at its start."""
    if not labels or labels[0].box.x - line.x1 > labels[0].style.size:
        return
    ends = [*(label.box.x for label in labels[1:]), line.x2]
    for number, (label, end) in enumerate(zip(labels, ends, strict=True)):
        size = label.style.size
        left, right = label.box.right + GAP * size, end - (GAP * size if end < line.x2 else 0)
        if right - left >= MIN_WIDTH * size:
            yield Blank(
                id=f"lined-{line.id}-{number}",
                label=plain_label(label.text),
                box=Box.between(left, line.y1 - LINE_HEIGHT * size, right, line.y1),
                style=label.style.model_copy(update={"bold": False}),
            )
