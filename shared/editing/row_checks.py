"""Check edits against the rows that a report is filled with: a template alone does not know them."""

from __future__ import annotations

from collections.abc import Iterable

from ..edits import AnyEdit
from ..edits.base import Edit
from ..jrxml.refusals import EditRefused
from ..model.plan import Data
from .outcome import EditOutcome
from .sample_sync import in_step


def checked_rows(data: Data, outcomes: Iterable[EditOutcome]) -> list[EditOutcome]:
    """Return the outcomes of edits of a template, with those refused that the rows do not allow.

    An edit may name a row that one before it added.
    """
    done: list[AnyEdit] = []
    found: list[EditOutcome] = []
    for outcome in outcomes:
        reason = _refusal(data, done, outcome.edit) if outcome.changed else None
        found.append(EditOutcome(outcome.edit, False, reason.code, reason.reason) if reason else outcome)
        if found[-1].changed:
            done.append(outcome.edit)
    return found


def _refusal(data: Data, done: Iterable[AnyEdit], edit: AnyEdit) -> EditRefused | None:
    """Return why an edit cannot be carried out on the rows after the edits before it; None if it can."""
    if type(edit).check_rows is Edit.check_rows:
        return None  # most edits are about no row: the rows are not followed for them
    try:
        edit.check_rows(in_step(data, done).rows)
    except EditRefused as refusal:
        return refusal
    return None
