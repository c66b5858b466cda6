"""Replies as JSON: prose around it, fences, commas too many and a cut end are mended; anything else is refused.

What was cut is left out, never kept in half: of ``[{"x": 12}, {"x": 3, "y": 1`` the first object remains.
"""

from __future__ import annotations

import json
import re
from typing import Any

import json_repair

DEEPEST = 60
"""Brackets within brackets; no answer needs half as many, and mending them takes long."""

_FENCE = re.compile(r"```(?:json)?[ \t]*\n(.*?)(?:\n```|\Z)", re.DOTALL | re.IGNORECASE)
_CLOSES = {"{": "}", "[": "]"}


def parse(text: str, *, cut: bool = False) -> dict[str, Any]:
    """The one object of a reply. Raises ``ValueError`` with a sentence for the model."""
    text = text.strip()
    for candidate in (text, *(found[1] for found in _FENCE.finditer(text) if found[1].lstrip().startswith("{"))):
        try:
            found = json.loads(candidate)
        except (ValueError, RecursionError):
            continue
        if isinstance(found, dict):
            return found
    start = text.find("{")
    if start < 0:
        raise ValueError("the reply holds no JSON object")
    return _mended(_without_cut_end(text[start:]) if cut else text)


def without_nulls(value: Any) -> Any:
    """An object without what it says nothing of: models write null where a value may be left out."""
    if isinstance(value, dict):
        return {name: without_nulls(one) for name, one in value.items() if one is not None}
    return [without_nulls(one) for one in value] if isinstance(value, list) else value


def is_whole(text: str) -> bool:
    """Whether a reply is an object as it stands, whatever was said of its end."""
    try:
        return isinstance(json.loads(text), dict)
    except (ValueError, RecursionError):
        return False


def _mended(text: str) -> dict[str, Any]:
    if _depth(text) > DEEPEST:
        raise ValueError("the reply is nested too deeply")
    try:
        found = json_repair.loads(text)
    except (ValueError, RecursionError):
        raise ValueError("the reply is not JSON") from None
    objects = [one for one in (found if isinstance(found, list) else [found]) if isinstance(one, dict) and one]
    if not objects:
        raise ValueError("the reply holds no JSON object")
    return objects[0]


def _depth(text: str) -> int:
    depth = deepest = 0
    for mark in re.finditer(r"[{}\[\]]", text):
        depth = depth + 1 if mark[0] in _CLOSES else max(0, depth - 1)
        deepest = max(deepest, depth)
    return deepest


def _without_cut_end(text: str) -> str:
    """The text up to the last value that is surely whole (an entry of a list as a whole), with what is open closed."""
    opened: list[str] = []
    quoted = escaped = False
    kept, closing = 0, ""
    for place, char in enumerate(text):
        if quoted:
            quoted = escaped or char != '"'
            escaped = char == "\\" and not escaped
            continue
        if char == '"':
            quoted = True
        elif char in _CLOSES:
            opened.append(_CLOSES[char])
        elif opened and char == opened[-1]:
            opened.pop()
        if char in "}]," and "]" not in opened[:-1]:  # within a list's entry nothing is whole before the entry is
            kept, closing = place + (char != ","), "".join(reversed(opened))
            if not opened:
                break
    return text[:kept] + closing
