"""Describe types for prompts, one line each, generated from the code so that prompts cannot go stale.

``{"do": "move", "element": text|[text, ...], "x"?: whole number, "y"?: whole number} Place an element at (x, y) ...``
"""

from __future__ import annotations

import ast
import inspect
import textwrap
import types
from decimal import Decimal
from functools import lru_cache
from typing import Annotated, Any, Literal, Union, get_args, get_origin

from pydantic import BaseModel
from pydantic.fields import FieldInfo

from ..edits import EDITS, Edit
from ..model.spec import ReportSpec

_PLAIN = {
    str: "text", int: "whole number", float: "number", Decimal: "number", bool: "true|false", dict: "object",
    type(None): "null",
}  # fmt: skip


@lru_cache
def edits(*kinds: type[Edit]) -> str:
    """Describe every kind of edit, or only `kinds`, and then what else their notes say."""
    shown = kinds or tuple(EDITS.values())
    notes = (" ".join(kind.prompt_notes.split()) for kind in shown)
    return "\n".join([*(describe(kind) for kind in shown), *filter(None, notes)])


@lru_cache
def spec() -> str:
    """Describe a report spec and its parts."""
    return describe(ReportSpec)


def describe(kind: type[BaseModel]) -> str:
    """Describe a type's shape, meaning and fields, then the types it consists of. ``?`` marks optional fields."""
    return "\n".join([_line(kind), *(f"{part.__name__}: {describe(part)}" for part in _parts(kind))])


def _line(kind: type[BaseModel]) -> str:
    shape = ", ".join(
        f'"{name}"{_optional_mark(field)}: {_field_type(kind, name, field)}'
        for name, field in kind.model_fields.items()
    )
    notes = [_sentence(kind.__doc__ or ""), *(f"{name}: {note}" for name, note in _field_docs(kind).items())]
    return " ".join([f"{{{shape}}}", *filter(None, notes)])


def _optional_mark(field: FieldInfo) -> str:
    is_constant = get_origin(field.annotation) is Literal and len(get_args(field.annotation)) == 1
    return "" if field.is_required() or is_constant else "?"


def _field_type(kind: type[BaseModel], name: str, field: FieldInfo) -> str:
    """Return a field's type. An edit of an element may be written once for several, as the reply's schema allows."""
    may_be_list = name == "element" and issubclass(kind, Edit) and field.is_required()
    return _type(field.annotation) + ("|[text, ...]" if may_be_list else "")


def _type(annotation: Any) -> str:
    inner = get_args(annotation)
    match get_origin(annotation):
        case origin if origin is Annotated:
            return _type(inner[0])
        case origin if origin is Literal:
            return "|".join(f'"{value}"' for value in inner)
        case origin if origin in (Union, types.UnionType):
            return "|".join(_type(choice) for choice in inner if choice is not type(None))
        case origin if origin is list:
            return f"[{_type(inner[0])}, ...]"
        case origin if origin is dict:
            return _PLAIN[dict]
    return _PLAIN.get(annotation) or str(getattr(annotation, "__name__", annotation))


def _parts(kind: type[BaseModel]) -> list[type[BaseModel]]:
    """Return the models that the fields' types refer to."""
    found: list[type[BaseModel]] = []
    pending = [field.annotation for field in kind.model_fields.values()]
    while pending:
        annotation = pending.pop(0)
        pending += get_args(annotation)
        if isinstance(annotation, type) and issubclass(annotation, BaseModel) and annotation not in found:
            found.append(annotation)
    return found


def _field_docs(kind: type[BaseModel]) -> dict[str, str]:
    """Return the docstring below each field in the source."""
    body = ast.parse(textwrap.dedent(inspect.getsource(kind))).body[0]
    assert isinstance(body, ast.ClassDef)
    return {
        field.target.id: _sentence(note.value.value)
        for field, note in zip(body.body, body.body[1:], strict=False)
        if isinstance(field, ast.AnnAssign) and isinstance(field.target, ast.Name)
        if isinstance(note, ast.Expr) and isinstance(note.value, ast.Constant) and isinstance(note.value.value, str)
    }


def _sentence(text: str) -> str:
    return " ".join(text.replace("`", "").replace("None", "null").split())
