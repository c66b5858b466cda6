"""Whether the query of a report's placeholder may run, gives what the placeholder needs, and takes its values bound."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import sqlglot
from sqlglot import exp

from bandsmith.shared.language import Language
from bandsmith.shared.model.binding import BindingWork, CheckedBinding, ErrorClass, QueryInput
from bandsmith.shared.model.date_columns import date_columns
from bandsmith.shared.model.source import SourceSchema

from .check import QueryRefused, check

_CLASSES: dict[str, ErrorClass] = {
    **dict.fromkeys(("data.query.unknown_table", "data.query.unknown_column", "data.query.column"), "unknown_name"),
    **dict.fromkeys(("data.query.syntax", "data.query.not_one", "data.query.not_select"), "syntax"),
    **dict.fromkeys(("data.binding.columns", "data.binding.input_unused", "data.query.unknown_input"), "shape"),
    **dict.fromkeys(("data.binding.window", "data.binding.time_column"), "time_column"),
}
MIN_LITERAL_CHARS = 3
"""A shorter value may stand in a query by chance."""
_AFTER_START, _BEFORE_START = exp.GTE, exp.LTE
_BEFORE_END, _AFTER_END = exp.LT, exp.GT


def check_binding(
    work: BindingWork, schema: SourceSchema, inputs: Sequence[QueryInput], language: Language
) -> CheckedBinding:
    """Return the query as it may run, or why it is refused."""
    try:
        query = check(work.query, schema, inputs=frozenset(one.name for one in inputs))
        tree = sqlglot.parse_one(query.sql, dialect=schema.dialect)
        _check_columns(tree, work)
        _check_inputs(tree, work, inputs)
        time_column = _time_column(tree, schema, inputs) if work.memory.needs_period else ""
    except QueryRefused as refused:
        return CheckedBinding(
            query=work.query,
            problem=refused.reason.in_language(language),
            reason=refused.reason.en,
            error_class=_CLASSES.get(refused.code, "refused"),
        )
    return CheckedBinding(query=query.sql, permitted=query.permitted, tables=query.tables, time_column=time_column)


def _check_columns(tree: exp.Expr, work: BindingWork) -> None:
    """See that the query selects each value of the placeholder under its name, and nothing else."""
    assert isinstance(tree, exp.Query)
    wanted, given = [field.name for field in work.placeholder.fields], tree.named_selects
    if sorted(wanted) != sorted(given):
        raise QueryRefused("data.binding.columns", wanted=", ".join(wanted), given=", ".join(given))


def _check_inputs(tree: exp.Expr, work: BindingWork, inputs: Sequence[QueryInput]) -> None:
    """See that what the user gives is bound and no part of the text, and that the rows are limited by all of it."""
    used = {node.name for node in tree.find_all(exp.Placeholder)}
    literals = {node.name.casefold() for node in tree.find_all(exp.Literal)}
    for one in inputs:
        if len(one.value) >= MIN_LITERAL_CHARS and one.value.casefold() in literals:
            raise QueryRefused("data.binding.input_as_text", name=one.name)
        if one.is_needed and work.placeholder.is_rows and one.name not in used:
            raise QueryRefused("data.binding.input_unused", name=one.name)


def _time_column(tree: exp.Expr, schema: SourceSchema, inputs: Sequence[QueryInput]) -> str:
    """Return the column that the period limits: from its start up to, and without, its end. Raises ``QueryRefused``."""
    dates = {name.rpartition(".")[2].casefold(): name for name in date_columns(schema)}
    ends = {one.name: one.name.endswith("_end") for one in inputs if one.window}
    limited = set()
    for bound in tree.find_all(exp.Placeholder):
        if bound.name in ends:
            limited.add(_limited_column(bound, is_end=ends[bound.name]))
    if len(limited) != 1:
        raise QueryRefused("data.binding.window", name=next((one.window for one in inputs if one.window), ""))
    (column,) = limited
    if column.casefold() not in dates:
        raise QueryRefused("data.binding.time_column", name=column, known=", ".join(dates.values()))
    return dates[column.casefold()]


def _limited_column(bound: exp.Placeholder, *, is_end: bool) -> str:
    """Return the column that an end of the period is compared with in the right way. Raises ``QueryRefused``."""
    comparison = next(_parents(bound), None)
    window = bound.name.rpartition("_")[0]
    if not isinstance(comparison, exp.Binary):
        raise QueryRefused("data.binding.window", name=window)
    is_left = bound in list(comparison.this.walk())
    other = comparison.expression if is_left else comparison.this
    right = (_AFTER_END if is_end else _BEFORE_START) if is_left else (_BEFORE_END if is_end else _AFTER_START)
    column = other.find(exp.Column)
    if type(comparison) is not right or column is None:
        raise QueryRefused("data.binding.window", name=window)
    return column.name


def _parents(node: exp.Expr) -> Iterator[exp.Expr]:
    """Yield the comparisons around a node, the nearest first."""
    at = node.parent
    while at is not None:
        if isinstance(at, exp.Predicate):
            yield at
        at = at.parent
