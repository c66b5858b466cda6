"""The report engine's worker without its walls, for comparison: python -m benchmarks.open_worker SOCKET SCRATCH ..."""

from __future__ import annotations

from typing import Any

from bandsmith.services.validator.engine import worker
from bandsmith.shared.confined import Walls


def no_walls(**_: Any) -> Walls:
    return Walls()


if __name__ == "__main__":
    worker.confine = no_walls  # type: ignore[attr-defined]
    worker.main()
