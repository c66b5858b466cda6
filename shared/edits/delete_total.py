"""Delete totals."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Literal

from lxml import etree

from ..jrxml.bands import elements_in
from ..jrxml.clone_style import clone_as_static_text
from ..jrxml.declarations import drop_unused_variables
from ..jrxml.dom import content_of, local_name, report_element
from ..jrxml.draft import Draft
from ..jrxml.expressions import references
from ..jrxml.labels import TemplateLabels
from ..jrxml.refusals import EditRefused
from ..jrxml.totals import find_totals, total_companions
from ..replies import Text
from .base import Calculation, Edit, EditClause


class DeleteTotal(Edit):
    """Remove totals, each with its row if nothing else is totalled there; what is below moves up."""

    do: Literal["delete_total"] = "delete_total"
    field: str | None = None
    """Whose total; None is every field."""
    calculation: Calculation | None = None
    """None is any calculation."""
    group: str | None = None
    """Totals below each group; None is totals below the rows."""

    multi_step: ClassVar[bool] = True

    def apply(self, draft: Draft, *, exact: bool) -> bool:
        found = self.removes(draft)
        if not found:
            raise EditRefused("already", Text.of("edits.delete_total.none"))
        names = {name for node in found for letter, name in references(content_of(node)) if letter == "V"}
        for node in found:
            if node.getparent() is not None:
                _remove_total(draft, node, found)
        drop_unused_variables(draft, names)
        return True

    def unseen(self) -> str:
        return "edits.unseen.covered"

    def describe(self, labels: TemplateLabels) -> EditClause:
        subject = labels.field(self.field) if self.field else ""
        values = {"calculation": labels.calculation(self.calculation or "any")}
        if self.group is None:
            code = "edits.delete_total.done" if self.field else "edits.delete_total.done_all"
            return EditClause(code, subject, values)
        code = "edits.delete_total.done_for_group" if self.field else "edits.delete_total.done_all_for_group"
        return EditClause(code, subject, {**values, "group": labels.field(self.group)})

    def removes(self, draft: Draft) -> list[etree._Element]:
        return find_totals(draft, self.field, self.calculation, self.group)

    def removes_along(self, draft: Draft) -> list[etree._Element]:
        """The rest of each total's row, and the rules that are drawn around it."""
        totals = self.removes(draft)
        return [node for total in totals for node in _row_of(draft, total, totals)]


def _row_of(draft: Draft, total: etree._Element, totals: Sequence[etree._Element]) -> list[etree._Element]:
    box = draft.box_of(total)
    lines = {node: draft.box_of(node) for node in elements_in(draft.band_of(total)) if local_name(node) == "line"}
    around = [node for node, at in lines.items() if at.top >= box.top - 1 and at.bottom <= box.bottom + 1]
    return [*total_companions(draft, total, totals), *around]


def _remove_total(draft: Draft, total: etree._Element, gone: Sequence[etree._Element]) -> None:
    """Remove a total. It leaves an empty cell in a row of others; the last one removes the row."""
    band, box = draft.band_of(total), draft.box_of(total)
    companions = total_companions(draft, total, gone)
    same = [node for node in gone if node.getparent() is not None and draft.box_of(node).on_same_line(box)]
    stays = any(
        "$V{" in content_of(one) and one not in gone and draft.box_of(one).on_same_line(box)
        for one in draft.texts(band)
    )
    for node in [*same, *companions] if not stays else [total]:
        if stays and draft.style_of(node).is_cell:
            empty, at, key = (
                clone_as_static_text(node, ""),
                draft.box_of(node),
                report_element(node).get("key") or "cell",
            )
            draft.remove(node)
            draft.add_element(band, empty, f"{key}_empty")
            draft.set_box(empty, at)
        else:
            draft.remove(node)
    if not stays:
        draft.remove_row(band, box.top, box.bottom)
