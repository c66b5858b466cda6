"""Formulas of computed columns: which words are operators, and what is calculated first."""

from __future__ import annotations

import pytest

from bandsmith.services.planner.language.change.rule_parser import read_request
from bandsmith.services.planner.language.template_view import TemplateView
from bandsmith.shared.editing import Editor
from bandsmith.shared.edits.add_column import AddColumn
from bandsmith.shared.edits.add_total import AddTotal

from .templates import ALL

AMOUNT, PRICE, QUANTITY = "$F{amount}", "$F{unit_price}", "$F{quantity}"
WHOLE = f"new BigDecimal({QUANTITY}.toString())"
"""A whole number as a decimal."""


@pytest.mark.parametrize(
    ("formula", "java"),
    [
        ("Amount x 1.2", f'{AMOUNT} == null ? null : {AMOUNT}.multiply(new BigDecimal("1.2"))'),
        (
            "quantity * unit price",
            f"{QUANTITY} == null || {PRICE} == null ? null : {WHOLE}.multiply({PRICE})",
        ),
        ("Amount less 5%", f'{AMOUNT} == null ? null : {AMOUNT}.multiply(new BigDecimal("0.95"))'),
        ("(amount + 10) * 2",
         f'{AMOUNT} == null ? null : {AMOUNT}.add(new BigDecimal("10")).multiply(new BigDecimal("2"))'),
    ],
)  # fmt: skip
def test_formula_becomes_a_java_expression(formula: str, java: str):
    (edit,) = read_request(f"add a column Gross = {formula}", view()).edits
    assert isinstance(edit, AddColumn) and edit.expression == java


@pytest.mark.parametrize("name", ["Tax", "Overtime", "Surplus"])
def test_operator_within_a_word_is_part_of_the_name(name: str):
    (refusal,) = read_request(f"add a column Gross = {name} + Amount", view()).refusals
    assert refusal.en.startswith(f"There is no column {name};")


@pytest.mark.parametrize(
    ("said", "heading", "java"),
    [
        ("add a column VAT, 20% of Amount for every line", "VAT", f'{AMOUNT}.multiply(new BigDecimal("0.2"))'),
        ("add a column Sale: 15% off the Amount", "Sale", f'{AMOUNT}.multiply(new BigDecimal("0.85"))'),
        ("add a column Deposit = half of the Amount", "Deposit", f'{AMOUNT}.multiply(new BigDecimal("0.5"))'),
        ("add a column Net: Amount minus 10%", "Net", f'{AMOUNT}.multiply(new BigDecimal("0.9"))'),
        ("加一列税额，按Amount的13%算", "税额", f'{AMOUNT}.multiply(new BigDecimal("0.13"))'),
        ("加一列折后价，Amount打八五折", "折后价", f'{AMOUNT}.multiply(new BigDecimal("0.85"))'),
        ("加一列差额=Amount减10", "差额", f'{AMOUNT}.subtract(new BigDecimal("10"))'),
    ],
)
def test_words_behind_the_name_of_a_column_are_its_formula(said: str, heading: str, java: str):
    (edit,) = read_request(said, view()).edits
    assert isinstance(edit, AddColumn)
    assert (edit.label, edit.expression) == (heading, f"{AMOUNT} == null ? null : {java}")


@pytest.mark.parametrize(
    "said",
    [
        "add a column Pay = Amount x 24 after Amount, with a total at the bottom",
        "加一列税额，按Amount的13%算，合计那里把税额也加起来",
    ],
)
def test_computed_column_comes_with_its_total(said: str):
    column, total = read_request(said, view()).edits
    assert isinstance(column, AddColumn) and total == AddTotal(field=column.field)


def view() -> TemplateView:
    return TemplateView(Editor(ALL["sales"]()[0]))
