"""Field mapping: placeholder names become names from the form's wording, and texts become typed values."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from lxml import etree

from bandsmith.shared.editing import Editor
from bandsmith.shared.edits import AnyEdit
from bandsmith.shared.edits.rename_field import RenameField
from bandsmith.shared.fields.identifiers import name_for, unique_name
from bandsmith.shared.fields.notation import Notation, notation_of
from bandsmith.shared.fields.value_types import BOOLEAN, DATE, STRING, TypedValues, infer_type
from bandsmith.shared.jrxml.bands import section_in
from bandsmith.shared.jrxml.dom import J, content_of, local_name
from bandsmith.shared.jrxml.expressions import expression_nodes, referenced_names, sole_reference
from bandsmith.shared.jrxml.values_in_wording import reference_in_wording, with_format
from bandsmith.shared.jrxml.writer import source_of
from bandsmith.shared.model.layout import Layout
from bandsmith.shared.model.plan import Data

from .detect_totals import replace_totals
from .list_fields import name_lists
from .nearby_labels import nearby_labels
from .placeholder_names import own_name
from .section_names import qualified, sections_of
from .telling_values import name_of_values
from .unlabelled import stem_of

LOCALE = "REPORT_LOCALE"
SECTION = "Section"
"""What the title of a group of rows is called where the form does not say it."""
Value = str | int | float | bool | None


class MappedFields(NamedTuple):
    """A template and its data after field mapping."""

    editor: Editor
    data: Data
    labels: dict[str, str]
    """Labels on the form, by field name."""
    unlabelled: set[str]
    """Names of the fields that have no label of their own, though other wording may stand near them."""


class _Wording(NamedTuple):
    """What the form says about its fields: by their names in the draft, but for `by_block`."""

    by_block: dict[str, str]
    """Labels of the form's values by block id."""
    labels: dict[str, str]
    """Labels, and wording that only stands nearby."""
    labelled: dict[str, str]
    """Labels of the fields' own."""
    standalone: set[str]
    """Fields that are printed without wording around them."""
    in_wording: set[str]
    """Those of the others that a single text prints, behind wording."""
    sections: dict[str, str]
    """The section of the template that prints each field."""
    parts: dict[str, str]
    """The section of the form that each field stands in, where a heading or wording beside it says so."""
    notation: Notation


def map_fields(template: bytes, data: Data, layout: Layout) -> tuple[bytes, Data]:
    """Return the template and data with names, types and totals. Raises ``BadInput`` for an unreadable template."""
    editor, data, _, unlabelled = name_and_type_fields(template, data, layout)
    data = replace_totals(editor, data, unlabelled=unlabelled)
    return editor.bytes(), data


def name_and_type_fields(template: bytes, data: Data, layout: Layout) -> MappedFields:
    """Name the fields by their labels on the form, and give each the type that its values have."""
    editor = Editor(template)
    form = _read_wording(editor, layout)
    edits: list[AnyEdit] = []
    needs_locale = False
    typed_values: dict[str, dict[str, Sequence[Value]]] = {"parameter": {}, "field": {}}
    new_labels: dict[str, str] = {}
    formats: dict[str, TypedValues] = {}
    unlabelled: set[str] = set()
    for scope, fields in _placeholders(data).items():
        taken = set(fields)
        typed = {name: _typed(name, values, form) for name, values in fields.items()}
        names = _names(scope, fields, typed, form)
        for name, inferred in typed.items():
            new = unique_name(names[name], taken - {name})
            taken.add(new)
            typed_values[scope][new] = inferred.values
            new_labels |= {new: form.labels[name]} if name in form.labels else {}
            if name not in form.labelled and not own_name(_texts(fields[name])):
                unlabelled.add(new)
            edits.append(_rename(scope, name, new, inferred))
            formats |= {new: inferred} if name in form.in_wording and inferred.pattern else {}
            needs_locale |= inferred.locale is not None
    editor.apply(edits)
    _format_in_wording(editor, formats)
    parameters = {name: values[0] for name, values in typed_values["parameter"].items()}
    if needs_locale:
        parameters[LOCALE] = form.notation.locale
        editor.set_locale(form.notation.locale)
    rows = [{name: values[row] for name, values in typed_values["field"].items()} for row in range(len(data.rows))]
    data = data.model_copy(update={"parameters": parameters, "rows": rows})
    data = name_lists(editor, data, layout, form.by_block, form.notation)
    return MappedFields(editor, data, new_labels, unlabelled)


def _read_wording(editor: Editor, layout: Layout) -> _Wording:
    by_block = labels_by_block(layout)
    labels, standalone = _labels(editor, nearby_labels(layout) | by_block)
    in_wording = _in_wording(editor) - standalone
    labelled, _ = _labels(editor, by_block)
    parts, _ = _labels(editor, sections_of(layout))
    notation = notation_of(block.text for block in layout.blocks)
    return _Wording(by_block, labels, labelled, standalone, in_wording, _sections(editor), parts, notation)


def _names(
    scope: str, fields: Mapping[str, Sequence[Value]], typed: Mapping[str, TypedValues], form: _Wording
) -> dict[str, str]:
    """Return the name of each field after its label and, where others have the same one, its section on the form."""
    names = {
        name: own_name(_texts(values))
        or name_of_values(_texts(values), form.labels.get(name))
        or name_for(form.labels.get(name), _stem(name, values, typed[name], form), (), column=scope == "field")
        for name, values in fields.items()
    }
    return qualified(names, form.parts) if scope == "parameter" else names


def _typed(name: str, values: Sequence[Value], form: _Wording) -> TypedValues:
    """Return a field's values in the type that they have."""
    if any(isinstance(value, bool) for value in values):
        return TypedValues(BOOLEAN, None, tuple(map(bool, values)))
    texts = _texts(values)
    if name in form.standalone:
        return infer_type(texts, form.labels.get(name), form.notation)
    inferred = infer_type(texts, form.labels.get(name), form.notation)
    if name in form.in_wording and any(texts) and inferred.pattern:
        return inferred
    # With wording around it, any other value is printed as a string.
    return TypedValues(STRING, None, tuple(texts))


def _in_wording(editor: Editor) -> set[str]:
    """Return the names of parameters that one text prints, behind wording, and nothing else uses."""
    used = Counter(name for node in expression_nodes(editor.root) for name in {*referenced_names(node.text or "", "P")})
    texts = [content_of(node) for node in editor.elements() if local_name(node) == "textField"]
    printed = [found for text in texts if (found := reference_in_wording(text))]
    return {name for letter, name in printed if letter == "P" and used[name] == 1}


def _format_in_wording(editor: Editor, formats: Mapping[str, TypedValues]) -> None:
    """Let the expressions of texts with wording print their values by the patterns of these."""
    for node in editor.elements():
        if local_name(node) != "textField":
            continue
        _, name = reference_in_wording(content_of(node)) or ("", "")
        if (typed := formats.get(name)) and typed.pattern:
            is_date = typed.java_class == DATE
            localized = typed.locale is not None
            expression = with_format(content_of(node), typed.pattern, is_date=is_date, localized=localized)
            node.find(f"{J}textFieldExpression").text = etree.CDATA(expression)


def _stem(name: str, values: Sequence[Value], inferred: TypedValues, form: _Wording) -> str:
    """Return what a field is called where no label names it."""
    if name.startswith("picture"):
        return "picture"
    return stem_of(_texts(values), inferred.java_class, form.sections.get(name, ""))


def _texts(values: Sequence[Value]) -> list[str | None]:
    return [value if isinstance(value, str) else None for value in values]


def _placeholders(data: Data) -> dict[str, dict[str, list[Value]]]:
    """Return the values of each parameter, one, and of each field, one for each row."""
    return {
        "parameter": {name: [value] for name, value in data.parameters.items() if name != LOCALE},
        "field": {name: [row.get(name) for row in data.rows] for row in data.rows for name in row},
    }


def _rename(scope: str, name: str, new: str, inferred: TypedValues) -> AnyEdit:
    values = {"scope": scope, "name": name, "to": new, "java_class": inferred.java_class, "pattern": inferred.pattern}
    return RenameField.model_validate(values)


def labels_by_block(layout: Layout) -> dict[str, str]:
    """Return the labels of the form's values by block id."""
    found = {block.id: block.label for block in layout.blocks if block.label}
    found |= {blank.id: blank.label for blank in layout.blanks}
    found |= {box.id: box.label for box in layout.tick_boxes if box.label}
    for slot in (slot for rows in layout.row_sets for slot in rows.slots):
        found |= {block: slot.label for block in slot.blocks if block and slot.label}
    titles = layout.repeat.groups.headings if layout.repeat and layout.repeat.groups else None
    for slot in titles.slots if titles else []:
        found |= {block: slot.label or SECTION for block in slot.blocks if block}
    return found


def _labels(editor: Editor, by_block: Mapping[str, str]) -> tuple[dict[str, str], set[str]]:
    """Return the labels by placeholder name, and the names that a text field prints without wording around them."""
    labels: dict[str, str] = {}
    standalone: set[str] = set()
    for node in editor.elements():
        if local_name(node) != "textField":
            continue
        expression = (node.findtext(f"{J}textFieldExpression") or "").strip()
        for name in referenced_names(expression, "PF"):
            if label := by_block.get(source_of(node)):
                labels.setdefault(name, label)
            if sole_reference(expression, "PF"):
                standalone.add(name)
    return labels, standalone


def _sections(editor: Editor) -> dict[str, str]:
    """Return the section that prints each field or parameter first."""
    found: dict[str, str] = {}
    for band_name, band in editor.bands():
        for node in band.iter(f"{J}textFieldExpression"):
            for name in referenced_names(node.text or "", "PF"):
                found.setdefault(name, section_in(band_name))
    return found
