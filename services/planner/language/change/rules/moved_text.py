"""Texts that are put beside another one. What users say is in ``templates/*/moved_text.toml``.

The place has to be free. Above or below a text, room is made: what stands there and lower moves down.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from bandsmith.shared.edits import AnyEdit
from bandsmith.shared.edits.move import Move
from bandsmith.shared.edits.resize_band import ResizeBand
from bandsmith.shared.edits.set_property import SetProperty
from bandsmith.shared.jrxml.text_styles import resolve_style

from ...references import Several, Target, which_one, with_label
from ...sentence_templates import Slots, matches, phrases
from ...template_view import TemplateView
from ...view_elements import ViewElement
from ..reading import Clause, ClauseReading, refused, templated

PHRASES = frozenset({"new_thing"})
"""Sentences of the files that name what is not there yet."""
GAP_PT = 4
COLUMN_TOLERANCE_PT = 15
"""A text that ends as far as this from the end of the one it is put beside stays in line with it on the right."""
MAX_LINE_GAP_PT = 20
"""Gap between a label and a drawn line to write on."""
LINE_TOLERANCE_PT = 3
"""Texts whose tops differ by less stand on one line."""
MAX_LINES_APART = 2
"""Two lines that are less than this many heights apart follow each other."""
_ONE_COPY = ("title", "pageHeader", "summary", "columnFooter", "lastPageFooter", "pageFooter")
"""Sections between which a text may be moved."""
_ROLES = ("", "title", "company")
"""Roles of single texts; a role such as the header stands for many."""


@dataclass(frozen=True)
class TextsBox:
    """Where texts stand in their band, in points."""

    x: int
    y: int
    width: int
    height: int

    @classmethod
    def of(cls, pieces: Sequence[ViewElement]) -> TextsBox:
        left, top = min(piece.x for piece in pieces), min(piece.y for piece in pieces)
        right = max(piece.x + piece.width for piece in pieces)
        return cls(left, top, right - left, max(piece.y + piece.height for piece in pieces) - top)

    def meets(self, other: ViewElement | TextsBox) -> bool:
        return (
            other.x < self.x + self.width and self.x < other.x + other.width
            and other.y < self.y + self.height and self.y < other.y + max(1, other.height)
        )  # fmt: skip


def beside(clause: Clause, slots: Slots) -> ClauseReading | None:
    """“Put the remark above the signature”, “把合计放到电话左边”."""
    if phrases("moved_text", "new_thing", slots["name"]):
        return None  # it is to be added
    found, anchor = (_known(clause, slots[name]) for name in ("name", "anchor"))
    for one in (found, anchor):
        if isinstance(one, Several):
            return ClauseReading(refusals=[which_one(one)]) if one.choices else None
        if not isinstance(one, Target):
            return one
    assert isinstance(found, Target) and isinstance(anchor, Target)
    pieces, around = _texts(clause.view, found), _texts(clause.view, anchor) or _line(clause.view, anchor)
    if not pieces or not around or {piece.key for piece in pieces} & {piece.key for piece in around}:
        return None
    relation = slots["relation"]
    if slots["other"]:
        relation = "below" if _is_next_below(clause, around, slots["other"]) else ""
        if not relation:
            return None
    if relation == "level":
        relation = "at_right_edge" if slots["far"] else "beside"
    elif slots["far"]:
        return None
    edits = _moved(clause.view, pieces, around, relation)
    if edits and relation == "at_right_edge":
        edits.append(SetProperty(element=pieces[-1].key, name="textAlignment", value="Right"))
    return ClauseReading(edits, target=found) if edits else refused("language.no_room_there")


def edge_aligned(clause: Clause, slots: Slots) -> ClauseReading | None:
    """“单号左边跟日期对齐”: an edge of a text comes to stand in line with that of another one, at the same height."""
    found, anchor = (_known(clause, slots[name]) for name in ("name", "anchor"))
    if not isinstance(found, Target) or not isinstance(anchor, Target):
        return None
    view = clause.view
    pieces, around = _texts(view, found), _texts(view, anchor)
    if not pieces or not around or {piece.key for piece in pieces} & {piece.key for piece in around}:
        return None
    own, other = TextsBox.of(pieces), TextsBox.of(around)
    is_left = slots["edge"] == "left"
    if not _reaches_edge(view, around, is_left):
        return refused("language.edge_not_aligned")
    x = other.x if is_left else other.x + other.width - own.width
    others = [one for one in view.pieces if one.band == pieces[0].band and one not in pieces]
    place = TextsBox(x, own.y, own.width, own.height)
    left, right = view.sides
    is_inside = min(left, own.x) <= x and x + own.width <= max(right, own.x + own.width)
    if not is_inside or any(place.meets(one) for one in others):
        return refused("language.no_room_there")
    edits: list[AnyEdit] = [Move(element=piece.key, x=piece.x + x - own.x) for piece in pieces]
    last = pieces[0] if is_left else [piece for piece in pieces if piece.is_text][-1]
    side = "Left" if is_left else "Right"
    if resolve_style(view.root, last.node).align != side:
        edits.append(SetProperty(element=last.key, name="textAlignment", value=side))
    return ClauseReading(edits, target=found)


def _reaches_edge(view: TemplateView, texts: Sequence[ViewElement], is_left: bool) -> bool:
    """Whether the letters of texts begin, or end, where their box does: those of a centred text stand inside it."""
    text = [one for one in texts if one.is_text][0 if is_left else -1]
    return resolve_style(view.root, text.node).align in (("Left", "Justified") if is_left else ("Right",))


def _is_next_below(clause: Clause, around: Sequence[ViewElement], words: str) -> bool:
    """Whether words name the table below texts, or a text lower in their band: something may stand between the two."""
    if any(matches("described", "table", words)):
        return around[0].section in ("title", "pageHeader")
    other = clause.find(words)
    pieces = _texts(clause.view, other) or _line(clause.view, other) if isinstance(other, Target) else []
    box = TextsBox.of(around)
    return bool(pieces) and pieces[0].band == around[0].band and TextsBox.of(pieces).y >= box.y + box.height


def _line(view: TemplateView, target: Target) -> list[ViewElement]:
    """Return the texts of a line of the page that a clause names as one: “the customer line”."""
    pieces = list(target.texts) if target.role == "row" else []
    is_one = len({piece.band for piece in pieces}) == 1 and pieces[0].section in _ONE_COPY
    return pieces if is_one else []


def _known(clause: Clause, words: str) -> Target | Several | ClauseReading | None:
    """Return what words name, also where that may be several things: no other rule makes more of such a sentence."""
    found = clause.find(words)
    return found if isinstance(found, Several) else clause.known(found)


def _texts(view: TemplateView, target: Target) -> list[ViewElement]:
    """Return the texts of a target that stands outside the rows, on its own, in one band; nothing for any other."""
    if target.column is not None or target.role not in _ROLES:
        return []
    pieces = with_label(view, target).texts
    bands = {piece.band for piece in pieces}
    if len(bands) != 1 or pieces[0].section not in _ONE_COPY:
        return []
    same_name = [number for number, (name, _) in enumerate(view.editor.bands()) if name == pieces[0].section]
    in_frame = any(next(piece.node.iterancestors("{*}frame"), None) is not None for piece in pieces)
    return [] if len(same_name) != 1 or in_frame else [*pieces, *lines_to_write_on(view, pieces[-1])]


def lines_to_write_on(view: TemplateView, text: ViewElement) -> list[ViewElement]:
    """Return the drawn line behind a label, on which one signs: it goes with the label."""
    end = text.x + text.width
    return [
        line
        for line in view.lines
        if line.band == text.band and end - LINE_TOLERANCE_PT <= line.x <= end + MAX_LINE_GAP_PT
        and text.y <= line.y <= text.y + text.height + GAP_PT and line.height <= 1
    ]  # fmt: skip


def _moved(
    view: TemplateView, pieces: list[ViewElement], around: list[ViewElement], relation: str
) -> list[AnyEdit] | None:
    """Return the edits that bring texts to a side of others; None where there is no room."""
    keys = {piece.key for piece in pieces}
    others = [one for one in view.pieces if one.band == around[0].band and one.key not in keys]
    own, anchor = TextsBox.of(pieces), TextsBox.of(around)
    if _are_neighbours(own, anchor, others, relation):
        places = [(piece, anchor.y - own.y) for piece in pieces] + [(piece, own.y - anchor.y) for piece in around]
        return [Move(element=piece.key, y=piece.y + by) for piece, by in places]
    sides = ("right_of", "left_of") if relation == "beside" else (relation,)
    for side in sides:
        place = _place(view, own, anchor, side)
        if _is_free(view, place, others):
            return _into(pieces, around, own, place)
    return _with_room(view, pieces, around, others, relation) if relation in ("above", "below") else None


def _are_neighbours(own: TextsBox, anchor: TextsBox, others: list[ViewElement], relation: str) -> bool:
    """Whether a text is to go below the next line of its column, or above the one before: the two change places."""
    upper, lower = (own, anchor) if relation == "below" else (anchor, own)
    is_aligned = abs(own.x - anchor.x) <= LINE_TOLERANCE_PT and abs(own.height - anchor.height) <= GAP_PT
    if relation not in ("below", "above") or not is_aligned or upper.y + upper.height > lower.y + LINE_TOLERANCE_PT:
        return False
    between = TextsBox(own.x, upper.y + 1, min(own.width, anchor.width), lower.y - upper.y - 1)
    inside = [one for one in others if between.meets(one) and not anchor.meets(one)]
    return lower.y - upper.y <= MAX_LINES_APART * upper.height and not inside


def _place(view: TemplateView, own: TextsBox, anchor: TextsBox, side: str) -> TextsBox:
    left, right = _edges(view, own, anchor)
    middle = anchor.y + (anchor.height - own.height) // 2
    at_right = anchor.x + anchor.width - own.width
    aligned = at_right if abs(at_right - own.x) <= COLUMN_TOLERANCE_PT else anchor.x
    x, y = {
        "above": (max(left, min(aligned, right - own.width)), anchor.y - GAP_PT - own.height),
        "below": (max(left, min(aligned, right - own.width)), anchor.y + anchor.height + GAP_PT),
        "right_of": (anchor.x + anchor.width + GAP_PT, middle),
        "at_right_edge": (right - own.width, middle),
        "left_of": (anchor.x - GAP_PT - own.width, middle),
    }[side]
    return TextsBox(x, y, own.width, own.height)


def _edges(view: TemplateView, *boxes: TextsBox) -> tuple[int, int]:
    """Return the left and the right edge of what is printed: that of the table, or of texts that stand beyond it."""
    left, right = view.sides
    return min([left, *(box.x for box in boxes)]), max([right, *(box.x + box.width for box in boxes)])


def _is_free(view: TemplateView, place: TextsBox, others: list[ViewElement]) -> bool:
    left, right = _edges(view, *(TextsBox.of([one]) for one in others if one.is_text))
    is_inside = place.x >= left and place.x + place.width <= right and place.y >= 0
    return is_inside and not any(place.meets(one) for one in others)


def _into(pieces: list[ViewElement], around: list[ViewElement], own: TextsBox, place: TextsBox) -> list[AnyEdit]:
    """Return the edits that move texts together, into the band of what they are put beside."""
    band = around[0].section if around[0].band != pieces[0].band else None
    return [
        Move(element=piece.key, x=piece.x + place.x - own.x, y=piece.y + place.y - own.y, band=band) for piece in pieces
    ]


def _with_room(
    view: TemplateView, pieces: list[ViewElement], around: list[ViewElement], others: list[ViewElement], relation: str
) -> list[AnyEdit] | None:
    """Return the edits that move down what stands in the way and lower, and bring the texts there."""
    own, anchor = TextsBox.of(pieces), TextsBox.of(around)
    beyond = _place(view, own, anchor, relation)
    top = anchor.y if relation == "above" else anchor.y + anchor.height + GAP_PT
    place, by = TextsBox(beyond.x, top, own.width, own.height), own.height + GAP_PT
    lower = [one for one in others if one.y >= top - LINE_TOLERANCE_PT]
    if any(place.meets(one) for one in others if one not in lower) or any(_is_cut(one, top) for one in others):
        return None
    lower.sort(key=lambda one: -one.y)
    height = int(next(around[0].node.iterancestors("{*}band")).get("height", "0"))
    room = [ResizeBand(band=around[0].section, height=height + by)]
    return [*room, *_into(pieces, around, own, place), *(Move(element=one.key, y=one.y + by) for one in lower)]


def _is_cut(one: ViewElement, top: int) -> bool:
    """Whether a frame or an area reaches over the line at which everything lower moves down."""
    return not one.is_text and one.y < top - LINE_TOLERANCE_PT and one.y + one.height > top + LINE_TOLERANCE_PT


RULES = (templated("moved_text", beside), templated("moved_text", edge_aligned))
