"""Let two columns, or two elements of a section, change places."""

from __future__ import annotations

from typing import ClassVar, Literal

from lxml import etree

from ..jrxml.clone_style import set_alignment
from ..jrxml.column_layout import reorder_columns
from ..jrxml.dom import TEXT_ELEMENTS, local_name
from ..jrxml.draft import Draft
from ..jrxml.element_box import ElementBox
from ..jrxml.labels import TemplateLabels
from ..jrxml.refusals import EditRefused
from ..jrxml.tables import EDGE_TOLERANCE_PT, column_number, find_column
from ..replies import Text
from .base import Edit, EditClause, KnownNames


class SwapPlaces(Edit):
    """Let two columns, named by their fields, or two elements of one section change places. A label and its value are
    two elements: swap each with its like."""

    do: Literal["swap"] = "swap"
    one: str
    other: str

    multi_step: ClassVar[bool] = True

    def apply(self, draft: Draft, *, exact: bool) -> bool:
        if self.one == self.other:
            raise EditRefused("value", Text.of("edits.swap_places.same"))
        nodes = [draft.element(name) for name in (self.one, self.other)]
        if any(node is None or local_name(draft.band_of(node).getparent()) == "detail" for node in nodes):
            self._swap_columns(draft)
        else:
            self._swap_elements(draft, draft.require_element(self.one), draft.require_element(self.other))
        return True

    def _swap_columns(self, draft: Draft) -> None:
        table, n = find_column(draft, self.one)
        order = list(table.columns)
        other = column_number(order, self.other)
        order[n], order[other] = order[other], order[n]
        reorder_columns(draft, table, order, [column.width for column in order])

    def _swap_elements(self, draft: Draft, one: etree._Element, other: etree._Element) -> None:
        if one.getparent() is not other.getparent():
            raise EditRefused("value", Text.of("edits.swap_places.sections"))
        old = {one: draft.box_of(one), other: draft.box_of(other)}
        new = dict(zip((one, other), _swapped(old[one], old[other]), strict=True))
        others = [draft.box_of(node) for node in draft.texts(draft.band_of(one)) if node not in old]
        for node, box in new.items():
            if any(_overlap(box, text) and not _overlap(old[node], text) for text in others):
                raise EditRefused("room", Text.of("edits.refused.space"))
        if old[one].on_same_line(old[other]) and {local_name(one), local_name(other)} <= TEXT_ELEMENTS:
            sides = draft.style_of(one).align, draft.style_of(other).align
            set_alignment(one, sides[1])
            set_alignment(other, sides[0])
        for node, box in new.items():
            draft.set_box(node, box)

    def describe(self, labels: TemplateLabels) -> EditClause:
        first, second = (labels.either(name) for name in (self.one, self.other))
        return EditClause("edits.swap_places.done", first, {"other": second})

    def is_known(self, names: KnownNames) -> bool:
        pair = {self.one, self.other}
        return pair <= names.elements or pair <= names.columns | names.fields

    def names(self) -> list[str]:
        return [self.one, self.other]


def _swapped(one: ElementBox, other: ElementBox) -> tuple[ElementBox, ElementBox]:
    """Return the boxes of two elements after the swap: beside each other they keep the outer sides, else the outer
    top and bottom."""
    if one.on_same_line(other):
        first, second = sorted((one, other))
        lefts = {first: second.right - first.width, second: first.left}
        tops = {first: second.top, second: first.top}
    else:
        first, second = sorted((one, other), key=lambda box: box.top)
        tops = {first: second.bottom - first.height, second: first.top}
        aligned = abs(one.left - other.left) <= EDGE_TOLERANCE_PT or abs(one.right - other.right) <= EDGE_TOLERANCE_PT
        lefts = {one: one.left if aligned else other.left, other: other.left if aligned else one.left}
    return _at(one, lefts[one], tops[one]), _at(other, lefts[other], tops[other])


def _at(box: ElementBox, left: int, top: int) -> ElementBox:
    return ElementBox(left, top, left + box.width, top + box.height)


def _overlap(one: ElementBox, other: ElementBox) -> bool:
    return one.overlap_x(other) > 0 and one.overlap_y(other) > 0
