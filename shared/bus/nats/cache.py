"""Objects that were used last, in memory."""

from __future__ import annotations

from collections import OrderedDict


class ObjectCache:
    """The objects used last, up to so many bytes. What a key names never changes."""

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._size = 0
        self._objects: OrderedDict[str, bytes] = OrderedDict()

    def get(self, key: str) -> bytes | None:
        if key in self._objects:
            self._objects.move_to_end(key)
        return self._objects.get(key)

    def put(self, key: str, data: bytes) -> None:
        if key in self._objects or len(data) > self._limit:
            return
        self._objects[key] = data
        self._size += len(data)
        while self._size > self._limit:
            self._size -= len(self._objects.popitem(last=False)[1])
