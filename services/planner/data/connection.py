"""What a connection to a source offers: what the source holds, and the rows of a query."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Protocol

from bandsmith.shared.model.source import SourceSchema

Parameters = Mapping[str, str | int | float]
"""Bound parameters by name, which the driver sends separately from the query."""
NO_PARAMETERS: Parameters = {}
NO_RULES: Mapping[str, str] = {}
"""Conditions of the rows whose values may be shown, by table in small letters."""


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


class QueryConnection(Protocol):
    def query(self, sql: str, seconds: float, parameters: Parameters = NO_PARAMETERS) -> Rows:
        """Run a query that passed the checks, with its bound parameters."""
        ...


class DatabaseConnection(QueryConnection, Protocol):
    def describe(self, source: str, sensitive: frozenset[str], rules: Mapping[str, str] = NO_RULES) -> SourceSchema:
        """Return the tables with their columns, keys and some values."""
        ...
