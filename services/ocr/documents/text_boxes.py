"""Text boxes of a DOCX: paragraphs and tables at a position of their own."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from docx.oxml.ns import qn
from docx.table import Table
from docx.text.paragraph import Paragraph
from lxml import etree

from .embedded_pictures import EMU_PER_PT, Anchor, anchor_of, find_nodes

TEXT_BOX_MARGIN_PT = 7.2
"""Left and right margin inside a text box: Word's default."""
_LINE = Anchor(origin="column"), Anchor(origin="paragraph")


class TextBox(NamedTuple):
    """A text box that a paragraph contains or anchors."""

    content: Any
    """Its element, whose children are paragraphs and tables."""
    parent: Paragraph
    width: float
    height: float
    """In points."""
    across: Anchor
    down: Anchor
    fill: str | None
    border: str | None
    """Colours; None where it has no fill or no border of a plain colour."""

    def iter_inner_content(self) -> Iterator[Paragraph | Table]:
        """Yield its paragraphs and tables in order."""
        for child in self.content:
            if child.tag == qn("w:p"):
                yield Paragraph(child, self.parent)
            elif child.tag == qn("w:tbl"):
                yield Table(child, self.parent)


def paragraph_text_boxes(paragraph: Paragraph) -> list[TextBox]:
    """Return the text boxes of a paragraph, in order."""
    frames = find_nodes(paragraph._p, ".//w:drawing[not(ancestor::mc:Fallback)]/*[.//wps:txbx/w:txbxContent]")
    # A box inside of another one belongs to that one's paragraphs.
    return [_text_box(frame, paragraph) for frame in frames if not find_nodes(frame, "ancestor::w:txbxContent")]


def _text_box(frame: Any, paragraph: Paragraph) -> TextBox:
    width, height = (float(find_nodes(frame, f"number(wp:extent/@{side})")) / EMU_PER_PT for side in ("cx", "cy"))
    is_inline = etree.QName(frame).localname == "inline"
    across, down = _LINE if is_inline else (anchor_of(frame, "H"), anchor_of(frame, "V"))
    (content, *_) = find_nodes(frame, ".//wps:txbx/w:txbxContent")
    fill, border = (_colour(frame, path) for path in (".//wps:spPr/a:solidFill", ".//wps:spPr/a:ln/a:solidFill"))
    return TextBox(content, paragraph, width, height, across, down, fill, border)


def _colour(frame: Any, path: str) -> str | None:
    found = str(find_nodes(frame, f"string({path}/a:srgbClr/@val)"))
    return f"#{found}" if len(found) == 6 else None
