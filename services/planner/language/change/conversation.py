"""What was changed before: the changes that led to the current report, each with the report as it was before it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from pydantic import TypeAdapter

from bandsmith.shared.actor import Store
from bandsmith.shared.editing import Editor
from bandsmith.shared.edits import AnyEdit
from bandsmith.shared.edits.add import Add
from bandsmith.shared.model.base import Ref
from bandsmith.shared.model.plan import Data
from bandsmith.shared.model.session_parts import HistoryEntry, Version

from ..intents.rules import classify
from ..references import Target
from ..template_view import TemplateView
from ..view_elements import TableColumn

MAX_PAST_CHANGES = 5
"""Changes that a sentence can refer to."""
_EDITS: TypeAdapter[list[AnyEdit]] = TypeAdapter(list[AnyEdit])


@dataclass(frozen=True)
class PastChange:
    """A change that is part of the current report."""

    request: str
    edits: list[AnyEdit]
    base: Version
    """The version that it changed."""
    template: bytes
    data: Data

    @cached_property
    def view(self) -> TemplateView:
        """The report before the change."""
        return TemplateView(Editor(self.template), self.data)

    def target(self, view: TemplateView) -> Target | None:
        """Return what the change was about, as far as it is in a report; None where it is about nothing there."""
        keys = {key for edit in self.edits if (key := _element(edit))}
        fields = {str(field) for edit in self.edits if (field := getattr(edit, "field", None))}
        columns = [column for column in view.columns if column.field in fields or keys & _keys(column)]
        pieces = tuple(piece for piece in view.pieces if piece.key in keys)
        if len(columns) == 1 and keys <= _keys(columns[0]):
            return Target("it", tuple(columns[0].pieces), columns[0])
        if not pieces or fields:
            return None
        is_header = pieces == tuple(view.header) or (view.header and pieces == (view.area_behind(view.header),))
        if is_header:
            return Target("it", tuple(view.header), role="header")
        if len(pieces) >= len(view.texts) > 1:
            return Target("it", tuple(view.texts), role="everything")
        return Target("it", pieces, alone=True)


def selected(keys: Sequence[str], view: TemplateView) -> Target | None:
    """Return what the user selected on the page, with its column if it is all of one; None where nothing is there."""
    pieces = tuple(piece for key in dict.fromkeys(keys) if (piece := view.piece(key)))
    if not pieces:
        return None
    column = next((column for column in view.columns if set(pieces) <= set(column.pieces)), None)
    return Target("it", pieces, column, alone=True)


def _element(edit: AnyEdit) -> str:
    return edit.key if isinstance(edit, Add) else str(getattr(edit, "element", None) or "")


def _keys(column: TableColumn) -> set[str]:
    return {piece.key for piece in column.pieces}


async def past_changes(store: Store, template: Ref, earlier: list[Version]) -> list[PastChange]:
    """Return the changes that the current report consists of, the newest first."""
    found: list[PastChange] = []
    current = _version(earlier, template)
    while current is not None and current.edits and current.edited and len(found) < MAX_PAST_CHANGES:
        # New values in the rows leave the template as it is: the version before has the same one.
        base = _version([one for one in earlier if one.number < current.number], current.edited)
        if base is None:
            break
        found.append(
            PastChange(
                request=current.request,
                edits=_EDITS.validate_json(await store.get(current.edits)),
                base=base,
                template=await store.get(base.template),
                data=Data.model_validate_json(await store.get(base.data)),
            )
        )
        current = base
    return found


def _version(earlier: list[Version], template: Ref) -> Version | None:
    return next((version for version in reversed(earlier) if version.template == template), None)


def has_last_turn_changed(history: Sequence[HistoryEntry], earlier: Sequence[Version]) -> bool:
    """Whether the turn before made a version: one that is newer than the end of the turn before that."""
    ends = [entry.time for entry in history if entry.role in ("user", "summary")]
    if not ends or not earlier:
        return bool(earlier)
    return len(ends) == 1 or earlier[-1].time > ends[-2]


def is_last_turn_open(history: Sequence[HistoryEntry], earlier: Sequence[Version]) -> bool:
    """Whether the turn before was a request or a question after which the report is as it was.

    “Smaller, and grey” may then be about what that turn asked for, and is not about everything on the page.
    """
    said = _unchanged_by(history, earlier)
    return bool(said) and (_is_change(said) or classify(said, has_template=True).intent == "consult_question")


def is_last_request_open(history: Sequence[HistoryEntry], earlier: Sequence[Version]) -> bool:
    """Whether the turn before asked for a change, after which the report is as it was before."""
    said = _unchanged_by(history, earlier)
    return bool(said and earlier) and _is_change(said)


def _unchanged_by(history: Sequence[HistoryEntry], earlier: Sequence[Version]) -> str:
    """Return what the turn before said, where it made no version; empty where it made one."""
    said = next((entry.text for entry in reversed(history) if entry.role == "user"), "")
    return "" if has_last_turn_changed(history, earlier) else said


def requests_since(past: Sequence[PastChange], history: Sequence[HistoryEntry]) -> list[str]:
    """Return the requested changes since the first past change, including refused ones.

    Empty where the history no longer has all of them.
    """
    if not past:
        return []
    began = past[-1].base.time
    asked = [entry.text for entry in history if entry.role == "user" and entry.time > began]
    wanted = [text for text in asked if _is_change(text)]
    known = all(any(text.startswith(change.request) for text in wanted) for change in past)
    return wanted if known else []


def _is_change(text: str) -> bool:
    return classify(text, has_template=True).intent in ("modify_report", "unknown")
