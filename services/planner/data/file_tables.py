"""DuckDB files, and CSV, Parquet and XLSX files, each of which is a table that DuckDB holds in memory."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any
from zipfile import BadZipFile

from bandsmith.shared.model.source import SourceColumn, SourceSchema, SourceTable, qualified

from .connection import NO_PARAMETERS, NO_RULES, Parameters, Result, Rows
from .samples import MAX_SAMPLED_ROWS, with_samples

MEMORY = "500MB"
"""What DuckDB may use."""
DEFAULT_SCHEMA = "main"


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
        confine(self._connection)

    def _read(self, file: Path) -> None:
        """Copy a file into a table of its name. Its path is a value here, never part of the SQL."""
        name = file.stem.replace('"', "")
        match file.suffix.lower():
            case ".csv":
                self._connection.read_csv(str(file)).create(f'"{name}"')
            case ".parquet":
                self._connection.read_parquet(str(file)).create(f'"{name}"')
            case _:
                for number, (title, rows) in enumerate(_sheets(file)):
                    sheet = f"{name}_{title}".replace('"', "") if number else name
                    self._connection.from_arrow(rows).create(f'"{sheet}"')

    def describe(self, source: str, sensitive: frozenset[str], rules: Mapping[str, str] = NO_RULES) -> SourceSchema:
        found: dict[tuple[str, str], list[SourceColumn]] = {}
        rows = self._connection.execute(
            "SELECT schema_name, table_name, column_name, data_type, is_nullable, comment FROM duckdb_columns() "
            "WHERE NOT internal ORDER BY schema_name <> ?, schema_name, table_name, column_index", [DEFAULT_SCHEMA]
        ).fetchall()  # fmt: skip
        for schema, table, column, kind, is_nullable, comment in rows:
            found.setdefault((schema, table), []).append(
                SourceColumn(name=column, type=kind, is_nullable=bool(is_nullable), comment=comment or "")
            )
        named_views = "SELECT schema_name, view_name FROM duckdb_views() WHERE NOT internal"
        views = set(self._connection.execute(named_views).fetchall())
        named_comments = "SELECT schema_name, table_name, comment FROM duckdb_tables() WHERE NOT internal"
        comments = {(one, name): said for one, name, said in self._connection.execute(named_comments).fetchall()}
        tables = []
        for (schema, table), columns in found.items():
            owner = "" if schema == DEFAULT_SCHEMA else schema
            name = qualified(owner, table)
            values = self._first_rows(schema, table, rules.get(name.casefold(), ""))
            tables.append(
                SourceTable(
                    name=name,
                    schema_name=owner,
                    comment=comments.get((schema, table)) or "",
                    columns=with_samples(name, columns, values, sensitive),
                    is_view=(schema, table) in views,
                )
            )
        return SourceSchema(source=source, dialect="duckdb", tables=tables)

    def _first_rows(self, schema: str, table: str, rule: str) -> list[Any]:
        """Return rows of a table; none where its rule cannot be carried out."""
        import duckdb  # noqa: PLC0415

        quoted = ".".join('"' + name.replace('"', '""') + '"' for name in (schema, table))
        where = f" WHERE ({rule})" if rule else ""
        try:
            return self._connection.execute(f"SELECT * FROM {quoted}{where} LIMIT {MAX_SAMPLED_ROWS}").fetchall()  # noqa: S608 - quoted above; the rule is the owner's
        except duckdb.Error:
            if rule:
                return []
            raise

    def query(self, sql: str, seconds: float, parameters: Parameters = NO_PARAMETERS) -> Rows:
        return query_result(self._connection, sql, parameters)


def confine(connection: Any) -> None:
    """Limit what a connection may use, and keep it from files and the network for good."""
    for setting in (f"memory_limit='{MEMORY}'", "threads=1", "enable_external_access=false",
                    "lock_configuration=true"):  # fmt: skip
        connection.execute(f"SET {setting}")


def query_result(connection: Any, sql: str, parameters: Parameters) -> Rows:
    """Return the open result of a query."""
    cursor = connection.execute(sql, dict(parameters))
    return Result([column[0] for column in cursor.description], iter(cursor.fetchone, None))


def _data_files(path: Path) -> list[Path]:
    """Return the files of a source that hold data. Raises ``ValueError`` for an empty file that is the whole source."""
    suffixes = (".csv", ".parquet", ".xlsx")
    if path.is_dir():
        return sorted(file for file in path.iterdir() if file.suffix.lower() in suffixes and file.stat().st_size)
    if not path.stat().st_size:
        raise ValueError(f"{path.name} is empty")
    return [path]


def _sheets(file: Path) -> Iterator[tuple[str, Any]]:
    """Yield the title and the rows of each sheet that is not empty, as an Arrow table; its first row has the names."""
    import pyarrow  # noqa: PLC0415
    from openpyxl import load_workbook  # noqa: PLC0415

    from bandsmith.shared.result_tables import column_of, unique_names  # noqa: PLC0415

    try:
        book = load_workbook(file, read_only=True, data_only=True)
    except BadZipFile:
        raise ValueError(f"{file.name} is not an Excel workbook") from None
    for sheet in book.worksheets:
        found = [row for row in sheet.iter_rows(values_only=True) if any(value is not None for value in row)]
        if not found:
            continue
        width = max(map(len, found))
        head, *rows = [(*row, *[None] * (width - len(row))) for row in found]
        named = [str(name) if name is not None else f"column_{number}" for number, name in enumerate(head, 1)]
        columns = {name: column_of([row[n] for row in rows]) for n, name in enumerate(unique_names(named))}
        yield sheet.title, pyarrow.table(columns)
