"""What the elements and styles of a template look like that a change gave another look: attribute by attribute."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import islice

from lxml import etree

from bandsmith.shared.jrxml.bands import named_elements
from bandsmith.shared.jrxml.dom import declared_nodes, local_name
from bandsmith.shared.jrxml.draft import Draft
from bandsmith.shared.jrxml.labels import TemplateLabels

from .changed_elements import ElementNames
from .condition_words import condition_words

MAX_LOOKS = 12
MAX_ATTRIBUTES = 8
MAX_VALUE_CHARS = 80
_UNSEEN = frozenset(
    {"key", "uuid", "x", "y", "width", "height", "name", "style", "positionType", "isPrintRepeatedValues"}
)
"""Attributes that say nothing of the look, or that other facts tell."""
_CONTENTS = frozenset({"text", "textFieldExpression", "imageExpression"})
_TEXTS = frozenset({"conditionExpression", "printWhenExpression"})
"""Parts whose text counts for the look."""


def changed_looks(old: Draft, names: ElementNames) -> Iterator[str]:
    """Yield the attributes of elements and styles that differ, before and after; `names` are those after."""
    yield from islice(_changed(old, names), MAX_LOOKS)


def _changed(old: Draft, names: ElementNames) -> Iterator[str]:
    new, labels = names.draft, TemplateLabels(names.draft, "en")
    known = dict(named_elements(old.root))
    for name, node in named_elements(new.root):
        if name in known and (found := _difference(_look(known[name], labels), _look(node, labels))):
            yield f"look of {names.name(node)}: {found}"
    styles = declared_nodes(old.root, "style")
    for name, node in declared_nodes(new.root, "style").items():
        if found := _difference(_look(styles[name], labels) if name in styles else {}, _look(node, labels)):
            yield f"style {name}: {found}"


def _difference(before: Mapping[str, str], after: Mapping[str, str]) -> str:
    names = [name for name in dict.fromkeys([*after, *before]) if before.get(name) != after.get(name)]
    return ", ".join(
        f"{name} {before.get(name, 'unset')} -> {after.get(name, 'unset')}" for name in names[:MAX_ATTRIBUTES]
    )


def _look(node: etree._Element, labels: TemplateLabels) -> dict[str, str]:
    """Return the attributes of an element or style and of its parts; those of a part with the part's name."""
    found: dict[str, str] = {}
    for part in node.iter(tag=etree.Element):
        if local_name(part) in _CONTENTS:
            continue
        where = "" if part is node or local_name(part) in ("reportElement", "textElement", "font") else local_name(part)
        for name, value in part.attrib.items():
            if name not in _UNSEEN:
                found[f"{where} {name}".strip()] = str(value)[:MAX_VALUE_CHARS]
        if local_name(part) in _TEXTS and part.text:
            found[where] = condition_words(part.text, labels)
    return found
