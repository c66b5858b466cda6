"""The bus on NATS: publishing, consuming, following, storing, and the registry of replicas."""

from __future__ import annotations

import asyncio
import hashlib
import secrets
from base64 import b64decode
from collections.abc import AsyncGenerator, Awaitable, Callable, Iterable
from contextlib import suppress
from datetime import UTC, datetime
from functools import partial
from itertools import count
from math import inf
from typing import Literal, TypeVar, get_args

import nats
import nats.errors
import structlog
from nats.aio.msg import Msg
from nats.aio.subscription import Subscription as NatsSubscription
from nats.js import api
from nats.js.errors import APIError, NotFoundError
from pydantic import ValidationError

from ...events import Envelope, Service
from ...model.base import Ref, Value
from ...settings import BusSettings
from ..base import (
    KEY,
    MAX_PENDING_DELTAS,
    OBJECT_KEY,
    VERSION,
    Conflict,
    Delivery,
    Delta,
    LoggedEvent,
    Queue,
    Replica,
    command_subject,
    event_subject,
    objects_named_in,
    subject_of,
    valid_name,
)
from .cache import ObjectCache
from .dead_letters import DeadLetters
from .fast_client import AckSubject, RawMessage
from .headers import deduplicated_by, expecting_revision, headers
from .puller import PULL_EXPIRES_S, JetStreamDelivery, Puller
from .requests import decode_response
from .streams import STATES

log = structlog.get_logger(__name__)
V = TypeVar("V", bound=Value)

CHUNK_BYTES = 512 * 1024
"""Size of an object's chunks: below every server's message limit, and faster than larger ones."""
MAX_CONCURRENT_CHUNKS = 8
MAX_PREFETCHED_EVENTS = 64
"""Maximum number of events that a follower prefetches."""
MAX_PENDING_DELTA_BYTES = 4 * 1024 * 1024
"""Maximum size of the reply deltas buffered for a slow subscriber."""
WRONG_LAST_SEQUENCE = 10071
REGISTRY_SUBJECT = f"roll.{VERSION}"


class NatsBus(DeadLetters):
    """See ``base.Bus``. Created by ``await NatsBus.connect(url)``."""

    def __init__(self, settings: BusSettings) -> None:
        super().__init__(settings)
        self._cache = ObjectCache(settings.object_cache)

    async def send(self, command: Envelope) -> None:
        await self._store(self._message(command_subject(command), command))

    async def publish(self, *messages: Envelope) -> None:
        await self._store(*(self._message(subject_of(message), message) for message in messages))

    async def consume_commands(
        self, service: str, handle: Callable[[Delivery], Awaitable[None]], *, concurrency: int = 1
    ) -> Puller:
        return await self._consume("CMD", valid_name(service), f"cmd.{VERSION}.{service}.*", handle, concurrency)

    async def consume_answers(
        self, durable: str, handle: Callable[[Delivery], Awaitable[None]], *, concurrency: int = 16
    ) -> Puller:
        return await self._consume("EVT", valid_name(durable), f"evt.{VERSION}.*.work.*", handle, concurrency)

    async def follow(self, session: str, *, start: int = 1, after: int = 0) -> AsyncGenerator[Envelope]:
        async for _, event in self._entries(f"evt.{VERSION}.{valid_name(session)}.*.*", after):
            start -= 1
            if start <= 0:
                yield event

    async def turn_events(self, after: int) -> AsyncGenerator[LoggedEvent]:
        async for entry in self._entries(f"evt.{VERSION}.*.turn.*", after):
            yield entry

    async def _entries(self, subject: str, after: int) -> AsyncGenerator[LoggedEvent]:
        """Yield the log's events of a subject after a sequence number, then new ones until the bus is closed."""
        last = after
        arrived: asyncio.Queue[tuple[RawMessage, asyncio.Future[None]] | None] = asyncio.Queue()

        async def take(message: RawMessage) -> None:
            """Stay in flight until the message is read, which limits prefetching."""
            read: asyncio.Future[None] = asyncio.get_running_loop().create_future()
            arrived.put_nowait((message, read))
            with suppress(asyncio.CancelledError):  # stopping; there is no other consumer to hand it to
                await read

        async def declare() -> str:
            """Create an ephemeral consumer that continues after `last`; an earlier one expires by itself."""
            return (await self._jetstream.add_consumer("EVT", _follower(subject, last + 1))).name

        puller = await self._pull(
            "EVT", declare, take, MAX_PREFETCHED_EVENTS, drain_timeout=0, on_stop=lambda: arrived.put_nowait(None)
        )
        try:
            while (entry := await arrived.get()) is not None:
                message, read = entry
                if not read.done():  # done already if it was stopped meanwhile
                    read.set_result(None)
                sequence = AckSubject.of(message.reply).sequence
                if sequence <= last:
                    continue
                last = sequence
                if event := _parse(Envelope, message.data):
                    yield LoggedEvent(sequence, event)
        finally:
            await puller.stop()
            with suppress(nats.errors.Error):  # otherwise the server keeps the consumer for a minute, 20 kB each
                await self._requests.send(f"$JS.API.CONSUMER.DELETE.EVT.{puller.consumer}")

    async def read_turn_events(self, session: str, *, after: int, limit: int) -> list[LoggedEvent]:
        subject = f"evt.{VERSION}.{valid_name(session)}.turn.*"
        found: list[LoggedEvent] = []
        while len(found) < limit and (message := await self._next("EVT", after + 1, subject)) is not None:
            after = message.seq or 0
            if event := _parse(Envelope, message.data or b""):
                found.append(LoggedEvent(after, event))
        return found

    async def log_name(self) -> str:
        info = await self._call_api(lambda: self._jetstream.stream_info("EVT"))
        created = info.created
        return hashlib.sha256(str(created).encode()).hexdigest()[:8]

    async def last_sequence(self) -> int:
        return (await self._call_api(lambda: self._jetstream.stream_info("EVT"))).state.last_seq

    async def is_newest(self, event: Envelope) -> bool:
        message = await self._last("EVT", event_subject(event))
        if message is not None and Envelope.model_validate_json(b64decode(message["data"])).id == event.id:
            return True
        max_age = (await self._call_api(lambda: self._jetstream.stream_info("EVT"))).config.max_age or inf
        return (datetime.now(UTC) - event.time).total_seconds() > max_age

    async def publish_delta(self, delta: Delta) -> None:
        subject = f"tok.{valid_name(delta.session)}"
        with suppress(nats.errors.Error):
            await self._client.publish(subject, delta.model_dump_json().encode())

    async def subscribe_deltas(self, session: str) -> AsyncGenerator[Delta]:
        subscription = await self._client.subscribe(
            f"tok.{valid_name(session)}",
            pending_msgs_limit=MAX_PENDING_DELTAS,
            pending_bytes_limit=MAX_PENDING_DELTA_BYTES,
        )
        try:
            async for message in subscription.messages:
                if delta := _parse(Delta, message.data):
                    yield delta
        finally:
            with suppress(nats.errors.Error):
                await subscription.unsubscribe()

    async def delete_events(self, session: str) -> set[str]:
        # One by one, because nats-server 2.9 does not release the space of messages purged by subject.
        subject = f"evt.{VERSION}.{valid_name(session)}.*.*"
        keys = set[str]()
        while (message := await self._next("EVT", 1, subject)) is not None:
            keys |= objects_named_in(message.data or b"")
            await self._remove("EVT", message.seq or 0)
        return keys

    async def put(self, data: bytes, media: str) -> Ref:
        key = hashlib.sha256(data).hexdigest()
        for number, start in enumerate(range(0, max(len(data), 1), CHUNK_BYTES)):
            await self._put_chunk(f"{key}.{number}", data[start : start + CHUNK_BYTES])
        self._cache.put(key, data)
        return Ref(key=key, media=media, size=len(data))

    async def get(self, ref: Ref) -> bytes:
        if not OBJECT_KEY.fullmatch(ref.key):
            raise KeyError(ref.key)
        if (known := self._cache.get(ref.key)) is not None:
            return known
        numbers = range(max(-(-ref.size // CHUNK_BYTES), 1))
        chunks: list[bytes] = []
        for start in numbers[::MAX_CONCURRENT_CHUNKS]:
            batch = numbers[start : start + MAX_CONCURRENT_CHUNKS]
            chunks += await asyncio.gather(*(self._chunk(ref.key, number) for number in batch))
        data = b"".join(chunks)
        if hashlib.sha256(data).hexdigest() != ref.key:
            raise KeyError(ref.key)
        self._cache.put(ref.key, data)
        return data

    async def delete_objects(self, keys: Iterable[str]) -> None:
        for key in keys:
            self._cache.remove(key)
            for number in count():
                message = await self._last("OBJ", f"obj.{valid_name(key)}.{number}")
                if message is None:
                    break
                await self._remove("OBJ", message["seq"])

    async def read_state(self, key: str) -> tuple[bytes, int] | None:
        if (message := await self._last(f"KV_{STATES}", f"$KV.{STATES}.{valid_name(key, KEY)}")) is None:
            return None
        if b"KV-Operation" in b64decode(message.get("hdrs", "")):  # deleted by another program
            return None
        return b64decode(message.get("data", "")), int(message["seq"])

    async def write_state(self, key: str, value: bytes, revision: int | None) -> int:
        valid_name(key, KEY)
        attempts = 0

        async def write() -> int:
            nonlocal attempts
            attempts += 1
            response = await self._requests.send(f"$KV.{STATES}.{key}", value, expecting_revision(revision or 0))
            return int(decode_response(await response)["seq"])

        try:
            return await self._retry(write)
        except APIError as error:
            if error.err_code != WRONG_LAST_SEQUENCE:
                raise
            # If the response to an earlier attempt was lost, the conflicting revision may be our own.
            if attempts > 1 and (newest := await self.read_state(key)) is not None and newest[0] == value:
                return newest[1]
            raise Conflict(key) from error

    async def state_keys(self, prefix: str) -> list[str]:
        # One response holds up to 100,000 keys.
        info = await self._call_api(
            lambda: self._jetstream.stream_info(f"KV_{STATES}", subjects_filter=f"$KV.{STATES}.>")
        )
        keys = [subject.removeprefix(f"$KV.{STATES}.") for subject in info.state.subjects or {}]
        return sorted(key for key in keys if key.startswith(prefix))

    async def delete_state(self, key: str) -> bytes | None:
        subject, attempted = f"$KV.{STATES}.{valid_name(key, KEY)}", 0
        removed: bytes | None = None
        # A state that changes meanwhile is read again before it is removed.
        while (stored := await self.read_state(key)) is not None:
            removed = stored[0]
            if stored[1] != attempted:
                await self._remove(f"KV_{STATES}", attempted := stored[1])
            else:  # buckets of an older version do not allow deleting single messages
                purge = partial(self._jetstream.purge_stream, f"KV_{STATES}", seq=attempted + 1, subject=subject)
                await self._call_api(purge)
        return removed

    async def queues(self) -> list[Queue]:
        consumers = [*((service, "CMD") for service in get_args(Service)), ("gateway", "EVT")]
        queues = await asyncio.gather(*(self._queue(service, stream) for service, stream in consumers))
        return [queue for queue in queues if queue]

    async def register(self, describe: Callable[[], Replica]) -> Registration:
        async def respond(request: Msg) -> None:
            await request.respond(describe().model_dump_json(by_alias=True).encode())

        subscription = await self._client.subscribe(REGISTRY_SUBJECT, cb=respond)
        await self._call_api(self._client.flush)  # returns when the server knows the subscription
        return Registration(subscription)

    async def replicas(self, wait: float = 0.3) -> list[Replica]:
        found: list[Replica] = []
        no_responders = asyncio.Event()

        async def receive(message: Msg) -> None:
            if message.data:
                found.append(Replica.model_validate_json(message.data))
            else:  # the server's own response: there are no replicas
                no_responders.set()

        inbox = self._client.new_inbox()
        responses = await self._client.subscribe(inbox, cb=receive)
        try:
            await self._client.publish(REGISTRY_SUBJECT, reply=inbox)
            with suppress(TimeoutError):
                async with asyncio.timeout(wait):
                    await no_responders.wait()
        finally:
            with suppress(nats.errors.Error):
                await responses.unsubscribe()
        return sorted(found, key=lambda replica: (replica.service, replica.name))

    def _message(self, subject: str, envelope: Envelope) -> tuple[str, bytes, str]:
        return subject, _encode(envelope), headers(envelope, self._own_id(envelope.id))

    # --- consuming ---

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

        async def deliver(message: RawMessage) -> None:
            await handle(JetStreamDelivery(self._client, message, self._dead_letter))

        return await self._pull(stream, declare, deliver, concurrency, self._settings.drain_timeout)

    async def _pull(
        self,
        stream: str,
        declare: Callable[[], Awaitable[str]],
        handle: Callable[[RawMessage], Awaitable[None]],
        concurrency: int,
        drain_timeout: float,
        on_stop: Callable[[], None] = lambda: None,
    ) -> Puller:
        def stopped() -> None:
            self._pullers.discard(puller)
            on_stop()

        async def declare_connected() -> str:
            async with self._while_connected():
                try:
                    return await declare()
                except NotFoundError:  # of its stream
                    await self._declare()
                    return await declare()

        puller = Puller(
            self._client, stream, declare_connected, handle, concurrency, self._ready, drain_timeout, stopped
        )
        self._pullers.add(puller)
        try:
            await self._call_api(puller.start)
        except BaseException:
            await puller.stop()
            raise
        return puller

    async def _put_chunk(self, name: str, chunk: bytes) -> None:
        is_known = await self._store((f"obj.{name}", chunk, deduplicated_by(self._own_id(name))))
        if is_known:  # but it may have been deleted meanwhile
            try:
                await self._call_api(partial(self._jetstream.get_last_msg, "OBJ", f"obj.{name}", direct=True))
            except NotFoundError:
                await self._store((f"obj.{name}", chunk, ""))

    async def _chunk(self, key: str, number: int) -> bytes:
        for direct in (True, False):  # any server of a cluster, then the leader, which has the newest objects
            get = partial(self._jetstream.get_last_msg, "OBJ", f"obj.{key}.{number}", direct=direct)
            with suppress(NotFoundError):
                return (await self._call_api(get)).data or b""
        raise KeyError(key)

    # --- queues ---

    async def _queue(self, service: str, stream: str) -> Queue | None:
        """Return a consumer's queue; None if it never existed and nothing waits for it."""
        holds: Literal["commands", "answers"] = "commands" if stream == "CMD" else "answers"
        try:
            info = await self._call_api(lambda: self._jetstream.consumer_info(stream, service))
        except NotFoundError:
            waiting = await self._stored_for(service) if holds == "commands" else 0
            return Queue(service=service, holds=holds, waiting=waiting, in_flight=0, redelivered=0) if waiting else None
        return Queue(
            service=service,
            holds=holds,
            waiting=info.num_pending or 0,
            in_flight=info.num_ack_pending or 0,
            redelivered=min(
                info.num_redelivered or 0, info.num_ack_pending or 0
            ),  # the server's number includes dead letters
        )

    async def _stored_for(self, service: str) -> int:
        """Count the commands of a service that has never had a consumer."""
        subjects = f"cmd.{VERSION}.{service}.*"
        info = await self._call_api(lambda: self._jetstream.stream_info("CMD", subjects_filter=subjects))
        return sum((info.state.subjects or {}).values())


class Registration:
    """See ``base.Subscription``."""

    def __init__(self, subscription: NatsSubscription) -> None:
        self._subscription = subscription

    async def stop(self) -> None:
        with suppress(nats.errors.Error):
            await self._subscription.unsubscribe()


def _follower(subject: str, start: int) -> api.ConsumerConfig:
    """Return the configuration of an ephemeral consumer that starts at a sequence number."""
    return api.ConsumerConfig(
        name=secrets.token_hex(8),  # with a name, the request's subject names the filter, which permissions can bound
        filter_subject=subject,
        deliver_policy=api.DeliverPolicy.BY_START_SEQUENCE,
        opt_start_seq=start,
        ack_policy=api.AckPolicy.NONE,
        inactive_threshold=2 * PULL_EXPIRES_S,
        mem_storage=True,
    )


def _encode(envelope: Envelope) -> bytes:
    return envelope.model_dump_json().encode()


def _parse(kind: type[V], data: bytes) -> V | None:
    """Parse a message; None if another program wrote something else."""
    try:
        return kind.model_validate_json(data)
    except ValidationError:
        log.warning("bus.foreign", size=len(data))
        return None
