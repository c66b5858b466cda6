"""What travels, as JSON schemas of draft 7 (AsyncAPI's), with what the source says of each message and field."""

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
    """Of every message and of what is in them. Readers meet fields that were added later; the program refuses them in
    what it is sent."""
    models: list[type[BaseModel]] = [*KINDS.values(), Envelope, Delta, DeadLetter]
    _, made = models_json_schema(
        [(model, "validation") for model in models],
        ref_template="#/components/schemas/{model}",
        schema_generator=_Told,
    )
    found: Json = {name: _alone(schema) for name, schema in sorted(made["$defs"].items())}
    for name in _reached(found, [*EVENTS, "Envelope", "Delta", "DeadLetter"]):
        found[name].pop("additionalProperties", None)
    return found


class _Told(GenerateJsonSchema):
    """Schemas in the words of JSON Schema draft 7, which are AsyncAPI's, with what the source says of each field."""

    def model_schema(self, schema: Any) -> Json:
        made = super().model_schema(schema)
        made.pop("title", None)
        if "description" in made:
            made["description"] = plain(made["description"])
        for name, said in _said_of(schema["cls"]).items():
            if name in made.get("properties", {}):
                made["properties"][name].setdefault("description", said)
        return made

    def tagged_union_schema(self, schema: Any) -> Json:
        made = super().tagged_union_schema(schema)
        made.pop("discriminator", None)  # OpenAPI's, with a mapping
        return made

    def field_title_should_be_set(self, schema: Any) -> bool:
        return False


def _said_of(model: type[BaseModel]) -> dict[str, str]:
    """What stands in quotes below each field."""
    found: dict[str, str] = {}
    for base in reversed(model.__mro__):
        if issubclass(base, BaseModel) and base is not BaseModel:
            found |= _docstrings(base.__module__).get(base.__name__, {})
    return found


@cache
def _docstrings(module: str) -> dict[str, dict[str, str]]:
    """By class and field. (Pydantic would find them too, while each class is made: at every start of the program.)"""
    classes = (
        node for node in ast.parse(inspect.getsource(sys.modules[module])).body if isinstance(node, ast.ClassDef)
    )
    return {
        one.name: {
            field.target.id: plain(str(said.value.value))
            for field, said in itertools.pairwise(one.body)
            if isinstance(field, ast.AnnAssign) and isinstance(field.target, ast.Name)
            if isinstance(said, ast.Expr) and isinstance(said.value, ast.Constant)
        }
        for one in classes
    }


def _alone(schema: Any) -> Any:
    """Each reference on its own: in draft 7 what stands beside one is not read."""
    if isinstance(schema, list):
        return [_alone(one) for one in schema]
    if not isinstance(schema, dict):
        return schema
    if "$ref" in schema and len(schema) > 1:
        return {"allOf": [{"$ref": schema["$ref"]}], **{name: one for name, one in schema.items() if name != "$ref"}}
    return {name: _alone(one) for name, one in schema.items()}


def _reached(schemas: Json, names: Iterable[str]) -> set[str]:
    """These schemas and those that they speak of."""
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
        for one in schema:
            yield from _references(one)


def plain(text: str) -> str:
    return " ".join(text.replace("``", "`").split())
