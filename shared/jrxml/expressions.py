"""Read the Java expressions of a template: what they reference, what they print."""

from __future__ import annotations

import re
from collections.abc import Iterator

from lxml import etree

from .dom import local_name

SCOPES = {"F": "field", "P": "parameter", "V": "variable"}
"""The kind of declaration that the letter of a reference stands for."""
LETTERS = {scope: letter for letter, scope in SCOPES.items()}
"""The letter of a reference, by the kind of declaration."""
COUNTERS = frozenset({"PAGE_NUMBER", "PAGE_COUNT", "COLUMN_NUMBER", "COLUMN_COUNT", "REPORT_COUNT", "CURRENT_PAGE"})
"""Variables that count pages, columns and rows while the engine prints."""
_REFERENCE = re.compile(r"\$([PFV])\{([^{}]+)\}")
_GUARD = r"(?:{value} == null(?: \|\| )?)+ \? null : "
_STRING_LITERAL = re.compile(r'(Format\()?"((?:\\.|[^"\\])*)"')


def reference(scope: str, name: str) -> str:
    """Return an expression that is one reference: ``reference("F", "price")`` is ``$F{price}``."""
    return f"${scope}{{{name}}}"


def reference_pattern(scopes: str = "PFV", name: str = r"\w+") -> str:
    """Return a regular expression of a reference with one of these letters, whose name `name` is a pattern of."""
    return rf"\$[{scopes}]\{{{name}\}}"


def unless_null(value: str, expression: str) -> str:
    """Return an expression that computes nothing where a value is missing; ``without_guard`` is its reverse."""
    return f"{value} == null ? null : {expression}"


def blank_if_null(value: str, shown: str | None = None) -> str:
    """Return an expression of a text that is empty where a value is missing, and else `shown` or the value itself."""
    return f'({value} == null ? "" : {shown or value})'


ROUNDING = r"\.setScale\((\d), RoundingMode\.HALF_UP\)"
"""Pattern of what ``rounded`` adds to an expression, with its decimals."""


def rounded(expression: str, decimals: int = 2, mode: str = "HALF_UP") -> str:
    """Return an expression of a BigDecimal that is rounded; ``ROUNDING`` finds it again where that is half up."""
    return f"{expression}.setScale({decimals}, RoundingMode.{mode})"


def without_guard(expression: str, scopes: str = "PFV") -> str:
    """Return what an expression computes where its values are there: ``$F{a} == null ? null : $F{a}`` is ``$F{a}``."""
    return re.sub(_GUARD.format(value=reference_pattern(scopes)), "", expression.strip())


def references(expression: str) -> list[tuple[str, str]]:
    """Return (``P``, ``F`` or ``V``, name) for every reference in an expression, in order."""
    return _REFERENCE.findall(expression)


def referenced_names(expression: str, scopes: str = "PFV") -> list[str]:
    """Return the names of the references with one of these letters, in order."""
    return [name for scope, name in references(expression) if scope in scopes]


def sole_reference(expression: str, scopes: str = "PFV") -> tuple[str, str] | None:
    """Return (letter, name) if the expression is one reference with one of these letters and nothing else."""
    match = _REFERENCE.fullmatch(expression.strip())
    return (match[1], match[2]) if match and match[1] in scopes else None


def without_names(expression: str) -> str:
    """Return the expression with the names of its references removed: ``$F{price}`` becomes ``$F``."""
    return _REFERENCE.sub(lambda match: f"${match[1]}", expression)


def string_literals(expression: str) -> list[str]:
    """Return the contents of the string literals of an expression, as written, but for the patterns of formats."""
    return [literal for is_pattern, literal in _STRING_LITERAL.findall(expression) if not is_pattern]


def counted_words(expression: str) -> str | None:
    """Return words as wide as what an expression of texts and counters prints; None if it prints anything else."""
    used = references(expression)
    if not used or "?" in expression or any(scope != "V" or name not in COUNTERS for scope, name in used):
        return None
    return "".join(string_literals(expression)) + "8" * len(used)


def expression_nodes(root: etree._Element) -> Iterator[etree._Element]:
    """Yield every node that holds an expression."""
    for node in root.iter():
        if local_name(node).endswith("xpression") and node.text:
            yield node
