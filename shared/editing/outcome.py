"""The result of an edit: whether it changed the template, and if not, why."""

from __future__ import annotations

from typing import NamedTuple

from ..edits import AnyEdit
from ..jrxml.refusals import RefusalCode
from ..replies import Text


class EditOutcome(NamedTuple):
    """An edit and its result."""

    edit: AnyEdit
    changed: bool
    code: RefusalCode | None = None
    """Why it was refused; None if it changed the template."""
    reason: Text | None = None
