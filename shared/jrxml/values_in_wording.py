"""Values that a text prints behind fixed wording: ``"Due: " + ($P{due} == null ? "" : $P{due})``.

A pattern belongs to a text that prints its value alone; behind wording, the expression formats a date or an amount.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from .expressions import blank_if_null, reference, reference_pattern, sole_reference
from .java_literals import java_string

_LITERAL = r'"(?:[^"\\]|\\.)*+"'
_IN_WORDING = re.compile(
    rf"(?P<before>{_LITERAL}) \+ \({reference_pattern('PVF', '(?P<name>[^{}]+)')} == null \? \"\" : (?P<shown>.+)\)"
)
_FORMATTED = re.compile(
    rf"new java\.text\.(?:SimpleDateFormat|DecimalFormat)\({_LITERAL}[^\"]*\)"
    rf"\.format\((?P<value>{reference_pattern('PV', '[^{}]+')})\)"
)
_LOCALE = reference("P", "REPORT_LOCALE")


def reference_in_wording(expression: str) -> tuple[str, str] | None:
    """Return (letter, name) of the only value that a text prints behind wording; None for any other text."""
    match = _IN_WORDING.fullmatch(expression.strip())
    if match is None:
        return None
    formatted = _FORMATTED.fullmatch(match["shown"])
    shown = sole_reference(formatted["value"] if formatted else match["shown"], "PV")
    return shown if shown and shown[1] == match["name"] else None


class LabelledValue(NamedTuple):
    """A label and, after it, a value that is printed as it is."""

    label: str
    """A Java string."""
    letter: str
    name: str


def labelled_value(expression: str, scopes: str = "PVF") -> LabelledValue | None:
    """Return the label and the value that a text prints; None for any other text, and for a formatted value."""
    match = _IN_WORDING.fullmatch(expression.strip())
    printed = sole_reference(match["shown"], scopes) if match else None
    return LabelledValue(match["before"], *printed) if match and printed and printed[1] == match["name"] else None


def printed_value(expression: str, scopes: str = "PV") -> tuple[str, str] | None:
    """Return (letter, name) of the only value that a text prints, alone or behind wording."""
    found = sole_reference(expression, scopes) or reference_in_wording(expression)
    return found if found and found[0] in scopes else None


def is_formatted(expression: str) -> bool:
    """Whether an expression formats the value behind its wording."""
    match = _IN_WORDING.fullmatch(expression.strip())
    return bool(match and _FORMATTED.fullmatch(match["shown"]))


def with_format(expression: str, pattern: str, *, is_date: bool, localized: bool) -> str:
    """Return an expression that prints its value behind its wording by a pattern, in the report's locale if needed."""
    match = _IN_WORDING.fullmatch(expression.strip())
    printed = reference_in_wording(expression)
    if match is None or printed is None:
        return expression
    value = reference(*printed)
    how = java_string(pattern)
    if is_date:
        shown = f"new java.text.SimpleDateFormat({how}{f', {_LOCALE}' if localized else ''})"
    else:
        shown = f"new java.text.DecimalFormat({how}, java.text.DecimalFormatSymbols.getInstance({_LOCALE}))"
    return f"{match['before']} + {blank_if_null(value, f'{shown}.format({value})')}"
