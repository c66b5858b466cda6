"""Print the column header on every page, or on the first page only."""

from __future__ import annotations

from typing import ClassVar, Literal

from lxml import etree

from ..jrxml.bands import elements_in, section_of
from ..jrxml.dom import child, ensure_child, int_attribute, is_element, new_node, tag
from ..jrxml.draft import Draft
from ..jrxml.labels import TemplateLabels
from ..jrxml.refusals import EditRefused
from ..jrxml.tables import main_table
from ..replies import Text
from .base import Edit, EditClause

_FIRST_PAGE = "$V{PAGE_NUMBER} == 1"


class RepeatHeader(Edit):
    """Print the header of the table on every page, or, with first_page_only, on the first page."""

    do: Literal["repeat_header"] = "repeat_header"
    first_page_only: bool = False

    multi_step: ClassVar[bool] = True

    def apply(self, draft: Draft, *, exact: bool) -> bool:
        table = main_table(draft)
        if table.head is None:
            raise EditRefused("kind", Text.of("edits.repeat_header.none"))
        section = section_of(table.head)
        condition = child(table.head, "printWhenExpression")
        if section == "groupHeader":
            return self._repeat_group(table.head)
        if self.first_page_only:
            if section == "title" or (condition is not None and condition.text == _FIRST_PAGE):
                return False
            if condition is None:
                condition = new_node("printWhenExpression")
                table.head.insert(0, condition)
            condition.text = _FIRST_PAGE
            return True
        if condition is not None and (condition.text or "").strip() == _FIRST_PAGE:
            table.head.remove(condition)
            return True
        if section == "title":
            _move_to_column_header(draft, table.head, table.head_row)
            return True
        return False

    def _repeat_group(self, head: etree._Element) -> bool:
        """Set whether the group's header, which is the table's, is printed again on each page."""
        group = next(head.iterancestors(tag("group")))
        wanted = "false" if self.first_page_only else "true"
        changed = (group.get("isReprintHeaderOnEachPage") or "false") != wanted
        group.set("isReprintHeaderOnEachPage", wanted)
        return changed

    def describe(self, labels: TemplateLabels) -> EditClause:
        return EditClause("edits.repeat_header.done_first" if self.first_page_only else "edits.repeat_header.done", "")


def _move_to_column_header(draft: Draft, title: etree._Element, row: tuple[int, int]) -> None:
    """Move the header row, which is at the end of the title, into the column header, which every page repeats."""
    top, bottom = row
    below = [node for node in elements_in(title) if draft.box_of(node).top >= bottom]
    if below or draft.band("columnHeader") is not None:
        raise EditRefused("room", Text.of("edits.repeat_header.in_title"))
    moved = [node for node in title if is_element(node) and draft.box_of(node).top >= top - 1]
    height = int_attribute(title, "height") - top
    section = ensure_child(draft.root, "columnHeader")
    band = new_node("band", height=str(height), splitType="Stretch")
    section.append(band)
    for node in moved:
        box = draft.box_of(node)
        band.append(node)
        draft.set_box(node, box.moved(y=-min(top, box.top)))
    title.set("height", str(top))
