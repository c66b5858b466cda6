"""Print an attached picture, such as a logo."""

from __future__ import annotations

import base64
import binascii
import struct
from typing import ClassVar, Literal

from lxml import etree

from ..jrxml.bands import section_of
from ..jrxml.dom import child, ensure_child, insert_child, local_name, new_node, report_element
from ..jrxml.draft import Draft
from ..jrxml.element_box import ElementBox
from ..jrxml.labels import TemplateLabels
from ..jrxml.placement import Align, box_beside, free_box
from ..jrxml.refusals import EditRefused, name_taken
from ..replies import Text
from .base import Edit, EditClause, KnownNames

_PNG = b"\x89PNG\r\n\x1a\n"
_SIZE_AT = 16
"""Where the width and the height are in a PNG."""
DEFAULT_HEIGHT_PT = 48
MIN_HEIGHT_PT = 24
"""A picture is made no lower than this to fit beside what is there."""
_GAP_PT = 4
_SMALLER = (1.0, 0.8, 0.65)


class AddPicture(Edit):
    """Print an attached picture, such as a logo, in a band, or in place of a picture of the report."""

    do: Literal["picture"] = "picture"
    file: str
    """The name of the attached file."""
    key: str = "picture"
    """The new element's name, and the name of the parameter that the picture is passed with."""
    band: str = "title"
    align: Align = "Left"
    width: int | None = None
    """In points; one of width and height is enough, and without both it is as high as a logo."""
    height: int | None = None
    instead_of: str | None = None
    """The picture of the report that it replaces, in the same place."""
    content: str | None = None
    """Leave this out: the program puts the picture in here."""

    multi_step: ClassVar[bool] = True

    def apply(self, draft: Draft, *, exact: bool) -> bool:
        width, height = self._pixels()
        if draft.declared("parameter", self.key) is not None:
            raise name_taken("parameter", self.key)
        old = draft.require_element(self.instead_of) if self.instead_of is not None else None
        if old is not None and local_name(old) != "image":
            raise EditRefused("kind", Text.of("edits.add_picture.no_picture", name=self.instead_of))
        insert_child(draft.root, new_node("parameter", name=self.key, **{"class": "java.lang.String"}))
        if old is not None:
            _show(old, self.key)
            return True
        band = draft.ensure_band(self.band)
        size = self._size(width / height, draft.band_width(band))
        box = _place(draft, band, *size, self.align)
        node = new_node("image", scaleImage="RetainShape", onErrorType="Blank")
        node.append(new_node("reportElement"))
        _show(node, self.key)
        draft.add_element(band, node, self.key)
        draft.set_box(node, box)
        return True

    def _pixels(self) -> tuple[int, int]:
        """Return the width and height of the picture. Raises ``EditRefused`` if there is none."""
        try:
            png = base64.b64decode(self.content or "", validate=True)
        except binascii.Error:
            png = b""
        if not png.startswith(_PNG) or len(png) < _SIZE_AT + 8:
            raise EditRefused("value", Text.of("edits.add_picture.not_attached", name=self.file))
        width, height = struct.unpack(">II", png[_SIZE_AT : _SIZE_AT + 8])
        return max(1, width), max(1, height)

    def _size(self, proportion: float, available: int) -> tuple[int, int]:
        """Return the size in points, no wider than the band."""
        height = self.height or round(self.width / proportion if self.width else DEFAULT_HEIGHT_PT)
        width = self.width or round(height * proportion)
        scale = min(1.0, available / max(1, width))
        return max(1, round(width * scale)), max(1, round(height * scale))

    def unseen(self) -> str:
        return "edits.unseen.covered"

    def describe(self, labels: TemplateLabels) -> EditClause:
        if self.instead_of is not None:
            return EditClause("edits.add_picture.done_instead", self.file)
        return EditClause("edits.add_picture.done", self.file, {"section": labels.section(self.band)})

    def recorded(self) -> AddPicture:
        return self.model_copy(update={"content": None})

    def is_known(self, names: KnownNames) -> bool:
        names.elements.add(self.key)
        return self.instead_of is None or self.instead_of in names.elements


def _show(node: etree._Element, parameter: str) -> None:
    """Make an image print the picture in a parameter, and nothing where there is none."""
    value = f"$P{{{parameter}}}"
    expression = child(node, "imageExpression")
    if expression is None:
        expression = new_node("imageExpression")
        insert_child(node, expression)
    expression.text = f"new java.io.ByteArrayInputStream(java.util.Base64.getDecoder().decode({value}))"
    ensure_child(report_element(node), "printWhenExpression").text = f"{value} != null"


def _place(draft: Draft, band: etree._Element, width: int, height: int, align: Align) -> ElementBox:
    """Return where a picture goes: beside what is there, a little smaller if need be, else above or below it."""
    for share in _SMALLER:
        size = round(width * share), round(height * share)
        if size[1] >= min(height, MIN_HEIGHT_PT) and (box := box_beside(draft, band, *size, align)) is not None:
            return box
    if section_of(band) in ("title", "pageHeader") and draft.texts(band):
        draft.grow_band(band, 0, height + _GAP_PT)
        if (box := box_beside(draft, band, width, height, align)) is not None:
            return box
    return free_box(draft, band, width, height, align)
