"""The page builder: collects planned elements by band, with the fields and the data they print."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from fractions import Fraction

from bandsmith.shared.fields.value_types import INTEGER
from bandsmith.shared.model.geometry import Size
from bandsmith.shared.model.plan import AnyElement, Band, BandName, Data, DataField, Margins, Plan, Rectangle, Variable

from .expressions import CURRENT_PAGE
from .regions import Region

MAX_MARGIN_PT = 20
"""Margins are as wide as the form leaves free, up to this width."""
_LAYERS = {"rectangle": 0, "image": 1, "line": 2, "staticText": 3, "textField": 3}
"""The drawing order of elements by kind, from back to front."""


class PageBuilder:
    """Takes elements in whole points of the page, and builds the plan from them."""

    def __init__(self, regions: Sequence[Region]) -> None:
        self.regions = list(regions)
        self.detail = next((region for region in regions if region.band == "detail"), None)
        self.data = Data(rows=[{} for _ in range(self.detail.rows)] if self.detail else [])
        self._elements: dict[BandName, list[AnyElement]] = {}
        self._parameters: list[DataField] = []
        self._fields: list[DataField] = []
        self._variables: list[Variable] = []
        self._keys: Counter[str] = Counter()

    def region_at(self, y: float) -> Region | None:
        """The region at a height of the page."""
        return next((region for region in self.regions if region.top <= y < region.bottom), None)

    def add(self, element: AnyElement, region: Region | None, in_row: bool = False) -> None:
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
            height = min(height, region.height)
            # An element that ends just below its band, such as a line on the band's end, is moved into it.
            y = max(0, min(y if in_row else y - region.top, region.height - height))
        moved = element.model_copy(update={"key": key, "y": y, "height": height})
        self._elements.setdefault(region.band if region else "background", []).append(moved)

    def declare_parameter(self, stem: str, value: str | None, label: str | None = None) -> str:
        """Declare a parameter with its value and return its name, the stem with a number."""
        name = _numbered(stem, self._parameters)
        self._parameters.append(DataField(name=name, label=label))
        self.data.parameters[name] = value
        return name

    def declare_field(self, stem: str, values: Sequence[str | None], label: str | None = None) -> str:
        """Declare a field with its value in each row and return its name, the stem with a number."""
        name = _numbered(stem, self._fields)
        self._fields.append(DataField(name=name, label=label))
        for row, value in zip(self.data.rows, values, strict=True):
            row[name] = value
        return name

    def declare_page_variable(self) -> None:
        """Declare the variable that holds the number of the page."""
        if not self._variables:
            number = "$V{PAGE_NUMBER}"
            self._variables.append(
                Variable(name=CURRENT_PAGE, expression=number, java_class=INTEGER, initial=number, resets_on_page=True)
            )

    def plan(self, name: str, page: Size, paper: str) -> Plan:
        """Build the plan. Its margins are what no element reaches."""
        width, height = round(page.width), round(page.height)
        if paper.upper() != "#FFFFFF":
            background = Rectangle(key="paper", x=0, y=0, width=width, height=height, backcolour=paper)
            self._elements.setdefault("background", []).insert(0, background)
        margins = self._margins(width, height)
        bands = [self._background(height, margins), *(self._band(region, height, margins) for region in self.regions)]
        if self.detail and self.detail.spare:
            bands.append(Band(name="detail", height=1, print_when=_spacer_condition(self.detail.spare)))
        return Plan(
            name=name,
            page_width=width,
            page_height=height,
            margins=margins,
            bands=[band for band in bands if band is not None],
            parameters=self._parameters,
            fields=self._fields,
            variables=self._variables,
        )

    def _background(self, page_height: int, margins: Margins) -> Band | None:
        elements = self._band_elements("background", margins.left, margins.top)
        height = page_height - margins.top - margins.bottom
        return Band(name="background", height=height, elements=elements) if elements else None

    def _band(self, region: Region, page_height: int, margins: Margins) -> Band | None:
        """A region's band; None where it prints nothing and holds nothing below it in position."""
        top = margins.top if region.top == 0 else 0
        elements = self._band_elements(region.band, margins.left, top)
        height = region.height - top - (margins.bottom if region.bottom == page_height else 0)
        if region.band == "summary" or (region.band == "title" and self.detail is None):
            # Nothing follows that it would hold in position, and later additions find the free end of the page.
            height = max((element.y + element.height for element in elements), default=0)
        if height <= 0 or not (elements or region.band in ("title", "detail")):
            return None
        return Band(name=region.band, height=height, elements=elements)

    def _band_elements(self, band: BandName, left: int, top: int) -> list[AnyElement]:
        """A band's elements from back to front, relative to the margins. Of two areas the larger is behind."""
        elements = self._elements.get(band, [])
        ordered = sorted(elements, key=lambda e: (_LAYERS[e.kind], -e.width * e.height if e.kind == "rectangle" else 0))
        return [element.model_copy(update={"x": element.x - left, "y": element.y - top}) for element in ordered]

    def _margins(self, page_width: int, page_height: int) -> Margins:
        lefts, rights = [MAX_MARGIN_PT], [MAX_MARGIN_PT]
        tops = [MAX_MARGIN_PT, *(region.top for region in self.regions if region.top or region is self.detail)]
        bottoms = [MAX_MARGIN_PT] + ([page_height - self.detail.bottom] if self.detail else [])
        by_band = {region.band: region for region in self.regions}
        for band, elements in self._elements.items():
            region = by_band.get(band)
            for element in elements:
                lefts.append(element.x)
                rights.append(page_width - element.x - element.width)
                if region is None or region.top == 0:
                    tops.append(element.y)
                if region is None or region.bottom == page_height:
                    bottoms.append(page_height - (region.top if region else 0) - element.y - element.height)
        return Margins(
            left=max(0, min(lefts)), right=max(0, min(rights)), top=max(0, min(tops)), bottom=max(0, min(bottoms))
        )


def _spacer_condition(spare: Fraction) -> str:
    """The condition that prints a one-point spacer after a row as often as rows are `spare` points too low."""
    through_row = f"$V{{REPORT_COUNT}} * {spare.numerator} / {spare.denominator}"
    before_row = f"($V{{REPORT_COUNT}} - 1) * {spare.numerator} / {spare.denominator}"
    return f"{through_row} > {before_row}"


def _numbered(stem: str, declared: Sequence[DataField]) -> str:
    return f"{stem}_{1 + sum(field.name.startswith(f'{stem}_') for field in declared)}"
