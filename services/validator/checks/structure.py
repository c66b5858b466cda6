"""Check that a template is consistent: name, page, margins, bands, declarations, positions, and text that fits.

The engine reports few of these faults. It prints what lies beyond the page's edge to nowhere, drops text that does not
fit, and prints one text over another.
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
from bandsmith.shared.jrxml.dom import J, local_name
from bandsmith.shared.jrxml.expressions import SCOPES
from bandsmith.shared.jrxml.template import Template, TemplateBand, TemplateElement
from bandsmith.shared.model.geometry import Box
from bandsmith.shared.replies import Text
from bandsmith.shared.turns.verdict import Finding

from .. import text_fit
from .base import Check, FindingCode, Stage, element_name, key_of

MAX_PAGE_PT = 14_400
"""200 inches, the largest page that a PDF may have."""
MAX_OVERLAPS = 40
OVERLAP_TOLERANCE_PT = 1.5
"""How far two texts may overlap without a finding."""
_SYSTEM_PARAMETERS = {
    "REPORT_LOCALE", "REPORT_TIME_ZONE", "REPORT_MAX_COUNT", "REPORT_RESOURCE_BUNDLE", "IS_IGNORE_PAGINATION",
    "REPORT_CONTEXT", "REPORT_PARAMETERS_MAP", "JASPER_REPORTS_CONTEXT", "JASPER_REPORT", "REPORT_CONNECTION",
    "REPORT_DATA_SOURCE", "REPORT_SCRIPTLET", "REPORT_FORMAT_FACTORY", "REPORT_CLASS_LOADER", "REPORT_TEMPLATES",
    "REPORT_VIRTUALIZER", "SORT_FIELDS", "FILTER", "REPORT_URL_HANDLER_FACTORY", "REPORT_FILE_RESOLVER",
}  # fmt: skip
_SYSTEM_VARIABLES = {"PAGE_NUMBER", "COLUMN_NUMBER", "REPORT_COUNT", "PAGE_COUNT", "COLUMN_COUNT",
                     "MASTER_CURRENT_PAGE", "MASTER_TOTAL_PAGES"}  # fmt: skip
_TEXTS = ("staticText", "textField")


class Code(FindingCode):
    NAME = "structure.name"
    PAGE = "structure.page"
    MARGINS = "structure.margins"
    BANDS = "structure.bands"
    UNDECLARED = "structure.undeclared"
    UNUSED = "structure.unused"
    SIZE = "structure.size"
    EDGE = "structure.edge"
    BAND = "structure.band"
    OVERLAP = "structure.overlap"
    CUT = "structure.cut"


def check(template: Template) -> list[Finding]:
    return [
        *_check_report(template),
        *_check_band_heights(template),
        *_check_references(template),
        *_check_unused_fields(template),
        *(finding for element in template.elements for finding in _check_position(template, element)),
        *(finding for band in template.bands for finding in _check_overlaps(template, band)),
        *(finding for element in template.elements for finding in _check_wording_fits(template, element)),
    ]


# --- the report -------------------------------------------------------------------------------------------------------


def _check_report(template: Template) -> Iterator[Finding]:
    """Check its name, the size of its page, and that columns and margins fit it."""
    if not template.root.get("name", "").strip():
        yield Finding.of(Code.NAME, edits=[SetReport(name="name", value="report")])
    width, height = template.page_width, template.page_height
    if not (0 < width <= MAX_PAGE_PT and 0 < height <= MAX_PAGE_PT):
        yield Finding.of(Code.PAGE, width=width, height=height, limit=MAX_PAGE_PT)
    columns = max(1, template.number("columnCount", 1))
    spacing = (columns - 1) * template.number("columnSpacing")
    available = width - template.left - template.right
    if (excess := columns * template.column_width + spacing - available) > 0:
        column = (available - spacing) // columns
        edits = [SetReport(name="columnWidth", value=str(column))] if column > 0 else []
        yield Finding.of(Code.MARGINS, edits=edits, count=excess)


def _check_band_heights(template: Template) -> Iterator[Finding]:
    """Apply the engine's rule: the bands of every page must fit the page, with the title and with one detail band."""
    heights: Counter[str] = Counter()
    for band in template.bands:
        if band.section == "detail":
            heights["detail"] = max(heights["detail"], band.height)
        else:
            heights[band.section] += band.height
    every_page = sum(heights[name] for name in ("pageHeader", "columnHeader", "columnFooter", "pageFooter"))
    available = template.page_height - template.top - template.bottom
    needed = max(every_page + heights["detail"], every_page + heights["title"], heights["background"])
    if (excess := needed - available) > 0:
        yield Finding.of(Code.BANDS, edits=_reduce_margins(template, excess), count=excess)


def _reduce_margins(template: Template, points: int) -> list[AnyEdit]:
    """Take points from the bottom and the top margin; nothing where both together have too few."""
    if template.bottom >= points:
        return [SetReport(name="bottomMargin", value=str(template.bottom - points))]
    if template.bottom + template.top >= points:
        top = template.top - (points - template.bottom)
        return [SetReport(name="bottomMargin", value="0"), SetReport(name="topMargin", value=str(top))]
    return []


# --- declarations and keys --------------------------------------------------------------------------------------------


def _check_references(template: Template) -> Iterator[Finding]:
    declared = {
        "F": set(template.declared("field")),
        "P": set(template.declared("parameter")) | _SYSTEM_PARAMETERS,
        "V": set(template.declared("variable")) | _SYSTEM_VARIABLES | {f"{group}_COUNT" for group in template.groups},
    }
    of_datasets = _declared_in_datasets(template)
    for (letter, name), node in _first_uses(template).items():
        if (letter, name) in of_datasets and any(local_name(one) == "style" for one in node.iterancestors()):
            continue  # a style's condition is evaluated where the style is used, for example in a table
        if name not in declared[letter]:
            scope = SCOPES[letter]
            edits = [] if letter == "V" else [Declare.model_validate({"scope": scope, "name": name})]
            yield Finding.of(
                Code.UNDECLARED,
                element=key_of(template, node),
                edits=edits,
                reference=f"${letter}{{{name}}}",
                kind=Text.of(f"validator.kinds.{scope}"),
                name=name,
            )


def _declared_in_datasets(template: Template) -> set[tuple[str, str]]:
    """Return the letters and names of what the report's other datasets declare."""
    found: set[tuple[str, str]] = set()
    for dataset in template.root.iterfind(f"{J}subDataset"):
        for letter, scope in SCOPES.items():
            found.update((letter, node.get("name", "")) for node in dataset.iterfind(f"{J}{scope}"))
        found.update(("V", f"{node.get('name', '')}_COUNT") for node in dataset.iterfind(f"{J}group"))
    return found


def _first_uses(template: Template) -> dict[tuple[str, str], Any]:
    """The node of the first expression that uses each letter and name."""
    nodes: dict[tuple[str, str], Any] = {}
    for letter, name, node in template.references:
        nodes.setdefault((letter, name), node)
    return nodes


def _check_unused_fields(template: Template) -> Iterator[Finding]:
    used = {name for letter, name, _ in template.references if letter == "F"}
    used |= {node.get("name", "") for node in template.root.iter(f"{J}sortField")}
    for name in template.declared("field"):
        if name not in used:
            yield Finding.of(Code.UNUSED, severity="warning", name=name)


# --- positions --------------------------------------------------------------------------------------------------------


def _check_position(template: Template, element: TemplateElement) -> Iterator[Finding]:
    """Check that an element lies inside its band or frame, and inside the page."""
    if element.kind == "break":
        return
    if element.width <= 0 or element.height <= 0:
        width, height = max(1, element.width), max(1, element.height)
        resized = [Resize(element=element.key, width=width, height=height)] if element.key else []
        yield _about(element, Code.SIZE, resized)
        return
    inner_width = element.frame.width if element.frame else template.band_width(element.band)
    inner_height = element.frame.height if element.frame else element.band.height
    if element.x < 0 or element.x + element.width > inner_width:
        yield _about(element, Code.EDGE, _move_inside(element, inner_width))
    if element.y < 0 or element.y + element.height > inner_height:
        edits = _into_band(template, element, inner_height)
        yield _about(element, Code.BAND, edits, variant="frame" if element.frame else "outside")


def _move_inside(element: TemplateElement, inner_width: int) -> list[AnyEdit]:
    """Move an element between the sides of the page. One that is wider than the page is cut as well."""
    if not element.key:
        return []
    width = min(element.width, inner_width)
    x = min(max(element.x, 0), inner_width - width)
    edits: list[AnyEdit] = [Move(element=element.key, x=x)] if x != element.x else []
    return edits + ([Resize(element=element.key, width=width)] if width != element.width else [])


def _into_band(template: Template, element: TemplateElement, inner_height: int) -> list[AnyEdit]:
    """Grow the band where the page has space, so that nothing moves. Otherwise move the element up, or cut it."""
    below = element.y + element.height - inner_height
    if element.y >= 0 and element.frame is None and below <= text_fit.spare_height(template):
        return [ResizeBand(band=element.band.name, height=element.y + element.height)]
    if element.key is None:
        return []
    height = min(element.height, inner_height)
    y = min(max(element.y, 0), inner_height - height)
    edits: list[AnyEdit] = [Move(element=element.key, y=y)] if y != element.y else []
    return edits + ([Resize(element=element.key, height=height)] if height != element.height else [])


def _check_overlaps(template: Template, band: TemplateBand) -> Iterator[Finding]:
    """Find texts printed one over another, judged by their ink where the wording is known, else by their boxes."""
    texts = [(e, _ink_box(template, e)) for e in band.elements if e.kind in _TEXTS and not e.conditional]
    pairs = ((texts[first][0], texts[second][0]) for first, second in overlapping([box for _, box in texts]))
    for one, other in islice(((one, other) for one, other in pairs if one.frame is other.frame), MAX_OVERLAPS):
        over = one.key or Text.of("validator.another_text")
        yield _about(other, Code.OVERLAP, [], severity="warning", over=over)


def overlapping(boxes: Sequence[Box]) -> Iterator[tuple[int, int]]:
    """Yield the pairs of boxes that overlap, in a sweep down the page that drops the boxes that ended above."""
    active: list[int] = []
    for index in sorted(range(len(boxes)), key=lambda index: boxes[index].y):
        box = boxes[index]
        active = [other for other in active if boxes[other].bottom - box.y > OVERLAP_TOLERANCE_PT]
        for other in active:
            width = min(box.right, boxes[other].right) - max(box.x, boxes[other].x)
            height = min(box.bottom, boxes[other].bottom) - max(box.y, boxes[other].y)
            if width > OVERLAP_TOLERANCE_PT and height > OVERLAP_TOLERANCE_PT:
                yield min(index, other), max(index, other)
        active.append(index)


def _ink_box(template: Template, element: TemplateElement) -> Box:
    box = Box(x=element.x, y=element.y, width=element.width, height=element.height)
    text = element.node.findtext(f"{J}text") if element.kind == "staticText" else None
    return text_fit.ink_of(template, element, text, box) if text and text_fit.is_measurable(element) else box


def _check_wording_fits(template: Template, element: TemplateElement) -> Iterator[Finding]:
    """Check that fixed wording fits. The values of fields are known only when the report is filled."""
    text = element.node.findtext(f"{J}text") if element.kind == "staticText" else None
    if not text or not text.strip() or not text_fit.is_measurable(element) or text_fit.fits(template, element, text):
        return
    yield _about(element, Code.CUT, text_fit.enlarging_edits(template, element, text))


def _about(element: TemplateElement, code: Code, edits: Sequence[AnyEdit], **values: Any) -> Finding:
    return Finding.of(code, element=element.key, edits=edits, name=element_name(element), **values)


CHECK = Check(Stage.STRUCTURE, Code, check, blocking=frozenset({Code.PAGE, Code.BANDS, Code.UNDECLARED}))
