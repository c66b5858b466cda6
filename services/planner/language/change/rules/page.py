"""The page: its size and direction, its margins, how high rows are, how thick lines are."""

from __future__ import annotations

import re

from bandsmith.shared.edits import AnyEdit
from bandsmith.shared.edits.resize import Resize
from bandsmith.shared.edits.resize_band import ResizeBand
from bandsmith.shared.edits.set_page import SetPage
from bandsmith.shared.edits.set_property import SetProperty

from ...numbers import LENGTH, length
from ...template_view import ViewElement
from ..reading import Clause, ClauseReading, refused

SIZES = {
    "A2": (1191, 1684), "A3": (842, 1191), "A4": (595, 842), "A5": (420, 595), "A6": (298, 420), "B4": (709, 1001),
    "B5": (499, 709), "LETTER": (612, 792), "LEGAL": (612, 1008), "TABLOID": (792, 1224),
}  # fmt: skip
_SIDES = {"left": "左", "right": "右", "top": "上", "bottom": "下"}

_SIZE = re.compile(rf"\b({'|'.join(SIZES)})(?![a-z0-9])|(?<![a-z0-9])(a[2-6]|b[45])(?![a-z0-9])|信纸", re.IGNORECASE)
_ACROSS = re.compile(r"landscape|horizontal(?:ly)?|sideways|横向|横版|横着|横排|横的|横", re.IGNORECASE)
_UPRIGHT = re.compile(r"portrait|vertical(?:ly)?|upright|纵向|竖向|竖版|竖着|竖排|纵|竖", re.IGNORECASE)
_REST = re.compile(
    r"(?:\b(?:make|set|turn|change|switch|use|print|rotate|put|convert|it|this|the|page|pages|report|paper"
    r"|size|to|in|into|on|as|be|"
    r"should|format|orientation|mode|layout|form|and|an?|for|from|sized?|of|document|please)\b|把|将|改成|"
    r"改为|换成|换为|变成|变为|用|使用|"
    r"设为|设置为|设置成|设成|设置|调成|调整为|纸张|页面|纸|报表|方向|打印|输出"
    r"|显示|排版|版面|大小|尺寸|的|为|成|改|换|张|整个|布局|放|排|页|[,，:：\s])+",
    re.IGNORECASE,
)  # fmt: skip


def size(clause: Clause) -> ClauseReading | None:
    text = clause.text
    named = _SIZE.search(text)
    rest = _SIZE.sub(" ", text)
    across, upright = _ACROSS.search(rest), _UPRIGHT.search(rest)
    rest = _UPRIGHT.sub(" ", _ACROSS.sub(" ", rest, count=1), count=1)
    if not (named or across or upright) or (across and upright) or not (rest.strip() == "" or _REST.fullmatch(rest)):
        return None
    width, height = clause.view.page
    wide = width > height
    if named:
        width, height = SIZES["LETTER" if named[0] == "信纸" else named[0].upper()]
    wide = True if across else False if upright else wide
    short, long = sorted((width, height))
    wanted = (long, short) if wide else (short, long)
    return ClauseReading([SetPage(width=wanted[0], height=wanted[1])] if wanted != clause.view.page else [])


def margins(clause: Clause) -> ClauseReading | None:
    found = clause.match(
        rf"(?:set |make |change )?(?:the |all |page )*(?P<side>left|right|top|bottom)?(?: page)? ?margins?"
        rf"(?: (?:to|of|be|should be|=))? ?{LENGTH}(?: wide)?",
        rf"(?:把|将)?(?:页面|页)?(?:的)?(?P<side>左|右|上|下)?(?:页)?边距(?:改为"
        rf"|改成|设为|设置为|调成|调到|为|是)?{LENGTH}",
    )
    if not found:
        return None
    points = length(found["length"], found["unit"])
    sides = [name for name, zh in _SIDES.items() if (found["side"] or "").lower() in ("", name, zh)]
    if points * 2 >= min(clause.view.page):
        return refused("language.margins_too_wide")
    width, height = clause.view.page
    return ClauseReading([SetPage.model_validate({"width": width, "height": height, **dict.fromkeys(sides, points)})])


def row_height(clause: Clause) -> ClauseReading | None:
    rows = r"(?:the |all )*(?:detail |table |data )?rows?(?:'s)?"
    found = clause.match(
        rf"(?:make |set |change )?(?:the )?(?:{rows} height|height of {rows})(?: (?:to|=|of|be|should be))? ?{LENGTH}",
        rf"(?:make )?{rows} {LENGTH} (?:high|tall)",
        rf"(?:把|将)?(?:明细|表格)?(?:的)?行高(?:改成|改为|设为|设置为|设成|调到|调成|调整为|为|用)?{LENGTH}",
        rf"(?:make |increase )?{rows} (?:should be |are )?(?:a (?:bit|little) )?(?P<up>higher|taller|bigger"
        rf"|too (?:low|tight|narrow|small))",
        rf"(?:make )?{rows} (?:should be |are )?(?:a (?:bit|little) )?(?P<down>lower|shorter|tighter|too "
        rf"(?:high|tall))",
        r"(?P<up>increase|raise) (?:the )?row height",
        r"(?P<down>decrease|reduce) (?:the )?row height",
        r"(?:把|将)?(?:明细|表格)?(?:的)?行高(?P<up>太(?:小|低|矮)了?|(?:再|"
        r"调|加|改|变)?(?:大|高)(?:一点|一些|点|些)?)",
        r"(?:把|将)?(?:明细|表格)?(?:的)?行高(?P<down>太(?:大|高)了?|(?:再|调"
        r"|减|改|变)?(?:小|低|矮)(?:一点|一些|点|些)?)",
    )
    if not found:
        return None
    detail = clause.view.in_sections("detail")
    bands = [band for name, band in clause.view.editor.bands() if name == "detail"]
    if not detail or len(bands) != 1:
        return None
    height = int(bands[0].get("height", "0"))
    said = found.groupdict()
    if said.get("length"):
        wanted = length(said["length"], said.get("unit"))
    else:
        wanted = round(height * 1.25) if said.get("up") else round(height * 0.85)
    lowest = max((round(piece.size * 1.2) for piece in detail if piece.is_text), default=1)
    if not lowest <= wanted <= 400:
        return refused("language.row_height_out_of_range", lowest=lowest, highest=400)
    full = [piece for piece in detail if piece.y == 0 and piece.height >= height - 1]
    edits: list[AnyEdit] = [Resize(element=piece.key, height=wanted) for piece in full]
    band = ResizeBand(band="detail", height=wanted)
    return ClauseReading([band, *edits] if wanted > height else [*edits, band]) if wanted != height else ClauseReading()


def thickness(clause: Clause) -> ClauseReading | None:
    what = r"(?:the |all |table |cell |ruling )*(?:borders?|frames?|grid|grid ?lines|(?P<lines>lines|rules))"
    zh = r"(?:所有的?|表格的?|全部)*(?:边框线?|框线|表格线|(?P<lines>线条?|横线))"
    found = clause.match(
        rf"(?:make |draw |print )?{what} (?:a (?:bit|little) )?(?P<up>thicker|bolder|heavier|bold)",
        rf"(?:make |draw |print )?{what} (?:a (?:bit|little) )?(?P<down>thinner|lighter|finer)",
        rf"(?P<up>thicker|bolder|heavier) {what}",
        rf"(?P<down>thinner|finer) {what}",
        rf"(?:把|将)?{zh}(?:再|改|变|弄|调)?(?P<up>加粗|粗)(?:一点|一些|点|些)?",
        rf"(?:把|将)?{zh}(?:再|改|变|弄|调)?(?P<down>细)(?:一点|一些|点|些)?",
    )
    if not found:
        return None
    factor = 2.0 if found.groupdict().get("up") else 0.5
    edits: list[AnyEdit] = []
    if not found["lines"]:
        for piece in clause.view.texts:
            edits += _pens(piece, factor)
    if found["lines"] or not edits:
        for piece in clause.view.pieces:
            if piece.tag in ("line", "rectangle"):
                edits += _pen(piece, factor)
    if not edits:
        return refused("language.no_borders")
    return ClauseReading(edits)


def _pens(piece: ViewElement, factor: float) -> list[AnyEdit]:
    edits: list[AnyEdit] = []
    for side in ("top", "left", "bottom", "right"):
        pen = piece.node.find(f"{{*}}box/{{*}}{side}Pen")
        width = float(pen.get("lineWidth", "0")) if pen is not None else 0.0
        if width:
            edits.append(SetProperty(element=piece.key, name=f"{side}Pen.lineWidth", value=_width(width * factor)))
    return edits


def _pen(piece: ViewElement, factor: float) -> list[AnyEdit]:
    pen = piece.node.find("{*}graphicElement/{*}pen")
    width = float(pen.get("lineWidth", "1")) if pen is not None else 1.0
    return [SetProperty(element=piece.key, name="lineWidth", value=_width(width * factor))] if width else []


def _width(points: float) -> str:
    return f"{min(10.0, max(0.25, round(points, 2))):g}"


RULES = (size, margins, row_height, thickness)
