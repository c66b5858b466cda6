"""Whether the rows of a query may hold values that no language model may see."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

import sqlglot
from sqlglot import exp

from .model.source import SourceSchema

_NUMBER = re.compile(r"_\d+$")


def sensitive_outputs(query: str, columns: Sequence[str], schema: SourceSchema) -> list[bool]:
    """Return which columns of a result may hold such values: all of them where the query does not tell.

    As there, names decide: a column is one if it is computed from the name of a sensitive column, under whatever alias
    the query gives it on the way.
    """
    if not names_sensitive_column(query, schema):
        return [False] * len(columns)
    tree = sqlglot.parse_one(query, dialect=schema.dialect)
    selects, names = list(_selects(tree)), _with_aliases(_sensitive_names(schema), tree)
    if _hides_names(tree, selects, names):
        return [True] * len(columns)
    if any(select.is_star for select in selects):
        return [len(selects) > 1 or _stem(column) in names for column in columns]
    outputs = list(zip(*(select.expressions for select in selects), strict=False))
    if len(outputs) != len(columns) or not all(map(_is_named, (first for first, *_ in outputs), columns)):
        return [True] * len(columns)  # the rows are not those of the query: code in Python made others of them
    return [any(_names_in(one) & names for one in halves) for halves in outputs]


def _hides_names(tree: exp.Expr, selects: Sequence[exp.Select], names: set[str]) -> bool:
    """Return whether a value may get on without a name that tells what it is computed from.

    That is so in the second half of a union that another query reads, under the column names of an alias, and where
    the database makes up the name of an expression.
    """
    if len(list(tree.find_all(exp.SetOperation))) >= len(selects):
        return True
    if any(one.columns for one in tree.find_all(exp.TableAlias)):
        return True
    outputs = [output for one in tree.find_all(exp.Select) if _is_read(one) for output in one.expressions]
    return any(not isinstance(one, exp.Column | exp.Alias | exp.Star) and _names_in(one) & names for one in outputs)


def _is_read(select: exp.Select) -> bool:
    """Return whether another query reads the rows as a table."""
    parent = select.parent
    while isinstance(parent, exp.Subquery):
        parent = parent.parent
    return isinstance(parent, exp.CTE | exp.From | exp.Join)


def _with_aliases(names: set[str], tree: exp.Expr) -> set[str]:
    """Add the names that the query gives to expressions computed from these columns."""
    aliases = [(alias.alias.casefold(), _names_in(alias.this)) for alias in tree.find_all(exp.Alias)]
    while more := {alias for alias, used in aliases if used & names} - names:
        names = names | more
    return names


def _selects(tree: exp.Expr) -> Iterator[exp.Select]:
    """Yield the queries whose rows the result has, the first one first."""
    if isinstance(tree, exp.SetOperation):
        yield from _selects(tree.left)
        yield from _selects(tree.right)
    else:
        query = tree.unnest()
        assert isinstance(query, exp.Select)
        yield query


def _names_in(node: exp.Expr) -> set[str]:
    return {one.name.casefold() for one in node.find_all(exp.Identifier)}


def _is_named(output: exp.Expr, column: str) -> bool:
    """Return whether a column of the result may be this one: it has its name, or the query gives it none."""
    is_free = not isinstance(output, exp.Alias | exp.Column)
    return is_free or _stem(column) in (output.alias_or_name.casefold(), _stem(output.alias_or_name))


def _stem(column: str) -> str:
    """Return the name of a column without the number that tells it from another one of the same name."""
    return _NUMBER.sub("", column.casefold())


def _sensitive_names(schema: SourceSchema) -> set[str]:
    return {
        column.name.casefold()
        for table in schema.tables
        for column in table.columns
        if column.is_sensitive or column.is_masked
    }


def names_sensitive_column(query: str, schema: SourceSchema) -> bool:
    """Return whether the query names a sensitive column, or all columns of something while there is one.

    The name alone decides, whatever table it belongs to and whatever is computed from it: too often rather than too
    rarely. A query that cannot be parsed counts as one that does.
    """
    names = _sensitive_names(schema)
    if not names:
        return False
    try:
        tree = sqlglot.parse_one(query, dialect=schema.dialect)
    except sqlglot.errors.SqlglotError:
        return True
    counted = {id(count.this) for count in tree.find_all(exp.Count)}
    if any(id(star) not in counted for star in tree.find_all(exp.Star)):
        return True
    return any(column.name.casefold() in names for column in tree.find_all(exp.Column, exp.Identifier))
