"""Databases whose schema SQLAlchemy reads: SQLite, PostgreSQL, MySQL and MariaDB."""

from __future__ import annotations

import sqlite3
from abc import ABC, abstractmethod
from collections.abc import Sequence
from functools import cached_property
from itertools import pairwise
from pathlib import Path
from typing import Any

from bandsmith.shared.model.source import Dialect, ForeignKey, SourceColumn, SourceSchema, SourceTable

from .connection import NO_PARAMETERS, Parameters, Result, Rows
from .samples import MAX_SAMPLED_ROWS, with_samples

ALLOWED_ACTIONS = frozenset((
    sqlite3.SQLITE_SELECT, sqlite3.SQLITE_READ, sqlite3.SQLITE_FUNCTION, sqlite3.SQLITE_RECURSIVE,
))  # fmt: skip
SAMPLE_SECONDS = 5.0
"""Time that a server has for the first rows of one table; a view may be slow."""
_SQL_MODE = "ONLY_FULL_GROUP_BY,STRICT_TRANS_TABLES,NO_ENGINE_SUBSTITUTION"
"""How MySQL reads a query, whatever the server is set to: a backslash escapes, double quotes hold a text, and a column
that is not grouped is refused, since its value would be that of any row."""
_MAX_ROUNDS = 4_294_967_295
"""Rounds of a recursive query: after 1000, MariaDB would return the rows so far as if they were all."""


class _Inspected:
    """What SQLAlchemy reads of a database's schema."""

    dialect: Dialect
    _engine: Any

    def describe(self, source: str, sensitive: frozenset[str]) -> SourceSchema:
        """Return the tables that can be read; one that the database refuses, or a broken view, is left out."""
        from sqlalchemy import inspect  # noqa: PLC0415 - slow to import

        with self._engine.connect() as connection:
            connection.execution_options(no_parameters=True)
            self._limit(connection, SAMPLE_SECONDS)
            connection.commit()  # a table that cannot be read must not take the limit back
            inspector = inspect(connection)
            views = set(inspector.get_view_names())
            names = [*inspector.get_table_names(), *sorted(views)]
            columns = _reflected(inspector, "columns", names)
            keys = _reflected(inspector, "pk_constraint", names)
            foreign_keys = _reflected(inspector, "foreign_keys", names)
            comments = _reflected(inspector, "table_comment", names)
            tables = []
            for name in names:
                rows = self._first_rows(connection, name) if columns.get(name) else None
                if rows is None:
                    continue
                shown = with_samples(name, [_column(one) for one in columns[name]], rows, sensitive)
                tables.append(
                    SourceTable(
                        name=name,
                        is_view=name in views,
                        comment=(comments.get(name) or {}).get("text") or "",
                        columns=shown,
                        key=(keys.get(name) or {}).get("constrained_columns") or [],
                        foreign_keys=[
                            _foreign_key(key) for key in foreign_keys.get(name) or () if key["referred_table"]
                        ],
                    )
                )
        return SourceSchema(source=source, dialect=self.dialect, tables=tables)

    def _limit(self, connection: Any, seconds: float) -> None:
        """Limit the time of each query of a connection, where a server runs it."""

    def _first_rows(self, connection: Any, table: str) -> Sequence[Sequence[Any]] | None:
        """Return rows of a table; none where that takes too long. None: it cannot be read."""
        from sqlalchemy.exc import DBAPIError  # noqa: PLC0415

        quoted = self._engine.dialect.identifier_preparer.quote_identifier(table)
        named = f"SELECT * FROM {quoted} LIMIT {MAX_SAMPLED_ROWS}"  # noqa: S608 - quoted by the dialect
        try:
            return list(connection.exec_driver_sql(named).fetchall())
        except DBAPIError as error:
            connection.rollback()
            return [] if self._took_too_long(error.orig) else None

    def _took_too_long(self, error: Any) -> bool:
        """Return whether a query was ended because its time was over."""
        return False


def _reflected(inspector: Any, what: str, names: Sequence[str]) -> dict[str, Any]:
    """Return a part of the schema by table: of all tables at once, or else of each that can be read."""
    from sqlalchemy.engine.reflection import ObjectKind  # noqa: PLC0415
    from sqlalchemy.exc import SQLAlchemyError  # noqa: PLC0415

    try:
        found = getattr(inspector, f"get_multi_{what}")(kind=ObjectKind.ANY)
    except NotImplementedError:  # SQLAlchemy's answer for what a dialect lacks: SQLite has no comments
        return {}
    except SQLAlchemyError:  # such as a view of a table that is gone
        return {name: one for name in names if (one := _reflected_one(inspector, what, name)) is not None}
    return {name: one for (_, name), one in found.items()}


def _reflected_one(inspector: Any, what: str, name: str) -> Any:
    from sqlalchemy.exc import SQLAlchemyError  # noqa: PLC0415

    try:
        return getattr(inspector, f"get_{what}")(name)
    except SQLAlchemyError:
        return None


def _column(found: Any) -> SourceColumn:
    return SourceColumn(
        name=found["name"],
        type=str(found["type"]) if str(found["type"]) != "NULL" else "",
        comment=found.get("comment") or "",
        is_nullable=bool(found.get("nullable", True)),
    )


def _foreign_key(found: Any) -> ForeignKey:
    return ForeignKey(
        columns=found["constrained_columns"], table=found["referred_table"], references=found["referred_columns"]
    )


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
        connection.execute("PRAGMA trusted_schema = OFF")  # the file's views may come from anybody
        return connection

    def query(self, sql: str, seconds: float, parameters: Parameters = NO_PARAMETERS) -> Rows:
        connection = self._open()
        connection.set_authorizer(
            lambda action, *_: sqlite3.SQLITE_OK if action in ALLOWED_ACTIONS else sqlite3.SQLITE_DENY
        )
        cursor = connection.execute(sql, parameters)
        return Result([column[0] for column in cursor.description], cursor)


class _Server(_Inspected, ABC):
    """A database server: it ends a query itself when its time is over."""

    _driver: str
    _options: dict[str, Any]

    def __init__(self, address: str) -> None:
        from sqlalchemy import create_engine, make_url  # noqa: PLC0415
        from sqlalchemy.pool import NullPool  # noqa: PLC0415

        url = make_url(address).set(drivername=self._driver)
        options = {"execution_options": self._options, "connect_args": self._connect_args(url)}
        self._engine = create_engine(url, poolclass=NullPool, **options)

    def _connect_args(self, url: Any) -> dict[str, Any]:
        """Return what the driver takes otherwise than SQLAlchemy gives it."""
        return {}

    def query(self, sql: str, seconds: float, parameters: Parameters = NO_PARAMETERS) -> Rows:
        connection = self._engine.connect()
        self._limit(connection, seconds)
        connection = connection.execution_options(stream_results=True, no_parameters=not parameters)
        if parameters:
            result = connection.exec_driver_sql(self._with_named(sql), dict(parameters))
        else:  # ``%`` is no placeholder here: the text goes to the server as it is
            result = connection.exec_driver_sql(sql)
        return Result(list(result.keys()), iter(result))

    @abstractmethod
    def _with_named(self, sql: str) -> str:
        """Return a query with ``:name`` for a bound parameter as the driver takes it."""


class PostgresConnection(_Server):
    dialect: Dialect = "postgres"
    _driver = "postgresql+pg8000"
    _options = {"postgresql_readonly": True}

    def _limit(self, connection: Any, seconds: float) -> None:
        connection.exec_driver_sql(f"SET statement_timeout = {int(seconds * 1000)}")
        connection.exec_driver_sql("SET standard_conforming_strings = on")  # as the checks read a text

    def _with_named(self, sql: str) -> str:
        import pg8000  # noqa: PLC0415

        pg8000.paramstyle = "named"  # this process runs one query
        return sql

    def _took_too_long(self, error: Any) -> bool:
        return isinstance(error.args[0], dict) and error.args[0].get("C") == "57014"


class MysqlConnection(_Server):
    """MySQL or MariaDB. The session is set so that the server reads a query as the checks read it."""

    dialect: Dialect = "mysql"
    _driver = "mysql+pymysql"
    _options: dict[str, Any] = {}

    def _connect_args(self, url: Any) -> dict[str, Any]:
        return {"password": url.password.encode()} if url.password else {}  # PyMySQL encodes a text in Latin-1

    def _limit(self, connection: Any, seconds: float) -> None:
        if self._engine.dialect.is_mariadb:
            limits = [f"max_statement_time = {seconds:.3f}", f"max_recursive_iterations = {_MAX_ROUNDS}"]
        else:
            limits = [f"max_execution_time = {int(seconds * 1000)}", f"cte_max_recursion_depth = {_MAX_ROUNDS}"]
        for setting in (*limits, f"sql_mode = '{_SQL_MODE}'", "TRANSACTION READ ONLY"):
            connection.exec_driver_sql(f"SET SESSION {setting}")
        connection.rollback()  # the next statement begins a transaction, which can only read

    def _with_named(self, sql: str) -> str:
        """Return a query with ``%(name)s``; the driver writes each value into the text as a literal, escaped."""
        from sqlglot.dialects.mysql import MySQL  # noqa: PLC0415
        from sqlglot.tokens import TokenType  # noqa: PLC0415

        parts, end = [], 0
        tokens = MySQL().tokenize(sql)
        for colon, name in pairwise(tokens):
            if colon.token_type == TokenType.COLON and name.start == colon.end + 1:
                parts += [sql[end : colon.start].replace("%", "%%"), f"%({name.text})s"]
                end = name.end + 1
        return "".join([*parts, sql[end:].replace("%", "%%")])

    def _took_too_long(self, error: Any) -> bool:
        return bool(error.args) and error.args[0] in (1969, 3024)
