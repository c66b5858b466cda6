"""Rows of tables that stay fixed text: they look like rows that repeat, and are in no detail band and no list."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise

from bandsmith.shared.blank_tables import counts_rows
from bandsmith.shared.fields.identifiers import plain_label
from bandsmith.shared.model.geometry import Box
from bandsmith.shared.model.layout import Block, Grid, Layout
from bandsmith.shared.template_markers import has_placeholder

from .data_model import MAX_PART, Blemish, is_figure, is_taken, texts_of_rows

ALIGNMENT_TOLERANCE_PT = 6.0
MIN_CELLS, MIN_FIGURES = 3, 2
"""Texts beside each other, and figures among them, from which two lines that look alike are rows of a table."""
MIN_LINES = 3
"""So many lines outside the rows of a table are another one."""
MIN_RECORD_CELLS = 4
"""A single line of so many values that nothing names is a record."""
MIN_HEADED_SHARE = 0.75
"""Share of the columns that have a heading; a corner may be empty."""
MIN_COLUMNS, MIN_COLUMNS_WITHOUT_HEADER = 2, 3
"""Lines of fewer texts are as likely labels with their values as rows."""
MAX_ROW_STEP, MIN_COLUMNS_FILLED = 2.0, 0.6
"""A row of a table follows within so many of its rows' heights, and fills this share of the columns."""


def fixed_rows(layout: Layout) -> Blemish:
    """Return the share of the table's rows that are fixed text, and the texts at the first of them."""
    measures = (_continuing_rows, _lines_outside, _headed_rows, _ruled_rows, _lone_record)
    return max((measure(layout) for measure in measures), key=lambda one: one.share)


def _continuing_rows(layout: Layout) -> Blemish:
    """The rows above or below the detail band.

    A line of texts is taken for such a row if it continues the rows at about their distance, in most of their columns.
    """
    repeat = layout.repeat
    if repeat is None or not repeat.slots or _prints_template(layout):
        return Blemish()
    blocks = {block.id: block for block in layout.blocks}
    columns = _side_by_side(Box.around(blocks[name].box for name in slot.blocks if name) for slot in repeat.slots)
    if len(columns) < (MIN_COLUMNS if repeat.header else MIN_COLUMNS_WITHOUT_HEADER):
        return Blemish()
    lines = [repeat, *repeat.group_lines]
    inside = {name for one in lines for slot in one.slots for name in slot.blocks} | {*repeat.header, layout.title}
    named = _named_values(layout)
    text_rows = _text_rows([block for block in layout.blocks if block.id not in inside | named])
    above = [line for line in reversed(text_rows) if line[0].box.bottom <= repeat.tops[0] + 2]
    below = [line for line in text_rows if line[0].box.y >= repeat.tops[-1] + 0.5 * repeat.pitch]
    found = _continuing(above, columns, repeat.tops[0], repeat.pitch)
    found += _continuing(below, columns, repeat.box.bottom, repeat.pitch)
    return _share_of(found, repeat.rows)


def _share_of(lines: Sequence[Sequence[Block]], repeated: int) -> Blemish:
    """The share of fixed lines among all rows, with the first text of each line."""
    at = tuple(min(line, key=lambda block: block.box.x).text for line in lines if line)
    return Blemish(len(lines) / (len(lines) + repeated), at) if lines else Blemish()


def _named_values(layout: Layout) -> set[str]:
    """The values that a text on their line names, such as a subtotal: such a line is no row."""
    return {
        block.id
        for block in layout.blocks
        if block.role == "value" and any(_names(other, block) for other in layout.blocks if other.role == "fixed")
    }


def _names(label: Block, value: Block) -> bool:
    is_beside = label.box.right <= value.box.x and abs(label.box.middle[1] - value.box.middle[1]) < label.box.height / 2
    wording = plain_label(label.text)
    return is_beside and bool(value.label) and bool(wording) and wording in (value.label or "")


def _side_by_side(boxes: Iterable[Box]) -> list[Box]:
    """Leave out boxes above or below another one: they are lines of one column."""
    columns: list[Box] = []
    for box in boxes:
        if all(box.right <= other.x or other.right <= box.x for other in columns):
            columns.append(box)
    return columns


def _text_rows(blocks: Iterable[Block]) -> list[list[Block]]:
    """Group the texts that stand beside each other, from top to bottom."""
    rows: list[list[Block]] = []
    for block in sorted(blocks, key=lambda one: one.box.middle[1]):
        if rows and abs(block.box.middle[1] - rows[-1][0].box.middle[1]) < 0.5 * block.box.height:
            rows[-1].append(block)
        else:
            rows.append([block])
    return rows


def _continuing(
    rows: Iterable[Sequence[Block]], columns: Sequence[Box], edge: float, pitch: float
) -> list[Sequence[Block]]:
    """Return the rows next to `edge`, one after the other, that fill most of the columns."""
    found, last = list[Sequence[Block]](), edge
    for row in rows:
        y = row[0].box.middle[1]
        if abs(y - last) > MAX_ROW_STEP * pitch:
            break
        filled = sum(any(_is_aligned(block.box, column) for block in row) for column in columns)
        if filled >= max(2.0, MIN_COLUMNS_FILLED * len(columns)):
            found.append(row)
            last = y
    return found


def _lines_outside(layout: Layout) -> Blemish:
    """Lines with the same figures below each other, outside all rows; all rows on a page where nothing repeats."""
    known = texts_of_rows(layout)
    lines = list(_wide_lines([block for block in layout.blocks if block.id not in known]))
    alike = {number for number, (one, other) in enumerate(pairwise(lines)) if _are_alike(one, other)}
    alike |= {number + 1 for number in alike}
    if _prints_template(layout) or (layout.repeat and len(alike) < MIN_LINES):
        return Blemish()
    return _share_of([lines[number] for number in sorted(alike)], sum(rows.rows for rows in layout.tables))


def _wide_lines(blocks: Iterable[Block]) -> Iterator[list[Block]]:
    """Yield the lines with enough texts for a row, without those of a sum: a text on them names their last value."""
    return (line for line in _text_rows(blocks) if len(line) >= MIN_CELLS and not _is_sum(line))


def _is_sum(line: Sequence[Block]) -> bool:
    *others, last = sorted(line, key=lambda block: block.box.x)
    wording = [block for block in others if block.role == "fixed"]
    return len(wording) == 1 and last.role == "value" and _names(wording[0], last)


def _are_alike(one: Sequence[Block], other: Sequence[Block]) -> bool:
    pairs = [(a, b) for a in one for b in other if _is_aligned(a.box, b.box)]
    figures = [pair for pair in pairs if all(is_figure(block.text) for block in pair)]
    return len(pairs) >= MIN_CELLS and len(figures) >= MIN_FIGURES


def _is_aligned(box: Box, column: Box) -> bool:
    if min(box.right, column.right) - max(box.x, column.x) <= 0:
        return False
    edges = (box.x - column.x, box.right - column.right, box.middle[0] - column.middle[0])
    return min(map(abs, edges)) <= ALIGNMENT_TOLERANCE_PT


def _prints_template(layout: Layout) -> bool:
    """Whether the rows hold placeholders: the document says itself what repeats."""
    names = texts_of_rows(layout)
    return any(has_placeholder(block.text) for block in layout.blocks if block.id in names)


def _lone_record(layout: Layout) -> Blemish:
    """A line of values that nothing names, on a page where nothing repeats: values of a form have labels."""
    if layout.tables:
        return Blemish()
    values = [block for block in layout.blocks if block.role == "value" and not block.label]
    records = [line for line in _text_rows(values) if len(line) >= MIN_RECORD_CELLS]
    return _share_of([one for one in records if sum(is_figure(block.text) for block in one) >= MIN_FIGURES], 0)


def _headed_rows(layout: Layout) -> Blemish:
    """The filled rows of ruled tables that stand below bold headings. Rows of words alone are seen by nothing else."""
    found = [row for grid in _free_grids(layout) for row in _rows_below_bold(grid, layout.blocks)]
    return _share_of(found, sum(rows.rows for rows in layout.tables))


def _free_grids(layout: Layout) -> list[Grid]:
    taken = [rows.box for rows in layout.tables]
    return [grid for grid in layout.grids if not is_taken(grid.box, taken)]


def _rows_below_bold(grid: Grid, blocks: Sequence[Block]) -> list[list[Block]]:
    texts = _texts_by_row(grid, blocks)
    heads = texts.pop(0, {})
    bold = all(block.style.bold and block.role == "fixed" for block in heads.values())
    rows = [row for row in texts.values() if len(row.keys() & heads.keys()) >= max(MIN_CELLS, MAX_PART * len(heads))]
    plain = [[*row.values()] for row in rows if not any(block.style.bold for block in row.values())]
    return plain if len(heads) >= MIN_CELLS and bold and len(plain) > 1 else []


def _texts_by_row(grid: Grid, blocks: Sequence[Block]) -> dict[int, dict[int, Block]]:
    """Return the text of each cell that holds a single one, by row and column."""
    texts: dict[int, dict[int, Block]] = {}
    for cell in grid.cells:
        inside = [block for block in blocks if cell.box.holds(*block.box.middle)]
        if len(inside) == 1:
            texts.setdefault(cell.row, {})[cell.column] = inside[0]
    return texts


def _ruled_rows(layout: Layout) -> Blemish:
    """Rows with the same cells below a row of headings, in a ruled table that repeats nowhere."""
    count, headings = 0, list[str]()
    for grid in _free_grids(layout):
        texts = _texts_by_row(grid, layout.blocks)
        for head, *rows in _equal_rows(grid):
            if len(rows) >= MIN_LINES and _heads(texts.get(head, {}), grid, head) and _are_records(rows, texts):
                count += len(rows)
                headings += [block.text for _, block in sorted(texts[head].items())]
    repeated = sum(rows.rows for rows in layout.tables)
    return Blemish(count / (count + repeated), tuple(headings)) if count else Blemish()


def _equal_rows(grid: Grid) -> Iterator[list[int]]:
    """Yield the numbers of rows that follow each other and have the same cells."""
    run, shape = list[int](), list[tuple[int, int]]()
    for row in range(len(grid.rows) - 1):
        own = _shape(grid, row)
        if run and own != shape:
            yield run
            run = []
        shape = own
        run = [*run, row] if own else []
    if run:
        yield run


def _shape(grid: Grid, row: int) -> list[tuple[int, int]]:
    """The columns of a row's cells; empty where one spans rows or there are too few for a table."""
    cells = [cell for cell in grid.cells if cell.row <= row < cell.row + cell.row_span]
    is_plain = len(cells) >= MIN_CELLS and all(cell.row_span == 1 for cell in cells)
    return sorted((cell.column, cell.column_span) for cell in cells) if is_plain else []


def _heads(texts: dict[int, Block], grid: Grid, row: int) -> bool:
    """Whether a row has a heading over most columns, and no figures and values."""
    are_words = all(block.role == "fixed" and not is_figure(block.text) for block in texts.values())
    return are_words and len(texts) >= MIN_HEADED_SHARE * len(_shape(grid, row))


def _are_records(rows: Sequence[int], texts: dict[int, dict[int, Block]]) -> bool:
    """Whether rows are entries of a list: no wording of their own titles most of them or names their values.

    Rows without any text are a blank table (`data_model.blank_share`).
    """
    titled = sum(_is_titled(texts.get(row, {})) for row in rows)
    return any(row in texts for row in rows) and titled < MAX_PART * len(rows)


def _is_titled(row: dict[int, Block]) -> bool:
    wording = {block.text.strip().rstrip(":：") for block in row.values() if block.role == "fixed"}
    first = min(row.items(), default=None)
    begins = first is not None and first[1].role == "fixed" and not counts_rows(first[1].text.strip())
    return begins or any(block.label in wording for block in row.values() if block.role == "value")
