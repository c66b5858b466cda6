"""What killed a worker, so that it does not kill the next one."""

from __future__ import annotations

import threading
import time
from collections import OrderedDict
from collections.abc import Callable

MAX_REMEMBERED = 64
FORGOTTEN_AFTER_S = 300.0
"""Time after which a request is tried again: a busy machine or one without memory may have been the cause."""


class FatalRequests:
    """Digests of the requests that killed a worker, and how. Workers for the same requests may share it."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._lock = threading.Lock()
        self._errors: OrderedDict[bytes, tuple[type[Exception], float]] = OrderedDict()

    def check(self, digest: bytes) -> None:
        """Raise the error with which the request ended."""
        with self._lock:
            error, since = self._errors.get(digest, (None, 0.0))
        if error and self._clock() - since < FORGOTTEN_AFTER_S:
            raise error

    def add(self, digest: bytes, error: Exception) -> None:
        with self._lock:
            self._errors[digest] = type(error), self._clock()
            self._errors.move_to_end(digest)
            if len(self._errors) > MAX_REMEMBERED:
                self._errors.popitem(last=False)
