"""DOCX: a page's paragraphs and tables, drawn as a page with their exact words."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import pairwise
from typing import Any

import docx
import numpy as np
from docx.document import Document
from docx.enum.text import WD_ALIGN_PARAGRAPH
from docx.oxml import OxmlElement
from docx.oxml.ns import qn
from docx.table import Table
from docx.text.paragraph import Paragraph

from bandsmith.shared import replies
from bandsmith.shared.errors import BadInput
from bandsmith.shared.model.geometry import Box, Size
from bandsmith.shared.model.layout import TextStyle

from ..page import MAX_PAGES, Page, page_size
from . import package
from .docx_loops import mark_loops, with_loop
from .docx_tables import CELL_MARGIN_PT, cells_of, column_edges, points, row_height
from .drawing import Align, FilledBox, Fragment, Item, PlacedPicture, Run, StrokedLine, draw_page, lay_out_paragraph
from .embedded_pictures import Anchor, ParagraphPicture, paragraph_pictures
from .font_mapping import match_family
from .text_boxes import TEXT_BOX_MARGIN_PT, TextBox, paragraph_text_boxes

SUFFIXES = (".docx",)
looks_like = package.looks_like

_ALIGN: dict[Any, Align] = {WD_ALIGN_PARAGRAPH.CENTER: "Center", WD_ALIGN_PARAGRAPH.RIGHT: "Right"}
_MAX_TABLE_DEPTH = 4
"""Maximum depth to which tables inside tables are drawn."""


def read(content: bytes, size: Size | None, number: int = 1) -> Page:
    """Return a page of a DOCX, counted from 1.

    Raises ``BadInput`` when it is damaged, protected or unsafe to open.
    """
    package.check(content, "word/document.xml")
    try:
        document = docx.Document(io.BytesIO(content))
        _unwrap_controls(document)
        _add_missing_grids(document)
        loops = mark_loops(document)
        return _PageLayout(document, size, loops).page(number)
    except (KeyError, ValueError, AttributeError, TypeError, IndexError, OSError):
        # python-docx reports missing or malformed parts by any of these.
        raise BadInput.of("documents.office") from None


def _unwrap_controls(document: Document) -> None:
    """Replace content controls, fields and tracked insertions by what they hold; python-docx passes over them."""
    section = document.sections[0]
    for root in (document.element.body, section.header._element, section.footer._element):
        for wrapper in root.xpath(".//w:sdt | .//w:ins | .//w:smartTag | .//w:fldSimple"):
            parent = wrapper.getparent()
            content = wrapper.find(qn("w:sdtContent")) if wrapper.tag == qn("w:sdt") else wrapper
            at = parent.index(wrapper)
            for child in reversed(list(content) if content is not None else []):
                parent.insert(at, child)
            parent.remove(wrapper)


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

    def __init__(self, document: Document, size: Size | None, loops: list[replies.Text]) -> None:
        """`loops` are notes about what the document repeats."""
        self._document, self._loops = document, loops
        section = document.sections[0]
        width, height = (
            points(side) or default for side, default in ((section.page_width, 595), (section.page_height, 842))
        )
        self._size = size or page_size(width, height)
        self._left = points(section.left_margin) or 0.0
        self._top = points(section.top_margin) or 0.0
        self._bottom = self._size.height - (points(section.bottom_margin) or 0.0)
        self._width = max(72.0, self._size.width - self._left - (points(section.right_margin) or 0.0))
        self._header = (section.header, points(section.header_distance) or 36.0)
        self._footer = (section.footer, points(section.footer_distance) or 36.0)
        self._defaults = _defaults(document)
        self._floating: list[Item] = []
        """Pictures at a position of the page, whatever text they are anchored to."""
        self._lost_pictures = 0

    def page(self, number: int) -> Page:
        """Draw a page, counted from 1. Raises ``ValueError`` where there is none."""
        items: list[Item] = []
        header = self._flow(self._header[0])
        items += header.at(self._left, self._header[1])
        footer = self._flow(self._footer[0])
        items += footer.at(self._left, self._size.height - self._footer[1] - footer.height)
        top = max(self._top, self._header[1] + header.height)
        pages, own = 1, list(self._floating)
        for pages, y, part, floating in self._placed(top):
            if pages == number:
                items += part.at(self._left, y)
                own += floating
        if number > pages:
            raise ValueError(f"no page {number}")
        notes = list(self._loops)
        if self._lost_pictures:
            notes.append(replies.Text.of("documents.notes.pictures", count=self._lost_pictures))
        left_out = replies.Text.of("documents.notes.docx_pages") if pages > 1 else None
        return replace(draw_page(items + own, self._size, notes), pages=pages, left_out=left_out)

    def _placed(self, top: float) -> Iterator[tuple[int, float, Fragment, list[Item]]]:
        """Yield paragraphs and table rows with their page and their y, and the pictures that float beside them."""
        page, y, ended = 1, top, False
        for part, ends_page in self._parts(self._document, self._width, 0):
            known = len(self._floating)
            fits = y + part.height <= self._bottom + 1 or y == top
            if part.items and (ended or not fits):
                page, y, ended = page + 1, top, False
                if page > MAX_PAGES + 1:
                    return
            yield page, y, part, self._floating[known:]
            y += part.height
            ended = ended or ends_page

    def _flow(self, container: Any, width: float | None = None, depth: int = 0) -> Fragment:
        """Lay out everything in a header, footer or cell, top to bottom."""
        items: list[Item] = []
        y = 0.0
        for part, _ in self._parts(container, self._width if width is None else width, depth):
            items += part.at(0, y)
            y += part.height
        return Fragment(items, y)

    def _parts(self, container: Any, width: float, depth: int) -> Iterator[tuple[Fragment, bool]]:
        """Yield paragraphs and table rows in order, and whether the page ends after each."""
        for block in container.iter_inner_content():
            if isinstance(block, Table):
                if depth < _MAX_TABLE_DEPTH:
                    for row in self._rows(block, width, depth):
                        yield row, False
                continue
            part = with_loop(self._paragraph(block, width), block._p, width)
            yield part, bool(block._p.xpath(".//w:br[@w:type='page']"))

    def _paragraph(self, block: Paragraph, width: float) -> Fragment:
        form = block.paragraph_format
        style = block.style
        indent = _inherited(form, style, "left_indent")
        first = _inherited(form, style, "first_line_indent")
        before, after = _inherited(form, style, "space_before"), _inherited(form, style, "space_after")
        spacing = form.line_spacing or _style_value(style, "line_spacing")
        spacing = spacing if isinstance(spacing, float) else 1.0
        align = _ALIGN.get(block.alignment or _style_value(style, "alignment"), "Left")
        runs = self._runs(block) or [("", self._style_of(None, block))]
        stops = [points(stop.position) or 0.0 for stop in form.tab_stops]
        text = lay_out_paragraph(runs, max(20.0, width - indent), align, spacing=spacing, first=first, stops=stops)
        drawn, height = self._with_pictures(text, paragraph_pictures(block), width, align)
        drawn += [item for box in paragraph_text_boxes(block) for item in self._text_box(box, width)]
        return Fragment([item.moved(indent, before) for item in drawn], before + height + after)

    def _text_box(self, box: TextBox, width: float) -> list[Item]:
        """Return a text box relative to its paragraph, or place it on the page where that is its origin."""
        inner = self._flow(box, max(20.0, box.width - 2 * TEXT_BOX_MARGIN_PT), _MAX_TABLE_DEPTH - 1)
        area = Box(x=0, y=0, width=box.width, height=max(box.height, inner.height))
        items: list[Item] = [FilledBox(area, box.fill)] if box.fill else []
        if box.border:
            corners = ((0.0, 0.0), (area.right, 0.0), (area.right, area.bottom), (0.0, area.bottom), (0.0, 0.0))
            items += [StrokedLine(*start, *end, 0.75, box.border) for start, end in pairwise(corners)]
        items += inner.at(TEXT_BOX_MARGIN_PT, TEXT_BOX_MARGIN_PT / 2)
        x, y, is_on_page = self._position(box.across, box.down, Size(width=box.width, height=area.height), width)
        placed = [item.moved(x, y) for item in items]
        if is_on_page:
            self._floating += placed
        return [] if is_on_page else placed

    def _with_pictures(
        self, text: Fragment, pictures: list[ParagraphPicture], width: float, align: Align
    ) -> tuple[list[Item], float]:
        """Return a paragraph's text with its pictures, and their height. Pictures in the line stand above the text."""
        self._lost_pictures += sum(picture.pixels is None for picture in pictures)
        in_line = [picture for picture in pictures if picture.across is None]
        row_width = sum(picture.width for picture in in_line)
        x = {"Left": 0.0, "Center": (width - row_width) / 2, "Right": width - row_width}[align]
        row_height = max((picture.height for picture in in_line), default=0.0)
        items: list[Item] = []
        for picture in in_line:
            if picture.pixels is not None:
                box = Box(x=x, y=row_height - picture.height, width=picture.width, height=picture.height)
                items.append(PlacedPicture(box, picture.pixels))
            x += picture.width
        for picture in pictures:
            if picture.pixels is not None and picture.across and picture.down:
                items += self._float(picture, picture.pixels, width)
        # An empty line beside a picture is the one that the picture stands in.
        text_height = text.height if text.items or not in_line else 0.0
        return items + text.at(0, row_height), row_height + text_height

    def _float(self, picture: ParagraphPicture, pixels: np.ndarray, width: float) -> list[Item]:
        """Return an anchored picture relative to its paragraph, or place it on the page where that is its origin."""
        assert picture.across and picture.down
        size = Size(width=picture.width, height=picture.height)
        x, y, is_on_page = self._position(picture.across, picture.down, size, width)
        placed = PlacedPicture(Box(x=x, y=y, width=picture.width, height=picture.height), pixels)
        if is_on_page:
            self._floating.append(placed)
        return [] if is_on_page else [placed]

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
                runs.append((run.text.replace("\r", ""), self._style_of(run, block)))
        return runs

    def _style_of(self, run: Any, block: Paragraph) -> TextStyle:
        fonts = [] if run is None else [run.font, *_style_fonts(run.style)]
        fonts += _style_fonts(block.style)

        def first_set(get: Callable[[Any], Any], default: Any = None) -> Any:
            return next((value for font in fonts if (value := get(font)) is not None), default)

        size = first_set(lambda font: font.size)
        name = first_set(lambda font: font.name, self._defaults[0])
        colour = first_set(lambda font: font.color.rgb if font.color is not None else None)
        return TextStyle(
            family=match_family(name or "", serif=not name),
            size=min(max(size.pt if size is not None else self._defaults[1], 1.0), 400.0),
            bold=bool(first_set(lambda font: font.bold)),
            italic=bool(first_set(lambda font: font.italic)),
            underline=bool(first_set(lambda font: font.underline)),
            colour=f"#{colour}" if colour is not None else "#000000",
        )

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


def _defaults(document: Document) -> tuple[str | None, float]:
    """Return the name and size of the font that applies where nothing else is set."""
    defaults = document.styles.element.xpath("./w:docDefaults/w:rPrDefault/w:rPr")
    if not defaults:
        return None, 10.0
    size, fonts = defaults[0].find(qn("w:sz")), defaults[0].find(qn("w:rFonts"))
    name = fonts.get(qn("w:ascii")) or fonts.get(qn("w:asciiTheme")) if fonts is not None else None
    # A theme's font names nearly always stand for sans serif faces.
    name = "Calibri" if name and name.startswith(("minor", "major")) else name
    return name, float(size.get(qn("w:val"))) / 2 if size is not None else 10.0


def _style_chain(style: Any) -> Iterator[Any]:
    """Yield a style and the styles that it is based on."""
    depth = 0
    while style is not None and depth < 20:
        yield style
        style, depth = style.base_style, depth + 1


def _style_fonts(style: Any) -> list[Any]:
    return [each.font for each in _style_chain(style) if hasattr(each, "font")]


def _style_value(style: Any, name: str) -> Any:
    formats = (each.paragraph_format for each in _style_chain(style) if hasattr(each, "paragraph_format"))
    return next((value for form in formats if (value := getattr(form, name)) is not None), None)


def _inherited(form: Any, style: Any, name: str) -> float:
    """Return a length of a paragraph in points, from the paragraph or its style."""
    value = getattr(form, name)
    return points(value if value is not None else _style_value(style, name)) or 0.0
