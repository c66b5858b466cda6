"""The store of calendars: a database that holds each calendar with its revision, and every commit only once.

A commit is a difference and the revision that it was made from. If the calendar has changed since, the
difference is applied to the calendar as it is now if that breaks nothing; otherwise it is refused and says with what
it collided. Two writers at once: the second one's compare-and-set on the revision fails, and it starts again.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from sqlalchemy import (
    Column,
    Integer,
    MetaData,
    String,
    Table,
    Text,
    create_engine,
    delete,
    event,
    insert,
    select,
    update,
)
from sqlalchemy.engine import Connection, Engine
from sqlalchemy.exc import IntegrityError, SQLAlchemyError

from bandsmith.shared.errors import BadInput, RetryableError
from bandsmith.shared.files import OWN_FILE, private_folder
from bandsmith.shared.model.schedule import Schedule

from .difference import Difference

MAX_TRIES = 20
"""How often a commit is tried that loses to other writers."""
_METADATA = MetaData()
_CALENDARS = Table(
    "calendars",
    _METADATA,
    Column("name", String(80), primary_key=True),
    Column("revision", Integer, nullable=False),
    Column("schedule", Text, nullable=False),
)
_COMMITS = Table(
    "commits",
    _METADATA,
    Column("key", String(200), primary_key=True),
    Column("calendar", String(80), nullable=False),
    Column("revision", Integer, nullable=False),
)


class StoredCalendar(NamedTuple):
    schedule: Schedule
    revision: int


class CalendarStore:
    """Calendars in a database. Every method is one transaction, and raises ``RetryableError`` where that fails."""

    def __init__(self, url: str) -> None:
        """Open the database at an address of SQLAlchemy. Raises ``BadInput`` if it cannot be opened."""
        try:
            self._engine = _engine(url)
            _METADATA.create_all(self._engine)
        except (SQLAlchemyError, OSError):
            raise BadInput.of("schedule.no_store", code="calendar") from None

    def close(self) -> None:
        self._engine.dispose()

    @contextmanager
    def _transaction(self) -> Iterator[Connection]:
        try:
            with self._engine.begin() as connection:
                yield connection
        except IntegrityError:
            raise
        except SQLAlchemyError:  # a full disk, a server that went away
            raise RetryableError.of("schedule.no_answer", code=RetryableError.code) from None

    def names(self) -> list[str]:
        with self._transaction() as connection:
            return list(connection.scalars(select(_CALENDARS.c.name).order_by(_CALENDARS.c.name)))

    def load(self, name: str) -> StoredCalendar:
        """Return a calendar. Raises ``BadInput`` if there is none with that name."""
        with self._transaction() as connection:
            return _load(connection, name)

    def put(self, name: str, schedule: Schedule) -> None:
        """Store a calendar, in place of one of the same name."""
        with self._transaction() as connection:
            text = schedule.model_dump_json()
            changed = connection.execute(
                update(_CALENDARS)
                .where(_CALENDARS.c.name == name)
                .values(revision=_CALENDARS.c.revision + 1, schedule=text)
            )
            if not changed.rowcount:
                connection.execute(insert(_CALENDARS).values(name=name, revision=1, schedule=text))

    def remove(self, name: str) -> None:
        """Delete a calendar. Raises ``BadInput`` if there is none with that name."""
        with self._transaction() as connection:
            if not connection.execute(delete(_CALENDARS).where(_CALENDARS.c.name == name)).rowcount:
                raise _unknown(name)

    def commit(self, name: str, difference: Difference, key: str) -> StoredCalendar:
        """Store a difference, once for each `key`.

        Raises ``ChangeRefused`` if it conflicts with a later commit, ``BadInput`` for an unknown calendar.
        """
        for _ in range(MAX_TRIES):
            try:
                with self._transaction() as connection:
                    stored = self._commit(connection, name, difference, key)
            except IntegrityError:  # the same commit arrived twice at once
                continue
            if stored is not None:
                return stored
        raise RetryableError.of("schedule.busy")

    def _commit(self, connection: Connection, name: str, difference: Difference, key: str) -> StoredCalendar | None:
        """Return the calendar afterwards; None: another writer was faster."""
        current = _load(connection, name)
        if connection.scalar(select(_COMMITS.c.key).where(_COMMITS.c.key == key)) is not None:
            return current
        changed = difference.applied_to(current.schedule)
        stored = connection.execute(
            update(_CALENDARS)
            .where(_CALENDARS.c.name == name, _CALENDARS.c.revision == current.revision)
            .values(revision=current.revision + 1, schedule=changed.model_dump_json())
        )
        if not stored.rowcount:
            return None
        connection.execute(insert(_COMMITS).values(key=key, calendar=name, revision=current.revision + 1))
        return StoredCalendar(changed, current.revision + 1)


def _engine(url: str) -> Engine:
    engine = create_engine(url.replace("postgresql://", "postgresql+pg8000://", 1))
    if engine.dialect.name == "sqlite":
        if engine.url.database:
            _make_private(Path(engine.url.database))
        # pysqlite begins no transaction before a SELECT; a writer has to hold the lock from its first statement on.
        event.listen(engine, "connect", lambda connection, _: setattr(connection, "isolation_level", None))
        event.listen(engine, "begin", lambda connection: connection.exec_driver_sql("BEGIN IMMEDIATE"))
    return engine


def _make_private(file: Path) -> None:
    """Create the file of a new database, which only its user can read; SQLite gives its journal the same rights."""
    private_folder(file.parent)
    if not file.exists():
        file.touch(mode=OWN_FILE)


def _load(connection: Connection, name: str) -> StoredCalendar:
    row = connection.execute(
        select(_CALENDARS.c.schedule, _CALENDARS.c.revision).where(_CALENDARS.c.name == name)
    ).one_or_none()
    if row is None:
        raise _unknown(name)
    return StoredCalendar(Schedule.model_validate_json(row.schedule), row.revision)


def _unknown(name: str) -> BadInput:
    return BadInput.of("schedule.unknown_calendar", code="calendar", name=name)
