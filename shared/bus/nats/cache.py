"""An in-memory cache of recently used objects."""

from __future__ import annotations

from collections import OrderedDict


class ObjectCache:
    """A least-recently-used cache limited in bytes; objects are immutable."""

    def __init__(self, max_bytes: int) -> None:
        self._max_bytes = max_bytes
        self._size = 0
        self._objects: OrderedDict[str, bytes] = OrderedDict()

    def get(self, key: str) -> bytes | None:
        if key in self._objects:
            self._objects.move_to_end(key)
        return self._objects.get(key)

    def remove(self, key: str) -> None:
        self._size -= len(self._objects.pop(key, b""))

    def put(self, key: str, data: bytes) -> None:
        if key in self._objects or len(data) > self._max_bytes:
            return
        self._objects[key] = data
        self._size += len(data)
        while self._size > self._max_bytes:
            self._size -= len(self._objects.popitem(last=False)[1])
