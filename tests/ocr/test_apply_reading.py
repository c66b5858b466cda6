"""What a language model changes about a page is named in the reply, all of it."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from bandsmith.services.ocr.apply_reading import apply_reading
from bandsmith.services.ocr.further_pages import understand_page, with_further_pages
from bandsmith.services.ocr.structure import understand
from bandsmith.services.ocr.structure.given_reading import marks_of as layout_marks
from bandsmith.shared.model.form_reading import AddedReading, FormReading, PlaceReading, ValueReading
from bandsmith.shared.model.geometry import Box
from bandsmith.shared.model.layout import Layout, Picture, Remark, RulingLine

from .structure.handmade import A4, HandmadeMarks

NAMES = ("Apples", "Bread", "Cheese", "Dates", "Eggs", "Figs", "Grapes")


def page() -> HandmadeMarks:
    marks = HandmadeMarks()
    for number, name in enumerate(NAMES):
        marks.write(40, 100 + 40 * number, name)
    return marks


def notes(marks: HandmadeMarks, reading: FormReading) -> str:
    layout = marks.understood()
    applied = apply_reading(layout.model_dump_json().encode(), form(), reading.model_dump_json().encode())
    return " ".join(note.en for note in applied.notes)


def form() -> bytes:
    return cv2.imencode(".png", np.full((1754, 1240, 3), 255, np.uint8))[1].tobytes()


def test_every_text_that_is_read_otherwise_is_named_with_both_readings():
    marks = page()
    said = notes(marks, FormReading(misread={line.id: f"{line.text} 1" for line in marks.lines}))
    assert all(f"{name} → {name} 1" in said for name in NAMES)


def test_every_text_that_is_left_out_is_named():
    marks = page()
    said = notes(marks, FormReading(left_out=[line.id for line in marks.lines[:6]]))
    assert all(name in said for name in NAMES[:6])


def test_the_later_pages_of_a_form_stay_as_they_are():
    layout, later = page().understood(), page().understood()
    two = layout.model_copy(update={"later": [later]})
    reading = FormReading(left_out=["l0"])

    applied = apply_reading(two.model_dump_json().encode(), form(), reading.model_dump_json().encode())

    assert applied.layout.later == [later]
    assert NAMES[0] not in [line.text for line in applied.layout.lines]


def test_a_list_on_a_later_page_is_no_news_when_the_first_page_is_read_again():
    later = HandmadeMarks()
    later.table(50, 100, [150, 150, 150], [["Employer", "From", "To"], ["", "", ""], ["", "", ""]])
    two = with_further_pages(page().understood(), [later.understood()])
    reading = FormReading(left_out=["l0"])

    applied = apply_reading(two.model_dump_json().encode(), form(), reading.model_dump_json().encode())

    own = "The table has its own rows"
    assert [note.en.startswith(own) for note in applied.outdated] == [True]
    assert sum(note.en.startswith(own) for note in applied.notes) == 1


def test_clauses_of_a_contract_are_no_rows_when_a_reading_corrects_a_text():
    marks = HandmadeMarks()
    for number, subject in enumerate(("Payment", "Delivery", "Warranty", "Liability", "Term", "Notice"), 1):
        marks.write(50, 90 + 44 * number, f"{number}. {subject}", bold=True)
        marks.write(50, 104 + 44 * number, f"The {subject.lower()} follows what both sides agreed on")
        marks.write(50, 118 + 44 * number, "in writing before the work begins.")
    later = HandmadeMarks()
    later.table(50, 100, [150, 150, 150], [["Employer", "From", "To"], ["", "", ""], ["", "", ""]])
    signed = HandmadeMarks()
    signed.table(50, 500, [150, 150, 150], [["Name", "Place", "Date"], ["", "", ""], ["", "", ""]])
    marks.lines += [line.model_copy(update={"id": f"s-{line.id}"}) for line in signed.lines]
    marks.grids += signed.grids
    first = understand_page(A4, marks, []).layout
    two = with_further_pages(first, [later.understood()])
    assert [table.rows for table in first.tables] == [2]
    reading = FormReading(misread={"l1": "The payment follows what all sides agreed on"})

    applied = apply_reading(two.model_dump_json().encode(), form(), reading.model_dump_json().encode())

    assert [table.rows for table in applied.layout.tables] == [2]


def test_pictures_that_are_left_out_are_counted():
    marks = page()
    marks.pictures = [
        Picture(id=f"p{number}", box=Box(x=300, y=100 * number, width=50, height=50)) for number in (1, 2)
    ]
    assert "2 pictures were left out" in notes(marks, FormReading(left_out=["p1", "p2"]))


def test_lines_that_are_left_out_and_pieces_that_are_joined_are_named():
    marks = page()
    marks.rules = [RulingLine(id="r1", x1=40, y1=50, x2=60, y2=50, thickness=1)]
    said = notes(marks, FormReading(left_out=["r1"], one_picture=[[marks.lines[0].id, marks.lines[1].id]]))
    assert "One line, area or box was left out" in said
    assert "several marks are one picture" in said and "Apples; Bread" in said


def test_texts_and_places_to_fill_in_that_are_added_are_named():
    marks = page()
    seller, price = (marks.lines[0].model_copy(update={"id": n, "text": text}) for n, text in (("a1", ""), ("a2", "9")))
    said = notes(marks, FormReading(added=[AddedReading(line=seller, label="Seller"), AddedReading(line=price)]))
    assert "added one field where nothing is printed: Seller" in said and "not found on the page: 9" in said


def test_places_that_are_none_or_are_named_otherwise_and_joined_lines_are_named():
    marks = page()
    for y, label in ((20, "Name:"), (50, "Signed:")):
        marks.write(40, y, label)
        marks.rules.append(RulingLine(id=f"r{y}", x1=90, y1=y + 10, x2=250, y2=y + 10, thickness=1))
    name, signed = (blank.box for blank in marks.understood().blanks)
    places = [PlaceReading(box=name), PlaceReading(box=signed, label="Customer")]
    said = notes(marks, FormReading(places=places, paragraphs=[[line.id for line in marks.lines[3:5]]]))
    assert "One place to fill in was left out because the language model says that it is none: Name." in said
    assert "The language model named one place to fill in otherwise: Signed → Customer." in said
    assert "several lines are one text: Dates" in said


def test_a_remark_whose_text_was_left_out_keeps_its_place_and_points_at_no_text():
    layout = page().understood()
    block = layout.blocks[0]
    remark = Remark(text="bold", box=block.box, target=block.box, block=block.id)
    layout = layout.model_copy(update={"remarks": [remark]})
    reading = FormReading(left_out=block.lines)
    applied = apply_reading(layout.model_dump_json().encode(), form(), reading.model_dump_json().encode())
    assert [(one.target, one.block) for one in applied.layout.remarks] == [(block.box, None)]


def rows(layout: Layout) -> list[list[str]]:
    """The rows of the main table."""
    texts = {block.id: block.text for block in layout.blocks}
    slots = layout.repeat.slots if layout.repeat else []
    return [[texts[name] for name in row if name] for row in zip(*(slot.blocks for slot in slots), strict=True)]


def test_rows_that_are_right_stay_though_what_they_were_found_by_is_read_otherwise():
    marks = HandmadeMarks()
    for x, words in ((40, "Item"), (150, "Qty"), (220, "Amount")):
        marks.write(x, 100, words, bold=True)
    for x, words in ((40, "Apples"), (150, "2"), (220, "3.50")):
        marks.write(x, 116, words)
    before = marks.understood()
    assert rows(before) == [["Apples", "2", "3.50"]]
    reading = FormReading(misread={line.id: "~" for line in marks.lines[:3]})
    assert rows(understand(before.page, layout_marks(before), [], reading=reading)) == []

    applied = apply_reading(before.model_dump_json().encode(), form(), reading.model_dump_json().encode())

    assert rows(applied.layout) == [["Apples", "2", "3.50"]] and len(applied.layout.repeat.header) == 3


@pytest.mark.parametrize("misread", [False, True], ids=["nothing else", "what the rows were found by"])
def test_an_amount_that_a_row_lacks_is_in_that_row_whatever_else_is_read_otherwise(misread: bool):
    marks = HandmadeMarks()
    for x, words in ((40, "Item"), (150, "Qty"), (220, "Amount")):
        marks.write(x, 100, words, bold=True)
    for y, texts in ((116, ("Apples", "2", "3.50")), (132, ("Bread", "1", "")), (148, ("Cheese", "4", "9.00"))):
        for x, words in zip((40, 150, 220), texts, strict=True):
            marks.write(x, y, words)
    amount = next(line for line in marks.lines if line.text == "")
    marks.lines.remove(amount)
    before = marks.understood()
    box = amount.box.model_copy(update={"width": 20})
    added = AddedReading(line=amount.model_copy(update={"id": "a1", "text": "6.00", "box": box}))
    wrong = {line.id: "~" for line in marks.lines[:3]} if misread else {}

    reading = FormReading(added=[added], misread=wrong)
    applied = apply_reading(before.model_dump_json().encode(), form(), reading.model_dump_json().encode())

    assert rows(applied.layout) == [["Apples", "2", "3.50"], ["Bread", "1", "6.00"], ["Cheese", "4", "9.00"]]


def test_wording_stays_wording_though_a_corrected_label_would_name_it():
    marks = HandmadeMarks()
    marks.write(40, 40, "Delivery note", size=18)
    marks.write(40, 100, "~~~:")
    marks.write(120, 100, "North gate")
    before = marks.understood()
    assert "North gate" in [block.text for block in before.blocks if block.role == "fixed"]
    label, text = marks.lines[1].id, marks.lines[2].id
    reading = FormReading(misread={label: "Place of delivery:"})
    alone = understand(before.page, layout_marks(before), [], reading=reading)
    assert "North gate" in [block.text for block in alone.blocks if block.role == "value"]

    for values, role in (([], "fixed"), ([ValueReading(lines=[text], label="Place")], "value")):
        one = reading.model_copy(update={"values": values})
        applied = apply_reading(before.model_dump_json().encode(), form(), one.model_dump_json().encode())
        assert "North gate" in [block.text for block in applied.layout.blocks if block.role == role]
