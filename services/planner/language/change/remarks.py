"""Remarks drawn on a page, each as a request about the element that it points at."""

from __future__ import annotations

import re
from collections.abc import Sequence

from bandsmith.shared.edits.delete import Delete
from bandsmith.shared.edits.delete_column import DeleteColumn
from bandsmith.shared.edits.move import Move
from bandsmith.shared.edits.set_property import SetProperty
from bandsmith.shared.edits.set_text import SetText
from bandsmith.shared.jrxml.writer import source_of
from bandsmith.shared.model.geometry import Box
from bandsmith.shared.model.layout import Layout, Remark
from bandsmith.shared.replies import Text

from ..fuzzy_match import likeness
from ..reference_resolver import ReferenceResolver, Target
from ..template_view import TemplateView, ViewElement
from .clauses import SplitRequest, without_politeness
from .rule_parser import RequestReading, understand
from .rules.wording import reworded

NEAR = 40.0
"""Points that what is meant may be away from the place that a remark points at."""
_SAME = 90
"""Out of 100: how alike the words of a block and of an element must be to be the same."""
_HERE = re.compile(
    r"(?:move|put|place)\s+(?P<name>.+?)\s+(?:over )?here|(?:把|将)?(?P<name_zh>.+?)(?:放|移|挪|移动)(?:到|在|至)?"
    r"(?:这里|这儿|这边|此处)|"
    r"(?P<name_only>.+?)\s+here",
    re.IGNORECASE,
)
_REWORD = re.compile(
    r"(?:rename|relabel|retitle|change|set|replace|reword|correct)(?: (?:it|this|that|the (?:text|label|wording)))?"
    r" (?:to read|to say|to|into|with|as|by)\s+(?P<new>.+)|(?:should|must) (?:say|read|be called)\s+(?P<called>.+)|"
    r"(?:把|将)?(?:它|这个|此处|这里|文字)?(?:改名|更名|重命名|改|换|替换|写|更正|修改)(?:成|为|叫|作)[:：]?\s*(?P<new_zh>.+)",
    re.IGNORECASE,
)
_FOLLOW = re.compile(
    r"(?:请)?(?:按照?|根据|照着?|依照?)(?:这些|图上|图片上?|图中|页面上|上面"
    r"|我)?(?:的)?(?:批注|标注|标记|注释|意见|红字|修改意见|备注)(?:来|进行)?"
    r"(?:修改"
    r"|改|调整|处理)?(?:一下|报表|模板)?|"
    r"(?:apply|make|follow|carry out|do|see|use)\s+(?:all )?(?:the |my |these )?(?:(?:marked|drawn|handwritten"
    r"|red) )?(?:remarks?|changes?|notes?|annotations?|marks?|comments?|corrections?)"
    r"(?: (?:(?:drawn|marked|noted|written|shown) )?(?:on|in|from) (?:the )?(?:page|picture|image|attachment"
    r"|form|photo))?|(?:as|like) (?:marked|noted|drawn|shown)",
    re.IGNORECASE,
)


def is_about_remarks(text: str) -> bool:
    """Whether words only say that the remarks, or the page that bears them, are what is meant."""
    text = without_politeness(text)
    build = re.search(r"report|template|form\b|from|报表|模板|表格|表单|单据|图", text, re.IGNORECASE) and re.match(
        r"(?:generate|create|build|make (?:a|an|me)\b|design|draw)|.*(?:生成|制作|做一|做成|创建|新建|还原|识别)",
        text,
        re.IGNORECASE,
    )
    return not text or _FOLLOW.fullmatch(text) is not None or bool(build)


def besides_remarks(text: str) -> str:
    """A request without the clauses that only say that the remarks are to be followed."""
    request = SplitRequest(text)
    clauses = [request.clause(n, n) for n in range(len(request.parts))]
    about = [_FOLLOW.fullmatch(clause) is not None for clause in clauses]
    if not any(about):
        return text
    return "\n".join(
        request.as_written(clause) for clause, is_about in zip(clauses, about, strict=True) if not is_about
    )


def read_remarks(remarks: Sequence[Remark], layout: Layout | None, view: TemplateView, rows: int) -> RequestReading:
    """What the remarks ask for. `rows` is how many rows the report is filled with."""
    out = RequestReading()
    for remark in remarks:
        out.add(_read(remark, layout, view, rows))
    return out


def _read(remark: Remark, layout: Layout | None, view: TemplateView, rows: int) -> RequestReading:
    piece = pointed_at(remark, layout, view, rows)
    about = _target(piece, view) if piece is not None else None
    text = remark.text.strip()
    if not text:
        return _stroke(remark, about)
    if found := _HERE.fullmatch(without_politeness(text)):
        return _moved(next(name for name in found.groups() if name), remark, layout, view, rows)
    understood = understand(text, view, about)
    if understood.unread and about is not None and (wording := _reworded(text, about)):
        return wording
    if understood.unread and remark.shape == "strike" and piece is not None and piece.tag == "staticText":
        # Words beside struck wording replace it, as on any proof.
        return RequestReading([SetText(element=piece.key, text=text)], read=1)
    return understood


def _reworded(text: str, about: Target) -> RequestReading | None:
    """“Rename to X”: what is pointed at shall read so. A value of the rows has no name but that over its column."""
    text = without_politeness(text)
    found = _REWORD.fullmatch(text)
    if found is None:
        return None
    verb = text[: found.start(str(found.lastgroup))]
    is_value = about.column is not None and about.pieces[0] != about.column.head
    if is_value and not re.search("name|label|title|名", verb, re.IGNORECASE):
        return None
    request = SplitRequest(next(words for words in found.groups() if words))
    edits = reworded(about, request.with_quotations(request.text)[0].strip())
    return RequestReading(edits, read=1) if edits else None


def _stroke(remark: Remark, about: Target | None) -> RequestReading:
    """What a stroke without words means."""
    if about is None:
        return RequestReading(refusals=[Text.of("language.mark_on_blank_paper")], read=1)
    if remark.shape == "strike":
        if about.column is not None:
            return RequestReading([DeleteColumn(field=about.column.field)], read=1)
        return RequestReading([Delete(element=piece.key) for piece in about.pieces], read=1)
    if remark.shape == "underline" and about.texts:
        return RequestReading(
            [SetProperty(element=one.key, name="isUnderline", value="true") for one in about.texts], read=1
        )
    words = (about.pieces[0].words or about.pieces[0].key)[:40]
    return RequestReading(refusals=[Text.of("language.mark_without_request", words=words)], read=1)


def _target(piece: ViewElement, view: TemplateView) -> Target:
    """An element as “this”: the column whose heading or value it is goes with it."""
    column = next((column for column in view.columns if piece in column.pieces), None)
    return Target(piece.words or piece.key, (piece,), column)


def pointed_at(remark: Remark, layout: Layout | None, view: TemplateView, rows: int) -> ViewElement | None:
    """The element at a remark's target: made from the same block, worded as it, else nearest to its place."""
    block = next((one for one in layout.blocks if one.id == remark.block), None) if layout else None
    place = _scaled(remark.target, layout, view)
    boxes = _places(view, rows)
    if block is not None:
        # The page may be another than the one that the report was built from: its blocks have the same names.
        made = [piece for piece in view.texts if source_of(piece.node) == block.id]
        made = [piece for piece in made if piece.tag == "textField" or likeness(block.text, piece.words) >= _SAME]
        if place is not None:
            made = [piece for piece in made if _away(boxes[piece.key], place) <= NEAR or piece.section == "detail"]
        if len(made) == 1:
            return made[0]
        worded = [piece for piece in view.texts if piece.words and likeness(block.text, piece.words) >= _SAME]
        if len(worded) == 1:
            return worded[0]
    if place is None:
        return None
    near = sorted((_away(box, place), view.piece_order[key]) for key, box in boxes.items())
    if not near or near[0][0] > NEAR:
        return None
    return view.pieces[near[0][1]]


def _scaled(box: Box | None, layout: Layout | None, view: TemplateView) -> Box | None:
    """A place of the remarks' page on the template's page."""
    if box is None or layout is None:
        return box
    across, down = view.page[0] / layout.page.width, view.page[1] / layout.page.height
    return Box(x=box.x * across, y=box.y * down, width=box.width * across, height=box.height * down)


def _tops(view: TemplateView, rows: int) -> dict[int, tuple[float, float]]:
    """Where each band begins on page 1, and how far down its copies reach."""
    tops: dict[int, tuple[float, float]] = {}
    bands = view.editor.bands()
    y = float(view.root.get("topMargin", "30"))
    bottom = view.page[1] - float(view.root.get("bottomMargin", "30"))
    height = {number: float(band.get("height", "0")) for number, (_, band) in enumerate(bands)}
    named = [(number, name) for number, (name, _) in enumerate(bands)]
    for section in ("title", "pageHeader", "columnHeader", "groupHeader", "detail", "groupFooter", "summary"):
        here = [number for number, name in named if name == section]
        for number in here:
            copies = max(1, rows) if section == "detail" and len(here) == 1 else 1
            tops[number] = (y, y + copies * height[number])
            y += copies * height[number]
    for number, name in named:
        if name == "background":
            tops[number] = (float(view.root.get("topMargin", "30")), bottom)
        elif number not in tops:
            bottom -= height[number]
            tops[number] = (bottom, bottom + height[number])
    return tops


def _places(view: TemplateView, rows: int) -> dict[str, Box]:
    """Where each element is on page 1; one of the rows reaches from its first copy to its last."""
    tops = _tops(view, rows)
    left = float(view.root.get("leftMargin", "20"))
    found = {}
    for piece in view.pieces:
        top, end = tops[piece.band]
        height = piece.height if piece.section != "detail" else end - top
        y = top + (piece.y if piece.section != "detail" else 0)
        found[piece.key] = Box(x=left + piece.x, y=y, width=max(1, piece.width), height=max(1, height))
    return found


def _away(box: Box, place: Box) -> float:
    """Points between the middle of a place and an element; a large element is a little further away."""
    x, y = place.x + place.width / 2, place.y + place.height / 2
    across = max(box.x - x, 0.0, x - (box.x + box.width))
    down = max(box.y - y, 0.0, y - (box.y + box.height))
    return float((across**2 + down**2) ** 0.5 + min(10.0, box.width * box.height / 100_000))


def _moved(name: str, remark: Remark, layout: Layout | None, view: TemplateView, rows: int) -> RequestReading:
    """“The date here”: the named element is put where the remark points."""
    found = ReferenceResolver(view).find(name)
    place = _scaled(remark.target or remark.box, layout, view)
    if not isinstance(found, Target) or found.column is not None or len(found.pieces) != 1 or place is None:
        return RequestReading(unread=[remark.text])
    piece = found.pieces[0]
    top, end = _tops(view, rows)[piece.band]
    x, y = place.x - float(view.root.get("leftMargin", "20")), place.y - top
    if not 0 <= y < end - top:
        words = piece.words or name
        return RequestReading(
            refusals=[Text.of("language.moved_across_bands", words=words)],
            read=1,
        )
    x = min(max(0.0, x), max(0, view.width - piece.width))
    return RequestReading([Move(element=piece.key, x=round(x), y=round(y))], read=1)
