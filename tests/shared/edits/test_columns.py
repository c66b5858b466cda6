"""Columns are added, deleted, moved and resized, and the table keeps its width and has no gaps."""

import re
from itertools import pairwise

import pytest

from bandsmith.services.validator.engine import ReportEngine
from bandsmith.shared.editing import Editor
from bandsmith.shared.edits import AnyEdit
from bandsmith.shared.edits.add_column import AddColumn
from bandsmith.shared.edits.add_total import AddTotal
from bandsmith.shared.edits.delete_column import DeleteColumn
from bandsmith.shared.edits.fit_table import FitTable
from bandsmith.shared.edits.move_column import MoveColumn
from bandsmith.shared.edits.rename_field import RenameField
from bandsmith.shared.edits.resize_column import ResizeColumn
from bandsmith.shared.jrxml.dom import report_element
from tests.each_case import each

from .reports import ORDERS_ROWS, SLIP_ROWS, band, edited, orders, place, printed, refused, slip, text


def edges(editor: Editor, section: str) -> list[int]:
    """Where the cells of a section begin, and where the last ends."""
    cells = band(editor, section)
    return [left for _, left, _ in cells] + [cells[-1][2]]


def joined(editor: Editor, section: str) -> bool:
    cells = band(editor, section)
    return all(a[2] == b[1] for a, b in pairwise(cells))


def outer_pens(editor: Editor, section: str) -> list[str]:
    """The width of the pen at the left of the first cell and at the right of the last."""
    cells = sorted(
        (
            node
            for node in editor.elements()
            if section in [ancestor.tag.rpartition("}")[2] for ancestor in node.iterancestors()]
        ),
        key=lambda node: int(report_element(node).get("x")),
    )
    return [cells[0].find("{*}box/{*}leftPen").get("lineWidth"), cells[-1].find("{*}box/{*}rightPen").get("lineWidth")]


def test_a_table_is_fitted_from_margin_to_margin() -> None:
    editor = edited(slip(), FitTable(from_margin=True))
    for section in ("columnHeader", "detail"):
        assert (edges(editor, section)[0], edges(editor, section)[-1]) == (0, 555)
        assert joined(editor, section)
    for edit in (FitTable(from_margin=True), FitTable()):
        assert not editor.carry_out([edit])[0].changed


def test_a_total_with_room_before_its_column_stays_at_the_end_of_the_column() -> None:
    total = text(
        "textField",
        "total",
        380,
        2,
        147,
        12,
        "$V{amount_sum}",
        '<textElement textAlignment="Right"/>',
        'pattern="#,##0.00"',
    )
    variable = (
        '<variable name="amount_sum" class="java.math.BigDecimal" calculation="Sum">'
        "<variableExpression><![CDATA[$F{amount}]]></variableExpression></variable>"
    )
    template = slip().decode().replace("<title>", f"{variable}<title>", 1)
    at = template.index(">", template.index("<band", template.index("<summary>"))) + 1
    template = template[:at] + total + template[at:]

    editor = edited(template.encode(), FitTable(from_margin=True))

    assert place(editor, "total")[0] + place(editor, "total")[2] == 555 - 3


@pytest.mark.parametrize("field", ["item", "price", "amount"])
def test_the_others_get_the_width_of_a_deleted_column(field: str) -> None:
    editor = edited(slip(), DeleteColumn(field=field))
    for section in ("columnHeader", "detail"):
        assert len(band(editor, section)) == 3
        assert (edges(editor, section)[0], edges(editor, section)[-1]) == (30, 530)
        assert joined(editor, section)
        assert outer_pens(editor, section) == ["2", "2"]
    assert edges(editor, "columnHeader") == edges(editor, "detail")
    assert not [words for words, _, _ in band(editor, "detail") if field in words]
    assert place(editor, "signed") == (30, 20, 100, 14)


def test_the_others_share_that_width_in_proportion() -> None:
    editor = edited(slip(), DeleteColumn(field="item"))
    assert edges(editor, "detail") == [30, 163, 330, 530]  # 80 : 100 : 120


def test_deleting_a_column_removes_its_totals_and_their_label() -> None:
    editor = edited(orders(), DeleteColumn(field="amount"))
    assert band(editor, "groupFooter") == []
    assert "of_region" not in editor.bytes().decode()
    assert edges(editor, "columnHeader") == edges(editor, "detail") == [0, 255, 402, 555]


def test_a_total_follows_its_column() -> None:
    editor = edited(orders(), MoveColumn(field="amount"))
    assert band(editor, "detail")[0][0] == "$F{amount}"
    assert ("$V{of_region}", 0, 120) in band(editor, "groupFooter")


def test_the_label_below_a_deleted_column_stays_beside_its_total() -> None:
    total = (
        '<summary><band height="20">'
        + text("staticText", "label", 313, 2, 60, 14, "Total")
        + text("textField", "sum", 410, 2, 120, 14, "$V{sum}", '<textElement textAlignment="Right"/>')
        + "</band></summary>"
    )
    declared = (
        '<variable name="sum" class="java.math.BigDecimal" calculation="Sum"><variableExpression>'
        "<![CDATA[$F{amount}]]></variableExpression></variable><title>"
    )
    plain = re.sub(r"<summary>.*</summary>", "", slip().decode()).replace("<title>", declared)
    plain = plain.replace("</jasperReport>", f"{total}</jasperReport>")
    editor = edited(plain.encode(), DeleteColumn(field="price"))
    (_, _, label_end), (_, start, end) = band(editor, "summary")
    assert start - 60 <= label_end <= start and end == 530


def test_cells_over_several_columns_end_where_the_column_of_the_total_begins() -> None:
    cells = [("Total", 30, 280), ("84.00", 310, 100), ("-", 410, 120)]
    total = "".join(text("staticText", f"t{n}", x, 0, width, 20, words) for n, (words, x, width) in enumerate(cells))
    totals = f'<summary><band height="20">{total}</band></summary>'
    report = re.sub(r"<summary>.*</summary>", totals, slip().decode()).encode()
    editor = edited(report, MoveColumn(field="quantity", after="price"))
    assert edges(editor, "detail") == [30, 230, 330, 410, 530]
    assert band(editor, "summary") == [("Total", 30, 230), ("84.00", 230, 330), ("-", 410, 530)]


def test_a_moved_column_keeps_its_width_and_header() -> None:
    editor = edited(slip(), MoveColumn(field="quantity", after="amount"))
    assert [words for words, _, _ in band(editor, "columnHeader")] == ["Item", "Price", "Amount", "Qty"]
    assert edges(editor, "detail") == edges(editor, "columnHeader") == [30, 230, 330, 450, 530]
    assert outer_pens(editor, "detail") == outer_pens(editor, "columnHeader") == ["2", "2"]
    pens = [
        node.find("{*}box/{*}rightPen").get("lineWidth")
        for name in ("c3", "h3")
        if (node := editor.element(name)) is not None
    ]
    assert pens == ["1", "1"]  # it was the last, and is so no more


def test_a_wider_column_takes_from_the_others() -> None:
    editor = edited(slip(), ResizeColumn(field="quantity", width=160))
    assert edges(editor, "detail") == edges(editor, "columnHeader")
    assert place(editor, "c1")[2] == 160
    assert edges(editor, "detail")[-1] == 530


def test_one_column_gets_the_width_of_two_deleted_ones() -> None:
    edits = [DeleteColumn(field="quantity"), DeleteColumn(field="price"), ResizeColumn(field="amount", width=300)]
    editor = edited(slip(), *edits)
    assert edges(editor, "detail") == edges(editor, "columnHeader") == [30, 230, 530]


def test_no_column_becomes_too_narrow_for_its_header() -> None:
    editor = edited(slip(), ResizeColumn(field="item", width=2000))
    assert edges(editor, "detail")[-1] == 530
    assert all(right - left >= 20 for _, left, right in band(editor, "columnHeader"))


@pytest.mark.parametrize(("after", "number"), [("", 0), ("quantity", 2), (None, 4)])
def test_an_added_column_looks_like_its_neighbours(after: str | None, number: int) -> None:
    edit = AddColumn(field="weight", label="Weight", java_class="java.math.BigDecimal", pattern="0.0", after=after)
    editor = edited(slip(), edit)
    assert [words for words, _, _ in band(editor, "columnHeader")].index("Weight") == number
    assert [words for words, _, _ in band(editor, "detail")].index("$F{weight}") == number
    assert joined(editor, "detail") and joined(editor, "columnHeader")
    assert edges(editor, "detail") == edges(editor, "columnHeader")
    assert (edges(editor, "detail")[0], edges(editor, "detail")[-1]) == (30, 530)
    assert outer_pens(editor, "detail") == ["2", "2"]
    assert '<field name="weight" class="java.math.BigDecimal"/>' in editor.bytes().decode()
    assert 'pattern="0.0"' in editor.bytes().decode()


def test_a_computed_column_prints_its_expression(engine: ReportEngine) -> None:
    edit = AddColumn(
        field="computed",
        label="Check",
        java_class="java.math.BigDecimal",
        pattern="#,##0.00",
        expression="$F{price}.multiply(new BigDecimal($F{quantity}))",
    )
    editor = edited(slip(), edit, AddTotal(field="computed"))
    texts = printed(engine, editor.bytes(), SLIP_ROWS)
    assert texts.count("1,302.50") == 2
    assert texts[texts.index("Total") + 1] == "1,352.50"


def test_vertical_rules_follow_their_columns() -> None:
    rules = "".join(
        f'<line><reportElement key="r{x}" x="{x}" y="0" width="1" height="20"/></line>'
        for x in (30, 230, 310, 410, 530)
    )
    plain = slip().decode().replace('<detail><band height="20">', f'<detail><band height="20">{rules}').encode()
    editor = edited(plain, DeleteColumn(field="price"))
    left = sorted(
        int(report_element(node).get("x"))
        for node in editor.elements()
        if "line" in node.tag and report_element(node).get("key") != "line"
    )
    assert left == edges(editor, "detail")


@pytest.mark.parametrize(
    ("edit", "code"),
    [
        (DeleteColumn(field="colour"), "column"),
        (MoveColumn(field="item"), "already"),
        (MoveColumn(field="item", after="colour"), "column"),
        (ResizeColumn(field="item", width=200), "already"),
        (AddColumn(field="price", label="Price"), "already"),
    ],
)
def test_an_impossible_edit_is_refused_with_a_reason(
    edit: DeleteColumn | MoveColumn | ResizeColumn | AddColumn, code: str
) -> None:
    assert refused(slip(), edit).code == code


def test_the_only_column_cannot_be_deleted() -> None:
    editor = edited(slip(), *(DeleteColumn(field=name) for name in ("item", "price", "amount")))
    (outcome,) = editor.carry_out([DeleteColumn(field="quantity")])
    assert outcome.code == "column" and outcome.reason and "only column" in outcome.reason.en


def test_a_column_of_two_fields_loses_only_one(engine: ReportEngine) -> None:
    """Two lines in a row: the name, and under it a code in the same column."""
    two = slip().decode().replace('<detail><band height="20">', '<detail><band height="36">')
    two = two.replace(
        "</band></detail>",
        '<textField><reportElement key="below" x="30" y="20" width="200" height="14"/>'
        "<textFieldExpression><![CDATA[$F{quantity}]]></textFieldExpression></textField></band></detail>",
    )
    editor = edited(two.encode(), DeleteColumn(field="item"))
    assert editor.element("c0") is None and editor.element("below") is not None
    assert place(editor, "c1") == (230, 0, 80, 20)


def test_the_edited_report_prints(engine: ReportEngine) -> None:
    editor = edited(
        orders(),
        RenameField(scope="field", name="customer", to="client"),
        DeleteColumn(field="ordered"),
        MoveColumn(field="quantity"),
        AddColumn(field="note", label="Note", after="client"),
    )
    rows = [{**row, "client": row["customer"], "note": "n"} for row in ORDERS_ROWS.rows]
    texts = printed(engine, editor.bytes(), ORDERS_ROWS.model_copy(update={"rows": rows}))
    assert texts[2:6] == ["Quantity", "Customer", "Note", "Amount"]
    assert texts[6:11] == ["Region North", "3", "Mill", "n", "100.50"]


def with_payment_terms() -> bytes:
    """The slip with terms of payment at the left of its totals, as many invoices have them."""
    below = (
        '<summary><band height="60">'
        + text("staticText", "terms", 30, 2, 60, 14, "Payment")
        + text("textField", "account", 30, 18, 190, 14, '"Account: " + $P{customer}')
        + text("staticText", "label", 340, 2, 60, 14, "Total")
        + text("textField", "sum", 410, 2, 120, 14, "$V{sum}", '<textElement textAlignment="Right"/>')
        + '<rectangle><reportElement key="box" x="310" y="0" width="220" height="18"/></rectangle></band></summary>'
    )
    declared = (
        '<variable name="sum" class="java.math.BigDecimal" calculation="Sum"><variableExpression>'
        "<![CDATA[$F{amount}]]></variableExpression></variable><title>"
    )
    plain = re.sub(r"<summary>.*</summary>", "", slip().decode()).replace("<title>", declared)
    return plain.replace("</jasperReport>", f"{below}</jasperReport>").encode()


@pytest.mark.parametrize(
    "edit",
    [
        MoveColumn(field="item", after="quantity"),
        MoveColumn(field="item", after="amount"),
        ResizeColumn(field="item", width=120),
        ResizeColumn(field="item", width=150, other="price"),
        DeleteColumn(field="quantity"),
        AddColumn(field="remark", label="Remark"),
    ],
)
def test_what_only_begins_where_a_column_does_stays_below_the_table(
    edit: MoveColumn | ResizeColumn | DeleteColumn | AddColumn,
) -> None:
    editor = edited(with_payment_terms(), edit)
    assert place(editor, "terms") == (30, 2, 60, 14)
    assert place(editor, "account") == (30, 18, 190, 14)


def test_the_area_behind_the_totals_stays_where_its_columns_stay() -> None:
    editor = edited(with_payment_terms(), MoveColumn(field="item", after="quantity"))
    assert place(editor, "box") == (310, 0, 220, 18)


def test_one_column_gives_its_width_to_one_other() -> None:
    editor = edited(slip(), ResizeColumn(field="item", width=150, other="price"))
    assert edges(editor, "detail") == edges(editor, "columnHeader") == [30, 180, 260, 410, 530]


@pytest.mark.parametrize(("width", "other"), [(150, "item"), (200, "price")])
def test_widths_that_cannot_be_exchanged_are_refused(width: int, other: str) -> None:
    assert refused(slip(), ResizeColumn(field="item", width=width, other=other)).code == "room"


LABEL_EDITS = [
    AddColumn(field="unit", label="Unit", after="item"),
    AddColumn(field="remark", label="Remark"),
    DeleteColumn(field="item"),
    DeleteColumn(field="quantity"),
    DeleteColumn(field="price"),
    MoveColumn(field="amount", after="item"),
    MoveColumn(field="item", after="price"),
    ResizeColumn(field="amount", width=60),
    ResizeColumn(field="item", width=120),
    ResizeColumn(field="amount", width=200),
]


def with_labelled_totals(label_x: int, words: str) -> bytes:
    """The slip with a total, and its label somewhere before it, in a column or not."""
    below = (
        '<summary><band height="40">'
        + text("staticText", "label", label_x, 2, 60, 14, words)
        + text("textField", "sum", 410, 2, 120, 14, "$V{sum}", '<textElement textAlignment="Right"/>')
        + "</band></summary>"
    )
    declared = (
        '<variable name="sum" class="java.math.BigDecimal" calculation="Sum"><variableExpression>'
        "<![CDATA[$F{amount}]]></variableExpression></variable><title>"
    )
    plain = re.sub(r"<summary>.*</summary>", "", slip().decode()).replace("<title>", declared)
    return plain.replace("</jasperReport>", f"{below}</jasperReport>").encode()


@each("edit", LABEL_EDITS)
@each("label_x", range(290, 351, 15))
@each("words", ["Total due", "应付合计"])
def test_the_label_of_a_total_stays_directly_before_it(words: str, label_x: int, edit: AnyEdit) -> None:
    editor = edited(with_labelled_totals(label_x, words), edit)
    label, value = place(editor, "label"), place(editor, "sum")
    gap = 410 - label_x - 60
    assert 0 <= value[0] - label[0] - label[2] <= gap + 60 and label[1] == value[1] and label[0] >= 30


@pytest.mark.parametrize("edit", LABEL_EDITS, ids=lambda edit: f"{edit.do} {edit.field}")
def test_headings_go_with_their_columns_and_the_label_is_printed_before_its_total(
    engine: ReportEngine, edit: AnyEdit
) -> None:
    editor = edited(with_labelled_totals(320, "Total due"), edit)
    assert edges(editor, "columnHeader") == edges(editor, "detail")
    texts = printed(engine, editor.bytes(), SLIP_ROWS)
    assert texts[-1].startswith("1352.5") and texts[-2] == "Total due"


def with_block_of_totals() -> bytes:
    """The slip with two labelled totals below the amounts, whose labels stand below the prices, and the last of which
    has an area behind it."""
    right = '<textElement textAlignment="Right"/>'
    below = (
        '<summary><band height="60"><rectangle>'
        + '<reportElement key="box" x="310" y="22" width="220" height="18"/></rectangle>'
        + text("staticText", "label", 330, 2, 77, 14, "Net total", right)
        + text("textField", "sum", 413, 2, 114, 14, "$V{sum}", right)
        + text("textField", "account", 30, 42, 278, 14, '"Account: " + $P{customer}')
        + text("staticText", "due_label", 313, 24, 40, 14, "Due")
        + text("textField", "due", 413, 24, 114, 14, "$V{sum}", right)
        + "</band></summary>"
    )
    plain = re.sub(r"<summary>.*</summary>", "", with_labelled_totals(340, "").decode())
    return plain.replace("</jasperReport>", f"{below}</jasperReport>").encode()


@pytest.mark.parametrize(
    "edit",
    [
        MoveColumn(field="quantity", after="price"),
        MoveColumn(field="price", after="item"),
        MoveColumn(field="price"),
        MoveColumn(field="item", after="quantity"),
    ],
)
def test_a_block_of_totals_stays_whole_where_its_values_keep_their_column(edit: MoveColumn) -> None:
    editor = edited(with_block_of_totals(), edit)
    assert place(editor, "box") == (310, 22, 220, 18)
    assert place(editor, "label") == (330, 2, 77, 14)
    assert place(editor, "account") == (30, 42, 278, 14)
    assert place(editor, "due_label") == (313, 24, 40, 14)
    assert place(editor, "due") == (413, 24, 114, 14)


def test_a_total_goes_with_its_column_and_takes_its_label_along() -> None:
    editor = edited(with_block_of_totals(), MoveColumn(field="amount", after="item"))
    (label, _, width, _), (value, _, _, _) = place(editor, "label"), place(editor, "sum")
    assert value == 233 and label + width <= value
