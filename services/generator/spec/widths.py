"""Widths: the page and the size of type with which all columns have the room that their values need."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from bandsmith.shared.fonts import DEFAULT_FAMILY, is_cjk
from bandsmith.shared.jrxml.typesetting import break_lines, whole_height, whole_width
from bandsmith.shared.model.layout import TextStyle
from bandsmith.shared.model.plan import Margins
from bandsmith.shared.model.spec import Paper, ReportSpec

from .table import SpecItem, SpecTable

PAPERS = {"A3": (842, 1191), "A4": (595, 842), "A5": (420, 595), "Letter": (612, 792), "Legal": (612, 1008)}
"""Upright, in points."""
PAD = 5
"""Points between a cell's side and its words."""
WIDEST = 18
"""Text wider than so many ems is broken into lines."""
SMALLEST = 7
"""Points of the smallest type."""
SQUEEZED = 1.35
"""Columns may be so much narrower than they need to be, where a page was asked for; values break into lines."""
LARGEST = 2_800
"""Points that a page may be wide: it has to be drawn."""
_GROWTH = 10
"""A column has room for a total of so many times what its sample adds up to."""


@dataclass(frozen=True)
class ColumnWidths:
    """How the table is set."""

    page: tuple[int, int]
    margins: Margins
    size: float
    widths: tuple[int, ...]

    @property
    def across(self) -> int:
        return self.page[0] - self.margins.left - self.margins.right


@dataclass(frozen=True)
class _Needs:
    least: tuple[int, ...]
    wanted: tuple[int, ...]


def settled(spec: ReportSpec, table: SpecTable) -> ColumnWidths:
    """The first page on which the columns fit: upright before wide, large type before small."""
    pages = list(_pages(spec.page))
    comfortable = [(page, size) for page in pages[:2] for size in (10, 9)]
    tight = [(page, size) for page in pages for size in (9, 8, SMALLEST)]
    for page, size in comfortable:
        needs = _needs(table.columns, size)
        if sum(needs.wanted) <= _room(page):
            return _setting(page, size, _spread(needs, table.columns, _room(page)))
    for page, size in tight:
        needs = _needs(table.columns, size)
        if sum(needs.least) <= _room(page):
            return _setting(page, size, _spread(needs, table.columns, _room(page)))
    page, least = pages[-1], _needs(table.columns, SMALLEST).least
    if sum(least) <= SQUEEZED * _room(page):
        return _setting(page, SMALLEST, _squeezed(least, _room(page)))
    page = _own_page(sum(least))  # no paper is that wide
    return _setting(page, SMALLEST, _squeezed(least, _room(page)))


def style(size: float, bold: bool = False) -> TextStyle:
    return TextStyle(family=DEFAULT_FAMILY, size=size, bold=bold)


def lines_height(text: str, width: int, size: float, bold: bool = False) -> int:
    """Whole points that a text needs when it is broken at a cell's width."""
    face = style(size, bold)
    return whole_height(break_lines(text, width - 2 * PAD, face), face)


def _pages(paper: Paper) -> list[tuple[int, int]]:
    narrow, wide = PAPERS[paper.size]
    if paper.orientation == "portrait":
        return [(narrow, wide)]
    if paper.orientation == "landscape":
        return [(wide, narrow)]
    larger = [(PAPERS["A3"][1], PAPERS["A3"][0])] if paper.size in ("A4", "A5", "Letter") else []
    return [(narrow, wide), (wide, narrow), *larger]


def _margins(page: tuple[int, int]) -> Margins:
    side = 28 if page[0] < 500 else 40
    return Margins(top=36, left=side, bottom=28, right=side)


def _own_page(across: int) -> tuple[int, int]:
    """A wide page of the shape that papers have."""
    width = min(across + 80, LARGEST)
    return width, round(width / 2**0.5)


def _room(page: tuple[int, int]) -> int:
    margins = _margins(page)
    return page[0] - margins.left - margins.right


def _setting(page: tuple[int, int], size: float, widths: Sequence[int]) -> ColumnWidths:
    return ColumnWidths(page, _margins(page), size, tuple(widths))


def _needs(columns: Sequence[SpecItem], size: float) -> _Needs:
    each = [_need(item, size) for item in columns]
    return _Needs(tuple(least for least, _ in each), tuple(wanted for _, wanted in each))


def _need(item: SpecItem, size: float) -> tuple[int, int]:
    """The least that a column can be set in, and what it would like."""
    if item.width is not None:
        return item.width, item.width
    face, head = style(size), style(size, bold=True)
    longest = max(whole_width([word], head) for word in _words(item.label))
    heading = whole_width([item.label], head)
    texts = [text for text in map(item.shown, item.values) if text] or ["0"]
    natural = whole_width(texts, face)
    most = round(WIDEST * size)
    if item.total in ("sum", "average") and item.is_number:
        natural = max(natural, widest(item, size) - 2 * PAD)
    if item.kind == "text" and natural > 8 * size:
        least = max(longest, min(natural, round(7 * size)))
        return least + 2 * PAD, min(max(natural, heading), most) + 2 * PAD
    return max(longest, natural) + 2 * PAD, max(natural, min(heading, most)) + 2 * PAD


def widest(item: SpecItem, size: float) -> int:
    """The width of a cell for the column's total."""
    return whole_width([_largest(item)], style(size, bold=True)) + 2 * PAD


def _largest(item: SpecItem) -> str:
    added = sum(float(value) for value in item.values if isinstance(value, int | float))
    return item.shown(added * _GROWTH if item.total == "sum" else max(added, 1))


def _words(label: str) -> list[str]:
    """The parts of a heading that stay whole; Chinese ones are broken into four characters each at the most."""
    if any(is_cjk(char) for char in label):
        most = len(label) if len(label) < 4 else min(4, (len(label) + 1) // 2)
        return [label[at : at + most] for at in range(0, len(label), most)]
    return label.split() or [label]


def _spread(needs: _Needs, columns: Sequence[SpecItem], room: int) -> list[int]:
    """Widths that add up to the room: text takes most of what is left."""
    if sum(needs.wanted) > room:
        spare, asked = room - sum(needs.least), sum(needs.wanted) - sum(needs.least)
        shares = [w - least for least, w in zip(needs.least, needs.wanted, strict=True)]
        return _whole([least + spare * s / asked for least, s in zip(needs.least, shares, strict=True)], room)
    spare = room - sum(needs.wanted)
    weights = [
        0.0 if item.counter else wanted * (1.0 if item.kind == "text" else 0.4)
        for item, wanted in zip(columns, needs.wanted, strict=True)
    ]
    every = sum(weights) or 1.0
    return _whole([w + spare * share / every for w, share in zip(needs.wanted, weights, strict=True)], room)


def _squeezed(least: Sequence[int], room: int) -> list[int]:
    every = sum(least)
    return _whole([room * one / every for one in least], room)


def _whole(widths: Sequence[float], room: int) -> list[int]:
    """Whole points with the same sum, each edge where it belongs."""
    edges, at = [0], 0.0
    for width in widths[:-1]:
        at += width
        edges.append(round(at))
    edges.append(room)
    return [b - a for a, b in pairwise(edges)]
