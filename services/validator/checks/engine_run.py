"""Compile, fill and draw a template with the real engine, within its time limit."""

from __future__ import annotations

from bandsmith.shared.jrxml.dom import J
from bandsmith.shared.jrxml.template import Template
from bandsmith.shared.model.plan import Data
from bandsmith.shared.model.verdict import Finding

from ..engine import EngineDied, EngineRefused, EngineTimeout, Printout, ReportEngine
from .base import Check, FindingCode, Stage


class Code(FindingCode):
    COMPILE_FAILED = "compile.failed"
    """One for each thing that the engine reports, as for the next two."""
    FILL_FAILED = "fill.failed"
    DRAWING = "fill.drawing"
    TIMEOUT = "fill.timeout"
    DIED = "fill.died"


_CODES = {"compile": Code.COMPILE_FAILED, "fill": Code.FILL_FAILED, "draw": Code.DRAWING}


def print_report(
    engine: ReportEngine, template: Template, data: Data, *, pages: int
) -> tuple[Printout | None, list[Finding]]:
    """Return the filled report with its first `pages` pages drawn, or None and the reason."""
    try:
        return engine.print(template.inert, data, pages=pages), []
    except (EngineRefused, EngineTimeout, EngineDied) as error:
        return None, engine_findings(error, template)


def export_pdf(engine: ReportEngine, template: Template, data: Data) -> tuple[bytes | None, list[Finding]]:
    """Return the filled report as a PDF, or None and the reason."""
    try:
        return engine.export(template.inert, data, "pdf")[1], []
    except (EngineRefused, EngineTimeout, EngineDied) as error:
        return None, engine_findings(error, template)


def engine_findings(error: EngineRefused | EngineTimeout | EngineDied, template: Template) -> list[Finding]:
    """The findings for an error of the engine."""
    if isinstance(error, EngineTimeout):
        return [Finding.of(Code.TIMEOUT)]
    if isinstance(error, EngineDied):
        return [Finding.of(Code.DIED)]
    code = _CODES.get(error.stage, Code.FILL_FAILED)
    return [
        Finding.of(code, element=_element_of(template, expression), reason=reason)
        for reason, expression in error.about.items()
    ]


def _element_of(template: Template, expression: str) -> str | None:
    """The key of the first element that prints this expression."""
    wanted = "".join(expression.split())
    for element in template.elements if wanted else ():
        for node in element.node.iterchildren(f"{J}textFieldExpression", f"{J}imageExpression"):
            if "".join((node.text or "").split()) == wanted:
                return element.key
    return None


CHECK: Check[Template] = Check(Stage.ENGINE, Code)
