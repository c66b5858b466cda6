"""An element that vanished though no edit names it is found out."""

import pytest

from bandsmith.shared.editing import Editor
from bandsmith.shared.editing.data_loss_guard import lost_elements
from bandsmith.shared.edits import AnyEdit
from bandsmith.shared.edits.add_total import AddTotal
from bandsmith.shared.edits.delete import Delete
from bandsmith.shared.edits.delete_column import DeleteColumn
from bandsmith.shared.edits.move_column import MoveColumn
from bandsmith.shared.edits.rename_field import RenameField
from bandsmith.shared.edits.replace_band import ReplaceBand
from bandsmith.shared.edits.set_text import SetText
from tests.shared.edits.reports import orders, slip


@pytest.mark.parametrize(
    ("template", "edits"),
    [
        (slip(), [Delete(element="line")]),
        (slip(), [DeleteColumn(field="price"), AddTotal(field="amount"), AddTotal(field="quantity")]),
        (orders(), [RenameField(scope="field", name="amount", to="sum"), DeleteColumn(field="sum")]),
        (orders(), [MoveColumn(field="amount"), SetText(element="title.1", text="Other")]),
        (slip(), [ReplaceBand(band="title", xml="<band height='5'/>")]),
    ],
)
def test_elements_that_edits_name_are_not_lost(template: bytes, edits: list[AnyEdit]) -> None:
    editor = Editor(template)
    assert all(outcome.changed for outcome in editor.carry_out(edits))
    assert lost_elements(template, editor.bytes(), edits) == []


def test_elements_that_no_edit_names_are_lost() -> None:
    editor = Editor(slip())
    editor.apply([Delete(element="line"), DeleteColumn(field="price")])
    assert lost_elements(slip(), editor.bytes(), [Delete(element="line")]) == ["h2", "c2"]
    assert lost_elements(slip(), editor.bytes(), [DeleteColumn(field="price")]) == ["line"]


def test_elements_without_keys_are_identified_by_content() -> None:
    editor = Editor(orders())
    editor.apply([Delete(element="title.2")])
    assert lost_elements(orders(), editor.bytes(), []) == ["title.2"]
