"""Reading a form with a model: which of its marks are rows, values and wording, where the rules have them wrong.

The model is shown every text with its number, its place and what the rules take it for, and the page itself where it
sees pictures. It says what is wrong, by numbers; a reply that contradicts the page goes back once, with the reason, and
what is still wrong then is not used.
"""

from __future__ import annotations

import asyncio
import io
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from itertools import pairwise
from typing import NamedTuple

from PIL import Image, ImageDraw

from bandsmith.shared.actor import Store
from bandsmith.shared.events import FormRead, ReadForm
from bandsmith.shared.llm import Model, ModelFailed, ask
from bandsmith.shared.llm.answers.report import FormAnswer, PartedAnswer, TableAnswer
from bandsmith.shared.llm.ask import Review
from bandsmith.shared.model.form_reading import AddedReading, ColumnReading, FormReading, TableReading, ValueReading
from bandsmith.shared.model.geometry import Box
from bandsmith.shared.model.layout import Block, Fill, Grid, Layout, Picture, Repeat, RulingLine, TextLine, TickBox
from bandsmith.shared.template_markers import is_template

from .added_places import is_printed, place_of

_NUMBER = re.compile(r"a?[1-9]\d{0,3}(\.[1-9]\d?)?", re.ASCII)
"""The number of a text, of its part, or of one that the model added."""
MAX_MARKS = 500
"""Texts and pictures of a page that a model is asked about; one with more is left to the rules.

Strokes, areas and boxes are shown where there are no more than that together."""
MAX_TEXT_CHARS = 200
MAX_BLANKS = 100
MAX_REQUEST_CHARS = 2_000
MAX_LEFT_OUT_SHARE = 0.3
"""Share of the letters that may be left out; a reply that leaves out more has not understood the page."""
MAX_EDGE_PX = 1600
"""Longer edge of the page as a model sees it, in pixels: larger ones are made smaller by most servers."""
MARK_COLOUR = "#D0021B"
SEEN = "each text whose letters or figures were read wrongly, by its number, with what you see that it says."
UNSEEN = "always [], as you do not see the page."
MAX_OVERLAP_PT = 3.0
"""How far the texts of a row may reach into the next one."""

SIDE_TOLERANCE_PT = 3.0
"""How far a rule may be from the side of a cell that it draws."""

Mark = TextLine | Picture | TickBox | RulingLine | Fill
Marks = Mapping[str, Mark]
"""The texts, pictures and loose marks of a page by number."""


class ShownPage(NamedTuple):
    """What a model is shown of a page, by which its answer is checked."""

    layout: Layout
    marks: Marks
    form: Image.Image | None
    """The page in grey, for a model that sees pictures."""


async def read_form(store: Store, command: ReadForm, model: Model | None) -> FormRead:
    """Return how a model reads the form; no reading where there is none, or the rules are right."""
    layout = Layout.model_validate_json(await store.get(command.layout))
    if model is None or not _is_asked_about(layout):
        return FormRead(reading=None)
    form = await store.get(command.form) if model.sees_pictures else None
    page = ShownPage(layout, _marks(layout), await asyncio.to_thread(_grey, form) if form else None)
    values = {
        "page": f"{layout.page.width:.0f} x {layout.page.height:.0f}",
        "texts": "\n".join(_described(layout, page.marks)),
        "seen": SEEN if model.sees_pictures else UNSEEN,
        "request": command.text[:MAX_REQUEST_CHARS],
    }
    picture = await asyncio.to_thread(_marked, form, layout, page.marks) if form else None
    try:
        answer, usage = await ask(
            model,
            "read_form",
            values,
            FormAnswer,
            allowance=command.allowance,
            picture=picture,
            review=lambda answer: Review(list(_objections(answer, page))),
        )
    except ModelFailed as failed:
        return FormRead(reading=None, notes=[failed.in_language(command.language)], usage=failed.usage)
    reading = reading_of(answer, page)
    if reading == FormReading():
        return FormRead(reading=None, usage=usage)
    return FormRead(reading=await store.put(reading.model_dump_json().encode(), "application/json"), usage=usage)


def _is_asked_about(layout: Layout) -> bool:
    """Whether a model may read the page: what a template repeats, and a table over pages, are certain."""
    is_certain = layout.joined is not None or is_template(line.text for line in layout.lines)
    return not is_certain and len(layout.lines) > 0 and len(layout.lines) + len(layout.pictures) <= MAX_MARKS


def _marks(layout: Layout) -> Marks:
    found: list[Mark] = [*layout.lines, *layout.pictures]
    loose: list[Mark] = [*layout.tick_boxes, *(rule for rule in layout.rules if not _draws_cell(rule, layout.grids))]
    loose += layout.fills
    found += loose if len(found) + len(loose) <= MAX_MARKS else []
    return {str(number): mark for number, mark in enumerate(found, 1)}


def _draws_cell(rule: RulingLine, grids: Iterable[Grid]) -> bool:
    """Whether a rule of a grid draws a whole side of a cell; a stroke in a cell does not."""
    cells = [cell.box for grid in grids if rule.id in grid.rules for cell in grid.cells]
    return any(_is_along(rule.box, cell) for cell in cells)


def _is_along(rule: Box, cell: Box) -> bool:
    x, y = rule.middle
    is_wide = rule.x <= cell.x + SIDE_TOLERANCE_PT and rule.right >= cell.right - SIDE_TOLERANCE_PT
    is_high = rule.y <= cell.y + SIDE_TOLERANCE_PT and rule.bottom >= cell.bottom - SIDE_TOLERANCE_PT
    is_level = min(abs(cell.y - y), abs(cell.bottom - y)) <= SIDE_TOLERANCE_PT
    return (is_wide and is_level) or (is_high and min(abs(cell.x - x), abs(cell.right - x)) <= SIDE_TOLERANCE_PT)


# --- what the model is shown -----------------------------------------------------------------------------------------


def _described(layout: Layout, marks: Marks) -> Iterator[str]:
    """Yield a line for each mark and each place to fill in: number, place, what it says, what it was taken for."""
    owners = {line: block for block in layout.blocks for line in block.lines}
    in_rows = dict(_places_in_rows(layout))
    for number, mark in marks.items():
        place = _place(mark.box)
        if not isinstance(mark, TextLine):
            yield f"{number} [{place}] ({_kind(mark)})"
            continue
        block = owners.get(mark.id)
        taken_for = (block and in_rows.get(block.id)) or _role(block)
        yield f"{number} [{place}] {mark.text[:MAX_TEXT_CHARS]} | {taken_for}"
    for blank in layout.blanks[:MAX_BLANKS]:
        yield f'- [{_place(blank.box)}] (place to fill in: "{blank.label[:MAX_TEXT_CHARS]}")'


def _place(box: Box) -> str:
    return ",".join(f"{edge:.0f}" for edge in (box.x, box.y, box.right, box.bottom))


def _kind(mark: Picture | TickBox | RulingLine | Fill) -> str:
    if isinstance(mark, Picture):
        return mark.kind
    return "box to tick" if isinstance(mark, TickBox) else "line" if isinstance(mark, RulingLine) else "area"


def _role(block: Block | None) -> str:
    if block is None or block.role == "fixed":
        return "wording"
    return f'value of "{block.label}"' if block.label else "value"


def _places_in_rows(layout: Layout) -> Iterator[tuple[str, str]]:
    """Yield the blocks of all tables, each with its place in words."""
    tables: list[Repeat] = [*([layout.repeat] if layout.repeat else []), *layout.further]
    for number, table in enumerate(tables, 1):
        which = f"table {number}, " if number > 1 else ""
        yield from ((block, f"{which}heading") for block in table.header)
        for column, slot in enumerate(table.slots, 1):
            for row, block in enumerate(slot.blocks, 1):
                if block:
                    yield block, f"{which}row {row}, column {column}"
        yield from ((b, f"{which}line of a group") for g in table.group_lines for s in g.slots for b in s.blocks if b)


def _grey(form: bytes) -> Image.Image:
    with Image.open(io.BytesIO(form)) as opened:
        return opened.convert("L")


def _marked(form: bytes, layout: Layout, marks: Marks) -> bytes:
    """Return the page (PNG) with the number of each picture at its place; texts are known by what they say."""
    with Image.open(io.BytesIO(form)) as opened:
        page = opened.convert("RGB")
    page.thumbnail((MAX_EDGE_PX, MAX_EDGE_PX))
    scale = page.width / layout.page.width
    pen = ImageDraw.Draw(page)
    for number, mark in marks.items():
        if isinstance(mark, Picture | TickBox):
            left, top = mark.box.x * scale, mark.box.y * scale
            pen.rectangle((left, top, mark.box.right * scale, mark.box.bottom * scale), outline=MARK_COLOUR, width=2)
            pen.text((left + 3, top + 1), str(number), fill=MARK_COLOUR, stroke_width=2, stroke_fill="white")
    written = io.BytesIO()
    page.save(written, "PNG")
    return written.getvalue()


# --- what its answer means -------------------------------------------------------------------------------------------


def reading_of(answer: FormAnswer, page: ShownPage) -> FormReading:
    """Return the reading without what contradicts the page.

    A model that sees the page may read a text otherwise, unless the document itself says it exactly.
    """
    marks, texts = page.marks, _texts(answer, page)
    tables = [_table(table, texts) for table in answer.tables if not list(_faults(table, texts))]
    given = len(answer.tables) == len(tables)
    no_part = [str(number) for number in answer.no_part]
    left_out = [marks[number].id for number in no_part if number in marks]
    wholes = _wholes(answer, page)
    absorbed = {name for whole in wholes for name in whole}
    values = [
        ValueReading(lines=lines, label=value.label)
        for value in answer.values
        if (lines := [texts[number].id for number in _numbers(value.texts) if number in texts])
    ]
    parted = {texts[str(one.text)].id: list(one.parts) for one in answer.parted if _is_parted(one, marks)}
    added = _added(answer, page)
    printed = [one for one in added.values() if one.line.text]
    return FormReading(
        added=list(added.values()),
        tables=tables if not answer.rows_are_right and (tables or given) else None,
        values=[*values, *(ValueReading(lines=[one.line.id], label=one.label) for one in printed if one.label)],
        parted=parted,
        wording=[texts[str(number)].id for number in answer.wording if str(number) in texts],
        misread=_misread(answer, page, texts, {*parted, *left_out, *absorbed}),
        left_out=[] if _is_much(no_part, texts) else left_out,
        one_picture=wholes,
    )


def _misread(answer: FormAnswer, page: ShownPage, texts: Mapping[str, TextLine], replaced: set[str]) -> dict[str, str]:
    """Return the corrected wording of each misread text, without those that are `replaced` by others.

    The text of a document is exact except for its spaces: its letters may be set apart.
    """
    return {
        line.id: one.reads
        for one in answer.misread
        if page.form and (line := texts.get(str(one.text))) and one.reads != line.text
        if line.confidence < 1 or "".join(one.reads.split()) == "".join(line.text.split())
        if line.id not in replaced
    }


def _wholes(answer: FormAnswer, page: ShownPage) -> list[list[str]]:
    """Return the ids of the marks that are one picture each."""
    numbers = [[n for n in _numbers(one) if n in page.marks] for one in answer.one_picture]
    return [[page.marks[n].id for n in one] for one in numbers if not _is_much(one, _own_texts(page.marks))]


def _added(answer: FormAnswer, page: ShownPage) -> dict[str, AddedReading]:
    """Return the places that the model adds, by the number that each has."""
    texts = _own_texts(page.marks)
    found: dict[str, AddedReading] = {}
    for place, one in enumerate(answer.added, 1):
        box = place_of(one, texts | {number: other.line for number, other in found.items()}, page.layout)
        if box is None or (one.reads and not (page.form and is_printed(page.form, page.layout, box))):
            continue
        near = texts[str(one.beside or one.below)]
        line = near.model_copy(update={"id": f"a{place}", "text": one.reads, "box": box})
        found[f"a{place}"] = AddedReading(line=line, label=one.label)
    return found


def _own_texts(marks: Marks) -> dict[str, TextLine]:
    return {number: mark for number, mark in marks.items() if isinstance(mark, TextLine)}


def _texts(answer: FormAnswer, page: ShownPage) -> dict[str, TextLine]:
    """Return the texts of the page by number. Parts of a divided text and added ones have numbers of their own."""
    marks, texts = page.marks, _own_texts(page.marks)
    texts |= {number: one.line for number, one in _added(answer, page).items() if one.line.text}
    for one in answer.parted:
        if _is_parted(one, marks):
            line = texts[str(one.text)]
            texts |= {
                f"{one.text}.{place}": line.model_copy(update={"id": f"{line.id}.{place}", "text": part})
                for place, part in enumerate(one.parts, 1)
            }
    return texts


def _is_parted(one: PartedAnswer, marks: Marks) -> bool:
    """Whether the parts of a text are what it says."""
    mark = marks.get(str(one.text))
    return isinstance(mark, TextLine) and "".join("".join(one.parts).split()) == "".join(mark.text.split())


def _is_much(no_part: Iterable[str], texts: Mapping[str, TextLine]) -> bool:
    """Whether texts are more of the letters on a page than scraps can be, which are short."""
    letters = {number: sum(char.isalnum() for char in line.text) for number, line in texts.items() if "." not in number}
    return sum(letters.get(number, 0) for number in no_part) > MAX_LEFT_OUT_SHARE * sum(letters.values())


def _objections(answer: FormAnswer, page: ShownPage) -> Iterator[str]:
    """Yield what in an answer contradicts the page, in words for the model."""
    marks, texts, added = page.marks, _texts(answer, page), _added(answer, page)
    for place in range(len(answer.added)):
        if f"a{place + 1}" not in added:
            yield f"added.{place}: there is no room beside or below these texts, or you see no print there"
    for place, whole in enumerate(answer.one_picture):
        if _is_much(_numbers(whole), _own_texts(marks)):
            yield f"one_picture.{place}: that is more of the form than a picture can be"
    for place, one in enumerate(answer.parted):
        if not _is_parted(one, marks):
            yield f"parted.{place}: the parts are not, word for word, what text {one.text} says"
    for place, table in enumerate(answer.tables):
        yield from (f"tables.{place}: {fault}" for fault in _faults(table, texts))
    for place, value in enumerate(answer.values):
        if not any(number in texts for number in _numbers(value.texts)):
            yield f"values.{place}: there is no text with these numbers"
    if _is_much([str(number) for number in answer.no_part], texts):
        yield "no_part: that is more of the form than scraps can be"


def _faults(table: TableAnswer, texts: Mapping[str, TextLine]) -> Iterator[str]:
    """Yield why the rows of a table can't be those of the page."""
    rows = [_cells(row, len(table.columns)) for row in table.rows]
    used = [number for row in rows for cell in row for number in cell]
    headings = {number for column in table.columns for number in _numbers(column.heading)}
    if unknown := sorted({number for number in [*used, *headings] if number not in texts}):
        yield f"there is no text with the number {unknown[0]}"
        return
    counts = Counter(used)
    if twice := sorted(number for number in counts if counts[number] > 1 or number in headings):
        yield f"text {twice[0]} is in two places"
    if empty := [number for number, row in enumerate(rows, 1) if not any(row)]:
        yield f"row {empty[0]} is empty"
        return
    if len(rows) == 1 and not headings and not all(column.name for column in table.columns):
        yield "one row without headings repeats only if all its columns have names"
    boxes = [Box.around(texts[number].box for cell in row for number in cell) for row in rows]
    for number, (above, below) in enumerate(pairwise(boxes), 1):
        if below.y < above.bottom - MAX_OVERLAP_PT - 0.3 * min(above.height, below.height):
            yield f"row {number + 1} does not stand below row {number}"


def _table(table: TableAnswer, texts: Mapping[str, TextLine]) -> TableReading:
    return TableReading(
        columns=[
            ColumnReading(heading=[texts[n].id for n in _numbers(column.heading)], name=column.name)
            for column in table.columns
        ],
        rows=[
            [[texts[number].id for number in cell] for cell in _cells(row, len(table.columns))] for row in table.rows
        ],
    )


def _cells(row: str, count: int) -> list[list[str]]:
    """Return the numbers in each cell of a row; what is beyond the last column belongs to it."""
    cells = [_numbers(cell) for cell in row.split("|")]
    return [*cells[: count - 1], [n for cell in cells[count - 1 :] for n in cell], *([[]] * (count - len(cells)))]


def _numbers(text: str) -> list[str]:
    return [word for word in text.replace(",", " ").split() if _NUMBER.fullmatch(word)]
