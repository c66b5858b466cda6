"""An item is one row, however many lines it has, and its texts are in the columns in which they stand."""

import pytest

from bandsmith.shared.model.geometry import Box
from bandsmith.shared.model.layout import Cell, Grid

from .handmade import HandmadeMarks
from .test_headed_tables import rows_of, rule, write_header, write_row


def frame(page: HandmadeMarks, left: float, right: float, *edges: float) -> None:
    """Draw cells as wide as the page's table above each other."""
    cells = [
        Cell(row=row, column=0, box=Box.between(left, top, right, bottom))
        for row, (top, bottom) in enumerate(zip(edges, edges[1:], strict=False))
    ]
    box = Box.between(left, edges[0], right, edges[-1])
    page.grids.append(
        Grid(id=f"g{len(page.grids)}", box=box, columns=[left, right], rows=list(edges), cells=cells),
    )


def test_a_second_line_with_figures_is_part_of_the_item_between_two_rules():
    page = HandmadeMarks()
    headings = ((50, "Description"), (200, "From"), (270, "To"), (340, "Unit price"), (420, "Amount"), (490, "Tax"))
    for x, text in headings:
        page.write(x, 200, text, bold=True)
    for top, name in ((220, "Small server"), (260, "Large server")):
        for (x, _), text in zip(headings, (name, "2024-01-17", "2024-01-18", "0.50", "9.00", "1.00"), strict=True):
            page.write(x, top, text)
        for (x, _), text in zip(headings[:3], ("us-west", "21:00", "20:59"), strict=True):
            page.write(x, top + 13, text)
        rule(page, top + 30)

    assert [row[:2] for row in rows_of(page.understood())] == [
        ["Small server\nus-west", "2024-01-17\n21:00"],
        ["Large server\nus-west", "2024-01-17\n21:00"],
    ]


def test_the_last_line_of_a_description_stays_with_its_item_though_it_is_a_little_lower():
    page = HandmadeMarks()
    write_header(page, 200)
    write_row(page, 220, "Green tea of the", "2", "4.50", "9.00")
    page.write(50, 232, "first harvest in tins")
    page.write(50, 244.9, "20g")
    write_row(page, 255.7, "Black tea in bags", "1", "5.00", "5.00")
    page.write(50, 267.7, "of paper")

    assert [row[0] for row in rows_of(page.understood())] == [
        "Green tea of the\nfirst harvest in tins\n20g",
        "Black tea in bags\nof paper",
    ]


def test_a_colon_alone_ends_no_table():
    page = HandmadeMarks()
    write_header(page, 200)
    write_row(page, 220, "Green tea", ":", "4.50", "9.00")
    write_row(page, 238, "Black tea", ":", "5.00", "5.00")

    assert len(rows_of(page.understood())) == 2


def test_a_word_of_forms_in_every_row_is_a_value():
    page = HandmadeMarks()
    for x, text in ((50, "名称"), (250, "单价"), (350, "金额"), (450, "税率")):
        page.write(x, 200, text)
    for top, name in ((220, "项目经济性分析与评价"), (238, "投资项目可行性分析")):
        for x, text in ((50, name), (250, "35.50"), (350, "71.00"), (450, "免税")):
            page.write(x, top, text)

    assert [row[0] for row in rows_of(page.understood())] == ["项目经济性分析与评价", "投资项目可行性分析"]


def test_rows_end_with_the_frame_around_them():
    page = HandmadeMarks()
    write_header(page, 200)
    for row, name in enumerate(("Green tea", "Black tea", "White tea")):
        write_row(page, 222 + 18 * row, name, "2", "4.50", "9.00")
    frame(page, 45, 540, 195, 214, 275, 300)
    write_row(page, 280, "Imp. Bruto", "S.L.", "Dto. Fact.", "Base")

    assert [row[0] for row in rows_of(page.understood())] == ["Green tea", "Black tea", "White tea"]


@pytest.mark.parametrize("is_long", [False, True])
def test_columns_are_where_the_values_stand_and_not_where_their_headings_do(is_long: bool):
    page = HandmadeMarks()
    for x, text in ((20, "Product"), (205, "Unit"), (232, "Quantity"), (275, "Price"), (305, "Less"), (400, "Amount")):
        page.write(x, 200, text, bold=True)
    items = [["FD13", "Green tea"], ["TU20", "Black tea"], ["VO20", "White tea"], ["BH13", "Yellow tea of the spring"]]
    for row, (code, name) in enumerate(items):
        for x, text in ((20, code), (70, name), (195, "BOX"), (240, "1")):
            page.write(x, 220 + 18 * row, text)
        for x, text in ((275, "40.38"), (308, "16.15"), (430, "24.25")):
            page.write(x, 220 + 18 * row, text, right=True)
        if is_long and row == 1:
            page.write(70, 229 + 18 * row, "in a large box of wood", size=8)

    rows = rows_of(page.understood())
    assert [row[0] for row in rows] == ["FD13", "TU20", "VO20", "BH13"]
    assert [row[2:] for row in rows] == [["BOX", "1", "40.38", "16.15", "24.25"]] * 4
    assert rows[3][1] == "Yellow tea of the spring"


def test_addresses_side_by_side_below_names_are_no_rows():
    page = HandmadeMarks()
    addresses = (
        (150, 13, ("Meadow Crates", "8517 South Park", "Circle", "Orlando", "Orange")),
        (370, 13, ("Elm Foods Corporation", "Elm Food Corp", "Email", "Post box", "Saint Louis")),
        (580, 11, ("Creative Packing", "Packing Inc", "East Avenue", "Aurora", "Dupage")),
    )
    for x, label in ((20, "Supplier"), (290, "Bill To"), (500, "Ship To")):
        page.write(x, 200, label)
    for x, step, texts in addresses:
        for row, text in enumerate(texts):
            page.write(x, 200 + step * row, text, bold=True)

    assert page.understood().repeat is None
