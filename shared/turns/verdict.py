"""Verdict: the validator's judgement of a template, with its findings."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from ..edits import AnyEdit
from ..model.base import Value
from ..model.geometry import Box
from ..replies import Text

Grade = Literal["keep", "small_edits", "start_over"]
"""What a person would do with a template: keep it as it is, edit a little, or rather start over."""


class Finding(Value):
    """A problem of a template."""

    code: str
    """A stable name such as ``structure.overlap`` or ``compile.failed``; its first part names the check."""
    message: str
    """One sentence in English. It contains no file name, and no text of the document but the element's own."""
    message_zh: str = ""
    severity: Literal["error", "warning"] = "error"
    """A warning does not fail the verdict."""
    element: str | None = None
    edits: list[AnyEdit] = []
    """Edits that fix the problem, if a rule knows any."""

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
    """Similarity of the form and the filled page, from 0 to 1."""

    ssim: float
    texts: float
    """Share of the form's texts that are on the page in their position."""


class Verdict(Value):
    passed: bool
    """Whether there are no errors, and a person would not rather start over."""
    findings: list[Finding] = []
    likeness: Likeness | None = None
    pages: int = 0
    grade: Grade | None = None
    """None where no form is there to compare with. The reasons are findings whose codes begin with ``grade.``"""

    @property
    def has_errors(self) -> bool:
        return any(finding.severity == "error" for finding in self.findings)


class Printed(Value):
    """An element as the engine printed it, in points on the page."""

    key: str | None
    box: Box
    text: str | None = None
    ink: Box | None = None
    """The smallest box around its ink on the rendered page."""
    row: int = 0
    """Number of the detail row: how many elements with the same key precede it on the page."""
    page: int = 1
    """Number of its page; its box is from the top of that."""


class Attempt(Value):
    """A correction that was made, and what was still wrong after it."""

    edits: list[AnyEdit]
    findings: list[str] = []
    """The messages of the errors that remained, in English."""
