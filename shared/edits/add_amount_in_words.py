"""Print the total of a column in words."""

from __future__ import annotations

import re
from typing import ClassVar, Literal

from lxml import etree

from ..jrxml.amount_words import amount_in_words
from ..jrxml.clone_style import border_pen, clone_as_text_field, drop_alternating_style, set_alignment, set_border_pen
from ..jrxml.column_values import column_value
from ..jrxml.dom import content_of, ensure_child, local_name, report_element, set_value
from ..jrxml.draft import Draft
from ..jrxml.expressions import reference
from ..jrxml.labels import TemplateLabels
from ..jrxml.row_look import header_tint, row_height
from ..jrxml.tables import DetailTable, bands_below_rows, find_column
from ..jrxml.total_rows import end_of_totals, label_of_total
from ..jrxml.variables import total_variable
from ..language import Language
from ..replies import text
from .base import Edit, EditClause, KnownNames

_LABEL = re.compile(r"in words|say total|大写", re.IGNORECASE)
_KEY = "amount_in_words"


class AddAmountInWords(Edit):
    """Print the total of a column in words (大写金额): beside the report's own label for it, else below the totals."""

    do: Literal["amount_in_words"] = "amount_in_words"
    field: str
    """The column whose total is printed; a total with tax counts, if the report has one."""
    language: Language | None = None
    """None is the language of the report."""
    currency: str = ""
    """Said after an English amount: ``US dollars``."""
    label: str | None = None

    multi_step: ClassVar[bool] = True

    def apply(self, draft: Draft, *, exact: bool) -> bool:
        table, n = find_column(draft, self.field)
        value, java_class = column_value(draft, table.columns[n], self.field)
        language: Language = self.language or ("zh" if draft.is_chinese() else "en")
        variable = f"{self.field}_with_tax"
        if draft.declared("variable", variable) is None:
            variable = total_variable(draft, self.field, "Sum", None, value, java_class)
        shown = reference("V", variable)
        own = _own_place(draft)
        if own is not None and label_of_total(draft, own) is not None:
            words = amount_in_words(shown, language, self.currency)
            return set_value(ensure_child(own, "textFieldExpression"), None, words)
        label = self.label or text("edits.add_amount_in_words.label", language)
        label += "：" if language == "zh" else ": "
        words = amount_in_words(shown, language, self.currency, label)
        if own is not None:
            return set_value(ensure_child(own, "textFieldExpression"), None, words)
        _add_line(draft, table, words)
        return True

    def describe(self, labels: TemplateLabels) -> EditClause:
        return EditClause("edits.add_amount_in_words.done", labels.field(self.field))

    def is_known(self, names: KnownNames) -> bool:
        return self.field in names.columns or self.field in names.fields


def _own_place(draft: Draft) -> etree._Element | None:
    """Return the report's own value for an amount in words, as its label or its key says."""
    for band in bands_below_rows(draft):
        for node in draft.texts(band):
            if local_name(node) != "textField":
                continue
            label = label_of_total(draft, node)
            is_ours = (report_element(node).get("key") or "").startswith(_KEY)
            if is_ours or (label is not None and _LABEL.search(content_of(label))):
                return node
    return None


def _add_line(draft: Draft, table: DetailTable, words: str) -> None:
    """Add a line across the table, below the totals, with the words."""
    band = draft.ensure_band("summary")
    first, last = table.columns[0].cell, table.columns[-1].cell
    top = end_of_totals(draft, table, band)
    height = max(row_height(table), draft.style_of(first).height_of("合Tg", draft.page_width))
    draft.grow_band(band, top, height)
    node = clone_as_text_field(first, words)
    drop_alternating_style(draft.root, node, header_tint(table))
    set_alignment(node, "Left")
    node.set("textAdjust", "StretchHeight")
    if border_pen(first, "left") is not None:
        set_border_pen(node, "right", border_pen(last, "right"))
    draft.add_element(band, node, _KEY)
    box = draft.box_of(first)
    draft.set_box(node, box._replace(top=top, bottom=top + height, right=draft.box_of(last).right))
