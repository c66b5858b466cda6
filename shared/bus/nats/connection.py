"""A connection to the message server that declares the streams and recovers when the server was unreachable."""

from __future__ import annotations

import asyncio
import hashlib
import time
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from functools import cache
from typing import Any, Self, TypeVar
from urllib.parse import unquote, urlsplit

import nats.errors
import orjson
import structlog
from nats.js import JetStreamContext, api
from nats.js.errors import APIError, NoStreamResponseError, NotFoundError, ServiceUnavailableError

from ...errors import BadInput, MissingPart, RetryableError, ServerFull, TerminalError
from ...settings import BusSettings
from ..base import NAME
from .fast_client import FastClient
from .puller import RETRY_DELAY_S, Puller
from .requests import REQUEST_TIMEOUT_S, Requests, decode_direct, decode_response
from .streams import streams, updated

log = structlog.get_logger(__name__)
T = TypeVar("T")

CONNECT_TIMEOUT_S = 10.0
"""Maximum time to wait for a single server's first response."""

# JetStream's error codes.
STREAM_EXISTS = 10058
REPLICAS_NOT_SUPPORTED, NO_SUITABLE_PEERS = 10074, 10005
STORAGE_EXCEEDED = (10002, 10023, 10047, 10077)
"""The storage limit of an account, a server, a disk or a stream."""
MESSAGE_NOT_FOUND = (10057, 10043)

ACCESS_DENIED = ("authorization violation", "permissions violation")
"""Parts of the server's messages for unknown users and for missing permissions."""
UNREACHABLE = (
    TimeoutError,
    nats.errors.NoRespondersError,
    nats.errors.OutboundBufferLimitError,
    nats.errors.ConnectionReconnectingError,
    NoStreamResponseError,
    ServiceUnavailableError,
)
"""Errors of requests while the server is down or restarting."""


class Connection:
    """The base of ``NatsBus``, created by ``await NatsBus.connect(url)``."""

    def __init__(self, settings: BusSettings) -> None:
        self._settings = settings
        self._client = FastClient()
        self._jetstream: JetStreamContext = self._client.jetstream()
        self._requests = Requests(self._client, min(REQUEST_TIMEOUT_S, settings.bus_timeout))
        self._id_key = b""
        self._restoring = asyncio.Lock()
        self._ready = asyncio.Event()
        self._closing = False
        self._closed_by: asyncio.Task[Any] | None = None
        self._too_few_servers = False  # for the configured number of replicas
        self._without_streams = False  # which the gateway has to create
        self._access_denied = False  # for the credentials in NATS_URL
        self._recovery: asyncio.Task[None] | None = None
        self._api_calls: set[asyncio.Timeout] = set()
        self._pullers: set[Puller] = set()
        self._wake_followers: set[Callable[[], None]] = set()

    @classmethod
    async def connect(cls, url: str, settings: BusSettings | None = None) -> Self:
        """Connect to a server, or to a cluster whose addresses are separated by commas.

        Raises ``MissingPart`` if no server with JetStream responds, ``BadInput`` if access is denied or the cluster has
        fewer servers than replicas are configured.
        """
        bus = cls(settings or BusSettings())
        servers = [server.strip() for server in url.split(",")]
        credentials = _credentials(servers)
        bus._id_key = await asyncio.to_thread(_id_key, credentials.get("password", ""))
        cluster = len(servers) > 1 or bus._settings.replicas > 1
        try:
            limit = bus._settings.bus_timeout
            async with asyncio.timeout(limit if cluster else min(limit, CONNECT_TIMEOUT_S)):
                await bus._client.connect(
                    servers,
                    name="bandsmith",
                    connect_timeout=2,
                    reconnect_time_wait=0.2,  # type: ignore[arg-type]
                    max_reconnect_attempts=-1,
                    ping_interval=10,
                    error_cb=bus._on_error,  # without it each failed attempt prints a traceback
                    disconnected_cb=bus._on_disconnect,
                    reconnected_cb=bus._on_reconnect,
                    closed_cb=bus._on_close,
                    **credentials,
                )
                await bus._requests.start()
                while not await bus._declared(cluster):  # noqa: ASYNC110 - an election sends no event
                    await asyncio.sleep(RETRY_DELAY_S)
        except (nats.errors.Error, APIError, OSError) as error:  # a TimeoutError is an OSError
            await bus.close()
            if bus._too_few_servers:
                raise BadInput.of("bus.too_few_servers", code="replicas") from error
            if bus._access_denied:
                raise BadInput.of("bus.access_denied", code="input") from error
            text = "bus.no_streams" if bus._without_streams else "bus.no_server"
            raise MissingPart.of(text, code="missing") from error
        bus._ready.set()
        return bus

    @property
    def alive(self) -> bool:
        """Whether the connection is open and its consumers are pulling; true as well while it is reconnecting."""
        return not self._client.is_closed and all(puller.alive for puller in self._pullers)

    async def close(self) -> None:
        self._closing = True
        self._closed_by = asyncio.current_task()
        self._wake_all_followers()
        await asyncio.gather(*(puller.stop() for puller in list(self._pullers)))
        if self._recovery is not None:
            self._recovery.cancel()
        with suppress(nats.errors.Error, OSError):
            await self._client.close()

    async def _declared(self, cluster: bool) -> bool:
        """Declare the streams; False while a cluster elects its leaders, or until the gateway has created them."""
        try:
            await self._declare()
        except (*UNREACHABLE, APIError) as error:
            code = getattr(error, "err_code", None)
            self._too_few_servers = code in (REPLICAS_NOT_SUPPORTED, NO_SUITABLE_PEERS)
            self._without_streams = isinstance(error, NotFoundError)
            if self._without_streams:
                return False
            if not cluster or (not isinstance(error, UNREACHABLE) and code != NO_SUITABLE_PEERS):
                raise
            log.debug("bus.electing", error=type(error).__name__)
            return False
        return True

    async def _declare(self) -> None:
        """Create the streams, or update those of an older version or with other settings."""
        for config in streams(self._settings):
            try:
                await self._jetstream.add_stream(config)
            except APIError as error:
                if is_not_offered(error):
                    await self._jetstream.stream_info(str(config.name))
                    continue
                if error.err_code != STREAM_EXISTS:
                    raise
                existing = (await self._jetstream.stream_info(str(config.name))).config
                await self._jetstream.update_stream(updated(existing, config, self._settings))

    async def _on_error(self, error: Exception) -> None:
        self._access_denied |= any(text in str(error).lower() for text in ACCESS_DENIED)
        log.debug("bus.error", error=type(error).__name__)
        if self._closing and asyncio.current_task() is not self._closed_by:
            # An attempt to connect that failed in the moment in which it was cancelled: it would go on for ever.
            raise asyncio.CancelledError

    async def _on_disconnect(self) -> None:
        self._ready.clear()
        self._requests.fail_all()
        while self._api_calls:
            self._api_calls.pop().reschedule(0)
        if not self._closing:
            log.warning("bus.disconnected")

    async def _on_reconnect(self) -> None:
        log.warning("bus.reconnected")
        self._recovery = asyncio.create_task(self._recover())

    async def _on_close(self) -> None:
        self._ready.set()  # wake those who wait, to get the error
        if not self._closing:
            log.error("bus.closed")

    async def _recover(self) -> None:
        """Declare everything again: the server may have lost its state."""
        while self._client.is_connected:
            try:
                await self._declare()
            except (nats.errors.Error, APIError, TimeoutError) as error:
                log.debug("bus.recovering", error=type(error).__name__)
                await asyncio.sleep(RETRY_DELAY_S)
                continue
            self._ready.set()
            for puller in self._pullers:
                puller.reset()
            self._wake_all_followers()
            return

    def _wake_all_followers(self) -> None:
        for wake in self._wake_followers:
            wake()

    async def _retry(self, call: Callable[[], Awaitable[T]]) -> T:
        """Call until the server responds or the timeout expires; `call` must be idempotent."""
        start = time.monotonic()
        while True:
            remaining = start + self._settings.bus_timeout - time.monotonic()
            try:
                if not self._ready.is_set():  # usually it is set, and no timer is needed
                    await asyncio.wait_for(self._ready.wait(), remaining)
                return await call()
            except nats.errors.MaxPayloadError as error:
                raise TerminalError.of("bus.too_large", code="size") from error
            except nats.errors.ConnectionClosedError as error:
                raise RetryableError.of("bus.unreachable", code="bus") from error
            except (*UNREACHABLE, APIError) as error:
                if getattr(error, "err_code", None) in STORAGE_EXCEEDED:
                    raise ServerFull from error
                if not isinstance(error, UNREACHABLE):
                    raise
                if remaining <= 0:
                    # A server that cannot write to its disk may accept connections and respond to nothing.
                    text = "bus.unresponsive" if self._client.is_connected else "bus.unreachable"
                    raise RetryableError.of(text, code="bus") from error
                log.debug("bus.away", error=type(error).__name__)
                await asyncio.sleep(RETRY_DELAY_S)
                if isinstance(error, (nats.errors.NoRespondersError, NoStreamResponseError)):
                    with suppress(nats.errors.Error, APIError, TimeoutError):
                        await self._restore_streams()

    async def _restore_streams(self) -> None:
        """Create the streams that were removed while this client was connected."""
        async with self._while_connected(), self._restoring:
            await self._declare()

    async def _call_api(self, call: Callable[[], Awaitable[T]]) -> T:
        """Like ``_retry``, for nats-py's own requests, which do not notice a lost connection."""

        async def attempt() -> T:
            async with self._while_connected():
                return await call()

        return await self._retry(attempt)

    @asynccontextmanager
    async def _while_connected(self) -> AsyncGenerator[None]:
        """Raise ``TimeoutError`` as soon as the connection is lost: no response will arrive."""
        async with asyncio.timeout(None) as limit:
            self._api_calls.add(limit)
            try:
                yield
            finally:
                self._api_calls.discard(limit)

    def _own_id(self, message_id: str) -> str:
        """Return the id by which the server deduplicates a message of this user.

        Ids of messages can be computed in advance. If they were used as they are, another user of the server could
        publish something under a coming message's id, and the server would drop that message as a duplicate.
        """
        if not self._id_key:
            return message_id
        return hashlib.blake2b(message_id.encode(), key=self._id_key, digest_size=16).hexdigest()

    async def _store(self, *messages: tuple[str, bytes, str]) -> bool:
        """Store messages, given as subject, data and headers, in order. Return whether the server knew one's id."""

        async def store() -> bool:
            pending = [await self._requests.send(*message) for message in messages]
            responses = await asyncio.gather(*pending) if len(pending) > 1 else [await pending[0]]
            return any([decode_response(response).get("duplicate", False) for response in responses])

        return await self._retry(store) if messages else False

    async def _request(self, subject: str, body: dict[str, Any]) -> dict[str, Any]:
        """Send an API request to the cluster's leader; other members may have stale data."""

        async def attempt() -> dict[str, Any]:
            return decode_response(await (await self._requests.send(subject, orjson.dumps(body))))

        return await self._retry(attempt)

    async def _last(self, stream: str, subject: str) -> dict[str, Any] | None:
        """Return the newest message of a subject, in the API's JSON form."""
        try:
            response = await self._request(f"$JS.API.STREAM.MSG.GET.{stream}", {"last_by_subj": subject})
        except NotFoundError:
            return None
        message: dict[str, Any] = response["message"]
        return message

    async def _next(self, stream: str, sequence: int, subject: str = ">") -> api.RawStreamMsg | None:
        """Return the first message at or after a sequence number."""
        body = orjson.dumps({"seq": sequence, "next_by_subj": subject})

        async def attempt() -> api.RawStreamMsg | None:
            return decode_direct(await (await self._requests.send(f"$JS.API.DIRECT.GET.{stream}", body)))

        return await self._retry(attempt)

    async def _remove(self, stream: str, sequence: int) -> bool:
        """Delete a message. Return false if it was gone already."""
        try:
            await self._call_api(lambda: self._jetstream.delete_msg(stream, sequence))
        except APIError as error:
            if error.err_code not in MESSAGE_NOT_FOUND:
                raise
            return False
        return True


def is_not_offered(error: APIError) -> bool:
    """Whether nothing answered, as where the account of this user does not offer the request.

    On a shared server only the gateway and operators may create streams and consumers.
    """
    return isinstance(error, ServiceUnavailableError) and error.err_code is None


@cache
def _id_key(password: str) -> bytes:
    """Return the key of a user's message ids; empty without a password.

    Every process of a user has the same. It is slow to compute, because others can read ids: a fast hash would let them
    try passwords.
    """
    if not password:
        return b""
    return hashlib.scrypt(password.encode(), salt=b"bandsmith message ids", n=2**14, r=8, p=1, dklen=32)


def _credentials(servers: list[str]) -> dict[str, Any]:
    """Return the credentials in the first address that has any; the addresses of discovered servers have none."""
    for server in map(urlsplit, servers):
        if server.username and server.password is None:
            return {"token": unquote(server.username)}
        if server.username:
            user = unquote(server.username)
            # A separate inbox per user, which the server can protect by permissions.
            inbox = {"inbox_prefix": f"_INBOX_{user}"} if NAME.fullmatch(user) else {}
            return {"user": user, "password": unquote(str(server.password)), **inbox}
    return {}
