"""The result of an edit: whether it changed the template, and if not, why."""

from __future__ import annotations

from typing import NamedTuple

from ..model.edits import AnyEdit


class EditOutcome(NamedTuple):
    """An edit and its result."""

    edit: AnyEdit
    changed: bool
    code: str = ""
    """The code of the ``EditRefused`` that it raised; empty if it changed the template."""
    reason: str = ""
    reason_zh: str = ""
