"""Make a total another calculation."""

from __future__ import annotations

import re
from typing import ClassVar, Literal

from lxml import etree

from ..jrxml.column_totals import column_total
from ..jrxml.declarations import drop_unused_variables
from ..jrxml.dom import content_of, ensure_child, set_value
from ..jrxml.draft import Draft
from ..jrxml.expressions import sole_reference
from ..jrxml.labels import TemplateLabels
from ..jrxml.refusals import EditRefused
from ..jrxml.total_rows import label_of_total, relabel_total
from ..jrxml.totals import plain_totals, printed_calculations
from ..replies import Text, text
from .add_total import AddTotal
from .base import Calculation, Edit, EditClause, KnownNames
from .delete_total import DeleteTotal

_CALCULATION_WORDS = {
    "Sum": r"(?:sub|grand )?total|sum|合计|总计|小计|共计|总和",
    "Average": r"average|mean|平均值?",
    "Count": r"count|number|计数|数量",
    "Lowest": r"lowest|minimum|最[小低]值?",
    "Highest": r"highest|maximum|最[大高]值?",
}


class ChangeTotal(Edit):
    """Make a total another calculation, such as the average instead of the sum."""

    do: Literal["change_total"] = "change_total"
    field: str
    calculation: Calculation
    """What it becomes."""
    was: Calculation | None = None
    """Which of its totals is meant; None is any, if there is only one."""
    group: str | None = None
    """The total below each group; None is the one below the rows."""

    multi_step: ClassVar[bool] = True

    def apply(self, draft: Draft, *, exact: bool) -> bool:
        found = self.removes(draft)
        if not found:
            raise EditRefused("already", Text.of("edits.delete_total.none"))
        if len(found) > 1:
            raise EditRefused("value", Text.of("edits.change_total.several"))
        (total,) = found
        (was,) = printed_calculations(draft, total) or {"Nothing"}
        if was == self.calculation:
            return False
        if _shares_its_row(draft, total, was):
            DeleteTotal(field=self.field, calculation=_known(was), group=self.group).apply(draft, exact=exact)
            return AddTotal(field=self.field, calculation=self.calculation, group=self.group).apply(draft, exact=exact)
        self._recompute(draft, total, was)
        return True

    def _recompute(self, draft: Draft, total: etree._Element, was: str) -> None:
        """Give the total another variable, its label other words."""
        new = column_total(draft, self.field, self.calculation, self.group)
        old = sole_reference(content_of(total), "V")
        assert old is not None
        set_value(ensure_child(total, "textFieldExpression"), None, new.total)
        if self.calculation == "Count":
            total.attrib.pop("pattern", None)
        elif not total.get("pattern") and (pattern := new.column.cell.get("pattern")):
            total.set("pattern", pattern)
        drop_unused_variables(draft, {old[1]})
        label = label_of_total(draft, total)
        words = text(f"edits.add_total.label.{self.calculation}", "zh" if draft.is_chinese() else "en")
        if label is not None:
            renamed = re.sub(_CALCULATION_WORDS[was], words, content_of(label), count=1, flags=re.IGNORECASE)
            relabel_total(draft, total, renamed)

    def describe(self, labels: TemplateLabels) -> EditClause:
        return EditClause(
            "edits.change_total.done",
            labels.field(self.field),
            {"calculation": labels.calculation(self.calculation)},
        )

    def removes(self, draft: Draft) -> list[etree._Element]:
        """The total moves to a row of its own if others stand beside it."""
        return plain_totals(draft, self.field, self.was, self.group)

    def is_known(self, names: KnownNames) -> bool:
        return self.field in names.columns or self.field in names.fields


def _shares_its_row(draft: Draft, total: etree._Element, was: str) -> bool:
    """Whether another total of the same calculation stands beside a total, under the same label."""
    box = draft.box_of(total)
    beside = [node for node in draft.texts(draft.band_of(total)) if draft.box_of(node).on_same_line(box)]
    return any(node is not total and printed_calculations(draft, node) == {was} for node in beside)


def _known(calculation: str) -> Calculation:
    return next(one for one in ("Sum", "Average", "Count", "Lowest", "Highest") if one == calculation)
