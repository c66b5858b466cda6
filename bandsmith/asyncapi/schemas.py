"""JSON schemas (draft 7, as in AsyncAPI) of all messages, with the docstrings of messages and fields."""

from __future__ import annotations

import ast
import inspect
import itertools
import sys
from collections.abc import Iterable, Iterator
from functools import cache
from typing import Any

from pydantic import BaseModel
from pydantic.json_schema import GenerateJsonSchema, models_json_schema

from bandsmith.shared.bus.base import DeadLetter, Delta
from bandsmith.shared.events import EVENTS, KINDS, Envelope

Json = dict[str, Any]


def schemas() -> Json:
    """Return the schemas of every message and of the models in them.

    Events allow additional fields, since later versions may add some; commands forbid them, as the program does.
    """
    models: list[type[BaseModel]] = [*KINDS.values(), Envelope, Delta, DeadLetter]
    _, made = models_json_schema(
        [(model, "validation") for model in models],
        ref_template="#/components/schemas/{model}",
        schema_generator=_Draft7,
    )
    found: Json = {name: _isolate_refs(schema) for name, schema in sorted(made["$defs"].items())}
    for name in _reachable(found, [*EVENTS, "Envelope", "Delta", "DeadLetter"]):
        found[name].pop("additionalProperties", None)
    return found


class _Draft7(GenerateJsonSchema):
    """Generates schemas for JSON Schema draft 7, with the docstring of each field as its description."""

    def model_schema(self, schema: Any) -> Json:
        made = super().model_schema(schema)
        made.pop("title", None)
        if "description" in made:
            made["description"] = plain(made["description"])
        for name, docstring in _field_docstrings(schema["cls"]).items():
            if name in made.get("properties", {}):
                made["properties"][name].setdefault("description", docstring)
        return made

    def tagged_union_schema(self, schema: Any) -> Json:
        made = super().tagged_union_schema(schema)
        made.pop("discriminator", None)  # OpenAPI only
        return made

    def field_title_should_be_set(self, schema: Any) -> bool:
        return False


def _field_docstrings(model: type[BaseModel]) -> dict[str, str]:
    """Return the docstrings of a model's fields, including inherited ones."""
    found: dict[str, str] = {}
    for base in reversed(model.__mro__):
        if issubclass(base, BaseModel) and base is not BaseModel:
            found |= _module_docstrings(base.__module__).get(base.__name__, {})
    return found


@cache
def _module_docstrings(module: str) -> dict[str, dict[str, str]]:
    """Return docstrings by class and field. Pydantic could collect them too, but at every start of the program."""
    classes = (
        node for node in ast.parse(inspect.getsource(sys.modules[module])).body if isinstance(node, ast.ClassDef)
    )
    return {
        node.name: {
            field.target.id: plain(str(docstring.value.value))
            for field, docstring in itertools.pairwise(node.body)
            if isinstance(field, ast.AnnAssign) and isinstance(field.target, ast.Name)
            if isinstance(docstring, ast.Expr) and isinstance(docstring.value, ast.Constant)
        }
        for node in classes
    }


def _isolate_refs(schema: Any) -> Any:
    """Wrap each reference that has siblings in ``allOf``: draft 7 ignores the siblings of a reference."""
    if isinstance(schema, list):
        return [_isolate_refs(item) for item in schema]
    if not isinstance(schema, dict):
        return schema
    if "$ref" in schema and len(schema) > 1:
        return {
            "allOf": [{"$ref": schema["$ref"]}],
            **{name: value for name, value in schema.items() if name != "$ref"},
        }
    return {name: _isolate_refs(value) for name, value in schema.items()}


def _reachable(schemas: Json, names: Iterable[str]) -> set[str]:
    """Return these schemas and all that they refer to, directly or not."""
    found, ahead = set[str](), list(names)
    while ahead:
        if (name := ahead.pop()) not in found:
            found.add(name)
            ahead += _references(schemas[name])
    return found


def _references(schema: Any) -> Iterator[str]:
    if isinstance(schema, dict):
        if isinstance(to := schema.get("$ref"), str):
            yield to.rpartition("/")[2]
        schema = list(schema.values())
    if isinstance(schema, list):
        for item in schema:
            yield from _references(item)


def plain(text: str) -> str:
    return " ".join(text.replace("``", "`").split())
