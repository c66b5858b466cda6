"""What edits did is described in the language of the user."""

from bandsmith.shared.editing import Editor
from bandsmith.shared.editing.edit_summary import summarize
from bandsmith.shared.edits import AnyEdit
from bandsmith.shared.edits.add import Add
from bandsmith.shared.edits.add_group import AddGroup
from bandsmith.shared.edits.add_total import AddTotal
from bandsmith.shared.edits.delete_column import DeleteColumn
from bandsmith.shared.edits.highlight import Highlight
from bandsmith.shared.edits.set_page import SetPage
from bandsmith.shared.edits.set_property import SetProperty
from bandsmith.shared.edits.set_text import SetText
from tests.shared.edits.reports import orders, slip


def told(template: bytes, *edits: AnyEdit) -> tuple[str, str]:
    editor = Editor(template)
    outcomes = editor.carry_out(edits)
    return summarize(outcomes, "en", template), summarize(outcomes, "zh", template)


def test_edits_are_described_in_the_users_terms() -> None:
    english, chinese = told(slip(), DeleteColumn(field="price"), AddTotal(field="amount"))
    assert english == "Deleted the column Price; added the total of Amount."
    assert chinese == "已删除了「Price」列；添加了「Amount」合计。"


def test_edits_that_did_the_same_are_one_clause() -> None:
    edits = [SetProperty(element=name, name="fontSize", value="12") for name in ("h0", "h1", "h2", "h3", "signed")]
    english, chinese = told(slip(), *edits)
    assert english == "Set the font size of “Item”, “Qty”, “Price” and 2 more to 12."
    assert chinese == "已把「Item」、「Qty」、「Price」和另外 2 个的字号改为 12。"


def test_a_refused_edit_is_reported_with_its_reason() -> None:
    english, chinese = told(slip(), AddTotal(field="item"), SetText(element="heading", text="Slip"))
    assert (
        english
        == "Changed “Delivery slip” to “Slip”. Not done: item holds text, not numbers, so the total cannot be computed."
    )
    assert "item 是文本" in chinese
    assert told(slip(), DeleteColumn(field="colour"))[0].startswith("Nothing was changed: No column")


def test_every_larger_edit_has_a_description() -> None:
    edits = [
        AddGroup(field="customer"),
        Highlight(field="amount", comparison=">=", value="100"),
        SetPage(width=842, height=595),
        Add(key="n", band="pageFooter", text="Draft"),
    ]
    english, chinese = told(orders(), *edits)
    assert english == (
        "Grouped the rows by Customer; highlighted values with Amount ≥ 100 in red; "
        "made the page landscape, 842 x 595 points; added “Draft” to the page footer."
    )
    assert "按Customer分组" in chinese and "页脚" in chinese
