"""Databases whose schema SQLAlchemy reads: SQLite, PostgreSQL, MySQL and MariaDB."""

from __future__ import annotations

import sqlite3
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from itertools import pairwise
from pathlib import Path
from typing import Any

from bandsmith.shared.model.source import Dialect, ForeignKey, SourceColumn, SourceSchema, SourceTable, qualified

from .connection import NO_PARAMETERS, NO_RULES, Parameters, Result, Rows
from .error_class import went_away
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


_MYSQL_OWN = {"information_schema", "performance_schema", "mysql", "sys"}
"""The databases of a server's own."""


class _Inspected:
    """What SQLAlchemy reads of a database's schemas."""

    dialect: Dialect
    _engine: Any

    def describe(self, source: str, sensitive: frozenset[str], rules: Mapping[str, str] = NO_RULES) -> SourceSchema:
        """Return the tables that can be read; one that the database refuses, or a broken view, is left out."""
        from sqlalchemy import inspect  # noqa: PLC0415 - slow to import

        with self._engine.connect() as connection:
            connection.execution_options(no_parameters=True)
            self._limit(connection, SAMPLE_SECONDS)
            connection.commit()  # a table that cannot be read must not take the limit back
            inspector = inspect(connection)
            tables: list[SourceTable] = []
            for schema in self._schemas(inspector):
                tables += self._tables(connection, _Reflected(inspector, schema), sensitive, rules)
        return SourceSchema(source=source, dialect=self.dialect, tables=tables)

    def _tables(
        self, connection: Any, found: _Reflected, sensitive: frozenset[str], rules: Mapping[str, str]
    ) -> Iterator[SourceTable]:
        """Yield the tables of a schema."""
        for own_name in found.names:
            name, columns = qualified(found.schema, own_name), found.columns(own_name)
            rows = (
                self._first_rows(connection, found.schema, own_name, rules.get(name.casefold(), ""))
                if columns
                else None
            )
            if rows is not None:
                yield SourceTable(
                    name=name,
                    schema_name=found.schema,
                    is_view=own_name in found.views,
                    comment=found.comment(own_name),
                    columns=with_samples(name, columns, rows, sensitive),
                    key=found.key(own_name),
                    foreign_keys=found.foreign_keys(own_name),
                )

    def _schemas(self, inspector: Any) -> list[str]:
        """Return the schemas that are read, the one that a connection begins in as ``""``."""
        return [""]

    def _limit(self, connection: Any, seconds: float) -> None:
        """Limit the time of each query of a connection, where a server runs it."""

    def _first_rows(self, connection: Any, schema: str, table: str, rule: str) -> Sequence[Sequence[Any]] | None:
        """Return rows of a table; none where that takes too long, or its rule fails. None: it cannot be read.

        Raises ``DBAPIError`` where the server went away.
        """
        from sqlalchemy.exc import DBAPIError  # noqa: PLC0415

        quote = self._engine.dialect.identifier_preparer.quote_identifier
        quoted = ".".join(quote(name) for name in (schema, table) if name)
        where = f" WHERE ({rule})" if rule else ""
        named = f"SELECT * FROM {quoted}{where} LIMIT {MAX_SAMPLED_ROWS}"  # noqa: S608 - quoted by the dialect
        try:
            return list(connection.exec_driver_sql(named).fetchall())
        except DBAPIError as error:
            _pass_on_if_lost(error)
            connection.rollback()
            return [] if rule or self._took_too_long(error.orig) else None

    def _took_too_long(self, error: Any) -> bool:
        """Return whether a query was ended because its time was over."""
        return False


class _Reflected:
    """What SQLAlchemy reads of one schema: of all tables at once, or else of each that can be read."""

    def __init__(self, inspector: Any, schema: str) -> None:
        self._inspector, self.schema = inspector, schema
        self.views = {*inspector.get_view_names(schema or None), *self._materialized_views()}
        self.names = [*inspector.get_table_names(schema or None), *sorted(self.views)]
        self._columns = self._all("columns")
        self._keys = self._all("pk_constraint")
        self._foreign_keys = self._all("foreign_keys")
        self._comments = self._all("table_comment")

    def columns(self, table: str) -> list[SourceColumn]:
        return [_column(one) for one in self._columns.get(table) or ()]

    def comment(self, table: str) -> str:
        return (self._comments.get(table) or {}).get("text") or ""

    def key(self, table: str) -> list[str]:
        return (self._keys.get(table) or {}).get("constrained_columns") or []

    def foreign_keys(self, table: str) -> list[ForeignKey]:
        found = self._foreign_keys.get(table) or ()
        return [_foreign_key(key, self._inspector.default_schema_name) for key in found if key["referred_table"]]

    def _materialized_views(self) -> list[str]:
        try:
            return list(self._inspector.get_materialized_view_names(self.schema or None))
        except NotImplementedError:  # SQLAlchemy's answer for a dialect without materialized views
            return []

    def _all(self, what: str) -> dict[str, Any]:
        from sqlalchemy.engine.reflection import ObjectKind  # noqa: PLC0415
        from sqlalchemy.exc import SQLAlchemyError  # noqa: PLC0415

        try:
            found = getattr(self._inspector, f"get_multi_{what}")(schema=self.schema or None, kind=ObjectKind.ANY)
        except NotImplementedError:  # SQLAlchemy's answer for what a dialect lacks: SQLite has no comments
            return {}
        except SQLAlchemyError as error:  # such as a view of a table that is gone
            _pass_on_if_lost(error)
            return {name: one for name in self.names if (one := self._one(what, name)) is not None}
        return {name: one for (_, name), one in found.items()}

    def _one(self, what: str, name: str) -> Any:
        from sqlalchemy.exc import SQLAlchemyError  # noqa: PLC0415

        try:
            return getattr(self._inspector, f"get_{what}")(name, self.schema or None)
        except SQLAlchemyError as error:
            _pass_on_if_lost(error)
            return None


def _pass_on_if_lost(error: Any) -> None:
    """Raise an error of a server that went away: the tables that it has not told of are there all the same."""
    if getattr(error, "connection_invalidated", False) or went_away(str(getattr(error, "orig", error))):
        raise error


def _column(found: Any) -> SourceColumn:
    return SourceColumn(
        name=found["name"],
        type=str(found["type"]) if str(found["type"]) != "NULL" else "",
        comment=found.get("comment") or "",
        is_nullable=bool(found.get("nullable", True)),
    )


def _foreign_key(found: Any, default_schema: str | None) -> ForeignKey:
    owner = found.get("referred_schema") or ""
    return ForeignKey(
        columns=found["constrained_columns"],
        table=qualified("" if owner == default_schema else owner, found["referred_table"]),
        references=found["referred_columns"],
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

    def _schemas(self, inspector: Any) -> list[str]:
        others = {*inspector.get_schema_names()} - {inspector.default_schema_name, "information_schema"}
        return ["", *sorted(name for name in others if not name.startswith("pg_"))]

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

    def _schemas(self, inspector: Any) -> list[str]:
        """Return the database of the address; without one, all databases."""
        if self._engine.url.database:
            return [""]
        return sorted({*inspector.get_schema_names()} - _MYSQL_OWN)

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
