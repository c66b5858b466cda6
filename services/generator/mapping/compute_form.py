"""Compute what a form's template can compute: by the workbook's own formulas, a model's, and what the numbers prove."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import NamedTuple

from bandsmith.shared.editing import Editor
from bandsmith.shared.model.layout import Layout
from bandsmith.shared.model.plan import Data

from .computed_parts import ComputedParts
from .detect_totals import replace_totals
from .named_parts import Parts
from .proven_formulas import compute_what_is_proven, spelled_amounts
from .sheet_formulas import proven_by_sheet, sheet_formulas
from .stacked_sums import stacked_sums
from .stated_formulas import OPERAND, Formulas, in_words, operands_of, proven_formulas


class ComputedForm(NamedTuple):
    """The data that a template still prints, and what it computes now."""

    data: Data
    before: Data
    """The data as the form has them."""
    done: Sequence[str]
    """The numbers of the parts that a stated formula computes."""
    summed: Sequence[str]
    """Totals that are computed though the form leaves them empty."""
    by_statement: Sequence[str]
    """What is computed by stated formulas, in words;"""
    by_sheet: Sequence[str]
    """by those of the workbook;"""
    by_amounts: Sequence[str]
    """by the amounts above it."""


def compute_form(
    editor: Editor,
    data: Data,
    layout: Layout,
    parts: Parts,
    stated: Formulas,
    labels: Mapping[str, str],
    unlabelled: Collection[str],
) -> ComputedForm:
    """Let a template compute what it can. `stated` are formulas of a model; those of the form itself come before them.

    `labels` are the labels on the form, by field name.
    """
    totals = _sums_of_columns(parts, stated)
    empty = [name for name in totals if data.parameters.get(name, 0) in (None, "")]
    sheet = sheet_formulas(editor.root, parts, layout)
    data, own = proven_by_sheet(editor, data, parts, sheet.formulas, layout)
    formulas = proven_formulas(data, parts, {**stated, **own})
    sums = {} if stated else _further_sums(data, parts, stacked_sums(editor, data, parts), own)
    spelled = list(spelled_amounts(editor, data))
    computing = ComputedParts(editor, data, parts, sheet.whole)
    before, data = data, replace_totals(editor, data, totals, unlabelled, {parts[number].name for number in own})
    summed = [name for name in empty if name not in data.parameters]
    done, added = computing.compute(formulas), list[str]()
    data = compute_what_is_proven(
        editor,
        data,
        labels,
        lambda: added.extend(computing.compute(sums)),
        spelled=spelled,
        counting=[parts[number].name for number in sheet.counting],
        whole=computing.keys_of_whole_numbers(),
    )
    words = {number: in_words(number, formulas[number], parts) for number in done}
    return ComputedForm(
        data,
        before,
        done,
        summed,
        by_statement=[text for number, text in words.items() if number not in own],
        by_sheet=[text for number, text in words.items() if number in own],
        by_amounts=[in_words(number, sums[number], parts) for number in added],
    )


def _further_sums(data: Data, parts: Parts, sums: Mapping[str, str], own: Mapping[str, str]) -> dict[str, str]:
    """Return the sums that are proven beside the formulas of the form itself; none where the two need each other."""
    proven = proven_formulas(data, parts, {**sums, **own})
    return {number: formula for number, formula in proven.items() if number not in own} if {*own} <= {*proven} else {}


def _sums_of_columns(parts: Parts, formulas: Mapping[str, str]) -> dict[str, str]:
    """Return the column of which each value is the sum and no more, by their names."""
    single = {number: operands_of(text)[0] for number, text in formulas.items() if OPERAND.fullmatch(text)}
    return {
        parts[number].name: parts[one].name
        for number, one in single.items()
        if one in parts and (parts[number].scope, parts[one].scope) == ("parameter", "field")
        if not parts[one].table
    }
