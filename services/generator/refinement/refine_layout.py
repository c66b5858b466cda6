"""The commands of refinement: one for the rules, one for each window that needs a model, one to join.

Theory of operation
===================

The rules (see `refine`) compare all windows of a draft with the form in a few milliseconds. What takes long is a
model's reply, and a model sees one window at a time. So there is one ``RefineLayout`` for the whole draft, and only the
windows that it reports as unresolved become a ``RefineWindow`` each. These are sent at the same time and may be handled
by different replicas; while a model thinks, a replica handles others. ``JoinWindows`` applies the models' edits to the
template that the rules have refined. Without a model a round costs one command.

What a model is asked about each window is prepared with the rules and stored as one object, so that a window's command
neither parses the template nor compares it with the form again. When each did, 17 windows took 0.6 s of processor time
before the first call.

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
from bandsmith.shared.model.stacked_pages import stacked
from bandsmith.shared.turns.verdict import Printed

from .join import join
from .llm_refinement import WindowQuestion, ask_about_window, refine_by_rules, window_question
from .windows import windows

_EDITS: TypeAdapter[list[AnyEdit]] = TypeAdapter(list[AnyEdit])
_PRINTED: TypeAdapter[list[Printed]] = TypeAdapter(list[Printed])
_QUESTIONS: TypeAdapter[dict[int, WindowQuestion]] = TypeAdapter(dict[int, WindowQuestion])


async def refine_layout(store: Store, command: RefineLayout) -> LayoutRefined:
    refs: tuple[Ref, ...] = (command.template, command.layout, command.printed)
    template, layout, printed = await asyncio.gather(*map(store.get, refs))
    refined, changed, questions = await asyncio.to_thread(_refine_by_rules, template, layout, printed)
    return LayoutRefined(
        template=await store.put(refined, "application/xml"),
        changed=changed,
        unresolved=list(questions),
        questions=await store.put(_QUESTIONS.dump_json(questions), "application/json") if questions else None,
    )


async def refine_window(store: Store, command: RefineWindow, model: Model | None) -> WindowRefined:
    edits, usage = list[AnyEdit](), Usage()
    if model is not None and command.allowance.calls:
        questions = _QUESTIONS.validate_json(await store.get(command.questions))
        edits, usage = await ask_about_window(questions[command.window], model, command.allowance)
    stored = await store.put(_EDITS.dump_json(edits), "application/json")
    return WindowRefined(window=command.window, edits=stored, usage=usage)


async def join_windows(store: Store, command: JoinWindows) -> WindowsJoined:
    parts = [_EDITS.validate_json(part) for part in await asyncio.gather(*map(store.get, command.edits))]
    template, changed = await asyncio.to_thread(join, await store.get(command.template), parts)
    return WindowsJoined(template=await store.put(template, "application/xml"), changed=changed)


def _refine_by_rules(template: bytes, layout: bytes, printed: bytes) -> tuple[bytes, int, dict[int, WindowQuestion]]:
    """Return the refined template, how many edits took effect, and the questions about the windows left unresolved."""
    editor, read, items = Editor(template), Layout.model_validate_json(layout), _PRINTED.validate_json(printed)
    form = stacked(read, read.later)
    refinements = [refine_by_rules(editor, window.keys, form, items) for window in windows(editor)]
    questions = {
        number: window_question(editor, refinement)
        for number, refinement in enumerate(refinements)
        if not refinement.is_complete
    }
    refined, changed = join(template, [refinement.edits for refinement in refinements])
    return refined, changed, questions
