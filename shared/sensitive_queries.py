"""Whether the rows of a query may hold values that no language model may see."""

from __future__ import annotations

import sqlglot
from sqlglot import exp

from .model.source import SourceSchema


def names_sensitive_column(query: str, schema: SourceSchema) -> bool:
    """Return whether the query names a sensitive column, or all columns of something while there is one.

    The name alone decides, whatever table it belongs to and whatever is computed from it: too often rather than too
    rarely. A query that cannot be parsed counts as one that does.
    """
    names = {
        column.name.casefold()
        for table in schema.tables
        for column in table.columns
        if column.is_sensitive or column.is_masked
    }
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
