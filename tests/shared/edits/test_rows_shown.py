"""Which rows are printed, how they are filled up, and how groups are laid out on pages."""

from __future__ import annotations

import pytest

from bandsmith.services.validator.engine import ReportEngine
from bandsmith.shared.editing.sample_sync import in_step
from bandsmith.shared.edits import AnyEdit
from bandsmith.shared.edits.add_column import AddColumn
from bandsmith.shared.edits.add_group import AddGroup
from bandsmith.shared.edits.add_rows import AddRows
from bandsmith.shared.edits.add_total import AddTotal
from bandsmith.shared.edits.base import Row
from bandsmith.shared.edits.compute_column import ComputeColumn
from bandsmith.shared.edits.delete_column import DeleteColumn
from bandsmith.shared.edits.fill_rows import FillRows
from bandsmith.shared.edits.filter_rows import FilterRows
from bandsmith.shared.edits.limit_rows import LimitRows
from bandsmith.shared.edits.set_group import SetGroup
from bandsmith.shared.edits.show_all_rows import ShowAllRows
from bandsmith.shared.model.plan import Data

from .reports import ORDERS_ROWS, SLIP_ROWS, edited, orders, printed, refused, slip

STOCK = Data(
    rows=[
        {"item": name, "quantity": quantity, "price": 2.5, "amount": 100.0 * number}
        for number, (name, quantity) in enumerate(
            [("Lamp", 4), ("Board", 0), ("Paper", None), ("Rope", 12), ("Lamp oil", 0)], 1
        )
    ]
)


def items(engine: ReportEngine, template: bytes, data: Data = STOCK) -> list[str]:
    return [one.text or "" for one in engine.print(template, data, pages=0).elements if one.key == "c0"]


@pytest.mark.parametrize(
    ("edits", "shown"),
    [
        ([FilterRows(field="quantity", comparison=">", value="3")], ["Lamp", "Rope"]),
        ([FilterRows(field="quantity", comparison="==", value="0", hide=True)], ["Lamp", "Paper", "Rope"]),
        ([FilterRows(field="quantity", comparison="empty", hide=True)], ["Lamp", "Board", "Rope", "Lamp oil"]),
        ([FilterRows(field="item", comparison="contains", value="Lamp")], ["Lamp", "Lamp oil"]),
        ([FilterRows(field="item", comparison="!=", value="Rope")], ["Lamp", "Board", "Paper", "Lamp oil"]),
        (
            [
                FilterRows(field="amount", comparison=">=", value="200"),
                FilterRows(field="quantity", comparison="==", value="0", hide=True),
                LimitRows(count=1, field="amount"),
            ],
            ["Rope"],
        ),
        ([LimitRows(count=2, field="amount")], ["Lamp oil", "Rope"]),
        ([LimitRows(count=2, field="amount", descending=False)], ["Lamp", "Board"]),
        ([LimitRows(count=4), LimitRows(count=3), FilterRows(field="amount", comparison=">", value="150")],
         ["Board", "Paper", "Rope"]),
        ([LimitRows(count=2), ShowAllRows()], ["Lamp", "Board", "Paper", "Rope", "Lamp oil"]),
        (
            [
                ComputeColumn(field="amount", formula="quantity * price"),
                FilterRows(field="amount", comparison=">", value="10"),
            ],
            ["Rope"],
        ),
    ],
)  # fmt: skip
def test_only_the_wanted_rows_are_printed(engine: ReportEngine, edits: list[AnyEdit], shown: list[str]) -> None:
    assert items(engine, edited(slip(), *edits).bytes()) == shown


def test_totals_count_only_what_is_printed(engine: ReportEngine) -> None:
    editor = edited(
        slip(), AddTotal(field="amount"), FilterRows(field="quantity", comparison=">", value="0"),
        LimitRows(count=1, field="amount"),
    )  # fmt: skip
    texts = printed(engine, editor.bytes(), STOCK)
    assert texts[texts.index("Total") + 1] == "400.00"


def blank_rows(engine: ReportEngine, template: bytes, data: Data) -> int:
    return sum((one.key or "").startswith("blank_c0") for one in engine.print(template, data, pages=0).elements)


@pytest.mark.parametrize(("rows", "blank"), [(0, 10), (3, 7), (9, 1), (10, 0), (12, 0)])
def test_blank_rows_fill_up_to_a_number(engine: ReportEngine, rows: int, blank: int) -> None:
    editor = edited(slip(), AddTotal(field="amount"), FillRows(count=10))
    data = Data(rows=[{"item": f"Item {n}", "quantity": 1, "price": 1, "amount": 2} for n in range(rows)])
    # Without rows the engine is given one that is empty.
    assert blank_rows(engine, editor.bytes(), data) == (blank if rows else 9)
    total = next(one for one in engine.print(editor.bytes(), data, pages=0).elements if one.key == "amount_sum")
    assert total.box.y == 20 + 60 + 20 + 20 * max(rows, 10)


def test_blank_rows_reach_the_bottom_of_the_page(engine: ReportEngine) -> None:
    template = edited(slip(), FillRows()).bytes()
    for rows in (1, 20, 33):
        data = Data(rows=[{"item": f"Item {n}", "quantity": 1, "price": 1, "amount": 2} for n in range(rows)])
        printout = engine.print(template, data, pages=0)
        assert printout.pages == 1
        signed = next(one for one in printout.elements if one.key == "signed")
        assert 842 - 20 - 50 - 20 < signed.box.y - 20 <= 842 - 20 - 50


def test_blank_rows_follow_the_columns_and_can_be_removed(engine: ReportEngine) -> None:
    editor = edited(
        slip(),
        FillRows(count=5),
        AddColumn(field="note", label="Note"),
        DeleteColumn(field="price"),
        AddTotal(field="amount"),
    )
    printout = engine.print(editor.bytes(), SLIP_ROWS, pages=0)
    last = max(one.box.y for one in printout.elements if one.key and one.key.startswith("blank_"))
    below = [(one.box.x, one.box.width) for one in printout.elements if one.box.y == last]
    row = {(one.box.x, one.box.width) for one in printout.elements if one.key in ("c0", "c1", "c3", "note")}
    assert sorted(below) == sorted(row)
    assert b"blank_rows" not in edited(editor.bytes(), FillRows(count=0)).bytes()


def test_blank_rows_come_after_the_last_group(engine: ReportEngine) -> None:
    editor = edited(orders(), FillRows(count=6), AddGroup(field="customer"))
    texts = printed(engine, editor.bytes(), ORDERS_ROWS)
    assert texts[-2:] == ["400.00", "Page 1"]


def test_each_group_begins_a_new_page(engine: ReportEngine) -> None:
    assert engine.print(orders(), ORDERS_ROWS, pages=0).pages == 1
    editor = edited(orders(), SetGroup(field="region", new_page=True))
    assert engine.print(editor.bytes(), ORDERS_ROWS, pages=0).pages == 2
    assert (
        engine.print(
            edited(editor.bytes(), SetGroup(field="Region", new_page=False)).bytes(), ORDERS_ROWS, pages=0
        ).pages
        == 1
    )


def test_a_group_that_does_not_fit_begins_on_the_next_page(engine: ReportEngine) -> None:
    rows: list[Row] = [{"region": f"R{n // 20}", "customer": f"C{n}", "quantity": 1, "amount": 1} for n in range(40)]
    data = Data(rows=rows)
    together = edited(orders(), SetGroup(field="region", keep_together=True)).bytes()
    printouts = [engine.print(template, data, pages=0) for template in (orders(), together)]
    on_first = [sum(one.text == "Region R1" for one in printout.elements) for printout in printouts]
    assert on_first == [1, 0]


def test_new_rows_are_printed_and_totalled(engine: ReportEngine) -> None:
    edit = AddRows(rows=[{"item": "Hammer", "quantity": 3, "amount": 37.5}])
    editor = edited(slip(), AddTotal(field="amount"), edit)
    texts = printed(engine, editor.bytes(), in_step(SLIP_ROWS, [edit]))
    assert "Hammer" in texts and texts[texts.index("Total") + 1] == "1,390.00"
    alone = AddRows(rows=[{"item": "Hammer", "amount": 37.5}], replace=True)
    assert in_step(SLIP_ROWS, [alone]).rows == [{"item": "Hammer", "quantity": None, "price": None, "amount": 37.5}]


@pytest.mark.parametrize(
    ("template", "edit", "code"),
    [
        (slip(), FilterRows(field="colour", comparison=">", value="3"), "field"),
        (slip(), FilterRows(field="item", comparison=">", value="3"), "class"),
        (slip(), ShowAllRows(), "already"),
        (slip(), LimitRows(count=0), "value"),
        (orders(), LimitRows(count=3, field="amount"), "group"),
        (slip(), FillRows(count=1000), "value"),
        (orders(), FillRows(), "group"),
        (slip(), SetGroup(field="item", new_page=True), "group"),
        (orders(), SetGroup(field="region", new_page=False), "already"),
        (slip(), AddRows(rows=[{"colour": "red"}]), "field"),
        (slip(), AddRows(rows=[]), "value"),
    ],
)
def test_what_cannot_be_done_is_refused(template: bytes, edit: AnyEdit, code: str) -> None:
    assert refused(template, edit).code == code
