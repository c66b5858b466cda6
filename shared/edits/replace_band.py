"""Replace the XML of a band."""

from __future__ import annotations

import re
from typing import ClassVar, Literal

from lxml import etree

from ..errors import BadInput
from ..jrxml.bands import elements_in, section_in
from ..jrxml.dom import NAMESPACE, child, int_attribute, local_name, new_node, report_element
from ..jrxml.draft import Draft
from ..jrxml.labels import TemplateLabels
from ..jrxml.refusals import EditRefused, value_refused
from ..replies import Text
from ..xml import parse
from .base import Edit, EditClause

_NAMESPACES = f'xmlns="{NAMESPACE}" xmlns:jr="{NAMESPACE}" xmlns:c="{NAMESPACE}/components"'
_XML_DECLARATION = re.compile(r"\A\s*<\?xml[^>]*\?>")


class ReplaceBand(Edit):
    """Replace the whole XML of a band, or add the band if it is missing: for what other edits cannot express."""

    do: Literal["replace_band"] = "replace_band"
    band: str
    xml: str
    """One ``<band>`` of the 6.x schema."""

    multi_step: ClassVar[bool] = True

    def apply(self, draft: Draft, *, exact: bool) -> bool:
        """What the band may contain is for the validator to decide."""
        new = _band_of(self.xml)
        if not re.fullmatch(r"\d{1,5}", new.get("height", "")):
            raise value_refused("band_height", new.get("height", "?"))
        exists = draft.band(self.band) is not None
        old = draft.ensure_band(self.band)
        if exists and etree.tostring(new, method="c14n") == etree.tostring(old, method="c14n", with_tail=False):
            return False
        if int_attribute(new, "height") - int_attribute(old, "height") > max(0, draft.growth_limit(old)):
            raise EditRefused("room", Text.of("edits.replace_band.space"))
        for node in [node for node in old if child(node, "reportElement") is not None]:
            draft.remove(node)
        old.getparent().replace(old, new)
        for node in elements_in(new):
            _make_unique(draft, node)
            draft.register(node)
        return True

    def describe(self, labels: TemplateLabels) -> EditClause:
        return EditClause("edits.replace_band.done", labels.section(self.band))

    def removes(self, draft: Draft) -> list[etree._Element]:
        """The elements of the section whose key is not in the new XML."""
        bands = [band for name, band in draft.bands() if name == section_in(self.band)]
        nodes = [node for band in bands for node in elements_in(band)]
        return [node for node in nodes if f'key="{draft.name_of(node)}"' not in self.xml]

    def removes_along(self, draft: Draft) -> list[etree._Element]:
        band = draft.band(self.band)
        return [*elements_in(band)] if band is not None else []


def _make_unique(draft: Draft, node: etree._Element) -> None:
    """Give a new element a unique key, and no uuid, because another element may have it."""
    report = report_element(node)
    report.attrib.pop("uuid", None)
    report.set("key", draft.free_key(report.get("key") or local_name(node)))


def _band_of(xml: str) -> etree._Element:
    """Return the one band in a text. Raises ``EditRefused`` for anything else."""
    body = _XML_DECLARATION.sub("", xml, count=1)
    try:
        wrapper = parse(f"<wrapper {_NAMESPACES}>{body}</wrapper>".encode())
    except BadInput as error:
        raise EditRefused("value", Text(error.message, error.message_zh)) from None
    band = wrapper[0] if len(wrapper) == 1 else None
    other_content = (wrapper.text or "").strip() or (band is not None and (band.tail or "").strip())
    if band is None or other_content or band.tag != new_node("band").tag:
        raise EditRefused("value", Text.of("edits.replace_band.content"))
    band.tail = None
    etree.strip_tags(band, etree.Comment, etree.ProcessingInstruction)
    return band
