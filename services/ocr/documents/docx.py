"""DOCX: a page's paragraphs and tables, drawn as a page with their exact words."""

from __future__ import annotations

import io
import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import pairwise
from typing import Any

import docx
from docx.document import Document
from docx.enum.text import WD_ALIGN_PARAGRAPH
from docx.oxml import OxmlElement
from docx.oxml.ns import qn
from docx.table import Table
from docx.text.paragraph import Paragraph

from bandsmith.shared import replies
from bandsmith.shared.errors import BadInput
from bandsmith.shared.model.geometry import Box, Size

from ..page import MAX_PAGES, Page, page_size
from . import package
from .docx_left_out import note_left_out, roots_of
from .docx_loops import mark_loops, with_loop
from .docx_numbering import write_numbers
from .docx_sections import Block, in_columns, sections_of
from .docx_styles import DocxStyles
from .docx_tables import CELL_MARGIN_PT, cells_of, column_edges, points, row_height
from .drawing import (
    Align,
    FilledBox,
    Fragment,
    Item,
    Pinned,
    PlacedPicture,
    Run,
    StrokedLine,
    draw_page,
    lay_out_paragraph,
)
from .embedded_pictures import picture_pixels
from .paragraph_shapes import Drawing, TextShape, is_picture, paragraph_drawings, text_shape
from .shape_frames import Anchor, Frame, part_box
from .symbol_fonts import write_symbols
from .text_wrap import Beside, gap_before, margins_of

SUFFIXES = (".docx",)
looks_like = package.looks_like

_ALIGN: dict[Any, Align] = {WD_ALIGN_PARAGRAPH.CENTER: "Center", WD_ALIGN_PARAGRAPH.RIGHT: "Right"}
_FRACTION = re.compile(r"-?\d{1,9}\.\d+")
_WRAPPERS = ("sdt", "ins", "moveTo", "smartTag", "customXml", "fldSimple")
_MAX_TABLE_DEPTH = 4
"""Maximum depth to which tables inside tables are drawn."""


def read(content: bytes, size: Size | None, number: int = 1) -> Page:
    """Return a page of a DOCX, counted from 1.

    Raises ``BadInput`` when it is damaged, protected or unsafe to open.
    """
    package.check(content, "word/document.xml")
    try:
        document = docx.Document(io.BytesIO(content))
        _round_lengths([*roots_of(document), document.styles.element])
        _unwrap_controls(document)
        _add_missing_grids(document)
        notes = [*mark_loops(document), *_write_out(document)]
        return _PageLayout(document, size, notes).page(number)
    except (KeyError, ValueError, AttributeError, TypeError, IndexError, OSError):
        # python-docx reports missing or malformed parts by any of these.
        raise BadInput.of("documents.office") from None


def _round_lengths(roots: list[Any]) -> None:
    """Round the lengths that a program wrote with a fraction, such as Google Docs; python-docx expects whole ones."""
    for root in roots:
        for element in root.iter():
            for name, value in element.attrib.items():
                if _FRACTION.fullmatch(value):
                    element.set(name, str(round(float(value))))


def _unwrap_controls(document: Document) -> None:
    """Replace content controls, fields and tracked insertions by what they hold; python-docx passes over them."""
    for root in roots_of(document):
        for wrapper in root.xpath(
            ".//w:sdt | .//w:ins | .//w:moveTo | .//w:smartTag | .//w:customXml | .//w:fldSimple"
        ):
            parent = wrapper.getparent()
            content = wrapper.find(qn("w:sdtContent")) if wrapper.tag == qn("w:sdt") else wrapper
            at = parent.index(wrapper)
            for child in reversed(list(content) if content is not None else []):
                parent.insert(at, child)
            parent.remove(wrapper)


def _write_out(document: Document) -> list[replies.Text]:
    """Write symbols and automatic numbers as text, and return what to tell the user of unknown ones."""
    roots = roots_of(document)
    counts = {"symbols_left_out": sum(map(write_symbols, roots)), "numbers_left_out": write_numbers(document, roots)}
    return [replies.Text.of(f"documents.notes.{name}", count=count) for name, count in counts.items() if count]


def _add_missing_grids(document: Document) -> None:
    """Give each table that lacks the grid of its columns one without widths; Word opens such tables, too."""
    for table in document.element.body.xpath(".//w:tbl[not(w:tblGrid)]"):
        columns = max((sum(cell.grid_span for cell in row.tc_lst) for row in table.xpath("./w:tr")), default=1)
        grid = OxmlElement("w:tblGrid")
        for _ in range(columns):
            grid.append(OxmlElement("w:gridCol"))
        properties = table.find(qn("w:tblPr"))
        table.insert(0 if properties is None else table.index(properties) + 1, grid)


class _PageLayout:
    """Lays out one document on a page."""

    def __init__(self, document: Document, size: Size | None, notes: list[replies.Text]) -> None:
        """`notes` tell the user how the document was read."""
        self._document, self._notes = document, notes
        section = document.sections[0]
        width, height = (
            points(side) or default for side, default in ((section.page_width, 595), (section.page_height, 842))
        )
        self._size = size or page_size(width, height)
        self._left = points(section.left_margin) or 0.0
        self._top = points(section.top_margin) or 0.0
        self._bottom = self._size.height - (points(section.bottom_margin) or 0.0)
        self._width = max(72.0, self._size.width - self._left - (points(section.right_margin) or 0.0))
        self._headers = [(section.header, section.footer)] * 2
        if section.different_first_page_header_footer:
            self._headers[0] = (section.first_page_header, section.first_page_footer)
        self._from_edge = (points(section.header_distance) or 36.0, points(section.footer_distance) or 36.0)
        self._styles = DocxStyles(document)
        self._lost_pictures = set[Any]()
        """Elements of pictures and charts that cannot be drawn."""
        self._texts_drawn = dict[Any, str]()
        """The text that is drawn of each paragraph, by its element."""

    def page(self, number: int) -> Page:
        """Draw a page, counted from 1. Raises ``ValueError`` where there is none."""
        items: list[Item] = []
        header, footer = (self._flow(part) for part in self._headers[number > 1])
        items += header.at(self._left, self._from_edge[0])
        items += footer.at(self._left, self._size.height - self._from_edge[1] - footer.height)
        top = max(self._top, self._from_edge[0] + header.height)
        pages = 1
        for pages, y, part in self._placed(top):
            if pages == number:
                items += part.at(self._left, y)
        if number > pages:
            raise ValueError(f"no page {number}")
        notes = list(self._notes)
        if self._lost_pictures:
            notes.append(replies.Text.of("documents.notes.pictures", count=len(self._lost_pictures)))
        if pages <= MAX_PAGES:
            notes += note_left_out(roots_of(self._document), self._texts_drawn)
        left_out = replies.Text.of("documents.notes.docx_pages") if pages > 1 else None
        return replace(draw_page(items, self._size, notes), pages=pages, left_out=left_out)

    def _placed(self, top: float) -> Iterator[tuple[int, float, Fragment]]:
        """Yield paragraphs and table rows with their page and their y."""
        page, y, ended = 1, top, False
        for part, ends_page in self._body(self._bottom - top):
            fits = y + part.height <= self._bottom + 1 or y == top
            if part.items and (ended or not fits):
                page, y, ended = page + 1, top, False
                if page > MAX_PAGES + 1:
                    return
            yield page, y, part
            y += part.height
            ended = ended or ends_page

    def _body(self, available: float) -> Iterator[tuple[Fragment, bool]]:
        """Yield the parts of the document's sections, and whether the page ends after each."""
        for section in sections_of(self._document, self._width):
            if len(section.columns) > 1:
                yield from ((part, False) for part in in_columns(section, self._laid_out, available))
            else:
                yield from self._stream(section.blocks, self._width, 0)
            yield Fragment([], 0.0), section.ends_page

    def _laid_out(self, block: Block, width: float) -> list[Fragment]:
        return [part for part, _ in self._parts(block, width, 0)]

    def _flow(self, container: Any, width: float | None = None, depth: int = 0) -> Fragment:
        """Lay out everything in a header, footer or cell, top to bottom."""
        items: list[Item] = []
        y = 0.0
        for part, _ in self._stream(container.iter_inner_content(), self._width if width is None else width, depth):
            items += part.at(0, y)
            y += part.height
        return Fragment(items, y)

    def _stream(self, blocks: Iterable[Block], width: float, depth: int) -> Iterator[tuple[Fragment, bool]]:
        """Yield paragraphs and rows, and whether the page ends after each. Text keeps away from drawings beside it."""
        beside = list[Beside]()
        for block in blocks:
            own = list(self._beside(block, width))
            beside += own
            parts = list(self._parts(block, width, depth, margins_of(beside)))
            # The rows of a table stay together.
            needed = _table_width(block, width) if isinstance(block, Table) else 0.0
            gap = 0.0 if own else gap_before(beside, sum(part.height for part, _ in parts), needed, width)
            if gap:
                yield Fragment([], gap), False
            yield from parts
            height = gap + sum(part.height for part, _ in parts)
            beside = [one.after(height) for one in beside if one.bottom > 0]

    def _beside(self, block: Block, width: float) -> Iterator[Beside]:
        """Yield the drawings of a paragraph that text runs beside."""
        for frame, _ in paragraph_drawings(block) if isinstance(block, Paragraph) else ():
            if frame.wraps and frame.across and frame.down:
                x, y, is_on_page = self._position(frame.across, frame.down, frame.size, width)
                if not is_on_page:
                    yield Beside.of(Box(x=x, y=y, width=frame.size.width, height=frame.size.height), width)

    def _parts(
        self, block: Block, width: float, depth: int, margins: tuple[float, float] = (0.0, 0.0)
    ) -> Iterator[tuple[Fragment, bool]]:
        """Yield a paragraph or the rows of a table, and whether the page ends after each."""
        if isinstance(block, Paragraph):
            part = with_loop(self._paragraph(block, width, margins), block._p, width)
            yield part, bool(block._p.xpath(".//w:br[@w:type='page']"))
        elif depth < _MAX_TABLE_DEPTH:
            yield from ((row, False) for row in self._rows(block, width, depth))

    def _paragraph(self, block: Paragraph, width: float, margins: tuple[float, float]) -> Fragment:
        styles = self._styles
        left, right = margins
        indent = styles.length(block, "left_indent") + left
        inner = max(20.0, width - indent - styles.length(block, "right_indent") - right)
        before, after = styles.length(block, "space_before"), styles.length(block, "space_after")
        align = _ALIGN.get(styles.value(block, "alignment"), "Left")
        runs = self._runs(block)
        self._texts_drawn[block._p] = "".join(text for text, _ in runs)
        text = lay_out_paragraph(
            runs or [("", styles.text(None, block))],
            inner,
            align,
            line=styles.line_height(block),
            first=styles.length(block, "first_line_indent"),
            stops=[points(stop.position) or 0.0 for stop in block.paragraph_format.tab_stops],
        )
        drawings = [(one.frame, self._drawn(one, block)) for one in paragraph_drawings(block)]
        floating = [item for frame, items in drawings for item in self._float(frame, items, width)]
        drawn, height = _in_line(text, drawings, inner, align)
        items = [item.moved(indent, before) for item in drawn]
        return Fragment([*items, *(item.moved(0, before) for item in floating)], before + height + after)

    def _drawn(self, drawing: Drawing, block: Paragraph) -> list[Item]:
        """Return what is drawn of a drawing, relative to its corner."""
        items: list[Item] = []
        for node in drawing.shapes:
            box = part_box(node, drawing.frame)
            if is_picture(node):
                pixels = picture_pixels(node, block.part)
                if pixels is None:
                    self._lost_pictures.add(node)
                elif box.width > 0 and box.height > 0:
                    items.append(PlacedPicture(box, pixels))
            elif shape := text_shape(node, block):
                items += self._shape(shape, box)
        return items

    def _shape(self, shape: TextShape, box: Box) -> list[Item]:
        """Return a shape with its text, in its box. A text that is too long for it makes it higher."""
        left, top, right, bottom = shape.insets
        inner = self._flow(shape, max(20.0, box.width - left - right), _MAX_TABLE_DEPTH - 1)
        needed = inner.height + top + bottom if inner.items else 0.0
        area = Box(x=box.x, y=box.y, width=box.width, height=max(box.height, needed))
        items: list[Item] = [FilledBox(area, shape.fill)] if shape.fill else []
        if shape.border:
            corners = [(area.x, area.y), (area.right, area.y), (area.right, area.bottom), (area.x, area.bottom)]
            ends = pairwise([*corners, corners[0]])
            items += [StrokedLine(*start, *end, shape.border_width, shape.border) for start, end in ends]
        return items + inner.at(area.x + left, area.y + top + shape.free_above * (area.height - needed))

    def _float(self, frame: Frame, items: list[Item], width: float) -> list[Item]:
        """Return an anchored drawing relative to its paragraph, or pinned to the page where that is its origin."""
        if frame.across is None or frame.down is None:
            return []
        x, y, is_on_page = self._position(frame.across, frame.down, frame.size, width)
        placed = [item.moved(x, y) for item in items]
        return [item if isinstance(item, Pinned) else Pinned(item) for item in placed] if is_on_page else placed

    def _position(self, across: Anchor, down: Anchor, size: Size, width: float) -> tuple[float, float, bool]:
        """Return where something of a size is anchored, and whether that is a position of the page.

        Otherwise it is relative to its paragraph, whose column is `width` wide.
        """
        page_x, page_width = (0.0, self._size.width) if across.origin == "page" else (self._left, self._width)
        if down.origin in ("paragraph", "line"):
            column = (page_x - self._left, page_width) if across.origin == "page" else (0.0, width)
            return across.start(*column, size.width), down.offset, False
        top, height = (0.0, self._size.height) if down.origin == "page" else (self._top, self._bottom - self._top)
        return across.start(page_x, page_width, size.width), down.start(top, height, size.height), True

    def _runs(self, block: Paragraph) -> list[Run]:
        runs: list[Run] = []
        for part in block.iter_inner_content():
            for run in getattr(part, "runs", None) or [part]:
                # A deleted or hidden run is not on the page; python-docx leaves out deleted ones itself.
                if getattr(run.font, "hidden", False) or not run.text:
                    continue
                runs.append((run.text.replace("\r", ""), self._styles.text(run, block)))
        return runs

    def _rows(self, table: Table, width: float, depth: int) -> list[Fragment]:
        edges = column_edges(table, width)
        cells = cells_of(table, edges)
        rows = table._tbl.tr_lst
        inner = [self._flow(cell.content, cell.width - 2 * CELL_MARGIN_PT, depth + 1) for cell in cells]
        heights = [max(row_height(row), 1.0) for row in rows]
        spans = [(cell.top, cell.bottom, piece.height) for cell, piece in zip(cells, inner, strict=True)]
        # Cells of one row come first; what a merged cell needs beyond its rows is added to the last of them.
        for top, bottom, height in sorted(spans, key=lambda span: span[1] - span[0]):
            heights[bottom - 1] += max(0.0, height - sum(heights[top:bottom]))
        pieces = []
        for number, height in enumerate(heights):
            items: list[Item] = []
            for cell, piece in zip(cells, inner, strict=True):
                if cell.top == number:
                    items += cell.items(piece, sum(heights[cell.top : cell.bottom]))
            pieces.append(with_loop(Fragment(items, height), rows[number], edges[-1] - edges[0], edges[0]))
        return pieces


def _table_width(table: Table, width: float) -> float:
    edges = column_edges(table, width)
    return edges[-1] - edges[0] - 2 * CELL_MARGIN_PT


def _in_line(
    text: Fragment, drawings: list[tuple[Frame, list[Item]]], width: float, align: Align
) -> tuple[list[Item], float]:
    """Return a paragraph's text below the drawings that stand in its line, and the height of both."""
    in_line = [(frame.size, items) for frame, items in drawings if frame.across is None]
    row_width = sum(size.width for size, _ in in_line)
    x = {"Left": 0.0, "Center": (width - row_width) / 2, "Right": width - row_width}[align]
    row_height = max((size.height for size, _ in in_line), default=0.0)
    drawn: list[Item] = []
    for size, items in in_line:
        drawn += [item.moved(x, row_height - size.height) for item in items]
        x += size.width
    # An empty line beside a drawing is the one that the drawing stands in.
    text_height = text.height if text.items or not in_line else 0.0
    return drawn + text.at(0, row_height), row_height + text_height
