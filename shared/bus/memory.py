"""An in-process bus for tests: nothing is persisted, all else behaves as ``base.Bus`` specifies."""

from __future__ import annotations

import asyncio
import hashlib
from collections import Counter
from collections.abc import AsyncGenerator, Awaitable, Callable, Iterable
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from itertools import islice
from typing import Literal, get_args

from ..events import COMMANDS, Envelope, Service
from ..model.base import Ref
from ..settings import BusSettings
from .base import (
    KEY,
    MAX_PENDING_DELTAS,
    VERSION,
    Conflict,
    DeadLetter,
    DeliveredMessage,
    Delta,
    LoggedEvent,
    Queue,
    Replica,
    command_subject,
    current_session,
    event_subject,
    is_answer,
    objects_named_in,
    service_of,
    unknown_dead_letter,
    valid_name,
)
from .memory_broker import Broker, ConsumerQueue, QueueConsumer, QueuedMessage

__all__ = ["Broker", "MemoryBus"]


class MemoryBus:
    """See ``base.Bus``. Buses with the same `broker` are clients of one server."""

    def __init__(self, broker: Broker | None = None, settings: BusSettings | None = None) -> None:
        self._broker = broker or Broker()
        self._settings = settings or BusSettings()
        self._consumers: list[QueueConsumer] = []
        self._registrations: list[_Registration] = []
        self._closed = False

    async def send(self, command: Envelope) -> None:
        subject = command_subject(command)
        if self._is_new(subject, command):
            self._broker.command_queues[subject.split(".")[2]].put_nowait(QueuedMessage(subject, _encode(command)))

    async def publish(self, *messages: Envelope) -> None:
        for message in messages:
            await (self.send(message) if message.kind in COMMANDS else self._append(message))

    async def _append(self, event: Envelope) -> None:
        subject = event_subject(event)
        if self._is_new(subject, event):
            await self._log(subject, _encode(event))

    async def _log(self, subject: str, data: bytes) -> None:
        async with self._broker.log_grew:
            self._broker.log.append((subject, data))
            for queue in self._broker.answer_queues.values() if is_answer(subject) else ():
                queue.put_nowait(QueuedMessage(subject, data))
            self._broker.log_grew.notify_all()

    async def consume_commands(
        self, service: str, handle: Callable[[DeliveredMessage], Awaitable[None]], *, concurrency: int = 1
    ) -> QueueConsumer:
        return self._consume(self._broker.command_queues[valid_name(service)], handle, concurrency)

    async def consume_answers(
        self, durable: str, handle: Callable[[DeliveredMessage], Awaitable[None]], *, concurrency: int = 16
    ) -> QueueConsumer:
        return self._consume(self._broker.answer_queue(valid_name(durable)), handle, concurrency)

    async def follow(self, session: str, *, start: int = 1, after: int = 0) -> AsyncGenerator[Envelope]:
        prefix = f"evt.{VERSION}.{valid_name(session)}."
        async for _, event in self._entries(after, lambda subject: subject.startswith(prefix)):
            start -= 1
            if start <= 0:
                yield event

    async def turn_events(self, after: int) -> AsyncGenerator[LoggedEvent]:
        async for entry in self._entries(after, lambda subject: subject.split(".")[3:4] == ["turn"]):
            yield entry

    async def _entries(self, after: int, matches: Callable[[str], bool]) -> AsyncGenerator[LoggedEvent]:
        """Yield the entries of the log whose subjects match, then new ones until the bus is closed."""
        log, log_grew = self._broker.log, self._broker.log_grew
        position = after
        while True:
            async with log_grew:
                while position == len(log) and not self._closed:
                    await log_grew.wait()
            if self._closed:
                return
            subject, data = log[position]
            position += 1
            if matches(subject):
                yield LoggedEvent(position, Envelope.model_validate_json(data))

    async def read_turn_events(self, session: str, *, after: int, limit: int) -> list[LoggedEvent]:
        prefix = f"evt.{VERSION}.{valid_name(session)}.turn."
        stored = enumerate(self._broker.log[after:], after + 1)
        found = (
            LoggedEvent(number, Envelope.model_validate_json(data))
            for number, (subject, data) in stored
            if subject.startswith(prefix)
        )
        return list(islice(found, limit))

    async def log_name(self) -> str:
        return self._broker.log_name

    async def last_sequence(self) -> int:
        return len(self._broker.log)

    async def is_newest(self, event: Envelope) -> bool:
        wanted = event_subject(event)
        newest = next((data for subject, data in reversed(self._broker.log) if subject == wanted), None)
        if newest is not None and Envelope.model_validate_json(newest).id == event.id:
            return True
        return datetime.now(UTC) - event.time > timedelta(days=self._settings.keep_days)

    async def publish_delta(self, delta: Delta) -> None:
        for subscriber in self._broker.delta_subscribers[valid_name(delta.session)]:
            with suppress(asyncio.QueueFull):
                subscriber.put_nowait(delta)

    async def subscribe_deltas(self, session: str) -> AsyncGenerator[Delta]:
        subscribers = self._broker.delta_subscribers[valid_name(session)]
        pending = asyncio.Queue[Delta](MAX_PENDING_DELTAS)
        subscribers.add(pending)
        try:
            while True:
                yield await pending.get()
        finally:
            subscribers.discard(pending)

    async def delete_events(self, session: str) -> set[str]:
        prefix = f"evt.{VERSION}.{valid_name(session)}."
        named = (objects_named_in(data) for subject, data in self._broker.log if subject.startswith(prefix))
        keys = set[str]().union(*named)
        self._blank(lambda entry: entry[0].startswith(prefix))
        return keys

    def _blank(self, matches: Callable[[tuple[str, bytes]], bool]) -> None:
        """Blank log entries instead of removing them, because followers keep their position in the log."""
        self._broker.log[:] = [("", b"") if matches(entry) else entry for entry in self._broker.log]

    async def put(self, data: bytes, media: str) -> Ref:
        key = hashlib.sha256(data).hexdigest()
        others = self._broker.stored_for.get(key, set()) if key in self._broker.objects else set()
        self._broker.stored_for[key] = {*others, current_session() or None}
        self._broker.objects[key] = data
        return Ref(key=key, media=media, size=len(data))

    async def get(self, ref: Ref) -> bytes:
        return self._broker.objects[ref.key]

    async def delete_objects(self, session: str, keys: Iterable[str]) -> None:
        for key in keys:
            sessions = self._broker.stored_for.get(key, set())
            if sessions == {session}:
                del self._broker.objects[key], self._broker.stored_for[key]
            sessions.discard(session)

    async def read_state(self, key: str) -> tuple[bytes, int] | None:
        return self._broker.states.get(valid_name(key, KEY))

    async def write_state(self, key: str, value: bytes, revision: int | None) -> int:
        _, newest = self._broker.states.get(valid_name(key, KEY), (b"", 0))
        if newest != (revision or 0):
            raise Conflict(key)
        self._broker.states[key] = (value, newest + 1)
        return newest + 1

    async def state_keys(self, prefix: str) -> list[str]:
        return sorted(key for key in self._broker.states if key.startswith(prefix))

    async def delete_state(self, key: str) -> bytes | None:
        return self._broker.states.pop(valid_name(key, KEY), (None, 0))[0]

    async def dead_letters(self) -> list[DeadLetter]:
        return list(self._broker.dead_letters.values())

    async def dead_letter_counts(self) -> dict[str, int]:
        return dict(Counter(map(service_of, (letter.subject for letter in self._broker.dead_letters.values()))))

    async def replay(self, *names: str) -> list[DeadLetter]:
        if not self._broker.dead_letters.keys() >= set(names):
            raise unknown_dead_letter()
        letters = [self._broker.dead_letters.pop(name) for name in dict.fromkeys(names)]
        for letter in letters:
            await self._put_back(letter.subject, letter.data)
        return letters

    async def _put_back(self, subject: str, data: bytes) -> None:
        if is_answer(subject):
            self._blank(lambda entry: entry == (subject, data))
            await self._log(subject, data)
        else:
            self._broker.command_queues[service_of(subject)].put_nowait(QueuedMessage(subject, data))

    async def queues(self) -> list[Queue]:
        broker = self._broker
        lines: list[tuple[str, Literal["commands", "answers"], ConsumerQueue]]
        lines = [(service, "commands", broker.command_queues[service]) for service in get_args(Service)]
        if "gateway" in broker.answer_queues:
            lines.append(("gateway", "answers", broker.answer_queues["gateway"]))
        return [
            Queue(
                service=service,
                holds=holds,
                waiting=line.qsize(),
                in_flight=len(line.in_flight),
                redelivered=sum(entry.count > 1 for entry in line.in_flight),
            )
            for service, holds, line in lines
            if line.has_consumer or line.qsize()
        ]

    async def register(self, describe: Callable[[], Replica]) -> _Registration:
        registration = _Registration(self._broker, describe)
        self._registrations.append(registration)
        return registration

    async def replicas(self, wait: float = 0.3) -> list[Replica]:
        found = [describe() for describe in self._broker.registered]
        return sorted(found, key=lambda replica: (replica.service, replica.name))

    async def close(self) -> None:
        self._closed = True
        await asyncio.gather(*(consumer.stop() for consumer in self._consumers))
        await asyncio.gather(*(registration.stop() for registration in self._registrations))
        async with self._broker.log_grew:
            self._broker.log_grew.notify_all()

    def _is_new(self, subject: str, envelope: Envelope) -> bool:
        name = f"{subject[:3]}/{envelope.id}"
        if name in self._broker.known_ids:
            return False
        self._broker.known_ids.add(name)
        return True

    def _consume(
        self, queue: ConsumerQueue, handle: Callable[[DeliveredMessage], Awaitable[None]], concurrency: int
    ) -> QueueConsumer:
        consumer = QueueConsumer(self._broker, queue, handle, concurrency, self._settings)
        self._consumers.append(consumer)
        return consumer


class _Registration:
    """See ``base.Subscription``."""

    def __init__(self, broker: Broker, describe: Callable[[], Replica]) -> None:
        self._broker = broker
        self._describe = describe
        broker.registered.append(describe)

    async def stop(self) -> None:
        if self._describe in self._broker.registered:
            self._broker.registered.remove(self._describe)


def _encode(envelope: Envelope) -> bytes:
    return envelope.model_dump_json().encode()
