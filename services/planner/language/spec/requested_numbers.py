"""What is said of the numbers in columns: how many decimals they have, their currency, and which a column adds up."""

from __future__ import annotations

import re
from collections.abc import Mapping

from bandsmith.shared.fields.column_kinds import meaning
from bandsmith.shared.model.spec import Column, Computed

from ..sentence_templates import listed
from .column_names import columns_named, means
from .item import Item
from .sections import SUBJECT, Sections

_PARTICIPLE = re.compile(r"(?:ed|en|lost|sold|left|spoilt)$")
_NUMERIC = ("money", "number", "integer")
_CURRENCY = re.compile(r"(?:\bin\s+|[(（])([A-Za-z]{3,10}|欧元|美元|[€£$])[)）]?$", re.IGNORECASE)
"""What ends a heading that names a currency: `price in euros`, `cost (EUR)`."""


def with_sums(columns: list[Column], sums: Mapping[str, Item], unread: list[str]) -> list[Column]:
    """Return the columns with the sums of as many columns before them as was said: 总分是三科相加."""
    for label, counted in sums.items():
        at = next((n for n, column in enumerate(columns) if means(label, column.label)), None)
        parts = columns[max(0, at - int(counted.label)) : at] if at is not None else []
        if at is None or len(parts) != int(counted.label) or not all(map(_may_be_number, parts)):
            unread.append(counted.clause)
            continue
        kind = "money" if all(part.type == "money" for part in parts) else "number"
        columns = [_as_number(one) if one in parts else one for one in columns]
        computed = Computed(operator="+", operands=[part.label for part in parts])
        columns[at] = columns[at].model_copy(update={"computed": computed, "type": kind})
    return columns


def with_counts(columns: list[Column]) -> list[Column]:
    """Return the columns with a count of each participle between two counts: `eggs collected, broken, sold`."""
    return [
        column.model_copy(update={"type": "integer"})
        if 0 < n < len(columns) - 1
        and columns[n - 1].type == columns[n + 1].type == "integer"
        and column.type == "text"
        and not meaning(column.label).known
        and _PARTICIPLE.search(column.label)
        else column
        for n, column in enumerate(columns)
    ]


def with_patterns(columns: list[Column], sections: Sections, unread: list[str]) -> list[Column]:
    """Return the columns with the sign of the currency that headings or a clause name, and the decimals asked for."""
    places: dict[str, int] = {}
    for count, named in sections.decimals:
        found = columns_named(named.label, columns) if named.label else columns
        chosen = [column.label for column in found if column.type in ("money", "number")]
        unread += [] if chosen else [named.clause]
        places |= dict.fromkeys(chosen, count)
    if sections.currency and not any(column.type == "money" for column in columns):
        unread.append(sections.currency.clause)
    common = sections.currency.label if sections.currency else None
    return [_with_pattern(column, places.get(column.label), common) for column in columns]


def _with_pattern(column: Column, places: int | None, common_sign: str | None) -> Column:
    found = _CURRENCY.search(column.label)
    own_sign = listed(SUBJECT, "currency", found[1]) if found else None
    sign = own_sign or common_sign if column.type == "money" else None
    if places is None and sign is None:
        return column
    digits = "0" * (2 if places is None else places)
    return column.model_copy(update={"pattern": f"{sign or ''}#,##0{'.' if digits else ''}{digits}"})


def _may_be_number(column: Column) -> bool:
    """Whether a column holds numbers, or a heading that says nothing of its values."""
    return column.type in _NUMERIC or (column.type == "text" and not meaning(column.label).known)


def _as_number(column: Column) -> Column:
    return column if column.type in _NUMERIC else column.model_copy(update={"type": "number"})
