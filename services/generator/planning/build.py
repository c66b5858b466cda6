"""The layout planner: walks over a layout once and puts everything on it into a band."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

from bandsmith.shared.jrxml.expressions import unless_null
from bandsmith.shared.jrxml.java_literals import java_string
from bandsmith.shared.model.geometry import Box
from bandsmith.shared.model.layout import Blank, Block, Fill, JoinedPages, Layout, Picture, Repeat, RulingLine
from bandsmith.shared.model.plan import BandName, Data, PlainElement, Plan, TextField
from bandsmith.shared.template_markers import TextPart, text_parts

from .alignment import with_likely_alignment
from .element_boxes import PaddedBox, whole_points
from .elements import blank_field, empty_cell, mark_box, mark_element, static_text, text_field
from .expressions import (
    CURRENT_PAGE,
    common_label_prefix,
    label_prefix,
    labelled_value,
    of_all_pages,
    page_number,
    template_expression,
)
from .marks import PlacedMark, mark_of, part_by_groups, place_marks
from .page_builder import PageBuilder
from .pictures import EXPRESSION, FormImage
from .regions import MIN_FOOTER_START, Region, divide, group_regions, whole_page
from .rows import DetailColumn, between_blanks, continued_values, detail_columns, with_implied_cells
from .running_head import plan_running_head
from .text_metrics import flow
from .text_placement import CellDecoration, TextPlacement, TextPlacer, clamp_to_row, on_second_line
from .tick_boxes import plan_tick_boxes

FIRST_PAGE = "$V{PAGE_NUMBER} == 1"
"""The condition of what is printed on the first page only."""
HEIGHT_TOLERANCE_PT = 1
"""An element that is higher than its band by no more than this is made as high as the band."""
OVERHANG_TOLERANCE_PT = 4
"""An element that leaves its band by no more than this is moved into it."""

PAGE_LABEL = "Page"
"""What a number alone at the foot of the first page is."""


class OwnPage(NamedTuple):
    """What a page that is one band needs to know of the pages before it."""

    number: int
    first_list: int
    """The number of its first list."""
    page_before: PageBuilder | None


class LayoutPlanner:
    """Plans one layout. A planner is used once."""

    def __init__(
        self,
        layout: Layout,
        form: FormImage,
        joined: JoinedPages | None = None,
        own_page: OwnPage | None = None,
        page_follows: bool = False,
    ) -> None:
        """`joined` is set where the layout is its joined page; `form` shows the first page then.

        `own_page` is set where the layout is one of several pages, each of which is one band. `page_follows` says that
        there is such a page after the rows.
        """
        layout = with_likely_alignment(layout)
        self._layout, self._joined, self._own_page, self._form = layout, joined, own_page, form
        self._page_follows = page_follows
        self._texts = TextPlacer(layout)
        footer = round(joined.footer_top) if joined else None
        head: BandName = "pageHeader" if joined and joined.repeats_head else "title"
        self._groups = layout.repeat.groups if layout.repeat else None
        self._group_lines = group_regions(layout.repeat) if layout.repeat else []
        self._tables = dict(enumerate(layout.tables, own_page.first_list if own_page else 0))
        if own_page:
            self._page = PageBuilder(whole_page(layout, own_page.first_list), page_before=own_page.page_before)
        else:
            regions = divide(layout, self._texts.extents, footer, head)
            self._page = PageBuilder(regions, self._groups, self._group_lines)

    def plan(self, name: str) -> tuple[Plan, Data]:
        """Return the plan and the data that fill it."""
        page = self.build_page()
        page.colour_paper(self._layout.page, self._layout.paper)
        return page.plan(name, self._layout.page), page.data

    def build_page(self) -> PageBuilder:
        """Put everything on the layout into a band, and return the bands."""
        in_rows = self._plan_rows()
        for block in self._texts.blocks.values():
            if block.id not in in_rows:
                self._plan_block(block)
        self._plan_empty_cells()
        self._plan_blanks_below_labels()
        plan_tick_boxes(self._layout.tick_boxes, self._page)
        marks: list[RulingLine | Fill | Picture] = [
            *self._texts.fills, *self._layout.pictures, *self._texts.ruling.undrawn()
        ]  # fmt: skip
        others, in_lines = part_by_groups([mark_of(mark) for mark in marks], self._group_lines)
        placed = place_marks(others, self._page.regions, self._page.filled_rows())
        for region, own in in_lines:
            after = next((one for one in self._page.regions if one.top >= region.bottom), None)
            placed += place_marks(own, [region, *([after] if after else [])])
        for one in placed:
            self._plan_mark(one)
        if self._joined and self._joined.running_head:
            right = self._texts.content.right
            plan_running_head(self._joined.running_head, self._header_space(), right, self._page)
        return self._page

    def _header_space(self) -> float:
        """How far below the beginning of their band the headings of the rows begin."""
        header = set(self._layout.repeat.header) if self._layout.repeat else set()
        tops = [block.box.y for block in self._layout.blocks if block.id in header]
        band = next((region for region in self._page.regions if region.band == "columnHeader"), None)
        return max(0.0, min(tops) - band.top) if tops and band else 0.0

    def _plan_block(self, block: Block) -> None:
        """Plan a block outside the rows. A block that fits no band goes to the background of the first page."""
        placement = self._texts.place(block)
        region = self._page.band_of(placement.box)
        is_too_high = region is not None and not _fits(placement.box, region) and not placement.cell.is_visible
        if region and region.band == "columnHeader" and is_too_high:
            placement = self._texts.place_lower(block, region.height)
        if region and region.band == "summary":
            placement = _below(placement, region.top)
        if region is None or region.band == "detail" or not _fits(placement.box, region):
            region = None
        element: PlainElement
        if block.role == "fixed":
            element = static_text("\n".join(placement.text.lines), block.id, placement)
        else:
            text = flow(placement.text.lines, placement.box.inner_width, placement.text.style)
            is_page = region is not None and not block.label and self._is_page_number(text, placement.box, region)
            label = PAGE_LABEL if is_page else block.label
            element = self._value_field(text, block.model_copy(update={"label": label}), placement)
        if region is None:  # on other pages the rows stand there
            element = element.model_copy(update={"print_when": FIRST_PAGE})
        self._page.add(element, region)

    def _is_page_number(self, text: str, box: PaddedBox, region: Region) -> bool:
        """Whether a number alone at the foot of the page is that of the page."""
        if self._own_page:
            at_foot = box.y > MIN_FOOTER_START * self._layout.page.height
            return at_foot and text.strip() == str(self._own_page.number)
        return region.band == "pageFooter" and text.strip() == "1"

    def _value_field(self, text: str, block: Block, placement: TextPlacement) -> TextField:
        """The field that prints a value outside the rows. Declares its parameter, unless it is a page number."""
        if number := page_number(text, block.label):
            field = text_field(number, block.id, placement)
            if CURRENT_PAGE not in number:
                return field
            if self._own_page or self._page_follows:
                return field.model_copy(update={"expression": of_all_pages(number), "evaluation": "Master"})
            self._page.declare_page_variable()
            return field.model_copy(update={"evaluation": "Auto"})
        if parts := _template_parts(text, block.label):
            expression = template_expression(
                parts, lambda part: f"$P{{{self._page.declare_parameter('value', part.text, part.name)}}}"
            )
            return text_field(expression, block.id, placement)
        value = labelled_value(text, block.label, block.prefix)
        assert value.value is not None
        name = self._page.declare_parameter("value", value.value, block.label)
        return text_field(value.with_reference(f"$P{{{name}}}"), block.id, placement)

    def _plan_rows(self) -> set[str]:
        """Plan the texts of the repeated rows, once for all rows, and return the ids of their blocks."""
        in_rows = set[str]()
        for region in self._page.row_regions:
            in_rows |= self._plan_table(region, self._tables[region.table])
        return in_rows | self._plan_groups() if self._groups else in_rows

    def _plan_groups(self) -> set[str]:
        """Plan the lines above and below groups of rows, and return the ids of their blocks."""
        assert self._groups is not None
        in_lines = set[str]()
        for region in self._group_lines:
            lines = self._groups.headings if region.band == "groupHeader" else self._groups.endings
            assert lines is not None
            in_lines |= self._plan_table(region, lines)
        return in_lines

    def _plan_table(self, region: Region, repeat: Repeat) -> set[str]:
        """Plan the texts of one table's rows, and return the ids of their blocks."""
        texts = self._texts
        columns = detail_columns(repeat, region, texts.blocks, texts.texts, texts.cells)
        if not columns:  # the rows of a blank table
            return set()
        in_rows = {block.id for column in columns for block in column.copies}
        columns = with_implied_cells(
            columns,
            self._layout,
            region,
            texts.implied_cells,
            lambda block: between_blanks(block, texts.clearance(block, in_rows), self._blanks_in(region)),
        )
        texts.align_headers(repeat.header, [self._plan_column(column, region) for column in columns])
        return in_rows

    def _blanks_in(self, region: Region) -> list[Blank]:
        return [one for one in self._layout.blanks if self._page.region_at(one.box.middle[1]) is region]

    def _place_column(self, column: DetailColumn, detail: Region) -> TextPlacement:
        """Place one column's text within the row."""
        placement = self._texts.place_in_rows(
            column.text,
            column.copies,
            column.ruled_cell,
            column.implied_cell,
            generous=column.slot.role == "value",
            top=not detail.spare,
            grows=bool(detail.tops),
            empty_cells=column.empty_cells(detail),
            whole_cells=column.whole_cells(detail),
        )
        if column.is_on_second_line(detail):
            return on_second_line(placement, detail.first_line, detail.height)
        return clamp_to_row(placement, detail.first_line or detail.height)

    def _plan_column(self, column: DetailColumn, detail: Region) -> PaddedBox:
        """Plan one column of the rows and return the box of its element, relative to the row."""
        copies, label = column.copies, column.slot.label
        is_second = column.is_on_second_line(detail)
        placement = self._place_column(column, detail)
        if column.slot.role != "value":
            self._page.add(static_text(copies[0].text, copies[0].id, placement), detail, in_row=True)
            return placement.box
        texts = [
            flow(self._texts.texts[block.id].lines, placement.box.inner_width, placement.text.style) if block else None
            for block in column.blocks
        ]
        if len(texts) == 1 and texts[0] and (parts := _template_parts(texts[0], label)):
            expression = template_expression(
                parts, lambda part: f"$F{{{self._page.declare_field('column', [part.text], detail, part.name)}}}"
            )
            self._page.add(text_field(expression, copies[0].id, placement), detail, in_row=True)
            return placement.box
        wording = common_label_prefix([text for text in texts if text], label)
        values = [text[len(wording) :] if text else None for text in texts]
        values += continued_values(column, placement, wording)
        reference = f"$F{{{self._page.declare_field('column', values, detail, label)}}}"
        expression = unless_null(reference, f"{java_string(wording)} + {reference}") if wording else reference
        field = text_field(expression, copies[0].id, placement)
        if detail.tops:
            field = field.model_copy(
                update={"adjust": "StretchHeight", "floats": is_second, "leaves_no_line": is_second}
            )
        self._page.add(field, detail, in_row=True)
        return placement.box

    def _plan_empty_cells(self) -> None:
        """Plan the borders of ruled cells without text: once for all rows in the detail band."""
        texts = [block.box.middle for block in self._texts.blocks.values()]
        columns: dict[tuple[Region, int, int], list[Box]] = {}
        for box in (cell.box for grid in self._layout.grids for cell in grid.cells):
            region = self._page.region_at(box.middle[1])
            if region and region.band == "detail":
                columns.setdefault((region, round(box.x), round(box.right)), []).append(box)
            elif region and _fits(whole_points(box), region) and not any(box.holds(*point) for point in texts):
                if blank := next((one for one in self._layout.blanks if one.box == box), None):
                    self._add_blank(blank, region, self._texts.decorate(box))
                else:
                    self._add_empty_cell([box], whole_points(box), region)
        for (region, *_), boxes in columns.items():
            self._plan_empty_column(region, boxes, texts)

    def _plan_blanks_below_labels(self) -> None:
        """Plan the blanks that have no cell for themselves: beside their label, on a line, below a heading of rows."""
        cells = [cell.box for grid in self._layout.grids for cell in grid.cells]
        for blank in self._layout.blanks:
            region = self._page.region_at(blank.box.middle[1])
            if blank.box in cells or not region:
                continue
            if region.band == "detail":
                first = whole_points(blank.box)
                self._add_row_blank(blank, region, PaddedBox(first.x, 0, first.width, region.height), CellDecoration())
            elif _fits(whole_points(blank.box), region):
                self._add_blank(blank, region, CellDecoration())

    def _add_blank(self, blank: Blank, region: Region, cell: CellDecoration) -> None:
        name = self._page.declare_parameter("value", None, blank.label)
        self._page.add(blank_field(f"$P{{{name}}}", blank, whole_points(blank.box), cell), region)

    def _add_row_blank(self, blank: Blank, detail: Region, area: PaddedBox, cell: CellDecoration) -> None:
        name = self._page.declare_field("column", [None] * (detail.rows + detail.continued), detail, blank.label)
        self._page.add(blank_field(f"$F{{{name}}}", blank, area, cell), detail, in_row=True)

    def _plan_empty_column(self, detail: Region, boxes: Sequence[Box], texts: Sequence[tuple[float, float]]) -> None:
        """Plan a ruled column of the rows in which no row has text."""
        if len(boxes) != detail.rows or any(box.holds(*point) for box in boxes for point in texts):
            return
        first = whole_points(boxes[0])
        area = PaddedBox(first.x, 0, first.width, detail.height)
        if blank := next((one for one in self._layout.blanks if one.box == boxes[0]), None):
            self._add_row_blank(blank, detail, area, self._typical_decoration(boxes, detail))
        else:
            self._add_empty_cell(boxes, area, detail)

    def _typical_decoration(self, cells: Sequence[Box], region: Region) -> CellDecoration:
        # Where a point of space separates rows, a cell's top border would show below the bottom border above it.
        spaced = region.band == "detail" and region.spare > 0
        decorations = [self._texts.decorate(cell, top=not spaced) for cell in cells]
        return decorations[len(decorations) // 2]

    def _add_empty_cell(self, cells: Sequence[Box], box: PaddedBox, region: Region) -> None:
        typical = self._typical_decoration(cells, region)
        if typical.is_visible:
            self._page.add(empty_cell(box, typical), region, in_row=region.band == "detail")

    def _plan_mark(self, placed: PlacedMark) -> None:
        expression = self._picture_expression(placed) if isinstance(placed.mark.origin, Picture) else ""
        print_when = FIRST_PAGE if self._is_of_first_page(placed) else placed.print_when
        element = mark_element(placed.mark, expression, print_when)
        self._page.add(element, placed.region, in_row=bool(placed.copies))

    def _is_of_first_page(self, placed: PlacedMark) -> bool:
        """Whether other pages have rows where a mark of the background stands: above the end of the rows of page 1."""
        detail, box = self._page.detail, placed.mark.box
        if placed.region is not None or detail is None or box.bottom > detail.bottom + OVERHANG_TOLERANCE_PT:
            return False
        return not (self._joined and self._joined.repeats_head and box.y < detail.top)

    def _picture_expression(self, placed: PlacedMark) -> str:
        """The expression that prints a picture. Declares its parameter or field."""
        if placed.copies and placed.region:
            crops = [self._form.crop(copy.box) if copy else None for copy in placed.copies]
            crops += [None] * placed.region.continued
            return EXPRESSION.format(f"$F{{{self._page.declare_field('picture', crops, placed.region)}}}")
        origin = placed.mark.origin
        box = mark_box(placed.mark)
        area = Box(x=box.x, y=box.y, width=box.width, height=box.height)
        if self._joined and box.y >= self._joined.footer_top - 1:
            area = area.moved(0, -self._joined.footer_shift)
        content = origin.content if isinstance(origin, Picture) else None
        is_seal = isinstance(origin, Picture) and origin.kind == "seal"
        crop = content or (self._form.seal(area) if is_seal else self._form.crop(area))
        return EXPRESSION.format(f"$P{{{self._page.declare_parameter('picture', crop)}}}")


def _template_parts(text: str, label: str | None) -> list[TextPart]:
    """Return the parts of a template's text; none where it is one placeholder, with its label or alone."""
    parts = text_parts(text[len(label_prefix(text, label)) :])
    return text_parts(text) if len(parts) > 1 and any(part.name for part in parts) else []


def _below(placement: TextPlacement, top: int) -> TextPlacement:
    """Move the cell of a text below the rows down to their end, so that it follows them, where it reaches into them."""
    box = placement.box
    if box.y >= top or placement.text.box.y < top - OVERHANG_TOLERANCE_PT:
        return placement
    return replace(placement, box=replace(box, y=top))


def _fits(box: PaddedBox, region: Region) -> bool:
    """Whether an element lies in its region, apart from a small overhang."""
    overhang = OVERHANG_TOLERANCE_PT
    return (
        box.height <= region.height + HEIGHT_TOLERANCE_PT
        and box.y >= region.top - overhang
        and box.bottom <= region.bottom + overhang
    )
