"""What the engine's worker and its owner say to each other: a JSON object and the bytes that go with it."""

from __future__ import annotations

import socket
import struct
import time
from typing import Any

import orjson

_HEAD = struct.Struct(">II")  # length of the JSON, number of blobs
_SIZE = struct.Struct(">Q")
_MOST, _MOST_BLOBS = 256 * 1024 * 1024, 32


def send(sock: socket.socket, said: dict[str, Any], blobs: list[bytes] | None = None) -> None:
    """Say one thing. Raises ``OSError`` when the other side is gone."""
    text, blobs = orjson.dumps(said), blobs or []
    sock.sendall(b"".join([_HEAD.pack(len(text), len(blobs)), *(_SIZE.pack(len(b)) for b in blobs), text, *blobs]))


def receive(sock: socket.socket, until: float | None = None) -> tuple[dict[str, Any], list[bytes]]:
    """Wait for one thing; `until` is a time of ``time.monotonic``.

    Raises ``TimeoutError`` when it is over, ``EOFError`` when the other side is gone or talks nonsense.
    """
    length, count = _HEAD.unpack(_read(sock, _HEAD.size, until))
    sizes = [_SIZE.unpack(_read(sock, _SIZE.size, until))[0] for _ in range(min(count, _MOST_BLOBS))]
    if count > _MOST_BLOBS or length + sum(sizes) > _MOST:
        raise EOFError
    said = orjson.loads(_read(sock, length, until))
    return said, [_read(sock, size, until) for size in sizes]


def _read(sock: socket.socket, size: int, until: float | None) -> bytes:
    got = bytearray()
    while len(got) < size:
        if until is not None:
            left = until - time.monotonic()
            if left <= 0:
                raise TimeoutError
            sock.settimeout(left)
        try:
            part = sock.recv(min(size - len(got), 1 << 20))
        except ConnectionError:
            part = b""
        if not part:
            raise EOFError
        got += part
    return bytes(got)
