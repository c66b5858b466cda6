"""Give values and columns the types that a model states, as far as what is printed can be of them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from lxml import etree

from bandsmith.shared.editing import Editor
from bandsmith.shared.fields.notation import Notation
from bandsmith.shared.fields.stated_types import NUMBER, TEXT, stated_type
from bandsmith.shared.fields.value_types import INTEGER, STRING, TypedValues
from bandsmith.shared.jrxml.declarations import NUMBER_CLASSES
from bandsmith.shared.jrxml.dom import J, content_of, declared_nodes
from bandsmith.shared.jrxml.expressions import LETTERS, expression_nodes, reference, references, sole_reference
from bandsmith.shared.model.plan import Data

from .field_mapping import LOCALE
from .named_parts import NamedPart, Parts
from .set_labels_apart import set_labels_apart


class StatedTypes(NamedTuple):
    data: Data
    changed: list[str]
    """The numbers of the parts that have another type now."""
    unread: list[str]
    """The numbers of the parts whose printed values do not fit the stated kind."""


def with_stated_types(
    editor: Editor,
    data: Data,
    parts: Parts,
    kinds: Mapping[str, str],
    notation: Notation,
    printed_alike: Mapping[str, Sequence[str]] | None = None,
) -> StatedTypes:
    """Convert parts to the types that a model states, by number.

    A label that is printed before such a value is set apart from it. A value that is printed within other wording
    stays a text, and so does what cannot be of its kind. A number that the form leaves empty takes the
    type and pattern of a number that it is added to or compared with, according to `printed_alike`.
    """
    changed, unread = list[str](), list[str]()
    empty = [number for number in kinds if not _has_values(parts[number])]
    for number in [*(one for one in kinds if one not in empty), *empty]:
        part = parts[number]
        declared = _declaration(editor, part)
        if declared is None or not _is_another(editor, part, declared.get("class") or STRING, kinds[number]):
            continue
        typed = stated_type([_as_text(value) for value in part.values], kinds[number], notation)
        if typed is None:
            unread.append(number)
        if typed is None or not (_stands_alone(editor, part) or set_labels_apart(editor, part)):
            continue
        if number in empty and kinds[number] == NUMBER:
            typed = _as_alike(editor, typed, [parts[one] for one in _all_printed_alike(number, printed_alike or {})])
        _declare(editor, part, declared, typed)
        if typed.locale is not None and LOCALE not in data.parameters:
            editor.set_locale(notation.locale)
            data = data.model_copy(update={"parameters": {**data.parameters, LOCALE: notation.locale}})
        data = _with_values(data, part, typed.values)
        changed.append(number)
    return StatedTypes(data, changed, unread)


def _has_values(part: NamedPart) -> bool:
    return any(value not in (None, "") for value in part.values)


def _as_text(value: object) -> str | None:
    return None if value is None else str(value)


def _all_printed_alike(number: str, printed_alike: Mapping[str, Sequence[str]]) -> Iterator[str]:
    """Yield the numbers that are linked to one by `printed_alike`, directly or through others, the nearest first."""
    pending, seen = [number], {number}
    while pending:
        for one in printed_alike.get(pending.pop(0), ()):
            if one not in seen:
                seen.add(one)
                pending.append(one)
                yield one


def _as_alike(editor: Editor, typed: TypedValues, others: Sequence[NamedPart]) -> TypedValues:
    """Return values in the type and the pattern of the first of the `others` that prints numbers of the form."""
    for other in others:
        declared = _declaration(editor, other) if other.scope != "list" else None
        java_class = declared.get("class") if declared is not None else None
        if java_class in NUMBER_CLASSES and _has_values(other):
            pattern = next((one.get("pattern") for one in _printing(editor, other)), None)
            return replace(typed, java_class=java_class, pattern=pattern)
    return typed


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


def _is_another(editor: Editor, part: NamedPart, java_class: str, kind: str) -> bool:
    """Whether a kind is another one than that of a type: a text is none, and digits without a pattern may be a text."""
    if kind == TEXT:
        return java_class == INTEGER and not any(node.get("pattern") for node in _printing(editor, part))
    return java_class == STRING


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
