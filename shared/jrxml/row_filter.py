"""The filter of a report: which rows are printed, and how many at most."""

from __future__ import annotations

import re

from .dom import child, child_text, ensure_child
from .draft import Draft

_LIMIT = re.compile(r"(?:(?<=\)) && |^)\$V\{REPORT_COUNT\} <= (\d+)$")


def add_row_condition(draft: Draft, condition: str) -> bool:
    """Print only rows that also meet a condition. Return whether that changed the filter."""
    conditions, limit = _filter(draft)
    if condition in conditions:
        return False
    _set_filter(draft, f"({conditions}) && ({condition})" if conditions else condition, limit)
    return True


def set_row_limit(draft: Draft, count: int) -> bool:
    """Print at most `count` rows. Return whether that changed the filter.

    The engine counts a row only if it is printed, and filters after it has sorted.
    """
    conditions, limit = _filter(draft)
    if limit == count:
        return False
    _set_filter(draft, conditions, count)
    return True


def clear_row_filter(draft: Draft) -> bool:
    """Print all rows again. Return whether there was a filter."""
    node = child(draft.root, "filterExpression")
    if node is None:
        return False
    draft.root.remove(node)
    return True


def _filter(draft: Draft) -> tuple[str, int | None]:
    """Return the conditions of the filter, and its limit."""
    expression = child_text(draft.root, "filterExpression")
    found = _LIMIT.search(expression)
    if found is None:
        return expression, None
    conditions = expression[: found.start()]
    return conditions[1:-1] if conditions else "", int(found[1])


def _set_filter(draft: Draft, conditions: str, limit: int | None) -> None:
    node = ensure_child(draft.root, "filterExpression")
    limited = f"$V{{REPORT_COUNT}} <= {limit}"
    if limit is None:
        node.text = conditions
    else:
        node.text = f"({conditions}) && {limited}" if conditions else limited
