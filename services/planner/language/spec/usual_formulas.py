"""Formulas that a pair of columns implies: a variance beside budget and actual, and its percentage; what is gross
beside net and tax; the balance of a book, row by row."""

from __future__ import annotations

import re
from collections.abc import Sequence

from bandsmith.shared.fields.column_kinds import meaning
from bandsmith.shared.model.spec import Column, Computed, Kind

from .column_totals import adds_up, is_price

_WHOLE, _PART = "budget", "actual"
_DIFFERENCES = frozenset({"variance", "difference"})
_MOVEMENTS = (
    ("in", "out"), ("credit", "debit"), ("receipts", "payments"), ("deposit", "withdrawal"),
    ("deposits", "withdrawals"), ("paid in", "paid out"), ("money in", "money out"), ("income", "expense"),
    ("income", "expenses"),
    ("收入", "支出"), ("借方", "贷方"), ("收入金额", "支出金额"), ("入库", "出库"), ("入库数量", "出库数量"),
)  # fmt: skip
"""What the rows of a book add to its balance, and what they take from it."""
_BALANCES = frozenset({"balance", "余额", "结余", "结存", "结存数量"})
_NET, _TAX, _GROSS = ("net", "taxable_amount"), "tax", ("gross_amount", "total_incl_vat", "grand_total")


_AMOUNTS = frozenset({"amount", "subtotal", "total_price", "line_price"})
_COMPARED = (
    ("received", "ordered"), ("received", "sent"), ("received", "expected"), ("counted", "expected"),
    ("received qty", "ordered qty"), ("returned", "issued"),
    ("实盘数", "账面数"), ("实盘数量", "账面数量"), ("实收数量", "应收数量"), ("实收数", "应收数"),
    ("到货数量", "订货数量"),
)  # fmt: skip
"""Two counts whose difference is the first less the second."""

_OWED = re.compile(
    r"(?:\bowed|\bowing|\boutstanding|\bunpaid|\bbalance(?: due)?|\bstill (?:due|to pay|open))$"
    r"|^(?:未收|未付|还欠|还差|尾款|欠款|余款|剩余)",
    re.IGNORECASE,
)
"""How a column is called that holds what is left to pay."""
_SETTLED = re.compile(r"\b(?:paid|deposit|prepaid|received|down payment)\b|已收|已付|定金|押金|预付", re.IGNORECASE)
"""How a column is called that holds what was paid of it."""


def outstanding(target: Column, columns: Sequence[Column]) -> Column | None:
    """Return the column of what is left to pay as what is due less what was paid, where one column holds each."""
    if not _OWED.search(target.label):
        return None
    amounts = [column for column in columns if column.type == "money" and column is not target]
    settled = [column for column in amounts if _SETTLED.search(column.label)]
    due = [column for column in amounts if column not in settled]
    if len(settled) != 1 or len(due) != 1:
        return None
    computed = Computed(operator="-", operands=[due[0].label, settled[0].label])
    return target.model_copy(update={"computed": computed, "type": "money"})


def part_by_rate(target: Column, columns: Sequence[Column]) -> Column | None:
    """Return the amount that is a rate of the only other one, where one column holds the rate: 提成金额."""
    rates = [column for column in columns if column.type == "percent"]
    amounts = [column for column in columns if column.type == "money" and column is not target]
    if target.type != "money" or len(rates) != 1 or len(amounts) != 1:
        return None
    computed = Computed(operator="*", operands=[amounts[0].label, rates[0].label])
    return target.model_copy(update={"computed": computed})


def with_usual_formulas(columns: list[Column]) -> tuple[list[Column], list[str]]:
    """Return the columns with the formulas that their names imply, and these formulas: `Gross = Net + VAT`."""
    for rule in (_with_gross, _with_running_balance, _with_product, _with_compared):
        columns, implied = rule(columns)
        if implied:
            return columns, [_formula(implied)]
    by_name = {meaning(column.label).name: column.label for column in columns}
    if not {_WHOLE, _PART} <= by_name.keys():
        return columns, []
    changed: dict[str, Column] = {}
    for column in columns:
        name, computed = meaning(column.label).name, None
        if column.computed:
            continue
        if column.type == "percent" and (difference := _begun_by(column.label, columns)):
            computed = Computed(operator="/", operands=[difference, by_name[_WHOLE]])
        elif name in _DIFFERENCES and column.type != "percent":
            computed = Computed(operator="-", operands=[by_name[_WHOLE], by_name[_PART]])
        if computed:
            kind = column.type if column.type == "percent" else "money"
            changed[column.label] = column.model_copy(update={"computed": computed, "type": kind})
    return [changed.get(column.label, column) for column in columns], list(map(_formula, changed.values()))


def _formula(column: Column) -> str:
    assert column.computed is not None
    formula = " - ".join([f" {column.computed.operator} ".join(column.computed.operands), *column.computed.less])
    return f"{column.label} = Σ({formula})" if column.running else f"{column.label} = {formula}"


def _with_gross(columns: list[Column]) -> tuple[list[Column], Column | None]:
    """Let the one gross amount beside one net amount and one tax be their sum; return it too."""
    by_name = {meaning(column.label).name: column for column in columns}
    net = [by_name[name] for name in _NET if name in by_name]
    gross = [by_name[name] for name in _GROSS if name in by_name]
    tax = by_name.get(_TAX)
    if len(net) != 1 or len(gross) != 1 or tax is None or tax.type == "percent" or gross[0].computed:
        return columns, None
    computed = Computed(operator="+", operands=[net[0].label, tax.label])
    changed = gross[0].model_copy(update={"computed": computed, "type": "money"})
    return [changed if column is gross[0] else column for column in columns], changed


def _with_running_balance(columns: list[Column]) -> tuple[list[Column], Column | None]:
    """Let the balance beside what came in and went out on each date run on from row to row; return it too."""
    by_label = {column.label.casefold(): column for column in columns}
    balance = next((by_label[name] for name in _BALANCES if name in by_label), None)
    pair = next((pair for pair in _MOVEMENTS if set(pair) <= by_label.keys()), None)
    is_book = any(column.type in ("date", "datetime") for column in columns)
    if balance is None or pair is None or not is_book or balance.computed:
        return columns, None
    moved = [by_label[name] for name in pair]
    kind: Kind = "number" if any(column.type in ("number", "integer") for column in (balance, *moved)) else "money"
    computed = Computed(operator="-", operands=[column.label for column in moved])
    running = balance.model_copy(update={"computed": computed, "running": True, "type": kind, "total": "none"})
    return [
        running if column is balance else column.model_copy(update={"type": kind}) if column in moved else column
        for column in columns
    ], running


def _with_product(columns: list[Column]) -> tuple[list[Column], Column | None]:
    """Let the amount of a row be quantity times price, where the row holds one of each and nothing else of money."""
    prices = [column for column in columns if is_price(column.label)]
    amounts = [one for one in columns if one.type == "money" and one not in prices and not one.running]
    counted = [one for one in columns if one.type in ("integer", "number") and adds_up(one)]
    has_rate = any(column.type == "percent" for column in columns)
    if not len(prices) == len(amounts) == len(counted) == 1 or has_rate or amounts[0].computed:
        return columns, None
    label = amounts[0].label.casefold()
    if meaning(label).name not in _AMOUNTS and not label.endswith(("金额", "amount")):
        return columns, None
    computed = Computed(operator="*", operands=[counted[0].label, prices[0].label])
    product = amounts[0].model_copy(update={"computed": computed})
    return [product if column is amounts[0] else column for column in columns], product


def _with_compared(columns: list[Column]) -> tuple[list[Column], Column | None]:
    """Let the difference of what was ordered and what was received be that of the two numbers."""
    by_label = {column.label.casefold(): column for column in columns}
    target = next((one for one in columns if meaning(one.label).name in _DIFFERENCES and not one.computed), None)
    pair = next((pair for pair in _COMPARED if set(pair) <= by_label.keys()), None)
    if target is None or target.type == "percent" or pair is None:
        return columns, None
    parts = [by_label[label] for label in pair]
    computed = Computed(operator="-", operands=[part.label for part in parts])
    changed = target.model_copy(update={"computed": computed, "type": "integer"})
    return [
        changed if one is target else one.model_copy(update={"type": "integer"}) if one in parts else one
        for one in columns
    ], changed


def _begun_by(label: str, columns: Sequence[Column]) -> str | None:
    """Return the difference whose label begins another: `Variance` of `Variance in percent`, 差异 of 差异率."""
    plain = label.casefold()
    return next(
        (
            column.label
            for column in columns
            if meaning(column.label).name in _DIFFERENCES
            and plain.startswith(column.label.casefold())
            and plain != column.label.casefold()
        ),
        None,
    )
