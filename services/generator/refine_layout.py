"""The commands of refinement: one for the rules, one for each window that needs a model, one to join.

Theory of operation
===================

The rules (see `refine`) compare all windows of a draft with the form in a few milliseconds. What takes long is a
model's reply, and a model sees one window at a time. So there is one ``RefineLayout`` for the whole draft, and only the
windows that it reports as unresolved become a ``RefineWindow`` each. These are sent at the same time and may be handled
by different replicas; while a model thinks, a replica handles others. ``JoinWindows`` applies the models' edits to the
template that the rules have refined. Without a model a round costs one command.

Before, every window was a command, rules or not. The first one to arrive computed the rules for all of them under a
lock, and the others read them from a cache; each replica did so once more. A page of 17 windows cost 36 messages a
round, counting answers, where it now costs 2. A single command that asks about all windows itself was considered too.
It would be simpler still, but it would hold one replica for as long as the slowest window takes, and lose every reply
when that replica is lost.

A window's elements, its printed ink and its comparison with the form are those of the draft, since that is what was
printed. The model's edits are applied after those of the rules. Both only move, size and style elements of their own
window, so the order of the windows does not matter.
"""

from __future__ import annotations

import asyncio

from pydantic import TypeAdapter

from bandsmith.shared.actor import Store
from bandsmith.shared.editing import Editor
from bandsmith.shared.edits import AnyEdit
from bandsmith.shared.events import (
    JoinWindows,
    LayoutRefined,
    RefineLayout,
    RefineWindow,
    WindowRefined,
    WindowsJoined,
)
from bandsmith.shared.llm import Model, Usage
from bandsmith.shared.model.base import Ref
from bandsmith.shared.model.layout import Layout
from bandsmith.shared.model.verdict import Printed

from .join import join
from .llm_refinement import Refinement, refine_by_model, refine_by_rules
from .windows import windows

_EDITS: TypeAdapter[list[AnyEdit]] = TypeAdapter(list[AnyEdit])
_PRINTED: TypeAdapter[list[Printed]] = TypeAdapter(list[Printed])


async def refine_layout(store: Store, command: RefineLayout) -> LayoutRefined:
    template, layout, printed = await _fetch(store, command)
    _, refinements = await asyncio.to_thread(_by_rules, template, layout, printed)
    refined, changed = await asyncio.to_thread(join, template, [refinement.edits for refinement in refinements])
    return LayoutRefined(
        template=await store.put(refined, "application/xml"),
        changed=changed,
        unresolved=[number for number, refinement in enumerate(refinements) if not refinement.is_complete],
    )


async def refine_window(store: Store, command: RefineWindow, model: Model | None) -> WindowRefined:
    template, layout, printed = await _fetch(store, command)
    editor, [refinement] = await asyncio.to_thread(_by_rules, template, layout, printed, command.window)
    edits, usage = list[AnyEdit](), Usage()
    if model is not None and command.allowance.calls:
        edits, usage = await refine_by_model(editor, refinement, model, command.allowance)
    stored = await store.put(_EDITS.dump_json(edits), "application/json")
    return WindowRefined(window=command.window, edits=stored, usage=usage)


async def join_windows(store: Store, command: JoinWindows) -> WindowsJoined:
    parts = [_EDITS.validate_json(part) for part in await asyncio.gather(*map(store.get, command.edits))]
    template, changed = await asyncio.to_thread(join, await store.get(command.template), parts)
    return WindowsJoined(template=await store.put(template, "application/xml"), changed=changed)


async def _fetch(store: Store, command: RefineLayout | RefineWindow) -> tuple[bytes, bytes, bytes]:
    refs: tuple[Ref, ...] = (command.template, command.layout, command.printed)
    template, layout, printed = await asyncio.gather(*map(store.get, refs))
    return template, layout, printed


def _by_rules(
    template: bytes, layout: bytes, printed: bytes, window: int | None = None
) -> tuple[Editor, list[Refinement]]:
    """Refine one window of a draft by rules, or all of them. The editor is for reading only."""
    editor, form, items = Editor(template), Layout.model_validate_json(layout), _PRINTED.validate_json(printed)
    chosen = windows(editor) if window is None else [windows(editor)[window]]
    return editor, [refine_by_rules(editor, one.keys, form, items) for one in chosen]
