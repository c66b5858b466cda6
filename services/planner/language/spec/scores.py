"""Columns of scores that compute themselves: 总分 is the sum of the subjects before it, 平均分 their average."""

from __future__ import annotations

from collections.abc import Sequence

from bandsmith.shared.fields.column_kinds import meaning
from bandsmith.shared.model.spec import Column, Computed

from .column_totals import is_price
from .summary_lines import is_sum_of_others

MIN_SCORES = 2
"""Scores that have a total."""


def of_scores(target: Column, columns: Sequence[Column]) -> Column | None:
    """Return a total or an average of the numbers before it with its formula; None for any other column."""
    before = columns[: next(n for n, column in enumerate(columns) if column is target)]
    total = next((column for column in before if is_sum_of_others(column.label)), None)
    scores = [column for column in before if column is not total and _is_score(column)]
    if len(scores) < MIN_SCORES or any(is_price(column.label) for column in columns):
        return None
    if is_sum_of_others(target.label):
        computed = Computed(operator="+", operands=[column.label for column in scores])
    elif total is not None and _is_average(target.label):
        computed = Computed(operator="/", operands=[total.label, str(len(scores))])
    else:
        return None
    return target.model_copy(update={"computed": computed, "type": "number"})


def with_score_formulas(columns: Sequence[Column]) -> list[Column]:
    """Return the columns, of which the total of the scores and their average compute themselves."""
    found = list(columns)
    totals = [n for n, column in enumerate(columns) if is_total_score(column)]
    averages = [n for n, column in enumerate(columns) if totals and n > totals[0] and _is_average(column.label)]
    for n in [*totals[:1], *averages]:
        if not found[n].computed and (computed := of_scores(found[n], found)):
            found[n] = computed
    return found


def as_scores(columns: Sequence[Column]) -> list[Column]:
    """Make numbers of columns that are to have an average, and whose labels say nothing of their kind: `Maths`."""
    return [
        column.model_copy(update={"type": "number"})
        if n and column.type == "text" and not meaning(column.label).known
        else column
        for n, column in enumerate(columns)
    ]


def is_total_score(column: Column) -> bool:
    return meaning(column.label).name == "total_score"


def _is_score(column: Column) -> bool:
    """Whether a column holds numbers that may be added up, and no counter of the rows."""
    return column.type in ("number", "integer") and meaning(column.label).name not in ("line_no", "number")


def _is_average(label: str) -> bool:
    return meaning(label).name.startswith("average") or label.startswith("平均")
