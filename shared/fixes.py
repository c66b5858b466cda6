"""Which edits mended which findings: what a verdict before a correction and one after it teach."""

from __future__ import annotations

import re
from collections.abc import Iterable

from .jrxml.expressions import referenced_names
from .model.edits import AnyEdit, Declare, RenameField, SetExpression
from .model.knowledge import Fix
from .model.verdict import Finding


def mended(before: Iterable[Finding], after: Iterable[Finding], edits: list[AnyEdit]) -> list[Fix]:
    """Each finding that these edits made go away, with those among them that are about it."""
    left = {(finding.code, finding.message) for finding in after}
    gone = [finding for finding in before if (finding.code, finding.message) not in left]
    found = []
    for finding in gone:
        own = [edit for edit in edits if _is_about(edit, finding)] or (edits if len(gone) == 1 else [])
        if own:
            found.append(Fix(code=finding.code, message=finding.message, element=finding.element, edits=own))
    return found


def _is_about(edit: AnyEdit, finding: Finding) -> bool:
    if finding.element is not None and getattr(edit, "element", None) == finding.element:
        return True
    return any(word(name).search(finding.message) for name in named([edit]))


def named(edits: Iterable[AnyEdit]) -> list[str]:
    """The elements, fields, parameters and variables that edits name."""
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


def word(*names: str) -> re.Pattern[str]:
    """Finds any of these names, and not another that one is a part of."""
    longest_first = sorted(map(re.escape, names), key=len, reverse=True)
    return re.compile(rf"(?<![\w$-])(?:{'|'.join(longest_first)})(?![\w-])")
