"""Does it hang together: name, page, margins, bands, declarations, places of elements, text that fits?

The engine says nothing of most of these: it prints what lies beyond the page's edge to nowhere, drops text that does
not fit, and puts one text over another.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Any

from bandsmith.shared.edits import AnyEdit
from bandsmith.shared.edits.declare import Declare
from bandsmith.shared.edits.move import Move
from bandsmith.shared.edits.resize import Resize
from bandsmith.shared.edits.resize_band import ResizeBand
from bandsmith.shared.edits.set_report import SetReport
from bandsmith.shared.jrxml.dom import J
from bandsmith.shared.jrxml.template import Template, TemplateBand, TemplateElement
from bandsmith.shared.model.geometry import Box
from bandsmith.shared.model.verdict import Finding

from . import text_fit

LARGEST_PAGE = 14_400
"""Points: 200 inches, the most that a PDF page may have."""
_SYSTEM_PARAMETERS = {
    "REPORT_LOCALE", "REPORT_TIME_ZONE", "REPORT_MAX_COUNT", "REPORT_RESOURCE_BUNDLE", "IS_IGNORE_PAGINATION",
    "REPORT_CONTEXT", "REPORT_PARAMETERS_MAP", "JASPER_REPORTS_CONTEXT", "JASPER_REPORT", "REPORT_CONNECTION",
    "REPORT_DATA_SOURCE", "REPORT_SCRIPTLET", "REPORT_FORMAT_FACTORY", "REPORT_CLASS_LOADER", "REPORT_TEMPLATES",
    "REPORT_VIRTUALIZER", "SORT_FIELDS", "FILTER", "REPORT_URL_HANDLER_FACTORY", "REPORT_FILE_RESOLVER",
}  # fmt: skip
_SYSTEM_VARIABLES = {"PAGE_NUMBER", "COLUMN_NUMBER", "REPORT_COUNT", "PAGE_COUNT", "COLUMN_COUNT",
                     "MASTER_CURRENT_PAGE", "MASTER_TOTAL_PAGES"}  # fmt: skip
_TEXTS = ("staticText", "textField")
_MOST_OVERLAPS = 40
_TOUCH = 1.5
"""Points by which the boxes of two texts may overlap before it is worth saying."""


def check(template: Template) -> list[Finding]:
    """Findings ``structure.name``, ``.page``, ``.margins``, ``.bands``, ``.undeclared``, ``.unused``, ``.key``,
    ``.size``, ``.edge``, ``.band``, ``.overlap``, ``.cut``."""
    return [
        *_report(template),
        *_bands_fit(template),
        *_declared(template),
        *_used(template),
        *_keys(template),
        *(finding for element in template.elements for finding in _place(template, element)),
        *(finding for band in template.bands for finding in _overlaps(template, band)),
        *(finding for element in template.elements for finding in _cut(template, element)),
    ]


def _report(template: Template) -> list[Finding]:
    found = []
    if not template.root.get("name", "").strip():
        found.append(
            Finding(
                code="structure.name",
                message="The report has no name.",
                message_zh="报表没有名称。",
                edits=[SetReport(name="name", value="report")],
            )
        )
    width, height = template.page_width, template.page_height
    if not (0 < width <= LARGEST_PAGE and 0 < height <= LARGEST_PAGE):
        found.append(
            Finding(
                code="structure.page",
                message=f"A page of {width} x {height} points cannot be printed; 1 to {LARGEST_PAGE:,} are possible.",
                message_zh=f"页面尺寸 {width} x {height} 点无法打印;允许 1 到 {LARGEST_PAGE:,}。",
            )
        )
    columns = max(1, template.number("columnCount", 1))
    across = columns * template.column_width + (columns - 1) * template.number("columnSpacing")
    room = width - template.left - template.right
    if across > room:
        each = (room - (columns - 1) * template.number("columnSpacing")) // columns
        found.append(
            Finding(
                code="structure.margins",
                message=f"Columns and margins are {across - room} points wider than the page.",
                message_zh=f"列宽与页边距之和超出页面宽度 {across - room} 点。",
                edits=[SetReport(name="columnWidth", value=str(each))] if each > 0 else [],
            )
        )
    return found


def _bands_fit(template: Template) -> list[Finding]:
    """The engine's rule: what stands on each page, with the title, and with one detail band, has to fit the page."""
    heights: Counter[str] = Counter()
    for band in template.bands:
        if band.section == "detail":
            heights["detail"] = max(heights["detail"], band.height)
        else:
            heights[band.section] += band.height
    always = sum(heights[name] for name in ("pageHeader", "columnHeader", "columnFooter", "pageFooter"))
    room = template.page_height - template.top - template.bottom
    too_high = max(always + heights["detail"], always + heights["title"], heights["background"]) - room
    if too_high <= 0:
        return []
    return [
        Finding(
            code="structure.bands",
            message=f"Bands and margins are {too_high} points higher than the page.",
            message_zh=f"各带区与页边距之和超出页面高度 {too_high} 点。",
            edits=_lower(template, too_high),
        )
    ]


def _lower(template: Template, points: int) -> list[AnyEdit]:
    """Take points from the margins at the foot and the head of the page; none where they do not have them."""
    if template.bottom >= points:
        return [SetReport(name="bottomMargin", value=str(template.bottom - points))]
    if template.bottom + template.top >= points:
        top = template.top - (points - template.bottom)
        return [SetReport(name="bottomMargin", value="0"), SetReport(name="topMargin", value=str(top))]
    return []


def _declared(template: Template) -> list[Finding]:
    known = {
        "F": set(template.declared("field")),
        "P": set(template.declared("parameter")) | _SYSTEM_PARAMETERS,
        "V": set(template.declared("variable")) | _SYSTEM_VARIABLES | {f"{group}_COUNT" for group in template.groups},
    }
    words = {"F": "field", "P": "parameter", "V": "variable"}
    found = []
    for (letter, name), node in _first_uses(template).items():
        if name not in known[letter]:
            edits: list[AnyEdit] = []
            if letter != "V":
                edits = [Declare.model_validate({"scope": words[letter], "name": name})]
            found.append(
                Finding(
                    code="structure.undeclared",
                    message=f"${letter}{{{name}}} is used, but no {words[letter]} {name} is declared.",
                    message_zh=f"使用了 ${letter}{{{name}}},但没有声明。",
                    element=user.key if (user := template.element_of(node)) else None,
                    edits=edits,
                )
            )
    return found


def _first_uses(template: Template) -> dict[tuple[str, str], Any]:
    """The node of the first expression for each letter and name."""
    found: dict[tuple[str, str], Any] = {}
    for letter, name, node in template.references:
        found.setdefault((letter, name), node)
    return found


def _used(template: Template) -> list[Finding]:
    used = {name for letter, name, _ in template.references if letter == "F"}
    used |= {node.get("name", "") for node in template.root.iter(f"{J}sortField")}
    return [
        Finding(
            code="structure.unused",
            message=f"The field {name} is declared, but nothing shows it.",
            message_zh=f"字段 {name} 已声明,但没有使用。",
            severity="warning",
        )
        for name in template.declared("field")
        if name not in used
    ]


def _keys(template: Template) -> list[Finding]:
    counts = Counter(element.key for element in template.elements if element.key)
    return [
        Finding(
            code="structure.key",
            message=f"{count} elements have the key {key}; give each its own.",
            message_zh=f"有 {count} 个元素使用同一个 key {key};请分别命名。",
            severity="warning",
            element=key,
        )
        for key, count in counts.items()
        if count > 1
    ]


def _place(template: Template, element: TemplateElement) -> list[Finding]:
    """Inside its band or frame, and inside the page."""
    if element.kind == "break":
        return []
    if element.width <= 0 or element.height <= 0:
        return [
            _about(
                element,
                "structure.size",
                "has no width or no height",
                "宽度或高度为零",
                [Resize(element=element.key, width=max(1, element.width), height=max(1, element.height))]
                if element.key
                else [],
            )
        ]
    found = []
    inner_width = element.frame.width if element.frame else template.band_width(element.band)
    inner_height = element.frame.height if element.frame else element.band.height
    if element.x < 0 or element.x + element.width > inner_width:
        # Print what fits: an element wider than the page cannot only be moved.
        width = min(element.width, inner_width)
        x = min(max(element.x, 0), inner_width - width)
        edits: list[AnyEdit] = []
        if element.key:
            edits = [Move(element=element.key, x=x)] if x != element.x else []
            edits += [Resize(element=element.key, width=width)] if width != element.width else []
        found.append(_about(element, "structure.edge", "lies beyond the side of the page", "超出页面左右边界", edits))
    if element.y < 0 or element.y + element.height > inner_height:
        found.append(
            _about(
                element,
                "structure.band",
                "lies beyond its band" if element.frame is None else "lies beyond its frame",
                "超出所在带区" if element.frame is None else "超出所在框架",
                _into_band(template, element, inner_height),
            )
        )
    return found


def _into_band(template: Template, element: TemplateElement, inner_height: int) -> list[AnyEdit]:
    """Grow the band where the page has room, so that nothing changes its place; else move the element up, or cut it."""
    below = element.y + element.height - inner_height
    if element.y >= 0 and element.frame is None and below <= text_fit.spare_height(template):
        return [ResizeBand(band=element.band.name, height=element.y + element.height)]
    if element.key is None:
        return []
    height = min(element.height, inner_height)
    y = min(max(element.y, 0), inner_height - height)
    edits: list[AnyEdit] = [Move(element=element.key, y=y)] if y != element.y else []
    return edits + ([Resize(element=element.key, height=height)] if height != element.height else [])


def _overlaps(template: Template, band: TemplateBand) -> list[Finding]:
    """Texts that stand one over another: their boxes, narrowed to the ink where the wording is known."""
    texts = [(e, _inked(template, e)) for e in band.elements if e.kind in _TEXTS and not e.conditional]
    pairs = ((texts[first][0], texts[second][0]) for first, second in _touching([box for _, box in texts]))
    return [
        _about(
            b,
            "structure.overlap",
            f"overlaps {a.key or 'another text'}",
            f"与 {a.key or '另一文本'} 重叠",
            [],
            True,
        )
        for a, b in islice(((a, b) for a, b in pairs if a.frame is b.frame), _MOST_OVERLAPS)
    ]


def _touching(boxes: Sequence[Box]) -> Iterator[tuple[int, int]]:
    """Pairs of boxes that overlap by more than a touch, going down the page past those that ended above."""
    open_: list[int] = []
    for index in sorted(range(len(boxes)), key=lambda index: boxes[index].y):
        box = boxes[index]
        open_ = [other for other in open_ if boxes[other].bottom - box.y > _TOUCH]
        for other in open_:
            across = min(box.right, boxes[other].right) - max(box.x, boxes[other].x)
            down = min(box.bottom, boxes[other].bottom) - max(box.y, boxes[other].y)
            if across > _TOUCH and down > _TOUCH:
                yield min(index, other), max(index, other)
        open_.append(index)


def _inked(template: Template, element: TemplateElement) -> Box:
    box = Box(x=element.x, y=element.y, width=element.width, height=element.height)
    text = element.node.findtext(f"{J}text") if element.kind == "staticText" else None
    return text_fit.ink_of(template, element, text, box) if text and text_fit.measurable(element) else box


def _cut(template: Template, element: TemplateElement) -> list[Finding]:
    """Fixed wording that does not fit; the values of fields are known only when it is filled."""
    text = element.node.findtext(f"{J}text") if element.kind == "staticText" else None
    if not text or not text.strip() or not text_fit.measurable(element) or text_fit.fits(template, element, text):
        return []
    return [
        _about(
            element,
            "structure.cut",
            "is too small for its text, whose end is not printed",
            "放不下文本,末尾会被截断",
            text_fit.widen_or_heighten(template, element, text),
        )
    ]


def _about(
    element: TemplateElement, code: str, what: str, what_zh: str, edits: list[AnyEdit], warning: bool = False
) -> Finding:
    name = element.key or f"a {element.kind} of {element.band.name}"
    return Finding(
        code=code,
        message=f"{name} {what}.",
        message_zh=f"{name} {what_zh}。",
        severity="warning" if warning else "error",
        element=element.key,
        edits=edits,
    )
