"""Build a plan and its data from a spec: title, header fields, table, totals and page footer."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, get_args

from bandsmith.shared.fonts import DEFAULT_FAMILY
from bandsmith.shared.jrxml.java_literals import java_string
from bandsmith.shared.jrxml.typesetting import break_lines, whole_height, whole_width
from bandsmith.shared.model.layout import Align
from bandsmith.shared.model.plan import (
    AnyElement,
    Band,
    Borders,
    Data,
    Font,
    Group,
    Line,
    Pen,
    Plan,
    SortField,
    Style,
    TextField,
)
from bandsmith.shared.model.spec import ReportSpec

from .elements import ElementFactory
from .ending import EndingBuilder
from .given_amounts import with_given_amounts
from .label_lines import LINE_SIZE, LabelLines
from .samples import SampleValue
from .spec_item import SpecItem
from .style import ReportStyle, style_of
from .table import BOOLEAN, SpecTable, build_table
from .totals import SpecTotal, TotalKind, share_expression, totals_of, variables
from .widths import PAD, ColumnWidths, choose_widths, lines_height, style, total_width

LOCALE = "REPORT_LOCALE"
STRIPE = "Row"
TITLE_SIZE, COMPANY_SIZE, ROLL_TITLE_SIZE, FOOTER_SIZE = 20.0, 13.0, 13.0, 8.0
BLANK_ROW_HEIGHT = 26
MIN_SAMPLE_ROWS = 2
_GRID = Pen(width=0.5, colour="#6B7780")
BLANK_ROW = Borders(top=_GRID, left=_GRID, bottom=_GRID, right=_GRID)
"""Cells to write in by hand have a border all around."""
_ALIGNMENTS: dict[str, Align] = {"left": "Left", "center": "Center", "right": "Right"}
_NUMBERING = {"en": ("Page ", " of"), "zh": ("第 ", " 页 / 共")}


def build_spec(spec: ReportSpec, name: str = "report") -> tuple[Plan, Data]:
    """Build a report's plan and its data: the spec's own rows, or made-up ones."""
    return _Builder(spec, name).build()


class _Builder:
    """Builds the plan of one spec."""

    def __init__(self, spec: ReportSpec, name: str) -> None:
        self._name = name
        self._table: SpecTable = build_table(spec)
        self._totals: list[SpecTotal] = totals_of(self._table.columns)
        if spec.summary:
            spec = with_given_amounts(spec, self._totals, [item.label for item in self._table.columns])
            self._table = build_table(spec)
        self._spec = spec
        self._layout: ColumnWidths = choose_widths(spec, self._table)
        self._style: ReportStyle = style_of(spec.language)
        self._row_height = round(self._layout.size * 2) + (2 if self._style.centred else 1)
        if spec.blank_rows:
            self._row_height, self._style = BLANK_ROW_HEIGHT, replace(self._style, row=BLANK_ROW, stripe=None)
        self._make = ElementFactory(self._style)
        self._ending = EndingBuilder(spec, self._table, self._layout, self._style, self._make)
        self._line_size = self._layout.size + 1 if self._layout.is_roll else LINE_SIZE

    def build(self) -> tuple[Plan, Data]:
        table, columns = self._table, self._table.columns
        plan = Plan(
            name=self._name,
            page_width=self._layout.page[0],
            page_height=self._layout.page[1],
            margins=self._layout.margins,
            parameters=[item.field for item in table.parameters if item.field],
            fields=[item.field for item in table.fields if item.field],
            styles=[Style(name=STRIPE, condition="$V{REPORT_COUNT} % 2 == 0", backcolour=self._style.stripe)]
            if self._style.stripe
            else [],
            sort=self._sorting(),
            variables=[
                *variables(columns, self._totals, [group.name for group in table.groups]),
                *self._ending.variables(self._totals),
            ],
            bands=[
                self._title(),
                *([self._headings(), self._detail()] if columns else []),
                *self._footer(),
                *self._summary(),
            ],
            groups=[self._group(level, group) for level, group in enumerate(table.groups)],
            locale=table.locale,
        )
        return plan, self._data(self._sample_rows(plan))

    def _sample_rows(self, plan: Plan) -> int:
        """Return how many sample rows there are: fewer where what ends the report would stand alone on page 2."""
        rows, margins = self._table.rows, plan.margins
        if self._spec.rows or self._spec.blank_rows or plan.groups or self._layout.is_roll:
            return rows
        room = plan.page_height - margins.top - margins.bottom - sum(band.height for band in plan.bands)
        fitting = 1 + room // self._row_height  # the detail band is one of the bands
        return min(rows, fitting) if fitting >= MIN_SAMPLE_ROWS else rows

    def _data(self, count: int) -> Data:
        table = self._table
        parameters: dict[str, SampleValue] = {item.name: item.values[0] for item in table.parameters}
        if table.locale:
            parameters[LOCALE] = table.locale
        rows = [{item.name: item.values[n] for item in table.fields} for n in range(count)]
        return Data(parameters=parameters, rows=rows)

    def _sorting(self) -> list[SortField]:
        """Sort by the groups, which need their rows together, then by the requested columns."""
        by_label = {item.label: item for item in self._table.columns if not item.counter}
        requested = [(by_label[sort.column], sort.descending) for sort in self._spec.sort if sort.column in by_label]
        fields = {item.name: SortField(name=item.name) for item in self._table.groups}
        for item, descending in requested:
            fields[item.name] = SortField(name=item.name, descending=descending, variable=item.computed is not None)
        return list(fields.values())

    # --- bands -------------------------------------------------------------------------------------------------------

    def _title(self) -> Band:
        across, is_form = self._layout.across, not self._table.columns
        centred = self._style.centred or self._layout.is_roll
        usual: Align = "Center" if centred else "Left"
        align = _ALIGNMENTS.get(self._spec.title_align, usual)
        elements: list[AnyElement] = []
        height = 0
        lines = (("company", self._spec.company, COMPANY_SIZE), ("title", self._spec.title, TITLE_SIZE))
        for key, text, usual_size in lines:
            if text:
                size = min(usual_size, ROLL_TITLE_SIZE) if self._layout.is_small else usual_size
                high = whole_height(break_lines(text, across, style(size, True)), style(size, True)) + 4
                elements.append(self._make.static(key, text, 0, height, across, high, size=size, bold=True,
                                                  align=align, colour=self._style.ink, padded=False))  # fmt: skip
                height += high
        if not centred:
            elements.append(Line(key=self._make.key("title_rule"), x=0, y=height + 4, width=across, height=1,
                                 forecolour=self._style.ink, pen=Pen(width=1.5, colour=self._style.ink)))  # fmt: skip
        top = height + (8 if centred else 14)
        items = self._table.header_fields
        to_fill_in = bool(self._spec.blank_rows) or (is_form and not self._layout.is_small)
        label_lines = LabelLines.above_table(across, len(items), self._line_size, to_fill_in)
        header_fields, bottom = label_lines.layout(items, top, self._make, self._style)
        return Band(
            name="title", height=bottom + 10 if header_fields else top + 2, elements=[*elements, *header_fields]
        )

    def _headings(self) -> Band:
        look, size = self._style, self._layout.size
        columns = list(zip(self._table.columns, self._layout.widths, strict=True))
        tight = {item.label for item, w in columns if _needs_all_of(item.label, w, size)}
        height = max(
            self._row_height + 3,
            *(lines_height(item.label, w, size, bold=True) + 8 for item, w in columns if item.label not in tight),
        )
        return Band(
            name="columnHeader",
            height=height,
            elements=[
                self._make.static(f"header_{item.name}", item.label, x, 0, w, height, size=size, bold=True,
                             align="Center" if item.label in tight else self._align(item, heading=True),
                             padded=item.label not in tight, colour=look.head_ink, fill=look.head_fill,
                             borders=look.head)
                for (item, w), x in zip(columns, self._lefts(), strict=True)
            ],
        )  # fmt: skip

    def _detail(self) -> Band:
        elements: list[AnyElement] = [
            self._cell(item, x, 0, w, self._row_height, size=self._layout.size,
                        align=self._align(item), borders=self._style.row, stretches=True,
                        style=STRIPE if self._style.stripe else None)
            for item, x, w in zip(self._table.columns, self._lefts(), self._layout.widths, strict=True)
        ]  # fmt: skip
        return Band(name="detail", height=self._row_height, elements=elements, breaks=False)

    def _cell(self, item: SpecItem, *box: int, **options: Any) -> AnyElement:
        """Build the cell of a column; a share is known at the end of the report."""
        if item.share_of is None:
            return self._make.value(item.name, item.reference, item, *box, **options)
        expression = share_expression(item, self._table.columns)
        cell = self._make.value(item.name, expression, item, *box, **options)
        return cell.model_copy(update={"evaluation": "Auto", "adjust": "CutText"})

    def _group(self, level: int, item: SpecItem) -> Group:
        look, size, across, make = self._style, self._layout.size, self._layout.across, self._make
        label = item.label + look.colon
        indent = PAD + 12 * level
        room = min(whole_width([label], style(size, True)) + indent + PAD, across // 2)
        left = look.row.model_copy(update={"right": Pen()})
        right = look.row.model_copy(update={"left": Pen()})
        fill = look.group_fill if level == 0 else look.stripe or look.group_fill
        words = break_lines(label, room - indent - PAD, style(size, True))
        high = max(self._row_height + 1, whole_height(words, style(size, True)) + 4)
        header = Band(
            name="groupHeader",
            height=high,
            elements=[
                make.static(f"group_label_{item.name}", label, 0, 0, room, high, size=size, bold=True, indent=indent,
                             colour=look.quiet, fill=fill, borders=left, stretches=True),
                make.value(f"group_{item.name}", f"$F{{{item.name}}}", item, room, 0, across - room, high, size=size,
                            bold=True, align="Left", colour=look.ink, fill=fill, borders=right, stretches=True),
            ],
        )  # fmt: skip
        rows = self._total_rows(item)
        gap = 0 if look.centred else 6
        footer = Band(name="groupFooter", height=_bottom(rows) + gap, elements=rows, breaks=False) if rows else None
        new_page = self._spec.group_pages and level == 0
        return Group(name=item.name, expression=f"$F{{{item.name}}}", header=header, footer=footer, new_page=new_page)

    def _summary(self) -> list[Band]:
        rows: list[AnyElement] = []
        in_block = any(line.kind in ("net", "gross") for line in self._spec.summary) and len(self._totals) == 1
        if self._totals and not in_block and (self._spec.grand_total or not self._table.groups):
            rows = self._total_rows(None)
        rows += self._ending.elements(_bottom(rows), self._totals)
        return [Band(name="summary", height=_bottom(rows), elements=rows, breaks=False)] if rows else []

    def _total_rows(self, group: SpecItem | None) -> list[AnyElement]:
        """Build a row for each kind of total: its label before the first of its columns, then its values."""
        elements: list[AnyElement] = []
        for calculation in get_args(TotalKind):
            found = [total for total in self._totals if total.calculation == calculation]
            if found:
                elements += self._total_row(found, calculation, group, _bottom(elements))
        return elements

    def _total_row(
        self, totals: Sequence[SpecTotal], calculation: TotalKind, group: SpecItem | None, y: int
    ) -> list[AnyElement]:
        height = self._row_height + 2
        suffix = f"{calculation}_{group.name}" if group else calculation
        by_column = {total.item.name: total for total in totals}
        options = self._total_options(group)
        cells = list(zip(self._table.columns, self._lefts(), self._layout.widths, strict=True))
        first = next(n for n, (item, _, _) in enumerate(cells) if item.name in by_column)
        left = cells[first][1]
        # The label has the columns before the first total, or shares the first column with its value.
        available = left or cells[0][2] - total_width(totals[0].item, self._layout.size)
        label, label_width = self._fitting_label(calculation, group, available)
        elements: list[AnyElement] = []
        if left >= label_width:
            align: Align = "Center" if self._style.centred else "Left"
            label_options = {**options, "align": align}
            elements.append(self._make.static(f"total_label_{suffix}", label, 0, y, left, height, **label_options))
        elif left == 0 and available >= label_width:
            elements.append(self._make.static(f"total_label_{suffix}", label, 0, y, label_width, height, **options))
            cells[0] = cells[0][0], label_width, cells[0][2] - label_width
        else:  # the label needs its own line
            across = self._layout.across
            elements.append(self._make.static(f"total_label_{suffix}", label, 0, y, across, height, **options))
            y += height
            if left:
                elements.append(self._make.static(f"total_blank_{suffix}", "", 0, y, left, height, **options))
        for item, x, width in cells[first:]:
            total = by_column.get(item.name)
            if total is None:
                key = f"total_blank_{suffix}_{item.name}"
                elements.append(self._make.static(key, "", x, y, width, height, **options))
            else:
                key, variable = f"total_{suffix}_{item.name}", total.variable(group.name if group else None)
                elements.append(self._make.value(key, f"$V{{{variable}}}", total.shown_as, x, y, width, height,
                                            align=self._align(item), **options))  # fmt: skip
        return elements

    def _total_options(self, group: SpecItem | None) -> dict[str, Any]:
        style = self._style
        return {
            "size": self._layout.size, "bold": True, "fill": None if group and not style.centred else style.total_fill,
            "borders": style.total, "colour": style.ink, "stretches": True,
        }  # fmt: skip

    def _fitting_label(self, calculation: TotalKind, group: SpecItem | None, available: int) -> tuple[str, int]:
        """Return the best label that fits the available width, or the best of all, and its width."""
        labels = self._total_labels(calculation, group)
        text_style = style(self._layout.size, True)
        widths = {label: whole_width([label], text_style) + 2 * PAD for label in labels}
        label = next((label for label in labels if widths[label] <= available), labels[0])
        return label, widths[label]

    def _total_labels(self, calculation: TotalKind, group: SpecItem | None) -> list[str]:
        """Return the possible labels of a total, best first. The best names the group if there are several."""
        wording = self._style.totals[calculation][group is None]
        if group is None or len(self._table.groups) == 1:
            return [wording]
        return [f"{group.label}{wording}" if self._style.centred else f"{group.label} {wording.lower()}", wording]

    def _footer(self) -> list[Band]:
        spec, across, quiet = self._spec, self._layout.across, self._style.quiet
        if not spec.footer and not spec.page_numbers:
            return []
        elements: list[AnyElement] = [
            Line(key=self._make.key("footer_rule"), x=0, y=6, width=across, height=1, forecolour="#C3CDD4",
                 pen=Pen(width=0.5, colour="#C3CDD4"))
        ]  # fmt: skip
        high = 14
        if spec.footer:
            room = across * 2 // 3
            high = whole_height(break_lines(spec.footer, room, style(FOOTER_SIZE)), style(FOOTER_SIZE)) + 2
            elements.append(self._make.static("footer", spec.footer, 0, 12, room, high, size=FOOTER_SIZE, colour=quiet,
                                         valign="Top", padded=False))  # fmt: skip
        if spec.page_numbers:
            before, between = _NUMBERING[spec.language]
            after = " + " + java_string(" 页") if spec.language == "zh" else ""
            total = (
                22 if spec.language == "zh" else 12
            )  # wide enough for two digits; longer numbers are printed smaller
            start = across * 2 // 3 + 4
            font = Font(family=DEFAULT_FAMILY, size=FOOTER_SIZE)
            elements += [
                TextField(key=self._make.key("page_number"), x=start, y=12, width=across - start - total, height=14,
                          expression=f"{java_string(before)} + $V{{PAGE_NUMBER}} + {java_string(between)}",
                          align="Right", font=font, forecolour=quiet),
                TextField(key=self._make.key("page_total"), x=across - total, y=12, width=total, height=14,
                          expression=f'" " + $V{{PAGE_NUMBER}}{after}', evaluation="Report", adjust="ScaleFont",
                          font=font, forecolour=quiet),
            ]  # fmt: skip
        return [Band(name="pageFooter", height=12 + max(high, 14), elements=elements)]

    def _align(self, item: SpecItem, heading: bool = False) -> Align:
        if item.counter or item.java_class == BOOLEAN:
            return "Center"
        if self._style.centred and (heading or item.kind in ("date", "datetime") or _short(item)):
            return "Center"
        return "Right" if item.is_number else "Left"

    def _lefts(self) -> list[int]:
        return [sum(self._layout.widths[:n]) for n in range(len(self._layout.widths))]


def _needs_all_of(label: str, width: int, size: float) -> bool:
    """Whether a heading of one word fits its column only without padding: else the day 31 would break in two."""
    needed = whole_width([label], style(size, True))
    return len(label.split()) == 1 and width - 2 * PAD < needed <= width - 2


def _short(item: SpecItem) -> bool:
    """Whether the item is a text of at most four characters in every row."""
    return item.kind == "text" and all(len(item.shown(value)) <= 4 for value in item.values)


def _bottom(elements: Sequence[AnyElement]) -> int:
    return max((element.y + element.height for element in elements), default=0)
