"""What edits did is described in the language of the user."""

import re

import pytest

from bandsmith.services.planner.outcome.changed_elements import ElementNames
from bandsmith.services.planner.outcome.changed_looks import changed_looks
from bandsmith.services.planner.outcome.printed_page import PrintedDraft
from bandsmith.shared.editing import Editor
from bandsmith.shared.editing.edit_summary import summarize
from bandsmith.shared.edits import AnyEdit
from bandsmith.shared.edits.add import Add
from bandsmith.shared.edits.add_barcode import AddBarcode
from bandsmith.shared.edits.add_column import AddColumn
from bandsmith.shared.edits.add_group import AddGroup
from bandsmith.shared.edits.add_shape import AddShape
from bandsmith.shared.edits.add_total import AddTotal
from bandsmith.shared.edits.declare import Declare
from bandsmith.shared.edits.delete import Delete
from bandsmith.shared.edits.delete_column import DeleteColumn
from bandsmith.shared.edits.highlight import Highlight
from bandsmith.shared.edits.resize import Resize
from bandsmith.shared.edits.set_expression import SetExpression
from bandsmith.shared.edits.set_page import SetPage
from bandsmith.shared.edits.set_property import SetProperty
from bandsmith.shared.edits.set_text import SetText
from bandsmith.shared.edits.stripe_rows import StripeRows
from bandsmith.shared.jrxml.amount_words import amount_in_words
from bandsmith.shared.jrxml.diff import diff
from bandsmith.shared.jrxml.draft import Draft
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


def test_a_step_that_changes_nothing_beside_others_is_named() -> None:
    english, chinese = told(slip(), DeleteColumn(field="price"), StripeRows(off=True))
    assert (
        english
        == "Deleted the column Price. Without effect, since it is so already: removed the shading of every other row."
    )
    assert "没有变化的：" in chinese


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


CODE = re.compile(r"[$%\"]|==|null|\.\w+\(|0{4}")


def labelled_slip() -> bytes:
    """A slip with a due date and an amount in words, each after its label, in Chinese."""
    editor = Editor(slip())
    spelled = amount_in_words("$P{due}", "zh")
    editor.carry_out(
        [
            Declare(scope="parameter", name="due", java_class="java.math.BigDecimal"),
            Declare(scope="parameter", name="expiry", java_class="java.util.Date"),
            Add(key="expiry_label", band="summary", text="到期日：", x=30, y=0, width=80, height=14),
            Add(key="expiry", band="summary", expression="$P{expiry}", x=112, y=0, width=90, height=14),
            Add(key="due_label", band="summary", text="大写金额：", x=210, y=0, width=80, height=14),
            Add(key="due", band="summary", expression=spelled, x=292, y=0, width=200, height=14),
        ]
    )
    return editor.bytes()


@pytest.mark.parametrize(
    ("element", "expression", "english", "chinese"),
    [
        (
            "to", '"Slip no. " + ($P{customer} == null ? "" : $P{customer})',
            "Made “To” print “Slip no. …”.", "已让「To」显示「Slip no. …」。",
        ),
        (
            "c1", "$V{both_together} != null ? $V{both_together} : $F{quantity}",
            "Made “Qty” print a computed text.", "已让「Qty」显示计算得出的文字。",
        ),
        ("expiry", "$F{price} == null ? null : $F{price}.negate()",
         "Made “到期日” print a text computed from “Price”.", "已让「到期日」显示由「Price」计算得出的文字。"),
        ("expiry", "$F{amount}", "Made “到期日” print “Amount”.", "已让「到期日」显示「Amount」。"),
        ("due", "$P{expiry}", "Made “大写金额” print “到期日”.", "已让「大写金额」显示「到期日」。"),
    ],
    ids=["words", "variables", "condition", "field", "amount in words"],
)  # fmt: skip
def test_a_text_is_named_by_what_people_see_and_never_by_code(
    element: str, expression: str, english: str, chinese: str
) -> None:
    before = labelled_slip()
    assert told(before, SetExpression(element=element, expression=expression)) == (english, chinese)


def test_an_amount_in_words_is_named_by_its_label() -> None:
    english, chinese = told(labelled_slip(), SetProperty(element="due", name="isBold", value="true"))
    assert english == "Made “大写金额” bold."
    assert chinese == "已把「大写金额」加粗。"


def test_no_code_is_in_the_differences_of_templates() -> None:
    editor = Editor(labelled_slip())
    editor.carry_out(
        [
            SetExpression(element="c1", expression="$F{quantity} == null ? 0 : $F{quantity} * 2"),
            SetProperty(element="due", name="isBold", value="true"),
            SetExpression(element="to", expression='"For " + $P{customer}.trim()'),
        ]
    )
    changes = diff(labelled_slip(), editor.bytes())
    said = [words for change in changes for words in (change.message, change.message_zh)]
    assert "“To: …” → “For …”" in said and "「To: …」 → 「For …」" in said
    assert "“大写金额” looks different" in said
    assert not [words for words in said if CODE.search(words)]
    names = ElementNames(editor.draft, PrintedDraft(editor.draft, []))
    looks = [*changed_looks(Draft(labelled_slip()), names)]
    assert looks == ["look of “大写金额”: isBold unset -> true"]


def test_a_code_is_called_a_code_and_lines_are_counted() -> None:
    editor = Editor(slip())
    lines = [f"l{n}" for n in range(3)]
    editor.carry_out([AddBarcode(kind="QRCode", text="A-1", band="title", key="qr")])
    editor.carry_out([AddShape(key=key, band="summary", shape="line") for key in lines])
    english, chinese = told(
        editor.bytes(), Resize(element="qr", width=40, height=40), *(Delete(element=key) for key in lines)
    )
    assert english == "Resized a QR code; deleted 3 lines."
    assert chinese == "已调整了二维码的大小；删除了3条线条。"


def test_a_condition_names_a_column_of_the_same_request_by_its_heading() -> None:
    english, chinese = told(
        slip(),
        AddColumn(field="days_left", label="剩余天数", java_class="java.lang.Integer"),
        Highlight(field="days_left", comparison="<", value="30"),
    )
    assert english == "Added the column 剩余天数; highlighted values with 剩余天数 < 30 in red."
    assert chinese == "已添加了「剩余天数」列；用红色突出显示剩余天数 < 30 的值。"
