"""Drawings of a DOCX: pictures, text boxes with paragraphs and tables of their own, empty boxes, and straight lines."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from docx.oxml.ns import qn
from docx.table import Table
from docx.text.paragraph import Paragraph

from .shape_frames import EMU_PER_PT, ON_PAGE, Frame, belongs_to, drawing_frame, find_nodes, vml_length, vml_style

_INSETS_PT = (7.2, 3.6, 7.2, 3.6)
"""Left, top, right and bottom margin inside a text box: Word's defaults."""
_SHAPES = ("self::pic:pic", "self::c:chart", "self::wps:wsp", "self::v:*")
_STRAIGHT = ("rect", "roundRect", "line", "straightConnector1")
"""Shapes of DrawingML that are drawn without a text; the outlines of others are not."""
_MIDDLE = {"ctr": 0.5, "middle": 0.5, "b": 1.0, "bottom": 1.0}
_NAMED_COLOURS = {"black": "#000000", "white": "#FFFFFF", "gray": "#808080", "red": "#FF0000", "blue": "#0000FF"}
_SCHEME = {"tx1": "#000000", "dk1": "#000000", "bg1": "#FFFFFF", "lt1": "#FFFFFF"}


class TextShape(NamedTuple):
    """A shape with or without a text."""

    content: Any
    """The element whose children are its paragraphs and tables; None for a shape without text."""
    parent: Paragraph
    insets: tuple[float, float, float, float]
    """Left, top, right and bottom margin inside it, in points."""
    free_above: float
    """The share of the free height that is above its text."""
    fill: str | None
    border: str | None
    """Colours; None where it has no fill or no border of a plain colour."""
    border_width: float

    def iter_inner_content(self) -> Iterator[Paragraph | Table]:
        """Yield its paragraphs and tables in order."""
        for child in self.content if self.content is not None else ():
            if child.tag == qn("w:p"):
                yield Paragraph(child, self.parent)
            elif child.tag == qn("w:tbl"):
                yield Table(child, self.parent)


class Drawing(NamedTuple):
    """A picture, a shape or a group of them."""

    frame: Frame
    shapes: list[Any]
    """The elements of its pictures and shapes."""


def paragraph_drawings(paragraph: Paragraph) -> list[Drawing]:
    """Return the drawings of a paragraph that have a size, in order."""
    paths = (".//wp:inline", ".//wp:anchor", ".//w:pict/v:*", ".//w:object/v:*")
    nodes = find_nodes(paragraph._p, " | ".join(f"{path}{ON_PAGE}" for path in paths))
    drawings = []
    for node in nodes:
        if belongs_to(node, paragraph._p) and (frame := drawing_frame(node)):
            inner = find_nodes(
                node, "descendant-or-self::*[self::pic:pic or self::c:chart or self::wps:wsp or self::v:*]"
            )
            drawings.append(Drawing(frame, [one for one in inner if belongs_to(one, paragraph._p)]))
    return drawings


def is_picture(shape: Any) -> bool:
    """Whether a shape shows a picture or a chart."""
    return bool(find_nodes(shape, "boolean(self::pic:pic or self::c:chart or ./v:imagedata)"))


def text_shape(node: Any, paragraph: Paragraph) -> TextShape | None:
    """Return a text box, an empty box or a line; None for a shape of which nothing is drawn."""
    is_vml = not node.tag.endswith("}wsp")
    content = next(iter(find_nodes(node, "./v:textbox/w:txbxContent | ./wps:txbx/w:txbxContent")), None)
    if content is None and not _is_straight(node, is_vml):
        return None
    return TextShape(content, paragraph, *(_vml_look(node) if is_vml else _drawing_look(node)))


def _is_straight(node: Any, is_vml: bool) -> bool:
    if is_vml:
        return bool(node.tag.endswith(("}rect", "}roundrect")))
    return str(find_nodes(node, "string(./wps:spPr/a:prstGeom/@prst)")) in _STRAIGHT


_Look = tuple[tuple[float, float, float, float], float, str | None, str | None, float]


def _drawing_look(node: Any) -> _Look:
    """Return the insets, the share of free height above, the fill and the border of a shape of DrawingML."""
    given = [str(find_nodes(node, f"string(./wps:bodyPr/@{side}Ins)")) for side in "ltrb"]
    insets = [int(one) / EMU_PER_PT if one else default for one, default in zip(given, _INSETS_PT, strict=True)]
    free = _MIDDLE.get(str(find_nodes(node, "string(./wps:bodyPr/@anchor)")), 0.0)
    width = str(find_nodes(node, "string(./wps:spPr/a:ln/@w)"))
    fill, border = _colour(node, "./wps:spPr/a:solidFill"), _colour(node, "./wps:spPr/a:ln/a:solidFill")
    left, top, right, bottom = insets
    return (left, top, right, bottom), free, fill, border, int(width) / EMU_PER_PT if width else 0.75


def _vml_look(node: Any) -> _Look:
    """Return the insets, the share of free height above, the fill and the border of a shape of VML."""
    given = str(find_nodes(node, "string(./v:textbox/@inset)")).split(",")
    given += [""] * (4 - len(given))
    lengths = [vml_length(one.strip()) if one.strip() else d for one, d in zip(given, _INSETS_PT, strict=False)]
    left, top, right, bottom = lengths
    free = _MIDDLE.get(vml_style(node).get("v-text-anchor", ""), 0.0)
    fill = _vml_colour(node, "filled", "fillcolor", None)
    border = _vml_colour(node, "stroked", "strokecolor", "#000000")
    return (left, top, right, bottom), free, fill, border, vml_length(node.get("strokeweight") or "0.75pt")


def _colour(node: Any, path: str) -> str | None:
    found = str(find_nodes(node, f"string({path}/a:srgbClr/@val)"))
    scheme = str(find_nodes(node, f"string({path}/a:schemeClr/@val)"))
    return f"#{found}" if len(found) == 6 else _SCHEME.get(scheme)


def _vml_colour(node: Any, switch: str, name: str, default: str | None) -> str | None:
    if node.get(switch) in ("f", "false"):
        return None
    given = (node.get(name) or "").partition(" ")[0]
    if given.startswith("#"):
        digits = given[1:] if len(given) == 7 else "".join(2 * digit for digit in given[1:])
        return f"#{digits.upper()}" if len(digits) == 6 else default
    return _NAMED_COLOURS.get(given, default)
