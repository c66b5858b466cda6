"""Field mapping: placeholder names become the form's words, and texts become typed values."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from bandsmith.shared.editing import Editor
from bandsmith.shared.fields.identifiers import name_for
from bandsmith.shared.fields.value_types import STRING, Locale, Typed, typed
from bandsmith.shared.fonts import is_cjk
from bandsmith.shared.jrxml.dom import J, local_name
from bandsmith.shared.jrxml.expressions import referenced_names, sole_reference
from bandsmith.shared.model.edits import AnyEdit, RenameField
from bandsmith.shared.model.layout import Layout
from bandsmith.shared.model.plan import Data

from .detect_totals import summed
from .refine import source_of

LOCALE = "REPORT_LOCALE"
Value = str | int | float | bool | None


def map_fields(template: bytes, data: Data, layout: Layout) -> tuple[bytes, Data]:
    """The template and data with names, types and sums from the form. Raises ``BadInput`` when it cannot be read."""
    editor, data, _ = mapped(template, data, layout)
    data = summed(editor, data)
    return editor.bytes(), data


def mapped(template: bytes, data: Data, layout: Layout) -> tuple[Editor, Data, dict[str, str]]:
    """An editor of the template with names and types from the form, the data by them, and each name's label.

    A type is only given where the field is printed alone, by its pattern.
    """
    editor = Editor(template)
    labels, alone = _labels(editor, layout)
    locale = _locale(layout)
    texts: dict[str, dict[str, list[Value]]] = {
        "parameter": {name: [value] for name, value in data.parameters.items() if name != LOCALE},
        "field": {name: [row.get(name) for row in data.rows] for row in data.rows for name in row},
    }
    edits: list[AnyEdit] = []
    local_words = False
    values_of: dict[str, dict[str, Sequence[Value]]] = {"parameter": {}, "field": {}}
    wording: dict[str, str] = {}
    for scope, fields in texts.items():
        taken = set(fields)
        for name, values in fields.items():
            words = [value if isinstance(value, str) else None for value in values]
            # Wording around a value makes it a string; only a field that stands alone can have a pattern.
            found = typed(words, labels.get(name), locale) if name in alone else Typed(STRING, None, tuple(words))
            new = name_for(labels.get(name), name, taken - {name}, column=scope == "field")
            taken.add(new)
            values_of[scope][new] = found.values
            wording |= {new: labels[name]} if name in labels else {}
            edit = {"scope": scope, "name": name, "to": new, "java_class": found.java_class, "pattern": found.pattern}
            edits.append(RenameField.model_validate(edit))
            local_words |= found.locale is not None
    editor.apply(edits)
    parameters = {name: values[0] for name, values in values_of["parameter"].items()}
    if local_words:
        parameters[LOCALE] = locale
        editor.set_locale(locale)
    rows = [{name: values[n] for name, values in values_of["field"].items()} for n in range(len(data.rows))]
    return editor, Data(parameters=parameters, rows=rows), wording


def _labels(editor: Editor, layout: Layout) -> tuple[dict[str, str], set[str]]:
    """By placeholder name its label, and the names that some text field prints alone."""
    by_source = {block.id: block.label for block in layout.blocks}
    for slot in layout.repeat.slots if layout.repeat else []:
        by_source |= {block: slot.label for block in slot.blocks if block}
    labels: dict[str, str] = {}
    alone: set[str] = set()
    for node in editor.elements():
        if local_name(node) != "textField":
            continue
        expression = (node.findtext(f"{J}textFieldExpression") or "").strip()
        names = referenced_names(expression, "PF")
        label = by_source.get(source_of(node))
        for name in names:
            if label:
                labels.setdefault(name, label)
            if sole_reference(expression, "PF"):
                alone.add(name)
            elif "PAGE_NUMBER" in expression:
                labels[name] = "page count"
    return labels, alone


def _locale(layout: Layout) -> Locale:
    """The form's language: Chinese where most of its words are, and none are English names of months."""
    words = "".join(block.text for block in layout.blocks)
    letters = sum(char.isalpha() and char.isascii() for char in words)
    return "zh_CN" if _count(words) > letters / 3 else "en_US"


def _count(words: Iterable[str]) -> int:
    return sum(is_cjk(char) for char in words)
