"""How often each user may ask: a bucket of requests that fills again at a steady rate."""

from __future__ import annotations

import math
import time
from collections import Counter, OrderedDict
from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager

from .problems import TooMany

MAX_USERS = 10_000
"""Users that are remembered; the one who has asked for nothing for longest is forgotten first."""


MAX_STREAMS = 256
"""Streams of events that a user may have open in this process at the same time."""
STREAM_RETRY_S = 10


class Streams:
    """Counts the open streams of each user."""

    def __init__(self) -> None:
        self._open: Counter[Hashable] = Counter()

    def check(self, user: Hashable) -> None:
        """Raises ``TooMany`` for a user who has as many streams as one may have."""
        if self._open.get(user, 0) >= MAX_STREAMS:
            raise TooMany(STREAM_RETRY_S)

    @contextmanager
    def counted(self, user: Hashable) -> Iterator[None]:
        """Count a stream while the block runs."""
        self._open[user] += 1
        try:
            yield
        finally:
            self._open[user] -= 1
            if not self._open[user]:
                del self._open[user]


class Rates:
    """Counts the requests of each user in this process."""

    def __init__(self, per_minute: int, now: Callable[[], float] = time.monotonic) -> None:
        self._per_minute = per_minute
        self._now = now
        self._buckets: OrderedDict[Hashable, tuple[float, float]] = OrderedDict()
        """Requests that are left, and when that was counted."""

    def take(self, user: Hashable) -> None:
        """Count a request. Raises ``TooMany``, with the seconds after which the user may ask again."""
        left, since = self._buckets.pop(user, (float(self._per_minute), self._now()))
        now = self._now()
        left = min(self._per_minute, left + (now - since) * self._per_minute / 60)
        is_allowed = left >= 1
        self._buckets[user] = (left - 1 if is_allowed else left, now)
        if len(self._buckets) > MAX_USERS:
            self._buckets.popitem(last=False)
        if not is_allowed:
            raise TooMany(math.ceil((1 - left) * 60 / self._per_minute))
