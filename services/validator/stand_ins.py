"""Stand-ins: a dashed frame of the same size, with a word in it, for an element that cannot be drawn."""

from __future__ import annotations

import copy
from typing import Any

from lxml import etree

from bandsmith.shared.jrxml.dom import J, int_attribute

MIN_NOTE_SIZE = (24, 9)
"""Width and height in points of the smallest stand-in with a word in it."""
NOTE_FONT_SIZE = 7
CHAR_WIDTH_PT = 4
_LINE = {"lineWidth": "0.5", "lineStyle": "Dashed", "lineColor": "#A0A0A0"}
_KEPT = ("x", "y", "width", "height", "key", "positionType", "stretchType", "isRemoveLineWhenBlank",
         "isPrintRepeatedValues", "isPrintWhenDetailOverflows", "isPrintInFirstWholeBand")  # fmt: skip


def put_stand_in(element: Any, word: str) -> None:
    """Replace an element by its stand-in, at the same position in its band."""
    report = element.find(f"{J}reportElement")
    report = element.find(f"{J}chart/{J}reportElement") if report is None else report
    parent = element.getparent()
    if report is None:
        parent.remove(element)
        return
    frame = etree.Element(f"{J}frame")
    position = etree.SubElement(frame, f"{J}reportElement", {k: report.get(k) for k in _KEPT if report.get(k)})
    condition = report.find(f"{J}printWhenExpression")
    if condition is not None:
        position.append(copy.deepcopy(condition))
    box = etree.SubElement(frame, f"{J}box")
    etree.SubElement(box, f"{J}pen", _LINE)
    width, height = int_attribute(report, "width"), int_attribute(report, "height")
    if width >= MIN_NOTE_SIZE[0] and height >= MIN_NOTE_SIZE[1]:
        frame.append(_note(word, width, height))
    frame.tail = element.tail
    parent.replace(element, frame)


def _note(word: str, width: int, height: int) -> Any:
    """Return a small grey text as large as the stand-in."""
    note = etree.Element(f"{J}staticText")
    etree.SubElement(note, f"{J}reportElement", x="0", y="0", width=str(width), height=str(height), forecolor="#808080")
    centred = etree.SubElement(note, f"{J}textElement", textAlignment="Center", verticalAlignment="Middle")
    etree.SubElement(centred, f"{J}font", size=str(NOTE_FONT_SIZE))
    etree.SubElement(note, f"{J}text").text = word[: max(1, width // CHAR_WIDTH_PT)]
    return note
