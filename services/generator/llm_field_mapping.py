"""Field mapping by a model: better names for what a form's template holds, and totals that are sums of a column."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from bandsmith.shared.editing import Editor
from bandsmith.shared.jrxml.finishing import finish
from bandsmith.shared.llm import Allowance, Model, ModelFailed, Usage, ask
from bandsmith.shared.llm.answers.report import SkeletonAnswer
from bandsmith.shared.model.knowledge import FieldDefinition
from bandsmith.shared.model.layout import Layout
from bandsmith.shared.model.plan import Data
from bandsmith.shared.replies import Text

from .detect_totals import replace_totals
from .field_mapping import labels_by_block, name_and_type_fields
from .group_totals import finish_groups
from .known_fields import rename_known_fields
from .named_parts import NamedPart, Parts, described, labels_by_part, marks_by_part, named_parts, page_with_numbers
from .nearby_labels import nearby_labels
from .proven_formulas import compute_what_is_proven
from .rename_parts import rename_parts


class MappedForm(NamedTuple):
    """A template and its data with names, types and totals."""

    template: bytes
    data: Data
    usage: Usage = Usage()
    notes: Sequence[Text] = ()
    """What a model has changed."""


class _Named(NamedTuple):
    """What a model has named, and what it takes for totals."""

    data: Data
    usage: Usage
    totals: Mapping[str, str] = {}
    """The column of which each value is the sum, by the names that they have then."""
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
    totals = {known.get(name, name): known.get(column, column) for name, column in named.totals.items()}
    unlabelled = {known.get(name, name) for name in unlabelled - named.gone}
    data = finish_groups(editor, data)
    empty = [name for name in totals if data.parameters.get(name, 0) in (None, "")]
    data = replace_totals(editor, data, totals, unlabelled)
    summed = [name for name in empty if name not in data.parameters]
    data = compute_what_is_proven(editor, data, {known.get(name, name): label for name, label in labels.items()})
    # A remark on the form is about what was made from its mark.
    finished = finish(editor.root, layout.blocks, keep_sources=bool(layout.remarks))
    return MappedForm(finished, data, named.usage, [*named.notes, *_about_totals(summed)])


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
    data, given = rename_parts(editor, data, parts, wanted)
    names = {number: given.get(number, part.name) for number, part in parts.items()}
    totals = {names[numbers[one]]: names[numbers[column]] for one, column in answer.totals.items()
              if one in numbers and column in numbers}  # fmt: skip
    new_labels = {name: labels[number] for number, name in given.items() if number in labels}
    gone = frozenset(parts[number].name for number in given)
    return _Named(data, usage, totals, new_labels, gone, _about_names(parts, given))


def _numbers(parts: Parts) -> dict[str, str]:
    """Return the number of each part by what a reply may call it: its number, or its name if no other has it."""
    by_name: dict[str, list[str]] = {}
    for number, part in parts.items():
        by_name.setdefault(part.name, []).append(number)
    sole = {name: numbers[0] for name, numbers in by_name.items() if len(numbers) == 1}
    return sole | {number: number for number in parts}


def _about_names(parts: Mapping[str, NamedPart], given: Mapping[str, str]) -> list[Text]:
    """Say what the model has named."""
    both = [f"{parts[number].name} → {name}" for number, name in given.items()]
    return [Text.of("generator.named_by_model", count=len(both), names=", ".join(both))] if both else []


def _about_totals(summed: Sequence[str]) -> list[Text]:
    """Say which totals are computed though the form leaves them empty."""
    return [Text.of("generator.summed_by_model", count=len(summed), names=", ".join(summed))] if summed else []
