"""The worker process, which holds the models.

python -m bandsmith.services.ocr.recogniser.worker SOCKET SCRATCH SETTINGS
"""

from __future__ import annotations

import json
import os
import socket
import sys
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bandsmith.shared.confined import confine, ipc
from bandsmith.shared.confined.walls import exit_with_owner

if TYPE_CHECKING:
    from ..engines import OcrEngine

MAX_MEMORY_BYTES = 4 << 30


def main() -> None:
    owner, scratch, told = socket.socket(fileno=int(sys.argv[1])), sys.argv[2], json.loads(sys.argv[3])
    # What a library prints may quote the document.
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1)
    os.dup2(nowhere, 2)
    walls = confine(read=[Path(told["cache"])], write=[Path(scratch)], max_memory_bytes=MAX_MEMORY_BYTES)
    exit_with_owner(owner)

    # Imported only now: numpy starts threads, and a thread that exists already would have no walls.
    from ..engines import open_engine  # noqa: PLC0415
    from ..settings import OcrSettings  # noqa: PLC0415

    ipc.send(owner, {"ready": True, "walls": asdict(walls)})
    engine = open_engine(OcrSettings(**told))
    while True:
        try:
            request, blobs = ipc.receive(owner)
        except EOFError:
            break
        ipc.send(owner, _answer(engine, request, blobs))
    os._exit(0)


def _answer(engine: OcrEngine, request: dict[str, Any], blobs: list[bytes]) -> dict[str, Any]:
    """Return the reply. A fault of a library, whatever it is, means that the page cannot be read."""
    from bandsmith.shared.errors import MissingPart  # noqa: PLC0415 - as above

    from . import wire  # noqa: PLC0415

    try:
        if request["do"] == "load":
            engine.start()
            return {}
        pictures = wire.decode_pictures(request["shapes"], blobs[0])
        if request["do"] == "detect":
            return {"areas": engine.detect(pictures[0])}
        return {"texts": engine.read(pictures)}
    except MissingPart as error:
        return {"missing": {"en": error.message, "zh": error.message_zh}}
    except Exception as error:
        return {"fault": type(error).__name__, "renew": True}


if __name__ == "__main__":
    main()
