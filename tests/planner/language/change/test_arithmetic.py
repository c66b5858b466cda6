"""Formulas of computed columns: which words are operators, and what is calculated first."""

from __future__ import annotations

import pytest

from bandsmith.services.planner.language.change.rule_parser import read_request
from bandsmith.services.planner.language.template_view import TemplateView
from bandsmith.shared.editing import Editor
from bandsmith.shared.edits.add_column import AddColumn

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


def view() -> TemplateView:
    return TemplateView(Editor(ALL["sales"]()[0]))
