"""The query of an answer as the binding of the report that is made of it, with its period as a parameter.

A period is found where its days stand in the query as literals that are compared with one date column, and all of them
are the same whole day, week, month, quarter or year. A query with any other date in it keeps all of its dates: filled
for another month, half of it would still be about the old one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date, timedelta
from typing import NamedTuple

import sqlglot
from sqlglot import exp
from sqlglot.errors import SqlglotError

from bandsmith.shared.model.binding import ROWS, Binding, BindingFile
from bandsmith.shared.model.date_columns import is_date
from bandsmith.shared.model.source import Dialect, SourceSchema
from bandsmith.shared.question_values import MONTHS

from ..filling.places import FieldPlace, match_columns
from ..language.periods import Period, period_of_days, read_period
from .binding_file import printed
from .inputs import PERIOD

_DAY = re.compile(r"((?:19|20)\d\d-\d\d-\d\d)(?:[ T]00:00(?::00)?)?")
_LAST_MOMENT = re.compile(r"((?:19|20)\d\d-\d\d-\d\d)[ T]23:59(?::59(?:\.9+)?)?")
_STEM = re.compile(r"((?:19|20)\d\d(?:-\d\d(?:-\d\d)?)?)-?%?")
_MONTH = "|".join(f"{month}|{month[:3]}" for month in MONTHS)
_DATED = re.compile(
    rf"(?<!\d)(?:19|20)\d\d(?!\d)|\bnow\b|(?<![a-z])(?:{_MONTH}|q[1-4])(?![a-z])|[\d一二三四五六七八九十上本][月季年]",
    re.IGNORECASE,
)
"""A date, or a name that only fits one, such as a column that is called ``march_sales``."""
_CLOCKS = (exp.CurrentDate, exp.CurrentTimestamp, exp.CurrentTime, exp.CurrentDatetime)
_ONE_DAY = timedelta(days=1)


class AnswerQuery(NamedTuple):
    """A query, and its period where it has one."""

    query: str
    period: Period | None


class _Window(NamedTuple):
    """Comparisons that limit a column to days from `start` up to, and without, `end`."""

    nodes: tuple[exp.Expr, ...]
    limited: exp.Expr
    """What they compare: a column, perhaps converted."""
    start: date
    end: date


class _Bound(NamedTuple):
    node: exp.Expr
    limited: exp.Expr
    day: date
    is_start: bool


def query_of_answer(query: str, schema: SourceSchema) -> AnswerQuery:
    """Return a query with its period as the bound parameters ``:period_start`` and ``:period_end``."""
    tree = sqlglot.parse_one(query, dialect=schema.dialect)
    dates = _date_columns(schema)
    windows = list(_windows(tree, dates))
    days = {(window.start, window.end) for window in windows}
    period = period_of_days(*next(iter(days))) if len(days) == 1 else None
    if period is None:
        return AnswerQuery(query, None)
    for window in windows:
        _bind(window)
    if _has_other_dates(tree, dates):
        return AnswerQuery(query, None)
    return AnswerQuery(printed(tree, schema.dialect), period)


def file_of_answer(answer: AnswerQuery, source: str) -> BindingFile:
    """Return the binding file of a report that is made of an answer; its query was not reviewed as that of a report."""
    return BindingFile(
        source=source,
        parameters={f"{PERIOD}_start": "date", f"{PERIOD}_end": "date"} if answer.period else {},
        periods=[PERIOD] if answer.period else [],
        bindings=[Binding(placeholders=[ROWS], query=answer.query)],
    )


def with_field_names(query: str, places: list[FieldPlace], dialect: Dialect) -> str:
    """Return a query of rows whose columns are called as the fields that print them; unchanged if they do not fit.

    A column that no field prints is left out. The query itself stays as it is, for it may sort and group by its names.
    """
    try:
        tree = sqlglot.parse_one(query, dialect=dialect)
    except SqlglotError:  # the checks say what is wrong with it
        return query
    if not isinstance(tree, exp.Query) or sorted(tree.named_selects) == sorted(place.name for place in places):
        return query
    given = tree.named_selects
    found = match_columns(places, given).columns
    if len(found) != len(places) or "*" in given or len(set(given)) != len(given):
        return query
    if dialect == "mysql" and tree.args.get("order") and not tree.args.get("limit"):
        return query  # the order of a subselect is lost there
    columns = [
        exp.alias_(exp.column(given[found[place.name]], table="answer", quoted=True), place.name, quoted=True)
        for place in places
    ]
    return printed(exp.select(*columns).from_(tree.subquery("answer")), dialect)


def _date_columns(schema: SourceSchema) -> set[str]:
    """Return the names of columns that are dates in every table."""
    columns = [column for table in schema.tables for column in table.columns]
    return {one.name.casefold() for one in columns if is_date(one)} - {
        one.name.casefold() for one in columns if not is_date(one)
    }


def _has_other_dates(tree: exp.Expr, dates: set[str]) -> bool:
    """Whether a query whose period is bound has another date in it, a part of one such as a month, or today."""
    assert isinstance(tree, exp.Query)
    texts = [*(node.name for node in tree.find_all(exp.Literal)), *tree.named_selects]
    if any(map(_DATED.search, texts)) or tree.find(*_CLOCKS):
        return True
    compared: list[exp.Expr] = [
        node for node in tree.find_all(exp.Predicate) if not node.find(exp.Placeholder, exp.Subquery)
    ]
    compared += [case for case in tree.find_all(exp.Case) if case.this]
    return any(node.find(exp.Literal) and _names_of(node) & dates for node in compared)


def _names_of(node: exp.Expr) -> set[str]:
    return {column.name.casefold() for column in node.find_all(exp.Column)}


def _windows(tree: exp.Expr, dates: set[str]) -> Iterator[_Window]:
    bounds: list[_Bound] = []
    for node in tree.find_all(exp.EQ, exp.Like, exp.Between, exp.GTE, exp.GT, exp.LT, exp.LTE):
        limited = node.this
        columns = list(limited.find_all(exp.Column))
        if len(columns) != 1 or columns[0].name.casefold() not in dates:
            continue
        if isinstance(node, exp.Between):
            low, high = _bound(node, exp.GTE, node.args["low"]), _bound(node, exp.LTE, node.args["high"])
            if low and high:
                yield _Window((node,), limited, low.day, high.day)
        elif isinstance(node, exp.EQ | exp.Like):
            if period := _named_period(node):
                yield _Window((node,), columns[0], period.start, period.end)
        elif bound := _bound(node, type(node), node.expression):
            bounds.append(bound)
    yield from _pairs(bounds)


def _pairs(bounds: list[_Bound]) -> Iterator[_Window]:
    """Yield the windows whose ends are two conditions of one AND."""
    for first in (bound for bound in bounds if bound.is_start):
        for last in (bound for bound in bounds if not bound.is_start):
            is_one = first.limited == last.limited and _conjunction(first.node) is _conjunction(last.node)
            if is_one and isinstance(first.node.parent, exp.And | exp.Paren):
                yield _Window((first.node, last.node), first.limited, first.day, last.day)


def _conjunction(node: exp.Expr) -> exp.Expr | None:
    """Return what holds the AND that a condition is a part of."""
    at = node.parent
    while isinstance(at, exp.And | exp.Paren):
        at = at.parent
    return at


def _bound(node: exp.Expr, kind: type[exp.Expr], value: exp.Expr) -> _Bound | None:
    """Return the first day of a window, or the day after its last; None for what is no plain day."""
    literal = value.this if isinstance(value, exp.Cast | exp.Date | exp.TsOrDsToDate) else value
    if not isinstance(literal, exp.Literal) or not literal.is_string:
        return None
    is_start, is_last = kind in (exp.GTE, exp.GT), _LAST_MOMENT.fullmatch(literal.name)
    found = is_last or _DAY.fullmatch(literal.name)
    if found is None or (is_last and is_start):
        return None
    try:
        day = date.fromisoformat(found[1])
    except ValueError:
        return None
    return _Bound(node, node.this, day + _ONE_DAY if kind in (exp.LTE, exp.GT) or is_last else day, is_start)


def _named_period(node: exp.Expr) -> Period | None:
    """Return the period of ``strftime('%Y-%m', day) = '2026-03'``, ``day LIKE '2026-03%'``, ``day = '2026-03-01'``."""
    value = node.args["expression"]
    literal = value.this if isinstance(value, exp.Cast) else value
    if not isinstance(literal, exp.Literal) or not literal.is_string:
        return None
    is_like = isinstance(node, exp.Like)
    found = _STEM.fullmatch(literal.name)
    if found is None or is_like != literal.name.endswith("%") or isinstance(node.parent, exp.Not):
        return None
    if not is_like and isinstance(node.this, exp.Column) and not _DAY.fullmatch(literal.name):
        return None
    return read_period(found[1], date.min)


def _bind(window: _Window) -> None:
    """Put the parameters in the place of a window's days."""
    start = exp.GTE(this=window.limited.copy(), expression=exp.Placeholder(this=f"{PERIOD}_start"))
    end = exp.LT(this=window.limited.copy(), expression=exp.Placeholder(this=f"{PERIOD}_end"))
    if len(window.nodes) == 2:
        window.nodes[0].replace(start)
        window.nodes[1].replace(end)
    else:
        window.nodes[0].replace(exp.paren(exp.and_(start, end)))
