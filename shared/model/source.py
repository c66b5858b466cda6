"""A source of data as models and checks see it: its tables, columns and keys, no address and no secret."""

from __future__ import annotations

from typing import Literal

from .base import Value

MAX_SHOWN_ROWS = 20
"""Rows of a result that a reply shows."""
Dialect = Literal["sqlite", "duckdb", "postgres", "mysql"]
"""The SQL that a source understands, by sqlglot's name."""


class SourceColumn(Value):
    name: str
    type: str
    """As the database names it: ``INTEGER``, ``VARCHAR(20)``."""
    comment: str = ""
    is_nullable: bool = True
    samples: list[str] = []
    """Some of its values; none of a sensitive column."""
    is_masked: bool = False
    """Whether its values cannot be seen."""
    is_sensitive: bool = False
    """Whether no language model may see its values."""


class ForeignKey(Value):
    """Columns that refer to those of another table, in the same order."""

    columns: list[str]
    table: str
    references: list[str]
    is_inferred: bool = False
    """Whether only the names of the columns say so."""


class TableOrigin(Value):
    """Where a table of several sources that are asked together comes from."""

    source: str
    table: str
    """Its name there."""


class SourceTable(Value):
    name: str
    """As a query names it: ``orders``, or ``sales.orders`` outside of the schema that a connection begins in."""
    schema_name: str = ""
    """The schema that the name begins with, a database of MySQL; empty for the one that a connection begins in."""
    comment: str = ""
    columns: list[SourceColumn]
    key: list[str] = []
    """The columns of its primary key."""
    foreign_keys: list[ForeignKey] = []
    is_view: bool = False
    rows: str = ""
    """The condition of the rows that can be seen, in the source's SQL; empty for all."""
    is_limited: bool = False
    """Whether some of its rows, columns or values cannot be seen: queries read it through a subselect."""
    origin: TableOrigin | None = None
    """Its own source; None for a table of a source that is asked alone."""

    @property
    def own_name(self) -> str:
        """Its name without that of the schema."""
        return self.name.removeprefix(f"{self.schema_name}.") if self.schema_name else self.name


def qualified(schema_name: str, table: str) -> str:
    """Return the name of a table as a query names it."""
    return f"{schema_name}.{table}" if schema_name else table


class SourceSchema(Value):
    """What a source holds."""

    source: str
    """The source's name; of several that are asked together, their names joined by ``+``."""
    dialect: Dialect
    tables: list[SourceTable]
    members: list[SourceSchema] = []
    """The sources that are asked together, as each holds its tables; none for one source."""

    def table(self, name: str) -> SourceTable | None:
        """Return the table of that name; without one, a table whose name differs in case only."""
        exact = next((table for table in self.tables if table.name == name), None)
        return exact or next((table for table in self.tables if table.name.casefold() == name.casefold()), None)


class Asking(Value):
    """How a question about data is meant."""

    source: str = ""
    """Name of the source that is asked, or names joined by ``+``; empty if there is only one."""
    only_query: bool = False
    """Whether only the query is wanted that would answer it."""
    analyse: bool = False
    """Whether an analysis of several steps is wanted, written as a report."""
    review: bool = False
    """Whether the user approves the plan of the analysis before it runs."""


class AskedQuestion(Value):
    """A question before, which the next one may refer to."""

    source: str
    question: str
    query: str
    answer: str = ""
    """What the user was asked instead of an answer; then there is no query."""


class TriedQuery(Value):
    """A query that was refused or failed, and why."""

    query: str
    reason: str
    """One sentence in English, for a model."""


class QueryPart(Value):
    """What a query of several sources reads of one table."""

    source: str
    table: str
    """The table's name in the query."""
    sql: str
    """As it may run in its own source."""
    types: dict[str, str]
    """The columns, with the types that they get where the parts meet."""


class Query(Value):
    """A query that passed the checks, printed from its syntax tree."""

    sql: str
    permitted: str
    """As it may run: limited tables stand in it as subselects of what can be seen."""
    dialect: Dialect
    tables: list[str]
    """The source's tables that it reads."""
