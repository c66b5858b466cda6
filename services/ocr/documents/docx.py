"""DOCX: the first page's paragraphs and tables, drawn as a page with its exact words."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator
from typing import Any

import docx
from docx.document import Document
from docx.enum.table import WD_TABLE_ALIGNMENT
from docx.enum.text import WD_ALIGN_PARAGRAPH
from docx.oxml.ns import qn
from docx.table import Table
from docx.text.paragraph import Paragraph

from bandsmith.shared.model.geometry import Box, Size
from bandsmith.shared.model.layout import TextStyle

from ..engines import Engine
from ..page import Page
from . import package
from .drawing import Align, Area, Item, Line, Piece, Run, draw, paragraph
from .font_mapping import family_like
from .refusals import refusal

SUFFIXES = (".docx",)
looks_like = package.looks_like

_ALIGN: dict[Any, Align] = {WD_ALIGN_PARAGRAPH.CENTER: "Center", WD_ALIGN_PARAGRAPH.RIGHT: "Right"}
_CELL_MARGIN = 5.4
"""Left and right, in points: Word's default."""
_DEEPEST = 4
"""Tables inside tables are drawn to this depth."""


def read(content: bytes, size: Size | None, engine: Engine) -> Page:
    """The first page of a DOCX. Raises ``BadInput`` when it is broken, protected or not safe to open."""
    package.check(content, "word/document.xml")
    try:
        document = docx.Document(io.BytesIO(content))
        return _Drawing(document, size).page()
    except (KeyError, ValueError, AttributeError, TypeError, IndexError, OSError):
        # The library reports parts that are missing or misshapen by any of these.
        raise refusal("office") from None


class _Drawing:
    """One document while it is set on a page."""

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

    def page(self) -> Page:
        items: list[Item] = []
        header = self._flow(self._header[0])
        items += header.at(self._left, self._header[1])
        footer = self._flow(self._footer[0])
        items += footer.at(self._left, self._size.height - self._footer[1] - footer.height)
        y = max(self._top, self._header[1] + header.height)
        notes = []
        for part, ends_page in self._parts(self._document, self._width, 0):
            fits = y + part.height <= self._bottom + 1 or not items
            if fits:
                items += part.at(self._left, y)
                y += part.height
            if ends_page or not fits:
                notes.append("The document goes on after its first page; the first page was read.")
                break
        return draw(items, self._size, notes)

    def _flow(self, container: Any, width: float | None = None, depth: int = 0) -> Piece:
        """Everything in a header, footer or cell, one below the other."""
        items: list[Item] = []
        y = 0.0
        for part, _ in self._parts(container, self._width if width is None else width, depth):
            items += part.at(0, y)
            y += part.height
        return Piece(items, y)

    def _parts(self, container: Any, width: float, depth: int) -> Iterator[tuple[Piece, bool]]:
        """Paragraphs and rows of tables in order, and whether the page ends after each."""
        for block in container.iter_inner_content():
            if isinstance(block, Table):
                if depth < _DEEPEST:
                    for row in self._rows(block, width, depth):
                        yield row, False
                continue
            yield self._paragraph(block, width), bool(block._p.xpath(".//w:br[@w:type='page']"))

    def _paragraph(self, block: Paragraph, width: float) -> Piece:
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
        text = paragraph(runs, max(20.0, width - indent), align, spacing=spacing, first=first, stops=stops)
        return Piece(text.at(indent, before), before + text.height + after)

    def _runs(self, block: Paragraph) -> list[Run]:
        runs: list[Run] = []
        for part in block.iter_inner_content():
            for run in getattr(part, "runs", None) or [part]:
                # A deleted or hidden run is not on the page; python-docx leaves deleted ones out itself.
                if getattr(run.font, "hidden", False) or not run.text:
                    continue
                runs.append((run.text.replace("\r", ""), self._style_of(run, block)))
        return runs

    def _style_of(self, run: Any, block: Paragraph) -> TextStyle:
        fonts = [] if run is None else [run.font, *_style_fonts(run.style)]
        fonts += _style_fonts(block.style)

        def told(get: Callable[[Any], Any], default: Any = None) -> Any:
            return next((value for font in fonts if (value := get(font)) is not None), default)

        size = told(lambda font: font.size)
        name = told(lambda font: font.name, self._defaults[0])
        colour = told(lambda font: font.color.rgb if font.color is not None else None)
        return TextStyle(
            family=family_like(name or "", serif=not name),
            size=min(max(size.pt if size is not None else self._defaults[1], 1.0), 400.0),
            bold=bool(told(lambda font: font.bold)),
            italic=bool(told(lambda font: font.italic)),
            underline=bool(told(lambda font: font.underline)),
            colour=f"#{colour}" if colour is not None else "#000000",
        )

    def _rows(self, table: Table, width: float, depth: int) -> list[Piece]:
        edges = _edges(table, width)
        cells = [_Cell(tc, edges, table) for tc in table._tbl.iter_tcs()]
        rows = table._tbl.tr_lst
        inner = [self._flow(cell.content, cell.width - 2 * _CELL_MARGIN, depth + 1) for cell in cells]
        heights = [max(_row_height(row), 1.0) for row in rows]
        spans = [
            (cell.top, cell.bottom, piece.height) for cell, piece in zip(cells, inner, strict=True) if not cell.hidden
        ]
        # Cells of one row first; what a merged cell needs beyond its rows goes to the last of them.
        for top, bottom, height in sorted(spans, key=lambda span: span[1] - span[0]):
            heights[bottom - 1] += max(0.0, height - sum(heights[top:bottom]))
        pieces = []
        for number, height in enumerate(heights):
            items: list[Item] = []
            for cell, piece in zip(cells, inner, strict=True):
                if cell.top == number and not cell.hidden:
                    items += cell.drawn(piece, sum(heights[cell.top : cell.bottom]))
            pieces.append(Piece(items, height))
        return pieces


class _Cell:
    """A cell with its place in the table's grid."""

    def __init__(self, tc: Any, edges: list[float], table: Table) -> None:
        left, right = min(tc.left, len(edges) - 2), min(tc.right, len(edges) - 1)
        self.content = docx.table._Cell(tc, table)
        self.top, self.bottom = tc.top, tc.bottom
        # A cell that goes on from the one above has nothing of its own.
        self.hidden = tc.vMerge == "continue"
        self._x = edges[left]
        self.width = edges[right] - edges[left]
        properties = tc.tcPr
        shading = properties.find(qn("w:shd")) if properties is not None else None
        fill = shading.get(qn("w:fill")) if shading is not None else None
        self._fill = f"#{fill}" if fill and len(fill) == 6 else None
        self._middle = str(self.content.vertical_alignment or "").split(" ")[0]
        self._borders = _borders(properties, table)

    def drawn(self, text: Piece, height: float) -> list[Item]:
        left, right = self._x, self._x + self.width
        items: list[Item] = []
        if self._fill:
            items.append(Area(Box.between(left, 0, right, height), self._fill))
        sides = {
            "top": (left, 0.0, right, 0.0),
            "bottom": (left, height, right, height),
            "left": (left, 0.0, left, height),
            "right": (right, 0.0, right, height),
        }
        items += [Line(*sides[side], *border) for side, border in self._borders.items()]
        free = max(0.0, height - text.height)
        down = {"CENTER": free / 2, "BOTTOM": free}.get(self._middle, 0.0)
        return items + text.at(left + _CELL_MARGIN, down)


def _edges(table: Table, width: float) -> list[float]:
    """x of the column edges."""
    columns = [_points(column.width) or 0.0 for column in table.columns]
    known = [column for column in columns if column]
    usual = sum(known) / len(known) if known else width / max(1, len(columns))
    columns = [column or usual for column in columns]
    # Word shrinks a table that is too wide for the page.
    scale = min(1.0, (width + 2 * _CELL_MARGIN) / sum(columns)) if columns else 1.0
    centred = table.alignment == WD_TABLE_ALIGNMENT.CENTER
    edges = [max((width - sum(columns) * scale) / 2, -_CELL_MARGIN) if centred else -_CELL_MARGIN]
    for column in columns:
        edges.append(edges[-1] + column * scale)
    return edges if len(edges) > 1 else [0.0, width]


def _borders(properties: Any, table: Table) -> dict[str, tuple[float, str]]:
    """Width and colour of each side of a cell that has a rule: its own, else the table's, else its style's."""
    table_level = table._tbl.tblPr.find(qn("w:tblBorders"))
    style = table.style
    while table_level is None and style is not None:
        found = style.element.xpath("./w:tblPr/w:tblBorders")
        table_level = found[0] if found else None
        style = style.base_style
    own = properties.find(qn("w:tcBorders")) if properties is not None else None
    borders = {}
    for side in ("top", "bottom", "left", "right"):
        inside = "insideH" if side in ("top", "bottom") else "insideV"
        told = [own.find(qn(f"w:{side}"))] if own is not None else []
        if table_level is not None:
            told += [table_level.find(qn(f"w:{inside}")), table_level.find(qn(f"w:{side}"))]
        border = next((one for one in told if one is not None), None)
        if border is None or border.get(qn("w:val")) in (None, "nil", "none"):
            continue
        colour = border.get(qn("w:color"), "auto")
        eighths = float(border.get(qn("w:sz"), "4"))
        borders[side] = (eighths / 8, f"#{colour}" if len(colour) == 6 else "#000000")
    return borders


def _row_height(row: Any) -> float:
    return _points(row.trHeight_val) or 0.0


def _defaults(document: Document) -> tuple[str | None, float]:
    """Name and size of the font where nothing says otherwise."""
    found = document.styles.element.xpath("./w:docDefaults/w:rPrDefault/w:rPr")
    if not found:
        return None, 10.0
    size, fonts = found[0].find(qn("w:sz")), found[0].find(qn("w:rFonts"))
    name = fonts.get(qn("w:ascii")) or fonts.get(qn("w:asciiTheme")) if fonts is not None else None
    # The names in a document's theme stand for its sans serif faces nearly always.
    name = "Calibri" if name and name.startswith(("minor", "major")) else name
    return name, float(size.get(qn("w:val"))) / 2 if size is not None else 10.0


def _chain(style: Any) -> Iterator[Any]:
    """A style and those it is based on."""
    seen = 0
    while style is not None and seen < 20:
        yield style
        style, seen = style.base_style, seen + 1


def _style_fonts(style: Any) -> list[Any]:
    return [one.font for one in _chain(style) if hasattr(one, "font")]


def _style_value(style: Any, name: str) -> Any:
    formats = (one.paragraph_format for one in _chain(style) if hasattr(one, "paragraph_format"))
    return next((value for form in formats if (value := getattr(form, name)) is not None), None)


def _inherited(form: Any, style: Any, name: str) -> float:
    """A length of a paragraph in points, from itself or its style."""
    value = getattr(form, name)
    return _points(value if value is not None else _style_value(style, name)) or 0.0


def _points(length: Any) -> float | None:
    return None if length is None else length.pt
