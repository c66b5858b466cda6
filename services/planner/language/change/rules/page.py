"""The page: its paper and orientation, its margins, the height of the rows, the thickness of lines.

What users say is in ``templates/*/page_format.toml`` and ``templates/*/page.toml``.
"""

from __future__ import annotations

from bandsmith.shared.edits import AnyEdit
from bandsmith.shared.edits.move import Move
from bandsmith.shared.edits.resize import Resize
from bandsmith.shared.edits.resize_band import ResizeBand
from bandsmith.shared.edits.set_page import SetPage
from bandsmith.shared.edits.set_property import SetProperty

from ...numbers import number_of, points_of
from ...sentence_templates import Slots, matches, phrase_at
from ...template_view import TemplateView
from ...view_elements import ViewElement
from ..reading import Clause, ClauseReading, refused, templated

PAPER_SIZES_PT = {
    "A2": (1191, 1684), "A3": (842, 1191), "A4": (595, 842), "A5": (420, 595), "A6": (298, 420), "B4": (709, 1001),
    "B5": (499, 709), "LETTER": (612, 792), "LEGAL": (612, 1008), "TABLOID": (792, 1224),
}  # fmt: skip
MAX_ROW_HEIGHT_PT = 400
HIGHER, LOWER = 1.25, 0.85
"""Factors of the row height where the user names none."""
THICKER, THINNER = 2.0, 0.5
"""Factors of the width of a line."""
MIN_LINE_PT, MAX_LINE_PT = 0.25, 10.0
EDGE_PT = 12
"""How far from the cells a line of their table may stand."""
PHRASES = frozenset({"of_table"})
"""Sentences of the files that say which lines are meant."""
_OF_PAGE = ("background", "pageHeader", "pageFooter", "lastPageFooter")
_SIDES = ("left", "right", "top", "bottom")
PAGE_PHRASES = ("paper", "landscape", "portrait", "filler")


def page_format(clause: Clause) -> ClauseReading | None:
    """Paper and orientation, in any order: "A4 landscape", "把页面改成横向的A3"."""
    phrases = _page_phrases(clause.text)
    if phrases is None:
        return None
    papers = {slots["paper"] for rule, slots in phrases if rule == "paper"}
    orientations = {rule for rule, _ in phrases} & {"landscape", "portrait"}
    if len(papers) > 1 or len(orientations) > 1 or not (papers or orientations):
        return None
    size = PAPER_SIZES_PT[papers.pop()] if papers else clause.view.page
    is_wide = "landscape" in orientations if orientations else clause.view.page[0] > clause.view.page[1]
    width, height = sorted(size, reverse=is_wide)
    return ClauseReading([SetPage(width=width, height=height)] if (width, height) != clause.view.page else [])


def _page_phrases(text: str) -> list[tuple[str, Slots]] | None:
    """Return the phrases that a text consists of; None where it says anything else."""
    phrases: list[tuple[str, Slots]] = []
    at = 0
    while at < len(text):
        if text[at].isspace():
            at += 1
            continue
        found = [(rule, phrase) for rule in PAGE_PHRASES if (phrase := phrase_at("page_format", rule, text, at))]
        if not found:
            return None
        rule, longest = max(found, key=lambda match: match[1].end)
        phrases.append((rule, longest.slots))
        at = longest.end
    return phrases


def margins(clause: Clause, slots: Slots) -> ClauseReading | None:
    points = points_of(slots["length"])
    width, height = clause.view.page
    if points * 2 >= min(width, height):
        return refused("language.margins_too_wide")
    sides = [slots["side"]] if slots["side"] else _SIDES
    return ClauseReading([SetPage.model_validate({"width": width, "height": height, **dict.fromkeys(sides, points)})])


def white_edge(clause: Clause, slots: Slots) -> ClauseReading | None:
    """“左边留四厘米的白边”: what is printed begins so far from the edge of the paper."""
    width, height = clause.view.page
    left, right = clause.view.sides
    inside = {"left": left, "right": clause.view.width - right}.get(slots["side"])
    points = points_of(slots["length"])
    if inside is None or points * 2 >= width:
        return None
    return ClauseReading(
        [SetPage.model_validate({"width": width, "height": height, slots["side"]: max(0, points - inside)})]
    )


def row_height(clause: Clause, slots: Slots) -> ClauseReading | None:
    return _with_row_height(clause, height=points_of(slots["length"]))


def higher_rows(clause: Clause, slots: Slots) -> ClauseReading | None:
    return _with_row_height(clause, factor=HIGHER)


def higher_still(clause: Clause, slots: Slots) -> ClauseReading | None:
    """“The rows are too cramped, make them taller”: what the clause before asks for already."""
    edits = clause.before.edits if clause.before else []
    is_said = any(isinstance(edit, ResizeBand) and edit.band == "detail" for edit in edits)
    return ClauseReading(list(edits)) if is_said else None


def lower_rows(clause: Clause, slots: Slots) -> ClauseReading | None:
    return _with_row_height(clause, factor=LOWER)


def higher_header(clause: Clause, slots: Slots) -> ClauseReading | None:
    return _with_row_height(clause, "columnHeader", factor=HIGHER)


def lower_header(clause: Clause, slots: Slots) -> ClauseReading | None:
    return _with_row_height(clause, "columnHeader", factor=LOWER)


def _with_row_height(
    clause: Clause, section: str = "detail", *, height: int = 0, factor: float = 0.0
) -> ClauseReading | None:
    """Change the height of the only band of a section, and of the elements that are as high as it is.

    In the header, where texts may be lower than the bar behind them, those stay in its middle.
    """
    elements = clause.view.in_sections(section)
    bands = [band for name, band in clause.view.editor.bands() if name == section]
    if not elements or len(bands) != 1:
        return None
    old = int(bands[0].get("height", "0"))
    new = round(old * factor) if factor else height
    lowest = max((round(element.size * 1.2) for element in elements if element.is_text), default=1)
    if not lowest <= new <= MAX_ROW_HEIGHT_PT:
        return refused("language.row_height_out_of_range", lowest=lowest, highest=MAX_ROW_HEIGHT_PT)
    as_high = [element for element in elements if element.y == 0 and element.height >= old - 1]
    edits: list[AnyEdit] = [Resize(element=element.key, height=new) for element in as_high]
    edits += _at_row_end(elements, old, new)
    if section == "columnHeader":
        lower = [one for one in elements if one not in as_high and one.is_text]
        edits += [Move(element=one.key, y=max(0, one.y + (new - old) // 2)) for one in lower]
    band = ResizeBand(band=section, height=new)
    if new == old:
        return ClauseReading()
    # Elements must fit their band after every edit.
    return ClauseReading([band, *edits] if new > old else [*edits, band])


def _at_row_end(elements: list[ViewElement], old: int, new: int) -> list[AnyEdit]:
    """Return the moves of the lines across the page that close each row, so that they stay at its end."""
    across = [one for one in elements if one.tag == "line" and one.height <= 1 < one.width and one.y > old / 2]
    # A line may stand a little above the end of its row, where it would run through the texts of higher rows.
    return [Move(element=one.key, y=new - 1) for one in across if one.y != new - 1]


def thicker_lines(clause: Clause, slots: Slots) -> ClauseReading | None:
    return _with_thickness(clause, slots, THICKER)


def thinner_lines(clause: Clause, slots: Slots) -> ClauseReading | None:
    return _with_thickness(clause, slots, THINNER)


def thin_lines(clause: Clause, slots: Slots) -> ClauseReading | None:
    """“All table lines thinner, 0.5 pt”."""
    points = number_of(slots["number"]) or 0.0
    if not MIN_LINE_PT <= points <= MAX_LINE_PT:
        return None
    reading = _with_thickness(clause, slots, 1.0)
    widths = [edit.model_copy(update={"value": _line_width(points)}) for edit in reading.edits]
    return ClauseReading(list(widths), reading.refusals)


def _with_thickness(clause: Clause, slots: Slots, factor: float) -> ClauseReading:
    """Scale the borders of texts, and lines and rectangles where lines are named or no text has borders."""
    is_about_lines = slots["drawn"] == "lines"
    drawn = [one for one in clause.view.pieces if one.tag in ("line", "rectangle")]
    if any(matches("page", "of_table", clause.text)):
        drawn = [one for one in drawn if _is_of_table(clause.view, one)]
    edits: list[AnyEdit] = []
    for element in clause.view.texts:
        edits += _scaled_borders(element, factor)
    if is_about_lines or not edits:
        for element in drawn:
            edits += scaled_line(element, factor)
    return ClauseReading(edits) if edits else refused("language.no_borders")


def _is_of_table(view: TemplateView, element: ViewElement) -> bool:
    """Whether a line or rectangle is drawn for the table: it reaches across it, or stands upright at one of its edges.

    A shorter line, such as the one of a signature, is not the table's, and no line at the head or foot of a page is.
    """
    cells = [cell for column in view.columns for cell in column.cells]
    if not cells or element.key in {one.key for one in view.in_sections("detail", "columnHeader")}:
        return True
    if element.section in _OF_PAGE:
        return False
    left, right = min(cell.x for cell in cells), max(cell.x + cell.width for cell in cells)
    if element.width <= 1 < element.height:
        return left - EDGE_PT <= element.x <= right + EDGE_PT
    return element.x <= left + EDGE_PT and element.x + element.width >= right - EDGE_PT


def _scaled_borders(element: ViewElement, factor: float) -> list[AnyEdit]:
    edits: list[AnyEdit] = []
    for side in ("top", "left", "bottom", "right"):
        pen = element.node.find(f"{{*}}box/{{*}}{side}Pen")
        width = float(pen.get("lineWidth", "0")) if pen is not None else 0.0
        if width:
            name = f"{side}Pen.lineWidth"
            edits.append(SetProperty(element=element.key, name=name, value=_line_width(width * factor)))
    return edits


def scaled_line(element: ViewElement, factor: float) -> list[AnyEdit]:
    """Return the edit that makes a drawn line thicker or thinner by a factor."""
    pen = element.node.find("{*}graphicElement/{*}pen")
    width = float(pen.get("lineWidth", "1")) if pen is not None else 1.0
    if not width:
        return []
    return [SetProperty(element=element.key, name="lineWidth", value=_line_width(width * factor))]


def _line_width(points: float) -> str:
    return f"{min(MAX_LINE_PT, max(MIN_LINE_PT, round(points, 2))):g}"


RULES = (
    page_format,
    templated("page", margins),
    templated("page", white_edge),
    templated("page", row_height),
    templated("page", higher_rows),
    templated("page", higher_still),
    templated("page", lower_rows),
    templated("page", higher_header),
    templated("page", lower_header),
    templated("page", thin_lines),
    templated("page", thicker_lines),
    templated("page", thinner_lines),
)
