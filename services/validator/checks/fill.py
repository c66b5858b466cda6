"""Does the real engine compile it, and fill it with its data, in time, with every text whole?"""

from __future__ import annotations

from bandsmith.shared.edits import AnyEdit
from bandsmith.shared.edits.resize_band import ResizeBand
from bandsmith.shared.edits.set_property import SetProperty
from bandsmith.shared.edits.set_report import SetReport
from bandsmith.shared.jrxml.dom import J
from bandsmith.shared.jrxml.template import Template
from bandsmith.shared.model.plan import Data
from bandsmith.shared.model.verdict import Finding

from ..engine import EngineDied, EngineRefused, EngineTimeout, Printout, ReportEngine
from . import text_fit

_STAGES = {
    "compile": ("compile.failed", "does not compile it", "编译失败"),
    "fill": ("fill.failed", "does not fill it", "填充失败"),
    "draw": ("fill.drawing", "cannot draw it", "渲染失败"),
}


def check(
    engine: ReportEngine, template: Template, data: Data, *, one_page: bool
) -> tuple[Printout | None, list[Finding]]:
    """The filled report, or None and why not: ``compile.failed``, one for each thing that the engine says,
    ``fill.failed``, ``fill.drawing``, ``fill.timeout``, ``fill.died``.

    Of a filled report: ``fill.empty``, ``fill.cut``, ``fill.null``, and ``fill.pages`` if it is to have one page.
    """
    try:
        printout = engine.print(template.inert, data, pages=3 if one_page else 1)
    except (EngineRefused, EngineTimeout, EngineDied) as error:
        return None, failed(error, template)
    return printout, [
        *_pages(template, data, printout, one_page),
        *_cut(template, printout),
        *_nulls(template, printout),
    ]


def pdf(engine: ReportEngine, template: Template, data: Data) -> tuple[bytes | None, list[Finding]]:
    """The filled report as a PDF, or None and why not, with the codes of `check`."""
    try:
        return engine.export(template.inert, data, "pdf")[1], []
    except (EngineRefused, EngineTimeout, EngineDied) as error:
        return None, failed(error, template)


def failed(error: EngineRefused | EngineTimeout | EngineDied, template: Template) -> list[Finding]:
    """The findings for what the engine would not do, or died of."""
    if not isinstance(error, EngineRefused):
        return [_killed(error)]
    code, says, says_zh = _STAGES.get(error.stage, _STAGES["fill"])
    return [
        Finding(
            code=code,
            message=f"The engine {says}: {reason}",
            message_zh=f"引擎{says_zh}:{reason}",
            element=_element(template, expression),
        )
        for reason, expression in error.about.items()
    ]


def _element(template: Template, expression: str) -> str | None:
    """The first element that prints this expression."""
    wanted = "".join(expression.split())
    for element in template.elements if wanted else ():
        for node in element.node.iterchildren(f"{J}textFieldExpression", f"{J}imageExpression"):
            if "".join((node.text or "").split()) == wanted:
                return element.key
    return None


def _killed(error: EngineTimeout | EngineDied) -> Finding:
    """The finding for a worker that was killed, or ended by itself."""
    if isinstance(error, EngineTimeout):
        return Finding(
            code="fill.timeout",
            message="The engine did not finish in time; an expression may run without end.",
            message_zh="引擎未能在限定时间内完成;可能有表达式陷入死循环。",
        )
    return Finding(
        code="fill.died",
        message="The engine ended while it worked, most likely for lack of memory; the report may be too large.",
        message_zh="引擎在工作中意外结束,可能是内存不足;报表可能过大。",
    )


def _pages(template: Template, data: Data, printout: Printout, one_page: bool) -> list[Finding]:
    if printout.pages == 0:
        return [
            Finding(
                code="fill.empty",
                message="The filled report has no page.",
                message_zh="填充后的报表没有任何页面。",
                edits=[SetReport(name="whenNoDataType", value="AllSectionsNoDetail")],
            )
        ]
    if printout.pages == 1 or not one_page:
        return []
    edits = _onto_one_page(template, data)
    return [
        Finding(
            code="fill.pages",
            message=f"The filled report has {printout.pages} pages, the form one.",
            message_zh=f"填充后的报表有 {printout.pages} 页,而表单只有一页。",
            severity="error" if edits else "warning",
            edits=edits,
        )
    ]


def _onto_one_page(template: Template, data: Data) -> list[AnyEdit]:
    """Where a few points are too many: take them from the foot's margin, or from below the last element of a band."""
    rows = max(1, len(data.rows))
    needed = sum(
        band.height * (rows if band.section == "detail" else 1)
        for band in template.bands
        if band.section not in ("background", "noData", "lastPageFooter")
    )
    too_high = needed - (template.page_height - template.top - template.bottom)
    if too_high <= 0:
        return []
    if too_high <= template.bottom:
        return [SetReport(name="bottomMargin", value=str(template.bottom - too_high))]
    for band in sorted(template.bands, key=lambda band: -band.height):
        used = max((e.y + e.height for e in band.elements if e.frame is None), default=0)
        if band.section not in ("detail", "background") and band.height - used >= too_high:
            return [ResizeBand(band=band.name, height=band.height - too_high)]
    return []


def _cut(template: Template, printout: Printout) -> list[Finding]:
    found: dict[str, Finding] = {}
    for printed in printout.elements:
        element = template.by_key.get(printed.key or "")
        if not printed.cut or element is None or element.key is None or element.kind == "staticText":
            continue  # fixed wording is the structure check's
        whole = (printed.text or "") + printed.rest
        edits = text_fit.widen_or_heighten(template, element, whole) if text_fit.measurable(element) else []
        earlier = found.get(element.key)
        if earlier is None or _reach(edits) > _reach(earlier.edits):
            found[element.key] = Finding(
                code="fill.cut",
                message=f"{element.key} is too small for its value, whose end is not printed.",
                message_zh=f"{element.key} 放不下其数值,末尾被截断。",
                element=element.key,
                edits=edits,
            )
    return list(found.values())


def _reach(edits: list[AnyEdit]) -> int:
    """How much room edits give, to keep the largest of those for the rows of one element."""
    return sum((getattr(edit, "width", None) or 0) + (getattr(edit, "height", None) or 0) for edit in edits)


def _nulls(template: Template, printout: Printout) -> list[Finding]:
    keys = dict.fromkeys(p.key for p in printout.elements if p.text == "null" and p.key)
    found = []
    for key in keys:
        element = template.by_key.get(key)
        if element is not None and element.kind == "textField" and element.node.get("isBlankWhenNull") != "true":
            found.append(
                Finding(
                    code="fill.null",
                    message=f"{key} prints the word null where its value is missing.",
                    message_zh=f"{key} 在缺少数值时打印了 null。",
                    element=key,
                    edits=[SetProperty(element=key, name="isBlankWhenNull", value="true")],
                )
            )
    return found
