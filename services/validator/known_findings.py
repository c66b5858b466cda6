"""What a user's own template had before anything was changed is shown, and not held against later versions of it."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from bandsmith.shared.jrxml.dom import content_of
from bandsmith.shared.jrxml.template import Template
from bandsmith.shared.turns.verdict import Finding

from .checks import blocks_the_engine

Identity = tuple[str, str]


def accept_known(
    findings: Iterable[Finding], template: Template, known: Callable[[], set[Identity]] | None
) -> list[Finding]:
    """Return the findings with the known ones as warnings that no correction touches.

    `known` is asked only where there is an error; None stands for all of them. What keeps the engine from working
    stays an error.
    """
    findings = list(findings)
    accepted = None if known is None or not any(_may_be_accepted(finding) for finding in findings) else known()
    return [
        finding.model_copy(update={"severity": "warning", "edits": []})
        if _may_be_accepted(finding) and (known is None or identity(finding, template) in (accepted or set()))
        else finding
        for finding in findings
    ]


def identities(findings: Iterable[Finding], template: Template) -> set[Identity]:
    return {identity(finding, template) for finding in findings}


def identity(finding: Finding, template: Template) -> Identity:
    """Return what a finding is about, in a form that holds when elements are moved, resized or numbered again."""
    element = template.by_key.get(finding.element or "")
    if element is None:
        return finding.code, finding.message
    report = element.report_element
    name = report.get("uuid") if report is not None else None
    return finding.code, name or f"{element.band.section}/{element.kind}/{content_of(element.node)}"


def _may_be_accepted(finding: Finding) -> bool:
    return (
        finding.severity == "error"
        and not blocks_the_engine([finding])
        and finding.code.partition(".")[0] in ("structure", "fill")
        and finding.code not in ("fill.failed", "fill.drawing", "fill.timeout", "fill.died", "fill.empty")
    )
