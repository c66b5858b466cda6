"""Compile, fill and draw a template with the real engine, within its time limit."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from bandsmith.shared.jrxml.dom import J
from bandsmith.shared.jrxml.template import Template
from bandsmith.shared.model.plan import Data
from bandsmith.shared.turns.verdict import Finding

from ..engine import EngineDied, EngineRefused, EngineTimeout, Printout, ReportEngine, SeenPages
from ..inert import Printable
from .base import Check, FindingCode, Stage

T = TypeVar("T")
ENGINE_ERRORS = (EngineRefused, EngineTimeout, EngineDied)
MAX_EXCUSES = 12
"""How many times a template is tried again after some of its expressions failed."""


class Code(FindingCode):
    COMPILE_FAILED = "compile.failed"
    """One for each thing that the engine reports, as for the next two."""
    FILL_FAILED = "fill.failed"
    DRAWING = "fill.drawing"
    TIMEOUT = "fill.timeout"
    DIED = "fill.died"


_CODES = {"compile": Code.COMPILE_FAILED, "fill": Code.FILL_FAILED, "draw": Code.DRAWING}


def print_report(
    engine: ReportEngine, printable: Printable, data: Data, *, pages: int, listed: int = 1
) -> tuple[Printout | None, list[Finding], Printable]:
    """Return the filled report, or None and the reason; and the copy that was printed.

    Its first `pages` pages are drawn, and what is on the first `listed` ones is known.
    """
    try:
        printout, printable = run_excusing(
            printable, lambda content: engine.print(content, data, pages=pages, listed=listed)
        )
    except ENGINE_ERRORS as error:
        return None, engine_findings(error, printable.template), printable
    return printout, [], printable


def export_pdf(engine: ReportEngine, printable: Printable, data: Data) -> tuple[bytes | None, list[Finding]]:
    """Return the filled report as a PDF, or None and the reason."""
    try:
        return engine.export(printable.content, data, "pdf").content, []
    except ENGINE_ERRORS as error:
        return None, engine_findings(error, printable.template)


def run_excusing(printable: Printable, call: Callable[[bytes], T]) -> tuple[T, Printable]:
    """Call the engine with a template, again and again without the expressions that fail, as far as it excuses them.

    Sample values and a missing application make expressions of a user's own template fail that are right. Raises what
    the engine raises if something else fails.
    """
    for _ in range(MAX_EXCUSES):
        try:
            return call(printable.content), printable
        except EngineRefused as error:
            without = printable.without({expression for expression in error.about.values() if expression})
            if without is None or without.findings:
                raise
            printable = without
    return call(printable.content), printable


def look_at(engine: ReportEngine, printable: Printable, data: Data) -> SeenPages | None:
    """Return what a reader sees of the filled report, or None where it cannot be drawn: another check says why."""
    try:
        return engine.look(printable.content, data)
    except (EngineRefused, EngineTimeout, EngineDied):
        return None


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
