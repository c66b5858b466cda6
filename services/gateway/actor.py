"""The gateway's actor: it takes turns' beginnings and every event, and moves each session by one step.

The order is: the state is changed, then what it says and asks is published, then the message is acknowledged. Whoever
falls between two of these has the message delivered again, finds it applied already, and publishes the state's own
events and unanswered commands once more. That is enough, because

- the ids are derived, so what was published before is the same message and changes nothing;
- events go before commands, so an answer to any command of a step proves that the step's events are out: they may be
  replaced by the next step's; a turn that begins or waits proves nothing, so it keeps what was said before it;
- a command stays in the state until it is answered or its node is left, so none can be lost by a step in between;
- what a step finds in the state it leaves to the step that put it there, whose message is not acknowledged before.
"""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable, Container
from weakref import WeakValueDictionary

from shared.bus.base import Bus, Conflict, Subscription
from shared.errors import BandsmithError
from shared.events import Envelope, StartTurn
from shared.llm.base import Allowance
from shared.worker import settling

from .refusals import refusal
from .state import SessionState
from .steps import NO_MODEL, abandon, advance, begin, failed

SPREAD = 0.02
"""Seconds over which those who were in each other's way spread their next tries."""

Move = Callable[[SessionState], SessionState | None]


class GatewayActor:
    """Any number of these may run: a session's state is changed only by compare-and-set."""

    def __init__(self, bus: Bus, budget: Allowance = NO_MODEL) -> None:
        """`budget`: what each turn may spend on a model."""
        self._bus = bus
        self._budget = budget
        self._subscriptions: list[Subscription] = []
        self._in_hand: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()
        """By state: messages of one session wait for each other here, instead of being in each other's way."""

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
        refused: BandsmithError | None = None

        def move(session: SessionState) -> SessionState | None:
            nonlocal refused
            if envelope.kind != StartTurn.kind():
                return advance(session, envelope, self._budget)
            moved = begin(session, envelope, self._budget)
            refused = refusal(session, StartTurn.model_validate(envelope.payload)) if moved else None
            return None if refused else moved

        await self._change(envelope, move)
        if refused:
            await self._bus.publish(failed(envelope, refused))

    async def _change(self, envelope: Envelope, move: Move) -> bool:
        """Write the state that `move` makes, and say what is new in it; whether there was one to write."""
        key = f"session-{envelope.session}"
        async with self._in_hand.setdefault(key, asyncio.Lock()):
            session, moved = await self._write(key, SessionState(id=envelope.session), move)
        if moved is None:
            await self._publish(session)
        else:
            await self._publish(moved, known=session.turn.awaiting if session.turn else {})
        return moved is not None

    async def _write(self, key: str, new: SessionState, move: Move) -> tuple[SessionState, SessionState | None]:
        """The state that was there, and the one that is there now; None where it is the same."""
        while True:
            stored = await self._bus.read_state(key)
            session = SessionState.model_validate_json(stored[0]) if stored else new
            moved = move(session)
            if moved is None:
                return session, None
            try:
                await self._bus.write_state(key, moved.model_dump_json().encode(), stored and stored[1])
            except Conflict:
                # Another gateway was first; what it wrote is read by the next try.
                await asyncio.sleep(random.uniform(0, SPREAD))  # noqa: S311 - guards nothing
            else:
                return session, moved

    async def _publish(self, session: SessionState, known: Container[str] = ()) -> None:
        """The state's own events in their order, then its unanswered commands but those that are `known`."""
        await self._bus.publish(*session.said)
        if session.turn is not None:
            commands = [command for name, command in session.turn.awaiting.items() if name not in known]
            await asyncio.gather(*map(self._bus.send, commands))

    async def _give_up(self, envelope: Envelope, error: BandsmithError) -> None:
        """The turn that the message belongs to ends; whoever waits for it learns why, and the next may begin."""
        try:
            ended = await self._change(envelope, lambda session: abandon(session, envelope, error, self._budget))
        except ValueError:  # the state itself cannot be read
            ended = False
        if not ended and envelope.kind == StartTurn.kind():
            await self._bus.publish(failed(envelope, error))
