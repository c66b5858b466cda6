"""Choose the page, the font size and the column widths so that the values of all columns fit."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from bandsmith.shared.fonts import DEFAULT_FAMILY, is_cjk
from bandsmith.shared.jrxml.typesetting import break_lines, whole_height, whole_width
from bandsmith.shared.model.layout import TextStyle
from bandsmith.shared.model.plan import Margins
from bandsmith.shared.model.spec import Paper, ReportSpec

from .spec_item import SpecItem
from .table import SpecTable

PAPERS = {"A3": (842, 1191), "A4": (595, 842), "A5": (420, 595), "Letter": (612, 792), "Legal": (612, 1008)}
"""Width and height in portrait orientation, in points."""
PAD = 5
"""Points between a cell's edge and its text."""
MAX_TEXT_WIDTH_EM = 18
"""Text wider than this is broken into lines."""
MIN_FONT_SIZE = 7
COMFORTABLE_SIZES = (10, 9)
SMALL_PAGE_WIDTH_PT = 400
"""A narrower page is a label."""
SMALL_MARGIN_PT = 12
ROLL_HEIGHT_PT, ROLL_MARGIN_PT = 600, 8
MAX_SQUEEZE = 1.35
"""How many times narrower than needed columns may become to fit a requested page; their values break into lines."""
MAX_PAGE_WIDTH_PT = 2_800
"""Maximum width of a page, because it has to be rendered."""
_TOTAL_GROWTH = 10
"""A column is wide enough for a total this many times the sample's."""


@dataclass(frozen=True)
class ColumnWidths:
    """The page, the font size and the widths that a table is laid out with."""

    page: tuple[int, int]
    margins: Margins
    size: float
    widths: tuple[int, ...]
    is_roll: bool = False
    """Whether the page is a paper roll."""

    @property
    def is_small(self) -> bool:
        """Whether it is a roll or a label, which has no space for large type."""
        return self.is_roll or self.page[0] < SMALL_PAGE_WIDTH_PT

    @property
    def across(self) -> int:
        return self.page[0] - self.margins.left - self.margins.right


@dataclass(frozen=True)
class _Needs:
    """The minimum and preferred widths of the columns."""

    minimum: tuple[int, ...]
    preferred: tuple[int, ...]


def choose_widths(spec: ReportSpec, table: SpecTable) -> ColumnWidths:
    """Choose the first page that the columns fit: portrait before landscape, larger type before smaller."""
    if spec.page.roll_mm:
        return _on_roll(spec.page.roll_mm, table)
    pages = list(_pages(spec.page))
    if not table.columns:
        return _with_margins(_layout(pages[0], COMFORTABLE_SIZES[0], ()), spec)
    return _with_margins(_on_sheet(spec, table, pages), spec)


def _on_roll(width_mm: int, table: SpecTable) -> ColumnWidths:
    """Fit the columns to a paper roll, in smaller type if they need it."""
    page = (round(width_mm * 72 / 25.4), ROLL_HEIGHT_PT)
    margins = Margins(top=10, left=ROLL_MARGIN_PT, bottom=10, right=ROLL_MARGIN_PT)
    available = page[0] - 2 * ROLL_MARGIN_PT
    for size in (9, 8, MIN_FONT_SIZE):
        needs = _needs(table.columns, size)
        if sum(needs.minimum) <= available:
            return ColumnWidths(page, margins, size, tuple(_spread(needs, table.columns, available)), is_roll=True)
    squeezed = _squeezed(_needs(table.columns, MIN_FONT_SIZE).minimum, available)
    return ColumnWidths(page, margins, MIN_FONT_SIZE, tuple(squeezed), is_roll=True)


def _with_margins(layout: ColumnWidths, spec: ReportSpec) -> ColumnWidths:
    """Return the layout with the margins that were asked for, and its columns as much wider or narrower."""
    if spec.page.margin_mm is None:
        return layout
    margin = round(spec.page.margin_mm * 72 / 25.4)
    margins = Margins(top=margin, left=margin, bottom=margin, right=margin)
    available = layout.page[0] - 2 * margin
    return replace(layout, margins=margins, widths=tuple(_squeezed(layout.widths, available)))


def _on_sheet(spec: ReportSpec, table: SpecTable, pages: Sequence[tuple[int, int]]) -> ColumnWidths:
    comfortable = [(page, size) for page in pages[:2] for size in COMFORTABLE_SIZES]
    tight = [(page, size) for page in pages for size in (9, 8, MIN_FONT_SIZE)]
    for page, size in comfortable:
        needs = _needs(table.columns, size)
        if sum(needs.preferred) <= _available_width(page):
            return _layout(page, size, _spread(needs, table.columns, _available_width(page)))
    for page, size in tight:
        needs = _needs(table.columns, size)
        if sum(needs.minimum) <= _available_width(page):
            return _layout(page, size, _spread(needs, table.columns, _available_width(page)))
    page, minimum = pages[-1], _needs(table.columns, MIN_FONT_SIZE).minimum
    if sum(minimum) > MAX_SQUEEZE * _available_width(page) and spec.page.width_mm is None:
        page = _custom_page(sum(minimum))  # no paper is that wide
    return _layout(page, MIN_FONT_SIZE, _squeezed(minimum, _available_width(page)))


def style(size: float, bold: bool = False) -> TextStyle:
    """Return the text style of a report's font."""
    return TextStyle(family=DEFAULT_FAMILY, size=size, bold=bold)


def lines_height(text: str, width: int, size: float, bold: bool = False) -> int:
    """Return the height in whole points of a text that is broken to a cell's width."""
    text_style = style(size, bold)
    return whole_height(break_lines(text, width - 2 * PAD, text_style), text_style)


def _pages(paper: Paper) -> list[tuple[int, int]]:
    if paper.width_mm and paper.height_mm:
        return [(round(paper.width_mm * 72 / 25.4), round(paper.height_mm * 72 / 25.4))]
    short, long = PAPERS[paper.size]
    if paper.orientation == "portrait":
        return [(short, long)]
    if paper.orientation == "landscape":
        return [(long, short)]
    larger = [(PAPERS["A3"][1], PAPERS["A3"][0])] if paper.size in ("A4", "A5", "Letter") else []
    return [(short, long), (long, short), *larger]


def _margins(page: tuple[int, int]) -> Margins:
    if page[0] < SMALL_PAGE_WIDTH_PT:
        return Margins(top=SMALL_MARGIN_PT, left=SMALL_MARGIN_PT, bottom=SMALL_MARGIN_PT, right=SMALL_MARGIN_PT)
    side = 28 if page[0] < 500 else 40
    return Margins(top=36, left=side, bottom=28, right=side)


def _custom_page(table_width: int) -> tuple[int, int]:
    """Return a landscape page with the aspect ratio of A4."""
    width = min(table_width + 80, MAX_PAGE_WIDTH_PT)
    return width, round(width / 2**0.5)


def _available_width(page: tuple[int, int]) -> int:
    margins = _margins(page)
    return page[0] - margins.left - margins.right


def _layout(page: tuple[int, int], size: float, widths: Sequence[int]) -> ColumnWidths:
    return ColumnWidths(page, _margins(page), size, tuple(widths))


def _needs(columns: Sequence[SpecItem], size: float) -> _Needs:
    each = [_need(item, size) for item in columns]
    return _Needs(tuple(minimum for minimum, _ in each), tuple(preferred for _, preferred in each))


def _need(item: SpecItem, size: float) -> tuple[int, int]:
    """Return a column's minimum and preferred width."""
    if item.width is not None:
        return item.width, item.width
    text_style, heading_style = style(size), style(size, bold=True)
    longest_word = max(whole_width([word], heading_style) for word in _words(item.label))
    heading = whole_width([item.label], heading_style)
    texts = [text for text in map(item.shown, item.values) if text] or ["0"]
    natural = whole_width(texts, text_style)
    maximum = round(MAX_TEXT_WIDTH_EM * size)
    if item.total in ("sum", "average") and item.is_number:
        natural = max(natural, total_width(item, size) - 2 * PAD)
    if item.kind == "text" and natural > 8 * size:
        minimum = max(longest_word, min(natural, round(7 * size)))
        return minimum + 2 * PAD, min(max(natural, heading), maximum) + 2 * PAD
    return max(longest_word, natural) + 2 * PAD, max(natural, min(heading, maximum)) + 2 * PAD


def total_width(item: SpecItem, size: float) -> int:
    """Return the width of a cell that fits the column's total."""
    return whole_width([_longest_total(item)], style(size, bold=True)) + 2 * PAD


def _longest_total(item: SpecItem) -> str:
    total = sum(float(value) for value in item.values if isinstance(value, int | float))
    return item.shown(total * _TOTAL_GROWTH if item.total == "sum" else max(total, 1))


def _words(label: str) -> list[str]:
    """Return the unbreakable parts of a heading: words, or up to four Chinese characters each."""
    if any(is_cjk(char) for char in label):
        length = len(label) if len(label) < 4 else min(4, (len(label) + 1) // 2)
        return [label[start : start + length] for start in range(0, len(label), length)]
    return label.split() or [label]


def _spread(needs: _Needs, columns: Sequence[SpecItem], available: int) -> list[int]:
    """Return widths that add up to the available width. Text columns take most of the surplus."""
    pairs = list(zip(needs.minimum, needs.preferred, strict=True))
    if sum(needs.preferred) > available:
        surplus = available - sum(needs.minimum)
        wanted = sum(needs.preferred) - sum(needs.minimum)
        widths = [minimum + surplus * (preferred - minimum) / wanted for minimum, preferred in pairs]
        return _whole_points(widths, available)
    surplus = available - sum(needs.preferred)
    weights = [
        0.0 if item.counter else preferred * (1.0 if item.kind == "text" else 0.4)
        for item, preferred in zip(columns, needs.preferred, strict=True)
    ]
    total = sum(weights) or 1.0
    widths = [preferred + surplus * weight / total for preferred, weight in zip(needs.preferred, weights, strict=True)]
    return _whole_points(widths, available)


def _squeezed(widths: Sequence[int], available: int) -> list[int]:
    total = sum(widths) or 1
    return _whole_points([available * width / total for width in widths], available)


def _whole_points(widths: Sequence[float], available: int) -> list[int]:
    """Round widths to whole points by rounding the edges between them, so that their sum stays the same."""
    if not widths:
        return []
    edges, edge = [0], 0.0
    for width in widths[:-1]:
        edge += width
        edges.append(round(edge))
    edges.append(available)
    return [right - left for left, right in pairwise(edges)]
