"""The gateway's actor: it takes turns' beginnings and every event, and moves each session by one step.

The order is: the state is changed, then what it says and asks is published, then the message is acknowledged. Whoever
falls between two of these has the message delivered again, finds it applied already, and publishes the state's own
events and unanswered commands once more. That is enough, because

- the ids are derived, so what was published before is the same message and changes nothing;
- events go before commands, so an answer to any command of a step proves that the step's events are out: they may be
  replaced by the next step's;
- a command stays in the state until it is answered or its node is left, so none can be lost by a step in between.
"""

from __future__ import annotations

import asyncio
import random

import structlog
from pydantic import ValidationError

from shared.bus.base import Bus, Conflict, Delivery, Subscription
from shared.events import Envelope, NodeFinished, NodeStarted, StartTurn, TurnFailed, TurnFinished, command_id

from .state import Session
from .steps import advance, begin, is_over

log = structlog.get_logger(__name__)

OWN = frozenset(kind.kind() for kind in (NodeStarted, NodeFinished, TurnFinished, TurnFailed))
"""What the gateway itself says; it hears it too."""


class GatewayActor:
    """Any number of these may run: a session's state is changed only by compare-and-set."""

    def __init__(self, bus: Bus) -> None:
        self._bus = bus
        self._subscriptions: list[Subscription] = []

    async def start(self) -> None:
        self._subscriptions.append(await self._bus.work("gateway", self.settle, concurrency=8))
        self._subscriptions.append(await self._bus.listen("gateway", self.settle))

    async def stop(self) -> None:
        for subscription in self._subscriptions:
            await subscription.stop()
        self._subscriptions.clear()

    async def settle(self, delivery: Delivery) -> None:
        """Apply one message and settle it; what fails is delivered again."""
        try:
            envelope = Envelope.model_validate_json(delivery.data)
            if envelope.kind not in OWN:
                await self._apply(envelope)
        except ValidationError:
            await delivery.term("it cannot be read")
        except Exception:
            log.exception("a message could not be applied", subject=delivery.subject, delivery=delivery.count)
            await delivery.nak(delay=min(30.0, 2.0**delivery.count))
        else:
            await delivery.ack()

    async def _apply(self, envelope: Envelope) -> None:
        key = f"session-{envelope.session}"
        while True:
            stored = await self._bus.read_state(key)
            session = Session.model_validate_json(stored[0]) if stored else Session(id=envelope.session)
            revision = stored[1] if stored else None
            if envelope.kind == StartTurn.kind() and _is_busy(session, envelope):
                await self._bus.publish(_refusal(envelope))
                return
            moved = _move(session, envelope)
            if moved is None:
                await self._publish(session)
                return
            try:
                await self._bus.write_state(key, moved.model_dump_json().encode(), revision)
            except Conflict:
                # Another window of the same node was first; everyone's next try reads what the first one wrote.
                await asyncio.sleep(random.uniform(0, 0.02))  # noqa: S311 - spreads tries, guards nothing
                continue
            await self._publish(moved)
            return

    async def _publish(self, session: Session) -> None:
        if session.turn is None:
            return
        for event in session.turn.said:
            await self._bus.publish(event)
        for command in session.turn.awaiting.values():
            await self._bus.send(command)


def _move(session: Session, envelope: Envelope) -> Session | None:
    """The session's next state, or None when the message was applied before or comes too late."""
    if envelope.kind != StartTurn.kind():
        return advance(session, envelope)
    if envelope.turn in session.past or (session.turn and session.turn.id == envelope.turn):
        return None
    return begin(session, envelope, StartTurn.model_validate(envelope.payload))


def _is_busy(session: Session, envelope: Envelope) -> bool:
    turn = session.turn
    return turn is not None and turn.id != envelope.turn and envelope.turn not in session.past and not is_over(turn)


def _refusal(envelope: Envelope) -> Envelope:
    """A session has one turn at a time."""
    event = TurnFailed(
        code="busy",
        message="This session is still at work on its last request; wait for it or begin another session.",
        message_zh="该会话仍在处理上一个请求;请等待其完成,或新建一个会话。",
    )
    return envelope.model_copy(
        update={
            "id": command_id(envelope.turn, event.kind(), 1),
            "kind": event.kind(),
            "causation": envelope.id,
            "payload": event.model_dump(mode="json"),
        }
    )
