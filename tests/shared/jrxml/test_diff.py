"""The differences of two templates are described in words, larger things first."""

from bandsmith.shared.editing import Editor
from bandsmith.shared.edits.add_total import AddTotal
from bandsmith.shared.edits.delete_column import DeleteColumn
from bandsmith.shared.edits.set_page import SetPage
from bandsmith.shared.edits.set_text import SetText
from bandsmith.shared.jrxml.diff import diff
from tests.shared.edits.reports import orders, slip


def test_the_diff_names_columns_totals_and_texts() -> None:
    editor = Editor(slip())
    editor.carry_out([DeleteColumn(field="price"), AddTotal(field="amount"), SetText(element="heading", text="Slip")])
    changes = diff(slip(), editor.bytes())
    said = [change.message for change in changes]
    assert said[0] == "column Price deleted"
    assert "variable amount_sum added" in said
    assert "Delivery slip → Slip" in said
    assert [change.element for change in changes if change.kind == "deleted"] == ["h2", "c2"]
    assert all(change.message_zh for change in changes)


def test_equal_templates_have_no_differences() -> None:
    assert diff(slip(), Editor(slip()).bytes()) == []
    assert diff(orders(), Editor(orders()).bytes()) == []


def test_many_changes_of_one_kind_are_counted() -> None:
    editor = Editor(slip())
    editor.carry_out([SetPage(width=842, height=595)])
    said = [change.message for change in diff(slip(), editor.bytes())]
    assert "the page's width: 595 → 842" in said
    assert any("elements resized" in one or "elements moved" in one for one in said)
