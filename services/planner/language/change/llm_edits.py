"""What rules cannot read, read by a model: one call, and its edits held to what is there and what was asked."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence

from pydantic import BaseModel, ConfigDict

from bandsmith.shared.editing.groups import inside_of
from bandsmith.shared.editing.totals import of as totals
from bandsmith.shared.events import ClassifyIntent, ReadChange
from bandsmith.shared.jrxml.bands import named_elements
from bandsmith.shared.jrxml.draft import Draft
from bandsmith.shared.jrxml.outline import outline
from bandsmith.shared.llm import Allowance, Model, ModelFailed, Usage, ask
from bandsmith.shared.llm.answers import EditsAnswer
from bandsmith.shared.llm.schema_prompt import edits as described
from bandsmith.shared.model.edits import (
    Add,
    AddColumn,
    AddTotal,
    AnyEdit,
    Declare,
    Delete,
    DeleteColumn,
    DeleteGroup,
    DeleteTotal,
    Highlight,
    MoveColumn,
    RenameField,
    ReplaceBand,
    ResizeColumn,
    SortBy,
)
from bandsmith.shared.replies import Text

from ..template_view import View

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


class Thought(BaseModel):
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


def held(answer: EditsAnswer, view: View, text: str, kept: Sequence[str]) -> Thought:
    """The edits of an answer that name what is there, and delete no more than was asked for."""
    known = _Known(view)
    edits = [edit for edit in answer.edits[:MOST] if known.all_of(edit)]
    edits = [edit for edit in edits if not set(kept) & deleted(edit, view)]
    refused: list[Text] = []
    gone = set().union(*(deleted(edit, view) for edit in edits)) if edits else set()
    if len(gone) > LOST * max(1, len(view.pieces)) and not _DELETION.search(text):
        edits = [edit for edit in edits if not deleted(edit, view)]
        refused.append(Text.of("language.deletes_more_than_asked", deleted=len(gone), count=len(view.pieces)))
    return Thought(edits=edits, note=answer.note, refused=refused)


def deleted(edit: AnyEdit, view: View) -> set[str]:
    """The names of the elements that an edit takes out."""
    match edit:
        case Delete():
            return {edit.element}
        case DeleteColumn():
            column = view.column(edit.field)
            return {piece.key for piece in column.pieces} if column else set()
        case DeleteTotal() | DeleteGroup():
            draft = Draft(view.editor.bytes())
            named = {node: name for name, node in named_elements(draft.root)}
            group = draft.group(edit.field) if isinstance(edit, DeleteGroup) else None
            of_group = inside_of(group) if group is not None else []
            gone = totals(draft, edit) if isinstance(edit, DeleteTotal) else of_group
            return {named[node] for node in gone}
        case ReplaceBand():
            section = edit.band.split("[")[0].split("(")[0]
            there = [piece.key for piece in view.pieces if piece.section == section]
            return {key for key in there if f'key="{key}"' not in edit.xml}
    return set()


class _Known:
    """The names that edits may use: those of the template, and those that edits before them have made."""

    def __init__(self, view: View) -> None:
        self._elements = {piece.key for piece in view.pieces}
        self._elements |= {piece.node.find("{*}reportElement").get("uuid", "") for piece in view.pieces} - {""}
        self._fields = set(view.classes)
        self._columns = {name for piece in view.in_sections("detail") for _, name in piece.references}
        self._columns |= {piece.key for piece in view.in_sections("detail")}

    def all_of(self, edit: AnyEdit) -> bool:
        """Whether everything that an edit names is there, or is made by it."""
        match edit:
            case Add():
                self._elements.add(edit.key)
            case AddColumn():
                self._fields.add(edit.field)
                self._columns.add(edit.field)
            case Declare():
                if edit.scope == "field":
                    self._fields.add(edit.name)
            case RenameField():
                if edit.scope == "field" and edit.name in self._fields:
                    self._fields.add(edit.to)
                    self._columns.add(edit.to)
            case AddTotal() | DeleteColumn() | MoveColumn() | ResizeColumn() | Highlight():
                return edit.field in self._columns or edit.field in self._fields
            case SortBy():
                return edit.field in self._fields
        element = getattr(edit, "element", None)
        return element is None or element in self._elements


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)
