"""A column that multiplies or adds fields is computed row by row; anything else is left alone."""

from __future__ import annotations

from decimal import Decimal

import pytest

from bandsmith.services.planner.computed_values import computed_values
from bandsmith.shared.model.plan import Data

DATA = Data(parameters={}, rows=[{"a": 2, "b": 1.5}, {"a": 3, "b": 4}])


@pytest.mark.parametrize(
    ("expression", "values"),
    [
        ("$F{a} == null || $F{b} == null ? null : new BigDecimal($F{a}.toString()).multiply($F{b})", ["3", "12"]),
        ("$F{a}.add($F{b})", ["3.5", "7"]),
        ("$F{a}.multiply($F{b}).subtract($F{a})", ["1", "9"]),
        ("$F{a}.multiply($F{b}).setScale(0, RoundingMode.HALF_UP)", ["3", "12"]),
        ("$F{b}.setScale(0, RoundingMode.HALF_UP)", ["2", "4"]),
        ("$F{b}.setScale(0, RoundingMode.HALF_UP).setScale(0, RoundingMode.HALF_UP)", []),
        ("$F{a}.divide($F{b})", []),
        ("$F{a}.multiply($F{missing})", []),
        ("$V{other}", []),
    ],
)
def test_only_sums_and_products_of_fields_are_computed(expression: str, values: list[str]):
    assert computed_values(expression, DATA) == [Decimal(value) for value in values]
