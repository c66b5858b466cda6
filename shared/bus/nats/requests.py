"""Requests to the server: one inbox for all responses, and an immediate error when the connection is lost."""

from __future__ import annotations

import asyncio
from typing import Any

import nats.errors
import orjson
from nats.js import api
from nats.js.errors import APIError

from .fast_client import FastClient, RawMessage

REQUEST_TIMEOUT_S = 2.0
"""Requests are checked at this interval, so each times out after one to two times as long."""


class Requests:
    """Replaces nats-py's requests, which start a timer and a task each."""

    def __init__(self, client: FastClient, timeout: float) -> None:
        self._client = client
        self._timeout = timeout
        self._inbox = ""
        self._number = 0
        self._waiting: dict[str, asyncio.Future[RawMessage]] = {}
        self._overdue: set[str] = set()
        self._timer: asyncio.TimerHandle | None = None

    async def start(self) -> None:
        self._inbox = f"{self._client.new_inbox()}."
        await self._client.subscribe_raw(f"{self._inbox}*", self._receive)

    async def send(self, subject: str, data: bytes = b"", headers: str = "") -> asyncio.Future[RawMessage]:
        """Send a request after all earlier ones; the future gets the response or ``TimeoutError``."""
        self._number += 1
        name = str(self._number)
        response: asyncio.Future[RawMessage] = asyncio.get_running_loop().create_future()
        self._waiting[name] = response
        try:
            await self._client.publish_raw(subject, data, self._inbox + name, headers)
        except BaseException:
            del self._waiting[name]
            raise
        if self._timer is None:
            self._tick()
        return response

    def fail_all(self) -> None:
        """Fail the waiting requests; after a lost connection no responses arrive."""
        for name in list(self._waiting):
            self._fail(name)

    def _receive(self, message: RawMessage) -> None:
        response = self._waiting.pop(message.subject[len(self._inbox) :], None)
        if response is not None and not response.done():
            response.set_result(message)

    def _tick(self) -> None:
        """Fail the requests that were already waiting at the last tick: one timer serves all of them."""
        for name in self._overdue & self._waiting.keys():
            self._fail(name)
        self._overdue = set(self._waiting)
        self._timer = asyncio.get_running_loop().call_later(self._timeout, self._tick) if self._overdue else None

    def _fail(self, name: str) -> None:
        response = self._waiting.pop(name)
        if not response.done():
            response.set_exception(TimeoutError())
            response.exception()  # avoid asyncio's warning if the caller was cancelled


def decode_response(message: RawMessage) -> dict[str, Any]:
    """Return JetStream's response. Raises ``APIError`` for an error, ``NoRespondersError`` without JetStream."""
    if not message.data:
        raise nats.errors.NoRespondersError
    response: dict[str, Any] = orjson.loads(message.data)
    if "error" in response:
        APIError.from_error(response["error"])
    return response


def decode_direct(message: RawMessage) -> api.RawStreamMsg | None:
    """Return the stored message of a direct read; None if there is none.

    Raises ``APIError`` for another error, ``NoRespondersError`` without the stream.
    """
    if message.status == "404":
        return None
    if message.status == "503":
        raise nats.errors.NoRespondersError
    if message.status:
        raise APIError(code=int(message.status), description="direct read")
    sequence, subject = (_last_value(message.headers, name) for name in (b"Nats-Sequence", b"Nats-Subject"))
    return api.RawStreamMsg(subject=subject.decode(), seq=int(sequence), data=message.data)


def _last_value(headers: bytes, name: bytes) -> bytes:
    """Return the value that the server has added; the message may bring others of that name, which come first."""
    return headers.rpartition(b"\r\n" + name + b": ")[2].partition(b"\r\n")[0]
