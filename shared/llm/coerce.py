"""Read values as they were meant: ``"12 pt"`` as a whole number, ``18`` as a text, ``color`` as ``colour``.

Models, small ones above all, know what to say and miss how it is written. What is certain is read; everything else
stays as it is, and fails validation with a reason that goes back to the model.
"""

from __future__ import annotations

import math
import re
import types
from collections.abc import Mapping
from difflib import get_close_matches
from typing import Annotated, Any, Literal, Union, get_args, get_origin

from pydantic import BaseModel

_NUMBER = re.compile(r"\s*(-?\d{1,6}(?:\.\d{1,6})?)\s*(?:(?:pt|px|points?|pixels?|磅|点|像素)\s*)?", re.IGNORECASE)
_CAPITAL = re.compile(r"([a-z])([A-Z])")
_BOOLEANS: Mapping[object, bool] = {
    "true": True, "yes": True, "on": True, "1": True, 1: True, "是": True,
    "false": False, "no": False, "off": False, "0": False, 0: False, "否": False,
}  # fmt: skip
MAX_NUMBER = 1e9
MIN_SIMILARITY = 0.85
"""How alike a misspelt name and a field's name are at least, of 1: ``lineWidth`` and ``line_width``."""
SPELLINGS: Mapping[str, tuple[str, ...]] = {
    "element": ("key", "id", "element_id", "elementKey", "target"),
    "field": ("column", "col", "field_name", "column_name"),
    "colour": ("color",),
    "name": ("property", "attribute"),
    "value": ("val", "to"),
    "text": ("content", "wording"),
    "calculation": ("function", "aggregate", "operation"),
    "java_class": ("class", "javaClass"),
    "descending": ("desc",),
    "to": ("new_name", "newName"),
    "count": ("rows", "number", "limit", "n"),
}
"""Other names of fields, which count where a type has the field and not the other name."""


def coerced(kind: type[BaseModel], data: Mapping[str, Any]) -> dict[str, Any]:
    """Return the data with the names and, where it is certain, the types of the fields; no field, no data."""
    named = {name: data[key] for name, key in _keys(kind, data).items()}
    return {name: _as(kind.model_fields[name].annotation, value) for name, value in named.items()}


def unread_fields(kind: type[BaseModel], data: Mapping[str, Any]) -> list[str]:
    """Return the names in the data that are those of no field of the type, and hold something."""
    read = set(_keys(kind, data).values())
    return [name for name, value in data.items() if name not in read and value not in (None, "", [], {})]


def _keys(kind: type[BaseModel], data: Mapping[str, Any]) -> dict[str, str]:
    """Return the name in the data of each field that it holds: the field's, another one for it, or a misspelt one."""
    found = {name: name for name in kind.model_fields if name in data}
    for name in kind.model_fields:
        for other in SPELLINGS.get(name, ()):
            if name not in found and other in data and other not in kind.model_fields:
                found[name] = other
    for other in [key for key in data if isinstance(key, str) and key not in found.values()]:
        words = _CAPITAL.sub(r"\1_\2", other).lower()
        near = get_close_matches(words, [name for name in kind.model_fields if name not in found], 1, MIN_SIMILARITY)
        if near and other not in kind.model_fields:
            found[near[0]] = other
    return found


def _as(annotation: Any, value: Any) -> Any:
    """Return the value in a type of the annotation, or unchanged."""
    choices = _choices(annotation)
    kinds = {choice for choice in choices if isinstance(choice, type)}
    models = [choice for choice in kinds if issubclass(choice, BaseModel)]
    lists = [choice for choice in choices if get_origin(choice) is list]
    words = [word for choice in choices if get_origin(choice) is Literal for word in get_args(choice)]
    match value:
        case dict() if len(models) == 1:
            return coerced(models[0], value)
        case list() if lists:
            return [_as(get_args(lists[0])[0], item) for item in value]
        case list() if len(value) == 1 and str in kinds:
            return _as(annotation, value[0])
        case str() | int() | float() if lists and not kinds:
            return [_as(get_args(lists[0])[0], value)]
        case str() if words:
            return next((word for word in words if str(word).lower() == value.strip().lower()), value)
        case bool() if str in kinds and bool not in kinds:
            return str(value).lower()
        case _ if bool in kinds and not isinstance(value, bool):
            return _boolean(value)
        case int() | float() if str in kinds and not kinds & {int, float}:
            return _plain(value)
        case int() | float() | str() if kinds & {int, float} and str not in kinds and not isinstance(value, bool):
            return _number(value, whole=float not in kinds)
    return value


def _choices(annotation: Any) -> list[Any]:
    """Return the types that an annotation allows, without its optional part and its constraints."""
    origin = get_origin(annotation)
    if origin is Annotated:
        return _choices(get_args(annotation)[0])
    if origin in (Union, types.UnionType):
        return [choice for part in get_args(annotation) for choice in _choices(part)]
    return [] if annotation is type(None) else [annotation]


def _boolean(value: Any) -> Any:
    try:
        return _BOOLEANS.get(value.strip().lower() if isinstance(value, str) else value, value)
    except TypeError:  # a list or an object
        return value


def _plain(value: float) -> Any:
    """Return a number as a person writes it; one that no template holds stays as it is."""
    if not math.isfinite(value) or abs(value) > MAX_NUMBER:
        return value
    return str(int(value)) if value == int(value) else repr(value)


def _number(value: float | str, *, whole: bool) -> Any:
    if isinstance(value, str):
        found = _NUMBER.fullmatch(value)
        if not found:
            return value
        number = float(found[1])
    else:
        number = value
    if not math.isfinite(number) or abs(number) > MAX_NUMBER:
        return value
    return round(number) if whole else number
