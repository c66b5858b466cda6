"""Discounts and deposits below the total, and what is left to pay.

``templates/*/deductions.toml`` holds what users say.
"""

from __future__ import annotations

from bandsmith.shared.edits.add_deduction import AddDeduction

from ...numbers import plain_amount
from ...sentence_templates import Slots
from ...view_elements import TableColumn
from ..column_choice import amount_column
from ..reading import Clause, ClauseReading, templated


def below_total(clause: Clause, slots: Slots) -> ClauseReading | None:
    """“Put a deposit of 30% under the total, and what is left to pay after it”."""
    return _taken_off(clause, slots, before_tax=False)


def before_tax(clause: Clause, slots: Slots) -> ClauseReading | None:
    """“10% discount, show it between subtotal and VAT”."""
    return _taken_off(clause, slots, before_tax=True)


def _taken_off(clause: Clause, slots: Slots, before_tax: bool) -> ClauseReading | None:
    rate, amount = slots["rate"], plain_amount(slots["amount"])
    column = amount_column(clause, "", "language.which_column")
    if not isinstance(column, TableColumn):
        return column
    kind = slots["kind"] or slots["early"] or "Discount"
    label = f"{kind}{' ' if kind.isascii() else ''}{rate}%" if rate else kind
    edit = AddDeduction(
        field=column.field,
        label=label,
        rate=rate or None,
        amount=None if rate else amount,
        rest=slots["rest"] or None,
        before_tax=before_tax,
    )
    return ClauseReading([edit])


RULES = tuple(templated("deductions", rule) for rule in (below_total, before_tax))
