"""Ask a model for the edits of what rules did not read, and check them."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence

from pydantic import BaseModel, ConfigDict

from bandsmith.shared.edits import AnyEdit
from bandsmith.shared.edits.base import KnownNames
from bandsmith.shared.events import ClassifyIntent, ReadChange
from bandsmith.shared.jrxml.draft import Draft
from bandsmith.shared.jrxml.outline import outline
from bandsmith.shared.llm import Allowance, Model, ModelFailed, Usage, ask
from bandsmith.shared.llm.answers import EditsAnswer
from bandsmith.shared.llm.schema_prompt import edits as described
from bandsmith.shared.replies import Text

from ..template_view import TemplateView

MAX_EDITS = 60
"""Edits of one reply that are used."""
MAX_OUTLINE_TOKENS = 3_000
"""Size of the template's outline in the prompt."""
MAX_REQUEST_CHARS = 4_000
"""Unread characters in the prompt."""
MAX_HISTORY_ENTRIES = 6
MAX_REMARKS = 20
MAX_UNASKED_DELETIONS = 0.3
"""Share of the elements that may be deleted although the user does not speak of deleting."""
_DELETION = re.compile(
    r"delet|remov|drop|hide|erase|get rid|take (?:out|away)|without|clear|strip|cut|only (?:keep|show)"
    r"|lose\b|删|去掉|去除|移除|拿掉|隐藏|"
    r"不要|清空|清除|只保留|只留|取消|精简",
    re.IGNORECASE,
)


class ModelEdits(BaseModel):
    """A model's edits that passed the checks."""

    model_config = ConfigDict(frozen=True)
    edits: list[AnyEdit] = []
    note: str = ""
    """The model's remark for the user."""
    refusals: list[Text] = []
    """Why some of its edits are not carried out."""


async def ask_for_edits(
    model: Model, command: ClassifyIntent | ReadChange, template: bytes, unread: Sequence[str], allowance: Allowance
) -> tuple[EditsAnswer | None, Usage]:
    """Return a model's answer to the clauses that rules did not read, or None, and what it cost."""
    history = [entry.model_dump(include={"role", "text"}) for entry in command.history[-MAX_HISTORY_ENTRIES:]]
    values = {
        "text": "\n".join(unread)[:MAX_REQUEST_CHARS],
        "language": command.language,
        "remarks": _json([remark.model_dump(exclude={"colour"}) for remark in command.remarks[:MAX_REMARKS]]),
        "template": outline(template, " ".join(unread)[:2_000], MAX_OUTLINE_TOKENS),
        "history": _json(history),
        "failure": command.failure.error if command.failure else "",
        "edits": described(),
    }
    try:
        return await ask(model, "modification", values, EditsAnswer, allowance=allowance)
    except ModelFailed as failure:
        return None, failure.usage


def checked(answer: EditsAnswer, view: TemplateView, request: str, kept: Sequence[str]) -> ModelEdits:
    """Return the edits of an answer that name what exists, keep what has to stay, and delete no more than asked for."""
    draft = view.editor.draft
    known = KnownNames.of(draft)
    edits = [edit for edit in answer.edits[:MAX_EDITS] if edit.is_known(known)]
    edits = [edit for edit in edits if not set(kept) & deleted(edit, draft)]
    refusals: list[Text] = []
    all_deleted = set().union(*(deleted(edit, draft) for edit in edits)) if edits else set()
    if len(all_deleted) > MAX_UNASKED_DELETIONS * max(1, len(view.pieces)) and not _DELETION.search(request):
        edits = [edit for edit in edits if not deleted(edit, draft)]
        refusals.append(Text.of("language.deletes_more_than_asked", deleted=len(all_deleted), count=len(view.pieces)))
    return ModelEdits(edits=edits, note=answer.note, refusals=refusals)


def deleted(edit: AnyEdit, draft: Draft) -> set[str]:
    """Return the names of the elements that an edit removes."""
    return {draft.name_of(node) for node in edit.removes(draft)}


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)
