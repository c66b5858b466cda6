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
from bandsmith.shared.llm.answers.report import FormAnswer, PartedAnswer, TableAnswer
from bandsmith.shared.llm.ask import Review
from bandsmith.shared.model.form_reading import AddedReading, ColumnReading, FormReading, TableReading, ValueReading
from bandsmith.shared.model.geometry import Box
from bandsmith.shared.model.layout import Layout, TextLine, TickBox
from bandsmith.shared.text_parts import parts_of

from .added_places import NoPlaceError, place_of, print_at
from .given_places import given_places
from .given_rows import cells_of, later_rows, numbers_in
from .paragraphs import is_paragraph, is_set_as_one
from .shown_form import Marks, ShownPage, described, grey, is_asked_about, marked, marks_of

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
    form = await store.get(command.form) if model.sees_pictures else None
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
            review=lambda answer: Review(list(_objections(answer, page))),
        )
    except ModelFailed as failed:
        return FormRead(reading=None, notes=[failed.in_language(command.language)], usage=failed.usage)
    reading = reading_of(answer, page)
    if reading == FormReading():
        return FormRead(reading=None, usage=usage)
    return FormRead(reading=await store.put(reading.model_dump_json().encode(), "application/json"), usage=usage)


# --- what its answer means -------------------------------------------------------------------------------------------


def reading_of(answer: FormAnswer, page: ShownPage) -> FormReading:
    """Return the reading without what contradicts the page.

    A model that sees the page may read a text otherwise, unless the document itself says it exactly.
    """
    marks, texts = page.marks, _texts(answer, page)
    seen = _print_seen(answer, page)
    tables = [_table(table, texts) for table in answer.tables if not list(_faults(table, texts))]
    given = len(answer.tables) == len(tables)
    no_part = [str(number) for number in answer.no_part]
    left_out = [marks[number].id for number in no_part if number in marks and number not in seen]
    wholes = _wholes(answer, page)
    absorbed = {name for whole in wholes for name in whole}
    values = [
        ValueReading(lines=lines, label=value.label)
        for value in answer.values
        if (lines := [texts[number].id for number in numbers_in(value.texts) if number in texts])
    ]
    parted = {texts[str(one.text)].id: list(one.parts) for one in answer.parted if _is_parted(one, answer, page)}
    paragraphs = [lines for _, lines in _paragraphs(answer, texts) if is_paragraph(lines)]
    joined = [[line.id for line in lines] for lines in paragraphs if is_set_as_one(lines)]
    apart = [line.id for lines in paragraphs if not is_set_as_one(lines) for line in lines]
    added = _added(answer, page)
    printed = [one for one in added.values() if one.line.text]
    return FormReading(
        added=[*added.values(), *(AddedReading(line=line, replaces=marks[number].id) for number, line in seen.items())],
        tables=tables if not answer.rows_are_right and (tables or given) else None,
        values=[*values, *(ValueReading(lines=[one.line.id], label=one.label) for one in printed if one.label)],
        parted=parted,
        wording=[*(texts[number].id for number in map(str, answer.wording) if number in texts), *apart],
        paragraphs=joined,
        places=given_places(answer, page),
        misread=_misread(answer, page, texts, {*parted, *left_out, *absorbed}),
        left_out=[] if _is_much(no_part, texts) else left_out,
        one_picture=wholes,
    )


def _print_seen(answer: FormAnswer, page: ShownPage) -> dict[str, TextLine]:
    """Return the texts that were taken for strokes, areas, boxes and pictures, by the number of each."""
    texts = _own_texts(page.marks)
    found: dict[str, TextLine] = {}
    for one in answer.misread if page.form else []:
        mark = page.marks.get(number := str(one.text))
        if mark is not None and number not in texts and (line := print_at(mark.box, one.reads, texts.values())):
            found[number] = line.model_copy(update={"id": f"seen{number}", "confidence": 0.5})
    return found


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


def _wholes(answer: FormAnswer, page: ShownPage) -> list[list[str]]:
    """Return the ids of the marks that are one picture each."""
    numbers = [[n for n in numbers_in(one) if n in page.marks] for one in answer.one_picture]
    return [[page.marks[n].id for n in one] for one in numbers if not _is_much(one, _own_texts(page.marks))]


def _added(answer: FormAnswer, page: ShownPage) -> dict[str, AddedReading]:
    """Return the places that the model adds, by the number that each has."""
    return {number: one for number, one in _places(answer, page).items() if isinstance(one, AddedReading)}


def _places(answer: FormAnswer, page: ShownPage) -> dict[str, AddedReading | str]:
    """Return each place that the model adds, by the number that it has, or the reason why it is none."""
    texts = _own_texts(page.marks) | _parts(answer, page)
    rows = later_rows(answer, page.layout, texts)
    found: dict[str, AddedReading | str] = {}
    for place, one in enumerate(answer.added, 1):
        known = texts | {number: other.line for number, other in found.items() if isinstance(other, AddedReading)}
        try:
            box, near = place_of(one, known, page)
        except NoPlaceError as reason:
            found[f"a{place}"] = str(reason)
            continue
        if not one.reads and any(area.holds(*box.middle) for area in rows):
            found[f"a{place}"] = "it is in a row that repeats: give it for the first row only"
            continue
        line = near.model_copy(update={"id": f"a{place}", "text": one.reads, "box": box})
        found[f"a{place}"] = AddedReading(line=line, label=one.label)
    return found


def _own_texts(marks: Marks) -> dict[str, TextLine]:
    return {number: mark for number, mark in marks.items() if isinstance(mark, TextLine)}


def _texts(answer: FormAnswer, page: ShownPage) -> dict[str, TextLine]:
    """Return the texts of the page by number. Parts of a divided text and added ones have numbers of their own."""
    texts = _own_texts(page.marks)
    texts |= {number: one.line for number, one in _added(answer, page).items() if one.line.text}
    texts |= _print_seen(answer, page)
    return texts | _parts(answer, page)


def _parts(answer: FormAnswer, page: ShownPage) -> dict[str, TextLine]:
    """Return the parts of divided texts, by the numbers that they have."""
    found: dict[str, TextLine] = {}
    for one in answer.parted:
        if _is_parted(one, answer, page):
            parts = parts_of(_own_texts(page.marks)[str(one.text)], one.parts)
            found |= {f"{one.text}.{place}": part for place, part in enumerate(parts, 1)}
    return found


def _is_parted(one: PartedAnswer, answer: FormAnswer, page: ShownPage) -> bool:
    """Return whether the parts together have the letters of the text, as it was read or as the model corrects it."""
    mark = page.marks.get(str(one.text))
    if not isinstance(mark, TextLine):
        return False
    seen = [
        other.reads
        for other in answer.misread
        if page.form and mark.confidence < 1 and str(other.text) == str(one.text)
    ]
    return "".join("".join(one.parts).split()) in {"".join(text.split()) for text in (mark.text, *seen)}


def _is_much(no_part: Iterable[str], texts: Mapping[str, TextLine]) -> bool:
    """Whether texts are more of the letters on a page than scraps can be, which are short."""
    letters = {number: sum(char.isalnum() for char in line.text) for number, line in texts.items() if "." not in number}
    return sum(letters.get(number, 0) for number in no_part) > MAX_LEFT_OUT_SHARE * sum(letters.values())


def _objections(answer: FormAnswer, page: ShownPage) -> Iterator[str]:
    """Yield what in an answer contradicts the page, in words for the model."""
    marks, texts = page.marks, _texts(answer, page)
    for place, one in enumerate(_places(answer, page).values()):
        if isinstance(one, str):
            yield f"added.{place}: {one}"
    for place, whole in enumerate(answer.one_picture):
        if _is_much(numbers_in(whole), _own_texts(marks)):
            yield f"one_picture.{place}: that is more of the form than a picture can be"
    for place, parted in enumerate(answer.parted):
        if not _is_parted(parted, answer, page):
            yield f"parted.{place}: the parts are not, word for word, what text {parted.text} says"
    for place, table in enumerate(answer.tables):
        yield from (f"tables.{place}: {fault}" for fault in _faults(table, texts))
    known = {*texts, *page.blanks, *(number for number, mark in marks.items() if isinstance(mark, TickBox))}
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
