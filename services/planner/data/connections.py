"""Read-only connections to each kind of source: what it holds, and the rows of a query.

They are opened in a process of their own (`worker.py`), which is killed when its time is over.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any, Protocol, cast

from bandsmith.shared.model.source import Dialect, ForeignKey, SourceColumn, SourceSchema, SourceTable
from bandsmith.shared.sources import is_sensitive

MAX_SAMPLES, MAX_SAMPLE_CHARS = 3, 40
"""Values of a column that are shown, and characters of each."""
MAX_SAMPLED_ROWS = 200
MEMORY = "500MB"
"""What DuckDB may use."""
Parameters = Mapping[str, str | int | float]
"""Bound parameters by name, which the driver hands over apart from the query."""
NO_PARAMETERS: Parameters = {}
ALLOWED_ACTIONS = frozenset((
    sqlite3.SQLITE_SELECT, sqlite3.SQLITE_READ, sqlite3.SQLITE_FUNCTION, sqlite3.SQLITE_RECURSIVE,
))  # fmt: skip


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
    match dialect:
        case "sqlite":
            assert path is not None
            return SqliteConnection(path)
        case "duckdb":
            assert path is not None
            return DuckDbConnection(path)
        case "postgres":
            return PostgresConnection(address)


class _Inspected:
    """What SQLAlchemy reads of a database's schema."""

    dialect: Dialect
    _engine: Any

    def describe(self, source: str, sensitive: frozenset[str]) -> SourceSchema:
        from sqlalchemy import inspect  # noqa: PLC0415 - slow to import

        inspector = inspect(self._engine)
        tables, views = [], set(inspector.get_view_names())
        for name in [*inspector.get_table_names(), *sorted(views)]:
            columns = [
                SourceColumn(
                    name=column["name"],
                    type=str(column["type"]) if str(column["type"]) != "NULL" else "",
                    comment=column.get("comment") or "",
                    is_nullable=bool(column.get("nullable", True)),
                )
                for column in inspector.get_columns(name)
            ]
            tables.append(
                SourceTable(
                    name=name,
                    is_view=name in views,
                    comment=self._comment(inspector, name),
                    columns=self._sampled(name, columns, sensitive),
                    key=inspector.get_pk_constraint(name).get("constrained_columns") or [],
                    foreign_keys=[
                        ForeignKey(
                            columns=key["constrained_columns"],
                            table=key["referred_table"],
                            references=key["referred_columns"],
                        )
                        for key in inspector.get_foreign_keys(name)
                        if key["referred_table"]
                    ],
                )
            )
        return SourceSchema(source=source, dialect=self.dialect, tables=tables)

    @staticmethod
    def _comment(inspector: Any, name: str) -> str:
        try:
            return inspector.get_table_comment(name).get("text") or ""
        except NotImplementedError:  # SQLite has no comments
            return ""

    def _sampled(self, table: str, columns: list[SourceColumn], sensitive: frozenset[str]) -> list[SourceColumn]:
        """Return the columns with some values each, except for the sensitive ones."""
        from sqlalchemy import text  # noqa: PLC0415

        quote = self._engine.dialect.identifier_preparer.quote_identifier
        with self._engine.connect() as connection:
            named = text(f"SELECT * FROM {quote(table)} LIMIT {MAX_SAMPLED_ROWS}")  # noqa: S608 - quoted by the dialect
            rows = connection.execute(named).fetchall()
        return _with_samples(table, columns, rows, sensitive)


class SqliteConnection(_Inspected):
    dialect: Dialect = "sqlite"

    def __init__(self, path: Path) -> None:
        self._path = path

    @cached_property
    def _engine(self) -> Any:  # a query needs none
        from sqlalchemy import create_engine  # noqa: PLC0415 - slow to import
        from sqlalchemy.pool import NullPool  # noqa: PLC0415

        return create_engine("sqlite://", creator=self._open, poolclass=NullPool)

    def _open(self) -> sqlite3.Connection:
        connection = sqlite3.connect(f"{self._path.absolute().as_uri()}?mode=ro", uri=True)
        connection.text_factory = lambda content: content.decode("utf-8", "replace")
        return connection

    def query(self, sql: str, seconds: float, parameters: Parameters = NO_PARAMETERS) -> Rows:
        connection = self._open()
        connection.set_authorizer(
            lambda action, *_: sqlite3.SQLITE_OK if action in ALLOWED_ACTIONS else sqlite3.SQLITE_DENY
        )
        cursor = connection.execute(sql, parameters)
        return Result([column[0] for column in cursor.description], cursor)


class PostgresConnection(_Inspected):
    dialect: Dialect = "postgres"

    def __init__(self, address: str) -> None:
        from sqlalchemy import create_engine, make_url  # noqa: PLC0415
        from sqlalchemy.pool import NullPool  # noqa: PLC0415

        url = make_url(address).set(drivername="postgresql+pg8000")
        self._engine = create_engine(url, poolclass=NullPool, execution_options={"postgresql_readonly": True})

    def query(self, sql: str, seconds: float, parameters: Parameters = NO_PARAMETERS) -> Rows:
        connection = self._engine.connect()
        connection.exec_driver_sql(f"SET statement_timeout = {int(seconds * 1000)}")
        connection = connection.execution_options(stream_results=True, no_parameters=not parameters)
        if parameters:
            import pg8000  # noqa: PLC0415

            pg8000.paramstyle = "named"  # this process runs one query
            result = connection.exec_driver_sql(sql, dict(parameters))
        else:  # ``%`` is no placeholder here: the text goes to the server as it is
            result = connection.exec_driver_sql(sql)
        return Result(list(result.keys()), iter(result))


class DuckDbConnection:
    """A DuckDB file, or CSV, Parquet and XLSX files as one table each."""

    def __init__(self, path: Path) -> None:
        import duckdb  # noqa: PLC0415 - slow to import

        if path.is_dir() or path.suffix.lower() != ".duckdb":
            self._connection = duckdb.connect(":memory:")
            for file in _data_files(path):
                self._read(file)
        else:
            self._connection = duckdb.connect(str(path), read_only=True)
        for setting in (f"memory_limit='{MEMORY}'", "threads=1", "enable_external_access=false",
                        "lock_configuration=true"):  # fmt: skip
            self._connection.execute(f"SET {setting}")

    def _read(self, file: Path) -> None:
        """Copy a file into a table of its name. Its path is a value here, never part of the SQL."""
        name = file.stem.replace('"', "")
        match file.suffix.lower():
            case ".csv":
                relation = self._connection.read_csv(str(file))
            case ".parquet":
                relation = self._connection.read_parquet(str(file))
            case _:
                relation = self._connection.from_arrow(_workbook(file))
        relation.create(f'"{name}"')

    def describe(self, source: str, sensitive: frozenset[str]) -> SourceSchema:
        found: dict[str, list[SourceColumn]] = {}
        rows = self._connection.execute(
            "SELECT table_name, column_name, data_type, is_nullable, comment FROM duckdb_columns() "
            "WHERE NOT internal ORDER BY table_name, column_index"
        ).fetchall()
        for table, column, kind, is_nullable, comment in rows:
            found.setdefault(table, []).append(
                SourceColumn(name=column, type=kind, is_nullable=bool(is_nullable), comment=comment or "")
            )
        named_views = "SELECT view_name FROM duckdb_views() WHERE NOT internal"
        views = {name for (name,) in self._connection.execute(named_views).fetchall()}
        tables = []
        for name, columns in found.items():
            quoted = name.replace('"', '""')
            named = f'SELECT * FROM "{quoted}" LIMIT {MAX_SAMPLED_ROWS}'  # noqa: S608 - quoted in the line above
            values = self._connection.execute(named).fetchall()
            shown = _with_samples(name, columns, values, sensitive)
            tables.append(SourceTable(name=name, columns=shown, is_view=name in views))
        return SourceSchema(source=source, dialect="duckdb", tables=tables)

    def query(self, sql: str, seconds: float, parameters: Parameters = NO_PARAMETERS) -> Rows:
        cursor = self._connection.execute(sql, dict(parameters))
        return Result([column[0] for column in cursor.description], iter(cursor.fetchone, None))


def _data_files(path: Path) -> list[Path]:
    suffixes = (".csv", ".parquet", ".xlsx")
    return sorted(file for file in path.iterdir() if file.suffix.lower() in suffixes) if path.is_dir() else [path]


def _workbook(file: Path) -> Any:
    """Return the first sheet of a workbook as an Arrow table; its first row names the columns."""
    import pyarrow  # noqa: PLC0415
    from openpyxl import load_workbook  # noqa: PLC0415

    from .results import column_of  # noqa: PLC0415

    sheet = load_workbook(file, read_only=True, data_only=True).worksheets[0]
    head, *rows = [row for row in sheet.iter_rows(values_only=True) if any(value is not None for value in row)]
    names = [str(name) if name is not None else f"column_{number}" for number, name in enumerate(head, 1)]
    return pyarrow.table({name: column_of([row[n] for row in rows]) for n, name in enumerate(names)})


def _with_samples(
    table: str, columns: list[SourceColumn], rows: Sequence[Sequence[Any]], sensitive: frozenset[str]
) -> list[SourceColumn]:
    shown = []
    for number, column in enumerate(columns):
        if is_sensitive(table, column.name, sensitive):
            shown.append(column.model_copy(update={"is_sensitive": True}))
            continue
        values = (str(row[number]) for row in rows if row[number] is not None and not isinstance(row[number], bytes))
        distinct = dict.fromkeys(value[:MAX_SAMPLE_CHARS] for value in values if value.strip())
        shown.append(column.model_copy(update={"samples": list(distinct)[:MAX_SAMPLES]}))
    return cast("list[SourceColumn]", shown)
