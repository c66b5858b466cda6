"""An edited template is freed when the work is done."""

import gc
import weakref

import pytest

from bandsmith.shared.editing import Editor
from bandsmith.shared.edits import AnyEdit
from bandsmith.shared.edits.delete import Delete
from bandsmith.shared.edits.move_column import MoveColumn
from bandsmith.shared.edits.set_property import SetProperty
from tests.shared.edits.reports import slip


@pytest.mark.slow
@pytest.mark.parametrize(
    ("edit", "code"),
    [
        (SetProperty(element="heading", name="isBold", value="true"), "already"),
        (MoveColumn(field="item"), "already"),
        (Delete(element="missing"), "element"),
    ],
)
def test_an_editor_is_freed_after_refused_edits(edit: AnyEdit, code: str) -> None:
    editor = Editor(slip())
    assert editor.carry_out([edit, edit])[1].code == code
    known = weakref.ref(editor)

    del editor
    gc.collect()

    assert known() is None
