"""Print a value as a barcode or a QR code."""

from __future__ import annotations

import re
from typing import ClassVar, Literal

from lxml import etree

from ..jrxml.bands import section_of
from ..jrxml.declarations import STRING_CLASS
from ..jrxml.dom import COMPONENTS, content_of, declared_nodes, ensure_child, new_node
from ..jrxml.draft import Draft
from ..jrxml.element_box import ElementBox
from ..jrxml.expressions import SCOPES, references
from ..jrxml.geometry import make_taller
from ..jrxml.java_literals import java_string
from ..jrxml.labels import TemplateLabels
from ..jrxml.placement import Align, box_beside, free_box
from ..jrxml.refusals import EditRefused, no_field
from ..jrxml.tables import find_column
from ..replies import Text
from .base import Edit, EditClause, KnownNames

Symbology = Literal["QRCode", "DataMatrix", "PDF417", "Code128", "Code39", "Interleaved2Of5", "EAN13", "EAN8", "UPCA"]
_SQUARE = ("QRCode", "DataMatrix")
SQUARE_PT, BARS_PT = 64, (150, 44)
"""The size of a square code, and of one of bars."""
ROW_SQUARE_PT, ROW_BARS_PT = 48, 26
"""The height of a code in a row, above its value."""
_INSET_PT = 3
_WEIGHTED = {"EAN13": (13, (1, 3), 0), "EAN8": (8, (3, 1), 8), "UPCA": (12, (3, 1), 2)}
"""Of codes with a check digit: how many digits, their weights, and the sum of the weighted characters modulo 10."""
_READABLE = {
    "Code128": r"\p{ASCII}{1,80}",
    "Code39": "[0-9A-Z .$/+%-]{1,40}",
    "Interleaved2Of5": "[0-9]{2,40}",
    "PDF417": r"\p{ASCII}{1,800}",
    "DataMatrix": r"\p{ASCII}{1,800}",
    "QRCode": r"(?s).{1,1000}",
}
"""What each code can hold, as a regular expression. Anything else would stop the whole report."""


class AddBarcode(Edit):
    """Print a value as a barcode or QR code: of a field in every row, of a text elsewhere on the page, or a fixed one.

    In the rows the code is printed above its value, and the rows grow. A value that the code cannot hold prints none.
    """

    do: Literal["barcode"] = "barcode"
    kind: Symbology = "Code128"
    field: str | None = None
    """A field of the rows; or"""
    element: str | None = None
    """a text field outside the rows, whose value is encoded; or"""
    text: str | None = None
    """a fixed text, such as an address on the web."""
    key: str = "barcode"
    band: str = "title"
    """Where the code of an element or a fixed text is printed."""
    align: Align = "Right"

    multi_step: ClassVar[bool] = True

    def apply(self, draft: Draft, *, exact: bool) -> bool:
        if self.field is not None:
            self._in_rows(draft, self.field)
            return True
        value, java_class = self._value(draft)
        if self.text is not None and not _can_hold(self.kind, self.text):
            raise EditRefused("value", Text.of("edits.add_barcode.content", kind=self.kind))
        band = draft.ensure_band(self.band)
        width, height = (SQUARE_PT, SQUARE_PT) if self.kind in _SQUARE else BARS_PT
        width = min(width, draft.band_width(band))
        beside = box_beside(draft, band, width, height, self.align)
        box = beside if beside is not None else free_box(draft, band, width, height, self.align)
        self._put(draft, band, box, value, java_class)
        return True

    def _value(self, draft: Draft) -> tuple[str, str]:
        """Return the value to encode as an expression, and its class."""
        if self.text is not None and self.text.strip():
            return java_string(self.text), ""
        if self.element is None:
            raise EditRefused("value", Text.of("edits.add_barcode.nothing"))
        used = list(dict.fromkeys(references(content_of(draft.require_element(self.element)))))
        if len(used) != 1:
            raise EditRefused("kind", Text.of("edits.add_barcode.nothing"))
        scope, name = used[0]
        declared = declared_nodes(draft.root, SCOPES[scope]).get(name)
        java_class = declared.get("class") if declared is not None else None
        return f"${scope}{{{name}}}", java_class or STRING_CLASS

    def _in_rows(self, draft: Draft, field: str) -> None:
        """Print the code above the field's value in its column."""
        declared = draft.declared("field", field)
        if declared is None:
            raise no_field(field)
        table, n = find_column(draft, field)
        cell = table.columns[n].cell
        more = ROW_SQUARE_PT if self.kind in _SQUARE else ROW_BARS_PT
        top = draft.box_of(cell).top
        make_taller(draft, cell, more + _INSET_PT)
        ensure_child(cell, "textElement").set("verticalAlignment", "Bottom")
        ensure_child(cell, "box").set("bottomPadding", str(_INSET_PT))
        box, padding = draft.box_of(cell), _INSET_PT
        width = box.width - 2 * padding
        if self.kind in _SQUARE:
            more = min(more, width)
            at = {"Center": round((width - more) / 2), "Right": width - more}.get(draft.style_of(cell).align, 0)
            left = box.left + padding + at
            place = ElementBox(left, top + padding, left + more, top + padding + more)
        else:
            place = ElementBox(box.left + padding, top + padding, box.right - padding, top + padding + more)
        self._put(draft, cell.getparent(), place, f"$F{{{field}}}", declared.get("class") or STRING_CLASS)

    def _put(self, draft: Draft, band: etree._Element, box: ElementBox, value: str, java_class: str) -> None:
        """Add the component to a band. It is printed only if the code can hold the value."""
        node = new_node("componentElement")
        report = new_node("reportElement")
        node.append(report)
        text = value if java_class in ("", STRING_CLASS) else f"String.valueOf({value})"
        if java_class:
            report.append(new_node("printWhenExpression", f"{value} != null && {_condition(self.kind, text)}"))
        component = etree.SubElement(node, f"{{{COMPONENTS}}}{self.kind}", nsmap={"jr": COMPONENTS})
        if self.kind == "QRCode":
            component.set("margin", "0")
        elif self.kind not in _SQUARE and self.kind != "PDF417":
            component.set("textPosition", "none" if section_of(band) == "detail" else "bottom")
        etree.SubElement(component, f"{{{COMPONENTS}}}codeExpression").text = text
        draft.add_element(band, node, self.key)
        draft.set_box(node, box)

    def unseen(self) -> str:
        return "edits.unseen.covered"

    def describe(self, labels: TemplateLabels) -> EditClause:
        subject = labels.field(self.field) if self.field else labels.quote(self.text or "")
        if self.element is not None:
            subject = labels.element(self.element)
        return EditClause("edits.add_barcode.done", subject, {"kind": _NAMES[self.kind]})

    def is_known(self, names: KnownNames) -> bool:
        names.elements.add(self.key)
        return super().is_known(names) and (self.field is None or self.field in names.fields)


_NAMES = {
    "QRCode": "QR", "Code128": "Code 128", "Code39": "Code 39", "EAN13": "EAN-13", "EAN8": "EAN-8", "UPCA": "UPC-A",
    "Interleaved2Of5": "ITF", "PDF417": "PDF417", "DataMatrix": "Data Matrix",
}  # fmt: skip


def _condition(kind: Symbology, text: str) -> str:
    """Return the Java condition that a code can hold a text."""
    if kind not in _WEIGHTED:
        return f"{text}.matches({java_string(_READABLE[kind])})"
    count, weights, remainder = _WEIGHTED[kind]
    terms = " + ".join(f"{weights[n % 2]} * {text}.charAt({n})" for n in range(count))
    return f'{text}.matches("[0-9]{{{count}}}") && ({terms}) % 10 == {remainder}'


def _can_hold(kind: Symbology, text: str) -> bool:
    """Whether a code can hold a text."""
    if kind not in _WEIGHTED:
        pattern = _READABLE[kind].replace(r"\p{ASCII}", r"[\x00-\x7f]")
        return re.fullmatch(pattern, text) is not None
    count, weights, _ = _WEIGHTED[kind]
    digits = re.fullmatch(rf"[0-9]{{{count}}}", text)
    return digits is not None and sum(weights[n % 2] * int(digit) for n, digit in enumerate(text)) % 10 == 0
