"""Lines become blocks: the text of one ruled cell is one block, so is a wrapped text; every other line is its own."""

from __future__ import annotations

from collections.abc import Iterator
from statistics import mean

from bandsmith.shared.model.geometry import Box
from bandsmith.shared.model.layout import Align, Block, Cell, Fill, Grid, TextLine, VAlign

from .text_classifier import ends_like_label, shape, split_prefix

BAR_HEIGHTS = 3.5
"""A fill is a bar that its text sits in when it is at most this many times as high as the text."""
BAR_ROOM = 1.7
"""How high a text's place in a bar is, in sizes of its font: a line and its paddings."""

LEADING = (0.9, 1.19)
"""The step between wrapped lines, in sizes of their font: what fonts have as their own line height."""

TABLE_LINES = 4


def make_blocks(lines: list[TextLine], grids: list[Grid], fills: list[Fill]) -> list[Block]:
    """Blocks in reading order."""
    blocks: list[Block] = []
    cells = [cell for grid in grids for cell in grid.cells]
    free: list[TextLine] = []
    inside: dict[int, list[TextLine]] = {}
    for line in lines:
        home = _home(line, cells)
        if home is None:
            free.append(line)
        else:
            inside.setdefault(home, []).append(line)
    for index, held in inside.items():
        stacks = list(_stacks(held))
        alone = len(stacks) == 1
        blocks += [_block(stack, cells[index].box if alone else None) for stack in stacks]
    blocks += [_block(held, _bar(held[0], fills, free) if len(held) == 1 else None) for held in _paragraphs(free)]
    return sorted(blocks, key=lambda b: (round(b.box.middle[1] / 3), b.box.x))


def _home(line: TextLine, cells: list[Cell]) -> int | None:
    """The smallest cell that holds most of the line."""
    holding = [i for i, cell in enumerate(cells) if cell.box.overlap(line.box) > 0.6 * line.box.area]
    return min(holding, key=lambda i: cells[i].box.area, default=None)


def _bar(line: TextLine, fills: list[Fill], lines: list[TextLine]) -> Box | None:
    """The part of a filled bar that this line has for itself: all of it, or from its own start to the next text's."""
    bars = [
        f.box
        for f in fills
        if f.box.overlap(line.box) > 0.95 * line.box.area and f.box.height <= BAR_HEIGHTS * max(line.box.height, 6)
    ]
    if not bars:
        return None
    bar = min(bars, key=lambda b: b.area)
    others = [other.box for other in lines if other is not line and bar.overlap(other.box) > 0.5 * other.box.area]
    if any(min(o.bottom, line.box.bottom) - max(o.y, line.box.y) <= 0 for o in others):
        return None
    height = min(bar.height, BAR_ROOM * line.style.size)
    top = min(max(line.box.middle[1] - height / 2, bar.y), bar.bottom - height)
    left, right = bar.x, bar.right
    if others:
        left = line.box.x - 1
        right = max(min((o.x for o in others if o.x > line.box.x), default=bar.right + 1) - 1, line.box.right)
    return Box(x=left, y=top, width=right - left, height=height)


def _stacks(lines: list[TextLine]) -> Iterator[list[TextLine]]:
    """Part a cell's lines into stacks that read as one text: close below each other, alike, and in line."""
    waiting = sorted(lines, key=lambda n: (n.box.y, n.box.x))
    while waiting:
        stack = [waiting.pop(0)]
        for line in list(waiting):
            last = stack[-1]
            beside = any(
                other is not line and abs(other.box.middle[1] - line.box.middle[1]) < 0.5 * line.box.height
                for other in lines
            )
            if not beside and _continues(last, line):
                stack.append(line)
                waiting.remove(line)
        yield stack


def _paragraphs(lines: list[TextLine]) -> list[list[TextLine]]:
    """Part free lines into wrapped texts and single lines.

    Lines of one text follow each other at their font's own leading; what was placed separately rarely does. Many such
    lines in several columns side by side are the rows of a tight table, and stay single.
    """
    runs: list[list[TextLine]] = []
    for line in sorted(lines, key=lambda n: (n.box.y, n.box.x)):
        home = next((run for run in runs if _wraps(run, line)), None)
        if home is None:
            runs.append([line])
        else:
            home.append(line)
    parted: list[list[TextLine]] = []
    for run in runs:
        parted += [[line] for line in run] if _is_column(run, lines) else [run]
    return parted


def _is_column(run: list[TextLine], lines: list[TextLine]) -> bool:
    """Whether most lines of a long run have neighbours on their own line."""
    beside = sum(
        any(other not in run and abs(other.box.middle[1] - line.box.middle[1]) < 2 for other in lines) for line in run
    )
    return len(run) >= TABLE_LINES and beside >= 0.6 * len(run)


def _wraps(run: list[TextLine], line: TextLine) -> bool:
    last, first = run[-1], run[0]
    if ends_like_label(last.text) or ends_like_label(line.text) or split_prefix(line.text)[0]:
        return False
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
    return same and LEADING[0] * size <= step <= LEADING[1] * size and in_line <= 0.25 * size


def _continues(above: TextLine, below: TextLine) -> bool:
    if shape(above.text) == shape(below.text) == "number":
        return False  # figures below each other are two figures
    gap = below.box.y - above.box.bottom
    alike = 0.8 < below.style.size / above.style.size < 1.25 and below.style.bold == above.style.bold
    return alike and gap < 1.1 * max(above.style.size, below.style.size) and below.box.middle[1] > above.box.bottom - 1


def _block(lines: list[TextLine], room: Box | None) -> Block:
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
    """The edge that the lines share best; Left for a single line."""
    if len(lines) == 1:
        return "Left"

    def spread(places: list[float]) -> float:
        return mean(abs(p - mean(places)) for p in places)

    spreads: dict[Align, float] = {
        "Left": spread([n.box.x for n in lines]),
        "Center": spread([n.box.middle[0] for n in lines]) + 0.3,
        "Right": spread([n.box.right for n in lines]) + 0.3,
    }
    return min(spreads, key=lambda a: spreads[a])
