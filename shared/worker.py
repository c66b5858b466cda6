"""The message loop of every host: decode, handle, publish, acknowledge.

What happens to a message:

- not an envelope, or one of another session or kind than its subject: dead letter;
- handled: ack;
- ``UnknownMessage``: nak with a longer delay, in which this worker takes no other message in its place, so that one of
  a newer version takes it; on the last delivery `fail`, then dead letter;
- ``RetryableError``, an unexpected exception, or no progress for ``handling_limit`` seconds: nak with a delay; on the
  last delivery `fail`, then dead letter;
- any other ``BandsmithError``: `fail`, then ack;
- delivered more often than that, because workers died while handling it: `fail`, then dead letter, without handling.

`fail` reports the failure; for an actor's command it publishes ``StageFailed``. That event's id differs from the
answer's, so that a command which is replayed after the fault is fixed can still be answered.
"""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Awaitable, Callable
from itertools import count
from typing import NamedTuple

import structlog
from pydantic import ValidationError

from .actor import Actor
from .bus.base import Bus, DeliveredMessage, Delta, Subscription, is_about, storing_for
from .errors import BandsmithError, RetryableError, ServerFull, TerminalError, UnknownMessage
from .events import Command, Envelope, Event, Service, StageFailed, TemplateValidated
from .handler_timeout import HandlerTimeout
from .reply_stream import sending_reply_to
from .settings import BusSettings
from .telemetry import log as logs
from .telemetry import metrics
from .telemetry.replica_stats import Outcome, ReplicaStats

log = structlog.get_logger(__name__)

Handle = Callable[[Envelope], Awaitable[None]]
Fail = Callable[[Envelope, BandsmithError], Awaitable[None]]

MAX_FULL_RETRY_S = 5.0
"""Maximum delay between attempts while the message server is full."""
HEARTBEATS_PER_ACK_WAIT = 3
UNKNOWN_DELAY_FACTOR = 5
"""How much longer than after a failure the delay is after a message that another version may know."""
ASIDE_S = 0.5
"""How long a worker that does not know a message takes no other in its place once the message is delivered again."""


async def run_actor(
    bus: Bus, service: Service, actor: Actor, *, concurrency: int = 1, settings: BusSettings | None = None
) -> Subscription:
    """Start `actor`, register it as a replica and let it compete for the commands of `service`.

    The caller stops the returned subscription first, then the actor.
    """
    await actor.start()
    stats = ReplicaStats(service)

    async def handle(envelope: Envelope) -> None:
        async def publish_delta(text: str) -> None:
            await bus.publish_delta(Delta(session=envelope.session, turn=envelope.turn, text=text))

        with sending_reply_to(publish_delta), storing_for(envelope.session):
            event = await actor.handle(command_of(envelope, service))
        if isinstance(event, TemplateValidated):
            metrics.validated(event.passed, ((finding.code, finding.severity) for finding in event.findings))
        await bus.publish(answer(envelope, event))

    async def fail(envelope: Envelope, error: BandsmithError) -> None:
        await bus.publish(answer(envelope, StageFailed.of(envelope.kind, error)))

    deliver = delivery_handler(handle, fail=fail, settings=settings, stats=stats)
    consumer = await bus.consume_commands(service, deliver, concurrency=concurrency)
    try:
        return RegisteredSubscription(consumer, await bus.register(stats.replica))
    except BaseException:
        await consumer.stop()
        raise


class RegisteredSubscription:
    """A replica's consumer and its registration, which lasts until the messages in flight are done."""

    def __init__(self, consumer: Subscription, registration: Subscription) -> None:
        self._parts = consumer, registration

    async def stop(self) -> None:
        for part in self._parts:
            await part.stop()


def delivery_handler(
    handle: Handle, *, fail: Fail | None = None, settings: BusSettings | None = None, stats: ReplicaStats | None = None
) -> Callable[[DeliveredMessage], Awaitable[None]]:
    """Turn a handler of envelopes into a handler of deliveries, for ``consume_commands`` and ``consume_answers``.

    `handle` must be idempotent, because envelopes may be delivered more than once. `stats` are those of the replica.
    """
    settings = settings or BusSettings()
    stats = stats or ReplicaStats("")
    interval = settings.ack_wait / HEARTBEATS_PER_ACK_WAIT

    async def deliver(delivery: DeliveredMessage) -> None:
        try:
            envelope = Envelope.model_validate_json(delivery.data)
        except ValidationError:
            envelope = None
        if envelope is None or not is_about(delivery.subject, envelope):
            log.error("message.undecodable", subject=delivery.subject, size=len(delivery.data))
            metrics.unreadable(stats.service)
            reason = "sent to another subject" if envelope else "not an envelope"
            await _while_full(lambda: delivery.term(reason), settings)
            return
        with stats.handling(envelope, delivery.count) as handling, _Heartbeat(delivery, interval):
            settled = await _process(delivery, envelope, handle, fail or _ignore, settings)
            handling.outcome = settled.outcome
        if settled.aside_s:
            await asyncio.sleep(settled.aside_s)

    return deliver


def answer(command: Envelope, event: Event) -> Envelope:
    """Return the envelope of a command's answer or failure; its id depends only on the command's and on which it is."""
    role = "failed" if isinstance(event, StageFailed) else "answer"
    return Envelope(
        id=hashlib.sha256(f"{command.id}/{role}".encode()).hexdigest()[:32],
        kind=event.kind(),
        session=command.session,
        turn=command.turn,
        node=command.node,
        causation=command.id,
        attempt=command.attempt,
        traceparent=command.traceparent,
        payload=event.model_dump(mode="json"),
    )


class Settled(NamedTuple):
    """What became of a delivery."""

    outcome: Outcome
    aside_s: float = 0.0
    """How long its place stays empty, so that another worker takes it."""


async def _process(
    delivery: DeliveredMessage, envelope: Envelope, handle: Handle, fail: Fail, settings: BusSettings
) -> Settled:
    try:
        try:
            if delivery.count > settings.max_deliveries:
                raise _worker_lost()
            await _while_full(lambda: _with_timeout(handle, envelope, settings), settings)
            await delivery.ack()
            return Settled("acked")
        except Exception as error:
            problem = _classify(error)
            if not isinstance(problem, RetryableError):
                await _while_full(lambda: fail(envelope, problem), settings)
                await delivery.ack()
                return Settled("failed")
            if delivery.count < settings.max_deliveries:
                is_unknown = isinstance(problem, UnknownMessage)
                delay = settings.delay(delivery.count) * (UNKNOWN_DELAY_FACTOR if is_unknown else 1)
                await delivery.nak(delay)
                return Settled("retried", delay + ASIDE_S if is_unknown else 0.0)
            await _while_full(lambda: fail(envelope, problem), settings)
            reason = f"{problem.code}: given up after {settings.max_deliveries} deliveries"
            await _while_full(lambda: delivery.term(reason), settings)
            return Settled("dead")
    except Exception as error:  # the failure could not be published: retry when the bus is back
        log.warning("message.unsettled", error=type(error).__name__, where=logs.error_locations(error))
        await delivery.nak(settings.delay(delivery.count))
        return Settled("retried")


async def _with_timeout(handle: Handle, envelope: Envelope, settings: BusSettings) -> None:
    with HandlerTimeout(settings.handling_limit):
        await handle(envelope)


async def _while_full(call: Callable[[], Awaitable[None]], settings: BusSettings) -> None:
    """Call, and retry with growing delays as long as the message server is full.

    The message stays in flight meanwhile. If it were handed back it would reach its last delivery, and a full server
    cannot store dead letters either, so the message would be lost.
    """
    for number in count(1):
        try:
            return await call()
        except ServerFull:
            log.warning("bus.full")
            await asyncio.sleep(min(settings.delay(number), MAX_FULL_RETRY_S))


def _classify(error: Exception) -> BandsmithError:
    if isinstance(error, BandsmithError):
        log.info("message.failed", error=type(error).__name__, code=error.code)
        return error
    log.error("message.failed", error=type(error).__name__, where=logs.error_locations(error))
    return RetryableError.of("bus.internal")


def _worker_lost() -> RetryableError:
    return RetryableError.of("bus.worker_lost")


def command_of(envelope: Envelope, service: Service) -> Command:
    """Return the command in an envelope.

    Raises ``TerminalError`` if it is none of `service`, ``UnknownMessage`` if a service of another version may know it.
    What is sent to the gateway comes from other programs as well, whose mistakes are reported at once.
    """
    try:
        message = envelope.message()
    except (KeyError, ValidationError):
        if service != "gateway":
            raise UnknownMessage.of("bus.unknown_command", code="message") from None
        message = None
    if not isinstance(message, Command) or message.service != service:
        raise TerminalError.of("bus.unknown_command", code="message")
    return message


async def _ignore(envelope: Envelope, error: BandsmithError) -> None:
    """Ignore the failure; used where no one waits for it."""


class _Heartbeat:
    """Calls ``in_progress`` periodically; most messages are done before the first time, so the task starts late."""

    def __init__(self, delivery: DeliveredMessage, interval: float) -> None:
        self._delivery = delivery
        self._interval = interval
        self._task: asyncio.Task[None] | None = None

    def __enter__(self) -> None:
        self._first = asyncio.get_running_loop().call_later(self._interval, self._start)

    def __exit__(self, *_: object) -> None:
        self._first.cancel()
        if self._task:
            self._task.cancel()

    def _start(self) -> None:
        self._task = asyncio.create_task(self._beat())

    async def _beat(self) -> None:
        while True:
            await self._delivery.in_progress()
            await asyncio.sleep(self._interval)
