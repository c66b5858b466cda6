"""One row of the data is deleted, and only where one row is named."""

from __future__ import annotations

import pytest

from bandsmith.services.validator.engine import ReportEngine
from bandsmith.shared.editing import Editor
from bandsmith.shared.editing.row_checks import checked_rows
from bandsmith.shared.editing.sample_sync import in_step
from bandsmith.shared.edits.delete_row import DeleteRow

from .reports import printed, slip
from .test_rows_shown import SLIP_ROWS


def test_the_row_is_printed_no_more_and_all_others_are(engine: ReportEngine) -> None:
    item = SLIP_ROWS.rows[1]["item"]
    rest = in_step(SLIP_ROWS, [DeleteRow(where={"item": item})])
    assert rest == in_step(SLIP_ROWS, [DeleteRow(row=2)])
    assert rest.rows == [SLIP_ROWS.rows[0], *SLIP_ROWS.rows[2:]]
    assert item not in printed(engine, slip(), rest)


@pytest.mark.parametrize(
    ("edit", "reason"),
    [
        (DeleteRow(row=99), "There is no row 99"),
        (DeleteRow(where={"item": "Anvil"}), "No row of the data"),
        (DeleteRow(), "Which row"),
        (DeleteRow(where={"colour": "red"}), "colour"),
    ],
)
def test_what_names_no_row_is_refused(edit: DeleteRow, reason: str) -> None:
    [outcome] = checked_rows(SLIP_ROWS, Editor(slip()).carry_out([edit]))
    assert not outcome.changed and outcome.reason is not None
    assert reason in outcome.reason.en
