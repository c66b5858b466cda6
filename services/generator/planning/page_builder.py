"""The page builder: collects planned elements by band, with the fields and the data they print."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction

from bandsmith.shared.fields.value_types import BOOLEAN, INTEGER, STRING
from bandsmith.shared.model.geometry import Size
from bandsmith.shared.model.layout import RowGroups
from bandsmith.shared.model.plan import (
    AnyElement,
    Band,
    BandName,
    Data,
    DataField,
    Group,
    ListElement,
    Margins,
    PlainElement,
    Plan,
    Rectangle,
    Variable,
)

from .element_boxes import PaddedBox
from .expressions import CURRENT_PAGE
from .regions import Region

WHITE_LEVEL = 0xFA
"""Paper whose channels are all this high, of 255, is white: no printer shows the difference."""
MAX_MARGIN_PT = 20
"""Margins are as wide as the form leaves free, up to this width."""
PAPER = "paper"
"""The key of the area that has the colour of the paper."""
GROUP = "group_1"
"""The name of the group until it gets the one of its field."""
_LAYERS = {"rectangle": 0, "image": 1, "line": 2, "staticText": 3, "textField": 3}
"""The drawing order of elements by kind, from back to front."""


class PageBuilder:
    """Takes elements in whole points of the page, and builds the plan from them."""

    def __init__(
        self,
        regions: Sequence[Region],
        groups: RowGroups | None = None,
        group_lines: Sequence[Region] = (),
        page_before: PageBuilder | None = None,
    ) -> None:
        """`groups` are those of the main table's rows, `group_lines` the regions of the lines above and below each.

        Of several pages, names go on with the numbers of the page before.
        """
        self.regions = list(regions)
        self.running_head: Region | None = None
        """The region of what pages after the first one have above the table, which is none of `regions`."""
        self._groups = groups
        self.row_regions = [region for region in regions if region.band == "detail"]
        self.detail = next((region for region in self.row_regions if region.host is None), None)
        self.data = Data(
            rows=_empty_rows(self.detail) if self.detail else [],
            lists={list_name(region.table): _empty_rows(region) for region in self.row_regions if region.host},
        )
        self._bands = _whole_bands(regions)
        self._group_lines = list(group_lines)
        self._elements: dict[str, list[PlainElement]] = {}
        self._list_fields: dict[str, list[DataField]] = {name: [] for name in self.data.lists}
        self._parameters: list[DataField] = []
        self._fields: list[DataField] = []
        self._variables: list[Variable] = []
        self._keys: Counter[str] = page_before._keys if page_before else Counter()
        self._names_before = page_before.names if page_before else []
        self._line_fields: dict[str, list[str]] = {}

    def region_at(self, y: float) -> Region | None:
        """The region at a height of the page."""
        return next((region for region in self.regions if region.top <= y < region.bottom), None)

    def band_of(self, box: PaddedBox) -> Region | None:
        """The region that a text belongs to: of a band with lists in it the whole band, as a text may stand beside one.

        What begins above a list does; what begins among the rows of a table has no place there.
        """
        found = self.region_at(box.y + box.height / 2)
        if found is None or (found.band == "detail" and (found.host is None or box.y >= found.top)):
            return found
        return self._bands[found.host or found.band]

    def add(self, element: PlainElement, region: Region | None, in_row: bool = False) -> None:
        """Add an element to the band of a region, or to the background without one. Its key derives from its source.

        With `in_row` the element's y is already relative to its row.
        """
        stem = element.source or "cell"
        self._keys[stem] += 1
        key = stem if self._keys[stem] == 1 else f"{stem}-{self._keys[stem]}"
        y, height = element.y, element.height
        if region is None:
            height = max(1, min(height, self.regions[-1].bottom - y))
        else:
            whole = self._bands[region.band] if region.band in self._bands and not region.host else region
            height = min(height, whole.height)
            # An element that ends just below its band, such as a line on the band's end, is moved into it.
            y = max(0, min(y if in_row else y - whole.top, whole.height - height))
        moved = element.model_copy(update={"key": key, "y": y, "height": height})
        self._elements.setdefault(_container(region), []).append(moved)

    def declare_parameter(self, stem: str, value: str | bool | None, label: str | None = None) -> str:
        """Declare a parameter with its value and return its name, the stem with a number."""
        name = _numbered(stem, self.names)
        self._parameters.append(DataField(name=name, label=label, java_class=_class_of(value)))
        self.data.parameters[name] = value
        return name

    def declare_field(
        self, stem: str, values: Sequence[str | bool | None], region: Region, label: str | None = None
    ) -> str:
        """Declare a field with its value in each row of a region and return its name, the stem with a number.

        A list's fields have its name before theirs, so that no two fields of the report have the same name.
        """
        own = list_name(region.table)
        fields, rows = (self._list_fields[own], self.data.lists[own]) if region.host else (self._fields, self.data.rows)
        name = _numbered(f"{own}_{stem}" if region.host else stem, fields)
        fields.append(DataField(name=name, label=label, java_class=_class_of(next(iter(values), None))))
        if region.band != "detail" and self._groups:
            values = [values[self._groups.group_of(row)] for row in range(len(rows))]
            self._line_fields.setdefault(region.band, []).append(name)
        for row, value in zip(rows, values, strict=True):
            row[name] = value
        return name

    def filled_rows(self) -> dict[str, set[int]]:
        """Return the rows in which each field of the main table has a value."""
        rows = self.data.rows
        return {one.name: {n for n, row in enumerate(rows) if row.get(one.name) is not None} for one in self._fields}

    def _group_key(self) -> str:
        """Return the field that names the groups: that of their headings, a column, or that of their subtotals."""
        assert self._groups is not None
        own = [*self._line_fields.get("groupHeader", []), *self._line_fields.get("groupFooter", [])]
        columns = [field.name for field in self._fields if field.name not in own]
        headings = self._line_fields.get("groupHeader", [])
        return next(name for name in [*headings, *columns, *own] if self._divides_rows(name))

    def _divides_rows(self, field: str) -> bool:
        """Whether a field has one value in each group, and another one in the next."""
        assert self._groups is not None
        starts = [row for row in range(1, len(self.data.rows)) if row in self._groups.first_rows]
        changes = [
            row
            for row in range(1, len(self.data.rows))
            if self.data.rows[row].get(field) != self.data.rows[row - 1].get(field)
        ]
        return changes == starts

    @property
    def names(self) -> list[DataField]:
        """The parameters of this page and of the pages before it."""
        return [*self._names_before, *self._parameters]

    def declare_page_variable(self) -> None:
        """Declare the variable that holds the number of the page."""
        if not self._variables:
            number = "$V{PAGE_NUMBER}"
            self._variables.append(
                Variable(name=CURRENT_PAGE, expression=number, java_class=INTEGER, initial=number, resets_on_page=True)
            )

    def colour_paper(self, page: Size, paper: str, key: str = PAPER, *, always: bool = False) -> None:
        """Print the colour of the paper behind everything, `always` or unless it is white."""
        if always or not _prints_as_white(paper):
            width, height = round(page.width), round(page.height)
            background = Rectangle(key=key, x=0, y=0, width=width, height=height, backcolour=paper)
            self._elements.setdefault("background", []).insert(0, background)

    def plan(self, name: str, page: Size, margins: Margins | None = None) -> Plan:
        """Build the plan. Unless given, its margins are what no element reaches."""
        width, height = round(page.width), round(page.height)
        margins = margins or self.free_margins(page)
        bands = [self._background(height, margins)]
        bands += [self._band(band, width, height, margins) for band in self._bands.values()]
        if self.running_head is not None and (head := self._band(self.running_head, width, height, margins)):
            bands.append(head.model_copy(update={"print_when": "$V{PAGE_NUMBER} > 1"}))
        lines = {region.band: self._line_of_group(region, margins) for region in self._group_lines}
        if self.detail and self.detail.spare:
            bands.append(Band(name="detail", height=1, print_when=_spacer_condition(self.detail.spare)))
        return Plan(
            name=name,
            page_width=width,
            page_height=height,
            margins=margins,
            bands=[band for band in bands if band is not None],
            parameters=[
                *self._parameters,
                *(DataField(name=name, java_class="java.util.Collection") for name in self.data.lists),
            ],
            fields=self._fields,
            variables=self._variables,
            groups=self._planned_groups(lines),
        )

    def _planned_groups(self, lines: Mapping[BandName, Band]) -> list[Group]:
        if not self._groups:
            return []
        expression = f"$F{{{self._group_key()}}}"
        header, footer = lines.get("groupHeader"), lines.get("groupFooter")
        return [Group(name=GROUP, expression=expression, header=header, footer=footer)]

    def _line_of_group(self, region: Region, margins: Margins) -> Band:
        elements = self._band_elements(region.band, margins.left, 0)
        return Band(name=region.band, height=region.height, elements=[*elements])

    def _background(self, page_height: int, margins: Margins) -> Band | None:
        elements = self._band_elements("background", margins.left, margins.top)
        height = page_height - margins.top - margins.bottom
        return Band(name="background", height=height, elements=[*elements]) if elements else None

    def _band(self, region: Region, page_width: int, page_height: int, margins: Margins) -> Band | None:
        """A region's band; None where it prints nothing and holds nothing below it in position."""
        top = margins.top if region.top == 0 else 0
        plain = self._band_elements(region.band, margins.left, top)
        height = region.height - top - (margins.bottom if region.bottom == page_height else 0)
        elements, saved = self._with_lists(plain, region, top, page_width - margins.right, margins.left)
        height = max([height - saved, *(one.y + one.height for one in elements)])
        if region.band == "summary" or (region.band == "title" and self.detail is None):
            # Nothing follows that it would hold in position, and later additions find the free end of the page.
            height = max((element.y + element.height for element in elements), default=0)
        if height <= 0 or not (elements or region.band in ("title", "columnHeader", "detail")):
            return None
        return Band(name=region.band, height=height, elements=elements)

    def _with_lists(
        self, plain: list[PlainElement], band: Region, top: int, right: int, left: int
    ) -> tuple[list[AnyElement], int]:
        """Add the lists of a band, and move what is below them up: a list grows from the height of one row.

        A list is as wide as the band, so that everything below moves down with it. Returns the points saved, too.
        """
        saved, elements = 0, list[AnyElement](plain)
        for region in (one for one in self.row_regions if one.host == band.band):
            name, y = list_name(region.table), region.top - band.top - top - saved
            rest = region.bottom - region.top - region.height
            below = [element for element in elements if element.y >= y + region.height + rest - 1]
            end = y + region.height
            # The engine moves down only what begins at the list's end or below it.
            elements = [
                one.model_copy(update={"y": max(one.y - rest, end), "floats": True}) if one in below else one
                for one in elements
            ]
            contents = self._band_elements(_container(region), left, 0)
            found = ListElement(
                key=name, x=0, y=y, width=right - left, height=region.height, floats=saved > 0, name=name,
                fields=self._list_fields[name], contents=contents,
            )  # fmt: skip
            elements.append(found)
            saved += rest
        return elements, saved

    def _band_elements(self, band: str, left: int, top: int) -> list[PlainElement]:
        """A band's elements from back to front, relative to the margins. Of two areas the larger is behind."""
        elements = self._elements.get(band, [])
        ordered = sorted(elements, key=lambda e: (_LAYERS[e.kind], -e.width * e.height if e.kind == "rectangle" else 0))
        return [element.model_copy(update={"x": element.x - left, "y": element.y - top}) for element in ordered]

    def free_margins(self, page: Size) -> Margins:
        """Return the margins that no element reaches."""
        page_width, page_height = round(page.width), round(page.height)
        lefts, rights = [MAX_MARGIN_PT], [MAX_MARGIN_PT]
        tops = [MAX_MARGIN_PT, *(region.top for region in self.regions if region.top or region is self.detail)]
        bottoms = [MAX_MARGIN_PT, *(page_height - region.bottom for region in self.row_regions)]
        for band, elements in self._elements.items():
            lefts += [element.x for element in elements]
            rights += [page_width - element.x - element.width for element in elements]
            if band in self.data.lists:
                continue
            region = self._bands.get(band)
            for element in elements:
                if region is None or region.top == 0:
                    tops.append(element.y)
                if region is None or region.bottom == page_height:
                    bottoms.append(page_height - (region.top if region else 0) - element.y - element.height)
        return Margins(
            left=max(0, min(lefts)), right=max(0, min(rights)), top=max(0, min(tops)), bottom=max(0, min(bottoms))
        )


def list_name(table: int) -> str:
    """The name of a further table, by its number among the layout's tables, until it gets one from its wording."""
    return f"list_{table}"


def _class_of(value: str | bool | None) -> str:
    return BOOLEAN if isinstance(value, bool) else STRING


def _container(region: Region | None) -> str:
    """What holds the elements of a region: its list, its band, or the background."""
    if region is None:
        return "background"
    return list_name(region.table) if region.host else region.band


def _empty_rows(region: Region) -> list[dict[str, str | int | float | bool | None]]:
    return [{} for _ in range(region.rows + region.continued)]


def _whole_bands(regions: Sequence[Region]) -> dict[str, Region]:
    """The regions by band, with the parts around a list as one."""
    whole: dict[str, Region] = {}
    for region in regions:
        band = region.host or region.band
        known = whole.get(band)
        if known is None:
            known = region if region.host is None else Region(band, region.top, region.bottom)
        whole[band] = replace(known, bottom=region.bottom)
    return whole


def _spacer_condition(spare: Fraction) -> str:
    """The condition that prints a one-point spacer after a row as often as rows are `spare` points too low."""
    through_row = f"$V{{REPORT_COUNT}} * {spare.numerator} / {spare.denominator}"
    before_row = f"($V{{REPORT_COUNT}} - 1) * {spare.numerator} / {spare.denominator}"
    return f"{through_row} > {before_row}"


def _numbered(stem: str, declared: Sequence[DataField]) -> str:
    return f"{stem}_{1 + sum(field.name.startswith(f'{stem}_') for field in declared)}"


def _prints_as_white(colour: str) -> bool:
    return min(bytes.fromhex(colour.removeprefix("#"))) >= WHITE_LEVEL
