"""Word and Excel files that are templates themselves: what their loops repeat becomes the rows."""

from __future__ import annotations

import io

import docx
import openpyxl
import pytest

from bandsmith.services.ocr.documents import decode_document
from bandsmith.services.ocr.marks import find_marks
from bandsmith.services.ocr.page import Page
from bandsmith.services.ocr.structure import understand
from bandsmith.shared.model.layout import Layout

HEADINGS = ["Article", "Count", "Price"]
ROW = ["{{ i.name }}", "{{ i.count }}", "{{ i.price }}"]


def word_file(rows: list[list[str]], before: str = "", after: str = "") -> bytes:
    document = docx.Document()
    document.add_paragraph(before)
    table = document.add_table(rows=0, cols=3)
    table.style = "Table Grid"
    for texts in rows:
        for cell, text in zip(table.add_row().cells, texts, strict=True):
            cell.text = text
    document.add_paragraph(after)
    return saved(document)


def saved(document: object) -> bytes:
    target = io.BytesIO()
    document.save(target)  # type: ignore[attr-defined]
    return target.getvalue()


def read(name: str, content: bytes) -> tuple[Page, Layout]:
    page = decode_document(name, content, None)
    assert isinstance(page, Page)
    return page, understand(page.size, find_marks(page, None), [])  # type: ignore[arg-type]


def row_texts(layout: Layout) -> list[list[str]]:
    """What each of the page's rows prints, by table."""
    by_id = {block.id: block.text for block in layout.blocks}
    return [[by_id[name] for slot in rows.slots for name in slot.blocks if name] for rows in layout.tables]


@pytest.mark.parametrize(
    "rows",
    [
        [["{%tr for i in items %}", "", ""], ROW, ["{%tr endfor %}", "", ""]],
        [["{#items}{{ i.name }}", "{{ i.count }}", "{{ i.price }}{/items}"]],
        [["«TableStart:Items»{{ i.name }}", "{{ i.count }}", "{{ i.price }}«TableEnd:Items»"]],
        [["+++FOR i IN items+++", "", ""], ROW, ["+++END-FOR i+++", "", ""]],
        [ROW],
    ],
    ids=["docxtpl", "docxtemplater", "mail merge", "docx-templates", "placeholders below headings"],
)
def test_the_row_in_a_loop_of_a_word_file_repeats_and_its_marks_are_not_printed(rows):
    _, layout = read("order.docx", word_file([HEADINGS, *rows, ["Total", "", "{{ total }}"]]))
    assert row_texts(layout) == [["{{i.name}}", "{{i.count}}", "{{i.price}}"]]
    assert layout.repeat is not None
    assert [slot.label for slot in layout.repeat.slots] == HEADINGS
    assert not any("for" in line.text.lower().split() or "#items" in line.text for line in layout.lines)


def test_a_placeholder_of_several_runs_is_not_broken():
    document = docx.Document()
    cells = document.add_table(rows=1, cols=3).rows[0].cells
    for cell, name in zip(cells, ("entry.article", "entry.count", "price"), strict=True):
        cell.paragraphs[0].add_run("Sales for the month ${")
        cell.paragraphs[0].add_run(f"{name}}}")
    _, layout = read("order.docx", saved(document))
    assert {"${entry.article}", "${entry.count}"} <= {part for line in layout.lines for part in line.text.split()}


def test_a_row_of_placeholders_without_rules_is_as_high_as_its_type_needs():
    document = docx.Document()
    table = document.add_table(rows=2, cols=3)
    for n, (heading, placeholder) in enumerate(zip(HEADINGS, ROW, strict=True)):
        table.rows[0].cells[n].paragraphs[0].add_run(heading).bold = True
        table.rows[1].cells[n].text = placeholder
    _, layout = read("order.docx", saved(document))
    assert layout.repeat is not None
    size = next(block.style.size for block in layout.blocks if block.text == "{{i.name}}")
    assert layout.repeat.pitch >= 1.15 * size


def test_paragraphs_in_a_loop_repeat_as_one_row():
    document = docx.Document()
    for text in ("Guests", "{#guests}", "Name: {name}", "Room: {room}", "{/guests}", "Good night"):
        document.add_paragraph(text)
    _, layout = read("guests.docx", saved(document))
    assert row_texts(layout) == [["Name: {name}", "Room: {room}"]]


def test_a_loop_without_an_end_stays_as_it_is_written():
    page, layout = read("order.docx", word_file([HEADINGS, ["{#items}{name}", "{count}", "none"]]))
    assert page.loops == [] and layout.repeat is None
    assert "{#items}{name}" in " ".join(line.text for line in layout.lines)


def test_a_condition_is_left_out_and_named():
    page, layout = read("order.docx", word_file([HEADINGS], "{%p if paid %}", "Paid with thanks"))
    assert [note.en for note in page.notes] == [
        "A condition of the template was left out: what stands under it is always printed. "
        "To print it only sometimes, say when."
    ]
    assert "Paid with thanks" in [line.text for line in layout.lines]


@pytest.mark.parametrize("row", [["${table:items.name}", "${table:items.price}"], ["{.name}", "{.price}"]])
def test_the_row_that_a_sheet_repeats_is_a_row(row):
    book = openpyxl.Workbook()
    assert book.active is not None
    for texts in (["Price list"], [], ["Article", "Price"], row, [], ["Printed on ${date}"]):
        book.active.append(texts)
    for column in "AB":
        book.active.column_dimensions[column].width = 30
    _, layout = read("prices.xlsx", saved(book))
    assert row_texts(layout) == [row]
    printed = next(block for block in layout.blocks if "Printed" in block.text)
    assert (printed.role, printed.label) == ("value", "date")


def test_braces_in_an_ordinary_document_are_wording():
    document = docx.Document()
    document.add_paragraph("The set {a} has one element.")
    _, layout = read("text.docx", saved(document))
    assert layout.repeat is None


def test_names_in_angle_brackets_are_places_to_fill_in_and_below_headings_a_row():
    content = word_file([HEADINGS, ["<article>", "<count>", "<unit price>"]], before="Date: <invoice date>")
    _, layout = read("invoice.docx", content)
    assert row_texts(layout) == [["<article>", "<count>", "<unit price>"]]
    outside = {block.text: block.label for block in layout.blocks if block.role == "value"}
    assert outside["Date: <invoice date>"] == "Date"


def test_an_item_and_signs_of_a_currency_may_stand_beside_the_names_of_a_row():
    content = word_file([["Article", "Count", "Price"], ["Hourly labor", "<hours>", "$ <rate>"]])
    _, layout = read("invoice.docx", content)
    assert layout.repeat is None, "two names are as soon values of a form"
    document = docx.Document()
    table = document.add_table(rows=0, cols=4)
    table.style = "Table Grid"
    for texts in (["Article", "Count", "Price", "Cost"], ["Hourly labor", "<hours>", "$ <rate>", "$ <cost>"]):
        for cell, text in zip(table.add_row().cells, texts, strict=True):
            cell.text = text
    _, layout = read("invoice.docx", saved(document))
    assert layout.repeat is not None
    assert [slot.label for slot in layout.repeat.slots if slot.role == "value"] == ["Article", "Count", "Price", "Cost"]
