"""What a name in FROM means to the database: a CTE that is visible there, or a table of the source.

The database resolves names when the query runs, so both have to find the same. A name that a check takes for a CTE and
the database for a table would read any table at all: views that are hidden, or the catalogue of the server.
"""

from __future__ import annotations

from collections.abc import Iterator

from sqlglot import exp

from bandsmith.shared.model.source import Dialect, SourceSchema, SourceTable, qualified


def is_cte(table: exp.Table, dialect: Dialect) -> bool:
    """Return whether the name is that of a CTE which the database sees there."""
    if table.args.get("db"):
        return False
    name = _stored_name(table.this, dialect)
    return any(_stored_name(common.args["alias"].this, dialect) == name for common in _visible_ctes(table))


def known_table(table: exp.Table, schema: SourceSchema) -> SourceTable | None:
    """Return the source's table that the database reads there; None if the source has none of that name."""
    dialect, owner = schema.dialect, table.args.get("db")
    named = (_stored_name(owner, dialect) if owner else "", _stored_name(table.this, dialect))
    return next((one for one in schema.tables if _stored_names(one, dialect) == named), None)


def _stored_names(table: SourceTable, dialect: Dialect) -> tuple[str, str]:
    return _folded(table.schema_name, dialect), _folded(table.own_name, dialect)


def table_name(table: exp.Table) -> str:
    """Return the name of a table as it is written, with its schema."""
    return qualified(table.db, table.name)


def _visible_ctes(table: exp.Table) -> Iterator[exp.CTE]:
    """Yield the CTEs that can be named where the table stands.

    In the body of a CTE, these are the ones before it, and with RECURSIVE itself. Some databases see later ones too;
    their queries can be written the other way round.
    """
    body: exp.CTE | None = None
    at: exp.Expr | None = table
    while at is not None:
        body = at if isinstance(at, exp.CTE) else body
        with_ = at.args.get("with_")
        if isinstance(with_, exp.With):
            yield from _before(body, with_) if body is not None and body.parent is with_ else with_.expressions
        at = at.parent


def _before(body: exp.CTE, with_: exp.With) -> list[exp.CTE]:
    position = next(number for number, common in enumerate(with_.expressions) if common is body)
    return list(with_.expressions[: position + bool(with_.args.get("recursive"))])


def _stored_name(identifier: exp.Identifier, dialect: Dialect) -> str:
    """Return the name that the database looks up: PostgreSQL keeps the case of a quoted name only."""
    if dialect == "postgres" and not identifier.quoted:
        return _lower(identifier.name)
    return _folded(identifier.name, dialect)


def _folded(name: str, dialect: Dialect) -> str:
    """Return a name as it is compared: SQLite and DuckDB disregard the case of ASCII letters."""
    return _lower(name) if dialect in ("sqlite", "duckdb") else name


def _lower(name: str) -> str:
    return "".join(character.lower() if character.isascii() else character for character in name)
