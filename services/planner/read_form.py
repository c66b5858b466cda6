"""Reading a form with a model: which of its marks are rows, values and wording, where the rules have them wrong.

The model is shown every text with its number, its place and what the rules take it for, and the page itself where it
sees pictures. It says what is wrong, by numbers; a reply that contradicts the page goes back once, with the reason, and
what is still wrong then is not used.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from itertools import pairwise

from bandsmith.shared.actor import Store
from bandsmith.shared.events import FormRead, ReadForm
from bandsmith.shared.llm import Model, ModelFailed, ask
from bandsmith.shared.llm.answers.report import FormAnswer, TableAnswer
from bandsmith.shared.llm.ask import Review
from bandsmith.shared.model.form_reading import AddedReading, ColumnReading, FormReading, TableReading, ValueReading
from bandsmith.shared.model.geometry import Box
from bandsmith.shared.model.layout import Layout, TextLine, TickBox

from .answered_page import AnsweredPage
from .given_places import given_places
from .given_rows import cells_of, numbers_in
from .paragraphs import is_paragraph, is_set_as_one
from .shown_form import ShownPage, described, first_page, grey, is_asked_about, marked, marks_of

MAX_REQUEST_CHARS = 2_000
MAX_LEFT_OUT_SHARE = 0.3
"""Share of the letters that may be left out; a reply that leaves out more has not understood the page."""
SEEN = (
    "each text whose letters or figures were read wrongly, and each line, area or picture that is a text, by its "
    "number, with what you see that it says."
)
UNSEEN = "always [], as you do not see the page."
MAX_OVERLAP_PT = 3.0
"""How far the texts of a row may reach into the next one."""


async def read_form(store: Store, command: ReadForm, model: Model | None) -> FormRead:
    """Return how a model reads the form; no reading where there is none, or the rules are right."""
    layout = Layout.model_validate_json(await store.get(command.layout))
    if model is None or not is_asked_about(layout):
        return FormRead(reading=None)
    form = first_page(await store.get(command.form), layout) if model.sees_pictures else None
    page = ShownPage(layout, marks_of(layout), await asyncio.to_thread(grey, form) if form else None)
    values = {
        "page": f"{layout.page.width:.0f} x {layout.page.height:.0f}",
        "texts": "\n".join(described(page)),
        "seen": SEEN if model.sees_pictures else UNSEEN,
        "request": command.text[:MAX_REQUEST_CHARS],
    }
    picture = await asyncio.to_thread(marked, form, layout, page.marks) if form else None
    try:
        answer, usage = await ask(
            model,
            "read_form",
            values,
            FormAnswer,
            allowance=command.allowance,
            picture=picture,
            review=lambda answer: Review(list(_objections(AnsweredPage(answer, page)))),
        )
    except ModelFailed as failed:
        return FormRead(reading=None, notes=[failed.in_language(command.language)], usage=failed.usage)
    reading = reading_of(AnsweredPage(answer, page))
    if reading == FormReading():
        return FormRead(reading=None, usage=usage)
    return FormRead(reading=await store.put(reading.model_dump_json().encode(), "application/json"), usage=usage)


# --- what its answer means -------------------------------------------------------------------------------------------


def reading_of(answered: AnsweredPage) -> FormReading:
    """Return the reading without what contradicts the page.

    A model that sees the page may read a text otherwise, unless the document itself says it exactly.
    """
    answer, page, texts, seen = answered.answer, answered.page, answered.texts, answered.seen
    marks = page.marks
    tables = [_table(table, texts) for table in answer.tables if not list(_faults(table, texts))]
    no_part = [str(number) for number in answer.no_part]
    left_out = [marks[number].id for number in no_part if number in marks and number not in seen]
    wholes = _wholes(answered)
    absorbed = {name for whole in wholes for name in whole}
    values = [
        ValueReading(lines=lines, label=value.label)
        for value in answer.values
        if (lines := [texts[number].id for number in numbers_in(value.texts) if number in texts])
    ]
    parted = {texts[str(one.text)].id: list(one.parts) for one in answer.parted if answered.is_parted(one)}
    paragraphs = [lines for _, lines in _paragraphs(answer, texts) if is_paragraph(lines)]
    joined = [[line.id for line in lines] for lines in paragraphs if is_set_as_one(lines)]
    apart = [line.id for lines in paragraphs if not is_set_as_one(lines) for line in lines]
    added = list(answered.added.values())
    printed = [one for one in added if one.line.text]
    replacing = [AddedReading(line=line, replaces=marks[number].id) for number, line in seen.items()]
    return FormReading(
        added=[*added, *replacing],
        tables=tables if not answer.rows_are_right and (tables or not answer.tables) else None,
        values=[*values, *(ValueReading(lines=[one.line.id], label=one.label) for one in printed if one.label)],
        parted=parted,
        wording=[
            *(texts[number].id for number in map(str, answer.wording) if number in texts),
            *apart,
            *_wording_taken_for_values(answer, page, texts),
        ],
        paragraphs=joined,
        places=given_places(answer, page),
        misread=_misread(answer, page, texts, {*parted, *left_out, *absorbed}),
        left_out=[] if _is_much(no_part, texts) else left_out,
        one_picture=wholes,
    )


def _wording_taken_for_values(answer: FormAnswer, page: ShownPage, texts: Mapping[str, TextLine]) -> Iterator[str]:
    """Yield the ids of the texts that were taken for values and are, word for word, what the answer calls others."""
    called = {plain for value in answer.values if (plain := _plain(value.label))}
    used = {number for value in answer.values for number in numbers_in(value.texts)}
    used |= {number for table in answer.tables for row in table.rows for number in numbers_in(row.replace("|", " "))}
    rows = {block for table in page.layout.row_sets for slot in table.slots for block in slot.blocks}
    in_rows = rows if answer.rows_are_right else set()
    blocks = [one for one in page.layout.blocks if one.role == "value" and one.id not in in_rows]
    values = {line for block in blocks for line in block.lines}
    for number, line in texts.items():
        if line.id in values and number not in used and _plain(line.text) in called:
            yield line.id


def _plain(text: str) -> str:
    """Return a text as a label is compared: without spaces around it and its colon."""
    return " ".join(text.split()).rstrip(" :：").casefold()


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


def _paragraphs(answer: FormAnswer, texts: Mapping[str, TextLine]) -> Iterator[tuple[int, list[TextLine]]]:
    """Yield the lines that are one text, with the place in the answer where it says so."""
    for place, one in enumerate(answer.wording):
        if len(numbers := numbers_in(str(one))) > 1:
            yield place, [texts[number] for number in numbers if number in texts]


def _wholes(answered: AnsweredPage) -> list[list[str]]:
    """Return the ids of the marks that are one picture each."""
    marks = answered.page.marks
    numbers = [[n for n in numbers_in(one) if n in marks] for one in answered.answer.one_picture]
    return [[marks[n].id for n in one] for one in numbers if not _is_much(one, answered.own_texts)]


def _is_much(no_part: Iterable[str], texts: Mapping[str, TextLine]) -> bool:
    """Whether texts are more of the letters on a page than scraps can be, which are short."""
    letters = {number: sum(char.isalnum() for char in line.text) for number, line in texts.items() if "." not in number}
    return sum(letters.get(number, 0) for number in no_part) > MAX_LEFT_OUT_SHARE * sum(letters.values())


def _objections(answered: AnsweredPage) -> Iterator[str]:
    """Yield what in an answer contradicts the page, in words for the model."""
    answer, page, texts = answered.answer, answered.page, answered.texts
    for place, one in enumerate(answered.places.values()):
        if isinstance(one, str):
            yield f"added.{place}: {one}"
    for place, whole in enumerate(answer.one_picture):
        if _is_much(numbers_in(whole), answered.own_texts):
            yield f"one_picture.{place}: that is more of the form than a picture can be"
    for place, parted in enumerate(answer.parted):
        if not answered.is_parted(parted):
            yield f"parted.{place}: the parts are not, word for word, what text {parted.text} says"
    for place, table in enumerate(answer.tables):
        yield from (f"tables.{place}: {fault}" for fault in _faults(table, texts))
    known = {*texts, *page.blanks, *(number for number, mark in page.marks.items() if isinstance(mark, TickBox))}
    for place, lines in _paragraphs(answer, texts):
        if not is_paragraph(lines):
            yield f"wording.{place}: these are not lines of one text, one below the other"
    for place, value in enumerate(answer.values):
        if known.isdisjoint(numbers_in(value.texts)):
            yield f"values.{place}: there is no text with these numbers"
    if _is_much([str(number) for number in answer.no_part], texts):
        yield "no_part: that is more of the form than scraps can be"


def _faults(table: TableAnswer, texts: Mapping[str, TextLine]) -> Iterator[str]:
    """Yield why the rows of a table can't be those of the page."""
    rows = [cells_of(row, len(table.columns)) for row in table.rows]
    used = [number for row in rows for cell in row for number in cell]
    headings = {number for column in table.columns for number in numbers_in(column.heading)}
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
            ColumnReading(heading=[texts[n].id for n in numbers_in(column.heading)], name=column.name)
            for column in table.columns
        ],
        rows=[
            [[texts[number].id for number in cell] for cell in cells_of(row, len(table.columns))] for row in table.rows
        ],
    )
