"""v1 stays compatible: public messages lose no field, and no field changes its type.

The promise stands in v1.yaml beside this file. What was added since is promised too, so it is written there as well.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from bandsmith import asyncapi
from bandsmith.shared.bus.base import VERSION
from tests.yaml_files import read_yaml

from .conftest import document

Promise = dict[str, dict[str, str]]

PROMISED = Path(__file__).with_name(f"{VERSION}.yaml")
SENT = {"StartTurn", "CancelTurn", "RenameSession", "UnshareSession", "Envelope"}
"""Messages that other programs write: no further fields may be required."""
NOT_PROMISED = ("TurnFinished.findings[].edits", "StartTurn.edits[]")
"""Edits are as stable as the templates that they change: each release may have others."""


def test_v1_is_still_compatible():
    assert broken(read_yaml(PROMISED), promise(document())) == []


def test_additions_to_v1_are_recorded():
    promised, now = read_yaml(PROMISED), promise(document())
    assert promised == now, (
        f"write into tests/integration/{PROMISED.name} what is new:\n{yaml.safe_dump(now, width=120)}"
    )


def broken(promised: Promise, now: Promise) -> list[str]:
    """Return every breach of compatibility as a sentence."""
    changes = [
        f"{name}.{field} was {type!r} and is {now.get(name, {}).get(field, 'gone')!r}"
        for name, fields in promised.items()
        for field, type in fields.items()
        if not is_kept(type, now.get(name, {}).get(field, "gone"))
    ]
    changes += [
        f"{name}.{field} was not asked for and is required"
        for name in SENT & set(promised) & set(now)
        for field, type in now[name].items()
        if type.endswith(", required") and not promised[name].get(field, "").endswith(", required")
    ]
    return [
        f"{change}: other programs rely on {VERSION}; undo that, or begin a new version of it" for change in changes
    ]


def is_kept(before: str, after: str) -> bool:
    """Whether a type is compatible: it may list more values, and require less."""
    (kind, _, values), (new_kind, _, new_values) = (
        type.removesuffix(", required").partition(": ") for type in (before, after)
    )
    return kind == new_kind and set(values.split(" | ")) <= set(new_values.split(" | "))


def promise(document: dict[str, Any]) -> Promise:
    """Return the field types of each public message and the envelope, and the subject of each public channel."""
    schemas = document["components"]["schemas"]
    found: Promise = {
        "subjects": {
            name: channel["address"]
            for name, channel in document["channels"].items()
            if channel["tags"] == [{"name": "public"}]
        },
        "headers": dict(fields(schemas["Headers"], schemas, sent=False)),
    }
    for name in ["Envelope", *asyncapi.PUBLIC]:
        flat = fields(schemas[name], schemas, sent=name in SENT)
        found[name] = {path: type for path, type in flat if not f"{name}.{path}".startswith(NOT_PROMISED)}
    return found


def fields(
    schema: dict[str, Any], schemas: dict[str, Any], path: str = "", *, sent: bool, must: bool = False
) -> Iterator[tuple[str, str]]:
    """Yield the type at `path`, then those of the fields below it, by path."""
    schema, may_be_null = plain(schema, schemas)
    values = schema.get("enum") or ([schema["const"]] if "const" in schema else [])
    kind = schema.get("type", "any") + (" or null" if may_be_null else "")
    if path:
        yield path, kind + (f": {' | '.join(values)}" if values else "") + (", required" if must else "")
    for name, one in schema.get("properties", {}).items():
        must = sent and name in schema.get("required", [])
        yield from fields(one, schemas, f"{path}.{name}".lstrip("."), sent=sent, must=must)
    if isinstance(schema.get("additionalProperties"), dict):
        yield from fields(schema["additionalProperties"], schemas, f"{path}.*", sent=sent)
    if "items" in schema:
        yield from fields(schema["items"], schemas, f"{path}[]", sent=sent)


def plain(schema: dict[str, Any], schemas: dict[str, Any]) -> tuple[dict[str, Any], bool]:
    """Return the schema that a reference leads to, and whether null is allowed."""
    if "anyOf" in schema:
        [one] = [other for other in schema["anyOf"] if other != {"type": "null"}]
        return plain(one, schemas)[0], len(schema["anyOf"]) > 1
    if "allOf" in schema:
        return plain(schema["allOf"][0], schemas)
    if "$ref" in schema:
        return plain(schemas[schema["$ref"].rpartition("/")[2]], schemas)
    return schema, False


# --- the guard itself ------------------------------------------------------------------------------------------------


def change(document: dict[str, Any], message: str, **properties: dict[str, Any] | None) -> None:
    held = document["components"]["schemas"][message]["properties"]
    for name, schema in properties.items():
        if schema is None:
            del held[name]
        else:
            held[name] = schema


@pytest.mark.parametrize(
    ("what", "words"),
    [
        (lambda now: change(now, "TurnFinished", reply=None), "TurnFinished.reply was 'string' and is 'gone'"),
        (lambda now: change(now, "TurnFinished", reply={"type": "array", "items": {}}), "and is 'array'"),
        (
            lambda now: change(now, "TurnFinished", version={"type": "integer"}),
            "was 'integer or null' and is 'integer'",
        ),
        (lambda now: change(now, "TurnFinished", status={"enum": ["done"], "type": "string"}), "and is 'string: done'"),
        (lambda now: change(now, "Ref", size={"type": "string"}), "TurnFinished.files.*.size was 'integer'"),
        (lambda now: change(now, "Envelope", turn=None), "Envelope.turn was 'string, required' and is 'gone'"),
        (lambda now: now["channels"]["turns"].update(address="events.>"), "subjects.turns was"),
        (lambda now: now["channels"].pop("start"), "subjects.start was 'cmd.v1.gateway.StartTurn' and is 'gone'"),
        (lambda now: ask(now, "StartTurn", "text"), "StartTurn.text was not asked for and is required"),
        (lambda now: ask(now, "StartTurn", "customer"), "StartTurn.customer was not asked for and is required"),
        (lambda now: ask(now, "Envelope", "node"), "Envelope.node was not asked for and is required"),
    ],
)
def test_a_breaking_change_is_named(what: Callable[[dict[str, Any]], None], words: str):
    now = copy.deepcopy(document())
    what(now)
    assert any(
        words in change and "begin a new version" in change for change in broken(read_yaml(PROMISED), promise(now))
    )


def ask(document: dict[str, Any], message: str, name: str) -> None:
    schema = document["components"]["schemas"][message]
    schema["properties"].setdefault(name, {"type": "string"})
    schema["required"] = [*schema.get("required", []), name]


def test_additions_are_compatible():
    now = copy.deepcopy(document())
    change(
        now, "TurnFinished", colour={"type": "string"}, status={"enum": ["unfinished", "done", "new"], "type": "string"}
    )
    change(now, "StartTurn", page={"type": "string"})
    assert broken(read_yaml(PROMISED), promise(now)) == []
