"""Group lines into blocks: the text of one ruled cell, a wrapped paragraph, or a single line."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from statistics import mean

from bandsmith.shared.fonts import is_cjk
from bandsmith.shared.model.geometry import Box
from bandsmith.shared.model.layout import Align, Block, Cell, Fill, Grid, TextLine, VAlign

from .text_classifier import ends_like_label, is_label, split_prefix, text_kind

MAX_BAR_HEIGHT_RATIO = 3.5
"""Maximum height of a bar that a text sits in, in heights of the text."""
BAR_AREA_HEIGHT = 1.7
"""Height of a text's area in a bar, in font sizes: a line and its padding."""

LEADING_RANGE = (0.9, 1.19)
"""Distance between wrapped lines, in font sizes: what fonts have as their own line height."""

MAX_LABEL_WORDS = 4
"""Longer wording beside a number or date is part of a text."""
MIN_EMPTY_LINES = 3.0
"""Height of the rest of a cell below its heading, in font sizes, from which on it may be a column of rows."""
MAX_UPRIGHT_GAP = 3.0
"""Gap between the characters of an upright label, in font sizes."""
MIN_COLUMN_LINES = 4
"""Minimum number of lines of a table's column."""


def make_blocks(
    lines: list[TextLine], grids: list[Grid], fills: list[Fill], texts: Sequence[list[TextLine]] = ()
) -> list[Block]:
    """Return the blocks in reading order. `texts` are lines that are known to be one text each."""
    cells = [cell for grid in grids for cell in grid.cells]
    blocks = [_make_block(text, _area_of(text, cells, fills, lines)) for text in texts]
    known = {line.id for text in texts for line in text}
    taken = [line for line in lines if line.id in known]
    lines = [line for line in lines if line.id not in known]
    free: list[TextLine] = []
    inside: dict[int, list[TextLine]] = {}
    for line in lines:
        cell = _enclosing_cell(line, cells)
        if cell is None:
            free.append(line)
        else:
            inside.setdefault(cell, []).append(line)
    for index, cell_lines in inside.items():
        stacks = list(_split_into_stacks(cell_lines, lines))
        alone = len(stacks) == 1 and not any(cells[index].box.holds(*line.box.middle) for line in taken)
        blocks += [_make_block(stack, cells[index].box if alone else None) for stack in stacks]
    blocks += [
        _make_block(paragraph, _bar_area(paragraph[0], fills, free) if len(paragraph) == 1 else None)
        for paragraph in _group_paragraphs(free)
    ]
    return sorted(blocks, key=reading_order)


def reading_order(block: Block) -> tuple[int, float]:
    """Return what blocks are sorted by: line by line, from left to right."""
    return round(block.box.middle[1] / 3), block.box.x


def _area_of(text: list[TextLine], cells: list[Cell], fills: list[Fill], lines: list[TextLine]) -> Box | None:
    """Return the ruled cell or bar that a known text has for itself, if any."""
    cell = _enclosing_cell(text[0], cells)
    if cell is None:
        return _bar_area(text[0], fills, lines) if len(text) == 1 else None
    box = cells[cell].box
    inside = {line.id for line in lines if box.holds(*line.box.middle)}
    return box if inside == {line.id for line in text} and not _heads_rows(text, box, lines) else None


def _heads_rows(text: list[TextLine], cell: Box, lines: list[TextLine]) -> bool:
    """Whether a text is at the top of a cell beside which further lines of text stand: it heads an empty column."""
    size, bottom = text[0].style.size, max(line.box.bottom for line in text)
    beside = [line for line in lines if cell.y < line.box.y < cell.bottom and line.box.y > bottom]
    is_on_top = text[0].box.y - cell.y < size and cell.bottom - bottom > MIN_EMPTY_LINES * size
    return is_on_top and len({round(line.box.middle[1] / size) for line in beside}) > 1


def _enclosing_cell(line: TextLine, cells: list[Cell]) -> int | None:
    """Return the index of the smallest cell that holds most of the line."""
    holding = [i for i, cell in enumerate(cells) if cell.box.overlap(line.box) > 0.6 * line.box.area]
    return min(holding, key=lambda i: cells[i].box.area, default=None)


def _bar_area(line: TextLine, fills: list[Fill], lines: list[TextLine]) -> Box | None:
    """Return the part of a filled bar that a line has for itself: all of it, or from its start to the next text."""
    bars = [
        f.box
        for f in fills
        if f.box.overlap(line.box) > 0.95 * line.box.area
        and f.box.height <= MAX_BAR_HEIGHT_RATIO * max(line.box.height, 6)
    ]
    if not bars:
        return None
    bar = min(bars, key=lambda b: b.area)
    others = [other.box for other in lines if other is not line and bar.overlap(other.box) > 0.5 * other.box.area]
    if any(min(o.bottom, line.box.bottom) - max(o.y, line.box.y) <= 0 for o in others):
        return None
    height = min(bar.height, BAR_AREA_HEIGHT * line.style.size)
    top = min(max(line.box.middle[1] - height / 2, bar.y), bar.bottom - height)
    left, right = bar.x, bar.right
    if others:
        left = line.box.x - 1
        right = max(min((o.x for o in others if o.x > line.box.x), default=bar.right + 1) - 1, line.box.right)
    return Box(x=left, y=top, width=right - left, height=height)


def _split_into_stacks(lines: list[TextLine], on_page: list[TextLine]) -> Iterator[list[TextLine]]:
    """Split a cell's lines into stacks that read as one text: close below each other, similar and not side by side.

    Lines that each have a figure beside them, in whatever cell, are labels of these.
    """
    waiting = sorted(lines, key=lambda n: (n.box.y, n.box.x))
    while waiting:
        stack = [waiting.pop(0)]
        for line in list(waiting):
            last = stack[-1]
            beside = any(
                other is not line and abs(other.box.middle[1] - line.box.middle[1]) < 0.5 * line.box.height
                for other in lines
            )
            may_join = (not beside or _is_upright(last, line)) and _continues_stack(last, line)
            if may_join and not (_names_figure(last, on_page) and _names_figure(line, on_page)):
                stack.append(line)
                waiting.remove(line)
        yield stack


def _group_paragraphs(lines: list[TextLine]) -> list[list[TextLine]]:
    """Group lines outside cells into wrapped texts and single lines.

    Lines of one text follow each other at their font's own leading; texts that were placed separately rarely do. Many
    such lines in several columns side by side are the rows of a tight table and stay single.
    """
    runs: list[list[TextLine]] = []
    for line in sorted(lines, key=lambda n: (n.box.y, n.box.x)):
        alone = not _is_named_beside(line, lines)
        home = next((run for run in runs if _continues_paragraph(run, line)), None) if alone else None
        if home is None:
            runs.append([line])
        else:
            home.append(line)
    parted: list[list[TextLine]] = []
    for run in runs:
        parted += [[line] for line in run] if _is_column(run, lines) else [run]
    return parted


def _is_named_beside(line: TextLine, lines: list[TextLine]) -> bool:
    """Whether a line is one half of a label with its value: the other half stands beside it.

    A colon parts them, or the left one is wording that forms print, or names a number or date.
    """
    beside = [n for n in lines if n is not line and abs(n.box.middle[1] - line.box.middle[1]) < 0.5 * line.style.size]
    before = max((n for n in beside if n.box.right <= line.box.x), key=lambda n: n.box.right, default=None)
    after = min((n for n in beside if n.box.x >= line.box.right), key=lambda n: n.box.x, default=None)
    if before is not None and (ends_like_label(before.text) or _names(before, line)):
        return True
    return after is not None and (after.text.lstrip().startswith((":", "：")) or _names(line, after))


def _names_figure(line: TextLine, lines: list[TextLine]) -> bool:
    """Whether the next text to the right of a line, at its height, is a figure that the line names."""
    level = (n for n in lines if abs(n.box.middle[1] - line.box.middle[1]) < 0.5 * line.style.size)
    after = min((n for n in level if n.box.x >= line.box.right), key=lambda n: n.box.x, default=None)
    return after is not None and text_kind(after.text) in ("number", "date") and _names(line, after)


def _names(label: TextLine, value: TextLine) -> bool:
    """Whether a text is a label without a colon that names the one beside it, which is no label itself."""
    if text_kind(label.text) != "text" or is_label(value.text) or any(map(str.isdigit, label.text)):
        return False
    is_short = len(label.text.split()) <= MAX_LABEL_WORDS
    return is_label(label.text) or (is_short and text_kind(value.text) in ("number", "date"))


def _is_column(run: list[TextLine], lines: list[TextLine]) -> bool:
    """Whether most lines of a long run have neighbours on their own line."""
    beside = sum(
        any(other not in run and abs(other.box.middle[1] - line.box.middle[1]) < 2 for other in lines) for line in run
    )
    return len(run) >= MIN_COLUMN_LINES and beside >= 0.6 * len(run)


def _continues_paragraph(run: list[TextLine], line: TextLine) -> bool:
    last, first = run[-1], run[0]
    if ends_like_label(last.text) or ends_like_label(line.text) or split_prefix(line.text)[0]:
        return False
    if text_kind(last.text) == text_kind(line.text) and text_kind(line.text) in ("number", "date"):
        return False  # numbers and dates below each other are separate values
    if len(run) == 1 and text_kind(line.text) == "number":
        return False  # a figure below a line of text is a value of its own
    prefix, value = split_prefix(last.text)
    if prefix and text_kind(value) != "text":
        return False  # a date or number behind its label is whole
    size = last.style.size
    step = line.box.middle[1] - last.box.middle[1]
    same = (
        abs(line.style.size - size) <= 0.06 * size
        and line.style.model_copy(update={"size": size, "underline": last.style.underline}) == last.style
    )
    in_line = min(
        abs(line.box.x - first.box.x),
        abs(line.box.right - first.box.right),
        abs(line.box.middle[0] - first.box.middle[0]),
    )
    return same and LEADING_RANGE[0] * size <= step <= LEADING_RANGE[1] * size and in_line <= 0.25 * size


def _continues_stack(above: TextLine, below: TextLine) -> bool:
    if text_kind(above.text) == text_kind(below.text) == "number":
        return False  # numbers below each other are separate values
    if _is_labelled(below.text) or _ends_with_colon(above.text):
        return False  # labels below each other have values of their own
    if below.box.x > above.box.right or below.box.right < above.box.x:
        return False  # a large cell may hold texts in columns of their own
    gap = below.box.y - above.box.bottom
    if _is_upright(above, below):
        return gap < MAX_UPRIGHT_GAP * max(above.style.size, below.style.size)
    alike = 0.8 < below.style.size / above.style.size < 1.25 and below.style.bold == above.style.bold
    return alike and gap < 1.1 * max(above.style.size, below.style.size) and below.box.middle[1] > above.box.bottom - 1


def _is_upright(above: TextLine, below: TextLine) -> bool:
    """Whether two single Chinese characters stand below each other, as those of an upright label do: 备 注"""
    single = all(len(line.text.strip()) == 1 and is_cjk(line.text.strip()) for line in (above, below))
    return single and abs(above.box.middle[0] - below.box.middle[0]) <= 0.3 * above.style.size


def _is_labelled(text: str) -> bool:
    """Whether a line begins with a label that forms print and a colon, or is one: 地址、电话: 中山路1号"""
    return is_label(split_prefix(text)[0]) or (_ends_with_colon(text) and is_label(text))


def _ends_with_colon(text: str) -> bool:
    return text.rstrip().endswith((":", "："))


def _make_block(lines: list[TextLine], room: Box | None) -> Block:
    box = Box.around([line.box for line in lines])
    align, valign = _alignment(lines, box, room) if room else (_free_alignment(lines), "Top")
    return Block(
        id=f"b-{lines[0].id}",
        text="\n".join(line.text for line in lines),
        lines=[line.id for line in lines],
        box=box,
        style=max(lines, key=lambda line: line.box.width).style,
        align=align,
        valign=valign,
        room=room,
    )


def _alignment(lines: list[TextLine], box: Box, room: Box) -> tuple[Align, VAlign]:
    left, right = box.x - room.x, room.right - box.right
    top, bottom = box.y - room.y, room.bottom - box.bottom
    align: Align = "Left"
    if len(lines) > 1:
        align = _free_alignment(lines)
    elif abs(left - right) <= max(2.5, 0.12 * (left + right)):
        align = "Center"
    elif right < left:
        align = "Right"
    valign: VAlign = "Middle"
    if abs(top - bottom) > max(4.0, 0.25 * (top + bottom)):
        valign = "Top" if top < bottom else "Bottom"
    return align, valign


def _free_alignment(lines: list[TextLine]) -> Align:
    """Return the edge that the lines share best; Left for a single line."""
    if len(lines) == 1:
        return "Left"

    def spread(positions: list[float]) -> float:
        return mean(abs(p - mean(positions)) for p in positions)

    spreads: dict[Align, float] = {
        "Left": spread([n.box.x for n in lines]),
        "Center": spread([n.box.middle[0] for n in lines]) + 0.3,
        "Right": spread([n.box.right for n in lines]) + 0.3,
    }
    return min(spreads, key=lambda a: spreads[a])
