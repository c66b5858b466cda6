"""Messages between a worker process and its owner: a JSON object and the blobs that belong to it."""

from __future__ import annotations

import socket
import struct
import time
from typing import Any

import orjson

MAX_MESSAGE_BYTES, MAX_BLOBS = 256 * 1024 * 1024, 32
READ_BYTES = 1 << 20
_HEAD = struct.Struct(">II")  # length of the JSON, number of blobs
_BLOB_SIZE = struct.Struct(">Q")


def send(sock: socket.socket, message: dict[str, Any], blobs: list[bytes] | None = None) -> None:
    """Send a message. Raises ``OSError`` when the other side is gone."""
    text, blobs = orjson.dumps(message), blobs or []
    sock.sendall(b"".join([_HEAD.pack(len(text), len(blobs)), *(_BLOB_SIZE.pack(len(b)) for b in blobs), text, *blobs]))


def receive(sock: socket.socket, until: float | None = None) -> tuple[dict[str, Any], list[bytes]]:
    """Wait for a message until the deadline `until`, a time of ``time.monotonic``.

    Raises ``TimeoutError`` at the deadline, ``EOFError`` when the other side is gone or what it sends is no message,
    or an oversized one.
    """
    length, count = _HEAD.unpack(_read(sock, _HEAD.size, until))
    sizes = [_BLOB_SIZE.unpack(_read(sock, _BLOB_SIZE.size, until))[0] for _ in range(min(count, MAX_BLOBS))]
    if count > MAX_BLOBS or length + sum(sizes) > MAX_MESSAGE_BYTES:
        raise EOFError
    try:
        message = orjson.loads(_read(sock, length, until))
    except orjson.JSONDecodeError:
        raise EOFError from None
    if not isinstance(message, dict):
        raise EOFError
    return message, [_read(sock, size, until) for size in sizes]


def _read(sock: socket.socket, size: int, until: float | None) -> bytes:
    got = bytearray()
    while len(got) < size:
        if until is not None:
            left = until - time.monotonic()
            if left <= 0:
                raise TimeoutError
            sock.settimeout(left)
        try:
            part = sock.recv(min(size - len(got), READ_BYTES))
        except ConnectionError:
            part = b""
        if not part:
            raise EOFError
        got += part
    return bytes(got)
