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

from shared.bus.base import Bus, Conflict, Subscription
from shared.errors import BandsmithError
from shared.events import Envelope, NodeFinished, NodeStarted, StartTurn, TurnFailed, TurnFinished, command_id
from shared.worker import settling

from .state import Session
from .steps import advance, begin, is_over

OWN = frozenset(kind.kind() for kind in (NodeStarted, NodeFinished, TurnFinished, TurnFailed))
"""What the gateway itself says; it hears it too."""
SPREAD = 0.02
"""Seconds over which those who were in each other's way spread their next tries."""


class GatewayActor:
    """Any number of these may run: a session's state is changed only by compare-and-set."""

    def __init__(self, bus: Bus) -> None:
        self._bus = bus
        self._subscriptions: list[Subscription] = []

    async def start(self) -> None:
        settle = settling(self.apply, fail=self._give_up)
        self._subscriptions.append(await self._bus.work("gateway", settle, concurrency=8))
        self._subscriptions.append(await self._bus.listen("gateway", settle))

    async def stop(self) -> None:
        for subscription in self._subscriptions:
            await subscription.stop()
        self._subscriptions.clear()

    async def apply(self, envelope: Envelope) -> None:
        """Move the session by what the envelope says; once it was applied, only say again what followed."""
        if envelope.kind in OWN:
            return
        while True:
            stored = await self._bus.read_state(_key(envelope))
            session = Session.model_validate_json(stored[0]) if stored else Session(id=envelope.session)
            if _is_refused(session, envelope):
                await self._bus.publish(_failed(envelope, BUSY))
                return
            moved = _move(session, envelope)
            if moved is None:
                await self._publish(session)
                return
            try:
                await self._bus.write_state(_key(envelope), moved.model_dump_json().encode(), stored and stored[1])
            except Conflict:
                # Another window of the same node was first; what it wrote is read by the next try.
                await asyncio.sleep(random.uniform(0, SPREAD))  # noqa: S311 - guards nothing
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

    async def _give_up(self, envelope: Envelope, error: BandsmithError) -> None:
        """Whoever waits for the turn learns that it stands still."""
        if envelope.kind not in OWN:
            await self._bus.publish(_failed(envelope, error))


BUSY = BandsmithError(
    "This session is still at work on its last request; wait for it or begin another session.",
    message_zh="该会话仍在处理上一个请求；请等待其完成，或新建一个会话。",
    code="busy",
)


def _key(envelope: Envelope) -> str:
    return f"session-{envelope.session}"


def _move(session: Session, envelope: Envelope) -> Session | None:
    """The session's next state, or None when the message was applied before or comes too late."""
    if envelope.kind != StartTurn.kind():
        return advance(session, envelope)
    if envelope.turn in session.past or (session.turn and session.turn.id == envelope.turn):
        return None
    return begin(session, envelope, StartTurn.model_validate(envelope.payload))


def _is_refused(session: Session, envelope: Envelope) -> bool:
    """A session has one turn at a time."""
    turn = session.turn
    if envelope.kind != StartTurn.kind() or turn is None or is_over(turn):
        return False
    return envelope.turn != turn.id and envelope.turn not in session.past


def _failed(envelope: Envelope, error: BandsmithError) -> Envelope:
    event = TurnFailed(code=error.code, message=error.message, message_zh=error.message_zh)
    return Envelope(
        id=command_id(envelope.turn, event.kind(), 1),
        kind=event.kind(),
        session=envelope.session,
        turn=envelope.turn,
        causation=envelope.id,
        traceparent=envelope.traceparent,
        payload=event.model_dump(mode="json"),
    )
