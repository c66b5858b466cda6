"""What a query of several sources reads of each table: a query for each, in the SQL of the table's source.

    SELECT c.city, SUM(o.amount) FROM crm.customers AS c JOIN shop.orders AS o ON ... WHERE o.ordered_on >= '2026-03-01'
    crm:   SELECT "id", "city" FROM "customers"
    shop:  SELECT "customer_id", "amount" FROM "orders" WHERE "ordered_on" >= '2026-03-01'

Each of them passes the checks of its own source, which puts what may be seen into it. The whole query runs on what they
give, with all of its conditions. So a part has to read every row that the whole query might use: a condition goes with
it only where both databases agree on what it means.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from datetime import date, timedelta

import sqlglot
from sqlglot import exp
from sqlglot.optimizer.scope import Scope, traverse_scope

from bandsmith.shared.joined_sources import type_of
from bandsmith.shared.model.source import Dialect, Query, QueryPart, SourceColumn, SourceSchema, SourceTable

from .check import check, resolved
from .table_names import known_table

_FLIPPED: dict[type[exp.Expr], type[exp.Expr]] = {
    exp.EQ: exp.EQ,
    exp.GT: exp.LT,
    exp.GTE: exp.LTE,
    exp.LT: exp.GT,
    exp.LTE: exp.GTE,
}
_NUMBERS, _DATES = ("BIGINT", "DECIMAL", "DOUBLE"), ("DATE", "TIMESTAMP")
_TEXTS = {exp.DType.VARCHAR, exp.DType.NVARCHAR, exp.DType.TEXT, exp.DType.CHAR}
_DATE_CASTS = {exp.DType.DATE, exp.DType.TIMESTAMP}
_ISO_DATE = re.compile(r"\d{4}-\d\d-\d\d")


def query_parts(query: Query, schema: SourceSchema) -> list[QueryPart]:
    """Return what is read for a query that passed the checks. Raises ``QueryRefused`` where a source refuses it."""
    tree = resolved(sqlglot.parse_one(query.sql, dialect=schema.dialect), schema)
    read = [known for table in tree.find_all(exp.Table) if (known := known_table(table, schema)) is not None]
    counts, conditions = Counter(table.name for table in read), list(_conditions(tree, schema))
    members = {member.source: member for member in schema.members}
    parts = []
    for table in {table.name: table for table in read}.values():
        assert table.origin is not None, "every table of several sources comes from one of them"
        pushed = [one for name, one in conditions if name == table.name and counts[name] == 1]
        parts.append(_part(table, _needed(tree, table), pushed, members[table.origin.source]))
    return parts


def _part(table: SourceTable, columns: list[SourceColumn], pushed: list[exp.Expr], member: SourceSchema) -> QueryPart:
    assert table.origin is not None
    own = member.table(table.origin.table)
    assert own is not None, "a table keeps its name between the recall and the check"
    owner = exp.to_identifier(own.schema_name, quoted=True) if own.schema_name else None
    kinds = {column.name: type_of(column, member.dialect) for column in own.columns}
    selected = [_selected(column.name, kinds[column.name], member.dialect) for column in columns]
    select = exp.Select(expressions=selected).from_(
        exp.Table(this=exp.to_identifier(own.own_name, quoted=True), db=owner)
    )
    for condition in pushed:
        if (own_condition := _in_source(condition, table, kinds, member.dialect)) is not None:
            select = select.where(own_condition)
    sql = check(select.sql(dialect=member.dialect), member).permitted
    types = {column.name: column.type for column in columns}
    return QueryPart(source=member.source, table=table.name, sql=sql, types=types)


def _selected(name: str, kind: exp.DType | None, dialect: Dialect) -> exp.Expr:
    """Return a column; PostgreSQL pads a ``CHAR(n)`` with spaces that count nowhere, which a cast takes off."""
    column = exp.Column(this=exp.to_identifier(name, quoted=True))
    if dialect == "postgres" and kind == exp.DType.CHAR:
        return exp.Alias(this=exp.cast(column, "TEXT"), alias=exp.to_identifier(name, quoted=True))
    return column


def _needed(tree: exp.Expr, table: SourceTable) -> list[SourceColumn]:
    """Return the columns whose names stand anywhere in the query: rather too many than too few."""
    names = {one.name.casefold() for one in tree.find_all(exp.Identifier)}
    if any(join.args.get("method") for join in tree.find_all(exp.Join)):  # NATURAL names no column
        return table.columns
    return [column for column in table.columns if column.name.casefold() in names] or table.columns[:1]


# --- conditions ------------------------------------------------------------------------------------------------------


def _conditions(tree: exp.Expr, schema: SourceSchema) -> Iterator[tuple[str, exp.Expr]]:
    """Yield simple conditions of every WHERE, each with the name of the table that it is about.

    They are false for NULL, so a row that an outer join would keep without its other half is not wanted either.
    """
    for scope in traverse_scope(tree):
        where = scope.expression.args.get("where") if isinstance(scope.expression, exp.Select) else None
        for one in where.this.flatten() if where and isinstance(where.this, exp.And) else [where.this] if where else []:
            if (simple := _simple(one.unnest())) is not None and (name := _table_of(simple, scope, schema)):
                yield name, simple


def _simple(node: exp.Expr) -> exp.Expr | None:
    """Return a comparison of a column with literals, the column first; None for anything else."""
    if isinstance(node, exp.Between) and isinstance(node.this, exp.Column):
        return node if all(_literal(node.args[name]) for name in ("low", "high")) else None
    if isinstance(node, exp.In) and isinstance(node.this, exp.Column) and set(_given(node)) == {"this", "expressions"}:
        return node if all(_literal(one) for one in node.expressions) else None
    if type(node) in _FLIPPED and isinstance(node.this, exp.Column):
        return node if _literal(node.expression) else None
    if type(node) in _FLIPPED and isinstance(node.expression, exp.Column):
        return _FLIPPED[type(node)](this=node.expression, expression=node.this) if _literal(node.this) else None
    return None


def _given(node: exp.Expr) -> list[str]:
    return [name for name, value in node.args.items() if value]


def _literal(node: exp.Expr) -> exp.Literal | None:
    """Return a literal; of ``DATE '2026-03-01'`` its text."""
    inner = node.this if isinstance(node, exp.Cast) and node.to.this in _DATE_CASTS else node
    if not isinstance(inner, exp.Literal) or (inner is not node and not _ISO_DATE.fullmatch(inner.name)):
        return None
    return inner


def _table_of(condition: exp.Expr, scope: Scope, schema: SourceSchema) -> str:
    """Return the name of the table whose column is compared; nothing for the column of a subquery."""
    source = scope.sources.get(condition.this.table)
    known = known_table(source, schema) if isinstance(source, exp.Table) else None
    return known.name if known else ""


def _in_source(
    condition: exp.Expr, table: SourceTable, kinds: dict[str, exp.DType | None], dialect: Dialect
) -> exp.Expr | None:
    """Return a condition for the table's own source that keeps every row which the condition keeps in DuckDB.

    None where there is none: the order of texts and the text of a date differ between databases. Equal texts are equal
    in each of them.
    """
    column = next((one for one in table.columns if one.name.casefold() == condition.this.name.casefold()), None)
    values = [one for one in (_literal(node) for node in condition.iter_expressions()) if one is not None]
    if column is None:
        return None
    own = exp.Column(this=exp.to_identifier(column.name, quoted=True))
    is_equality = isinstance(condition, exp.EQ | exp.In)
    if column.type in _NUMBERS:
        return None if any(one.is_string for one in values) else _with(condition, own)
    if column.type in _DATES:
        if not all(one.is_string and _ISO_DATE.fullmatch(one.name) for one in values):
            return None
        return _texts_of_dates(condition, own) if dialect == "sqlite" else _with(condition, own)
    plain = list(condition.iter_expressions())[1:]  # a text that is compared with a date is read as a date
    is_of_texts = all(isinstance(one, exp.Literal) and one.is_string and "\\" not in one.name for one in plain)
    if kinds[column.name] not in _TEXTS or not is_of_texts:
        return None
    if dialect == "sqlite" and not is_equality:
        return _with(condition, exp.Collate(this=own, expression=exp.Var(this="BINARY")))  # the order in DuckDB
    return _with(condition, own) if is_equality else None


def _with(condition: exp.Expr, column: exp.Expr) -> exp.Expr:
    """Return a condition about this column, with plain literals."""
    condition = condition.copy()
    condition.set("this", column.copy())
    for node in list(condition.iter_expressions())[1:]:
        if (literal := _literal(node)) is not None:
            node.replace(literal.copy())
    return condition


def _texts_of_dates(condition: exp.Expr, column: exp.Column) -> exp.Expr | None:
    """Return a condition on dates that SQLite holds as texts: those of a wanted day, and all that are no ISO dates."""
    values = [one.name for one in (_literal(node) for node in condition.iter_expressions()) if one is not None]
    first = values[0] if isinstance(condition, exp.EQ | exp.GT | exp.GTE | exp.Between) else ""
    last = values[-1] if isinstance(condition, exp.EQ | exp.LT | exp.LTE | exp.Between) else ""
    try:
        end = _day_after(last) if last and not isinstance(condition, exp.LT) else last
    except (ValueError, OverflowError):  # no day of the calendar
        return None
    bounds: list[exp.Expr] = [exp.GTE(this=column.copy(), expression=exp.Literal.string(first))] if first else []
    bounds += [exp.LT(this=column.copy(), expression=exp.Literal.string(end))] if end else []
    if not bounds:
        return None
    others = exp.Not(this=exp.Like(this=column.copy(), expression=exp.Literal.string("____-__-__%")))
    return exp.Paren(this=exp.or_(exp.and_(*bounds), others))


def _day_after(day: str) -> str:
    return (date.fromisoformat(day) + timedelta(days=1)).isoformat()
