"""Read remarks that are drawn on a page: each is a request about the element that it points at.

What users write is read as any request, and by ``templates/*/remarks.toml``.
"""

from __future__ import annotations

from collections.abc import Sequence

from bandsmith.shared.edits.delete import Delete
from bandsmith.shared.edits.delete_column import DeleteColumn
from bandsmith.shared.edits.move import Move
from bandsmith.shared.edits.set_property import SetProperty
from bandsmith.shared.edits.set_text import SetText
from bandsmith.shared.jrxml.further_pages import FURTHER_PAGE
from bandsmith.shared.jrxml.writer import source_of
from bandsmith.shared.model.geometry import Box
from bandsmith.shared.model.layout import Layout, Remark
from bandsmith.shared.replies import Text

from ..fuzzy_match import similarity
from ..reference_resolver import ReferenceResolver
from ..references import Target
from ..request_clauses import SplitRequest, without_politeness
from ..sentence_templates import Slots, matches
from ..template_view import TemplateView
from ..view_elements import ViewElement
from ..words_with_page import words_besides_building
from .rule_parser import RequestReading, read_request
from .rules.wording import reworded

MAX_DISTANCE_PT = 40.0
"""How far an element may be from the place that a remark points at."""
SAME_TEXT_THRESHOLD = 90
"""Similarity, out of 100, from which a block of the page and an element have the same words."""
SUBJECT = "remarks"
RULES = frozenset({"here", "renamed", "reworded", "followed"})
MAX_REQUEST_CHARS = 400
"""A longer request says more than that remarks are to be followed."""


def is_about_remarks(text: str) -> bool:
    """Whether a request only says that the remarks, or the page with them, are to be followed."""
    if len(text) > MAX_REQUEST_CHARS:
        return False
    text = without_politeness(text)
    return _read_as("followed", text) is not None or not words_besides_building(text)


def _read_as(rule: str, text: str) -> Slots | None:
    """Return the slots of the first template of a rule that is the whole text."""
    return next(matches(SUBJECT, rule, text), None)


def besides_remarks(text: str) -> str:
    """Return a request without the clauses that only say that the remarks are to be followed."""
    request = SplitRequest(text)
    clauses = [request.clause(n, n) for n in range(len(request.parts))]
    about = [_read_as("followed", clause) is not None for clause in clauses]
    if not any(about):
        return text
    return "\n".join(
        request.as_written(clause) for clause, is_about in zip(clauses, about, strict=True) if not is_about
    )


def read_remarks(remarks: Sequence[Remark], layout: Layout | None, view: TemplateView, rows: int) -> RequestReading:
    """Return what the remarks ask for. `rows` is the number of rows that the report is filled with."""
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
    if found := _read_as("here", without_politeness(text)):
        return _moved(found["name"], remark, layout, view, rows)
    reading = read_request(text, view, about)
    if reading.unread and about is not None and (wording := _reworded(text, about)):
        return wording
    if reading.unread and remark.shape == "strike" and piece is not None and piece.tag == "staticText":
        # Words beside struck wording replace it, as on any proof.
        return RequestReading([SetText(element=piece.key, text=text)])
    return reading


def _reworded(text: str, about: Target) -> RequestReading | None:
    """“Rename to X”: give what is pointed at a new text. A value of the rows has no name but its column's heading."""
    text = without_politeness(text)
    found = renamed = _read_as("renamed", text)
    is_value = about.column is not None and about.pieces[0] != about.column.head
    if not is_value:
        found = renamed or _read_as("reworded", text)
    if found is None:
        return None
    request = SplitRequest(found["new"])
    edits = reworded(about, request.with_quotations(request.text)[0].strip())
    return RequestReading(edits) if edits else None


def _stroke(remark: Remark, about: Target | None) -> RequestReading:
    """Return what a stroke without words asks for."""
    if about is None:
        return RequestReading(refusals=[Text.of("language.mark_on_blank_paper")])
    if remark.shape == "strike":
        if about.column is not None:
            return RequestReading([DeleteColumn(field=about.column.field)])
        return RequestReading([Delete(element=piece.key) for piece in about.pieces])
    if remark.shape == "underline" and about.texts:
        return RequestReading([SetProperty(element=one.key, name="isUnderline", value="true") for one in about.texts])
    words = (about.pieces[0].words or about.pieces[0].key)[:40]
    return RequestReading(refusals=[Text.of("language.mark_without_request", words=words)])


def _target(piece: ViewElement, view: TemplateView) -> Target:
    """Return the element as what “this” refers to, with the column whose heading or value it is."""
    column = next((column for column in view.columns if piece in column.pieces), None)
    return Target(piece.words or piece.key, (piece,), column)


def pointed_at(remark: Remark, layout: Layout | None, view: TemplateView, rows: int) -> ViewElement | None:
    """Return the element that a remark points at: made from the same block, with its words, or nearest to the place."""
    block = next((one for one in layout.blocks if one.id == remark.block), None) if layout else None
    place = _scaled(remark.target, layout, view)
    boxes = _boxes(view, rows)

    def has_words_of(element: ViewElement, text: str) -> bool:
        return similarity(text, element.words) >= SAME_TEXT_THRESHOLD

    def is_at(element: ViewElement, place: Box) -> bool:
        return element.section == "detail" or _distance(boxes[element.key], place) <= MAX_DISTANCE_PT

    if block is not None:
        # The page may not be the one that the report was built from, and its blocks have the same ids.
        made = [element for element in view.texts if source_of(element.node) == block.id]
        made = [element for element in made if element.tag == "textField" or has_words_of(element, block.text)]
        made = [element for element in made if place is None or is_at(element, place)]
        if len(made) == 1:
            return made[0]
        worded = [element for element in view.texts if element.words and has_words_of(element, block.text)]
        if len(worded) == 1:
            return worded[0]
    if place is None:
        return None
    nearest = min(((_distance(box, place), view.piece_order[key]) for key, box in boxes.items()), default=None)
    if nearest is None or nearest[0] > MAX_DISTANCE_PT:
        return None
    return view.pieces[nearest[1]]


def _scaled(box: Box | None, layout: Layout | None, view: TemplateView) -> Box | None:
    """Return a box of the remarks' page, scaled to the template's page."""
    if box is None or layout is None:
        return box
    x_scale, y_scale = view.page[0] / layout.page.width, view.page[1] / layout.page.height
    return Box(x=box.x * x_scale, y=box.y * y_scale, width=box.width * x_scale, height=box.height * y_scale)


def _tops(view: TemplateView, rows: int) -> dict[int, tuple[float, float]]:
    """Return where each band begins on page 1, and where its last copy ends."""
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
        elif name == FURTHER_PAGE:  # a remark is drawn on page 1
            tops[number] = (float(view.page[1]), view.page[1] + height[number])
        elif number not in tops:
            bottom -= height[number]
            tops[number] = (bottom, bottom + height[number])
    return tops


def _boxes(view: TemplateView, rows: int) -> dict[str, Box]:
    """Return the box of each element on page 1; in the rows, from its first copy to its last."""
    tops = _tops(view, rows)
    left = float(view.root.get("leftMargin", "20"))
    boxes = {}
    for element in view.pieces:
        top, end = tops[element.band]
        height = element.height if element.section != "detail" else end - top
        y = top + (element.y if element.section != "detail" else 0)
        boxes[element.key] = Box(x=left + element.x, y=y, width=max(1, element.width), height=max(1, height))
    return boxes


def _distance(box: Box, place: Box) -> float:
    """Return the distance in points from the middle of a place to an element, a little more for a large element."""
    x, y = place.x + place.width / 2, place.y + place.height / 2
    across = max(box.x - x, 0.0, x - (box.x + box.width))
    down = max(box.y - y, 0.0, y - (box.y + box.height))
    return float((across**2 + down**2) ** 0.5 + min(10.0, box.width * box.height / 100_000))


def _moved(name: str, remark: Remark, layout: Layout | None, view: TemplateView, rows: int) -> RequestReading:
    """“The date here”: move the named element to where the remark points."""
    found = ReferenceResolver(view).find(name)
    place = _scaled(remark.target or remark.box, layout, view)
    if not isinstance(found, Target) or found.column is not None or len(found.pieces) != 1 or place is None:
        return RequestReading(unread=[remark.text])
    piece = found.pieces[0]
    top, end = _tops(view, rows)[piece.band]
    x, y = place.x - float(view.root.get("leftMargin", "20")), place.y - top
    if not 0 <= y < end - top:
        words = piece.words or name
        return RequestReading(refusals=[Text.of("language.moved_across_bands", words=words)])
    x = min(max(0.0, x), max(0, view.width - piece.width))
    return RequestReading([Move(element=piece.key, x=round(x), y=round(y))])
