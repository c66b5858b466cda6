"""Run a query of several sources: each table is read from its own source, then the query runs on what was read.

A table of which not all rows were read would give a wrong sum or a missing pair, so nothing is computed from it.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from bandsmith.shared.model.source import QueryPart
from bandsmith.shared.sources import Source

from ..settings import DataSettings
from .source_process import MAX_ANSWER_BYTES, QueryFailed, ReadPart, SourceReply, lost_connection, run, run_joined

MAX_PART_ROWS = 200_000
"""Rows that are read of one table, after the conditions that go with it."""
MAX_READERS = 4
"""Tables that are read at the same time."""


class PartTooLarge(Exception):
    """A table has more rows than may be read."""

    def __init__(self, table: str) -> None:
        self.table = table
        super().__init__(table)


async def run_parts(
    sources: Sequence[Source], parts: Sequence[QueryPart], sql: str, settings: DataSettings
) -> SourceReply:
    """Return the rows of a query of several sources.

    Raises ``QueryFailed`` if a database refuses its part, ``PartTooLarge``, and ``RetryableError`` if one went away.
    """
    by_name, readers = {source.name: source for source in sources}, asyncio.Semaphore(MAX_READERS)

    async def read(part: QueryPart) -> ReadPart:
        async with readers:
            return await _read(by_name[part.source], part, settings.seconds)

    try:
        async with asyncio.timeout(settings.seconds), asyncio.TaskGroup() as group:
            reading = [group.create_task(read(part)) for part in parts]
    except TimeoutError:
        raise QueryFailed(f"it took longer than {settings.seconds:.0f} seconds") from None
    except ExceptionGroup as failed:
        raise failed.exceptions[0] from None
    tables = [task.result() for task in reading]
    if sum(len(table.content) for table in tables) > MAX_ANSWER_BYTES:
        raise PartTooLarge(max(tables, key=lambda table: len(table.content)).name)
    return await run_joined(tables, sql, seconds=settings.seconds, max_rows=settings.rows)


async def _read(source: Source, part: QueryPart, seconds: float) -> ReadPart:
    try:
        answer = await run(source, part.sql, seconds=seconds, max_rows=MAX_PART_ROWS)
    except QueryFailed as failed:
        raise lost_connection(source.name, failed) or QueryFailed(f"{part.table}: {failed}") from None
    if answer.is_cut:
        raise PartTooLarge(part.table)
    return ReadPart(part.table, answer.table, part.types)
