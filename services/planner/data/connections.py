"""Open a read-only connection to a source of any kind.

Connections are opened in a separate process (`worker.py`), which is killed when its time is over.
"""

from __future__ import annotations

from pathlib import Path

from bandsmith.shared.model.source import Dialect

from .connection import DatabaseConnection
from .databases import MysqlConnection, PostgresConnection, SqliteConnection
from .file_tables import DuckDbConnection


def connect(address: str, path: Path | None, dialect: Dialect) -> DatabaseConnection:
    """Open a source, read only."""
    match dialect:
        case "sqlite":
            assert path is not None
            return SqliteConnection(path)
        case "duckdb":
            assert path is not None
            return DuckDbConnection(path)
        case "postgres":
            return PostgresConnection(address)
        case "mysql":
            return MysqlConnection(address)
