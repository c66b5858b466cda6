"""Turn values into fixed texts that a model states to be wording of the form, such as a label read as a value."""

from __future__ import annotations

import re
from collections.abc import Collection, Container, Iterator, Mapping

from lxml import etree

from bandsmith.shared.editing import Editor
from bandsmith.shared.fields.identifiers import is_known_wording, name_for, plain_label
from bandsmith.shared.jrxml.dom import J, content_of, declared_nodes, new_node
from bandsmith.shared.jrxml.expressions import expression_nodes, reference, references
from bandsmith.shared.model.plan import Data

from .named_parts import NamedPart, Parts

_LABEL = re.compile(r"(?:[a-z0-9_]+_)?label(?:_[a-z]{2})?", re.ASCII)
"""How a model calls a label, also that of a second language: ``designation_label_ar``."""
_KEPT = ("reportElement", "box", "textElement")


def stated_wording(parts: Parts, stated: Collection[str], names: Mapping[str, str]) -> list[str]:
    """Return the numbers of the values that are wording: a model says so, or calls them labels, and they read so.

    What is called a label may be a value, such as the name of a record label: a name alone makes wording only of what
    the vocabulary has a name for, and of what another value is called.
    """
    called = {number for number, name in names.items() if _LABEL.fullmatch(name.lower())}
    old_and_new = [*((number, part.name) for number, part in parts.items()), *names.items()]
    others = {name for number, name in old_and_new if number not in called}
    return [
        number
        for number, part in parts.items()
        if part.scope == "parameter" and isinstance(text := part.values[0], str) and text.strip()
        if number in stated or (number in called and _reads_as_label(text, others))
    ]


def _reads_as_label(text: str, names: Container[str]) -> bool:
    """Whether a text is wording by itself, or one of these `names` is made of it."""
    return is_known_wording(plain_label(text)) or name_for(text, "", ()) in names


def with_wording(editor: Editor, data: Data, parts: Parts, numbers: Collection[str]) -> tuple[Data, list[str]]:
    """Let fixed texts print these values. Return the data without them, and the numbers of these values.

    A value that is printed together with something else, such as a label, stays a value.
    """
    gone = [number for number in numbers if _print_as_wording(editor, parts[number])]
    names = {parts[number].name for number in gone}
    kept = {name: value for name, value in data.parameters.items() if name not in names}
    return data.model_copy(update={"parameters": kept}), gone


def _print_as_wording(editor: Editor, part: NamedPart) -> bool:
    """Let fixed texts print a value, and remove its declaration. Return whether nothing else used it."""
    nodes = list(_printing(editor.root, part.name))
    used = sum(("P", part.name) in references(node.text or "") for node in expression_nodes(editor.root))
    if not nodes or used > len(nodes):
        return False
    for node in nodes:
        fixed = new_node("staticText")
        fixed.extend([child for child in node if etree.QName(child).localname in _KEPT])
        fixed.append(new_node("text"))
        fixed[-1].text = etree.CDATA(str(part.values[0]))
        node.getparent().replace(node, fixed)
    declared = declared_nodes(editor.root, "parameter")[part.name]
    declared.getparent().remove(declared)
    return True


def _printing(root: etree._Element, name: str) -> Iterator[etree._Element]:
    """Yield the texts that print a parameter and nothing else."""
    return (node for node in root.iter(f"{J}textField") if content_of(node) == reference("P", name))
