"""Tables below a header row: which rows they have, and that they win over what merely repeats."""

import pytest

from bandsmith.services.ocr.structure.headed_tables import find_headed_tables
from bandsmith.shared.model.geometry import Box
from bandsmith.shared.model.layout import Fill, RulingLine

from .handmade import HandmadeMarks
from .headed import HEADER, rows_of, rule, write_header, write_row


def test_one_row_below_a_header_is_a_row():
    page = HandmadeMarks()
    write_header(page, 200)
    write_row(page, 220, "Green tea", "2", "4.50", "9.00")
    page.write(380, 260, "Total")
    page.write(480, 260, "9.00")

    assert rows_of(page.understood()) == [["Green tea", "2", "4.50", "9.00"]]


@pytest.mark.parametrize("misread", [None, "I1"])
def test_a_header_in_two_languages_is_no_row(misread: str | None):
    page = HandmadeMarks()
    for (x, english), chinese in zip(HEADER, ("品名", "数量", "单价", "金额"), strict=True):
        page.write(x, 200, chinese, size=12)
        page.write(x, 213, misread if misread and english == "Qty" else english, size=8)
    write_row(page, 226, "Green tea", "2", "4.50", "9.00")
    write_row(page, 244, "Black tea", "1", "5.00", "5.00")

    assert rows_of(page.understood()) == [["Green tea", "2", "4.50", "9.00"], ["Black tea", "1", "5.00", "5.00"]]


@pytest.mark.parametrize("gap", [2, 8])
def test_rows_are_equally_high_however_far_the_first_stands_from_the_bar_of_the_header(gap: float):
    page = HandmadeMarks()
    page.fills.append(Fill(id="bar", box=Box(x=48, y=196, width=480, height=20), colour="#2463ED"))
    write_header(page, 200)
    for row, name in enumerate(("Green tea", "Black tea", "White tea")):
        write_row(page, 220 + gap + 22 * row, name, "2", "4.50", "9.00")
    rule(page, 220 + gap + 60)

    rows = page.understood().repeat
    assert rows is not None
    assert (rows.rows, round(rows.pitch), rows.heights) == (3, 22, [])
    assert 216 <= rows.tops[0] <= 220 + gap


def test_rows_begin_at_the_rules_between_them_where_the_bar_of_the_header_ends_above_the_first():
    page = HandmadeMarks()
    page.fills.append(Fill(id="bar", box=Box(x=48, y=196, width=480, height=20), colour="#2463ED"))
    write_header(page, 200)
    for row, name in enumerate(("Green tea", "Black tea", "White tea")):
        write_row(page, 226 + 22 * row, name, "2", "4.50", "9.00")
        rule(page, 242 + 22 * row)

    rows = page.understood().repeat
    assert rows is not None
    assert [round(top) for top in rows.tops] == [220, 242, 264]


def test_headings_that_are_centred_in_a_bar_are_headings_though_their_texts_begin_elsewhere_than_their_columns():
    page = HandmadeMarks()
    page.fills.append(Fill(id="bar", box=Box(x=20, y=192, width=555, height=19), colour="#4B5D80"))
    columns = (("Article", 56), ("Pieces", 170), ("Price", 286), ("Amount", 392), ("Remark", 502))
    for text, x in columns:
        page.write(x, 197, text)
    for y, row in ((222, ("Green tea", "27", "39.40", "24", "checked")), (252, ("Tea", "24", "29.95", "28", "late"))):
        for x, text, right in zip((25, 236, 348, 459, 469), row, (False, True, True, True, False), strict=True):
            page.write(x, y, text, right=right)

    layout = page.understood()

    assert layout.repeat is not None
    headings = {block.id: block.text for block in layout.blocks}
    assert {headings[name] for name in layout.repeat.header} == {text for text, _ in columns}


def test_a_small_line_of_words_below_a_record_is_part_of_it():
    page = HandmadeMarks()
    write_header(page, 200)
    page.write(50, 213, "Tea", size=7)
    page.write(300, 213, "boxes", size=7)
    for y, name in ((226, "Green"), (244, "Black")):
        write_row(page, y, name, "two", "cheap", "little")

    assert [row[0] for row in rows_of(page.understood())][-2:] == ["Green", "Black"]


def test_addresses_side_by_side_lose_to_the_items_below_a_header():
    page = HandmadeMarks()
    for x, texts in (
        (50, ("Meadow Bindery", "12 Mill Street", "Redmond 98052")),
        (300, ("Acme", "3 Elm Road", "York 1")),
    ):
        for row, text in enumerate(texts):
            page.write(x, 100 + 15 * row, text)
    write_header(page, 200)
    write_row(page, 220, "Green tea", "2", "4.50", "9.00")
    write_row(page, 238, "Black tea", "1", "5.00", "5.00")

    assert rows_of(page.understood()) == [["Green tea", "2", "4.50", "9.00"], ["Black tea", "1", "5.00", "5.00"]]


def test_a_description_of_several_lines_makes_its_row_higher():
    page = HandmadeMarks()
    write_header(page, 200)
    write_row(page, 220, "Green tea", "2", "4.50", "9.00")
    write_row(page, 231, "from the first harvest", None, None, None)
    write_row(page, 250, "Black tea", "1", "5.00", "5.00")

    repeat = page.understood().repeat

    assert rows_of(page.understood())[0] == ["Green tea\nfrom the first harvest", "2", "4.50", "9.00"]
    assert repeat is not None
    assert repeat.heights[0] > repeat.heights[1] + 5
    assert repeat.pitch < repeat.heights[0]


def test_numbers_beside_the_middle_of_a_description_stay_with_it():
    page = HandmadeMarks()
    write_header(page, 200)
    for top, lines in ((220, ("Green tea", "in a tin")), (262, ("Black tea", "in a paper", "bag"))):
        write_row(page, top + 12, None, "2", "4.50", "9.00")
        for line, text in enumerate(lines):
            page.write(50, top + 24 * line / (len(lines) - 1), text)

    assert [row[0] for row in rows_of(page.understood())] == ["Green tea\nin a tin", "Black tea\nin a paper\nbag"]


def test_rules_between_records_divide_them():
    page = HandmadeMarks()
    write_header(page, 200)
    for row, texts in enumerate(
        (("Teas", None, None, None), ("Green tea", "2", "4.50", "9.00"), ("Cups", "4", "1", "4"))
    ):
        write_row(page, 220 + 18 * row, *texts)
        rule(page, 231 + 18 * row)

    assert [row[0] for row in rows_of(page.understood())] == ["Teas", "Green tea", "Cups"]


def test_a_heading_read_as_one_heads_both_columns_below_it():
    page = HandmadeMarks()
    for x, text in ((50, "Article"), (300, "Price"), (380, "VAT Quantity"), (500, "Amount")):
        page.write(x, 200, text, bold=True)
    for row, texts in enumerate((("Tea", "4.50", "21%", "2", "9.00"), ("Cup", "1.00", "21%", "4", "4.00"))):
        for x, text in zip((50, 300, 380, 402, 500), texts, strict=True):
            page.write(x, 220 + 18 * row, text)

    layout = page.understood()

    assert layout.repeat is not None
    assert {slot.label for slot in layout.repeat.slots} == {"Article", "Price", "VAT", "Quantity", "Amount"}


def test_headings_over_an_order_number_and_dates_are_no_table():
    page = HandmadeMarks()
    for x, heading, value in ((50, "Order", "SO-1733"), (200, "Order date", "2024-02-03"), (350, "Terms", "30 days")):
        page.write(x, 100, heading, bold=True)
        page.write(x, 114, value)

    assert page.understood().repeat is None


def test_two_paragraphs_are_not_rows():
    page = HandmadeMarks()
    for row, texts in enumerate(
        (("Adoption of the agenda", "Questions of residents"), ("There are none.", "Next meeting"))
    ):
        for x, text in zip((50, 300), texts, strict=True):
            page.write(x, 100 + 60 * row, text)

    assert page.understood().repeat is None


def test_labels_on_top_of_their_values_head_no_table_where_only_rules_divide_the_strips():
    page = HandmadeMarks()
    for y in (195, 248, 300):
        rule(page, y)
    write_row(page, 200, "Number", "Qty", "Unit price", "Amount")
    write_row(page, 232, "7", "2", "4.50", "9.00")
    for x, text in ((50, "Anna"), (318, "3"), (415, "12.00")):
        page.write(x, 258, text)

    assert page.understood().repeat is None


def test_a_column_without_a_heading_to_the_left_belongs_to_the_table():
    page = HandmadeMarks()
    write_header(page, 200)
    for number, name in enumerate(("Green tea", "Black tea", "White tea"), 1):
        page.write(20, 202 + 18 * number, f"{number}.")
        write_row(page, 202 + 18 * number, name, "2", "4.50", "9.00")

    assert rows_of(page.understood()) == [
        [f"{number}.", name, "2", "4.50", "9.00"]
        for number, name in enumerate(("Green tea", "Black tea", "White tea"), 1)
    ]


def test_days_far_to_the_left_of_their_rows_belong_to_the_table():
    page = HandmadeMarks()
    for x, text in ((150, "From"), (230, "Until"), (310, "Break"), (390, "Hours")):
        page.write(x, 200, text, bold=True)
    for row, day in enumerate(("Monday", "Tuesday", "Wednesday")):
        for x, text in ((70, day), (150, "08:00"), (230, "16:30"), (310, "0:30"), (390, "8.0")):
            page.write(x, 218 + 18 * row, text)

    assert [row[0] for row in rows_of(page.understood())] == ["Monday", "Tuesday", "Wednesday"]


def test_a_note_beside_one_row_is_no_column():
    page = HandmadeMarks()
    for x, text in ((150, "From"), (230, "Until"), (310, "Break"), (390, "Hours")):
        page.write(x, 200, text, bold=True)
    for row in range(4):
        for x, text in ((150, "08:00"), (230, "16:30"), (310, "0:30"), (390, "8.0")):
            page.write(x, 218 + 18 * row, text)
    page.write(70, 236, "late")

    assert [len(row) for row in rows_of(page.understood())] == [4, 4, 4, 4]


def test_parts_of_a_text_that_were_found_apart_are_one_value():
    page = HandmadeMarks()
    write_header(page, 200)
    for y, name in ((220, "Green tea"), (238, "Black tea")):
        write_row(page, y, None, "2", "4.50", "9.00")
        page.write(50, y, name)
        page.write(50 + 4.6 * len(name), y - 1, "in a tin")

    assert [row[0] for row in rows_of(page.understood())] == ["Green tea in a tin", "Black tea in a tin"]


def test_a_short_text_under_no_heading_is_in_the_column_that_it_is_aligned_with():
    page = HandmadeMarks()
    for x, text in ((50, "Qty"), (140, "Description"), (300, "Unit price"), (400, "Amount")):
        page.write(x, 200, text, bold=True)
    for y, name in ((220, "Front and rear brake cables"), (238, "New set of pedal arms"), (256, "Labor")):
        for x, text in ((53, "1"), (90, name), (310, "15.00"), (405, "15.00")):
            page.write(x, y, text)

    assert rows_of(page.understood())[-1] == ["1", "Labor", "15.00", "15.00"]


def test_numbers_at_the_far_edge_of_a_wide_column_belong_to_its_heading():
    page = HandmadeMarks()
    for x, text in ((50, "ID_Number"), (150, "Item_Name"), (250, "Cost"), (320, "Price")):
        page.write(x, 200, text)
    for row, name in enumerate(("Book", "Pen", "Knife")):
        y = 220 + 18 * row
        page.write(146, y, str(row + 1), right=True)
        page.write(150, y, name)
        page.write(280, y, "0.50", right=True)
        page.write(350, y, "2.00", right=True)

    assert rows_of(page.understood()) == [
        ["1", "Book", "0.50", "2.00"],
        ["2", "Pen", "0.50", "2.00"],
        ["3", "Knife", "0.50", "2.00"],
    ]


def test_rules_divide_records_of_several_lines_that_the_first_column_names():
    page = HandmadeMarks()
    write_header(page, 200)
    for top, number in ((220, "87625"), (280, "87729")):
        rule(page, top - 4)
        page.write(50, top, number)
        for line in range(3):
            write_row(page, top + 15 * line, None, f"{line + 1}", "4.50", "9.00")
    rule(page, 336)

    assert [row[:2] for row in rows_of(page.understood())] == [["87625", "1\n2\n3"], ["87729", "1\n2\n3"]]


def test_the_number_of_a_single_row_is_a_column_of_its_own():
    page = HandmadeMarks()
    write_header(page, 200)
    page.write(20, 220, "1")
    write_row(page, 220, "Green tea", "2", "4.50", "9.00")

    assert rows_of(page.understood()) == [["1", "Green tea", "2", "4.50", "9.00"]]


def test_a_value_that_was_read_larger_is_in_the_column_of_the_others():
    page = HandmadeMarks()
    write_header(page, 200)
    for row, (name, size) in enumerate((("Green tea", 9), ("Black tea", 12), ("White tea", 9))):
        write_row(page, 220 + 26 * row, name, "2", None, "9.00")
        page.write(380, 220 + 26 * row, "4.50", size=size)

    layout = page.understood()
    assert rows_of(layout) == [[name, "2", "4.50", "9.00"] for name in ("Green tea", "Black tea", "White tea")]


def test_labels_with_values_above_a_ruled_table_are_no_rows_of_it():
    page = HandmadeMarks()
    facts = [("Date of invoice", "13/11/2017", "Contact"), ("Terms", "30 days", "Tony Dubois"), ("Ref.", "PO445", "")]
    for n, texts in enumerate(facts):
        for x, text in zip((34, 155, 326), texts, strict=True):
            page.write(x, 280 + 17 * n, text)
    page.table(31, 333, [120, 160, 140], [
        ["Marchandise", "Nombre", "Valeur"], ["Nougat", "20", "81.90"], ["Biscuits", "15", "48.00"],
    ])  # fmt: skip

    above = next(find_headed_tables(page.lines, page.grids, page.rules))

    assert [record.lines[0].text for record in above.records] == ["Terms", "Ref."]


def test_rules_that_begin_below_the_bar_of_the_header_bound_the_last_column():
    page = HandmadeMarks()
    for x, text in zip((50, 120, 190), ("Date", "Hours", "Work"), strict=True):
        page.write(x, 100, text, bold=True)
    for x, top in ((46, 112), (116, 95), (186, 95), (540, 112)):
        page.rules.append(RulingLine(id=f"v{x}", x1=x, y1=top, x2=x, y2=300, thickness=1))
    works = [
        "Shelves of the back room cleared and wiped, and boxes counted",
        "Window repaired",
        "Doors painted once more",
    ]
    for number, work in enumerate(works):
        for x, text in zip((50, 120, 190), (f"0{number + 1}.08.2026", "4.00", work), strict=True):
            page.write(x, 118 + 20 * number, text)
    assert [row[2] for row in rows_of(page.understood())] == works


def order_with_taxes(*numbers: str | None) -> HandmadeMarks:
    """An order whose lines have the rate of a tax and its amount below the price; `numbers` stand at the lines."""
    page = HandmadeMarks()
    for x, text in zip((50, 90, 300, 400), ("No", "Description", "Price", "Amount"), strict=True):
        page.write(x, 200, text, bold=True)
    lines = [("Motor", "9.00", "9.00"), ("with a frame", "9.00 %", "0.81")]
    lines += [("Pump", "5.00", "5.00"), ("small", "9.00 %", "0.45")]
    for row, (number, cells) in enumerate(zip(numbers, lines, strict=True)):
        for x, text in zip((50, 90, 300, 400), (number, *cells), strict=True):
            if text:
                page.write(x, 220 + 14 * row, text)
    return page


def test_figures_below_every_numbered_line_belong_to_it():
    rows = rows_of(order_with_taxes("1", None, "2", None).understood())
    assert [row[:2] for row in rows] == [["1", "Motor\nwith a frame"], ["2", "Pump\nsmall"]]


def test_a_row_without_a_number_below_some_numbered_ones_is_a_row():
    rows = rows_of(order_with_taxes("1", "2", "3", None).understood())
    assert [row[0] for row in rows] == ["1", "2", "3", None]


def test_words_that_are_spread_over_the_width_of_a_column_are_one_line():
    page = HandmadeMarks()
    write_header(page, 200)
    lines = (
        (("A2-17", 50), ("MOTOR", 0)),
        (("18 kW,", 50), ("CLASS-F", 0)),
        (("CAST", 50), ("IRON,", 95), ("GREY", 0)),
    )
    for top in (220, 280):
        write_row(page, top, None, "2", "4.50", "9.00")
        for line, words in enumerate(lines):
            for text, x in words:
                page.write(x or 170, top + 12 * line, text, right=not x)
    page.write(50, 256, "and brass")

    whole = "A2-17 MOTOR\n18 kW, CLASS-F\nCAST IRON, GREY"
    assert [row[0] for row in rows_of(page.understood())] == [f"{whole}\nand brass", whole]


def test_a_heading_with_its_unit_below_it_stands_beside_headings_of_one_line():
    marks = HandmadeMarks()
    for x, text in ((50, "序号"), (100, "城市"), (200, "起点"), (320, "终点")):
        marks.write(x, 109, text)
    for x, (upper, lower) in ((430, ("里程", "[公里]")), (500, ("金额", "[元]"))):
        marks.write(x, 100, upper)
        marks.write(x, 118, lower)
    for number in range(1, 5):
        texts = (str(number), "深圳", f"西丽{number}站", f"清湖{number}站", f"10.{number}", f"4{number}.59")
        for x, text in zip((50, 100, 200, 320, 430, 500), texts, strict=True):
            marks.write(x, 125 + 20 * number, text)
    layout = marks.understood()
    assert layout.repeat is not None and layout.repeat.rows == 4
    labels = {slot.label for slot in layout.repeat.slots}
    assert labels == {"序号", "城市", "起点", "终点", "里程 [公里]", "金额 [元]"}


def test_amounts_far_to_the_right_of_their_heading_are_its_column():
    page = HandmadeMarks()
    page.write(140, 164, "品名")
    page.write(340, 164, "金额")
    for row, name in enumerate(("*软饮料*水", "*水冰雪*水费", "*餐饮服务*餐费")):
        page.write(140, 187 + 21 * row, name)
        page.write(470, 187 + 21 * row, f"{row + 1}.00", right=True)

    rows = page.understood().repeat
    assert rows is not None
    assert (rows.rows, [slot.label for slot in rows.slots], len(rows.header)) == (3, ["品名", "金额"], 2)


def test_a_column_that_counts_its_one_row_shows_a_table_and_a_text_that_goes_on_stays_in_its_column():
    page = HandmadeMarks()
    for x, heading in ((36, "#"), (55, "Product"), (396, "Ordered"), (453, "Delivered"), (514, "Lot")):
        page.write(x, 242, heading)
    for x, text in ((36, "1"), (55, "Garden shears with steel blades for"), (408, "50"), (468, "50")):
        page.write(x, 266, text)
    page.write(page.lines[-3].box.right + 2, 266, "hedges")

    layout = page.understood()
    assert layout.repeat is not None and layout.repeat.rows == 1
    texts = {block.id: block.text for block in layout.blocks}
    product = next(slot for slot in layout.repeat.slots if slot.label == "Product")
    assert [texts[name] for name in product.blocks if name] == ["Garden shears with steel blades for hedges"]
