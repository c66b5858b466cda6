"""From a spec to a plan and the data that fill it: title, lines above the table, the table, its totals, the foot."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, get_args

from bandsmith.shared.fonts import DEFAULT_FAMILY
from bandsmith.shared.jrxml.java_literals import java_string
from bandsmith.shared.jrxml.typesetting import break_lines, whole_height, whole_width
from bandsmith.shared.model.layout import Align, VAlign
from bandsmith.shared.model.plan import (
    AnyElement,
    Band,
    Borders,
    Data,
    Font,
    Group,
    Line,
    Padding,
    Pen,
    Plan,
    SortField,
    StaticText,
    Style,
    TextField,
)
from bandsmith.shared.model.spec import ReportSpec

from .samples import SampleValue
from .style import ReportStyle, style_of
from .table import BOOLEAN, SpecItem, SpecTable, tabulated
from .totals import SpecTotal, Way, totals_of, variables
from .widths import PAD, ColumnWidths, lines_height, settled, style, widest

LOCALE = "REPORT_LOCALE"
STRIPE = "Row"
TITLE, HEAD, SMALL = 20.0, 10.0, 8.0
"""Points of the title, of the lines above the table, of the page's foot."""
_NUMBERING = {"en": ("Page ", " of"), "zh": ("第 ", " 页 / 共")}


def build_spec(spec: ReportSpec, name: str = "report") -> tuple[Plan, Data]:
    """A plan of the report, and sample data for it: the spec's own rows, else made-up ones."""
    return _Builder(spec, name).build()


class _Builder:
    """One spec on its way to a plan."""

    def __init__(self, spec: ReportSpec, name: str) -> None:
        self.__spec, self._name = spec, name
        self._table: SpecTable = tabulated(spec)
        self._set: ColumnWidths = settled(spec, self._table)
        self._look: ReportStyle = style_of(spec.language)
        self._totals: list[SpecTotal] = totals_of(self._table.columns)
        self._row = round(self._set.size * 2) + (2 if self._look.centred else 1)
        self._keys: set[str] = set()

    def build(self) -> tuple[Plan, Data]:
        table, columns = self._table, self._table.columns
        plan = Plan(
            name=self._name,
            page_width=self._set.page[0],
            page_height=self._set.page[1],
            margins=self._set.margins,
            parameters=[item.field for item in table.above if item.field],
            fields=[item.field for item in table.fields if item.field],
            styles=[Style(name=STRIPE, condition="$V{REPORT_COUNT} % 2 == 0", backcolour=self._look.stripe)]
            if self._look.stripe
            else [],
            sort=self._sorting(),
            variables=variables(columns, self._totals, [group.name for group in table.groups]),
            bands=[
                self._title(),
                self._headings(),
                self._detail(),
                *self._foot(),
                *self._summary(),
            ],
            groups=[self._group(level, group) for level, group in enumerate(table.groups)],
            locale=table.locale,
        )
        return plan, self._data()

    def _data(self) -> Data:
        table = self._table
        parameters: dict[str, SampleValue] = {item.name: item.values[0] for item in table.above}
        if table.locale:
            parameters[LOCALE] = table.locale
        rows = [{item.name: item.values[n] for item in table.fields} for n in range(table.rows)]
        return Data(parameters=parameters, rows=rows)

    def _sorting(self) -> list[SortField]:
        """Groups need their rows together; what was asked for orders the rows within them."""
        by_label = {item.label: item for item in self._table.columns if not item.counter}
        asked = [(by_label[sort.column], sort.descending) for sort in self.__spec.sort if sort.column in by_label]
        found = {item.name: SortField(name=item.name) for item in self._table.groups}
        for item, descending in asked:
            found[item.name] = SortField(name=item.name, descending=descending, variable=item.computed is not None)
        return list(found.values())

    # --- bands -------------------------------------------------------------------------------------------------------

    def _title(self) -> Band:
        across = self._set.across
        align: Align = "Center" if self._look.centred else "Left"
        lines = break_lines(self.__spec.title, across, style(TITLE, True))
        height = whole_height(lines, style(TITLE, True)) + 4
        elements: list[AnyElement] = [
            self._static("title", self.__spec.title, 0, 0, across, height, size=TITLE, bold=True, align=align,
                         colour=self._look.ink, padded=False)
        ]  # fmt: skip
        if not self._look.centred:
            elements.append(Line(key=self._key("title_rule"), x=0, y=height + 4, width=across, height=1,
                                 pen=Pen(width=1.5, colour=self._look.ink), forecolour=self._look.ink))  # fmt: skip
        top = height + (8 if self._look.centred else 14)
        above, bottom = self._above(top)
        return Band(name="title", height=bottom + 10 if above else top + 2, elements=[*elements, *above])

    def _above(self, top: int) -> tuple[list[AnyElement], int]:
        """The lines above the table, side by side in two or three columns, and where they end."""
        items = self._table.above
        if not items:
            return [], top
        across = self._set.across
        beside = 3 if across > 600 and len(items) > 2 else min(2, len(items))
        wide = across // beside
        elements: list[AnyElement] = []
        for start in range(0, len(items), beside):  # read line by line, as a letter's head is
            line = items[start : start + beside]
            rooms = [self._label_room(items[column::beside], wide) for column in range(len(line))]
            labels = [item.label + self._look.colon for item in line]
            high = max(self._fitting(label, room) for label, room in zip(labels, rooms, strict=True))
            for column, (item, label, room) in enumerate(zip(line, labels, rooms, strict=True)):
                x = column * wide
                elements += [
                    self._static(f"label_{item.name}", label, x, top, room, high, size=HEAD, colour=self._look.quiet,
                                 padded=False),
                    self._value(f"value_{item.name}", f"$P{{{item.name}}}", item, x + room, top, wide - room - 10,
                                high, size=HEAD, align="Left", padded=False),
                ]  # fmt: skip
            top += high
        return elements, top

    def _label_room(self, items: Sequence[SpecItem], wide: int) -> int:
        """The width of the labels in one column of the lines above the table."""
        widest_label = max(whole_width([item.label + self._look.colon], style(HEAD)) for item in items)
        return min(widest_label + 6, wide // 2)

    def _fitting(self, text: str, width: int) -> int:
        return max(18, whole_height(break_lines(text, width, style(HEAD)), style(HEAD)) + 4)

    def _headings(self) -> Band:
        look, size = self._look, self._set.size
        columns = list(zip(self._table.columns, self._set.widths, strict=True))
        height = max(self._row + 3, *(lines_height(item.label, w, size, bold=True) + 8 for item, w in columns))
        return Band(
            name="columnHeader",
            height=height,
            elements=[
                self._static(f"header_{item.name}", item.label, x, 0, w, height, size=size, bold=True,
                             align=self._align(item, heading=True), colour=look.head_ink, fill=look.head_fill,
                             borders=look.head)
                for (item, w), x in zip(columns, self._lefts(), strict=True)
            ],
        )  # fmt: skip

    def _detail(self) -> Band:
        elements: list[AnyElement] = [
            self._value(item.name, item.reference, item, x, 0, w, self._row, size=self._set.size,
                        align=self._align(item), borders=self._look.row, stretches=True,
                        style=STRIPE if self._look.stripe else None)
            for item, x, w in zip(self._table.columns, self._lefts(), self._set.widths, strict=True)
        ]  # fmt: skip
        return Band(name="detail", height=self._row, elements=elements, breaks=False)

    def _group(self, level: int, item: SpecItem) -> Group:
        look, size, across = self._look, self._set.size, self._set.across
        label = item.label + look.colon
        indent = PAD + 12 * level
        room = min(whole_width([label], style(size, True)) + indent + PAD, across // 2)
        left = look.row.model_copy(update={"right": Pen()})
        right = look.row.model_copy(update={"left": Pen()})
        fill = look.group_fill if level == 0 else look.stripe or look.group_fill
        words = break_lines(label, room - indent - PAD, style(size, True))
        high = max(self._row + 1, whole_height(words, style(size, True)) + 4)
        header = Band(
            name="groupHeader",
            height=high,
            elements=[
                self._static(f"group_label_{item.name}", label, 0, 0, room, high, size=size, bold=True, indent=indent,
                             colour=look.quiet, fill=fill, borders=left, stretches=True),
                self._value(f"group_{item.name}", f"$F{{{item.name}}}", item, room, 0, across - room, high, size=size,
                            bold=True, align="Left", colour=look.ink, fill=fill, borders=right, stretches=True),
            ],
        )  # fmt: skip
        rows = self._total_rows(item)
        gap = 0 if look.centred else 6
        footer = Band(name="groupFooter", height=_bottom(rows) + gap, elements=rows, breaks=False) if rows else None
        return Group(name=item.name, expression=f"$F{{{item.name}}}", header=header, footer=footer)

    def _summary(self) -> list[Band]:
        if not self._totals or not (self.__spec.grand_total or not self._table.groups):
            return []
        rows = self._total_rows(None)
        return [Band(name="summary", height=_bottom(rows), elements=rows, breaks=False)]

    def _total_rows(self, group: SpecItem | None) -> list[AnyElement]:
        """One row for each way of totalling: its wording before the first of its columns, then its values."""
        elements: list[AnyElement] = []
        for calculation in get_args(Way):
            found = [total for total in self._totals if total.calculation == calculation]
            if found:
                elements += self._total_row(found, calculation, group, _bottom(elements))
        return elements

    def _total_row(
        self, found: Sequence[SpecTotal], calculation: Way, group: SpecItem | None, y: int
    ) -> list[AnyElement]:
        look, size, high = self._look, self._set.size, self._row + 2
        suffix = f"{calculation}_{group.name}" if group else calculation
        wordings = self._wordings(calculation, group)
        by_column = {total.item.name: total for total in found}
        common: dict[str, Any] = {
            "size": size, "bold": True, "fill": None if group and not look.centred else look.total_fill,
            "borders": look.total, "colour": look.ink, "stretches": True,
        }  # fmt: skip
        places = list(zip(self._table.columns, self._lefts(), self._set.widths, strict=True))
        first = next(n for n, (item, _, _) in enumerate(places) if item.name in by_column)
        elements: list[AnyElement] = []
        before = places[first][1]
        # Its room is before the values, or in the first column beside the value.
        room = before or places[0][2] - widest(found[0].item, size)
        widths = {wording: whole_width([wording], style(size, True)) + 2 * PAD for wording in wordings}
        wording = next((one for one in wordings if widths[one] <= room), wordings[0])
        needed = widths[wording]
        if before >= needed:
            elements.append(self._static(f"total_label_{suffix}", wording, 0, y, before, high,
                                         align="Center" if look.centred else "Left", **common))  # fmt: skip
        elif before == 0 and room >= needed:
            elements.append(self._static(f"total_label_{suffix}", wording, 0, y, needed, high, **common))
            places[0] = places[0][0], needed, places[0][2] - needed
        else:  # a line of its own
            elements.append(self._static(f"total_label_{suffix}", wording, 0, y, self._set.across, high, **common))
            y += high
            if before:
                elements.append(self._static(f"total_blank_{suffix}", "", 0, y, before, high, **common))
        for item, x, w in places[first:]:
            total = by_column.get(item.name)
            if total is None:
                elements.append(self._static(f"total_blank_{suffix}_{item.name}", "", x, y, w, high, **common))
            else:
                elements.append(
                    self._value(f"total_{suffix}_{item.name}", f"$V{{{total.variable(group.name if group else None)}}}",
                                total.shown_as, x, y, w, high, align=self._align(item), **common)
                )  # fmt: skip
        return elements

    def _wordings(self, calculation: Way, group: SpecItem | None) -> list[str]:
        """What may stand before a total, the best first: one of several groups is named where there is room."""
        wording = self._look.totals[calculation][group is None]
        if group is None or len(self._table.groups) == 1:
            return [wording]
        return [f"{group.label}{wording}" if self._look.centred else f"{group.label} {wording.lower()}", wording]

    def _foot(self) -> list[Band]:
        spec, across, quiet = self.__spec, self._set.across, self._look.quiet
        if not spec.footer and not spec.page_numbers:
            return []
        elements: list[AnyElement] = [
            Line(key=self._key("footer_rule"), x=0, y=6, width=across, height=1, forecolour="#C3CDD4",
                 pen=Pen(width=0.5, colour="#C3CDD4"))
        ]  # fmt: skip
        high = 14
        if spec.footer:
            room = across * 2 // 3
            high = whole_height(break_lines(spec.footer, room, style(SMALL)), style(SMALL)) + 2
            elements.append(self._static("footer", spec.footer, 0, 12, room, high, size=SMALL, colour=quiet,
                                         valign="Top", padded=False))  # fmt: skip
        if spec.page_numbers:
            before, between = _NUMBERING[spec.language]
            after = " + " + java_string(" 页") if spec.language == "zh" else ""
            total = 22 if spec.language == "zh" else 12  # room for two digits, more are printed smaller
            start = across * 2 // 3 + 4
            font = Font(family=DEFAULT_FAMILY, size=SMALL)
            elements += [
                TextField(key=self._key("page_number"), x=start, y=12, width=across - start - total, height=14,
                          expression=f"{java_string(before)} + $V{{PAGE_NUMBER}} + {java_string(between)}",
                          align="Right", font=font, forecolour=quiet),
                TextField(key=self._key("page_total"), x=across - total, y=12, width=total, height=14,
                          expression=f'" " + $V{{PAGE_NUMBER}}{after}', evaluation="Report", adjust="ScaleFont",
                          font=font, forecolour=quiet),
            ]  # fmt: skip
        return [Band(name="pageFooter", height=12 + max(high, 14), elements=elements)]

    # --- elements ----------------------------------------------------------------------------------------------------

    def _static(self, key: str, text: str, x: int, y: int, width: int, height: int, **look: Any) -> StaticText:
        return StaticText(key=self._key(key), text=text, x=x, y=y, width=width, height=height, **_looks(**look))

    def _value(
        self, key: str, expression: str, item: SpecItem, x: int, y: int, width: int, height: int, **look: Any
    ) -> TextField:
        """A field's value in its pattern, which takes as many lines as it needs."""
        pattern = item.pattern
        if item.java_class == BOOLEAN:
            yes, no = java_string(self._look.yes), java_string(self._look.no)
            expression, pattern = f'{expression} == null ? "" : {expression} ? {yes} : {no}', None
        return TextField(
            key=self._key(key), expression=expression, pattern=pattern, adjust="StretchHeight", x=x, y=y, width=width,
            height=height, **_looks(**look),
        )  # fmt: skip

    def _align(self, item: SpecItem, heading: bool = False) -> Align:
        if item.counter or item.java_class == BOOLEAN:
            return "Center"
        if self._look.centred and (heading or item.kind in ("date", "datetime") or _short(item)):
            return "Center"
        return "Right" if item.is_number else "Left"

    def _lefts(self) -> list[int]:
        return [sum(self._set.widths[:n]) for n in range(len(self._set.widths))]

    def _key(self, stem: str) -> str:
        key, number = stem, 1
        while key in self._keys:
            number += 1
            key = f"{stem}_{number}"
        self._keys.add(key)
        return key


def _looks(
    size: float,
    bold: bool = False,
    align: Align = "Left",
    valign: VAlign = "Middle",
    colour: str = "#1F2933",
    fill: str | None = None,
    borders: Borders | None = None,
    padded: bool = True,
    indent: int = PAD,
    stretches: bool = False,
    style: str | None = None,
) -> dict[str, Any]:
    return {
        "font": Font(family=DEFAULT_FAMILY, size=size, bold=bold),
        "align": align,
        "valign": valign,
        "forecolour": colour,
        "backcolour": fill,
        "borders": borders or Borders(),
        "padding": Padding(left=indent, right=PAD, top=2, bottom=2) if padded else Padding(),
        "stretches": stretches,
        "style": style,
    }


def _short(item: SpecItem) -> bool:
    """Text of a few characters in every row."""
    return item.kind == "text" and all(len(item.shown(value)) <= 4 for value in item.values)


def _bottom(elements: Sequence[AnyElement]) -> int:
    return max((element.y + element.height for element in elements), default=0)
