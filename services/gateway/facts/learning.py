"""How a turn learns from answers: each fact declares how an event changes it, so ``Turn.learn`` knows no event by name.

A fact without a declaration is replaced by the field of the same name, whichever event brings it. Metadata of
``Annotated`` declares anything else:

    notes: Annotated[list[str], Merged(append)] = []                   merged with what is known
    correction: Annotated[list[AnyEdit], Of(TemplateCorrected, "edits")]   taken from a field of another name
    best: Annotated[Validated | None, On(TemplateValidated, better)]   computed from the turn and the event
    versions: Annotated[list[Version], INTERNAL] = []                  changed by the gateway's own nodes only

``Of`` and ``On`` concern one event; for all others the rest of the declaration holds.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any, Protocol

from pydantic import BaseModel

from bandsmith.shared.events import Message

Change = Callable[[Any, Any], Any]
"""Computes the fact's new value from the turn and the event."""


@dataclass(frozen=True)
class Merged:
    """The field of the same name is merged with the known value by ``merge(known, new)``."""

    merge: Callable[[Any, Any], Any]


@dataclass(frozen=True)
class On:
    """When the event comes, the fact becomes ``change(turn, event)``."""

    event: type[Message]
    change: Change


@dataclass(frozen=True)
class Of:
    """When the event comes, the fact is replaced by its field, or its item at the event's `key` is."""

    event: type[Message]
    field: str
    key: str = ""


@dataclass(frozen=True)
class NodeOf:
    """The fact becomes the node at which another fact was learned."""

    fact: str


class _Internal:
    """Marks a fact that no event changes."""


INTERNAL = _Internal()


def append(known: list[Any], new: list[Any]) -> list[Any]:
    return [*known, *new]


class _Adds(Protocol):
    def __add__(self, other: Any, /) -> Any: ...


def add(known: _Adds, new: Any) -> Any:
    return known + new


@cache
def changes(facts: type[BaseModel], event: type[Message]) -> dict[str, Change]:
    """The facts that an event changes, each with what computes its new value."""
    found = {}
    for name, declared in facts.model_fields.items():
        change = _change(name, declared.metadata, event)
        if change is not None:
            found[name] = change
    return found


def _change(name: str, declarations: list[Any], event: type[Message]) -> Change | None:
    for declaration in declarations:
        match declaration:
            case On(of, change) if of is event:
                return change
            case Of(of, field, "") if of is event:
                return lambda turn, event: getattr(event, field)
            case Of(of, field, key) if of is event:
                return lambda turn, event: getattr(turn, name) | {getattr(event, key): getattr(event, field)}
            case NodeOf(fact) if fact in event.model_fields:
                return lambda turn, event: turn.node
    if INTERNAL in declarations or name not in event.model_fields:
        return None
    for declaration in declarations:
        if isinstance(declaration, Merged):
            return lambda turn, event: declaration.merge(getattr(turn, name), getattr(event, name))
    return lambda turn, event: getattr(event, name)
