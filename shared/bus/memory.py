"""The bus as a double in one process: nothing is stored, everything else is as ``base.Bus`` says."""

from __future__ import annotations

import asyncio
import hashlib
from collections import Counter, defaultdict
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import suppress
from datetime import UTC, datetime, timedelta
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
    Delivery,
    Delta,
    Queue,
    Replica,
    command_subject,
    event_subject,
    is_answer,
    service_of,
    unknown_dead_letter,
    valid_name,
)


class _Entry:
    """A message in a queue, and how often it was delivered."""

    def __init__(self, subject: str, data: bytes) -> None:
        self.subject = subject
        self.data = data
        self.count = 0


class _Line(asyncio.Queue[_Entry]):
    """What waits for those who compete for it, and what they have in hand."""

    def __init__(self) -> None:
        super().__init__()
        self.worked_on = False
        self.in_hand: set[_Entry] = set()


class Broker:
    """What a server would hold; several buses may share one."""

    def __init__(self) -> None:
        self.seen: set[str] = set()
        self.log: list[tuple[str, bytes]] = []
        self.grown = asyncio.Condition()
        self.queues: dict[str, _Line] = defaultdict(_Line)
        self.listeners: dict[str, _Line] = {}
        self.objects: dict[str, bytes] = {}
        self.states: dict[str, tuple[bytes, int]] = {}
        self.letters: dict[str, DeadLetter] = {}
        self.buried = 0
        self.present: list[Callable[[], Replica]] = []
        self.ears: dict[str, set[asyncio.Queue[Delta]]] = defaultdict(set)

    def listener(self, durable: str) -> _Line:
        if durable not in self.listeners:
            queue = self.listeners[durable] = _Line()
            for subject, data in self.log:
                if is_answer(subject):
                    queue.put_nowait(_Entry(subject, data))
        return self.listeners[durable]


class MemoryBus:
    """See ``base.Bus``. Another bus on the same `broker` is another client of it."""

    def __init__(self, broker: Broker | None = None, settings: BusSettings | None = None) -> None:
        self._broker = broker or Broker()
        self._settings = settings or BusSettings()
        self._workers: list[_Worker] = []
        self._present: list[_Attendance] = []
        self._closed = False

    async def send(self, command: Envelope) -> None:
        subject = command_subject(command)
        if self._is_new(subject, command):
            self._broker.queues[subject.split(".")[2]].put_nowait(_Entry(subject, _encode(command)))

    async def publish(self, *messages: Envelope) -> None:
        for message in messages:
            await (self.send(message) if message.kind in COMMANDS else self._append(message))

    async def _append(self, event: Envelope) -> None:
        subject = event_subject(event)
        if self._is_new(subject, event):
            await self._log(subject, _encode(event))

    async def _log(self, subject: str, data: bytes) -> None:
        async with self._broker.grown:
            self._broker.log.append((subject, data))
            for queue in self._broker.listeners.values() if is_answer(subject) else ():
                queue.put_nowait(_Entry(subject, data))
            self._broker.grown.notify_all()

    async def consume_commands(
        self, service: str, handle: Callable[[Delivery], Awaitable[None]], *, concurrency: int = 1
    ) -> _Worker:
        return self._consume(self._broker.queues[valid_name(service)], handle, concurrency)

    async def consume_answers(
        self, durable: str, handle: Callable[[Delivery], Awaitable[None]], *, concurrency: int = 16
    ) -> _Worker:
        return self._consume(self._broker.listener(valid_name(durable)), handle, concurrency)

    async def follow(self, session: str, *, start: int = 1, after: int = 0) -> AsyncGenerator[Envelope]:
        mine = f"evt.{VERSION}.{valid_name(session)}."
        log, grown = self._broker.log, self._broker.grown
        place = after
        while True:
            async with grown:
                while place == len(log) and not self._closed:
                    await grown.wait()
            if self._closed:
                return
            subject, data = log[place]
            place += 1
            if subject.startswith(mine):
                start -= 1
                if start <= 0:
                    yield Envelope.model_validate_json(data)

    async def last_sequence(self) -> int:
        return len(self._broker.log)

    async def is_newest(self, event: Envelope) -> bool:
        mine = event_subject(event)
        newest = next((data for subject, data in reversed(self._broker.log) if subject == mine), None)
        if newest is not None and Envelope.model_validate_json(newest).id == event.id:
            return True
        return datetime.now(UTC) - event.time > timedelta(days=self._settings.keep_days)

    async def publish_delta(self, delta: Delta) -> None:
        for ear in self._broker.ears[valid_name(delta.session)]:
            with suppress(asyncio.QueueFull):
                ear.put_nowait(delta)

    async def subscribe_deltas(self, session: str) -> AsyncGenerator[Delta]:
        ears, mine = self._broker.ears[valid_name(session)], asyncio.Queue[Delta](MAX_PENDING_DELTAS)
        ears.add(mine)
        try:
            while True:
                yield await mine.get()
        finally:
            ears.discard(mine)

    async def delete_events(self, session: str) -> None:
        mine = f"evt.{VERSION}.{valid_name(session)}."
        self._leave_empty(lambda entry: entry[0].startswith(mine))

    def _leave_empty(self, gone: Callable[[tuple[str, bytes]], bool]) -> None:
        """Those who follow count places, so what is removed leaves its place empty."""
        self._broker.log[:] = [("", b"") if gone(entry) else entry for entry in self._broker.log]

    async def put(self, data: bytes, media: str) -> Ref:
        key = hashlib.sha256(data).hexdigest()
        self._broker.objects[key] = data
        return Ref(key=key, media=media, size=len(data))

    async def get(self, ref: Ref) -> bytes:
        return self._broker.objects[ref.key]

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
        return list(self._broker.letters.values())

    async def dead_letter_counts(self) -> dict[str, int]:
        return dict(Counter(map(service_of, (letter.subject for letter in self._broker.letters.values()))))

    async def replay(self, *names: str) -> list[DeadLetter]:
        if not self._broker.letters.keys() >= set(names):
            raise unknown_dead_letter()
        letters = [self._broker.letters.pop(name) for name in dict.fromkeys(names)]
        for letter in letters:
            await self._put_back(letter.subject, letter.data)
        return letters

    async def _put_back(self, subject: str, data: bytes) -> None:
        if is_answer(subject):
            self._leave_empty(lambda entry: entry == (subject, data))
            await self._log(subject, data)
        else:
            self._broker.queues[service_of(subject)].put_nowait(_Entry(subject, data))

    async def queues(self) -> list[Queue]:
        broker = self._broker
        lines: list[tuple[str, Literal["commands", "answers"], _Line]]
        lines = [(service, "commands", broker.queues[service]) for service in get_args(Service)]
        if "gateway" in broker.listeners:
            lines.append(("gateway", "answers", broker.listeners["gateway"]))
        return [
            Queue(
                service=service,
                holds=holds,
                waiting=line.qsize(),
                in_flight=len(line.in_hand),
                redelivered=sum(entry.count > 1 for entry in line.in_hand),
            )
            for service, holds, line in lines
            if line.worked_on or line.qsize()
        ]

    async def register(self, describe: Callable[[], Replica]) -> _Attendance:
        attendance = _Attendance(self._broker, describe)
        self._present.append(attendance)
        return attendance

    async def replicas(self, wait: float = 0.3) -> list[Replica]:
        present = [say() for say in self._broker.present]
        return sorted(present, key=lambda replica: (replica.service, replica.name))

    async def close(self) -> None:
        self._closed = True
        await asyncio.gather(*(worker.stop() for worker in self._workers))
        await asyncio.gather(*(attendance.stop() for attendance in self._present))
        async with self._broker.grown:
            self._broker.grown.notify_all()

    def _is_new(self, subject: str, envelope: Envelope) -> bool:
        name = f"{subject[:3]}/{envelope.id}"
        if name in self._broker.seen:
            return False
        self._broker.seen.add(name)
        return True

    def _consume(self, queue: _Line, handle: Callable[[Delivery], Awaitable[None]], concurrency: int) -> _Worker:
        worker = _Worker(self._broker, queue, handle, concurrency, self._settings)
        self._workers.append(worker)
        return worker


class _Attendance:
    """See ``base.Subscription``."""

    def __init__(self, broker: Broker, say: Callable[[], Replica]) -> None:
        self._broker = broker
        self._say = say
        broker.present.append(say)

    async def stop(self) -> None:
        if self._say in self._broker.present:
            self._broker.present.remove(self._say)


class _Delivery:
    """See ``base.Delivery``."""

    def __init__(self, broker: Broker, queue: _Line, entry: _Entry, settings: BusSettings) -> None:
        self.data = entry.data
        self.subject = entry.subject
        self.count = entry.count
        self._broker = broker
        self._queue = queue
        self._entry = entry
        self._settings = settings
        self._settled = False
        queue.in_hand.add(entry)
        self._clock = self._again_in(settings.ack_wait)

    async def ack(self) -> None:
        if self._settle():
            self._queue.in_hand.discard(self._entry)

    async def nak(self, delay: float = 0.0) -> None:
        if self._settle():
            self._again_in(delay)

    async def term(self, reason: str) -> None:
        if self._settle():
            self._bury(reason)

    async def in_progress(self) -> None:
        if not self._settled:
            self._clock.cancel()
            self._clock = self._again_in(self._settings.ack_wait)

    def _settle(self) -> bool:
        self._clock.cancel()
        first, self._settled = not self._settled, True
        return first

    def _again_in(self, delay: float) -> asyncio.TimerHandle:
        return asyncio.get_running_loop().call_later(delay, self._again)

    def _again(self) -> None:
        self._settled = True
        if self._entry.count >= self._settings.delivery_limit:
            self._bury("delivered too often")
        else:
            self._queue.in_hand.discard(self._entry)
            self._queue.put_nowait(self._entry)

    def _bury(self, reason: str) -> None:
        self._queue.in_hand.discard(self._entry)
        self._broker.buried += 1
        letter = DeadLetter(
            name=f"{self._broker.buried}",
            subject=self.subject,
            data=self.data,
            reason=reason,
            deliveries=self.count,
            time=datetime.now(UTC),
        )
        self._broker.letters[letter.name] = letter


class _Worker:
    """As many loops as may work at a time; see ``base.Subscription``."""

    def __init__(
        self,
        broker: Broker,
        queue: _Line,
        handle: Callable[[Delivery], Awaitable[None]],
        concurrency: int,
        settings: BusSettings,
    ) -> None:
        self._broker = broker
        self._queue = queue
        queue.worked_on = True
        self._handle = handle
        self._settings = settings
        self._stopping = False
        self._busy: set[asyncio.Task[None]] = set()
        self._loops = [asyncio.create_task(self._loop()) for _ in range(concurrency)]

    async def stop(self) -> None:
        self._stopping = True
        for loop in set(self._loops) - self._busy:
            loop.cancel()
        if self._busy:
            _, late = await asyncio.wait(self._busy, timeout=self._settings.drain_timeout)
            for loop in late:
                loop.cancel()
        await asyncio.gather(*self._loops, return_exceptions=True)

    async def _loop(self) -> None:
        me = asyncio.current_task()
        assert me is not None
        while not self._stopping:
            entry = await self._queue.get()
            self._busy.add(me)
            entry.count += 1
            delivery = _Delivery(self._broker, self._queue, entry, self._settings)
            try:
                await self._handle(delivery)
            except asyncio.CancelledError:
                await delivery.nak()
                raise
            except Exception:  # a handler that fails has not settled its message
                await delivery.nak(1.0)
            finally:
                self._busy.discard(me)


def _encode(envelope: Envelope) -> bytes:
    return envelope.model_dump_json().encode()
