"""The bus on NATS: publishing, consuming, following, storing, and the registry of replicas."""

from __future__ import annotations

import asyncio
import hashlib
from base64 import b64decode
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import aclosing, suppress
from datetime import UTC, datetime
from functools import partial
from math import inf
from typing import Literal, TypeVar, get_args

import nats
import nats.errors
import structlog
from nats.aio.msg import Msg
from nats.aio.subscription import Subscription as NatsSubscription
from nats.js.errors import APIError, NotFoundError
from pydantic import ValidationError

from ...events import Envelope, Service
from ...model.base import Value
from ..base import (
    KEY,
    MAX_PENDING_DELTAS,
    VERSION,
    Conflict,
    DeliveredMessage,
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
from .consumers import Consumers, answer_consumer, command_consumer
from .followers import Followers
from .headers import expecting_revision, headers
from .objects import WRONG_LAST_SEQUENCE, Objects
from .puller import Puller
from .requests import decode_response
from .streams import STATES

log = structlog.get_logger(__name__)
V = TypeVar("V", bound=Value)

MAX_CONCURRENT_REMOVALS = 32
MAX_PENDING_DELTA_BYTES = 4 * 1024 * 1024
"""Maximum size of the reply deltas buffered for a slow subscriber."""
REGISTRY_SUBJECT = f"roll.{VERSION}"
"""Asks the replicas to describe themselves."""
REPLICA_SUBJECT = f"roll.{VERSION}.replica"
"""What they answer, for all to hear: a response to an inbox would not reach another account of the server."""
FIRST_REPLICA_S = 3.0
"""Time in seconds in which a first replica has to answer; a busy process needs more than a moment."""


class NatsBus(Objects, Consumers, Followers):
    """See ``base.Bus``. Created by ``await NatsBus.connect(url)``."""

    async def send(self, command: Envelope) -> None:
        await self._store(self._message(command_subject(command), command))

    async def publish(self, *messages: Envelope) -> None:
        await self._store(*(self._message(subject_of(message), message) for message in messages))

    async def consume_commands(
        self, service: str, handle: Callable[[DeliveredMessage], Awaitable[None]], *, concurrency: int = 1
    ) -> Puller:
        config = command_consumer(valid_name(service), self._settings)
        return await self._consume("CMD", config, handle, concurrency)

    async def consume_answers(
        self, durable: str, handle: Callable[[DeliveredMessage], Awaitable[None]], *, concurrency: int = 16
    ) -> Puller:
        config = answer_consumer(valid_name(durable), self._settings)
        return await self._consume("EVT", config, handle, concurrency)

    async def follow(self, session: str, *, start: int = 1, after: int = 0) -> AsyncGenerator[Envelope]:
        subject = f"evt.{VERSION}.{valid_name(session)}.*.*"
        async with aclosing(self._entries(subject, after, of_one_log=True)) as entries:
            async for _, event in entries:
                start -= 1
                if start <= 0:
                    yield event

    async def turn_events(self, after: int) -> AsyncGenerator[LoggedEvent]:
        async with aclosing(self._entries(f"evt.{VERSION}.*.turn.*", after)) as entries:
            async for entry in entries:
                yield entry

    async def _entries(self, subject: str, after: int, of_one_log: bool = False) -> AsyncGenerator[LoggedEvent]:
        """Yield the log's events of a subject after a sequence number, then new ones until the bus is closed."""
        async with aclosing(self._log_from(after + 1, subject, of_one_log)) as messages:
            async for message in messages:
                if event := _parse(Envelope, message.data or b""):
                    yield LoggedEvent(message.seq or 0, event)

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
        # Message by message, because nats-server 2.9 does not release the space of messages purged by subject.
        subject = f"evt.{VERSION}.{valid_name(session)}.*.*"
        keys, sequences, last = set[str](), list[int](), 0
        while (message := await self._next("EVT", last + 1, subject)) is not None:
            keys |= objects_named_in(message.data or b"")
            sequences.append(last := message.seq or 0)
        for start in range(0, len(sequences), MAX_CONCURRENT_REMOVALS):
            batch = sequences[start : start + MAX_CONCURRENT_REMOVALS]
            await asyncio.gather(*(self._remove("EVT", sequence) for sequence in batch))
        return keys

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
        async def respond(_: Msg) -> None:
            await self._client.publish(REPLICA_SUBJECT, describe().model_dump_json(by_alias=True).encode())

        subscription = await self._client.subscribe(REGISTRY_SUBJECT, cb=respond)
        # nats-py sends a PING at once and what waits in its buffer after it: only the answer to a second one tells
        # that the server knows the subscription.
        for _ in range(2):
            await self._call_api(self._client.flush)
        return Registration(subscription)

    async def replicas(self, wait: float = 0.3) -> list[Replica]:
        answers = asyncio.Queue[Replica | None]()

        async def receive(message: Msg) -> None:
            # An empty message is the server's own: there are no replicas.
            answers.put_nowait(Replica.model_validate_json(message.data) if message.data else None)

        inbox = self._client.new_inbox()
        subscriptions = [await self._client.subscribe(subject, cb=receive) for subject in (inbox, REPLICA_SUBJECT)]
        found = dict[tuple[str, str], Replica]()  # once, also where another program asks at the same time
        limit = max(wait, FIRST_REPLICA_S)
        try:
            await self._client.publish(REGISTRY_SUBJECT, reply=inbox)
            with suppress(TimeoutError):
                async with asyncio.timeout(limit + wait):  # answers to other programs may never end
                    while replica := await asyncio.wait_for(answers.get(), limit):
                        found[replica.service, replica.name] = replica
                        limit = wait
        finally:
            with suppress(nats.errors.Error):
                for subscription in subscriptions:
                    await subscription.unsubscribe()
        return [found[key] for key in sorted(found)]

    def _message(self, subject: str, envelope: Envelope) -> tuple[str, bytes, str]:
        return subject, _encode(envelope), headers(envelope, self._own_id(envelope.id))

    # --- queues ---

    async def _queue(self, service: str, stream: str) -> Queue | None:
        """Return a consumer's queue; None if nothing was ever taken from it and nothing waits for it."""
        holds: Literal["commands", "answers"] = "commands" if stream == "CMD" else "answers"
        try:
            info = await self._call_api(lambda: self._jetstream.consumer_info(stream, service))
        except NotFoundError:
            waiting = await self._stored_for(service) if holds == "commands" else 0
            return Queue(service=service, holds=holds, waiting=waiting, in_flight=0, redelivered=0) if waiting else None
        if not (info.num_pending or (info.delivered and info.delivered.consumer_seq)):
            return None
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


def _encode(envelope: Envelope) -> bytes:
    return envelope.model_dump_json().encode()


def _parse(kind: type[V], data: bytes) -> V | None:
    """Parse a message; None if another program wrote something else."""
    try:
        return kind.model_validate_json(data)
    except ValidationError:
        log.warning("bus.foreign", size=len(data))
        return None
