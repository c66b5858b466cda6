"""The data that a report is filled with, kept in step with the fields that edits rename and add."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime, timedelta

from ..edits import AnyEdit
from ..edits.add_column import AddColumn
from ..edits.add_picture import AddPicture
from ..edits.add_rows import AddRows
from ..edits.declare import Declare
from ..edits.delete_row import DeleteRow
from ..edits.rename_field import RenameField
from ..edits.set_parameters import SetParameters
from ..edits.set_value import SetValue
from ..fields.column_kinds import meaning
from ..fields.value_types import DECIMAL, INTEGER, LONG
from ..model.plan import Data

Value = str | int | float | bool | None
_FIRST = datetime(2026, 1, 1)


def in_step(data: Data, edits: Iterable[AnyEdit]) -> Data:
    """The data after edits that took effect: renamed keys, new rows, and the values of new columns."""
    parameters, rows = dict(data.parameters), [dict(row) for row in data.rows]
    for edit in edits:
        match edit:
            case RenameField(scope="parameter") if edit.name in parameters:
                parameters = {edit.to if key == edit.name else key: value for key, value in parameters.items()}
            case RenameField(scope="field"):
                rows = [{edit.to if key == edit.name else key: value for key, value in row.items()} for row in rows]
            case AddRows():
                rows = edit.added_to(rows)
            case SetValue() | DeleteRow():
                rows = edit.changed(rows)
            case SetParameters():
                parameters |= edit.values
            case AddPicture():
                parameters[edit.key] = edit.content
            case AddColumn() if edit.prints_the_field:
                for number, row in enumerate(rows):
                    row.setdefault(edit.field, None)
                    if number < len(edit.values):  # also over the samples of a field that was declared just before
                        row[edit.field] = edit.values[number]
            case Declare(scope="field"):
                for number, row in enumerate(rows, 1):
                    row.setdefault(edit.name, sample(edit.java_class, edit.name, number))
    return data.model_copy(update={"parameters": parameters, "rows": rows})


def sample(java_class: str, label: str, number: int) -> Value:
    """A value of a class, for the row of this number."""
    if java_class in (INTEGER, LONG):
        return number
    if java_class == DECIMAL and meaning(label).kind == "percent":
        return number * 0.05
    if java_class == DECIMAL or java_class.endswith(("Double", "Float")):
        return number * 10.0
    if java_class.endswith("Boolean"):
        return number % 2 == 1
    if java_class.startswith("java.util.Date") or java_class.startswith("java.sql."):
        return (_FIRST + timedelta(days=number - 1)).isoformat()
    return f"{label} {number}"
