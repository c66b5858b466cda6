"""The worker process, which holds the JVM.

python -m bandsmith.services.validator.engine.worker SOCKET CLASSPATH HEAP SCRATCH
"""

from __future__ import annotations

import os
import socket
import sys
from pathlib import Path

from . import ipc, sandbox


def main() -> None:
    owner = socket.socket(fileno=int(sys.argv[1]))
    classpath, heap, scratch = sys.argv[2].split(os.pathsep), int(sys.argv[3]), sys.argv[4]
    # What the JVM or a template prints is discarded.
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1)
    os.dup2(nowhere, 2)
    networkless = sandbox.enter()
    sandbox.exit_with_owner(owner)

    # Imported only now: numpy starts threads, and a thread that exists already would keep its network.
    from .filling import report_data  # noqa: PLC0415
    from .jasper import JasperError, JasperReports  # noqa: PLC0415

    jasper = JasperReports(classpath, heap_mb=heap, scratch=scratch)
    jasper.warm_up(Path(__file__).with_name("warm.jrxml").read_bytes())
    ipc.send(owner, {"ready": True, "networkless": networkless})
    while True:
        try:
            request, blobs = ipc.receive(owner)
        except EOFError:
            break
        try:
            data = report_data(request.get("data"), blobs[1:])
            match request["do"]:
                case "compile":
                    jasper.compile(blobs[0])
                    ipc.send(owner, {})
                case "print":
                    printout, pictures = jasper.print(blobs[0], data, pages=request["pages"])
                    ipc.send(owner, printout, pictures)
                case "look":
                    ipc.send(owner, {"look": jasper.look(blobs[0], data)})
                case "export":
                    pages, exported = jasper.export(blobs[0], data, request["format"])
                    ipc.send(owner, {"pages": pages}, [exported])
                case "cells":
                    ipc.send(owner, {"cells": jasper.cells(blobs[0], data)})
        except JasperError as error:
            ipc.send(owner, {"refused": error.stage, "reasons": error.reasons})
    os._exit(0)  # the JVM's orderly shutdown can hang


if __name__ == "__main__":
    main()
