"""Field mapping: placeholder names become the form's words, and texts become typed values."""

from __future__ import annotations

import re
from collections.abc import Iterable

from shared.fonts import is_cjk
from shared.model.edits import AnyEdit, RenameField
from shared.model.layout import Layout
from shared.model.plan import Data

from .edits import Editor, local
from .jrxml import NAMESPACE
from .naming import name_for
from .refine import source_of
from .types import Locale, Typed, typed

_REFERENCE = re.compile(r"\$([PF])\{([^}]+)\}")
_SYSTEM = frozenset({"REPORT_LOCALE"})


def map_fields(template: bytes, data: Data, layout: Layout) -> tuple[bytes, Data]:
    """The template and data with names and types from the form.

    A type is only given where the field is printed alone, by its pattern. Raises ``BadInput`` when the template cannot
    be read.
    """
    editor = Editor(template)
    labels, alone = _labels(editor, layout)
    locale = _locale(layout)
    edits: list[AnyEdit] = []
    parameters: dict[str, object] = {}
    rows: list[dict[str, object]] = [{} for _ in data.rows]
    locales: set[Locale] = set()
    taken = set(_SYSTEM)

    def settle(scope: str, name: str, texts: list[object]) -> tuple[str, Typed | None]:
        """The new name of a field, and its type where it gets one."""
        new = name_for(labels.get(name), name, taken)
        taken.add(new)
        words = [text if isinstance(text, str) else None for text in texts]
        found = typed(words, labels.get(name), locale) if name in alone else None
        if found and found.locale:
            locales.add(found.locale)
        edits.append(
            RenameField.model_validate(
                {
                    "scope": scope,
                    "name": name,
                    "to": new,
                    "java_class": found.java_class if found else None,
                    "pattern": found.pattern if found else None,
                }
            )
        )
        return new, found

    for name, value in data.parameters.items():
        if name in _SYSTEM:
            continue
        new, found = settle("parameter", name, [value])
        parameters[new] = found.values[0] if found else value
    for name in dict.fromkeys(name for row in data.rows for name in row):
        values: list[object] = [row.get(name) for row in data.rows]
        new, found = settle("field", name, values)
        for row, value in zip(rows, found.values if found else values, strict=True):
            row[new] = value
    editor.apply(edits)
    if locales:
        parameters["REPORT_LOCALE"] = locale
        editor.set_locale(locale)
    return editor.bytes(), Data.model_validate({"parameters": parameters, "rows": rows})


def _labels(editor: Editor, layout: Layout) -> tuple[dict[str, str], set[str]]:
    """By placeholder name its label, and the names that some text field prints alone."""
    by_source = {block.id: block.label for block in layout.blocks}
    for slot in layout.repeat.slots if layout.repeat else []:
        by_source |= {block: slot.label for block in slot.blocks if block}
    labels: dict[str, str] = {}
    alone: set[str] = set()
    for node in editor.elements():
        if local(node) != "textField":
            continue
        expression = (node.findtext(f"{{{NAMESPACE}}}textFieldExpression") or "").strip()
        names = [name for _, name in _REFERENCE.findall(expression)]
        label = by_source.get(source_of(node))
        for name in names:
            if label:
                labels.setdefault(name, label)
            if _REFERENCE.fullmatch(expression):
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
