"""Carry out a change of a template, and say what was done and what was not."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from functools import partial

from pydantic import TypeAdapter

from bandsmith.shared.actor import Store
from bandsmith.shared.editing import Editor, EditOutcome
from bandsmith.shared.editing.content_guard import carry_out_within_limit
from bandsmith.shared.editing.data_loss_guard import lost_elements
from bandsmith.shared.editing.edit_summary import summarize
from bandsmith.shared.editing.row_checks import checked_rows
from bandsmith.shared.editing.sample_sync import in_step
from bandsmith.shared.edits import AnyEdit
from bandsmith.shared.events import ModifyTemplate, TemplateModified
from bandsmith.shared.fonts import is_cjk
from bandsmith.shared.jrxml.finishing.tidy import drop_sources
from bandsmith.shared.jrxml.refusals import ALREADY_DONE
from bandsmith.shared.language import Language
from bandsmith.shared.model.plan import Data
from bandsmith.shared.replies import Text, listed, text
from bandsmith.shared.shortening import shortened
from bandsmith.shared.turns.request import ChangeRequest

XML, JSON = "application/xml", "application/json"
MAX_QUOTED_CLAUSES = 10
"""Clauses that could not be read and are quoted in the reply."""
MAX_QUOTED_CHARS = 200
MAX_UNNAMED_WORDS, MAX_UNNAMED_CHARACTERS = 4, 8
"""Up to as many English words or Chinese characters, a clause that was passed over is not quoted."""
MAX_SUGGESTIONS = 3
ALWAYS_SEEN = "edits.unseen.covered"
"""Said of edits whose result is seen on a page unless something is wrong."""
_EDITS: TypeAdapter[list[AnyEdit]] = TypeAdapter(list[AnyEdit])


async def modify_template(store: Store, command: ModifyTemplate) -> TemplateModified:
    """Return the changed template, its data, and a summary of the changes for the user.

    Raises ``BadInput`` when the template cannot be read.
    """
    change = ChangeRequest.model_validate_json(await store.get(command.change))
    base = change.base or command
    template, content = await asyncio.gather(store.get(base.template), store.get(base.data))
    data = Data.model_validate_json(content)
    apply = partial(carry_out_within_limit, asked=change.asked) if change.by == "model" else apply_safely
    after, outcomes = await asyncio.to_thread(apply, template, change.edits)
    outcomes = checked_rows(data, outcomes)
    done = [outcome.edit for outcome in outcomes if outcome.changed]
    after = without_sources(after) if done else after
    new_template, new_data = base.template, base.data
    if done:
        new_template = await store.put(after, XML)
        if (filled := in_step(data, done)) != data:
            new_data = await store.put(filled.model_dump_json().encode(), JSON)
    return TemplateModified(
        template=new_template,
        data=new_data,
        changed=len(done) + (change.base is not None),
        edits=await store.put(_EDITS.dump_json([edit.recorded() for edit in done]), JSON),
        edited=base.template,
        summary=summary(template, command.language, outcomes, change, failures_first=command.makes_report),
        unseen=unseen(done, command.language),
        must_show=any(edit.unseen() == ALWAYS_SEEN for edit in done),
        declined=declined(change, command.language),
        left_out=len(change.refusals) + len(change.unread) + sum(map(_is_refused, outcomes)),
        by=change.by,
    )


def without_sources(template: bytes) -> bytes:
    """Return a template without the marks that its elements were made from; the remarks on them are read by now."""
    editor = Editor(template)
    return editor.bytes() if drop_sources(editor.root) else template


def unseen(done: Sequence[AnyEdit], language: Language) -> str:
    """Return what to say of edits after which the printed pages look the same; nothing if they are never seen."""
    codes = list(dict.fromkeys(code for edit in done if (code := edit.unseen())))
    return text(codes[0] if len(codes) == 1 else "edits.unseen.data", language) if codes else ""


def _is_refused(outcome: EditOutcome) -> bool:
    """Whether an edit could not be carried out; one whose result is there already is as good as done."""
    return not outcome.changed and outcome.code != ALREADY_DONE


def apply_safely(template: bytes, edits: Sequence[AnyEdit]) -> tuple[bytes, list[EditOutcome]]:
    """Return the template with the edits applied, and their outcomes; edits that would lose what they do not name are
    left out."""
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
            outcome = EditOutcome(edit, False, "lost", Text.of("modify.loses_more_than_named"))
        else:
            after = editor.bytes()
        outcomes.append(outcome)
    return after, outcomes


def summary(
    before: bytes,
    language: Language,
    outcomes: Sequence[EditOutcome],
    change: ChangeRequest,
    failures_first: bool = False,
) -> str:
    """Return what was done and what was not, for the user; the second of them first if it is asked for."""
    # What is so already is of no interest beside what the same kind of edit changed: the other cells of a row.
    changed = {outcome.edit.do for outcome in outcomes if outcome.changed}
    reported = [one for one in outcomes if one.changed or one.code != ALREADY_DONE or one.edit.do not in changed]
    done = [text("modify.taken_back", language)] if change.base else []
    done += [summarize(reported, language, before)] if reported else []
    not_done = declined(change, language)
    sentences = [*not_done, *done] if failures_first else [*done, *not_done]
    sentences = sentences or [text("modify.already_so", language)]
    sentences += _passed_over(change, language)
    return ("" if language == "zh" else " ").join(sentence for sentence in sentences if sentence)


def declined(change: ChangeRequest, language: Language) -> list[str]:
    """Return what of a change was refused or not read, with what the user may do instead, for the user."""
    not_done = [refusal.in_language(language) for refusal in change.refusals]
    if change.unread:
        suggestions = [suggestion.in_language(language) for suggestion in change.suggestions]
        is_all_suggested = suggestions and set(change.unread) <= set(change.suggested)
        not_done += [] if is_all_suggested else [_unread(change.unread, change.examples, language)]
        not_done += suggestions[:MAX_SUGGESTIONS]
    return not_done


def _passed_over(change: ChangeRequest, language: Language) -> list[str]:
    """Quote what was taken for background, so that the user sees where a request was missed; not a few words of it."""
    clauses = [one for one in change.passed_over if not _is_short(one)]
    return [text("modify.passed_over", language, clauses=_quoted(clauses, language))] if clauses else []


def _is_short(clause: str) -> bool:
    chinese = sum(map(is_cjk, clause))
    return chinese <= MAX_UNNAMED_CHARACTERS and len(clause.split()) <= MAX_UNNAMED_WORDS


def _quoted(clauses: Sequence[str], language: Language) -> str:
    quoted = [f"“{shortened(clause, MAX_QUOTED_CHARS)}”" for clause in clauses[:MAX_QUOTED_CLAUSES]]
    return listed(quoted, language)


def _unread(clauses: Sequence[str], examples: Sequence[str], language: Language) -> str:
    unread = _quoted(clauses, language)
    if not examples:
        return text("modify.unread", language, clauses=unread)
    offered = ("、" if language == "zh" else ", ").join(f"“{example}”" for example in examples)
    return text("modify.unread_but", language, clauses=unread, examples=offered)
