"""Give values and columns the types that a model states, as far as what is printed can be of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from lxml import etree

from bandsmith.shared.editing import Editor
from bandsmith.shared.fields.notation import Notation
from bandsmith.shared.fields.stated_types import TEXT, stated_type
from bandsmith.shared.fields.value_types import INTEGER, STRING, TypedValues
from bandsmith.shared.jrxml.dom import J, content_of, declared_nodes
from bandsmith.shared.jrxml.expressions import LETTERS, expression_nodes, reference, references, sole_reference
from bandsmith.shared.model.plan import Data

from .field_mapping import LOCALE
from .named_parts import NamedPart, Parts


def with_stated_types(
    editor: Editor, data: Data, parts: Parts, kinds: Mapping[str, str], notation: Notation
) -> tuple[Data, list[str]]:
    """Convert parts to the types that a model states, by number. Return the data and the numbers of the changed parts.

    A value that is printed within wording stays a text, and so does what cannot be of its kind.
    """
    changed = list[str]()
    for number, kind in kinds.items():
        part = parts[number]
        declared = _declaration(editor, part)
        if declared is None or not _stands_alone(editor, part):
            continue
        typed = _typed(editor, part, declared.get("class") or STRING, kind, notation)
        if typed is None:
            continue
        _declare(editor, part, declared, typed)
        if typed.locale is not None and LOCALE not in data.parameters:
            editor.set_locale(notation.locale)
            data = data.model_copy(update={"parameters": {**data.parameters, LOCALE: notation.locale}})
        data = _with_values(data, part, typed.values)
        changed.append(number)
    return data, changed


def _declaration(editor: Editor, part: NamedPart) -> etree._Element | None:
    """Return the declaration of a value or column; None for a list."""
    if not part.table:
        return declared_nodes(editor.root, part.scope).get(part.name) if part.scope in LETTERS else None
    dataset = declared_nodes(editor.root, "subDataset").get(part.table)
    return declared_nodes(dataset, "field").get(part.name) if dataset is not None else None


def _stands_alone(editor: Editor, part: NamedPart) -> bool:
    """Whether each text that prints a part prints nothing else: only then can it have a pattern."""
    own = (LETTERS[part.scope], part.name)
    using = [node.text or "" for node in expression_nodes(editor.root) if own in references(node.text or "")]
    return bool(using) and all(sole_reference(text) == own for text in using)


def _typed(editor: Editor, part: NamedPart, java_class: str, kind: str, notation: Notation) -> TypedValues | None:
    """Return the values of a part in another type than they have; None where there is none."""
    if java_class == INTEGER and kind == TEXT and not any(node.get("pattern") for node in _printing(editor, part)):
        return stated_type([None if value is None else str(value) for value in part.values], TEXT, notation)
    if java_class != STRING or kind == TEXT:
        return None
    return stated_type([value if isinstance(value, str) else None for value in part.values], kind, notation)


def _printing(editor: Editor, part: NamedPart) -> list[etree._Element]:
    whole = reference(LETTERS[part.scope], part.name)
    return [node for node in editor.root.iter(f"{J}textField") if content_of(node) == whole]


def _declare(editor: Editor, part: NamedPart, declared: etree._Element, typed: TypedValues) -> None:
    declared.set("class", typed.java_class)
    for node in _printing(editor, part) if typed.pattern else []:
        node.set("pattern", typed.pattern or "")


def _with_values(data: Data, part: NamedPart, values: Sequence[str | int | float | None]) -> Data:
    if part.scope == "parameter":
        return data.model_copy(update={"parameters": {**data.parameters, part.name: values[0]}})
    rows = data.lists[part.table] if part.table else data.rows
    typed = [{**row, part.name: value} for row, value in zip(rows, values, strict=True)]
    lists = {**data.lists, part.table: typed} if part.table else data.lists
    return data.model_copy(update={"lists": lists} if part.table else {"rows": typed})
