"""The garbage collector of a process that handles thousands of small messages a second."""

from __future__ import annotations

import gc

THRESHOLDS = (10_000, 20, 20)
"""Objects more than freed since the last collection, and the collections of each generation before the next one's."""


def collect_rarely() -> None:
    """Make cyclic garbage collection rarer in this process, and leave out what exists now.

    A step of the gateway makes some hundred short-lived objects and hardly a cycle. With Python's own thresholds the
    collector took a quarter of its time. Not for processes that hold large arrays: a cycle would keep one for longer.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(*THRESHOLDS)
