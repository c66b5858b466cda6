"""The bus itself: sending, working, following, keeping, and who is there to do it."""

from __future__ import annotations

import asyncio
import hashlib
import re
from base64 import b64decode
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import suppress
from datetime import UTC, datetime
from functools import partial
from math import inf
from typing import Literal, TypeVar, get_args

import nats
import nats.errors
import structlog
from nats.aio.msg import Msg
from nats.aio.subscription import Subscription as Calls
from nats.js import api
from nats.js.errors import APIError, NotFoundError
from pydantic import ValidationError

from ...events import Envelope, Service
from ...model.base import Ref, Value
from ...settings import BusSettings
from ..base import (
    KEY,
    MAX_PENDING_DELTAS,
    VERSION,
    Conflict,
    Delivery,
    Delta,
    Queue,
    Replica,
    command_subject,
    event_subject,
    subject_of,
    valid_name,
)
from .cache import ObjectCache
from .dead_letters import Letters
from .fast_client import Message, Origin
from .headers import after as after_revision
from .headers import headers, known_by
from .puller import EXPIRES, JetStreamDelivery, Puller
from .requests import reply
from .streams import STATES

log = structlog.get_logger(__name__)
V = TypeVar("V", bound=Value)

CHUNK = 512 * 1024
"""Bytes of an object in one message: under every server's limit, and quicker than larger ones."""
CHUNKS_AT_ONCE = 8
AHEAD = 64
"""Events of a session that a follower has at hand at most, read or not."""
MAX_PENDING_DELTA_BYTES = 4 * 1024 * 1024
"""Of pieces of replies that are kept for one who does not read."""
NOT_THE_LAST = 10071
OBJECT = re.compile(r"[0-9a-f]{64}")
ROLL = f"roll.{VERSION}"


class NatsBus(Letters):
    """See ``base.Bus``. Made by ``await NatsBus.connect(url)``."""

    def __init__(self, settings: BusSettings) -> None:
        super().__init__(settings)
        self._cache = ObjectCache(settings.object_cache)

    async def send(self, command: Envelope) -> None:
        await self._store((command_subject(command), _encode(command), headers(command)))

    async def publish(self, *messages: Envelope) -> None:
        await self._store(*((subject_of(message), _encode(message), headers(message)) for message in messages))

    async def consume_commands(
        self, service: str, handle: Callable[[Delivery], Awaitable[None]], *, concurrency: int = 1
    ) -> Puller:
        return await self._consume("CMD", valid_name(service), f"cmd.{VERSION}.{service}.*", handle, concurrency)

    async def consume_answers(
        self, durable: str, handle: Callable[[Delivery], Awaitable[None]], *, concurrency: int = 16
    ) -> Puller:
        return await self._consume("EVT", valid_name(durable), f"evt.{VERSION}.*.work.*", handle, concurrency)

    async def follow(self, session: str, *, start: int = 1, after: int = 0) -> AsyncGenerator[Envelope]:
        subject = f"evt.{VERSION}.{valid_name(session)}.*.*"
        last = after
        arrived: asyncio.Queue[tuple[Message, asyncio.Future[None]] | None] = asyncio.Queue()

        async def take(message: Message) -> None:
            """In hand until it is read: no more are asked for meanwhile."""
            read: asyncio.Future[None] = asyncio.get_running_loop().create_future()
            arrived.put_nowait((message, read))
            with suppress(asyncio.CancelledError):  # we stop; nobody else could be handed it
                await read

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

        # Who stops following waits for nothing to be read.
        puller = await self._pull("EVT", declare, take, AHEAD, drain=0, on_stop=lambda: arrived.put_nowait(None))
        try:
            while (one := await arrived.get()) is not None:
                message, read = one
                if not read.done():  # we stopped meanwhile
                    read.set_result(None)
                sequence = Origin.of(message.reply).sequence
                if sequence <= last:
                    continue
                last = sequence
                start -= 1
                if start <= 0 and (event := _ours(Envelope, message.data)):
                    yield event
        finally:
            await puller.stop()
            with suppress(nats.errors.Error):  # the server would keep its consumer for a minute, at 20 kB each
                await self._requests.ask(f"$JS.API.CONSUMER.DELETE.EVT.{puller.consumer}")

    async def last_sequence(self) -> int:
        return (await self._administer(lambda: self._jetstream.stream_info("EVT"))).state.last_seq

    async def is_newest(self, event: Envelope) -> bool:
        message = await self._last("EVT", event_subject(event))
        if message is not None and Envelope.model_validate_json(b64decode(message["data"])).id == event.id:
            return True
        kept = (await self._administer(lambda: self._jetstream.stream_info("EVT"))).config.max_age or inf
        return (datetime.now(UTC) - event.time).total_seconds() > kept

    async def publish_delta(self, delta: Delta) -> None:
        subject = f"tok.{valid_name(delta.session)}"
        with suppress(nats.errors.Error):
            await self._client.publish(subject, delta.model_dump_json().encode())

    async def subscribe_deltas(self, session: str) -> AsyncGenerator[Delta]:
        ear = await self._client.subscribe(
            f"tok.{valid_name(session)}",
            pending_msgs_limit=MAX_PENDING_DELTAS,
            pending_bytes_limit=MAX_PENDING_DELTA_BYTES,
        )
        try:
            async for message in ear.messages:
                if delta := _ours(Delta, message.data):
                    yield delta
        finally:
            with suppress(nats.errors.Error):
                await ear.unsubscribe()

    async def delete_events(self, session: str) -> None:
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
        if not OBJECT.fullmatch(ref.key):
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
        if (message := await self._last(f"KV_{STATES}", f"$KV.{STATES}.{valid_name(key, KEY)}")) is None:
            return None
        if b"KV-Operation" in b64decode(message.get("hdrs", "")):  # a mark that it was deleted, by another program
            return None
        return b64decode(message.get("data", "")), int(message["seq"])

    async def write_state(self, key: str, value: bytes, revision: int | None) -> int:
        valid_name(key, KEY)
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

    async def state_keys(self, prefix: str) -> list[str]:
        # One answer holds up to 100,000 keys.
        info = await self._administer(
            lambda: self._jetstream.stream_info(f"KV_{STATES}", subjects_filter=f"$KV.{STATES}.>")
        )
        keys = [subject.removeprefix(f"$KV.{STATES}.") for subject in info.state.subjects or {}]
        return sorted(key for key in keys if key.startswith(prefix))

    async def delete_state(self, key: str) -> bytes | None:
        subject, tried = f"$KV.{STATES}.{valid_name(key, KEY)}", 0
        removed: bytes | None = None
        # One that was changed meanwhile is not removed unseen.
        while (stored := await self.read_state(key)) is not None:
            removed = stored[0]
            if stored[1] != tried:
                await self._remove(f"KV_{STATES}", tried := stored[1])
            else:  # a bucket that an older version made lets nothing be removed one by one
                purge = partial(self._jetstream.purge_stream, f"KV_{STATES}", seq=tried + 1, subject=subject)
                await self._administer(purge)
        return removed

    async def queues(self) -> list[Queue]:
        of = [*((service, "CMD") for service in get_args(Service)), ("gateway", "EVT")]
        return [queue for queue in await asyncio.gather(*(self._queue(*one) for one in of)) if queue]

    async def register(self, describe: Callable[[], Replica]) -> Registration:
        async def answer(call: Msg) -> None:
            await call.respond(describe().model_dump_json(by_alias=True).encode())

        calls = await self._client.subscribe(ROLL, cb=answer)
        await self._administer(self._client.flush)  # the server knows of it
        return Registration(calls)

    async def replicas(self, wait: float = 0.3) -> list[Replica]:
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
            max_deliver=self._settings.delivery_limit,
        )

        async def declare() -> str:
            return (await self._jetstream.add_consumer(stream, config)).name

        async def take(message: Message) -> None:
            await handle(JetStreamDelivery(self._client, message, self._bury))

        return await self._pull(stream, declare, take, concurrency, self._settings.drain_timeout)

    async def _pull(
        self,
        stream: str,
        declare: Callable[[], Awaitable[str]],
        handle: Callable[[Message], Awaitable[None]],
        concurrency: int,
        drain: float,
        on_stop: Callable[[], None] = lambda: None,
    ) -> Puller:
        def stopped() -> None:
            self._pullers.discard(puller)
            on_stop()

        async def declared() -> str:
            async with self._while_connected():
                return await declare()

        puller = Puller(self._client, stream, declared, handle, concurrency, self._ready, drain, stopped)
        self._pullers.add(puller)
        try:
            await self._administer(puller.start)
        except BaseException:
            await puller.stop()
            raise
        return puller

    async def _chunk(self, key: str, number: int) -> bytes:
        for direct in (True, False):  # any of a cluster; then its leader, who knows what has just been put
            get = partial(self._jetstream.get_last_msg, "OBJ", f"obj.{key}.{number}", direct=direct)
            with suppress(NotFoundError):
                return (await self._administer(get)).data or b""
        raise KeyError(key)

    # --- queues ---

    async def _queue(self, service: str, stream: str) -> Queue | None:
        """None: nobody was ever at work on it, and nothing waits."""
        holds: Literal["commands", "answers"] = "commands" if stream == "CMD" else "answers"
        try:
            info = await self._administer(lambda: self._jetstream.consumer_info(stream, service))
        except NotFoundError:
            waiting = await self._stored_for(service) if holds == "commands" else 0
            return Queue(service=service, holds=holds, waiting=waiting, in_flight=0, redelivered=0) if waiting else None
        return Queue(
            service=service,
            holds=holds,
            waiting=info.num_pending or 0,
            in_flight=info.num_ack_pending or 0,
            redelivered=min(info.num_redelivered or 0, info.num_ack_pending or 0),  # the server counts dead letters in
        )

    async def _stored_for(self, service: str) -> int:
        """Commands of a service that no one has begun to work for."""
        subjects = f"cmd.{VERSION}.{service}.*"
        info = await self._administer(lambda: self._jetstream.stream_info("CMD", subjects_filter=subjects))
        return sum((info.state.subjects or {}).values())


class Registration:
    """See ``base.Subscription``."""

    def __init__(self, calls: Calls) -> None:
        self._calls = calls

    async def stop(self) -> None:
        with suppress(nats.errors.Error):
            await self._calls.unsubscribe()


def _encode(envelope: Envelope) -> bytes:
    return envelope.model_dump_json().encode()


def _ours(sort: type[V], data: bytes) -> V | None:
    """None: another program put it there, who writes as it likes."""
    try:
        return sort.model_validate_json(data)
    except ValidationError:
        log.warning("bus.foreign", size=len(data))
        return None
