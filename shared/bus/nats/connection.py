"""A connection to the message server, with the streams on it, that finds its way back to a server that was away."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from typing import Any, Self, TypeVar
from urllib.parse import unquote, urlsplit

import nats.errors
import orjson
import structlog
from nats.js import JetStreamContext, api
from nats.js.errors import APIError, NoStreamResponseError, NotFoundError, ServiceUnavailableError

from ...errors import ServerFull
from ...settings import BusSettings
from ..base import NAME
from .error_messages import away, no_server, not_let_in, silent, too_large, too_many_copies
from .fast_client import Wire
from .puller import PAUSE, Puller
from .requests import ANSWER, Requests, reply
from .streams import changed, streams

log = structlog.get_logger(__name__)
T = TypeVar("T")

CONNECT = 10.0
"""Seconds until a server that never answered counts as not there."""
WRONG_CONFIG = 10058
NO_CLUSTER, NO_PEERS = 10074, 10005
NO_ROOM = (10002, 10023, 10047, 10077)
"""An account's, a server's, a disk's or a stream's limit of what is stored."""
NO_MESSAGE = (10057, 10043)
NOT_ALLOWED = ("authorization violation", "permissions violation")
"""The server's words for somebody that it does not know, and for one who may less than a service has to."""
AWAY = (
    TimeoutError,
    nats.errors.NoRespondersError,
    nats.errors.OutboundBufferLimitError,
    nats.errors.ConnectionReconnectingError,
    NoStreamResponseError,
    ServiceUnavailableError,
)
"""What a request meets while the server is away or coming back."""


class Connection:
    """What a bus on NATS stands on. Made by ``await NatsBus.connect(url)``."""

    def __init__(self, settings: BusSettings) -> None:
        self._settings = settings
        self._client = Wire()
        self._jetstream: JetStreamContext = self._client.jetstream()
        self._requests = Requests(self._client, min(ANSWER, settings.bus_timeout))
        self._ready = asyncio.Event()
        self._closing = False
        self._too_few = False  # servers for the copies that are wanted
        self._refused = False  # by what NATS_URL says of user and password
        self._recovery: asyncio.Task[None] | None = None
        self._asking: set[asyncio.Timeout] = set()
        self._pullers: set[Puller] = set()

    @classmethod
    async def connect(cls, url: str, settings: BusSettings | None = None) -> Self:
        """To a server, or to any of a cluster's, whose addresses are separated by commas.

        Raises ``MissingPart`` when none with JetStream answers there, ``BadInput`` when it lets us not in or has fewer
        members than it is to keep copies.
        """
        bus = cls(settings or BusSettings())
        servers = [server.strip() for server in url.split(",")]
        cluster = len(servers) > 1 or bus._settings.replicas > 1
        try:
            limit = bus._settings.bus_timeout
            async with asyncio.timeout(limit if cluster else min(limit, CONNECT)):
                await bus._client.connect(
                    servers,
                    name="bandsmith",
                    connect_timeout=2,
                    reconnect_time_wait=0.2,  # type: ignore[arg-type]
                    max_reconnect_attempts=-1,
                    ping_interval=10,
                    error_cb=bus._on_error,  # without one, each failed attempt prints a traceback
                    disconnected_cb=bus._on_disconnect,
                    reconnected_cb=bus._on_reconnect,
                    closed_cb=bus._on_close,
                    **_secret(servers),
                )
                await bus._requests.start()
                while not await bus._declared(cluster):  # noqa: ASYNC110 - nobody tells when leaders are elected
                    await asyncio.sleep(PAUSE)
        except (nats.errors.Error, APIError, OSError) as error:  # a TimeoutError is an OSError
            await bus.close()
            if bus._too_few:
                raise too_many_copies() from error
            if bus._refused:
                raise not_let_in() from error
            raise no_server() from error
        bus._ready.set()
        return bus

    @property
    def alive(self) -> bool:
        """Whether it is open, and takes what it was told to: so it is too while the server is away, and comes back."""
        return not self._client.is_closed and all(puller.alive for puller in self._pullers)

    async def close(self) -> None:
        self._closing = True
        await asyncio.gather(*(puller.stop() for puller in list(self._pullers)))
        if self._recovery is not None:
            self._recovery.cancel()
        with suppress(nats.errors.Error, OSError):
            await self._client.close()

    async def _declared(self, cluster: bool) -> bool:
        """Whether the streams are there now; a cluster may still be electing its leaders."""
        try:
            await self._declare()
        except (*AWAY, APIError) as error:
            code = getattr(error, "err_code", None)
            self._too_few = code in (NO_CLUSTER, NO_PEERS)
            if not cluster or (not isinstance(error, AWAY) and code != NO_PEERS):
                raise
            log.debug("bus.electing", error=type(error).__name__)
            return False
        return True

    async def _declare(self) -> None:
        """Streams as they should be now, whatever an older version or other settings made of them."""
        for config in streams(self._settings):
            try:
                await self._jetstream.add_stream(config)
            except APIError as error:
                if error.err_code != WRONG_CONFIG:
                    raise
                there = (await self._jetstream.stream_info(str(config.name))).config
                await self._jetstream.update_stream(changed(there, config, self._settings))

    async def _on_error(self, error: Exception) -> None:
        self._refused |= any(words in str(error).lower() for words in NOT_ALLOWED)
        log.debug("bus.error", error=type(error).__name__)

    async def _on_disconnect(self) -> None:
        self._ready.clear()
        self._requests.forget()
        while self._asking:
            self._asking.pop().reschedule(0)
        if not self._closing:
            log.warning("bus.disconnected")

    async def _on_reconnect(self) -> None:
        log.warning("bus.reconnected")
        self._recovery = asyncio.create_task(self._recover())

    async def _on_close(self) -> None:
        self._ready.set()  # whoever still waits learns that it is closed
        if not self._closing:
            log.error("bus.closed")

    async def _recover(self) -> None:
        """The server may have lost what it knew."""
        while self._client.is_connected:
            try:
                await self._declare()
            except (nats.errors.Error, APIError, TimeoutError) as error:
                log.debug("bus.recovering", error=type(error).__name__)
                await asyncio.sleep(PAUSE)
                continue
            self._ready.set()
            for puller in self._pullers:
                puller.forget()
            return

    async def _insist(self, call: Callable[[], Awaitable[T]]) -> T:
        """Call until the server answers, for as long as our patience lasts; calling twice must be harmless."""
        begun = time.monotonic()
        while True:
            left = begun + self._settings.bus_timeout - time.monotonic()
            try:
                if not self._ready.is_set():  # the usual case needs no clock
                    await asyncio.wait_for(self._ready.wait(), left)
                return await call()
            except nats.errors.MaxPayloadError as error:
                raise too_large() from error
            except nats.errors.ConnectionClosedError as error:
                raise away() from error
            except (*AWAY, APIError) as error:
                if getattr(error, "err_code", None) in NO_ROOM:
                    raise ServerFull from error
                if not isinstance(error, AWAY):
                    raise
                if left <= 0:
                    raise (silent() if self._client.is_connected else away()) from error
                log.debug("bus.away", error=type(error).__name__)
                await asyncio.sleep(PAUSE)

    async def _administer(self, call: Callable[[], Awaitable[T]]) -> T:
        """As ``_insist``, for nats-py's own requests: they do not notice that the connection is lost."""

        async def once() -> T:
            async with self._while_connected():
                return await call()

        return await self._insist(once)

    @asynccontextmanager
    async def _while_connected(self) -> AsyncGenerator[None]:
        """Raises ``TimeoutError`` as soon as the connection is lost: what was asked will not be answered any more."""
        async with asyncio.timeout(None) as limit:
            self._asking.add(limit)
            try:
                yield
            finally:
                self._asking.discard(limit)

    async def _store(self, *messages: tuple[str, bytes, str]) -> None:
        """Store messages of these subjects, contents and headers; they leave one behind the other, in their order."""

        async def store() -> None:
            stored = [await self._requests.ask(*message) for message in messages]
            for answer in await asyncio.gather(*stored) if len(stored) > 1 else [await stored[0]]:
                reply(answer)

        if messages:
            await self._insist(store)

    async def _ask(self, subject: str, about: dict[str, Any]) -> dict[str, Any]:
        """What the leader of a cluster knows: another might know only what was there before."""

        async def ask() -> dict[str, Any]:
            return reply(await (await self._requests.ask(subject, orjson.dumps(about))))

        return await self._insist(ask)

    async def _last(self, stream: str, subject: str) -> dict[str, Any] | None:
        """The newest message of a subject, as JSON has it."""
        try:
            answer = await self._ask(f"$JS.API.STREAM.MSG.GET.{stream}", {"last_by_subj": subject})
        except NotFoundError:
            return None
        message: dict[str, Any] = answer["message"]
        return message

    async def _next(self, stream: str, sequence: int, subject: str = ">") -> api.RawStreamMsg | None:
        """The first message at that place or behind it."""
        try:
            return await self._administer(
                lambda: self._jetstream.get_msg(stream, sequence, subject=subject, direct=True, next=True)
            )
        except NotFoundError:
            return None

    async def _remove(self, stream: str, sequence: int) -> None:
        """One message; that it is gone already is as good."""
        try:
            await self._administer(lambda: self._jetstream.delete_msg(stream, sequence))
        except APIError as error:
            if error.err_code not in NO_MESSAGE:
                raise


def _secret(servers: list[str]) -> dict[str, Any]:
    """What lets us in, as the first address that has it says: servers that a cluster tells of come without it."""
    for server in map(urlsplit, servers):
        if server.username and server.password is None:
            return {"token": unquote(server.username)}
        if server.username:
            user = unquote(server.username)
            # An inbox of the user's own: the server can keep others from listening.
            inbox = {"inbox_prefix": f"_INBOX_{user}"} if NAME.fullmatch(user) else {}
            return {"user": user, "password": unquote(str(server.password)), **inbox}
    return {}
