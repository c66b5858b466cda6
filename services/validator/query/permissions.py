"""What may be seen of a source, put into the syntax tree: a limited table becomes a filtered subselect.

    FROM customers AS c    ->    FROM (SELECT id, name, '***' AS email FROM customers WHERE (country = 'CN')) AS c

The subselect names every column that can be seen, so ``*`` cannot show another one, and nothing outside it can name
a hidden column. It stands in the place of the table under every alias, in every subquery, CTE and union.
"""

from __future__ import annotations

import sqlglot
from sqlglot import exp
from sqlglot.errors import SqlglotError

from bandsmith.shared.model.source import SourceSchema, SourceTable

from .table_names import known_table

MASK = "***"
"""What a masked column shows."""
_KEPT = {"this", "db", "alias", "joins"}
"""Arguments of a table that the subselect takes over; a query with any other is refused."""


class CannotLimit(ValueError):
    """The query names a limited table in a way that cannot be limited, or the limit cannot be read."""


def with_permissions(tree: exp.Expr, schema: SourceSchema) -> exp.Expr:
    """Return the query, which has passed the checks, as it may run. Raises ``CannotLimit``."""
    tree = tree.copy()
    commons = {common.alias.casefold() for common in tree.find_all(exp.CTE)}
    for table in list(tree.find_all(exp.Table)):
        known = known_table(table, schema)  # no CTE has the name of a table: the checks refuse that
        if known is not None and known.is_limited:
            limited = _limited(table, known, schema)
            ruling = {one.name.casefold() for one in limited.find_all(exp.Table) if not one.db}
            if ruling & commons or any(value for name, value in table.args.items() if name not in _KEPT):
                raise CannotLimit(known.name)  # a CTE would take the place of a table that the rule reads
            table.replace(limited)
    return tree


def _limited(table: exp.Table, known: SourceTable, schema: SourceSchema) -> exp.Subquery:
    columns: list[exp.Expr] = []
    for column in known.columns:
        name = exp.to_identifier(column.name, quoted=True)
        shown = exp.Literal.string(MASK) if column.is_masked else exp.Column(this=name.copy())
        columns.append(exp.Alias(this=shown, alias=name))
    if not columns:
        raise CannotLimit(known.name)
    owner = exp.to_identifier(known.schema_name, quoted=True) if known.schema_name else None
    read = exp.Table(this=exp.to_identifier(known.own_name, quoted=True), db=owner)
    select = exp.Select(expressions=columns).from_(read)
    if known.rows:
        select = select.where(exp.Paren(this=_condition(known, schema)))
    alias = table.args.get("alias") or exp.TableAlias(this=table.this.copy())
    limited = exp.Subquery(this=select, alias=alias.copy())
    if joins := table.args.get("joins"):
        limited.set("joins", joins)  # moved, so that their own tables are limited in their turn
    return limited


def _condition(known: SourceTable, schema: SourceSchema) -> exp.Expr:
    try:
        return sqlglot.parse_one(known.rows, dialect=schema.dialect)
    except SqlglotError:
        raise CannotLimit(known.name) from None
