"""Taxes and grand totals add up, and amounts are printed in words, in lines of their own or in the report's."""

from __future__ import annotations

from decimal import Decimal

import pytest

from bandsmith.services.validator.engine import ReportEngine
from bandsmith.shared.edits import AnyEdit
from bandsmith.shared.edits.add_amount_in_words import AddAmountInWords
from bandsmith.shared.edits.add_deduction import AddDeduction
from bandsmith.shared.edits.add_tax import AddTax
from bandsmith.shared.edits.add_total import AddTotal
from bandsmith.shared.edits.change_total import ChangeTotal

from .reports import ORDERS_ROWS, SLIP_ROWS, edited, orders, printed, refused, slip, text

SUM = Decimal("1352.50")


def money(amount: Decimal) -> str:
    return f"{amount:,.2f}"


def invoice() -> bytes:
    """A slip with lines of its own for the tax and for what is due, which were read off a form."""
    own = text("staticText", "", 310, 6, 90, 14, "Subtotal", '<textElement textAlignment="Right"/>')
    own += text("textField", "sub", 410, 6, 110, 14, "$V{sum}", "", 'pattern="#,##0.00"')
    own += text("staticText", "tax_label", 310, 24, 90, 14, "VAT 20 %", '<textElement textAlignment="Right"/>')
    own += text("textField", "tax", 410, 24, 110, 14, "$P{tax}", "", 'pattern="#,##0.00"')
    own += text("staticText", "", 310, 42, 90, 14, "Total due:", '<textElement textAlignment="Right"/>')
    own += text("textField", "due", 410, 42, 110, 14, "$P{due}", "", 'pattern="£#,##0.00"')
    own += text("staticText", "", 30, 64, 90, 14, "Amount in words:")
    own += text("textField", "words", 130, 64, 390, 14, "$P{words}")
    own += text("staticText", "", 30, 82, 90, 14, "Tax number:")
    own += text("textField", "tax_number", 130, 82, 390, 14, "$P{customer}")
    declared = "".join(
        f'<parameter name="{name}" class="java.{java_class}"/>'
        for name, java_class in (("tax", "math.BigDecimal"), ("due", "math.BigDecimal"), ("words", "lang.String"))
    )
    variable = '<variable name="sum" class="java.math.BigDecimal" calculation="Sum">'
    variable += "<variableExpression><![CDATA[$F{amount}]]></variableExpression></variable>"
    template = slip().decode().replace('<field name="item"', f'{declared}<field name="item"')
    template = template.replace("<title>", f"{variable}<title>")
    return (
        template.replace('<summary><band height="50">', f'<summary><band height="150">{own}')
        .replace('key="signed" x="30" y="20"', 'key="signed" x="30" y="110"')
        .encode()
    )


def test_a_tax_gets_lines_below_the_total(engine: ReportEngine) -> None:
    texts = printed(engine, edited(slip(), AddTax(field="amount", rate="19")).bytes(), SLIP_ROWS)
    tax = Decimal("256.98")  # 256.975
    assert texts[texts.index("Subtotal") :] == [
        "Subtotal", money(SUM), "VAT 19%", money(tax), "Grand total", money(SUM + tax), "Signed:",
    ]  # fmt: skip


def test_a_tax_that_is_included_is_taken_out(engine: ReportEngine) -> None:
    editor = edited(slip(), AddTotal(field="amount"), AddTax(field="amount", rate="7.5%", included=True, name="GST"))
    texts = printed(engine, editor.bytes(), SLIP_ROWS)
    tax = (SUM * Decimal("7.5") / Decimal("107.5")).quantize(Decimal("0.01"))
    assert texts[texts.index("Total") :] == [
        "Total", money(SUM), "Including GST 7.5%", money(tax), "Net total", money(SUM - tax), "Signed:",
    ]  # fmt: skip


def test_a_deposit_and_what_is_left_stand_below_the_total(engine: ReportEngine) -> None:
    deposit = AddDeduction(field="amount", label="Deposit 30%", rate="30", rest="Balance due")
    texts = printed(engine, edited(slip(), AddTotal(field="amount"), deposit).bytes(), SLIP_ROWS)
    taken = (SUM * Decimal("0.3")).quantize(Decimal("0.01"))
    assert texts[texts.index("Total") :] == [
        "Total", money(SUM), "Deposit 30%", money(taken), "Balance due", money(SUM - taken), "Signed:",
    ]  # fmt: skip


def test_a_deposit_is_taken_off_the_total_with_tax(engine: ReportEngine) -> None:
    taxed = edited(slip(), AddTax(field="amount", rate="10"))
    editor = edited(taxed.bytes(), AddDeduction(field="amount", label="Deposit", amount="500", rest="Left"))
    texts = printed(engine, editor.bytes(), SLIP_ROWS)
    assert texts[texts.index("Grand total") :] == [
        "Grand total", "1,487.75", "Deposit", "500.00", "Left", "987.75", "Signed:",
    ]  # fmt: skip


def test_a_discount_before_tax_lowers_the_tax(engine: ReportEngine) -> None:
    discount = AddDeduction(field="amount", label="Discount 10%", rate="10", before_tax=True)
    editor = edited(slip(), AddTax(field="amount", rate="20"), discount)
    texts = printed(engine, editor.bytes(), SLIP_ROWS)
    assert texts[texts.index("Subtotal") :] == [
        "Subtotal", money(SUM), "Discount 10%", "135.25", "VAT 20%", "243.45", "Grand total", "1,460.70", "Signed:",
    ]  # fmt: skip


def test_another_rate_replaces_the_first(engine: ReportEngine) -> None:
    editor = edited(slip(), AddTax(field="amount", rate="19"), AddTax(field="amount", rate="7"))
    texts = printed(engine, editor.bytes(), SLIP_ROWS)
    assert texts[texts.index("VAT 7%") + 1 :] == ["94.68", "Grand total", "1,447.18", "Signed:"]
    assert refused(editor.bytes(), AddTax(field="amount", rate="7")).code == "already"


def test_lines_of_the_report_for_tax_and_total_are_computed(engine: ReportEngine) -> None:
    editor = edited(invoice(), AddTax(field="amount", rate="10"), AddAmountInWords(field="amount"))
    texts = printed(engine, editor.bytes(), SLIP_ROWS)
    assert texts[texts.index("Subtotal") :] == [
        "Subtotal", "1,352.50", "VAT 10 %", "135.25", "Total due:", "£1,487.75",
        "Amount in words:", "One thousand four hundred eighty-seven and 75/100", "Tax number:", "Mill & Co", "Signed:",
    ]  # fmt: skip


def test_a_chinese_report_has_a_chinese_tax_and_words(engine: ReportEngine) -> None:
    chinese = slip().decode().replace("Item", "品名").replace("Qty", "数量").replace("Price", "单价")
    chinese = chinese.replace("Amount", "金额").replace("Delivery slip", "送货单").replace("Signed:", "签收:")
    editor = edited(chinese.encode(), AddTax(field="amount", rate="13"), AddAmountInWords(field="amount"))
    texts = printed(engine, editor.bytes(), SLIP_ROWS)
    assert texts[texts.index("小计") :] == [
        "小计", "1,352.50", "税额（13%）", "175.83", "价税合计", "1,528.33",
        "合计（大写）：壹仟伍佰贰拾捌元叁角叁分", "签收:",
    ]  # fmt: skip


def test_words_stand_below_the_total_with_their_currency(engine: ReportEngine) -> None:
    editor = edited(slip(), AddTotal(field="amount"), AddAmountInWords(field="amount", currency="US dollars"))
    texts = printed(engine, editor.bytes(), SLIP_ROWS)
    words = "One thousand three hundred fifty-two and 50/100 US dollars"
    assert texts[texts.index("Total") :] == ["Total", "1,352.50", f"In words: {words}", "Signed:"]
    again = edited(editor.bytes(), AddAmountInWords(field="amount", language="zh"))
    assert "合计（大写）：壹仟叁佰伍拾贰元伍角整" in printed(engine, again.bytes(), SLIP_ROWS)


def test_a_total_becomes_an_average_with_its_label(engine: ReportEngine) -> None:
    editor = edited(slip(), AddTotal(field="amount"), ChangeTotal(field="amount", calculation="Average"))
    texts = printed(engine, editor.bytes(), SLIP_ROWS)
    assert texts[texts.index("Average") :] == ["Average", "676.25", "Signed:"]
    assert b'amount_sum" class' not in editor.bytes()


def test_a_total_beside_others_gets_a_row_of_its_own(engine: ReportEngine) -> None:
    editor = edited(
        slip(),
        AddTotal(field="amount"),
        AddTotal(field="quantity"),
        ChangeTotal(field="quantity", calculation="Highest"),
    )
    texts = printed(engine, editor.bytes(), SLIP_ROWS)
    assert texts[texts.index("Total") :] == ["Total", "1,352.50", "Highest", "10", "Signed:"]


def test_a_total_of_a_group_is_changed(engine: ReportEngine) -> None:
    editor = edited(orders(), ChangeTotal(field="amount", calculation="Average", group="Region"))
    texts = printed(engine, editor.bytes(), ORDERS_ROWS)
    assert "75.00" in texts and "Average" in texts and "Subtotal" not in texts


@pytest.mark.parametrize(
    ("edit", "code"),
    [
        (AddTax(field="item", rate="19"), "class"),
        (AddTax(field="amount", rate="many"), "value"),
        (AddTax(field="amount", rate="250"), "value"),
        (AddTax(field="colour", rate="19"), "column"),
        (AddDeduction(field="amount", label="Discount", rate="110"), "value"),
        (AddDeduction(field="amount", label="Discount", amount="-5"), "value"),
        (AddDeduction(field="amount", label="Discount", rate="10", before_tax=True), "kind"),
        (AddAmountInWords(field="item"), "class"),
        (ChangeTotal(field="amount", calculation="Average"), "already"),
    ],
)
def test_what_cannot_be_totalled_is_refused(edit: AnyEdit, code: str) -> None:
    assert refused(slip(), edit).code == code


@pytest.mark.parametrize("name", ["税额（13%）", "VAT 13%", "VAT (13 %)"])
def test_a_name_with_the_rate_says_it_once(name: str) -> None:
    editor = edited(slip(), AddTotal(field="amount"), AddTax(field="amount", rate="13", name=name))
    [label] = [text for text in editor.root.itertext() if "13" in text and "%" in text]
    assert label.count("13") == 1
