"""Which texts of a page are its rows: a header or their columns speak for them, while other texts merely repeat."""

from bandsmith.shared.model.geometry import Box
from bandsmith.shared.model.layout import Cell, Grid, Layout, RulingLine

from .handmade import HandmadeMarks
from .test_headed_tables import rows_of

ITEMS = (
    ("1", "Brake cables", "100.00", "100.00"),
    ("2", "Pedal arms", "15.00", "30.00"),
    ("3", "Bell", "5.00", "15.00"),
)
"""Rows of an invoice: quantity, description, price and amount."""
LEFTS = (60, 130, 380, 500)


def labels_of(layout: Layout) -> list[str | None]:
    assert layout.repeat is not None
    return [slot.label for slot in layout.repeat.slots]


def frame(page: HandmadeMarks, y: float, height: float, rows: int) -> None:
    """Rule a table that has lines between its rows, and none between its columns."""
    tops = [y + height * row for row in range(rows + 1)]
    cells = [Cell(row=r, column=0, box=Box.between(50, tops[r], 550, tops[r + 1])) for r in range(rows)]
    box = Box.between(50, tops[0], 550, tops[-1])
    page.grids.append(Grid(id="g0", box=box, columns=[50, 550], rows=tops, cells=cells))
    lines = [RulingLine(id=f"r{n}", x1=50, y1=top, x2=550, y2=top, thickness=1) for n, top in enumerate(tops)]
    page.rules.extend(lines)


def test_a_table_with_lines_between_its_rows_only_has_columns():
    page = HandmadeMarks()
    for x, text in zip(LEFTS, ("QTY", "DESCRIPTION", "UNIT", "AMOUNT"), strict=True):
        page.write(x, 306, text, size=10)
    page.write(408, 306, "PRICE", size=10)
    for row, texts in enumerate(ITEMS):
        for x, text in zip((60, 130, 408, 500), texts, strict=True):
            page.write(x, 333 + 27 * row, text)
    frame(page, 300, 27, 4)

    layout = page.understood()

    assert rows_of(layout) == [list(row) for row in ITEMS]
    assert labels_of(layout) == ["QTY", "DESCRIPTION", "UNIT PRICE", "AMOUNT"], "words side by side are one heading"


def test_headings_above_dates_are_no_row():
    page = HandmadeMarks()
    jobs = [
        ["1/15/2009", "6/30/2011", "Any Company", "Assistant Baker", "Family relocated"],
        ["7/1/2011", "8/10/2013", "Best Corp.", "Baker", "Better opportunity"],
        ["8/15/2013", "present", "Example Corp.", "Head Baker", "N/A"],
    ]
    heads = ["Start Date", "End Date", "Employer Name", "Position Held", "Reason for leaving"]
    page.table(46, 320, [80, 80, 120, 110, 140], [heads, *jobs])

    layout = page.understood()

    assert rows_of(layout) == jobs
    assert labels_of(layout) == heads


def test_all_items_of_a_receipt_are_rows_and_the_shop_does_not_name_them():
    page = HandmadeMarks()
    for y, text in ((80, "Mega Market Plus"), (98, "Chicago, IL")):
        page.write(140, y, text)
    page.write(20, 116, "OP# 19280104")
    page.write(240, 116, "TR# 21772")
    items = [["LG Flatscreen 65", "$899.99 S"], ["Sony i7 6938", "$689.99 S"], ["HDMI cable", "$19.99 S"]]
    for row, (item, price) in enumerate(items):
        page.write(20, 134 + 18 * row, item)
        page.write(280, 134 + 18 * row, price)
    page.write(140, 230, "SUBTOTAL")
    page.write(240, 230, "$1609.97")

    layout = page.understood()

    assert rows_of(layout) == items
    assert labels_of(layout) == [None, None]


def test_headings_of_several_lines_head_their_ruled_rows_beside_a_longer_list_without_headings():
    page = HandmadeMarks()
    widths = [30.0, 90, 180, 70, 70]
    rows = [
        ["", "", "", "", ""],
        ["1", "", "", "60.00", "0%"],
        ["2", "", "", "28.00", "10%"],
        ["3", "", "", "7.00", "20%"],
    ]
    page.table(80, 300, widths, rows, height=44)
    heads = {84: ("#", "Line", "FACT"), 114: ("# Order line", "CODE,", "REFERENCE"), 204: ("NAME,", "Period", "Note")}
    for x, lines in (heads | {384: ("TOTAL",), 454: ("VAT",)}).items():
        for n, text in enumerate(lines):
            page.write(x, 304 + 12 * n, text)
    for row, (code, name) in enumerate((("C-12", "Support"), ("C-98", "Paper"), ("C-07", "Call"))):
        for n, (x, text) in enumerate(((114, code), (114, "ACC"), (204, name), (204, "From 1 to 31 January"))):
            page.write(x, 350 + 44 * row + 14 * (n % 2), text)

    charges = [
        [code, "Charge", "Travel", f"{n},00 EUR", "20%"] for n, code in enumerate(("FC", "ADR", "FC", "TX", "FC"))
    ]
    page.table(80, 560, [80.0, 60, 120, 100, 80], charges, height=16)

    layout = page.understood()

    items = next(rows for rows in (layout.repeat, *layout.further) if rows and rows.rows == 3)
    assert [slot.label for slot in items.slots] == [
        "# Line FACT",
        "# Order line CODE, REFERENCE",
        "NAME, Period Note",
        "TOTAL",
        "VAT",
    ]


def test_an_item_below_its_header_is_the_row_and_not_labels_with_their_values():
    page = HandmadeMarks()
    given = ("12/30/2013", "1000090440", "12/30/2013", "US068070001B")
    for n, (label, value) in enumerate(
        zip(("Invoice date", "Order no", "Order date", "Customer number"), given, strict=True)
    ):
        page.write(300, 98 + 18 * n, label)
        page.write(400, 98 + 18 * n, value)
    for n, address in enumerate(("Northwind Communications", "Post Office Box 402", "Pasadena")):
        page.write(60, 116 + 18 * n, address)
    columns = (60, 150, 240, 300, 360, 420, 490)
    for x, text in zip(columns, ("SKU", "MODEL", "SUFFIX", "ORDERED", "SHIPPED", "UNIT PRICE", "AMOUNT"), strict=True):
        page.write(x, 360, text)
    item = ["LGD820", "D820", "AUS", "26,080", "12,290", "331.70", "8,650.00"]
    for x, text in zip(columns, item, strict=True):
        page.write(x, 380, text)

    assert rows_of(page.understood()) == [item]


def test_a_total_among_lines_that_look_alike_ends_the_rows():
    page = HandmadeMarks()
    lines = [
        ("Room charges", "Rs 1939 x 1 night", "Rs 1939"),
        ("Grand Total", None, "Rs 1939"),
        ("Payment received", "Paid in cash", "Rs 1939"),
    ]
    for x, text in ((60, "DESCRIPTION"), (300, "RATE"), (480, "AMOUNT")):
        page.write(x, 180, text)
    for row, texts in enumerate(lines):
        for x, text in zip((60, 300, 480), texts, strict=True):
            if text:
                page.write(x, 217 + 37 * row, text)

    assert rows_of(page.understood()) == [["Room charges", "Rs 1939 x 1 night", "Rs 1939"]]


def test_a_header_of_named_columns_needs_no_rule_below_it():
    page = HandmadeMarks()
    columns = (60, 150, 320, 400, 480)
    for x, text in zip(columns, ("Date", "Description", "Credit", "Debit", "Balance"), strict=True):
        page.write(x, 180, text)
    rows = [["2022-12-24", "Card", "", "1,000", "10,000"], ["2022-12-25", "Utility", "", "40", "9,960"]]
    rows.append(["2022-12-31", "Deposit", "1,000", "", "10,960"])
    for y, texts in zip((200, 228, 252), rows, strict=True):
        for x, text in zip(columns, texts, strict=True):
            if text:
                page.write(x, y, text)
    for n, y in enumerate((175, 219, 245, 270)):  # the rule below the header was not found
        page.rules.append(RulingLine(id=f"r{n}", x1=55, y1=y, x2=540, y2=y, thickness=1))

    assert rows_of(page.understood()) == [[text or None for text in row] for row in rows]


def test_upright_rules_tell_which_column_a_number_beside_its_heading_belongs_to():
    page = HandmadeMarks()
    columns = ((60, "Service"), (300, "Unit"), (390, "Amount"), (500, "Rate"))
    for x, text in columns:
        page.write(x, 180, text)
    for row, texts in enumerate((("Hosting", "1", "46.62", "13%"), ("Support", "2", "93.24", "13%"))):
        for x, text in zip((60, 300, 480, 530), texts, strict=True):
            page.write(x, 200 + 20 * row, text, right=x > 400)
    for n, x in enumerate((50, 290, 380, 482, 540)):
        page.rules.append(RulingLine(id=f"v{n}", x1=x, y1=170, x2=x, y2=300, thickness=1))

    layout = page.understood()

    assert rows_of(layout) == [["Hosting", "1", "46.62", "13%"], ["Support", "2", "93.24", "13%"]]
    assert labels_of(layout) == ["Service", "Unit", "Amount", "Rate"]


def test_one_item_that_leaves_most_columns_empty_is_the_row_below_a_header_of_named_columns():
    page = HandmadeMarks()
    columns = (40, 150, 220, 270, 330, 400, 460, 520)
    for x, text in zip(columns, ("服务名称", "规格型号", "单位", "数量", "单价", "金额", "税率", "税额"), strict=True):
        page.write(x, 180, text)
    for x, text in ((40, "详见清单"), (460, "13%"), (520, "6.08")):
        page.write(x, 200, text)

    assert rows_of(page.understood()) == [["详见清单", "13%", "6.08"]]


def declaration() -> HandmadeMarks:
    """Boxes below each other, each with a label of its own on top of what is filled in."""
    marks = HandmadeMarks()
    boxes = [
        [("Consignee", "Harbour Foods"), ("Entry port", "Malmo"), ("Declared on", "2026-03-16")],
        [("Consignor", "Greenfield Ltd"), ("Transport mode", "Sea"), ("Waybill", "263297868")],
        [("Consumer", "Northgate Tannery"), ("Supervision", "General"), ("Licence", "A-2210")],
    ]
    marks.table(50, 100, [180.0, 140.0, 160.0], [["", "", ""] for _ in boxes], height=26)
    for r, row in enumerate(boxes):
        for x, (label, value) in zip((54, 234, 374), row, strict=True):
            marks.write(x, 103 + 26 * r, label, size=7)
            marks.write(x, 114 + 26 * r, value)
    return marks


def test_boxes_with_a_label_of_their_own_in_each_are_no_rows():
    layout = declaration().understood()

    assert layout.repeat is None
    labels = {block.text: block.label for block in layout.blocks if block.role == "value"}
    assert labels["Sea"] == "Transport mode" and labels["263297868"] == "Waybill"


def test_rows_with_names_and_details_in_one_column_stay_rows():
    marks = HandmadeMarks()
    rows = [("Black tea", "in tins of 200 g", "14"), ("Elm board", "sanded", "40"), ("Copier paper", "A4", "120")]
    marks.table(50, 100, [300.0, 100.0], [["", ""] for _ in rows], height=26)
    for r, (name, detail, quantity) in enumerate(rows):
        marks.write(54, 103 + 26 * r, name)
        marks.write(54, 114 + 26 * r, detail, size=7)
        marks.write(440, 108 + 26 * r, quantity, right=True)

    repeat = marks.understood().repeat
    assert repeat is not None and len(repeat.tops) == 3
