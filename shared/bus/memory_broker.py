"""What a message server would hold for the in-process bus: its queues and its log, and how messages are delivered."""

from __future__ import annotations

import asyncio
import uuid
from collections import defaultdict
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime

from ..settings import BusSettings
from .base import DeadLetter, DeliveredMessage, Delta, Replica, is_answer


class QueuedMessage:
    """A message and the number of its deliveries."""

    def __init__(self, subject: str, data: bytes) -> None:
        self.subject = subject
        self.data = data
        self.count = 0


class ConsumerQueue(asyncio.Queue[QueuedMessage]):
    """The messages that wait for a consumer, and those in flight."""

    def __init__(self) -> None:
        super().__init__()
        self.has_consumer = False
        self.in_flight: set[QueuedMessage] = set()


class Broker:
    """The state that a server would have; several buses may share it."""

    def __init__(self) -> None:
        self.log_name = uuid.uuid4().hex[:8]
        self.known_ids: set[str] = set()
        self.log: list[tuple[str, bytes]] = []
        self.log_grew = asyncio.Condition()
        self.command_queues: dict[str, ConsumerQueue] = defaultdict(ConsumerQueue)
        self.answer_queues: dict[str, ConsumerQueue] = {}
        self.objects: dict[str, bytes] = {}
        self.stored_for: dict[str, set[str | None]] = {}
        """The sessions that each object was stored for; None among them: also for none."""
        self.states: dict[str, tuple[bytes, int]] = {}
        self.dead_letters: dict[str, DeadLetter] = {}
        self.dead_letter_number = 0
        self.registered: list[Callable[[], Replica]] = []
        self.delta_subscribers: dict[str, set[asyncio.Queue[Delta]]] = defaultdict(set)

    def answer_queue(self, durable: str) -> ConsumerQueue:
        if durable not in self.answer_queues:
            queue = self.answer_queues[durable] = ConsumerQueue()
            for subject, data in self.log:
                if is_answer(subject):
                    queue.put_nowait(QueuedMessage(subject, data))
        return self.answer_queues[durable]


class QueuedDelivery:
    """See ``base.DeliveredMessage``."""

    def __init__(self, broker: Broker, queue: ConsumerQueue, entry: QueuedMessage, settings: BusSettings) -> None:
        self.data = entry.data
        self.subject = entry.subject
        self.count = entry.count
        self._broker = broker
        self._queue = queue
        self._entry = entry
        self._settings = settings
        self._done = False
        queue.in_flight.add(entry)
        self._ack_timer = self._redeliver_in(settings.ack_wait)

    async def ack(self) -> None:
        if self._finish():
            self._queue.in_flight.discard(self._entry)

    async def nak(self, delay: float = 0.0) -> None:
        if self._finish():
            self._redeliver_in(delay)

    async def term(self, reason: str) -> None:
        if self._finish():
            self._dead_letter(reason)

    async def in_progress(self) -> None:
        if not self._done:
            self._ack_timer.cancel()
            self._ack_timer = self._redeliver_in(self._settings.ack_wait)

    def _finish(self) -> bool:
        self._ack_timer.cancel()
        first, self._done = not self._done, True
        return first

    def _redeliver_in(self, delay: float) -> asyncio.TimerHandle:
        return asyncio.get_running_loop().call_later(delay, self._redeliver)

    def _redeliver(self) -> None:
        self._done = True
        if self._entry.count >= self._settings.delivery_limit:
            self._dead_letter("delivered too often")
        else:
            self._queue.in_flight.discard(self._entry)
            self._queue.put_nowait(self._entry)

    def _dead_letter(self, reason: str) -> None:
        self._queue.in_flight.discard(self._entry)
        self._broker.dead_letter_number += 1
        letter = DeadLetter(
            name=f"{self._broker.dead_letter_number}",
            subject=self.subject,
            data=self.data,
            reason=reason,
            deliveries=self.count,
            time=datetime.now(UTC),
        )
        self._broker.dead_letters[letter.name] = letter


class QueueConsumer:
    """See ``base.Subscription``. It runs one loop per concurrent message."""

    def __init__(
        self,
        broker: Broker,
        queue: ConsumerQueue,
        handle: Callable[[DeliveredMessage], Awaitable[None]],
        concurrency: int,
        settings: BusSettings,
    ) -> None:
        self._broker = broker
        self._queue = queue
        queue.has_consumer = True
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
        task = asyncio.current_task()
        assert task is not None
        while not self._stopping:
            entry = await self._queue.get()
            self._busy.add(task)
            entry.count += 1
            delivery = QueuedDelivery(self._broker, self._queue, entry, self._settings)
            try:
                await self._handle(delivery)
            except asyncio.CancelledError:
                await delivery.nak()
                raise
            except Exception:  # a failed handler has not acknowledged its message
                await delivery.nak(1.0)
            finally:
                self._busy.discard(task)
