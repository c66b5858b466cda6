"""Values of a report that no language model may see: fields that say so or are called so, and what is computed of them.

A field says so by a property, which the template keeps through every change, export and import.
"""

from __future__ import annotations

from collections.abc import Set

from lxml import etree

from bandsmith.shared.sources import is_sensitive

from .dom import child_text, content_of, tag
from .expressions import references

PROPERTY = "bandsmith.sensitive"
HIDDEN = "(hidden)"
"""What a model sees instead of a value."""
Reference = tuple[str, str]
"""``F``, ``P`` or ``V``, and a name."""


def sensitive_references(root: etree._Element) -> frozenset[Reference]:
    """Return the fields, parameters and variables whose values no model may see, those of its datasets among them."""
    found = {
        (scope, node.get("name") or "")
        for scope, kind in (("F", "field"), ("P", "parameter"))
        for node in root.iter(tag(kind))
        if _is_marked(node) or is_sensitive("", node.get("name") or "", frozenset())
    }
    computed = [
        (("V", node.get("name") or ""), {*references(child_text(node, "variableExpression"))})
        for node in root.iter(tag("variable"))
    ]
    while more := {variable for variable, used in computed if found & used} - found:
        found |= more
    return frozenset(found)


def prints_sensitive(node: etree._Element, hidden: Set[Reference]) -> bool:
    """Return whether an element prints one of the values that no model may see."""
    return bool(hidden and hidden & {*references(content_of(node))})


def _is_marked(node: etree._Element) -> bool:
    return any(one.get("name") == PROPERTY and one.get("value") == "true" for one in node.findall(tag("property")))
