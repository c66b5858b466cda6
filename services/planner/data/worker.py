"""The process that opens a source: one request as JSON on standard input, one answer on standard output.

Its argument is the id of the process that started it. The tables of several sources, on which a query of all of them
runs, follow the request as Arrow streams.

It is started for one request and killed when its time is over, so that a database that hangs or a query that takes all
memory costs one turn. It dies with the process that started it (Linux). The answer is a line of JSON; the table of a
query follows it as an Arrow stream. The rows of a report follow it as lines of JSON, each written as it is read, and a
last line says how it ended.
"""

from __future__ import annotations

import ctypes
import json
import os
import resource
import signal
import sys
from contextlib import suppress
from importlib.abc import MetaPathFinder
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .connection import DatabaseConnection, QueryConnection

MAX_MEMORY = 3_000_000_000
"""Bytes of address space."""
MAX_REASON_CHARS = 300
_SIGNAL_ON_PARENT_DEATH = 1
"""``PR_SET_PDEATHSIG`` of ``prctl(2)``."""


class WithoutPandas(MetaPathFinder):
    """Lets pandas be missing: pyarrow would load it with its first array, which takes half of a query's time."""

    def find_spec(self, fullname: str, path: object, target: object = None) -> None:
        if fullname == "pandas":
            raise ModuleNotFoundError(name=fullname)


def main() -> int:
    owner = int(sys.argv[1])
    with suppress(OSError, AttributeError):  # not on other systems than Linux
        ctypes.CDLL(None).prctl(_SIGNAL_ON_PARENT_DEATH, signal.SIGKILL)
    if os.getppid() != owner:
        return 1  # it died before that, so that no signal comes
    resource.setrlimit(resource.RLIMIT_AS, (MAX_MEMORY, MAX_MEMORY))
    sys.meta_path.insert(0, WithoutPandas())
    request = json.loads(sys.stdin.buffer.readline())
    if request.get("as_lines"):
        return _write_lines(request)
    try:
        head, body = _answer(request)
    except Exception as error:
        head, body = {"error": type(error).__name__, "reason": _reason(error, request["path"])}, b""
    sys.stdout.buffer.write(json.dumps(head).encode() + b"\n" + body)
    return 0


def _answer(request: dict[str, Any]) -> tuple[dict[str, Any], bytes]:
    if "parts" in request:
        from .joined_tables import JoinedTables  # noqa: PLC0415 - an import that fails is an answer too

        return _result(JoinedTables(request["parts"], sys.stdin.buffer), request)
    connection = _connected(request)
    if "sql" not in request:
        schema = connection.describe(request["source"], frozenset(request["sensitive"]), request["rules"])
        return {"schema": schema.model_dump()}, b""
    return _result(connection, request)


def _connected(request: dict[str, Any]) -> DatabaseConnection:
    from .connections import connect  # noqa: PLC0415 - an import that fails is an answer too

    path = Path(request["path"]) if request["path"] else None
    return connect(request["address"], path, request["dialect"])


def _result(connection: QueryConnection, request: dict[str, Any]) -> tuple[dict[str, Any], bytes]:
    from bandsmith.shared.result_tables import table_of, to_bytes  # noqa: PLC0415

    rows = connection.query(request["sql"], request["seconds"])
    table = table_of(rows.columns, rows, request["max_rows"])
    return {"is_cut": table.is_cut}, to_bytes(table.content)


def _write_lines(request: dict[str, Any]) -> int:
    """Write the rows of a query as they are read."""
    out, end, is_begun = sys.stdout.buffer, dict[str, Any](), False
    try:
        from .row_lines import row_lines  # noqa: PLC0415 - an import that fails is an answer too

        rows = _connected(request).query(request["sql"], request["seconds"], request["parameters"])
        out.write(json.dumps({"columns": rows.columns}).encode() + b"\n")
        is_begun, count, is_cut = True, 0, False
        for number, line in enumerate(row_lines(rows)):
            is_cut = number == request["max_rows"]
            if is_cut:
                break
            out.write(line + b"\n")
            count += 1
        end = {"rows": count, "is_cut": is_cut}
    except Exception as error:
        end = {"error": type(error).__name__, "reason": _reason(error, request["path"])}
        if not is_begun:
            out.write(json.dumps({"columns": []}).encode() + b"\n")
    out.write(json.dumps(end).encode() + b"\n")
    return 0


def _reason(error: Exception, path: str) -> str:
    """Return the database's error message without the file's folder; SQLAlchemy puts the query and a link after it."""
    original = getattr(error, "orig", None) or error
    given = [part for part in original.args if not isinstance(part, int)]  # PyMySQL puts a number before its sentence
    first = given[0] if given else ""
    text = str(first.get("M", "")) if isinstance(first, dict) else str(first)
    text = text.replace(path, Path(path).name) if path else text
    return " ".join(text.split())[:MAX_REASON_CHARS]


if __name__ == "__main__":
    sys.exit(main())
