"""The bus itself: sending, following, keeping, and finding its way back to a server that was away."""

from __future__ import annotations

import asyncio
import hashlib
import re
import time
from base64 import b64decode
from collections import Counter
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from datetime import UTC, datetime
from functools import partial
from typing import Any, Literal, TypeVar, get_args
from urllib.parse import unquote, urlsplit

import nats
import nats.errors
import orjson
import structlog
from nats.aio.msg import Msg
from nats.aio.subscription import Subscription as Calls
from nats.js import JetStreamContext, api
from nats.js.errors import APIError, NoStreamResponseError, NotFoundError, ServiceUnavailableError
from pydantic import ValidationError

from ...errors import ServerFull
from ...events import Envelope, Service
from ...model.base import Ref
from ...settings import BusSettings
from ..base import (
    NAME,
    VERSION,
    Conflict,
    DeadLetter,
    Delivery,
    Delta,
    Queue,
    Replica,
    command_subject,
    event_subject,
    message_gone,
    no_such_letter,
    served_by,
    subject_of,
    valid_name,
)
from .cache import ObjectCache
from .headers import after as after_revision
from .headers import headers, known_by
from .puller import EXPIRES, PAUSE, JetStreamDelivery, Puller
from .requests import ANSWER, Requests, reply
from .sentences import away, no_server, not_let_in, silent, too_large, too_many_copies
from .streams import STATES, streams
from .wire import Message, Origin, Wire

log = structlog.get_logger(__name__)
T = TypeVar("T")

CHUNK = 512 * 1024
"""Bytes of an object in one message: under every server's limit, and quicker than larger ones."""
CHUNKS_AT_ONCE = 8
AHEAD = 64
"""Events of a session that a follower asks for at a time."""
CONNECT = 10.0
"""Seconds until a server that never answered counts as not there."""
DAY = 24 * 60 * 60.0
NOT_THE_LAST = 10071
KEY = re.compile(r"[0-9a-f]{64}")
WRONG_CONFIG = 10058
NO_CLUSTER, NO_PEERS = 10074, 10005
NO_MESSAGE = (10057, 10043)
NO_ROOM = (10002, 10023, 10047, 10077)
"""An account's, a server's, a disk's or a stream's limit of what is stored."""
NOT_ALLOWED = ("authorization violation", "permissions violation")
"""The server's words for somebody that it does not know, and for one who may less than a service has to."""
DEAD = "dead."
"""Before the subject of what a worker gave up."""
ROLL = f"roll.{VERSION}"

AWAY = (
    TimeoutError,
    nats.errors.NoRespondersError,
    nats.errors.OutboundBufferLimitError,
    nats.errors.ConnectionReconnectingError,
    NoStreamResponseError,
    ServiceUnavailableError,
)
"""What a request meets while the server is away or coming back."""


class NatsBus:
    """See ``base.Bus``. Made by ``await NatsBus.connect(url)``."""

    def __init__(self, settings: BusSettings) -> None:
        self._settings = settings
        self._client = Wire()
        self._jetstream: JetStreamContext = self._client.jetstream()
        self._requests = Requests(self._client, min(ANSWER, settings.patience))
        self._ready = asyncio.Event()
        self._closing = False
        self._too_few = False  # servers for the copies that are wanted
        self._refused = False  # by what NATS_URL says of user and password
        self._recovery: asyncio.Task[None] | None = None
        self._asking: set[asyncio.Timeout] = set()
        self._pullers: set[Puller] = set()
        self._cache = ObjectCache(settings.object_cache)

    @classmethod
    async def connect(cls, url: str, settings: BusSettings | None = None) -> NatsBus:
        """To a server, or to any of a cluster's, whose addresses are separated by commas.

        Raises ``MissingPart`` when none with JetStream answers there, ``BadInput`` when it lets us not in or has fewer
        members than it is to keep copies.
        """
        bus = cls(settings or BusSettings())
        servers = [server.strip() for server in url.split(",")]
        cluster = len(servers) > 1 or bus._settings.replicas > 1
        try:
            async with asyncio.timeout(bus._settings.patience if cluster else min(bus._settings.patience, CONNECT)):
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

    async def send(self, command: Envelope) -> None:
        await self._store((command_subject(command), _encode(command), headers(command)))

    async def publish(self, *messages: Envelope) -> None:
        await self._store(*((subject_of(message), _encode(message), headers(message)) for message in messages))

    async def work(
        self, service: str, handle: Callable[[Delivery], Awaitable[None]], *, concurrency: int = 1
    ) -> Puller:
        return await self._consume("CMD", valid_name(service), f"cmd.{VERSION}.{service}.*", handle, concurrency)

    async def listen(
        self, durable: str, handle: Callable[[Delivery], Awaitable[None]], *, concurrency: int = 16
    ) -> Puller:
        return await self._consume("EVT", valid_name(durable), f"evt.{VERSION}.*.work.*", handle, concurrency)

    async def follow(self, session: str, *, start: int = 1, after: int = 0) -> AsyncGenerator[Envelope]:
        subject = f"evt.{VERSION}.{valid_name(session)}.*.*"
        last = after
        arrived: asyncio.Queue[Message | None] = asyncio.Queue()

        async def take(message: Message) -> None:
            arrived.put_nowait(message)

        async def declare() -> str:
            """A passing consumer from where we are; the one before, if any, ends by itself."""
            config = api.ConsumerConfig(
                filter_subject=subject,
                deliver_policy=api.DeliverPolicy.BY_START_SEQUENCE,
                opt_start_seq=last + 1,
                ack_policy=api.AckPolicy.NONE,
                inactive_threshold=2 * EXPIRES,
                mem_storage=True,
            )
            return (await self._jetstream.add_consumer("EVT", config)).name

        puller = await self._pull("EVT", declare, take, AHEAD, on_stop=lambda: arrived.put_nowait(None))
        try:
            while (message := await arrived.get()) is not None:
                sequence = Origin.of(message.reply).sequence
                if sequence <= last:
                    continue
                last = sequence
                start -= 1
                if start <= 0:
                    yield Envelope.model_validate_json(message.data)
        finally:
            await puller.stop()

    async def place(self) -> int:
        return (await self._administer(lambda: self._jetstream.stream_info("EVT"))).state.last_seq

    async def is_newest(self, event: Envelope) -> bool:
        message = await self._last("EVT", event_subject(event))
        return message is not None and Envelope.model_validate_json(b64decode(message["data"])).id == event.id

    async def speak(self, delta: Delta) -> None:
        subject = f"tok.{valid_name(delta.session)}"
        with suppress(nats.errors.Error):
            await self._client.publish(subject, delta.model_dump_json().encode())

    async def hear(self, session: str) -> AsyncGenerator[Delta]:
        ear = await self._client.subscribe(f"tok.{valid_name(session)}")
        try:
            async for message in ear.messages:
                yield Delta.model_validate_json(message.data)
        finally:
            with suppress(nats.errors.Error):
                await ear.unsubscribe()

    async def forget(self, session: str) -> None:
        # One by one: of what is purged by its subject, nats-server 2.9 thinks that it still takes room.
        subject = f"evt.{VERSION}.{valid_name(session)}.*.*"
        while (message := await self._next("EVT", 1, subject)) is not None:
            await self._remove("EVT", message.seq or 0)

    async def put(self, data: bytes, media: str) -> Ref:
        key = hashlib.sha256(data).hexdigest()
        for number, begin in enumerate(range(0, max(len(data), 1), CHUNK)):
            name = f"{key}.{number}"
            await self._store((f"obj.{name}", data[begin : begin + CHUNK], known_by(name)))
        self._cache.put(key, data)
        return Ref(key=key, media=media, size=len(data))

    async def get(self, ref: Ref) -> bytes:
        if not KEY.fullmatch(ref.key):
            raise KeyError(ref.key)
        if (known := self._cache.get(ref.key)) is not None:
            return known
        numbers = range(max(-(-ref.size // CHUNK), 1))
        chunks: list[bytes] = []
        for begin in numbers[::CHUNKS_AT_ONCE]:
            some = numbers[begin : begin + CHUNKS_AT_ONCE]
            chunks += await asyncio.gather(*(self._chunk(ref.key, number) for number in some))
        data = b"".join(chunks)
        if hashlib.sha256(data).hexdigest() != ref.key:
            raise KeyError(ref.key)
        self._cache.put(ref.key, data)
        return data

    async def read_state(self, key: str) -> tuple[bytes, int] | None:
        if (message := await self._last(f"KV_{STATES}", f"$KV.{STATES}.{valid_name(key)}")) is None:
            return None
        if b"KV-Operation" in b64decode(message.get("hdrs", "")):  # a mark that it was deleted, by another program
            return None
        return b64decode(message.get("data", "")), int(message["seq"])

    async def write_state(self, key: str, value: bytes, revision: int | None) -> int:
        valid_name(key)
        tries = 0

        async def write() -> int:
            nonlocal tries
            tries += 1
            written = await self._requests.ask(f"$KV.{STATES}.{key}", value, after_revision(revision or 0))
            return int(reply(await written)["seq"])

        try:
            return await self._insist(write)
        except APIError as error:
            if error.err_code != NOT_THE_LAST:
                raise
            # An earlier try may have been stored and only its answer lost: then the change in our way is our own.
            if tries > 1 and (newest := await self.read_state(key)) is not None and newest[0] == value:
                return newest[1]
            raise Conflict(key) from error

    async def states(self, prefix: str) -> list[str]:
        # One answer holds up to 100,000 keys.
        info = await self._administer(
            lambda: self._jetstream.stream_info(f"KV_{STATES}", subjects_filter=f"$KV.{STATES}.>")
        )
        keys = [subject.removeprefix(f"$KV.{STATES}.") for subject in info.state.subjects or {}]
        return sorted(key for key in keys if key.startswith(prefix))

    async def delete_state(self, key: str) -> None:
        subject, tried = f"$KV.{STATES}.{valid_name(key)}", 0
        while (stored := await self.read_state(key)) is not None:
            if stored[1] != tried:
                await self._remove(f"KV_{STATES}", tried := stored[1])
            else:  # a bucket that an older version made lets nothing be removed one by one
                await self._administer(lambda: self._jetstream.purge_stream(f"KV_{STATES}", subject=subject))

    async def dead(self) -> list[DeadLetter]:
        return sorted((letter for letter, _ in (await self._letters()).values()), key=lambda letter: letter.time)

    async def dead_counts(self) -> dict[str, int]:
        info = await self._administer(lambda: self._jetstream.stream_info("DEAD", subjects_filter=">"))
        counts: Counter[str] = Counter()
        for subject, count in (info.state.subjects or {}).items():
            # An advisory's last token is the consumer, which has the service's name.
            given_up = subject.startswith(DEAD)
            counts[served_by(subject.removeprefix(DEAD)) if given_up else subject.rpartition(".")[2]] += count
        return dict(counts)

    async def replay(self, *names: str) -> list[DeadLetter]:
        known = await self._letters()
        if not known.keys() >= set(names):
            raise no_such_letter()
        chosen = {name: known[name] for name in names}
        if not all(letter.subject for letter, _ in chosen.values()):
            raise message_gone()
        for name, (letter, places) in chosen.items():
            # A new id: the one it had may still be remembered. It is the same for whoever replays this letter with us.
            await self._store((letter.subject, letter.data, known_by(f"{name}.replay")))
            stream, _, sequence = name.partition(".")
            await self._remove(stream, int(sequence))  # what was delivered too often still lies where it was
            for place in places:
                await self._remove("DEAD", place)
        return [letter for letter, _ in chosen.values()]

    async def queues(self) -> list[Queue]:
        of = [*((service, "CMD") for service in get_args(Service)), ("gateway", "EVT")]
        return [queue for queue in await asyncio.gather(*(self._queue(*one) for one in of)) if queue]

    async def attend(self, say: Callable[[], Replica]) -> Attendance:
        async def answer(call: Msg) -> None:
            await call.respond(say().model_dump_json().encode())

        calls = await self._client.subscribe(ROLL, cb=answer)
        await self._administer(self._client.flush)  # the server knows of it
        return Attendance(calls)

    async def roll(self, wait: float = 0.3) -> list[Replica]:
        present: list[Replica] = []
        nobody = asyncio.Event()

        async def hear(message: Msg) -> None:
            if message.data:
                present.append(Replica.model_validate_json(message.data))
            else:  # the server itself: there is no one to ask
                nobody.set()

        inbox = self._client.new_inbox()
        answers = await self._client.subscribe(inbox, cb=hear)
        try:
            await self._client.publish(ROLL, reply=inbox)
            with suppress(TimeoutError):
                async with asyncio.timeout(wait):
                    await nobody.wait()
        finally:
            with suppress(nats.errors.Error):
                await answers.unsubscribe()
        return sorted(present, key=lambda replica: (replica.service, replica.name))

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

    # --- the connection ---

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
        settings = self._settings
        for config in streams(settings.keep_days * DAY, settings.keep_files_days * DAY, settings.replicas):
            try:
                await self._jetstream.add_stream(config)
            except APIError as error:
                if error.err_code != WRONG_CONFIG:
                    raise
                there = (await self._jetstream.stream_info(str(config.name))).config
                # Who asks for fewer copies than there are takes none away: others rely on them.
                copies = max(there.num_replicas or 1, settings.replicas)
                # What was refused once is refused for ever.
                await self._jetstream.update_stream(
                    config.evolve(num_replicas=copies, deny_delete=bool(there.deny_delete))
                )

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
            left = begun + self._settings.patience - time.monotonic()
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

    # --- reading ---

    async def _consume(
        self,
        stream: str,
        durable: str,
        subject: str,
        handle: Callable[[Delivery], Awaitable[None]],
        concurrency: int,
    ) -> Puller:
        config = api.ConsumerConfig(
            durable_name=durable,
            filter_subject=subject,
            ack_policy=api.AckPolicy.EXPLICIT,
            ack_wait=self._settings.ack_wait,
            max_deliver=self._settings.most_deliveries,
        )

        async def declare() -> str:
            return (await self._jetstream.add_consumer(stream, config)).name

        return await self._pull(
            stream, declare, lambda message: handle(JetStreamDelivery(self._client, message, self._bury)), concurrency
        )

    async def _pull(
        self,
        stream: str,
        declare: Callable[[], Awaitable[str]],
        handle: Callable[[Message], Awaitable[None]],
        concurrency: int,
        on_stop: Callable[[], None] = lambda: None,
    ) -> Puller:
        def stopped() -> None:
            self._pullers.discard(puller)
            on_stop()

        puller = Puller(self._client, stream, declare, handle, concurrency, self._ready, self._settings.drain, stopped)
        self._pullers.add(puller)
        await self._administer(puller.start)
        return puller

    async def _chunk(self, key: str, number: int) -> bytes:
        for direct in (True, False):  # any of a cluster; then its leader, who knows what has just been put
            get = partial(self._jetstream.get_last_msg, "OBJ", f"obj.{key}.{number}", direct=direct)
            with suppress(NotFoundError):
                return (await self._administer(get)).data or b""
        raise KeyError(key)

    async def _last(self, stream: str, subject: str) -> dict[str, Any] | None:
        wanted = orjson.dumps({"last_by_subj": subject})

        async def read() -> dict[str, Any]:
            # The leader is asked: another of a cluster might know only what was there before.
            return reply(await (await self._requests.ask(f"$JS.API.STREAM.MSG.GET.{stream}", wanted)))

        try:
            message: dict[str, Any] = (await self._insist(read))["message"]
        except NotFoundError:
            return None
        return message

    async def _next(self, stream: str, sequence: int, subject: str = ">") -> api.RawStreamMsg | None:
        try:
            return await self._administer(
                lambda: self._jetstream.get_msg(stream, sequence, subject=subject, direct=True, next=True)
            )
        except NotFoundError:
            return None

    # --- dead letters ---

    async def _bury(self, message: Message, reason: str) -> None:
        origin = Origin.of(message.reply)
        name = _name(origin.stream, origin.sequence)
        letter = DeadLetter(
            name=name,
            subject=message.subject,
            data=message.data,
            reason=reason,
            deliveries=origin.deliveries,
            time=datetime.now(UTC),
        )
        await self._store((f"{DEAD}{message.subject}", letter.model_dump_json().encode(), known_by(name)))

    async def _letters(self) -> dict[str, tuple[DeadLetter, list[int]]]:
        """By name, each with the places it has in the stream of dead letters."""
        found: dict[str, tuple[DeadLetter, list[int]]] = {}
        sequence = 0
        while (message := await self._next("DEAD", sequence + 1)) is not None:
            sequence = message.seq or 0
            data = message.data or b""
            if (message.subject or "").startswith(DEAD):  # what a worker gave up; it knows the reason
                try:
                    letter = DeadLetter.model_validate_json(data)
                except ValidationError:  # of another program
                    continue
                _, places = found.get(letter.name, (letter, []))
            else:  # what the server has to say about the message
                advisory = orjson.loads(data)
                name = _name(advisory["stream"], advisory["stream_seq"])
                letter, places = found.get(name) or (await self._advised(name, advisory), [])
            found[letter.name] = letter, [*places, sequence]
        return found

    async def _advised(self, name: str, advisory: dict[str, Any]) -> DeadLetter:
        try:
            original = await self._administer(
                lambda: self._jetstream.get_msg(advisory["stream"], advisory["stream_seq"])
            )
        except NotFoundError:
            original = api.RawStreamMsg(subject="")
        return DeadLetter(
            name=name,
            subject=original.subject or "",
            data=original.data or b"",
            reason="delivered too often",
            deliveries=advisory["deliveries"],
            time=advisory["timestamp"],
        )

    async def _remove(self, stream: str, sequence: int) -> None:
        """One message; that it is gone already is as good."""
        try:
            await self._administer(lambda: self._jetstream.delete_msg(stream, sequence))
        except APIError as error:
            if error.err_code not in NO_MESSAGE:
                raise

    async def _queue(self, service: str, stream: str) -> Queue | None:
        """None: nobody was ever at work on it, and nothing waits."""
        holds: Literal["commands", "answers"] = "commands" if stream == "CMD" else "answers"
        try:
            info = await self._administer(lambda: self._jetstream.consumer_info(stream, service))
        except NotFoundError:
            waiting = await self._stored_for(service) if holds == "commands" else 0
            return Queue(service=service, holds=holds, waiting=waiting, in_hand=0, redelivered=0) if waiting else None
        return Queue(
            service=service,
            holds=holds,
            waiting=info.num_pending or 0,
            in_hand=info.num_ack_pending or 0,
            redelivered=min(info.num_redelivered or 0, info.num_ack_pending or 0),  # the server counts dead letters in
        )

    async def _stored_for(self, service: str) -> int:
        """Commands of a service that no one has begun to work for."""
        subjects = f"cmd.{VERSION}.{service}.*"
        info = await self._administer(lambda: self._jetstream.stream_info("CMD", subjects_filter=subjects))
        return sum((info.state.subjects or {}).values())


class Attendance:
    """See ``base.Subscription``."""

    def __init__(self, calls: Calls) -> None:
        self._calls = calls

    async def stop(self) -> None:
        with suppress(nats.errors.Error):
            await self._calls.unsubscribe()


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


def _name(stream: str, sequence: int) -> str:
    """What tells one dead letter from another."""
    return f"{stream}.{sequence}"


def _encode(envelope: Envelope) -> bytes:
    return envelope.model_dump_json().encode()
