"""Text boxes on a worksheet, which openpyxl passes over: their texts, their looks and the cells that they cover."""

from __future__ import annotations

import io
import zipfile
from itertools import pairwise
from typing import Any, NamedTuple

from lxml import etree
from openpyxl.drawing.spreadsheet_drawing import AnchorMarker, OneCellAnchor, TwoCellAnchor
from openpyxl.drawing.xdr import XDRPositiveSize2D
from openpyxl.worksheet.worksheet import Worksheet

from bandsmith.shared import xml
from bandsmith.shared.model.geometry import Box
from bandsmith.shared.model.layout import TextStyle

from .drawing import Align, FilledBox, Item, Run, StrokedLine, lay_out_paragraph
from .font_mapping import match_family
from .package import MAX_XML_BYTES, MAX_XML_DEPTH
from .shape_frames import EMU_PER_PT, find_nodes

_INSETS_PT = {"l": 7.2, "t": 3.6, "r": 7.2, "b": 3.6}
"""Margins inside a text box: Excel's defaults."""
_DEFAULT_SIZE_PT = 11.0
_ALIGN: dict[str, Align] = {"ctr": "Center", "r": "Right"}
_MARKER = ("col", "colOff", "row", "rowOff")
"""Parts of a position, in cells and in EMU from the cell's corner."""
_FREE_ABOVE = {"ctr": 0.5, "b": 1.0}


class SheetShape(NamedTuple):
    """A text box on a worksheet."""

    anchor: Any
    """The cells that it covers, as openpyxl describes it for pictures."""
    node: Any

    def items(self, box: Box, scale: float) -> list[Item]:
        """Return what is drawn of it in its box on the page. `scale` is that of the printed sheet."""
        left, top, right, bottom = (self._inset(side) * scale for side in _INSETS_PT)
        lines: list[Item] = []
        y = 0.0
        for paragraph in find_nodes(self.node, "./xdr:txBody/a:p"):
            runs = [_run(run, scale) for run in find_nodes(paragraph, "./a:r | ./a:fld")]
            align = _ALIGN.get(str(find_nodes(paragraph, "string(./a:pPr/@algn)")), "Left")
            text = lay_out_paragraph(runs or [("", _style(None, scale))], max(20.0, box.width - left - right), align)
            lines += text.at(0, y)
            y += text.height
        share = _FREE_ABOVE.get(str(find_nodes(self.node, "string(./xdr:txBody/a:bodyPr/@anchor)")), 0.0)
        down = max(0.0, top + share * (box.height - y - top - bottom))
        return [*_area(self.node, box), *(item.moved(box.x + left, box.y + down) for item in lines)]

    def _inset(self, side: str) -> float:
        given = str(find_nodes(self.node, f"string(./xdr:txBody/a:bodyPr/@{side}Ins)"))
        return int(given) / EMU_PER_PT if given else _INSETS_PT[side]


def sheet_shapes(sheet: Worksheet, content: bytes) -> list[SheetShape]:
    """Return the text boxes of a sheet of a workbook."""
    parts = [one.Target.lstrip("/") for one in getattr(sheet, "_rels", ()) if one.Type.endswith("/drawing")]
    shapes = []
    with zipfile.ZipFile(io.BytesIO(content)) as package:
        for part in set(parts) & set(package.namelist()):
            root = xml.parse(package.read(part), max_bytes=MAX_XML_BYTES, max_depth=MAX_XML_DEPTH)
            for node in find_nodes(root, "./*/xdr:sp[xdr:txBody/a:p/*/a:t]"):
                if (anchor := _anchor(node.getparent())) is not None:
                    shapes.append(SheetShape(anchor, node))
    return shapes


def _anchor(element: Any) -> Any:
    """Return where a shape stands; None for one that stands at no cell."""
    begin, end, size = (element.find(f"{{*}}{name}") for name in ("from", "to", "ext"))
    if begin is None or (end is None and size is None):
        return None
    if etree.QName(element).localname == "twoCellAnchor" and end is not None:
        return TwoCellAnchor(_from=_marker(begin), to=_marker(end))
    return OneCellAnchor(_from=_marker(begin), ext=XDRPositiveSize2D(int(size.get("cx")), int(size.get("cy"))))


def _marker(element: Any) -> AnchorMarker:
    col, col_off, row, row_off = (int(element.findtext(f"{{*}}{name}") or 0) for name in _MARKER)
    return AnchorMarker(col=col, colOff=col_off, row=row, rowOff=row_off)


def _run(run: Any, scale: float) -> Run:
    properties = find_nodes(run, "./a:rPr")
    return run.findtext("{*}t") or "", _style(properties[0] if properties else None, scale)


def _style(properties: Any, scale: float) -> TextStyle:
    """Return the look of a run of text, from its properties."""
    given = properties.get("sz") if properties is not None else None
    size = (int(given) / 100 if given else _DEFAULT_SIZE_PT) * scale
    name = str(find_nodes(properties, "string(./a:latin/@typeface)")) if properties is not None else ""
    colour = str(find_nodes(properties, "string(./a:solidFill/a:srgbClr/@val)")) if properties is not None else ""
    return TextStyle(
        family=match_family(name),
        size=min(max(round(size * 2) / 2, 1.0), 400.0),
        bold=properties is not None and properties.get("b") == "1",
        italic=properties is not None and properties.get("i") == "1",
        colour=f"#{colour}" if len(colour) == 6 else "#000000",
    )


def _area(node: Any, box: Box) -> list[Item]:
    """Return the fill and the border of a shape."""
    fill, line = (
        str(find_nodes(node, f"string(./xdr:spPr/{path}a:solidFill/a:srgbClr/@val)")) for path in ("", "a:ln/")
    )
    items: list[Item] = [FilledBox(box, f"#{fill}")] if len(fill) == 6 else []
    if len(line) == 6:
        corners = [(box.x, box.y), (box.right, box.y), (box.right, box.bottom), (box.x, box.bottom), (box.x, box.y)]
        items += [StrokedLine(*start, *end, 0.75, f"#{line}") for start, end in pairwise(corners)]
    return items
