"""What a language model says of a page counts instead of what the rules find."""

from __future__ import annotations

from collections.abc import Sequence

from bandsmith.services.ocr.structure import understand
from bandsmith.services.ocr.structure.given_places import places_given
from bandsmith.shared.model.form_reading import (
    AddedReading,
    ColumnReading,
    FormReading,
    PlaceReading,
    TableReading,
    ValueReading,
)
from bandsmith.shared.model.geometry import Box
from bandsmith.shared.model.layout import Layout, Picture, RulingLine, TickBox

from .handmade import A4, HandmadeMarks
from .test_headed_tables import rows_of


def receipt() -> HandmadeMarks:
    """A receipt whose items have no headings, and a second line each."""
    page = HandmadeMarks()
    page.write(40, 40, "Corner Shop", size=14, bold=True)
    page.write(40, 60, "Till 3")
    for top, name, pieces, price in ((100, "Oat milk", "2 x 1.90", "3.80"), (130, "Bread", "1 x 2.40", "2.40")):
        page.write(40, top, name)
        page.write(60, top + 12, pieces)
        page.write(200, top + 12, price, right=True)
    page.write(40, 170, "TOTAL")
    page.write(200, 170, "6.20", right=True)
    return page


def ids(page: HandmadeMarks, *texts: str) -> list[str]:
    return [next(line.id for line in page.lines if line.text == text) for text in texts]


def read(page: HandmadeMarks, reading: FormReading) -> Layout:
    return understand(A4, page, [], reading=reading)


def table(page: HandmadeMarks, names: Sequence[str], rows: Sequence[Sequence[str]]) -> TableReading:
    return TableReading(
        columns=[ColumnReading(name=name) for name in names],
        rows=[[ids(page, text) if text else [] for text in row] for row in rows],
    )


def roles(layout: Layout) -> dict[str, tuple[str, str | None]]:
    return {block.text: (block.role, block.label) for block in layout.blocks}


def test_its_rows_are_the_rows_with_the_names_that_it_gives_to_columns_without_a_heading():
    page = receipt()
    rows = [["Oat milk", "2 x 1.90", "3.80"], ["Bread", "1 x 2.40", "2.40"]]

    layout = read(page, FormReading(tables=[table(page, ["Item", "Pieces", "Amount"], rows)]))

    assert rows_of(layout) == rows
    assert layout.repeat and [slot.label for slot in layout.repeat.slots] == ["Item", "Pieces", "Amount"]


def test_without_tables_the_rows_stay_as_the_rules_have_them():
    page = receipt()
    assert read(page, FormReading(wording=ids(page, "Till 3"))).repeat == page.understood().repeat


def test_no_table_at_all_leaves_no_rows():
    assert read(receipt(), FormReading(tables=[])).repeat is None


def test_a_second_table_has_rows_of_its_own():
    page = receipt()
    for top, rate, tax in ((200, "7 %", "0.40"), (212, "19 %", "0.00")):
        page.write(40, top, rate)
        page.write(200, top, tax, right=True)
    first = table(page, ["Item", "Pieces", "Amount"], [["Oat milk", "2 x 1.90", "3.80"], ["Bread", "1 x 2.40", "2.40"]])
    second = table(page, ["Rate", "Tax"], [["7 %", "0.40"], ["19 %", "0.00"]])

    layout = read(page, FormReading(tables=[first, second]))

    assert [rows.rows for rows in layout.further] == [2]


def test_values_and_wording_outside_the_rows_are_what_it_says():
    page = receipt()
    layout = read(
        page,
        FormReading(
            values=[
                ValueReading(lines=ids(page, "Till 3"), label="Till"),
                ValueReading(lines=ids(page, "6.20"), label="Sum"),
            ],
            wording=ids(page, "TOTAL"),
        ),
    )
    read_roles = roles(layout)
    assert read_roles["Till 3"] == ("value", "Till")
    assert read_roles["6.20"] == ("value", "Sum")
    assert read_roles["TOTAL"] == ("fixed", None)


def test_the_parts_of_a_value_that_stand_beside_each_other_become_one():
    page = receipt()
    page.write(40, 230, "9132")
    page.write(70, 230, "0101")
    layout = read(page, FormReading(values=[ValueReading(lines=ids(page, "9132", "0101"), label="Tax number")]))
    assert roles(layout)["9132 0101"] == ("value", "Tax number")


def test_a_value_is_parted_from_the_other_lines_of_its_paragraph():
    page = HandmadeMarks()
    for top, text in ((100, "Hill Trading Limited of the Upper Town"), (109, "P.O. Box 12 at the main post office")):
        page.write(40, top, text)
    first, second = (line.text for line in page.lines)
    together = roles(page.understood())
    layout = read(page, FormReading(values=[ValueReading(lines=ids(page, first), label="Customer")]))
    assert list(together) == [f"{first}\n{second}"]
    assert roles(layout)[first] == ("value", "Customer") and second in roles(layout)


def test_what_is_no_part_of_the_form_is_left_out():
    page = receipt()
    page.write(5, 300, "l:")
    page.pictures.append(Picture(id="p0", box=page.lines[0].box))
    layout = read(page, FormReading(left_out=[*ids(page, "l:"), "p0"]))
    assert "l:" not in roles(layout) and layout.pictures == []


def test_a_text_that_was_misread_says_what_the_model_sees():
    page = receipt()
    layout = read(page, FormReading(misread={ids(page, "Bread")[0]: "Broad beans"}))
    assert "Broad beans" in roles(layout) and "Bread" not in roles(layout)


def test_a_column_without_text_in_any_row_is_a_blank_of_the_row():
    page = HandmadeMarks()
    for x, text in ((40, "No."), (100, "Mood"), (200, "Hours")):
        page.write(x, 100, text, bold=True)
    page.write(40, 116, "1")
    columns = [ColumnReading(heading=ids(page, text)) for text in ("No.", "Mood", "Hours")]
    layout = read(page, FormReading(tables=[TableReading(columns=columns, rows=[[ids(page, "1"), [], []]])]))
    assert [blank.label for blank in layout.blanks] == ["Mood", "Hours"]


def test_a_column_without_text_is_a_blank_also_where_a_value_beside_it_reaches_below_its_heading():
    page = HandmadeMarks()
    for x, text in ((40, "Price per unit"), (112, "Discount"), (180, "Net")):
        page.write(x, 100, text, bold=True)
    page.write(80, 116, "1,300.00")
    page.write(180, 116, "1,300")
    columns = [ColumnReading(heading=ids(page, text)) for text in ("Price per unit", "Discount", "Net")]
    row = [ids(page, "1,300.00"), [], ids(page, "1,300")]
    layout = read(page, FormReading(tables=[TableReading(columns=columns, rows=[row])]))
    price = next(line.box for line in page.lines if line.text == "1,300.00")
    assert price.right > 112
    [blank] = layout.blanks
    assert blank.label == "Discount" and blank.box.x > price.right


def test_an_added_place_is_a_blank_and_an_added_text_a_text_of_its_row():
    page = receipt()
    seller, rye = (
        page.lines[1].model_copy(update={"id": name, "text": text, "box": Box(x=x, y=y, width=60, height=7)})
        for name, text, x, y in (("a1", "", 100, 60), ("a2", "Rye", 120, 142))
    )
    rows = [["Oat milk", "2 x 1.90", "3.80"], ["Bread", "1 x 2.40", "2.40"]]
    given = table(page, ["Item", "Pieces", "Amount"], rows)
    given.rows[1][0].append("a2")
    added = [AddedReading(line=seller, label="Seller"), AddedReading(line=rye)]

    layout = read(page, FormReading(added=added, tables=[given]))

    assert [(blank.label, blank.box) for blank in layout.blanks] == [("Seller", seller.box)]
    assert rows_of(layout)[1] == ["Bread\nRye", "1 x 2.40", "2.40"]


def test_a_text_takes_the_place_of_the_stroke_that_it_was_taken_for():
    page = receipt()
    page.rules = [RulingLine(id="r1", x1=150, y1=100, x2=150, y2=108, thickness=1)]
    line = page.lines[0].model_copy(update={"id": "seen9", "text": "1", "box": Box(x=148, y=100, width=5, height=8)})
    layout = read(page, FormReading(added=[AddedReading(line=line, replaces="r1")]))
    assert layout.rules == [] and "1" in roles(layout)


def test_strokes_and_boxes_that_are_no_part_of_the_form_are_left_out():
    page = receipt()
    page.rules.append(RulingLine(id="r9", x1=40, y1=300, x2=60, y2=300, thickness=1))
    page.tick_boxes.append(TickBox(id="t9", box=Box(x=40, y=320, width=8, height=8), ticked=True))
    layout = read(page, FormReading(left_out=["r9", "t9"]))
    assert layout.rules == [] and layout.tick_boxes == []


def test_the_pieces_of_a_picture_become_one_with_the_texts_read_of_it():
    page = receipt()
    page.write(60, 320, "SEAL")
    boxes = [Box(x=40, y=300, width=30, height=60), Box(x=72, y=310, width=20, height=40)]
    page.pictures = [Picture(id=f"p{number}", box=box, kind="seal") for number, box in enumerate(boxes)]
    layout = read(page, FormReading(one_picture=[["p0", "p1", *ids(page, "SEAL")]]))
    [whole] = layout.pictures
    assert whole.kind == "seal" and whole.box.x == 40 and whole.box.height == 60
    assert "SEAL" not in roles(layout)


def test_two_columns_in_one_line_are_two_texts_at_its_ends():
    page = HandmadeMarks()
    for top, text in ((100, "Oat milk 3.80"), (112, "Bread 2.40")):
        page.write(40, top, text)
        page.lines[-1] = page.lines[-1].model_copy(update={"box": Box(x=40, y=top, width=160, height=7)})
    first, second = (line.id for line in page.lines)
    rows = [[[f"{first}.1"], [f"{first}.2"]], [[f"{second}.1"], [f"{second}.2"]]]
    read_table = TableReading(columns=[ColumnReading(name="Item"), ColumnReading(name="Amount")], rows=rows)
    parted = {first: ["Oat milk", "3.80"], second: ["Bread", "2.40"]}

    layout = read(page, FormReading(tables=[read_table], parted=parted))

    assert rows_of(layout) == [["Oat milk", "3.80"], ["Bread", "2.40"]]
    amount = next(block for block in layout.blocks if block.text == "3.80")
    assert round(amount.box.right) == 200


def test_the_parts_of_a_date_to_fill_in_stay_apart():
    page = HandmadeMarks()
    page.write(40, 100, "年    月")
    [line] = page.lines

    layout = read(page, FormReading(parted={line.id: ["年", "月"]}))

    assert sorted(roles(layout)) == ["年", "月"]


def test_a_part_of_a_text_says_what_the_model_sees():
    page = HandmadeMarks()
    page.write(40, 100, "Total 3.8O")
    [line] = page.lines

    layout = read(page, FormReading(parted={line.id: ["Total", "3.8O"]}, misread={f"{line.id}.2": "3.80"}))

    assert sorted(roles(layout)) == ["3.80", "Total"]


def test_a_place_to_fill_in_gets_another_name_or_is_none():
    page = HandmadeMarks()
    for y, label in ((100, "Name:"), (130, "Signed:")):
        page.write(40, y, label)
        page.rules.append(RulingLine(id=f"r{y}", x1=90, y1=y + 10, x2=250, y2=y + 10, thickness=1))
    first, second = (blank.box for blank in page.understood().blanks)

    layout = read(page, FormReading(places=[PlaceReading(box=first, label="Customer"), PlaceReading(box=second)]))

    assert [(blank.box, blank.label) for blank in layout.blanks] == [(first, "Customer")]


def test_of_two_places_that_overlap_the_one_that_is_meant_gets_the_name():
    boxes = [Box(x=383, y=88, width=142, height=25), Box(x=381, y=94, width=145, height=25)]
    assert places_given(boxes, FormReading(places=[PlaceReading(box=boxes[1], label="Amount")])) == {1: "Amount"}
    assert places_given(boxes, FormReading(places=[PlaceReading(box=boxes[0].moved(0, 100), label="Amount")])) == {}


def test_a_box_to_tick_gets_another_name():
    page = HandmadeMarks()
    page.write(60, 100, "or else")
    page.tick_boxes = [TickBox(id="t1", box=Box(x=45, y=100, width=9, height=9), ticked=False)]
    layout = read(page, FormReading(places=[PlaceReading(box=page.tick_boxes[0].box, label="Paid")]))
    assert layout.tick_boxes[0].label == "Paid"


def test_the_lines_of_a_sentence_are_one_fixed_text():
    """The rules see the lines apart: they stand too far from each other, and the first is in two pieces."""
    page = receipt()
    lines = ((40, 220, "Goods once"), (110, 220, "sold are"), (44, 237, "not taken back."))
    for x, y, text in lines:
        page.write(x, y, text)

    layout = read(page, FormReading(paragraphs=[ids(page, *(text for _, _, text in lines))]))

    assert roles(layout)["Goods once sold are\nnot taken back."] == ("fixed", None)


def test_a_text_over_several_columns_names_each_of_them_and_stays_one_text():
    page = HandmadeMarks()
    page.write(150, 86, "Amount in euros")
    for y, *texts in ((100, "Item", "Net", "Gross"), (120, "Rope", "1.00", "1.19"), (134, "Hook", "2.00", "2.38")):
        for x, text in zip((40, 140, 230), texts, strict=True):
            page.write(x, y, text)
    columns = [ids(page, "Item"), ids(page, "Amount in euros", "Net"), ids(page, "Amount in euros", "Gross")]
    rows = [[ids(page, text) for text in row] for row in (("Rope", "1.00", "1.19"), ("Hook", "2.00", "2.38"))]
    given = TableReading(columns=[ColumnReading(heading=heading) for heading in columns], rows=rows)

    layout = read(page, FormReading(tables=[given]))

    assert layout.repeat
    assert [slot.label for slot in layout.repeat.slots] == ["Item", "Amount in euros Net", "Amount in euros Gross"]
    assert {"Amount in euros", "Net", "Gross"} <= set(roles(layout))


def test_a_heading_over_an_amount_and_its_currency_is_that_of_the_amount():
    page = HandmadeMarks()
    for y, *texts in (
        (100, "Item", "Price", "Sum"),
        (120, "Rope", "1.00 EUR", "3.00"),
        (134, "Hook", "2.00 EUR", "4.00"),
    ):
        for x, text in zip((40, 140, 230), texts, strict=True):
            page.write(x, y, text)
    parted = {name: ["1.00", "EUR"] for name in ids(page, "1.00 EUR")}
    parted |= {name: ["2.00", "EUR"] for name in ids(page, "2.00 EUR")}
    price = ids(page, "Price")
    columns = [ColumnReading(heading=ids(page, text)) for text in ("Item", "Price", "Price", "Sum")]
    columns[2] = ColumnReading(heading=price, name="Currency")
    rows = [
        [ids(page, item), [f"{name}.1"], [f"{name}.2"], ids(page, total)]
        for (item, total), name in zip((("Rope", "3.00"), ("Hook", "4.00")), parted, strict=True)
    ]

    layout = read(page, FormReading(parted=parted, tables=[TableReading(columns=columns, rows=rows)]))

    assert layout.repeat and {f"b-{name}" for name in price} <= set(layout.repeat.header)
    assert [slot.label for slot in layout.repeat.slots][:2] == ["Item", "Price"]


def test_the_label_that_begins_a_value_stays_wording_unless_it_stands_elsewhere():
    page = HandmadeMarks()
    for y, text in ((40, "Cover 12 pcs"), (80, "Client Limited"), (120, "CLIENT NO  204417")):
        page.write(40, y, text)
    page.write(300, 80, "Client")
    labels = {"Cover 12 pcs": "Cover", "Client Limited": "Client", "CLIENT NO  204417": "Number"}
    values = [ValueReading(lines=ids(page, text), label=label) for text, label in labels.items()]
    found = {block.text: block.prefix for block in read(page, FormReading(values=values)).blocks}
    assert [found[text] for text in labels] == ["Cover ", "", "CLIENT NO  "]


def test_wording_before_a_colon_is_part_of_a_value_whose_own_label_stands_elsewhere():
    page = HandmadeMarks()
    for y, text in ((40, "Remarks"), (60, "Order: send before noon"), (100, "Contact: Ann Lee")):
        page.write(40, y, text)
    labels = {"Order: send before noon": "Remarks", "Contact: Ann Lee": "Contact"}
    values = [ValueReading(lines=ids(page, text), label=label) for text, label in labels.items()]
    found = {block.text: block.prefix for block in read(page, FormReading(values=values)).blocks}
    assert [found[text] for text in labels] == ["", "Contact: "]
