"""Field mapping by a model: better names for what a form's template holds, types, and what is computed."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import NamedTuple

from bandsmith.shared.editing import Editor
from bandsmith.shared.fields.notation import notation_of
from bandsmith.shared.fields.stated_types import NUMBER
from bandsmith.shared.jrxml.finishing import finish
from bandsmith.shared.llm import Allowance, Model, ModelFailed, Usage, ask
from bandsmith.shared.llm.answers.report import SkeletonAnswer
from bandsmith.shared.model.knowledge import FieldDefinition
from bandsmith.shared.model.layout import Layout
from bandsmith.shared.model.plan import Data
from bandsmith.shared.replies import Text

from ..known_fields import rename_known_fields
from .apply_stated_types import with_stated_types
from .compute_form import compute_form
from .field_mapping import labels_by_block, name_and_type_fields
from .group_totals import finish_groups
from .named_parts import NamedPart, Parts, described, labels_by_part, marks_by_part, named_parts, page_with_numbers
from .nearby_labels import nearby_labels
from .rename_parts import rename_parts
from .set_aside import MAX_TEXT_CHARS, about_unread, about_unused
from .stated_formulas import added_together, operands_of
from .stated_wording import stated_wording, with_wording


class MappedForm(NamedTuple):
    """A template and its data with names, types and totals."""

    template: bytes
    data: Data
    usage: Usage = Usage()
    notes: Sequence[Text] = ()
    """What a model has changed, and which totals are computed of the amounts above them."""


class _Named(NamedTuple):
    """What a model has named, and what it takes for totals."""

    data: Data
    usage: Usage
    parts: Parts = {}
    """What the model was shown, by number, with the names that it has now and the values that it had then."""
    formulas: Mapping[str, str] = {}
    """What values and columns are computed of, by number."""
    labels: Mapping[str, str] = {}
    """The labels of what has another name, by that name."""
    gone: frozenset[str] = frozenset()
    """Names that something else has then, or nothing."""
    notes: Sequence[Text] = ()


async def map_form(
    template: bytes,
    data: Data,
    layout: Layout,
    model: Model | None,
    allowance: Allowance,
    known_fields: Sequence[FieldDefinition] = (),
) -> MappedForm:
    """Return the template and data with names, types and totals, by rules and by one call of the model if there is one.

    Names that the user has defined before win. A name of nothing that there is and a total that the form's numbers
    contradict are ignored.
    """
    editor, data, labels, unlabelled = name_and_type_fields(template, data, layout)
    named = _Named(data, Usage())
    if model is not None and allowance.calls and (data.parameters or data.rows or data.lists):
        named = await _named_by_model(editor, data, layout, model, allowance)
    labels = {name: label for name, label in labels.items() if name not in named.gone} | {**named.labels}
    data, known = rename_known_fields(editor, named.data, labels, known_fields)
    parts = {number: part._replace(name=known.get(part.name, part.name)) for number, part in named.parts.items()}
    unlabelled = {known.get(name, name) for name in unlabelled - named.gone}
    data = finish_groups(editor, data)
    parts = parts or named_parts(data)
    labels = {known.get(name, name): label for name, label in labels.items()}
    form = compute_form(editor, data, layout, parts, named.formulas, labels, unlabelled)
    unused = {
        number: formula for number, formula in named.formulas.items() if _is_left(number, parts, form.data, form.done)
    }
    # A remark on the form is about what was made from its mark.
    finished = finish(editor.root, layout.blocks, keep_sources=bool(layout.remarks))
    notation = notation_of(block.text for block in layout.blocks)
    notes = [*named.notes, *_about_totals(form.summed, form.by_statement)]
    notes += [*about_unused(form.before, parts, unused, notation), *_about_sheet(form.by_sheet)]
    notes += _about_sums(form.by_amounts)
    return MappedForm(finished, form.data, named.usage, notes)


def _is_left(number: str, parts: Parts, data: Data, computed: Collection[str]) -> bool:
    """Whether nothing computes a part: the data still hold it."""
    part = parts.get(number)
    if part is None or number in computed or part.scope == "list":
        return False
    if part.scope == "parameter":
        return part.name in data.parameters
    rows = data.lists.get(part.table, []) if part.table else data.rows
    return any(part.name in row for row in rows)


async def _named_by_model(editor: Editor, data: Data, layout: Layout, model: Model, allowance: Allowance) -> _Named:
    """Ask the model for names and totals, and rename what it names."""
    parts = named_parts(data)
    marks = marks_by_part(editor.root, parts)
    labels = labels_by_part(marks, nearby_labels(layout) | labels_by_block(layout))
    values = {"fields": "\n".join(described(parts, labels)), "page": page_with_numbers(layout, marks)}
    try:
        answer, usage = await ask(model, "skeleton_generation", values, SkeletonAnswer, allowance=allowance)
    except ModelFailed as failed:
        return _Named(data, failed.usage)
    numbers = _numbers(parts)
    wanted = {numbers[key]: name for key, name in answer.names.items() if key in numbers}
    said = [numbers[key] for key in map(str, answer.wording) if key in numbers]
    data, fixed = with_wording(editor, data, parts, stated_wording(parts, said, wanted))
    notes = _about_wording([str(parts[number].values[0]) for number in fixed])
    gone = frozenset(parts[number].name for number in fixed)
    parts = {number: part for number, part in parts.items() if number not in fixed}
    wanted = {number: name for number, name in wanted.items() if number in parts}
    data, given = rename_parts(editor, data, parts, wanted)
    new_labels = {name: labels[number] for number, name in given.items() if number in labels}
    gone = frozenset(parts[number].name for number in given) | gone
    notes += _about_names(parts, given)
    parts = _renamed(parts, given)
    formulas = _formulas(answer.totals, numbers)
    notation = notation_of(block.text for block in layout.blocks)
    stated = {numbers[key]: kind for key, kind in answer.kinds.items() if key in numbers}
    kinds = {number: kind for number, kind in (_operands_as_numbers(formulas) | stated).items() if number in parts}
    data, typed, unread = with_stated_types(editor, data, parts, kinds, notation, added_together(formulas))
    notes += _about_types([parts[number].name for number in typed])
    contradicted = [number for number in unread if number in stated]
    notes += about_unread([parts[one] for one in contradicted], [stated[one] for one in contradicted], notation)
    return _Named(data, usage, parts, formulas, new_labels, gone, notes)


def _numbers(parts: Parts) -> dict[str, str]:
    """Return the number of each part by what a reply may call it: its number, or its name if no other has it."""
    by_name: dict[str, list[str]] = {}
    for number, part in parts.items():
        by_name.setdefault(part.name, []).append(number)
    sole = {name: numbers[0] for name, numbers in by_name.items() if len(numbers) == 1}
    return sole | {number: number for number in parts}


def _renamed(parts: Parts, given: Mapping[str, str]) -> dict[str, NamedPart]:
    """Return the parts with their new names, the columns of a list with that of their list."""
    lists = {part.name: given.get(number, part.name) for number, part in parts.items() if part.scope == "list"}
    return {
        number: part._replace(name=given.get(number, part.name), table=lists.get(part.table, part.table))
        for number, part in parts.items()
    }


def _formulas(totals: Mapping[str, str], numbers: Mapping[str, str]) -> dict[str, str]:
    """Return what parts are computed of, by number; a number alone is a formula, too."""
    found = {}
    for key, text in totals.items():
        column = numbers.get(text.strip().strip("{}"))
        if key in numbers:
            found[numbers[key]] = f"{{{column}}}" if column else text
    return found


def _operands_as_numbers(formulas: Mapping[str, str]) -> dict[str, str]:
    """Return that all that is computed, and of what it is, are numbers."""
    return {one: NUMBER for number, formula in formulas.items() for one in (number, *operands_of(formula))}


def _about_names(parts: Mapping[str, NamedPart], given: Mapping[str, str]) -> list[Text]:
    """Say what the model has named."""
    both = [f"{parts[number].name} → {name}" for number, name in given.items()]
    return [Text.of("generator.named_by_model", count=len(both), names=", ".join(both))] if both else []


def _about_wording(texts: Sequence[str]) -> list[Text]:
    """Say which texts that were values are wording now."""
    quoted = ", ".join(f"“{' '.join(text.split())[:MAX_TEXT_CHARS]}”" for text in texts)
    return [Text.of("generator.wording_by_model", count=len(texts), texts=quoted)] if texts else []


def _about_types(typed: Sequence[str]) -> list[Text]:
    """Say which texts are numbers or dates now, which may be printed otherwise, or the other way round."""
    return [Text.of("generator.typed_by_model", count=len(typed), names=", ".join(typed))] if typed else []


def _about_totals(summed: Sequence[str], computed: Sequence[str]) -> list[Text]:
    """Say which totals are computed though the form leaves them empty, and what is computed by a formula."""
    notes = [Text.of("generator.summed_by_model", count=len(summed), names=", ".join(summed))] if summed else []
    if computed:
        notes.append(Text.of("generator.computed_by_model", count=len(computed), formulas="; ".join(computed)))
    return notes


def _about_sums(computed: Sequence[str]) -> list[Text]:
    """Say which totals are computed of the amounts above them."""
    formulas = "; ".join(computed)
    return [Text.of("generator.computed_by_amounts", count=len(computed), formulas=formulas)] if computed else []


def _about_sheet(computed: Sequence[str]) -> list[Text]:
    """Say what is computed as the workbook computes it."""
    formulas = "; ".join(computed)
    return [Text.of("generator.computed_by_sheet", count=len(computed), formulas=formulas)] if computed else []
