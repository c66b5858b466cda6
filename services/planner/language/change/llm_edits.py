"""What rules cannot read, read by a model: one call, and its edits held to what is there and what was asked."""

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

MOST = 60
"""Edits of one reply that are looked at."""
OUTLINE = 3_000
"""Tokens of the template that a model is shown, about."""
REQUEST = 4_000
"""Characters of what rules left over."""
SPOKEN = 6
"""Entries of the history that go with them."""
LOST = 0.3
"""A share of the elements larger than this is only deleted at the user's word."""
_DELETION = re.compile(
    r"delet|remov|drop|hide|erase|get rid|take (?:out|away)|without|clear|strip|cut|only (?:keep|show)"
    r"|lose\b|删|去掉|去除|移除|拿掉|隐藏|"
    r"不要|清空|清除|只保留|只留|取消|精简",
    re.IGNORECASE,
)


class ModelEdits(BaseModel):
    """What a model makes of a request."""

    model_config = ConfigDict(frozen=True)
    edits: list[AnyEdit] = []
    note: str = ""
    refused: list[Text] = []
    """Why some of its edits are not carried out, in English and Chinese."""


async def ask_for_edits(
    model: Model, command: ClassifyIntent | ReadChange, template: bytes, unclear: Sequence[str], allowance: Allowance
) -> tuple[EditsAnswer | None, Usage]:
    """Return a model's answer to the clauses that rules left over, and what it cost; None where it has none."""
    values = {
        "text": "\n".join(unclear)[:REQUEST],
        "language": command.language,
        "remarks": _json([remark.model_dump(exclude={"colour"}) for remark in command.remarks[:20]]),
        "template": outline(template, " ".join(unclear)[:2_000], OUTLINE),
        "history": _json([said.model_dump(include={"role", "text"}) for said in command.history[-SPOKEN:]]),
        "failure": command.failure.error if command.failure else "",
        "edits": described(),
    }
    try:
        return await ask(model, "modification", values, EditsAnswer, allowance=allowance)
    except ModelFailed as failure:
        return None, failure.usage


def held(answer: EditsAnswer, view: TemplateView, text: str, kept: Sequence[str]) -> ModelEdits:
    """The edits of an answer that name what is there, and delete no more than was asked for."""
    draft = view.editor.draft
    known = KnownNames.of(draft)
    edits = [edit for edit in answer.edits[:MOST] if edit.is_known(known)]
    edits = [edit for edit in edits if not set(kept) & deleted(edit, draft)]
    refused: list[Text] = []
    gone = set().union(*(deleted(edit, draft) for edit in edits)) if edits else set()
    if len(gone) > LOST * max(1, len(view.pieces)) and not _DELETION.search(text):
        edits = [edit for edit in edits if not deleted(edit, draft)]
        refused.append(Text.of("language.deletes_more_than_asked", deleted=len(gone), count=len(view.pieces)))
    return ModelEdits(edits=edits, note=answer.note, refused=refused)


def deleted(edit: AnyEdit, draft: Draft) -> set[str]:
    """Return the names of the elements that an edit removes."""
    return {draft.name_of(node) for node in edit.removes(draft)}


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)
