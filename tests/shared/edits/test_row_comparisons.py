"""Rows are highlighted and filtered by comparing their values with constants and with each other."""

from __future__ import annotations

import pytest

from bandsmith.services.validator.engine import ReportEngine
from bandsmith.shared.editing.edit_summary import summarize
from bandsmith.shared.editing.outcome import EditOutcome
from bandsmith.shared.edits import AnyEdit
from bandsmith.shared.edits.compute_column import ComputeColumn
from bandsmith.shared.edits.declare import Declare
from bandsmith.shared.edits.filter_rows import FilterRows
from bandsmith.shared.edits.highlight import Highlight
from bandsmith.shared.model.plan import Data

from .printed import colours, inside
from .reports import edited, refused, slip

DECLARED: list[AnyEdit] = [
    Declare(scope="field", name="least", java_class="java.lang.Long"),
    Declare(scope="field", name="from", java_class="java.util.Date"),
    Declare(scope="field", name="until", java_class="java.sql.Timestamp"),
    Declare(scope="field", name="paid", java_class="java.lang.Boolean"),
    Declare(scope="field", name="place", java_class="java.lang.String"),
]
NAMES = ("item", "quantity", "amount", "least", "from", "until", "paid", "place")
DATA = Data(
    rows=[
        dict(zip(NAMES, row, strict=True))
        for row in [
            ("Lamp", 4, 8.0, 9, "2026-05-01T08:00:00", "2026-05-01T17:00:00", True, "Lamp"),
            ("Board", 9, 18.0, 9, "2026-05-02T09:30:00", "2026-05-01T17:00:00", False, "Shelf"),
            ("Paper", None, 1.0, 9, None, None, None, None),
            ("Rope", 12, 2.0, 9, "2026-05-03T10:00:00", "2026-05-04T00:00:00", True, "Cellar"),
        ]
    ]
)


def items(engine: ReportEngine, *edits: AnyEdit) -> list[str]:
    template = edited(slip(), *DECLARED, *edits).bytes()
    return [one.text or "" for one in engine.print(template, DATA, pages=0).elements if one.key == "c0"]


@pytest.mark.parametrize(
    ("edit", "shown"),
    [
        (FilterRows(field="quantity", comparison="<", other="least"), ["Lamp"]),
        (FilterRows(field="quantity", comparison=">=", other="least"), ["Board", "Rope"]),
        (FilterRows(field="quantity", comparison=">", other="amount"), ["Rope"]),
        (FilterRows(field="quantity", comparison="<", other="least", hide=True), ["Board", "Paper", "Rope"]),
        (FilterRows(field="quantity", comparison="<", value="least"), ["Lamp"]),
        (FilterRows(field="quantity", comparison="<", value="$F{least}"), ["Lamp"]),
        (FilterRows(field="from", comparison="<", other="until"), ["Lamp", "Rope"]),
        (FilterRows(field="from", comparison=">=", value="09:30"), ["Board", "Rope"]),
        (FilterRows(field="from", comparison="<", value="2026-05-02 9:30"), ["Lamp"]),
        (FilterRows(field="from", comparison=">", value="2026-05-02"), ["Board", "Rope"]),
        (FilterRows(field="paid", comparison="==", value="true"), ["Lamp", "Rope"]),
        (FilterRows(field="paid", comparison="!=", value="是"), ["Board"]),
        (FilterRows(field="item", comparison="==", other="place"), ["Lamp"]),
        (FilterRows(field="item", comparison="!=", other="place"), ["Board", "Rope"]),
    ],
)
def test_rows_are_chosen_by_a_comparison(engine: ReportEngine, edit: FilterRows, shown: list[str]) -> None:
    assert items(engine, edit) == shown


def test_a_computed_column_is_compared_with_a_field(engine: ReportEngine) -> None:
    computed = ComputeColumn(field="amount", formula="quantity * 2")
    assert items(engine, computed, FilterRows(field="amount", comparison=">", other="least")) == ["Board", "Rope"]


def test_the_row_below_its_limit_is_painted(engine: ReportEngine) -> None:
    edit = Highlight(field="quantity", comparison="<", other="least", colour="#FFFF00", row=True)
    printout = engine.print(edited(slip(), *DECLARED, edit).bytes(), DATA)
    rows = [one.box for one in printout.elements if one.key == "c0"]
    corner = [inside(colours(printout), box)[1, -2].tolist() for box in rows]  # beside the text
    assert corner == [[0, 255, 255], *[[255, 255, 255]] * 3]


def test_what_is_compared_is_said_by_its_heading() -> None:
    edit = Highlight(field="quantity", comparison="<", other="amount", colour="#FFFF00", row=True)
    assert summarize([EditOutcome(edit, True)], "en", slip()) == "Highlighted rows with Qty < Amount in yellow."
    assert "Qty < Amount" in summarize([EditOutcome(edit, True)], "zh", slip())


@pytest.mark.parametrize(
    ("edit", "code"),
    [
        (FilterRows(field="quantity", comparison="<", other="colour"), "field"),
        (FilterRows(field="quantity", comparison="<", other="item"), "class"),
        (FilterRows(field="quantity", comparison="<", value="item"), "class"),
        (FilterRows(field="item", comparison="<", other="item"), "class"),
        (Highlight(field="quantity", comparison="<", value="08:30"), "class"),
    ],
)
def test_values_of_different_kinds_are_not_compared(edit: AnyEdit, code: str) -> None:
    assert refused(slip(), edit).code == code
