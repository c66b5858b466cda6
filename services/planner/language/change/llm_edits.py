"""Ask a model for the edits of a sentence, and check them.

A model gets the whole sentence and what rules would do, and may overrule them. Its edits are tried on a copy of the
template before they are taken: what cannot be carried out goes back once, with the reason. What is still wrong then is
left out, and the user is told so.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from difflib import get_close_matches
from typing import Any

from pydantic import BaseModel, ConfigDict

from bandsmith.shared import reply_stream
from bandsmith.shared.actor import Store
from bandsmith.shared.editing import Editor
from bandsmith.shared.editing.content_guard import lost_content
from bandsmith.shared.editing.row_checks import checked_rows
from bandsmith.shared.editing.visible_content import visible_content
from bandsmith.shared.edits import AnyEdit
from bandsmith.shared.edits.base import KnownNames
from bandsmith.shared.events import ClassifyIntent, ReadChange
from bandsmith.shared.jrxml.refusals import ALREADY_DONE
from bandsmith.shared.language import Language
from bandsmith.shared.llm import Allowance, Model, ModelFailed, Usage, ask
from bandsmith.shared.llm.answers.report import ChangeAnswer
from bandsmith.shared.llm.ask import Review
from bandsmith.shared.llm.schema_prompt import edits as described
from bandsmith.shared.model.plan import Data
from bandsmith.shared.replies import Text, text

from ..colours import colour
from ..template_view import TemplateView
from .model_context import compact, report_context
from .rule_parser import RequestReading
from .template_xml import xml_of

MAX_EDITS = 60
"""Edits of one reply that are used."""
MAX_REQUEST_CHARS = 4_000
"""Characters of the request in the prompt."""
MAX_REMARKS = 20
MAX_EDIT_CHARS = 120
"""Characters of an edit that is objected to."""
MAX_SIMILAR_NAMES = 3
MAX_RULE_CHARS = 3_000
"""Characters of what rules would do."""


class ModelEdits(BaseModel):
    """A model's edits that passed the checks."""

    model_config = ConfigDict(frozen=True)
    edits: list[AnyEdit] = []
    refusals: list[Text] = []
    """What of the request is not carried out, and why."""
    replaces: bool = False
    """Whether they are carried out instead of what rules would do."""
    in_other_words: list[str] = []
    """Parts of the request that ask for nothing, or are what the edits do."""
    trouble: Text | None = None
    """Why the model gave no answer."""

    @property
    def settles(self) -> bool:
        """Whether the model answered what rules left open."""
        return bool(self.edits or self.refusals)


async def ask_for_edits(
    model: Model,
    store: Store,
    command: ClassifyIntent | ReadChange,
    view: TemplateView,
    by_rules: RequestReading,
    allowance: Allowance,
) -> tuple[ChangeAnswer | Text, Usage]:
    """Return a model's answer, or why there is none, and what it cost."""
    values = await report_context(store, command) | {
        "edits": described(),
        "description": command.description[:MAX_REQUEST_CHARS] if isinstance(command, ReadChange) else "",
        "language": command.language,
        "remarks": _json([remark.model_dump(exclude={"colour"}) for remark in command.remarks[:MAX_REMARKS]]),
        "rules": proposal(by_rules),
        "text": command.text[:MAX_REQUEST_CHARS],
    }
    template = view.editor.bytes()
    try:
        return await ask(
            model, "modification", values, ChangeAnswer, allowance=allowance, stream_field="plan",
            on_delta=_announcing(command.language),
            review=lambda answer: review(answer, template, by_rules, view.data),
        )  # fmt: skip
    except ModelFailed as failure:
        return Text(failure.message, failure.message_zh), failure.usage


def proposal(by_rules: RequestReading) -> str:
    """Describe what rules would do, for a model."""
    if not (by_rules.edits or by_rules.refusals or by_rules.unread):
        return "nothing"
    parts: dict[str, Any] = {
        "edits": compact([edit.model_dump() for edit in by_rules.edits]),
        "cannot": [refusal.en for refusal in by_rules.refusals],
        "did not read": by_rules.unread,
    }  # fmt: skip
    return _json({name: part for name, part in parts.items() if part})[:MAX_RULE_CHARS]


def review(answer: ChangeAnswer, template: bytes, by_rules: RequestReading, data: Data | None = None) -> Review:
    """Return what is wrong with an answer, or the XML that it asks to see. `data` is what the report is filled with."""
    if answer.no_change:
        return Review(answer.left_out)
    if answer.look and not answer.edits:
        return Review(material=xml_of(template, answer.look))
    editor = Editor(template)
    outcomes = editor.carry_out(by_rules.edits) if answer.rules == "keep" else []
    known, objections = KnownNames.of(editor.draft), list(answer.left_out)
    before = visible_content(editor.bytes())
    for number, edit in enumerate(map(with_colour, answer.edits[:MAX_EDITS])):
        where = f"edits.{number} {_json(edit.model_dump(exclude_none=True))[:MAX_EDIT_CHARS]}"
        if not edit.is_known(known):
            objections.append(f"{where}: {_unknown(edit, known)}")
            continue
        outcomes += editor.carry_out([edit])
        outcomes = checked_rows(data, outcomes) if data is not None else outcomes
        outcome = outcomes[-1]
        known.include(editor.draft)
        if outcome.reason is not None and outcome.code != ALREADY_DONE:
            objections.append(f"{where}: {outcome.reason.en}")
    if lost_content(before, visible_content(editor.bytes())).is_too_much:
        objections.append("they delete, hide or blank much of the report; do so only if the user asks for just that")
    return Review(objections)


def checked(answer: ChangeAnswer, view: TemplateView, by_rules: RequestReading) -> ModelEdits:
    """Return the edits of an answer that name what exists and keep what has to stay."""
    if answer.no_change:
        reason = " ".join(answer.no_change.split())
        return ModelEdits(refusals=[Text.of("language.not_a_change", reason=reason)], replaces=True)
    editor = Editor(view.editor.bytes())
    if answer.rules == "keep":
        editor.carry_out(by_rules.edits)
    usable = _usable(answer, editor)
    unusable = len(answer.left_out) + len(answer.edits) - len(usable)
    edits = [edit for edit, removed in usable if not removed & set(by_rules.kept)]
    if answer.rules == "keep":
        edits = [edit for edit in edits if edit not in by_rules.edits]
    refusals: list[Text] = []
    if unusable:
        refusals.append(Text.of("language.model_edits_unusable", count=unusable))
    if undone := " ".join(answer.undone.split()):
        refusals.append(Text.of("language.model_undone", reason=undone))
    replaces = answer.rules == "replace" and bool(edits or undone)
    return ModelEdits(edits=edits, refusals=refusals, replaces=replaces, in_other_words=answer.in_other_words)


def _usable(answer: ChangeAnswer, editor: Editor) -> list[tuple[AnyEdit, set[str]]]:
    """Return the edits that name what the report or an earlier one of them has, each with the elements it removes.

    They are carried out in the given order, so that each finds the report as it is then.
    """
    known, found = KnownNames.of(editor.draft), []
    for edit in map(with_colour, answer.edits[:MAX_EDITS]):
        if edit.is_known(known):
            found.append((edit, {editor.draft.name_of(node) for node in edit.removes(editor.draft)}))
            editor.carry_out([edit])
            known.include(editor.draft)
    return found


def _unknown(edit: AnyEdit, known: KnownNames) -> str:
    """Say which names in an edit are not in the report, and what they may be meant to be."""
    existing = known.elements | known.row_values
    said = []
    for name in known.missing(edit) or edit.names():
        similar = get_close_matches(name, sorted(existing), MAX_SIMILAR_NAMES)
        said.append(f"{name!r}" + (f" (there is {', '.join(map(repr, similar))})" if similar else ""))
    return f"it names {', '.join(said)}, which is not in the report"


def with_colour(edit: AnyEdit) -> AnyEdit:
    """Return an edit with its colour as ``#RRGGBB``: models write ``grey`` and ``#EEE`` too."""
    name = "value" if str(getattr(edit, "name", "")).lower().endswith("color") else "colour"
    written = getattr(edit, name, None)
    if not isinstance(written, str):
        return edit
    if re.fullmatch(r"#[0-9A-Fa-f]{3}", written):
        return edit.model_copy(update={name: "#" + "".join(digit * 2 for digit in written[1:])})
    return edit.model_copy(update={name: colour(written) or written})


def _announcing(language: Language) -> Callable[[str], Any]:
    """Return what streams a model's plan to the user, with what it is."""
    began = False

    async def forward(delta: str) -> None:
        nonlocal began
        await reply_stream.emit(delta if began else text("language.model_plan", language) + delta)
        began = True

    return forward


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)
