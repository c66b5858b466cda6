"""Bring a reply into the shape that was asked for: out of a tool call, a wrapper, or a bare edit or spec."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping
from typing import Any

MAX_WRAPPERS = 4
_ARGUMENTS = ("arguments", "parameters", "args", "input")
_CALLS = ("tool_calls", "function", "function_call", "tool_call", "tool")


def reshaped(found: Any, fields: Collection[str]) -> dict[str, Any]:
    """Return the object that holds one of the `fields`. Raises ``ValueError`` with a message for the model."""
    for _ in range(MAX_WRAPPERS):
        if isinstance(found, list):
            found = {"edits": found} if "edits" in fields and all(map(_is_edit, found)) else found[0]
        if not isinstance(found, Mapping) or set(found) & set(fields):
            break
        if "edits" in fields and _is_edit(found):
            return {"edits": [found]}
        if "spec" in fields and {"title", "columns"} <= set(found):
            return {"spec": found}
        inner = _unwrapped(found)
        if inner is None:
            break
        found = inner
    if not isinstance(found, dict):
        raise ValueError("the reply holds no JSON object")
    return found


def _is_edit(item: Any) -> bool:
    return isinstance(item, Mapping) and isinstance(item.get("do"), str)


def _unwrapped(found: Mapping[str, Any]) -> Any:
    """Return what is inside a tool call or an object with one value."""
    for name in (*_ARGUMENTS, *_CALLS):
        inner = _object(found.get(name))
        if inner:
            return inner
    if len(found) == 1:
        return _object(next(iter(found.values())))
    return None


def _object(value: Any) -> Any:
    """Return a value that is an object or a list of them, or the JSON text of one; else None."""
    if isinstance(value, str) and value.lstrip().startswith("{"):
        try:
            value = json.loads(value)
        except (ValueError, RecursionError):
            return None
    is_list = isinstance(value, list) and bool(value) and all(isinstance(item, Mapping) for item in value)
    return value if is_list or (isinstance(value, Mapping) and value) else None
