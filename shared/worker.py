"""The one loop of every host: decode, handle, publish, settle.

How a message is settled:

- it is no envelope: dead letter;
- it was handled: ack;
- ``RetryableError``, an error that nobody foresaw, or a handler that does not get on for ``handling_limit`` seconds:
  nak with a delay; on the last delivery `fail`, then dead letter;
- any other ``BandsmithError``: `fail`, then ack;
- it came more often than that, because workers died of it: `fail`, then dead letter, without handling it again.

`fail` says so to whoever waits; for a command of an actor that is the event ``StageFailed``. Its id is not that of the
answer: a command that is replayed when the fault is mended is answered for the first time.
"""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Awaitable, Callable
from itertools import count

import structlog
from pydantic import ValidationError

from .actor import Actor
from .bus.base import Bus, Delivery, Delta, Subscription
from .errors import BandsmithError, RetryableError, ServerFull, TerminalError
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

FULL_SECONDS = 5.0
"""The longest pause before a full server is tried again."""
BEATS = 3
"""Signs of life in the time after which the bus would deliver again."""


async def run_actor(
    bus: Bus, service: Service, actor: Actor, *, concurrency: int = 1, settings: BusSettings | None = None
) -> Subscription:
    """Start `actor`, then let it compete for the commands of `service`, `concurrency` at a time, and attend the roll.

    Stopping the subscription leaves the actor to the caller, who stops it afterwards.
    """
    await actor.start()
    stats = ReplicaStats(service)

    async def handle(envelope: Envelope) -> None:
        async def speak(text: str) -> None:
            await bus.publish_delta(Delta(session=envelope.session, turn=envelope.turn, text=text))

        with sending_reply_to(speak):
            event = await actor.handle(command_of(envelope, service))
        if isinstance(event, TemplateValidated):
            metrics.validated(event.passed, ((finding.code, finding.severity) for finding in event.findings))
        await bus.publish(answer(envelope, event))

    async def fail(envelope: Envelope, error: BandsmithError) -> None:
        failed = StageFailed(command=envelope.kind, code=error.code, message=error.message, message_zh=error.message_zh)
        await bus.publish(answer(envelope, failed))

    settle = delivery_handler(handle, fail=fail, settings=settings, stats=stats)
    work = await bus.consume_commands(service, settle, concurrency=concurrency)
    try:
        return RegisteredSubscription(work, await bus.register(stats.replica))
    except BaseException:
        await work.stop()
        raise


class RegisteredSubscription:
    """A subscription of a replica that attends the roll until what it had in hand is done."""

    def __init__(self, work: Subscription, attendance: Subscription) -> None:
        self._parts = work, attendance

    async def stop(self) -> None:
        for part in self._parts:
            await part.stop()


def delivery_handler(
    handle: Handle, *, fail: Fail | None = None, settings: BusSettings | None = None, stats: ReplicaStats | None = None
) -> Callable[[Delivery], Awaitable[None]]:
    """What ``Bus.consume_commands`` and ``Bus.consume_answers`` want, from a handler of envelopes.

    `handle` may be given the same envelope again: handling it twice must be harmless. `stats` is that of the replica.
    """
    settings = settings or BusSettings()
    stats = stats or ReplicaStats("")

    async def settle(delivery: Delivery) -> None:
        try:
            envelope = Envelope.model_validate_json(delivery.data)
        except ValidationError:
            log.error("message.undecodable", subject=delivery.subject, size=len(delivery.data))
            metrics.unreadable(stats.service)
            await _with_room(lambda: delivery.term("not an envelope"), settings)
            return
        with stats.handling(envelope, delivery.count) as handled, _Beating(delivery, settings.ack_wait / BEATS):
            handled.outcome = await _settle(delivery, envelope, handle, fail or _ignore, settings)

    return settle


def answer(command: Envelope, event: Event) -> Envelope:
    """The envelope of the one event that answers `command`, or says that it failed: however often, it is the same."""
    what = "failed" if isinstance(event, StageFailed) else "answer"
    return Envelope(
        id=hashlib.sha256(f"{command.id}/{what}".encode()).hexdigest()[:32],
        kind=event.kind(),
        session=command.session,
        turn=command.turn,
        node=command.node,
        causation=command.id,
        attempt=command.attempt,
        traceparent=command.traceparent,
        payload=event.model_dump(mode="json"),
    )


async def _settle(delivery: Delivery, envelope: Envelope, handle: Handle, fail: Fail, settings: BusSettings) -> Outcome:
    try:
        try:
            if delivery.count > settings.max_deliveries:
                raise _worker_lost()
            await _with_room(lambda: _limited(handle, envelope, settings), settings)
            await delivery.ack()
            return "acked"
        except Exception as error:
            problem = _known(error)
            if not isinstance(problem, RetryableError):
                await _with_room(lambda: fail(envelope, problem), settings)
                await delivery.ack()
                return "failed"
            if delivery.count < settings.max_deliveries:
                await delivery.nak(settings.delay(delivery.count))
                return "retried"
            await _with_room(lambda: fail(envelope, problem), settings)
            reason = f"{problem.code}: given up after {settings.max_deliveries} deliveries"
            await _with_room(lambda: delivery.term(reason), settings)
            return "dead"
    except Exception as error:  # not even the failure could be said: say it when the bus is back
        log.warning("message.unsettled", error=type(error).__name__, where=logs.where(error))
        await delivery.nak(settings.delay(delivery.count))
        return "retried"


async def _limited(handle: Handle, envelope: Envelope, settings: BusSettings) -> None:
    with HandlerTimeout(settings.handling_limit):
        await handle(envelope)


async def _with_room(call: Callable[[], Awaitable[None]], settings: BusSettings) -> None:
    """Call, and again after growing delays for as long as the message server is full.

    The message stays in hand meanwhile. Handed back, it would come to its last delivery, and a server that is full
    keeps no dead letter either: it would be lost.
    """
    for number in count(1):
        try:
            return await call()
        except ServerFull:
            log.warning("bus.full")
            await asyncio.sleep(min(settings.delay(number), FULL_SECONDS))


def _known(error: Exception) -> BandsmithError:
    if isinstance(error, BandsmithError):
        log.info("message.failed", error=type(error).__name__, code=error.code)
        return error
    log.error("message.failed", error=type(error).__name__, where=logs.where(error))
    return RetryableError(
        "An internal error occurred; the log says where.", message_zh="发生内部错误，详见日志。", code="internal"
    )


def _worker_lost() -> RetryableError:
    return RetryableError(
        "The workers that tried this stopped before they were done.",
        message_zh="处理此消息的进程在完成前反复退出。",
        code="worker_lost",
    )


def command_of(envelope: Envelope, service: Service) -> Command:
    """What the envelope asks of `service`. Raises ``TerminalError`` where it asks nothing that can be understood."""
    try:
        message = envelope.message()
    except (KeyError, ValidationError):
        message = None
    if not isinstance(message, Command) or message.service != service:
        raise TerminalError(
            "This message is no command that the service knows: the parts may be of different versions.",
            message_zh="该服务不识别此消息：各部分的版本可能不一致。",
            code="message",
        )
    return message


async def _ignore(envelope: Envelope, error: BandsmithError) -> None:
    """Nobody waits for this message."""


class _Beating:
    """Says every so many seconds that a message is still being worked on; most are done before the first time."""

    def __init__(self, delivery: Delivery, every: float) -> None:
        self._delivery = delivery
        self._every = every
        self._task: asyncio.Task[None] | None = None

    def __enter__(self) -> None:
        self._first = asyncio.get_running_loop().call_later(self._every, self._begin)

    def __exit__(self, *_: object) -> None:
        self._first.cancel()
        if self._task:
            self._task.cancel()

    def _begin(self) -> None:
        self._task = asyncio.create_task(self._beat())

    async def _beat(self) -> None:
        while True:
            await self._delivery.in_progress()
            await asyncio.sleep(self._every)
