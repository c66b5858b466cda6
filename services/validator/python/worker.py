"""The process that runs one step in Python, and ends.

    python -m bandsmith.services.validator.python.worker SOCKET SCRATCH

It can read the libraries and nothing else, write to nothing but its scratch folder, reach no network and start no
process (`shared.confined`); the kernel ends it when it takes too much memory or time.
"""

from __future__ import annotations

import math
import os
import re
import resource
import socket
import sys
import warnings
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from bandsmith.shared.confined import confine, ipc
from bandsmith.shared.confined.walls import exit_with_owner

MAX_MEMORY_BYTES = 500 * 1024 * 1024
MAX_SECONDS = 70
"""Of processor time. The owner ends the process before, by the clock."""
MAX_NAME_CHARS, MAX_TEXT_CHARS = 200, 2_000
_TELLING = (NameError, AttributeError, KeyError, TypeError, IndexError, ZeroDivisionError)
"""Errors whose messages name what the code names; those of others may quote values."""
_QUOTED = re.compile(r"'([^']*)'|\"([^\"]*)\"")


def main() -> None:
    owner, scratch = socket.socket(fileno=int(sys.argv[1])), sys.argv[2]
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1)
    os.dup2(nowhere, 2)
    resource.setrlimit(resource.RLIMIT_CPU, (MAX_SECONDS, MAX_SECONDS))
    walls = confine(write=[Path(scratch)], max_memory_bytes=MAX_MEMORY_BYTES)
    exit_with_owner(owner)
    warnings.simplefilter("ignore")

    # Imported only now: numpy starts threads, and a thread that exists already would have no walls.
    import numpy  # noqa: F401, PLC0415
    import pandas  # noqa: F401, PLC0415
    import pyarrow  # noqa: F401, PLC0415

    ipc.send(owner, {"ready": True, "walls": asdict(walls)})
    try:
        request, blobs = ipc.receive(owner)
    except EOFError:
        os._exit(0)
    ipc.send(owner, _answer(request, blobs))
    os._exit(0)


def _answer(request: dict[str, Any], blobs: Sequence[bytes]) -> dict[str, Any]:
    """Run the code and return its result, or why there is none."""
    try:
        frames = {name: _frame(blob) for name, blob in zip(request["frames"], blobs, strict=True)}
        names = {"__builtins__": _builtins(), **frames}
        exec(compile(request["code"], "<step>", "exec"), names)  # noqa: S102 - the purpose of this process
        return _table(names.get("result"), request["max_rows"])
    except MemoryError:
        return {"error": "MemoryError: the step needs more than 500 MB"}
    except BaseException as error:
        return {"error": _described(error, request["code"])}


def _builtins() -> dict[str, Any]:
    import builtins  # noqa: PLC0415

    from .allowed import BUILTINS, MODULES  # noqa: PLC0415

    def imported(name: str, _globals: object = None, _locals: object = None, names: Any = (), level: int = 0) -> Any:
        wanted = {f"{name}.{one}" for one in names or ()}
        if level or not (name in MODULES or wanted & MODULES):
            raise ImportError(name)
        return __import__(name, fromlist=list(names or ())) if names else __import__(name)

    return {name: getattr(builtins, name) for name in BUILTINS} | {"__import__": imported}


def _frame(content: bytes) -> Any:
    """Return an Arrow stream as a data frame; decimal numbers as floating-point ones, as the libraries need them."""
    import pyarrow as pa  # noqa: PLC0415

    table = pa.ipc.open_stream(content).read_all()
    for number, field in enumerate(table.schema):
        if pa.types.is_decimal(field.type):
            table = table.set_column(number, field.name, table.column(number).cast(pa.float64()))
    return table.to_pandas()


def _table(result: Any, max_rows: int) -> dict[str, Any]:
    """Return the columns of what the code gave, as plain values: the other side builds the table of them."""
    import numpy as np  # noqa: PLC0415
    import pandas as pd  # noqa: PLC0415

    if isinstance(result, pd.Series):
        result = result.rename(result.name if result.name is not None else "value").to_frame()
    elif isinstance(result, np.ndarray) and result.ndim in (1, 2):
        result = pd.DataFrame(result)
    elif isinstance(result, dict) and result and not any(isinstance(one, list | tuple) for one in result.values()):
        result = pd.DataFrame([result])
    elif isinstance(result, list | dict):
        result = pd.DataFrame(result)
    elif not isinstance(result, pd.DataFrame):
        result = pd.DataFrame({"value": [result]})
    if not isinstance(result.index, pd.RangeIndex):
        result = result.reset_index()
    rows = result.head(max_rows)
    names = [
        " ".join(str(part) for part in (name if isinstance(name, tuple) else (name,)) if str(part)) for name in rows
    ]
    columns = [[_plain(value) for value in rows.iloc[:, number].tolist()] for number in range(rows.shape[1])]
    return {"names": [name[:MAX_NAME_CHARS] for name in names], "columns": columns, "is_cut": len(result) > max_rows}


def _plain(value: Any) -> bool | int | float | str | None:
    """Return a value as JSON has it; a date as ISO text."""
    import pandas as pd  # noqa: PLC0415

    if value is None or value is pd.NaT or value is pd.NA:
        return None
    if isinstance(value, bool | str):
        return value if isinstance(value, bool) else value[:MAX_TEXT_CHARS]
    if isinstance(value, int):
        return value if abs(value) < 2**63 else str(value)[:MAX_TEXT_CHARS]
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if hasattr(value, "isoformat"):
        return str(value.isoformat()).removesuffix("T00:00:00")
    return str(value)[:MAX_TEXT_CHARS]


def _described(error: BaseException, code: str) -> str:
    """Return the class of an error and its line, and its message where it can quote no value of the data."""
    line, trace = 0, error.__traceback__
    while trace is not None:
        line = trace.tb_lineno if trace.tb_frame.f_code.co_filename == "<step>" else line
        trace = trace.tb_next
    lines = code.splitlines()
    where = f" in line {line}: {lines[line - 1].strip()}" if 0 < line <= len(lines) else ""
    if not isinstance(error, _TELLING):
        return f"{type(error).__name__}{where}"[:MAX_TEXT_CHARS]
    message = _QUOTED.sub(lambda found: found[0] if (found[1] or found[2]) in code else "…", str(error))
    return f"{type(error).__name__}: {message[:MAX_NAME_CHARS]}{where}"[:MAX_TEXT_CHARS]


if __name__ == "__main__":
    main()
