"""Modifying: a request, and what was drawn, as changes of a template; what was not done is said as well."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from pydantic import TypeAdapter

from bandsmith.shared.actor import Store
from bandsmith.shared.editing import Editor
from bandsmith.shared.editing.data_loss_guard import lost_elements
from bandsmith.shared.editing.edit_summary import tell
from bandsmith.shared.editing.outcome import EditOutcome
from bandsmith.shared.events import ModifyTemplate, TemplateModified
from bandsmith.shared.jrxml.refusals import ALREADY_DONE
from bandsmith.shared.language import Language
from bandsmith.shared.llm import Model, Usage
from bandsmith.shared.model.edits import AnyEdit, DeleteColumn
from bandsmith.shared.model.layout import Layout
from bandsmith.shared.model.plan import Data

from .beyond import beyond
from .data import in_step
from .remarks import besides_remarks, is_about_remarks, read_remarks
from .thought import Thought, held, proposal, think
from .understand import Understood, understand
from .view import View

XML, JSON = "application/xml", "application/json"
MOST = 400
"""Edits of one request: each may move what stands around it."""
_TOO_MUCH = "It would have taken out more than it names.", "这个改动会删掉没有提到的内容。"
_EDITS: TypeAdapter[list[AnyEdit]] = TypeAdapter(list[AnyEdit])


async def modify(store: Store, command: ModifyTemplate, model: Model | None) -> TemplateModified:
    """The template with what was asked for, and what is to be said of it.

    Rules come first; a model is asked only for what they leave over, in one call at most. Raises ``BadInput`` when the
    template cannot be read.
    """
    template, content = await asyncio.gather(store.get(command.template), store.get(command.data))
    layout = Layout.model_validate_json(await store.get(command.layout)) if command.layout else None
    data = Data.model_validate_json(content)
    view = await asyncio.to_thread(lambda: View(Editor(template)))
    understood = await asyncio.to_thread(read, command, view, layout, len(data.rows))
    thought, usage = await _thought(store, command, model, template, view, understood)
    # Columns go last: what is said beside of them, such as a group by one, needs them there.
    edits = sorted([*understood.edits, *thought.edits], key=lambda edit: isinstance(edit, DeleteColumn))
    after, outcomes = await asyncio.to_thread(_carried_out, template, edits)
    done = [outcome.edit for outcome in outcomes if outcome.changed]
    changed = {"template": command.template, "data": command.data}
    if done:
        changed["template"] = await store.put(after, XML)
        if (filled := in_step(data, done)) != data:
            changed["data"] = await store.put(filled.model_dump_json().encode(), JSON)
    return TemplateModified(
        **changed,
        changed=len(done),
        edits=await store.put(_EDITS.dump_json(done), JSON),
        summary=summary(template, command.language, outcomes, understood, thought),
        by="model" if thought.edits else "rules",
        usage=usage,
    )


def read(command: ModifyTemplate, view: View, layout: Layout | None, rows: int) -> Understood:
    """What rules make of the words and the remarks."""
    about_remarks = bool(command.remarks) and is_about_remarks(command.text)
    text = besides_remarks(command.text) if command.remarks else command.text
    understood = Understood(read=1) if about_remarks or not text else understand(text, view)
    understood.add(read_remarks(command.remarks, layout, view, rows))
    if len(understood.edits) > MOST:
        count = len(understood.edits)
        understood.edits.clear()
        understood.said.append(
            (
                f"That would be {count} changes at once, and at most {MOST} can be made; please name a "
                f"part of the report.",
                f"这样一次要改 {count} 处,最多只能改 {MOST} 处;请指定报表的一部分。",
            )
        )
    return understood


async def _thought(
    store: Store, command: ModifyTemplate, model: Model | None, template: bytes, view: View, understood: Understood
) -> tuple[Thought, Usage]:
    """What a model makes of what rules left over. A proposal that came with the intent is taken before it is asked."""
    usage = Usage()
    if not understood.unclear:
        return Thought(), usage
    answer = proposal(await store.get(command.proposed)) if command.proposed else None
    if answer is None and model is not None and command.allowance.calls:
        answer, usage = await think(model, command, template, understood.unclear)
    if answer is None:
        return Thought(), usage
    words = "\n".join([command.text, *(remark.text for remark in command.remarks)])
    thought = await asyncio.to_thread(held, answer, view, words, understood.kept)
    if thought.edits or thought.note:
        understood.unclear.clear()
    return thought, usage


def _carried_out(template: bytes, edits: Sequence[AnyEdit]) -> tuple[bytes, list[EditOutcome]]:
    """The template with the edits in it; edits that would lose what they do not name are left out."""
    editor = Editor(template)
    outcomes = editor.carry_out(edits)
    after = editor.bytes()
    if not lost_elements(template, after, edits):
        return after, outcomes
    outcomes, after = [], template
    for edit in edits:
        editor = Editor(after)
        outcome = editor.carry_out([edit])[0]
        if lost_elements(after, editor.bytes(), [edit]):
            outcome = EditOutcome(edit, False, "lost", *_TOO_MUCH)
        else:
            after = editor.bytes()
        outcomes.append(outcome)
    return after, outcomes


def summary(
    before: bytes, language: Language, outcomes: Sequence[EditOutcome], understood: Understood, thought: Thought
) -> str:
    """What was done and what was not, for the user."""
    chinese = language == "zh"
    # What is so already is of no interest beside what was changed.
    changed = any(outcome.changed for outcome in outcomes)
    told = [outcome for outcome in outcomes if outcome.changed or not (changed and outcome.code == ALREADY_DONE)]
    said = [tell(told, language, before)] if told else []
    said += [one[chinese] for one in (*understood.said, *thought.refused)]
    if thought.note and not changed:
        said.append(thought.note)
    if understood.unclear:
        clauses = [clause if len(clause) <= 200 else f"{clause[:199]}…" for clause in understood.unclear[:10]]
        quoted = ("、" if chinese else ", ").join(f"“{clause}”" for clause in clauses)
        instead = list(dict.fromkeys(one[chinese] for clause in understood.unclear if (one := beyond(clause))))
        said += instead[:3] or [
            f"没有读懂:{quoted}。请换个说法。"
            if chinese
            else f"I could not read: {quoted}. Please say it in other words."
        ]
    elif not said:
        said.append("已经是这样了,没有需要改的。" if chinese else "It is so already; there was nothing to change.")
    return ("" if chinese else " ").join(part for part in said if part)
