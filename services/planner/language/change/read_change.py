"""Read a sentence and the remarks beside it as a ``ChangeRequest``."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from bandsmith.shared.actor import Store
from bandsmith.shared.editing import Editor
from bandsmith.shared.edits.add_picture import AddPicture
from bandsmith.shared.edits.delete_column import DeleteColumn
from bandsmith.shared.events import ClassifyIntent, ReadChange
from bandsmith.shared.llm import Allowance, Model, Usage
from bandsmith.shared.llm.answers.report import ChangeAnswer
from bandsmith.shared.model.layout import Layout
from bandsmith.shared.model.plan import Data
from bandsmith.shared.replies import Text
from bandsmith.shared.turns.request import ChangeRequest

from ..template_view import TemplateView
from ..text_files import decoded
from .accounted import without_quoted
from .asked_removals import asked_removals
from .attached_pictures import with_pictures
from .conversation import PastChange, is_last_turn_open, past_changes, requests_since, selected
from .examples import of_clauses
from .follow_up import read_follow_up
from .llm_edits import ModelEdits, ask_for_edits, checked
from .remarks import besides_remarks, is_about_remarks, read_remarks
from .rule_parser import RequestReading, read_request
from .rules.row_entry import read_row_entry
from .unsupported import suggestion

MAX_EDITS = 400
"""Edits of one request: each may move the elements around it."""


async def read_change(
    store: Store,
    command: ClassifyIntent | ReadChange,
    model: Model | None,
    allowance: Allowance,
    proposed: ChangeAnswer | None = None,
) -> tuple[ChangeRequest, Usage]:
    """Return what the command's sentence and remarks ask of its template, and what reading them cost.

    Raises ``BadInput`` when the template cannot be read.
    """
    view, by_rules = await _read_by_rules(store, command)
    request, usage = await _read(store, command, model, allowance, proposed, view, by_rules)
    return await with_pictures(store, request, command.pictures, view), usage


async def _read(
    store: Store,
    command: ClassifyIntent | ReadChange,
    model: Model | None,
    allowance: Allowance,
    proposed: ChangeAnswer | None,
    view: TemplateView,
    by_rules: RequestReading,
) -> tuple[ChangeRequest, Usage]:
    """Return what is asked for, and what a model cost.

    Rules read it first. A model gets the whole of it with what they would do, and its reading counts; `proposed` is
    the answer that it gave when it was asked for the intent, and spares that call.
    """
    answer: ChangeAnswer | Text | None = proposed
    usage = Usage()
    if answer is None and model is not None and allowance.calls and _is_for_a_model(command, by_rules, model):
        answer, usage = await ask_for_edits(model, store, command, view, by_rules, allowance)
    if isinstance(answer, Text):
        request = _request(by_rules, ModelEdits()).model_copy(update={"trouble": answer})
        return await _with_examples(request, view, command), usage
    if answer is None:
        return await _with_examples(_request(by_rules, ModelEdits()), view, command), usage
    words = "\n".join([command.text, *(remark.text for remark in command.remarks)])
    by_model = await asyncio.to_thread(checked, answer, view, by_rules)
    by_rules = _overruled(by_rules, by_model)
    asked = await asyncio.to_thread(asked_removals, words, view, by_rules.edits, by_model.edits)
    return await _with_examples(_request(by_rules, by_model, asked), view, command), usage


async def _with_examples(
    request: ChangeRequest, view: TemplateView, command: ClassifyIntent | ReadChange
) -> ChangeRequest:
    """Add example sentences to a request that has unread clauses."""
    if not set(request.unread) - set(request.suggested):
        return request
    examples = await asyncio.to_thread(of_clauses, request.unread, view, command.language)
    return request.model_copy(update={"examples": examples})


async def reading_by_rules(store: Store, command: ClassifyIntent | ReadChange) -> RequestReading:
    """Return what rules read in a command's sentence. Raises ``BadInput`` when the template cannot be read."""
    return (await _read_by_rules(store, command))[1]


async def _read_by_rules(store: Store, command: ClassifyIntent | ReadChange) -> tuple[TemplateView, RequestReading]:
    assert command.template is not None and command.data is not None
    template, content = await asyncio.gather(store.get(command.template), store.get(command.data))
    layout = Layout.model_validate_json(await store.get(command.layout)) if command.layout else None
    data = Data.model_validate_json(content)
    rows = len(data.rows)
    view = await asyncio.to_thread(lambda: TemplateView(Editor(template), data))
    files = [decoded(await store.get(document.content)) for document in command.texts]
    entry = await asyncio.to_thread(read_row_entry, command.text, view, files)
    if entry is not None and entry.edits:
        return view, RequestReading(entry.edits, entry.refusals)
    past = await past_changes(store, command.template, command.earlier)
    by_rules = await asyncio.to_thread(read_by_rules, command, view, layout, rows, past)
    if entry is not None and not (by_rules.edits or by_rules.base or by_rules.kept):
        return view, RequestReading(refusals=entry.refusals)
    return view, by_rules


def _is_for_a_model(command: ClassifyIntent | ReadChange, by_rules: RequestReading, model: Model) -> bool:
    """Whether a model is asked: where rules left something open, else about every sentence if a setting says so."""
    says_something = bool(besides_remarks(command.text) if command.remarks else command.text.strip())
    open_ends = by_rules.unread or by_rules.refusals
    return bool(open_ends or (model.is_always_asked and says_something and not is_about_remarks(command.text)))


def _overruled(by_rules: RequestReading, by_model: ModelEdits) -> RequestReading:
    """Return what remains of the rules' reading beside a model's."""
    if by_model.replaces:
        return RequestReading(kept=by_rules.kept)
    by_rules.unread = [] if by_model.settles else without_quoted(by_rules.unread, by_model.in_other_words)
    if by_model.edits:
        by_rules.refusals.clear()
    return by_rules


def read_by_rules(
    command: ClassifyIntent | ReadChange,
    view: TemplateView,
    layout: Layout | None,
    rows: int,
    past: Sequence[PastChange] = (),
) -> RequestReading:
    """Return what rules read in the sentence and the remarks."""
    about_remarks = bool(command.remarks) and is_about_remarks(command.text)
    text = besides_remarks(command.text) if command.remarks else command.text
    by_rules = (
        RequestReading()
        if about_remarks or not text
        else _read_selected(text, view, command.selection) or _read_sentence(text, view, past, command)
    )
    if not any(isinstance(edit, AddPicture) for edit in by_rules.edits):  # else the picture is a logo, not a page
        by_rules.add(read_remarks(command.remarks, layout, view, rows))
    if len(by_rules.edits) > MAX_EDITS:
        refusal = Text.of("language.too_many_edits", count=len(by_rules.edits), limit=MAX_EDITS)
        by_rules.edits.clear()
        by_rules.refusals.append(refusal)
    return by_rules


def _read_selected(text: str, view: TemplateView, selection: Sequence[str]) -> RequestReading | None:
    """Return what a sentence asks for, where "this" is what the user selected; None where nothing is."""
    about = selected(selection, view)
    return read_request(text, view, about) if about is not None else None


def _read_sentence(
    text: str, view: TemplateView, past: Sequence[PastChange], command: ClassifyIntent | ReadChange
) -> RequestReading:
    """Return what a sentence asks for, by itself or as one that goes on with the change before."""
    goes_on = is_last_turn_open(command.history, command.earlier)
    if not past:
        return read_request(text, view, continues=goes_on)
    follow_up = read_follow_up(text, view, past, requests_since(past, command.history))
    if follow_up is not None and (follow_up.edits or follow_up.base or follow_up.unread):
        return follow_up
    reading = read_request(text, view, past[0].target(view), continues=goes_on)
    return follow_up if follow_up is not None and reading.unread else reading


def _request(by_rules: RequestReading, by_model: ModelEdits, asked: Sequence[str] = ()) -> ChangeRequest:
    """Return what rules and the model read, as one request."""
    # Columns that rules read are deleted last: other edits of the sentence, such as a group by one, need them. The
    # edits of a model are in the order in which it wants them.
    edits = [*sorted(by_rules.edits, key=lambda edit: isinstance(edit, DeleteColumn)), *by_model.edits]
    suggestions = {clause: suggestion(clause) for clause in by_rules.unread}
    return ChangeRequest(
        edits=edits,
        refusals=[*by_rules.refusals, *by_model.refusals],
        unread=by_rules.unread,
        passed_over=[] if by_model.edits or by_model.settles else by_rules.passed_over,
        suggestions=list(dict.fromkeys(text for text in suggestions.values() if text)),
        suggested=[clause for clause, text in suggestions.items() if text],
        base=by_rules.base,
        by="model" if by_model.edits else "rules",
        asked=list(asked),
    )
