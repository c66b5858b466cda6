"""Two names of one thing, of which one stands in brackets: “the last column (备注)”, 最后一列（备注）.

The clause is read with the name in the brackets alone, where both mean the same. Where they do not, it stays unread.
"""

from __future__ import annotations

import re

from ..reference_resolver import ReferenceResolver
from ..references import Target

MAX_NAME_CHARS = 30
_BRACKETS = re.compile(r"\s*[(（]\s*(?P<name>[^()（）]{1,30}?)\s*[)）]")
_NAME_START = re.compile(r"(?<![A-Za-z0-9])(?=[A-Za-z0-9])|(?=[\u3400-\u9fff])")


def without_appositions(clause: str, names: ReferenceResolver) -> str:
    """Return a clause with the name in brackets in the place of the one before them, if both name the same."""
    for found in _BRACKETS.finditer(clause):
        inside = names.find(found["name"])
        if not isinstance(inside, Target):
            continue
        for start in _NAME_START.finditer(clause, max(0, found.start() - MAX_NAME_CHARS), found.start()):
            outside = names.find(clause[start.start() : found.start()])
            if isinstance(outside, Target) and _is_same(inside, outside):
                return clause[: start.start()] + found["name"] + clause[found.end() :]
    return clause


def _is_same(one: Target, other: Target) -> bool:
    if one.column is not None and other.column is not None:
        return one.column.field == other.column.field
    return {piece.key for piece in one.pieces} == {piece.key for piece in other.pieces}
