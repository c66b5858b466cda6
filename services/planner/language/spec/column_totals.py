"""Which columns are usually added up: amounts, and quantities of one kind of goods."""

from __future__ import annotations

from collections.abc import Sequence

from bandsmith.shared.fields.column_kinds import meaning
from bandsmith.shared.model.spec import Column

PRICES = frozenset({"price", "unit_price", "list_price", "purchase_price", "hourly_rate"})


def usual_totals(columns: Sequence[Column], asked: bool) -> list[Column]:
    """Return the columns with a total: amounts; where totals were asked for, also quantities without a price."""
    adding = [column for column in columns if column.type in ("money", "number", "integer") and adds_up(column)]
    money = [column for column in adding if column.type == "money"]
    if not asked:
        return money
    priced = any(meaning(column.label).name in PRICES for column in columns)
    return money if money and priced else adding


def adds_up(column: Column) -> bool:
    """Whether a sum of the column's values has a meaning."""
    if column.running:
        return False
    if column.computed is not None and not meaning(column.label).known:
        return column.type == "money"
    return meaning(column.label).adds_up
