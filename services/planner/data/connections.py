"""Read-only connections to each kind of source: what it holds, and the rows of a query.

They are opened in a process of their own (`worker.py`), which is killed when its time is over.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Protocol

from bandsmith.shared.model.source import Dialect, SourceSchema

Parameters = Mapping[str, str | int | float]
"""Bound parameters by name, which the driver sends separately from the query."""
NO_PARAMETERS: Parameters = {}


class Rows(Protocol):
    """The open result of a query."""

    columns: list[str]

    def __iter__(self) -> Iterator[Sequence[Any]]: ...


class Result:
    """Names of columns, and rows as they are read."""

    def __init__(self, columns: list[str], rows: Iterator[Sequence[Any]]) -> None:
        self.columns, self._rows = columns, rows

    def __iter__(self) -> Iterator[Sequence[Any]]:
        return self._rows


class Connection(Protocol):
    def describe(self, source: str, sensitive: frozenset[str]) -> SourceSchema:
        """Return the tables with their columns, keys and some values."""
        ...

    def query(self, sql: str, seconds: float, parameters: Parameters = NO_PARAMETERS) -> Rows:
        """Run a query that passed the checks, with its bound parameters."""
        ...


def connect(address: str, path: Path | None, dialect: Dialect) -> Connection:
    """Open a source, read only."""
    from . import databases, file_tables  # noqa: PLC0415 - they import this module

    match dialect:
        case "sqlite":
            assert path is not None
            return databases.SqliteConnection(path)
        case "duckdb":
            assert path is not None
            return file_tables.DuckDbConnection(path)
        case "postgres":
            return databases.PostgresConnection(address)
        case "mysql":
            return databases.MysqlConnection(address)
