"""The colours that an element prints with, its own and those of its styles."""

from __future__ import annotations

from collections.abc import Iterator

from lxml import etree

from bandsmith.shared.edits.set_property import PROPERTIES
from bandsmith.shared.jrxml.dom import declared_nodes
from bandsmith.shared.jrxml.text_styles import style_chain

_OWN = [name for name in PROPERTIES if name.endswith(("color", "lineColor"))]
"""The properties of an element that hold a colour."""


def colours_of(root: etree._Element, node: etree._Element) -> Iterator[tuple[str, str]]:
    """Yield the properties that give an element a colour, each with its colour as ``#RRGGBB``."""
    report = node.find("{*}reportElement")
    chain = style_chain(declared_nodes(root, "style"), report.get("style")) if report is not None else []
    for name in _OWN:
        path, attribute, _ = PROPERTIES[name]
        holder = node.find("/".join(f"{{*}}{part}" for part in path))
        used = holder.get(attribute) if holder is not None and attribute else None
        if not used and attribute in ("forecolor", "backcolor"):
            used = next((value for style in chain if (value := style.get(attribute))), None)
        if used:
            yield name, used
