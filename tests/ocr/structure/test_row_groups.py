"""Headings and subtotals that divide a table's rows are lines of groups, and no rows."""

import pytest

from bandsmith.shared.model.layout import Layout, Repeat

from .handmade import HandmadeMarks
from .test_several_tables import texts_of

COLUMNS = (50, 260, 340)
STOCK = {
    "Lamps": [("Desk lamp", "4", "80.00"), ("Wall lamp", "2", "50.00")],
    "Chairs": [("Oak chair", "6", "540.00"), ("Stool", "3", "90.00"), ("Bench", "1", "120.00")],
    "Tables": [("Round table", "2", "400.00"), ("Side table", "5", "300.00")],
}


class StockList(HandmadeMarks):
    """A list of goods by kind."""

    def __init__(self) -> None:
        super().__init__()
        self.y = 100.0
        self.row("Article", "Quantity", "Amount", bold=True)

    def row(self, *texts: str, bold: bool = False) -> None:
        for x, text in zip(COLUMNS, texts, strict=False):
            if text:
                self.write(x, self.y, text, bold=bold)
        self.y += 18


def stock_list(heading: str = "{}", ending: str = "", total: str = "", bold: bool = True) -> StockList:
    """The goods with a heading and a subtotal for each kind, which are worded like the templates."""
    page, whole = StockList(), 0.0
    for kind, goods in STOCK.items():
        if heading:
            page.row(heading.format(kind), bold=bold)
        for one in goods:
            page.row(*one)
        amount = sum(float(amount) for *_, amount in goods)
        whole += amount
        if ending:
            page.row(ending.format(kind), "", f"{amount:.2f}")
    if total:
        page.row(total, "", f"{whole:.2f}")
    return page


def rows_of(layout: Layout) -> list[list[str | None]]:
    assert layout.repeat is not None
    return texts_of(layout, layout.repeat)


def lines_of(layout: Layout, lines: Repeat | None) -> list[list[str | None]]:
    assert lines is not None
    return texts_of(layout, lines)


def test_bold_titles_among_rows_head_groups():
    layout = stock_list().understood()

    assert rows_of(layout) == [list(one) for goods in STOCK.values() for one in goods]
    assert layout.repeat and layout.repeat.groups
    assert layout.repeat.groups.first_rows == [0, 2, 5]
    assert lines_of(layout, layout.repeat.groups.headings) == [["Lamps"], ["Chairs"], ["Tables"]]
    assert layout.repeat.groups.endings is None


def test_subtotals_end_groups_and_the_grand_total_does_not():
    layout = stock_list(ending="Subtotal", total="Total").understood()

    assert layout.total_rows == 7
    assert layout.repeat and layout.repeat.groups
    endings = [["Subtotal", "130.00"], ["Subtotal", "750.00"], ["Subtotal", "700.00"]]
    assert lines_of(layout, layout.repeat.groups.endings) == endings
    assert not {"Total", "1580.00"} & {text for row in lines_of(layout, layout.repeat) for text in row}


def test_subtotals_that_name_their_group_need_no_heading():
    layout = stock_list(heading="", ending="Total {}", total="Grand total").understood()

    assert layout.total_rows == 7
    assert layout.repeat and layout.repeat.groups
    assert [row[0] for row in lines_of(layout, layout.repeat.groups.endings)] == [
        "Total Lamps", "Total Chairs", "Total Tables",
    ]  # fmt: skip


@pytest.mark.parametrize("page", [stock_list(bold=False), stock_list(heading="", ending="Subtotal")])
def test_lines_that_name_no_group_for_certain_are_none(page: StockList):
    layout = page.understood()

    assert layout.repeat is not None
    assert layout.repeat.groups is None


def test_a_bold_line_above_each_row_is_a_part_of_the_row():
    page = StockList()
    for goods in STOCK.values():
        for name, quantity, amount in goods:
            page.row(name, bold=True)
            page.row("in oak", quantity, amount)

    layout = page.understood()

    assert layout.repeat is not None
    assert layout.repeat.groups is None
    assert layout.total_rows == 7


def test_numbers_of_one_digit_are_aligned_as_their_header_is():
    page = HandmadeMarks()
    for y, texts in (
        (100, ("Article", "Quantity", "Amount")),
        (120, ("Lamp", "4", "9.50")),
        (140, ("Bench", "2", "7.10")),
    ):
        page.write(50, y, texts[0], bold=y == 100)
        page.write(260, y, texts[1], bold=y == 100, right=True)
        page.write(340, y, texts[2], bold=y == 100)

    layout = page.understood()

    assert {block.text: block.align for block in layout.blocks if block.text in ("4", "2")} == {
        "4": "Right",
        "2": "Right",
    }


def test_subtotals_of_weeks_end_groups_whatever_stands_before_their_figure():
    days = ["27-07", "28-07", "29-07", "03-08", "04-08", "05-08"]
    page = HandmadeMarks()
    top = 100.0
    for x, text in zip((50, 150, 250), ("Date", "Hours", "Work carried out"), strict=True):
        page.write(x, top, text, bold=True)
    for number, day in enumerate(days):
        top += 18
        page.write(50, top, f"{day}-2026", bold=True)
        page.write(150, top, "4.00")
        page.write(250, top, "Walls of the hall painted, and those of")
        top += 11
        page.write(250, top, "the kitchen")
        if day in ("29-07", "05-08"):
            top += 18
            page.write(50, top, f"WEEK {1 + number // 3} SUBTOTAL")
            page.write(150, top, f"{days[number - 2]} to {day}")
            page.write(250, top, "12.00")
    layout = page.understood()
    assert [row[0] for row in rows_of(layout)] == [f"{day}-2026" for day in days]
    assert rows_of(layout)[0][2] == "Walls of the hall painted, and those of\nthe kitchen"
    assert layout.repeat is not None and layout.repeat.groups is not None
    endings = lines_of(layout, layout.repeat.groups.endings)
    assert endings == [["WEEK 1 SUBTOTAL", "27-07 to 29-07", "12.00"], ["WEEK 2 SUBTOTAL", "03-08 to 05-08", "12.00"]]
