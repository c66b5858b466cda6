"""The values that a report prints, as a model gets to see them: its rows, single values and totals.

A small table is shown as a whole, so that a model can name a row and answer what a value is. Values that no model may
see are hidden.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from decimal import Decimal
from typing import NamedTuple

from lxml import etree

from bandsmith.shared.jrxml.dom import child_text, declared_nodes
from bandsmith.shared.jrxml.expressions import ROUNDING, reference_pattern, sole_reference
from bandsmith.shared.jrxml.sensitive import HIDDEN, Reference, sensitive_references
from bandsmith.shared.model.plan import Data
from bandsmith.shared.sources import is_sensitive

from ...computed_values import computed_values
from ..template_view import TemplateView

MAX_ROWS, MAX_FIELDS, MAX_VALUE_CHARS = 20, 60, 40
"""Rows, fields of a row, and characters of a value in a prompt."""
MAX_ROWS_CHARS = 4_000
"""Characters of all rows in a prompt."""
COMPUTED = "(computed)"
"""A value that only the engine can compute; what the data hold under its name is not printed."""
_CALCULATIONS: Mapping[str, Callable[[list[Decimal]], Decimal | int]] = {
    "Sum": lambda numbers: sum(numbers, Decimal()),
    "Average": lambda numbers: sum(numbers, Decimal()) / len(numbers),
    "Lowest": min,
    "Highest": max,
    "Count": len,
}
_MAX_DECIMALS = 6
_AS_DECIMAL = re.compile(
    rf"\((?P<value>{reference_pattern('FV')})\) == null \? null : "
    r"(?:new BigDecimal\(\((?P=value)\)\.toString\(\)\)|\((?P=value)\))" + ROUNDING
)
"""A value as an average adds it up."""
Row = Mapping[str, object]


def printed_values(view: TemplateView, data: Data) -> str:
    """Return the rows, each with its number, the lists, the parameters and the totals."""
    labels = {column.field: column.label for column in view.columns}
    hidden = _Hidden(sensitive_references(view.root), labels)
    rows: list[dict[str, object]] = [dict(row) for row in data.rows]
    for name in [name for name in labels if name in _variables(view)]:
        values = _computed(view, data, name)
        for number, row in enumerate(rows):
            row[name] = values[number] if values else COMPUTED
    given = [
        f"$P{{{name}}}: {hidden.shown(name, value, 'P')}" for name, value in list(data.parameters.items())[:MAX_FIELDS]
    ]
    in_lists = hidden._replace(labels={})
    lists = [line for name, inner in data.lists.items() for line in _table(inner, f" of the list {name}", in_lists)]
    return "\n".join([*_table(rows, "", hidden), *lists, *given, *_totals(view, data, hidden)])


class _Hidden(NamedTuple):
    """What no model may see of a report."""

    references: frozenset[Reference]
    labels: Mapping[str, str]
    """The headings of the columns, by field."""

    def shown(self, name: str, value: object, scopes: str = "FV") -> str:
        """Return a value on one line; not one that no model may see, or that is called like such a one."""
        text = " ".join(str("" if value is None else value).split())
        label = self.labels.get(name, "")
        is_hidden = any((scope, name) in self.references for scope in scopes) or any(
            is_sensitive("", one, frozenset()) for one in (name, label)
        )
        if text and is_hidden:
            return HIDDEN
        return text if len(text) <= MAX_VALUE_CHARS else text[: MAX_VALUE_CHARS - 1] + "…"


def _table(rows: Sequence[Row], of: str, hidden: _Hidden) -> Iterator[str]:
    """Yield the number of rows, the names of their fields, and a line for each row that has space."""
    if not rows:
        return
    names = list(rows[0])[:MAX_FIELDS]
    yield f"{len(rows)} row{'s' * (len(rows) != 1)}{of}; their fields: {' | '.join(names)}"
    shown, chars = 0, 0
    for row in rows[:MAX_ROWS]:
        line = f"{shown + 1}: {' | '.join(hidden.shown(name, row.get(name)) for name in names)}"
        chars += len(line)
        if shown and chars > MAX_ROWS_CHARS:
            break
        yield line
        shown += 1
    if shown < len(rows):
        yield f"and {len(rows) - shown} more rows, which are not shown here"


# --- totals ----------------------------------------------------------------------------------------------------------


def _totals(view: TemplateView, data: Data, hidden: _Hidden) -> Iterator[str]:
    """Yield the printed totals of all rows: not where only some rows are printed, and not those of groups."""
    if child_text(view.root, "filterExpression"):
        return
    printed = {name for piece in view.texts for scope, name in piece.references if scope == "V"}
    for name, node in _variables(view).items():
        calculation = node.get("calculation", "Nothing")
        if name not in printed or calculation not in _CALCULATIONS or node.get("resetType", "Report") != "Report":
            continue
        expression = child_text(node, "variableExpression").strip()
        exact = _AS_DECIMAL.fullmatch(expression)
        used = sole_reference(exact["value"] if exact else expression, "FV")
        numbers = _numbers(view, data, *used) if used else computed_values(expression, data)
        if numbers:
            column = used[1] if used else name
            scopes = used[0] if used else "V"
            total = hidden.shown(column, _written(_CALCULATIONS[calculation](numbers)), scopes)
            yield f"$V{{{name}}}: {total} ({calculation}{f' of {column}' if used else ''})"


def _numbers(view: TemplateView, data: Data, scope: str, name: str) -> list[Decimal]:
    """Return the numbers of a field or a computed column in all rows; nothing where a row has none."""
    if scope == "V":
        return _computed(view, data, name)
    values = [row.get(name) for row in data.rows]
    numbers = [Decimal(str(value)) for value in values if isinstance(value, int | float) and value is not True]
    return numbers if len(numbers) == len(values) else []


def _computed(view: TemplateView, data: Data, name: str) -> list[Decimal]:
    """Return what a variable of each row is in all rows; nothing where it is none, or computes more."""
    node = _variables(view).get(name)
    if node is None or node.get("calculation", "Nothing") != "Nothing":
        return []
    return computed_values(child_text(node, "variableExpression"), data)


def _variables(view: TemplateView) -> dict[str, etree._Element]:
    return declared_nodes(view.root, "variable")


def _written(number: Decimal | int) -> str:
    text = f"{Decimal(number):.{_MAX_DECIMALS}f}"
    return text.rstrip("0").rstrip(".")
