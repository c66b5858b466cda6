"""Values in one row of the data are changed, and what is computed of them follows."""

from __future__ import annotations

from typing import Any

import pytest

from bandsmith.services.validator.engine import ReportEngine
from bandsmith.shared.editing import Editor
from bandsmith.shared.editing.edit_summary import summarize
from bandsmith.shared.editing.row_checks import checked_rows
from bandsmith.shared.editing.sample_sync import in_step
from bandsmith.shared.edits import AnyEdit
from bandsmith.shared.edits.add_rows import AddRows
from bandsmith.shared.edits.add_total import AddTotal
from bandsmith.shared.edits.compute_column import ComputeColumn
from bandsmith.shared.edits.set_value import SetValue
from bandsmith.shared.jrxml.refusals import EditRefused

from .reports import edited, printed, slip
from .test_rows_shown import SLIP_ROWS


def refusal(*edits: AnyEdit) -> tuple[str | None, str]:
    """Return why the last edit is refused."""
    outcome = checked_rows(SLIP_ROWS, Editor(slip()).carry_out(edits))[-1]
    assert not outcome.changed and outcome.reason is not None
    return outcome.code, outcome.reason.en


def test_a_price_is_changed_and_the_computed_column_and_its_total_follow(engine: ReportEngine) -> None:
    computed = edited(slip(), ComputeColumn(field="amount", formula="quantity * price"), AddTotal(field="amount"))
    first = SLIP_ROWS.rows[0]
    before = printed(engine, computed.bytes(), SLIP_ROWS)
    edit = SetValue(values={"price": "19.2", "quantity": 10}, where={"item": first["item"]})
    after = printed(engine, edited(computed.bytes(), edit).bytes(), in_step(SLIP_ROWS, [edit]))
    assert {"19.20", "192.00"} <= set(after) - set(before)
    assert before[before.index("Total") + 1] != after[after.index("Total") + 1]


@pytest.mark.parametrize("where", [{"row": 2}, {"where": {"item": "  NAILS "}}, {"where": {"quantity": "100.0"}}])
def test_a_row_is_named_by_its_number_or_by_a_value(where: dict[str, Any]) -> None:
    data = SLIP_ROWS.model_copy(update={"rows": [{"item": "Saw", "quantity": 5}, {"item": "Nails", "quantity": 100}]})
    rows = in_step(data, [SetValue(values={"quantity": "7"}, **where)]).rows
    assert rows == [{"item": "Saw", "quantity": 5}, {"item": "Nails", "quantity": 7}]


@pytest.mark.parametrize("value", ["9:30", "09:30:00", "1970-01-01T09:30:00"])
def test_a_time_of_day_is_set_where_the_column_has_times(value: str) -> None:
    rows: list[dict[str, str | int | float | bool | None]] = [
        {"day": "Monday", "start": "1970-01-01T08:00:00"}, {"day": "Tuesday", "start": "1970-01-01T08:30:00"},
    ]  # fmt: skip
    edit = SetValue(values={"start": value}, where={"day": "Tuesday"})
    edit.check_rows(rows)
    assert edit.changed(rows)[1]["start"] == "1970-01-01T09:30:00"


def test_a_time_of_day_in_a_new_row_is_one_of_its_column() -> None:
    monday: dict[str, str | int | float | bool | None] = {"day": "Monday", "start": "1970-01-01T08:00:00", "hours": 8.0}
    rows = AddRows(rows=[{"day": "Saturday", "start": "9:00", "hours": "3"}]).added_to([monday])
    assert rows == [monday, {"day": "Saturday", "start": "1970-01-01T09:00:00", "hours": 3}]


def test_a_new_row_does_not_lose_a_value_that_its_column_cannot_have() -> None:
    outcomes = Editor(slip()).carry_out([AddRows(rows=[{"item": "Hammer", "quantity": "a few"}])])
    assert outcomes[0].code == "value"


def test_a_date_of_1970_is_a_date_as_well() -> None:
    rows: list[dict[str, str | int | float | bool | None]] = [{"born": "1970-01-01T00:00:00"}]
    with pytest.raises(EditRefused):
        SetValue(values={"born": "1970-01-01"}, row=1).check_rows(rows)
    with pytest.raises(EditRefused):
        SetValue(values={"born": "9:30"}, row=1).check_rows(rows)


def test_a_time_of_day_is_no_date() -> None:
    with pytest.raises(EditRefused):
        SetValue(values={"due": "9:30"}, row=1).check_rows([{"due": "2026-05-01T00:00:00"}])


def test_a_row_that_was_just_added_can_be_changed() -> None:
    edits = [AddRows(rows=[{"item": "Hammer", "price": 3}]), SetValue(values={"price": 4}, where={"item": "Hammer"})]
    outcomes = checked_rows(SLIP_ROWS, Editor(slip()).carry_out(edits))
    assert all(outcome.changed for outcome in outcomes)
    assert in_step(SLIP_ROWS, edits).rows[-1]["price"] == 4


@pytest.mark.parametrize(
    ("edit", "code", "reason"),
    [
        (SetValue(values={"price": 4}, where={"item": "Hammer"}), "value", "No row of the data has the value Hammer."),
        (SetValue(values={"price": 4}, row=9), "value", "There is no row 9: the data has 3."),
        (SetValue(values={"price": "dear"}, row=1), "value", "“dear” is not a valid value for Price."),
        (SetValue(values={"quantity": 2.5}, row=1), "value", "“2.5” is not a valid value for Qty."),
        (SetValue(values={"colour": "red"}, row=1), "field", "There is no field colour."),
        (SetValue(values={"price": 4}), "value", "A new value needs a field and a row."),
    ],
)
def test_what_cannot_be_changed_is_refused(edit: SetValue, code: str, reason: str) -> None:
    assert refusal(edit) == (code, reason)


def test_several_rows_with_the_value_are_not_guessed_between() -> None:
    twice = AddRows(rows=[{"item": SLIP_ROWS.rows[0]["item"]}])
    code, reason = refusal(twice, SetValue(values={"price": 4}, where={"item": SLIP_ROWS.rows[0]["item"]}))
    assert code == "value" and "2 rows of the data have the value" in reason


def test_a_computed_column_has_no_values_of_its_own() -> None:
    computed = ComputeColumn(field="amount", formula="quantity * price")
    assert refusal(computed, SetValue(values={"amount": 4}, row=1)) == (
        "field",
        "Amount is computed from other columns; change one of those.",
    )


def test_a_value_that_is_there_already_is_no_change() -> None:
    first = SLIP_ROWS.rows[0]
    assert refusal(SetValue(values={"price": str(first["price"])}, row=1))[0] == "already"


def test_the_change_is_described_in_both_languages() -> None:
    item = SLIP_ROWS.rows[0]["item"]
    outcomes = Editor(slip()).carry_out([
        SetValue(values={"price": 4, "quantity": 3}, where={"item": item}), SetValue(values={"price": 5}, row=2)
    ])  # fmt: skip
    assert summarize(outcomes, "en", slip()) == (
        f"Changed Price to 4 and Qty to 3 in the row of {item}; changed Price to 5 in row 2."
    )
    assert (
        summarize(outcomes, "zh", slip()) == f"已把“{item}”那一行的Price改为“4”和Qty改为“3”；把第 2 行的Price改为“5”。"
    )
