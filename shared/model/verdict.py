"""Verdict: what the validator says of a template: pass, or findings."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from ..edits import AnyEdit
from ..replies import Text
from .base import Value
from .geometry import Box


class Finding(Value):
    """One thing that is wrong."""

    code: str
    """Stable and dotted: ``structure.overlap``, ``compile.failed``; the first part is the check that found it."""
    message: str
    """One sentence for a person, in English; no file names, no document text beyond the element's own."""
    message_zh: str = ""
    severity: Literal["error", "warning"] = "error"
    """A warning does not fail the verdict."""
    element: str | None = None
    edits: list[AnyEdit] = []
    """Edits that fix it, where a rule knows them."""

    @classmethod
    def of(
        cls,
        code: str,
        *,
        severity: Literal["error", "warning"] = "error",
        element: str | None = None,
        edits: Sequence[AnyEdit] = (),
        variant: str = "",
        **values: object,
    ) -> Finding:
        """Build a finding whose message is the catalogue's text ``findings.<code>``, filled with `values`.

        A code with several texts names one of them as its `variant`: ``findings.<code>.<variant>``.
        """
        text = Text.of(f"findings.{code}.{variant}" if variant else f"findings.{code}", **values)
        return cls(
            code=str(code), message=text.en, message_zh=text.zh, severity=severity, element=element, edits=list(edits)
        )


class Likeness(Value):
    """How alike the form and the filled page are, each from 0 to 1."""

    ssim: float
    texts: float
    """Share of the form's texts that stand on the page at their place."""


class Verdict(Value):
    passed: bool
    findings: list[Finding] = []
    likeness: Likeness | None = None
    pages: int = 0


class Printed(Value):
    """One element as the engine printed it, in points on the page."""

    key: str | None
    box: Box
    text: str | None = None
    ink: Box | None = None
    """The box tight around its ink on the rendered page."""
    row: int = 0
    """How many elements with the same key came before it on the page: the detail row."""
