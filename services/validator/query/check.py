"""Whether a query may run, and what runs: it is printed from the tree that was checked, not from the text that came."""

from __future__ import annotations

import re

import sqlglot
from sqlglot import exp
from sqlglot.errors import OptimizeError, ParseError, SqlglotError, TokenError
from sqlglot.optimizer.qualify import qualify
from sqlglot.optimizer.scope import Scope, traverse_scope
from sqlglot.tokens import TokenType

from bandsmith.shared.model.source import Query, SourceSchema
from bandsmith.shared.replies import Text

from .allowed import BY_NAME, FUNCTIONS, MODIFIERS, OPERATORS, STRUCTURE, TYPES
from .mysql_pitfalls import mysql_pitfall
from .named_values import missing_values
from .permissions import CannotLimit, with_permissions
from .recursion import endless_recursion
from .table_names import is_cte, known_table, table_name

MAX_CHARS = 20_000
MAX_NODES = 5_000
_DEFAULT_SCHEMA = "(default)"
"""What stands for the schema that a connection begins in, where there are others with tables of the same names."""
_CROSS_JOIN = re.compile(r"\bcross\s+join\b", re.IGNORECASE)


class QueryRefused(Exception):
    """A query that must not run, with one sentence that says why."""

    def __init__(self, code: str, **values: object) -> None:
        self.code, self.reason = code, Text.of(code, **values)
        super().__init__(self.reason.en)


NO_INPUTS: frozenset[str] = frozenset()


def check(sql: str, schema: SourceSchema, question: str = "", inputs: frozenset[str] = NO_INPUTS) -> Query:
    """Return the query, and how it may run. Raises ``QueryRefused``.

    It is one statement that reads and does nothing else, all the way down; it names tables and columns of the source
    only, uses functions of the allow-list only, ends, and has the dates, numbers and names of the `question`. Its
    bound parameters, ``:name``, are among the `inputs`. One of several sources runs as it is, on what may be seen of
    their tables (``parts.py``).
    """
    tree = _parsed(sql, schema)
    if schema.dialect == "mysql" and (pitfall := mysql_pitfall(sql, schema)):
        raise QueryRefused(pitfall.code, name=pitfall.name)
    try:
        _check_nodes(tree, inputs)
        tables = _check_tables(tree, schema)
        if name := endless_recursion(tree):
            raise QueryRefused("data.query.endless", name=name)
        # A comma and CROSS JOIN are the same in the tree.
        _check_columns(tree, schema, crosses_on_purpose=bool(_CROSS_JOIN.search(sql)))
        printed = _printed(tree, schema)
        _check_nodes(_parsed(printed, schema), inputs)
        if missing := list(missing_values(question, tree, schema)):
            raise QueryRefused("data.query.value_missing", value=missing[0])
        permitted = printed if schema.members else _permitted(tree, schema, inputs)
    except RecursionError:
        raise QueryRefused("data.query.too_long") from None
    return Query(sql=printed, permitted=permitted, dialect=schema.dialect, tables=tables)


def _permitted(tree: exp.Expr, schema: SourceSchema, inputs: frozenset[str]) -> str:
    """Return the query with what may be seen of each table, which is checked once more."""
    try:
        limited = with_permissions(tree, schema)
    except CannotLimit as error:
        raise QueryRefused("data.query.cannot_limit", name=str(error)) from None
    printed = _printed(limited, schema)
    _check_nodes(_parsed(printed, schema), inputs)
    return printed


def _printed(tree: exp.Expr, schema: SourceSchema) -> str:
    """Return the text of a tree without comments. A bound parameter is ``:name`` in every dialect."""
    tree = tree.copy()
    for bound in list(tree.find_all(exp.Placeholder)):
        bound.replace(exp.Var(this=f":{bound.name}"))
    return tree.sql(dialect=schema.dialect, comments=False)


def _parsed(sql: str, schema: SourceSchema) -> exp.Expr:
    if len(sql) > MAX_CHARS:
        raise QueryRefused("data.query.too_long")
    if "\0" in sql:
        raise QueryRefused("data.query.syntax", near="")
    try:
        statements = [tree for tree in sqlglot.parse(sql, dialect=schema.dialect) if tree is not None]
    except ParseError as error:
        found = error.errors[0] if error.errors else {}
        raise QueryRefused(
            "data.query.syntax", near=f"{found.get('start_context', '')[-20:]}{found.get('highlight', '')}"
        ) from None
    except (TokenError, SqlglotError, RecursionError):
        raise QueryRefused("data.query.syntax", near="") from None
    if len(statements) != 1:
        raise QueryRefused("data.query.not_one")
    (tree,) = statements
    is_short = (
        sqlglot.tokenize(sql, dialect=schema.dialect)[0].token_type == TokenType.TABLE
    )  # read as SELECT * FROM it
    if is_short or not isinstance(tree, exp.Select | exp.SetOperation):
        raise QueryRefused("data.query.not_select")
    return tree


def _check_nodes(tree: exp.Expr, inputs: frozenset[str]) -> None:
    """Hold every node against the allow-list, and bound parameters against the `inputs`."""
    for number, node in enumerate(tree.walk()):
        if number > MAX_NODES:
            raise QueryRefused("data.query.too_long")
        if isinstance(node, exp.Anonymous):
            if node.name.lower() not in BY_NAME:
                raise QueryRefused("data.query.function", name=node.name)
        elif isinstance(node, exp.Placeholder):
            if node.name not in inputs:
                raise QueryRefused("data.query.unknown_input", name=node.name, known=", ".join(sorted(inputs)) or "-")
        elif isinstance(node, exp.DataType):
            if node.this not in TYPES:
                raise QueryRefused("data.query.construct", name=node.sql())
        elif type(node) not in STRUCTURE | OPERATORS | FUNCTIONS:
            if isinstance(node, exp.Func):
                raise QueryRefused("data.query.function", name=node.sql_name().lower())
            raise QueryRefused("data.query.construct", name=type(node).__name__)
        if isinstance(node, exp.Select) and not node.expressions:
            raise QueryRefused("data.query.syntax", near="SELECT")
        if isinstance(node, exp.Select) and (used := [name for name in MODIFIERS if node.args.get(name)]):
            raise QueryRefused("data.query.construct", name=used[0])


def _check_tables(tree: exp.Expr, schema: SourceSchema) -> list[str]:
    """Return the source's tables that the query reads."""
    for common in tree.find_all(exp.CTE):
        if (known := schema.table(common.alias)) is not None:  # where the CTE is not visible, the name means the table
            raise QueryRefused("data.query.shadows", name=known.name)
    read: dict[str, None] = {}
    for table in tree.find_all(exp.Table):
        if not isinstance(table.this, exp.Identifier):
            raise QueryRefused("data.query.construct", name="table function")
        if table.args.get("catalog"):
            raise QueryRefused("data.query.unknown_table", name=table.sql(), known=_names(schema))
        if is_cte(table, schema.dialect):
            continue
        known = known_table(table, schema)
        if known is None:
            raise QueryRefused("data.query.unknown_table", name=table_name(table), known=_names(schema))
        read[known.name] = None
    return list(read)


def _check_columns(tree: exp.Expr, schema: SourceSchema, *, crosses_on_purpose: bool) -> None:
    """Resolve every column against the tables, and see that something joins them; a ``CROSS JOIN`` is meant.

    Raises ``QueryRefused`` for a column that is unknown or ambiguous.
    """
    try:
        for scope in traverse_scope(resolved(tree, schema)):
            if unknown := scope.unqualified_columns:
                raise QueryRefused("data.query.unknown_column", name=unknown[0].name)
            if not crosses_on_purpose:
                _check_joins(scope)
    except OptimizeError as error:
        raise QueryRefused("data.query.column", reason=str(error).partition(". Line")[0][:200]) from None
    except SqlglotError:
        raise QueryRefused("data.query.syntax", near="") from None


def resolved(tree: exp.Expr, schema: SourceSchema) -> exp.Expr:
    """Return the query with the table of every column. Raises ``SqlglotError`` for an unknown or ambiguous column."""
    tree, known = tree.copy(), _columns_by_table(schema)
    if _DEFAULT_SCHEMA in known:
        for table in list(tree.find_all(exp.Table)):
            if not table.args.get("db") and not is_cte(table, schema.dialect):
                table.set("db", exp.to_identifier(_DEFAULT_SCHEMA, quoted=True))
    return qualify(tree, dialect=schema.dialect, schema=known, quote_identifiers=False)


def _columns_by_table(schema: SourceSchema) -> dict[str, object]:
    """Return the columns with their types as sqlglot reads them: by schema too, where there are several."""
    columns: dict[str, dict[str, object]] = {}
    for table in schema.tables:
        types = {column.name: column.type or "TEXT" for column in table.columns}
        columns.setdefault(table.schema_name or _DEFAULT_SCHEMA, {})[table.own_name] = types
    return columns.get(_DEFAULT_SCHEMA, {}) if columns.keys() <= {_DEFAULT_SCHEMA} else dict(columns)


def _check_joins(scope: Scope) -> None:
    """Refuse tables that nothing joins: each of their rows would be counted with every row of the others.

    A subquery may have one row, so only tables count.
    """
    select = scope.expression
    joins = select.args.get("joins") or [] if isinstance(select, exp.Select) else []
    if any(join.args.get("method") or join.args.get("using") for join in joins):
        return
    tables = [name for name, source in scope.sources.items() if isinstance(source, exp.Table)]
    group = {name: {name} for name in tables}
    for comparison in select.find_all(exp.Predicate) if len(tables) > 1 else ():
        touched = {column.table for column in comparison.find_all(exp.Column)} & set(tables)
        merged = set().union(*(group[name] for name in touched))
        group |= dict.fromkeys(merged, merged)
    if tables and group[tables[0]] != set(tables):
        alone = next(name for name in tables if name not in group[tables[0]])
        raise QueryRefused("data.query.not_joined", first=tables[0], second=alone)


def _names(schema: SourceSchema) -> str:
    names = [table.name for table in schema.tables]
    return ", ".join(names[:20]) + (", …" if len(names) > 20 else "")
