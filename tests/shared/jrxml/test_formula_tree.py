"""A formula that is computed here gives what the template prints for it, also where values are missing."""

from __future__ import annotations

from decimal import Decimal

import pytest

from bandsmith.shared.jrxml.formula_tree import names_in, read_formula, value_of
from bandsmith.shared.jrxml.refusals import EditRefused


@pytest.mark.parametrize(
    ("formula", "value"),
    [
        ("price * qty", "6"),
        ("price * (qty + 1)", "9"),
        ("price + 20%", "3.6"),
        ("price - 50 %", "1.5"),
        ("price * 20%", "0.6"),
        ("-price + qty", "-1"),
        ("price / qty", "1.5"),
        ("price + none", "3"),
        ("none - price", "-3"),
        ("none + none", None),
        ("price * none", None),
        ("price / zero", None),
    ],
)
def test_a_formula_is_computed_as_the_template_computes_it(formula: str, value: str | None):
    values = {"price": Decimal(3), "qty": Decimal(2), "zero": Decimal(0), "none": None}
    assert value_of(read_formula(formula), values) == (None if value is None else Decimal(value))


def test_the_names_of_a_formula_come_from_left_to_right():
    assert [one.name for one in names_in(read_formula('"Unit price" * $V{qty} - qty'))] == ["Unit price", "qty", "qty"]


@pytest.mark.parametrize("formula", ["", "3 * 4", "price *", "price ** 2", "(price", "price qty", "(" * 20 + "price"])
def test_what_is_no_formula_of_names_is_refused(formula: str):
    with pytest.raises(EditRefused):
        read_formula(formula)
