"""The tables of several sources in one DuckDB that reaches no file and no network: what was read of each of them.

A column gets the type that its source declares where all of its values have it: SQLite stores dates as texts, and an
empty table has no types. A number that arrives as text is refused, since texts have another order and no sum.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, BinaryIO

from .connection import NO_PARAMETERS, Parameters, Rows
from .file_tables import confine, query_result

_READS_BACK = {
    "DATE": "CAST({value} AS VARCHAR) = {text}",
    "TIME": "starts_with(CAST({value} AS VARCHAR), {text})",
    "TIMESTAMP": "starts_with(CAST({value} AS VARCHAR), replace({text}, 'T', ' '))",
}
"""Whether a text says no more than its value: not a date with a time of day, nor a time with a zone."""
_NUMBERS = ("BIGINT", "DECIMAL", "DOUBLE", "REAL")


class JoinedTables:
    """A connection to what was read of several sources."""

    def __init__(self, parts: Sequence[Mapping[str, Any]], content: BinaryIO) -> None:
        """`content` holds the table of each part as an Arrow stream, as long as the part says."""
        import duckdb  # noqa: PLC0415 - slow to import

        from bandsmith.shared.result_tables import from_bytes  # noqa: PLC0415 - as above

        self._connection = duckdb.connect(":memory:")
        confine(self._connection)
        for part in parts:
            self._load(part["table"], part["types"], from_bytes(content.read(part["size"])))

    def _load(self, table: str, types: Mapping[str, str], rows: Any) -> None:
        owner, _, name = table.partition(".")
        self._connection.execute(f"CREATE SCHEMA IF NOT EXISTS {_quoted(owner)}")
        relation = self._connection.from_arrow(rows)
        arrived = dict(zip(relation.columns, map(str, relation.types), strict=True))
        columns = [self._column(relation, column, arrived[column], types[column], table) for column in relation.columns]
        relation.project(", ".join(columns)).create(f"{_quoted(owner)}.{_quoted(name)}")

    def _column(self, relation: Any, column: str, arrived: str, declared: str, table: str) -> str:
        """Return a column as it is selected: as it arrived, or of the type that its source declares."""
        name = _quoted(column)
        cast = f"CAST({name} AS {declared}) AS {name}"
        if arrived == '"NULL"':
            return cast if declared else f"CAST({name} AS VARCHAR) AS {name}"
        if arrived == "VARCHAR" and declared in _NUMBERS:
            raise ValueError(f"{table}.{column} is declared as a number and has values that are none")
        if arrived == "VARCHAR" and declared in _READS_BACK:
            text = f"regexp_replace({name}, '\\.0+$', '')"
            value = f"TRY_CAST({text} AS {declared})"
            fits = _READS_BACK[declared].format(value=value, text=text)
            ((all_fit,),) = relation.aggregate(f"bool_and({name} IS NULL OR COALESCE({fits}, FALSE))").fetchall()
            return f"{value} AS {name}" if all_fit else name
        if arrived == "BIGINT" and declared == "BOOLEAN":
            ((all_fit,),) = relation.aggregate(f"bool_and({name} IS NULL OR {name} IN (0, 1))").fetchall()
            return cast if all_fit else name
        return name

    def query(self, sql: str, seconds: float, parameters: Parameters = NO_PARAMETERS) -> Rows:
        return query_result(self._connection, sql, parameters)


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'
