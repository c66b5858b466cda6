"""Set the label that a text prints before a value apart from it: only a value that is printed alone can have a pattern.

``"Date due: " + $P{due_date}`` becomes the wording "Date due: " and, to its right, a text that prints the value and
nothing else. Both keep their look and their place.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from copy import deepcopy

from lxml import etree

from bandsmith.shared.editing import Editor
from bandsmith.shared.fields.identifiers import unique_name
from bandsmith.shared.jrxml.dom import J, content_of, int_attribute, new_node, report_element, set_value
from bandsmith.shared.jrxml.expressions import LETTERS, expression_nodes, reference, references
from bandsmith.shared.jrxml.java_literals import string_value
from bandsmith.shared.jrxml.text_styles import ResolvedStyle, resolve_style
from bandsmith.shared.jrxml.values_in_wording import labelled_value

from .named_parts import NamedPart

MIN_WIDTH_PT = 20
"""Least width that has to be left for the value."""


def set_labels_apart(editor: Editor, part: NamedPart) -> bool:
    """Set the labels before a value apart where it is printed. Return whether it is printed alone everywhere now.

    Nothing is changed where one of its texts prints more than a label and the value, or where the label has no place
    of its own: in a cell with borders or a background, or in a text that is not set to the left.
    """
    own = (LETTERS[part.scope], part.name)
    using = [node for node in expression_nodes(editor.root) if own in references(node.text or "")]
    glued = [node.getparent() for node in using if (node.text or "").strip() != reference(*own)]
    if not using or not all(_can_be_set_apart(editor, node, part) for node in glued):
        return False
    for node in glued:
        _set_apart(editor, node)
    return True


def _can_be_set_apart(editor: Editor, node: etree._Element, part: NamedPart) -> bool:
    found = labelled_value(content_of(node)) if node.tag == f"{J}textField" else None
    if found is None or (found.letter, found.name) != (LETTERS[part.scope], part.name):
        return False
    style = resolve_style(editor.root, node)
    label, width = string_value(found.label), int_attribute(report_element(node), "width")
    texts = [label + str(value) for value in part.values if value not in (None, "")]
    is_one_line = "\n" not in label and all(style.width_of(text) <= width for text in texts)
    is_free = style.align == "Left" and not style.is_cell and is_one_line
    return bool(is_free and label.strip() and width - _width(label, style) >= MIN_WIDTH_PT)


def _width(label: str, style: ResolvedStyle) -> int:
    """Return how far right of its left edge a text begins that follows a label, in whole points."""
    return math.ceil(style.width_of(f"{label}|") - style.width_of("|") + style.padding["left"])


def _set_apart(editor: Editor, node: etree._Element) -> None:
    """Put the label of a text before it as an element of its own, and let the text print its value alone."""
    found = labelled_value(content_of(node))
    assert found is not None
    label, report = string_value(found.label), report_element(node)
    width = _width(label, resolve_style(editor.root, node))
    node.addprevious(_wording(editor, node, label.rstrip(), width))
    report.set("x", str(int_attribute(report, "x") + width))
    report.set("width", str(int_attribute(report, "width") - width))
    if (box := node.find(f"{J}box")) is not None:
        box.attrib.pop("leftPadding", None)
    node.find(f"{J}textFieldExpression").text = etree.CDATA(reference(found.letter, found.name))


def _wording(editor: Editor, node: etree._Element, label: str, width: int) -> etree._Element:
    """Return a fixed text in the look and at the place of another one."""
    fixed = new_node("staticText")
    for child in node:
        if child.tag in (f"{J}reportElement", f"{J}box", f"{J}textElement"):
            fixed.append(deepcopy(child))
    report = report_element(fixed)
    report.attrib.pop("uuid", None)
    keys: Sequence[str] = [one.get("key") or "" for one in editor.root.iter(f"{J}reportElement")]
    report.set("key", unique_name(f"{report.get('key') or 'value'}_label", set(keys)))
    report.set("width", str(width))
    fixed.append(new_node("text"))
    set_value(fixed[-1], None, label)
    return fixed
