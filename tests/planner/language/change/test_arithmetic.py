"""Formulas of computed columns: which words are operators, and what is calculated first."""

from __future__ import annotations

import pytest

from bandsmith.services.planner.language.change.rule_parser import read_request
from bandsmith.services.planner.language.template_view import TemplateView
from bandsmith.shared.editing import Editor
from bandsmith.shared.edits.add_column import AddColumn

from .templates import ALL

AMOUNT, PRICE = "$F{amount}", "$F{unit_price}"
QUANTITY = "new java.math.BigDecimal($F{quantity})"


def number(value: str) -> str:
    return f'new java.math.BigDecimal("{value}")'


@pytest.mark.parametrize(
    ("formula", "java"),
    [
        ("Amount x 1.2", f"{AMOUNT}.multiply({number('1.2')})"),
        ("quantity * unit price", f"{PRICE}.multiply({QUANTITY})"),
        ("Amount less 5%", f"{AMOUNT}.subtract({number('0.05')})"),
        ("amount + quantity * 2", f"{AMOUNT}.add({QUANTITY}.multiply({number('2')}))"),
        ("(amount + quantity) * 2", f"{AMOUNT}.add({QUANTITY}).multiply({number('2')})"),
    ],
)
def test_formula_becomes_a_java_expression(formula: str, java: str):
    (edit,) = read_request(f"add a column Gross = {formula}", view()).edits
    assert isinstance(edit, AddColumn) and edit.expression == java


@pytest.mark.parametrize("name", ["Tax", "Overtime", "Surplus"])
def test_operator_within_a_word_is_part_of_the_name(name: str):
    (refusal,) = read_request(f"add a column Gross = {name} + Amount", view()).refusals
    assert refusal.en.startswith(f"There is no column {name};")


def view() -> TemplateView:
    return TemplateView(Editor(ALL["sales"]()[0]))
