"""Add a tax and the grand total below the total of a column."""

from __future__ import annotations

import re
from decimal import Decimal
from typing import ClassVar, Literal

from lxml import etree

from ..jrxml.column_values import column_value
from ..jrxml.dom import child, child_text, content_of, ensure_child, local_name, set_value
from ..jrxml.draft import Draft
from ..jrxml.expressions import reference, rounded, sole_reference, unless_null
from ..jrxml.formulas import decimal_value
from ..jrxml.java_literals import parse_decimal
from ..jrxml.labels import TemplateLabels
from ..jrxml.refusals import value_refused
from ..jrxml.tables import find_column
from ..jrxml.total_rows import label_of_total, repeat_total_row
from ..jrxml.totals import plain_totals
from ..jrxml.variables import class_of_variable, declare_value
from ..language import Language
from ..replies import text
from .add_total import AddTotal
from .base import Edit, EditClause, KnownNames

_TAX_LABEL = re.compile(r"\b(?:vat|gst|hst|tax|mwst|ust)\b|税额|增值税|税金|税[（(\s]|税$", re.IGNORECASE)
_GRAND_LABEL = re.compile(
    r"grand total|total (?:due|amount|payable|incl)|amount (?:due|payable)|balance due"
    r"|价税合计|含税(?:合计|总[计额价])|应[付收]",
    re.IGNORECASE,
)
_RATE = re.compile(r"(?<!\d)\d++(?:[.,]\d++)?(?=\s*+[%％])")
_ROUNDING = "RoundingMode.HALF_UP"
MAX_RATE = 100
TAX_SUFFIX = "_tax"
"""What the name of a tax's variable has behind the field that is taxed."""
WHOLE_SUFFIX = "_with_tax"
"""The same of the total with the tax."""


class AddTax(Edit):
    """Compute a tax of a column's total and the grand total: in the report's own lines for them, else in new ones."""

    do: Literal["tax"] = "tax"
    field: str
    """The column that is taxed."""
    rate: str
    """In percent: ``19`` or ``7.5``."""
    name: str | None = None
    """What the tax is called on the page; None is VAT in the report's language."""
    included: bool = False
    """Whether the column's values include the tax already; then the net total is shown instead of a grand total."""

    multi_step: ClassVar[bool] = True

    def apply(self, draft: Draft, *, exact: bool) -> bool:
        rate = parse_decimal(self.rate.strip().rstrip("%％"))
        if rate is None or not 0 <= rate <= MAX_RATE:
            raise value_refused("rate", self.rate)
        language: Language = "zh" if draft.is_chinese() else "en"
        before = etree.tostring(draft.root)
        total = base_total(draft, self.field, exact, language)
        base = sole_reference(content_of(total), "V")
        assert base is not None
        tax, whole = _declare(draft, self.field, base[1], rate, self.included)
        labels = _Labels(self.name, rate, language, self.included)
        tax_total = _put(draft, total, total, _TAX_LABEL, labels.tax, tax)
        label = label_of_total(draft, tax_total)
        if label is not None and (words := child(label, "text")) is not None:
            words.text = _RATE.sub(f"{rate.normalize():f}", words.text or "", count=1)
        _put(draft, total, tax_total, _GRAND_LABEL, labels.whole, whole)
        return bool(etree.tostring(draft.root) != before)

    def describe(self, labels: TemplateLabels) -> EditClause:
        code = "edits.add_tax.done_included" if self.included else "edits.add_tax.done"
        return EditClause(code, labels.field(self.field), {"rate": self.rate.rstrip("%％")})

    def is_known(self, names: KnownNames) -> bool:
        return self.field in names.columns or self.field in names.fields


def _without_rate(name: str) -> str:
    """Return what a tax is called without the rate at its end, which its label has anyway: “VAT (20 %)”."""
    found = _RATE.search(name)
    ends = found is not None and not name[found.end() :].strip(" %％)）")
    return name[: found.start()].rstrip(" （(") if found and ends else name


class _Labels:
    """The labels of the two lines, in the language of the report."""

    def __init__(self, name: str | None, rate: Decimal, language: Language, included: bool) -> None:
        called = _without_rate(name or "") or text("edits.add_tax.label.name", language)
        code = "edits.add_tax.label.included" if included else "edits.add_tax.label.tax"
        self.tax = text(code, language, name=called, rate=f"{rate.normalize():f}")
        self.whole = text(f"edits.add_tax.label.{'net' if included else 'whole'}", language)


def base_total(draft: Draft, field: str, exact: bool, language: Language) -> etree._Element:
    """Return the element that prints the column's sum below the rows; it is added if there is none."""
    table, n = find_column(draft, field)
    column_value(draft, table.columns[n], field)
    found = plain_totals(draft, field, "Sum", None)
    if not found:
        AddTotal(field=field, label=text("edits.add_tax.label.base", language)).apply(draft, exact=exact)
        found = plain_totals(draft, field, "Sum", None)
    return found[0]


def _declare(draft: Draft, field: str, base: str, rate: Decimal, included: bool) -> tuple[str, str]:
    """Declare the tax and the total with it, or the net total. Return the names of the variables.

    The tax is rounded to hundredths, so that the printed amounts add up.
    """
    value = reference("V", base)
    exact = decimal_value(value, class_of_variable(draft, base))
    if included:
        share = f'{exact}.multiply(new BigDecimal("{rate:f}")).divide(new BigDecimal("{100 + rate:f}"), 2, {_ROUNDING})'
    else:
        share = rounded(f'{exact}.multiply(new BigDecimal("{rate / 100:f}"))')
    tax = declare_value(draft, f"{field}{TAX_SUFFIX}", unless_null(value, share))
    method = "subtract" if included else "add"
    name = f"{field}_net" if included else f"{field}{WHOLE_SUFFIX}"
    return tax, declare_value(draft, name, unless_null(value, f"{exact}.{method}({reference('V', tax)})"))


def _put(
    draft: Draft,
    total: etree._Element,
    after: etree._Element,
    wording: re.Pattern[str],
    label: str,
    variable: str,
) -> etree._Element:
    """Print a variable in the line whose label has this wording, else in a new line below the row of `after`.

    Return the element that prints it.
    """
    shown = reference("V", variable)
    found = _value_below(draft, total, wording, shown)
    if found is None:
        return repeat_total_row(draft, total, label, shown, variable, after)
    set_value(ensure_child(found, "textFieldExpression"), None, shown)
    return found


def _value_below(draft: Draft, total: etree._Element, wording: re.Pattern[str], shown: str) -> etree._Element | None:
    """Return the value below a total that prints this already, or whose label has this wording."""
    box = draft.box_of(total)
    for node in draft.texts(draft.band_of(total)):
        place, label = draft.box_of(node), label_of_total(draft, node)
        if local_name(node) != "textField" or node is total or label is None:
            continue
        is_below = place.top >= box.top and place.overlap_x(box) > 0
        if child_text(node, "textFieldExpression") == shown or (is_below and wording.search(content_of(label))):
            return node
    return None
