"""Add a line below the total for what is taken off it, such as a discount or a deposit, and one for what is left."""

from __future__ import annotations

from decimal import Decimal
from typing import ClassVar, Literal

from lxml import etree

from ..jrxml.dom import child_text, content_of
from ..jrxml.draft import Draft
from ..jrxml.expressions import reference, rounded, sole_reference, unless_null
from ..jrxml.formulas import decimal_value
from ..jrxml.java_literals import parse_decimal
from ..jrxml.labels import TemplateLabels
from ..jrxml.refusals import EditRefused, value_refused
from ..jrxml.total_rows import area_behind_total, repeat_total_row
from ..jrxml.variables import class_of_variable, declare_value
from ..language import Language
from ..replies import Text
from .add_tax import TAX_SUFFIX, WHOLE_SUFFIX, base_total
from .base import Edit, EditClause, KnownNames

MAX_RATE = 100


class AddDeduction(Edit):
    """Add a line for a discount or a deposit below the total, and if `rest` names it, one for what is left then."""

    do: Literal["deduction"] = "deduction"
    field: str
    """The column whose total it is taken off."""
    label: str
    """What stands before it on the page: ``Discount 5%``."""
    rate: str | None = None
    """In percent of the total; else `amount` is given."""
    amount: str | None = None
    rest: str | None = None
    """What stands before the amount that is left; None adds no such line."""
    before_tax: bool = False
    """Whether it stands below the total before tax, and is taken off before the tax is computed."""

    multi_step: ClassVar[bool] = True

    def apply(self, draft: Draft, *, exact: bool) -> bool:
        language: Language = "zh" if draft.is_chinese() else "en"
        base = base_total(draft, self.field, exact, language)
        whole = _printed(draft, f"{self.field}{WHOLE_SUFFIX}")
        if self.before_tax and whole is None:
            raise EditRefused("kind", Text.of("edits.add_deduction.no_tax"))
        total = base if self.before_tax or whole is None else whole
        value = sole_reference(content_of(total), "V")
        assert value is not None
        taken = draft.free_name("variable", f"{self.field}_deduction")
        left = draft.free_name("variable", f"{self.field}_left")
        exact_value = decimal_value(reference("V", value[1]), class_of_variable(draft, value[1]))
        declare_value(draft, taken, unless_null(reference("V", value[1]), self._taken(exact_value)))
        rest = f"{exact_value}.subtract({reference('V', taken)})"
        declare_value(draft, left, unless_null(reference("V", value[1]), rest))
        if self.before_tax:
            self._tax_what_is_left(draft, value[1], left)
        # White letters on a filled row would not be seen on the paper below it.
        model = base if area_behind_total(draft, total) is not None else total
        row = repeat_total_row(draft, model, self.label, reference("V", taken), taken, total)
        if self.rest is not None:
            repeat_total_row(draft, model, self.rest, reference("V", left), left, row)
        return True

    def _taken(self, total: str) -> str:
        """Return the expression of what is taken off a total."""
        number = _number(self.rate.strip().rstrip("%％")) if self.rate else None
        if number is not None:
            if number > MAX_RATE:
                raise value_refused("deduction", str(self.rate))
            return rounded(f'{total}.multiply(new BigDecimal("{number / 100:f}"))')
        return f'new BigDecimal("{_number(self.amount or ""):f}")'

    def _tax_what_is_left(self, draft: Draft, base: str, left: str) -> None:
        """Let the tax and the total with it be computed from what is left."""
        for suffix in (TAX_SUFFIX, WHOLE_SUFFIX):
            node = draft.declared("variable", f"{self.field}{suffix}")
            if node is not None:
                old = child_text(node, "variableExpression")
                changed = old.replace(reference("V", base), reference("V", left))
                declare_value(draft, f"{self.field}{suffix}", changed)

    def describe(self, labels: TemplateLabels) -> EditClause:
        code = "edits.add_deduction.done_before_tax" if self.before_tax else "edits.add_deduction.done"
        return EditClause(code, labels.field(self.field), {"label": self.label})

    def is_known(self, names: KnownNames) -> bool:
        return self.field in names.columns or self.field in names.fields


def _number(written: str) -> Decimal:
    """Return a number above zero. Raises ``EditRefused`` for any other text."""
    number = parse_decimal(written)
    if number is None or number <= 0:
        raise value_refused("deduction", written)
    return number


def _printed(draft: Draft, variable: str) -> etree._Element | None:
    """Return the text of the summary that prints a variable alone."""
    summary = draft.band("summary")
    nodes = draft.texts(summary) if summary is not None else []
    return next((node for node in nodes if sole_reference(content_of(node), "V") == ("V", variable)), None)
