"""Lay out what stands below the table: the block of totals, lines, sentences and signatures."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from bandsmith.shared.fields.value_types import INTEGER, LONG
from bandsmith.shared.jrxml.amount_words import amount_in_words
from bandsmith.shared.jrxml.expressions import reference, rounded, unless_null
from bandsmith.shared.jrxml.typesetting import break_lines, whole_height, whole_width
from bandsmith.shared.model.plan import AnyElement, Line, Pen, Variable
from bandsmith.shared.model.spec import ReportSpec, SummaryLine

from .elements import ElementFactory
from .label_lines import LINE_SIZE, LabelLines
from .spec_item import SpecItem
from .style import ReportStyle
from .table import SpecTable
from .totals import SpecTotal
from .widths import PAD, ColumnWidths, style

GAP, SIGNATURE_SPACE = 12, 34
"""Points between two parts, and above the line that is signed on."""
MAX_SIGNATURES_BESIDE = 4
MAX_SIGNATURE_PT = 200
"""Maximum length of a line to sign on: one across the page looks like a rule."""


class EndingBuilder:
    """Builds the elements below the table of one spec."""

    def __init__(
        self, spec: ReportSpec, table: SpecTable, layout: ColumnWidths, look: ReportStyle, make: ElementFactory
    ) -> None:
        self._spec, self._table, self._layout, self._look, self._make = spec, table, layout, look, make
        self._size = min(LINE_SIZE, layout.size + 1) if layout.is_roll else LINE_SIZE

    def elements(self, top: int, totals: Sequence[SpecTotal]) -> list[AnyElement]:
        """Return the elements from `top` on."""
        elements: list[AnyElement] = []
        if self._spec.summary:
            elements += self._block(top, totals)
        if self._table.closing:
            start = _below(elements, top) + GAP
            lines = LabelLines.above_table(self._layout.across, len(self._table.closing), self._size)
            elements += lines.layout(self._table.closing, start, self._make, self._look)[0]
        for text in self._spec.closing_texts:
            elements.append(self._sentence(text, _below(elements, top) + GAP))
        if self._spec.signatures:
            elements += self._signatures(_below(elements, top) + GAP)
        return elements

    # --- the block of totals -----------------------------------------------------------------------------------------

    def _block(self, top: int, totals: Sequence[SpecTotal]) -> list[AnyElement]:
        """Lay out a line for each amount at the right, under the column of amounts."""
        amount = _amount(totals)
        right, value_width = self._amount_box(amount)
        label_width = min(right - value_width, self._label_width())
        height = round(self._layout.size * 2) + 2
        elements: list[AnyElement] = []
        previous: dict[str, str] = {}
        for line, item in zip(self._spec.summary, self._table.amounts, strict=True):
            y = top + height * (len(elements) // 2)
            expression, shown = self._expression(line, item, amount, previous)
            previous[line.kind] = expression
            options = self._options(strong=self._is_strong(line))
            label = line.label if self._look.centred else line.label[:1].upper() + line.label[1:]
            left = right - value_width - label_width
            wide = line.kind == "words"
            if wide:  # words need the whole width
                label_box, value_box = (0, label_width), (label_width, self._layout.across - label_width)
            else:
                label_box, value_box = (left, label_width), (right - value_width, value_width)
            elements += [
                self._make.static(f"summary_label_{len(elements) // 2 + 1}", label, label_box[0], y, label_box[1],
                                  height, **options),
                self._make.value(f"summary_{len(elements) // 2 + 1}", expression, shown, value_box[0], y,
                                 value_box[1], height, align="Left" if wide else "Right", **options),
            ]  # fmt: skip
        return elements

    def _is_strong(self, line: SummaryLine) -> bool:
        """The amount to pay is printed in bold: with taxes where there are any."""
        return line.kind in ("words", "last") or line.kind == ("gross" if self._taxes else "net")

    def _amount_box(self, amount: SpecTotal | None) -> tuple[int, int]:
        """Return where the amounts end, and their width: those of the column that they belong to."""
        edge = 0
        for item, width in zip(self._table.columns, self._layout.widths, strict=True):
            edge += width
            if amount and item.name == amount.item.name and edge > self._layout.across // 2:
                return edge, max(width, min(90, edge // 2))
        return self._layout.across, min(110, self._layout.across // 2)

    def _label_width(self) -> int:
        labels = [line.label for line in self._spec.summary]
        return max(whole_width([label], style(self._layout.size, True)) for label in labels) + 2 * PAD + 4

    def _expression(
        self, line: SummaryLine, item: SpecItem | None, amount: SpecTotal | None, previous: dict[str, str]
    ) -> tuple[str, SpecItem]:
        """Return the expression of a line, and the item in whose format it is printed."""
        if item is not None:
            if _is_change(line.label) and "value" in previous and amount:
                due = f"$V{{{self._with_tax(amount)}}}" if self._taxes else _sum(amount)
                return unless_null(due, f"{previous['value']}.subtract({due})"), item
            return f"$P{{{item.name}}}", item
        if line.kind == "last":
            column = self._column(line.column)
            if column:
                return column.reference, column
        assert amount is not None, "a block of totals has an amount"
        net = f"$V{{{amount.variable(None)}}}"
        due = f"$V{{{self._with_tax(amount)}}}" if self._taxes else net
        match line.kind:
            case "tax":
                return unless_null(net, _tax(amount, line)), amount.shown_as
            case "words":
                return amount_in_words(due, self._spec.language), replace(amount.shown_as, pattern=None)
            case "gross":
                return due, amount.shown_as
        return net, amount.shown_as

    @property
    def _taxes(self) -> list[SummaryLine]:
        return [line for line in self._spec.summary if line.kind == "tax"]

    @staticmethod
    def _with_tax(amount: SpecTotal) -> str:
        """Return the name of the variable of the amount with its taxes."""
        return f"{amount.item.name}_with_tax"

    def variables(self, totals: Sequence[SpecTotal]) -> list[Variable]:
        """Return the variable of the amount with its taxes, where there are any."""
        amount = _amount(totals)
        if amount is None or not self._taxes:
            return []
        taxes = "".join(f".add({_tax(amount, line)})" for line in self._taxes)
        expression = unless_null(reference("V", amount.variable(None)), f"{_sum(amount)}{taxes}")
        return [Variable(name=self._with_tax(amount), expression=expression)]

    def _column(self, label: str | None) -> SpecItem | None:
        plain = "".join((label or "").split()).casefold()
        return next((item for item in self._table.columns if "".join(item.label.split()).casefold() == plain), None)

    def _options(self, strong: bool) -> dict[str, Any]:
        return {
            "size": self._layout.size, "bold": strong, "borders": self._look.total if strong else self._look.row,
            "fill": self._look.total_fill if strong else None, "colour": self._look.ink,
        }  # fmt: skip

    # --- sentences and signatures ------------------------------------------------------------------------------------

    def _sentence(self, text: str, top: int) -> AnyElement:
        across = self._layout.across
        height = whole_height(break_lines(text, across, style(self._size)), style(self._size)) + 4
        return self._make.static("closing", text, 0, top, across, height, size=self._size, valign="Top", padded=False,
                                 align="Center" if self._layout.is_roll else "Left")  # fmt: skip

    def _signatures(self, top: int) -> list[AnyElement]:
        """Lay out a line to sign on above each name."""
        elements: list[AnyElement] = []
        names = self._spec.signatures
        beside = 1 if self._layout.is_roll else min(MAX_SIGNATURES_BESIDE, len(names))
        wide = self._layout.across // beside
        pen = Pen(width=0.5, colour=self._look.quiet)
        for n, name in enumerate(names):
            x, y = n % beside * wide, top + SIGNATURE_SPACE + n // beside * (SIGNATURE_SPACE + 20)
            elements += [
                Line(key=self._make.key("signature_line"), x=x, y=y, width=min(wide - 20, MAX_SIGNATURE_PT), height=1,
                     forecolour=self._look.quiet, pen=pen),
                self._make.static("signature", name if self._look.centred else name[:1].upper() + name[1:], x, y + 3,
                                  wide - 20, 14, size=9.0, colour=self._look.quiet, padded=False),
            ]  # fmt: skip
        return elements


def _amount(totals: Sequence[SpecTotal]) -> SpecTotal | None:
    sums = [total for total in totals if total.calculation == "sum"]
    money = [total for total in sums if total.item.kind == "money"]
    return next(reversed(money or sums), None)


def _sum(amount: SpecTotal) -> str:
    variable = f"$V{{{amount.variable(None)}}}"
    return f"BigDecimal.valueOf({variable})" if amount.item.java_class in (INTEGER, LONG) else variable


def _tax(amount: SpecTotal, line: SummaryLine) -> str:
    rate = f"{line.percent / 100:f}"
    return rounded(f'{_sum(amount)}.multiply(new BigDecimal("{rate}"))')


def _is_change(label: str) -> bool:
    return label.casefold() in ("change", "change given", "change due", "找零")


def _below(elements: Sequence[AnyElement], top: int) -> int:
    return max((element.y + element.height for element in elements), default=top)
