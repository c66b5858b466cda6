"""Where the shapes of a DOCX stand: in their line like a character, or at an anchor, alone or as parts of a group."""

from __future__ import annotations

import re
from typing import Any, NamedTuple

from lxml import etree

from bandsmith.shared.model.geometry import Box, Size

from ..page import MAX_SIDE_PT

EMU_PER_PT = 12_700
"""English metric units, in which DrawingML measures, per point."""
_NAMESPACES = {
    "w": "http://schemas.openxmlformats.org/wordprocessingml/2006/main",
    "wp": "http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing",
    "xdr": "http://schemas.openxmlformats.org/drawingml/2006/spreadsheetDrawing",
    "mc": "http://schemas.openxmlformats.org/markup-compatibility/2006",
    "pic": "http://schemas.openxmlformats.org/drawingml/2006/picture",
    "a": "http://schemas.openxmlformats.org/drawingml/2006/main",
    "r": "http://schemas.openxmlformats.org/officeDocument/2006/relationships",
    "c": "http://schemas.openxmlformats.org/drawingml/2006/chart",
    "v": "urn:schemas-microsoft-com:vml",
    "w10": "urn:schemas-microsoft-com:office:word",
    "wps": "http://schemas.microsoft.com/office/word/2010/wordprocessingShape",
    "wpg": "http://schemas.microsoft.com/office/word/2010/wordprocessingGroup",
}
ON_PAGE = "[not(ancestor::mc:Fallback)]"
"""A condition of an XPath: of a drawing for newer programs and its fallback for older ones, only the first is drawn."""
_UNITS_PT = {"pt": 1.0, "in": 72.0, "cm": 72 / 2.54, "mm": 72 / 25.4, "px": 0.75, "pc": 12.0, "": 0.75}
_VML = f"{{{_NAMESPACES['v']}}}"
_TEXT = {"left": "column", "top": "paragraph"}
"""What DrawingML calls the text that VML is relative to."""


class Anchor(NamedTuple):
    """Where a drawing begins along one axis."""

    origin: str = "column"
    """What it is relative to, in the words of DrawingML: page, margin, column, paragraph, line ..."""
    offset: float = 0.0
    """In points."""
    align: str | None = None
    """left, center, right, top or bottom, instead of an offset."""

    def start(self, begin: float, length: float, size: float) -> float:
        """Return where a drawing of `size` begins in a frame of `length` points that begins at `begin`."""
        shares = {"center": 0.5, "right": 1.0, "bottom": 1.0}
        return begin + self.offset + shares.get(self.align or "", 0.0) * (length - size)


class Frame(NamedTuple):
    """The place of a drawing, which may be a group of shapes."""

    size: Size
    """In points."""
    across: Anchor | None = None
    down: Anchor | None = None
    """None for one that stands in the line like a character."""
    wraps: bool = False
    """Whether text runs beside it."""


def find_nodes(node: Any, path: str) -> Any:
    """Evaluate an XPath with the namespaces of office documents; python-docx knows only some of them."""
    return etree.XPath(path, namespaces=_NAMESPACES)(node)


def belongs_to(shape: Any, paragraph: Any) -> bool:
    """Whether a shape is a paragraph's own; one inside of a text box belongs to a paragraph of that box."""
    return find_nodes(shape, "ancestor::w:p[1]")[0] is paragraph


def drawing_frame(drawing: Any) -> Frame | None:
    """Return the frame of a drawing, of DrawingML or VML; None where it has no size."""
    if drawing.tag.startswith(_VML):
        css = vml_style(drawing)
        width, height = (vml_length(css.get(side, "")) for side in ("width", "height"))
        anchors = (_vml_anchor(css, "left"), _vml_anchor(css, "top")) if css.get("position") == "absolute" else ()
        wraps = find_nodes(drawing, "boolean(w10:wrap[@type='square' or @type='tight' or @type='through'])")
    else:
        sides = (f"number(wp:extent/@{side})" for side in ("cx", "cy"))
        width, height = (float(find_nodes(drawing, side)) / EMU_PER_PT for side in sides)
        anchors = (_anchor(drawing, "H"), _anchor(drawing, "V")) if drawing.tag.endswith("}anchor") else ()
        wraps = find_nodes(drawing, "boolean(wp:wrapSquare | wp:wrapTight | wp:wrapThrough)")
    if not (0 <= width <= MAX_SIDE_PT and 0 <= height <= MAX_SIDE_PT and width + height > 0):
        return None
    size = Size(width=width, height=height)
    return Frame(size, *anchors, wraps=wraps) if anchors else Frame(size)


def part_box(shape: Any, frame: Frame) -> Box:
    """Return the box of a shape within its drawing: all of it, unless it is a part of a group."""
    whole = _box(0.0, 0.0, frame.size.width, frame.size.height)
    if shape.tag.startswith(_VML):
        groups = find_nodes(shape, "ancestor::v:group")
        return _in_vml_groups(shape, groups, whole) if groups else whole
    groups = find_nodes(shape, "ancestor::*[self::wpg:wgp or self::wpg:grpSp]")
    return _in_groups(shape, groups) if groups else whole


def _anchor(frame: Any, axis: str) -> Anchor:
    """Return where a frame begins along an axis, H or V."""
    origin = str(find_nodes(frame, f"string(wp:position{axis}/@relativeFrom)"))
    offset = str(find_nodes(frame, f"string(wp:position{axis}/wp:posOffset)"))
    align = str(find_nodes(frame, f"string(wp:position{axis}/wp:align)"))
    return Anchor(origin or "column", int(offset) / EMU_PER_PT if offset else 0.0, align or None)


def _vml_anchor(css: dict[str, str], side: str) -> Anchor:
    """Return where a drawing of VML begins along the axis of a side, left or top."""
    axis = {"left": "horizontal", "top": "vertical"}[side]
    origin = css.get(f"mso-position-{axis}-relative", "text")
    align = css.get(f"mso-position-{axis}", "absolute")
    offset = vml_length(css.get(f"margin-{side}", "")) + vml_length(css.get(side, ""))
    origin = {"text": _TEXT[side], "char": "column"}.get(origin, origin)
    return Anchor(origin, offset) if align == "absolute" else Anchor(origin, 0.0, align)


def _in_groups(shape: Any, groups: list[Any]) -> Box:
    """Return a shape's box within the outermost of its groups, in points."""
    box = _transform(shape, "./*[self::wps:spPr or self::pic:spPr]")
    for group in reversed(groups):
        own, inner = _transform(group, "./wpg:grpSpPr"), _transform(group, "./wpg:grpSpPr", "chOff", "chExt")
        box = _scaled(box, inner, own.moved(-own.x, -own.y) if group is groups[0] else own)
    return _box(*(side / EMU_PER_PT for side in (box.x, box.y, box.width, box.height)))


def _transform(node: Any, properties: str, offset: str = "off", extent: str = "ext") -> Box:
    path = f"{properties}/a:xfrm/a:"
    sides = (f"{path}{offset}/@x", f"{path}{offset}/@y", f"{path}{extent}/@cx", f"{path}{extent}/@cy")
    return _box(*(_finite(float(find_nodes(node, f"number({side})"))) for side in sides))


def _in_vml_groups(shape: Any, groups: list[Any], whole: Box) -> Box:
    """Return a shape's box within the outermost of its groups, which is `whole`."""
    box = _css_box(shape)
    for group in reversed(groups):
        inner = _box(*_pair(group.get("coordorigin"), 0.0), *_pair(group.get("coordsize"), 1000.0))
        box = _scaled(box, inner, whole if group is groups[0] else _css_box(group))
    return box


def _scaled(box: Box, inner: Box, outer: Box) -> Box:
    """Return a box of the coordinates `inner` in those in which the same area is `outer`."""
    across = outer.width / inner.width if inner.width else 1.0
    down = outer.height / inner.height if inner.height else 1.0
    x, y = outer.x + (box.x - inner.x) * across, outer.y + (box.y - inner.y) * down
    return _box(x, y, box.width * across, box.height * down)


def _finite(number: float) -> float:
    """Return a number of a transform, 0 where it is none or no drawing reaches so far."""
    return number if abs(number) < MAX_SIDE_PT * EMU_PER_PT else 0.0


def _box(x: float, y: float, width: float, height: float) -> Box:
    return Box(x=x, y=y, width=width, height=height)


def vml_style(shape: Any) -> dict[str, str]:
    """Return the properties of a VML shape's style."""
    pairs = (part.partition(":") for part in (shape.get("style") or "").split(";"))
    return {name.strip(): value.strip() for name, _, value in pairs}


def _css_box(shape: Any) -> Box:
    """Return a shape's box in the coordinates of its group."""
    css = vml_style(shape)
    return _box(*(vml_length(css.get(side, ""), 1.0) for side in ("left", "top", "width", "height")))


def vml_length(text: str, bare_unit: float = _UNITS_PT[""]) -> float:
    """Return a length of VML in points, 0 for none. `bare_unit` is what a number without a unit counts."""
    match = re.fullmatch(r"(-?[\d.]+)\s*([a-z]*)", text)
    if not match or match[2] not in _UNITS_PT:
        return 0.0
    return float(match[1]) * (_UNITS_PT[match[2]] if match[2] else bare_unit)


def _pair(text: str | None, default: float) -> tuple[float, ...]:
    """Return the two numbers of an attribute, which may lack one or both."""
    first, _, second = (text or "").partition(",")
    return tuple(vml_length(one.strip(), 1.0) if one.strip() else default for one in (first, second))
