"""How a report prints the figures of its results."""

from __future__ import annotations

from decimal import Decimal

import pytest

from bandsmith.services.generator.analysis.figures import shown


@pytest.mark.parametrize(
    ("value", "printed"),
    [
        (1234567.891, "1,234,567.89"),
        (Decimal("12.50"), "12.50"),
        (12.0, "12"),
        (0.0, "0"),
        (0.0043, "0.0043"),
        (Decimal("-0.00001234"), "-0.0000123"),
        (float("nan"), "–"),
        (float("inf"), "–"),
        (None, "–"),
    ],
)
def test_a_figure_keeps_what_it_says(value: object, printed: str):
    assert shown(value) == printed
