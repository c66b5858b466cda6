"""Find out which walls this kernel offers, in a process that ends with the answer: ``python -m ...probe`` prints it."""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import asdict

from .walls import Walls, confine

TIMEOUT_S = 20


def probe() -> Walls:
    """Return the walls that a worker of this machine has; none where the process cannot be asked."""
    command = [sys.executable, "-P", "-m", __name__]
    try:
        told = subprocess.run(command, capture_output=True, text=True, check=True, timeout=TIMEOUT_S).stdout
        return Walls(**json.loads(told))
    except (OSError, subprocess.SubprocessError, ValueError, TypeError):
        return Walls()


if __name__ == "__main__":
    print(json.dumps(asdict(confine())))
