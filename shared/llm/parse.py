"""Parse replies as JSON. Surrounding prose, code fences, trailing commas and a truncated end are repaired.

An incomplete value is dropped, never kept in part: of ``[{"x": 12}, {"x": 3, "y": 1`` the first object remains.
"""

from __future__ import annotations

import json
import re
from typing import Any

import json_repair

MAX_DEPTH = 60
"""Maximum nesting depth. No answer needs half of it, and repairing deeper ones takes long."""

_FENCE = re.compile(r"```(?:json)?[ \t]*\n(.*?)(?:\n```|\Z)", re.DOTALL | re.IGNORECASE)
_CLOSING = {"{": "}", "[": "]"}


def parse(text: str, *, truncated: bool = False) -> Any:
    """Return the JSON object in a reply, or a list of objects. Raises ``ValueError`` with a message for the model."""
    text = text.strip()
    if not text:
        raise ValueError("the reply is empty")
    for candidate in (text, *(found[1] for found in _FENCE.finditer(text) if found[1].lstrip().startswith("{"))):
        try:
            found = json.loads(candidate)
        except (ValueError, RecursionError):
            continue
        if isinstance(found, dict) or _is_list_of_objects(found):
            return found
    start = text.find("{")
    if start < 0:
        raise ValueError("the reply holds no JSON object")
    return _repaired(_without_truncated_end(text[start:]) if truncated else text)


def without_nulls(value: Any) -> Any:
    """Return the value without null fields: models write null for an optional field instead of omitting it."""
    if isinstance(value, dict):
        return {name: without_nulls(item) for name, item in value.items() if item is not None}
    return [without_nulls(item) for item in value] if isinstance(value, list) else value


def is_whole(text: str) -> bool:
    """Whether the text is a complete JSON object."""
    try:
        return isinstance(json.loads(text), dict)
    except (ValueError, RecursionError):
        return False


def _is_list_of_objects(found: Any) -> bool:
    return isinstance(found, list) and bool(found) and all(isinstance(item, dict) for item in found)


def _repaired(text: str) -> Any:
    if _depth(text) > MAX_DEPTH:
        raise ValueError("the reply is nested too deeply")
    try:
        found = json_repair.loads(text)
    except (ValueError, RecursionError):
        raise ValueError("the reply is not JSON") from None
    objects = [item for item in (found if isinstance(found, list) else [found]) if isinstance(item, dict) and item]
    if not objects:
        raise ValueError("the reply holds no JSON object")
    return _merged(objects)


def _merged(objects: list[dict[str, Any]]) -> Any:
    """Return several objects as one: edits as a list, others if no two of them say different things."""
    if all("do" in item for item in objects):
        return objects if len(objects) > 1 else objects[0]
    merged: dict[str, Any] = {}
    for item in objects:
        if any(merged.get(name, value) != value for name, value in item.items()):
            raise ValueError("the reply holds several JSON objects; reply with one that says all")
        merged |= item
    return merged


def _depth(text: str) -> int:
    depth = max_depth = 0
    for bracket in re.finditer(r"[{}\[\]]", text):
        depth = depth + 1 if bracket[0] in _CLOSING else max(0, depth - 1)
        max_depth = max(max_depth, depth)
    return max_depth


def _without_truncated_end(text: str) -> str:
    """Return the text up to the last complete value (or list item), with all brackets closed."""
    opened: list[str] = []
    quoted = escaped = False
    end, closing = 0, ""
    for position, char in enumerate(text):
        if quoted:
            quoted = escaped or char != '"'
            escaped = char == "\\" and not escaped
            continue
        if char == '"':
            quoted = True
        elif char in _CLOSING:
            opened.append(_CLOSING[char])
        elif opened and char == opened[-1]:
            opened.pop()
        if char in "}]," and "]" not in opened[:-1]:  # a list item is kept or dropped as a whole
            end, closing = position + (char != ","), "".join(reversed(opened))
            if not opened:
                break
    return text[:end] + closing
