"""Give a part of the report the look of another part."""

from __future__ import annotations

import copy
from typing import ClassVar, Literal

from lxml import etree

from ..jrxml.bands import elements_in
from ..jrxml.cells import Part, cells_of
from ..jrxml.dom import TEXT_ELEMENTS, child, insert_child, local_name, report_element
from ..jrxml.draft import Draft
from ..jrxml.element_box import ElementBox
from ..jrxml.geometry import fit_text
from ..jrxml.labels import TemplateLabels
from ..jrxml.refusals import EditRefused, no_element
from ..replies import Text, text
from .base import Edit, EditClause, KnownNames

_COLOURS = ("mode", "forecolor", "backcolor", "style")
_PARTS: tuple[Part, ...] = ("header", "rows", "totals")


class CopyStyle(Edit):
    """Make texts look like another: its font, colours, background and borders; their alignment stays."""

    do: Literal["copy_style"] = "copy_style"
    source: str
    """``header``, ``rows``, ``totals``, or an element."""
    target: str
    """The same; what is to look like it."""

    multi_step: ClassVar[bool] = True

    def apply(self, draft: Draft, *, exact: bool) -> bool:
        model, targets = self._texts(draft, self.source)[0], self._texts(draft, self.target)
        behind = _colour_behind(draft, model)
        changed = any([_copy_look(model, node, behind) for node in targets if node is not model])
        for node in targets:
            if not exact:
                fit_text(draft, node)
        return changed

    @staticmethod
    def _texts(draft: Draft, name: str) -> list[etree._Element]:
        """Return the texts that a name means. Raises ``EditRefused`` if there are none."""
        part = next((part for part in _PARTS if part == name), None)
        if part is not None:
            found = cells_of(draft, part)
            if not found:
                raise EditRefused("kind", Text.of(f"edits.set_borders.no_{part}"))
            return found
        node = draft.require_element(name)
        if local_name(node) not in TEXT_ELEMENTS:
            raise no_element(name)
        return [node]

    def describe(self, labels: TemplateLabels) -> EditClause:
        return EditClause("edits.copy_style.done", _label(labels, self.target), {"source": _label(labels, self.source)})

    def is_known(self, names: KnownNames) -> bool:
        return all(name in _PARTS or name in names.elements for name in (self.source, self.target))


def _label(labels: TemplateLabels, name: str) -> str:
    return text(f"edits.set_borders.part.{name}", labels.language) if name in _PARTS else labels.element(name)


def _colour_behind(draft: Draft, node: etree._Element) -> str | None:
    """Return the colour of the area that a text without a background of its own is printed on; None for the paper."""
    if report_element(node).get("mode") == "Opaque":
        return None
    band, box = draft.band_of(node), draft.box_of(node)
    frames = [one for one in node.iterancestors() if local_name(one) == "frame"]
    areas = [one for one in elements_in(band) if local_name(one) == "rectangle" and _covers(draft.box_of(one), box)]
    for area in [*frames, *reversed(areas)]:
        report = report_element(area)
        usual = "Opaque" if local_name(area) == "rectangle" else "Transparent"
        if report.get("mode", usual) == "Opaque" and (colour := report.get("backcolor")):
            return str(colour)
    return None


def _covers(area: ElementBox, box: ElementBox) -> bool:
    """Whether the middle of a box lies in an area."""
    return area.left <= box.center_x <= area.right and area.top <= (box.top + box.bottom) / 2 <= area.bottom


def _copy_look(model: etree._Element, node: etree._Element, behind: str | None) -> bool:
    """Give a text the look of another one. Return whether that changes anything.

    `behind` is the colour that the other one is printed on; it becomes the text's background.
    """
    before = _canonical(node)
    source, target = report_element(model), report_element(node)
    for name in _COLOURS:
        target.attrib.pop(name, None)
        if (value := source.get(name)) is not None:
            target.set(name, value)
    if behind is not None:
        target.attrib.update({"mode": "Opaque", "backcolor": behind})
    _copy_part(model, node, "box")
    alignment = dict(words.attrib) if (words := child(node, "textElement")) is not None else {}
    _copy_part(model, node, "textElement")
    if (words := child(node, "textElement")) is not None:
        words.attrib.pop("textAlignment", None)
        words.attrib.update({name: value for name, value in alignment.items() if name != "verticalAlignment"})
    elif alignment:
        words = etree.SubElement(node, model.tag.rpartition("}")[0] + "}textElement", attrib=alignment)
        node.remove(words)
        insert_child(node, words)
    return _canonical(node) != before


def _canonical(node: etree._Element) -> bytes:
    """Return an element as text, in which the order of its attributes says nothing."""
    return bytes(etree.tostring(node, method="c14n", with_tail=False))


def _copy_part(model: etree._Element, node: etree._Element, name: str) -> None:
    """Replace a child by a copy of the same child of another element."""
    if (old := child(node, name)) is not None:
        node.remove(old)
    if (new := child(model, name)) is not None:
        insert_child(node, copy.deepcopy(new))
