"""Fixes: which edits fix which findings, learned by comparing the verdicts before and after a correction."""

from __future__ import annotations

import re
from collections.abc import Iterable

from ..edits import AnyEdit
from ..edits.declare import Declare
from ..edits.rename_field import RenameField
from ..edits.set_expression import SetExpression
from ..jrxml.expressions import referenced_names
from ..model.base import Value
from .verdict import Finding


class Fix(Value):
    """A finding that was fixed, and the edits that fixed it."""

    code: str
    """The finding's code."""
    message: str
    """The finding's message, in English."""
    element: str | None = None
    """The element that the finding and its edits are about."""
    edits: list[AnyEdit]


def find_fixes(before: Iterable[Finding], after: Iterable[Finding], edits: list[AnyEdit]) -> list[Fix]:
    """Return a fix for each finding that the edits resolved, with the edits that concern it."""
    remaining = {(finding.code, finding.message) for finding in after}
    resolved = [finding for finding in before if (finding.code, finding.message) not in remaining]
    fixes = []
    for finding in resolved:
        relevant = [edit for edit in edits if _concerns(edit, finding)] or (edits if len(resolved) == 1 else [])
        if relevant:
            fixes.append(Fix(code=finding.code, message=finding.message, element=finding.element, edits=relevant))
    return fixes


def _concerns(edit: AnyEdit, finding: Finding) -> bool:
    if finding.element is not None and getattr(edit, "element", None) == finding.element:
        return True
    return any(name_pattern(name).search(finding.message) for name in names_in_edits([edit]))


def names_in_edits(edits: Iterable[AnyEdit]) -> list[str]:
    """Return the names of elements, fields, parameters and variables in edits."""
    names = []
    for edit in edits:
        if element := getattr(edit, "element", None):
            names.append(element)
        match edit:
            case Declare() | RenameField():
                names.append(edit.name)
            case SetExpression():
                names += referenced_names(edit.expression)
    return names


def name_pattern(*names: str) -> re.Pattern[str]:
    """Return a pattern for any of these names as a whole, not as part of a longer name."""
    longest_first = sorted(map(re.escape, names), key=len, reverse=True)
    return re.compile(rf"(?<![\w$-])(?:{'|'.join(longest_first)})(?![\w-])")
