"""An item is one row, however many lines it has, and its texts are in the columns in which they stand."""

from itertools import pairwise

import pytest

from bandsmith.services.ocr.structure import row_candidates
from bandsmith.services.ocr.structure.row_candidates import RuledRows, from_steps
from bandsmith.shared.model.geometry import Box
from bandsmith.shared.model.layout import Block, Cell, Grid

from .handmade import HandmadeMarks
from .test_headed_tables import rows_of, rule, write_header, write_row


def frame(page: HandmadeMarks, left: float, right: float, *edges: float) -> None:
    """Draw cells as wide as the page's table above each other."""
    cells = [
        Cell(row=row, column=0, box=Box.between(left, top, right, bottom))
        for row, (top, bottom) in enumerate(pairwise(edges))
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


def test_titles_in_ruled_rows_of_their_own_head_groups():
    page = HandmadeMarks()
    rows = [
        ["Quantity", "Description", "Unit price", "Amount"],
        ["", "Development", "", ""],
        ["1", "Web page", "55.00", "55.00"],
        ["2", "Mail server", "10.00", "20.00"],
        ["", "Operation", "", ""],
        ["1", "Web server", "8.00", "8.00"],
        ["3", "Backup", "2.00", "6.00"],
    ]
    page.table(40, 200, [70, 200, 100, 100], rows, height=40)
    for row in (2, 5):
        for line, text in enumerate(("with pictures", "Details")):
            page.write(114, 206 + 40 * row + 11 * (line + 1), text)
    page.lines = [
        line.model_copy(
            update={"style": line.style.model_copy(update={"bold": line.text in ("Development", "Operation")})}
        )
        for line in page.lines
    ]

    layout = page.understood()
    assert [row[1] for row in rows_of(layout)] == [
        "Web page\nwith pictures\nDetails",
        "Mail server",
        "Web server\nwith pictures\nDetails",
        "Backup",
    ]
    assert layout.repeat is not None
    assert layout.repeat.groups is not None
    assert layout.repeat.groups.first_rows == [0, 2]


def test_the_currency_in_front_of_amounts_is_a_column_beside_theirs():
    page = HandmadeMarks()
    rows = [["Quantity", "Description", "Unit price", "Discount"]] + [
        ["1", name, "", ""] for name in ("Tea", "Cups", "Tin")
    ]
    page.table(40, 200, [70, 200, 100, 100], rows)
    for row, price in enumerate(("55.00", "7.50", "10.00")):
        page.write(314, 226 + 20 * row, "IDR")
        page.write(405, 226 + 20 * row, price, right=True)

    layout = page.understood()
    assert rows_of(layout) == [["1", "Tea", "IDR", "55.00"], ["1", "Cups", "IDR", "7.50"], ["1", "Tin", "IDR", "10.00"]]
    assert layout.repeat is not None
    assert {slot.label for slot in layout.repeat.slots} == {"Quantity", "Description", "Currency", "Unit price"}


def test_net_pay_below_the_totals_of_a_payslip_is_no_row():
    page = HandmadeMarks()
    page.table(40, 205, [150, 90, 150, 90], [["Earnings", "Amount", "Deductions", "Amount"], ["", "", "", ""]])
    page.grids[0] = page.grids[0].model_copy(
        update={
            "rows": [205, 225, 325],
            "box": Box.between(40, 205, 520, 325),
            "cells": [
                cell if cell.row == 0 else cell.model_copy(update={"box": cell.box.model_copy(update={"height": 100})})
                for cell in page.grids[0].cells
            ],
        }
    )
    for y, texts in (
        (229, ("Basic Pay", "55000", "PF", "1800")),
        (247, ("Rent", "22000", "Income Tax", "8500")),
        (265, ("Leave", "4500", None, None)),
        (289, ("Total Earnings", "81500", "Total Deductions", "10300")),
        (307, (None, None, "Net Pay", "71200")),
    ):
        for x, text in zip((44, 194, 284, 434), texts, strict=True):
            if text:
                page.write(x, y, text)

    assert [row[0] for row in rows_of(page.understood())] == ["Basic Pay", "Rent", "Leave"]


def test_a_last_row_with_merged_empty_cells_is_a_row():
    page = HandmadeMarks()
    rows = [["Operaciones", "", "Repuestos", ""]]
    rows += [[f"Ajustar {part}", "X", part, ""] for part in ("Pistones", "Pernos", "Aros")]
    page.table(40, 200, [150, 50, 150, 60], [*rows, ["", "", "Axiales", ""]])
    grid = page.grids[0]
    last = [cell for cell in grid.cells if cell.row == 4]
    merged = last[0].model_copy(
        update={
            "column_span": 2,
            "box": Box.between(last[0].box.x, last[0].box.y, last[1].box.right, last[0].box.bottom),
        }
    )
    page.grids[0] = grid.model_copy(update={"cells": [*(cell for cell in grid.cells if cell not in last[:2]), merged]})

    assert rows_of(page.understood())[-1] == [None, None, "Axiales"]


def test_the_values_of_a_ruled_table_above_do_not_head_the_rows():
    page = HandmadeMarks()
    page.table(40, 173, [120, 120], [["Issued", "Ship via"], ["11/Jan/24", "BROWN"]], height=14)
    rows = [["Ordered", "Received", "", "Description", "Mark", "Length"]]
    rows += [["1", "", "", "W 8x10", f"34{n}B", f"{n}' 7\""] for n in range(1, 7)]
    page.table(40, 206, [60, 60, 40, 150, 80, 80], rows)

    layout = page.understood()
    assert layout.repeat is not None
    texts = {block.id: block.text for block in layout.blocks}
    assert {"11/Jan/24", "BROWN"}.isdisjoint(texts[name] for name in layout.repeat.header)


def test_a_description_that_goes_over_the_next_columns_is_one_text():
    page = HandmadeMarks()
    for x, text in ((50, "SKU"), (150, "Model"), (300, "Unit price"), (400, "Amount")):
        page.write(x, 200, text, bold=True)
    for y, number in ((220, "4"), (250, "5")):
        for x, text in ((50, f"LGD82{number}"), (150, f"D82{number}"), (300, "4.50"), (400, "9.00")):
            page.write(x, y, text)
    page.write(50, 232, "A telephone for the Smart")
    page.write(page.lines[-1].box.right + 3, 232, "Phone shelf")

    assert rows_of(page.understood()) == [
        ["LGD824\nA telephone for the Smart Phone shelf", "D824", "4.50", "9.00"],
        ["LGD825", "D825", "4.50", "9.00"],
    ]


def test_small_print_up_the_edge_of_the_page_is_no_column_and_a_sum_above_rows_is_no_heading():
    page = HandmadeMarks()
    for x, text in ((464, "€ HT"), (524, "€ TTC(*)")):
        page.write(x, 324, text, bold=True)
    for x, text in ((40, "Vos services de telecom"), (456, "10,83"), (524, "12,99")):
        page.write(x, 342, text, bold=True, size=11)
    for y, texts in (
        (362, ("Vos abonnements et options", "10,83", "12,99")),
        (375, ("Vos communications", "0,00", "0,00")),
    ):
        page.write(50, y, texts[0])
        page.write(483, y, texts[1], right=True)
        page.write(555, y, texts[2], right=True)
        page.write(584, y, "480")
        page.lines[-1] = page.lines[-1].model_copy(update={"box": Box(x=584, y=y, width=3.4, height=7)})

    layout = page.understood()
    assert rows_of(layout) == [
        ["Vos abonnements et options", "10,83", "12,99"],
        ["Vos communications", "0,00", "0,00"],
    ]
    assert layout.repeat is not None
    assert {slot.label for slot in layout.repeat.slots} == {None, "€ HT", "€ TTC(*)"}


def test_cells_that_several_rows_share_do_not_join_these_to_one_row():
    page = HandmadeMarks()
    rows = [["Item", "Size", "Quantity", "Weight", "Pallet"]]
    rows += [["Hex nut", f'{n}/8"-11', str(20 * n), str(n + 40), ""] for n in range(1, 13)]
    widths: list[float] = [100, 80, 80, 80, 60]
    page.table(40, 200, widths, rows)
    grid, left = page.grids[0], 40 + sum(widths[:-1])
    pallets = [(1, 1), (2, 2), (3, 3), (4, 8), (9, 10), (11, 12)]
    merged = [
        Cell(
            row=first,
            column=4,
            row_span=last - first + 1,
            box=Box.between(left, grid.rows[first], left + 60, grid.rows[last + 1]),
        )
        for first, last in pallets
    ]
    kept = [cell for cell in grid.cells if cell.column < 4 or cell.row == 0]
    page.grids[0] = grid.model_copy(update={"cells": [*kept, *merged]})
    for number, cell in enumerate(merged, 1):
        page.write(left + 20, cell.box.middle[1] - 4, f"{number}#")

    layout = page.understood()
    assert layout.repeat is not None and len(layout.repeat.tops) == 12
    ruled = RuledRows(layout.grids)
    candidates = [rows for rows in from_steps(layout.blocks) if not ruled.are_cut_by(rows)]
    assert 12 in [len(rows.tops) for rows in candidates]


def test_rows_below_a_header_that_alone_is_ruled_all_repeat():
    page = HandmadeMarks()
    page.table(30, 200, [40, 110, 170, 60, 70, 70], [["QTY", "SKU", "DESCRIPTION", "Arr.", "UNIT EX", "PRICE EX"]])
    y = 224
    items = (("60", 2), ("30", 2), ("20", 2), ("10", 3), ("15", 2))
    for number, (quantity, count) in enumerate(items):
        for x, text in ((48, quantity), (75, f"KVR16/{number}"), (415, "35.00"), (485, "2,100.00")):
            page.write(x, y, text)
        for line in range(count):
            page.write(184, y + 12 * line, f"Memory {number} part {line}")
        y += 12 * count

    assert [row[0] for row in rows_of(page.understood())] == ["60", "30", "20", "10", "15"]


def test_a_text_is_looked_up_once_in_a_ruled_table_however_many_rows_may_repeat(monkeypatch: pytest.MonkeyPatch):
    asked = list[str]()
    look_up = row_candidates._in_grid

    def counted(block: Block, grid: Grid) -> object:
        asked.append(block.id)
        return look_up(block, grid)

    monkeypatch.setattr(row_candidates, "_in_grid", counted)
    page = HandmadeMarks()
    page.table(40, 100, [100] * 4, [[f"Shelf {row}", str(row), "3.50", "12"] for row in range(12)])

    page.understood()

    assert asked and len(asked) <= 2 * len(set(asked))  # the blocks of a page are made twice at most
