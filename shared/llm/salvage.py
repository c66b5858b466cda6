"""Validate a model's values one by one, so that one that cannot be used does not lose the others.

What is left out is noted: the model is told why, and the user that it is missing.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any, get_args

from pydantic import BaseModel, ValidationError, ValidationInfo

from ..edits import EDITS, Edit
from .coerce import coerced, unread_fields

MAX_REASON_CHARS = 300
MAX_ELEMENTS = 100
"""Elements that one edit is carried out on."""
_LONE_SURROGATE = re.compile("[\ud800-\udfff]")
_NAMES_OF_DO = ("do", "type", "action", "edit", "op", "operation", "kind")

_REMARKS = frozenset(
    {"comment", "comments", "note", "notes", "reason", "why", "description", "explanation", "elements"}
)
"""Fields that models add for the reader and that ask for nothing."""


class LeftOut(Exception):
    """Raised for a value that cannot be used; the message says why, to the model."""


def read_edits(value: Any, info: ValidationInfo) -> Any:
    """Return the edits of a list that can be used. The reasons for the others go to the context's ``left_out``.

    Without such a context, as in the cases of prompts, every edit has to be right.
    """
    left_out = (info.context or {}).get("left_out")
    if left_out is None or not isinstance(value, list | dict):
        return value
    edits: list[Edit] = []
    for number, item in enumerate(value if isinstance(value, list) else [value]):
        for one in _one_by_one(item):
            try:
                edits.append(_edit(one))
                left_out += [f"edits.{number}: {reason}"[:MAX_REASON_CHARS] for reason in _not_used(edits[-1], one)]
            except LeftOut as reason:
                left_out.append(f"edits.{number}: {reason}"[:MAX_REASON_CHARS])
    return edits


def read_items(value: Any, info: ValidationInfo, kind: type[BaseModel]) -> Any:
    """Return an object whose fields are read as they were meant; optional ones that cannot be used are left out."""
    left_out = (info.context or {}).get("left_out")
    if left_out is None or not isinstance(value, Mapping):
        return value
    data = coerced(kind, json.loads(_LONE_SURROGATE.sub("?", json.dumps(value, default=str, ensure_ascii=False))))
    for _ in range(len(str(data))):  # each turn leaves something out
        try:
            kind.model_validate(data)
            break
        except ValidationError as error:
            fault = error.errors(include_url=False, include_context=False, include_input=False)[0]
            if not _without(data, kind, fault["loc"]):
                break
            left_out.append(f"{'.'.join(map(str, fault['loc']))}: {fault['msg']}"[:MAX_REASON_CHARS])
    return data


def _one_by_one(item: Any) -> list[Any]:
    """Return an edit of several elements as edits of one each."""
    if isinstance(item, Mapping):
        for name in ("element", "elements"):
            if isinstance(item.get(name), list) and item[name]:
                others = {key: value for key, value in item.items() if key != name}
                return [others | {"element": element} for element in item[name][:MAX_ELEMENTS]]
    return [item]


def _edit(item: Any) -> Edit:
    """Return one edit, or raise ``LeftOut``."""
    name, data = _named(item)
    kind = EDITS.get(name)
    if _LONE_SURROGATE.search(json.dumps(item, default=str, ensure_ascii=False)):
        raise LeftOut("it holds half of a character")
    if kind is None:
        known = ", ".join(EDITS)
        raise LeftOut(f"there is no edit {name!r}; do is one of {known}" if name else "it has no do")
    try:
        return kind.model_validate(coerced(kind, data) | {"do": name})
    except ValidationError as error:
        faults = error.errors(include_url=False, include_context=False, include_input=False)
        reasons = "; ".join(f"{'.'.join(map(str, fault['loc']))}: {fault['msg']}" for fault in faults)
        raise LeftOut(f"{name}: {reasons}") from None


def _not_used(edit: Edit, item: Any) -> list[str]:
    """Say which fields of an edit are none that it has: what they hold was asked for, and is not done."""
    name, data = _named(item)
    known = type(edit).model_fields
    fields = [str(key) for key in unread_fields(type(edit), data) if key not in _NAMES_OF_DO and key not in _REMARKS]
    return [f"{name} has no field {field!r}; it has {', '.join(known)}" for field in fields]


def _named(item: Any) -> tuple[str, Mapping[str, Any]]:
    """Return the name and the fields of an edit: ``{"do": "move", ...}``, or ``{"move": {...}}``."""
    if not isinstance(item, Mapping):
        raise LeftOut("it is not an object")
    for key in _NAMES_OF_DO:
        name = item.get(key)
        if isinstance(name, str) and (key == "do" or name.strip().lower() in EDITS):
            return name.strip().lower(), item
    if len(item) == 1:
        [(name, inner)] = item.items()
        if name in EDITS and isinstance(inner, Mapping):
            return name, inner
    return "", item


def _without(data: Any, kind: type[BaseModel], path: Sequence[int | str]) -> bool:
    """Remove from the data the innermost thing on the path that may be missing. Return whether there was one.

    A list is not removed: one that is too long holds what was asked for.
    """
    steps: list[tuple[Any, Any, bool]] = []
    current: Any = data
    model: type[BaseModel] | None = kind
    for part in path:
        if isinstance(current, dict) and part in current:
            field = model.model_fields.get(str(part)) if model else None
            is_optional = field is None or not field.is_required()
            steps.append((current, part, is_optional and not isinstance(current[part], list)))
            model = _model_in(field.annotation) if field else None
        elif isinstance(current, list) and isinstance(part, int) and part < len(current):
            steps.append((current, part, True))
        else:
            continue  # the name of a choice of a union
        current = current[part]
    for container, key, removable in reversed(steps):
        if removable:
            del container[key]
            return True
    return False


def _model_in(annotation: Any) -> type[BaseModel] | None:
    """Return the model that an annotation, or a list in it, holds."""
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return annotation
    return next((found for part in get_args(annotation) if (found := _model_in(part))), None)
