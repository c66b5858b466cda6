"""Ask a source through a separate process, which is killed when its time is over or the turn is cancelled."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Any, NamedTuple

import orjson

from bandsmith.shared.errors import BadInput, RetryableError
from bandsmith.shared.model.filling import Cell, lines_of
from bandsmith.shared.model.source import SourceSchema
from bandsmith.shared.sources import Source

from .connection import NO_RULES
from .error_class import error_class, went_away

MAX_ANSWER_BYTES = 256_000_000
DESCRIBE_SECONDS = 60.0
START_SECONDS = 5.0
"""Time in which the process starts and a server is reached."""
_KEPT = ("PATH", "LANG", "LC_ALL", "TZ", "PYTHONPATH", "VIRTUAL_ENV")
"""Environment variables that the process gets: no secret is in them."""


class QueryFailed(Exception):
    """The database refused the query; the reason is the first sentence of its message."""


def lost_connection(source: str, failed: QueryFailed) -> RetryableError | None:
    """Return the error for a database that went away while it was asked: it may come back. None for another failure."""
    if error_class(str(failed)) != "connection":
        return None
    return RetryableError.of("data.connection_lost", code=RetryableError.code, name=source, reason=_clause(failed))


def _not_opened(source: Source, failed: QueryFailed) -> BadInput:
    if source.path and not source.path.exists():
        return BadInput.of("data.source_missing", code="source", name=source.name)
    return BadInput.of("data.not_opened", code="source", name=source.name, reason=_clause(failed))


def _clause(failed: QueryFailed) -> str:
    """Return a database's message as the end of a sentence, without the settings that pg8000 puts after it."""
    return str(failed).partition(" (timeout is ")[0].rstrip(" .")


class SourceReply(NamedTuple):
    """What a query gave."""

    table: bytes
    """As an Arrow stream."""
    is_cut: bool


async def describe(source: Source, rules: Mapping[str, str] = NO_RULES) -> SourceSchema:
    """Return the contents of the source.

    Raises ``BadInput`` if it cannot be opened, and ``RetryableError`` if its server goes away meanwhile.

    `rules` are the conditions of the rows whose values may be shown, by table.
    """
    try:
        head, _ = await _ask(_request_to(source) | {"rules": dict(rules)}, DESCRIBE_SECONDS)
    except QueryFailed as failed:
        lost = lost_connection(source.name, failed) if went_away(str(failed)) else None
        raise lost or _not_opened(source, failed) from None
    return SourceSchema.model_validate(head["schema"])


async def run(source: Source, sql: str, *, seconds: float, max_rows: int) -> SourceReply:
    """Run a query that passed the checks. Raises ``QueryFailed`` if the database refuses it or takes too long."""
    request = _request_to(source) | {"sql": sql, "seconds": seconds, "max_rows": max_rows}
    head, body = await _ask(request, seconds)
    return SourceReply(body, bool(head["is_cut"]))


class ReadPart(NamedTuple):
    """What was read of a table of one of several sources."""

    name: str
    """As the query of all of them names it."""
    content: bytes
    """As an Arrow stream."""
    types: Mapping[str, str]
    """What its source declares its columns to be."""


async def run_joined(tables: Sequence[ReadPart], sql: str, *, seconds: float, max_rows: int) -> SourceReply:
    """Run a query that passed the checks on what was read of several sources. Raises ``QueryFailed``."""
    parts = [{"table": one.name, "types": dict(one.types), "size": len(one.content)} for one in tables]
    request = {"parts": parts, "path": "", "sql": sql, "seconds": seconds, "max_rows": max_rows}
    head, body = await _ask(request, seconds, [one.content for one in tables])
    return SourceReply(body, bool(head["is_cut"]))


class Lines(NamedTuple):
    """What a query gave, as lines of JSON that are read one by one."""

    columns: list[str]
    content: bytes
    """A list of cells for each row, a line break between two rows."""
    row_count: int
    is_cut: bool

    def rows(self) -> Iterator[list[Cell]]:
        return (orjson.loads(line) for line in lines_of(self.content)) if self.row_count else iter(())


async def run_lines(
    source: Source, sql: str, parameters: Mapping[str, str | int | float], *, seconds: float, max_rows: int
) -> Lines:
    """Run a query that passed the checks, with its bound parameters. Raises ``QueryFailed``.

    The rows come as they are read, so neither process holds them as objects.
    """
    asked = {"sql": sql, "parameters": parameters, "seconds": seconds, "max_rows": max_rows, "as_lines": True}
    head, body = await _ask(_request_to(source) | asked, seconds)
    content, _, last = body.rstrip(b"\n").rpartition(b"\n")
    end = json.loads(last)
    if "error" in end:
        raise QueryFailed(end["reason"] or end["error"])
    return Lines(head["columns"], content, end["rows"], end["is_cut"])


def _request_to(source: Source) -> dict[str, Any]:
    """Return what a process needs to open a source."""
    return {
        "source": source.name, "address": source.address, "path": str(source.path) if source.path else "",
        "dialect": source.dialect, "sensitive": [name.casefold() for name in source.sensitive],
    }  # fmt: skip


async def _ask(request: dict[str, Any], seconds: float, tables: Sequence[bytes] = ()) -> tuple[dict[str, Any], bytes]:
    """Return the answer of a process. It is killed some seconds later than a server ends its query itself."""
    content = b"".join([json.dumps(request).encode(), b"\n", *tables])
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "bandsmith.services.planner.data.worker", str(os.getpid()),
        stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.DEVNULL,
        env={name: os.environ[name] for name in _KEPT if name in os.environ}, start_new_session=True,
    )  # fmt: skip
    try:
        async with asyncio.timeout(seconds + START_SECONDS):
            output, _ = await process.communicate(content)
    except TimeoutError:
        raise QueryFailed(f"it took longer than {seconds:.0f} seconds") from None
    finally:
        if process.returncode is None:
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            await process.wait()
    line, _, body = output.partition(b"\n")
    if not line or len(output) > MAX_ANSWER_BYTES:
        raise RetryableError.of("data.process_ended", code=RetryableError.code)
    head = json.loads(line)
    if "error" in head:
        raise QueryFailed(head["reason"] or head["error"])
    return head, body
