"""What the elements and styles of a template look like that a change gave another look: attribute by attribute."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from itertools import islice

from lxml import etree

from bandsmith.shared.jrxml.bands import named_elements
from bandsmith.shared.jrxml.dom import TEXT_ELEMENTS, declared_nodes, local_name, report_element
from bandsmith.shared.jrxml.draft import Draft
from bandsmith.shared.jrxml.labels import TemplateLabels
from bandsmith.shared.jrxml.text_styles import style_chain, text_attributes

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
        if name not in known:
            continue
        before, after = _look(known[name], labels), _look(node, labels)
        if found := _difference(
            _inherited(old, known[name]) | before, _inherited(new, node) | after, {*before, *after}
        ):
            is_drawn = local_name(node) not in TEXT_ELEMENTS
            yield f"look of {names.name(node)}{f' ({names.place(node)})' if is_drawn else ''}: {found}"
    styles = declared_nodes(old.root, "style")
    for name, node in declared_nodes(new.root, "style").items():
        before, after = _look(styles[name], labels) if name in styles else {}, _look(node, labels)
        if found := _difference(before, after, {*before, *after}):
            yield f"style {name}: {found}"


def _inherited(draft: Draft, node: etree._Element) -> dict[str, str]:
    """Return what a text looks like by its styles, under the names that its own attributes have."""
    if local_name(node) not in TEXT_ELEMENTS:
        return {}
    chain = style_chain(declared_nodes(draft.root, "style"), report_element(node).get("style"))
    return {"size" if name == "fontSize" else name: value for name, value in text_attributes(node, chain).items()}


def _difference(before: Mapping[str, str], after: Mapping[str, str], own: Collection[str]) -> str:
    """Return the attributes of an element's `own` that differ."""
    names = [name for name in dict.fromkeys([*after, *before]) if name in own and before.get(name) != after.get(name)]
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
