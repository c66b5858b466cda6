"""The worker process, which holds the JVM.

python -m bandsmith.services.validator.engine.worker SOCKET SCRATCH CLASSPATH HEAP [ARCHIVE]
"""

from __future__ import annotations

import os
import socket
import sys
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bandsmith.shared.confined import confine, ipc
from bandsmith.shared.confined.walls import exit_with_owner

if TYPE_CHECKING:
    from .jasper import JasperReports

BESIDE_HEAP_BYTES = 2 << 30
"""Memory that the process may take beside the heap: Python, the JVM's code and classes, and pictures of pages."""


def main() -> None:
    owner, scratch = socket.socket(fileno=int(sys.argv[1])), sys.argv[2]
    classpath, heap, archive = sys.argv[3].split(os.pathsep), int(sys.argv[4]), sys.argv[5:]
    # What the JVM or a template prints is discarded.
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1)
    os.dup2(nowhere, 2)
    memory = (heap << 20) + BESIDE_HEAP_BYTES
    walls = confine(read=map(Path, [*classpath, *archive]), write=[Path(scratch)], max_memory_bytes=memory)
    exit_with_owner(owner)

    # Imported only now: numpy starts threads, and a thread that exists already would have no walls.
    from .jasper import JasperReports  # noqa: PLC0415
    from .jvm_state import JvmState  # noqa: PLC0415

    options = [f"-XX:SharedArchiveFile={file}" for file in archive]
    jasper = JasperReports(classpath, heap_mb=heap, scratch=scratch, options=options)
    jasper.warm_up()
    ipc.send(owner, {"ready": True, "walls": asdict(walls)})
    state = JvmState()
    while True:
        try:
            request, blobs = ipc.receive(owner)
        except EOFError:
            break
        reply, files = _answer(jasper, request, blobs)
        if changed := state.restore():
            reply["renew"] = changed
        ipc.send(owner, reply, files)
    os._exit(0)  # the JVM's orderly shutdown can hang


def _answer(jasper: JasperReports, request: dict[str, Any], blobs: list[bytes]) -> tuple[dict[str, Any], list[bytes]]:
    from .filling import report_data  # noqa: PLC0415 - as above
    from .jasper import JasperError  # noqa: PLC0415

    try:
        data = report_data(request.get("data"), blobs[1:])
        match request["do"]:
            case "print":
                return jasper.print(blobs[0], data, pages=request["pages"], listed=request["listed"])
            case "look":
                return {"look": jasper.look(blobs[0], data)}, []
            case "export":
                about, exported = jasper.export(blobs[0], data, request["format"])
                return about, [exported]
            case "cells":
                written = jasper.cells(blobs[0], data)
                return {"styles": written.styles}, [bytes(written.lines)]
        jasper.compile(blobs[0])
    except JasperError as error:
        return {"refused": error.stage, "reasons": error.reasons}, []
    except Exception as error:  # of this program: a value that it did not expect
        return {"refused": "draw", "reasons": [(type(error).__name__, "")], "renew": True}, []
    return {}, []


if __name__ == "__main__":
    main()
