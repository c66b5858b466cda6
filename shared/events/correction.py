"""Messages of the report flow about findings: explain them, correct the template, remember what helped."""

from __future__ import annotations

from typing import Literal

from ..edits import AnyEdit
from ..language import Language
from ..model.allowance import Allowance, Usage
from ..model.base import Ref
from ..turns.fixes import Fix
from ..turns.verdict import Attempt, Finding
from .base import Command, Event

# --- explain_error, correct_jrxml ----------------------------------------------------------------------------------


class ExplainFailure(Command):
    service = "generator"
    answers = ("FailureExplained",)
    findings: list[Finding]
    language: Language
    allowance: Allowance


class FailureExplained(Event):
    explanation: str
    """In the turn's language."""
    usage: Usage = Usage()


class RecallFixes(Command):
    service = "planner"
    answers = ("FixesRecalled",)
    findings: list[Finding]


class FixesRecalled(Event):
    fixes: list[Fix]
    """Fixes of similar errors in earlier turns."""


class CorrectTemplate(Command):
    service = "generator"
    answers = ("TemplateCorrected",)
    template: Ref
    data: Ref
    findings: list[Finding]
    fixes: list[Fix]
    uncorrected: Ref | None = None
    """The template before the turn's first correction."""
    explanation: str
    corrections: int
    """Number of corrections so far in the turn. Each tries something that those before did not."""
    tried: list[Attempt] = []
    """What the corrections before this one did, and what the checks found then."""
    request: str = ""
    """What the user asked of the report."""
    layout: Ref | None = None
    """The layout of the form that the report is built from."""
    language: Language = "en"
    allowance: Allowance


class TemplateCorrected(Event):
    template: Ref
    changed: int
    """How many edits took effect."""
    edits: list[AnyEdit] = []
    by: Literal["rules", "knowledge", "model"] = "rules"
    notes: list[str] = []
    """Why a model gave no answer, in the turn's language."""
    usage: Usage = Usage()


# --- finalize ------------------------------------------------------------------------------------------------------


class RememberFixes(Command):
    service = "planner"
    answers = ("FixesRemembered",)
    fixes: list[Fix]


class FixesRemembered(Event):
    count: int
