"""The sheet: what has been planned so far, band by band, with the fields and the data behind it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from fractions import Fraction

from bandsmith.shared.model.geometry import Size
from bandsmith.shared.model.plan import AnyElement, Band, BandName, Data, DataField, Margins, Plan, Rectangle

from .regions import Region

MARGIN = 20
"""Margins are as wide as the form leaves free, at most so many points."""
_LAYERS = {"rectangle": 0, "image": 1, "line": 2, "staticText": 3, "textField": 3}
"""What lies behind what."""


class Sheet:
    """Takes elements in whole points of the page, and makes the plan of them."""

    def __init__(self, regions: Sequence[Region]) -> None:
        self.regions = list(regions)
        self.detail = next((region for region in regions if region.band == "detail"), None)
        self.data = Data(rows=[{} for _ in range(self.detail.rows)] if self.detail else [])
        self._elements: dict[BandName, list[AnyElement]] = {}
        self._parameters: list[DataField] = []
        self._fields: list[DataField] = []
        self._keys: Counter[str] = Counter()

    def home(self, y: float) -> Region | None:
        """The region at a height of the page."""
        return next((region for region in self.regions if region.top <= y < region.bottom), None)

    def add(self, element: AnyElement, region: Region | None, in_row: bool = False) -> None:
        """Put an element into a band, the background without a region. Its key is made of its source.

        `in_row` says that its y is already that of its row.
        """
        stem = element.source or "cell"
        self._keys[stem] += 1
        key = stem if self._keys[stem] == 1 else f"{stem}-{self._keys[stem]}"
        y, height = element.y, element.height
        if region is None:
            height = max(1, min(height, self.regions[-1].bottom - y))
        else:
            height = min(height, region.height)
            # What ends a hair below its band, such as a line on the band's end, is moved into it.
            y = max(0, min(y if in_row else y - region.top, region.height - height))
        moved = element.model_copy(update={"key": key, "y": y, "height": height})
        self._elements.setdefault(region.band if region else "background", []).append(moved)

    def parameter(self, stem: str, value: str, label: str | None = None) -> str:
        """Declare a parameter with its value; its name is the stem and a number."""
        name = _next(stem, self._parameters)
        self._parameters.append(DataField(name=name, label=label))
        self.data.parameters[name] = value
        return name

    def field(self, stem: str, values: Sequence[str | None], label: str | None = None) -> str:
        """Declare a field with its value in each row; its name is the stem and a number."""
        name = _next(stem, self._fields)
        self._fields.append(DataField(name=name, label=label))
        for row, value in zip(self.data.rows, values, strict=True):
            row[name] = value
        return name

    def plan(self, name: str, page: Size, paper: str) -> Plan:
        """All of it. The margins are what no element reaches."""
        width, height = round(page.width), round(page.height)
        if paper.upper() != "#FFFFFF":
            sheet = Rectangle(key="paper", x=0, y=0, width=width, height=height, backcolour=paper)
            self._elements.setdefault("background", []).insert(0, sheet)
        margins = self._margins(width, height)
        bands = [self._background(height, margins), *(self._band(region, height, margins) for region in self.regions)]
        if self.detail and self.detail.spare:
            bands.append(Band(name="detail", height=1, print_when=_spacing(self.detail.spare)))
        return Plan(
            name=name,
            page_width=width,
            page_height=height,
            margins=margins,
            bands=[band for band in bands if band is not None],
            parameters=self._parameters,
            fields=self._fields,
        )

    def _background(self, page_height: int, margins: Margins) -> Band | None:
        elements = self._within("background", margins.left, margins.top)
        height = page_height - margins.top - margins.bottom
        return Band(name="background", height=height, elements=elements) if elements else None

    def _band(self, region: Region, page_height: int, margins: Margins) -> Band | None:
        """A region's band; None where there is nothing to print and nothing below it to hold off."""
        top = margins.top if region.top == 0 else 0
        elements = self._within(region.band, margins.left, top)
        height = region.height - top - (margins.bottom if region.bottom == page_height else 0)
        if region.band == "summary" or (region.band == "title" and self.detail is None):
            # Nothing is below that it would hold off, and what is added later finds the page's free end.
            height = max((element.y + element.height for element in elements), default=0)
        if height <= 0 or not (elements or region.band in ("title", "detail")):
            return None
        return Band(name=region.band, height=height, elements=elements)

    def _within(self, band: BandName, left: int, top: int) -> list[AnyElement]:
        """A band's elements from back to front, relative to the margins; of two areas the larger is behind."""
        inside = self._elements.get(band, [])
        ordered = sorted(inside, key=lambda e: (_LAYERS[e.kind], -e.width * e.height if e.kind == "rectangle" else 0))
        return [element.model_copy(update={"x": element.x - left, "y": element.y - top}) for element in ordered]

    def _margins(self, page_width: int, page_height: int) -> Margins:
        lefts, rights = [MARGIN], [MARGIN]
        tops = [MARGIN, *(region.top for region in self.regions if region.top or region is self.detail)]
        bottoms = [MARGIN] + ([page_height - self.detail.bottom] if self.detail else [])
        by_band = {region.band: region for region in self.regions}
        for band, inside in self._elements.items():
            region = by_band.get(band)
            for element in inside:
                lefts.append(element.x)
                rights.append(page_width - element.x - element.width)
                if region is None or region.top == 0:
                    tops.append(element.y)
                if region is None or region.bottom == page_height:
                    bottoms.append(page_height - (region.top if region else 0) - element.y - element.height)
        return Margins(
            left=max(0, min(lefts)), right=max(0, min(rights)), top=max(0, min(tops)), bottom=max(0, min(bottoms))
        )


def _spacing(spare: Fraction) -> str:
    """Whether a row is followed by a point of space: so often that the spaces add up to `spare` points a row."""
    done = f"$V{{REPORT_COUNT}} * {spare.numerator} / {spare.denominator}"
    before = f"($V{{REPORT_COUNT}} - 1) * {spare.numerator} / {spare.denominator}"
    return f"{done} > {before}"


def _next(stem: str, declared: Sequence[DataField]) -> str:
    return f"{stem}_{1 + sum(field.name.startswith(f'{stem}_') for field in declared)}"
