"""Computed columns: what is printed is the formula of each row, and totals, order and conditions follow."""

from __future__ import annotations

from decimal import Decimal

import pytest

from bandsmith.services.validator.engine import ReportEngine
from bandsmith.shared.edits import AnyEdit
from bandsmith.shared.edits.add_column import AddColumn
from bandsmith.shared.edits.add_running_total import AddRunningTotal
from bandsmith.shared.edits.add_share import AddShare
from bandsmith.shared.edits.add_total import AddTotal
from bandsmith.shared.edits.compute_column import ComputeColumn
from bandsmith.shared.edits.highlight import Highlight
from bandsmith.shared.edits.sort_by import SortBy
from bandsmith.shared.model.plan import Data

from .reports import ORDERS_ROWS, SLIP_ROWS, edited, orders, refused, slip

ROWS = [("Lamp", 4, "12.5"), ("Board", 10, "130.25"), ("Paper", None, "3"), ("Rope", 7, None)]
DATA = Data(
    parameters={"customer": "Mill & Co"},
    rows=[{"item": name, "quantity": n, "price": p, "amount": 1.0} for name, n, p in ROWS],
)
PRODUCTS = [Decimal(n) * Decimal(p) for _, n, p in ROWS if n and p]


def money(amount: Decimal) -> str:
    return f"{amount:,.2f}"


def cells(engine: ReportEngine, template: bytes, *keys: str, data: Data = DATA) -> list[list[str]]:
    """The texts of elements with these keys, row by row; empty where nothing is printed."""
    printout = engine.print(template, data, pages=0)
    found = {key: [one.text or "" for one in printout.elements if one.key == key] for key in keys}
    return [list(row) for row in zip(*found.values(), strict=True)]


def test_an_existing_column_is_computed_and_its_total_follows(engine: ReportEngine) -> None:
    editor = edited(slip(), AddTotal(field="amount"), ComputeColumn(field="amount", formula="quantity * price"))
    assert cells(engine, editor.bytes(), "c3") == [[money(PRODUCTS[0])], [money(PRODUCTS[1])], [""], [""]]
    assert cells(engine, editor.bytes(), "amount_sum") == [[money(sum(PRODUCTS, Decimal()))]]


def test_order_and_highlights_follow_a_computed_column(engine: ReportEngine) -> None:
    editor = edited(
        slip(),
        SortBy(field="amount", descending=True),
        Highlight(field="amount", comparison=">", value="100"),
        ComputeColumn(field="amount", formula="quantity * price"),
    )
    assert [row[0] for row in cells(engine, editor.bytes(), "c0")][:2] == ["Board", "Lamp"]
    assert "$V{amount} != null" in editor.bytes().decode()


def test_a_column_is_computed_from_its_own_values(engine: ReportEngine) -> None:
    editor = edited(slip(), ComputeColumn(field="price", formula="price + 19%"), AddTotal(field="price_computed"))
    wanted = [Decimal(p) * Decimal("1.19") if p else None for _, _, p in ROWS]
    assert cells(engine, editor.bytes(), "c2") == [[money(one) if one else ""] for one in wanted]
    total = sum((one for one in wanted if one), Decimal())
    assert cells(engine, editor.bytes(), "price_computed_sum") == [[money(total)]]


def test_a_new_column_is_computed_and_missing_summands_count_as_nothing(engine: ReportEngine) -> None:
    editor = edited(slip(), AddColumn(field="both", label="Both", formula="quantity + price"), AddTotal(field="both"))
    wanted = [Decimal(n or 0) + Decimal(p or 0) for _, n, p in ROWS]
    assert cells(engine, editor.bytes(), "both") == [[money(one)] for one in wanted]
    assert cells(engine, editor.bytes(), "both_sum") == [[money(sum(wanted, Decimal()))]]


@pytest.mark.parametrize(
    ("formula", "value"),
    [
        ("(price - 2.5) * -quantity", Decimal("-40.00")),
        ("price / quantity / 3", Decimal("1.04")),
        ("price × quantity - 10%", Decimal("45.00")),
        ("price * 19%", Decimal("2.38")),
        ('"price" ÷ $F{quantity} * 1000', Decimal("3125.00")),
    ],
)
def test_a_formula_computes_what_it_says(engine: ReportEngine, formula: str, value: Decimal) -> None:
    editor = edited(slip(), AddColumn(field="result", label="Result", formula=formula))
    assert cells(engine, editor.bytes(), "result", data=SLIP_ROWS)[0] == [money(value)]


def test_a_quotient_by_zero_prints_nothing(engine: ReportEngine) -> None:
    data = Data(rows=[{"item": "Lamp", "quantity": 0, "price": 5, "amount": 1}])
    editor = edited(slip(), AddColumn(field="each", label="Each", formula="price / quantity"))
    assert cells(engine, editor.bytes(), "each", data=data) == [[""]]


def test_digits_are_not_lost(engine: ReportEngine) -> None:
    data = Data(rows=[{"item": "Lamp", "quantity": 1, "price": "90071992547409.93", "amount": 1}])
    editor = edited(slip(), ComputeColumn(field="amount", formula="quantity * price"))
    assert cells(engine, editor.bytes(), "c3", data=data) == [["90,071,992,547,409.93"]]


def test_a_computed_column_is_computed_again(engine: ReportEngine) -> None:
    editor = edited(
        slip(),
        ComputeColumn(field="amount", formula="quantity * price"),
        AddTotal(field="amount"),
        ComputeColumn(field="amount", formula="quantity * price * 2"),
    )
    assert cells(engine, editor.bytes(), "amount_sum") == [[money(2 * sum(PRODUCTS, Decimal()))]]


def test_running_totals_add_up_row_by_row(engine: ReportEngine) -> None:
    editor = edited(orders(), AddRunningTotal(field="amount"), AddRunningTotal(field="amount", group="region"))
    rows = cells(engine, editor.bytes(), "amount_sum", "of_region", data=ORDERS_ROWS)
    assert rows == [["100.50", "100.50"], ["150.00", "150.00"], ["550.00", "400.00"]]


def test_a_running_total_goes_on_where_a_value_is_missing(engine: ReportEngine) -> None:
    editor = edited(slip(), AddRunningTotal(field="quantity", after="quantity", label="So far"))
    assert cells(engine, editor.bytes(), "quantity_sum") == [["4"], ["14"], ["14"], ["21"]]


def test_shares_are_parts_of_the_total_at_the_end(engine: ReportEngine) -> None:
    editor = edited(orders(), AddShare(field="amount"), AddShare(field="amount", group="region", label="Of region"))
    rows = cells(engine, editor.bytes(), "amount_sum_share", "of_region_share", data=ORDERS_ROWS)
    assert rows == [["18.3%", "67.0%"], ["9.0%", "33.0%"], ["72.7%", "100.0%"]]


def test_shares_of_a_computed_column_are_those_of_each_row(engine: ReportEngine) -> None:
    computed = ComputeColumn(field="amount", formula="quantity * price")
    editor = edited(slip(), computed, AddShare(field="amount", label="Share"))
    total = sum(PRODUCTS)
    shares = [[f"{100 * product / total:.1f}%"] for product in PRODUCTS]
    assert [row for row in cells(engine, editor.bytes(), "amount_sum_share") if row != [""]] == shares


@pytest.mark.parametrize(
    ("edit", "code"),
    [
        (ComputeColumn(field="amount", formula="quantity * colour"), "field"),
        (ComputeColumn(field="amount", formula="quantity * item"), "class"),
        (ComputeColumn(field="amount", formula="quantity *"), "value"),
        (ComputeColumn(field="amount", formula="12 * 3"), "value"),
        (ComputeColumn(field="amount", formula="quantity; price"), "value"),
        (ComputeColumn(field="amount", formula="(" * 50 + "price" + ")" * 50), "value"),
        (ComputeColumn(field="colour", formula="quantity * price"), "column"),
        (AddShare(field="item"), "class"),
        (AddRunningTotal(field="item"), "class"),
        (AddRunningTotal(field="amount", group="item"), "group"),
    ],
)
def test_what_cannot_be_computed_is_refused(edit: AnyEdit, code: str) -> None:
    assert refused(slip(), edit).code == code
