"""The values that a user gives a column are printed, however its field came to be."""

from __future__ import annotations

import pytest

from bandsmith.services.validator.engine import ReportEngine
from bandsmith.shared.editing.sample_sync import in_step
from bandsmith.shared.edits import AnyEdit
from bandsmith.shared.edits.add_column import AddColumn
from bandsmith.shared.edits.compute_column import ComputeColumn
from bandsmith.shared.edits.declare import Declare
from bandsmith.shared.edits.replace_band import ReplaceBand

from .reports import SLIP_ROWS, edited, refused, slip

STOCK = AddColumn(field="stock", label="Stock", java_class="java.lang.Integer", values=[200, 100, 500])
DECLARED = Declare(scope="field", name="stock", java_class="java.lang.Integer")
ROW_OF_STOCK = ReplaceBand(
    band="detail",
    xml='<band height="20"><textField><reportElement key="stock" x="0" y="0" width="90" height="20"/>'
    "<textFieldExpression>$F{stock}</textFieldExpression></textField></band>",
)


@pytest.mark.parametrize(
    "edits",
    [
        [STOCK],
        [DECLARED, STOCK],
        [DECLARED, ROW_OF_STOCK, STOCK],
        [STOCK.model_copy(update={"expression": "$F{stock}"})],
    ],
    ids=["a new field", "a declared field", "a column that is there", "the field as an expression"],
)
def test_the_values_of_a_column_are_printed(engine: ReportEngine, edits: list[AnyEdit]) -> None:
    template = edited(slip(), *edits).bytes()
    printout = engine.print(template, in_step(SLIP_ROWS, edits), pages=0)
    assert [one.text for one in printout.elements if one.key == "stock"] == ["200", "100", "500"]


def test_values_of_rows_that_are_not_named_stay() -> None:
    edit = AddColumn(field="quantity", label="Qty", values=[7])
    edited(slip(), edit)
    assert [row["quantity"] for row in in_step(SLIP_ROWS, [edit]).rows] == [7, 10, None]


def test_a_computed_column_has_no_values_of_its_own() -> None:
    assert refused(slip(), AddColumn(field="vat", label="VAT", formula="amount * 0.1", values=[1, 2])).code == "value"
    computed = edited(slip(), ComputeColumn(field="amount", formula="quantity * price")).bytes()
    assert refused(computed, AddColumn(field="amount", label="Amount", values=[1, 2])).code == "already"
