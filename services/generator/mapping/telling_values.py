"""Name fields whose values tell more than their label: a currency behind "Unit:", units below quantities."""

from __future__ import annotations

import re
from collections.abc import Sequence

from bandsmith.shared.fields.identifiers import name_for, plain_label
from bandsmith.shared.fields.value_types import counts_rows, is_currency

_UNIT_LABELS = frozenset({"单位", "金额单位", "货币单位", "unit", "in"})
_CURRENCY = re.compile(r"(?:人民币|美元|欧元|港币|日元|[千万百]?元)")
_UNIT = re.compile(r"[^\W\d_]{1,8}\.?")
_CONTACTS = (
    ("email", re.compile(r"[^@\s]+@[^@\s]+\.[A-Za-z]{2,}")),
    ("website", re.compile(r"(?i)(?:https?://|www\.)\S+")),
)
_NUMBER_LABEL = re.compile(
    r"(?i)\b(?:no|nr|id|number|iban|bic|swift|vat|tax|tel|telephone|phone|fax)\b|nummer|[号號码碼]$"
)
"""Labels of numbers, which no contact in letters is: such a value stands beside its neighbour's label."""
_BRACKET = re.compile(r"[（(/]")


def name_of_values(texts: Sequence[str | None], label: str | None) -> str:
    """Return what values with such a label are, if they themselves tell it; empty where the label is right."""
    present = [text.strip() for text in texts if text and text.strip()]
    if not present or not label:
        return ""
    if counts_rows(label, present):
        return "line_no"
    if plain_label(label).lower() in _UNIT_LABELS and all(map(_names_currency, present)):
        return "currency"
    for kind, contact in _CONTACTS:
        if _NUMBER_LABEL.search(label) and all(map(contact.fullmatch, present)):
            return kind
    is_quantity = name_for(label, "", (), column=True) == "quantity"
    return "unit" if is_quantity and all(map(_UNIT.fullmatch, present)) else ""


def _names_currency(text: str) -> bool:
    """Whether a text is a currency, perhaps with a remark in brackets: ``人民币（元/含税）``."""
    first = _BRACKET.split(text)[0].strip()
    return is_currency(first) or bool(_CURRENCY.fullmatch(first))
