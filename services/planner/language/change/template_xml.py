"""The XML of bands and elements that a model asks to see."""

from __future__ import annotations

from collections.abc import Sequence

from lxml import etree

from bandsmith.shared.jrxml.draft import Draft

MAX_CHARS = 12_000
"""Characters of all that is shown."""
MAX_NAMES = 8


def xml_of(template: bytes, names: Sequence[str]) -> str:
    """Return the XML of the named bands and elements, as much as fits; what does not exist is said."""
    draft = Draft(template)
    known = [name for name, _ in draft.bands()]
    shown, available = [], MAX_CHARS
    for name in dict.fromkeys(names[:MAX_NAMES]):
        node = draft.band(name) if name in known else draft.element(name)
        if node is None:
            shown.append(f"{name[:60]}: there is no such band or element; the bands are {', '.join(known)}")
            continue
        xml = etree.tostring(node, encoding="unicode", with_tail=False)
        xml = xml.replace(' xmlns="http://jasperreports.sourceforge.net/jasperreports"', "")
        cut = f"{xml[:available]} … cut" if len(xml) > available else xml
        available = max(0, available - len(xml))
        shown.append(f"{name}:\n{cut}")
    return "\n".join(shown)
