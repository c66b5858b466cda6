"""Read a sentence and the remarks beside it as a ``ChangeRequest``."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from bandsmith.shared.actor import Store
from bandsmith.shared.editing import Editor
from bandsmith.shared.edits import AnyEdit
from bandsmith.shared.edits.delete_column import DeleteColumn
from bandsmith.shared.events import ClassifyIntent, ReadChange
from bandsmith.shared.llm import Allowance, Model, Usage
from bandsmith.shared.llm.answers import EditsAnswer
from bandsmith.shared.model.layout import Layout
from bandsmith.shared.model.plan import Data
from bandsmith.shared.model.request import ChangeRequest
from bandsmith.shared.replies import Text

from ..template_view import TemplateView
from .llm_edits import ModelEdits, ask_for_edits, checked
from .remarks import besides_remarks, is_about_remarks, read_remarks
from .rule_parser import RequestReading, read_request
from .unsupported import suggestion

MAX_EDITS = 400
"""Edits of one request: each may move the elements around it."""


async def read_change(
    store: Store,
    command: ClassifyIntent | ReadChange,
    model: Model | None,
    allowance: Allowance,
    proposed: Sequence[AnyEdit] | None = None,
) -> tuple[ChangeRequest, Usage]:
    """Return what the command's sentence and remarks ask of its template, and what reading them cost.

    Rules come first. A model is asked only for the clauses that they leave over, in one call at most; `proposed` are
    the edits that it gave when it was asked for the intent, and spare that call. Raises ``BadInput`` when the template
    cannot be read.
    """
    assert command.template is not None and command.data is not None
    template, content = await asyncio.gather(store.get(command.template), store.get(command.data))
    layout = Layout.model_validate_json(await store.get(command.layout)) if command.layout else None
    rows = len(Data.model_validate_json(content).rows)
    view = await asyncio.to_thread(lambda: TemplateView(Editor(template)))
    by_rules = await asyncio.to_thread(read_by_rules, command, view, layout, rows)
    by_model, usage = ModelEdits(), Usage()
    if by_rules.unread:
        answer = None if proposed is None else EditsAnswer(edits=list(proposed))
        if answer is None and model is not None and allowance.calls:
            answer, usage = await ask_for_edits(model, command, template, by_rules.unread, allowance)
        if answer is not None:
            words = "\n".join([command.text, *(remark.text for remark in command.remarks)])
            by_model = await asyncio.to_thread(checked, answer, view, words, by_rules.kept)
        if by_model.edits or by_model.note:
            by_rules.unread.clear()
    return _request(by_rules, by_model), usage


def read_by_rules(
    command: ClassifyIntent | ReadChange, view: TemplateView, layout: Layout | None, rows: int
) -> RequestReading:
    """Return what rules read in the sentence and the remarks."""
    about_remarks = bool(command.remarks) and is_about_remarks(command.text)
    text = besides_remarks(command.text) if command.remarks else command.text
    by_rules = RequestReading() if about_remarks or not text else read_request(text, view)
    by_rules.add(read_remarks(command.remarks, layout, view, rows))
    if len(by_rules.edits) > MAX_EDITS:
        refusal = Text.of("language.too_many_edits", count=len(by_rules.edits), limit=MAX_EDITS)
        by_rules.edits.clear()
        by_rules.refusals.append(refusal)
    return by_rules


def _request(by_rules: RequestReading, by_model: ModelEdits) -> ChangeRequest:
    """Return what rules and the model read, as one request."""
    # Columns are deleted last: other edits of the sentence, such as a group by one, need them.
    edits = sorted([*by_rules.edits, *by_model.edits], key=lambda edit: isinstance(edit, DeleteColumn))
    suggestions = [suggestion(clause) for clause in by_rules.unread]
    return ChangeRequest(
        edits=edits,
        refusals=[*by_rules.refusals, *by_model.refusals],
        unread=by_rules.unread,
        suggestions=list(dict.fromkeys(text for text in suggestions if text)),
        note=by_model.note,
        by="model" if by_model.edits else "rules",
    )
