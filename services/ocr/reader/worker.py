"""The worker process, which holds the decoders.

python -m bandsmith.services.ocr.reader.worker SOCKET SCRATCH
"""

from __future__ import annotations

import os
import socket
import sys
from dataclasses import asdict
from pathlib import Path
from typing import Any

from bandsmith.shared.confined import confine, ipc
from bandsmith.shared.confined.walls import exit_with_owner
from bandsmith.shared.errors import BadInput
from bandsmith.shared.model.geometry import Size

MAX_MEMORY_BYTES = 850_000_000
"""What the process may write to. The libraries it reads come on top: together it stays below a gigabyte."""


def main() -> None:
    owner, scratch = socket.socket(fileno=int(sys.argv[1])), sys.argv[2]
    # What a library prints may quote the document.
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1)
    os.dup2(nowhere, 2)
    walls = confine(write=[Path(scratch)], max_memory_bytes=MAX_MEMORY_BYTES)
    exit_with_owner(owner)

    # Imported only now: numpy starts threads, and a thread that exists already would have no walls.
    from ..documents import decode_document  # noqa: F401, PLC0415
    from ..tables import read_table  # noqa: F401, PLC0415

    ipc.send(owner, {"ready": True, "walls": asdict(walls)})
    while True:
        try:
            request, blobs = ipc.receive(owner)
        except EOFError:
            break
        reply, files = _answer(request, blobs)
        ipc.send(owner, reply, files)
    os._exit(0)


def _answer(request: dict[str, Any], blobs: list[bytes]) -> tuple[dict[str, Any], list[bytes]]:
    """Return the reply. A fault of a library, whatever it is, means that the file cannot be read."""
    from ..documents import decode_document  # noqa: PLC0415 - as above
    from ..tables import read_table  # noqa: PLC0415
    from . import wire  # noqa: PLC0415

    try:
        if request["do"] == "table":
            return wire.encode_table(read_table(request["name"], blobs[0]))
        size = Size.model_validate(request["size"]) if request["size"] else None
        return wire.encode(decode_document(request["name"], blobs[0], size, int(request["number"])))
    except BadInput as error:
        return wire.encode_refusal(error), []
    except MemoryError:
        return {**wire.encode_refusal(BadInput.of("documents.memory")), "renew": True, "lacks_memory": True}, []
    except Exception as error:
        fault = {"renew": True, "fault": type(error).__name__}
        return {**wire.encode_refusal(BadInput.of("documents.damaged")), **fault}, []


if __name__ == "__main__":
    main()
