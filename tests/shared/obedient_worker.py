"""A worker for tests that does what it is told: python -m tests.shared.obedient_worker SOCKET SCRATCH"""

import os
import socket
import sys
import time
from dataclasses import asdict
from pathlib import Path

from bandsmith.shared.confined import confine, ipc


def main() -> None:
    owner = socket.socket(fileno=int(sys.argv[1]))
    walls = asdict(confine(write=[Path(sys.argv[2])]))
    ipc.send(owner, {"ready": True, "walls": walls})
    while True:
        request, _ = ipc.receive(owner)
        if request["do"] == "sleep":
            time.sleep(600)
        if request["do"] == "nap":
            time.sleep(0.1)
        if request["do"] == "exit":
            os._exit(3)
        if request["do"] == "babble":
            owner.sendall(bytes([0, 0, 0, 2, 0, 0, 0, 0]) + b"[]")
            continue
        ipc.send(owner, {"environment": dict(os.environ), "walls": walls})


if __name__ == "__main__":
    main()
