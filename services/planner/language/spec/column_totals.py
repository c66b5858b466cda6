"""Which columns are usually added up: amounts, and quantities of one kind of goods."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from bandsmith.shared.fields.column_kinds import meaning
from bandsmith.shared.model.spec import Column, numeric

from ..sentence_templates import matches

_PRICES = frozenset({"price", "unit_price", "list_price", "purchase_price", "hourly_rate"})
TWO_SIDES = (
    ("in", "out"), ("credit", "debit"), ("income", "cost"), ("receipts", "payments"), ("deposit", "withdrawal"),
    ("deposits", "withdrawals"), ("paid in", "paid out"), ("money in", "money out"), ("income", "expense"),
    ("income", "expenses"), ("charged", "paid"), ("charges", "payments"), ("invoiced", "paid"),
    ("应收", "已收"), ("应付", "已付"), ("收入", "支出"), ("借方", "贷方"),
    ("入库", "出库"), ("收入金额", "支出金额"), ("入库数量", "出库数量"),
)  # fmt: skip
"""What a running balance adds and what it subtracts."""
MIN_PICKED_FROM = 2
"""Columns behind the first one from which on another may be the lowest of them."""


def are_two_sided(labels: Iterable[str]) -> bool:
    """Whether columns hold what comes in and what goes out, whose sum means nothing."""
    known = {label.casefold() for label in labels}
    return any(set(pair) <= known for pair in TWO_SIDES)


def is_price(label: str) -> bool:
    """Whether a column holds the price of one thing: `unit price`, `cost per bottle`, 每瓶成本."""
    meant = meaning(label)
    return meant.name in _PRICES or (meant.kind == "money" and is_rate(label))


def is_rate(label: str) -> bool:
    """Whether a label says that its values are for one of something, so that their sum means nothing."""
    return any(True for _ in matches("spec_labels", "rate", label))


def picked_from_others(columns: Sequence[Column]) -> list[Column]:
    """Return the columns that are called the lowest, the highest or the average, and have several columns before them.

    No formula of a column says that, so they are printed as they are given.
    """
    return [
        column
        for n, column in enumerate(columns)
        if n > MIN_PICKED_FROM and column.computed is None and any(matches("spec_labels", "picked", column.label))
    ]


def usual_totals(columns: Sequence[Column], asked: bool) -> list[Column]:
    """Return the columns with a total: amounts; where totals were asked for, also quantities without a price."""
    numbers = [column for column in columns if column.type in ("money", "number", "integer")]
    adding = [column for column in numbers if adds_up(column) or (asked and _is_unknown_amount(column))]
    money = [column for column in adding if column.type == "money"]
    if not asked:
        return money
    priced = any(is_price(column.label) or _is_product(column) for column in columns)
    return money if money and priced else adding


def _is_unknown_amount(column: Column) -> bool:
    """Whether a column holds amounts only because another is their sum: the principal of a payment."""
    return column.type == "money" and not column.running and not meaning(column.label).known


def _is_product(column: Column) -> bool:
    """Whether a column of amounts is the product of others, one of which is then a price."""
    return column.type == "money" and column.computed is not None and column.computed.operator == "*"


def adds_up(column: Column) -> bool:
    """Whether a sum of the column's values has a meaning."""
    if column.running or is_rate(column.label):
        return False
    if column.computed is not None and not meaning(column.label).known:
        return column.type == "money" or column.computed.operator != "/"
    return meaning(column.label).adds_up or _is_sum_of_amounts(column)


def _is_sum_of_amounts(column: Column) -> bool:
    """Whether a column of balances, say, is computed from amounts that add up, so that it adds up itself."""
    if column.type != "money" or column.computed is None or column.computed.operator not in ("+", "-"):
        return False
    return all(meaning(part).adds_up for part in column.computed.needed if numeric(part) is None)
