"""Styles of a DOCX: how a run of text looks and how a paragraph is set, from the text up to the document's defaults."""

from __future__ import annotations

import copy
import re
from collections.abc import Callable, Iterator
from typing import Any

from docx.document import Document
from docx.enum.text import WD_LINE_SPACING
from docx.oxml import OxmlElement
from docx.oxml.ns import qn
from docx.text.paragraph import Paragraph

from bandsmith.shared.jrxml.text_styles import lightness
from bandsmith.shared.model.layout import TextStyle

from .docx_tables import points
from .drawing import LineHeight
from .font_mapping import match_family

MAX_DARK = 60 / 255
"""Lightness below which Word prints text of automatic colour in white."""
_RGB = re.compile(r"[0-9A-Fa-f]{6}")


class DocxStyles:
    """Resolves what a paragraph or a run does not set itself."""

    def __init__(self, document: Document) -> None:
        self._family, self._size = _default_font(document)
        self._default_format = _default_format(document)
        self._styles = document.styles.element
        self._known_tables = dict[str, list[Any]]()
        self._known_styles = dict[tuple[str, str | None], list[Any]]()

    def text(self, run: Any, block: Paragraph) -> TextStyle:
        """Return the look of a run, or of a paragraph without one."""
        fonts = [] if run is None else [run.font, *_fonts(self._chain(run))]
        fonts += _fonts(self._chain(block))

        def first_set(get: Callable[[Any], Any], default: Any = None) -> Any:
            return next((value for font in fonts if (value := get(font)) is not None), default)

        size = first_set(lambda font: font.size)
        name = first_set(lambda font: font.name, self._family)
        colour = first_set(lambda font: font.color.rgb if font.color is not None else None)
        return TextStyle(
            family=match_family(name or "", serif=not name),
            size=min(max(size.pt if size is not None else self._size, 1.0), 400.0),
            bold=bool(first_set(lambda font: font.bold)),
            italic=bool(first_set(lambda font: font.italic)),
            underline=bool(first_set(lambda font: font.underline)),
            colour=f"#{colour}" if colour is not None else _automatic_colour(block),
        )

    def length(self, block: Paragraph, name: str) -> float:
        """Return a length of a paragraph in points."""
        return points(self.value(block, name)) or 0.0

    def value(self, block: Paragraph, name: str) -> Any:
        """Return what a paragraph, its style, its table's style or the document sets; None for what none sets."""
        of_styles = [*_formats(self._chain(block)), *self._table_formats(block)]
        formats = [block.paragraph_format, *of_styles, self._default_format]
        return next((value for form in formats if (value := getattr(form, name)) is not None), None)

    def line_height(self, block: Paragraph) -> LineHeight:
        """Return how high the lines of a paragraph are."""
        spacing = self.value(block, "line_spacing")
        if spacing is None or isinstance(spacing, float):
            return LineHeight(share=spacing or 1.0)
        is_exact = self.value(block, "line_spacing_rule") == WD_LINE_SPACING.EXACTLY
        return LineHeight(exact=spacing.pt) if is_exact else LineHeight(least=spacing.pt)

    def _chain(self, part: Any) -> list[Any]:
        """Return the style of a paragraph or a run, and each style that it is based on.

        python-docx looks at all styles of the document each time it is asked for the default one.
        """
        key = (part._element.tag, part._element.style)
        if key not in self._known_styles:
            self._known_styles[key] = list(_chain(part.style))
        return self._known_styles[key]

    def _table_formats(self, block: Paragraph) -> list[Any]:
        """Return the paragraph formats of the style of the table that a paragraph stands in."""
        names = block._p.xpath("ancestor::w:tbl[1]/w:tblPr/w:tblStyle/@w:val")
        if not names:
            return []
        if names[0] not in self._known_tables:
            style, properties = self._styles.get_by_id(names[0]), list[Any]()
            while style is not None and len(properties) < 20:
                properties.append(style.pPr)
                style = style.base_style
            self._known_tables[names[0]] = [_format(one) for one in properties if one is not None]
        return self._known_tables[names[0]]


def _automatic_colour(block: Paragraph) -> str:
    """Return the colour of text that sets none: black, and white on the dark shading of its paragraph or cell."""
    fills = block._p.xpath("./w:pPr/w:shd/@w:fill") or block._p.xpath("ancestor::w:tc[1]/w:tcPr/w:shd/@w:fill")
    is_dark = any(_RGB.fullmatch(fill) and lightness(f"#{fill}") < MAX_DARK for fill in fills)
    return "#FFFFFF" if is_dark else "#000000"


def _default_font(document: Document) -> tuple[str | None, float]:
    """Return the name and size of the font that applies where nothing else is set."""
    defaults = document.styles.element.xpath("./w:docDefaults/w:rPrDefault/w:rPr")
    if not defaults:
        return None, 10.0
    size, fonts = defaults[0].find(qn("w:sz")), defaults[0].find(qn("w:rFonts"))
    name = fonts.get(qn("w:ascii")) or fonts.get(qn("w:asciiTheme")) if fonts is not None else None
    # A theme's font names nearly always stand for sans serif faces.
    name = "Calibri" if name and name.startswith(("minor", "major")) else name
    return name, float(size.get(qn("w:val"))) / 2 if size is not None else 10.0


def _default_format(document: Document) -> Any:
    defaults = document.styles.element.xpath("./w:docDefaults/w:pPrDefault/w:pPr")
    return _format(defaults[0] if defaults else OxmlElement("w:pPr"))


def _format(properties: Any) -> Any:
    """Return properties of paragraphs as python-docx gives those of one."""
    holder = OxmlElement("w:p")
    holder.append(copy.deepcopy(properties))
    return Paragraph(holder, None).paragraph_format  # type: ignore[arg-type]


def _chain(style: Any) -> Iterator[Any]:
    """Yield a style and the styles that it is based on."""
    depth = 0
    while style is not None and depth < 20:
        yield style
        style, depth = style.base_style, depth + 1


def _fonts(styles: list[Any]) -> list[Any]:
    return [style.font for style in styles if hasattr(style, "font")]


def _formats(styles: list[Any]) -> list[Any]:
    return [style.paragraph_format for style in styles if hasattr(style, "paragraph_format")]
