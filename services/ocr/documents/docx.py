"""DOCX: the first page's paragraphs and tables, drawn as a page with their exact words."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator
from typing import Any

import docx
import numpy as np
from docx.document import Document
from docx.enum.table import WD_TABLE_ALIGNMENT
from docx.enum.text import WD_ALIGN_PARAGRAPH
from docx.oxml.ns import qn
from docx.table import Table
from docx.text.paragraph import Paragraph

from bandsmith.shared import replies
from bandsmith.shared.errors import BadInput
from bandsmith.shared.model.geometry import Box, Size
from bandsmith.shared.model.layout import TextStyle

from ..page import Page
from . import package
from .drawing import Align, FilledBox, Fragment, Item, PlacedPicture, Run, StrokedLine, draw_page, lay_out_paragraph
from .embedded_pictures import ParagraphPicture, paragraph_pictures
from .font_mapping import match_family

SUFFIXES = (".docx",)
looks_like = package.looks_like

_ALIGN: dict[Any, Align] = {WD_ALIGN_PARAGRAPH.CENTER: "Center", WD_ALIGN_PARAGRAPH.RIGHT: "Right"}
_CELL_MARGIN_PT = 5.4
"""Left and right margin of a cell, in points: Word's default."""
_MAX_TABLE_DEPTH = 4
"""Maximum depth to which tables inside tables are drawn."""


def read(content: bytes, size: Size | None) -> Page:
    """Return the first page of a DOCX. Raises ``BadInput`` when it is damaged, protected or unsafe to open."""
    package.check(content, "word/document.xml")
    try:
        document = docx.Document(io.BytesIO(content))
        _unwrap_controls(document)
        return _PageLayout(document, size).page()
    except (KeyError, ValueError, AttributeError, TypeError, IndexError, OSError):
        # python-docx reports missing or malformed parts by any of these.
        raise BadInput.of("documents.office") from None


def _unwrap_controls(document: Document) -> None:
    """Replace content controls and tracked insertions by what they hold; python-docx passes over them."""
    section = document.sections[0]
    for root in (document.element.body, section.header._element, section.footer._element):
        for wrapper in root.xpath(".//w:sdt | .//w:ins | .//w:smartTag"):
            parent = wrapper.getparent()
            content = wrapper.find(qn("w:sdtContent")) if wrapper.tag == qn("w:sdt") else wrapper
            at = parent.index(wrapper)
            for child in reversed(list(content) if content is not None else []):
                parent.insert(at, child)
            parent.remove(wrapper)


class _PageLayout:
    """Lays out one document on a page."""

    def __init__(self, document: Document, size: Size | None) -> None:
        self._document = document
        section = document.sections[0]
        width, height = (
            _points(side) or default for side, default in ((section.page_width, 595), (section.page_height, 842))
        )
        self._size = size or Size(width=round(width), height=round(height))
        self._left = _points(section.left_margin) or 0.0
        self._top = _points(section.top_margin) or 0.0
        self._bottom = self._size.height - (_points(section.bottom_margin) or 0.0)
        self._width = max(72.0, self._size.width - self._left - (_points(section.right_margin) or 0.0))
        self._header = (section.header, _points(section.header_distance) or 36.0)
        self._footer = (section.footer, _points(section.footer_distance) or 36.0)
        self._defaults = _defaults(document)
        self._floating: list[Item] = []
        """Pictures at a position of the page, whatever text they are anchored to."""
        self._lost_pictures = 0

    def page(self) -> Page:
        items: list[Item] = []
        header = self._flow(self._header[0])
        items += header.at(self._left, self._header[1])
        footer = self._flow(self._footer[0])
        items += footer.at(self._left, self._size.height - self._footer[1] - footer.height)
        y = max(self._top, self._header[1] + header.height)
        notes: list[replies.Text] = []
        for part, ends_page in self._parts(self._document, self._width, 0):
            fits = y + part.height <= self._bottom + 1 or not items
            if fits:
                items += part.at(self._left, y)
                y += part.height
            if ends_page or not fits:
                notes.append(replies.Text.of("documents.notes.docx_pages"))
                break
        if self._lost_pictures:
            notes.append(replies.Text.of("documents.notes.pictures", count=self._lost_pictures))
        return draw_page(items + self._floating, self._size, notes)

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
            yield self._paragraph(block, width), bool(block._p.xpath(".//w:br[@w:type='page']"))

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
        stops = [_points(stop.position) or 0.0 for stop in form.tab_stops]
        text = lay_out_paragraph(runs, max(20.0, width - indent), align, spacing=spacing, first=first, stops=stops)
        drawn, height = self._with_pictures(text, paragraph_pictures(block), width, align)
        return Fragment([item.moved(indent, before) for item in drawn], before + height + after)

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
        page_x, page_width = (0.0, self._size.width) if picture.across.origin == "page" else (self._left, self._width)
        if picture.down.origin in ("paragraph", "line"):
            column = (page_x - self._left, page_width) if picture.across.origin == "page" else (0.0, width)
            x, y = picture.across.start(*column, picture.width), picture.down.offset
            return [PlacedPicture(Box(x=x, y=y, width=picture.width, height=picture.height), pixels)]
        top, height = (
            (0.0, self._size.height) if picture.down.origin == "page" else (self._top, self._bottom - self._top)
        )
        x = picture.across.start(page_x, page_width, picture.width)
        y = picture.down.start(top, height, picture.height)
        self._floating.append(PlacedPicture(Box(x=x, y=y, width=picture.width, height=picture.height), pixels))
        return []

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
        edges = _edges(table, width)
        cells = [_CellBox(tc, edges, table) for tc in table._tbl.iter_tcs()]
        rows = table._tbl.tr_lst
        inner = [self._flow(cell.content, cell.width - 2 * _CELL_MARGIN_PT, depth + 1) for cell in cells]
        heights = [max(_row_height(row), 1.0) for row in rows]
        spans = [
            (cell.top, cell.bottom, piece.height) for cell, piece in zip(cells, inner, strict=True) if not cell.hidden
        ]
        # Cells of one row come first; what a merged cell needs beyond its rows is added to the last of them.
        for top, bottom, height in sorted(spans, key=lambda span: span[1] - span[0]):
            heights[bottom - 1] += max(0.0, height - sum(heights[top:bottom]))
        pieces = []
        for number, height in enumerate(heights):
            items: list[Item] = []
            for cell, piece in zip(cells, inner, strict=True):
                if cell.top == number and not cell.hidden:
                    items += cell.items(piece, sum(heights[cell.top : cell.bottom]))
            pieces.append(Fragment(items, height))
        return pieces


class _CellBox:
    """A cell with its position in the table's grid."""

    def __init__(self, tc: Any, edges: list[float], table: Table) -> None:
        left, right = min(tc.left, len(edges) - 2), min(tc.right, len(edges) - 1)
        self.content = docx.table._Cell(tc, table)
        self.top, self.bottom = tc.top, tc.bottom
        # A cell that continues the one above has no content of its own.
        self.hidden = tc.vMerge == "continue"
        self._x = edges[left]
        self.width = edges[right] - edges[left]
        properties = tc.tcPr
        shading = properties.find(qn("w:shd")) if properties is not None else None
        fill = shading.get(qn("w:fill")) if shading is not None else None
        self._fill = f"#{fill}" if fill and len(fill) == 6 else None
        self._middle = str(self.content.vertical_alignment or "").split(" ")[0]
        self._borders = _borders(properties, table)

    def items(self, text: Fragment, height: float) -> list[Item]:
        left, right = self._x, self._x + self.width
        items: list[Item] = []
        if self._fill:
            items.append(FilledBox(Box.between(left, 0, right, height), self._fill))
        sides = {
            "top": (left, 0.0, right, 0.0),
            "bottom": (left, height, right, height),
            "left": (left, 0.0, left, height),
            "right": (right, 0.0, right, height),
        }
        items += [StrokedLine(*sides[side], *border) for side, border in self._borders.items()]
        free = max(0.0, height - text.height)
        down = {"CENTER": free / 2, "BOTTOM": free}.get(self._middle, 0.0)
        return items + text.at(left + _CELL_MARGIN_PT, down)


def _edges(table: Table, width: float) -> list[float]:
    """Return the x of each column edge."""
    columns = _column_widths(table, width)
    known = [column for column in columns if column]
    default_width = sum(known) / len(known) if known else width / max(1, len(columns))
    columns = [column or default_width for column in columns]
    # Word shrinks a table that is too wide for the page.
    scale = min(1.0, (width + 2 * _CELL_MARGIN_PT) / sum(columns)) if columns else 1.0
    centred = table.alignment == WD_TABLE_ALIGNMENT.CENTER
    edges = [max((width - sum(columns) * scale) / 2, -_CELL_MARGIN_PT) if centred else -_CELL_MARGIN_PT]
    for column in columns:
        edges.append(edges[-1] + column * scale)
    return edges if len(edges) > 1 else [0.0, width]


def _column_widths(table: Table, width: float) -> list[float]:
    """Return each column's width in points, 0 where unknown: the widest preferred width of its cells, else the grid's.

    Word lays a table out by its cells' widths; the grid is often left over from before the last change.
    """
    columns = [_points(column.width) or 0.0 for column in table.columns]
    preferred = [0.0] * len(columns)
    for cell in table._tbl.iter_tcs():
        limit = cell.tcPr.find(qn("w:tcW")) if cell.tcPr is not None else None
        if limit is None or cell.grid_span != 1 or cell.left >= len(columns):
            continue
        number, unit = float((limit.get(qn("w:w")) or "0").rstrip("%")), limit.get(qn("w:type"), "dxa")
        length = number / 20 if unit == "dxa" else number / 5000 * width if unit == "pct" else 0.0
        preferred[cell.left] = max(preferred[cell.left], length)
    return [cell_width or column for cell_width, column in zip(preferred, columns, strict=True)]


def _borders(properties: Any, table: Table) -> dict[str, tuple[float, str]]:
    """Return the width and colour of each ruled side of a cell: its own, the table's or the table style's."""
    table_level = table._tbl.tblPr.find(qn("w:tblBorders"))
    style = table.style
    while table_level is None and style is not None:
        style_borders = style.element.xpath("./w:tblPr/w:tblBorders")
        table_level = style_borders[0] if style_borders else None
        style = style.base_style
    cell_level = properties.find(qn("w:tcBorders")) if properties is not None else None
    borders = {}
    for side in ("top", "bottom", "left", "right"):
        inside = "insideH" if side in ("top", "bottom") else "insideV"
        candidates = [cell_level.find(qn(f"w:{side}"))] if cell_level is not None else []
        if table_level is not None:
            candidates += [table_level.find(qn(f"w:{inside}")), table_level.find(qn(f"w:{side}"))]
        border = next((candidate for candidate in candidates if candidate is not None), None)
        if border is None or border.get(qn("w:val")) in (None, "nil", "none"):
            continue
        colour = border.get(qn("w:color"), "auto")
        eighths = float(border.get(qn("w:sz"), "4"))
        borders[side] = (eighths / 8, f"#{colour}" if len(colour) == 6 else "#000000")
    return borders


def _row_height(row: Any) -> float:
    return _points(row.trHeight_val) or 0.0


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
    return _points(value if value is not None else _style_value(style, name)) or 0.0


def _points(length: Any) -> float | None:
    return None if length is None else length.pt
