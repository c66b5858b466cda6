"""Correction: the edits that findings bring along, carried out on the template."""

from __future__ import annotations

from collections.abc import Sequence

from shared.model.verdict import Finding

from .editor import Editor


def correct(template: bytes, findings: Sequence[Finding]) -> tuple[bytes, bool]:
    """The template after every finding's own edits, errors before warnings, and whether that changed anything.

    Raises ``BadInput`` when the template cannot be read.
    """
    editor = Editor(template)
    ranked = sorted(findings, key=lambda finding: finding.severity != "error")
    changed = editor.apply(edit for finding in ranked for edit in finding.edits)
    return (editor.bytes(), True) if changed else (template, False)
